"""What the four sticks are worth."""

from __future__ import annotations

from collections.abc import Sequence

STICKS = 4
AGAIN = (1, 4, 6)
"""Throws after which the same player throws again."""
ALL_BLACK = 6


def points_of(faces: Sequence[str]) -> int:
    """One point for each white side up; six points for none."""
    return list(faces).count("white") or ALL_BLACK
