"""A die cut out of a photograph.

GrabCut separates the die from its background; the mask is the convex hull of the result.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from models.labels import DieLabel

MARGIN = 0.3
"""Margin of the crop around a die's box, as a share of its longer side, for GrabCut's background."""
MIN_PX = 24
"""Minimum size of a die in its photograph to be cut out, px."""
MAX_SQUARE = 1.25
"""Maximum ratio of a box's sides; beyond it the die is seen at an angle or is partly hidden."""
MIN_HULL, MIN_FILL = 0.9, 0.45
"""Minimum share of its convex hull that a mask fills, and minimum share of the box that the hull fills."""


@dataclass(frozen=True, eq=False)
class Cutout:
    """A die cut from its photograph.

    picture: (s, s, 3) uint8.
    cover: (s, s) uint8 mask, 255 = die.
    side: of its box, px.
    plain: whether its body has one colour.
    pip_grey: grey level of its pips, 0-255, where it is known.
    pips_xy, pip_px: centres of the upper face's pips and their radius, px of `picture`, where they are known.
    """

    picture: np.ndarray
    cover: np.ndarray
    side: float
    face: int
    colour: str
    plain: bool
    pip_grey: float | None = None
    pips_xy: tuple[tuple[float, float], ...] = ()
    pip_px: float = 0.0


def cutout(picture: np.ndarray, die: DieLabel, plain: bool) -> Cutout | None:
    """The cut-out of this label; None where the die is not wholly in the picture, too small, seen at an
    angle, or has no clear outline."""
    x, y, w, h = die.box_xywh
    side = max(w, h)
    if die.ignore or die.symbol or not die.face or min(w, h) < MIN_PX or side > MAX_SQUARE * min(w, h):
        return None
    reach = (0.5 + MARGIN) * side
    left, top, size = round(x + w / 2 - reach), round(y + h / 2 - reach), round(2 * reach)
    if left < 0 or top < 0 or left + size > picture.shape[1] or top + size > picture.shape[0]:
        return None
    part = np.ascontiguousarray(picture[top : top + size, left : left + size])
    cover = outline(part, (w, h))
    return None if cover is None else Cutout(part, cover, side, die.face, die.colour or "", plain)


def outline(part: np.ndarray, box_wh: tuple[float, float]) -> np.ndarray | None:
    """(s, s) uint8 mask of the die whose box is in the middle of the crop; None where GrabCut finds no
    die-like shape."""
    size, (w, h) = len(part), box_wh
    mask = np.full((size, size), cv2.GC_BGD, np.uint8)
    middle = size // 2
    cv2.rectangle(
        mask,
        (int(middle - w / 2), int(middle - h / 2)),
        (int(middle + w / 2), int(middle + h / 2)),
        cv2.GC_PR_BGD,
        -1,
    )
    cv2.ellipse(mask, (middle, middle), (int(0.46 * w), int(0.46 * h)), 0, 0, 360, cv2.GC_PR_FGD, -1)
    cv2.ellipse(mask, (middle, middle), (int(0.3 * w), int(0.3 * h)), 0, 0, 360, cv2.GC_FGD, -1)
    cv2.setRNGSeed(1)
    cv2.grabCut(part, mask, (0, 0, 1, 1), np.zeros((1, 65)), np.zeros((1, 65)), 4, cv2.GC_INIT_WITH_MASK)
    shapes, _ = cv2.findContours((mask & 1).astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    die = max(shapes, key=cv2.contourArea)
    hull = cv2.convexHull(die)
    area = cv2.contourArea(hull)
    if cv2.contourArea(die) < MIN_HULL * area or area < MIN_FILL * w * h:
        return None
    cover = np.zeros((size, size), np.uint8)
    cv2.fillConvexPoly(cover, hull, 255, cv2.LINE_AA)
    return cover
