"""Detects throwing sticks in a picture with a small net that marks their middles, angles and sizes.

Theory of operation. The picture is shrunk to LONG_SIDE px on its long side. A fully convolutional net gives,
for every 8 x 8 px and for each of six ranges of angles, the score of a stick's middle there, and that stick's
exact middle, angle, length and width. All cells with a sufficient score are detections; of several on one
stick, non-maximum suppression keeps the strongest. So sticks are found that lie side by side in neighbouring
cells, or cross with their middles in one.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frames import Picture
from vision.reading.detector import PAD_GREY, downscaled
from vision.reading.nets import Net, scaled
from vision.turned_box import TurnedBox, angle_between, overlap

LONG_SIDE = 400
"""Long side of the net's input, px: a stick on a tray 300 mm wide is then 100 to 160 px long and 10 wide."""
STRIDE = 8
"""Px per cell of the net's output, both ways."""
SIZE_MULTIPLE = 16
"""The net halves its input four times, so both sides are padded to a multiple of this, px."""
ANGLES = 6
ANGLE_STEP = math.pi / ANGLES
"""Number of ranges of angles, and the width of each, radians."""
CELL_OUTPUTS = 6
"""Logit, dx, dy, angle, log length, log width."""
LENGTH_UNIT_PX, WIDTH_UNIT_PX = 64.0, 6.0
"""Px: the net gives the logarithms of a stick's sides in these units."""
SIDE_LOG_LIMIT = 2.5
"""Limit of these logarithms."""
SCORE_THRESHOLD = 0.18
"""Minimum score of a detection. It is low because the classifier rejects false positives."""
SAME_SHARE, SAME_ANGLE = 0.75, math.radians(25)
"""Two detections are one stick if they share more than SAME_SHARE of the smaller box, at most SAME_ANGLE
apart."""
MAX_DETECTIONS, MAX_CELLS = 24, 300
"""Maximum number of detections, and of cells that are decoded. No game has more than eight sticks, and one
has a sufficient score in some ten cells; it limits the cost of a striped cloth."""


@dataclass(frozen=True)
class StickDetection:
    """One detected stick: its box in px of the searched picture, and its score, 0-1."""

    box: TurnedBox
    score: float


class StickDetector:
    """Detects sticks with the net in this file."""

    def __init__(self, model: Path) -> None:
        self._net = Net(model)

    def detect(self, picture: Picture) -> list[StickDetection]:
        """The sticks in the picture, (h, w, 3) uint8, strongest first; boxes in its px."""
        return self.detect_in(*shrunk(picture))

    def detect_in(self, small: Picture, scale: float) -> list[StickDetection]:
        """The same in the result of shrunk; boxes in px of the picture that was shrunk."""
        detections = without_doubles(decoded(self._net(net_input(small))[0]))
        return [StickDetection(d.box.scaled(1 / scale), d.score) for d in detections]


def shrunk(picture: Picture) -> tuple[Picture, float]:
    """The picture with a long side of LONG_SIDE px, and the scale, as in vision.reading.detector.downscaled.

    Pixels are averaged also where it is shrunk by less than two: a stroke is as wide as a pixel there.
    """
    h, w = picture.shape[:2]
    scale = LONG_SIDE / max(h, w)
    if not 0.5 < scale < 1:
        return downscaled(picture, LONG_SIDE)
    size = max(1, round(w * scale)), max(1, round(h * scale))
    return np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8), scale


def net_input(picture: Picture) -> NDArray[np.float32]:
    """(1, 3, H, W) float32, -1..1: the picture with grey at the right and below to multiples of 16 px."""
    below, right = -picture.shape[0] % SIZE_MULTIPLE, -picture.shape[1] % SIZE_MULTIPLE
    grey = (PAD_GREY, PAD_GREY, PAD_GREY)
    padded = cv2.copyMakeBorder(picture, 0, below, 0, right, cv2.BORDER_CONSTANT, value=grey)
    return scaled(padded.transpose(2, 0, 1)[None].astype(np.float32, order="C"))


def decoded(output: NDArray[np.float32], threshold: float = SCORE_THRESHOLD) -> list[StickDetection]:
    """The detections in the net's output (36, h, w) with at least this score, strongest first.

    models/training/stick_nets.py describes the output. Boxes are in px of the net's input.
    """
    cells = output.reshape(ANGLES, CELL_OUTPUTS, *output.shape[1:])
    logit = cells[:, 0]
    found = np.nonzero(logit >= math.log(threshold / (1 - threshold)))
    order = np.argsort(-logit[found], kind="stable")[:MAX_CELLS]
    angle, row, col = (axis[order] for axis in found)
    values = cells[angle, :, row, col].astype(np.float64)
    score = 1 / (1 + np.exp(-np.minimum(values[:, 0], 30.0)))
    x = (col + 0.5 + values[:, 1]) * STRIDE - 0.5
    y = (row + 0.5 + values[:, 2]) * STRIDE - 0.5
    turned = (angle + 0.5 + values[:, 3] / 2) * ANGLE_STEP % math.pi
    sides = np.exp(np.clip(values[:, 4:], -SIDE_LOG_LIMIT, SIDE_LOG_LIMIT)) * (LENGTH_UNIT_PX, WIDTH_UNIT_PX)
    rows = np.column_stack([x, y, turned, sides, score]).tolist()
    return [StickDetection(TurnedBox((x, y), *box), score) for x, y, *box, score in rows]


def without_doubles(detections: list[StickDetection]) -> list[StickDetection]:
    """The detections, strongest first, without those of a stick that a stronger one shows already."""
    kept: list[StickDetection] = []
    for candidate in detections:
        if len(kept) < MAX_DETECTIONS and not any(_same(candidate.box, other.box) for other in kept):
            kept.append(candidate)
    return kept


def _same(a: TurnedBox, b: TurnedBox) -> bool:
    return angle_between(a.angle, b.angle) <= SAME_ANGLE and overlap(a, b, SAME_SHARE)
