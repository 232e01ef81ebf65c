"""A webcam's own settings, through Video4Linux: anti-flicker, exposure, white balance and focus.

OpenCV has no name for the mains frequency, and its names for the others mean other things with every back end; the kernel's are the
same for every webcam. What a driver has not is passed over: a table must not fail for want of a setting.
Numbers: linux/videodev2.h and linux/v4l2-controls.h.
"""

from __future__ import annotations

import logging
import os
import struct
from collections.abc import Callable

try:
    from fcntl import ioctl
except ImportError:  # no Linux: then there is no /dev/video either
    ioctl = None  # type: ignore[assignment]

VIDIOC_G_CTRL, VIDIOC_S_CTRL = 0xC008561B, 0xC008561C
CONTROL = struct.Struct("=Ii")
"""struct v4l2_control: which, and its value."""

POWER_LINE_FREQUENCY = 0x00980918
WHITE_BALANCE_AUTO = 0x0098090C
EXPOSURE_AUTO, EXPOSURE_ABSOLUTE = 0x009A0901, 0x009A0902
FOCUS_AUTO = 0x009A090C

LINE_FREQUENCY = {50: 1, 60: 2}
"""By Hz, the kernel's number for it."""

EXPOSURE_MANUAL, EXPOSURE_BY_ITSELF = 1, 3
"""Webcams know these two of four: 3 is called aperture priority, and leaves exposure and gain to the camera."""

Ioctl = Callable[[int, int, bytes], bytes]

log = logging.getLogger("brehon.cameras")


def kernel_ioctl(fd: int, request: int, argument: bytes) -> bytes:
    """The kernel's answer; OSError where the driver has no such control."""
    if ioctl is None:
        raise OSError("no Video4Linux here")
    return ioctl(fd, request, argument)


class Controls:
    """The settings of /dev/videoN, on a descriptor of its own: a driver lets them be set while another reads frames.

    open_, ask: for tests.
    """

    def __init__(self, number: int, open_: Callable[[str, int], int] = os.open, ask: Ioctl = kernel_ioctl) -> None:
        self._ask, self._path = ask, f"/dev/video{number}"
        self._fd: int | None = None
        try:
            self._fd = open_(self._path, os.O_RDWR)
        except OSError as error:
            log.debug("%s has no settings: %s", self._path, error)

    def set(self, control: int, value: int) -> bool:
        """True when the driver took it."""
        return self._answer(VIDIOC_S_CTRL, control, value) is not None

    def get(self, control: int) -> int | None:
        """None where the driver has no such control."""
        return self._answer(VIDIOC_G_CTRL, control, 0)

    def find(self) -> None:
        """Lets the camera find exposure, white balance and focus by itself."""
        for control, value in ((EXPOSURE_AUTO, EXPOSURE_BY_ITSELF), (WHITE_BALANCE_AUTO, 1), (FOCUS_AUTO, 1)):
            self.set(control, value)

    def hold(self) -> None:
        """Keeps exposure, white balance and focus as they are."""
        exposure = self.get(EXPOSURE_ABSOLUTE)
        if exposure is not None and self.set(EXPOSURE_AUTO, EXPOSURE_MANUAL):
            self.set(EXPOSURE_ABSOLUTE, exposure)
        self.set(WHITE_BALANCE_AUTO, 0)
        self.set(FOCUS_AUTO, 0)

    def against_flicker(self, mains_hz: int) -> None:
        """Has the camera's own exposure keep to whole half waves of the mains, so that lamps draw no bands."""
        self.set(POWER_LINE_FREQUENCY, LINE_FREQUENCY[mains_hz])

    def close(self) -> None:
        if self._fd is not None:
            os.close(self._fd)
            self._fd = None

    def _answer(self, request: int, control: int, value: int) -> int | None:
        if self._fd is None:
            return None
        try:
            answer = self._ask(self._fd, request, CONTROL.pack(control, value))
        except OSError as error:
            log.debug("%s: control %#x: %s", self._path, control, error)
            return None
        return int(CONTROL.unpack(answer)[1])
