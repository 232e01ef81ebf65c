"""Training data: rendered tables, the simulated tray and the trainable photographs, with random augmentation.

A generator seeded with (seed, step) draws each batch, so a resumed run gets the same batches.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import count
from pathlib import Path
from typing import Any, Generic, NamedTuple, TypeVar

import cv2
import numpy as np
import torch
from torch import Tensor
from torch.utils.data import IterableDataset, get_worker_info

from models.labels import DieLabel
from models.rendering import camera_effects
from models.rendering.pip_visibility import has_visible_pips
from models.rendering.render_files import is_named
from models.training.photos import LabelledPhoto, load, read_picture
from table.common.colours import COLOURS
from vision.reading.classifier import crop_square
from vision.reading.detector import BOX_UNIT_PX, downscaled

LONG_SIDE = 640
"""Long side of a downscaled picture, px. The detector's crops are cut from it at random scales."""
CROP_STORED = 112
"""Side of a stored crop, px: STORED_SPAN die widths, for rotation, shift and scaling before the cut to 64."""
STORED_SPAN = 1.75
"""Side of a stored crop, in units of the box's longer side."""
CROP_SPAN = 1.15
"""Side of the classifier's crop, in units of the box's longer side; as in vision.reading.classifier."""
MIN_PX = 10
"""Smallest box side of a die whose face is used for training, px."""
MIN_VISIBLE_SHARE = 0.55
"""Visible share of a die below which its face counts as unknown; below half of this, the die is ignored."""


@dataclass(frozen=True)
class Die:
    """Ground truth of one die. face: 0 = a die whose face is unreadable; colour: -1 = unknown.

    ignore: counts neither as a die nor as background.
    tilted_or_stacked: the die is tilted or lies on another.
    normal_xy: as in models.rendering.render_files.RenderedDieLabel; None = unknown.
    pips: (n, 2) centres of the upper face's pips, px; None = unknown. pip_px: their radius.
    """

    box: tuple[float, float, float, float]
    face: int
    colour: int
    ignore: bool = False
    tilted_or_stacked: bool = False
    normal_xy: tuple[float, float] | None = None
    pips: np.ndarray | None = None
    pip_px: float = 0.0


@dataclass(frozen=True)
class Example:
    path: Path
    dice: tuple[Die, ...]
    kind: str  # render, oblique, simulated, photo

    def picture(self) -> np.ndarray:
        return read_picture(self.path)


def rendered_examples(folder: Path, kind: str = "render") -> list[Example]:
    """One example for each NNNNNN.json in the folder, in order."""
    return [_rendered(p, kind) for p in sorted(folder.glob("*.json"))]


def _rendered(path: Path, kind: str) -> Example:
    dice = tuple(rendered_die(t) for t in json.loads(path.read_text()))
    return Example(path.with_suffix(".jpg"), dice, kind)


def rendered_die(t: Mapping[str, Any]) -> Die:
    """The die from one entry of a render's JSON (models/rendering/render_files.py)."""
    clear = t["seen"] >= MIN_VISIBLE_SHARE and t["readable"]
    named = clear and is_named(t)
    face = t["face"] if named else 0
    mostly_hidden = t["seen"] < MIN_VISIBLE_SHARE / 2
    pips = np.array(t["pips_xy"], np.float32) if clear and t.get("pips_xy") else None
    normal = t.get("normal_xy") if named else None
    colour = COLOURS.index(t["colour"]) if t["colour"] else -1
    tilted_or_stacked = t["cocked"] or t.get("stacked", False)
    return Die(
        tuple(t["box_xywh"]),
        face,
        colour,
        mostly_hidden,
        tilted_or_stacked,
        tuple(normal) if normal else None,
        pips,
        float(t.get("pip_px", 0)),
    )


def photo_examples(folder: Path, held_out: bool = False) -> list[Example]:
    """The trainable photographs: the training set, or the fifth that is held out."""
    return [_photo(p) for p in load(folder) if p.train and p.held_out == held_out]


def _photo(photo: LabelledPhoto) -> Example:
    return Example(photo.path, tuple(_labelled_die(d) for d in photo.dice), "photo")


