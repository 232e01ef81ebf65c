"""Dice photographed from low down are read by their upper faces; pictures from above are read as before."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

from models import WEIGHTS
from models.rendering.scenes import render_oblique
from vision.boxes import iou
from vision.frames import Picture
from vision.reading.classifier import FaceClassifier
from vision.reading.detector import Detection, DieDetector
from vision.reading.low_view import with_low_view
from vision.reading.reader import CLASSIFIER_FILE, SURE_SCORE_THRESHOLD, Reader
from vision.readings import SeenDie


def picture_and_faces(
    reader: Reader, seed: int, tilt_deg: float
) -> tuple[Picture, list[tuple[SeenDie, int]]]:
    """A rendered photograph, and each die of its reading with the true face."""
    picture, truths = render_oblique(np.random.default_rng((8, seed)), tilt_deg)
    dice = reader.read(picture, thorough=True).dice
    return picture, [(d, t.face) for d in dice for t in truths if iou(d.box_xywh, t.box_xywh) > 0.4]


@pytest.mark.parametrize(("tilt_deg", "right", "sure"), [(50.0, 28, 17), (57.0, 18, 10)])
def test_dice_from_low_down_are_read_by_their_upper_faces(tilt_deg: float, right: int, sure: int) -> None:
    """Of some 30 dice each, 25 and 8 are right in the picture as it is, and 3 and 1 are sure."""
    reader = Reader()
    read = [pair for seed in range(12) for pair in picture_and_faces(reader, seed, tilt_deg)[1]]
    assert sum(die.face == face for die, face in read) >= right
    assert sum(die.sure for die, _ in read) >= sure
    assert not any(die.sure and die.face != face for die, face in read)


def test_unsure_dice_seen_from_above_are_left_alone() -> None:
    reader, classifier = Reader(), FaceClassifier(WEIGHTS / CLASSIFIER_FILE)
    picture, read = picture_and_faces(reader, 5, 5.0)
    unsure = [replace(die, sure=False) for die, _ in read]
    assert unsure
    assert with_low_view(picture, unsure, classifier, picture.shape[1::-1]) == unsure


def test_unsure_dice_are_read_again_but_those_that_the_border_cuts() -> None:
    reader, classifier = Reader(), FaceClassifier(WEIGHTS / CLASSIFIER_FILE)
    picture, read = picture_and_faces(reader, 5, 50.0)
    (die, face), *_ = (pair for pair in read if pair[0].sure)
    doubtful = replace(die, sure=False, confidence=0.4)
    cut, other = replace(doubtful, cut_off=True), replace(doubtful, face=7 - face)
    size_wh = picture.shape[1::-1]
    again, same = with_low_view(picture, [doubtful, cut], classifier, size_wh)
    assert (again.face, again.sure) == (face, True)
    assert same == cut
    (corrected,) = with_low_view(picture, [other], classifier, size_wh)
    assert (corrected.face, corrected.sure) == (face, False), "its normal is that of an upper face"


def test_a_die_behind_another_is_not_sure() -> None:
    """A six of which the two lower pips were hidden was a sure four."""
    reader, classifier = Reader(), FaceClassifier(WEIGHTS / CLASSIFIER_FILE)
    picture, read = picture_and_faces(reader, 5, 50.0)
    (die, face), *_ = (pair for pair in read if pair[0].sure)
    x, y, w, h = die.box_xywh
    dice = [replace(die, sure=False), replace(die, box_xywh=(x, y + 0.5 * h, w, h))]
    behind, _ = with_low_view(picture, dice, classifier, picture.shape[1::-1])
    assert (behind.face, behind.sure) == (face, False)


def test_a_die_of_which_a_side_was_read_lies_flat() -> None:
    """The normal of its side differs from those of the others' upper faces, so that it seemed to lean."""
    reader, classifier = Reader(), FaceClassifier(WEIGHTS / CLASSIFIER_FILE)
    picture, read = picture_and_faces(reader, 5, 50.0)
    (die, face), *_ = (pair for pair in read if pair[0].sure)
    leaning = replace(die, sure=False, cocked=True)
    side = replace(leaning, face=7 - face)
    one, other = with_low_view(picture, [leaning, side], classifier, picture.shape[1::-1])
    assert (one.face, one.cocked, one.sure) == (face, True, False)
    assert (other.face, other.cocked, other.sure) == (face, False, False)


def test_a_weak_detection_stays_unsure_however_clear_its_upper_face_is(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    reader = Reader()
    _, strong = picture_and_faces(reader, 5, 50.0)
    assert any(die.sure for die, _ in strong)
    detect = DieDetector.detect_multiscale

    def detect_weakly(detector: DieDetector, picture: Picture) -> Iterator[list[Detection]]:
        for detections in detect(detector, picture):
            yield [replace(d, score=min(d.score, SURE_SCORE_THRESHOLD - 0.01)) for d in detections]

    monkeypatch.setattr(DieDetector, "detect_multiscale", detect_weakly)
    _, weak = picture_and_faces(reader, 5, 50.0)
    assert [die.face for die, _ in weak] == [die.face for die, _ in strong]
    assert not any(die.sure for die, _ in weak)
