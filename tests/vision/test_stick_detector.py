"""The detector and the classifier of sticks without their nets: turned boxes, outputs and crops."""

from __future__ import annotations

import math

import cv2
import numpy as np
import pytest

from vision.frames import Picture
from vision.reading.stick_classifier import CROP_WH, brightness_levels, corrected_box, level_crop
from vision.reading.stick_detector import (
    ANGLES,
    CELL_OUTPUTS,
    STRIDE,
    StickDetection,
    decoded,
    net_input,
    without_doubles,
)
from vision.turned_box import TurnedBox, angle_between, box_of_quad, shared_area

QUIET = -9.0
"""Logit of a cell without a stick."""


def output(*sticks: tuple[int, int, int]) -> np.ndarray:
    """What the net gives for sticks of 64 x 6 px at these ranges of angles, rows and columns."""
    cells = np.zeros((ANGLES, CELL_OUTPUTS, 10, 12), np.float32)
    cells[:, 0] = QUIET
    for n, (angle, row, col) in enumerate(sticks):
        cells[angle, 0, row, col] = 4.0 - n
    return cells.reshape(-1, 10, 12)


def test_a_peak_is_a_stick_with_its_middle_angle_and_sides() -> None:
    (found,) = decoded(output((0, 4, 5)))
    assert found.box.centre_xy == (5.5 * STRIDE - 0.5, 4.5 * STRIDE - 0.5)
    assert math.degrees(found.box.angle) == pytest.approx(15)
    assert (found.box.length, found.box.width) == (64, 6)
    assert found.score == pytest.approx(1 / (1 + math.exp(-4)))


def test_two_sticks_that_cross_in_their_middles_are_both_found() -> None:
    found = without_doubles(decoded(output((0, 4, 5), (3, 4, 5))))
    assert [round(math.degrees(d.box.angle)) for d in found] == [15, 105]


def test_like_sticks_side_by_side_in_neighbouring_cells_are_both_found() -> None:
    cells = output((5, 4, 5), (5, 5, 5)).reshape(ANGLES, CELL_OUTPUTS, 10, 12)
    assert len(without_doubles(decoded(cells.reshape(-1, 10, 12)))) == 2


def test_a_stick_between_two_ranges_of_angles_is_found_once() -> None:
    cells = output((0, 4, 5), (5, 4, 6)).reshape(ANGLES, CELL_OUTPUTS, 10, 12)
    cells[0, 3], cells[5, 3] = -0.9, 0.9  # the angles of both are near 0
    assert len(without_doubles(decoded(cells.reshape(-1, 10, 12)))) == 1


def test_of_two_detections_of_one_stick_the_stronger_stays() -> None:
    box = TurnedBox((100, 100), 0.5, 80, 8)
    moved = TurnedBox((104, 102), 0.55, 70, 8)
    beside = TurnedBox((100, 120), 0.5, 80, 8)
    found = [StickDetection(box, 0.9), StickDetection(moved, 0.8), StickDetection(beside, 0.7)]
    assert [d.score for d in without_doubles(found)] == [0.9, 0.7]


def test_the_net_gets_sides_of_whole_cells() -> None:
    assert net_input(np.zeros((180, 313, 3), np.uint8)).shape == (1, 3, 192, 320)


@pytest.mark.parametrize("first", range(4))
def test_a_quad_gives_its_box_at_whichever_corner_it_begins(first: int) -> None:
    box = TurnedBox((50, 60), 0.4, 100, 12)
    quad = box.quad[first:] + box.quad[:first]
    again = box_of_quad(quad)  # type: ignore[arg-type]
    assert (again.length, again.width) == (pytest.approx(100), pytest.approx(12))
    assert angle_between(again.angle, 0.4) == pytest.approx(0, abs=1e-6)
    assert again.centre_xy == (pytest.approx(50), pytest.approx(60))


def test_boxes_share_the_square_in_which_they_cross() -> None:
    level, upright = TurnedBox((50, 50), 0.0, 80, 10), TurnedBox((50, 50), math.pi / 2, 80, 10)
    assert shared_area(level.quad, upright.quad) == pytest.approx(100, abs=1)
    assert shared_area(level.quad, TurnedBox((50, 80), 0.0, 80, 10).quad) == 0


def marked(angle: float, length: float) -> tuple[Picture, TurnedBox]:
    """A picture of a white stick with a red foot, and its box."""
    picture = np.zeros((400, 400, 3), np.uint8)
    box = TurnedBox((200, 190), angle, length, length / 10)
    cv2.fillConvexPoly(picture, np.rint(box.quad).astype(np.int32), (255, 255, 255))
    foot = (200 - 0.47 * length * math.cos(angle), 190 - 0.47 * length * math.sin(angle))
    cv2.circle(picture, (round(foot[0]), round(foot[1])), round(length / 40), (0, 0, 255), -1)
    return picture, box


@pytest.mark.parametrize("angle", [0.0, 0.7, 1.6, 3.0])
@pytest.mark.parametrize("length", [90.0, 200.0, 600.0])
def test_a_crop_shows_the_stick_level_with_its_foot_at_the_left(angle: float, length: float) -> None:
    picture, box = marked(angle, min(length, 200.0))
    if length > 300:
        picture, box = np.asarray(cv2.resize(picture, None, fx=3, fy=3), np.uint8), box.scaled(3)
    crop = level_crop(picture, box).astype(int)
    assert crop.shape == (CROP_WH[1], CROP_WH[0], 3)
    assert crop[16, 40:216].min() > 200 > crop[2].max(), "the stick is level and the ground above it"
    red = crop[16, :, 2] - crop[16, :, 0]
    assert 10 < int(red.argmax()) < 40
    turned = level_crop(picture, box, turned=True).astype(int)
    assert np.abs(turned[::-1, ::-1] - crop).mean() < 3


def test_the_levels_of_brightness_are_those_of_the_whole_picture() -> None:
    picture = np.full((300, 400, 3), 40, np.uint8)
    picture[:30] = 200
    assert brightness_levels(picture) == pytest.approx([40, 200], abs=1)
    assert brightness_levels(picture[50:]) == pytest.approx([40, 40], abs=1)


def test_corrections_move_turn_and_resize_a_box_in_its_own_axes() -> None:
    box = TurnedBox((100, 100), math.pi / 2, 80, 10)
    moved = corrected_box(box, np.array([0.1, 0.5, 0.5, math.log(1.1), 0.0]))
    assert moved.centre_xy == (pytest.approx(95), pytest.approx(108))
    assert moved.angle == pytest.approx(math.pi / 2 + 0.05)
    assert (moved.length, moved.width) == (pytest.approx(88), pytest.approx(10))
