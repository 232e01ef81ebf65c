"""A video file as a camera: every frame, on the file's own clock."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import cv2
import numpy as np

from table.errors import CameraUnavailable
from vision.cameras.pacing import Pacer
from vision.frames import Frame
from vision.quiet import quiet

FALLBACK_FPS = 30.0
"""For files that do not say how fast they are."""


class VideoFile:
    """Frames of a video (or an animated GIF), none dropped.

    speed: times as fast as real time, None as fast as they are asked for. CameraUnavailable: no file, or none that OpenCV can decode.
    """

    def __init__(self, path: Path, speed: float | None = 1.0, clock: Callable[[], float] = time.monotonic) -> None:
        self.name = f"video {path.name}"
        if not path.is_file():
            raise CameraUnavailable(f"there is no video {path}; give the path of a file, as in video:clips/throw.mp4")
        with quiet():
            self._capture = cv2.VideoCapture(str(path))
        if not self._capture.isOpened():
            raise CameraUnavailable(f"{path} cannot be opened as a video; MP4 with H.264, AVI with MJPEG and GIF usually can")
        self._pacer = Pacer(speed, clock)

    def frames(self) -> Iterator[Frame]:
        try:
            yield from self._pacer.paced(self._decoded())
        finally:
            self._capture.release()

    def close(self) -> None:
        self._pacer.close()

    def _decoded(self) -> Iterator[Frame]:
        fps = self._capture.get(cv2.CAP_PROP_FPS)
        step_s = 1 / fps if 0 < fps < 1000 else 1 / FALLBACK_FPS
        at_s = -step_s
        while True:
            got, picture = self._capture.read()
            if not got:
                return
            stamp_s = self._capture.get(cv2.CAP_PROP_POS_MSEC) / 1000
            at_s = stamp_s if at_s < stamp_s < at_s + 100 * step_s else at_s + step_s
            yield Frame(np.asarray(picture, np.uint8), at_s)
