"""Opening a camera by its name, and opening a lost one again."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import cv2
import pytest

from table.common.errors import BrehonError, CameraUnavailable
from tests.vision.fake_devices import FakeCapture, FakePi, plain, written_clip
from vision.cameras import CAMERAS, open_camera, reopener
from vision.cameras.awaited import AwaitedCamera
from vision.cameras.choosing import first_real_camera
from vision.cameras.picamera2 import PiCamera
from vision.cameras.simulated import SimulatedCamera
from vision.cameras.webcam import Webcam
from vision.frames import Camera


def test_the_simulated_tray_is_opened_by_name() -> None:
    assert isinstance(open_camera("simulated"), SimulatedCamera)


def test_a_file_and_a_folder_are_opened_by_name(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "a.png"), plain())
    assert open_camera(f"pictures:{tmp_path}").name == f"pictures {tmp_path.name}"
    assert open_camera(f"video:{written_clip(tmp_path)}").name == "video clip.avi"


@pytest.mark.parametrize(
    "spec", ["telescope", "video", "video:", "pictures", "picamera2:1", "simulated:2", "auto:x", "real:1"]
)
def test_an_unknown_name_is_refused_with_the_known_ones(spec: str) -> None:
    with pytest.raises(CameraUnavailable) as refusal:
        open_camera(spec)
    assert CAMERAS in str(refusal.value)


def test_the_first_real_camera_that_opens_is_taken() -> None:
    def missing() -> Webcam:
        raise CameraUnavailable("unplugged")

    def found() -> Webcam:
        return webcam

    webcam = Webcam(1, lambda number: FakeCapture(1))
    assert first_real_camera([missing, found]) is webcam
    with pytest.raises(CameraUnavailable, match="no real camera"):
        first_real_camera([missing])


def test_without_a_real_camera_auto_simulates_and_real_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    def none() -> Camera:
        raise CameraUnavailable("no real camera was found")

    monkeypatch.setattr("vision.cameras.choosing.first_real_camera", none)
    assert isinstance(open_camera("auto"), SimulatedCamera)
    assert isinstance(open_camera("real"), AwaitedCamera)


def test_a_lost_camera_is_reopened_as_the_same_one_or_not_at_all() -> None:
    reopen = reopener(Webcam(3, lambda number: FakeCapture(1)))
    assert isinstance(reopen, partial)
    assert (reopen.func, reopen.args) == (Webcam, (3,))
    assert reopener(PiCamera(make=lambda: FakePi("RGB888", plain(), {}))) is PiCamera
    assert reopener(SimulatedCamera()) is None
    assert reopener(AwaitedCamera()) is first_real_camera


@pytest.mark.parametrize(
    ("spec", "why"),
    [
        ("webcam:x", "number"),
        ("webcam:97", "/dev/video97"),
        ("video:/no/such.mp4", "/no/such.mp4"),
        ("pictures:/no/such", "/no/such"),
    ],
)
def test_a_missing_camera_says_what_to_do(spec: str, why: str) -> None:
    with pytest.raises(CameraUnavailable, match=why) as refusal:
        open_camera(spec)
    assert isinstance(refusal.value, BrehonError)
    assert isinstance(refusal.value, OSError)
