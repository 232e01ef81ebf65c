"""Mia: how likely a throw of two dice reaches a value. Values are the two faces, the higher first: 21, 66, 54, ..."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction

from table.rules.prompts import Odds


def chance(values: Iterable[int]) -> Fraction:
    """That a throw is any of these values: a double falls in one way of 36, all others in two."""
    return Fraction(sum(1 if value % 11 == 0 else 2 for value in values), 36)


def of_answering(order: Sequence[int], announced: int) -> tuple[Odds, ...]:
    """Whether a throw is as good as announced, and whether the next one beats it; `order` is that of the values, highest first."""
    above = order.index(announced)
    truth = Odds(f"a throw of {announced} or better", chance(order[: above + 1]))
    return (truth, Odds(f"a throw that beats {announced}", chance(order[:above]))) if above else (truth,)


def of_announcing(order: Sequence[int], least: int) -> tuple[Odds, ...]:
    """Whether the throw under the cup is good enough for the truth, where `least` must be announced or more."""
    return (Odds(f"a throw of {least} or better", chance(order[: order.index(least) + 1])),)