def _labelled_die(die: DieLabel) -> Die:
    colour = COLOURS.index(die.colour) if die.colour in COLOURS else -1
    return Die(die.box_xywh, die.face or 0, colour, die.ignore)


def examples_in(
    renders: Sequence[Path], simulated: Path, photos: Path | None, oblique: Path | None = None
) -> list[Example]:
    """All training examples."""
    examples = [e for folder in renders for e in rendered_examples(folder)]
    examples += rendered_examples(oblique, "oblique") if oblique else []
    return examples + rendered_examples(simulated, "simulated") + (photo_examples(photos) if photos else [])


def split(examples: Sequence[Example], share: float, seed: int) -> tuple[list[Example], list[Example]]:
    """The training set, and about this share of the examples held out to validate on.

    The seed and the file name decide, so an example stays where it is when the folder grows.
    """
    held_out = [zlib.crc32(f"{seed} {e.path.name}".encode()) % 10_000 < share * 10_000 for e in examples]
    pairs = list(zip(examples, held_out, strict=True))
    return [e for e, out in pairs if not out], [e for e, out in pairs if out]


Square = tuple[float, float, float]
"""A square: its centre and side, px."""
FalsePositives = Mapping[str, Sequence[Square]]
"""Hard negatives: squares by picture path that look like a die and hold none."""


def _downscale(picture: np.ndarray, dice: tuple[Die, ...]) -> tuple[np.ndarray, np.ndarray]:
    """The picture downscaled to a long side of LONG_SIDE, and its boxes (n, 4) px."""
    small, k = downscaled(picture, LONG_SIDE)
    return small, np.array([d.box for d in dice], np.float32).reshape(-1, 4) * k


# --- batches -------------------------------------------------------------------------------------------

Array = TypeVar("Array", np.ndarray, Tensor)


class DetectorTargets(NamedTuple, Generic[Array]):
    """Targets of a piece, in cells of 4 x 4 px: arrays; of a batch: tensors with one more dimension in front.

    heat: (H, W) 0-1, a Gaussian at each die, 1 at its centre. heat_weight: (H, W), 0 where ignored, else 1.
    box: (4, H, W) dx, dy, log w, log h, as in nets.DetectorNet. box_known: (H, W), 1 where `box` counts.
    """

    heat: Array
    heat_weight: Array
    box: Array
    box_known: Array


class ClassifierTargets(NamedTuple, Generic[Array]):
    """Targets of a crop: arrays; of a batch: tensors with one more dimension in front.

    faces: (7,) float32 probabilities. colour: () int64, -1 = unknown. normal_xy: (2,) float32, nan = unknown.
    pip_heat: (16, 16) float32. pips_known: () bool.
    """

    faces: Array
    colour: Array
    normal_xy: Array
    pip_heat: Array
    pips_known: Array


TrainingSample = tuple[np.ndarray, Any]
"""A picture (3, H, W) uint8 and its targets."""


class Batches(IterableDataset):
    """Endless batches from the step `start` on: pictures (B, 3, H, W) uint8, and their targets as tensors.

    A subclass draws the samples of one batch. stream: separates its random numbers from those of others.
    """

    stream: int

    def __init__(self, batch: int, seed: int, start: int) -> None:
        self.batch, self.seed, self.start = batch, seed, start

    def __iter__(self) -> Iterator[tuple[Tensor, Any]]:
        cv2.setNumThreads(1)
        worker = get_worker_info()  # None: no worker processes
        first, stride = (worker.id, worker.num_workers) if worker else (0, 1)
        for step in count(self.start + first, stride):
            yield stack_samples(self.samples(np.random.default_rng((self.seed, step, self.stream))))

    def samples(self, rng: np.random.Generator) -> list[TrainingSample]:
        raise NotImplementedError


def stack_samples(samples: Sequence[TrainingSample]) -> tuple[Tensor, Any]:
    """The samples as one batch of tensors."""
    pictures, targets = zip(*samples, strict=True)
    columns = (torch.from_numpy(np.stack(column)) for column in zip(*targets, strict=True))
    return torch.from_numpy(np.stack(pictures)), type(targets[0])(*columns)


# --- the detector's batches ----------------------------------------------------------------------------

