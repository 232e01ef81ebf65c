"""Webcams: new frames, skipped ones, controls and a lost device. Needs no webcam."""

from __future__ import annotations

import itertools
import threading

import pytest

from table.common.errors import CameraUnavailable
from tests.vision.fake_devices import FakeCapture
from vision.cameras.mains import mains_hz
from vision.cameras.v4l2 import Controls
from vision.cameras.webcam import MAX_FAILURES, Webcam


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
