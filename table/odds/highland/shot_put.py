"""Shot Put: the points of the event after each choice, with the best play in all attempts.

The best of three attempts counts, so a player with a good attempt dares more, and what the pips that are left
are worth (see day.py). The figures are exact up to rounding in floating point.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

from table.odds.highland.pips import AT_THE_END, Later
from table.odds.throws import throws
from table.rules.answers import FACES
from table.rules.prompts import Odds

PAIRS = 4
THROWS = 36
"""Equally likely throws of a pair."""

BEST = "best attempt and the worth of pips left, on average"


@dataclass(frozen=True)
class Attempt:
    """An attempt that is on. after: attempts after it. best: the best one before it. pips: the player's pips.

    value, pairs, doubles: of its pairs up to now. lowered: whether a pip lowered one of them.
    later: what the pips that are left after the event are worth.
    """

    after: int
    best: int
    pips: int
    value: int
    pairs: int
    doubles: int
    lowered: bool
    later: Later = AT_THE_END

    @property
    def can_lower(self) -> bool:
        return bool(self.pips) and not self.lowered


def of_another_pair(now: Attempt) -> Iterable[Odds]:
    """The odds of stopping with these pairs, or throwing another."""
    if now.doubles:
        foul = ("a double 1, a foul", 1) if now.can_lower else ("doubles, a foul", 6)
    else:
        foul = ("doubles, which count nothing unless a pip lowers them", 6)
        foul = foul if now.can_lower else ("doubles, which count nothing", 6)
    yield Odds(foul[0], Fraction(foul[1], THROWS))
    yield Odds(f"stop: {BEST}", stopped(now), points=True)
    yield Odds(f"another pair: {BEST}", thrown_on(now), points=True)


def of_lowering(now: Attempt, lowered: int) -> Iterable[Odds]:
    """The odds with the doubles just thrown lowered, to count `lowered`, and with them left.

    now: the attempt before these doubles.
    """
    yield Odds(f"pip spent: {BEST}", spent(now, lowered), points=True)
    yield Odds(f"doubles left: {BEST}", left(now), points=True)


def stopped(now: Attempt) -> float:
    """The mean of the event if the attempt ends with its value."""
    return _ended(now, now.value)


def thrown_on(now: Attempt) -> float:
    """The mean of the event if another pair is thrown, or the first."""
    tables = _tables(now.after, now.best, now.pips, now.lowered, now.later)
    return _thrown(tables, now.pairs, now.doubles, now.can_lower, now.value)


def unequal(now: Attempt, points: int) -> float:
    """The mean of the event after a pair that is not doubles."""
    return _decided(now, now.value + points, now.doubles, spent=False)


def spent(now: Attempt, points: int) -> float:
    """The mean of the event after doubles that a pip lowered to count so many points."""
    return _decided(now, now.value + points, now.doubles, spent=True)


def left(now: Attempt) -> float:
    """The mean of the event after doubles that were left. The second doubles are a foul."""
    return _ended(now, 0) if now.doubles else _decided(now, now.value, 1, spent=False)


def _ended(now: Attempt, value: int) -> float:
    return event(now.after, max(now.best, value), now.pips, now.later)


def _decided(now: Attempt, value: int, doubles: int, spent: bool) -> float:
    """The mean of the event after one more pair, with the best choice to stop or throw on."""
    tables = _tables(now.after, now.best, now.pips, now.lowered, now.later)
    return tables[now.pairs + 1, doubles, now.can_lower and not spent][value]


@cache
def event(left: int, best: int, pips: int, later: Later = AT_THE_END) -> float:
    """The mean of the best attempt and of the worth of pips left, with this many attempts to go."""
    if not left:
        return float(best + later[pips])
    return _thrown(_tables(left - 1, best, pips, False, later), 0, 0, pips > 0, 0)


Tables = dict[tuple[int, int, bool], list[float]]
"""By pairs thrown, doubles left and whether a pip can be spent: the mean of the event for each value."""


@cache
def _tables(after: int, best: int, pips: int, lowered: bool, later: Later) -> Tables:
    """The mean of the event in each state of an attempt, before the choice to stop or throw on."""
    can = pips > 0 and not lowered
    ends = {True: _ends(after, best, pips, later)} if can else {}
    ends[False] = _ends(after, best, pips - can, later)
    tables: Tables = {(PAIRS, d, c): end for d in (0, 1) for c, end in ends.items()}
    for pairs in range(PAIRS - 1, 0, -1):
        for doubles in (0, 1):
            for c, end in ends.items():
                tables[pairs, doubles, c] = [
                    max(end[value], _thrown(tables, pairs, doubles, c, value))
                    for value in range(MOST_A_PAIR * pairs + 1)
                ]
    return tables


def _ends(after: int, best: int, pips: int, later: Later) -> list[float]:
    """The mean of the event by the value with which the attempt ends."""
    return [event(after, max(best, value), pips, later) for value in range(MOST_A_PAIR * PAIRS + 1)]


def _thrown(tables: Tables, pairs: int, doubles: int, can_lower: bool, value: int) -> float:
    then = tables[pairs + 1, doubles, can_lower]
    total = sum([n * then[value + points] for points, n in _unequal()])
    left = tables[PAIRS, 0, can_lower][0] if doubles else tables[pairs + 1, 1, can_lower][value]
    if not can_lower:
        return (total + len(FACES) * left) / THROWS
    spent = tables[pairs + 1, doubles, False]
    return (total + left + sum([max(left, spent[value + 2 * face - 1]) for face in FACES[1:]])) / THROWS


@cache
def _unequal() -> tuple[tuple[int, int], ...]:
    """(points, how many of the 36 throws) of each pair that is not doubles."""
    return tuple((sum(dice), int(THROWS * p)) for dice, p in throws(2) if dice[0] != dice[1])


MOST_A_PAIR = 11
"""The most points of a pair: 5 and 6, or a double 6 that is lowered."""
