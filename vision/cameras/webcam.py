"""A USB webcam, through Video4Linux: a thread takes every frame off the driver, so that the one handed on is always the newest."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Protocol

import cv2
import numpy as np

from table.common.errors import CameraUnavailable
from vision.cameras.holding import Holding, Wish
from vision.cameras.mains import mains_hz
from vision.cameras.v4l2 import Controls
from vision.frames import Frame, Picture

SIZE_WH = (1280, 960)
"""Asked for; the driver gives the nearest it has. 4:3 as most trays are, dice of 60 px and more."""

OPENING_S = 3.0
"""The first frame may take so long: opening a webcam takes up to two seconds."""

PATIENCE_S = 2.0
"""Without another frame for so long the camera counts as lost; people are to know within three seconds."""

MAX_FAILURES = 10
"""Failed reads in a row that mean the plug is out; single ones happen on a shaky cable."""


class Capture(Protocol):
    """What is used of cv2.VideoCapture."""

    def isOpened(self) -> bool: ...  # noqa: N802
    def grab(self) -> bool: ...
    def retrieve(self) -> tuple[bool, Any]: ...
    def release(self) -> None: ...


def webcam_numbers() -> tuple[int, ...]:
    """The N of every /dev/videoN; some of them are no cameras."""
    numbers = (path.name.removeprefix("video") for path in Path("/dev").glob("video*"))
    return tuple(sorted(int(n) for n in numbers if n.isdecimal()))


def v4l2(number: int) -> Capture:
    """Opens /dev/videoN with the shortest queue, in MJPEG: uncompressed, USB 2 carries only 7 frames a second of this size."""
    if not Path(f"/dev/video{number}").exists():
        raise CameraUnavailable(f"there is no webcam at /dev/video{number}; plug it in, or name another, as in webcam:1")
    capture = cv2.VideoCapture(number, cv2.CAP_V4L2)
    capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
    capture.set(cv2.CAP_PROP_FRAME_WIDTH, SIZE_WH[0])
    capture.set(cv2.CAP_PROP_FRAME_HEIGHT, SIZE_WH[1])
    capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)
    return capture


class Webcam:
    """The webcam at /dev/videoN; opened when made, and it has given a frame by then.

    open_capture, open_controls: for tests. CameraUnavailable: nothing there, in use by another program, or no frame comes.
    """

    def __init__(
        self,
        number: int = 0,
        open_capture: Callable[[int], Capture] = v4l2,
        clock: Callable[[], float] = time.monotonic,
        open_controls: Callable[[int], Controls] = Controls,
    ) -> None:
        self.name = f"webcam {number}"
        self.number, self._clock, self._opened = number, clock, clock()
        self._capture = open_capture(number)
        if not self._capture.isOpened():
            self._capture.release()
            raise CameraUnavailable(
                f"webcam {number} cannot be opened; close the program that uses it, or name another, as in webcam:1"
            )
        self._controls, self._holding = open_controls(number), Holding()
        self._controls.against_flicker(mains_hz())
        self._controls.find()
        self._news = threading.Condition()
        self._newest: Frame | None = None
        self._closed = self._failed = self._napping = False
        self._thread = threading.Thread(target=self._grab, name=f"webcam {number}", daemon=True)
        self._thread.start()
        try:
            self._after(None, OPENING_S)
        except CameraUnavailable:
            self.close()
            raise

    def frames(self) -> Iterator[Frame]:
        """Always the newest frame, each at most once; CameraUnavailable when no more come."""
        last = None
        while True:
            last = self._after(last)
            if last is None:
                return
            yield last

    def nap(self, seconds: float) -> None:
        """Frames are still taken off the driver for so long, lest they grow old there, but not decoded."""
        with self._news:
            self._napping = True
            self._news.wait_for(lambda: self._closed or self._failed, seconds)
            self._napping, self._newest = False, None

    def close(self) -> None:
        """Ends the frames and gives the device back, once the read under way has come."""
        with self._news:
            self._closed = True
            self._news.notify_all()
        if threading.current_thread() is not self._thread:
            self._thread.join(PATIENCE_S)

    def _after(self, last: Frame | None, patience_s: float = PATIENCE_S) -> Frame | None:
        """The newest frame, once it is another than `last`; None after close()."""
        with self._news:
            self._news.wait_for(lambda: self._closed or self._failed or self._newest not in (None, last), patience_s)
            if self._closed:
                return None
            if self._newest in (None, last):
                raise CameraUnavailable(f"webcam {self.number} gives no frames; check its cable")
            return self._newest

    def _grab(self) -> None:
        """The thread: reads frames until close(), or until the camera has failed too often in a row."""
        failures = 0
        while not self._closed and failures < MAX_FAILURES:
            got, picture = self._capture.grab(), None
            if got and not self._napping:
                got, picture = self._capture.retrieve()
            failures = 0 if got else failures + 1
            if picture is not None and got:
                self._hand_on(np.asarray(picture, np.uint8))
        self._controls.find()  # other programs find the webcam as they know it
        self._controls.close()
        self._capture.release()
        with self._news:
            self._failed = failures >= MAX_FAILURES
            self._news.notify_all()

    def _hand_on(self, picture: Picture) -> None:
        at_s = self._clock() - self._opened
        with self._news:
            self._newest = Frame(picture, at_s)
            self._news.notify_all()
        wish = self._holding.see(picture, at_s)
        if wish is Wish.HOLD:
            self._controls.hold()
        elif wish is Wish.FIND:
            self._controls.find()
