"""Midnight: the exact chance to qualify, and the exact mean score of best play.

The state of a turn is (dice left, qualifiers still needed, points kept), so there are few states. Beside the
qualifiers that best play keeps, it keeps the highest dice. It can leave a qualifier, where only a very high
score is worth something. The tests compare this with a count of all keeps, for every aim. Chances stay whole
numbers until the end, multiplied by SCALE of the dice left: fractions take ten times as long.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, partial
from itertools import combinations
from math import lcm

from table.odds import winning
from table.odds.throws import Dice, throws
from table.odds.winning import Worths
from table.rules import words
from table.rules.best_play import After, BestPlay, after_keep, after_throw
from table.rules.prompts import Odds

DICE = 6
QUALIFIERS = (1, 4)
BEST = 24
SCORES = winning.points(BEST)
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
    return worth_after(kept, SCORES)


def worth_after(kept: Sequence[int], worths: Worths) -> Fraction:
    """Mean worth of the score of best play with these dice kept before the others are thrown.

    worths: of each score. A higher score is worth at least as much as a lower one.
    """
    left, (whole, parts) = DICE - len(kept), _whole(worths)
    return Fraction(_score(left, _needed(kept), _points(kept), whole), parts * SCALE[left])


@cache
def _whole(worths: Worths) -> tuple[tuple[int, ...], int]:
    """The worths as whole numbers of equal parts, and the number of parts of 1."""
    parts = lcm(*(worth.denominator for worth in worths))
    return tuple(int(worth * parts) for worth in worths), parts


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
def _score(left: int, needed: Dice, points: int, worths: tuple[int, ...]) -> int:
    """SCALE times the mean worth of the score with best play. worths: of each score."""
    if len(needed) > left:
        return worths[0] * SCALE[left]
    if not left:
        return worths[points]
    total = 0
    for dice, ways in _ways(left):
        keeps = _options(needed, dice)
        total += ways * max(
            _score(after, still, points + more, worths) * (SCALE[left - 1] // SCALE[after])
            for after, still, more in keeps
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


# -- best play -----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Turn:
    """A turn. worths: computes what each score is worth in it. points: whether that is the score itself.

    against, opens: as in BestPlay, for the first throw.
    """

    aim: str
    worths: Callable[[], Worths]
    points: bool = False
    against: str = ""
    opens: bool = True

    def thrown(self, kept: Dice) -> BestPlay:
        """Best play before a throw, with these dice kept."""
        return self._play(
            after_throw(lambda dice: self._after_throw(kept, dice)),
            lambda: worth_after(kept, self.worths()),
            opens=self.opens and not kept,
        )

    def chosen(self, kept: Dice) -> BestPlay:
        """Best play at the choice of dice to keep, beside those kept already."""
        return self._play(after_keep(lambda part: worth_after(kept + part, self.worths())))

    def _after_throw(self, kept: Dice, dice: Dice) -> Fraction:
        worths = self.worths()
        return max(worth_after(kept + part, worths) for part in _good_keeps(_needed(kept), dice))

    def _play(
        self, after: After, before: Callable[[], Fraction] | None = None, opens: bool = False
    ) -> BestPlay:
        return BestPlay(self.aim, after, before, self.points, opens, self.against)


def for_score() -> Turn:
    """A turn for the score itself."""
    return Turn("the score of a turn, on average", lambda: SCORES, points=True)


def first_of_two(opponent: str) -> Turn:
    """The turn of the first of two players. A tie is worth a half."""
    return Turn(winning.AIM, _first_worths, against=opponent)


def last_player(best: int, leaders: int, opponent: str = "") -> Turn:
    """The turn of the last player, after others who score `best`, of whom `leaders` lead.

    opponent: the other one of two players.
    """
    worths = partial(winning.last, best, leaders, BEST)
    return Turn(winning.AIM, worths, against=opponent, opens=not opponent)


@cache
def _first_worths() -> Worths:
    """The chance of the first of two players with each score, against the best answer to it."""
    return tuple(1 - worth_after((), winning.last(score, 1, BEST)) for score in range(BEST + 1))


# -- counting ------------------------------------------------------------------------------------------------


@cache
def _options(needed: Dice, dice: Dice) -> tuple[tuple[int, Dice, int], ...]:
    """(dice left, qualifiers still needed, points added) of each keep that can be best."""
    return tuple(
        (len(dice) - len(part), tuple(q for q in needed if q not in part), _added(needed, part))
        for part in _good_keeps(needed, dice)
    )


def _added(needed: Dice, part: Dice) -> int:
    return sum(part) - sum(q for q in needed if q in part)


def _good_keeps(needed: Dice, dice: Dice) -> Iterator[Dice]:
    """The keeps that can be best, in spoken order: highest dice first.

    Beside the qualifiers that are kept, if any, the others that are kept are the highest.
    """
    fell = [q for q in needed if q in dice]
    for taken in (part for n in range(len(fell), -1, -1) for part in combinations(fell, n)):
        untaken = [q for q in fell if q not in taken]
        rest = [face for face in _without(dice, taken) if face not in untaken]
        for n in range(0 if taken else 1, len(rest) + 1):
            yield (*rest[:n], *reversed(taken))


def _without(dice: Dice, taken: Sequence[int]) -> list[int]:
    rest = sorted(dice, reverse=True)
    for face in taken:
        rest.remove(face)
    return rest


@cache
def _ways(n: int) -> tuple[tuple[Dice, int], ...]:
    """Every throw of n dice and the number of its orders."""
    return tuple((dice, int(p * 6**n)) for dice, p in throws(n))
