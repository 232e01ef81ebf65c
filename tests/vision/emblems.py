"""Drawn dice with emblems, seen from above, turned by any angle."""

from __future__ import annotations

import cv2
import numpy as np

from vision.frames import Picture
from vision.readings import Reading, SeenDie

SIZE_WH = (160, 160)
SIDE = 60
CONFIDENCE = 0.4
"""The confidence that the nets have in some face of a die with an emblem."""


def _tower(face: Picture) -> None:
    cv2.rectangle(face, (44, 30), (76, 90), (240, 240, 240), -1)
    for x in (40, 56, 72):
        cv2.rectangle(face, (x, 20), (x + 8, 34), (240, 240, 240), -1)


def _arrow(face: Picture) -> None:
    cv2.arrowedLine(face, (30, 92), (92, 30), (240, 240, 240), 9, tipLength=0.45)


def _moon(face: Picture) -> None:
    cv2.circle(face, (60, 60), 36, (240, 240, 240), -1, cv2.LINE_AA)
    cv2.circle(face, (76, 52), 30, (140, 60, 30), -1, cv2.LINE_AA)


EMBLEMS = {"tower": _tower, "arrow": _arrow, "moon": _moon}


def drawn(emblem: str, degrees: float, seed: int = 0) -> tuple[Picture, SeenDie]:
    """A picture of a blue die with this emblem on felt, turned by this angle, and how the nets read it."""
    rng = np.random.default_rng(seed)
    face = np.full((120, 120, 3), (140, 60, 30), np.uint8)
    EMBLEMS[emblem](face)
    picture = np.full((SIZE_WH[1], SIZE_WH[0], 3), (60, 90, 50), np.uint8)
    middle = 80 + rng.uniform(-3, 3, 2)
    affine = np.asarray(cv2.getRotationMatrix2D((60, 60), degrees, SIDE / 120), np.float64)
    affine[:, 2] += middle - 60
    shown = cv2.warpAffine(face, affine, SIZE_WH, flags=cv2.INTER_AREA)
    cover = cv2.warpAffine(np.full((120, 120), 255, np.uint8), affine, SIZE_WH)
    picture = np.where(cover[..., None] > 127, shown, picture)
    noisy = picture * rng.uniform(0.8, 1.2) + rng.normal(0, 3, picture.shape)
    x, y, w, h = cv2.boundingRect((cover > 127).astype(np.uint8))
    likely = ((3, 0.4), (6, 0.35), (1, 0.25))
    die = SeenDie(3, "blue", (x, y, w, h), CONFIDENCE, sure=False, likely=likely, normal_xy=(0.0, 0.0))
    return np.clip(noisy, 0, 255).astype(np.uint8), die


class OneDieReader:
    """Reads every picture as the die that lies there now."""

    def __init__(self) -> None:
        self.lying: SeenDie | None = None

    def read(self, picture: Picture) -> Reading:
        return Reading(SIZE_WH, (self.lying,) if self.lying else ())
