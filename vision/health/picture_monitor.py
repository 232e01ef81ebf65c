"""PictureMonitor: the quality of a running camera's picture, measured when somebody asks.

Theory of operation. The monitor keeps the last few frames, which costs nothing. A request measures them, and
requests that follow at once get the same measurements. However many screens ask, the cost is bounded.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable

from vision.frames import Frame
from vision.health.image_quality import ImageQuality, measured

KEPT_FRAMES = 4
"""Number of frames that are measured: three pairs, so that one pair with a passing hand is outvoted."""

INTERVAL_S = 0.3
"""Minimum time between two measurements, s. One takes about 15 ms of a Pi."""


class PictureMonitor:
    """Keeps the newest frames and measures them on request. Thread-safe. clock: seconds, monotonic."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock, self._measuring = threading.Lock(), threading.Lock()
        self._frames: deque[Frame] = deque(maxlen=KEPT_FRAMES)
        self._measured: tuple[float, ImageQuality | None] | None = None

    def on_frame(self, frame: Frame) -> None:
        """Keeps this frame. A picture of another size begins anew."""
        with self._lock:
            if self._frames and self._frames[-1].size_wh != frame.size_wh:
                self._frames.clear()
            self._frames.append(frame)

    def quality(self) -> ImageQuality | None:
        """The quality of the newest frames, up to INTERVAL_S ago; None before the first frame."""
        with self._measuring:
            now_s = self._clock()
            if self._measured is None or now_s - self._measured[0] >= INTERVAL_S:
                with self._lock:
                    frames = list(self._frames)
                self._measured = (now_s, measured(frames) if frames else None)
            return self._measured[1]
