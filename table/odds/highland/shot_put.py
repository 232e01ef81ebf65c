"""Shot Put: what one more pair is worth, and what it risks."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from functools import cache

from table.odds.throws import throws
from table.rules.prompts import Odds

DOUBLES = Fraction(1, 6)


@cache
def pair() -> Fraction:
    """The mean of a pair. Doubles count nothing."""
    return sum((p * sum(dice) for dice, p in throws(2) if dice[0] != dice[1]), Fraction(0))


def gain(value: int, doubles: int) -> Fraction:
    """The mean change of an attempt worth `value` by one more pair.

    If it has doubles, another doubles takes all.
    """
    return pair() - (DOUBLES * value if doubles else 0)


def of_another_pair(value: int, doubles: int) -> Iterable[Odds]:
    yield Odds("doubles, a foul" if doubles else "doubles, which count nothing", DOUBLES)
    yield Odds("gained by one more pair, on average", gain(value, doubles), points=True)


def of_lowering(value: int, lowered: int, foul: bool) -> Iterable[Odds]:
    """The points of the attempt with the pip spent and without it."""
    yield Odds("the attempt with the pip spent", Fraction(value + lowered), points=True)
    yield Odds("the attempt with the doubles left", Fraction(0 if foul else value), points=True)
