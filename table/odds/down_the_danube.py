"""Down the Danube: the throws of four sticks of two colours, and what they make possible."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import product

from table.rules.prompts import Odds


def throws(sticks: Sequence[Sequence[str]], points_of: Callable[[Sequence[str]], int]) -> dict[int, Fraction]:
    """The chance of each number of points of these sticks, in rising order. All sides are equally likely."""
    falls = [points_of(faces) for faces in product(*sticks)]
    return {points: Fraction(falls.count(points), len(falls)) for points in sorted(set(falls))}


def of_a_throw(
    chances: dict[int, Fraction], outlook: Iterable[tuple[str, Callable[[int], bool]]]
) -> Iterator[Odds]:
    """For each of these conditions, the chance that a throw meets it; impossible ones are left out."""
    for text, true_of in outlook:
        chance = sum((chance for points, chance in chances.items() if true_of(points)), Fraction(0))
        if chance:
            yield Odds(text, chance)
