"""Where sticks lie: length, width and axis of a turned box, and whether two sticks lie in one place."""

from __future__ import annotations

import math

from vision.boxes import Box
from vision.readings import Quad, SeenStick

SAME_ACROSS, SAME_ALONG = 0.6, 0.1
"""Two sticks lie in one place if their centres differ by less than SAME_ACROSS of the width across the
longer one's axis, and by less than SAME_ALONG of its length along it. The ends of a stick are found less
surely than its sides. A stick of 100 x 12 mm may then seem to shift by 7 mm across and 10 mm along."""

SAME_AXIS_RAD = math.radians(10)
"""Maximum angle between the axes of two sticks in one place. The corners of a stick of that size are found to
within a quarter of its width, which turns its axis by up to 4 degrees; a thrown stick lands within 10 degrees
of its earlier axis once in nine throws."""

LINKS = 8
"""Number of small boxes that cover a stick, one after another along its axis."""


def length_px(stick: SeenStick) -> float:
    """Length of the longer side of the stick's box, px."""
    return max(_sides_px(stick.quad))


def width_px(stick: SeenStick) -> float:
    """Length of the shorter side of the stick's box, px."""
    return min(_sides_px(stick.quad))


def axis_rad(stick: SeenStick) -> float:
    """Direction of the longer side in the picture, 0 to pi; a stick lies either way round."""
    a, b, c, _ = stick.quad
    (x0, y0), (x1, y1) = (a, b) if math.dist(a, b) >= math.dist(b, c) else (b, c)
    return math.atan2(y1 - y0, x1 - x0) % math.pi


def axis_difference_rad(first: SeenStick, second: SeenStick) -> float:
    """Angle between the axes of two sticks, 0 to pi/2."""
    turned = abs(axis_rad(first) - axis_rad(second)) % math.pi
    return min(turned, math.pi - turned)


def same_place(first: SeenStick, second: SeenStick) -> bool:
    """Whether two readings of a stick show it in one place, whichever face they give it."""
    longer = max(first, second, key=length_px)
    (ax, ay), (bx, by), axis = first.centre_xy, second.centre_xy, axis_rad(longer)
    along = abs((bx - ax) * math.cos(axis) + (by - ay) * math.sin(axis))
    across = abs((by - ay) * math.cos(axis) - (bx - ax) * math.sin(axis))
    return (
        axis_difference_rad(first, second) < SAME_AXIS_RAD
        and across < SAME_ACROSS * width_px(longer)
        and along < SAME_ALONG * length_px(longer)
    )


def link_boxes(stick: SeenStick) -> list[Box]:
    """LINKS upright boxes that cover the stick. The upright box round a slanting stick covers far more."""
    axis, (x, y) = axis_rad(stick), stick.centre_xy
    step = length_px(stick) / LINKS
    side = max(width_px(stick), step)
    offsets = [(n - (LINKS - 1) / 2) * step for n in range(LINKS)]
    return [
        (x + d * math.cos(axis) - side / 2, y + d * math.sin(axis) - side / 2, side, side) for d in offsets
    ]


def _sides_px(quad: Quad) -> tuple[float, float]:
    a, b, c, _ = quad
    return math.dist(a, b), math.dist(b, c)
