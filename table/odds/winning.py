"""What each score is worth for the win, to a player whose others have all scored."""

from __future__ import annotations

from fractions import Fraction

AIM = "the chance to win"

Worths = tuple[Fraction, ...]
"""What each score is worth, by the score."""


def points(top: int) -> Worths:
    """The worth of each score up to this one for a player who plays for the score itself."""
    return tuple(map(Fraction, range(top + 1)))


def last(best: int, leaders: int, top: int, tie: Fraction | None = None) -> Worths:
    """The chance to win with each score for the last player, after `leaders` players who have `best`.

    tie: the chance after a tie. Without it, a tie is worth an equal share.
    """
    share = Fraction(1, leaders + 1) if tie is None else tie
    return tuple(Fraction(score > best) if score != best else share for score in range(top + 1))
