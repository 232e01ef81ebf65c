"""The watch over the tray: camera, settle, read, and what is told about it.

`Eyes` is the pipeline without a thread: a frame in, events out. `Watch` runs it in a thread of its own from a camera, keeps
the newest frame for the page, and comes back when a camera was lost.

A reading is believed after repeated hits: two in a row that agree and are sure, else what several say together (vision.agreement).
The first of them is taken already while the dice settle, so that usually only one stands between rest and ruling.
"""

from __future__ import annotations

import logging
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from statistics import median
from typing import Protocol

import cv2

from table.errors import BrehonError, CameraUnavailable
from vision.agreement import agree, together
from vision.frames import Camera, Frame, Naps, Picture
from vision.leaning import Level
from vision.reading import Reading
from vision.settle import Settle, Stillness

MOST_READINGS = 6
"""Readings taken of a tray at rest before what they say together is handed on, unsure where they are; half a second on a Pi."""

EARLY_SHARE = 0.5
"""The first reading is taken when this share of the settling time has passed."""

BACKOFF_S = (1.0, 2.0, 4.0, 8.0, 15.0)
"""Waits between attempts to open a lost camera again; the last one repeats. A pulled USB plug is back within seconds."""

NAP_S = 0.1
"""Between frames of a tray that waits: ten a second, so that nothing goes unseen for longer than a blink. A hand that reaches in, takes
a die and leaves is in the picture for half a second and more."""

SHOWN_AGAIN_S = 1.0
"""While the tray waits, the page's picture is renewed this often: it would be the same, and making a JPEG costs more than watching."""

JPEG_QUALITY = 82
"""For the page: pips stay crisp, 60 kB at 800 x 600."""

LATENCIES_KEPT = 50

log = logging.getLogger("brehon.watch")


class Reads(Protocol):
    """What Watch needs of a reader."""

    def read(self, picture: Picture) -> Reading: ...


# --- what is told -------------------------------------------------------------------------------------------------------


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
    """Somebody reaches in."""

    at_s: float


@dataclass(frozen=True, eq=False)
class Settled:
    """The tray is at rest and was read, twice alike or marked unsure; empty when nothing lies there.

    frame: the one that was read. latency_ms: from the moment the dice were slow to this event.
    """

    reading: Reading
    frame: Frame
    latency_ms: float = 0.0


@dataclass(frozen=True)
class ReadFailed:
    """The tray is at rest, but the reader broke on it; told instead of Settled."""

    error: Exception


@dataclass(frozen=True)
class Lost:
    """The camera stopped giving frames. Where it can be, it is being opened again; Found follows."""

    error: BrehonError


@dataclass(frozen=True)
class Found:
    """A camera that was lost, or waited for, is open; its frames follow. name: for people."""

    name: str


@dataclass(frozen=True)
class Ended:
    """The video or the folder of pictures is at its end."""


TrayEvent = Moving | Settling | AtRest | Hand | Settled | ReadFailed | Lost | Found | Ended


@dataclass(frozen=True)
class Latency:
    """From rest to reading, ms, over the last readings; all 0 before the first."""

    last_ms: float = 0.0
    median_ms: float = 0.0
    worst_ms: float = 0.0
    readings: int = 0


# --- the pipeline -------------------------------------------------------------------------------------------------------


