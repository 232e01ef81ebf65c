"""Zambale's Pair'o Dice: whether a pair comes in the throws that are left."""

from __future__ import annotations

from fractions import Fraction

from table.rules.prompts import Odds

PAIR = Fraction(6, 36)
"""Chance that two dice show the same face, each face as likely as the others."""


def of_the_turn(chances: int) -> tuple[Odds, ...]:
    """How the bets stand with so many throws left."""
    pair = pair_within(chances)
    return (
        Odds("a pair", pair),
        Odds("no pair", 1 - pair),
        Odds("a pair of an even face", pair / 2),
        Odds("a pair of an odd face", pair / 2),
    )


def pair_within(chances: int) -> Fraction:
    """Chance of a pair in so many throws."""
    return 1 - (1 - PAIR) ** chances
