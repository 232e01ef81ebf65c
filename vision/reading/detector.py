"""Detects dice in a picture with a small net that marks their centres and sizes.

Theory of operation. The picture is shrunk to LONG_SIDE px on its long side, a photograph to PHOTO_SIDE. A
fully convolutional net gives, for every 4 x 4 px, the score of a die's centre there and that die's size.
Local maxima of this heatmap are detections. Non-maximum suppression keeps the stronger of two on one die.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.boxes import Box, centre_distance, clipped, iou
from vision.frames import Picture
from vision.reading.nets import Net

LONG_SIDE = 544
"""Long side of the net's input for a table, px: a 16 mm die on a tray 300 mm wide is then 29 px. Training
uses 0.4 to 2.4 times 640. At 544, 99.5 % of the dice that are read right at 576 are read right, in 12 % less
time: see models/README.md."""
PHOTO_SIDE = 576
"""Long side of the net's input for a photograph, px. Its dice may be farther away and time matters less:
scores are higher than at 544."""
SIZE_MULTIPLE = 32
"""The net halves its input five times, so both sides are padded to a multiple of this, px."""
STRIDE = 4
"""Px per cell of the net's output, and per patch of its first layer, both ways."""
PATCH_ROW_DTYPE = np.dtype((np.void, STRIDE * 3))
"""One row of a patch, which is copied as a whole."""
PATCH_BYTES = STRIDE * PATCH_ROW_DTYPE.itemsize
BOX_UNIT_PX = 32.0
"""Px: the net gives the logarithms of a box's sides in this unit."""
PAD_GREY = 114
"""Grey level of the padding, as in training."""
SCORE_THRESHOLD = 0.3
"""Minimum score of a detection on a table. It is low because the classifier rejects false positives: a missed
die costs a throw, an additional crop costs a millisecond."""
FAINT_SCORE_THRESHOLD = 0.1
"""Minimum score of a detection in a photograph, of which there is one frame only. A detection below
SCORE_THRESHOLD counts as a die only where its face is clear."""
NMS_IOU = 0.45
"""Two boxes above this IoU are one die. Dice that touch stay under 0.3 even in an oblique view."""
NMS_CENTRE_SHARE, NMS_SIZE_SHARE = 0.35, 0.15
"""Two detections are one die if their centres are nearer than NMS_CENTRE_SHARE of the stronger box's side,
and the weaker box is larger than NMS_SIZE_SHARE of the stronger one. A pip is larger than that; a die on a
board that looks like a die may be smaller."""
SIZE_SCORE_THRESHOLD = 0.5
"""Minimum score of a detection used to estimate the size of the dice."""
SMALL_DIE_PX = 26.0
"""Dice smaller than this in the net's input, px, are searched for at a larger scale."""
MIN_ZOOM = 1.2
"""Minimum ratio of a larger scale to the last one."""
LARGE_PICTURE_RATIO = 3
"""A picture this many times as large as the net's input may hold dice too small to be detected there."""
MAX_SIDE = 4 * PHOTO_SIDE
"""Maximum long side of the net's input, px: 1/100 of a large photograph's width is then 23 px."""
RESCAN_SCORE_THRESHOLD = 0.5
"""Minimum score of a detection at any scale after the first."""
MAX_DETECTIONS = 64
"""Maximum number of detections. No tray holds more; it limits the cost of a picture of gravel."""
SIDE_LOG_LIMIT = 3.2
"""Limit of a side's logarithm, in units of 32 px: sides are clipped to 1.3 px to 785 px."""


@dataclass(frozen=True)
class Detection:
    """One detected die: its box in px of the searched picture, and its score, 0-1."""

    box_xywh: Box
    score: float


