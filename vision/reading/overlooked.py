"""Looks closer at what came to lie there and was not surely read as a die.

The detector searches the whole picture at one scale. On cloth with a fine pattern a die may miss its least
score by a little, whatever frame is read. So what differs from the tray at rest before, has about the size of
a die, and is none of the dice that are sure is cut out with its surroundings and read at a larger scale.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np

from vision.boxes import Box, scaled
from vision.dice_reader import DiceReader
from vision.frames import Picture
from vision.readings import Reading, SeenDie
from vision.settling.motion import SMALL_W, Mask
from vision.tracking.likeness import is_near

MIN_PLACE_DICE, MAX_PLACE_DICE = 0.35, 3.0
"""Area of a place that is looked at, in dice. A shadow's edge is smaller, a hand or a box larger."""

MAX_PLACES = 3
"""Number of places that are looked at in one picture. It differs also where dice were picked up."""

SHADOW_GROWTH = 1.4
"""What differs within a die's box, scaled by this, belongs to the die: its shadow."""

CUT_OUT_SIDES = 9.0
"""Side of what is cut out, in sides of a die: a die is then some 60 px large in the detector's input."""

SAME_DIE_SIDES = 0.5
"""Detections nearer than this, in sides, are one die."""


def places_to_look_at(
    changed: Mask | None, hand_mask: Mask | None, reading: Reading, die_px: float
) -> list[Box]:
    """Boxes of what may be dice that were not surely read, px of the picture, the largest first.

    changed: (h, SMALL_W), what differs from the tray at rest before; None: not known. hand_mask: the same of
    hands and things. die_px: side of a die, px of the small picture.
    """
    if changed is None or not changed.any():
        return []
    kept = changed if hand_mask is None else changed & ~hand_mask
    left = np.asarray(
        cv2.morphologyEx(kept.astype(np.uint8), cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)), np.uint8
    )
    scale = reading.size_wh[0] / SMALL_W
    for die in reading.dice:
        if die.sure:
            _clear(left, scaled(die.box_xywh, 1 / scale))
    _, _, stats, _ = cv2.connectedComponentsWithStats(left, connectivity=8)
    areas = {n: float(row[cv2.CC_STAT_AREA]) / die_px**2 for n, row in enumerate(stats) if n}
    places = [n for n, area in areas.items() if MIN_PLACE_DICE <= area <= MAX_PLACE_DICE]
    largest = sorted(places, key=lambda n: -areas[n])[:MAX_PLACES]
    return [scaled(tuple(float(v) for v in stats[n][:4]), scale) for n in largest]  # type: ignore[arg-type]


def with_closer_look(
    reader: DiceReader, picture: Picture, reading: Reading, places: Sequence[Box], die_px: float
) -> Reading:
    """The reading, with the dice that a closer look finds at these places, and with those made sure that it
    reads surely and with the same face. die_px: side of a die, px."""
    dice = list(reading.dice)
    for place in places:
        for die in _dice_in(reader, picture, place, CUT_OUT_SIDES * die_px):
            same = next((i for i, other in enumerate(dice) if is_near(die, other, SAME_DIE_SIDES)), None)
            if same is None:
                dice.append(die)
            elif die.sure and not dice[same].sure and die.face == dice[same].face:
                dice[same] = replace(die, cocked=dice[same].cocked, stacked=dice[same].stacked)
    return replace(reading, dice=tuple(dice)) if places else reading


def _dice_in(reader: DiceReader, picture: Picture, place: Box, side: float) -> list[SeenDie]:
    """The whole dice in this place, read in a part of the picture of this side, px, around it."""
    h, w = picture.shape[:2]
    x, y, width, height = place
    left = max(0, min(round(x + width / 2 - side / 2), w - round(side)))
    top = max(0, min(round(y + height / 2 - side / 2), h - round(side)))
    part = np.ascontiguousarray(picture[top : top + round(side), left : left + round(side)])
    found = [
        replace(die, box_xywh=(bx + left, by + top, bw, bh), cocked=False, stacked=False)
        for die in reader.read(part).dice
        for bx, by, bw, bh in [die.box_xywh]
        if not die.cut_off
    ]
    return [
        die for die in found if x <= die.centre_xy[0] <= x + width and y <= die.centre_xy[1] <= y + height
    ]


def _clear(mask: np.ndarray, box: Box) -> None:
    """Sets the mask to 0 within a die's box, scaled by SHADOW_GROWTH."""
    x, y, w, h = box
    dx, dy = (SHADOW_GROWTH - 1) / 2 * w, (SHADOW_GROWTH - 1) / 2 * h
    rows = slice(max(round(y - dy), 0), max(round(y + h + dy), 0))
    mask[rows, max(round(x - dx), 0) : max(round(x + w + dx), 0)] = 0
