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
from vision.turned_box import TurnedBox

SAMPLES, SAMPLED_SHARE = 40, 0.92
"""Places along each long side where the edge is looked for, and the share of the length that they cover."""
INSIDE, OUTSIDE = 0.22, 0.28
"""How far inside and outside of the edge the picture is compared, in widths of the stick."""
MIN_CONTRAST = 14.0
"""Minimum difference between inside and outside in one of the colours, grey levels."""
BLUR_PX = 1.0
"""Sigma of the blur that removes noise, px."""
BESIDE_PX = 1
"""What is this near to another stick belongs to that one, px."""
TOUCHING_SHARE = 0.003
"""A stick touches others that cover more than this share of it."""


class StickEdges:
    """The long edges of boxes in one picture, (h, w, 3) uint8."""

    def __init__(self, picture: Picture) -> None:
        self._blurred = np.asarray(cv2.GaussianBlur(picture, (0, 0), BLUR_PX), np.uint8)

    def touches(self, box: TurnedBox, others: Sequence[TurnedBox]) -> bool:
        """Whether the others cover a part of this box."""
        covered, own = self._mask(others), self._mask([box])
        return bool((own & covered).sum() > TOUCHING_SHARE * own.sum())

    def visible(self, box: TurnedBox, others: Sequence[TurnedBox]) -> float:
        """The share, 0 to 1, of the two long edges of this box that can be seen. What other sticks cover
        cannot."""
        grown = np.ones((2 * BESIDE_PX + 1,) * 2, np.uint8)
        covered = np.asarray(cv2.dilate(self._mask(others), grown), np.uint8)
        return (self._seen(box, -1, covered) + self._seen(box, 1, covered)) / 2

    def _seen(self, box: TurnedBox, side: int, covered: NDArray[np.uint8]) -> float:
        """The share of this long edge, -1 or 1, that can be seen."""
        along = np.linspace(-0.5, 0.5, SAMPLES) * SAMPLED_SHARE * box.length
        (ux, uy), centre = box.axis, np.array(box.centre_xy)
        spine = centre + along[:, None] * np.array([ux, uy])
        across = side * box.width * np.array([-uy, ux])
        inside, outside = (
            np.rint(spine + share * across).astype(int) for share in (0.5 - INSIDE, 0.5 + OUTSIDE)
        )
        h, w = covered.shape
        within = ((inside >= 0) & (outside >= 0) & (inside < (w, h)) & (outside < (w, h))).all(axis=1)
        inside, outside = inside[within], outside[within]
        free = (self._at(covered, inside) == 0) & (self._at(covered, outside) == 0)
        levels, beyond = (self._at(self._blurred, points).astype(float) for points in (inside, outside))
        edge = np.abs(levels - beyond).max(axis=1, initial=0.0) >= MIN_CONTRAST
        return float((free & edge).sum()) / SAMPLES

    @staticmethod
    def _at(picture: NDArray[np.uint8], points: NDArray[np.int_]) -> NDArray[np.uint8]:
        return picture[points[:, 1], points[:, 0]]

    def _mask(self, boxes: Sequence[TurnedBox]) -> NDArray[np.uint8]:
        mask = np.zeros(self._blurred.shape[:2], np.uint8)
        for box in boxes:
            cv2.fillConvexPoly(mask, np.rint(box.quad).astype(np.int32), 1)
        return mask
