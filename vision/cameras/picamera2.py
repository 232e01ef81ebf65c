"""The Raspberry Pi's own camera. Only this file imports picamera2, and only when such a camera is opened.

The pixel format and the available controls are asked from the camera, not assumed.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import cv2
import numpy as np

from table.common.errors import CameraUnavailable
from vision.cameras.holding import ControlHold, ControlMode
from vision.cameras.mains import mains_hz
from vision.frames import Frame, Picture

SIZE_WH = (1280, 960)
"""4:3 like the sensors, so that no part of the tray is cut off; dice have 60 px and more."""

FPS = 30.0

AF_MANUAL, AF_CONTINUOUS = 0, 2
"""libcamera's AfModeEnum as numbers, so that this file loads without libcamera."""

FLICKER_MANUAL = 1
"""libcamera's AeFlickerModeEnum. The Pi has no automatic mode, so the period has to be set."""

FIRST_FRAME_TIMEOUT_S = 3.0
"""Longest wait for the first frame."""

FRAME_TIMEOUT_S = 2.0
"""Longest wait for another frame before the camera counts as lost, which people see within three seconds."""

FROM_FORMAT: Mapping[str, int | None] = {
    "RGB888": None,  # libcamera names formats by significance: in memory this is blue, green, red
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
    """The array from picamera2 as a picture of this size; CameraUnavailable for an unknown pixel format."""
    if pixel_format not in FROM_FORMAT:
        raise CameraUnavailable(
            f"the camera gives the pixel format {pixel_format}; expected {' or '.join(FROM_FORMAT)}"
        )
    code = FROM_FORMAT[pixel_format]
    picture = array if code is None else cv2.cvtColor(array, code)
    w, h = size_wh
    return np.ascontiguousarray(picture[:h, :w], np.uint8)


def held_controls(available: Mapping[str, Any], metadata: Mapping[str, Any]) -> dict[str, Any]:
    """Controls that hold exposure, colours and focus as in this frame; only those that this camera has."""
    controls: dict[str, Any] = {}
    exposure = {"ExposureTime", "AnalogueGain"}
    if {"AeEnable", *exposure} <= set(available) and exposure <= set(metadata):
        controls |= {
            "AeEnable": False,
            "ExposureTime": metadata["ExposureTime"],
            "AnalogueGain": metadata["AnalogueGain"],
        }
    if {"AwbEnable", "ColourGains"} <= set(available) and "ColourGains" in metadata:
        controls |= {"AwbEnable": False, "ColourGains": metadata["ColourGains"]}
    if {"AfMode", "LensPosition"} <= set(available) and "LensPosition" in metadata:
        controls |= {"AfMode": AF_MANUAL, "LensPosition": metadata["LensPosition"]}
    return controls


def automatic_controls(available: Mapping[str, Any]) -> dict[str, Any]:
    """Controls that make exposure, colours and focus automatic; only those that this camera has.

    In enough light the exposure is a multiple of half waves of the mains, so that lamps draw no bands.
    """
    controls: dict[str, Any] = {"AeEnable": True, "AwbEnable": True, "AfMode": AF_CONTINUOUS}
    if {"AeFlickerMode", "AeFlickerPeriod"} <= set(available):
        controls |= {"AeFlickerMode": FLICKER_MANUAL, "AeFlickerPeriod": round(1e6 / (2 * mains_hz()))}
    return {name: value for name, value in controls.items() if name in available}


class PiCamera:
    """The first camera that picamera2 finds.

    make: creates the picamera2 object; for tests.
    CameraUnavailable: picamera2 is not installed, there is no camera, or it is in use.
    """

    name = "Raspberry Pi camera"

    def __init__(
        self,
        size_wh: tuple[int, int] = SIZE_WH,
        make: Callable[[], Any] | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._clock, self._opened, self._closed = clock, clock(), threading.Event()
        self.device = (make or _first_camera)()
        try:
            self._configure(size_wh)
            self.device.start()
        except Exception as error:
            self.close()
            raise CameraUnavailable(
                f"the Raspberry Pi camera cannot be started ({error}); close the program that uses it"
            ) from error
        main = self.device.camera_configuration()["main"]
        self.pixel_format: str = main["format"]
        self.size_wh: tuple[int, int] = (int(main["size"][0]), int(main["size"][1]))

    def frames(self) -> Iterator[Frame]:
        """The newest frame, each once; CameraUnavailable when no more come."""
        hold, last_s = ControlHold(), -1.0
        while not self._closed.is_set():
            array, metadata = self._capture(FIRST_FRAME_TIMEOUT_S if last_s < 0 else FRAME_TIMEOUT_S)
            if self._closed.is_set():
                return
            at_s = max(self._clock() - self._opened, last_s + 1e-4)
            last_s = at_s
            picture = as_bgr(array, self.pixel_format, self.size_wh)
            self._set_mode(hold.update(picture, at_s), metadata)
            yield Frame(picture, at_s)

    def skip_frames(self, seconds: float) -> None:
        """Takes no frame from the driver for so long; the driver overwrites them."""
        self._closed.wait(seconds)

    def close(self) -> None:
        if not self._closed.is_set():
            self._closed.set()
            self.device.close()

    def _configure(self, size_wh: tuple[int, int]) -> None:
        wanted = {"size": size_wh, "format": "RGB888"}
        self.device.configure(self.device.create_video_configuration(main=wanted, buffer_count=4))
        frame_us = round(1e6 / FPS)
        controls = automatic_controls(self.device.camera_controls)
        if "FrameDurationLimits" in self.device.camera_controls:
            controls["FrameDurationLimits"] = (frame_us, frame_us)
        self._set(controls)

    def _set_mode(self, mode: ControlMode | None, metadata: Mapping[str, Any]) -> None:
        if mode is ControlMode.HELD:
            self._set(held_controls(self.device.camera_controls, metadata))
        elif mode is ControlMode.AUTOMATIC:
            self._set(automatic_controls(self.device.camera_controls))

    def _set(self, controls: dict[str, Any]) -> None:
        if controls:
            self.device.set_controls(controls)

    def _capture(self, timeout_s: float) -> tuple[Any, Mapping[str, Any]]:
        """One frame's array, copied from the driver's buffer, and its metadata."""
        try:
            request = self.device.capture_request(wait=timeout_s)
        except Exception as error:
            if self._closed.is_set():
                return None, {}
            raise CameraUnavailable(
                f"the Raspberry Pi camera gives no frames ({error}); check its ribbon cable"
            ) from error
        try:
            return request.make_array("main"), request.get_metadata()
        finally:
            request.release()


def _first_camera() -> Any:
    try:
        from picamera2 import Picamera2
    except Exception as error:  # picamera2 raises more than ImportError where libcamera is missing or too old
        raise CameraUnavailable(
            f"picamera2 cannot be used ({error}); on Raspberry Pi OS: sudo apt install python3-picamera2"
        ) from error
    if not Picamera2.global_camera_info():
        raise CameraUnavailable(
            "no Raspberry Pi camera was found; switch off the Pi and check the camera's ribbon cable"
        )
    try:
        return Picamera2()
    except Exception as error:
        raise CameraUnavailable(
            f"the Raspberry Pi camera cannot be opened ({error}); close the program that uses it"
        ) from error
