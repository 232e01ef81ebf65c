"""Reads throwing sticks: detects them, classifies each and says how sure it is."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from statistics import median

import numpy as np
from numpy.typing import NDArray

from models import WEIGHTS
from vision.frames import Picture
from vision.reading.overexposure import is_bleached, unsure_where_bleached, with_hidden_sides
from vision.reading.stick_classifier import (
    ANIMALS,
    FACES,
    StickClassifier,
    StickPrediction,
    brightness_levels,
)
from vision.reading.stick_detector import StickDetection, StickDetector, shrunk, without_doubles
from vision.reading.stick_edges import touches, visible_edges
from vision.reading.stick_throw import faces_of_one_set, likenesses, stick_probability
from vision.readings import SeenStick
from vision.turned_box import TurnedBox, box_of_quad, overlap

DETECTOR_FILE, CLASSIFIER_FILE = "stick_detector.onnx", "stick_classifier.onnx"
"""Names of the two nets' files in a folder of weights."""
CERTAIN_NONE = 0.98
"""A thing that is no stick with at least this probability in the first view is none."""
CERTAIN_FACE = 0.98
"""A face with at least this probability in the first view needs no second one. On 450 rendered and simulated
pictures, no such face was another one in the second view."""
WEAK_SCORE = 0.05
"""Minimum product of the two nets' probabilities of a stick. What the others in the picture tell may still
make it one."""
PRESENT_CHANCE, STICK_CHANCE = 0.9, 0.3
"""Minimum probability of one stick, not cut by the border, that makes a picture one of sticks, and of the
others in it. Only what crosses nothing stronger is evidence: in photographs of dice the likeliest such thing
has 0.86, the bars of a grille. In 200 throws on the simulated tray the likeliest one has 0.95 or more."""
LONE_CHANCE = 0.75
"""The same minimum for a stick with nothing like it beside it: nothing raises its probability, and a pattern
of bars never looks so."""
CUT_CONFIDENCE = 0.8
"""Minimum confidence of a stick that the border cuts. What shows no clear face there is a rim."""
SURE_CONFIDENCE = 0.95
"""Minimum confidence of a sure stick."""
CROSSED_CONFIDENCE = 0.98
"""The same of an animal on a stick that crosses another one, which may hide strokes. Of some 280 such
animals on rendered and simulated trays, none that reached 0.95 was another one."""
INTERCHANGEABLE = ("round", "black")
"""A black back may be called either; the game decides which it is."""
CROSSED_SHARE = 0.02
"""Two sticks cross if they share more than this of the smaller box; boxes of sticks that lie side by side
share a little."""
BORDER_PX = 1.0
"""The border cuts a stick whose ends come this near to it, or whose corners lie this far beyond it, px."""
SHORT_SHARE = 0.6
"""A stick shorter than this share of the others' median length stands on end, leans on something or is hidden
in part."""
MIN_EDGE_SHARE = 0.35
"""Minimum share of its long edges that is visible of a stick that touches others, or of which little else is
clear."""
CLEAR_CONFIDENCE = 0.7
"""Confidence from which a stick that touches none needs no visible edges: it may be as dark as the ground."""
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
        sticks = _seen_sticks(candidates(picture, detector, classifier), picture)
        return tuple(sorted(judged_together(sticks), key=lambda s: (s.centre_xy[1], s.centre_xy[0])))


@dataclass(frozen=True, eq=False)
class Candidate:
    """A thing that may be a stick. detector: the detector's score. prediction: the classifier's."""

    detector: float
    prediction: StickPrediction

    @property
    def box(self) -> TurnedBox:
        return self.prediction.box

    @property
    def score(self) -> float:
        """Product of the two nets' probabilities of a stick."""
        return self.detector * (1 - self.prediction.none)


def candidates(picture: Picture, detector: StickDetector, classifier: StickClassifier) -> list[Candidate]:
    """What may be a stick, once each, strongest first."""
    small, scale = shrunk(picture)
    detections = detector.detect_in(small, scale)
    if not detections:
        return []
    levels = brightness_levels(small)
    first = classifier.first_look(picture, [d.box for d in detections], levels)
    seen = [Candidate(d.score, p) for d, p in zip(detections, first, strict=True)]
    once = distinct(c for c in seen if c.prediction.none < CERTAIN_NONE)
    doubtful = [c for c in once if c.prediction.faces.max() < CERTAIN_FACE]
    second = classifier.second_look(picture, [c.prediction for c in doubtful], levels)
    plain = [c for c in once if c.prediction.faces.max() >= CERTAIN_FACE]
    looked_at = [Candidate(c.detector, p) for c, p in zip(doubtful, second, strict=True)]
    return distinct(c for c in plain + looked_at if c.score >= WEAK_SCORE)


def distinct(found: Iterable[Candidate]) -> list[Candidate]:
    """These, strongest first, without those of a stick that a stronger one shows already."""
    by_place = {StickDetection(c.box, c.score): c for c in found}
    return [by_place[d] for d in without_doubles(sorted(by_place, key=lambda d: -d.score))]


