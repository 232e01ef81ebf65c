"""Looks closer at what lies on the tray and was not surely read as a die.

The detector searches the whole picture at one scale. On cloth with a fine pattern a die may miss its least
score by a little, whatever frame is read. So two kinds of places are cut out with their surroundings and read
at a larger scale: what differs from the tray at rest before, has about the size of a die and is no sure die;
and where a die lay that is not detected any more, although nothing changed there.

A closer look alone makes no die sure: a printed figure looks like one from near, too. What it finds clear is
sure once it has come with a throw (vision.tracking.tracker), or lies where a sure die lay.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.boxes import Box, grown, pixels_of, scaled
from vision.dice_reader import DiceReader
from vision.frames import Picture
from vision.readings import Reading, SeenDie, on_one_another
from vision.settling.motion import SMALL_W, Mask
from vision.tracking.likeness import SAME_DIE_SIDES, is_near

MIN_PLACE_DICE, MAX_PLACE_DICE = 0.35, 3.0
"""Area of a changed place that is looked at, in dice. A shadow's edge is smaller, a hand or a box larger."""

MAX_PLACES = 3
"""Number of places that are looked at in one picture. It has changed also where dice were picked up."""

MAX_LOOKS = 2
"""Number of looks at one tray at rest; later readings take what both showed."""

SHADOW_GROWTH = 1.4
"""What differs within a die's box, scaled by this, belongs to the die: its shadow."""

PATCH_PX, PATCH_GROWTH, MIN_CORRELATION = 16, 1.3, 0.8
"""A die still lies in its place if the picture there, PATCH_GROWTH times as large as its box and shrunk to
PATCH_PX, correlates this well with what it was."""

CUT_OUT_SIDES = 9.0
"""Side of what is cut out, in sides of a die: a die is then some 60 px large in the detector's input."""

Patch = NDArray[np.float32]
"""(PATCH_PX, PATCH_PX) grey levels."""


class CloserLook:
    """Improves the readings of a tray at rest. Use it from one thread only."""

    def __init__(self, reader: DiceReader) -> None:
        self._reader = reader
        self._known: list[tuple[SeenDie, Patch]] = []
        self._looks: list[list[SeenDie]] = []

    def start(self) -> None:
        """Notes that the readings that follow are of another rest of the tray."""
        self._looks = []

    def remember(self, dice: Sequence[SeenDie], picture: Picture) -> None:
        """Notes the dice that lie on the tray in this picture, as they are reported: the sure ones, and those
        that were known before."""
        before = [die for die, _ in self._known]
        lying = [die for die in dice if die.sure or _shows(before, die)]
        self._known = [(die, _patch_of(picture, die.box_xywh)) for die in lying]

    def improved(
        self,
        reading: Reading,
        picture: Picture,
        changed: Mask | None,
        hand_mask: Mask | None,
        die_px: float,
    ) -> Reading:
        """The reading of this picture, with what a closer look finds.

        changed: (h, SMALL_W), what differs from the tray at rest before; None: not known. hand_mask: the same
        of hands and things. die_px: side of a die, px of the small picture.
        """
        missing = self._missing(reading, picture)
        places = [*(die.box_xywh for die in missing), *changed_places(changed, hand_mask, reading, die_px)]
        if not places:
            return reading
        side = CUT_OUT_SIDES * die_px * reading.size_wh[0] / SMALL_W
        if len(self._looks) < MAX_LOOKS:
            seen = (die for place in places[:MAX_PLACES] for die in self._dice_in(picture, place, side))
            self._looks.append([die for die in seen if die.sure])
        found = [die for die in self._looks[-1] if all(_shows(look, die) for look in self._looks)]
        return merged(reading, found, missing)

    def _missing(self, reading: Reading, picture: Picture) -> list[SeenDie]:
        """The dice that lie where they lay and are not detected."""
        return [
            die
            for die, patch in self._known
            if not any(is_near(die, other, SAME_DIE_SIDES) for other in reading.dice)
            and _correlation(patch, _patch_of(picture, die.box_xywh)) >= MIN_CORRELATION
        ]

    def _dice_in(self, picture: Picture, place: Box, side: float) -> list[SeenDie]:
        """The whole dice in this place, read in a part of the picture of this side, px, around it."""
        h, w = picture.shape[:2]
        x, y, width, height = place
        left = max(0, min(round(x + width / 2 - side / 2), w - round(side)))
        top = max(0, min(round(y + height / 2 - side / 2), h - round(side)))
        part = np.ascontiguousarray(picture[top : top + round(side), left : left + round(side)])
        dice = [
            replace(die, box_xywh=(bx + left, by + top, bw, bh), cocked=False, stacked=False)
            for die in self._reader.read(part).dice
            for bx, by, bw, bh in [die.box_xywh]
            if not die.cut_off
        ]
        return [
            die for die in dice if x <= die.centre_xy[0] <= x + width and y <= die.centre_xy[1] <= y + height
        ]


