"""Reads the dice of a photograph that was taken from low down.

Theory of operation. From 40 degrees and more off straight above, the side in front is as large as the upper
face, and the classifier may read it. A picture that is stretched upwards by 1 / cos(tilt) shows the upper
faces about as from straight above, for a camera that is held upright. They are squares at the top of their
boxes then, as wide as these, and the sides lie below the squares. So the classifier needs no other training.

The tilt is unknown. Of TILTS_DEG, the one is chosen at which the classifier is most confident of the dice
together: at a wrong tilt pips are squeezed, or parts of two faces are in the square. Its neighbours are
used as well, and a die is sure only if they agree.

A picture that is stretched for a tilt of 25 degrees shows the sides as it should show the upper faces if the
tilt is 65. So a tilt below AMBIGUOUS_DEG has to be plainly better than the others where the normal of some
face does not point upwards, and makes no die sure.

All dice that are not sure are read again, also those that seem to lean: the normal of a side that was read
differs from those of upper faces.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.boxes import Box, intersection
from vision.frames import Picture
from vision.reading.classifier import FaceClassifier, likely_faces
from vision.reading.detector import shrunk_by
from vision.reading.upper_face import may_show_sides
from vision.readings import SeenDie

TILTS_DEG = (24.0, 30.0, 36.0, 42.0, 48.0, 54.0, 60.0, 66.0)
"""Angles of the camera from straight above that are tried, degrees."""
AMBIGUOUS_DEG, AMBIGUOUS_LOSS = 42.0, 0.15
"""Tilt below which sides may look as upper faces, degrees, and by how much the mean confidence must be larger
there than at the other tilts."""
LOW_VIEW = 0.3
"""Sine of the median angle between faces and the line of sight from which a photograph may be a low view."""
MIN_CONFIDENCE, MIN_SURE_CONFIDENCE = 0.4, 0.7
"""Mean confidence of all dice at the best tilt from which it is believed, and from which dice may be sure."""
SURE_CONFIDENCE = 0.92
"""Mean confidence at the best tilt and its neighbours from which a die is sure: the mean of more views than
CONFIDENCE_THRESHOLD is asked of. On 2,280 pictures by models.rendering.scenes.render_oblique, from which it
was chosen, some 3 % more dice are sure with it, and none of these is wrong."""
UPWARDS, FACING = -0.2, 0.3
"""A face is an upper one if its normal points upwards in the picture by at least UPWARDS, or if it is turned
from the line of sight by less than FACING."""
LEANING_CONFIDENCE = 0.8
"""The same confidence from which a die that seemed to lean lies flat, if it shows another face."""
HIDDEN_SHARE = 0.3
"""Largest share of a die's box that the box of a die in front of it may cover if it is sure: from low down,
that one hides pips of its upper face."""
FINE_PX = 128
"""A die this wide is finer than the classifier's views, px."""
ROUNDS = (4,)
"""Views of each die at each tilt."""


def with_low_view(
    picture: Picture, dice: Sequence[SeenDie], classifier: FaceClassifier, size_wh: tuple[int, int]
) -> list[SeenDie]:
    """The dice, with those that are unsure read in the stretched picture, if it was taken from low down."""
    if not any(_may_change(die) for die in dice) or not _is_low_view(dice, size_wh):
        return list(dice)
    picture, boxes = _shrunk(picture, [die.box_xywh for die in dice])
    faces = np.stack([_stretched_faces(picture, boxes, classifier, tilt_deg) for tilt_deg in TILTS_DEG])
    confidences = faces.max(axis=2).mean(axis=1)
    ambiguous = np.array(TILTS_DEG) < (0.0 if _all_point_upwards(dice) else AMBIGUOUS_DEG)
    best = int((confidences - AMBIGUOUS_LOSS * ambiguous).argmax())
    if confidences[best] < MIN_CONFIDENCE:
        return list(dice)
    near = faces[max(best - 1, 0) : best + 2]
    may_be_sure = bool(confidences[best] >= MIN_SURE_CONFIDENCE and not ambiguous[best])
    return [
        _read_again(die, near[:, i], may_be_sure and not _is_hidden(die, dice)) if _may_change(die) else die
        for i, die in enumerate(dice)
    ]


def _may_change(die: SeenDie) -> bool:
    return not die.sure and not die.cut_off


def _is_low_view(dice: Sequence[SeenDie], size_wh: tuple[int, int]) -> bool:
    """Whether the faces are turned away from the camera, or some may be sides."""
    turned = [math.hypot(*die.normal_xy) for die in dice if die.normal_xy]
    return bool(turned) and (float(np.median(turned)) >= LOW_VIEW or any(may_show_sides(dice, size_wh)))


def _all_point_upwards(dice: Sequence[SeenDie]) -> bool:
    return all(die.normal_xy[1] < UPWARDS for die in dice if die.normal_xy)


def _is_hidden(die: SeenDie, dice: Sequence[SeenDie]) -> bool:
    """Whether another die stands in front of this one, and may hide pips of its upper face."""
    _, y, w, h = die.box_xywh
    in_front = (d.box_xywh for d in dice if d is not die and d.box_xywh[1] + d.box_xywh[3] > y + h)
    return any(intersection(die.box_xywh, box) > HIDDEN_SHARE * w * h for box in in_front)


def _shrunk(picture: Picture, boxes: Sequence[Box]) -> tuple[Picture, list[Box]]:
    """The picture and the boxes shrunk by a whole number, so that every box is at least FINE_PX wide, if all
    are: stretching a picture of 12 megapixels at every tilt takes longer than all the rest."""
    times = int(min(w for _, _, w, _ in boxes) / FINE_PX)
    if times < 2:
        return picture, list(boxes)
    return shrunk_by(picture, times), [(x / times, y / times, w / times, h / times) for x, y, w, h in boxes]


def _stretched_faces(
    picture: Picture, boxes: Sequence[Box], classifier: FaceClassifier, tilt_deg: float
) -> NDArray[np.float64]:
    """(n, 6): probabilities of the faces that the picture shows when it is stretched for this tilt."""
    shrunk = math.cos(math.radians(tilt_deg))
    stretched = np.asarray(cv2.resize(picture, None, fx=1, fy=1 / shrunk), np.uint8)
    upper: list[Box] = [(x, y / shrunk, w, w) for x, y, w, _ in boxes]
    return np.stack([prediction.faces for prediction in classifier.classify(stretched, upper, ROUNDS)])


def _read_again(die: SeenDie, near: NDArray[np.float64], may_be_sure: bool) -> SeenDie:
    """The die with the face of these probabilities (k, 6) at neighbouring tilts."""
    faces = near.mean(axis=0)
    face, confidence = int(faces.argmax()) + 1, float(faces.max())
    agreed = bool((near.argmax(axis=1) + 1 == face).all())
    x, y = die.normal_xy or (0.0, 0.0)
    differs = face != die.face and (y < UPWARDS or math.hypot(x, y) < FACING)
    return replace(
        die,
        face=face,
        confidence=confidence,
        sure=may_be_sure and agreed and not differs and not die.cocked and confidence >= SURE_CONFIDENCE,
        likely=likely_faces(faces),
        cocked=die.cocked and (face == die.face or confidence < LEANING_CONFIDENCE),
    )