def _seen_sticks(found: list[Candidate], picture: Picture) -> list[SeenStick]:
    """Those that are sticks, judged with what they tell about one another."""
    if not found:
        return []
    boxes, scores, chances = [c.box for c in found], [c.score for c in found], _chances(found)
    faces = np.stack([c.prediction.faces / c.prediction.faces.sum() for c in found])
    bleached = [is_bleached(picture, box) for box in boxes]
    faces = with_hidden_sides(faces_of_one_set(faces, scores), bleached)
    sticks = [
        _seen_stick(box, chance, row, picture) for box, chance, row in zip(boxes, chances, faces, strict=True)
    ]
    sticks = unsure_where_bleached(sticks, bleached)
    cut = [is_cut(stick, picture) for stick in sticks]
    alone = sum(chance >= STICK_CHANCE for chance in chances) == 1
    if not _present([f for f, c in zip(found, cut, strict=True) if not c], alone):
        return []
    found_sticks = [
        (stick, box)
        for stick, box, chance, c in zip(sticks, boxes, chances, cut, strict=True)
        if chance >= STICK_CHANCE and (stick.confidence >= CUT_CONFIDENCE or not c)
    ]
    return _with_edges(found_sticks, picture)


def _chances(found: list[Candidate]) -> list[float]:
    """The probability of a stick for each of these, with what they tell about one another."""
    alike = likenesses([c.box for c in found], [c.score for c in found])
    return [
        stick_probability(c.detector, 1 - c.prediction.none, likeness)
        for c, likeness in zip(found, alike, strict=True)
    ]


def _present(whole: list[Candidate], alone: bool) -> bool:
    """Whether the picture is one of sticks, by those that the border does not cut, strongest first."""
    apart: list[Candidate] = []
    for candidate in whole:
        if not any(_cross(candidate.box, other.box) for other in apart):
            apart.append(candidate)
    return max(_chances(apart), default=0.0) >= (LONE_CHANCE if alone else PRESENT_CHANCE)


def _with_edges(found: Sequence[tuple[SeenStick, TurnedBox]], picture: Picture) -> list[SeenStick]:
    """Those with edges of their own, strongest first; the others are mixtures of two that touch."""
    kept = list[tuple[SeenStick, TurnedBox]]()
    for stick, box in found:
        others = [other for _, other in kept]
        doubtful = stick.confidence < CLEAR_CONFIDENCE or touches(box, others)
        if not doubtful or visible_edges(picture, box, others) >= MIN_EDGE_SHARE:
            kept.append((stick, box))
    return [stick for stick, _ in kept]


def _seen_stick(box: TurnedBox, chance: float, faces: NDArray[np.float64], picture: Picture) -> SeenStick:
    """A stick with this probability, and these of its faces (7,)."""
    likely = tuple((FACES[int(n)], float(faces[n])) for n in np.argsort(-faces))
    face = likely[0][0]
    same = INTERCHANGEABLE if face in INTERCHANGEABLE else (face,)
    certainty = min(sum(p for name, p in likely if name in same), 1.0)
    stick = SeenStick(face, box.quad, chance * certainty, sure=False, likely=likely)
    return replace(stick, sure=stick.confidence >= SURE_CONFIDENCE and not is_cut(stick, picture))


def is_cut(stick: SeenStick, picture: Picture) -> bool:
    """Whether the picture's border cuts the stick, so that letters may be missing."""
    h, w = picture.shape[:2]
    corners = np.array(stick.quad)
    ends = (corners + corners[[3, 2, 1, 0]]) / 2  # the middles of its short sides
    beyond = (corners < -BORDER_PX) | (corners > (w - 1 + BORDER_PX, h - 1 + BORDER_PX))
    touching = (ends < BORDER_PX) | (ends > (w - 1 - BORDER_PX, h - 1 - BORDER_PX))
    return bool(beyond.any() or touching.any())


def judged_together(sticks: list[SeenStick]) -> list[SeenStick]:
    """The sticks, with those marked that cross. Much shorter ones than the others are unsure, and so are the
    animals of those that cross, unless they are plain: the other stick may hide strokes."""
    boxes = [box_of_quad(stick.quad) for stick in sticks]
    usual = median(box.length for box in boxes) if boxes else 0.0
    result = []
    for n, (stick, box) in enumerate(zip(sticks, boxes, strict=True)):
        crossed = any(_cross(box, other) for m, other in enumerate(boxes) if m != n)
        legible = stick.face not in ANIMALS or not crossed or stick.confidence >= CROSSED_CONFIDENCE
        sure = stick.sure and legible and box.length >= SHORT_SHARE * usual
        result.append(replace(stick, crossed=crossed, sure=sure))
    return result


def _cross(a: TurnedBox, b: TurnedBox) -> bool:
    return overlap(a, b, CROSSED_SHARE)
