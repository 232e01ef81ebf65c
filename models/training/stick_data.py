"""Rendered pictures of sticks as training data: whole pictures for the detector, crops for the classifier.

    python -m models.training.stick_data --out runs/stick_data --count 100 --photos PHOTOS

With --detector, the folder of a trained detector, what that detector takes for sticks and what is none
teaches the classifier, in place of random places. Then more of the pictures are photographs of dice.

A part NNNNN of the data is PICTURES_A_PART pictures, made from its number alone, in four files: pictures.npy
and boxes.npy for the detector, crops.npy and targets.npy for the classifier. The last columns of the targets
are the picture's levels of brightness, which the classifier gets too. Existing parts are skipped, so a
stopped run resumes, and --start and --step share the work between processes. Training reads whatever parts
there are, through memory maps.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

import cv2
import numpy as np
import torch
from torch import Tensor

from models.rendering.cutout import Cutout
from models.rendering.cutouts import cutouts
from models.rendering.render_files import arguments
from models.rendering.simulated_sticks import simulated
from models.rendering.stick_scenes import StickLabel, Stock, rendered, stock
from models.training.photos import LabelledPhoto, read_picture, trainable
from vision.reading.detector import PAD_GREY
from vision.reading.stick_classifier import (
    CHANNELS,
    CORRECTIONS,
    CROP_WH,
    FACES,
    LEVELS,
    NO_STICK,
    TURN_UNIT,
    brightness_levels,
    level_crop,
)
from vision.reading.stick_detector import (
    ANGLE_STEP,
    ANGLES,
    LENGTH_UNIT_PX,
    STRIDE,
    WIDTH_UNIT_PX,
    StickDetector,
)
from vision.reading.stick_reader import DETECTOR_FILE
from vision.turned_box import TurnedBox, angle_between, box_of_quad, shared_area

PICTURES_A_PART = 64
GROUNDS = 160
"""Number of grounds in a process's stock."""
PICTURE_WH = (400, 304)
"""Size of the detector's pictures, px: 4 to 3, with some grey below for multiples of 16."""
MAX_STICKS = 12
"""Rows of boxes.npy for a picture; an empty row has length 0."""
VIEWS = 2
"""Crops of each stick, each along a box that is somewhat off."""
UNKNOWN = NO_STICK + 1
"""Class of a stick whose letters name no animal."""
PHOTO_SHARE, FALSE_PHOTO_SHARE = 0.05, 0.25
"""Share of the pictures that are photographs of dice, without sticks; the second one with --detector."""
MAX_FALSE = 6
"""Maximum number of a detector's false positives that are taken from a picture."""
JITTER = (0.03, 0.16, 0.045, 0.07, 0.14)
"""Standard deviations of a crop's box from the true one: along and across in lengths and widths, radians, and
of the logarithms of length and width. The detector's own errors are smaller."""
MAX_JITTER = (0.1, 0.4, 0.14, 0.25, 0.4)
"""The largest of these."""
SMALL_JITTER_SHARE, SMALL_JITTER = 0.4, 0.25
"""Share of crops whose box is nearly right, as it is in the second view, and the factor of their jitter."""
LONG_ASIDE = 0.06
"""Standard deviation of the heatmap's peaks along a stick, in lengths."""
PEAK_CELLS = 0.75
"""Least standard deviation of the peaks, cells."""
BOX_HEAT = 0.5
"""Cells with at least this heat learn the stick's box."""
BOTH_RANGES = math.radians(3)
"""A stick this near the border of two ranges of angles belongs to both."""
MOSAIC_SHARE = 0.25
"""Share of the detector's pictures that are four pictures of half the size."""


class DetectorTargets(NamedTuple):
    """heat (B, 6, h, w); box (B, 6, 5, h, w): dx, dy, angle, log length, log width; known (B, 6, h, w)."""

    heat: Tensor
    box: Tensor
    known: Tensor


