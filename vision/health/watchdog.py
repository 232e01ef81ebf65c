"""Notices that a camera delivers no more frames. The thread that waits for the next frame cannot."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator

from vision.frames import Frame
from vision.health.liveness import STALLED_S

CHECK_INTERVAL_S = 0.25
"""Interval of the checks."""

GIVE_UP_AFTER_S = 4.0
"""Time without a frame after which the camera is to be opened again; a USB bus that was only busy has
recovered by then."""


class Watchdog:
    """Times the waits for frames, in a thread of its own once started.

    on_stall: called once a wait, after STALLED_S, with the time of the last frame on the camera's clock.
    on_give_up: called once a wait, after GIVE_UP_AFTER_S. The wait for the first frame is not timed, as
    cameras have a timeout of their own for it; nor is the time in which a frame is processed.
    """

    def __init__(
        self,
        on_stall: Callable[[float], None],
        on_give_up: Callable[[], None],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._on_stall, self._on_give_up, self._clock = on_stall, on_give_up, clock
        self._lock = threading.Lock()
        self._waiting_since_s: float | None = None
        self._stall_reported = self._gave_up = False
        self._last_frame_s = 0.0

    def start(self, stopping: threading.Event) -> None:
        """Checks until `stopping` is set."""
        threading.Thread(target=self._run, args=(stopping,), name="watchdog", daemon=True).start()

    def timed(self, frames: Iterator[Frame]) -> Iterator[tuple[Frame, bool]]:
        """The same frames, each with whether it came after a stall. The waits for them are timed."""
        try:
            frame = next(frames, None)
            while frame is not None:
                yield frame, self._end_wait()
                with self._lock:
                    self._waiting_since_s, self._last_frame_s = self._clock(), frame.at_s
                frame = next(frames, None)
        finally:
            self._end_wait()

    def _end_wait(self) -> bool:
        """Ends the wait. True if it was reported as a stall."""
        with self._lock:
            reported = self._stall_reported
            self._waiting_since_s, self._stall_reported, self._gave_up = None, False, False
            return reported

    def check(self) -> None:
        """Reports the current wait if it is due."""
        with self._lock:
            waited_s = 0.0 if self._waiting_since_s is None else self._clock() - self._waiting_since_s
            stalled = waited_s >= STALLED_S and not self._stall_reported
            given_up = waited_s >= GIVE_UP_AFTER_S and not self._gave_up
            self._stall_reported, self._gave_up = self._stall_reported or stalled, self._gave_up or given_up
            last_frame_s = self._last_frame_s
        if stalled:
            self._on_stall(last_frame_s)
        if given_up:
            self._on_give_up()

    def _run(self, stopping: threading.Event) -> None:
        while not stopping.wait(CHECK_INTERVAL_S):
            self.check()
