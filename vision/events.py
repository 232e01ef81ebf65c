"""Events of the tray and its camera, as the pipeline and the capture loop report them."""

from __future__ import annotations

from dataclasses import dataclass, field

from table.common.errors import BrehonError
from table.common.tray import TrayState
from vision.frames import Frame
from vision.readings import Reading
from vision.tracking.stick_tracks import NO_STICK_TRACKS, StickTracks
from vision.tracking.tracks import Tracks


@dataclass(frozen=True)
class StateChanged:
    """The state of the tray now, since `at_s` on the camera's clock.

    state: ROLLING while something moves. HAND while a hand, or another object that is no die, lies over the
    tray. SETTLING once everything is slow; a reading follows if it stays so. READING once nothing moves
    any more. A blind state: the tray cannot be seen, what happens is not observed, and new dice after it are
    UNOBSERVED. WAITING: that is over, and the tray is observed again.
    """

    at_s: float
    state: TrayState


@dataclass(frozen=True, eq=False)
class Previewed:
    """The dice as they seem to lie at `at_s`, on the camera's clock: shown while the tray comes to rest.

    Settled follows unless something moves: the dice have not lain still for long enough, or one may still tip
    over.
    """

    at_s: float
    reading: Reading


@dataclass(frozen=True, eq=False)
class Settled:
    """The tray is at rest and was read: two readings that agree, or a fused one marked unsure. An empty tray
    has no dice.

    frame: the one that was read. latency_ms: from the moment the dice were slow to this event. tracks: how
    each die of the reading came to lie there, in the reading's order, and what became of those that are gone.
    hand_rests: a hand or a sleeve rests over the tray, and the dice beside it were read. stick_tracks: how
    each stick of the reading came to lie there, in the reading's order.
    """

    reading: Reading
    frame: Frame
    latency_ms: float = 0.0
    tracks: Tracks = field(default_factory=Tracks)
    hand_rests: bool = False
    stick_tracks: StickTracks = NO_STICK_TRACKS


@dataclass(frozen=True)
class ReadFailed:
    """The tray is at rest, but the reader raised an error. Reported instead of Settled."""

    error: Exception


@dataclass(frozen=True)
class CameraLost:
    """The camera stopped delivering frames. CameraRestored follows if it can be opened again."""

    error: BrehonError


@dataclass(frozen=True)
class CameraRestored:
    """A camera that was lost, or waited for, is open; its frames follow. name: for people."""

    name: str


@dataclass(frozen=True)
class Ended:
    """The video or the folder of pictures is at its end."""


TrayEvent = StateChanged | Previewed | Settled | ReadFailed | CameraLost | CameraRestored | Ended
