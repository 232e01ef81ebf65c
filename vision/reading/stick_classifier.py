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
from vision.reading.nets import Net
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
CERTAIN_NONE = 0.98
"""A thing that is no stick with at least this probability in the first view needs no second one."""
CROP_WH = (256, 32)
"""Width and height of the net's input, px: a stroke is then 2 px wide, as in the picture."""
LEVELS = (50, 98)
"""Percentiles of the picture's brightness that the net gets beside the crop, each as a plane of its own."""
LEVELS_PX = 64
"""Side of the shrunk picture that these are taken of, px."""
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

    def classify(self, picture: Picture, boxes: Sequence[TurnedBox]) -> list[StickPrediction]:
        """One prediction per box, in their order."""
        if not boxes:
            return []
        levels = brightness_levels(picture)
        outputs = self._outputs(picture, boxes, levels, turned=False)
        chances = softmax(outputs[:, :CLASSES])
        corrected = [corrected_box(box, out[CLASSES:]) for box, out in zip(boxes, outputs, strict=True)]
        doubtful = np.flatnonzero(chances[:, NO_STICK] < CERTAIN_NONE).tolist()
        if doubtful:
            outputs = self._outputs(picture, [corrected[n] for n in doubtful], levels, turned=True)
            outputs[:, CLASSES : CLASSES + 2] *= -1  # half a turn turns along and across round
            chances[doubtful] = (chances[doubtful] + softmax(outputs[:, :CLASSES])) / 2
            for n, out in zip(doubtful, outputs, strict=True):
                corrected[n] = corrected_box(corrected[n], out[CLASSES:])
        return [
            StickPrediction(p[:NO_STICK], float(p[NO_STICK]), box)
            for p, box in zip(chances, corrected, strict=True)
        ]

    def _outputs(
        self, picture: Picture, boxes: Sequence[TurnedBox], levels: NDArray[np.float32], turned: bool
    ) -> NDArray[np.float64]:
        """(boxes, 13): the net's outputs."""
        w, h = CROP_WH
        planes = np.empty((len(boxes), CHANNELS, h, w), np.float32)
        for row, box in zip(planes, boxes, strict=True):
            row[:3] = level_crop(picture, box, turned).transpose(2, 0, 1)
        planes[:, 3:] = levels[:, None, None]
        return self._net(planes / np.float32(128) - np.float32(1)).astype(np.float64)


def brightness_levels(picture: Picture) -> NDArray[np.float32]:
    """(2,) float32, 0-255: how bright the picture is at its LEVELS, as grey levels."""
    step = max(1, min(picture.shape[:2]) // LEVELS_PX // 3)  # a ninth of the px is enough, and faster
    some = np.ascontiguousarray(picture[::step, ::step])
    small = cv2.resize(some, (LEVELS_PX, LEVELS_PX), interpolation=cv2.INTER_AREA)
    return np.asarray(np.percentile(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), LEVELS), np.float32)


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
