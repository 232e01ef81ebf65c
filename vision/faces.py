"""What one die shows: a small net looks at a square cut around it from the full-size picture, a few times, slightly turned.

The looks are averaged as chances, not as logits: where they disagree the average is unsure, and that is what we want to know.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frames import Picture
from vision.nets import Net
from vision.reading import COLOURS

Box = tuple[float, float, float, float]

CROP_PX = 64
"""Side of what the net sees, px: a pip of a common die is then about 6 px wide."""
LOOKS: tuple[tuple[float, float], ...] = (
    (0.0, 1.15), (140.0, 1.12),
    (70.0, 1.22), (200.0, 1.08), (250.0, 1.18), (310.0, 1.14), (30.0, 1.1), (165.0, 1.25),
)  # fmt: skip
"""How a die is looked at: turned by so many degrees, in a square of so many times the box's longer side. The nets were trained on
all turns and on squares of 1.15 times, give or take 0.07."""
FIRST_LOOKS = 2
"""Every die gets so many looks; the rest is for those which these do not settle."""
SETTLED = 0.995
"""Chance of one answer, "no die" included, from which a die needs no further look."""
FACES = 6
NO_DIE = 6
"""Place of "no die" among the net's seven face logits."""
BATCH = 64
"""Crops a run of the net; bounds its memory."""


@dataclass(frozen=True, eq=False)
class Look:
    """What the net makes of one box.

    faces: (6,) chance of each face 1-6 and of its being a die at all; the rest to 1 is `no_die`.
    colours: (11,) in the order of COLOURS. cocked, stacked: chance that it leans, that it lies on another die.
    """

    faces: NDArray[np.float64]
    no_die: float
    colours: NDArray[np.float64]
    cocked: float
    stacked: float = 0.0

    @property
    def settled(self) -> bool:
        return max(float(self.faces.max()), self.no_die) >= SETTLED


class FaceReader:
    """Reads dice with the net in this file."""

    def __init__(self, model: Path) -> None:
        self._net = Net(model)

    def look(self, picture: Picture, boxes: Sequence[Box]) -> list[Look]:
        """One Look a box, in their order."""
        first = self._answers(picture, boxes, LOOKS[:FIRST_LOOKS])
        looks = [averaged(a) for a in first]
        doubtful = [i for i, look in enumerate(looks) if not look.settled]
        more = self._answers(picture, [boxes[i] for i in doubtful], LOOKS[FIRST_LOOKS:])
        for i, answers in zip(doubtful, more, strict=True):
            looks[i] = averaged(np.concatenate([first[i], answers]))
        return looks

    def _answers(self, picture: Picture, boxes: Sequence[Box], looks: Sequence[tuple[float, float]]) -> NDArray[np.float64]:
        """(boxes, looks, answers)"""
        if not boxes:
            return np.zeros((0, len(looks), 0))
        crops = np.stack([_crop(picture, box, *look) for box in boxes for look in looks])
        answers = np.concatenate([self._net(as_inputs(crops[i : i + BATCH])) for i in range(0, len(crops), BATCH)])
        return answers.astype(np.float64).reshape(len(boxes), len(looks), -1)


def as_inputs(crops: NDArray[np.uint8]) -> NDArray[np.float32]:
    """0-255 -> -1..1, of the same shape."""
    return crops.astype(np.float32) / np.float32(128) - np.float32(1)


def _crop(picture: Picture, box: Box, turn_deg: float, span: float) -> NDArray[np.uint8]:
    x, y, w, h = box
    crop = square(picture, x + w / 2, y + h / 2, max(w, h) * span, CROP_PX, turn_deg)
    return np.asarray(crop.transpose(2, 0, 1), np.uint8)


def averaged(answers: NDArray[np.float64]) -> Look:
    """The net's answers (looks, 7 + 11 + 2) to several looks at one die, as one."""
    faces = _chances(answers[:, : FACES + 1]).mean(axis=0)
    colours = _chances(answers[:, FACES + 1 : FACES + 1 + len(COLOURS)]).mean(axis=0)
    cocked, stacked = (1 / (1 + np.exp(-np.clip(answers[:, -2:], -30, 30)))).mean(axis=0)
    return Look(faces[:FACES], float(faces[NO_DIE]), colours, float(cocked), float(stacked))


def _chances(logits: NDArray[np.float64]) -> NDArray[np.float64]:
    """(n, k) -> (n, k), each row adding to 1."""
    raised = np.exp(logits - logits.max(axis=1, keepdims=True))
    return np.asarray(raised / raised.sum(axis=1, keepdims=True))


def square(picture: Picture, cx: float, cy: float, side: float, out: int, turn_deg: float = 0.0) -> Picture:
    """The square of this side around (cx, cy), px, turned against the clock: (out, out, 3). Beyond the border its last px repeat."""
    k = out / side
    left, top, part = _around(picture, cx, cy, side, k)
    affine = cv2.getRotationMatrix2D((0.0, 0.0), turn_deg, k)
    affine[:, 2] = (out - 1) / 2 - affine[:, :2] @ (cx - left - 0.5, cy - top - 0.5)
    crop = cv2.warpAffine(part, affine, (out, out), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(crop, np.uint8)


SOFTEN_BELOW = 0.6
"""A square shrunk further than this is softened first, so that pips do not alias."""


def _around(picture: Picture, cx: float, cy: float, side: float, k: float) -> tuple[int, int, Picture]:
    """The part of the picture about the square, softened when it will be shrunk much; and where it lies."""
    if k >= SOFTEN_BELOW:
        return 0, 0, picture
    h, w = picture.shape[:2]
    left, top = min(max(int(cx - side), 0), w - 1), min(max(int(cy - side), 0), h - 1)
    part = picture[top : max(int(cy + side) + 1, top + 1), left : max(int(cx + side) + 1, left + 1)]
    return left, top, np.asarray(cv2.GaussianBlur(part, (0, 0), 0.4 / k), np.uint8)
