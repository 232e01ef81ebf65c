"""Fakes of the drivers of cameras, which record the calls, and a small clip."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import cv2
import numpy as np

BLUE, RED = (200, 40, 20), (20, 40, 200)


def plain(bgr: tuple[int, int, int] = BLUE) -> np.ndarray[Any, np.dtype[np.uint8]]:
    return np.full((48, 64, 3), bgr, np.uint8)


def written_clip(folder: Path, frames: int = 5) -> Path:
    path = folder / "clip.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 10, (64, 48))
    for n in range(frames):
        writer.write(plain((40 * n, 100, 100)))
    writer.release()
    return path


class FakeCapture:
    """A driver that gives this many frames, numbered by their brightness, and then fails.

    It waits for `go` before each frame except the first.
    """

    def __init__(self, frames: int, opened: bool = True) -> None:
        self.left, self.opened, self.released = frames, opened, 0
        self.given = self.decoded = 0
        self.go = threading.Semaphore(1)

    def isOpened(self) -> bool:  # noqa: N802
        return self.opened

    def grab(self) -> bool:
        if self.given >= self.left:
            return False
        self.go.acquire()
        self.given += 1
        return True

    def retrieve(self) -> tuple[bool, Any]:
        self.decoded += 1
        return True, np.full((4, 4, 3), self.given, np.uint8)

    def release(self) -> None:
        self.released += 1


class FakePi:
    """A camera of picamera2 with this pixel format. It records the calls."""

    def __init__(self, pixel_format: str, array: Any, controls: Mapping[str, Any]) -> None:
        self.pixel_format, self.array, self.camera_controls = pixel_format, array, controls
        self.set: list[dict[str, Any]] = []
        self.asked: dict[str, Any] = {}
        self.closed = self.released = 0
        self.fails = False

    def create_video_configuration(self, **wanted: Any) -> dict[str, Any]:
        return wanted

    def configure(self, wanted: dict[str, Any]) -> None:
        self.asked = wanted

    def start(self) -> None:
        pass

    def camera_configuration(self) -> dict[str, Any]:
        return {"main": {"format": self.pixel_format, "size": (64, 48)}}

    def set_controls(self, controls: dict[str, Any]) -> None:
        assert set(controls) <= set(self.camera_controls)
        self.set.append(controls)

    def capture_request(self, wait: float) -> FakePi:
        if self.fails:
            raise TimeoutError("timed out")
        return self

    def make_array(self, name: str) -> Any:
        return self.array

    def get_metadata(self) -> dict[str, Any]:
        return {"ExposureTime": 8000, "AnalogueGain": 2.0, "ColourGains": (1.5, 1.8), "LensPosition": 3.0}

    def release(self) -> None:
        self.released += 1

    def close(self) -> None:
        self.closed += 1
