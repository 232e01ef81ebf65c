"""The score sheet: every score with its reason."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Line:
    """One entry on the sheet. at: the number of answers before it.

    box: its row on the paper sheet, an id of the game's form, or "".
    value: the text for that row if it is not the points: an attempt (only the best counts), a rank, a sum.
    """

    at: int
    player: str
    points: int
    reason: str
    box: str = ""
    value: str | None = None

    def to_json(self) -> dict[str, Any]:
        fields: dict[str, Any] = {"at": self.at, "points": self.points, "reason": self.reason}
        return (
            fields
            | ({"box": self.box} if self.box else {})
            | ({} if self.value is None else {"value": self.value})
        )


@dataclass(frozen=True)
class Row:
    """A row of a game's paper sheet. box: the id that lines use for it; "" for a heading."""

    text: str
    box: str = ""

    @property
    def heading(self) -> bool:
        return not self.box


@dataclass(frozen=True)
class Blank:
    """A place to write on a card. label: the words before it. box: as in Row.

    best: the box with the best of several attempts, of which this is one; "" if all count.
    """

    label: str
    box: str
    best: str = ""


@dataclass(frozen=True)
class CardLine:
    """A line of a card, which is one player's paper sheet. event: the words at its start, or ""."""

    event: str
    blanks: tuple[Blank, ...]


class Sheet:
    """The sheet of a running match, for the page and for print. The game writes it."""

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

    @property
    def leaders(self) -> tuple[str, ...]:
        """The players with the highest total, in seat order."""
        best = max(self._totals.values())
        return tuple(player for player, total in self._totals.items() if total == best)

    def score(self, player: str, points: int, reason: str, box: str = "") -> None:
        """Writes a line and adds its points. A turn without points is written with 0."""
        self._lines.append(Line(self.at, player, points, reason, box))
        self._totals[player] += points

    def settle(self, player: str, points: int, reason: str) -> None:
        """Adds points to the player's last line, such as a stake, and gives it a new reason.

        Raises ValueError if the player has no line.
        """
        place = self._last_of(player)
        if place is None:
            raise ValueError(f"{player} has no line to settle")
        line = self._lines[place]
        self._lines[place] = Line(self.at, player, line.points + points, reason, line.box)
        self._totals[player] += points

    def score_under(self, heading: str, player: str, points: int, reason: str) -> None:
        """Writes a line, or adds to the player's last line if it has the same heading, such as "round 2"."""
        place = self._last_of(player)
        if place is not None and self._lines[place].reason.startswith(f"{heading}: "):
            self.settle(player, points, f"{self._lines[place].reason}; {reason}")
        else:
            self.score(player, points, f"{heading}: {reason}")

    def _last_of(self, player: str) -> int | None:
        """The index of the player's last line, None if there is none."""
        return max((i for i, line in enumerate(self._lines) if line.player == player), default=None)

    def note(self, player: str, value: object, reason: str, box: str = "") -> None:
        """Writes a line without points: an attempt that may not count, a rank, a sum."""
        self._lines.append(Line(self.at, player, 0, reason, box, str(value)))

    def total(self, player: str) -> int:
        return self._totals[player]
