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

from table.common.colours import COLOURS
from vision.frames import Box, Picture
from vision.nets import Net

CROP_PX = 64
"""Side of what the net sees, px: a pip of a common die is then about 6 px wide."""
VIEWS: tuple[tuple[float, float], ...] = (
    (0.0, 1.15), (140.0, 1.12),
    (70.0, 1.22), (200.0, 1.08), (250.0, 1.18), (310.0, 1.14), (30.0, 1.1), (165.0, 1.25),
)  # fmt: skip
"""How a die is looked at: turned by so many degrees, in a square of so many times the box's longer side. The nets were trained on
all turns and on squares of 1.15 times, give or take 0.07."""
VIEW_ROUNDS, THOROUGH_VIEW_ROUNDS = (1, 3, 8), (4, 8)
"""So many looks a die has had after each round, at a table and in a photograph; the later rounds are for dice that are not settled.
A table looks at the next frame anyway."""
EVERY_VIEW = (len(VIEWS),)
STOP_CONFIDENCE = 0.99
"""Chance of one answer, "no die" included, from which a die needs no further look."""
FACES = 6
BACKGROUND = 6
"""Place of "no die" among the net's seven face logits."""
FACING = FACES + 1 + len(COLOURS)
OUTPUTS = FACING + 3
"""Numbers the net gives for a look: faces, "no die", colours, how far the upper face looks to the right and downwards, and the
logarithm of how far these two may be off."""
BATCH = 64
"""Crops a run of the net; bounds its memory."""


@dataclass(frozen=True, eq=False)
class FacePrediction:
    """What the net makes of one box.

    faces: (6,) chance of each face 1-6 and of its being a die at all; the rest to 1 is `no_die`.
    colours: (11,) in the order of COLOURS. facing_xy: how far the upper face looks to the
    right and downwards, as vision.ground_plane has it; facing_error: how far that may be off, as the net itself takes it.
    """

    faces: NDArray[np.float64]
    background: float
    colours: NDArray[np.float64]
    facing_xy: tuple[float, float]
    facing_error: float

    @property
    def settled(self) -> bool:
        return max(float(self.faces.max()), self.background) >= STOP_CONFIDENCE


class FaceClassifier:
    """Reads dice with the net in this file. in_floats: see vision.nets.Net."""

    def __init__(self, model: Path, in_floats: bool = False) -> None:
        self._net = Net(model, in_floats)

    def classify(self, picture: Picture, boxes: Sequence[Box], rounds: Sequence[int] = VIEW_ROUNDS) -> list[FacePrediction]:
        """One Look a box, in their order, after as many looks as these rounds say."""
        looks: dict[int, FacePrediction] = {}
        open_, had = list(range(len(boxes))), 0
        answers = np.zeros((len(boxes), 0, OUTPUTS))
        for looked in rounds:
            if not open_:
                break
            more = self._answers(picture, [boxes[i] for i in open_], VIEWS[had:looked])
            answers, had = np.concatenate([answers, more], axis=1), looked
            looks.update(zip(open_, merge_views(answers), strict=True))
            doubtful = [n for n, i in enumerate(open_) if not looks[i].settled]
            open_, answers = [open_[n] for n in doubtful], answers[doubtful]
        return [looks[i] for i in range(len(boxes))]

    def _answers(self, picture: Picture, boxes: Sequence[Box], looks: Sequence[tuple[float, float]]) -> NDArray[np.float64]:
        """(boxes, looks, answers)"""
        crops = np.concatenate([crops_of(picture, box, looks) for box in boxes]).transpose(0, 3, 1, 2)
        answers = np.concatenate([self._net(normalised(crops[i : i + BATCH])) for i in range(0, len(crops), BATCH)])
        return answers.astype(np.float64).reshape(len(boxes), len(looks), -1)


