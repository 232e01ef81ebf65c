"""The Raspberry Pi's own camera, through picamera2. The only file that imports it, and only when such a camera is opened.

What the camera gives is asked, never assumed: the format it was really set to, and which controls this sensor has.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import cv2
import numpy as np

from table.common.errors import CameraUnavailable
from vision.cameras.holding import Holding, Wish
from vision.cameras.mains import mains_hz
from vision.frames import Frame, Picture

SIZE_WH = (1280, 960)
"""4:3 as the sensors are, so that nothing of the tray is cut off; dice of 60 px and more."""

FPS = 30.0

AF_MANUAL, AF_CONTINUOUS = 0, 2
"""libcamera's AfModeEnum; numbers, so that nothing of libcamera is needed to load this file."""

FLICKER_MANUAL = 1
"""libcamera's AeFlickerModeEnum. The Pi knows no automatic one, so that the period has to be told."""

OPENING_S = 3.0
"""The first frame may take so long."""

PATIENCE_S = 2.0
"""Without another frame for so long the camera counts as lost; people are to know within three seconds."""

FROM_FORMAT: Mapping[str, int | None] = {
    "RGB888": None,  # libcamera names by significance: in memory this is blue, green, red
    "BGR888": cv2.COLOR_RGB2BGR,
    "XRGB8888": cv2.COLOR_BGRA2BGR,
    "XBGR8888": cv2.COLOR_RGBA2BGR,
    "YUV420": cv2.COLOR_YUV2BGR_I420,
    "YVU420": cv2.COLOR_YUV2BGR_YV12,
    "NV12": cv2.COLOR_YUV2BGR_NV12,
    "NV21": cv2.COLOR_YUV2BGR_NV21,
    "YUYV": cv2.COLOR_YUV2BGR_YUYV,
    "MJPEG": cv2.COLOR_RGB2BGR,  # picamera2 has decoded it
}


def as_bgr(array: Any, pixel_format: str, size_wh: tuple[int, int]) -> Picture:
    """What picamera2 gave, as a picture of this size; CameraUnavailable for a format that is not known here."""
    if pixel_format not in FROM_FORMAT:
        raise CameraUnavailable(f"the camera gives {pixel_format}; known are {', '.join(FROM_FORMAT)}")
    code = FROM_FORMAT[pixel_format]
    picture = array if code is None else cv2.cvtColor(array, code)
    w, h = size_wh
    return np.ascontiguousarray(picture[:h, :w], np.uint8)


def held_controls(available: Mapping[str, Any], metadata: Mapping[str, Any]) -> dict[str, Any]:
    """Controls that keep exposure, colours and focus as this frame had them; only such as this camera has."""
    held: dict[str, Any] = {}
    if {"AeEnable", "ExposureTime", "AnalogueGain"} <= set(available) and {"ExposureTime", "AnalogueGain"} <= set(metadata):
        held |= {"AeEnable": False, "ExposureTime": metadata["ExposureTime"], "AnalogueGain": metadata["AnalogueGain"]}
    if {"AwbEnable", "ColourGains"} <= set(available) and "ColourGains" in metadata:
        held |= {"AwbEnable": False, "ColourGains": metadata["ColourGains"]}
    if {"AfMode", "LensPosition"} <= set(available) and "LensPosition" in metadata:
        held |= {"AfMode": AF_MANUAL, "LensPosition": metadata["LensPosition"]}
    return held


def found_controls(available: Mapping[str, Any]) -> dict[str, Any]:
    """Controls that let exposure, colours and focus find themselves; only such as this camera has.

    Exposure keeps to whole half waves of the mains, where there is little enough light for it: so lamps draw no bands.
    """
    found: dict[str, Any] = {"AeEnable": True, "AwbEnable": True, "AfMode": AF_CONTINUOUS}
    if {"AeFlickerMode", "AeFlickerPeriod"} <= set(available):
        found |= {"AeFlickerMode": FLICKER_MANUAL, "AeFlickerPeriod": round(1e6 / (2 * mains_hz()))}
    return {name: value for name, value in found.items() if name in available}


