"""Classifies the upper face and the colour of one die: a small net sees square crops in several rotations.

Test-time augmentation: the probabilities of the views are averaged, not their logits. Where the views
disagree, the average has a low confidence, as it should.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from table.common.colours import COLOURS
from vision.boxes import Box
from vision.frames import Picture
from vision.reading.nets import Net, scaled

CROP_PX = 64
"""Side of the net's input, px: a pip of a common die is then about 6 px wide."""
VIEWS: tuple[tuple[float, float], ...] = (
    (0.0, 1.15), (140.0, 1.12),
    (70.0, 1.22), (200.0, 1.08), (250.0, 1.18), (310.0, 1.14), (30.0, 1.1), (165.0, 1.25),
)  # fmt: skip
"""The views of a die: rotation in degrees, and the side of the square crop as a multiple of the box's longer
side. The nets were trained on all rotations and on crops of 1.15 times the box, give or take 0.07."""
VIEW_ROUNDS, THOROUGH_VIEW_ROUNDS = (1, 3, 8), (4, 8)
"""Total number of views after each round, on a table and in a photograph. The later rounds are for dice that
are not decided yet. A table starts with fewer, because its next frame gives more views."""
ALL_VIEWS = (len(VIEWS),)
"""One round with all views."""
STOP_CONFIDENCE = 0.99
"""Probability of one class, background included, from which a die needs no further views."""
FACES = 6
BACKGROUND = 6
"""Index of the background among the net's seven face logits."""
NORMAL = FACES + 1 + len(COLOURS)
OUTPUTS = NORMAL + 3
"""Number of outputs of the net for a view: logits of the faces, of the background and of the colours, then
the upper face's normal to the right and downwards, and the logarithm of the error of these two."""
BATCH = 64
"""Crops in one run of the net; bounds its memory."""


@dataclass(frozen=True, eq=False)
class FacePrediction:
    """The classifier's prediction for one box.

    faces: (6,) probability of a die with each face 1-6 up.
    background: probability of no die. All seven sum to 1.
    colours: (11,) probabilities in the order of COLOURS.
    normal_xy: the upper face's normal to the right and downwards, see vision.reading.ground_plane.
    normal_error: the net's estimate of the error of normal_xy.
    """

    faces: NDArray[np.float64]
    background: float
    colours: NDArray[np.float64]
    normal_xy: tuple[float, float]
    normal_error: float

    @property
    def decided(self) -> bool:
        """Whether the die needs no further views."""
        return max(float(self.faces.max()), self.background) >= STOP_CONFIDENCE


class FaceClassifier:
    """Classifies dice with the net in this file. in_floats: see vision.reading.nets.Net."""

    def __init__(self, model: Path, in_floats: bool = False) -> None:
        self._net = Net(model, in_floats)

    def classify(
        self, picture: Picture, boxes: Sequence[Box], rounds: Sequence[int] = VIEW_ROUNDS
    ) -> list[FacePrediction]:
        """One prediction per box, in their order. rounds: the number of views after each round."""
        predictions: dict[int, FacePrediction] = {}
        pending, views_done = list(range(len(boxes))), 0
        outputs = np.zeros((len(boxes), 0, OUTPUTS))
        for views_total in rounds:
            if not pending:
                break
            new_outputs = self._outputs(picture, [boxes[i] for i in pending], VIEWS[views_done:views_total])
            outputs, views_done = np.concatenate([outputs, new_outputs], axis=1), views_total
            predictions.update(zip(pending, merge_views(outputs), strict=True))
            undecided = [n for n, i in enumerate(pending) if not predictions[i].decided]
            pending, outputs = [pending[n] for n in undecided], outputs[undecided]
        return [predictions[i] for i in range(len(boxes))]

    def _outputs(
        self, picture: Picture, boxes: Sequence[Box], views: Sequence[tuple[float, float]]
    ) -> NDArray[np.float64]:
        """(boxes, views, OUTPUTS) float64: the net's outputs."""
        crops = np.concatenate([crops_of(picture, box, views) for box in boxes]).transpose(0, 3, 1, 2)
        batches = [normalised(crops[i : i + BATCH]) for i in range(0, len(crops), BATCH)]
        outputs = np.concatenate([self._net(batch) for batch in batches])
        return outputs.astype(np.float64).reshape(len(boxes), len(views), -1)


def likely_faces(faces: NDArray[np.float64]) -> tuple[tuple[int, float], ...]:
    """The faces 1-6 with their shares of these probabilities (6,), the likeliest first."""
    total = float(faces.sum())
    return tuple((int(i) + 1, float(faces[i]) / total) for i in np.argsort(-faces, kind="stable"))


