"""Classifies the side of a stick that is up: a small net sees the stick laid level, both ways round.

The first view is cut as the detector saw the stick, and also corrects the box. The second is cut along the
corrected box, turned by half a turn, and corrects it once more. The probabilities of the two are averaged.

White paint in dim light and grey paint in bright light look alike in a crop. So the net also gets two levels
of the whole picture's brightness.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frames import Picture
from vision.reading.detector import shrunk_by
from vision.reading.nets import Net, scaled
from vision.turned_box import TurnedBox

ANIMALS = ("dog", "deer", "cow", "horse")
"""Faces that strokes tell apart."""
FACES = ("round", *ANIMALS, "white", "black")
NO_STICK = len(FACES)
"""Index of the class of things that are no sticks, behind the faces."""
CLASSES = len(FACES) + 1
CORRECTIONS = 5
"""Outputs of the net behind the classes: how far the stick's middle is along and across, in shares of length
and width; how far it is turned, as a share of TURN_UNIT; logarithms of the true length and width over those
of the box."""
CORRECTION_LIMIT = 1.5
"""Largest correction, in its units."""
TURN_UNIT = 0.1
"""Radians."""
CROP_WH = (256, 32)
"""Width and height of the net's input, px: a stroke is then 2 px wide, as in the picture."""
LEVELS = (50, 98)
"""Percentiles of the picture's brightness that the net gets beside the crop, each as a plane of its own."""
LEVELS_PX = 64
"""Least short side of the shrunk picture that these are taken of, px."""
Levels = NDArray[np.float32]
"""(2,): the picture's brightness at LEVELS, 0-255."""
CHANNELS = 3 + len(LEVELS)
"""Planes of the net's input: b, g, r and the levels of brightness."""
SPAN_ALONG, SPAN_ACROSS = 1.12, 1.6
"""What a crop shows, in lengths and widths of the stick."""


@dataclass(frozen=True, eq=False)
class StickPrediction:
    """The classifier's prediction for one box.

    faces: (7,) probability of a stick with each of FACES up. none: of no stick. All eight sum to 1.
    box: the corrected box.
    """

    faces: NDArray[np.float64]
    none: float
    box: TurnedBox


class StickClassifier:
    """Classifies sticks with the net in this file."""

    def __init__(self, model: Path) -> None:
        self._net = Net(model)

    def first_look(
        self, picture: Picture, boxes: Sequence[TurnedBox], levels: Levels
    ) -> list[StickPrediction]:
        """A prediction for each box, from one view of it. levels: brightness_levels of the picture."""
        return [
            _prediction(box, out)
            for box, out in zip(boxes, self._outputs(picture, boxes, levels), strict=True)
        ]

    def second_look(
        self, picture: Picture, first: Sequence[StickPrediction], levels: Levels
    ) -> list[StickPrediction]:
        """The predictions with a second view of each, turned by half a turn, along its corrected box."""
        boxes = [prediction.box for prediction in first]
        outputs = self._outputs(picture, boxes, levels, turned=True)
        outputs[:, CLASSES : CLASSES + 2] *= -1  # half a turn turns along and across round
        second = [_prediction(box, out) for box, out in zip(boxes, outputs, strict=True)]
        return [
            StickPrediction((a.faces + b.faces) / 2, (a.none + b.none) / 2, b.box)
            for a, b in zip(first, second, strict=True)
        ]

    def _outputs(
        self, picture: Picture, boxes: Sequence[TurnedBox], levels: Levels, turned: bool = False
    ) -> NDArray[np.float64]:
        """(boxes, 13): the net's outputs."""
        if not boxes:
            return np.empty((0, CLASSES + CORRECTIONS))
        w, h = CROP_WH
        planes = np.empty((len(boxes), CHANNELS, h, w), np.float32)
        for row, box in zip(planes, boxes, strict=True):
            row[:3] = level_crop(picture, box, turned).transpose(2, 0, 1)
        planes[:, 3:] = levels[:, None, None]
        return self._net(scaled(planes)).astype(np.float64)