RELIT_SHARE = 0.15
"""Share of samples with the colours of a camera that is set for different light."""
COLOURED_LIGHT_SHARE = 0.14
"""Share of crops in warm, green or dim light, whose colours keep their names."""
DETECTOR_CROP = 320
"""Side of a piece, px."""
DETECTOR_SHARES = {"render": 0.7, "simulated": 0.12, "photo": 0.18}
"""Share of each kind of example among the pieces."""
UNSCALED_SHARE = 0.5
"""Share of the simulated tray's pieces that keep their scale."""
NEAR_DIE_SHARE = 0.8
"""Share of pieces that lie near a die. The others lie anywhere in the picture."""
RANDOM_BORDER_SHARE, BORDER_GREY = 0.2, (114, 114, 114)
"""Share of pieces with a random colour beyond the picture's border, and the colour of the others."""
SMOOTHED_BELOW = 0.8
"""Scale below which the picture is blurred before it is scaled, against aliasing."""
DEGRADED_SHARE = 0.7
"""Share of pieces with the faults of cameras (models/rendering/camera_effects.py)."""
DESATURATED_SHARE = 0.3
"""Share of samples with another saturation."""


class DetectorBatches(Batches):
    """Batches of pieces (B, 3, 320, 320) uint8 and `DetectorTargets` of 80 x 80 cells."""

    stream = 1

    def __init__(self, examples: Sequence[Example], batch: int, seed: int, start: int) -> None:
        super().__init__(batch, seed, start)
        self.by_kind = {kind: [e for e in examples if e.kind == kind] for kind in DETECTOR_SHARES}
        self.cached: dict[Path, tuple[np.ndarray, np.ndarray]] = {}

    def downscaled(self, example: Example) -> tuple[np.ndarray, np.ndarray]:
        """The downscaled picture and its boxes; cached (1 MB each), except renders, which have that size."""
        if example.path in self.cached:
            return self.cached[example.path]
        pair = _downscale(example.picture(), example.dice)
        if example.kind != "render":
            self.cached[example.path] = pair
        return pair

    def samples(self, rng: np.random.Generator) -> list[TrainingSample]:
        kinds = [k for k in DETECTOR_SHARES if self.by_kind[k]]
        shares = np.array([DETECTOR_SHARES[k] for k in kinds])
        samples: list[TrainingSample] = []
        for _ in range(self.batch):
            examples = self.by_kind[str(rng.choice(kinds, p=shares / shares.sum()))]
            example = examples[int(rng.integers(len(examples)))]
            samples.append(detector_sample(example, *self.downscaled(example), rng))
        return samples


def detector_sample(
    example: Example, picture: np.ndarray, boxes: np.ndarray, rng: np.random.Generator
) -> tuple[np.ndarray, DetectorTargets[np.ndarray]]:
    """A crop (3, 320, 320) uint8 at a random scale, mirrored, turned and degraded, and its target."""
    side = float(np.median(boxes[:, 2:])) if len(boxes) else 50.0
    low, high = max(0.4, 12 / side), min(2.4, 240 / side)
    k = float(np.exp(rng.uniform(np.log(low), np.log(max(high, low + 0.01)))))
    if example.kind == "simulated" and rng.random() < UNSCALED_SHARE:
        k = 1.0
    size = DETECTOR_CROP
    if len(boxes) and rng.random() < NEAR_DIE_SHARE:
        x, y, w, h = boxes[int(rng.integers(len(boxes)))]
        centre = np.array([x + w / 2, y + h / 2])
    else:
        centre = rng.uniform(0, 1, 2) * picture.shape[1::-1]
    shift = size / 2 - centre * k + rng.uniform(-0.42, 0.42, 2) * size
    affine = np.array([[k, 0, shift[0]], [0, k, shift[1]]])
    fill = (
        tuple(int(v) for v in rng.integers(0, 256, 3)) if rng.random() < RANDOM_BORDER_SHARE else BORDER_GREY
    )
    piece = cv2.warpAffine(picture, affine, (size, size), flags=cv2.INTER_AREA, borderValue=fill)
    if k < SMOOTHED_BELOW:
        smooth = cv2.GaussianBlur(picture, (0, 0), 0.35 / k)
        piece = cv2.warpAffine(smooth, affine, (size, size), borderValue=fill)
    boxes = boxes * k + np.array([*shift, 0, 0], np.float32)
    piece, boxes = _mirror_randomly(piece, boxes, rng)
    if rng.random() < RELIT_SHARE:
        piece = camera_effects.relit(piece, rng)
    degraded = rng.random() < DEGRADED_SHARE
    piece = jitter_colours(piece, rng, 1.0 if degraded else 0.5)
    piece = camera_effects.degraded(piece, rng, 0.7) if degraded else piece
    ignored = np.array([d.ignore for d in example.dice], bool)
    return np.ascontiguousarray(piece.transpose(2, 0, 1)), detector_target(boxes, ignored, size)


