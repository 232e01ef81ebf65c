"""What the referee is told of what the eyes saw, for events that bring no reading."""

from __future__ import annotations

from table.common.tray import TrayState
from table.referee.events import TrayChanged
from table.referee.troubles import TROUBLES
from table.rules import words
from vision.events import CameraLost, Ended, ReadFailed, StateChanged, TrayEvent


def changed(event: TrayEvent) -> TrayChanged:
    """What the referee is told of an event that brings no reading."""
    match event:
        case StateChanged(_, state):
            return TrayChanged(state, TROUBLES.get(state, ""))
        case ReadFailed():
            return TrayChanged(TrayState.WAITING, "The picture of the tray could not be read. Press “Read again”.")
        case CameraLost(error):
            return TrayChanged(TrayState.NO_CAMERA, words.sentence(f"{error}"))
        case Ended():
            return TrayChanged(TrayState.NO_CAMERA, "The recording has come to its end.")
        case _:
            return TrayChanged(TrayState.WAITING)