def crops_of(picture: Picture, box: Box, looks: Sequence[tuple[float, float]]) -> NDArray[np.uint8]:
    """(looks, 64, 64, 3): the die in this box as each look sees it."""
    x, y, w, h = box
    sides = [max(w, h) * span for _, span in looks]
    around = _around(picture, x + w / 2, y + h / 2, max(sides), CROP_PX)
    return np.stack([_rotated(around, side, CROP_PX, turn) for side, (turn, _) in zip(sides, looks, strict=True)])


def normalised(crops: NDArray[np.uint8]) -> NDArray[np.float32]:
    """0-255 -> -1..1, of the same shape."""
    return np.ascontiguousarray(crops, np.float32) / np.float32(128) - np.float32(1)


def merge_views(answers: NDArray[np.float64]) -> list[FacePrediction]:
    """The net's answers (dice, looks, 7 + 11 + 3) to the first looks of LOOKS at each die, as one Look each."""
    faces = _chances(answers[..., : FACES + 1]).mean(axis=1)
    colours = _chances(answers[..., FACES + 1 : FACES + 1 + len(COLOURS)]).mean(axis=1)
    turns = np.radians([turn for turn, _ in VIEWS[: answers.shape[1]]])
    back = np.array([[np.cos(turns), -np.sin(turns)], [np.sin(turns), np.cos(turns)]])  # (2, 2, looks): against the look's turn
    facing = np.einsum("xyl,dly->dx", back, answers[..., FACING : FACING + 2]) / len(turns)
    errors = np.exp(answers[..., FACING + 2].mean(axis=1))
    return [
        FacePrediction(f[:FACES], float(f[BACKGROUND]), c, (float(x), float(y)), float(e))
        for f, c, (x, y), e in zip(faces, colours, facing, errors, strict=True)
    ]


def _chances(logits: NDArray[np.float64]) -> NDArray[np.float64]:
    """(..., k) -> (..., k), each last row adding to 1."""
    raised = np.exp(logits - logits.max(axis=-1, keepdims=True))
    return np.asarray(raised / raised.sum(axis=-1, keepdims=True))


def crop_square(picture: Picture, cx: float, cy: float, side: float, out: int, turn_deg: float = 0.0) -> Picture:
    """The square of this side around (cx, cy), px, turned against the clock: (out, out, 3). Beyond the border its last px repeat."""
    return _rotated(_around(picture, cx, cy, side, out), side, out, turn_deg)


BY_WHOLE_PX = 0.8
"""A square that is to be shrunk is first shrunk by a whole number, the nearest to this share of the way, so that pips do not alias."""


@dataclass(frozen=True, eq=False)
class _Around:
    """The part of a picture about a die, `scale` times its size, and where the die's middle lies in it, px."""

    part: Picture
    middle_xy: tuple[float, float]
    scale: float


def _around(picture: Picture, cx: float, cy: float, side: float, out: int) -> _Around:
    h, w = picture.shape[:2]
    left, top = min(max(int(cx - 0.75 * side) - 1, 0), w - 1), min(max(int(cy - 0.75 * side) - 1, 0), h - 1)
    part = picture[top : max(int(cy + 0.75 * side) + 2, top + 1), left : max(int(cx + 0.75 * side) + 2, left + 1)]
    times = round(BY_WHOLE_PX * side / out)
    wide, high = part.shape[1] // max(times, 1), part.shape[0] // max(times, 1)
    if times < 2 or not wide or not high:
        return _Around(part, (cx - left, cy - top), 1.0)
    small = cv2.resize(part[: high * times, : wide * times], (wide, high), interpolation=cv2.INTER_AREA)
    return _Around(np.asarray(small, np.uint8), ((cx - left) / times, (cy - top) / times), 1 / times)


def _rotated(around: _Around, side: float, out: int, turn_deg: float) -> Picture:
    affine = cv2.getRotationMatrix2D((0.0, 0.0), turn_deg, out / side / around.scale)
    x, y = around.middle_xy
    affine[:, 2] = (out - 1) / 2 - affine[:, :2] @ (x - 0.5, y - 0.5)
    crop = cv2.warpAffine(around.part, affine, (out, out), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(crop, np.uint8)
