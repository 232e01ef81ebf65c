"""Checks that the 8-bit arithmetic of this CPU gives the same readings as floats.

x86 CPUs without VNNI add products in 16 bits, which saturates if weights are large. The shipped weights are
limited so that it cannot happen (models/training/quantisation.py). This module checks it on this machine.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib import resources

import cv2
import numpy as np

from vision.frames import Picture
from vision.reading.reader import Reader
from vision.readings import Reading, SeenDie

SAME_PLACE = 0.2
"""Boxes show the same die if their centres are nearer than this, in sides of the die."""
MAX_DIFFERENCE = 0.15
"""Largest accepted difference of confidences. 8-bit and float arithmetic differ by 0.001 on average and by
0.06 at most (256 dice of hard rendered tables, x86 with VNNI), because activations are rounded differently.
Where products saturate, faces change."""


@dataclass(frozen=True)
class Parity:
    """The difference between the readings of 8-bit and float arithmetic.

    dice: number of dice that either shows.
    mismatched: number of dice that only one reading shows, or that differ in face or in being sure.
    difference: the largest difference of the confidences.
    """

    dice: int
    mismatched: int
    difference: float

    @property
    def holds(self) -> bool:
        return not self.mismatched and self.difference <= MAX_DIFFERENCE


def sample_picture() -> Picture:
    """The picture that ships with Brehon for this check: (480, 640, 3) uint8, six dice."""
    with resources.as_file(resources.files("vision.reading") / "sample.jpg") as path:
        return np.asarray(cv2.imread(str(path), cv2.IMREAD_COLOR), np.uint8)


def measure_parity(pictures: list[Picture], reader: Reader | None = None) -> Parity:
    """Compares the readings of the nets that ship, on these pictures: in 8 bits and in floats.

    reader: has these nets loaded, in 8 bits; None: loads them.
    """
    in_8_bits, in_floats = reader or Reader(), Reader(in_floats=True)
    return compare_readings([(in_8_bits.read(p), in_floats.read(p)) for p in pictures])


def compare_readings(readings: list[tuple[Reading, Reading]]) -> Parity:
    """The differences between these pairs of readings."""
    dice = mismatched = 0
    differences = [0.0]
    for one, other in readings:
        matches = [(die, _same_die(die, other)) for die in one.dice]
        alone = len(other.dice) - sum(match is not None for _, match in matches)
        dice, mismatched = dice + len(matches) + alone, mismatched + alone
        for die, match in matches:
            mismatched += match is None or (die.face, die.sure) != (match.face, match.sure)
            differences.append(abs(die.confidence - match.confidence) if match else 1.0)
    return Parity(dice, mismatched, max(differences))


def _same_die(die: SeenDie, reading: Reading) -> SeenDie | None:
    nearest = min(reading.dice, key=die.distance_px, default=None)
    return nearest if nearest is not None and die.distance_px(nearest) < SAME_PLACE * die.side else None
