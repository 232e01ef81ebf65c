"""Sets a webcam's controls through Video4Linux: anti-flicker, exposure, white balance and focus.

OpenCV has no name for the mains frequency, and its names for the other controls differ in meaning between
back ends; the kernel's are the same for every webcam. A missing control is not an
error. Numbers: linux/videodev2.h and linux/v4l2-controls.h.
"""

from __future__ import annotations

import logging
import os
import struct
from collections.abc import Callable

try:
    from fcntl import ioctl
except ImportError:  # not on Linux: there is no /dev/video either
    ioctl = None  # type: ignore[assignment]

VIDIOC_G_CTRL, VIDIOC_S_CTRL = 0xC008561B, 0xC008561C
CONTROL = struct.Struct("=Ii")
"""struct v4l2_control: id and value."""

POWER_LINE_FREQUENCY = 0x00980918
WHITE_BALANCE_AUTO = 0x0098090C
EXPOSURE_AUTO, EXPOSURE_ABSOLUTE = 0x009A0901, 0x009A0902
FOCUS_AUTO = 0x009A090C

LINE_FREQUENCY = {50: 1, 60: 2}
"""The kernel's number for each frequency, Hz."""

EXPOSURE_MANUAL, EXPOSURE_APERTURE_PRIORITY = 1, 3
"""Two of the four modes, which webcams know; aperture priority leaves exposure and gain to the camera."""

Ioctl = Callable[[int, int, bytes], bytes]

log = logging.getLogger("brehon.cameras")


def kernel_ioctl(fd: int, request: int, argument: bytes) -> bytes:
    """The kernel's answer; OSError if the driver has no such control."""
    if ioctl is None:
        raise OSError("no Video4Linux here")
    return ioctl(fd, request, argument)


class Controls:
    """The controls of /dev/videoN, on its own descriptor: they can be set while another one reads frames.

    open_, ioctl_: for tests.
    """

    def __init__(
        self, number: int, open_: Callable[[str, int], int] = os.open, ioctl_: Ioctl = kernel_ioctl
    ) -> None:
        self._ioctl, self._path = ioctl_, f"/dev/video{number}"
        self._fd: int | None = None
        try:
            self._fd = open_(self._path, os.O_RDWR)
        except OSError as error:
            log.debug("%s has no settings: %s", self._path, error)

    def set(self, control: int, value: int) -> bool:
        """Whether the driver accepted the value."""
        return self._request(VIDIOC_S_CTRL, control, value) is not None

    def get(self, control: int) -> int | None:
        """The value; None if the driver has no such control."""
        return self._request(VIDIOC_G_CTRL, control, 0)

    def make_automatic(self) -> None:
        """Makes exposure, white balance and focus automatic."""
        for control, value in (
            (EXPOSURE_AUTO, EXPOSURE_APERTURE_PRIORITY),
            (WHITE_BALANCE_AUTO, 1),
            (FOCUS_AUTO, 1),
        ):
            self.set(control, value)

    def hold(self) -> None:
        """Keeps exposure, white balance and focus as they are."""
        exposure = self.get(EXPOSURE_ABSOLUTE)
        if exposure is not None and self.set(EXPOSURE_AUTO, EXPOSURE_MANUAL):
            self.set(EXPOSURE_ABSOLUTE, exposure)
        self.set(WHITE_BALANCE_AUTO, 0)
        self.set(FOCUS_AUTO, 0)

    def set_mains_hz(self, mains_hz: int) -> None:
        """Keeps the exposure at multiples of half waves of the mains, so that lamps draw no bands."""
        self.set(POWER_LINE_FREQUENCY, LINE_FREQUENCY[mains_hz])

    def close(self) -> None:
        if self._fd is not None:
            os.close(self._fd)
            self._fd = None

    def _request(self, request: int, control: int, value: int) -> int | None:
        if self._fd is None:
            return None
        try:
            answer = self._ioctl(self._fd, request, CONTROL.pack(control, value))
        except OSError as error:
            log.debug("%s: control %#x: %s", self._path, control, error)
            return None
        return int(CONTROL.unpack(answer)[1])
