"""Sticks whose upper side is bleached by overexposure: no letters can be seen, so nothing is sure."""

from __future__ import annotations

import numpy as np
import pytest

from tests.vision.marked_sticks import marked
from vision.reading.overexposure import is_bleached, unsure_where_bleached, with_hidden_sides
from vision.reading.stick_classifier import FACES
from vision.readings import SeenStick
from vision.turned_box import box_of_quad


@pytest.mark.parametrize(("light", "bleached"), [(0.8, False), (1.0, False), (2.6, True)])
def test_a_side_is_bleached_where_its_wood_is_plain_white(light: float, bleached: bool) -> None:
    picture, stick = marked("dog", 35, 4, light)
    assert is_bleached(picture, box_of_quad(stick.quad)) is bleached


def test_a_bleached_back_may_be_any_animal() -> None:
    faces = np.array([[0.9, 0.02, 0.02, 0.02, 0.02, 0.01, 0.01]] * 2)
    plain, bleached = with_hidden_sides(faces, [False, True])
    assert plain == pytest.approx(faces[0])
    assert bleached.sum() == pytest.approx(1)
    assert bleached[FACES.index("round")] == pytest.approx(0.18)
    assert bleached[FACES.index("horse")] == pytest.approx(0.2)
    assert bleached[FACES.index("white")] == pytest.approx(0.01)


def test_letters_that_are_still_seen_stand() -> None:
    faces = np.array([[0.05, 0.9, 0.01, 0.01, 0.01, 0.01, 0.01]])
    assert with_hidden_sides(faces, [True])[0].argmax() == FACES.index("dog")


def lying(face: str) -> SeenStick:
    return SeenStick(face, ((0, 0), (100, 0), (100, 10), (0, 10)), 0.99, sure=True)


def test_bleached_white_is_unsure_unless_the_set_is_known_to_be_white() -> None:
    whites = [lying("white"), lying("white"), lying("black")]
    assert [s.sure for s in unsure_where_bleached(whites, [True, True, False])] == [False, False, True]
    assert [s.sure for s in unsure_where_bleached(whites, [True, False, False])] == [True, True, True]
