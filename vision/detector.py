"""Where dice lie in a picture: a small net marks their centres and sizes.

Theory of operation. The picture is shrunk to LONG_SIDE px on its long side, a photograph to PHOTO_SIDE, and a fully convolutional net
gives for every 4 x 4 px a chance that a die's centre lies there, and that die's size. Peaks of the chance are dice; of two peaks in one
die the weaker goes.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frames import Picture
from vision.nets import Net

LONG_SIDE = 544
"""Long side of what the net sees of a table, px: a 16 mm die on a tray 300 mm wide is then 29 px. It was trained at 0.4 to 2.4 times
640; at 544 all but half a percent of the dice are read right that are at 576, for an eighth less time: see models/README.md."""
PHOTO_SIDE = 576
"""Of a photograph, px, where dice may lie farther off and time matters less: dice are surer than at 544."""
GRID = 32
"""The net halves its picture five times, so both sides are padded to a multiple of this, px."""
STRIDE = 4
"""Px a cell of the net's answer, and a patch that its first layer looks at, either way."""
LINE = np.dtype((np.void, STRIDE * 3))
"""One line of a patch: it is moved as a whole."""
PATCH_BYTES = STRIDE * LINE.itemsize
UNIT = 32.0
"""Px: the net gives the logarithms of a box's sides in these."""
PAD = 114
"""Grey of the padding; as in training."""
SCORE_THRESHOLD = 0.3
"""Chance from which a peak is looked at more closely. Low, because the face reader throws out what is no die: missing one costs a
throw, one crop more costs a millisecond."""
FAINT_SCORE_THRESHOLD = 0.1
"""The same in a photograph, which is seen once: what has less than SCORE_THRESHOLD is a die only where its face is plain to see."""
NMS_IOU = 0.45
"""Two boxes that share this much of their union are one die: dice that touch share under 0.3 even when seen at a slant."""
NMS_CENTRE_SHARE = 0.35
"""A centre within this share of a surer box's side from its centre is the same die..."""
NMS_SIZE_SHARE = 0.15
"""... if it is not smaller than this share of that: a pip is larger, a die on a board that looks like one may be smaller."""
NMS_LIKELY_SCORE = 0.5
"""Chance from which a find tells how large the dice of a picture are."""
SMALL_PX = 26.0
"""Dice seen smaller than this, px of what the net saw, are worth a closer look."""
MIN_ZOOM = 1.2
"""A look at so much more than the last shows something new."""
NMS_LARGE_CELLS = 3
"""A picture so many times as large as it was seen may hold dice of which nothing was seen yet."""
MAX_SIDE = 4 * PHOTO_SIDE
"""Long side, px, of the closest look: a die that is a hundredth of a large photograph's width is then 23 px."""
RESCAN_SCORE_THRESHOLD = 0.5
"""Chance from which a find of a second look counts: the first look has had its say."""
MAX_DETECTIONS = 64
"""No tray holds more; what a picture of gravel may cost is bounded by it."""
SIDE_LOG_LIMIT = 3.2
"""Logarithm of the largest and smallest side believed, in units of 32 px: 1.3 px to 785 px."""


@dataclass(frozen=True)
class Detection:
    """A place where a die lies: box px of the picture that was searched, chance 0-1."""

    box_xywh: tuple[float, float, float, float]
    score: float


