"""The reader on rendered trays: every die is detected, classified and sure."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from models import WEIGHTS
from table.common.colours import COLOURS
from vision.boxes import iou
from vision.frames import Picture
from vision.reading.reader import CLASSIFIER_FILE, DETECTOR_FILE, Reader, is_current, note_origin
from vision.readings import Reading, SeenDie
from vision.simulation import Scene, SimDie, TrueDie, random_tray, render_still, render_truth


@pytest.fixture(scope="module")
def reader() -> Reader:
    return Reader()


def paired(trues: Sequence[TrueDie], reading: Reading) -> list[tuple[TrueDie, SeenDie]]:
    assert len(reading.dice) == len(trues), f"expected {len(trues)} dice, got {len(reading.dice)}"
    return [(t, max(reading.dice, key=lambda s: iou(s.box_xywh, t.box_xywh))) for t in trues]


@pytest.mark.parametrize("colour", COLOURS)
def test_every_face_of_every_colour_is_read_on_the_simulated_tray(reader: Reader, colour: str) -> None:
    dice = [
        SimDie(face, colour, -75.0 + 30 * (face - 1), (-1) ** face * 25.0, 0.4 * face) for face in range(1, 7)
    ]
    picture, trues = render_truth(dice, np.random.default_rng(1), (1280, 960))
    for true, seen in paired(trues, reader.read(picture)):
        assert (seen.face, seen.sure, seen.cocked) == (true.face, True, False)
        assert seen.colour == true.colour
        assert iou(seen.box_xywh, true.box_xywh) > 0.7
        assert seen.normal_xy is not None
        assert np.hypot(*np.subtract(seen.normal_xy, true.normal_xy)) < 0.15
        assert 0.01 < seen.normal_error < 0.15


@pytest.mark.parametrize("seed", range(12))
def test_throws_on_the_simulated_tray_are_read_and_sure(reader: Reader, seed: int) -> None:
    picture, trues = random_tray(
        np.random.default_rng(9_000_000 + seed), 1 + seed % 7, size_wh=(800, 600), scene=Scene()
    )
    reading = reader.read(picture)
    assert [seen.face for true, seen in paired(trues, reading)] == [true.face for true in trues]
    assert reading.sure


def test_two_touching_dice_are_two_detections(reader: Reader) -> None:
    side = Scene().die_mm
    dice = [
        SimDie(6, "white", 0, 0, 0.3),
        SimDie(4, "white", side * 1.02 * np.cos(0.3), side * 1.02 * np.sin(0.3), 0.3),
    ]
    reading = reader.read(render_still(dice, np.random.default_rng(2), (1280, 960)))
    assert sorted(reading.faces) == [4, 6]


@pytest.mark.parametrize("size_wh", [(640, 480), (800, 600), (1280, 960), (1920, 1080)])
def test_an_empty_tray_shows_no_dice(reader: Reader, size_wh: tuple[int, int]) -> None:
    reading = reader.read(render_still([], np.random.default_rng(3), size_wh))
    assert reading.dice == ()
    assert reading.sure
    assert reading.size_wh == size_wh


def test_the_same_picture_gives_the_same_reading(reader: Reader) -> None:
    picture, _ = random_tray(np.random.default_rng(4), 5, size_wh=(800, 600), scene=Scene())
    before = picture.copy()
    first, second = reader.read(picture), Reader().read(picture)
    assert first.dice == second.dice
    assert np.array_equal(picture, before), "reading must not change the picture"


def test_dice_come_in_reading_order(reader: Reader) -> None:
    dice = [SimDie(1, "white", 60, 50), SimDie(2, "white", -60, 52), SimDie(3, "white", 0, -50)]
    assert reader.read(render_still(dice, np.random.default_rng(5), (800, 600))).faces == (2, 1, 3)


def test_all_faces_have_a_probability_in_descending_order(reader: Reader) -> None:
    reading = reader.read(render_still([SimDie(5, "red", 0, 0)], np.random.default_rng(6), (800, 600)))
    likely = reading.dice[0].likely
    assert likely[0][0] == 5
    assert sorted(face for face, _ in likely) == [1, 2, 3, 4, 5, 6]
    probabilities = [probability for _, probability in likely]
    assert probabilities == sorted(probabilities, reverse=True)
    assert sum(probabilities) == pytest.approx(1)


@pytest.mark.parametrize("shape", [(1, 1), (1, 4000), (7, 7), (9, 9), (31, 33), (480, 8), (3000, 9)])
def test_pictures_of_any_size_are_read_without_an_error(reader: Reader, shape: tuple[int, int]) -> None:
    grey: Picture = np.full((*shape, 3), 127, np.uint8)
    assert reader.read(grey).dice == ()


@pytest.mark.parametrize("fill", [0, 60, 127, 200, 255])
def test_pictures_of_noise_show_no_dice(reader: Reader, fill: int) -> None:
    noise = np.random.default_rng(7).normal(fill, 8, (480, 640, 3))
    assert reader.read(np.clip(noise, 0, 255).astype(np.uint8)).dice == ()


def test_an_array_that_is_no_picture_is_refused(reader: Reader) -> None:
    with pytest.raises(ValueError, match="expected a"):
        reader.read(np.zeros((10, 10), np.uint8))


@pytest.mark.parametrize("changed", [DETECTOR_FILE, CLASSIFIER_FILE])
def test_trained_weights_are_current_while_both_shipped_nets_are_the_same(
    changed: str, tmp_path: Path
) -> None:
    shipped, trained = tmp_path / "ships", tmp_path / "trained"
    shipped.mkdir()
    trained.mkdir()
    for file in (DETECTOR_FILE, CLASSIFIER_FILE):
        shutil.copy(WEIGHTS / file, shipped)
    note_origin(trained, shipped)
    assert is_current(trained, shipped)
    with (shipped / changed).open("ab") as weights:
        weights.write(b"another")
    assert not is_current(trained, shipped)
