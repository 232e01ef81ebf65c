"""Tug of War: the mean points of a pull after each keep of four dice, if one or two may be thrown again.

The aim is the points: a lone player scores their own total even after losing, and of two players only the
winner scores. A tie counts with its sudden death, however long that is. The player who pulls second knows the
other side's dice; the one who pulls first is answered by the best play. The figures are exact; those of the
first player are computed in floating point, because they need the best play against each of their results.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from functools import cache

from table.odds.highland import keeping
from table.odds.highland.keeping import Worth
from table.odds.throws import Dice, throws
from table.rules.prompts import Odds

SIZE = 4
FEWEST_KEPT = 2
REROLLS = 2
LOWEST = 2
"""Dice of each side that stay in a sudden death."""

ALL_TIES = 6 ** (2 * (SIZE - LOWEST))
"""Equally likely throws of a sudden death."""


def of_keeps(against: Dice, alone: bool, dice: Dice, rerolls: int) -> Iterable[Odds]:
    """The mean points after each keep. against: the other side's dice; empty if they are thrown later."""
    dice = tuple(sorted(dice))
    worth = against_dice(tuple(sorted(against)), alone) if against else against_best_play
    means = {
        keep: keeping.mean(keep, SIZE, 0 if keep == dice else rerolls - 1, FEWEST_KEPT, worth)
        for keep in keeping.parts_of(dice, FEWEST_KEPT)
    }
    return keeping.odds_lines(means, dice, "points on average")


@cache
def against_dice(other: Dice, alone: bool) -> Worth:
    """The function that gives the points of final dice against these dice, both sorted."""
    return lambda own: points(own, other, alone)


def points(own: Dice, other: Dice, alone: bool) -> Fraction:
    """The mean points of these final dice. Only a tie is left to chance."""
    mine, theirs = sum(own), sum(other)
    if mine == theirs:
        return tied(own[:LOWEST], other[:LOWEST], alone)
    return Fraction(mine if alone or mine > theirs else 0)


@cache
def tied(own: Dice, other: Dice, alone: bool) -> Fraction:
    """The mean points after a tie in which these lowest dice stay, and the others are thrown until it ends.

    The lowest dice never rise, so a tie leads to lower dice or to itself.
    """
    mean, same = Fraction(0), 0
    for mine, low, n in _after_sudden_death(own):
        for theirs, other_low, m in _after_sudden_death(other):
            if mine != theirs:
                mean += n * m * (mine if alone or mine > theirs else 0)
            elif (low, other_low) == (own, other):
                same += n * m
            else:
                mean += n * m * tied(low, other_low, alone)
    return Fraction(mean, ALL_TIES - same)


@cache
def _after_sudden_death(low: Dice) -> tuple[tuple[int, Dice, int], ...]:
    """(total, lowest dice, how many of the 36 throws) of each throw beside these lowest dice."""
    thrown = ((sorted(low + new), int(36 * p)) for new, p in throws(SIZE - LOWEST))
    return tuple((sum(dice), tuple(dice[:LOWEST]), n) for dice, n in thrown)


def against_best_play(own: Dice) -> Fraction:
    """The mean points of final dice if the other side then throws, and plays for its own points."""
    return Fraction(_answered(sum(own), own[:LOWEST]))


@cache
def _answered(total: int, low: Dice) -> float:
    """The mean points of a side with this total and these lowest dice, against the best play."""
    theirs, mine = [], []
    for dice in _all_dice():
        tie = sum(dice) == total
        theirs.append(float(tied(dice[:LOWEST], low, False) if tie else sum(dice) * (sum(dice) > total)))
        mine.append(float(tied(low, dice[:LOWEST], False) if tie else total * (total > sum(dice))))
    stop = list(zip(theirs, mine, strict=True))
    for _ in range(REROLLS):
        means = [(_mean(thrown, theirs), _mean(thrown, mine)) for thrown in _thrown_beside()]
        thrown_on = [max(means[keep] for keep in keeps) for keeps in _keeps_by_dice()]
        best = [max(now, on) for now, on in zip(stop, thrown_on, strict=True)]
        theirs, mine = [value for value, _ in best], [value for _, value in best]
    return sum(float(p) * value for (_, p), value in zip(throws(SIZE), mine, strict=True))


def _mean(thrown: tuple[tuple[int, float], ...], values: list[float]) -> float:
    return sum(p * values[i] for i, p in thrown)


@cache
def _all_dice() -> tuple[Dice, ...]:
    return tuple(dice for dice, _ in throws(SIZE))


@cache
def _parts() -> tuple[Dice, ...]:
    """Every two or three dice that can be kept."""
    return tuple(part for n in range(FEWEST_KEPT, SIZE) for part, _ in throws(n))


@cache
def _thrown_beside() -> tuple[tuple[tuple[int, float], ...], ...]:
    """For each part: (index of the four dice, chance) of every throw of the others."""
    place = {dice: i for i, dice in enumerate(_all_dice())}
    return tuple(
        tuple((place[tuple(sorted(part + new))], float(p)) for new, p in throws(SIZE - len(part)))
        for part in _parts()
    )


@cache
def _keeps_by_dice() -> tuple[tuple[int, ...], ...]:
    """For each four dice: the indices of the parts that can be kept."""
    place = {part: i for i, part in enumerate(_parts())}
    return tuple(
        tuple(place[part] for part in keeping.parts_of(dice, FEWEST_KEPT) if part != dice)
        for dice in _all_dice()
    )
