"""A board to draw on the page and on paper: places, pieces and lines. The rules do not read it.

The games say where everything lies. Page and paper derive all other lengths from that.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from table.rules.answers import Die

SpaceKind = Literal[
    "plain", "holiday", "solar", "gate", "green", "centre", "safe", "danger", "home", "white", "red", "tower"
]
"""The looks of a space, which page and paper draw."""

Look = Literal["plain", "land", "river", "track", "towers", "bar"]
"""The ground under the spaces: the year round the fairy land, a river through all spaces, the table inside a
track, the corners where towers stand, or the posts that hold a bar."""


@dataclass(frozen=True)
class Label:
    """The name of a space beside it. x, y: the anchor of its first line, in the board's hundredths."""

    x: float
    y: float
    anchor: Literal["start", "middle", "end"]
    lines: tuple[str, ...]

    def to_json(self) -> dict[str, Any]:
        return {"x": self.x, "y": self.y, "anchor": self.anchor, "lines": list(self.lines)}


@dataclass(frozen=True)
class Piece:
    """Pieces of one player that stand together.

    text: the label on them, such as "×2". coins: the number that they carry.
    """

    player: str
    text: str = ""
    coins: int = 0

    def to_json(self) -> dict[str, Any]:
        coins = {"coins": self.coins} if self.coins else {}
        return {"player": self.player, "text": self.text, **coins}


@dataclass(frozen=True)
class Move:
    """What an answer does on the board, so that people can give it there.

    piece: the id of the space where the piece stands; None if no piece of the board moves.
    to: the id of the space where it is put, or which is chosen; None if the piece itself is chosen.
    ends: the id of the space where the piece comes to stand, if that is not `to`.
    off: a piece or a die that comes from beside the board.
    """

    piece: str | None = None
    to: str | None = None
    ends: str | None = None
    off: Piece | Die | None = None

    def to_json(self) -> dict[str, Any]:
        fields: dict[str, Any] = {"piece": self.piece, "to": self.to, "ends": self.ends}
        if isinstance(self.off, Die):
            fields["off"] = {"face": self.off.face, "colour": self.off.colour}
        elif self.off:
            fields["off"] = self.off.to_json()
        return {key: value for key, value in fields.items() if value is not None}


@dataclass(frozen=True)
class Space:
    """A place on the board.

    x, y: its centre, in hundredths of the board's longer side, from the left and from the top.
    kind: its look. text: its name. coins: the number of loose coins there.
    label: where a long name stands; None for any place beside the space.
    said: the name for who cannot see the look, such as "10, cursed"; "" for just `text`.
    """

    id: str
    x: float
    y: float
    kind: SpaceKind = "plain"
    text: str = ""
    coins: int = 0
    pieces: tuple[Piece, ...] = ()
    label: Label | None = None
    said: str = ""

    def to_json(self) -> dict[str, Any]:
        fields: dict[str, Any] = {
            "id": self.id, "x": self.x, "y": self.y, "kind": self.kind, "text": self.text,
            "coins": self.coins, "pieces": [p.to_json() for p in self.pieces],
        }  # fmt: skip
        label = {"label": self.label.to_json()} if self.label else {}
        return fields | label | ({"said": self.said} if self.said else {})


@dataclass(frozen=True)
class OpenDie:
    """A die of a player that all may see. counts: whether it counts for the bid."""

    player: str
    face: int
    counts: bool

    def to_json(self) -> dict[str, Any]:
        return {"player": self.player, "face": self.face, "counts": self.counts}


@dataclass(frozen=True)
class Progress:
    """How many of a player's pieces have arrived, which the score does not say. what: such as "home"."""

    player: str
    count: int
    of: int
    what: str

    def to_json(self) -> dict[str, Any]:
        return {"count": self.count, "of": self.of, "what": self.what}


@dataclass(frozen=True)
class Board:
    """A board at one moment.

    width, height: in hundredths of the longer side, so one of them is 100. lines: pairs of ids of connected
    spaces. notes: one line of text for each thing beside the board.
    progress: of each player, for the scoreboard; empty if the scores say it.
    """

    width: float
    height: float
    spaces: tuple[Space, ...]
    lines: tuple[tuple[str, str], ...] = ()
    notes: tuple[str, ...] = ()
    look: Look = "plain"
    progress: tuple[Progress, ...] = ()

    def to_json(self) -> dict[str, Any]:
        progress = {each.player: each.to_json() for each in self.progress}
        return ({"progress": progress} if progress else {}) | {
            "width": self.width, "height": self.height, "spots": [s.to_json() for s in self.spaces],
            "lines": [list(line) for line in self.lines], "notes": list(self.notes),
            "look": self.look,
        }  # fmt: skip


@dataclass(frozen=True)
class PrintedThrow:
    """What a throw of sticks is worth, drawn on a board of paper.

    x, y: its middle, in the board's hundredths. faces: the sides up, "white" or "black". points: in large
    letters beside the sticks. then: what follows, in a few words.
    """

    x: float
    y: float
    faces: tuple[str, ...]
    points: str
    then: str


@dataclass(frozen=True)
class PaperBoard:
    """The empty board of a game, to print. It has the same size on every paper.

    unit_mm: a hundredth of the board, mm. down_mm: a hundredth downwards, where the rows of a flat board are
    further apart on paper than on the page; None if it is as long as one across. space_mm: width of a space.
    scale: what the spaces are good for, such as "a square is 21 mm wide, for a nickel".
    notes: one line each, printed below the board. wide: on paper that lies on its side.
    spare: places for pieces that are not on the board, spare_mm wide.
    throws: what throws of sticks are worth.
    """

    board: Board
    unit_mm: float
    space_mm: float
    scale: str
    notes: tuple[str, ...] = ()
    wide: bool = True
    spare: tuple[Space, ...] = ()
    spare_mm: float = 0
    down_mm: float | None = None
    throws: tuple[PrintedThrow, ...] = ()

    def mm(self, x: float, y: float) -> tuple[float, float]:
        """The place on paper of a place on the board, mm from the board's upper left corner."""
        return x * self.unit_mm, y * (self.down_mm or self.unit_mm)