class ClassifierTargets(NamedTuple):
    """face (B,): 0-6, NO_STICK or UNKNOWN. dark (B,): may be called black or round.

    corrections (B, 5), as in vision.reading.stick_classifier.
    """

    face: Tensor
    dark: Tensor
    corrections: Tensor


@dataclass(frozen=True, eq=False)
class Part:
    """The four arrays of a part."""

    pictures: np.ndarray
    boxes: np.ndarray
    crops: np.ndarray
    targets: np.ndarray


def parts_in(folder: Path) -> list[Part]:
    """The complete parts in this folder, as memory maps, in the order of their numbers."""
    numbers = sorted(path.name[:5] for path in folder.glob("*_targets.npy"))
    return [
        Part(*(np.load(folder / f"{n}_{name}.npy", mmap_mode="r") for name in Part.__dataclass_fields__))
        for n in numbers
    ]


# --- making -------------------------------------------------------------------------------------------------


def make_part(
    rng: np.random.Generator,
    stock_: Stock,
    photos: Sequence[np.ndarray],
    detector: StickDetector | None,
    count: int = PICTURES_A_PART,
    on_tray: bool = False,
) -> dict[str, np.ndarray]:
    """The four arrays of one part of this number of pictures. on_tray: of the simulated tray."""
    pictures, boxes, crops, targets = [], [], [], []
    for _ in range(count):
        picture, labels = simulated(rng) if on_tray else rendered(rng, stock_)
        if photos and rng.random() < (FALSE_PHOTO_SHARE if detector else PHOTO_SHARE):
            picture, labels = part_of(rng, photos[int(rng.integers(len(photos)))]), []
        small, scale = shrunk(picture)
        pictures.append(small)
        boxes.append(box_rows(labels, scale))
        none = false_boxes(picture, labels, detector) if detector else [random_box(rng, picture, labels)]
        levels = brightness_levels(picture)
        for crop, target in crops_of(rng, picture, labels, none):
            crops.append(crop)
            targets.append(np.concatenate([target, levels]))
    return {
        "pictures": np.stack(pictures),
        "boxes": np.stack(boxes),
        "crops": np.stack(crops),
        "targets": np.stack(targets).astype(np.float32),
    }


def shrunk(picture: np.ndarray) -> tuple[np.ndarray, float]:
    """The picture within (304, 400, 3) uint8, padded with grey, and its scale."""
    h, w = picture.shape[:2]
    scale = min(PICTURE_WH[0] / w, PICTURE_WH[1] / h)
    size = (round(w * scale), round(h * scale))
    canvas = np.full((PICTURE_WH[1], PICTURE_WH[0], 3), PAD_GREY, np.uint8)
    canvas[: size[1], : size[0]] = cv2.resize(picture, size, interpolation=cv2.INTER_AREA)
    return canvas, scale


def box_rows(labels: Sequence[StickLabel], scale: float) -> np.ndarray:
    """(MAX_STICKS, 5) float32: middle x, y, angle, length, width in px of the shrunk picture."""
    rows = np.zeros((MAX_STICKS, 5), np.float32)
    sticks = [label for label in labels if label.face != "none"][:MAX_STICKS]
    for row, label in zip(rows, sticks, strict=False):
        box = box_of_quad(label.quad).scaled(scale)
        row[:] = (*box.centre_xy, box.angle, box.length, box.width)
    return rows


