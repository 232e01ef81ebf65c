"""Events of the tray and its camera, as the pipeline and the capture loop report them."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from table.errors import BrehonError
from vision.frames import Frame
from vision.reading import Reading
from vision.tracks import Tracks


@dataclass(frozen=True)
class Moving:
    """Something moves on the tray, since `at_s` on the camera's clock."""

    at_s: float


@dataclass(frozen=True)
class Settling:
    """Everything has slowed down. A reading follows if it stays so."""

    at_s: float


@dataclass(frozen=True)
class AtRest:
    """Nothing moves any more. The tray is being read."""

    at_s: float


@dataclass(frozen=True)
class Hand:
    """A hand, or another thing that is no die, lies over the tray."""

    at_s: float


@dataclass(frozen=True, eq=False)
class Settled:
    """The tray is at rest and was read: two readings that agree, or a fused one marked unsure. An empty tray
    has no dice.

    frame: the one that was read. latency_ms: from the moment the dice were slow to this event. tracks: how
    each die of the reading came to lie there, in the reading's order, and what became of those that are gone.
    hand_rests: a hand or a sleeve rests over the tray, and the dice beside it were read.
    """

    reading: Reading
    frame: Frame
    latency_ms: float = 0.0
    tracks: Tracks = field(default_factory=Tracks)
    hand_rests: bool = False


class Trouble(StrEnum):
    """Why the tray cannot be seen although a camera is open."""

    DARK = "dark"
    COVERED = "covered"
    FROZEN = "frozen"
    BLURRED = "out of focus"
    MOVED = "moved"
    FLICKER = "flicker"


@dataclass(frozen=True)
class Blind:
    """The tray cannot be seen, since `at_s`. What happens now is not observed; new dice after it are
    FOUND."""

    at_s: float
    trouble: Trouble


@dataclass(frozen=True)
class Sighted:
    """The last reported trouble is over. The tray is observed again."""

    at_s: float


@dataclass(frozen=True)
class ReadFailed:
    """The tray is at rest, but the reader raised an error. Reported instead of Settled."""

    error: Exception


@dataclass(frozen=True)
class CameraLost:
    """The camera stopped delivering frames. If it can be opened again, that is tried, and CameraRestored
    follows."""

    error: BrehonError


@dataclass(frozen=True)
class CameraRestored:
    """A camera that was lost, or waited for, is open; its frames follow. name: for people."""

    name: str


@dataclass(frozen=True)
class Ended:
    """The video or the folder of pictures is at its end."""


TrayEvent = Moving | Settling | AtRest | Hand | Settled | ReadFailed | Blind | Sighted | CameraLost | CameraRestored | Ended
