"""Where dice lie on the simulated tray, and which of them the table has read."""

from __future__ import annotations

from typing import Protocol

from table.referee.snapshot import TrayDie


class SimulatedDie(Protocol):
    """A die on the tray: its centre, in pixels of the picture, and its colour."""

    @property
    def x(self) -> float: ...

    @property
    def y(self) -> float: ...

    @property
    def colour(self) -> str: ...


def is_at(die: TrayDie, point: SimulatedDie) -> bool:
    """Whether the box of the die that was read contains the centre of this one."""
    x, y, w, h = die.seen.box_xywh
    return x <= point.x <= x + w and y <= point.y <= y + h
