"""Rendered sticks agree with their ground truth; letters are drawn as Ogham is written. Needs no torch."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from models.rendering.stick_scenes import (
    Light,
    Pose,
    Rim,
    Stock,
    Table,
    add_stick,
    beside_rim,
    rendered,
    stock,
)
from models.rendering.sticks import (
    ACROSS,
    LEFT,
    NOTCH,
    RIGHT,
    WORDS,
    back_face,
    bgr_of,
    draw_letters,
    random_set,
)
from vision.reading.stick_classifier import FACES, level_crop
from vision.simulation.view import PinholeCamera
from vision.turned_box import box_of_quad


@pytest.fixture(scope="module")
def few_grounds() -> Stock:
    return stock(np.random.default_rng(1), 6, [], [])


def letters(word: tuple[tuple[str, int], ...]) -> np.ndarray:
    """A mask (60, 600) with these letters, without a stem and without jitter."""
    plain = replace(
        random_set(np.random.default_rng(3)),
        stem=False, dots=False, jitter=0.0, stem_offset=0.0, stroke_length=0.35, notch_length=0.1,
        stroke_width=0.06, slant=0.5, letter_gap=2.5,
    )  # fmt: skip
    mask = np.zeros((60, 600), np.uint8)
    draw_letters(np.random.default_rng(4), mask, plain, word, (0.1, 0.9))
    return mask


def blobs(mask: np.ndarray) -> list[tuple[int, int, int, int]]:
    """x, y, width and height of each stroke, from the left."""
    stats = cv2.connectedComponentsWithStats((mask > 100).astype(np.uint8))[2][1:]
    return sorted((int(x), int(y), int(w), int(h)) for x, y, w, h, _ in stats)


@pytest.mark.parametrize("animal", WORDS)
def test_a_word_has_its_strokes_in_their_order(animal: str) -> None:
    places = []
    for _, y, _, high in blobs(letters(WORDS[animal])):
        above, below = 30 - y, y + high - 30
        long = {LEFT: above > 15 > below, RIGHT: below > 15 > above, ACROSS: min(above, below) > 15}
        places.append(next((where for where, true in long.items() if true), NOTCH))
    assert places == [where for where, count in WORDS[animal] for _ in range(count)]


def test_a_gap_parts_two_letters() -> None:
    xs = [x for x, *_ in blobs(letters(WORDS["dog"]))]
    steps = np.diff(xs)
    assert steps[3] > 1.5 * max(*steps[:3], *steps[4:])


def test_a_picture_and_its_ground_truth_follow_from_the_seed(few_grounds: Stock) -> None:
    first, labels = rendered(np.random.default_rng(5), few_grounds)
    again, same = rendered(np.random.default_rng(5), few_grounds)
    assert np.array_equal(first, again)
    assert labels == same


def test_labels_are_faces_in_long_boxes_within_the_picture(few_grounds: Stock) -> None:
    faces = set()
    for seed in range(40):
        picture, labels = rendered(np.random.default_rng((seed, 2)), few_grounds)
        for label in labels:
            box = box_of_quad(label.quad)
            assert label.face in (*FACES, "none", "")
            assert 0 <= box.centre_xy[0] <= picture.shape[1]
            assert 0 <= box.centre_xy[1] <= picture.shape[0]
            if label.face in FACES and label.seen == 1:
                assert 3 < box.length / box.width < 20
        faces |= {label.face for label in labels}
    assert faces > set(FACES)


def test_seen_from_above_left_strokes_are_left_of_somebody_who_walks_from_the_foot() -> None:
    """A mirrored word would be another one. The label's box begins at the foot, so its crop does."""
    kind = replace(
        random_set(np.random.default_rng(3)),
        danube=False, half_round=False, stem=False, dots=False, jitter=0.0, stem_offset=0.0, figure=0.0,
        stroke_length=0.4, notch_length=0.1, stroke_width=0.07, extent=0.8, max_pitch=9.0,
        wood_bgr=np.array([0.9, 0.9, 0.9]), grain=0.0, ink_bgr=np.zeros(3), burnt=False, end_mm=0.1,
    )  # fmt: skip
    axes = np.array([[1.0, 0, 0], [0, -1, 0], [0, 0, -1]])
    camera = PinholeCamera((640, 480), 800.0, np.array([0.0, 0, 400]), axes)
    light = Light(np.array([0.0, 0, 1]), 1.0, 0.2, 0.3)
    for angle in (0.0, 2.0, 4.0):
        table = Table(np.random.default_rng(1), camera, light, np.full((480, 640, 3), 90, np.float32))
        add_stick(table, kind, "dog", Pose(5.0, 3.0, angle))
        quad = table.labels[0].quad
        box, forward = box_of_quad(quad), np.subtract(quad[1], quad[0])
        turned = bool(forward @ np.array(box.axis) < 0)
        dark = level_crop(table.picture.astype(np.uint8), box, turned).mean(axis=2) < 120
        assert dark[8:14, 30:120].any(), "the four strokes of C are on the left, next to the foot"
        assert not dark[20:26, 20:236].any(), "nothing is on the right"


@pytest.mark.parametrize(
    ("bgr", "expected"),
    [
        (bgr_of(0, 0.0, 0.08), ("black", True)),
        (bgr_of(20, 0.7, 0.3), ("round", True)),
        (bgr_of(270, 0.6, 0.4), ("round", False)),
    ],
)
def test_a_dark_back_may_be_called_black_or_round(bgr: np.ndarray, expected: tuple[str, bool]) -> None:
    assert back_face(bgr) == expected


@pytest.mark.parametrize("seed", range(20))
def test_a_stick_at_a_rim_lies_on_the_floor_beside_it(seed: int) -> None:
    rng = np.random.default_rng(seed)
    kind, rim = random_set(rng), Rim(30.0, -80.0, 0.4, 120.0, 20.0)
    pose = beside_rim(rng, [rim], kind)
    outline = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]])
    corners = pose.points(outline, kind.length_mm, kind.width_mm, 0.0)[:, :2]
    gaps = (corners - (rim.x, rim.y)) @ rim.inward
    assert gaps.min() > -1e-6
    assert gaps.min() < 40
