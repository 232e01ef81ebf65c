"""The hard cases: each shows what its name says, and the command prints a row for each."""

from __future__ import annotations

import numpy as np
import pytest

from models import WEIGHTS
from models.evaluation.hard_cases import (
    CASES,
    LIGHTS,
    TINTED_COLOURS,
    evaluate_case,
    glossy_black,
    light_row,
    lint_row,
    marbled_gold,
    oblique_row,
    plain,
    with_inked_one,
)
from models.rendering import backgrounds
from models.rendering.dice import random_make
from models.rendering.scenes import render_oblique, render_single_die
from vision.reading.classifier import FaceClassifier
from vision.reading.reader import CLASSIFIER_FILE, Reader


@pytest.fixture(scope="module")
def classifier() -> FaceClassifier:
    return FaceClassifier(WEIGHTS / CLASSIFIER_FILE)


def test_makes_are_what_their_case_says() -> None:
    for seed in range(10):
        rng = np.random.default_rng(seed)
        assert plain(rng).pattern == "plain"
        assert set(with_inked_one(rng).inked) == {1}
        assert glossy_black(rng).body.max() < 0.2
        gold = marbled_gold(rng).pip
        assert gold[0] < gold[1] < gold[2]


@pytest.mark.parametrize("name", CASES)
def test_every_case_gives_dice_with_a_confidence(name: str, classifier: FaceClassifier) -> None:
    swept_dice = list(evaluate_case(classifier, CASES[name], 6))
    assert swept_dice
    assert all(1 <= die.face <= 6 and 0 <= die.confidence <= 1 for die in swept_dice)


def test_a_row_of_oblique_views_counts_dice() -> None:
    cells = [int(cell) for cell in oblique_row(Reader(), 10, 3).strip("| ").split("|")]
    tilt, dice, right, sure, confident_wrong, sure_wrong, throws_sure_wrong = cells
    assert tilt == 10
    assert 3 <= dice <= 12
    assert right + confident_wrong <= dice
    assert sure_wrong <= confident_wrong
    assert sure <= dice
    assert throws_sure_wrong <= 3


def test_an_upright_camera_sees_upper_faces_point_upwards() -> None:
    for seed in range(4):
        _, truths = render_oblique(np.random.default_rng(seed), 50)
        assert truths
        assert all(truth.normal_xy is not None and truth.normal_xy[1] < -0.4 for truth in truths)


def test_a_die_lies_on_the_ground_that_was_asked_for() -> None:
    """The corner of the picture has the ground's red, whatever the light makes of it."""

    def red(_rng: np.random.Generator, side: int) -> np.ndarray:
        return np.broadcast_to(np.array([0.02, 0.02, 0.8], np.float32), (side, side, 3)).copy()

    rng = np.random.default_rng(5)
    picture, _ = render_single_die(rng, random_make(rng), 60.0, red)
    blue, _, red_level = picture[:8, :8].reshape(-1, 3).mean(axis=0)
    assert red_level > 2 * blue


def test_stripes_alternate_and_lint_adds_specks() -> None:
    rng = np.random.default_rng(2)
    stripes = backgrounds.striped(rng, 200)
    assert stripes.shape == (200, 200, 3)
    assert stripes.std(axis=(0, 1)).max() > 0.05
    bare = np.full((200, 200, 3), 0.1, np.float32)
    linted = backgrounds.linted(bare, rng, 40.0)
    speck_share = float((np.abs(linted - bare).max(axis=2) > 0.1).mean())
    assert 0.0005 < speck_share < 0.3


def test_lint_and_light_have_their_rows(classifier: FaceClassifier) -> None:
    pictures, false, sure = (int(cell) for cell in lint_row(Reader(), 3).strip("| ").split("|"))
    assert pictures == 3
    assert sure <= false
    name = next(iter(LIGHTS))
    cells = light_row(classifier, name, 2).strip("| ").split("|")
    assert cells[0].strip() == name
    assert len(cells) == 1 + len(TINTED_COLOURS)
    assert all(0 <= int(cell) <= 100 for cell in cells[1:])
