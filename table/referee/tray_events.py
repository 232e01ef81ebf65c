"""Events of the vision pipeline without a reading, converted for the referee."""

from __future__ import annotations

from table.common.tray import TrayState
from table.referee.camera_advice import CAMERA_ADVICE
from table.referee.events import TrayChanged, TrayPreviewed
from table.rules import words
from vision.events import CameraLost, Ended, Previewed, ReadFailed, StateChanged, TrayEvent


def to_tray_changed(event: TrayEvent) -> TrayChanged | TrayPreviewed:
    """The referee's event for an event of the vision pipeline without a reading."""
    match event:
        case StateChanged(_, state):
            return TrayChanged(state, CAMERA_ADVICE.get(state, ""))
        case Previewed(_, reading):
            return TrayPreviewed(reading)
        case ReadFailed():
            return TrayChanged(
                TrayState.WAITING, "The picture of the tray could not be read. Press “Read again”."
            )
        case CameraLost(error):
            return TrayChanged(TrayState.NO_CAMERA, words.sentence(f"{error}"))
        case Ended():
            return TrayChanged(TrayState.NO_CAMERA, "The recording has come to its end.")
        case _:
            return TrayChanged(TrayState.WAITING)
