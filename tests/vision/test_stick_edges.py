"""The long edges of sticks, in drawn pictures of bars."""

from __future__ import annotations

import math

import cv2
import numpy as np
import pytest

from vision.reading.stick_edges import touches, visible_edges
from vision.turned_box import TurnedBox

ONE, OTHER = TurnedBox((200, 150), 0.5, 200, 20), TurnedBox((200, 150), 1.1, 200, 20)
BETWEEN = TurnedBox((200, 150), 0.8, 200, 20)


def picture_of(*boxes: TurnedBox) -> np.ndarray:
    """Pale bars on dark felt."""
    picture = np.full((300, 400, 3), (40, 70, 30), np.uint8)
    for box in boxes:
        cv2.fillConvexPoly(picture, np.rint(box.quad).astype(np.int32), (150, 190, 220))
    return picture


def test_a_stick_that_crosses_another_shows_its_edges_beside_it() -> None:
    assert touches(OTHER, [ONE])
    assert visible_edges(picture_of(ONE, OTHER), OTHER, [ONE]) > 0.6


@pytest.mark.parametrize(("apart_px", "touching"), [(-0.5, True), (0.8, False)])
def test_sticks_side_by_side_touch_only_where_no_ground_is_between(apart_px: float, touching: bool) -> None:
    """One beside another, a pixel apart, was taken for a mixture of two and dropped."""
    beside = ONE.moved(-math.sin(ONE.angle) * (20 + apart_px), math.cos(ONE.angle) * (20 + apart_px))
    assert touches(beside, [ONE]) == touching


def test_what_lies_between_two_crossing_sticks_has_hardly_an_edge() -> None:
    assert visible_edges(picture_of(ONE, OTHER), BETWEEN, [ONE, OTHER]) < 0.3


@pytest.mark.parametrize("beside_px", [0.0, 26.0])
def test_a_stick_alone_shows_its_edges_and_bare_felt_none(beside_px: float) -> None:
    box = TurnedBox((200 - beside_px, 150 + beside_px), 0.5, 200, 20)
    assert not touches(box, [])
    assert visible_edges(picture_of(ONE), box, []) == pytest.approx(0.0 if beside_px else 1.0, abs=0.05)


def test_edges_outside_the_picture_are_not_seen() -> None:
    cut = TurnedBox((0, 150), 0.0, 200, 20)
    assert visible_edges(picture_of(cut), cut, []) == pytest.approx(0.5, abs=0.05)
