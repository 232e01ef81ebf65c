"""Sheaf Toss and Weight for Height: the chance to clear a height, and best play.

The aim is the rulebook's: the highest height cleared, in feet, and what the pips that are left are worth. An
event has few states: height, attempt and pips. It is solved from the highest height down, exactly up to
rounding in floating point.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache

from table.odds.highland.pips import Later
from table.odds.throws import throws
from table.rules import words
from table.rules.prompts import Odds

ATTEMPTS = 3
DECIDER = Fraction(1, 2)

MEAN = "feet and the worth of pips left, on average"
MOST_STARTS = 4
"""Number of the best starting heights that are reported."""


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


# -- best play -----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Rules:
    """numbers: (feet, the number that two dice must exceed) of each height, the lowest first.

    any_roll: whether pips can raise any roll, or only one that equals the number.
    later: what the pips that are left are worth.
    """

    numbers: tuple[tuple[int, int], ...]
    any_roll: bool
    later: Later

    @classmethod
    def of(cls, numbers: Mapping[int, int], any_roll: bool, later: Later) -> Rules:
        return cls(tuple(numbers.items()), any_roll, later)

    def place_of(self, feet: int) -> int:
        """The place of a height among all heights."""
        return [height for height, _ in self.numbers].index(feet)


@dataclass(frozen=True)
class Attempt:
    """An attempt that comes next.

    place: of its height among all heights. cleared: the highest height before it, feet.
    left: attempts at this height, this one included. pips: the player's pips.
    """

    place: int
    cleared: int
    left: int
    pips: int


def started(place: int, pips: int, rules: Rules) -> float:
    """The mean of the event from a starting height."""
    return choosing(Attempt(place, 0, ATTEMPTS, pips), rules)


def best_start(pips: int, rules: Rules) -> float:
    """The mean of the event before the starting height is chosen."""
    return max(started(place, pips, rules) for place in range(len(rules.numbers)))


def choosing(now: Attempt, rules: Rules) -> float:
    """The mean of the event before the choice to throw or to stop."""
    return max(stopped(now, rules), throwing(now, rules))


def stopped(now: Attempt, rules: Rules) -> float:
    return float(now.cleared + rules.later[now.pips])


@cache
def throwing(now: Attempt, rules: Rules) -> float:
    """The mean of the event before the throw."""
    return sum(float(total_is(total)) * thrown(total, now, rules) for total in range(2, 13))


def thrown(total: int, now: Attempt, rules: Rules) -> float:
    """The mean of the event after a throw, with the best choice."""
    _, number = rules.numbers[now.place]
    price = number + 1 - total
    if price <= 0:
        return cleared(0, now, rules)
    other = decider(now, rules) if price == 1 else missed(now, rules)
    can = price <= now.pips and (rules.any_roll or price == 1)
    return max(cleared(price, now, rules), other) if can else other


def decider(now: Attempt, rules: Rules) -> float:
    """The mean of the event before the decider is thrown."""
    return (cleared(0, now, rules) + missed(now, rules)) / 2


def missed(now: Attempt, rules: Rules) -> float:
    return choosing(replace(now, left=now.left - 1), rules) if now.left > 1 else stopped(now, rules)


def cleared(spent: int, now: Attempt, rules: Rules) -> float:
    """The mean of the event after the height is cleared with so many pips."""
    feet, _ = rules.numbers[now.place]
    after = Attempt(now.place + 1, feet, ATTEMPTS, now.pips - spent)
    return choosing(after, rules) if after.place < len(rules.numbers) else stopped(after, rules)


# -- the coach -----------------------------------------------------------------------------------------------


def of_starts(pips: int, rules: Rules) -> Iterable[Odds]:
    """The best starting heights, and the chance to clear each height in three attempts with these pips."""
    means = {feet: started(place, pips, rules) for place, (feet, _) in enumerate(rules.numbers)}
    for feet in sorted(means, key=lambda feet: -means[feet])[:MOST_STARTS]:
        yield Odds(f"start at {feet}: {MEAN}", means[feet], points=True)
    for feet, number in rules.numbers:
        yield Odds(
            f"{feet} feet cleared in {words.number(ATTEMPTS)} attempts",
            clears_within(ATTEMPTS, number, pips, rules.any_roll),
        )


def of_attempt(now: Attempt, rules: Rules) -> Iterable[Odds]:
    """The means of a throw and of a stop, and the chances to clear the height, without pips and with them."""
    yield Odds(f"throw: {MEAN}", throwing(now, rules), points=True)
    yield Odds(f"stop here: {MEAN}", stopped(now, rules), points=True)
    _, number = rules.numbers[now.place]
    most = now.pips if rules.any_roll else min(1, now.pips)
    for spent in (0, most) if most else (0,):
        how = f"spending up to {spent}" if spent else "without pips"
        yield Odds(f"cleared now, {how}", clears(number, spent, rules.any_roll))
        if now.left > 1:
            yield Odds(
                f"cleared within {words.number(now.left)} attempts, {how}",
                clears_within(now.left, number, spent, rules.any_roll),
            )


def of_pips(price: int, now: Attempt, rules: Rules) -> Iterable[Odds]:
    """The means of spending the pips that a throw needs to clear the height, and of not spending them."""
    pips = "1 pip" if price == 1 else f"{price} pips"
    yield Odds(f"{pips} spent: {MEAN}", cleared(price, now, rules), points=True)
    if price > 1:
        yield Odds(f"the miss: {MEAN}", missed(now, rules), points=True)
        return
    yield Odds(f"the decider: {MEAN}", decider(now, rules), points=True)
    yield from of_decider()


def of_decider() -> Iterable[Odds]:
    yield Odds("the decider is odd, and it goes over", DECIDER)
