"""What the eyes tell of the tray, as it happens."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from table.common.errors import BrehonError
from vision.frames import Frame
from vision.reading import Reading
from vision.tracks import Tracks


@dataclass(frozen=True)
class Moving:
    """Something moves on the tray, since `at_s` on the camera's clock."""

    at_s: float


@dataclass(frozen=True)
class Settling:
    """Everything has slowed down; a reading follows if it stays so."""

    at_s: float


@dataclass(frozen=True)
class AtRest:
    """Nothing moves any more; the tray is being read."""

    at_s: float


@dataclass(frozen=True)
class Hand:
    """Somebody reaches in, or something else than dice lies over the tray."""

    at_s: float


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


class Trouble(StrEnum):
    """Why the tray cannot be watched although a camera is open."""

    DARK = "dark"
    COVERED = "covered"
    FROZEN = "frozen"
    BLURRED = "out of focus"
    MOVED = "moved"
    FLICKER = "flicker"


@dataclass(frozen=True)
class Blind:
    """The tray cannot be watched, since `at_s`; what happens now is not seen, and what lies there afterwards is only found."""

    at_s: float
    trouble: Trouble


@dataclass(frozen=True)
class Sighted:
    """The trouble told last is over; the tray is watched again."""

    at_s: float


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


TrayEvent = Moving | Settling | AtRest | Hand | Settled | ReadFailed | Blind | Sighted | CameraLost | CameraRestored | Ended
