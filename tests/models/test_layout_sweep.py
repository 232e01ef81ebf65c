"""The sweep over layouts of pips: its dice are within the bounds, and the classifier reads most of them."""

from __future__ import annotations

import numpy as np

from models import WEIGHTS
from models.evaluation.layout_sweep import LAYOUTS, SweptDie, cell, evaluate_layouts, row
from models.rendering.dice import random_make
from models.rendering.scenes import LONE_SPAN, render_single_die
from vision.reading.classifier import FaceClassifier
from vision.reading.reader import CLASSIFIER_FILE


def test_a_lone_die_lies_in_the_middle_of_its_picture() -> None:
    for seed in range(6):
        rng = np.random.default_rng(seed)
        picture, truth = render_single_die(rng, random_make(rng), 60.0)
        x, y, w, h = truth.box_xywh
        assert picture.shape == (60 * LONE_SPAN, 60 * LONE_SPAN, 3)
        assert abs(x + w / 2 - 60) < 3
        assert abs(y + h / 2 - 60) < 3
        assert not truth.cocked


def test_layouts_are_within_their_bounds_and_most_dice_are_read() -> None:
    swept_dice = list(evaluate_layouts(FaceClassifier(WEIGHTS / CLASSIFIER_FILE), 40))
    assert len(swept_dice) > 25
    for die in swept_dice:
        assert all(
            bounds[0] <= value <= bounds[-1]
            for value, bounds in zip(die.layout, LAYOUTS.values(), strict=True)
        )
    assert np.mean([die.face == die.read for die in swept_dice]) > 0.8


def test_a_cell_has_confidence_and_the_share_of_dice_not_surely_right() -> None:
    swept_dice = [
        SweptDie((), 6, 6, 0.99, 0.99),
        SweptDie((), 6, 4, 0.97, 0.02),
        SweptDie((), 6, 6, 0.9, 0.9),
        SweptDie((), 6, 6, 0.98, 0.98),
    ]
    assert cell(swept_dice) == "0.723 50"
    assert row("all", swept_dice) == "| all | 4 | - | - | - | - | - | 0.723 50 | 0.723 50 |"