def _mirror_randomly(
    piece: np.ndarray,
    boxes: np.ndarray,
    rng: np.random.Generator,
) -> tuple[np.ndarray, np.ndarray]:
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


def detector_target(
    boxes: np.ndarray,
    ignored: np.ndarray,
    size: int,
    stride: int = 4,
) -> DetectorTargets[np.ndarray]:
    """The targets of boxes (n, 4) px in a square piece of `size` px.

    The sigma of the heat's Gaussian is a tenth of the die's width, which keeps touching dice apart.
    """
    cells = size // stride
    heat, weight, known = (np.full((cells, cells), value, np.float32) for value in (0, 1, 0))
    box = np.zeros((4, cells, cells), np.float32)
    yy, xx = np.mgrid[:cells, :cells].astype(np.float32)
    for (x, y, w, h), skip in zip(boxes / stride, ignored, strict=True):
        cx, cy = x + w / 2, y + h / 2
        inside = (abs(xx + 0.5 - cx) < w / 2) & (abs(yy + 0.5 - cy) < h / 2)
        cut = not (0.5 < cx < cells - 0.5 and 0.5 < cy < cells - 0.5)
        if skip or cut:
            weight[inside] = 0
            continue
        ix, iy = int(cx), int(cy)
        sigma = max(0.55, 0.1 * float(np.sqrt(w * h)))
        bell = np.exp(-((xx - ix) ** 2 + (yy - iy) ** 2) / (2 * sigma**2))
        nearer = (abs(xx - ix) <= max(1, sigma / 2)) & (abs(yy - iy) <= max(1, sigma / 2)) & (bell > heat)
        heat = np.maximum(heat, bell)
        box[0][nearer], box[1][nearer] = (cx - xx)[nearer], (cy - yy)[nearer]
        box[2][nearer], box[3][nearer] = np.log(w * stride / BOX_UNIT_PX), np.log(h * stride / BOX_UNIT_PX)
        known[nearer] = 1
    return DetectorTargets(heat, weight, box, known)


def jitter_colours(picture: np.ndarray, rng: np.random.Generator, strength: float) -> np.ndarray:
    """uint8 -> uint8: random brightness, contrast, gamma, white balance and saturation."""
    if rng.random() < DESATURATED_SHARE:
        grey = cv2.cvtColor(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR)
        keep = float(rng.uniform(1 - 0.5 * strength, 1 + 0.3 * strength))
        picture = cv2.addWeighted(picture, keep, grey, 1 - keep, 0)
    x = np.linspace(0, 1, 256, dtype=np.float32)[:, None]
    if rng.random() < 0.5:
        x = x ** float(np.exp(rng.normal(0, 0.25 * strength)))
    x = x * np.exp(rng.normal(0, 0.05 * strength, 3))
    x = (x - 0.5) * (1 + rng.normal(0, 0.15 * strength)) + 0.5 + rng.normal(0, 0.06 * strength)
    return cv2.LUT(np.ascontiguousarray(picture), (np.clip(x, 0, 1) * 255).astype(np.uint8)[None])


# --- the classifier's batches --------------------------------------------------------------------------


