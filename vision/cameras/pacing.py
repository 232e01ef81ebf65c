"""Plays recorded frames no faster than they were taken."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Iterator

from vision.frames import Frame


class Pacer:
    """Delays every frame until its time.

    speed: multiple of real time; None: no delay. clock: seconds, monotonic.
    """

    def __init__(self, speed: float | None = 1.0, clock: Callable[[], float] = time.monotonic) -> None:
        self._speed, self._clock = speed, clock
        self._closed = threading.Event()

    def paced(self, frames: Iterable[Frame]) -> Iterator[Frame]:
        """The same frames, none dropped, each at its time; ends after close()."""
        opened = self._clock()
        for frame in frames:
            if self._speed is not None:
                self._closed.wait(max(0.0, opened + frame.at_s / self._speed - self._clock()))
            if self._closed.is_set():
                return
            yield frame

    def close(self) -> None:
        """Ends the frames, even during a delay."""
        self._closed.set()
