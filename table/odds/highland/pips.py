"""What bonus pips that are left after an event are worth, by their number."""

from __future__ import annotations

from fractions import Fraction

POINTS_A_PIP = 5
MOST = 10
"""The most pips that a player can have: 5 from each break."""

Later = tuple[Fraction, ...]
"""The worth of 0, 1, 2, ... pips that are left, points."""

AT_THE_END: Later = tuple(Fraction(POINTS_A_PIP * pips) for pips in range(MOST + 1))
"""The points at the end of the day."""

FINEST = 2.0**-40
"""The worth of pips is a multiple of it, points. So sums with whole points are exact in floating point."""


def beyond_none(worth: tuple[Fraction | float, ...]) -> Later:
    """The worth of pips from what the rest of the day is worth with 0, 1, 2, ... pips.

    Further pips count as at the end of the day.
    """
    known = tuple(Fraction(to_finest(float(each - worth[0]))) for each in worth)
    return known + tuple(known[-1] + POINTS_A_PIP * (n + 1) for n in range(MOST + 1 - len(known)))


def to_finest(points: float) -> float:
    return round(points / FINEST) * FINEST
