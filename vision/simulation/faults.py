"""What can befall a camera: darkness, a cover over the lens, a picture that freezes or comes again and again, a lens out of focus."""

from __future__ import annotations

from collections import deque
from enum import StrEnum

import cv2
import numpy as np

from vision.frames import Picture
from vision.simulation.view import Floats

DARK_GAIN = 0.015
"""What is left of the light in a dark room."""

COVER_BGR = (22, 24, 34)
"""A lid or a palm right before the lens: a little light comes through, no shapes."""

COMES_S = 0.2
"""A cover is laid on, and taken off, in this time."""

REPEATED = 12
"""Frames that a stuck driver gives over and over."""

FOCUS_SHARE = 0.014
"""Sigma of a lens that lost its focus, of the picture's width: 11 px of 800, a quarter of a die."""


class Fault(StrEnum):
    """Why a camera shows no true picture."""

    DARK = "dark"
    COVERED = "covered"
    FROZEN = "frozen"
    REPEATING = "repeating"
    BLURRED = "blurred"


class Faulty:
    """Spoils what the camera saw, while a fault lasts."""

    def __init__(self, rng: np.random.Generator) -> None:
        self._rng = rng
        self._fault: Fault | None = None
        self._from_s, self._until_s = 0.0, -1.0
        self._seen: deque[Picture] = deque(maxlen=REPEATED)
        self._n = 0

    def befall(self, fault: Fault, from_s: float, seconds: float) -> None:
        """From then on, for so long; one fault at a time, the last one told."""
        self._fault, self._from_s, self._until_s, self._n = fault, from_s, from_s + seconds, 0

    def shown(self, picture: Picture, at_s: float) -> Picture:
        """What the camera gives for this picture."""
        if self._fault is None or at_s >= self._until_s:
            self._fault = None
            self._seen.append(picture)
            return picture
        if self._fault is Fault.FROZEN:
            return self._seen[-1].copy() if self._seen else picture
        if self._fault is Fault.REPEATING:
            self._n += 1
            return self._seen[(self._n - 1) % len(self._seen)].copy() if self._seen else picture
        share = float(np.clip(min(at_s - self._from_s, self._until_s - at_s) / COMES_S, 0, 1))
        return self._spoiled(picture, share)

    def _spoiled(self, picture: Picture, share: float) -> Picture:
        if self._fault is Fault.BLURRED:
            sigma = FOCUS_SHARE * picture.shape[1] * share
            return self._noisy(cv2.GaussianBlur(picture, (0, 0), sigma).astype(np.float32)) if sigma > 0.3 else picture
        if self._fault is Fault.DARK:
            return self._noisy(picture * np.float32(1 + (DARK_GAIN - 1) * share))
        cover = np.broadcast_to(np.array(COVER_BGR, np.float32), picture.shape)
        return self._noisy(np.asarray(picture + (cover - picture) * np.float32(share)))

    def _noisy(self, dim: Floats) -> Picture:
        """A sensor that gains up what little light there is."""
        return np.asarray(np.clip(dim + self._rng.normal(0, 1.8, dim.shape[:2])[..., None], 0, 255), np.uint8)
