"""Whether the 8-bit arithmetic of this CPU gives the answers of floats.

x86 CPUs without VNNI add products in 16 bits, which saturate where weights are large. The shipped weights are limited so that they
cannot (models/rounding.py); this is the check, on the machine that reads.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib import resources
from pathlib import Path

import cv2
import numpy as np

from models import WEIGHTS
from vision.frames import Picture
from vision.reader import Reader
from vision.reading import Reading, SeenDie

SAME_PLACE = 0.2
"""Boxes whose centres are nearer than this, in sides of the die, are of the same die."""
MAX_DIFFERENCE = 0.15
"""Confidences of 8-bit and float arithmetic differ by 0.001 on average and by 0.06 at most (256 dice of hard rendered tables, x86 with
VNNI): activations are rounded a little differently. Where products saturate, faces change."""


@dataclass(frozen=True)
class Parity:
    """How far the readings of 8-bit and float arithmetic differ.

    dice: seen by either. unlike: seen by one alone, with another face, or sure for one alone. difference: largest of the confidences.
    """

    dice: int
    unlike: int
    difference: float

    @property
    def holds(self) -> bool:
        return not self.unlike and self.difference <= MAX_DIFFERENCE


def sample_picture() -> Picture:
    """The picture that ships with Brehon to check this: (480, 640, 3) uint8, six dice."""
    with resources.as_file(resources.files("vision") / "sample.jpg") as path:
        return np.asarray(cv2.imread(str(path), cv2.IMREAD_COLOR), np.uint8)


def measured(pictures: list[Picture], model_dir: Path = WEIGHTS) -> Parity:
    """The nets in this folder on these pictures: as they run here, and in floats."""
    fast, exact = Reader(model_dir), Reader(model_dir, in_floats=True)
    return compared([(fast.read(p), exact.read(p)) for p in pictures])


def compared(readings: list[tuple[Reading, Reading]]) -> Parity:
    """How far these pairs of readings differ."""
    dice = unlike = 0
    differences = [0.0]
    for one, other in readings:
        pairs = [(die, _same_die(die, other)) for die in one.dice]
        alone = len(other.dice) - sum(match is not None for _, match in pairs)
        dice, unlike = dice + len(pairs) + alone, unlike + alone
        for die, match in pairs:
            unlike += match is None or (die.face, die.sure) != (match.face, match.sure)
            differences.append(abs(die.confidence - match.confidence) if match else 1.0)
    return Parity(dice, unlike, max(differences))


def _same_die(die: SeenDie, reading: Reading) -> SeenDie | None:
    def away(other: SeenDie) -> float:
        return float(np.hypot(*np.subtract(other.centre_xy, die.centre_xy)))

    nearest = min(reading.dice, key=away, default=None)
    return nearest if nearest is not None and away(nearest) < SAME_PLACE * die.side else None
