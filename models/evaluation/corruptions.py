"""Robustness to image corruptions: `python -m models.evaluation.corruptions --photos ../shared/photos`.

The reader reads every photograph of a new rig unchanged and with each corruption below: poor light, a cheap
or badly set camera, an oblique view, a long distance. The program prints one row of die and throw counts per
corruption. All dice in the photographs are flat. "throws sure" excludes throws with emblems, because a person
is always asked about those.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from models import WEIGHTS
from models.evaluation.datasets import photographs
from models.evaluation.scoring import LabelledPicture, ScoredPicture, Tally, score_picture
from models.labels import DieLabel
from vision.frames import Picture
from vision.reading.reader import Reader

SEED = 41
DISTANT_WH, DISTANT_DIE_PX = (4000, 3000), 60
"""Size of a large photograph of a distant table, px, and the width of a die in it, px."""
COARSE_PX = 20
"""Width of a die in a low-resolution picture, px."""

COLUMNS = (
    "corruption", "dice", "right", "missed", "false", "dice sure and wrong", "called cocked", "throws right",
    "throws sure", "throws sure and wrong",
)  # fmt: skip

Corruption = Callable[[Picture, float, np.random.Generator], Picture]
"""A corruption: maps a picture and the width of a die in it, px, to a degraded picture of the same size."""


def with_tone(power: float, gains_bgr: Sequence[float], lift: float = 0.0) -> Corruption:
    """A corruption by gamma, by a gain per channel and by an added offset like haze; lift in grey levels."""

    def corrupt(picture: Picture, _side: float, _rng: np.random.Generator) -> Picture:
        toned = lift + 255 * (picture / 255.0) ** power * np.array(gains_bgr)
        clipped: NDArray[np.float64] = np.clip(toned, 0, 255)
        return clipped.astype(np.uint8)

    return corrupt


def dim_and_noisy(picture: Picture, side: float, rng: np.random.Generator) -> Picture:
    dark = with_tone(1.8, (0.45, 0.45, 0.45))(picture, side, rng)
    return np.clip(dark + rng.normal(0, 6, dark.shape), 0, 255).astype(np.uint8)


def spot_lit(picture: Picture, _side: float, rng: np.random.Generator) -> Picture:
    """The picture lit by one spot; far from it the brightness is about a fifth."""
    h, w = picture.shape[:2]
    y, x = np.mgrid[:h, :w]
    near = np.exp(-((y / h - rng.uniform()) ** 2 + (x / w - rng.uniform()) ** 2) / 0.12)
    shown: NDArray[np.float64] = np.clip(picture * (0.22 + near)[..., None], 0, 255)
    return shown.astype(np.uint8)


def blurred(picture: Picture, side: float, _rng: np.random.Generator) -> Picture:
    return np.asarray(cv2.GaussianBlur(picture, (0, 0), max(0.045 * side, 0.5)), np.uint8)


def motion_blurred(picture: Picture, side: float, _rng: np.random.Generator) -> Picture:
    """The picture with motion blur of an eighth of a die."""
    line = np.ones((1, int(np.clip(0.12 * side, 3, 31))), np.float32)
    return np.asarray(cv2.filter2D(picture, -1, line / line.size), np.uint8)


def compressed(picture: Picture, _side: float, _rng: np.random.Generator) -> Picture:
    _, encoded = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 25])
    return np.asarray(cv2.imdecode(encoded, cv2.IMREAD_COLOR), np.uint8)


CORRUPTIONS: dict[str, Corruption] = {
    "as it is": with_tone(1.0, (1, 1, 1)),
    "dim and noisy": dim_and_noisy,
    "under a warm lamp": with_tone(1.0, (0.5, 0.8, 1.05)),
    "cold and hazy": with_tone(1.0, (0.63, 0.55, 0.47), 60.0),
    "far too bright": with_tone(1.0, (1.7, 1.7, 1.7)),
    "one lamp beside it": spot_lit,
    "out of focus": blurred,
    "shaken": motion_blurred,
    "JPEG of quality 25": compressed,
}


def with_picture(labelled: LabelledPicture, picture: Picture) -> LabelledPicture:
    """The labels with this picture instead of their own."""
    return replace(labelled, load_picture=lambda: picture)


def rotation_matrix(size_wh: tuple[int, int], deg: float, scale: float) -> np.ndarray:
    """The (3, 3) matrix that rotates a picture of this size about its centre and scales it."""
    return np.vstack([cv2.getRotationMatrix2D((size_wh[0] / 2, size_wh[1] / 2), deg, scale), (0, 0, 1)])


def oblique_view(size_wh: tuple[int, int]) -> np.ndarray:
    """The (3, 3) homography of an oblique view from one side."""
    w, h = size_wh
    corners = np.array([(0, 0), (w, 0), (w, h), (0, h)], np.float32)
    oblique = np.array([(0.16 * w, 0.12 * h), (0.84 * w, 0.12 * h), (w, 0.88 * h), (0, 0.88 * h)], np.float32)
    return np.asarray(cv2.getPerspectiveTransform(corners, oblique), float)


def warped(
    labelled: LabelledPicture, picture: Picture, matrix: np.ndarray, size_wh: tuple[int, int]
) -> LabelledPicture:
    """The picture and its labels warped by this (3, 3) matrix to this size; the border is replicated."""
    k = float(np.sqrt(abs(np.linalg.det(matrix[:2, :2]))))
    soft = cv2.GaussianBlur(picture, (0, 0), 0.35 / k) if k < 0.8 else picture
    result = cv2.warpPerspective(soft, matrix, size_wh, borderMode=cv2.BORDER_REPLICATE)
    truth = tuple(_moved(t, matrix, size_wh) for t in labelled.truth)
    return replace(with_picture(labelled, np.asarray(result, np.uint8)), truth=truth)


def _moved(t: DieLabel, matrix: np.ndarray, size_wh: tuple[int, int]) -> DieLabel:
    """The ground truth after the warp; a die that the border cuts is ignored.

    The box is limited to 1.15 times the die's side, because a rotated box's bounding box exceeds the die.
    """
    x, y, w, h = t.box_xywh
    corners = cv2.perspectiveTransform(
        np.array([[(x, y), (x + w, y), (x + w, y + h), (x, y + h)]], float), matrix
    )[0]
    middle, side = corners.mean(axis=0), float(np.sqrt(cv2.contourArea(corners.astype(np.float32))))
    size = np.minimum(np.ptp(corners, axis=0), 1.15 * side)
    cut = bool((middle < size / 2).any() or (middle > np.array(size_wh) - size / 2).any())
    return replace(t, box_xywh=(*(middle - size / 2).tolist(), *size.tolist()), ignore=t.ignore or cut)


def from_far(labelled: LabelledPicture, picture: Picture, side: float) -> LabelledPicture:
    """The picture downscaled in the centre of a large one.

    Its replicated border, increasingly blurred, fills the rest.
    """
    h, w = picture.shape[:2]
    k = min(DISTANT_DIE_PX / side, DISTANT_WH[0] / w, DISTANT_WH[1] / h)
    off = (np.array(DISTANT_WH) - np.array((w, h)) * k) / 2
    far = warped(labelled, picture, np.array([[k, 0, off[0]], [0, k, off[1]], [0, 0, 1]]), DISTANT_WH)
    sharp = far.load_picture()
    mask = np.zeros(sharp.shape[:2], np.float32)
    mask[int(off[1]) : int(off[1] + h * k), int(off[0]) : int(off[0] + w * k)] = 1
    coarse_wh = (DISTANT_WH[0] // 8, DISTANT_WH[1] // 8)
    coarse = cv2.GaussianBlur(cv2.resize(sharp, coarse_wh, interpolation=cv2.INTER_AREA), (0, 0), 6)
    edge = cv2.resize(cv2.GaussianBlur(cv2.resize(mask, coarse_wh), (0, 0), 4), DISTANT_WH)
    share = np.maximum(mask, edge)[..., None]
    blended = (sharp * share + cv2.resize(coarse, DISTANT_WH) * (1 - share)).astype(np.uint8)
    return with_picture(far, blended)


def corruptions(labelled: LabelledPicture) -> Iterator[tuple[str, LabelledPicture]]:
    """The labelled picture with each corruption, by name."""
    picture = labelled.load_picture()
    h, w = picture.shape[:2]
    side = float(np.median([max(t.box_xywh[2:]) for t in labelled.truth])) if labelled.truth else 60.0
    for n, (name, corrupt) in enumerate(CORRUPTIONS.items()):
        yield name, with_picture(labelled, corrupt(picture, side, np.random.default_rng((SEED, n, h, w))))
    k = min(1.0, COARSE_PX / side)
    yield "turned by 33 degrees", warped(labelled, picture, rotation_matrix((w, h), 33, 0.8), (w, h))
    yield "oblique view", warped(labelled, picture, oblique_view((w, h)), (w, h))
    yield (
        f"dice of {COARSE_PX} px",
        warped(labelled, picture, np.diag([k, k, 1.0]), (max(32, round(w * k)), max(32, round(h * k)))),
    )
    yield (
        f"dice of {DISTANT_DIE_PX} px in {DISTANT_WH[0]} x {DISTANT_WH[1]}",
        from_far(labelled, picture, side),
    )


def row(name: str, scored_pictures: Sequence[ScoredPicture]) -> str:
    """A row of the table; the share of sure throws excludes throws with an emblem."""
    t = Tally.of(scored_pictures)
    plain = Tally.of(
        scored for scored in scored_pictures if not any(die.symbol for die in scored.labelled.truth)
    )
    rights = t.right / max(t.dice, 1)
    wholes = t.throws_whole / max(t.throws, 1)
    sures = plain.throws_sure / max(plain.throws, 1)
    cocked = sum(die.cocked for scored in scored_pictures for die in scored.reading.dice)
    dice = f"{t.dice} | {rights:.1%} | {t.missed} | {t.false_positives} | {t.sure_wrong} | {cocked}"
    return f"| {name} | {dice} | {wholes:.1%} | {sures:.1%} | {t.throws_sure_wrong} |"


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--photos", type=Path, required=True)
    parser.add_argument("--models", type=Path, default=WEIGHTS)
    parser.add_argument("--every", type=int, default=1, help="use only every n-th photograph (default: all)")
    args = parser.parse_args()
    reader, by_corruption = Reader(args.models), dict[str, list[ScoredPicture]]()
    for labelled in list(photographs(args.photos, False, ""))[:: args.every]:
        for name, corrupted in corruptions(labelled):
            reading = reader.read(corrupted.load_picture(), thorough=True)
            small = replace(
                corrupted, load_picture=labelled.load_picture
            )  # the corrupted picture may be large
            by_corruption.setdefault(name, []).append(score_picture(small, reading))
    print("| " + " | ".join(COLUMNS) + " |\n" + "|---" * len(COLUMNS) + "|")
    for name, scored_pictures in by_corruption.items():
        print(row(name, scored_pictures))
    print(row("all", [scored for scored_pictures in by_corruption.values() for scored in scored_pictures]))


if __name__ == "__main__":
    main()