class DieDetector:
    """Detects dice with the net in this file. in_floats: see vision.reading.nets.Net."""

    def __init__(self, model: Path, in_floats: bool = False) -> None:
        self._net, self._space_to_depth = Net(model, in_floats), SpaceToDepth()

    def detect(self, picture: Picture) -> list[Detection]:
        """The dice on a table, strongest first, at most MAX_DETECTIONS; boxes are clipped to the picture."""
        return _clipped_to(self._at_scale(picture, LONG_SIDE, SCORE_THRESHOLD), picture)

    def detect_multiscale(self, picture: Picture) -> Iterator[list[Detection]]:
        """Yields the dice in a photograph, strongest first; each further list adds those at a larger scale.

        A table's camera is mounted so that dice have a good size. A photograph may show one die that fills
        it, or thirty small ones. So it is searched at other scales too: at half the size, because the pips of
        a die too large for the net are detected as dice, and at twice the size and more while dice seem too
        small for the net. The caller decides when to stop, because a detection of plausible size may be a
        tray and not a die.
        """
        detections = self._at_scale(picture, PHOTO_SIDE, FAINT_SCORE_THRESHOLD)
        detections, long_side = self._with_scale(detections, picture, PHOTO_SIDE // 2), PHOTO_SIDE
        while next_side := zoomed_side(picture, long_side):
            if not may_miss_small_dice(detections, picture, long_side):
                yield _clipped_to(detections, picture)
            detections, long_side = self._with_scale(detections, picture, next_side), next_side
        yield _clipped_to(detections, picture)

    def _with_scale(self, detections: list[Detection], picture: Picture, long_side: int) -> list[Detection]:
        """These detections and those at this long side, px; strongest first."""
        rescanned = self._at_scale(picture, long_side, RESCAN_SCORE_THRESHOLD)
        return non_max_suppression(sorted([*detections, *rescanned], key=lambda d: -d.score))

    def _at_scale(self, picture: Picture, long_side: int, threshold: float) -> list[Detection]:
        """The detections in the picture shrunk to this long side, px; boxes in px of the picture."""
        small, scale = downscaled(picture, long_side)
        detections = non_max_suppression(decode_heatmap(self._net(self._space_to_depth(small))[0], threshold))
        return [Detection(tuple(v / scale for v in d.box_xywh), d.score) for d in detections]  # type: ignore[arg-type]


def zoomed_side(picture: Picture, long_side: int) -> int:
    """The next larger long side, px, for a picture that was searched at this one; 0 if there is none."""
    next_side = min(2 * long_side, max(picture.shape[:2]), MAX_SIDE)
    return next_side if next_side >= MIN_ZOOM * long_side else 0


def may_miss_small_dice(detections: list[Detection], picture: Picture, long_side: int) -> bool:
    """Whether the picture may hold dice too small for the net at this long side, px.

    A tray with dice looks like a die from afar, so a large picture is always searched at two scales.
    """
    longest = max(picture.shape[:2])
    sides = [max(d.box_xywh[2:]) * long_side / longest for d in detections if d.score >= SIZE_SCORE_THRESHOLD]
    is_large = long_side == PHOTO_SIDE and longest >= LARGE_PICTURE_RATIO * long_side
    return not sides or min(sides) < SMALL_DIE_PX or is_large


def downscaled(picture: Picture, long_side: int) -> tuple[Picture, float]:
    """The picture with this long side, px, and the scale: px of the result for one px of the picture.

    It is shrunk by a whole number first, which averages pixels quickly, and then by what is left, below two.
    """
    h, w = picture.shape[:2]
    scale = long_side / max(h, w)
    size = max(1, round(w * scale)), max(1, round(h * scale))
    times = int(1 / scale)
    if times > 1 and min(h, w) >= times:
        picture = shrunk_by(picture, times)
    return np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_LINEAR), np.uint8), scale


def shrunk_by(picture: Picture, times: int) -> Picture:
    """The picture, at least this many px wide and high, with the mean of each times x times px. What is left
    at the right and below is cut off."""
    h, w = picture.shape[0] // times, picture.shape[1] // times
    part = picture[: h * times, : w * times]
    return np.asarray(cv2.resize(part, (w, h), interpolation=cv2.INTER_AREA), np.uint8)