def crops_of(picture: Picture, box: Box, views: Sequence[tuple[float, float]]) -> NDArray[np.uint8]:
    """(views, 64, 64, 3): the crops of the die in this box, one per view."""
    x, y, w, h = box
    sides = [max(w, h) * scale for _, scale in views]
    surroundings = _surroundings_of(picture, x + w / 2, y + h / 2, max(sides), CROP_PX)
    rotated = (
        _rotated(surroundings, side, CROP_PX, angle) for side, (angle, _) in zip(sides, views, strict=True)
    )
    return np.stack(list(rotated))


def normalised(crops: NDArray[np.uint8]) -> NDArray[np.float32]:
    """The crops scaled from 0-255 to -1..1, of the same shape."""
    return scaled(crops.astype(np.float32, order="C"))


def merge_views(outputs: NDArray[np.float64]) -> list[FacePrediction]:
    """The net's outputs (dice, views, OUTPUTS) for the first of VIEWS, merged to one prediction per die."""
    faces = _softmax(outputs[..., : FACES + 1]).mean(axis=1)
    colours = _softmax(outputs[..., FACES + 1 : FACES + 1 + len(COLOURS)]).mean(axis=1)
    angles = np.radians([angle for angle, _ in VIEWS[: outputs.shape[1]]])
    unrotate = np.array(
        [[np.cos(angles), -np.sin(angles)], [np.sin(angles), np.cos(angles)]]
    )  # (2, 2, views)
    normals = np.einsum("xyv,dvy->dx", unrotate, outputs[..., NORMAL : NORMAL + 2]) / len(angles)
    normal_errors = np.exp(outputs[..., NORMAL + 2].mean(axis=1))
    return [
        FacePrediction(f[:FACES], float(f[BACKGROUND]), c, (float(x), float(y)), float(e))
        for f, c, (x, y), e in zip(faces, colours, normals, normal_errors, strict=True)
    ]


def _softmax(logits: NDArray[np.float64]) -> NDArray[np.float64]:
    """(..., k) -> (..., k), each last row summing to 1."""
    exponentials = np.exp(logits - logits.max(axis=-1, keepdims=True))
    return np.asarray(exponentials / exponentials.sum(axis=-1, keepdims=True))


def crop_square(
    picture: Picture, cx: float, cy: float, side: float, out: int, turn_deg: float = 0.0
) -> Picture:
    """(out, out, 3): this side's square around (cx, cy), px, rotated counterclockwise; border px repeat."""
    return _rotated(_surroundings_of(picture, cx, cy, side, out), side, out, turn_deg)


INTEGER_SHRINK_SHARE = 0.8
"""Share of the shrinking factor that is done first, rounded to a whole number, so that pips do not alias."""
REACH_SIDES = 0.75
"""Distance from a crop's centre to the border of the region it is cut from, in sides of the crop. The corners
of a rotated square are 0.71 sides away."""


@dataclass(frozen=True, eq=False)
class _Surroundings:
    """The region of a picture around a die.

    centre_xy: the die's centre in it, px. scale: px of the region for one px of the picture.
    """

    region: Picture
    centre_xy: tuple[float, float]
    scale: float


def _surroundings_of(picture: Picture, cx: float, cy: float, side: float, out: int) -> _Surroundings:
    h, w = picture.shape[:2]
    reach = REACH_SIDES * side
    left, top = min(max(int(cx - reach) - 1, 0), w - 1), min(max(int(cy - reach) - 1, 0), h - 1)
    right, bottom = max(int(cx + reach) + 2, left + 1), max(int(cy + reach) + 2, top + 1)
    region = picture[top:bottom, left:right]
    factor = round(INTEGER_SHRINK_SHARE * side / out)
    shrunk_w, shrunk_h = region.shape[1] // max(factor, 1), region.shape[0] // max(factor, 1)
    if factor < 2 or not shrunk_w or not shrunk_h:
        return _Surroundings(region, (cx - left, cy - top), 1.0)
    cropped = region[: shrunk_h * factor, : shrunk_w * factor]
    shrunk = cv2.resize(cropped, (shrunk_w, shrunk_h), interpolation=cv2.INTER_AREA)
    return _Surroundings(
        np.asarray(shrunk, np.uint8), ((cx - left) / factor, (cy - top) / factor), 1 / factor
    )


def _rotated(surroundings: _Surroundings, side: float, out: int, turn_deg: float) -> Picture:
    affine = cv2.getRotationMatrix2D((0.0, 0.0), turn_deg, out / side / surroundings.scale)
    x, y = surroundings.centre_xy
    affine[:, 2] = (out - 1) / 2 - affine[:, :2] @ (x - 0.5, y - 0.5)
    crop = cv2.warpAffine(
        surroundings.region, affine, (out, out), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(crop, np.uint8)
