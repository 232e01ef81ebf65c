"""Notices from outside that a camera gives no more frames: whoever waits for the next one cannot."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator

from vision.frames import Frame
from vision.liveness import STALLED_S

CHECK_S = 0.25
"""Between two checks."""

GIVEN_UP_S = 4.0
"""After so long without a frame the camera is to be opened anew; a USB bus that was only busy has come back by then."""


class Watchdog:
    """Times the waits for frames, in a thread of its own once started.

    stalled: called once a wait, when it has lasted STALLED_S, with the time of the last frame on the camera's clock.
    given_up: called once a wait, when it has lasted GIVEN_UP_S.
    Before the first frame cameras have a patience of their own; what is done with a frame is no wait.
    """

    def __init__(
        self, stalled: Callable[[float], None], given_up: Callable[[], None], clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._stalled, self._given_up, self._clock = stalled, given_up, clock
        self._lock = threading.Lock()
        self._since_s: float | None = None
        self._told = self._gave_up = False
        self._last_s = 0.0

    def start(self, stopping: threading.Event) -> None:
        """Checks until `stopping` is set."""
        threading.Thread(target=self._run, args=(stopping,), name="watchdog", daemon=True).start()

    def attended(self, frames: Iterator[Frame]) -> Iterator[tuple[Frame, bool]]:
        """The same frames, their waits timed; and of each whether it came after a stall."""
        try:
            frame = next(frames, None)
            while frame is not None:
                yield frame, self._heard()
                with self._lock:
                    self._since_s, self._last_s = self._clock(), frame.at_s
                frame = next(frames, None)
        finally:
            self._heard()

    def _heard(self) -> bool:
        """Ends the wait; True when it was told as a stall."""
        with self._lock:
            told = self._told
            self._since_s, self._told, self._gave_up = None, False, False
            return told

    def check(self) -> None:
        """Tells of the wait under way what is to be told now."""
        with self._lock:
            waited_s = 0.0 if self._since_s is None else self._clock() - self._since_s
            stalled = waited_s >= STALLED_S and not self._told
            given_up = waited_s >= GIVEN_UP_S and not self._gave_up
            self._told, self._gave_up = self._told or stalled, self._gave_up or given_up
            last_s = self._last_s
        if stalled:
            self._stalled(last_s)
        if given_up:
            self._given_up()

    def _run(self, stopping: threading.Event) -> None:
        while not stopping.wait(CHECK_S):
            self.check()