@dataclass
class CropSet:
    """n stored crops (n, 112, 112, 3) uint8 with their labels.

    face: 1-6, 0 = unreadable, 7 = background. colour: -1 = unknown. normal: (n, 2), nan = unknown.
    px: side of the die. tilted_or_stacked: (n,) True if the die is tilted or lies on another.
    pips: (n, 6, 2) centres of the upper face's pips, px of the stored crop, nan beyond the last.
    pips_known: (n,) True if the pips are known; a background crop has known pips: none.
    """

    crops: np.ndarray
    face: np.ndarray
    colour: np.ndarray
    normal: np.ndarray
    tilted_or_stacked: np.ndarray
    px: np.ndarray
    pips: np.ndarray
    pips_known: np.ndarray

    def __len__(self) -> int:
        return len(self.crops)

    @cached_property
    def tilted_or_stacked_indices(self) -> np.ndarray:
        """Indices of the dice that are tilted or lie on another."""
        return np.flatnonzero(self.tilted_or_stacked)


def crop_set(
    examples: list[Example],
    store: Path | None = None,
    false_positives: FalsePositives | None = None,
    seed: int = 0,
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
    examples: list[Example],
    squares: Callable[[Example, np.ndarray], list[tuple[Square, Die | None]]],
    room: int,
    store: Path | None,
) -> CropSet:
    """The crops at these spots of the examples, `room` at most. ValueError: there is none."""
    shape: tuple[int, ...] = (room, CROP_STORED, CROP_STORED, 3)
    labels: list[CropLabels] = []
    crops = np.lib.format.open_memmap(store, "w+", np.uint8, shape) if store else np.empty(shape, np.uint8)
    for example in examples:
        picture = example.picture()
        for (cx, cy, side), die in squares(example, picture):
            crops[len(labels)] = crop_square(picture, cx, cy, side * STORED_SPAN, CROP_STORED)
            labels.append(_labels(die, cx, cy, side))
    if not labels:
        raise ValueError(f"expected dice to learn from, found none in {len(examples)} pictures")
    face, colour, normal, tilted_or_stacked, px, pips, pips_known = zip(*labels, strict=True)
    return CropSet(
        crops[: len(labels)], np.array(face), np.array(colour), np.array(normal, np.float32),
        np.array(tilted_or_stacked), np.array(px, np.float32), np.stack(pips), np.array(pips_known),
    )  # fmt: skip


class CropLabels(NamedTuple):
    """The labels of one crop of a `CropSet`."""

    face: int
    colour: int
    normal: tuple[float, float]
    tilted_or_stacked: bool
    px: float
    pips: np.ndarray
    pips_known: bool


UNKNOWN = (np.nan, np.nan)
MAX_PIPS = 6
BACKGROUND = 7
"""The face of a crop of the background, which shows no whole die."""


def is_blank(picture: np.ndarray, die: Die) -> bool:
    """True if glare or darkness hides the pips: it looks like a blank cube or disc then, and is left out."""
    return die.pips is not None and not has_visible_pips(picture, die.pips, die.pip_px)


def _labels(die: Die | None, cx: float, cy: float, side: float) -> CropLabels:
    """The labels of the crop around this square; die None = background."""
    pips = np.full((MAX_PIPS, 2), np.nan, np.float32)
    if die is None:
        return CropLabels(BACKGROUND, -1, UNKNOWN, False, side, pips, True)
    pips_known = die.pips if die.face else None  # an unreadable face's pips are not trained on
    if pips_known is not None:
        k = CROP_STORED / (side * STORED_SPAN)
        pips[: len(pips_known)] = (pips_known - (cx, cy)) * k + CROP_STORED / 2
    known = pips_known is not None
    return CropLabels(
        die.face, die.colour, die.normal_xy or UNKNOWN, die.tilted_or_stacked, side, pips, known
    )


def _dice_to_read(example: Example, picture: np.ndarray) -> list[tuple[Square, Die]]:
    """Each die that is not ignored, too small or blank, and its square."""
    return [
        ((x + w / 2, y + h / 2, max(w, h)), die)
        for die in example.dice
        for x, y, w, h in [die.box]
        if not die.ignore and max(w, h) >= MIN_PX and not is_blank(picture, die)
    ]


SQUARE_AT_DIE_SHARE, BESIDE_SHARE = 0.3, 0.6
"""Share of dice with a background square at them, and share of these squares beside, not inside, the die."""


