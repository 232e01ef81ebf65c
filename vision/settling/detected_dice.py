"""The dice that were detected last, as the settle detector needs them: where they are, and how large."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

import numpy as np

from vision.boxes import Box, centre_distance, scaled
from vision.readings import SeenDie, SeenStick
from vision.settling.motion import SMALL_W, Mask
from vision.stick_places import link_boxes

INITIAL_DIE_SHARE = 0.055
"""Side of a die as a share of the picture's width, until one is read: 45 px of 800."""

MIN_DIE_PX = 3.5
"""Minimum side of a die for the unit of speed, px of the small picture."""

DIE_MARGIN_SIDES = 0.3
"""Motion within this distance of a detected die's box, in sides, belongs to the die."""

UNMOVED_SIDES = 0.25
"""A die that is detected within this distance of one at rest has not moved, in sides."""


class DetectedDice:
    """Boxes of the dice that were detected last, px of the small picture, and the side of a die there.

    Each stick is a row of small boxes, so that it is no more taken for a hand than a die is.

    boxes: those detected last. rest_boxes: those of the tray when it was last read at rest.
    die_px: median side of the dice, px; the unit of speed and of areas.
    """

    def __init__(self) -> None:
        self.die_px = INITIAL_DIE_SHARE * SMALL_W
        self.boxes: tuple[Box, ...] = ()
        self.rest_boxes: tuple[Box, ...] = ()
        self._previous_boxes: tuple[Box, ...] = ()
        self._size_known = False

    def set_die_px(self, die_px: float) -> None:
        """Sets the side of a die, px of the small picture, where it is known without detections."""
        self.die_px, self._size_known = max(die_px, MIN_DIE_PX), True

    def update(
        self,
        dice: Sequence[SeenDie],
        size_wh: tuple[int, int],
        at_rest: bool,
        sticks: Sequence[SeenStick] = (),
    ) -> None:
        """Takes the dice and sticks that were just detected in a picture of this size.

        Dice in motion look somewhat larger or smaller than they are. They set the size only until some are
        read at rest.
        """
        scale = SMALL_W / size_wh[0]
        boxes = [*(d.box_xywh for d in dice), *(box for stick in sticks for box in link_boxes(stick))]
        self._previous_boxes, self.boxes = self.boxes, tuple(scaled(box, scale) for box in boxes)
        sides = [max(d.side * scale, MIN_DIE_PX) for d in dice if d.sure]
        if sides and (at_rest or not self._size_known):
            self.die_px, self._size_known = median(sides), at_rest
        if at_rest:
            self.rest_boxes = self.boxes

    @property
    def any_missing(self) -> bool:
        """Whether a die of the tray at rest is no longer detected."""
        return len(self.boxes) < len(self.rest_boxes)

    def unmoved_boxes(self) -> list[Box]:
        """Boxes of the dice that are detected where one was when the tray was at rest."""
        return [box for box in self.boxes if any(_unmoved(box, rest_box) for rest_box in self.rest_boxes)]

    def mask(self, shape_hw: tuple[int, ...]) -> Mask:
        """(h, w): the boxes detected last, grown by DIE_MARGIN_SIDES."""
        return _mask_of(self.boxes, shape_hw)

    def recent_mask(self, shape_hw: tuple[int, ...]) -> Mask:
        """(h, w): the boxes of the last two detections, grown by DIE_MARGIN_SIDES."""
        return _mask_of((*self._previous_boxes, *self.boxes), shape_hw)


def _unmoved(box: Box, rest_box: Box) -> bool:
    return centre_distance(box, rest_box) < UNMOVED_SIDES * max(box[2:])


def _mask_of(boxes: Sequence[Box], shape_hw: tuple[int, ...]) -> Mask:
    mask = np.zeros(shape_hw, bool)
    for x, y, w, h in boxes:
        margin = DIE_MARGIN_SIDES * max(w, h)
        rows = slice(max(round(y - margin), 0), max(round(y + h + margin) + 1, 0))
        columns = slice(max(round(x - margin), 0), max(round(x + w + margin) + 1, 0))
        mask[rows, columns] = True
    return mask
