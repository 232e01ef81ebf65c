"""Training data: rendered tables, the simulated tray and the trainable photographs, with random augmentation.

A generator seeded with (seed, step) draws each batch, so a resumed run gets the same batches.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import torch
from torch.utils.data import IterableDataset

from models.rendering import lens
from models.rendering.contrast import has_visible_pips
from models.rendering.renders import is_named
from models.training.photos import LabelledPhoto, load
from table.common.colours import COLOURS
from vision.classifier import crop_square
from vision.detector import downscaled

LONG_SIDE = 640
"""Long side of a downscaled picture, px. The detector's crops are cut from it at random scales."""
CROP_STORED = 112
"""Side of a stored crop, px: STORED_SPAN die widths, for rotation, shift and scaling before the cut to 64."""
STORED_SPAN = 1.75
CROP_SPAN = 1.15
"""Side of the classifier's crop, in units of the box's longer side; as in vision.classifier."""
MIN_PX = 10
"""Smallest box side of a die whose face is used for training, px."""
MIN_SEEN = 0.55
"""Visible share of a die below which its face counts as unknown; below half of this, the die is ignored."""


@dataclass(frozen=True)
class Die:
    """Ground truth of one die. face: 0 = a die whose face is unreadable; colour: -1 = unknown.

    ignore: counts neither as a die nor as background. odd: the die is tilted or lies on another.
    normal_xy: as in models.rendering.renders.Truth; None = unknown.
    pips: (n, 2) centres of the upper face's pips, px; None = unknown. pip_px: their radius.
    """

    box: tuple[float, float, float, float]
    face: int
    colour: int
    ignore: bool = False
    odd: bool = False
    normal_xy: tuple[float, float] | None = None
    pips: np.ndarray | None = None
    pip_px: float = 0.0


@dataclass(frozen=True)
class Example:
    path: Path
    dice: tuple[Die, ...]
    kind: str  # render, simulated, photo

    def picture(self) -> np.ndarray:
        return cv2.imread(str(self.path), cv2.IMREAD_COLOR)


def rendered_examples(folder: Path, kind: str = "render") -> list[Example]:
    """One example for each NNNNNN.json in the folder, in order."""
    return [_rendered(p, kind) for p in sorted(folder.glob("*.json"))]


def _rendered(path: Path, kind: str) -> Example:
    dice = tuple(rendered_die(t) for t in json.loads(path.read_text()))
    return Example(path.with_suffix(".jpg"), dice, kind)


def rendered_die(t: Mapping[str, Any]) -> Die:
    """The die from one entry of a render's JSON (models/rendering/renders.py)."""
    clear = t["seen"] >= MIN_SEEN and t["readable"]
    named = clear and is_named(t)
    face = t["face"] if named else 0
    hidden = t["seen"] < MIN_SEEN / 2
    pips = np.array(t["pips_xy"], np.float32) if clear and t.get("pips_xy") else None
    normal = t.get("normal_xy") if named else None
    colour = COLOURS.index(t["colour"]) if t["colour"] else -1
    odd = t["cocked"] or t.get("stacked", False)
    return Die(tuple(t["box_xywh"]), face, colour, hidden, odd, tuple(normal) if normal else None, pips, float(t.get("pip_px", 0)))


def photo_examples(folder: Path, held_out: bool = False) -> list[Example]:
    """The trainable photographs: the training set, or the fifth that is held out."""
    return [_photo(p) for p in load(folder) if p.train and p.held_out == held_out]


def _photo(photo: LabelledPhoto) -> Example:
    dice = tuple(Die(d.box_xywh, d.face or 0, COLOURS.index(d.colour) if d.colour in COLOURS else -1, d.ignore) for d in photo.dice)
    return Example(photo.path, dice, "photo")


def examples_in(renders: Sequence[Path], simulated: Path, photos: Path | None) -> list[Example]:
    """All training examples."""
    examples = [e for folder in renders for e in rendered_examples(folder)] + rendered_examples(simulated, "simulated")
    return examples + (photo_examples(photos) if photos else [])


