"""What the referee is told of what the eyes saw, for events that bring no reading."""

from __future__ import annotations

from table.common.tray import TrayState
from table.referee.events import TrayChanged
from table.referee.troubles import TROUBLES
from table.rules import words
from vision.events import AtRest, Blind, CameraLost, Ended, Hand, Moving, ReadFailed, Settling, TrayEvent


def changed(event: TrayEvent) -> TrayChanged:
    """What the referee is told of an event that brings no reading."""
    match event:
        case Moving():
            return TrayChanged(TrayState.ROLLING)
        case Hand():
            return TrayChanged(TrayState.HAND)
        case Settling():
            return TrayChanged(TrayState.SETTLING)
        case AtRest():
            return TrayChanged(TrayState.READING)
        case Blind(_, trouble):
            state = TrayState[trouble.name]
            return TrayChanged(state, TROUBLES[state])
        case ReadFailed():
            return TrayChanged(TrayState.WAITING, "The picture of the tray could not be read. Press “Read again”.")
        case CameraLost(error):
            return TrayChanged(TrayState.NO_CAMERA, words.sentence(f"{error}"))
        case Ended():
            return TrayChanged(TrayState.NO_CAMERA, "The recording has come to its end.")
        case _:
            return TrayChanged(TrayState.WAITING)
