"""Hammer Throw: the odds by the numbers of 1s and 6s and the sum of the other dice.

Nothing else matters, so there are few states. The aim is the sum of this attempt and of those after it, which
are lost with six 6s. For speed, chances are counted here as whole numbers of equally likely throws, out of 6
to the power of the dice thrown. The figures are exact, and before the last attempt up to rounding.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import product

from table.odds.highland import keeping
from table.odds.highland.pips import to_finest
from table.odds.throws import Dice, throws
from table.rules.answers import FACES
from table.rules.prompts import Odds

SET = 4

HURT_SIXES = 6
"""Sixes with which the attempts that are left are lost."""

ON = "this attempt and those after it, on average"

Points = Callable[[int, int, int], float]
"""The points of a throw, by its number of 1s, its number of 6s and the sum of its other dice.

The sum is added unchanged or not at all.
"""


@dataclass(frozen=True)
class WithLater:
    """The points of an attempt, and the mean of the attempts after it, which an injury loses."""

    points: Points
    later: float

    def __call__(self, ones: int, sixes: int, rest: int) -> float:
        return self.points(ones, sixes, rest) + (self.later if sixes < HURT_SIXES else 0)


def with_later(points: Points, after: int) -> Points:
    """The worth of an attempt with so many attempts after it."""
    return WithLater(points, event(after, points)) if after else points


@cache
def event(attempts: int, points: Points) -> float:
    """The mean of the sum of this many attempts with the best play."""
    if not attempts:
        return 0.0
    worth = with_later(points, attempts - 1)
    best = (p * max(first_kept(keep, worth) for keep in keeping.parts_of(dice, 0)) for dice, p in throws(SET))
    return to_finest(float(sum(best, Fraction(0))))


State = tuple[int, int, int]
"""The number of 1s (2 stands for two or more), the number of 6s, and the sum of the other dice."""


def state(dice: Iterable[int]) -> State:
    dice = tuple(dice)
    return min(2, dice.count(1)), dice.count(6), sum(face for face in dice if face not in (1, 6))


def _together(a: State, b: State) -> State:
    return min(2, a[0] + b[0]), a[1] + b[1], a[2] + b[2]


@cache
def fallen(dice: int) -> tuple[tuple[State, int], ...]:
    """Every state of this many thrown dice, with the number of throws out of 6**dice that give it."""
    if not dice:
        return (((0, 0, 0), 1),)
    ways: Counter[State] = Counter()
    for (before, n), face in product(fallen(dice - 1), FACES):
        ways[_together(before, state((face,)))] += n
    return tuple(sorted(ways.items()))


def of_first_keeps(dice: Dice, points: Points) -> tuple[Odds, ...]:
    """The mean after each keep of the first colour, with the best play after that."""
    dice = tuple(sorted(dice))
    means = {keep: first_kept(keep, points) for keep in keeping.parts_of(dice, 0)}
    return keeping.odds_lines(means, dice, ON)


@cache
def first_kept(keep: Dice, points: Points) -> Fraction:
    thrown = SET - len(keep)
    means = (n * going_on_or_not(_together(state(keep), new), points) for new, n in fallen(thrown))
    return sum(means, Fraction(0)) / Fraction(6**thrown)


@cache
def going_on_or_not(first: State, points: Points) -> Fraction:
    """Mean points with these first four dice: scored now or thrown on, whichever is worth more."""
    return max(Fraction(points(*first)), going_on(first, points))


@cache
def going_on(first: State, points: Points) -> Fraction:
    """Mean points with these first four dice if the second colour is thrown. The best part of it is kept."""
    ones, sixes, rest = first
    kept = {part: base + rest * ways for part, (base, ways) in _kept_with(ones, sixes, points).items()}
    total = sum(n * max([kept[part] for part in parts]) for parts, n in _throws_by_parts())
    return Fraction(total) / Fraction(6 ** (2 * SET))


@cache
def _kept_with(ones: int, sixes: int, points: Points) -> dict[Part, tuple[float, float]]:
    """For each part of the second colour that is kept: all points, and in how many ways the sum is added.

    There are 6**4 ways to go on. The first colour has this many 1s and 6s and no other dice. The sum is that
    of the other dice.
    """
    return {part: _base_and_ways((ones, sixes, 0), part, points) for part in _all_parts()}


def _base_and_ways(first: State, part: Part, points: Points) -> tuple[float, float]:
    base, more = (_counted((*first[:2], rest), *part, points) * 6 ** (SET - part[1]) for rest in (0, 1))
    return base, more - base


Part = tuple[State, int]
"""The dice that are kept, as a state, and the number of dice thrown again."""


@cache
def _throws_by_parts() -> tuple[tuple[tuple[Part, ...], int], ...]:
    """For each kind of throw of four dice: the parts that can be kept, and its number among 1296 throws."""
    ways: Counter[tuple[Part, ...]] = Counter()
    for throw in product(FACES, repeat=SET):
        ways[_parts(tuple(sorted(throw)))] += 1
    return tuple(ways.items())


@cache
def _all_parts() -> tuple[Part, ...]:
    return tuple(sorted({part for parts, _ in _throws_by_parts() for part in parts}))


@cache
def _parts(dice: Dice) -> tuple[Part, ...]:
    return tuple(sorted({(state(part), SET - len(part)) for part in keeping.parts_of(dice, 0)}))


def second_kept(first: State, keep: State, thrown: int, points: Points) -> Fraction:
    """Mean points if these dice of the second colour are kept and `thrown` dice are thrown again."""
    return Fraction(_counted(first, keep, thrown, points)) / Fraction(6**thrown)


def _counted(first: State, keep: State, thrown: int, points: Points) -> float:
    """The points of all 6**thrown throws together."""
    ones, sixes, rest = _together(first, keep)
    return sum(n * points(ones + o, sixes + s, rest + r) for (o, s, r), n in fallen(thrown))


def of_second_keeps(first: Dice, dice: Dice, points: Points) -> tuple[Odds, ...]:
    dice = tuple(sorted(dice))
    means = {
        keep: second_kept(state(first), state(keep), SET - len(keep), points)
        for keep in keeping.parts_of(dice, 0)
    }
    return keeping.odds_lines(means, dice, ON)


def of_throwing_on(first: Dice, points: Points) -> tuple[Odds, ...]:
    return (
        Odds(f"scored now: {ON}", Fraction(points(*state(first))), points=True),
        Odds(f"thrown on: {ON}", going_on(state(first), points), points=True),
    )
