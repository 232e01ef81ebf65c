"""Training on a table's corrections, and which weights a table uses."""

from __future__ import annotations

import copy
import logging
import shutil
from pathlib import Path

import cv2
import numpy as np
import pytest

from models import WEIGHTS
from models.evaluation.scoring import LabelledPicture
from models.labels import DieLabel
from models.training.corrections import CorrectedPicture, corrected_pictures
from models.training.fine_tune import (
    MIN_CORRECTIONS,
    Score,
    TooFewCorrections,
    fine_tune_on_log,
    improves,
    install_weights,
    interpolate_weights,
    score,
)
from models.training.fine_tune_trial import corrected_photographs
from table.commands.wiring import open_reader
from table.common.errors import LogUnusable
from table.defaults import LOG_NAME, WEIGHTS_NAME
from table.games import game
from table.log.store import Evidence, Log
from table.rules.answers import Throw
from table.rules.game import Seat
from table.rules.match import Match
from vision.reading.classifier import FaceClassifier
from vision.reading.reader import CLASSIFIER_FILE, DETECTOR_FILE, Reader, digest
from vision.simulation import SimDie, render_truth

SEATS = (Seat("Ann"), Seat("Ben"))
SIZE = (800, 600)


def write_log(data: Path, throws: list[tuple[int, int, bool]]) -> None:
    """Writes the log of a match of Pig.

    throws: (true face, face that was read, sure) of each. Misread throws are corrected.
    """
    log = Log(data / LOG_NAME)
    match, logged = Match(game("pig"), SEATS, {}), log.start("pig", SEATS, {})
    for n, (true_face, read, sure) in enumerate(throws):
        picture, (true,) = render_truth(
            [SimDie(true_face, "red", 0, 0, n / 3)], np.random.default_rng(n), SIZE
        )
        jpeg = bytes(cv2.imencode(".jpg", picture)[1])
        at, event = match.at, match.answered(Throw.of(read))
        seen = {
            "face": read,
            "colour": "red",
            "box": list(true.box_xywh),
            "confidence": 0.9,
            "sure": sure,
            "cocked": False,
        }
        logged, match = (
            log.append(logged, [event], Evidence(at, {"size": SIZE, "dice": [seen]}, jpeg)),
            match.after(event),
        )
        if read != true_face:
            correction = match.corrected(at, Throw.of(true_face))
            logged, match = log.append(logged, [correction]), match.after(correction)
    log.close()


@pytest.fixture
def data(tmp_path: Path) -> Path:
    write_log(tmp_path, [(1, 1, True), (1, 4, True), (1, 1, False), (1, 1, True)])
    return tmp_path


def test_corrected_and_unsure_dice_count_as_corrections(data: Path) -> None:
    pictures = list(corrected_pictures(data / LOG_NAME))
    assert [[(d.read, d.face, d.is_correction) for d in p.dice] for p in pictures] == [
        [(1, 1, False)], [(4, 1, True)], [(1, 1, True)], [(1, 1, False)],
    ]  # fmt: skip
    assert pictures[0].picture.shape == (600, 800, 3)
    assert len({p.name for p in pictures}) == 4


def test_a_missing_log_is_refused(tmp_path: Path) -> None:
    with pytest.raises(LogUnusable, match="there is no log at"):
        list(corrected_pictures(tmp_path / LOG_NAME))


def test_too_few_corrections_are_refused(data: Path) -> None:
    with pytest.raises(TooFewCorrections, match=f"2 dice .* at least {MIN_CORRECTIONS}"):
        fine_tune_on_log(data, 1, 1)


def test_the_classifier_is_scored_on_the_dice_of_a_log(data: Path) -> None:
    pictures: list[CorrectedPicture] = list(corrected_pictures(data / LOG_NAME))
    assert score(FaceClassifier(WEIGHTS / CLASSIFIER_FILE), pictures) == Score(
        dice=4, wrong=0, sure_wrong=0, sure=4
    )


BEFORE = (Score(10, 4, 0, 5), Score(30, 0, 0, 30), Score(200, 20, 0, 150))
"""Scores on corrections, on the table's other throws, and on other tables."""