Square = tuple[float, float, float]
"""A square: its centre and side, px."""
FalsePositives = Mapping[str, Sequence[Square]]
"""Hard negatives: squares by picture path that look like a die and hold none."""


def _shrunk(picture: np.ndarray, dice: tuple[Die, ...]) -> tuple[np.ndarray, np.ndarray]:
    """The picture downscaled to a long side of LONG_SIDE, and its boxes (n, 4) px."""
    small, k = downscaled(picture, LONG_SIDE)
    return small, np.array([d.box for d in dice], np.float32).reshape(-1, 4) * k


# --- the detector's batches -----------------------------------------------------------------------------------------------

RELIT_SHARE = 0.15
"""Share of samples with the colours of a camera that is set for different light."""
DETECTOR_CROP = 320
DETECTOR_SHARES = {"render": 0.7, "simulated": 0.12, "photo": 0.18}


class DetectorBatches(IterableDataset):
    """Endless (pictures (B, 3, 320, 320) uint8, targets (B, 7, 80, 80) float32) of `detector_target`."""

    def __init__(self, examples: list[Example], batch: int, seed: int, start: int) -> None:
        self.by_kind = {kind: [e for e in examples if e.kind == kind] for kind in DETECTOR_SHARES}
        self.batch, self.seed, self.start = batch, seed, start
        self.cached: dict[Path, tuple[np.ndarray, np.ndarray]] = {}

    def downscaled(self, example: Example) -> tuple[np.ndarray, np.ndarray]:
        """The downscaled picture and its boxes; cached (1 MB each), except renders, which have that size."""
        if example.path in self.cached:
            return self.cached[example.path]
        pair = _shrunk(example.picture(), example.dice)
        if example.kind != "render":
            self.cached[example.path] = pair
        return pair

    def __iter__(self) -> Iterator[tuple[torch.Tensor, torch.Tensor]]:
        cv2.setNumThreads(1)
        step = self.start
        kinds = [k for k in DETECTOR_SHARES if self.by_kind[k]]
        shares = np.array([DETECTOR_SHARES[k] for k in kinds])
        while True:
            rng = np.random.default_rng((self.seed, step, 1))
            pairs = []
            for _ in range(self.batch):
                examples = self.by_kind[str(rng.choice(kinds, p=shares / shares.sum()))]
                example = examples[int(rng.integers(len(examples)))]
                pairs.append(detector_sample(example, *self.downscaled(example), rng))
            yield torch.from_numpy(np.stack([p for p, _ in pairs])), torch.from_numpy(np.stack([t for _, t in pairs]))
            step += 1