def changed_places(
    changed: Mask | None, hand_mask: Mask | None, reading: Reading, die_px: float
) -> list[Box]:
    """Boxes of what came and may be dice that were not surely read, px of the picture, the largest first. The
    arguments are those of CloserLook.improved."""
    if changed is None or not changed.any():
        return []
    kept = changed if hand_mask is None else changed & ~hand_mask
    opened = cv2.morphologyEx(kept.astype(np.uint8), cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    left, scale = np.asarray(opened, np.uint8), reading.size_wh[0] / SMALL_W
    for die in reading.dice:
        if die.sure:
            left[pixels_of(grown(scaled(die.box_xywh, 1 / scale), SHADOW_GROWTH))] = 0
    _, _, stats, _ = cv2.connectedComponentsWithStats(left, connectivity=8)
    areas = {n: float(row[cv2.CC_STAT_AREA]) / die_px**2 for n, row in enumerate(stats) if n}
    places = [n for n, area in areas.items() if MIN_PLACE_DICE <= area <= MAX_PLACE_DICE]
    corners = [[float(v) for v in stats[n][:4]] for n in sorted(places, key=lambda n: -areas[n])]
    return [scaled((x, y, w, h), scale) for x, y, w, h in corners]


def merged(reading: Reading, found: Sequence[SeenDie], missing: Sequence[SeenDie]) -> Reading:
    """The reading with these dice of a closer look: those that it lacks, and clear ones in place of unsure
    ones with the same face. They are sure where they lie like one that is missing. What overlaps another die
    is a part of that one."""
    dice = list(reading.dice)
    for die in found:
        same = next((i for i, other in enumerate(dice) if is_near(die, other, SAME_DIE_SIDES)), None)
        if same is None:
            known = any(is_near(die, lay, SAME_DIE_SIDES) and die.face == lay.face for lay in missing)
            if not any(on_one_another(die, other) for other in dice):
                dice.append(replace(die, sure=known))
        elif not dice[same].sure and die.face == dice[same].face:
            plain = dice[same]
            dice[same] = replace(die, sure=False, cocked=plain.cocked, stacked=plain.stacked)
    return replace(reading, dice=tuple(dice))


def _shows(look: Sequence[SeenDie], die: SeenDie) -> bool:
    """Whether a look shows this die."""
    return any(is_near(die, other, SAME_DIE_SIDES) and die.face == other.face for other in look)


def _patch_of(picture: Picture, box: Box) -> Patch:
    """What the picture shows in this box, see PATCH_PX; plain where the box is outside the picture."""
    part = picture[(*pixels_of(grown(box, PATCH_GROWTH)), 1)]
    if not part.size:
        return np.zeros((PATCH_PX, PATCH_PX), np.float32)
    small = cv2.resize(part, (PATCH_PX, PATCH_PX), interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.float32)


def _correlation(a: Patch, b: Patch) -> float:
    """The correlation of two patches, -1 to 1; 0 where one is plain."""
    a, b = a - a.mean(), b - b.mean()
    size = float(np.sqrt((a * a).sum() * (b * b).sum()))
    return float((a * b).sum()) / size if size > 0 else 0.0
