"""Zambale's Pair'o Dice: the chance of a pair in the throws left."""

from __future__ import annotations

from fractions import Fraction

from table.rules.prompts import Odds

PAIR = Fraction(6, 36)
"""Chance that two dice show the same face; all faces are equally likely."""


def of_the_turn(chances: int, by_face: bool) -> tuple[Odds, ...]:
    """The odds of the bets with this many throws left.

    by_face: whether even and odd mean the face of the pair, not its sum, which is always even.
    """
    pair = pair_within(chances)
    even = pair / 2 if by_face else pair
    what = "of an {} face" if by_face else "with an {} sum"
    return (
        Odds("a pair", pair),
        Odds("no pair", 1 - pair),
        Odds(f"a pair {what.format('even')}", even),
        Odds(f"a pair {what.format('odd')}", pair - even),
    )


def pair_within(chances: int) -> Fraction:
    """Chance of a pair in this many throws."""
    return 1 - (1 - PAIR) ** chances
