"""Dice cut out of a drawn photograph get other pips, in layouts and numbers of our choice."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from models.rendering.cutout import Cutout
from models.rendering.dice import Pips
from models.rendering.repipped import (
    DONOR_FACES,
    BareDie,
    bare_die,
    pip_share,
    random_repipped,
    repipped,
    round_spots,
)
from vision.simulation.dice import PIP_LAYOUT

SIZE, SIDE, MIDDLE = 160, 80, 80.0
BODY, PIP = (225, 232, 235), (25, 22, 20)
LAYOUT = Pips(radius=0.07, pitch=0.27, six_squeeze=1.0, one_scale=1.0, narrow={}, upright=())
CLOSE_LINES = replace(LAYOUT, six_squeeze=0.55)


def drawn(face: int, turn_deg: float = 20.0, pips: Pips = LAYOUT) -> Cutout:
    """A white die with dark pips on green cloth, turned by this angle."""
    rng = np.random.default_rng(3)
    picture = np.clip(np.array([40, 110, 50]) + rng.normal(0, 3, (SIZE, SIZE, 1)), 0, 255).astype(np.uint8)
    corners = cv2.boxPoints(((MIDDLE, MIDDLE), (SIDE, SIDE), turn_deg)).astype(np.int32)
    cover = np.zeros((SIZE, SIZE), np.uint8)
    cv2.fillConvexPoly(picture, corners, BODY, cv2.LINE_AA)
    cv2.fillConvexPoly(cover, corners, 255)
    turn = np.radians(turn_deg)
    axes = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    for spot in pips.spots(face, 0):
        x, y = MIDDLE + axes @ (np.array(spot) * SIDE)
        cv2.circle(picture, (round(x), round(y)), round(pips.radius * SIDE), PIP, -1, cv2.LINE_AA)
    return Cutout(picture, cover, float(SIDE), face, "white", plain=True)


def bared(face: int) -> BareDie:
    bare = bare_die(drawn(face))
    assert bare is not None
    return bare


def spots_on(cut: Cutout) -> list[tuple[float, float, float]]:
    share, _ = pip_share(cut.picture, cut.cover > 200)
    return round_spots(share, cut.cover > 200)


@pytest.mark.parametrize("face", DONOR_FACES)
@pytest.mark.parametrize("turn_deg", [0.0, 20.0, 61.0])
def test_a_bare_die_has_no_pips_and_its_faces_direction(face: int, turn_deg: float) -> None:
    bare = bare_die(drawn(face, turn_deg))
    assert bare is not None
    inside = cv2.erode(bare.cut.cover, np.ones((7, 7), np.uint8)) > 200
    assert bare.cut.picture[inside].min() > 180
    assert np.abs(bare.centre - MIDDLE).max() < 1.5
    turned = np.degrees(np.arctan2(bare.axes[1, 0], bare.axes[0, 0])) - turn_deg
    assert abs((turned + 45) % 90 - 45) < 3
    assert len(bare.added) == face


@pytest.mark.parametrize("donor", DONOR_FACES)
@pytest.mark.parametrize("face", sorted(PIP_LAYOUT))
def test_a_die_shows_as_many_pips_as_its_new_face_has(donor: int, face: int) -> None:
    cut = repipped(bared(donor), LAYOUT, face, np.random.default_rng(4))
    assert cut.face == face
    assert len(cut.pips_xy) == face
    if cut.plain:  # an inked single pip has another colour
        spots = sorted(spots_on(cut))
        assert len(spots) == face
        for (x, y, radius), (true_x, true_y) in zip(spots, sorted(cut.pips_xy), strict=True):
            assert abs(x + 0.5 - true_x) < 1.5
            assert abs(y + 0.5 - true_y) < 1.5
            assert abs(radius - cut.pip_px) < 2


def test_the_lines_of_a_six_may_stand_closer_than_those_of_its_photograph() -> None:
    cut = repipped(bared(6), CLOSE_LINES, 6, np.random.default_rng(2))
    at = np.array(cut.pips_xy) - np.mean(cut.pips_xy, axis=0)
    along, across = np.linalg.svd(at)[1] / np.sqrt([4, 6])  # rows of three, and two of them
    assert across / along == pytest.approx(0.55, abs=0.02)


def test_random_layouts_stay_on_the_face_and_show_many_sixes() -> None:
    bare, faces = bared(5), []
    for seed in range(60):
        cut = random_repipped(bare, np.random.default_rng(seed))
        faces.append(cut.face)
        reach = np.abs((np.array(cut.pips_xy) - 0.5 - bare.centre) @ bare.axes).max() + cut.pip_px
        assert reach <= 0.5 * bare.side
    assert set(faces) == {1, 2, 3, 4, 5, 6}
    assert faces.count(6) > 12


@pytest.mark.parametrize("face", [1, 2, 3])
def test_faces_that_do_not_show_how_they_are_turned_give_no_bare_die(face: int) -> None:
    assert bare_die(drawn(face)) is None


def test_a_die_with_another_number_of_pips_than_its_label_gives_no_bare_die() -> None:
    assert bare_die(replace(drawn(3), face=5)) is None
    assert bare_die(replace(drawn(5), face=6)) is None


def test_a_face_that_is_not_a_dice_layout_gives_no_bare_die() -> None:
    skewed = drawn(4)
    cv2.circle(skewed.picture, (100, 62), 12, BODY, -1)
    cv2.circle(skewed.picture, (86, 80), 6, PIP, -1, cv2.LINE_AA)
    assert bare_die(skewed) is None
