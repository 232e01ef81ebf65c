"""The capture loop: a camera and a pipeline in a thread of their own, and the events they yield.

It keeps the newest frame for the page, and reopens a camera that was lost.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import count

import cv2
import numpy as np

from table.common.errors import CameraUnavailable
from table.common.tray import TrayState
from vision.dice_reader import DiceReader
from vision.events import CameraLost, CameraRestored, Ended, Settled, StateChanged, TrayEvent
from vision.frames import Camera, Frame, Picture, SkipsFrames, Stills
from vision.health.watchdog import Watchdog
from vision.motion_jpeg import encoded
from vision.pipeline import Pipeline
from vision.tray.calibration import Calibration

BACKOFF_S = (0.5, 1.0)
"""Waits between attempts to open a lost camera again; the last one repeats. A camera that is plugged in again
has to work within three seconds, of which opening it and the first reading take up to two. A failed attempt
costs little."""

IDLE_SKIP_S = 0.1
"""Wait between frames of an idle tray: ten frames a second. A hand that reaches in, takes a die and leaves is
in the picture for half a second and more."""

IDLE_REFRESH_S = 1.0
"""Interval at which the page's picture of an idle tray is renewed. It would be the same, and a JPEG costs
more than the detection."""

GLANCE_WH = (32, 24)
"""Size of the small grey picture by which two pictures of an idle tray are compared, px: a die still covers
about one pixel, and the camera's noise is averaged away."""

CHANGE_LEVELS = 6
"""Least change of one pixel of that picture that makes a new picture, grey levels (0 to 255). Noise of a dim
webcam changes it by 1 or 2 levels; a die that is moved, or a shadow, by 10 and more."""

JPEG_QUALITY = 82
"""For the page: pips stay crisp, 60 kB at 800 x 600."""

log = logging.getLogger("brehon.vision")


@dataclass(frozen=True)
class Latency:
    """Time from rest to the last reading, ms, and the number of readings; 0 before the first."""

    last_ms: float = 0.0
    readings: int = 0


