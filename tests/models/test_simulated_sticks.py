"""Sticks on the simulated tray agree with their ground truth. Needs no torch."""

from __future__ import annotations

import numpy as np
import pytest

from models.rendering.simulated_sticks import as_in_the_demo, simulated
from models.rendering.sticks import ANIMALS
from vision.reading.stick_reader import StickReader
from vision.turned_box import box_of_quad

FACES = {"round", "black", "white", *ANIMALS}


def test_a_picture_and_its_ground_truth_follow_from_the_seed() -> None:
    (picture, labels), (again, same) = (simulated(np.random.default_rng(8)) for _ in range(2))
    assert np.array_equal(picture, again)
    assert labels == same


def test_labels_are_faces_in_long_boxes_within_the_picture() -> None:
    for seed in range(6):
        picture, labels = simulated(np.random.default_rng(seed))
        h, w = picture.shape[:2]
        for label in labels:
            box = box_of_quad(label.quad)
            assert label.face in FACES
            assert box.length > 3 * box.width
            assert 0 <= box.centre_xy[0] < w
            assert 0 <= box.centre_xy[1] < h


def test_the_demo_shows_the_sticks_of_one_game_together() -> None:
    games = [{label.face for label in as_in_the_demo(np.random.default_rng(seed))[1]} for seed in range(8)]
    assert all(faces <= {"white", "black"} or faces <= {"round", *ANIMALS} for faces in games)
    assert any("white" in faces for faces in games)
    assert any(faces & {*ANIMALS} for faces in games)


@pytest.mark.slow
def test_most_labelled_sticks_are_read_where_they_are_labelled() -> None:
    reader, read, total = StickReader(), 0, 0
    for seed in range(20, 32):
        picture, labels = simulated(np.random.default_rng(seed))
        middles = np.array([box_of_quad(s.quad).centre_xy for s in reader.read(picture)]).reshape(-1, 2)
        for label in labels:
            box = box_of_quad(label.quad)
            total += 1
            read += bool((np.hypot(*(middles - box.centre_xy).T) < 0.2 * box.length).any())
    assert read > 0.7 * total
