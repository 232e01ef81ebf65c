"""5 Dice: risk and gain of throwing on.

The caller passes the scoring: `best` is the best score of a throw, 0 on a bust.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache

from table.odds.throws import Dice, keeps, throws
from table.rules import words
from table.rules.prompts import Odds

Score = Callable[[Sequence[int]], int]

DICE = 6
MAX_KEEPS_SHOWN = 4
"""Number of the best ways to set dice aside that are reported."""


def of_throwing_on(total: int, dice: int, best: Score) -> tuple[Odds, ...]:
    """The odds of one more throw of this many dice with `total` points in the turn."""
    bust, _ = of_a_throw(dice, best)
    return (
        Odds("nothing scores, and the turn is lost", bust),
        Odds("gained by one more throw, on average", gain(total, dice, best), points=True),
    )


def of_the_keeps(total: int, aside: int, dice: Dice, score: Score, best: Score) -> tuple[Odds, ...]:
    """The mean total of the turn after one more throw, for the best sets to put aside from this throw.

    aside: number of dice already aside. score: points of dice set aside together, 0 if that is not allowed.
    """
    sets = [
        (_mean_after(total + score(kept), aside + len(kept), best), kept)
        for kept in keeps(tuple(sorted(dice)))
        if score(kept)
    ]
    lines = sorted(sets, key=lambda mean_kept: (-mean_kept[0], mean_kept[1]))[:MAX_KEEPS_SHOWN]
    return tuple(Odds(_words(kept, aside + len(kept)), mean, points=True) for mean, kept in lines)


def _mean_after(total: int, aside: int, best: Score) -> Fraction:
    return total + gain(total, _left(aside), best)


def _left(aside: int) -> int:
    """Number of dice to throw next. Once all six are aside, all six are thrown again."""
    return DICE - aside or DICE


def _words(kept: Dice, aside: int) -> str:
    once = f"one more throw of {words.dice(_left(aside))}"  # best play may throw on, and is worth more
    return f"the turn with {words.hyphenated(kept)} aside and {once}, on average"


def gain(total: int, dice: int, best: Score) -> Fraction:
    """Mean points gained by one more throw with all scoring dice taken; negative if the risk is too high."""
    bust, points = of_a_throw(dice, best)
    return points - bust * total


@cache
def of_a_throw(dice: int, best: Score) -> tuple[Fraction, Fraction]:
    """(chance that nothing scores, mean score) of a throw of this many dice."""
    worth = [(best(thrown), p) for thrown, p in throws(dice)]
    return sum((p for points, p in worth if not points), Fraction(0)), sum(
        (points * p for points, p in worth), Fraction(0)
    )
