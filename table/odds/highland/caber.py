"""Caber Toss: how near to 12 o'clock four dice come, and what pips are worth.

The best of three attempts counts, and what the pips that are left are worth (see day.py). All figures are
exact, up to the rounding of what a pip is worth.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

from table.odds.highland.pips import AT_THE_END, Later
from table.odds.throws import throws
from table.rules.prompts import Odds

DICE = 4
BEST = "best attempt and the worth of pips left, on average"

Score = Callable[[int], int]
"""The points of a toss, by its distance from 12 o'clock."""


@dataclass(frozen=True)
class Rules:
    """The points of a toss, and the totals of a clock. lost: any other total loses the attempt.

    later: what the pips that are left are worth.
    """

    score: Score
    clock: range
    lost: bool = False
    later: Later = AT_THE_END


@dataclass(frozen=True)
class Attempt:
    """An attempt that is on. after: attempts after it. best: the best before it. pips: the player's pips."""

    after: int
    best: int
    pips: int


@cache
def totals() -> dict[int, Fraction]:
    """The chance of each total of four dice."""
    chances: dict[int, Fraction] = {}
    for dice, p in throws(DICE):
        chances[sum(dice)] = chances.get(sum(dice), Fraction(0)) + p
    return chances


def of_clock(clock: range) -> Iterable[Odds]:
    yield Odds(f"a clock outside {clock[0]} to {clock[-1]}", outside(clock))


def outside(clock: range) -> Fraction:
    return sum((p for total, p in totals().items() if total not in clock), Fraction(0))


@cache
def worth(clock: int, score: Score) -> Fraction:
    """Mean points of a toss at this clock, without pips."""
    return sum((p * score(abs(total - clock)) for total, p in totals().items()), Fraction(0))


def of_toss(clock: int, now: Attempt, rules: Rules) -> Iterable[Odds]:
    """The odds of a toss at this clock. Those of the event are with the best use of the pips."""
    none = (p for total, p in totals().items() if not rules.score(abs(total - clock)))
    without = " without pips" if now.pips else ""
    yield Odds(f"12 o'clock, a toss of {clock}", totals()[clock])
    yield Odds(f"no points{without}", sum(none, Fraction(0)))
    yield Odds(f"points on average{without}", worth(clock, rules.score), points=True)
    if now.pips:
        yield Odds(BEST, tossing(clock, now, rules), points=True)


def of_pips(apart: int, most: int, now: Attempt, rules: Rules) -> Iterable[Odds]:
    """The mean of the event after each number of pips that can be spent on this toss."""
    for pips in range(most + 1):
        points = rules.score(apart - pips)
        yield Odds(f"{pips} spent for {points} points: {BEST}", ended(now, points, pips, rules), points=True)


@cache
def event(left: int, best: int, pips: int, rules: Rules) -> Fraction:
    """The mean of the best attempt and of the worth of pips left, with this many attempts to go."""
    if not left:
        return best + rules.later[pips]
    now = Attempt(left - 1, best, pips)
    inside = sum((totals()[clock] * tossing(clock, now, rules) for clock in rules.clock), Fraction(0))
    if rules.lost:
        return inside + outside(rules.clock) * ended(now, 0, 0, rules)
    return inside / (1 - outside(rules.clock))


@cache
def tossing(clock: int, now: Attempt, rules: Rules) -> Fraction:
    """The mean of the event before a toss at this clock."""
    return sum((p * tossed(abs(total - clock), now, rules) for total, p in totals().items()), Fraction(0))


@cache
def tossed(apart: int, now: Attempt, rules: Rules) -> Fraction:
    """The mean of the event after a toss this far from the clock, with the best number of pips spent."""
    most = min(apart, now.pips)
    return max(ended(now, rules.score(apart - pips), pips, rules) for pips in range(most + 1))


def ended(now: Attempt, points: int, spent: int, rules: Rules) -> Fraction:
    return event(now.after, max(now.best, points), now.pips - spent, rules)
