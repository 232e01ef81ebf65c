"""A side that is taken for the upper face makes a photograph unsure; upper faces stay sure."""

from __future__ import annotations

import numpy as np
import pytest

from models.rendering.scenes import render_oblique
from vision.boxes import iou
from vision.reading.ground_plane import normal_xy
from vision.reading.reader import Reader
from vision.reading.upper_face import without_doubtful
from vision.readings import CONFIDENCE_THRESHOLD, SeenDie

SIZE_WH = (1280, 960)
FOCAL_PX = 1280.0
LOW_DEG, SEAT_DEG = 60.0, 35.0
"""Angles of the camera from straight above: low over the table, and where a player sits."""


def die_at(x: float, y: float, normal: tuple[float, float, float], face: int = 4) -> SeenDie:
    """A sure die at this place, px from the picture's middle, whose read face has this normal in the
    camera's axes: right, down, forward."""
    position = np.array([x, y, FOCAL_PX])
    xy = normal_xy(position, np.array(normal))
    box = (SIZE_WH[0] / 2 + x - 40, SIZE_WH[1] / 2 + y - 40, 80.0, 80.0)
    return SeenDie(face, "white", box, 0.99, sure=True, normal_xy=xy, normal_error=0.05)


def upper(tilt_deg: float, roll_deg: float = 0.0) -> tuple[float, float, float]:
    """The normal of the table: the camera is tilt_deg from straight above, and turned by roll_deg."""
    tilt, roll = np.radians([tilt_deg, roll_deg])
    return float(np.sin(tilt) * np.sin(roll)), float(-np.sin(tilt) * np.cos(roll)), float(-np.cos(tilt))


def side(tilt_deg: float, yaw_deg: float = 0.0) -> tuple[float, float, float]:
    """The normal of a die's side in front, for an upright camera; the die is turned by yaw_deg."""
    tilt, yaw = np.radians([tilt_deg, yaw_deg])
    return float(np.sin(yaw)), float(np.cos(tilt) * np.cos(yaw)), float(-np.sin(tilt) * np.cos(yaw))


def sureness(dice: list[SeenDie]) -> list[bool]:
    return [die.sure for die in without_doubtful(dice, SIZE_WH)]


@pytest.mark.parametrize("yaw_deg", [0.0, 20.0, -35.0])
def test_a_side_that_faces_a_low_camera_is_not_sure(yaw_deg: float) -> None:
    assert sureness([die_at(0, 0, side(LOW_DEG, yaw_deg))]) == [False]


@pytest.mark.parametrize("tilt_deg", [0.0, 15.0, SEAT_DEG, LOW_DEG])
def test_the_upper_face_of_a_die_alone_stays_sure(tilt_deg: float) -> None:
    assert sureness([die_at(200, -150, upper(tilt_deg))]) == [True]


@pytest.mark.parametrize("roll_deg", [0.0, 60.0, 120.0, 180.0])
def test_a_camera_nearly_above_may_be_turned_by_any_angle(roll_deg: float) -> None:
    tilted = [die_at(x, y, upper(12.0, roll_deg)) for x, y in ((-400, -200), (0, 0), (400, 250))]
    assert sureness(tilted) == [True, True, True]


def test_sides_of_several_dice_disagree_and_none_is_sure() -> None:
    sides = [die_at(-300, 0, side(70, -40)), die_at(0, 0, side(70, 0)), die_at(300, 0, side(70, 40))]
    assert sureness(sides) == [False, False, False]


def test_two_dice_whose_faces_disagree_are_both_asked_about() -> None:
    """One of them is the upper face, and which one cannot be told."""
    assert sureness([die_at(-200, 0, upper(LOW_DEG)), die_at(200, 0, side(75))]) == [False, False]


def test_a_side_among_upper_faces_is_the_only_one_in_doubt() -> None:
    flat = [die_at(x, 100, upper(SEAT_DEG)) for x in (-300, -100, 100)]
    assert sureness([*flat, die_at(300, 100, side(SEAT_DEG, 40))]) == [True, True, True, False]


def test_dice_without_a_known_normal_are_left_alone() -> None:
    unknown = SeenDie(3, "red", (10.0, 10.0, 40.0, 40.0), 0.99, sure=True)
    assert without_doubtful([unknown], SIZE_WH) == [unknown]
    assert without_doubtful([], SIZE_WH) == []


def sure_and_wrong(reader: Reader, seed: int, tilt_deg: float) -> int:
    """Number of dice that a photograph's reading gets surely wrong."""
    picture, truths = render_oblique(np.random.default_rng((5, seed)), tilt_deg)
    reading = reader.read(picture, thorough=True)
    return sum(
        die.sure and die.face != truth.face
        for die in reading.dice
        for truth in truths
        if iou(die.box_xywh, truth.box_xywh) > 0.4
    )


@pytest.mark.parametrize("seed", [12, 16, 18, 29, 33])
def test_rendered_dice_seen_from_low_down_are_not_surely_wrong(seed: int) -> None:
    """Each of these was surely wrong before sides were doubted."""
    assert sure_and_wrong(Reader(), seed, LOW_DEG) == 0


@pytest.mark.parametrize(("tilt_deg", "doubted"), [(10.0, 0), (SEAT_DEG, 1)])
def test_rendered_dice_seen_from_above_and_from_a_seat_stay_sure(tilt_deg: float, doubted: int) -> None:
    """doubted: dice that were read again, and whose tilt may also be that of sides."""
    reader, clear = Reader(), list[SeenDie]()
    for seed in (1, 5, 12, 16):
        picture, _ = render_oblique(np.random.default_rng((5, seed)), tilt_deg)
        dice = reader.read(picture, thorough=True).dice
        clear += [die for die in dice if die.confidence >= CONFIDENCE_THRESHOLD and not die.cut_off]
    assert len(clear) >= 4
    assert sum(not die.sure for die in clear) == doubted