def background_squares(example: Example, picture: np.ndarray, rng: np.random.Generator) -> list[Square]:
    """Squares that are not one whole die: background, beside a die, part of a die."""
    h, w = picture.shape[:2]
    side = float(np.median([max(d.box[2:]) for d in example.dice])) if example.dice else rng.uniform(20, 120)
    found = []
    for _ in range(2 if example.dice else 5):
        s = side * float(np.exp(rng.uniform(-0.7, 0.9)))
        square = (float(rng.uniform(0, w)), float(rng.uniform(0, h)), s)
        if all(_is_clear_of(square, d) for d in example.dice):
            found.append(square)
    for die in example.dice:
        if rng.random() < SQUARE_AT_DIE_SHARE:
            x, y, dw, dh = die.box
            side = max(dw, dh)
            angle, kind = rng.uniform(0, 2 * np.pi), rng.random()
            if kind < BESIDE_SHARE:
                away, s = rng.uniform(0.55, 0.9), side
            else:
                away, s = rng.uniform(0, 0.2), side * rng.uniform(0.3, 0.45)
            square = (x + dw / 2 + away * side * np.cos(angle), y + dh / 2 + away * side * np.sin(angle), s)
            if kind >= BESIDE_SHARE or all(_is_off_centre(square, d) for d in example.dice):
                found.append(square)
    return found


def _is_clear_of(square: Square, die: Die) -> bool:
    x, y, w, h = die.box
    cx, cy, side = square
    return abs(cx - x - w / 2) > (side + w) / 2 or abs(cy - y - h / 2) > (side + h) / 2


def _is_off_centre(square: Square, die: Die) -> bool:
    x, y, w, h = die.box
    cx, cy, _ = square
    return abs(cx - x - w / 2) > 0.4 * w or abs(cy - y - h / 2) > 0.4 * h


CLASSIFIER_SHARES = {"render": 0.68, "oblique": 0.1, "simulated": 0.14, "photo": 0.18}
"""Weight of each kind of example among the crops."""
TILTED_OR_STACKED_SHARE = 0.1
"""Share of draws that are reserved for dice that are tilted or lie on another."""
NORMAL_SHARES = {"render": 0.85, "oblique": 0.15, "simulated": 0.15}
NORMAL_TILTED_OR_STACKED_SHARE = 0.25
"""The same when only the normal is trained. Photographs have no ground truth for it."""
PIP_CELLS = 16
"""Cells along each side of the classifier's pip heatmap."""


class ClassifierBatches(Batches):
    """Batches of crops (B, 3, 64, 64) uint8 and `ClassifierTargets`."""

    stream = 2

    def __init__(
        self, sets: dict[str, CropSet], batch: int, seed: int, start: int,
        shares: Mapping[str, float] = CLASSIFIER_SHARES,
        tilted_or_stacked_share: float = TILTED_OR_STACKED_SHARE,
    ) -> None:  # fmt: skip
        super().__init__(batch, seed, start)
        self.sets, self.shares, self.tilted_or_stacked_share = sets, shares, tilted_or_stacked_share

    def samples(self, rng: np.random.Generator) -> list[TrainingSample]:
        kinds = list(self.sets)
        shares = np.array([self.shares[k] for k in kinds])
        drawn = rng.choice(kinds, self.batch, p=shares / shares.sum())
        return [
            self._sample(self.sets[str(kind)], UPRIGHT_DEG if kind == "oblique" else 180.0, rng)
            for kind in drawn
        ]

    def _sample(self, chosen: CropSet, most_deg: float, rng: np.random.Generator) -> TrainingSample:
        tilted_or_stacked = chosen.tilted_or_stacked_indices
        from_them = len(tilted_or_stacked) and rng.random() < self.tilted_or_stacked_share
        i = int(
            tilted_or_stacked[rng.integers(len(tilted_or_stacked))]
            if from_them
            else rng.integers(len(chosen))
        )
        stored, light = chosen.crops[i], rng.random()
        relit = light < RELIT_SHARE
        if relit:
            stored = camera_effects.relit(stored, rng)
        elif light < RELIT_SHARE + COLOURED_LIGHT_SHARE:
            stored = camera_effects.in_coloured_light(stored, rng)
        crop, pips, turn = classifier_sample(stored, chosen.pips[i], float(chosen.px[i]), rng, most_deg)
        return crop, ClassifierTargets(
            face_targets(int(chosen.face[i])),
            np.array(-1 if relit else chosen.colour[i], np.int64),  # no colour can be named in other light
            (turn @ chosen.normal[i]).astype(np.float32),
            pip_heat(pips),
            np.array(chosen.pips_known[i], bool),
        )


