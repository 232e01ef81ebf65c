"""Sigily: the chances of four sticks for fights, darts, the veil and fireballs.

The game passes its reading of sticks and its comparison of two throws: `higher(a, b)` is above 0 if a wins,
below 0 if b wins, and 0 if both throw again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import product
from math import comb, prod
from typing import TypeVar

T = TypeVar("T")
Higher = Callable[[T, T], int]


def tosses(sticks: Sequence[Sequence[str]], read: Callable[[Sequence[str]], T]) -> dict[T, Fraction]:
    """Each reading of a throw of these sticks, and its chance. All faces of a stick are equally likely."""
    ways = Counter(read(faces) for faces in product(*sticks))
    whole = prod(len(stick) for stick in sticks)
    return {toss: Fraction(n, whole) for toss, n in ways.items()}


VALUES = tosses((("round", "flat"),) * 4, lambda faces: faces.count("flat") or 5)
"""The chances of 1 to 5."""


def chance_of(values: Collection[int]) -> Fraction:
    """The chance that a throw counts one of these."""
    return sum((VALUES[v] for v in sorted(set(values)) if v in VALUES), Fraction(0))


FREE_THROW = chance_of((4, 5))
DARTS_HIT = chance_of((1,))
VEIL_OPENS = chance_of((1, 2))


def wins(throws: Mapping[T, Fraction], higher: Higher[T]) -> Fraction:
    """The chance that the first of two players wins; they throw again until one wins."""
    won = sum((p * q for a, p in throws.items() for b, q in throws.items() if higher(a, b) > 0), Fraction(0))
    tied = sum(
        (p * q for a, p in throws.items() for b, q in throws.items() if higher(a, b) == 0), Fraction(0)
    )
    return won / (1 - tied)


def wins_with(first: T, throws: Mapping[T, Fraction], higher: Higher[T]) -> Fraction:
    """The chance that the first player wins with this known throw."""
    won = sum((q for b, q in throws.items() if higher(first, b) > 0), Fraction(0))
    tied = sum((q for b, q in throws.items() if higher(first, b) == 0), Fraction(0))
    return won + tied * wins(throws, higher)


def beats_all(throws: Mapping[T, Fraction], higher: Higher[T], others: int) -> Fraction:
    """The chance that one throw beats each of this many others. Only the two tied players throw again."""
    return sum((p * wins_with(one, throws, higher) ** others for one, p in throws.items()), Fraction(0))


@cache
def paired(chance: Fraction, attackers: int, defenders: int, pairs: int = 0) -> Fraction:
    """The chance that the attackers outlast the defenders in rounds of pairs.

    chance: that an attacker wins a pair. pairs: number of fights left in this round; in a new
    round, all possible pairs.
    """
    if not attackers or not defenders:
        return Fraction(attackers > 0)
    pairs = pairs or min(attackers, defenders)
    return sum(
        (
            comb(pairs, won)
            * chance**won
            * (1 - chance) ** (pairs - won)
            * paired(chance, attackers - pairs + won, defenders - won)
            for won in range(pairs + 1)
        ),
        Fraction(0),
    )


def fireball() -> tuple[Fraction, Fraction]:
    """The chances that the target dies and that the caster dies. The ball flies back on each 4 or 5."""
    dies, back = chance_of((1, 2)), chance_of((4, 5))
    target = dies / (1 - back**2)
    return target, back * target
