"""Pig: the value of one more throw, and best play.

Two players play for the win. The chance to win is found for all scores at once, because a turn that fails
leads back to the same scores. Scores with a higher sum are solved first, so only two chances are unknown at a
time, one for each player to throw. Each is a piecewise linear function of the other, so a few steps of
Newton's method are exact, up to rounding in floating point.

More players each play for the points of a turn, and not for more than they need.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, lru_cache

from table.odds import winning
from table.rules.answers import FACES
from table.rules.best_play import After, BestPlay, after_choice, after_throw
from table.rules.prompts import Odds

SCORING = FACES[1:]
"""The faces that add to the turn; a 1 loses it."""

AIM_FOR_POINTS = "the points of a turn, on average"


def of_another_throw(total: int) -> tuple[Odds, ...]:
    """The odds of one more throw with `total` points in the turn: 2 to 6 add to it, a 1 loses it."""
    return (
        Odds("a 1, and the turn is lost", Fraction(1, 6)),
        Odds("gained by one more throw, on average", gain(total), points=True),
    )


def gain(total: int) -> Fraction:
    """Mean points gained by one more throw with `total` in the turn; negative from 21 on."""
    return Fraction(sum(SCORING) - total, 6)


# -- best play -----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Turn:
    """A turn: the player's score before it, the goal, and the other player's score if there is only one.

    first: whether it is the first turn of the game.
    """

    own: int
    goal: int
    other: int | None = None
    opponent: str = ""
    first: bool = False

    def thrown(self, total: int) -> BestPlay:
        """Best play before a throw with `total` points in the turn."""
        after = after_throw(lambda faces: self._after_die(total, faces[0]))
        return self._play(after, lambda: self.throwing(total), opens=not total)

    def chosen(self, total: int) -> BestPlay:
        """Best play at the choice between "hold" and "roll"."""
        return self._play(after_choice(lambda option: self._options(total)[option]))

    def throwing(self, total: int) -> Fraction:
        """The worth before a throw."""
        if self.other is None:
            return _points_of_throwing(total, self.goal - self.own)
        if not total:
            return Fraction(chances(self.goal)[self.own][self.other])
        worth = _turn(self.own, self.other, self.goal)
        return Fraction(worth[min(total, len(worth) - 1)])

    def holding(self, total: int) -> Fraction:
        """The worth of a hold with `total` points in the turn; with 0, of a lost turn."""
        if self.other is None:
            return Fraction(min(total, self.goal - self.own))
        return 1 - Fraction(_to_throw(self.own + total, self.other, self.goal))

    def _options(self, total: int) -> dict[str, Fraction]:
        return {"hold": self.holding(total), "roll": self.throwing(total)}

    def _after_die(self, total: int, face: int) -> Fraction:
        return max(self._options(total + face).values()) if face in SCORING else self.holding(0)

    def _play(
        self,
        after: After,
        before: Callable[[], Fraction] | None = None,
        opens: bool = False,
    ) -> BestPlay:
        if self.other is None:
            return BestPlay(AIM_FOR_POINTS, after, before, points=True, opens=opens)
        return BestPlay(winning.AIM, after, before, opens=opens and self.first, against=self.opponent)


def _to_throw(reached: int, other: int, goal: int) -> float:
    """The chance of the other player, who throws next, against a score that may have reached the goal."""
    return 0.0 if reached >= goal else chances(goal)[other][reached]


@cache
def _points_of_throwing(total: int, needed: int) -> Fraction:
    """The mean points of a turn before a throw, if no more than `needed` points count."""
    return sum((_points(total + face, needed) for face in SCORING), Fraction(0)) / 6


def _points(total: int, needed: int) -> Fraction:
    if total >= needed or gain(total) <= 0:
        return Fraction(min(total, needed))
    return max(Fraction(total), _points_of_throwing(total, needed))


@lru_cache(maxsize=4)
def _turn(own: int, other: int, goal: int) -> list[float]:
    """The chance to win before a throw, by the points of the turn.

    The last one is that of all points with which a hold wins.
    """
    table = chances(goal)
    held = [1 - _to_throw(own + total, other, goal) for total in range(goal - own + 1)]
    return _solved(held, 1 - table[other][own])[0]


@cache
def chances(goal: int) -> list[list[float]]:
    """The chance to win of two best players before a turn, by the own score and the other's."""
    table = [[0.5] * goal for _ in range(goal)]
    for both in range(2 * goal - 2, -1, -1):
        for own in range(max(0, both - goal + 1), both // 2 + 1):
            _solve(table, own, both - own, goal)
    return table


def _solve(table: list[list[float]], a: int, b: int, goal: int) -> None:
    """Writes the chances at the scores a and b, for each player to throw. The higher scores are known."""
    held_a = [1 - table[b][total] for total in range(a, goal)]
    held_b = held_a if a == b else [1 - table[a][total] for total in range(b, goal)]
    x = y = table[min(a + 1, goal - 1)][min(b + 1, goal - 1)]
    while True:
        (throw_a, slope_a), (throw_b, slope_b) = _solved(held_a, 1 - y), _solved(held_b, 1 - x)
        f, g = throw_a[0], throw_b[0]
        new_x = (f - slope_a * (g + slope_b * x - y)) / (1 - slope_a * slope_b)
        new_y = g + slope_b * (x - new_x)
        if abs(new_x - x) + abs(new_y - y) < ROUNDING:
            break
        x, y = new_x, new_y
    table[a][b], table[b][a] = new_x, new_y


ROUNDING = 1e-14
"""A difference of chances that comes from rounding alone."""


def _solved(held: list[float], lost: float) -> tuple[list[float], float]:
    """(the worth of a throw by the points of the turn, the slope of the first worth in `lost`).

    held: the worth of a hold, by the points of the turn; beyond them a hold wins. lost: that of a 1.
    """
    throw = [0.0] * len(held)
    # the worth after the next 1 to 6 points, and its slope
    w1 = w2 = w3 = w4 = w5 = w6 = 1.0
    s1 = s2 = s3 = s4 = s5 = s6 = 0.0
    for total in range(len(held) - 1, -1, -1):
        on = throw[total] = (lost + w2 + w3 + w4 + w5 + w6) / 6
        slope = (1 + s2 + s3 + s4 + s5 + s6) / 6
        holds = held[total] >= on
        w1, w2, w3, w4, w5, w6 = (held[total] if holds else on), w1, w2, w3, w4, w5
        s1, s2, s3, s4, s5, s6 = (0.0 if holds else slope), s1, s2, s3, s4, s5
    return throw, slope
