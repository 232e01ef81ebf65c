"""Sources of frames: files, folders, webcams and the Pi's camera, and the choice among them."""

from __future__ import annotations

import itertools
import logging
import threading
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from table.common.errors import BrehonError, CameraUnavailable
from vision.cameras import CAMERAS, open_camera, reopener
from vision.cameras.awaited import AwaitedCamera
from vision.cameras.choosing import first_real_camera
from vision.cameras.mains import mains_hz
from vision.cameras.pacing import Pacer
from vision.cameras.picamera2 import AF_MANUAL, FROM_FORMAT, PiCamera, as_bgr, automatic_controls, held_controls
from vision.cameras.picture_folder import PictureFolder
from vision.cameras.simulated import SimulatedCamera
from vision.cameras.v4l2 import Controls
from vision.cameras.video import MAX_GAP_S, Times, VideoFile
from vision.cameras.webcam import MAX_FAILURES, Webcam
from vision.frames import Camera, Frame, SkipsFrames

BLUE, RED = (200, 40, 20), (20, 40, 200)


def plain(bgr: tuple[int, int, int] = BLUE) -> np.ndarray[Any, np.dtype[np.uint8]]:
    return np.full((48, 64, 3), bgr, np.uint8)


# --- choosing -----------------------------------------------------------------------------------------------


def test_the_simulated_tray_is_opened_by_name() -> None:
    assert isinstance(open_camera("simulated"), SimulatedCamera)


def test_a_file_and_a_folder_are_opened_by_name(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "a.png"), plain())
    assert open_camera(f"pictures:{tmp_path}").name == f"pictures {tmp_path.name}"
    assert open_camera(f"video:{written_clip(tmp_path)}").name == "video clip.avi"


@pytest.mark.parametrize("spec", ["telescope", "video", "video:", "pictures", "picamera2:1", "simulated:2", "auto:x", "real:1"])
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


# --- pacing -------------------------------------------------------------------------------------------------


def test_recorded_frames_keep_their_times_and_none_is_dropped() -> None:
    now = [0.0]
    frames = [Frame(plain(), n / 10) for n in range(4)]
    assert [f.at_s for f in Pacer(None).paced(frames)] == [f.at_s for f in frames]
    late = Pacer(1.0, clock=lambda: now[0]).paced(frames)
    first = next(late)
    now[0] = 9.0  # far behind: all others come at once
    assert [first, *late] == frames


def test_closing_ends_a_pending_wait_for_a_frame() -> None:
    pacer = Pacer(1.0)
    frames = pacer.paced([Frame(plain(), 0), Frame(plain(), 3600)])
    next(frames)
    threading.Timer(0.02, pacer.close).start()
    assert list(frames) == []


# --- videos and pictures ------------------------------------------------------------------------------------


def written_clip(folder: Path, frames: int = 5) -> Path:
    path = folder / "clip.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 10, (64, 48))
    for n in range(frames):
        writer.write(plain((40 * n, 100, 100)))
    writer.release()
    return path


def test_every_frame_of_a_video_has_the_time_of_the_file(tmp_path: Path) -> None:
    frames = list(VideoFile(written_clip(tmp_path), speed=None).frames())
    assert [f.at_s for f in frames] == pytest.approx([0, 0.1, 0.2, 0.3, 0.4])
    assert [round(float(f.picture[..., 0].mean()) / 40) for f in frames] == [0, 1, 2, 3, 4]


@pytest.mark.parametrize(
    ("stamps", "times"),
    [
        ([0, 0.1, 0.2], [0, 0.1, 0.2]),
        ([5, 5.1, 5.2], [0, 0.1, 0.2]),
        ([0, 0.1, 4.1, 4.2], [0, 0.1, 4.1, 4.2]),
        ([0, 0, 0, 0], [0, 0.04, 0.08, 0.12]),
        ([0, 0.1, 0.1, 0.3], [0, 0.1, 0.14, 0.34]),
        ([0, 0.1, -1, -0.9], [0, 0.1, 0.14, 0.24]),
        ([0, 0.1, MAX_GAP_S + 1, MAX_GAP_S + 1.1], [0, 0.1, 0.14, 0.24]),
    ],
    ids=["even", "late start", "pause", "missing", "repeated", "backwards", "leap"],
)
def test_a_broken_timestamp_changes_no_other_interval(stamps: list[float], times: list[float]) -> None:
    clock = Times(0.04)
    assert [clock.next_s(stamp) for stamp in stamps] == pytest.approx(times)


def test_a_video_can_be_closed_before_and_after_its_end(tmp_path: Path) -> None:
    video = VideoFile(written_clip(tmp_path), speed=None)
    frames = video.frames()
    next(frames)
    video.close()
    assert list(frames) == []
    video.close()


