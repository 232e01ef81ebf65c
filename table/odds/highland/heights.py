"""Sheaf Toss and Weight for Height: the chance to clear a height, with and without bonus pips."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import cache

from table.odds.throws import throws
from table.rules import words
from table.rules.prompts import Odds

ATTEMPTS = 3
DECIDER = Fraction(1, 2)


@cache
def total_is(total: int) -> Fraction:
    """The chance that two dice add up to this total."""
    return sum((p for dice, p in throws(2) if sum(dice) == total), Fraction(0))


@cache
def more_than(number: int) -> Fraction:
    return sum((p for dice, p in throws(2) if sum(dice) > number), Fraction(0))


def clears(number: int, pips: int, any_roll: bool) -> Fraction:
    """The chance that one attempt clears the height with this number.

    All pips are spent on it if they help.
    """
    if not pips:
        return more_than(number) + DECIDER * total_is(number)
    return more_than(number - (pips if any_roll else 1))


def clears_within(attempts: int, number: int, pips: int, any_roll: bool) -> Fraction:
    """The chance that one of this many attempts clears the height."""
    return 1 - (1 - clears(number, pips, any_roll)) ** attempts


def of_starts(numbers: Mapping[int, int], pips: int, any_roll: bool) -> Iterable[Odds]:
    """The chance to clear each height in three attempts with these pips."""
    for feet, number in numbers.items():
        yield Odds(
            f"{feet} feet cleared in {words.number(ATTEMPTS)} attempts",
            clears_within(ATTEMPTS, number, pips, any_roll),
        )


def of_attempt(number: int, attempts: int, pips: int, any_roll: bool) -> Iterable[Odds]:
    """The chances of the next attempt, and of all attempts that are left, without pips and with them."""
    most = pips if any_roll else min(1, pips)
    for spent in (0, most) if most else (0,):
        how = f"spending up to {spent}" if spent else "without pips"
        yield Odds(f"cleared now, {how}", clears(number, spent, any_roll))
        if attempts > 1:
            yield Odds(
                f"cleared within {words.number(attempts)} attempts, {how}",
                clears_within(attempts, number, spent, any_roll),
            )


def of_decider() -> Iterable[Odds]:
    yield Odds("the decider is odd, and it goes over", DECIDER)
