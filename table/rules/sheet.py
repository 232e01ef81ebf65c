"""The score sheet: every award with its reason."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Line:
    """One entry on the sheet; `at` is the number of answers given before it was written."""

    at: int
    player: str
    points: int
    reason: str


class Sheet:
    """What the page and the printed sheet show; written by the game as it goes."""

    def __init__(self, players: Sequence[str]) -> None:
        self._totals = dict.fromkeys(players, 0)
        self._lines: list[Line] = []
        self.at = 0

    @property
    def lines(self) -> tuple[Line, ...]:
        return tuple(self._lines)

    @property
    def totals(self) -> dict[str, int]:
        """Points by player, in seat order."""
        return dict(self._totals)

    def score(self, player: str, points: int, reason: str) -> None:
        """Writes a line and adds its points; a scoreless turn is written too, with 0."""
        self._lines.append(Line(self.at, player, points, reason))
        self._totals[player] += points

    def total(self, player: str) -> int:
        return self._totals[player]
