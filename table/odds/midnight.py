"""Midnight: the exact chance to qualify, and the exact mean score of best play.

The state of a turn is (dice left, qualifiers still needed, points kept), so there are few states. Best play
always keeps a needed die that is thrown. Any others that it keeps are the highest. The tests compare this
with a count of all keeps. Chances stay whole numbers until the end, multiplied by SCALE of the dice left:
fractions take ten times as long.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache

from table.odds.throws import Dice, throws
from table.rules import words
from table.rules.prompts import Odds

DICE = 6
QUALIFIERS = (1, 4)
MAX_KEEPS_SHOWN = 3
"""Number of the best ways to keep dice that are reported."""

QUALIFYING = "a 1 and a 4 in the end, if that is played for"

SCALE: tuple[int, ...] = tuple(6 ** (n * (n + 1) // 2) for n in range(DICE + 1))
"""Factor that makes every chance whole, by dice left."""


def of_a_throw(kept: Dice) -> tuple[Odds, ...]:
    """The odds of a turn with these dice kept before the others are thrown."""
    return (
        Odds(QUALIFYING, chance_after(kept)),
        Odds("score of best play, on average", score_after(kept), points=True),
    )


def of_the_keeps(kept: Dice, dice: Dice) -> tuple[Odds, ...]:
    """The odds of qualifying and of the best keeps, with these dice kept and these just thrown."""
    needed = _needed(kept)
    fell = len(set(needed) & set(dice))
    left = len(dice) - max(1, fell)
    sets = [(score_after(kept + part), part) for part in _good_keeps(needed, dice)]
    lines = sorted(sets, key=lambda score_part: (-score_part[0], score_part[1]))[:MAX_KEEPS_SHOWN]
    return (
        Odds(QUALIFYING, Fraction(_qualifies(left, len(needed) - fell), SCALE[left])),
        *(
            Odds(f"score with {words.hyphenated(part)} kept, on average", score, points=True)
            for score, part in lines
        ),
    )


def score_after(kept: Sequence[int]) -> Fraction:
    """Mean score of best play with these dice kept before the others are thrown."""
    left = DICE - len(kept)
    return Fraction(_score(left, _needed(kept), _points(kept)), SCALE[left])


def chance_after(kept: Sequence[int]) -> Fraction:
    """Chance of a 1 and a 4 in the end with these dice kept, if play aims at that alone."""
    left = DICE - len(kept)
    return Fraction(_qualifies(left, len(_needed(kept))), SCALE[left])


def _needed(kept: Sequence[int]) -> Dice:
    return tuple(q for q in QUALIFIERS if q not in kept)


def _points(kept: Sequence[int]) -> int:
    """Points that the kept dice add to the score, if the turn qualifies."""
    return sum(kept) - sum(q for q in QUALIFIERS if q in kept)


@cache
def _score(left: int, needed: Dice, points: int) -> int:
    """SCALE times the mean score of best play."""
    if not needed:
        return points * SCALE[left] + _more(left)
    if len(needed) > left:
        return 0
    total = 0
    for dice, ways in _ways(left):
        keeps = _options(needed, dice)
        total += ways * max(
            _score(after, still, points + more) * (SCALE[left - 1] // SCALE[after])
            for after, still, more in keeps
        )
    return total


@cache
def _more(left: int) -> int:
    """SCALE times the mean points of this many dice once nothing is needed."""
    if not left:
        return 0
    total = 0
    for dice, ways in _ways(left):
        keeps = _options((), dice)
        total += ways * max(
            more * SCALE[left - 1] + _more(after) * (SCALE[left - 1] // SCALE[after])
            for after, _, more in keeps
        )
    return total


@cache
def _qualifies(left: int, needed: int) -> int:
    """SCALE times the chance that this many qualifiers still fall, which is the same for either qualifier."""
    if not needed:
        return SCALE[left]
    if needed > left:
        return 0
    total = 0
    for dice, ways in _ways(left):
        fell = len(set(QUALIFIERS[:needed]) & set(dice))
        after = left - max(1, fell)
        total += ways * _qualifies(after, needed - fell) * (SCALE[left - 1] // SCALE[after])
    return total


@cache
def _options(needed: Dice, dice: Dice) -> tuple[tuple[int, Dice, int], ...]:
    """(dice left, qualifiers still needed, points added) of each keep that can be best."""
    still = tuple(q for q in needed if q not in dice)
    fell = len(needed) - len(still)
    rest = _without(dice, [q for q in needed if q in dice])
    return tuple((len(rest) - n, still, sum(rest[:n])) for n in range(0 if fell else 1, len(rest) + 1))


def _good_keeps(needed: Dice, dice: Dice) -> Iterator[Dice]:
    """The keeps that can be best, in spoken order: highest dice first."""
    fell = [q for q in needed if q in dice]
    rest = _without(dice, fell)
    for n in range(0 if fell else 1, len(rest) + 1):
        yield (*rest[:n], *reversed(fell))


def _without(dice: Dice, taken: Sequence[int]) -> list[int]:
    rest = sorted(dice, reverse=True)
    for face in taken:
        rest.remove(face)
    return rest


@cache
def _ways(n: int) -> tuple[tuple[Dice, int], ...]:
    """Every throw of n dice and the number of its orders."""
    return tuple((dice, int(p * 6**n)) for dice, p in throws(n))
