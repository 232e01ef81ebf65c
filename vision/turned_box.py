"""TurnedBox: a long box at any angle, as a stick lies."""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np

from vision.readings import Point, Quad


@dataclass(frozen=True)
class TurnedBox:
    """The box of a long object.

    centre_xy: px.
    angle: of its long axis, radians from the x axis towards the y axis, 0 to pi.
    length, width: px.
    """

    centre_xy: Point
    angle: float
    length: float
    width: float

    @property
    def axis(self) -> Point:
        """Unit vector along the long axis."""
        return math.cos(self.angle), math.sin(self.angle)

    @property
    def quad(self) -> Quad:
        """The corners: along one long side, and back along the other."""
        (cx, cy), (ux, uy), a, w = self.centre_xy, self.axis, self.length / 2, self.width / 2
        return (
            (cx - a * ux + w * uy, cy - a * uy - w * ux),
            (cx + a * ux + w * uy, cy + a * uy - w * ux),
            (cx + a * ux - w * uy, cy + a * uy + w * ux),
            (cx - a * ux - w * uy, cy - a * uy + w * ux),
        )

    def moved(self, dx: float, dy: float) -> TurnedBox:
        """The same box this far to the right and down, px."""
        (cx, cy) = self.centre_xy
        return TurnedBox((cx + dx, cy + dy), self.angle, self.length, self.width)

    def scaled(self, scale: float) -> TurnedBox:
        """The same box in a picture that is this many times as large."""
        (cx, cy) = self.centre_xy
        return TurnedBox((cx * scale, cy * scale), self.angle, self.length * scale, self.width * scale)


def box_of_quad(quad: Quad) -> TurnedBox:
    """The box with the mean sides of these corners, which go round it; the longer side is its length."""
    corners = np.array(quad, np.float64)
    along = (corners[1] + corners[2] - corners[0] - corners[3]) / 2
    across = (corners[2] + corners[3] - corners[0] - corners[1]) / 2
    if np.hypot(*along) < np.hypot(*across):
        along, across = across, along
    cx, cy = corners.mean(axis=0).tolist()
    angle = math.atan2(along[1], along[0]) % math.pi
    return TurnedBox((cx, cy), angle, float(np.hypot(*along)), float(np.hypot(*across)))


def shared_area(a: Quad, b: Quad) -> float:
    """Area that two boxes have in common, px squared."""
    area, _ = cv2.intersectConvexConvex(np.array(a, np.float32), np.array(b, np.float32))
    return max(float(area), 0.0)


def overlap(a: TurnedBox, b: TurnedBox, share: float) -> bool:
    """Whether two boxes have more than this share of the smaller one in common."""
    reach = (math.hypot(a.length, a.width) + math.hypot(b.length, b.width)) / 2
    if math.dist(a.centre_xy, b.centre_xy) >= reach:  # most pairs: much faster than their shared area
        return False
    return shared_area(a.quad, b.quad) > share * min(a.length * a.width, b.length * b.width)


def angle_between(a: float, b: float) -> float:
    """The angle between two axes, radians, 0 to pi / 2."""
    apart = abs(a - b) % math.pi
    return min(apart, math.pi - apart)
