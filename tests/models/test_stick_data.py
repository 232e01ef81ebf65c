"""Training data of sticks: corrections lead back to the true box, and targets are what the reader decodes."""

from __future__ import annotations

import math

import numpy as np
import pytest

pytest.importorskip("torch", reason="training needs the train extra")

from models.training.stick_data import PICTURE_WH, detector_targets, jittered
from vision.reading.stick_classifier import corrected_box
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
    found = without_doubles(decoded(cells.reshape(ANGLES * 6, *heat.shape[1:])))
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
