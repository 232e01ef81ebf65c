"""Sigily: what four sticks show, and what that means for fights, darts, the veil and fireballs.

A game passes in how it reads sticks and which of two throws is the higher: `higher(a, b)` is above 0 where a wins, below 0 where b
does, and 0 where both throw again.
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
    """Every throw of these sticks as it is read, and its chance; each face of a stick is as likely as the others."""
    ways = Counter(read(faces) for faces in product(*sticks))
    whole = prod(len(stick) for stick in sticks)
    return {toss: Fraction(n, whole) for toss, n in ways.items()}


VALUES = tosses((("round", "flat"),) * 4, lambda faces: faces.count("flat") or 5)
"""The chances of 1 to 5."""


def chance_of(values: Collection[int]) -> Fraction:
    """That a throw counts one of these."""
    return sum((VALUES[v] for v in sorted(set(values)) if v in VALUES), Fraction(0))


FREE_THROW = chance_of((4, 5))
DARTS_HIT = chance_of((1,))
VEIL_OPENS = chance_of((1, 2))


def wins(throws: Mapping[T, Fraction], higher: Higher[T]) -> Fraction:
    """The chance that the first of two who throw wins, where they throw again until one does."""
    won = sum((p * q for a, p in throws.items() for b, q in throws.items() if higher(a, b) > 0), Fraction(0))
    tied = sum((p * q for a, p in throws.items() for b, q in throws.items() if higher(a, b) == 0), Fraction(0))
    return won / (1 - tied)


def wins_with(first: T, throws: Mapping[T, Fraction], higher: Higher[T]) -> Fraction:
    """The chance that the first wins, once the throw of that one is known."""
    won = sum((q for b, q in throws.items() if higher(first, b) > 0), Fraction(0))
    tied = sum((q for b, q in throws.items() if higher(first, b) == 0), Fraction(0))
    return won + tied * wins(throws, higher)


def beats_all(throws: Mapping[T, Fraction], higher: Higher[T], others: int) -> Fraction:
    """The chance that one throw is above each of so many others; a tie is thrown again between those two alone."""
    return sum((p * wins_with(one, throws, higher) ** others for one, p in throws.items()), Fraction(0))


@cache
def paired(chance: Fraction, attackers: int, defenders: int, pairs: int = 0) -> Fraction:
    """The chance that the attackers' side is left, where all pair off again and again and an attacker wins a pair by `chance`.

    pairs: how many have yet to fight in a round that has begun; in a new round, all that can be paired off.
    """
    if not attackers or not defenders:
        return Fraction(attackers > 0)
    pairs = pairs or min(attackers, defenders)
    return sum(
        (
            comb(pairs, won) * chance**won * (1 - chance) ** (pairs - won) * paired(chance, attackers - pairs + won, defenders - won)
            for won in range(pairs + 1)
        ),
        Fraction(0),
    )


def fireball() -> tuple[Fraction, Fraction]:
    """The chances that the target dies, and that the caster does: the ball flies back as long as a 4 or 5 is thrown."""
    dies, back = chance_of((1, 2)), chance_of((4, 5))
    target = dies / (1 - back**2)
    return target, back * target
