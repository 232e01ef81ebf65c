"""Caber Toss: how near to 12 o'clock four dice come."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from functools import cache

from table.odds.throws import throws
from table.rules.prompts import Odds

DICE = 4

Score = Callable[[int], int]
"""The points of a toss, by its distance from 12 o'clock."""


@cache
def totals() -> dict[int, Fraction]:
    """The chance of each total of four dice."""
    chances: dict[int, Fraction] = {}
    for dice, p in throws(DICE):
        chances[sum(dice)] = chances.get(sum(dice), Fraction(0)) + p
    return chances


def of_clock(clock: range) -> Iterable[Odds]:
    outside = sum((p for total, p in totals().items() if total not in clock), Fraction(0))
    yield Odds(f"a clock outside {clock[0]} to {clock[-1]}", outside)


@cache
def worth(clock: int, score: Score) -> Fraction:
    """Mean points of a toss at this clock, without pips."""
    return sum((p * score(abs(total - clock)) for total, p in totals().items()), Fraction(0))


def of_toss(clock: int, score: Score) -> Iterable[Odds]:
    yield Odds(f"12 o'clock, a toss of {clock}", totals()[clock])
    yield Odds(
        "no points", sum((p for total, p in totals().items() if not score(abs(total - clock))), Fraction(0))
    )
    yield Odds("points on average", worth(clock, score), points=True)


def of_pips(apart: int, most: int, score: Score) -> Iterable[Odds]:
    for pips in range(most + 1):
        yield Odds(f"points with {pips} spent", Fraction(score(apart - pips)), points=True)
