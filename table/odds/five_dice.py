"""5 Dice: what throwing on risks and brings. How dice score is passed in: `best` is the most that a throw is worth, 0 on a bust."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache

from table.odds.throws import Dice, keeps, throws
from table.rules import words
from table.rules.prompts import Odds

Score = Callable[[Sequence[int]], int]

DICE = 6
MOST_KEEPS = 4
"""Of the ways to set dice aside, the best are told."""


def of_throwing_on(total: int, dice: int, best: Score) -> tuple[Odds, ...]:
    """The odds of one more throw of so many dice with `total` points in the turn."""
    bust, _ = of_a_throw(dice, best)
    return (
        Odds("nothing scores, and the turn is lost", bust),
        Odds("gained by one more throw, on average", gain(total, dice, best), points=True),
    )


def of_the_keeps(total: int, aside: int, dice: Dice, score: Score, best: Score) -> tuple[Odds, ...]:
    """What the turn comes to on average with one more throw, for the best of the sets that can be put aside from this one.

    aside: how many dice are so already. score: what dice set aside together are worth, 0 where they may not be.
    """
    sets = [(_mean_after(total + score(kept), aside + len(kept), best), kept) for kept in keeps(tuple(sorted(dice))) if score(kept)]
    told = sorted(sets, key=lambda mean_kept: (-mean_kept[0], mean_kept[1]))[:MOST_KEEPS]
    return tuple(Odds(_words(kept, aside + len(kept)), mean, points=True) for mean, kept in told)


def _mean_after(total: int, aside: int, best: Score) -> Fraction:
    return total + gain(total, _left(aside), best)


def _left(aside: int) -> int:
    """All six are thrown again once all are aside."""
    return DICE - aside or DICE


def _words(kept: Dice, aside: int) -> str:
    return f"the turn with {'-'.join(map(str, kept))} aside and {words.dice(_left(aside))} thrown, on average"


def gain(total: int, dice: int, best: Score) -> Fraction:
    """Mean points gained by one more throw, all that scores in it taken; negative where too much is at stake."""
    bust, points = of_a_throw(dice, best)
    return points - bust * total


@cache
def of_a_throw(dice: int, best: Score) -> tuple[Fraction, Fraction]:
    """(chance that nothing scores, mean of what does) in a throw of so many dice."""
    worth = [(best(thrown), p) for thrown, p in throws(dice)]
    return sum((p for points, p in worth if not points), Fraction(0)), sum((points * p for points, p in worth), Fraction(0))
