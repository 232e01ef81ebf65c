"""A USB webcam, through Video4Linux. A thread takes every frame from the driver; callers get the newest."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Protocol

import cv2
import numpy as np

from table.common.errors import CameraUnavailable
from vision.cameras.holding import ControlHold, ControlMode
from vision.cameras.mains import mains_hz
from vision.cameras.v4l2 import Controls
from vision.frames import Frame, Picture

SIZE_WH = (1280, 960)
"""Requested size; the driver gives the nearest it has. 4:3 like most trays; dice have 60 px and more."""

FIRST_FRAME_TIMEOUT_S = 3.0
"""Longest wait for the first frame: opening a webcam takes up to two seconds."""

FRAME_TIMEOUT_S = 2.0
"""Longest wait for another frame before the camera counts as lost, which people see within three seconds."""

MAX_FAILURES = 10
"""Failed reads in a row that mean that the plug is out; single failures happen on a loose cable."""


class Capture(Protocol):
    """The part of cv2.VideoCapture that is used."""

    def isOpened(self) -> bool: ...  # noqa: N802
    def grab(self) -> bool: ...
    def retrieve(self) -> tuple[bool, Any]: ...
    def release(self) -> None: ...


def webcam_numbers() -> tuple[int, ...]:
    """The N of every /dev/videoN; not all of them are cameras."""
    numbers = (path.name.removeprefix("video") for path in Path("/dev").glob("video*"))
    return tuple(sorted(int(n) for n in numbers if n.isdecimal()))


def v4l2(number: int) -> Capture:
    """Opens /dev/videoN, shortest queue, in MJPEG: uncompressed, USB 2 carries only 7 frames a second."""
    if not Path(f"/dev/video{number}").exists():
        raise CameraUnavailable(
            f"there is no webcam at /dev/video{number}; plug it in, or name another, such as webcam:1"
        )
    capture = cv2.VideoCapture(number, cv2.CAP_V4L2)
    capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
    capture.set(cv2.CAP_PROP_FRAME_WIDTH, SIZE_WH[0])
    capture.set(cv2.CAP_PROP_FRAME_HEIGHT, SIZE_WH[1])
    capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)
    return capture


class Webcam:
    """The webcam at /dev/videoN. Its constructor opens it and waits for the first frame.

    open_capture, open_controls: for tests.
    CameraUnavailable: no webcam, in use by another program, or no frame comes.
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
                f"webcam {number} cannot be opened;"
                " close the program that uses it, or name another, such as webcam:1"
            )
        self._controls, self._control_hold = open_controls(number), ControlHold()
        self._controls.set_mains_hz(mains_hz())
        self._controls.make_automatic()
        self._changed = threading.Condition()
        self._newest: Frame | None = None
        self._closed = self._failed = self._skipping = False
        self._thread = threading.Thread(target=self._grab_frames, name=f"webcam {number}", daemon=True)
        self._thread.start()
        try:
            self._frame_after(None, FIRST_FRAME_TIMEOUT_S)
        except CameraUnavailable:
            self.close()
            raise

    def frames(self) -> Iterator[Frame]:
        """The newest frame, each at most once; CameraUnavailable when no more come."""
        last = None
        while True:
            last = self._frame_after(last)
            if last is None:
                return
            yield last

    def skip_frames(self, seconds: float) -> None:
        """For so long, frames are taken from the driver so that none grows old there, but not decoded."""
        with self._changed:
            self._skipping = True
            self._changed.wait_for(lambda: self._closed or self._failed, seconds)
            self._skipping, self._newest = False, None

    def close(self) -> None:
        """Ends the frames and releases the device, after the current read."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()
        if threading.current_thread() is not self._thread:
            self._thread.join(FRAME_TIMEOUT_S)

    def _frame_after(self, last: Frame | None, timeout_s: float = FRAME_TIMEOUT_S) -> Frame | None:
        """The newest frame, once it is not `last`; None after close()."""
        with self._changed:
            self._changed.wait_for(
                lambda: self._closed or self._failed or self._newest not in (None, last), timeout_s
            )
            if self._closed:
                return None
            if self._newest in (None, last):
                raise CameraUnavailable(f"webcam {self.number} gives no frames; check its cable")
            return self._newest

    def _grab_frames(self) -> None:
        """The thread: reads frames until close(), or until too many reads failed in a row."""
        failures = 0
        while not self._closed and failures < MAX_FAILURES:
            got, picture = self._capture.grab(), None
            if got and not self._skipping:
                got, picture = self._capture.retrieve()
            failures = 0 if got else failures + 1
            if picture is not None and got:
                self._publish(np.asarray(picture, np.uint8))
        self._controls.make_automatic()  # so that other programs find the webcam as usual
        self._controls.close()
        self._capture.release()
        with self._changed:
            self._failed = failures >= MAX_FAILURES
            self._changed.notify_all()

    def _publish(self, picture: Picture) -> None:
        at_s = self._clock() - self._opened
        with self._changed:
            self._newest = Frame(picture, at_s)
            self._changed.notify_all()
        mode = self._control_hold.update(picture, at_s)
        if mode is ControlMode.HELD:
            self._controls.hold()
        elif mode is ControlMode.AUTOMATIC:
            self._controls.make_automatic()
