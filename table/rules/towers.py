"""Towers of dice that stand on the tray: what the camera may expect to see of them.

A game with towers sets `Table.towers`. Its options say which die they put on which tower. So the camera can
answer such a choice, and a die on a tower is never taken for a thrown one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from table.rules.answers import Die

Tower = tuple[Die, ...]
"""The dice of a tower, from its base to its top."""


@dataclass(frozen=True)
class Placement:
    """A die that is put on a tower. tower: its number, from 1."""

    die: Die
    tower: int

    @property
    def id(self) -> str:
        """The id of the option that makes this placement, such as "red5>2"."""
        return f"{self.die.colour}{self.die.face}>{self.tower}"

    def to_json(self) -> dict[str, Any]:
        return {"die": {"face": self.die.face, "colour": self.die.colour}, "tower": self.tower}


@dataclass(frozen=True)
class Level:
    """The place of a die in a tower of the board.

    spot: of the tower. level: from 1, the base. carried: it was taken off, and the board still shows it.
    What stood on it went with it, and it does not fall with what is below it.
    """

    spot: str
    level: int
    carried: bool = False

    def to_json(self) -> dict[str, Any]:
        return {"spot": self.spot, "level": self.level} | ({"carried": True} if self.carried else {})


def level_id(tower: int, level: int) -> str:
    """The id of a die in a tower, such as "t2.3"; both numbers count from 1, and die 1 is the base."""
    return f"t{tower}.{level}"
