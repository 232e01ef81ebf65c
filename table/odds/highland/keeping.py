"""The worth of each keep of a few dice, if the others are thrown again.

The worth of the final dice is any function.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from itertools import combinations

from table.odds.throws import Dice, throws
from table.rules import words
from table.rules.prompts import Odds

Worth = Callable[[Dice], Fraction | int]
"""The worth of the final dice, which come sorted.

Results are cached, so pass the same function object for the same worth.
"""

MAX_LINES = 4


@cache
def mean(kept: Dice, size: int, rerolls: int, fewest_kept: int, worth: Worth) -> Fraction:
    """The mean worth of `size` dice.

    The dice `kept` stay, the others are thrown now, and this many best rerolls follow.
    """
    return sum(
        (
            p * best(tuple(sorted(kept + new)), rerolls, fewest_kept, worth)
            for new, p in throws(size - len(kept))
        ),
        Fraction(0),
    )


@cache
def best(dice: Dice, rerolls: int, fewest_kept: int, worth: Worth) -> Fraction:
    """The mean worth of these dice with this many best rerolls left.

    Keeping all of them is one of the choices.
    """
    if not rerolls:
        return Fraction(worth(dice))
    parts = parts_of(dice, fewest_kept)
    return max(
        mean(part, len(dice), 0 if part == dice else rerolls - 1, fewest_kept, worth) for part in parts
    )


@cache
def parts_of(dice: Dice, fewest: int) -> tuple[Dice, ...]:
    """Every part of these sorted dice with at least `fewest` of them, each once. The whole comes first."""
    sizes = range(len(dice), fewest - 1, -1)
    return tuple(dict.fromkeys(part for n in sizes for part in combinations(dice, n)))


def odds_lines(means: dict[Dice, Fraction], dice: Dice, why: str, points: bool = True) -> tuple[Odds, ...]:
    """The odds of keeping all dice, then those of the best other keeps. means: the worth of each keep."""
    others = sorted((k for k in means if k != dice), key=lambda k: (-means[k], k))[:MAX_LINES]
    return tuple(Odds(f"{_in_words(keep, dice)}: {why}", means[keep], points) for keep in (dice, *others))


def _in_words(keep: Dice, dice: Dice) -> str:
    if keep == dice:
        return "keep all"
    return f"keep {words.listed(keep)}" if keep else "keep none"