class Eyes:
    """Frames in, events out; one thread only. clock: seconds, for the latency alone."""

    def __init__(self, reader: Reads, settle: Settle | None = None, clock: Callable[[], float] = time.perf_counter) -> None:
        self._reader, self._settle, self._clock = reader, settle or Settle(), clock
        self._told: Stillness | None = None
        self._seen_s = 0.0
        self._readings: list[Reading] = []
        self._level = Level()
        self._done = self._asked = self._tried_early = False

    def see(self, frame: Frame) -> Iterator[TrayEvent]:
        """What this frame brings: a change of state, and a reading once the tray is at rest."""
        arrived, self._seen_s = self._clock(), frame.at_s
        state = self._settle.see(frame)
        if state is not self._told:
            yield from self._changed(state, frame)
        if state is Stillness.STILL and not self._done:
            yield from self._confirmed(frame, arrived)
        elif state is Stillness.SETTLING and not self._tried_early and self._half_settled(frame):
            self._tried_early = True
            self._read_early(frame)

    @property
    def waits(self) -> bool:
        """True when the tray was read and nothing has moved on it for a while: fewer frames will do."""
        return self._done and self._settle.waits_at(self._seen_s)

    def again(self) -> None:
        """Forgets what was read: the next frame at rest is read anew, and told, its latency counted from that frame."""
        self._forget()
        self._asked = True

    def _forget(self) -> None:
        self._done = self._asked = self._tried_early = False
        self._readings = []

    def _changed(self, state: Stillness, frame: Frame) -> Iterator[TrayEvent]:
        self._told = state
        if state is Stillness.MOVING:
            self._forget()
            yield Moving(frame.at_s)
        elif state is Stillness.HAND:
            self._forget()
            yield Hand(frame.at_s)
        elif state is Stillness.SETTLING:
            self._forget()
            yield Settling(frame.at_s)
        elif not self._done:
            yield AtRest(frame.at_s)

    def _half_settled(self, frame: Frame) -> bool:
        since = self._settle.slow_since
        return since is not None and frame.at_s - since >= EARLY_SHARE * self._settle.settle_s

    def _read_early(self, frame: Frame) -> None:
        """A first reading; one that fails is no reading, the next will tell."""
        try:
            self._readings.append(self._level.judged(self._reader.read(frame.picture)))
        except Exception:
            log.debug("the early reading failed", exc_info=True)

    def _confirmed(self, frame: Frame, arrived: float) -> Iterator[TrayEvent]:
        """Reads; tells when this reading and the one before are sure and agree, or when there were enough of them."""
        try:
            reading = self._level.judged(self._reader.read(frame.picture))
        except Exception as error:
            log.exception("the reader broke on a picture")
            self._done = True
            yield ReadFailed(error)
            return
        self._readings.append(reading)
        before = self._readings[-2] if len(self._readings) > 1 else None
        if before and before.sure and reading.sure and agree(before, reading):
            yield self._settled(reading, frame, arrived)
        elif len(self._readings) >= MOST_READINGS:
            yield self._settled(self._level.judged(together(self._readings)), frame, arrived)

    def _settled(self, reading: Reading, frame: Frame, arrived: float) -> Settled:
        self._done = True
        self._level.learn(reading)
        since = None if self._asked else self._settle.slow_since
        waited_s = frame.at_s - since if since is not None else 0.0
        return Settled(reading, frame, 1000 * (waited_s + self._clock() - arrived))


# --- the thread ---------------------------------------------------------------------------------------------------------