def detector_sample(
    example: Example, picture: np.ndarray, boxes: np.ndarray, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """A crop (3, 320, 320) uint8 at a random scale, mirrored, turned and degraded, and its target."""
    side = float(np.median(boxes[:, 2:])) if len(boxes) else 50.0
    low, high = max(0.4, 12 / side), min(2.4, 240 / side)
    k = float(np.exp(rng.uniform(np.log(low), np.log(max(high, low + 0.01)))))
    if example.kind == "simulated" and rng.random() < 0.5:
        k = 1.0
    size = DETECTOR_CROP
    aim = boxes[int(rng.integers(len(boxes)))] if len(boxes) and rng.random() < 0.8 else None
    centre = np.array([aim[0] + aim[2] / 2, aim[1] + aim[3] / 2]) if aim is not None else rng.uniform(0, 1, 2) * picture.shape[1::-1]
    shift = size / 2 - centre * k + rng.uniform(-0.42, 0.42, 2) * size
    affine = np.array([[k, 0, shift[0]], [0, k, shift[1]]])
    fill = tuple(int(v) for v in rng.integers(0, 256, 3)) if rng.random() < 0.2 else (114, 114, 114)
    piece = cv2.warpAffine(picture, affine, (size, size), flags=cv2.INTER_AREA, borderValue=fill)
    if k < 0.8:
        piece = cv2.warpAffine(cv2.GaussianBlur(picture, (0, 0), 0.35 / k), affine, (size, size), borderValue=fill)
    boxes = boxes * k + np.array([*shift, 0, 0], np.float32)
    piece, boxes = _mirrored(piece, boxes, rng)
    if rng.random() < RELIT_SHARE:
        piece = lens.relit(piece, rng)
    piece = lens.degraded(colour_jittered(piece, rng, 1.0), rng, 0.7) if rng.random() < 0.7 else colour_jittered(piece, rng, 0.5)
    ignored = np.array([d.ignore for d in example.dice], bool)
    return np.ascontiguousarray(piece.transpose(2, 0, 1)), detector_target(boxes, ignored, size)


def _mirrored(piece: np.ndarray, boxes: np.ndarray, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    size = len(piece)
    if rng.random() < 0.5:
        piece = piece[:, ::-1]
        boxes = np.stack([size - boxes[:, 0] - boxes[:, 2], *boxes[:, 1:].T], 1)
    if rng.random() < 0.5:
        piece = piece.transpose(1, 0, 2)
        boxes = boxes[:, [1, 0, 3, 2]]
    if rng.random() < 0.5:
        piece = piece[::-1]
        boxes = np.stack([boxes[:, 0], size - boxes[:, 1] - boxes[:, 3], *boxes[:, 2:].T], 1)
    return np.ascontiguousarray(piece), boxes.astype(np.float32)


def detector_target(boxes: np.ndarray, ignored: np.ndarray, size: int, stride: int = 4) -> np.ndarray:
    """(7, size/4, size/4): heat 0-1, its weight (0 = ignored), dx, dy, log w, log h, 1 where those four count.

    The heat is a Gaussian, 1 at a die's centre. Its sigma is a tenth of the width, which keeps touching dice
    apart.
    """
    cells = size // stride
    target = np.zeros((7, cells, cells), np.float32)
    target[1] = 1
    yy, xx = np.mgrid[:cells, :cells].astype(np.float32)
    for (x, y, w, h), skip in zip(boxes / stride, ignored, strict=True):
        cx, cy = x + w / 2, y + h / 2
        inside = (abs(xx + 0.5 - cx) < w / 2) & (abs(yy + 0.5 - cy) < h / 2)
        cut = not (0.5 < cx < cells - 0.5 and 0.5 < cy < cells - 0.5)
        if skip or cut:
            target[1][inside] = 0
            continue
        ix, iy = int(cx), int(cy)
        sigma = max(0.55, 0.1 * float(np.sqrt(w * h)))
        bell = np.exp(-((xx - ix) ** 2 + (yy - iy) ** 2) / (2 * sigma**2))
        nearer = (abs(xx - ix) <= max(1, sigma / 2)) & (abs(yy - iy) <= max(1, sigma / 2)) & (bell > target[0])
        target[0] = np.maximum(target[0], bell)
        target[2][nearer], target[3][nearer] = (cx - xx)[nearer], (cy - yy)[nearer]
        target[4][nearer], target[5][nearer] = np.log(w * stride / 32), np.log(h * stride / 32)
        target[6][nearer] = 1
    return target


def colour_jittered(picture: np.ndarray, rng: np.random.Generator, strength: float) -> np.ndarray:
    """uint8 -> uint8: random brightness, contrast, gamma, white balance and saturation."""
    if rng.random() < 0.3:
        grey = cv2.cvtColor(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR)
        keep = float(rng.uniform(1 - 0.5 * strength, 1 + 0.3 * strength))
        picture = cv2.addWeighted(picture, keep, grey, 1 - keep, 0)
    x = np.linspace(0, 1, 256, dtype=np.float32)[:, None]
    if rng.random() < 0.5:
        x = x ** float(np.exp(rng.normal(0, 0.25 * strength)))
    x = x * np.exp(rng.normal(0, 0.05 * strength, 3))
    x = (x - 0.5) * (1 + rng.normal(0, 0.15 * strength)) + 0.5 + rng.normal(0, 0.06 * strength)
    return cv2.LUT(np.ascontiguousarray(picture), (np.clip(x, 0, 1) * 255).astype(np.uint8)[None])


# --- the classifier's batches ------------------------------------------------------------------------------------------


@dataclass
class CropSet:
    """n stored crops (n, 112, 112, 3) uint8 with their labels.

    face: 1-6, 0 = unreadable, 7 = no die. colour: -1 = unknown. normal: (n, 2), nan = unknown.
    px: side of the die. odd: (n,) True if the die is tilted or lies on another.
    pips: (n, 6, 2) centres of the upper face's pips, px of the stored crop, nan beyond the last.
    pips_known: (n,) True if the pips are known; a crop of no die has known pips: none.
    """

    crops: np.ndarray
    face: np.ndarray
    colour: np.ndarray
    normal: np.ndarray
    odd: np.ndarray
    px: np.ndarray
    pips: np.ndarray
    pips_known: np.ndarray

    def __len__(self) -> int:
        return len(self.crops)

    @cached_property
    def odd_at(self) -> np.ndarray:
        """Indices of the dice that are tilted or lie on another."""
        return np.flatnonzero(self.odd)


def crop_set(
    examples: list[Example], store: Path | None = None, false_positives: FalsePositives | None = None, seed: int = 0
) -> CropSet:
    """Crops of all dice, and about half as many squares of background (or a part of a die, or two halves).

    store: file for the crops, which saves memory (38 kB each); None = memory.
    false_positives: more background squares, by picture.
    """
    rng, mined = np.random.default_rng(seed), false_positives or {}

    def squares(example: Example, picture: np.ndarray) -> list[tuple[Square, Die | None]]:
        bare = [*background_squares(example, picture, rng), *mined.get(str(example.path), ())]
        return [*_dice_to_read(example, picture), *((square, None) for square in bare)]

    room = sum(2 * len(e.dice) + 5 + len(mined.get(str(e.path), ())) for e in examples)
    return _cut_out(examples, squares, room, store)


def normal_set(examples: list[Example], store: Path | None = None) -> CropSet:
    """Crops of the dice whose normal is known; store: as for `crop_set`."""

    def squares(example: Example, picture: np.ndarray) -> list[tuple[Square, Die | None]]:
        return [(square, die) for square, die in _dice_to_read(example, picture) if die.normal_xy is not None]

    return _cut_out(examples, squares, sum(len(e.dice) for e in examples), store)


def _cut_out(
    examples: list[Example], squares: Callable[[Example, np.ndarray], list[tuple[Square, Die | None]]], room: int, store: Path | None
) -> CropSet:
    """The crops at these spots of the examples, `room` at most. ValueError: there is none."""
    shape, labels = (room, CROP_STORED, CROP_STORED, 3), []
    crops = np.lib.format.open_memmap(store, "w+", np.uint8, shape) if store else np.empty(shape, np.uint8)
    for example in examples:
        picture = example.picture()
        for (cx, cy, side), die in squares(example, picture):
            crops[len(labels)] = crop_square(picture, cx, cy, side * STORED_SPAN, CROP_STORED)
            labels.append(_stored(die, cx, cy, side))
    if not labels:
        raise ValueError(f"expected dice to learn from, found none in {len(examples)} pictures")
    face, colour, normal, odd, px, pips, pips_known = zip(*labels, strict=True)
    return CropSet(
        crops[: len(labels)], np.array(face), np.array(colour), np.array(normal, np.float32), np.array(odd), np.array(px, np.float32),
        np.stack(pips), np.array(pips_known),
    )  # fmt: skip


CropLabel = tuple[int, int, tuple[float, float], bool, float, np.ndarray, bool]
UNKNOWN = (np.nan, np.nan)


def is_blank(picture: np.ndarray, die: Die) -> bool:
    """True if glare or darkness hides the pips: it looks like a blank cube or disc then, and is left out."""
    return die.pips is not None and not has_visible_pips(picture, die.pips, die.pip_px)


def _stored(die: Die | None, cx: float, cy: float, side: float) -> CropLabel:
    """A stored crop's face, colour, normal, odd, px, pips and pips_known; die None = no die."""
    pips = np.full((6, 2), np.nan, np.float32)
    if die is None:
        return 7, -1, UNKNOWN, False, side, pips, True
    pips_known = die.pips if die.face else None  # an unreadable face's pips are not trained on
    if pips_known is not None:
        k = CROP_STORED / (side * STORED_SPAN)
        pips[: len(pips_known)] = (pips_known - (cx, cy)) * k + CROP_STORED / 2
    return die.face, die.colour, die.normal_xy or UNKNOWN, die.odd, side, pips, pips_known is not None


def _dice_to_read(example: Example, picture: np.ndarray) -> list[tuple[Square, Die]]:
    """Each die that is not ignored, too small or blank, and its square."""
    return [
        ((x + w / 2, y + h / 2, max(w, h)), die)
        for die in example.dice
        for x, y, w, h in [die.box]
        if not die.ignore and max(w, h) >= MIN_PX and not is_blank(picture, die)
    ]


def background_squares(example: Example, picture: np.ndarray, rng: np.random.Generator) -> list[Square]:
    """Squares that are not one whole die: background, beside a die, part of a die."""
    h, w = picture.shape[:2]
    side = float(np.median([max(d.box[2:]) for d in example.dice])) if example.dice else rng.uniform(20, 120)
    found = []
    for _ in range(2 if example.dice else 5):
        s = side * float(np.exp(rng.uniform(-0.7, 0.9)))
        square = (float(rng.uniform(0, w)), float(rng.uniform(0, h)), s)
        if all(_free(square, d) for d in example.dice):
            found.append(square)
    for die in example.dice:
        if rng.random() < 0.3:
            x, y, dw, dh = die.box
            side = max(dw, dh)
            angle, kind = rng.uniform(0, 2 * np.pi), rng.random()
            away, s = (rng.uniform(0.55, 0.9), side) if kind < 0.6 else (rng.uniform(0, 0.2), side * rng.uniform(0.3, 0.45))
            square = (x + dw / 2 + away * side * np.cos(angle), y + dh / 2 + away * side * np.sin(angle), s)
            if kind >= 0.6 or all(_off(square, d) for d in example.dice):
                found.append(square)
    return found


def _free(square: Square, die: Die) -> bool:
    x, y, w, h = die.box
    return abs(square[0] - x - w / 2) > (square[2] + w) / 2 or abs(square[1] - y - h / 2) > (square[2] + h) / 2


def _off(square: Square, die: Die) -> bool:
    x, y, w, h = die.box
    return abs(square[0] - x - w / 2) > 0.4 * w or abs(square[1] - y - h / 2) > 0.4 * h


CLASSIFIER_SHARES = {"render": 0.68, "simulated": 0.14, "photo": 0.18}
ODD_SHARE = 0.1
"""Share of draws that are reserved for dice that are tilted or lie on another."""
NORMAL_SHARES, NORMAL_ODD_SHARE = {"render": 0.85, "simulated": 0.15}, 0.25
"""The same when only the normal is trained. Photographs have no ground truth for it."""
PIP_CELLS = 16
"""Cells along each side of the classifier's pip heatmap."""


class ClassifierBatches(IterableDataset):
    """Endless batches: crops (B, 3, 64, 64) uint8, face probabilities (B, 7) float32, colour (B,) int64,
    normal (B, 2) float32, pips (B, 16, 16) float32, pips_known (B,) bool."""

    def __init__(
        self, sets: dict[str, CropSet], batch: int, seed: int, start: int,
        shares: Mapping[str, float] = CLASSIFIER_SHARES, odd_share: float = ODD_SHARE,
    ) -> None:  # fmt: skip
        self.sets, self.batch, self.seed, self.start = sets, batch, seed, start
        self.shares, self.odd_share = shares, odd_share

    def __iter__(self) -> Iterator[tuple[torch.Tensor, ...]]:
        cv2.setNumThreads(1)
        step = self.start
        kinds = list(self.sets)
        shares = np.array([self.shares[k] for k in kinds])
        while True:
            rng = np.random.default_rng((self.seed, step, 2))
            rows = []
            for kind in rng.choice(kinds, self.batch, p=shares / shares.sum()):
                chosen = self.sets[str(kind)]
                odd = chosen.odd_at
                i = int(odd[rng.integers(len(odd))] if len(odd) and rng.random() < self.odd_share else rng.integers(len(chosen)))
                strange = rng.random() < RELIT_SHARE
                stored = lens.relit(chosen.crops[i], rng) if strange else chosen.crops[i]
                crop, pips, turn = classifier_sample(stored, chosen.pips[i], float(chosen.px[i]), rng)
                normal, pips_known = (turn @ chosen.normal[i]).astype(np.float32), bool(chosen.pips_known[i])
                colour = -1 if strange else chosen.colour[i]
                rows.append((crop, face_targets(int(chosen.face[i])), colour, normal, pip_heat(pips), pips_known))
            crops, faces, colour, normals, heats, all_known = (np.stack(column) for column in zip(*rows, strict=True))
            yield tuple(torch.from_numpy(a) for a in (crops, faces, colour.astype(np.int64), normals, heats, all_known))
            step += 1


def face_targets(face: int) -> np.ndarray:
    """Target probabilities (7,): one-hot for a face or "no die" (7); uniform over 1-6 for unreadable (0)."""
    chances = np.zeros(7, np.float32)
    if face:
        chances[face - 1] = 1
    else:
        chances[:6] = 1 / 6
    return chances


def pip_heat(pips: np.ndarray, out: int = 64) -> np.ndarray:
    """Heatmap (16, 16), a peak one cell wide at each pip. pips: (6, 2) px in the crop, nan past the last."""
    at = (pips[~np.isnan(pips[:, 0])] * PIP_CELLS / out - 0.5)[:, :, None, None]  # (n, 2, 1, 1)
    heat = np.zeros((PIP_CELLS, PIP_CELLS), np.float32)
    if len(at):
        yy, xx = np.mgrid[:PIP_CELLS, :PIP_CELLS].astype(np.float32)
        heat = np.exp(-((xx - at[:, 0]) ** 2 + (yy - at[:, 1]) ** 2) / (2 * 0.65**2)).max(axis=0)
    return heat.astype(np.float32)


def classifier_sample(
    stored: np.ndarray, pips: np.ndarray, px: float, rng: np.random.Generator, out: int = 64
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """An augmented crop (3, 64, 64) uint8, its pips in px of it, and how directions are transformed, (2, 2).

    Augmentation: rotation, shift, scaling, mirroring and degradation.
    """
    span = CROP_SPAN * float(np.exp(rng.normal(0, 0.07)))
    k = out * STORED_SPAN / (CROP_STORED * span)
    angle = float(rng.uniform(0, 360))
    shift = rng.normal(0, 0.04, 2) * out
    affine = cv2.getRotationMatrix2D((CROP_STORED / 2 - 0.5, CROP_STORED / 2 - 0.5), angle, k)
    turn = affine[:, :2] / k
    affine[:, :2] *= np.exp(rng.normal(0, 0.05, (2, 1)))
    middle = affine @ (CROP_STORED / 2 - 0.5, CROP_STORED / 2 - 0.5, 1)
    affine[:, 2] += out / 2 - 0.5 - middle + shift
    crop = cv2.warpAffine(stored, affine, (out, out), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    moved = (pips - 0.5) @ affine[:, :2].T + affine[:, 2] + 0.5
    if rng.random() < 0.5:
        crop, moved, turn = crop[:, ::-1], moved * (-1, 1) + (out, 0), turn * [[-1], [1]]
    if rng.random() < 0.35:
        small = int(rng.uniform(15, 40))
        if small < px:
            coarse = cv2.resize(np.ascontiguousarray(crop), (small, small), interpolation=cv2.INTER_AREA)
            crop = cv2.resize(coarse, (out, out), interpolation=cv2.INTER_LINEAR)
    crop = colour_jittered(crop, rng, 1.0)
    if rng.random() < 0.5:
        crop = lens.degraded(crop, rng, 0.8)
    return np.ascontiguousarray(crop.transpose(2, 0, 1)), moved, turn
