"""Bids on dice under cups: the chance that each is true, by the number of hidden dice, never their faces."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import comb

from table.rules.prompts import Odds

PLAIN = Fraction(1, 6)
"""Chance that a die shows the face of a bid."""
WILD = Fraction(1, 3)
"""The same if 1s count too."""


@dataclass(frozen=True)
class Claim:
    """At least `count` of the hidden dice count. wild: those of one face and the 1s. text: in words."""

    text: str
    count: int
    wild: bool


def of_claims(hidden: int, claims: Iterable[Claim]) -> tuple[Odds, ...]:
    """The chance that each claim is true of this many hidden dice."""
    return tuple(Odds(c.text, of_bid(c.count, hidden, c.wild)) for c in claims)


def of_bid(count: int, hidden: int, wild: bool) -> Fraction:
    """The chance that at least `count` of the hidden dice count. wild: as in Claim."""
    return at_least(count, hidden, WILD if wild else PLAIN)


@cache
def at_least(count: int, dice: int, p: Fraction) -> Fraction:
    """The chance that `count` or more of this many dice count, each with chance p."""
    yes, of = p.as_integer_ratio()
    ways = sum(comb(dice, k) * yes**k * (of - yes) ** (dice - k) for k in range(max(0, count), dice + 1))
    return Fraction(ways, of**dice)