def crops_of(
    rng: np.random.Generator,
    picture: np.ndarray,
    labels: Sequence[StickLabel],
    none: Sequence[TurnedBox],
) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Crops (32, 256, 3) and their targets (7,): class, dark, corrections. none: boxes of no stick, if they
    are not nearly those of sticks."""
    true = [box_of_quad(label.quad) for label in labels]
    for label, box in zip(labels, true, strict=True):
        face = class_of(label.face)
        for _ in range(VIEWS if face != NO_STICK else 1):
            off, seen = jittered(rng, box)
            turned = bool(rng.random() < 0.5)
            if turned:
                off[:2] *= -1
            yield level_crop(picture, seen, turned), np.array([face, label.dark, *off])
    for box in none:
        if not any(_much_alike(box, other) for other in true):
            yield level_crop(picture, box), np.array([NO_STICK, 0, *np.zeros(CORRECTIONS)])


def class_of(face: str) -> int:
    return NO_STICK if face == "none" else FACES.index(face) if face in FACES else UNKNOWN


def jittered(rng: np.random.Generator, box: TurnedBox) -> tuple[np.ndarray, TurnedBox]:
    """A box somewhat off the true one, and the corrections that lead back."""
    scale = SMALL_JITTER if rng.random() < SMALL_JITTER_SHARE else 1.0
    off = np.clip(rng.normal(0, JITTER), -np.array(MAX_JITTER), MAX_JITTER) * scale
    along, across, turn, longer, wider = off.tolist()
    length, width = box.length * math.exp(-longer), box.width * math.exp(-wider)
    seen = TurnedBox(box.centre_xy, (box.angle - turn) % math.pi, length, width)
    (cx, cy), (ux, uy) = box.centre_xy, seen.axis
    centre = (cx - along * length * ux + across * width * uy, cy - along * length * uy - across * width * ux)
    off[2] = turn / TURN_UNIT
    return off, replace(seen, centre_xy=centre)


def part_of(rng: np.random.Generator, photo: np.ndarray) -> np.ndarray:
    """A random part of a photograph, sometimes mirrored."""
    h, w = (round(side * float(rng.uniform(0.5, 1.0))) for side in photo.shape[:2])
    y, x = int(rng.integers(photo.shape[0] - h + 1)), int(rng.integers(photo.shape[1] - w + 1))
    return np.ascontiguousarray(photo[y : y + h, x : x + w][:, :: int(rng.choice([1, -1]))])


def false_boxes(
    picture: np.ndarray, labels: Sequence[StickLabel], detector: StickDetector
) -> list[TurnedBox]:
    """What the detector takes for a stick and what is none."""
    true = [box_of_quad(label.quad) for label in labels if label.face != "none"]
    found = [detection.box for detection in detector.detect(picture)]
    return [box for box in found if not any(_same_stick(box, other) for other in true)][:MAX_FALSE]


def _same_stick(box: TurnedBox, true: TurnedBox) -> bool:
    far = math.dist(box.centre_xy, true.centre_xy)
    return far < 0.3 * true.length and angle_between(box.angle, true.angle) < 0.3


def random_box(rng: np.random.Generator, picture: np.ndarray, labels: Sequence[StickLabel]) -> TurnedBox:
    """A box where perhaps no stick is: anywhere, half over a stick, or across one."""
    true = [box_of_quad(label.quad) for label in labels]
    h, w = picture.shape[:2]
    length = float(rng.uniform(0.12, 0.45) * w)
    if not true or rng.random() < 0.6:
        centre = (float(rng.uniform(0.1, 0.9) * w), float(rng.uniform(0.1, 0.9) * h))
        return TurnedBox(centre, float(rng.uniform(0, math.pi)), length, length / float(rng.uniform(7, 13)))
    box = true[int(rng.integers(len(true)))]
    (cx, cy), (ux, uy), away = (
        box.centre_xy,
        box.axis,
        box.length * float(rng.choice([-1, 1]) * rng.uniform(0.5, 0.9)),
    )
    turn = float(rng.choice([0.0, rng.uniform(0.5, 2.6)]))
    return TurnedBox((cx + away * ux, cy + away * uy), (box.angle + turn) % math.pi, box.length, box.width)


def _much_alike(a: TurnedBox, b: TurnedBox) -> bool:
    if angle_between(a.angle, b.angle) > 0.4:
        return False
    return shared_area(a.quad, b.quad) > 0.55 * min(a.length * a.width, b.length * b.width)


def photo_cutouts(folder: Path | None) -> list[Cutout]:
    return [] if folder is None else [cut for source in cutouts(folder).values() for cut in source.cutouts]


def photographs(photos: Sequence[LabelledPhoto]) -> list[np.ndarray]:
    """These photographs with a long side of at most 900 px."""
    pictures = []
    for photo in photos:
        picture = read_picture(photo.path)
        scale = min(1.0, 900 / max(picture.shape[:2]))
        pictures.append(cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA))
    return pictures


# --- batches ------------------------------------------------------------------------------------------------


def detector_targets(rows: np.ndarray, size_wh: tuple[int, int]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """heat (6, h, w), box (6, 5, h, w) and known (6, h, w) of the sticks in these rows (n, 5)."""
    w, h = size_wh[0] // STRIDE, size_wh[1] // STRIDE
    heat = np.zeros((ANGLES, h, w), np.float32)
    box = np.zeros((ANGLES, 5, h, w), np.float32)
    y, x = np.mgrid[:h, :w].astype(np.float32) + 0.5
    for cx, cy, angle, length, width in rows:
        if length <= 0:
            continue
        dx, dy = (cx + 0.5) / STRIDE - x, (cy + 0.5) / STRIDE - y
        along = dx * np.cos(angle) + dy * np.sin(angle)
        across = dy * np.cos(angle) - dx * np.sin(angle)
        sigma = max(PEAK_CELLS, LONG_ASIDE * length / STRIDE)
        peak = np.exp(-0.5 * ((along / sigma) ** 2 + (across / PEAK_CELLS) ** 2))
        peak = np.where(peak >= peak.max() - 1e-6, 1.0, peak).astype(np.float32)
        sides = np.log(length / LENGTH_UNIT_PX), np.log(width / WIDTH_UNIT_PX)
        for a, turn in ranges_of(float(angle)):
            better = (peak > heat[a]) & (peak >= BOX_HEAT)
            values = (dx, dy, np.full_like(dx, turn), *(np.full_like(dx, side) for side in sides))
            for channel, value in zip(box[a], values, strict=True):
                channel[better] = value[better]
            np.maximum(heat[a], peak, out=heat[a])
    return heat, box, (heat >= BOX_HEAT).astype(np.float32)


def ranges_of(angle: float) -> list[tuple[int, float]]:
    """The ranges of angles of a stick, and its angle from the middle of each, in halves of a range."""
    result = []
    for a in range(ANGLES):
        turn = (angle - (a + 0.5) * ANGLE_STEP + math.pi / 2) % math.pi - math.pi / 2
        if abs(turn) <= ANGLE_STEP / 2 + BOTH_RANGES:
            result.append((a, turn / (ANGLE_STEP / 2)))
    return result


def detector_batch(
    rng: np.random.Generator, parts: Sequence[Part], size: int
) -> tuple[Tensor, DetectorTargets]:
    """Pictures (size, 3, 304, 400) uint8 and their targets; some are mosaics, all are turned at random."""
    pictures, targets = [], []
    for _ in range(size):
        picture, rows = _picture(rng, parts)
        if rng.random() < MOSAIC_SHARE:
            picture, rows = mosaic([(picture, rows), *(_picture(rng, parts) for _ in range(3))])
        pictures.append(picture)
        targets.append(detector_targets(rows, PICTURE_WH))
    stacked = torch.from_numpy(np.stack(pictures).transpose(0, 3, 1, 2).copy())
    return stacked, DetectorTargets(*(torch.from_numpy(np.stack(t)) for t in zip(*targets, strict=True)))


def _picture(rng: np.random.Generator, parts: Sequence[Part]) -> tuple[np.ndarray, np.ndarray]:
    part = parts[int(rng.integers(len(parts)))]
    n = int(rng.integers(len(part.pictures)))
    picture, rows = np.array(part.pictures[n]), np.array(part.boxes[n])
    w, h = PICTURE_WH
    if rng.random() < 0.5:
        picture, rows[:, 0], rows[:, 2] = (
            picture[:, ::-1],
            w - 1 - rows[:, 0],
            (math.pi - rows[:, 2]) % math.pi,
        )
    if rng.random() < 0.5:
        picture, rows[:, 1], rows[:, 2] = picture[::-1], h - 1 - rows[:, 1], (math.pi - rows[:, 2]) % math.pi
    if rng.random() < 0.3:
        picture = picture[..., rng.permutation(3)]
    return picture, rows


def mosaic(four: Sequence[tuple[np.ndarray, np.ndarray]]) -> tuple[np.ndarray, np.ndarray]:
    """Four pictures at half their size, side by side, and all their boxes."""
    w, h = PICTURE_WH[0] // 2, PICTURE_WH[1] // 2
    small = [cv2.resize(picture, (w, h), interpolation=cv2.INTER_AREA) for picture, _ in four]
    moved = []
    for n, (_, rows) in enumerate(four):
        rows = rows.copy()
        rows[:, :2] = (rows[:, :2] + 0.5) / 2 - 0.5 + (n % 2 * w, n // 2 * h)
        rows[:, 3:] /= 2
        moved.append(rows)
    return np.vstack([np.hstack(small[:2]), np.hstack(small[2:])]), np.concatenate(moved)


def classifier_batch(
    rng: np.random.Generator, parts: Sequence[Part], size: int
) -> tuple[Tensor, ClassifierTargets]:
    """Crops (size, 5, 32, 256) uint8 with the levels of brightness, and their targets, with random light."""
    planes = np.empty((size, CHANNELS, CROP_WH[1], CROP_WH[0]), np.uint8)
    targets = []
    for row in planes:
        part = parts[int(rng.integers(len(parts)))]
        n = int(rng.integers(len(part.crops)))
        target = part.targets[n]
        row[:3], row[3:] = relit(rng, part.crops[n], target[-len(LEVELS) :])
        targets.append(target[: -len(LEVELS)])
    rows = torch.from_numpy(np.stack(targets))
    return torch.from_numpy(planes), ClassifierTargets(rows[:, 0].long(), rows[:, 1] > 0, rows[:, 2:])


def relit(rng: np.random.Generator, crop: np.ndarray, levels: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The crop (3, 32, 256) and levels (2, 1, 1), sometimes with other light: faces hardly depend on it."""
    planes, levels = crop.transpose(2, 0, 1), levels[:, None, None]
    if rng.random() < 0.5:
        return planes, levels
    gain, tint = float(np.exp(rng.normal(0, 0.12))), np.exp(rng.normal(0, 0.03, (3, 1, 1)))
    return np.clip(planes * (gain * tint), 0, 255), np.clip(levels * gain, 0, 255)


def main() -> None:
    parser = arguments(__doc__, count=100)
    parser.add_argument("--photos", type=Path, help="folder of photographs of dice, without sticks")
    parser.add_argument("--detector", type=Path, help="folder with a trained detector of sticks")
    parser.add_argument("--simulated", action="store_true", help="throws on the simulated tray instead")
    args = parser.parse_args()
    cv2.setNumThreads(1)
    detector = StickDetector(args.detector / DETECTOR_FILE) if args.detector else None
    args.out.mkdir(parents=True, exist_ok=True)
    photos = photographs(trainable(args.photos)) if args.photos else []
    stock_ = stock(np.random.default_rng((args.start, 11)), GROUNDS, photos, photo_cutouts(args.photos))
    for number in range(args.start, args.count, args.step):
        if (args.out / f"{number:05d}_targets.npy").exists():
            continue
        rng = np.random.default_rng((number, 7))
        part = make_part(rng, stock_, photos, detector, on_tray=args.simulated)
        for name, array in part.items():
            np.save(args.out / f"{number:05d}_{name}.npy", array)


if __name__ == "__main__":
    main()
