"""Reads the dice of a photograph that was taken from low down.

Theory of operation. From 40 degrees and more off straight above, the side in front is as large as the upper
face, and the classifier may read it. A picture that is stretched upwards by 1 / cos(tilt) shows the upper
faces about as from straight above, for a camera that is held upright. They are squares at the top of their
boxes then, as wide as these, and the sides lie below the squares. So the classifier needs no other training.

The tilt is unknown. Of TILTS_DEG, the one is chosen at which the classifier is most confident of the dice
together: at a wrong tilt pips are squeezed, or parts of two faces are in the square. Its neighbours are
used as well, and a die is sure only if they agree.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.boxes import Box
from vision.frames import Picture
from vision.reading.classifier import FaceClassifier, likely_faces
from vision.reading.upper_face import may_show_sides
from vision.readings import CONFIDENCE_THRESHOLD, SeenDie

TILTS_DEG = (36.0, 42.0, 48.0, 54.0, 60.0, 66.0)
"""Angles of the camera from straight above that are tried, degrees."""
LOW_VIEW = 0.42
"""Sine of the median angle between faces and the line of sight from which a photograph may be a low view."""
MIN_CONFIDENCE, MIN_SURE_CONFIDENCE = 0.4, 0.8
"""Mean confidence of all dice at the best tilt from which it is believed, and from which dice may be sure."""
UPWARDS, FACING = -0.2, 0.3
"""A face is an upper one if its normal points upwards in the picture by at least UPWARDS, or if it is turned
from the line of sight by less than FACING."""
KEPT_CONFIDENCE = 0.5
"""An upper face of more than this confidence is kept, unsure, where the stretched picture shows another."""
ROUNDS = (4,)
"""Views of each die at each tilt."""


def with_low_view(
    picture: Picture, dice: Sequence[SeenDie], classifier: FaceClassifier, size_wh: tuple[int, int]
) -> list[SeenDie]:
    """The dice, with those that are unsure read in the stretched picture, if it was taken from low down."""
    if not any(_may_change(die) for die in dice) or not _is_low_view(dice, size_wh):
        return list(dice)
    faces = np.stack([_stretched_faces(picture, dice, classifier, tilt_deg) for tilt_deg in TILTS_DEG])
    confidences = faces.max(axis=2).mean(axis=1)
    best = int(confidences.argmax())
    if confidences[best] < MIN_CONFIDENCE:
        return list(dice)
    near = faces[max(best - 1, 0) : best + 2]
    may_be_sure = bool(confidences[best] >= MIN_SURE_CONFIDENCE)
    return [
        _read_again(die, near[:, i], may_be_sure) if _may_change(die) else die for i, die in enumerate(dice)
    ]


def _may_change(die: SeenDie) -> bool:
    return not die.sure and not die.cocked and not die.cut_off


def _is_low_view(dice: Sequence[SeenDie], size_wh: tuple[int, int]) -> bool:
    """Whether the faces are turned away from the camera, or some may be sides."""
    turned = [math.hypot(*die.normal_xy) for die in dice if die.normal_xy]
    return bool(turned) and (float(np.median(turned)) >= LOW_VIEW or any(may_show_sides(dice, size_wh)))


def _stretched_faces(
    picture: Picture, dice: Sequence[SeenDie], classifier: FaceClassifier, tilt_deg: float
) -> NDArray[np.float64]:
    """(n, 6): probabilities of the faces that the picture shows when it is stretched for this tilt."""
    shrunk = math.cos(math.radians(tilt_deg))
    stretched = np.asarray(cv2.resize(picture, None, fx=1, fy=1 / shrunk), np.uint8)
    boxes: list[Box] = [(x, y / shrunk, w, w) for x, y, w, _ in (die.box_xywh for die in dice)]
    return np.stack([prediction.faces for prediction in classifier.classify(stretched, boxes, ROUNDS)])


def _read_again(die: SeenDie, near: NDArray[np.float64], may_be_sure: bool) -> SeenDie:
    """The die with the face of these probabilities (k, 6) at neighbouring tilts."""
    faces = near.mean(axis=0)
    face, confidence = int(faces.argmax()) + 1, float(faces.max())
    x, y = die.normal_xy or (0.0, 0.0)
    differs = face != die.face and (y < UPWARDS or math.hypot(x, y) < FACING)
    if differs and die.confidence > KEPT_CONFIDENCE:
        return die
    agreed = bool((near.argmax(axis=1) + 1 == face).all())
    return replace(
        die,
        face=face,
        confidence=confidence,
        sure=may_be_sure and agreed and not differs and confidence >= CONFIDENCE_THRESHOLD,
        likely=likely_faces(faces),
    )
