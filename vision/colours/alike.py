"""Which colours one die may seem to have in different light."""

from __future__ import annotations

SIMILAR_COLOURS = frozenset(
    frozenset(pair.split())
    for pair in (
        "white grey", "grey black", "white yellow", "yellow orange", "orange red", "orange brown",
        "red brown", "red pink", "pink white", "pink purple", "purple blue", "brown black",
        "blue black", "green black", "purple black", "green blue", "blue grey",
    )
)  # fmt: skip
"""Pairs of colours that one die may show in the light and in the shade, or under a warm lamp."""


def alike(one: str, other: str) -> bool:
    """Whether a die of one colour may seem to have the other."""
    return one == other or frozenset({one, other}) in SIMILAR_COLOURS
