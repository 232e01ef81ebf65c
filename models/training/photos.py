"""The labelled photographs of a folder with labels.jsonl, and the split into training and evaluation.

Each line: {"file", "source", "licence", "view", "train", "dice": [{"box": [x, y, w, h], "face", "colour",
"ignore"?, "symbol"?}]}.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from models.labels import DieLabel

HELD_OUT_SHARE = 0.2
"""Share of the trainable photographs held out of training, to validate on rigs seen in training."""


@dataclass(frozen=True)
class LabelledPhoto:
    path: Path
    source: str
    view: str
    train: bool
    dice: tuple[DieLabel, ...]

    @property
    def held_out(self) -> bool:
        """True for a fixed fifth of the photographs; the file name decides."""
        return zlib.crc32(self.path.name.encode()) % 1000 < HELD_OUT_SHARE * 1000


def load(folder: Path) -> list[LabelledPhoto]:
    """All labelled photographs of the folder, in the order of labels.jsonl."""
    lines = (folder / "labels.jsonl").read_text(encoding="utf-8").splitlines()
    return [_photo(folder, json.loads(line)) for line in lines if line.strip()]


def trainable(folder: Path) -> list[LabelledPhoto]:
    """The photographs whose licence lets weights trained on them ship, without the held-out ones."""
    return [p for p in load(folder) if p.train and not p.held_out]


def _photo(folder: Path, line: Mapping[str, Any]) -> LabelledPhoto:
    dice = tuple(
        DieLabel(
            tuple(d["box"]),
            d.get("face"),
            _colour(d.get("colour")),
            bool(d.get("ignore")),
            bool(d.get("symbol")),
        )
        for d in line["dice"]
    )
    return LabelledPhoto(folder / line["file"], line["source"], line["view"], bool(line["train"]), dice)


def _colour(name: str | None) -> str | None:
    return "white" if name == "ivory" else name


def read_picture(path: Path) -> np.ndarray:
    """The picture in the file, (h, w, 3) uint8 BGR. FileNotFoundError: it is missing or unreadable."""
    picture = cv2.imread(str(path), cv2.IMREAD_COLOR)
    if picture is None:
        raise FileNotFoundError(
            f"expected a picture at {path}, found none that can be read; fetch or render it again"
        )
    return np.asarray(picture, np.uint8)


MIN_PATCH_PX, PATCHES_PER_PHOTO = 90, 2
"""Minimum side of a background patch, px, and maximum number of patches from one photograph."""


def bare_patches(folder: Path, tries: int = 60) -> list[np.ndarray]:
    """Backgrounds: square patches (h, w, 3) uint8 of trainable photographs, without dice."""
    rng, patches = np.random.default_rng(7), []
    for photo in trainable(folder):
        picture = read_picture(photo.path)
        h, w = picture.shape[:2]
        found = 0
        for _ in range(tries):
            size = int(rng.uniform(0.2, 0.45) * min(h, w))
            x, y = int(rng.integers(w - size)), int(rng.integers(h - size))
            if (
                size >= MIN_PATCH_PX
                and found < PATCHES_PER_PHOTO
                and not any(_touches(d.box_xywh, x, y, size) for d in photo.dice)
            ):
                patches.append(picture[y : y + size, x : x + size])
                found += 1
    return patches


def _touches(box: tuple[float, float, float, float], x: int, y: int, size: int) -> bool:
    (left, top, w, h), margin = box, 0.25 * max(box[2:])
    beside = left + w + margin < x or x + size < left - margin
    above_or_below = top + h + margin < y or y + size < top - margin
    return not (beside or above_or_below)
