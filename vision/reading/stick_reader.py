"""Reads throwing sticks: detects them, classifies each and says how sure it is."""

from __future__ import annotations

import threading
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from statistics import median

import numpy as np

from models import WEIGHTS
from vision.frames import Picture
from vision.reading.stick_classifier import FACES, StickClassifier, StickPrediction
from vision.reading.stick_detector import StickDetection, StickDetector, without_doubles
from vision.readings import SeenStick
from vision.turned_box import TurnedBox, box_of_quad, shared_area

DETECTOR_FILE, CLASSIFIER_FILE = "stick_detector.onnx", "stick_classifier.onnx"
"""Names of the two nets' files in a folder of weights."""
STRONG_SCORE, CLEAR_SCORE, CLEAR_CONFIDENCE = 0.55, 0.45, 0.97
"""Minimum product of the two nets' probabilities of a stick, and of one whose face has at least
CLEAR_CONFIDENCE."""
WEAK_SCORE = 0.18
"""Sticks are thrown several at a time and are alike, so a weaker detection, down to this, is a stick too if a
strong one of about its length is in the picture."""
ALIKE_LENGTHS = (0.6, 1.7)
"""Range of a weak stick's length, in lengths of a strong one."""
CUT_CONFIDENCE = 0.8
"""Minimum confidence of a stick that the border cuts. What shows no clear face there is a rim."""
SURE_CONFIDENCE, SURE_WHITE = 0.95, 0.98
"""Minimum confidence of a sure stick, and of one that is called white: in dim light, white paint and a back
of pale grey or blue look alike."""
SURE_SCORE = 0.55
"""Minimum product of the two probabilities for a sure stick. On 100 rendered tables, of 152 sticks above the
limits three were wrong: random letters that were taken for a word, and two things that are no sticks."""
INTERCHANGEABLE = ("round", "black")
"""A black back may be called either; the game decides which it is."""
CROSSED_SHARE = 0.02
"""Two sticks cross if they share more than this of the smaller box; boxes of sticks that lie side by side
share a little."""
SHORT_SHARE = 0.6
"""A stick shorter than this share of the others' median length stands on end, leans on something or is hidden
in part."""
MIN_PICTURE_PX = 16
"""A picture with a shorter side than this shows nothing that could be read."""


class StickReader:
    """Reads sticks with two nets, which it loads when they are first needed. It may serve many threads."""

    def __init__(self, model_dir: Path = WEIGHTS) -> None:
        """model_dir: holds stick_detector.onnx and stick_classifier.onnx."""
        self._folder, self._lock = model_dir, threading.Lock()

    @cached_property
    def _detector(self) -> StickDetector:
        return StickDetector(self._folder / DETECTOR_FILE)

    @cached_property
    def _classifier(self) -> StickClassifier:
        return StickClassifier(self._folder / CLASSIFIER_FILE)

    def read(self, picture: Picture) -> tuple[SeenStick, ...]:
        """The sticks in a picture, (h, w, 3) uint8 BGR of any size, from the top left.

        ValueError: the array has another shape or type.
        """
        if picture.ndim != 3 or picture.shape[2] != 3 or picture.dtype != np.uint8:
            raise ValueError(f"expected a (h, w, 3) uint8 picture, got {picture.shape} {picture.dtype}")
        if min(picture.shape[:2]) < MIN_PICTURE_PX:
            return ()
        with self._lock:
            detector, classifier = self._detector, self._classifier
        detections = detector.detect(picture)
        predictions = classifier.classify(picture, [d.box for d in detections])
        pairs = _distinct(detections, predictions)
        sticks = [seen_stick(detection, prediction, picture) for detection, prediction in pairs]
        sticks = [s for s in sticks if s.confidence >= CUT_CONFIDENCE or not is_cut(s, picture)]
        return tuple(sorted(_judged_together(sticks), key=lambda s: (s.centre_xy[1], s.centre_xy[0])))


def _distinct(
    detections: list[StickDetection], predictions: list[StickPrediction]
) -> list[tuple[StickDetection, StickPrediction]]:
    """What is a stick, once each, with corrected boxes and the scores of both nets together."""
    corrected = {
        StickDetection(p.box, d.score * (1 - p.none)): p
        for d, p in zip(detections, predictions, strict=True)
        if d.score * (1 - p.none) >= WEAK_SCORE
    }
    found = without_doubles(sorted(corrected, key=lambda d: -d.score))
    strong = [d.box.length for d in found if _is_strong(d, corrected[d])]
    return [(d, corrected[d]) for d in found if any(_alike(d.box.length, length) for length in strong)]


def _is_strong(detection: StickDetection, prediction: StickPrediction) -> bool:
    clear = prediction.faces.max() >= CLEAR_CONFIDENCE and detection.score >= CLEAR_SCORE
    return bool(clear or detection.score >= STRONG_SCORE)


def _alike(length: float, other: float) -> bool:
    return ALIKE_LENGTHS[0] * other <= length <= ALIKE_LENGTHS[1] * other


def seen_stick(detection: StickDetection, prediction: StickPrediction, picture: Picture) -> SeenStick:
    """The stick of a detection that is one, judged alone."""
    order = np.argsort(-prediction.faces)
    likely = tuple((FACES[int(n)], float(prediction.faces[n] / prediction.faces.sum())) for n in order)
    face = likely[0][0]
    same = INTERCHANGEABLE if face in INTERCHANGEABLE else (face,)
    confidence = float(sum(prediction.faces[FACES.index(name)] for name in same))
    stick = SeenStick(face, prediction.box.quad, min(confidence, 1.0), sure=False, likely=likely)
    limit = SURE_WHITE if face == "white" else SURE_CONFIDENCE
    certain = confidence >= limit and detection.score >= SURE_SCORE
    return replace(stick, sure=certain and not is_cut(stick, picture))


def is_cut(stick: SeenStick, picture: Picture) -> bool:
    """Whether the picture's border cuts the stick, so that letters may be missing."""
    h, w = picture.shape[:2]
    box = box_of_quad(stick.quad)
    (cx, cy), (ux, uy) = box.centre_xy, box.axis
    reach_x, reach_y = abs(ux) * box.length / 2, abs(uy) * box.length / 2
    return cx - reach_x < 1 or cy - reach_y < 1 or cx + reach_x > w - 2 or cy + reach_y > h - 2


def _judged_together(sticks: list[SeenStick]) -> list[SeenStick]:
    """The sticks, with those marked that cross; much shorter ones than the others are unsure."""
    boxes = [box_of_quad(stick.quad) for stick in sticks]
    usual = median(box.length for box in boxes) if boxes else 0.0
    result = []
    for n, (stick, box) in enumerate(zip(sticks, boxes, strict=True)):
        crossed = any(_cross(box, other) for m, other in enumerate(boxes) if m != n)
        sure = stick.sure and box.length >= SHORT_SHARE * usual
        result.append(replace(stick, crossed=crossed, sure=sure))
    return result


def _cross(a: TurnedBox, b: TurnedBox) -> bool:
    return shared_area(a.quad, b.quad) > CROSSED_SHARE * min(a.length * a.width, b.length * b.width)