class DieDetector:
    """Finds dice with the net in this file. in_floats: see vision.nets.Net."""

    def __init__(self, model: Path, in_floats: bool = False) -> None:
        self._net, self._layout = Net(model, in_floats), SpaceToDepth()

    def detect(self, picture: Picture) -> list[Detection]:
        """The dice on a table, the surest first, at most MAX_DETECTIONS; boxes are cut at the picture's border."""
        return _clipped_to(self._at(picture, LONG_SIDE, SCORE_THRESHOLD), picture)

    def detect_multiscale(self, picture: Picture) -> Iterator[list[Detection]]:
        """The dice in a photograph, the surest first; and then, for whoever makes nothing of these, what ever closer looks add.

        A table's camera is mounted so that dice have a good size; a photograph somebody hands in may show one die that fills it, or
        thirty as small as peas. So it is seen at other sizes too: at half, where dice too large for the net would have their pips taken
        for dice, and at twice that and more while dice seem too small for it. And what seems a die of a good size may be a tray.
        """
        found, seen_at = self._with(self._at(picture, PHOTO_SIDE, FAINT_SCORE_THRESHOLD), picture, PHOTO_SIDE // 2), PHOTO_SIDE
        while nearer := zoomed_side(picture, seen_at):
            if not may_be_small(found, picture, seen_at):
                yield _clipped_to(found, picture)
            found, seen_at = self._with(found, picture, nearer), nearer
        yield _clipped_to(found, picture)

    def _with(self, found: list[Detection], picture: Picture, long_side: int) -> list[Detection]:
        """These, and what else a look at the picture in this size finds; the surest first."""
        again = self._at(picture, long_side, RESCAN_SCORE_THRESHOLD)
        return non_max_suppression(sorted([*found, *again], key=lambda f: -f.score))

    def _at(self, picture: Picture, long_side: int, least: float) -> list[Detection]:
        """What is found in the picture shrunk to this long side, of this chance at least; boxes in px of the picture, surest first."""
        small, scale = downscaled(picture, long_side)
        found = non_max_suppression(decode_heatmap(self._net(self._layout(small))[0], least))
        return [Detection(tuple(v / scale for v in f.box_xywh), f.score) for f in found]  # type: ignore[arg-type]


def zoomed_side(picture: Picture, seen_at: int) -> int:
    """Long side, px, at which more is to be seen of a picture that was seen at this one; 0 = no more."""
    nearer = min(2 * seen_at, max(picture.shape[:2]), MAX_SIDE)
    return nearer if nearer >= MIN_ZOOM * seen_at else 0


def may_be_small(found: list[Detection], picture: Picture, seen_at: int) -> bool:
    """Whether there may be dice too small for the net in a picture that was seen at this long side, px. From afar a tray with dice
    looks like a die itself, so a large picture is always looked at twice."""
    longest = max(picture.shape[:2])
    sides = [max(f.box_xywh[2:]) * seen_at / longest for f in found if f.score >= NMS_LIKELY_SCORE]
    return not sides or min(sides) < SMALL_PX or (seen_at == PHOTO_SIDE and longest >= NMS_LARGE_CELLS * seen_at)


def downscaled(picture: Picture, long_side: int) -> tuple[Picture, float]:
    """The picture with this long side, px, and how many of its px one px of the original is.

    First by a whole number, which averages pixels quickly, and then by what is left of less than a half.
    """
    h, w = picture.shape[:2]
    scale = long_side / max(h, w)
    size = max(1, round(w * scale)), max(1, round(h * scale))
    times = int(1 / scale)
    if times > 1 and min(h, w) >= times:
        part = picture[: h // times * times, : w // times * times]
        picture = np.asarray(cv2.resize(part, (w // times, h // times), interpolation=cv2.INTER_AREA), np.uint8)
    return np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_LINEAR), np.uint8), scale


class SpaceToDepth(threading.local):
    """Lays pictures out as the net wants them, in memory that this thread uses again for the next picture of that size: fresh memory
    costs several times as long as the work itself."""

    def __init__(self) -> None:
        self._laid = np.zeros((1, 0, 0, PATCH_BYTES), np.uint8)

    def __call__(self, picture: Picture) -> NDArray[np.uint8]:
        """(1, H / 4, W / 4, 48) uint8, the 4 x 4 px of a patch row by row, H and W multiples of GRID, good until the next call; grey
        is added at the right and below."""
        below, right = -picture.shape[0] % GRID, -picture.shape[1] % GRID
        if below or right:
            picture = np.asarray(cv2.copyMakeBorder(picture, 0, below, 0, right, cv2.BORDER_CONSTANT, value=(PAD, PAD, PAD)), np.uint8)
        rows, cols = picture.shape[0] // STRIDE, picture.shape[1] // STRIDE
        if self._laid.shape[1:3] != (rows, cols):
            self._laid = np.empty((1, rows, cols, PATCH_BYTES), np.uint8)
        lines = np.ascontiguousarray(picture).reshape(rows, STRIDE, cols, LINE.itemsize).view(LINE)  # (rows, 4, cols, 1)
        self._laid.reshape(rows, cols, STRIDE, LINE.itemsize).view(LINE)[...] = lines.transpose(0, 2, 1, 3)
        return self._laid


def decode_heatmap(answer: NDArray[np.float32], least: float = SCORE_THRESHOLD) -> list[Detection]:
    """The net's answer (20, h, w), as models.nets.Finder has it, as boxes in px of what it saw, with at least this chance, surest
    first."""
    each = answer.reshape(-1, 2, 2, *answer.shape[1:])  # (5, row of the four cells, column, h, w)
    logit = each[0].transpose(2, 0, 3, 1).reshape(2 * answer.shape[1], 2 * answer.shape[2])
    rows, cols = np.nonzero((logit >= np.log(least / (1 - least))) & (logit >= cv2.dilate(logit, np.ones((3, 3), np.uint8))))
    order = np.argsort(-logit[rows, cols], kind="stable")[: 4 * MAX_DETECTIONS]
    cells = zip(rows[order].tolist(), cols[order].tolist(), strict=True)
    return [_box(each[:, r % 2, c % 2, r // 2, c // 2], r, c) for r, c in cells]


def _box(cell: NDArray[np.float32], row: int, col: int) -> Detection:
    score = float(1 / (1 + np.exp(-np.clip(cell[0], -30, 30))))
    cx, cy = (col + float(cell[1])) * STRIDE, (row + float(cell[2])) * STRIDE
    w, h = (float(v) for v in np.exp(np.clip(cell[3:5], -SIDE_LOG_LIMIT, SIDE_LOG_LIMIT)) * UNIT)
    return Detection((cx - w / 2, cy - h / 2, w, h), score)


def non_max_suppression(found: list[Detection]) -> list[Detection]:
    """Of finds with the surest first, those that name no die which a surer one has named already."""
    kept: list[Detection] = []
    for candidate in found:
        if len(kept) < MAX_DETECTIONS and not any(_suppresses(candidate, other) for other in kept):
            kept.append(candidate)
    return kept


def _suppresses(a: Detection, b: Detection) -> bool:
    (ax, ay, aw, ah), (bx, by, bw, bh) = a.box_xywh, b.box_xywh
    away = np.hypot(ax + aw / 2 - bx - bw / 2, ay + ah / 2 - by - bh / 2)
    near = away < NMS_CENTRE_SHARE * (bw + bh) / 2 and aw + ah > NMS_SIZE_SHARE * (bw + bh)
    return bool(near) or iou(a.box_xywh, b.box_xywh) > NMS_IOU


def iou(a: tuple[float, float, float, float], b: tuple[float, float, float, float]) -> float:
    """Share of two boxes' union that both cover, 0-1."""
    w = min(a[0] + a[2], b[0] + b[2]) - max(a[0], b[0])
    h = min(a[1] + a[3], b[1] + b[3]) - max(a[1], b[1])
    both = max(w, 0.0) * max(h, 0.0)
    return both / max(a[2] * a[3] + b[2] * b[3] - both, 1e-9)


def _clipped_to(found: list[Detection], picture: Picture) -> list[Detection]:
    """These, their boxes cut at the picture's border."""
    h, w = picture.shape[:2]
    return [replace(f, box_xywh=_clipped(f.box_xywh, w, h)) for f in found]


def _clipped(box: tuple[float, float, float, float], w: int, h: int) -> tuple[float, float, float, float]:
    """The box cut at the picture's border; at least 1 px each way."""
    x0, y0 = min(max(box[0], 0.0), w - 1.0), min(max(box[1], 0.0), h - 1.0)
    x1, y1 = min(box[0] + box[2], float(w)), min(box[1] + box[3], float(h))
    return x0, y0, max(x1 - x0, 1.0), max(y1 - y0, 1.0)
