"""What bonus pips are worth after each event, by the best play of the rest of the day.

For a lone player that is exact: the pips of the second break are known, and the Tug of War has no pips. With
more players the second break depends on all of them, so a pip that is left after the Caber Toss counts its 5
points at the end of the day. In Weight for Height it can be worth more, which is not counted.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from table.odds.highland import caber, heights, shot_put
from table.odds.highland.pips import AT_THE_END, POINTS_A_PIP, Later, beyond_none

ATTEMPTS = 3


@dataclass(frozen=True)
class DayRules:
    """The rules of the events that have pips.

    most: the most pips that a player can get at the first break. alone: whether a lone player plays, who gets
    them at each break.
    """

    numbers: tuple[tuple[int, int], ...]
    any_roll: bool
    toss: caber.Score
    clock: range
    lost: bool
    most: int
    alone: bool

    @property
    def sheaf(self) -> heights.Rules:
        return heights.Rules(self.numbers, self.any_roll, after_sheaf_toss(self))

    @property
    def shot_put(self) -> Later:
        """The worth of the pips that are left after the Shot Put."""
        return after_shot_put(self)

    @property
    def caber(self) -> caber.Rules:
        return caber.Rules(self.toss, self.clock, self.lost, after_caber_toss(self))

    @property
    def weight(self) -> heights.Rules:
        return heights.Rules(self.numbers, self.any_roll, AT_THE_END)


@cache
def after_sheaf_toss(rules: DayRules) -> Later:
    """Pips that are left in the morning count then, and are kept."""
    later = rules.shot_put
    return beyond_none(
        tuple(
            POINTS_A_PIP * pips + shot_put.event(ATTEMPTS, 0, pips, later) for pips in range(rules.most + 1)
        )
    )


@cache
def after_shot_put(rules: DayRules) -> Later:
    toss = rules.caber
    return beyond_none(tuple(caber.event(ATTEMPTS, 0, pips, toss) for pips in range(rules.most + 1)))


@cache
def after_caber_toss(rules: DayRules) -> Later:
    if not rules.alone:
        return AT_THE_END
    weight = rules.weight
    return beyond_none(tuple(heights.best_start(pips + rules.most, weight) for pips in range(rules.most + 1)))
