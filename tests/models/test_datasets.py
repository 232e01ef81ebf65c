"""The pictures to evaluate. Dice in rendered tables that nobody can read are not scored."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from models.evaluation.datasets import TRAYS, photographs, renders, simulated
from models.evaluation.scoring import (
    LabelledPicture,
    ScoredPicture,
    Tally,
    score_picture,
)
from models.labels import DieLabel
from models.rendering.render_files import is_named
from tests.models.example_scores import photo_folder
from vision.readings import Reading, SeenDie


def test_simulated_pictures_are_the_same_in_every_run() -> None:
    first, second = (list(simulated(2, TRAYS[1])) for _ in range(2))
    assert [c.truth for c in first] == [c.truth for c in second]
    assert np.array_equal(first[0].load_picture(), second[0].load_picture())


def test_photographs_for_training_are_left_out_and_a_source_can_be_selected(tmp_path: Path) -> None:
    folder = photo_folder(tmp_path)
    assert [c.name for c in photographs(folder, train=False)] == ["one.png", "two.png"]
    assert [c.name for c in photographs(folder, train=False, source="ann")] == ["one.png"]
    assert next(photographs(folder, train=False)).truth[0].colour == "white"
    assert not [c for c in photographs(folder, train=True) if c.name == "three.png"]


def test_a_missing_photograph_is_an_error_with_its_name(tmp_path: Path) -> None:
    folder = photo_folder(tmp_path)
    (folder / "one.png").unlink()
    with pytest.raises(FileNotFoundError, match=r"one\.png"):
        next(photographs(folder, train=False)).load_picture()


def die(x: int, **other: object) -> dict:
    label = {
        "box_xywh": [x, 20, 60, 60], "face": 2, "colour": "white", "cocked": False, "readable": True,
        "seen": 1.0, "lean_deg": 0.0, "pips_xy": [[x + 20, 40], [x + 40, 60]], "pip_px": 5.0,
    }  # fmt: skip
    return label | other


def test_dice_that_nobody_can_read_are_not_scored(tmp_path: Path) -> None:
    picture = np.full((100, 600, 3), 220, np.uint8)
    for x in (10, 110, 210, 410, 510):
        for px, py in die(x)["pips_xy"]:
            cv2.circle(picture, (px, py), 5, (20, 20, 20), -1)
    cv2.imwrite(str(tmp_path / "000001.jpg"), picture)
    dice = [die(10), die(110, seen=0.3), die(210, readable=False), die(310)]
    dice += [die(410, colour="", lean_deg=30.0), die(510, lean_deg=36.0), die(420, seen=0.0)]
    (tmp_path / "000001.json").write_text(json.dumps(dice))
    (labelled,) = renders(tmp_path, "tables")
    assert labelled.source == "tables"
    # the fourth has no pips in the picture
    assert [t.scored for t in labelled.truth] == [True, False, False, False, True, False]
    assert [t.tilted for t in labelled.truth] == [False, False, False, False, True, True]
    assert [t.ignore for t in labelled.truth] == [False, True, True, True, False, False]
    assert [t.colour for t in labelled.truth] == ["white", "white", "white", "white", None, "white"]
    called = (True, False, False, False, False, True)
    seen = tuple(
        SeenDie(2, "white", t.box_xywh, 0.9, True, cocked=c)
        for t, c in zip(labelled.truth, called, strict=True)
    )
    tally = Tally.of([score_picture(labelled, Reading((600, 100), seen, (), 1.0))])
    assert tally.dice == 2
    assert (tally.tilted, tally.tilted_called_cocked) == (2, 1)
    assert (tally.flat, tally.flat_called_cocked) == (1, 1)
    assert [t.definite for t in labelled.truth] == [True, True, False, True, True, False]
    assert labelled.load_picture().shape == (100, 600, 3)


@pytest.mark.parametrize(
    ("other", "named"),
    [
        ({}, True),
        ({"readable": False}, False),
        ({"normal_xy": (0.8, 0.0)}, True),  # flat, in an oblique view
        ({"lean_deg": 25.0, "normal_xy": (0.1, 0.3)}, True),
        (
            {"lean_deg": 25.0, "normal_xy": (-0.6, 0.5)},
            False,
        ),  # mostly a side is visible
        ({"lean_deg": 25.0, "normal_xy": None}, True),
        ({"lean_deg": 38.0, "normal_xy": (0.0, 0.0)}, False),
    ],
)
def test_a_face_is_named_where_a_person_can_name_it(other: dict, named: bool) -> None:
    assert is_named(die(0, **other)) is named


def score_with_five(*dice: SeenDie) -> ScoredPicture:
    """The score of a flat 3, read correctly, and a 5 that leans too far to be named, read as these dice."""
    truth = (
        DieLabel((10, 10, 60, 60), 3, "white"),
        DieLabel((110, 10, 60, 60), 5, "white", tilted=True, definite=False),
    )
    labelled = LabelledPicture("tables", "000001", "any", truth, lambda: np.zeros((100, 200, 3), np.uint8))
    flat = SeenDie(3, "white", (10, 10, 60, 60), 0.99, True)
    return score_picture(labelled, Reading((200, 100), (flat, *dice), (), 1.0))


@pytest.mark.parametrize(
    ("five", "whole", "missed", "sure_wrong"),
    [
        (None, False, 1, 0),
        (SeenDie(2, "white", (110, 10, 60, 60), 0.99, True), False, 0, 1),
        (SeenDie(2, "white", (110, 10, 60, 60), 0.6, False), True, 0, 0),
        (SeenDie(2, "white", (110, 10, 60, 60), 0.99, True, cocked=True), True, 0, 0),
        (SeenDie(5, "white", (110, 10, 60, 60), 0.99, True), True, 0, 0),
    ],
)
def test_a_die_that_nobody_can_name_must_be_detected_and_not_surely_misread(
    five: SeenDie | None, whole: bool, missed: int, sure_wrong: int
) -> None:
    scored = score_with_five(five) if five else score_with_five()
    tally = Tally.of([scored])
    assert scored.all_correct is whole
    assert (tally.dice, tally.right, tally.missed, tally.sure_wrong) == (1, 1, missed, sure_wrong)
    assert (tally.throws, tally.throws_whole, tally.throws_sure_wrong) == (
        1,
        whole,
        scored.auto_accepted and not whole,
    )
