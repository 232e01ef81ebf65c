"""A board for the page to draw: places, pieces and lines. The rules do not read it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

SpaceKind = Literal[
    "plain", "holiday", "solar", "gate", "green", "centre", "safe", "danger", "home", "white", "red", "tower"
]
"""The looks of a space, which the page's style sheet draws."""


@dataclass(frozen=True)
class Piece:
    """Pieces of one player that stand together. text: the label on them, such as "×2"."""

    player: str
    text: str = ""

    def to_json(self) -> dict[str, Any]:
        return {"player": self.player, "text": self.text}


@dataclass(frozen=True)
class Space:
    """A place on the board.

    x, y: its centre, in hundredths of the board's longer side, from the left and from the top.
    kind: its look. text: its name. coins: the number of loose coins there.
    """

    id: str
    x: float
    y: float
    kind: SpaceKind = "plain"
    text: str = ""
    coins: int = 0
    pieces: tuple[Piece, ...] = ()

    def to_json(self) -> dict[str, Any]:
        return {
            "id": self.id, "x": self.x, "y": self.y, "kind": self.kind, "text": self.text,
            "coins": self.coins, "pieces": [p.to_json() for p in self.pieces],
        }  # fmt: skip


@dataclass(frozen=True)
class Board:
    """A board at one moment.

    width, height: in hundredths of the longer side, so one of them is 100. lines: pairs of ids of connected
    spaces. notes: one line of text for each thing beside the board.
    """

    width: float
    height: float
    spaces: tuple[Space, ...]
    lines: tuple[tuple[str, str], ...] = ()
    notes: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        return {
            "width": self.width, "height": self.height, "spots": [s.to_json() for s in self.spaces],
            "lines": [list(line) for line in self.lines], "notes": list(self.notes),
        }  # fmt: skip
