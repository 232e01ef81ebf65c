"""What the nets are trained on stays true while it is turned, shifted and mirrored."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("torch", reason="training needs the train extra")

from models.contrast import pip_contrast
from models.data import CROP_STORED, PIP_CELLS, face_chances, face_sample, pip_heat

PIPS = np.array([(40, 40), (72, 40), (40, 72), (72, 72), (np.nan, np.nan), (np.nan, np.nan)], np.float32)


def crop() -> np.ndarray:
    """White spots where the pips are, on grey."""
    picture = np.full((CROP_STORED, CROP_STORED, 3), 90, np.uint8)
    for x, y in PIPS[:4]:
        picture[int(y) - 3 : int(y) + 3, int(x) - 3 : int(x) + 3] = 250
    return picture


def test_pips_move_with_the_crop() -> None:
    for seed in range(40):
        seen, moved, _ = face_sample(crop(), PIPS, 64.0, np.random.default_rng(seed))
        grey = seen.mean(axis=0)
        spots = [grey[int(y), int(x)] for x, y in moved[:4] if 2 <= x < 62 and 2 <= y < 62]
        assert np.isnan(moved[4:]).all()
        assert min(spots) > np.median(grey) + 15, seed


def test_the_heat_has_a_hill_on_every_pip() -> None:
    heat = pip_heat(np.array([(10.0, 22.0), (50.0, 34.0), *[(np.nan, np.nan)] * 4]))
    assert heat.shape == (PIP_CELLS, PIP_CELLS)
    assert {tuple(int(v) for v in spot) for spot in np.argwhere(heat > 0.9)} == {(5, 2), (8, 12)}
    assert not pip_heat(np.full((6, 2), np.nan)).any()


def test_chances_of_a_face_of_none_and_of_what_cannot_be_told() -> None:
    assert face_chances(3).tolist() == [0, 0, 1, 0, 0, 0, 0]
    assert face_chances(7)[6] == 1
    assert face_chances(0).tolist() == pytest.approx([1 / 6] * 6 + [0])


def test_pips_that_cannot_be_seen_have_no_contrast() -> None:
    assert pip_contrast(crop(), PIPS[:4], 4.0) > 100
    assert pip_contrast(np.full_like(crop(), 255), PIPS[:4], 4.0) == 0
