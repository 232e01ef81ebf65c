"""Classifying faces: the number of views that a die gets."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from models import WEIGHTS
from vision.reading.classifier import VIEW_ROUNDS, VIEWS, FaceClassifier
from vision.reading.reader import CLASSIFIER_FILE
from vision.simulation import SimDie, render_truth


def test_a_clear_die_is_classified_in_the_first_round_of_views(monkeypatch: pytest.MonkeyPatch) -> None:
    picture, (true,) = render_truth([SimDie(4, "blue", 0, 0)], np.random.default_rng(4), (1280, 960))
    classifier, counts = FaceClassifier(WEIGHTS / CLASSIFIER_FILE), list[int]()
    net = classifier._net

    def counted(crops: np.ndarray) -> np.ndarray:
        counts.append(len(crops))
        return net(crops)

    monkeypatch.setattr(classifier, "_net", counted)
    (prediction,) = classifier.classify(picture, [true.box_xywh])
    assert counts == [VIEW_ROUNDS[0]]
    assert prediction.decided
    assert int(prediction.faces.argmax()) + 1 == 4
    five, _ = render_truth([SimDie(5, "blue", 0, 0)], np.random.default_rng(4), (1280, 960))
    counts.clear()
    between = np.asarray(cv2.addWeighted(picture, 0.86, five, 0.14, 0), np.uint8)
    (prediction,) = classifier.classify(between, [true.box_xywh])
    assert sum(counts) == VIEW_ROUNDS[-1] == len(VIEWS)
    assert not prediction.decided
