"""A video file as a camera: every frame, by the file's own clock."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import cv2
import numpy as np

from table.common.errors import CameraUnavailable
from vision.cameras.pacing import Pacer
from vision.frames import Frame
from vision.stderr_capture import captured_stderr

FALLBACK_FPS = 30.0
"""For files that do not state their rate."""

MAX_FPS = 1000.0
"""A higher stated rate is taken for an error."""

MAX_GAP_S = 600.0
"""Longest gap of a recording that stores only changes; a longer one is a broken timestamp."""

MISSING_SHARE = 0.05
"""Share of a file's stated frames that may be missing: for files of varying rate it is an estimate."""

MISSING_S = 0.5
"""A recording that misses more than this at its end is reported as broken off; many miss a frame or two."""


class VideoFile:
    """Frames of a video (or an animated GIF), none dropped.

    speed: multiple of real time; None: as fast as frames are requested.
    CameraUnavailable: no file, or none that OpenCV can decode.
    trouble: once the frames have ended, a sentence if the file breaks off before its stated end, else "".
    """

    def __init__(
        self, path: Path, speed: float | None = 1.0, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.name = f"video {path.name}"
        self.trouble = ""
        self._path = path
        if not path.is_file():
            raise CameraUnavailable(
                f"there is no video {path}; give the path of a file, such as video:clips/throw.mp4"
            )
        with captured_stderr():
            self._capture = cv2.VideoCapture(str(path))
        if not self._capture.isOpened():
            raise CameraUnavailable(
                f"{path} cannot be opened as a video; try MP4 with H.264, AVI with MJPEG, or GIF"
            )
        self._pacer = Pacer(speed, clock)

    def frames(self) -> Iterator[Frame]:
        try:
            yield from self._pacer.paced(self._decoded())
        finally:
            self._capture.release()

    def close(self) -> None:
        self._pacer.close()

    def _decoded(self) -> Iterator[Frame]:
        timestamps, at_s, count = Times(1 / self._fps), 0.0, 0
        while True:
            got, picture = self._capture.read()
            if not got:
                self.trouble = self._trouble(count, at_s)
                return
            at_s, count = timestamps.next_s(self._capture.get(cv2.CAP_PROP_POS_MSEC) / 1000), count + 1
            yield Frame(np.asarray(picture, np.uint8), at_s)

    @property
    def _fps(self) -> float:
        stated = self._capture.get(cv2.CAP_PROP_FPS)
        return stated if 0 < stated < MAX_FPS else FALLBACK_FPS

    def _trouble(self, count: int, ended_s: float) -> str:
        """The message for a file that gave `count` frames and ended there; "" if it states no more."""
        if count == 0:
            return f"{self._path} holds no picture that can be decoded; copy it again, or record it again"
        missing = self._capture.get(cv2.CAP_PROP_FRAME_COUNT) - count
        if missing <= max(MISSING_SHARE * count, MISSING_S * self._fps):
            return ""
        return (
            f"{self._path} breaks off after {ended_s:.1f} s,"
            f" {missing / self._fps:.1f} s before its stated end"
        )


class Times:
    """Converts a recording's timestamps to the times of its frames, s from the first.

    A frame whose timestamp is missing, repeats, goes back or leaps ahead comes one step after the previous
    frame. Later frames count from there, so one broken timestamp moves no other frame by more than a step.
    """

    def __init__(self, step_s: float) -> None:
        self._step_s = step_s
        self._timestamp_s: float | None = None
        self._at_s = 0.0

    def next_s(self, timestamp_s: float) -> float:
        """The time of the next frame, which has this timestamp."""
        if self._timestamp_s is not None:
            gap_s = timestamp_s - self._timestamp_s
            self._at_s += gap_s if 0 < gap_s < MAX_GAP_S else self._step_s
        self._timestamp_s = timestamp_s
        return self._at_s
