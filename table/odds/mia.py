"""Mia: the chance that two dice reach a value. Values are the two faces, the higher first: 21, 66, 54, ..."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction

from table.rules.prompts import Odds


def chance(values: Iterable[int]) -> Fraction:
    """Chance that a throw is any of these values: a double is one way of 36, every other value two."""
    return Fraction(sum(1 if value % 11 == 0 else 2 for value in values), 36)


def of_answering(order: Sequence[int], announced: int) -> tuple[Odds, ...]:
    """The chances that a throw is as good as announced, and that the next one beats it.

    order: the values, highest first.
    """
    above = order.index(announced)
    truth = Odds(f"a throw of {announced} or better", chance(order[: above + 1]))
    return (truth, Odds(f"a throw that beats {announced}", chance(order[:above]))) if above else (truth,)


def of_announcing(order: Sequence[int], least: int) -> tuple[Odds, ...]:
    """The chance that the throw under the cup allows the truth, if `least` or more must be announced."""
    return (Odds(f"a throw of {least} or better", chance(order[: order.index(least) + 1])),)