def test_a_file_that_is_no_video_is_refused(tmp_path: Path) -> None:
    (tmp_path / "notes.mp4").write_text("not a video")
    with pytest.raises(CameraUnavailable, match=r"notes\.mp4 cannot be opened"):
        VideoFile(tmp_path / "notes.mp4")


def test_pictures_are_repeated_in_the_order_of_their_names(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "b.png"), plain(RED))
    cv2.imwrite(str(tmp_path / "a.PNG"), plain(BLUE))
    frames = list(PictureFolder(tmp_path, speed=None, hold_s=0.3, fps=10).frames())
    assert [tuple(f.picture[0, 0]) for f in frames] == [BLUE] * 3 + [RED] * 3
    assert [f.at_s for f in frames] == pytest.approx([0, 0.1, 0.2, 0.3, 0.4, 0.5])


def test_unreadable_pictures_are_skipped_with_a_warning(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "broken.jpg").write_bytes(b"\xff\xd8 no")
    (tmp_path / "empty.jpg").touch()
    cv2.imwrite(str(tmp_path / "good.png"), plain())
    with caplog.at_level(logging.WARNING):
        frames = list(PictureFolder(tmp_path, speed=None, hold_s=0.1, fps=10).frames())
    assert len(frames) == 1
    assert "broken.jpg" in caplog.text
    assert "empty.jpg" in caplog.text


def test_a_folder_without_pictures_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CameraUnavailable, match="no pictures"):
        PictureFolder(tmp_path)


# --- webcam -------------------------------------------------------------------------------------------------


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


def test_a_webcam_gives_each_new_frame_once() -> None:
    capture = FakeCapture(3)
    camera = Webcam(5, lambda number: capture)
    frames = camera.frames()
    assert camera.name == "webcam 5"
    assert next(frames).picture[0, 0, 0] == 1
    capture.go.release()
    assert next(frames).picture[0, 0, 0] == 2
    capture.go.release()
    camera.close()
    assert list(frames) == []
    assert capture.released == 1


def test_a_webcam_decodes_nothing_while_it_skips_frames_and_then_gives_a_new_one() -> None:
    capture = FakeCapture(20)
    camera = Webcam(0, lambda number: capture)
    frames = camera.frames()
    next(frames)
    skipping_thread = threading.Thread(target=camera.skip_frames, args=(0.5,))
    skipping_thread.start()
    while not camera._skipping:
        pass
    for _ in range(10):
        capture.go.release()
    skipping_thread.join()
    assert capture.given == 11
    assert capture.decoded <= 2  # the one before, and one in progress
    capture.go.release()
    assert next(frames).picture[0, 0, 0] == 12
    camera.close()
    capture.go.release()


def test_closing_ends_the_skipping_of_frames() -> None:
    capture = FakeCapture(2)
    camera = Webcam(0, lambda number: capture)
    skipping_thread = threading.Thread(target=camera.skip_frames, args=(60,))
    skipping_thread.start()
    capture.go.release()
    camera.close()
    skipping_thread.join(5)
    assert not skipping_thread.is_alive()


def test_a_recording_skips_no_frames(tmp_path: Path) -> None:
    """Every frame is processed. A capture loop that skipped time between them would fall behind."""
    assert not isinstance(open_camera(f"video:{written_clip(tmp_path)}"), SkipsFrames)
    assert isinstance(SimulatedCamera(), SkipsFrames)


def test_an_unplugged_webcam_is_lost() -> None:
    capture = FakeCapture(1)
    frames = Webcam(0, lambda number: capture).frames()
    with pytest.raises(CameraUnavailable, match="check its cable"):
        list(itertools.islice(frames, MAX_FAILURES))


class FakeControls(Controls):
    """A webcam's controls that record the calls."""

    def __init__(self) -> None:
        self.changes: list[str] = []

    def set_mains_hz(self, mains_hz: int) -> None:
        self.changes.append(f"{mains_hz} Hz")

    def make_automatic(self) -> None:
        self.changes.append("automatic")

    def hold(self) -> None:
        self.changes.append("hold")

    def close(self) -> None:
        self.changes.append("closed")


def test_controls_of_a_webcam_are_held_after_settling_and_automatic_after_closing() -> None:
    now, capture, controls = [0.0], FakeCapture(2), FakeControls()
    camera = Webcam(0, lambda number: capture, clock=lambda: now[0], open_controls=lambda number: controls)
    frames = camera.frames()
    next(frames)
    now[0] = 2.0
    capture.go.release()
    next(frames)
    camera.close()
    assert controls.changes == [f"{mains_hz()} Hz", "automatic", "hold", "automatic", "closed"]


def test_a_webcam_in_use_is_refused() -> None:
    with pytest.raises(CameraUnavailable, match="close the program that uses it"):
        Webcam(0, lambda number: FakeCapture(0, opened=False))


# --- the Pi's camera ----------------------------------------------------------------------------------------


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
