"""The ground truth of a die in a photograph, a rendered table or a picture of the simulated tray."""

from __future__ import annotations

from dataclasses import dataclass

from vision.boxes import Box


@dataclass(frozen=True)
class DieLabel:
    """The ground truth of one die.

    box_xywh: px.
    face: 1-6; None = emblem or unknown. colour: None = unknown.
    ignore: the die counts neither as a die nor as background.
    symbol: the upper face is an emblem.
    tilted: whether the die must be reported as cocked; None = unknown or between flat and cocked.
    definite: False if the tilt makes the face ambiguous. The face is not scored then, but the die must be
      detected, and must not be read as another face with sure=True unless it is reported as cocked.
    """

    box_xywh: Box
    face: int | None
    colour: str | None
    ignore: bool = False
    symbol: bool = False
    tilted: bool | None = None
    definite: bool = True

    @property
    def scored(self) -> bool:
        return bool(self.face) and self.definite and not self.ignore and not self.symbol
