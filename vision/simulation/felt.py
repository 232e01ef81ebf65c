"""The felt of the simulated tray: one that the dice which play stand out from."""

from __future__ import annotations

from collections.abc import Iterable

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.readings import PLAIN_BGR
from vision.simulation.scene import BGR, Scene

FELTS: tuple[BGR, ...] = (
    Scene.felt_bgr,
    (110, 56, 30),
    (30, 30, 90),
    (70, 40, 78),
    (38, 36, 36),
    (120, 160, 190),
    (150, 150, 148),
)
"""Green, blue, burgundy, purple, black, beige and grey; the first that will do is taken."""

MIN_CONTRAST = 40.0
"""Least distance between felt and dice, CIE76 in CIELAB, that is taken at once. Green dice on the green felt
have 35, red ones 89; brown ones on burgundy have 19."""


def felt_for(colours: Iterable[str]) -> BGR:
    """The first felt from which dice of all these colours stand out, or the one with the most contrast."""
    dice = [_lab(PLAIN_BGR[colour]) for colour in set(colours)]

    def contrast(felt: BGR) -> float:
        return min((float(np.linalg.norm(die - _lab(felt))) for die in dice), default=np.inf)

    return next((felt for felt in FELTS if contrast(felt) >= MIN_CONTRAST), max(FELTS, key=contrast))


def _lab(bgr: BGR) -> NDArray[np.float32]:
    pixel = np.array([[bgr]], np.float32) / 255
    return np.asarray(cv2.cvtColor(pixel, cv2.COLOR_BGR2Lab)[0, 0], np.float32)
