"""Tells a stick from what two sticks that touch seem to make together, by its long edges.

Where sticks cross or lie side by side, the nets also find a stick between the two. It has no edges of its
own: along its sides there is the same ground inside and outside, or another stick.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frames import Picture
from vision.reading.stick_classifier import part_around
from vision.turned_box import TurnedBox, shared_area

SAMPLES, SAMPLED_SHARE = 40, 0.92
"""Places along each long side where the edge is looked for, and the share of the length that they cover."""
INSIDE, OUTSIDE = 0.22, 0.28
"""How far inside and outside of the edge the picture is compared, in widths of the stick."""
MIN_CONTRAST = 14.0
"""Minimum difference between inside and outside in one of the colours, grey levels."""
BLUR_PX = 1.0
"""Sigma of the blur that removes noise, px."""
BESIDE_PX = 1.0
"""What is this near to another stick belongs to that one, px."""
TOUCHING_SHARE, TOUCHING_PX = 0.003, 0.5
"""A stick touches others that cover more than this share of it if each of their sides is taken to lie this
much further out, px."""


def touches(box: TurnedBox, others: Sequence[TurnedBox]) -> bool:
    """Whether the others cover a part of this box, or nearly so."""
    covered = sum(shared_area(box.quad, _grown(other, TOUCHING_PX).quad) for other in others)
    return covered > TOUCHING_SHARE * box.length * box.width


def visible_edges(picture: Picture, box: TurnedBox, others: Sequence[TurnedBox]) -> float:
    """The share, 0 to 1, of the two long edges of this box that can be seen in the picture, (h, w, 3) uint8.
    What other sticks cover cannot."""
    part, (left, top) = part_around(picture, box, OUTSIDE * box.width + 3 * BLUR_PX)
    blurred = np.asarray(cv2.GaussianBlur(part, (0, 0), BLUR_PX), np.uint8)
    covered = np.zeros(part.shape[:2], np.uint8)
    for other in others:
        quad = np.array(_grown(other, BESIDE_PX).quad) - (left, top)
        cv2.fillConvexPoly(covered, np.rint(quad).astype(np.int32), 1)
    box = box.moved(-left, -top)
    return (_seen(blurred, covered, box, -1) + _seen(blurred, covered, box, 1)) / 2


def _grown(box: TurnedBox, by_px: float) -> TurnedBox:
    """The box with this much more on each side."""
    return TurnedBox(box.centre_xy, box.angle, box.length + 2 * by_px, box.width + 2 * by_px)


def _seen(blurred: NDArray[np.uint8], covered: NDArray[np.uint8], box: TurnedBox, side: int) -> float:
    """The share of this long edge of the box, -1 or 1, that can be seen."""
    along = np.linspace(-0.5, 0.5, SAMPLES) * SAMPLED_SHARE * box.length
    (ux, uy), centre = box.axis, np.array(box.centre_xy)
    spine = centre + along[:, None] * np.array([ux, uy])
    across = side * box.width * np.array([-uy, ux])
    inside, outside = (np.rint(spine + share * across).astype(int) for share in (0.5 - INSIDE, 0.5 + OUTSIDE))
    h, w = covered.shape
    within = ((inside >= 0) & (outside >= 0) & (inside < (w, h)) & (outside < (w, h))).all(axis=1)
    inside, outside = inside[within], outside[within]
    free = (_at(covered, inside) == 0) & (_at(covered, outside) == 0)
    levels, beyond = (_at(blurred, points).astype(float) for points in (inside, outside))
    edge = np.abs(levels - beyond).max(axis=1, initial=0.0) >= MIN_CONTRAST
    return float((free & edge).sum()) / SAMPLES


def _at(picture: NDArray[np.uint8], points: NDArray[np.int_]) -> NDArray[np.uint8]:
    return picture[points[:, 1], points[:, 0]]
