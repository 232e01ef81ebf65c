"""The watch over the tray: a camera and the eyes in a thread of its own, and what is told about it.

It keeps the newest frame for the page, and comes back when a camera was lost.
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

from table.errors import CameraUnavailable
from vision.calibration import Calibration
from vision.events import Blind, CameraLost, CameraRestored, Ended, Settled, Sighted, TrayEvent, Trouble
from vision.frames import Camera, Frame, Naps, Picture, Stills
from vision.motion_jpeg import encoded
from vision.pipeline import DiceReader, Pipeline
from vision.watchdog import Watchdog

BACKOFF_S = (1.0, 2.0)
"""Waits between attempts to open a lost camera again; the last one repeats. A plug that is put in again is to work within three
seconds, and an attempt that finds none costs next to nothing."""

NAP_S = 0.1
"""Between frames of a tray that waits: ten a second, so that nothing goes unseen for longer than a blink. A hand that reaches in, takes
a die and leaves is in the picture for half a second and more."""

SHOWN_AGAIN_S = 1.0
"""While the tray waits, the page's picture is renewed this often: it would be the same, and making a JPEG costs more than watching."""

JPEG_QUALITY = 82
"""For the page: pips stay crisp, 60 kB at 800 x 600."""

LATENCIES_KEPT = 50

log = logging.getLogger("brehon.watch")


@dataclass(frozen=True)
class Latency:
    """From rest to reading, ms, over the last readings; all 0 before the first."""

    last_ms: float = 0.0
    median_ms: float = 0.0
    worst_ms: float = 0.0
    readings: int = 0


class CaptureLoop:
    """Runs a camera and a reader in a thread of its own and tells what happens on the tray.

    tell: called from that thread; must not block (a queue's `put`).
    calibration: where the tray lies; None: everywhere.
    keep: called from that thread with every frame, and whether the tray waits with nothing new on it; must not block either.
    reopen: opens a lost camera again; None: a loss is final.
    pause: waits so many seconds, True when the watch was stopped meanwhile; for tests. clock: seconds, for the waits for frames alone.
    """

    def __init__(
        self,
        camera: Camera,
        reader: DiceReader,
        tell: Callable[[TrayEvent], None],
        *,
        calibration: Calibration | None = None,
        keep: Callable[[Frame, bool], None] = lambda frame, waits: None,
        reopen: Callable[[], Camera] | None = None,
        pause: Callable[[float], bool] | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.camera = camera
        self._reader, self._tell, self._keep, self._reopen = reader, tell, keep, reopen
        self._calibration = calibration
        self._stopping = threading.Event()
        self._pause = pause or self._stopping.wait
        self._again = threading.Event()
        self.watchdog = Watchdog(self._stalled, self._given_up, clock)
        self._gave_up = False
        self._lock, self._encoding = threading.Lock(), threading.Lock()
        self._frame: Frame | None = None
        self._jpeg: tuple[Frame, bytes] | None = None
        self._latencies: deque[float] = deque(maxlen=LATENCIES_KEPT)
        self._thread = threading.Thread(target=self.run, name="watch", daemon=True)

    def start(self) -> None:
        self.watchdog.start(self._stopping)
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
        pipeline, self._gave_up = Pipeline(self._reader, calibration=self._calibration, stills=isinstance(self.camera, Stills)), False
        for frame, stalled in self.watchdog.attended(self.camera.frames()):
            if self._stopping.is_set():
                return
            self._show(frame, pipeline.idle)
            self._keep(frame, pipeline.idle)
            if self._again.is_set():
                self._again.clear()
                pipeline.read_again()
            for event in self._seen(pipeline, frame, stalled):
                self._note(event)
                self._tell(event)
            if pipeline.idle and isinstance(self.camera, Naps):
                self.camera.nap(NAP_S)
        if self._gave_up:
            raise CameraUnavailable(f"{self.camera.name} has stopped giving pictures; pull its plug and put it in again")

    @staticmethod
    def _seen(pipeline: Pipeline, frame: Frame, stalled: bool) -> Iterator[TrayEvent]:
        """What the eyes tell of this frame. Where it ends a stall that they do not tell of themselves, its end comes first."""
        for event in pipeline.process(frame):
            if stalled and not isinstance(event, Blind):
                yield Sighted(frame.at_s)
            stalled = False
            yield event
        if stalled:
            yield Sighted(frame.at_s)

    def _stalled(self, last_s: float) -> None:
        """From the watchdog's thread: no frame has come for long."""
        if not self._stopping.is_set():
            log.warning("%s gives no pictures", self.camera.name)
            self._tell(Blind(last_s, Trouble.FROZEN))

    def _given_up(self) -> None:
        """From the watchdog's thread: has the wait for a frame end, where the camera can be opened again."""
        if self._reopen is not None and not self._stopping.is_set():
            self._gave_up = True
            with suppress(Exception):  # a driver that hangs may fail at anything
                self.camera.close()

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
        self._tell(CameraLost(lost))
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
            self._tell(CameraRestored(self.camera.name))
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
    return encoded(picture, JPEG_QUALITY)
