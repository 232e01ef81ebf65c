"""Faults of a camera: darkness, a covered lens, a frozen or repeating picture, a lens out of focus."""

from __future__ import annotations

from collections import deque
from enum import StrEnum

import cv2
import numpy as np

from vision.frames import Picture
from vision.simulation.view import Floats

DARK_GAIN = 0.015
"""Share of the light left in a dark room."""

COVER_BGR = (22, 24, 34)
"""Colour of a lid or palm on the lens: a little light without shapes."""

TRANSITION_S = 0.2
"""Time in which darkness, a cover or a blur comes and goes."""

REPEATED_FRAMES = 12
"""Number of frames that a stuck driver repeats."""

DEFOCUS_SHARE = 0.014
"""Sigma of an unfocused lens's blur, as a share of the picture's width: 11 px of 800, a quarter of a die."""


class Fault(StrEnum):
    """A fault of the camera."""

    DARK = "dark"
    COVERED = "covered"
    FROZEN = "frozen"
    REPEATING = "repeating"
    BLURRED = "blurred"


class FaultInjector:
    """Corrupts the camera's pictures while a fault lasts."""

    def __init__(self, rng: np.random.Generator) -> None:
        self._rng = rng
        self._fault: Fault | None = None
        self._from_s, self._until_s = 0.0, -1.0
        self._recent: deque[Picture] = deque(maxlen=REPEATED_FRAMES)
        self._repeated = 0

    def start(self, fault: Fault, from_s: float, seconds: float) -> None:
        """Starts a fault at `from_s` for this long. It replaces any other fault."""
        self._fault, self._from_s, self._until_s, self._repeated = fault, from_s, from_s + seconds, 0

    def apply(self, picture: Picture, at_s: float) -> Picture:
        """The picture, or what a faulty camera gives instead."""
        if self._fault is None or at_s >= self._until_s:
            self._fault = None
            self._recent.append(picture)
            return picture
        if self._fault is Fault.FROZEN:
            return self._recent[-1].copy() if self._recent else picture
        if self._fault is Fault.REPEATING:
            self._repeated += 1
            return self._recent[(self._repeated - 1) % len(self._recent)].copy() if self._recent else picture
        share = float(np.clip(min(at_s - self._from_s, self._until_s - at_s) / TRANSITION_S, 0, 1))
        return self._corrupted(picture, share)

    def _corrupted(self, picture: Picture, share: float) -> Picture:
        if self._fault is Fault.BLURRED:
            sigma = DEFOCUS_SHARE * picture.shape[1] * share
            return (
                self._noisy(cv2.GaussianBlur(picture, (0, 0), sigma).astype(np.float32))
                if sigma > 0.3
                else picture
            )
        if self._fault is Fault.DARK:
            return self._noisy(picture * np.float32(1 + (DARK_GAIN - 1) * share))
        cover = np.broadcast_to(np.array(COVER_BGR, np.float32), picture.shape)
        return self._noisy(np.asarray(picture + (cover - picture) * np.float32(share)))

    def _noisy(self, dim: Floats) -> Picture:
        """The picture with the noise of a sensor at high gain."""
        return np.asarray(np.clip(dim + self._rng.normal(0, 1.8, dim.shape[:2])[..., None], 0, 255), np.uint8)
