"""Boxes of dice in a picture: overlap, distance, scale, and the picture's border."""

from __future__ import annotations

import math

Box = tuple[float, float, float, float]
"""Left, top, width, height, px."""

BORDER_SHARE, TRUNCATED_SHARE = 0.04, 0.8
"""A box is truncated if it ends within BORDER_SHARE of its side from the border and is less than
TRUNCATED_SHARE as wide across the border as along it."""
BORDER_PX = 0.5
"""A box whose edge is at most this far from the border touches it, px."""


def centre(box: Box) -> tuple[float, float]:
    """The centre of a box, (x, y) px."""
    return box[0] + box[2] / 2, box[1] + box[3] / 2


def centre_distance(a: Box, b: Box) -> float:
    """Distance between the centres of two boxes, px."""
    (ax, ay), (bx, by) = centre(a), centre(b)
    return math.hypot(ax - bx, ay - by)


def intersection(a: Box, b: Box) -> float:
    """Area that two boxes share, px^2."""
    w = min(a[0] + a[2], b[0] + b[2]) - max(a[0], b[0])
    h = min(a[1] + a[3], b[1] + b[3]) - max(a[1], b[1])
    return max(w, 0.0) * max(h, 0.0)


def iou(a: Box, b: Box) -> float:
    """Intersection over union of two boxes, 0-1."""
    shared = intersection(a, b)
    return shared / max(a[2] * a[3] + b[2] * b[3] - shared, 1e-9)


def scaled(box: Box, scale: float) -> Box:
    """The box in a picture that is scaled by this factor."""
    x, y, w, h = box
    return x * scale, y * scale, w * scale, h * scale


def grown(box: Box, growth: float) -> Box:
    """The box scaled by this factor about its centre."""
    x, y, w, h = box
    dx, dy = (growth - 1) / 2 * w, (growth - 1) / 2 * h
    return x - dx, y - dy, w + 2 * dx, h + 2 * dy


def pixels_of(box: Box) -> tuple[slice, slice]:
    """The rows and columns of the box, for an array of the picture; empty where it is outside."""
    x, y, w, h = box
    return slice(max(round(y), 0), max(round(y + h), 0)), slice(max(round(x), 0), max(round(x + w), 0))


def clipped(box: Box, size_wh: tuple[int, int]) -> Box:
    """The box clipped to a picture of this size, px; at least 1 px each way."""
    width, height = size_wh
    x0, y0 = min(max(box[0], 0.0), width - 1.0), min(max(box[1], 0.0), height - 1.0)
    x1, y1 = min(box[0] + box[2], float(width)), min(box[1] + box[3], float(height))
    return x0, y0, max(x1 - x0, 1.0), max(y1 - y0, 1.0)


def touches_border(box: Box, size_wh: tuple[int, int]) -> bool:
    """Whether the box reaches the border of a picture of this size, px."""
    x, y, w, h = box
    return (
        x <= BORDER_PX or y <= BORDER_PX or x + w >= size_wh[0] - BORDER_PX or y + h >= size_wh[1] - BORDER_PX
    )


def is_truncated(box: Box, size_wh: tuple[int, int]) -> bool:
    """Whether the border of a picture of this size, px, cuts the die in this box.

    It does if the box ends at the border and is narrower across it than along it. A box that ends at a corner
    is truncated whatever its shape.
    """
    x, y, w, h = box
    border_px = BORDER_SHARE * max(w, h)
    at_left, at_right = x < border_px, x + w > size_wh[0] - border_px
    at_top, at_bottom = y < border_px, y + h > size_wh[1] - border_px
    in_corner = at_left != at_right and at_top != at_bottom  # a box that fills the picture ends at all four
    narrow_x = (at_left or at_right) and w < TRUNCATED_SHARE * h
    narrow_y = (at_top or at_bottom) and h < TRUNCATED_SHARE * w
    return in_corner or narrow_x or narrow_y
