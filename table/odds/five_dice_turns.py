"""5 Dice: best play in a turn.

The state of a turn is (points so far, dice to throw). All scores are multiples of STEP, so the points are
counted in steps. From some points on it is best to stop with any number of dice: more are not looked at, and
the states below are solved from the highest points down. The figures are exact up to rounding in floating
point.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import ceil

from table.odds.throws import Dice, keeps, throws
from table.rules.best_play import After, BestPlay, after_choice, after_keep, after_throw

Score = Callable[[Sequence[int]], int]
"""The points of dice set aside together, 0 if that is not allowed."""

DICE = 6
FACE_COUNT = 6
STEP = 50
"""Every score of a set of dice is a multiple of it, points."""

AIM_FOR_POINTS = "the points of a turn, on average"
AIM_TO_PASS = "the chance to pass the best score"


@dataclass(frozen=True)
class Aim:
    """What a turn is played for, and when it may end.

    least: the points that are needed to stop. most: the points beyond which a stop scores nothing, if any.
    to_pass: the points that the turn must pass, if that is the aim, where a tie counts half; otherwise the
    aim is the points of the turn.
    """

    least: int = 0
    most: int | None = None
    to_pass: int | None = None

    def stopped(self, points: int) -> float:
        """The worth of a turn that ends with these points, 0 after a bust."""
        if self.to_pass is not None:
            return 1.0 if points > self.to_pass else 0.5 if points == self.to_pass else 0.0
        return float(points) if self.most is None or points <= self.most else 0.0


@dataclass(frozen=True)
class Turn:
    """A turn with its aim. score: the game's own scoring."""

    aim: Aim
    score: Score

    def thrown(self, points: int, dice: int) -> BestPlay:
        """Best play before a throw of these dice, with these points in the turn."""
        aside = DICE - dice
        return self._play(
            after_throw(lambda faces: self._after_throw(points, aside, faces)),
            lambda: throwing(points, dice, self.aim, self.score),
            opens=not points,
        )

    def kept(self, points: int, aside: int) -> BestPlay:
        """Best play at the choice of dice to set aside, beside the dice aside already."""
        return self._play(after_keep(lambda part: self.worth_of_keep(points, aside, part)))

    def chosen(self, points: int, dice: int) -> BestPlay:
        """Best play at the choice between "stop" and "throw_on" with these dice."""
        return self._play(after_choice(lambda option: self.worth_of_choice(points, dice, option)))

    def worth_of_keep(self, points: int, aside: int, part: Sequence[int]) -> float:
        """The worth of the turn with this part of a throw set aside, beside the dice aside already."""
        return choosing(points + self.score(part), dice_left(aside, part), self.aim, self.score)

    def worth_of_choice(self, points: int, dice: int, option: str) -> float:
        """The worth of the turn after "stop" or "throw_on" with these dice."""
        if option == "stop":
            return self.aim.stopped(points)
        return throwing(points, dice, self.aim, self.score)

    def _after_throw(self, points: int, aside: int, faces: Dice) -> float:
        scoring = [part for part in keeps(tuple(sorted(faces))) if self.score(part)]
        return max((self.worth_of_keep(points, aside, part) for part in scoring), default=self.aim.stopped(0))

    def _play(self, after: After, before: Callable[[], float] | None = None, opens: bool = False) -> BestPlay:
        if self.aim.to_pass is not None:
            return BestPlay(AIM_TO_PASS, after, before, opens=opens)
        return BestPlay(AIM_FOR_POINTS, after, before, points=True, opens=opens)


def dice_left(aside: int, part: Sequence[int]) -> int:
    """Number of dice to throw next. Once all six are aside, all six are thrown again."""
    return DICE - aside - len(part) or DICE


def choosing(points: int, dice: int, aim: Aim, score: Score) -> float:
    """The worth of a turn that can stop with these points or throw these dice."""
    on = throwing(points, dice, aim, score)
    return on if points < aim.least else max(aim.stopped(points), on)


def throwing(points: int, dice: int, aim: Aim, score: Score) -> float:
    """The worth of a turn before a throw of these dice with these points."""
    table = _table(aim, score)
    step = points // STEP
    if step < len(table):
        return table[step][dice - 1]
    return _thrown(0, dice, aim, score, _stopped(step, step + _farthest(score), aim))


@cache
def _table(aim: Aim, score: Score) -> list[list[float]]:
    """The worth before a throw, by the points in steps and by the number of dice less one."""
    size = _most_steps(aim, score)
    table: list[list[float]] = [[]] * size
    chosen = list(_stopped(0, size + _farthest(score), aim))
    for step in range(size - 1, -1, -1):
        table[step] = [_thrown(step, dice, aim, score, chosen) for dice in range(1, DICE + 1)]
        at = step * DICE
        chosen[at : at + DICE] = map(max, chosen[at : at + DICE], table[step])
    return table


@cache
def _stopped(first: int, last: int, aim: Aim) -> tuple[float, ...]:
    """The worth of a turn that may only stop, for each number of steps from the first to the last.

    The layout is that of all worths at a choice: by the steps, and for each of them by the number of dice
    less one.
    """
    points = (STEP * step for step in range(first, last + 1))
    return tuple(aim.stopped(p) if p >= aim.least else 0.0 for p in points for _ in range(DICE))


def bust(dice: int, score: Score) -> Fraction:
    """The chance that nothing scores in a throw of these dice."""
    return Fraction(sum(ways for options, ways in _falls(dice, score) if not options), FACE_COUNT**dice)


def _thrown(step: int, dice: int, aim: Aim, score: Score, chosen: Sequence[float]) -> float:
    """The worth before a throw. chosen: the worths at the choice after it, in the layout of _stopped."""
    lost, first, total = aim.stopped(0), step * DICE, 0.0
    for options, ways in _falls(dice, score):
        total += ways * max([chosen[first + option] for option in options], default=lost)
    return total / float(FACE_COUNT) ** dice


Options = tuple[int, ...]
"""The ways to set dice aside, each as a place in the layout of _stopped: their points in steps, and the dice
to throw next."""


@cache
def _falls(dice: int, score: Score) -> tuple[tuple[Options, int], ...]:
    """The options after each throw, none after a bust, and the number of the orders of the faces."""
    ways: Counter[Options] = Counter()
    for thrown, p in throws(dice):
        scored = {
            score(part) // STEP * DICE + (dice - len(part) or DICE) - 1
            for part in keeps(thrown)
            if score(part)
        }
        ways[tuple(sorted(scored))] += int(p * FACE_COUNT**dice)
    return tuple(ways.items())


@cache
def _farthest(score: Score) -> int:
    """The most steps that one throw brings."""
    return max(max(options) // DICE for options, _ in _falls(DICE, score) if options)


@cache
def _most_steps(aim: Aim, score: Score) -> int:
    """The steps from which on it is best to stop, with any number of dice.

    For points that is so where no throw gains more on average than it risks: then no later throw does either.
    """
    if aim.to_pass is not None:
        return aim.to_pass // STEP + 1
    if aim.most is not None:
        return aim.most // STEP + 1
    return max(aim.least // STEP, *(_even_steps(dice, score) for dice in range(1, DICE + 1)))


def _even_steps(dice: int, score: Score) -> int:
    """The steps at which a throw of these dice risks as much as it gains, if all that scores is taken."""
    falls = _falls(dice, score)
    gained = sum(ways * (max(options) // DICE) for options, ways in falls if options)
    return ceil(gained / sum(ways for options, ways in falls if not options))
