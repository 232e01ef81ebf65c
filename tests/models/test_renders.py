"""Rendered training pictures agree with their ground truth. Needs no torch."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
import pytest

from models.rendering import scenes
from models.rendering.dice import HSV_RANGES, Glint, Pips, _face, odd_pips, painted, random_make
from models.rendering.scenes import rendered, simulated
from models.rendering.trace import FACE_PX
from table.common.colours import COLOURS
from vision.simulation.dice import PIP_LAYOUT

original_blank = scenes._blank


def pips_in(face: np.ndarray) -> int:
    """Number of bright regions in a painted face with white pips on black."""
    bright = (face[..., 0] > 0.3).astype(np.uint8)
    return int(cv2.connectedComponents(bright)[0]) - 1


def test_every_colour_has_a_range_of_hsv() -> None:
    assert set(HSV_RANGES) == set(COLOURS)


def test_a_painted_face_has_as_many_pips_as_its_number() -> None:
    rng = np.random.default_rng(1)
    make = random_make(rng)
    make.body, make.second, make.pip = np.zeros(3), np.zeros(3), np.ones(3)
    make.pattern, make.inked, make.emblem_face, make.engraved, make.ring = "plain", {}, None, False, 0.0
    make.glint = None
    make.pips, make.unevenness = (
        Pips(radius=0.09, pitch=0.25, six_squeeze=1.0, one_scale=1.0, narrow={}, upright=()),
        0.0,
    )
    for number in range(1, 7):
        face, spots = _face(make, number, rng)
        assert face.shape == (FACE_PX, FACE_PX, 5)
        assert pips_in(face) == number == len(PIP_LAYOUT[number]) == len(spots)
        for u, v in spots:
            assert face[round((v + 0.5) * FACE_PX), round((u + 0.5) * FACE_PX), 0] > 0.9


def test_pips_of_unusual_layouts_do_not_overlap_and_stay_on_the_face() -> None:
    rng = np.random.default_rng(5)
    for _ in range(300):
        pips = odd_pips(rng, inked=False)
        for number in range(1, 7):
            spots, radius = np.array(pips.spots(number, int(rng.integers(4)))), pips.radius_of(number)
            distances = np.hypot(*(spots[:, None] - spots[None]).transpose(2, 0, 1)) + np.eye(number)
            assert distances.min() > 2 * radius or number == 1
            assert np.abs(spots).max() + radius < 0.5
    assert {pips.six_squeeze < 0.7 for pips in (odd_pips(rng, inked=False) for _ in range(30))} == {
        True,
        False,
    }


def test_glints_on_pips_stay_within_the_pips() -> None:
    rng = np.random.default_rng(6)
    make = random_make(rng)
    make.body, make.pip = np.full(3, 0.5), np.zeros(3)
    make.pattern, make.inked, make.emblem_face = "plain", {}, None
    make.engraved, make.ring, make.disc, make.glint = False, 0.0, 0.0, Glint((0.3, 0.0), 0.4, 1.0)
    make.pips = Pips(radius=0.1, pitch=0.25, six_squeeze=1.0, one_scale=1.0, narrow={}, upright=())
    make.unevenness = 0.0
    face, spots = _face(make, 6, rng)
    x, y = ((np.array(spots[0]) + (0.03, 0) + 0.5) * FACE_PX).astype(int)
    assert face[y, x, 0] > 0.9
    body = np.median(face[..., 0])
    assert ((face[..., 0] > 1.1 * body).sum()) < 6 * np.pi * (0.1 * FACE_PX) ** 2 / 2


def test_dice_in_a_close_up_have_pips_and_normals() -> None:
    truths = [t for seed in range(8) for t in rendered(np.random.default_rng(seed), [], close=True)[1]]
    assert len(truths) > 8
    assert any(t.pips_xy and t.normal_xy for t in truths)


def test_opposite_faces_add_to_seven_and_dice_of_both_hands_occur() -> None:
    rng = np.random.default_rng(2)
    handedness = set()
    for _ in range(20):
        _, numbers, _ = painted(random_make(rng), rng)
        assert [a + b for a, b in zip(numbers[::2], numbers[1::2], strict=True)] == [7, 7, 7]
        ends = {n: (i // 2, 1 if i % 2 == 0 else -1) for i, n in enumerate(numbers)}
        axes = np.zeros((3, 3))
        for row, n in enumerate((1, 2, 3)):
            axes[row, ends[n][0]] = ends[n][1]
        handedness.add(round(float(np.linalg.det(axes))))
    assert handedness == {-1, 1}


def test_a_seed_always_gives_the_same_picture_and_its_boxes_lie_in_it() -> None:
    picture, truths = rendered(np.random.default_rng(3), [])
    again, same = rendered(np.random.default_rng(3), [])
    assert np.array_equal(picture, again)
    assert truths == same
    for t in truths:
        x, y, w, h = t.box_xywh
        assert x >= 0
        assert y >= 0
        assert x + w <= picture.shape[1] + 1
        assert y + h <= picture.shape[0] + 1
        assert t.face in range(1, 7)
        assert t.colour in COLOURS


def test_the_pips_of_the_truth_are_visible_in_the_picture() -> None:
    shown = total = 0
    for seed in range(400, 408):
        picture, truths = rendered(np.random.default_rng(seed), [])
        for t in truths:
            if not (t.readable and t.seen > 0.95 and t.box_xywh[2] > 50 and t.lean_deg < 1):
                continue
            assert len(t.pips_xy) == t.face
            x, y, w, h = t.box_xywh
            spots = [
                s for s in t.pips_xy if 2 < s[0] < picture.shape[1] - 2 and 2 < s[1] < picture.shape[0] - 2
            ]
            assert all(x <= px <= x + w and y <= py <= y + h for px, py in spots)
            total += 1
            shown += np.median([contrast_at(picture, spot, t.pip_px) for spot in spots]) > 12
    assert total > 12
    assert shown / total > 0.85  # the others are lost in glare, in the dark or in blur


def contrast_at(picture: np.ndarray, spot: tuple[float, float], radius: float) -> float:
    """Contrast between the middle of a pip and the ring around it, 0-255."""
    yy, xx = np.mgrid[: picture.shape[0], : picture.shape[1]]
    distance = np.hypot(xx + 0.5 - spot[0], yy + 0.5 - spot[1]) / radius
    middle, ring = (
        picture[distance < 0.6].astype(float),
        picture[(distance > 1.3) & (distance < 1.8)].astype(float),
    )
    return float(np.abs(middle.mean(axis=0) - np.median(ring, axis=0)).max())


def test_some_dice_lean_and_some_are_stacked() -> None:
    truths = [t for seed in range(500, 511) for t in rendered(np.random.default_rng(seed), [], close=True)[1]]
    assert {t.cocked for t in truths} == {t.stacked for t in truths} == {True, False}
    assert all((t.lean_deg > 8) == t.cocked for t in truths)


def test_objects_that_are_no_dice_are_not_in_the_truth(monkeypatch: pytest.MonkeyPatch) -> None:
    made = []

    def recorded_blank(*args: Any) -> Any:
        made.append(args)
        return original_blank(*args)

    monkeypatch.setattr(scenes, "NO_DIE_SHARE", 1.0)
    monkeypatch.setattr(scenes, "_blank", recorded_blank)
    _, truths = rendered(np.random.default_rng(18), [])
    assert made
    assert all(t.face in range(1, 7) for t in truths)


def test_a_simulated_tray_has_its_truth() -> None:
    picture, truths = simulated(np.random.default_rng(4))
    assert picture.dtype == np.uint8
    assert all(t.colour in COLOURS for t in truths)