class PiCamera:
    """The first camera that picamera2 finds.

    make: gives the picamera2 object; for tests. CameraUnavailable: picamera2 is not installed, no camera is found, or it is in use.
    """

    name = "Raspberry Pi camera"

    def __init__(
        self, size_wh: tuple[int, int] = SIZE_WH, make: Callable[[], Any] | None = None, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._clock, self._opened, self._over = clock, clock(), threading.Event()
        self.device = (make or _first_camera)()
        try:
            self._configure(size_wh)
            self.device.start()
        except Exception as error:
            self.close()
            raise CameraUnavailable(f"the Raspberry Pi camera cannot be started ({error}); close the program that uses it") from error
        main = self.device.camera_configuration()["main"]
        self.pixel_format: str = main["format"]
        self.size_wh: tuple[int, int] = (int(main["size"][0]), int(main["size"][1]))

    def frames(self) -> Iterator[Frame]:
        """The newest frame, each once; CameraUnavailable when no more come."""
        holding, last_s = Holding(), -1.0
        while not self._over.is_set():
            array, metadata = self._taken(OPENING_S if last_s < 0 else PATIENCE_S)
            if self._over.is_set():
                return
            at_s = max(self._clock() - self._opened, last_s + 1e-4)
            last_s = at_s
            picture = as_bgr(array, self.pixel_format, self.size_wh)
            self._obey(holding.see(picture, at_s), metadata)
            yield Frame(picture, at_s)

    def nap(self, seconds: float) -> None:
        """Takes no frame out of the driver for so long; the driver writes over them."""
        self._over.wait(seconds)

    def close(self) -> None:
        if not self._over.is_set():
            self._over.set()
            self.device.close()

    def _configure(self, size_wh: tuple[int, int]) -> None:
        wanted = {"size": size_wh, "format": "RGB888"}
        self.device.configure(self.device.create_video_configuration(main=wanted, buffer_count=4))
        frame_us = round(1e6 / FPS)
        controls = found_controls(self.device.camera_controls)
        if "FrameDurationLimits" in self.device.camera_controls:
            controls["FrameDurationLimits"] = (frame_us, frame_us)
        self._set(controls)

    def _obey(self, wish: Wish | None, metadata: Mapping[str, Any]) -> None:
        if wish is Wish.HOLD:
            self._set(held_controls(self.device.camera_controls, metadata))
        elif wish is Wish.FIND:
            self._set(found_controls(self.device.camera_controls))

    def _set(self, controls: dict[str, Any]) -> None:
        if controls:
            self.device.set_controls(controls)

    def _taken(self, patience_s: float) -> tuple[Any, Mapping[str, Any]]:
        """One frame's array, copied out of the driver's buffer, and its metadata."""
        try:
            request = self.device.capture_request(wait=patience_s)
        except Exception as error:
            if self._over.is_set():
                return None, {}
            raise CameraUnavailable(f"the Raspberry Pi camera gives no frames ({error}); check its ribbon cable") from error
        try:
            return request.make_array("main"), request.get_metadata()
        finally:
            request.release()


def _first_camera() -> Any:
    try:
        from picamera2 import Picamera2
    except Exception as error:  # not only ImportError: picamera2 fails in many ways where libcamera is missing or too old
        raise CameraUnavailable(
            f"picamera2 cannot be used ({error}); on Raspberry Pi OS: sudo apt install python3-picamera2"
        ) from error
    if not Picamera2.global_camera_info():
        raise CameraUnavailable("no Raspberry Pi camera is found; check its ribbon cable with the power off")
    try:
        return Picamera2()
    except Exception as error:
        raise CameraUnavailable(f"the Raspberry Pi camera cannot be opened ({error}); close the program that uses it") from error
