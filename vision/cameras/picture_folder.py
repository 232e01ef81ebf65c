"""A folder of pictures as a camera: each picture is repeated for a while, as if the dice had come to rest."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import cv2
import numpy as np

from table.common.errors import CameraUnavailable
from vision.cameras.pacing import Pacer
from vision.frames import Frame, Picture

HOLD_S = 2.5
"""How long each picture is shown: it settles even if the change from the last one looks like a hand."""

FPS = 10.0
"""Frames per second; each repeats its picture."""

ENDINGS = frozenset({".jpg", ".jpeg", ".png", ".webp", ".bmp", ".tif", ".tiff"})

log = logging.getLogger("brehon.cameras")


class PictureFolder:
    """The pictures of a folder by name, after EXIF rotation; unreadable ones are skipped with a warning.

    speed: multiple of real time; None: as fast as frames are requested.
    CameraUnavailable: no folder, or no picture in it.
    """

    def __init__(
        self,
        folder: Path,
        speed: float | None = 1.0,
        clock: Callable[[], float] = time.monotonic,
        hold_s: float = HOLD_S,
        fps: float = FPS,
    ) -> None:
        self.name = f"pictures {folder.name}"
        self.stills = True
        if not folder.is_dir():
            raise CameraUnavailable(
                f"there is no folder {folder}; give a folder with pictures, such as pictures:photos"
            )
        self._paths = sorted(path for path in folder.iterdir() if path.suffix.lower() in ENDINGS)
        if not self._paths:
            raise CameraUnavailable(
                f"there are no pictures in {folder}; their names must end in {', '.join(sorted(ENDINGS))}"
            )
        self._frames_each, self._fps = max(round(hold_s * fps), 1), fps
        self._pacer = Pacer(speed, clock)

    def frames(self) -> Iterator[Frame]:
        return self._pacer.paced(self._repeated())

    def close(self) -> None:
        self._pacer.close()

    def _repeated(self) -> Iterator[Frame]:
        n = 0
        for path in self._paths:
            picture = read_picture(path)
            for _ in range(self._frames_each if picture is not None else 0):
                assert picture is not None
                yield Frame(picture, n / self._fps)
                n += 1


def read_picture(path: Path) -> Picture | None:
    """The picture in this file; None, with a warning in the log, if there is none."""
    picture = cv2.imdecode(np.frombuffer(path.read_bytes() or b"?", np.uint8), cv2.IMREAD_COLOR)
    if picture is None:
        log.warning("%s cannot be read as a picture and is skipped", path)
        return None
    return np.asarray(picture, np.uint8)