def face_targets(face: int) -> np.ndarray:
    """Target probabilities (7,): one-hot for a face or background (7), uniform over 1-6 if unreadable (0)."""
    probabilities = np.zeros(BACKGROUND, np.float32)
    if face:
        probabilities[face - 1] = 1
    else:
        probabilities[:6] = 1 / 6
    return probabilities


def pip_heat(pips: np.ndarray, out: int = 64) -> np.ndarray:
    """Heatmap (16, 16), a peak one cell wide at each pip. pips: (6, 2) px in the crop, nan past the last."""
    at = (pips[~np.isnan(pips[:, 0])] * PIP_CELLS / out - 0.5)[:, :, None, None]  # (n, 2, 1, 1)
    heat = np.zeros((PIP_CELLS, PIP_CELLS), np.float32)
    if len(at):
        yy, xx = np.mgrid[:PIP_CELLS, :PIP_CELLS].astype(np.float32)
        heat = np.exp(-((xx - at[:, 0]) ** 2 + (yy - at[:, 1]) ** 2) / (2 * 0.65**2)).max(axis=0)
    return heat.astype(np.float32)


COARSE_SHARE, COARSE_PX = 0.35, (15, 40)
"""Share of crops with less detail, and the range of their resolution, px."""
DEGRADED_CROP_SHARE = 0.5
"""Share of crops with the faults of cameras."""
UPRIGHT_DEG = 20.0
"""Largest rotation of oblique crops, degrees. From low down a side looks like the upper face. Which of the
two is above the other in the picture tells them apart, as people hold a camera upright."""


def classifier_sample(
    stored: np.ndarray,
    pips: np.ndarray,
    px: float,
    rng: np.random.Generator,
    most_deg: float = 180.0,
    out: int = 64,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """An augmented crop (3, 64, 64) uint8, its pips in px of it, and how directions are transformed, (2, 2).

    Augmentation: rotation by up to most_deg degrees, shift, scaling, mirroring and degradation.
    """
    span = CROP_SPAN * float(np.exp(rng.normal(0, 0.07)))
    k = out * STORED_SPAN / (CROP_STORED * span)
    angle = float(rng.uniform(-most_deg, most_deg))
    shift = rng.normal(0, 0.04, 2) * out
    affine: np.ndarray = cv2.getRotationMatrix2D((CROP_STORED / 2 - 0.5, CROP_STORED / 2 - 0.5), angle, k)
    turn = affine[:, :2] / k
    affine[:, :2] *= np.exp(rng.normal(0, 0.05, (2, 1)))
    middle = affine @ (CROP_STORED / 2 - 0.5, CROP_STORED / 2 - 0.5, 1)
    affine[:, 2] += out / 2 - 0.5 - middle + shift
    crop = cv2.warpAffine(stored, affine, (out, out), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    moved = (pips - 0.5) @ affine[:, :2].T + affine[:, 2] + 0.5
    if rng.random() < 0.5:
        crop, moved, turn = crop[:, ::-1], moved * (-1, 1) + (out, 0), turn * [[-1], [1]]
    if rng.random() < COARSE_SHARE:
        small = int(rng.uniform(*COARSE_PX))
        if small < px:
            coarse = cv2.resize(np.ascontiguousarray(crop), (small, small), interpolation=cv2.INTER_AREA)
            crop = cv2.resize(coarse, (out, out), interpolation=cv2.INTER_LINEAR)
    crop = jitter_colours(crop, rng, 1.0)
    if rng.random() < DEGRADED_CROP_SHARE:
        crop = camera_effects.degraded(crop, rng, 0.8)
    return np.ascontiguousarray(crop.transpose(2, 0, 1)), moved, turn
