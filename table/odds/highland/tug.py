"""Tug of War: the worth of each keep of four dice, if one or two may be thrown again."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from table.odds.highland import keeping
from table.odds.highland.keeping import Worth
from table.odds.throws import Dice
from table.rules.prompts import Odds

SIZE = 4
FEWEST_KEPT = 2


def of_keeps(against: int | None, dice: Dice, rerolls: int) -> Iterable[Odds]:
    """The chance of more than the other side's total after each keep.

    If that total is not known yet, the mean total.
    """
    dice = tuple(sorted(dice))
    worth = sum if against is None else beats(against)
    means = {
        keep: keeping.mean(keep, SIZE, 0 if keep == dice else rerolls - 1, FEWEST_KEPT, worth)
        for keep in keeping.parts_of(dice, FEWEST_KEPT)
    }
    if against is None:
        return keeping.odds_lines(means, dice, "total on average")
    return keeping.odds_lines(means, dice, f"more than {against}", points=False)


@cache
def beats(total: int) -> Worth:
    """A function that gives 1 for dice that total more than `total`, else 0."""
    return lambda dice: int(sum(dice) > total)
