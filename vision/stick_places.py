"""Where sticks lie: length, width and axis of a turned box, and whether two sticks lie in one place."""

from __future__ import annotations

import math

from vision.boxes import Box
from vision.readings import SeenStick
from vision.turned_box import TurnedBox, angle_between, box_of_quad, overlap

SAME_ACROSS, SAME_ALONG = 0.6, 0.1
"""Two sticks lie in one place if their centres differ by less than SAME_ACROSS of the width across the
longer one's axis, and by less than SAME_ALONG of its length along it. The ends of a stick are found less
surely than its sides. A stick of 100 x 12 mm may then seem to shift by 7 mm across and 10 mm along."""

SAME_AXIS_RAD = math.radians(10)
"""Maximum angle between the axes of two sticks in one place. The corners of a stick of that size are found to
within a quarter of its width, which turns its axis by up to 4 degrees; a thrown stick lands within 10 degrees
of its earlier axis once in nine throws."""

STILL_ACROSS = 0.3
"""A stick in one place whose centre is nearer than this share of its width, across its axis, has not moved:
its sides are found to within a tenth of it."""

ONE_SHARE, ONE_ANGLE_RAD = 0.35, math.radians(25)
"""Two detections that share more than this of the smaller one, at less than this angle, may be one stick."""

ROUND_RATIO = 1.5
"""What is less than so many times as long as wide is a coin, which has no axis. A stick is five times as
long as wide."""

SAME_COIN = 0.2
"""Two coins lie in one place if their centres differ by less than this share of the larger one's diameter: by
5 mm of a coin of 25 mm."""

LINKS = 8
"""Number of small boxes that cover a stick, one after another along its axis."""


def length_px(stick: SeenStick) -> float:
    """Length of the longer side of the stick's box, px."""
    return box_of_quad(stick.quad).length


def width_px(stick: SeenStick) -> float:
    """Length of the shorter side of the stick's box, px."""
    return box_of_quad(stick.quad).width


def is_coin(stick: SeenStick) -> bool:
    """Whether this is a coin in place of a stick: it has no axis."""
    return length_px(stick) < ROUND_RATIO * width_px(stick)


def axis_rad(stick: SeenStick) -> float:
    """Direction of the longer side in the picture, 0 to pi; a stick lies either way round."""
    return box_of_quad(stick.quad).angle


def axis_difference_rad(first: SeenStick, second: SeenStick) -> float:
    """Angle between the axes of two sticks, 0 to pi/2."""
    return angle_between(axis_rad(first), axis_rad(second))


def may_be_one(first: TurnedBox, second: TurnedBox) -> bool:
    """Whether two detections of one reading may be of one stick, or of one and what it seems to make with a
    stick that crosses it."""
    return angle_between(first.angle, second.angle) < ONE_ANGLE_RAD and overlap(first, second, ONE_SHARE)


def same_place(first: SeenStick, second: SeenStick) -> bool:
    """Whether two readings of a stick show it in one place, whichever face they give it."""
    if is_coin(first) or is_coin(second):
        apart = math.dist(first.centre_xy, second.centre_xy)
        return is_coin(first) and is_coin(second) and apart < SAME_COIN * max(map(length_px, (first, second)))
    longer, along, across = _apart(first, second)
    return (
        axis_difference_rad(first, second) < SAME_AXIS_RAD
        and across < SAME_ACROSS * longer.width
        and along < SAME_ALONG * longer.length
    )


def slides(before: SeenStick, now: SeenStick) -> bool:
    """Whether a stick that lies in one place for `same_place` moved a little meanwhile."""
    if is_coin(before) or is_coin(now) or not same_place(before, now):
        return False
    longer, _, across = _apart(before, now)
    return across >= STILL_ACROSS * longer.width


def _apart(first: SeenStick, second: SeenStick) -> tuple[TurnedBox, float, float]:
    """The longer of two boxes, and how far the centres are apart along its axis and across it, px."""
    longer = max(box_of_quad(first.quad), box_of_quad(second.quad), key=lambda box: box.length)
    (ax, ay), (bx, by), (ux, uy) = first.centre_xy, second.centre_xy, longer.axis
    along = abs((bx - ax) * ux + (by - ay) * uy)
    across = abs((by - ay) * ux - (bx - ax) * uy)
    return longer, along, across


def link_boxes(stick: SeenStick) -> list[Box]:
    """LINKS upright boxes that cover the stick. The upright box round a slanting stick covers far more."""
    box, (x, y) = box_of_quad(stick.quad), stick.centre_xy
    ux, uy = box.axis
    step = box.length / LINKS
    side = max(box.width, step)
    offsets = [(n - (LINKS - 1) / 2) * step for n in range(LINKS)]
    return [(x + d * ux - side / 2, y + d * uy - side / 2, side, side) for d in offsets]
