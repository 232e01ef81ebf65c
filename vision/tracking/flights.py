"""How a die came that was detected only in its place, from what differs from the tray at rest: it flew in,
too blurred to be detected, or an arm was there; and whether the hand that it came out of stood still."""

from __future__ import annotations

import math
from collections.abc import Sequence

import cv2
import numpy as np

from vision.boxes import grown, pixels_of, scaled
from vision.readings import SeenDie
from vision.settling.motion import SMALL_W, Mask
from vision.settling.occlusion import DIE_MASK_GROWTH

MIN_STEPS, MIN_SIDES = 3, 1.5
"""Number and length, in sides of the die, of the steps in which something came to its place."""

MIN_STEP_SIDES, FLIGHT_S = 0.3, 1.0
"""A shorter step, in sides, is none, and one that was earlier than this, s, says nothing."""

MIN_DICE, MAX_DICE = 0.3, 4.0
"""Area of a die that flies, in dice: smeared, and nearer to the camera."""

MAX_SPEED_SIDES_S = 45.0
"""Maximum speed of a die that is tracked. A throw leaves the hand at some 1.5 m/s, 90 sides of 16 mm, and has
half of that left after the first bounce. Faster dice are detected again when they are slower."""

MIN_ARM_SHARE = 0.5
"""An arm that was at a die covers at least this share of its place."""

MAX_GAP_S, MIN_PICTURES = 0.2, 5
"""There is a picture of a die that flies in at least this often, s, and this many in FLIGHT_S show that none
did."""

NEAR_GROWTH, MAX_HAND_CHANGE = 3.0, 0.2
"""A hand stands still if its mask changes by at most MAX_HAND_CHANGE, in dice, within the box of a die that
is scaled by NEAR_GROWTH. A shadow that goes over it changes it by 0.14. Two fingers that push a die half a
side on change it by more than 0.3."""

MIN_HAND_DICE = 2.0
"""A hand covers at least this area there as the die comes into sight, in dice. The die may hide that a lone
finger, which covers half of that, goes with it."""


def flew_in(
    foregrounds: Sequence[tuple[float, Mask]], die: SeenDie, at_s: float, size_wh: tuple[int, int]
) -> bool | None:
    """Whether something loose, which is no arm, came to the place of this die just before this time, s. None:
    there are too few pictures to tell, or some are missing.

    foregrounds: with their times, s, oldest first: (h, SMALL_W), what differs from the tray at rest.
    """
    scale = SMALL_W / size_wh[0]
    side, place, later_s = die.side * scale, (die.centre_xy[0] * scale, die.centre_xy[1] * scale), at_s
    steps, path, skipped = 0, 0.0, False
    for mask_s, mask in reversed(foregrounds):
        if mask_s >= at_s:
            continue
        skipped = later_s - mask_s > MAX_GAP_S
        if skipped or at_s - mask_s > FLIGHT_S:
            break
        before = _loose_thing(mask, place, MAX_SPEED_SIDES_S * (later_s - mask_s) * side, side)
        if before is None:
            break
        step = math.dist(before, place) / side
        if step >= MIN_STEP_SIDES:
            steps, path = steps + 1, path + step
        place, later_s = before, mask_s
    pictures = sum(at_s - FLIGHT_S <= mask_s < at_s for mask_s, _ in foregrounds)
    if path < MIN_SIDES:
        return None if skipped or pictures < MIN_PICTURES else False
    return True if steps >= MIN_STEPS else None


def arm_was_at(
    foregrounds: Sequence[tuple[float, Mask]], die: SeenDie, at_s: float, size_wh: tuple[int, int]
) -> bool:
    """Whether an arm, or something else with a link to the border, was at the place of this die in the last
    picture before this time, s.

    foregrounds: as in flew_in.
    """
    mask_s, mask = next((f for f in reversed(foregrounds) if f[0] < at_s), (-math.inf, None))
    if mask is None or at_s - mask_s > MAX_GAP_S:
        return False
    _, labels = cv2.connectedComponents(mask.astype(np.uint8), connectivity=8)
    at_border = np.unique(np.concatenate([labels[0], labels[-1], labels[:, 0], labels[:, -1]]))
    place = labels[pixels_of(scaled(die.box_xywh, SMALL_W / size_wh[0]))]
    return bool(place.size) and float(np.isin(place, at_border[at_border > 0]).mean()) >= MIN_ARM_SHARE


def stood_still(
    before: Mask | None, hand_mask: Mask | None, way: Sequence[SeenDie], size_wh: tuple[int, int]
) -> bool:
    """Whether a hand is still as it was near a die that came out of it: it neither goes with the die nor
    draws back from it, as that of somebody who pushes a die or lays it down.

    before: where hands were just before the die came into sight, (h, SMALL_W). hand_mask: where they are now.
    way: the detections of the die since, oldest first.
    """
    if before is None or hand_mask is None:
        return False
    scale = SMALL_W / size_wh[0]
    boxes = [scaled(grown(die.box_xywh, DIE_MASK_GROWTH), scale) for die in way]
    came, gone = hand_mask & ~before, before & ~hand_mask
    came[pixels_of(boxes[-1])] = False
    for box in boxes:  # hand masks leave dice out
        gone[pixels_of(box)] = False
    began, near = (pixels_of(scaled(grown(way[n].box_xywh, NEAR_GROWTH), scale)) for n in (0, -1))
    if before[began].sum() < MIN_HAND_DICE * (way[0].side * scale) ** 2:
        return False
    return float((came | gone)[near].sum()) <= MAX_HAND_CHANGE * (way[-1].side * scale) ** 2


def _loose_thing(
    mask: Mask, place_xy: tuple[float, float], max_px: float, side: float
) -> tuple[float, float] | None:
    """The centre of what is nearest to this place, within max_px, if it may be a die of this side, px, and
    has no link to the border, as an arm has; else None."""
    count, _, stats, centres = cv2.connectedComponentsWithStats(mask.astype(np.uint8), connectivity=8)
    things = [n for n in range(1, count) if stats[n][cv2.CC_STAT_AREA] >= MIN_DICE * side**2]
    nearest = min(things, key=lambda n: math.dist(centres[n], place_xy), default=None)
    if nearest is None or math.dist(centres[nearest], place_xy) > max_px:
        return None
    x, y, width, height, area = (int(v) for v in stats[nearest])
    at_border = x == 0 or y == 0 or x + width == mask.shape[1] or y + height == mask.shape[0]
    if at_border or area > MAX_DICE * side**2:
        return None
    return float(centres[nearest][0]), float(centres[nearest][1])