@pytest.mark.parametrize(
    ("corrections", "other_throws", "other_tables", "improved"),
    [
        (Score(10, 3, 0, 5), BEFORE[1], BEFORE[2], True),  # fewer wrong
        (Score(10, 4, 0, 6), BEFORE[1], BEFORE[2], True),  # as many wrong, more sure
        (Score(10, 4, 0, 5), BEFORE[1], BEFORE[2], False),  # no better
        (Score(10, 3, 1, 5), BEFORE[1], BEFORE[2], False),  # sure and wrong
        (Score(10, 0, 0, 10), Score(30, 1, 0, 29), BEFORE[2], False),  # the table's other dice were forgotten
        (Score(10, 0, 0, 10), BEFORE[1], Score(200, 21, 0, 150), True),  # one more wrong may be chance
        (Score(10, 0, 0, 10), BEFORE[1], Score(200, 22, 0, 150), False),  # other dice were forgotten
        (Score(10, 0, 0, 10), BEFORE[1], Score(200, 20, 1, 150), False),  # other dice are sure and wrong
    ],
)
def test_new_weights_are_used_only_if_they_improve(
    corrections: Score, other_throws: Score, other_tables: Score, improved: bool
) -> None:
    assert improves(BEFORE, (corrections, other_throws, other_tables)) == improved


def test_the_weights_of_two_nets_are_interpolated() -> None:
    pytest.importorskip("torch", reason="learning needs the train extra")
    from models.training.nets import load_float_classifier

    start, _ = load_float_classifier(WEIGHTS)
    end = copy.deepcopy(start)
    end.out.bias.data += 1.0
    between = interpolate_weights(start, end, 0.25)
    assert (between.out.bias - start.out.bias).detach().numpy() == pytest.approx(0.25)
    assert (between.out.weight - start.out.weight).detach().numpy() == pytest.approx(0.0)


def weights_folder(folder: Path, made_from: str) -> Path:
    folder.mkdir()
    for name in (DETECTOR_FILE, CLASSIFIER_FILE):
        shutil.copy(WEIGHTS / name, folder / name)
    (folder / "weights.json").write_text(f'{{"made_from": "{made_from}"}}')
    return folder


def test_a_table_reads_with_the_weights_trained_for_it(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    install_weights(weights_folder(tmp_path / "made", digest(WEIGHTS)), tmp_path / WEIGHTS_NAME)
    install_weights(tmp_path / "made", tmp_path / WEIGHTS_NAME)  # again, over the first
    with caplog.at_level(logging.INFO):
        open_reader(tmp_path)
    assert "weights that this table learned" in caplog.text
    assert sorted(p.name for p in tmp_path.iterdir()) == ["made", WEIGHTS_NAME]


def test_weights_trained_before_an_update_are_not_used(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    weights_folder(tmp_path / WEIGHTS_NAME, "0" * 64)
    open_reader(tmp_path)
    assert "older weights" in caplog.text


@pytest.mark.parametrize("broken", ["weights.json", CLASSIFIER_FILE])
def test_a_table_with_broken_weights_still_reads(
    tmp_path: Path, broken: str, caplog: pytest.LogCaptureFixture
) -> None:
    (weights_folder(tmp_path / WEIGHTS_NAME, digest(WEIGHTS)) / broken).write_text("{")
    reader = open_reader(tmp_path)
    assert "cannot be used" in caplog.text
    assert reader.read(np.zeros((60, 80, 3), np.uint8)).dice == ()


def test_training_without_an_improvement_writes_no_weights(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("torch", reason="learning needs the train extra")
    write_log(tmp_path, [(1, 2 + n % 5, True) for n in range(MIN_CORRECTIONS + 6)])
    assert fine_tune_on_log(tmp_path, 2, 2) == 2  # the shipped weights read these dice already
    assert "are not better" in capsys.readouterr().out
    assert not (tmp_path / WEIGHTS_NAME).exists()


def test_photographs_of_a_rig_give_the_corrections_that_people_would_make() -> None:
    picture, (true, _) = render_truth(
        [SimDie(3, "red", -40, 0), SimDie(5, "red", 40, 0)], np.random.default_rng(1), SIZE
    )
    # an emblem that stands for 6, beside a die that nobody labelled
    emblem = DieLabel(true.box_xywh, 6, "red", symbol=True)
    undetected = DieLabel((0, 0, 20, 20), 2, "red")
    (corrected_picture,) = corrected_photographs(
        Reader(), [LabelledPicture("Ann/rig", "a.jpg", "top", (emblem, undetected), lambda: picture)]
    )
    assert [(d.read, d.face, d.is_correction) for d in corrected_picture.dice] == [(3, 6, True)]
