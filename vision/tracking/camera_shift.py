"""Tells dice that a pushed camera shifted, or brought into the picture."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from itertools import pairwise

import numpy as np

from vision.readings import SeenDie
from vision.tracking.likeness import is_near, shifted, sides_apart
from vision.tracking.tracklets import MIN_STEP_SIDES, SAME_SPOT_SIDES, Tracklet
from vision.tracking.tumbling import seen_tumbling, tumble_evidence

MIN_SHIFT_SIDES, SHIFT_TOLERANCE_SIDES = 0.12, 0.22
"""A common shift of all dice is at least MIN_SHIFT_SIDES and brings the dice within SHIFT_TOLERANCE_SIDES of
where they are detected."""

MIN_SHIFT_SHARE = 0.75
"""Minimum share of the dice at rest, and still in the picture, that must have shifted alike."""

MIN_SHIFT_STEPS, MIN_SHIFT_PATH, MAX_SHIFT_ERROR_SIDES, MAX_FEW_ERROR_SIDES = 2, 1.0, 0.5, 0.2
"""A camera that is pushed by at least MIN_SHIFT_PATH, in sides, shifts all dice alike: in at least
MIN_SHIFT_STEPS steps, each to within MAX_SHIFT_ERROR_SIDES, and the whole way too. Boxes that the border of
the picture cuts are off by so much. A quick push shows in one step, to within MAX_FEW_ERROR_SIDES."""


def lies_as_it_lay(tracklet: Tracklet) -> bool:
    """Whether it lies where it was first detected."""
    return sides_apart(tracklet.observations[0].seen, tracklet.last.seen) <= SAME_SPOT_SIDES


def shifts_with(tracklet: Tracklet, other: Tracklet) -> bool:
    """Whether a new die went all its way side by side with one that lay there, and no hand was at either: a
    pushed camera brought it into the picture."""
    if not other.from_rest or tracklet.ever_touched or other.ever_touched:
        return False
    first = tracklet.observations[0].seen
    if first.sure and not first.cut_off:
        return False  # it did not come in over the border
    if sides_apart(other.observations[0].seen, other.last.seen) < MIN_SHIFT_PATH:
        return False
    theirs = {o.at_s: o.seen for o in other.observations}
    both = [(o.seen, theirs[o.at_s]) for o in tracklet.observations if o.at_s in theirs]
    steps = [(a, b) for a, b in pairwise(both) if sides_apart(a[0], b[0]) > MIN_STEP_SIDES]
    few = len(steps) < MIN_SHIFT_STEPS
    if not steps or seen_tumbling(tracklet) or (few and tumble_evidence(tracklet) > 0):
        return False
    if whole := [pair for pair in both if not pair[0].cut_off]:
        steps.append((whole[0], whole[-1]))
    apart = [math.dist(_step_xy(a[0], b[0]), _step_xy(a[1], b[1])) for a, b in steps]
    return max(apart) <= (MAX_FEW_ERROR_SIDES if few else MAX_SHIFT_ERROR_SIDES) * tracklet.last.seen.side


def _step_xy(a: SeenDie, b: SeenDie) -> tuple[float, float]:
    return b.centre_xy[0] - a.centre_xy[0], b.centre_xy[1] - a.centre_xy[1]


def common_shift(
    before: Sequence[SeenDie], now: Sequence[SeenDie], size_wh: tuple[int, int]
) -> tuple[float, float] | None:
    """The common shift of the dice at rest, (x, y) px; None if there is none, or fewer than two dice.

    Dice that it shifts out of a picture of this size are left out.
    """
    sure_dice = [d for d in before if d.sure]
    if len(sure_dice) < 2:
        return None
    best: tuple[int, tuple[float, float]] = (0, (0.0, 0.0))
    for was in sure_dice:
        for die in now:
            if die.face == was.face and die.colour == was.colour:
                shift = (die.centre_xy[0] - was.centre_xy[0], die.centre_xy[1] - was.centre_xy[1])
                best = max(best, (_count_matches(sure_dice, now, shift), shift), key=lambda pair: pair[0])
    matches, shift = best
    in_picture = sum(is_inside(shifted(d, shift), size_wh) for d in sure_dice)
    side = sum(d.side for d in sure_dice) / len(sure_dice)
    if matches < max(2, MIN_SHIFT_SHARE * in_picture) or np.hypot(*shift) < MIN_SHIFT_SIDES * side:
        return None
    return shift if matches > _count_matches(sure_dice, now, (0.0, 0.0)) else None


def _count_matches(before: Iterable[SeenDie], now: Sequence[SeenDie], shift: tuple[float, float]) -> int:
    """Number of dice that are detected where this shift brings them, with the same face."""

    def is_detected(moved: SeenDie) -> bool:
        return any(is_near(moved, die, SHIFT_TOLERANCE_SIDES) and moved.face == die.face for die in now)

    return sum(is_detected(shifted(die, shift)) for die in before)


def is_inside(die: SeenDie, size_wh: tuple[int, int]) -> bool:
    """Whether the whole box is in a picture of this size."""
    x, y, w, h = die.box_xywh
    return x >= 0 and y >= 0 and x + w <= size_wh[0] and y + h <= size_wh[1]
