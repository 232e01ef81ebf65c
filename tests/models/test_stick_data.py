"""Training data of sticks: corrections lead back to the true box, and targets are what the reader decodes."""

from __future__ import annotations

import math

import numpy as np
import pytest

pytest.importorskip("torch", reason="training needs the train extra")

from pathlib import Path

from models.rendering.stick_scenes import stock
from models.training.device import device_named
from models.training.run import TrainConfig, read_checkpoint
from models.training.stick_data import (
    BOX_HEAT,
    PICTURE_WH,
    Part,
    classifier_batch,
    detector_targets,
    jittered,
    make_part,
    parts_in,
)
from models.training.train_sticks import HELD_OUT_PARTS, train
from vision.reading.stick_classifier import CROP_WH, corrected_box
from vision.reading.stick_detector import ANGLES, decoded, without_doubles
from vision.turned_box import TurnedBox, angle_between


@pytest.mark.parametrize("seed", range(20))
def test_the_corrections_of_a_crop_lead_back_to_the_true_box(seed: int) -> None:
    rng = np.random.default_rng(seed)
    true = TurnedBox((50.0, 60.0), float(rng.uniform(0, math.pi)), 200.0, 20.0)
    off, seen = jittered(rng, true)
    again = corrected_box(seen, off)
    assert again.centre_xy == pytest.approx(true.centre_xy)
    assert angle_between(again.angle, true.angle) == pytest.approx(0, abs=1e-6)
    assert (again.length, again.width) == (pytest.approx(200), pytest.approx(20))


def test_the_reader_decodes_the_targets_of_two_crossing_sticks_to_their_boxes() -> None:
    rows = np.array([[150, 100, 0.3, 90, 9], [152, 101, 1.8, 90, 8], [60, 200, 3.1, 70, 7]], np.float32)
    heat, box, _ = detector_targets(rows, PICTURE_WH)
    logits = np.log(np.clip(heat, 1e-4, 0.999) / (1 - np.clip(heat, 1e-4, 0.999)))
    cells = np.concatenate([logits[:, None], box], axis=1)
    found = without_doubles(decoded(cells.reshape(ANGLES * 6, *heat.shape[1:]), threshold=BOX_HEAT))
    assert len(found) == 3
    for x, y, angle, length, width in rows.tolist():
        match = min(
            found, key=lambda d: math.dist(d.box.centre_xy, (x, y)) + angle_between(d.box.angle, angle)
        )
        assert match.box.centre_xy == pytest.approx((x, y), abs=0.01)
        assert angle_between(match.box.angle, angle) < 0.01
        assert (match.box.length, match.box.width) == (
            pytest.approx(length, rel=0.01),
            pytest.approx(width, rel=0.01),
        )


def test_light_that_brightens_a_crop_brightens_the_levels_of_its_picture_alike() -> None:
    crops = np.full((1, CROP_WH[1], CROP_WH[0], 3), 60, np.uint8)
    targets = np.array([[0, 0, *[0.0] * 5, 30, 120]], np.float32)
    part = Part(crops, crops, crops, targets)
    planes, rows = classifier_batch(np.random.default_rng(3), [part], 60)
    gains = planes[:, :, 0, 0].numpy() / [60, 60, 60, 30, 120]
    assert gains.std(0).min() > 0.03
    assert np.abs(gains[:, 3:] / gains[:, :3].mean(1, keepdims=True) - 1).max() < 0.12
    assert rows.corrections.shape == (60, 5)


@pytest.fixture(scope="module")
def parts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with parts of four pictures each, one more than are held out."""
    folder = tmp_path_factory.mktemp("parts")
    for number in range(HELD_OUT_PARTS + 1):
        rng = np.random.default_rng(number)
        for name, array in make_part(rng, stock(rng, 2, [], []), [], None, count=4).items():
            np.save(folder / f"{number:05d}_{name}.npy", array)
    return folder


def test_processes_that_make_the_batches_change_nothing(parts: Path, tmp_path: Path) -> None:
    cpu, config = device_named("cpu"), TrainConfig(3, 4, 1e-3)
    for workers in (0, 2):
        train("detector", config, parts, tmp_path / f"{workers}", cpu, workers=workers)
    one, other = (read_checkpoint(tmp_path / f"{workers}")["net"] for workers in (0, 2))
    assert one.keys() == other.keys()
    assert all((one[name] == other[name]).all() for name in one)


def test_a_net_is_trained_further_from_the_weights_of_its_run(parts: Path, tmp_path: Path) -> None:
    cpu = device_named("cpu")
    train("classifier", TrainConfig(2, 4, 1e-3), parts, tmp_path / "first", cpu)
    train("classifier", TrainConfig(1, 4, 0.0), parts, tmp_path / "more", cpu, tmp_path / "first")
    before, after = (read_checkpoint(tmp_path / name)["average"] for name in ("first", "more"))
    weights = [name for name in before if name.endswith("weight")]
    assert weights
    assert all((before[name] == after[name]).all() for name in weights)
    assert len(parts_in(parts)) == HELD_OUT_PARTS + 1
