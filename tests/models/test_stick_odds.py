"""The regression of what is a stick, and the tables that it is fitted on."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch", reason="training needs the train extra")

from models import WEIGHTS
from models.evaluation.sticks import labelled
from models.rendering.stick_scenes import StickLabel
from models.training.stick_odds import examples, logistic_regression
from models.training.stick_tables import label_of, write

QUAD = ((10.0, 10.0), (90.0, 10.0), (90.0, 20.0), (10.0, 20.0))


def test_the_regression_finds_the_constants_that_made_the_data() -> None:
    rng = np.random.default_rng(1)
    rows = np.concatenate([np.ones((20000, 1)), rng.normal(0, 1, (20000, 2))], 1)
    constants = np.array([-0.5, 1.5, 0.7])
    truth = rng.random(20000) < 1 / (1 + np.exp(-(rows @ constants)))
    assert logistic_regression(rows, truth) == pytest.approx(constants, abs=0.1)


def test_the_regression_stays_finite_where_all_can_be_told_apart() -> None:
    rows = np.array([[1.0, -1.0], [1.0, 1.0]])
    constants = logistic_regression(rows, np.array([False, True]))
    assert np.isfinite(constants).all()
    assert constants[1] > 1


@pytest.mark.parametrize(
    ("label", "ignored"),
    [
        (StickLabel("dog", QUAD), False),
        (StickLabel("dog", QUAD, seen=0.8), True),
        (StickLabel("", QUAD), True),
    ],
)
def test_what_the_border_cuts_and_letters_of_no_animal_are_ignored(label: StickLabel, ignored: bool) -> None:
    assert label_of(label).get("ignore", False) is ignored


def test_most_of_what_the_shipped_nets_propose_on_its_tables_are_sticks(tmp_path: Path) -> None:
    write(tmp_path, 12, None)
    assert len(list(labelled(tmp_path))) == 12
    rows, truth = zip(*examples(WEIGHTS, [tmp_path]), strict=True)
    assert np.stack(rows).shape == (len(truth), 4)
    assert 0.5 < np.mean(truth) < 1
