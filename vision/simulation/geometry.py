"""Geometry of dice: rotations, the height of a cube that rests on the floor, and squares on the floor.

The simulated camera and the renders that train the nets both use this module.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, DTypeLike

from vision.simulation.view import Floats


def rotation_about_z(yaw: float, dtype: DTypeLike = np.float32) -> Floats:
    """(3, 3) rotation by `yaw` about the vertical axis."""
    c, s = np.cos(yaw), np.sin(yaw)
    return np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]], dtype)


def rotation_about(axis: ArrayLike, angle: float, dtype: DTypeLike = np.float32) -> Floats:
    """(3, 3) rotation by `angle` about the unit vector `axis` (3,), by Rodrigues' formula."""
    x, y, z = (float(v) for v in np.asarray(axis))
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.asarray(np.eye(3) + np.sin(angle) * cross + (1 - np.cos(angle)) * cross @ cross, dtype)


def horizontal_axis(direction_rad: float) -> Floats:
    """(3,) unit vector on the floor, 0 = along x."""
    return np.array([np.cos(direction_rad), np.sin(direction_rad), 0])


def half_height(rotation: Floats, side: float, corner: float) -> float:
    """Height of a die's centre over its lowest point, under this rotation (3, 3); in the unit of `side`.

    corner: radius of the rounded corners as a share of the side; rounded corners reduce the height.
    """
    inner = side * (0.5 - corner)
    return float(np.abs(rotation[2]).sum() * inner + corner * side)


@dataclass(frozen=True, eq=False)
class Square:
    """The outline of a flat die on the floor: its centre, rotation and side."""

    x: float
    y: float
    yaw_rad: float
    side: float

    def gap_to(self, other: Square) -> float:
        """The widest gap between the two squares along the axes of either; negative if they overlap.

        Two convex shapes are apart if and only if a gap along one of these axes is above 0 (separating axis
        theorem).
        """
        dx, dy, turn = self.x - other.x, self.y - other.y, self.yaw_rad - other.yaw_rad
        spread = abs(math.cos(turn)) + abs(math.sin(turn))  # extent of a unit square along the other's axes
        return max(
            max(abs(dx * c + dy * s), abs(dy * c - dx * s)) - own / 2 - far / 2 * spread
            for c, s, own, far in (
                (math.cos(self.yaw_rad), math.sin(self.yaw_rad), self.side, other.side),
                (math.cos(other.yaw_rad), math.sin(other.yaw_rad), other.side, self.side),
            )
        )
