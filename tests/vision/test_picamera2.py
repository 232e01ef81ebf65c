"""The Pi's camera: pixel formats and controls. Needs no Pi."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
import pytest

from table.common.errors import CameraUnavailable
from tests.vision.fake_devices import BLUE, FakePi, plain
from vision.cameras.picamera2 import (
    AF_MANUAL,
    FROM_FORMAT,
    PiCamera,
    as_bgr,
    automatic_controls,
    held_controls,
)

ALL_CONTROLS = dict.fromkeys(
    (
        "AeEnable",
        "ExposureTime",
        "AnalogueGain",
        "AwbEnable",
        "ColourGains",
        "AfMode",
        "LensPosition",
        "FrameDurationLimits",
        "AeFlickerMode",
        "AeFlickerPeriod",
    )
)


def yuv(code: int) -> Any:
    return cv2.cvtColor(plain(), code)


def interleaved(i420: Any, swapped: bool = False) -> Any:
    """NV12 (or NV21) of an I420 picture."""
    h = i420.shape[0] * 2 // 3
    u, v = i420[h:].reshape(2, -1)
    return np.concatenate([i420[:h], np.stack([v, u] if swapped else [u, v], axis=1).reshape(h // 2, -1)])


@pytest.mark.parametrize(
    ("pixel_format", "array"),
    [
        ("RGB888", plain()),
        ("BGR888", plain()[..., ::-1].copy()),
        ("XRGB8888", cv2.cvtColor(plain(), cv2.COLOR_BGR2BGRA)),
        ("XBGR8888", cv2.cvtColor(plain(), cv2.COLOR_BGR2RGBA)),
        ("YUV420", yuv(cv2.COLOR_BGR2YUV_I420)),
        ("YVU420", yuv(cv2.COLOR_BGR2YUV_YV12)),
        ("NV12", interleaved(yuv(cv2.COLOR_BGR2YUV_I420))),
        ("NV21", interleaved(yuv(cv2.COLOR_BGR2YUV_I420), swapped=True)),
        ("MJPEG", plain()[..., ::-1].copy()),
    ],
)
def test_every_pixel_format_of_a_pi_is_converted_to_bgr(pixel_format: str, array: Any) -> None:
    assert pixel_format in FROM_FORMAT
    picture = as_bgr(array, pixel_format, (64, 48))
    assert picture.shape == (48, 64, 3)
    assert np.abs(picture.astype(int) - BLUE).max() <= 4


def test_padding_at_the_end_of_rows_is_cut_off() -> None:
    padded = np.full((72, 128), 16, np.uint8)
    padded[48:] = 128
    assert as_bgr(padded, "YUV420", (100, 48)).shape == (48, 100, 3)


def test_an_unknown_format_is_refused() -> None:
    with pytest.raises(CameraUnavailable, match="SRGGB10"):
        as_bgr(plain(), "SRGGB10", (64, 48))


def test_exposure_colours_and_focus_are_held_once_they_have_settled() -> None:
    now = [0.0]
    device = FakePi("RGB888", plain(), ALL_CONTROLS)
    frames = PiCamera(make=lambda: device, clock=lambda: now[0]).frames()
    next(frames)
    assert device.set == [automatic_controls(ALL_CONTROLS) | {"FrameDurationLimits": (33333, 33333)}]
    assert device.set[0]["AeEnable"] is True
    now[0] = 2.0
    next(frames)
    next(frames)
    assert device.set[-1]["AeEnable"] is False
    assert device.set[-1]["ExposureTime"] == 8000
    assert device.set[-1]["AfMode"] == AF_MANUAL
    assert len(device.set) == 2
    assert device.released == 3


def test_exposure_adapts_when_a_lamp_is_switched_and_stays_in_step_with_the_mains() -> None:
    now = [0.0]
    device = FakePi("RGB888", plain((90, 90, 90)), ALL_CONTROLS)
    frames = PiCamera(make=lambda: device, clock=lambda: now[0]).frames()
    for now[0] in (0.1, 2.0, 3.0):
        next(frames)
    assert [controls["AeEnable"] for controls in device.set] == [True, False]
    device.array = plain((20, 20, 20))
    for now[0] in (3.1, 4.2, 6.0):
        next(frames)
    assert [controls["AeEnable"] for controls in device.set] == [True, False, True, False]
    assert device.set[2]["AeFlickerPeriod"] in (10000, 8333)


def test_controls_that_a_camera_lacks_are_never_set() -> None:
    assert held_controls({"AeEnable": None}, {"ExposureTime": 1, "AnalogueGain": 1.0}) == {}
    assert held_controls(ALL_CONTROLS, {}) == {}
    device = FakePi("RGB888", plain(), {})
    PiCamera(make=lambda: device)
    assert device.set == []


def test_a_pi_camera_that_stops_is_lost() -> None:
    device = FakePi("RGB888", plain(), {})
    camera = PiCamera(make=lambda: device)
    frames = camera.frames()
    next(frames)
    device.fails = True
    with pytest.raises(CameraUnavailable, match="ribbon cable"):
        next(frames)
    camera.close()
    camera.close()
    assert device.closed == 1
