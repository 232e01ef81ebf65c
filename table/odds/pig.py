"""Pig: the value of one more throw."""

from __future__ import annotations

from fractions import Fraction

from table.rules.prompts import Odds


def of_another_throw(total: int) -> tuple[Odds, ...]:
    """The odds of one more throw with `total` points in the turn: 2 to 6 add to it, a 1 loses it."""
    return (
        Odds("a 1, and the turn is lost", Fraction(1, 6)),
        Odds("gained by one more throw, on average", gain(total), points=True),
    )


def gain(total: int) -> Fraction:
    """Mean points gained by one more throw with `total` in the turn; negative from 21 on."""
    return Fraction(2 + 3 + 4 + 5 + 6 - total, 6)
