"""What sticks of one picture tell about one another."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from vision.reading.stick_classifier import FACES
from vision.reading.stick_throw import MAX_LIKENESS, faces_of_one_set, likenesses, stick_probability
from vision.turned_box import TurnedBox

STICK = TurnedBox((100, 100), 0.3, 120, 12)


def faces(**chances: float) -> np.ndarray:
    """(7,): these probabilities, and the rest shared by the others."""
    rest = (1 - sum(chances.values())) / (len(FACES) - len(chances))
    return np.array([chances.get(face, rest) for face in FACES])


def named(row: np.ndarray) -> str:
    return FACES[int(row.argmax())]


def _sticks(count: int) -> list[TurnedBox]:
    """Like sticks, one beside the other."""
    (x, y) = STICK.centre_xy
    return [replace(STICK, centre_xy=(x + 300 * n, y)) for n in range(count)]


def test_a_stick_is_like_others_of_its_size_and_unlike_a_pen_and_a_rim() -> None:
    pen, rim = TurnedBox((300, 200), 1.0, 150, 8), TurnedBox((300, 20), 0.0, 600, 30)
    like = likenesses([*_sticks(3), pen, rim], [0.9] * 5)
    assert like[:3] == pytest.approx([2, 2, 2], abs=0.3)
    assert max(like[3:]) < 0.3


def test_a_weak_detection_says_little_about_others() -> None:
    assert likenesses(_sticks(2), [0.9, 0.06])[0] < 0.15


def test_six_like_sticks_count_as_a_throw_of_four() -> None:
    assert likenesses(_sticks(6), [0.9] * 6) == [MAX_LIKENESS] * 6


def test_two_detections_of_one_stick_say_nothing_about_one_another() -> None:
    shifted = replace(STICK, centre_xy=(STICK.centre_xy[0] + 5, STICK.centre_xy[1]))
    assert likenesses([STICK, shifted], [0.9, 0.9]) == [0, 0]


def test_a_lone_thing_is_like_nothing() -> None:
    assert likenesses([STICK], [0.9]) == [0]
    assert likenesses([], []) == []


def test_a_doubtful_thing_beside_three_like_it_is_a_stick() -> None:
    assert stick_probability(0.45, 0.7, 0.0) < 0.4 < 0.6 < stick_probability(0.45, 0.7, 3.0)


def test_what_both_nets_are_certain_of_needs_no_others() -> None:
    assert stick_probability(1.0, 1.0, 0.0) > 0.99
    assert stick_probability(0.0, 0.0, 3.0) < 0.01


def test_among_letters_a_pale_thing_is_a_back() -> None:
    rows = np.stack([faces(white=0.8, round=0.19), faces(dog=0.98), faces(cow=0.98)])
    revised = faces_of_one_set(rows, [0.9] * 3)
    assert named(revised[0]) == "round"
    assert [named(row) for row in revised[1:]] == ["dog", "cow"]
    assert revised.sum(1) == pytest.approx([1, 1, 1])


def test_among_white_sides_letters_are_scratches() -> None:
    rows = np.stack([faces(deer=0.55, white=0.44), faces(white=0.97), faces(white=0.97)])
    assert named(faces_of_one_set(rows, [0.9] * 3)[0]) == "white"


def test_backs_say_nothing_about_the_set() -> None:
    rows = np.stack([faces(white=0.8), faces(round=0.998), faces(black=0.998)])
    assert faces_of_one_set(rows, [0.9] * 3)[0] == pytest.approx(rows[0], abs=0.02)


def test_several_pale_backs_do_not_outvote_letters() -> None:
    """Three flat backs in grey paint looked white, surely, beside a stick with a plain dog."""
    rows = np.stack([faces(dog=0.99), *[faces(white=0.95, round=0.04)] * 3])
    revised = faces_of_one_set(rows, [0.9] * 4)
    assert revised[1:, FACES.index("white")].max() < 0.95
    assert named(revised[0]) == "dog"


def test_a_lone_stick_keeps_its_faces() -> None:
    rows = np.stack([faces(white=0.7)])
    assert faces_of_one_set(rows, [0.9])[0] == pytest.approx(rows[0])


def test_what_is_hardly_a_stick_is_no_witness() -> None:
    rows = np.stack([faces(white=0.8, round=0.19), faces(dog=0.99)])
    assert named(faces_of_one_set(rows, [0.9, 0.1])[0]) == "white"
