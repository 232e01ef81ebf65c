"""Counts of throws: every multiset of faces with its chance as a fraction."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import combinations, combinations_with_replacement
from math import factorial, prod

from table.rules.answers import FACES

Dice = tuple[int, ...]


@cache
def throws(n: int) -> tuple[tuple[Dice, Fraction], ...]:
    """Every throw of n dice, faces rising, and its chance. The chances add up to 1."""
    return tuple((dice, Fraction(_ways(dice), 6**n)) for dice in combinations_with_replacement(FACES, n))


def _ways(dice: Dice) -> int:
    """Number of orders in which these faces can fall."""
    return factorial(len(dice)) // prod(map(factorial, Counter(dice).values()))


@cache
def keeps(dice: Dice) -> tuple[Dice, ...]:
    """Every non-empty subset of a throw, once each."""
    return tuple(sorted({part for n in range(1, len(dice) + 1) for part in combinations(dice, n)}))