def _prediction(box: TurnedBox, output: NDArray[np.float64]) -> StickPrediction:
    """What one output (13,) of the net says about this box."""
    chances = softmax(output[:CLASSES])
    return StickPrediction(chances[:NO_STICK], float(chances[NO_STICK]), corrected_box(box, output[CLASSES:]))


def brightness_levels(picture: Picture) -> Levels:
    """(2,) float32, 0-255: how bright the picture is at its LEVELS, as grey levels."""
    small = shrunk_by(picture, max(1, min(picture.shape[:2]) // LEVELS_PX))
    ranked = np.sort(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), axis=None)  # faster than np.percentile
    places = np.array(LEVELS) / 100 * (len(ranked) - 1)
    return np.interp(places, np.arange(len(ranked)), ranked).astype(np.float32)


def corrected_box(box: TurnedBox, corrections: NDArray[np.float64]) -> TurnedBox:
    """The box moved, turned and resized by the net's corrections."""
    along, across, turn, longer, wider = np.clip(corrections, -CORRECTION_LIMIT, CORRECTION_LIMIT).tolist()
    (cx, cy), (ux, uy) = box.centre_xy, box.axis
    along, across = along * box.length, across * box.width
    return TurnedBox(
        (cx + along * ux - across * uy, cy + along * uy + across * ux),
        (box.angle + turn * TURN_UNIT) % math.pi,
        box.length * math.exp(longer),
        box.width * math.exp(wider),
    )


def level_crop(picture: Picture, box: TurnedBox, turned: bool = False) -> Picture:
    """(32, 256, 3): the stick in this box, laid level; turned: by half a turn. Border px repeat."""
    picture, box = _surroundings(picture, box)
    (ux, uy), (w, h) = box.axis, CROP_WH
    sign = -1.0 if turned else 1.0
    step_x = sign * SPAN_ALONG * box.length / w
    step_y = sign * SPAN_ACROSS * box.width / h
    affine = np.array([[step_x * ux, -step_y * uy, 0.0], [step_x * uy, step_y * ux, 0.0]])
    affine[:, 2] = np.array(box.centre_xy) - affine[:, :2] @ ((w - 1) / 2, (h - 1) / 2)
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    crop = cv2.warpAffine(picture, affine, CROP_WH, flags=flags, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(crop, np.uint8)


def part_around(picture: Picture, box: TurnedBox, reach: float) -> tuple[Picture, tuple[int, int]]:
    """The part of the picture within this distance of the box's corners, px, and the px of its left top."""
    corners = np.array(box.quad)
    h, w = picture.shape[:2]
    x0, y0 = np.clip((corners.min(0) - reach).astype(int), 0, (w - 2, h - 2)).tolist()
    x1, y1 = np.clip((corners.max(0) + reach).astype(int) + 2, (x0 + 2, y0 + 2), (w, h)).tolist()
    return picture[y0:y1, x0:x1], (x0, y0)


def _surroundings(picture: Picture, box: TurnedBox) -> tuple[Picture, TurnedBox]:
    """The part of the picture around the box, shrunk by a whole number if it is much finer than the crop."""
    part, (left, top) = part_around(picture, box, 0.1 * box.length + box.width)
    box = box.moved(-left, -top)
    fine = min(SPAN_ALONG * box.length / CROP_WH[0], SPAN_ACROSS * box.width / CROP_WH[1])
    factor = int(min(fine, part.shape[0], part.shape[1]))
    if factor < 2:
        return part, box
    shrunk = cv2.resize(
        part, (part.shape[1] // factor, part.shape[0] // factor), interpolation=cv2.INTER_AREA
    )
    centre = ((box.centre_xy[0] + 0.5) / factor - 0.5, (box.centre_xy[1] + 0.5) / factor - 0.5)
    return np.asarray(shrunk, np.uint8), TurnedBox(centre, box.angle, box.length / factor, box.width / factor)


def softmax(logits: NDArray[np.float64]) -> NDArray[np.float64]:
    """(..., k) -> (..., k), each last row summing to 1."""
    exponentials = np.exp(logits - logits.max(axis=-1, keepdims=True))
    return np.asarray(exponentials / exponentials.sum(axis=-1, keepdims=True))