class Watch:
    """Runs a camera and a reader in a thread of its own and tells what happens on the tray.

    tell: called from that thread; must not block (a queue's `put`).
    reopen: opens a lost camera again; None: a loss is final.
    pause: waits so many seconds, True when the watch was stopped meanwhile; for tests.
    """

    def __init__(
        self,
        camera: Camera,
        reader: Reads,
        tell: Callable[[TrayEvent], None],
        *,
        reopen: Callable[[], Camera] | None = None,
        pause: Callable[[float], bool] | None = None,
    ) -> None:
        self.camera = camera
        self._reader, self._tell, self._reopen = reader, tell, reopen
        self._stopping = threading.Event()
        self._pause = pause or self._stopping.wait
        self._again = threading.Event()
        self._lock, self._encoding = threading.Lock(), threading.Lock()
        self._frame: Frame | None = None
        self._jpeg: tuple[Frame, bytes] | None = None
        self._latencies: deque[float] = deque(maxlen=LATENCIES_KEPT)
        self._thread = threading.Thread(target=self.run, name="watch", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """Ends the watch and closes the camera; safe to call twice and from any thread."""
        self._stopping.set()
        self.camera.close()

    def join(self, timeout_s: float | None = None) -> None:
        """Waits for the thread; at once when it was never started."""
        if self._thread.ident is not None:
            self._thread.join(timeout_s)

    def run(self) -> None:
        """The thread's work, also callable without one: until stop(), the end of the source, or a loss that is final."""
        while not self._stopping.is_set():
            try:
                self._watch_through()
                if not self._stopping.is_set():
                    self._tell(Ended())
                return
            except CameraUnavailable as lost:
                if self._stopping.is_set() or not self._reopened(lost):
                    return
            except Exception as error:  # of a driver, say: the table goes on, and people are told
                if self._stopping.is_set() or not self._reopened(_stumbled(error)):
                    return

    def read_again(self) -> None:
        """Has the tray read anew and told as Settled: at once when it is at rest, otherwise as soon as it is."""
        self._again.set()

    @property
    def latest_frame(self) -> Frame | None:
        """The newest; None before the first."""
        with self._lock:
            return self._frame

    def latest_jpeg(self) -> bytes | None:
        """The tray as a JPEG, encoded at most once a frame and only when asked for; None before the first frame.

        The newest frame, or while the tray waits one that is at most SHOWN_AGAIN_S older.
        """
        frame = self.latest_frame
        if frame is None:
            return None
        with self._encoding:
            if self._jpeg is None or self._jpeg[0] is not frame:
                self._jpeg = (frame, as_jpeg(frame.picture))
            return self._jpeg[1]

    @property
    def latency(self) -> Latency:
        """From rest to reading, over the last readings."""
        with self._lock:
            kept = tuple(self._latencies)
        return Latency(kept[-1], median(kept), max(kept), len(kept)) if kept else Latency()

    def _watch_through(self) -> None:
        """One opening of the camera, from its first frame to its last."""
        eyes = Eyes(self._reader)
        for frame in self.camera.frames():
            if self._stopping.is_set():
                return
            self._show(frame, eyes.waits)
            if self._again.is_set():
                self._again.clear()
                eyes.again()
            for event in eyes.see(frame):
                self._note(event)
                self._tell(event)
            if eyes.waits and isinstance(self.camera, Naps):
                self.camera.nap(NAP_S)

    def _show(self, frame: Frame, waits: bool) -> None:
        """Keeps the frame for the page; of a tray that waits, one in a while."""
        with self._lock:
            if self._frame is None or not waits or frame.at_s - self._frame.at_s >= SHOWN_AGAIN_S:
                self._frame = frame

    def _note(self, event: TrayEvent) -> None:
        if isinstance(event, Settled):
            with self._lock:
                self._latencies.append(event.latency_ms)

    def _reopened(self, lost: CameraUnavailable) -> bool:
        """Tells the loss once, then tries to open the camera until it is there again; False when there is no hope or no wish."""
        log.warning("the camera was lost: %s", lost)
        self._tell(Lost(lost))
        with suppress(Exception):  # a driver that is gone may fail at anything
            self.camera.close()
        attempt = 0
        while self._reopen and not self._pause(BACKOFF_S[min(attempt, len(BACKOFF_S) - 1)]):
            try:
                self.camera = self._reopen()
            except Exception as still:
                log.debug("not back yet: %s", still)
                attempt += 1
                continue
            log.info("%s is open", self.camera.name)
            self._tell(Found(self.camera.name))
            return not self._closed_meanwhile()
        return False

    def _closed_meanwhile(self) -> bool:
        """True when stop() came while the camera was being opened: then it is closed here, stop() only knew the old one."""
        if self._stopping.is_set():
            self.camera.close()
        return self._stopping.is_set()


def _stumbled(error: Exception) -> CameraUnavailable:
    log.error("the watch stumbled", exc_info=error)
    why = f"{type(error).__name__}: {error}"
    return CameraUnavailable(f"the camera's pictures cannot be used ({why}); start the table again if it stays so")


def as_jpeg(picture: Picture) -> bytes:
    """The picture as a JPEG for the page."""
    done, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
    if not done:
        raise ValueError(f"a picture of shape {picture.shape} could not be encoded as JPEG")
    return bytes(data.tobytes())
