"""What the eyes tell of the tray, as it happens."""

from __future__ import annotations

from dataclasses import dataclass, field

from table.common.errors import BrehonError
from table.common.tray import TrayState
from vision.frames import Frame
from vision.reading import Reading
from vision.tracks import Tracks


@dataclass(frozen=True)
class StateChanged:
    """What the tray is doing now, since `at_s` on the camera's clock.

    state: ROLLING while something moves; HAND while somebody reaches in, or something else than dice lies over the tray; SETTLING once
    everything has slowed down; READING once nothing moves any more. A blind state: the tray cannot be watched, and what lies there
    afterwards is only found. WAITING: that is over, and the tray is watched again.
    """

    at_s: float
    state: TrayState


@dataclass(frozen=True, eq=False)
class Settled:
    """The tray is at rest and was read, twice alike or marked unsure; empty when nothing lies there.

    frame: the one that was read. latency_ms: from the moment the dice were slow to this event.
    tracks: how each die of the reading came to lie there, in the reading's order, and what became of those that are gone.
    hand_rests: a hand or a sleeve rests over the tray, and what lies beside it was read.
    """

    reading: Reading
    frame: Frame
    latency_ms: float = 0.0
    tracks: Tracks = field(default_factory=Tracks)
    hand_rests: bool = False


@dataclass(frozen=True)
class ReadFailed:
    """The tray is at rest, but the reader broke on it; told instead of Settled."""

    error: Exception


@dataclass(frozen=True)
class CameraLost:
    """The camera stopped giving frames. Where it can be, it is being opened again; Found follows."""

    error: BrehonError


@dataclass(frozen=True)
class CameraRestored:
    """A camera that was lost, or waited for, is open; its frames follow. name: for people."""

    name: str


@dataclass(frozen=True)
class Ended:
    """The video or the folder of pictures is at its end."""


TrayEvent = StateChanged | Settled | ReadFailed | CameraLost | CameraRestored | Ended
