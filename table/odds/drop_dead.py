"""Drop Dead: the points that the remaining dice bring."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from math import comb

from table.rules.prompts import Odds

KEEPS = Fraction(4, 6)
"""Chance that a die shows neither of the two faces that remove it."""

PER_DIE = Fraction(1 + 3 + 4 + 6, 4)
"""Mean pips of a die that shows neither."""


def of_a_throw(dice: int) -> tuple[Odds, ...]:
    """The odds of throwing this many dice in a turn."""
    return (
        Odds("the throw scores", KEEPS**dice),
        Odds("still to come this turn, on average", to_come(dice), points=True),
    )


@cache
def to_come(dice: int) -> Fraction:
    """Mean points that a player with this many dice left still scores in the turn."""
    if not dice:
        return Fraction(0)
    stays = KEEPS**dice
    scored = stays * PER_DIE * dice
    fewer = sum((_chance_out(out, dice) * to_come(dice - out) for out in range(1, dice + 1)), Fraction(0))
    return (scored + fewer) / (1 - stays)


def _chance_out(out: int, dice: int) -> Fraction:
    return comb(dice, out) * (1 - KEEPS) ** out * KEEPS ** (dice - out)
