"""Zambale's Pair'o Dice: the chance of a pair in the throws left."""

from __future__ import annotations

from fractions import Fraction

from table.rules.prompts import Odds

PAIR = Fraction(6, 36)
"""Chance that two dice show the same face; all faces are equally likely."""


def of_the_turn(chances: int) -> tuple[Odds, ...]:
    """The odds of the bets with this many throws left."""
    pair = pair_within(chances)
    return (
        Odds("a pair", pair),
        Odds("no pair", 1 - pair),
        Odds("a pair of an even face", pair / 2),
        Odds("a pair of an odd face", pair / 2),
    )


def pair_within(chances: int) -> Fraction:
    """Chance of a pair in this many throws."""
    return 1 - (1 - PAIR) ** chances
