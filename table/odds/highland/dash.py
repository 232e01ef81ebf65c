"""Farmer's Dash: each die counts alone, so the best rerolls are known for each die."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from functools import cache

from table.odds.highland import keeping
from table.odds.throws import Dice
from table.rules.answers import FACES
from table.rules.prompts import Odds


def of_keeps(high: bool, dice: Dice, rerolls: int) -> Iterable[Odds]:
    """The mean total after each keep.

    The best keeps have the highest mean, or the lowest in the first set.
    """
    sign = 1 if high else -1
    dice = tuple(sorted(dice))
    means = {keep: sign * total_after(keep, len(dice), rerolls, high) for keep in keeping.parts_of(dice, 0)}
    means[dice] = Fraction(sign * sum(dice))
    for odds in keeping.odds_lines(means, dice, "total on average"):
        yield Odds(odds.text, sign * odds.value, points=True)


def total_after(keep: Dice, size: int, rerolls: int, high: bool) -> Fraction:
    """The mean total if these dice are kept now and the others are thrown, with the best play after that."""
    kept = sum((still(face, rerolls - 1, high) for face in keep), Fraction(0))
    return kept + (size - len(keep)) * thrown(rerolls - 1, high)


@cache
def thrown(rerolls: int, high: bool) -> Fraction:
    """The mean of a die that is thrown now, with this many best rerolls after that."""
    return sum((still(face, rerolls, high) for face in FACES), Fraction(0)) / 6


@cache
def still(face: int, rerolls: int, high: bool) -> Fraction:
    """The mean of a die that shows this face, with this many best rerolls left."""
    if not rerolls:
        return Fraction(face)
    return (max if high else min)(Fraction(face), thrown(rerolls - 1, high))
