"""Whether the camera sees the tray, frame by frame."""

from __future__ import annotations

import numpy as np

from table.common.tray import TrayState
from tests.vision.corruptions import FPS, corrupted, out_of_focus, skin, still_frames
from vision.frames import Frame, Picture
from vision.settling.settle import SettleDetector
from vision.simulation import random_tray
from vision.tray.calibration import Calibration, StoredCalibration
from vision.tray.reference_view import ReferenceView
from vision.tray.region import TrayRegion
from vision.view import View


def tray() -> Picture:
    return random_tray(np.random.default_rng(1), 5, size_wh=(400, 300))[0]


def troubles(readable: bool) -> set[TrayState | None]:
    """The troubles of a picture that loses its focus. readable: dice are still read surely."""
    view, seen = View(SettleDetector(), None), set[TrayState | None]()
    for frame in corrupted(still_frames(tray(), 8), 4, 8, out_of_focus(0.01)):
        if readable:
            view.mark_readable(frame.at_s)
        view.check(frame)
        seen.add(view.trouble)
    return seen


def test_a_picture_out_of_focus_is_a_trouble_unless_its_dice_are_read_surely() -> None:
    assert troubles(readable=False) == {None, TrayState.BLURRED}
    assert troubles(readable=True) == {None}


def test_a_camera_that_is_covered_from_the_start_is_not_called_moved() -> None:
    """Of a tray whose place is known, nothing is found behind the cover."""
    corners = ((0.1, 0.1), (0.9, 0.1), (0.9, 0.9), (0.1, 0.9))
    stored = StoredCalibration(TrayRegion(corners), ReferenceView.of(tray()))
    motion = SettleDetector()
    view, seen = View(motion, Calibration(stored)), set[TrayState | None]()
    for frame in corrupted(still_frames(tray(), 6), 0, 6, skin):
        view.check(frame)
        motion.update(frame)
        seen.add(view.trouble)
    assert seen == {None, TrayState.COVERED}


def test_a_pause_between_frames_is_a_gap_in_which_a_throw_may_be_missed() -> None:
    view, picture = View(SettleDetector(), None), tray()
    gaps = [view.check(Frame(picture, at_s)).gap for at_s in (0.0, 0.1, 0.2, 0.9, 1.0)]
    assert gaps == [False, False, False, True, False]


def test_the_first_frame_after_a_finger_lay_on_the_lens_ends_a_gap() -> None:
    """What lies there now may have come meanwhile."""
    motion, gaps = SettleDetector(), list[bool]()
    view = View(motion, None)
    finger = np.full_like(tray(), (12, 14, 90))
    for n in range(4 * FPS + 1):
        picture = finger if 3 * FPS <= n < 4 * FPS else tray()
        frame = Frame(picture, n / FPS)
        gaps.append(view.check(frame).gap)
        motion.update(frame)
    assert not any(gaps[: 3 * FPS])
    assert gaps[4 * FPS]
