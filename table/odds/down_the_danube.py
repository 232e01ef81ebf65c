"""Down the Danube: what four sticks of two colours show, and what that makes possible."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import product

from table.rules.prompts import Odds


def throws(sticks: Sequence[Sequence[str]], points_of: Callable[[Sequence[str]], int]) -> dict[int, Fraction]:
    """How likely each number of points is when these sticks are thrown, by rising points; every side looks up as often."""
    falls = [points_of(faces) for faces in product(*sticks)]
    return {points: Fraction(falls.count(points), len(falls)) for points in sorted(set(falls))}


def of_a_throw(chances: dict[int, Fraction], outlook: Iterable[tuple[str, Callable[[int], bool]]]) -> Iterator[Odds]:
    """How likely a throw is of which each of these is true; what cannot happen is left out."""
    for text, true_of in outlook:
        chance = sum((chance for points, chance in chances.items() if true_of(points)), Fraction(0))
        if chance:
            yield Odds(text, chance)