class SpaceToDepth(threading.local):
    """Arranges pictures as the net's input, in a buffer that the thread reuses for pictures of equal size.

    Fresh memory would cost several times as long as the copy itself.
    """

    def __init__(self) -> None:
        self._buffer = np.zeros((1, 0, 0, PATCH_BYTES), np.uint8)

    def __call__(self, picture: Picture) -> NDArray[np.uint8]:
        """(1, H / 4, W / 4, 48) uint8, the 4 x 4 px of a patch row by row; valid until the next call.

        H and W are multiples of SIZE_MULTIPLE: grey is added at the right and below.
        """
        below, right = -picture.shape[0] % SIZE_MULTIPLE, -picture.shape[1] % SIZE_MULTIPLE
        if below or right:
            grey = (PAD_GREY, PAD_GREY, PAD_GREY)
            padded = cv2.copyMakeBorder(picture, 0, below, 0, right, cv2.BORDER_CONSTANT, value=grey)
            picture = np.asarray(padded, np.uint8)
        rows, cols = picture.shape[0] // STRIDE, picture.shape[1] // STRIDE
        if self._buffer.shape[1:3] != (rows, cols):
            self._buffer = np.empty((1, rows, cols, PATCH_BYTES), np.uint8)
        size = PATCH_ROW_DTYPE.itemsize
        patch_rows = (
            np.ascontiguousarray(picture).reshape(rows, STRIDE, cols, size).view(PATCH_ROW_DTYPE)
        )  # (rows, 4, cols, 1)
        self._buffer.reshape(rows, cols, STRIDE, size).view(PATCH_ROW_DTYPE)[...] = patch_rows.transpose(
            0, 2, 1, 3
        )
        return self._buffer


def decode_heatmap(output: NDArray[np.float32], threshold: float = SCORE_THRESHOLD) -> list[Detection]:
    """The detections in the net's output (20, h, w) with at least this score, strongest first.

    models/training/nets.py describes the output. Boxes are in px of the net's input.
    """
    channels = output.reshape(-1, 2, 2, *output.shape[1:])  # (5, row of the four cells, column, h, w)
    logit = channels[0].transpose(2, 0, 3, 1).reshape(2 * output.shape[1], 2 * output.shape[2])
    is_peak = logit >= cv2.dilate(logit, np.ones((3, 3), np.uint8))
    rows, cols = np.nonzero((logit >= np.log(threshold / (1 - threshold))) & is_peak)
    order = np.argsort(-logit[rows, cols], kind="stable")[: 4 * MAX_DETECTIONS]
    cells = zip(rows[order].tolist(), cols[order].tolist(), strict=True)
    return [_box(channels[:, r % 2, c % 2, r // 2, c // 2], r, c) for r, c in cells]


def _box(cell: NDArray[np.float32], row: int, col: int) -> Detection:
    score = float(1 / (1 + np.exp(-np.clip(cell[0], -30, 30))))
    cx, cy = (col + float(cell[1])) * STRIDE, (row + float(cell[2])) * STRIDE
    w, h = (float(v) for v in np.exp(np.clip(cell[3:5], -SIDE_LOG_LIMIT, SIDE_LOG_LIMIT)) * BOX_UNIT_PX)
    return Detection((cx - w / 2, cy - h / 2, w, h), score)


def non_max_suppression(detections: list[Detection]) -> list[Detection]:
    """The detections, strongest first, without those of a die that a stronger one shows already."""
    kept: list[Detection] = []
    for candidate in detections:
        if len(kept) < MAX_DETECTIONS and not any(_suppresses(candidate, other) for other in kept):
            kept.append(candidate)
    return kept


def _suppresses(a: Detection, b: Detection) -> bool:
    perimeter, other_perimeter = sum(a.box_xywh[2:]), sum(b.box_xywh[2:])
    near = centre_distance(a.box_xywh, b.box_xywh) < NMS_CENTRE_SHARE * other_perimeter / 2
    same_centre = near and perimeter > NMS_SIZE_SHARE * other_perimeter
    return same_centre or iou(a.box_xywh, b.box_xywh) > NMS_IOU


def _clipped_to(detections: list[Detection], picture: Picture) -> list[Detection]:
    """The detections with their boxes clipped to the picture."""
    size_wh = (picture.shape[1], picture.shape[0])
    return [replace(d, box_xywh=clipped(d.box_xywh, size_wh)) for d in detections]