class CaptureLoop:
    """Runs a camera and a reader in a thread of its own and reports what happens on the tray.

    on_event: called from that thread; must not block (a queue's `put`). calibration: where the tray lies;
    None: everywhere. on_frame: called from that thread with every frame, and whether the tray is idle; must
    not block either. reopen: opens a lost camera again; None: a loss is final. pause: waits this many
    seconds, returns True if the loop was stopped meanwhile; for tests. clock: seconds, used for the waits for
    frames only.
    """

    def __init__(
        self,
        camera: Camera,
        reader: DiceReader,
        on_event: Callable[[TrayEvent], None],
        *,
        calibration: Calibration | None = None,
        on_frame: Callable[[Frame, bool], None] = lambda frame, idle: None,
        reopen: Callable[[], Camera] | None = None,
        pause: Callable[[float], bool] | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.camera = camera
        self._reader, self._on_event, self._on_frame, self._reopen = reader, on_event, on_frame, reopen
        self._calibration = calibration
        self._stopping = threading.Event()
        self._pause = pause or self._stopping.wait
        self._read_requested = threading.Event()
        self._sticks_watched = False, False
        self._numbers = count()
        self.watchdog = Watchdog(self._report_stall, self._abandon_camera, clock)
        self._abandoned = False
        self._lock, self._encoding = threading.Lock(), threading.Lock()
        self._frame: Frame | None = None
        self._picture_number, self._glance = 0, _glance(None)
        self._jpeg: tuple[Frame, bytes] | None = None
        self._latency = Latency()
        self._thread = threading.Thread(target=self.run, name="capture", daemon=True)

    def start(self) -> None:
        self.watchdog.start(self._stopping)
        self._thread.start()

    def stop(self) -> None:
        """Stops the loop and closes the camera; safe to call twice and from any thread."""
        self._stopping.set()
        self.camera.close()

    def join(self, timeout_s: float | None = None) -> None:
        """Waits for the thread; returns at once if it was never started."""
        if self._thread.ident is not None:
            self._thread.join(timeout_s)

    def run(self) -> None:
        """The thread's work, also callable without one. Returns after stop(), at the end of the source, or
        after a final loss."""
        while not self._stopping.is_set():
            try:
                self._run_camera()
                if not self._stopping.is_set():
                    self._on_event(Ended())
                return
            except CameraUnavailable as lost:
                if self._stopping.is_set() or not self._try_reopen(lost):
                    return
            except Exception as error:  # a driver's error, for instance: it is reported, and the loop goes on
                if self._stopping.is_set() or not self._try_reopen(_unusable(error)):
                    return

    def read_again(self) -> None:
        """Requests another reading, reported as Settled: at once if the tray is at rest, else when it is."""
        self._read_requested.set()

    def watch_sticks(self, on: bool, coins: bool = False) -> None:
        """Reads sticks too from the next frame on, or dice only. May be called from any thread.

        coins: the game is played with coins in place of sticks.
        """
        self._sticks_watched = on, coins

    @property
    def latest_frame(self) -> Frame | None:
        """The newest frame; None before the first."""
        with self._lock:
            return self._frame

    @property
    def picture_number(self) -> int | None:
        """A number that grows when the tray looks different; None before the first frame."""
        with self._lock:
            return self._picture_number or None

    def latest_jpeg(self) -> bytes | None:
        """The tray as a JPEG, encoded on demand and at most once a frame; None before the first frame.

        It shows the newest frame. On an idle tray the frame may be up to IDLE_REFRESH_S older.
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
        """Time from rest to the last reading; for measurements."""
        with self._lock:
            return self._latency

    def _run_camera(self) -> None:
        """Processes one opening of the camera, from its first frame to its last. Raises CameraUnavailable if
        it was abandoned."""
        self._abandoned = False
        stills = isinstance(self.camera, Stills)
        pipeline = Pipeline(self._reader, calibration=self._calibration, stills=stills, numbers=self._numbers)
        for frame, stalled in self.watchdog.timed(self.camera.frames()):
            if self._stopping.is_set():
                return
            self._keep_latest(frame, pipeline.idle)
            self._on_frame(frame, pipeline.idle)
            if self._read_requested.is_set():
                self._read_requested.clear()
                pipeline.read_again()
            pipeline.watch_sticks(*self._sticks_watched)
            for event in self._events_of(pipeline, frame, stalled):
                self._record_latency(event)
                self._on_event(event)
            if pipeline.idle and isinstance(self.camera, SkipsFrames):
                self.camera.skip_frames(IDLE_SKIP_S)
        if self._abandoned:
            raise CameraUnavailable(
                f"{self.camera.name} has stopped giving pictures; unplug it and plug it in again"
            )

    @staticmethod
    def _events_of(pipeline: Pipeline, frame: Frame, stalled: bool) -> Iterator[TrayEvent]:
        """The pipeline's events for this frame. If the frame ends a stall and the pipeline does not report
        that itself, the state WAITING comes first."""
        observed_again = StateChanged(frame.at_s, TrayState.WAITING)
        for event in pipeline.process(frame):
            if stalled and not (isinstance(event, StateChanged) and event.state.blind):
                yield observed_again
            stalled = False
            yield event
        if stalled:
            yield observed_again

    def _report_stall(self, last_s: float) -> None:
        """Called from the watchdog's thread: no frame has come for long."""
        if not self._stopping.is_set():
            log.warning("%s gives no pictures", self.camera.name)
            self._on_event(StateChanged(last_s, TrayState.FROZEN))

    def _abandon_camera(self) -> None:
        """Called from the watchdog's thread: closes the camera to end the wait for a frame, if the camera can
        be opened again."""
        if self._reopen is not None and not self._stopping.is_set():
            self._abandoned = True
            with suppress(Exception):  # a driver that hangs may raise anything
                self.camera.close()

    def _keep_latest(self, frame: Frame, idle: bool) -> None:
        """Keeps the frame for the page; on an idle tray only one in IDLE_REFRESH_S."""
        kept = self.latest_frame
        if kept is not None and idle and frame.at_s - kept.at_s < IDLE_REFRESH_S:
            return
        glance = _glance(frame.picture)
        changed = kept is None or not idle or _differ(glance, self._glance)
        if changed:
            self._glance = glance
        with self._lock:
            self._frame = frame
            self._picture_number += changed

    def _record_latency(self, event: TrayEvent) -> None:
        if isinstance(event, Settled):
            with self._lock:
                self._latency = Latency(event.latency_ms, self._latency.readings + 1)

    def _try_reopen(self, lost: CameraUnavailable) -> bool:
        """Reports the loss once, then tries to open the camera until that works. False if it cannot be
        reopened, or after stop()."""
        log.warning("the camera was lost: %s", lost)
        self._on_event(CameraLost(lost))
        with suppress(Exception):  # a driver that is gone may raise anything
            self.camera.close()
        attempt = 0
        while self._reopen and not self._pause(BACKOFF_S[min(attempt, len(BACKOFF_S) - 1)]):
            try:
                self.camera = self._reopen()
            except Exception as error:
                log.debug("the camera cannot be opened yet: %s", error)
                attempt += 1
                continue
            log.info("%s is open", self.camera.name)
            self._on_event(CameraRestored(self.camera.name))
            return not self._stopped_meanwhile()
        return False

    def _stopped_meanwhile(self) -> bool:
        """True if stop() came while the camera was being opened. The new camera is then closed here, because
        stop() only knew the old one."""
        if self._stopping.is_set():
            self.camera.close()
        return self._stopping.is_set()


def _unusable(error: Exception) -> CameraUnavailable:
    """The error of a driver or a picture as a CameraUnavailable."""
    log.error("the capture loop failed on a frame", exc_info=error)
    why = f"{type(error).__name__}: {error}"
    return CameraUnavailable(
        f"the camera's pictures cannot be used ({why}); start the table again if it stays so"
    )


def _glance(picture: Picture | None) -> Picture:
    """The picture in grey and GLANCE_WH; black for None."""
    if picture is None:
        return np.zeros(GLANCE_WH[::-1], np.uint8)
    small = cv2.resize(picture, GLANCE_WH, interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), np.uint8)


def _differ(a: Picture, b: Picture) -> bool:
    return int(cv2.absdiff(a, b).max()) >= CHANGE_LEVELS


def as_jpeg(picture: Picture) -> bytes:
    """The picture as a JPEG for the page."""
    return encoded(picture, JPEG_QUALITY)
