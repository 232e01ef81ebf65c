"""View: the camera over the tray; and PinholeCamera, its projection of points and the rays of its pixels."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from vision.simulation.scene import Scene

Floats = NDArray[np.floating[Any]]
"""float32 for large arrays."""


@dataclass(frozen=True, eq=False)
class PinholeCamera:
    """A camera without lens distortion. The centre of the first pixel is at (0, 0) px.

    size_wh: px.
    focal_px: focal length, px.
    position: (3,) in the world.
    rotation: (3, 3) world to camera; its rows are the camera's right, down and forward.
    aim_px: offset of the principal point from the picture's centre.
    """

    size_wh: tuple[int, int]
    focal_px: float
    position: Floats
    rotation: Floats
    aim_px: tuple[float, float] = (0.0, 0.0)

    def in_camera(self, points: Floats) -> Floats:
        """(n, 3) right, down and forward of the camera: points (n, 3) of the world."""
        return np.asarray((points - self.position) @ self.rotation.T)

    def project(self, points: Floats) -> Floats:
        """(n, 2) px [x, y]: the projections of points (n, 3) of the world that are in front of the camera."""
        in_camera = self.in_camera(points)
        centre = np.array(self.size_wh, np.float32) / 2 - 0.5 + np.array(self.aim_px, np.float32)
        return np.asarray(in_camera[:, :2] / in_camera[:, 2:] * self.focal_px + centre, np.float32)

    def rays_through(self, x: NDArray[Any], y: NDArray[Any], dtype: DTypeLike = np.float64) -> Floats:
        """(3, n) unit rays in the world's axes through these pixels (n,), also through pixels beyond the
        border.

        dtype: of the computation; float32 is faster.
        """
        w, h = self.size_wh
        rays = np.empty((3, len(x)), dtype)
        rays[0] = (x - (w / 2 - 0.5 + self.aim_px[0])) / self.focal_px
        rays[1] = (y - (h / 2 - 0.5 + self.aim_px[1])) / self.focal_px
        rays[2] = 1
        rays /= np.sqrt(rays[0] * rays[0] + rays[1] * rays[1] + rays[2] * rays[2])
        return np.asarray(self.rotation.T @ rays)

    @cached_property
    def rays(self) -> Floats:
        """(3, h, w) float32 unit rays in the world's axes, one per pixel."""
        w, h = self.size_wh
        y, x = np.mgrid[:h, :w]
        return np.ascontiguousarray(self.rays_through(x.ravel(), y.ravel()), np.float32).reshape(3, h, w)


@dataclass(frozen=True, eq=False, kw_only=True)
class View(PinholeCamera):
    """The camera of a scene; lengths in mm. vignette: (h, w) float32 brightness, 1 in the centre."""

    vignette: Floats

    def plane_hits(self, z_mm: float) -> tuple[Floats, Floats]:
        """x and y, (h, w) float32 mm each, where every pixel's ray meets the horizontal plane at this
        height."""
        distance = (z_mm - self.position[2]) / self.rays[2]
        return self.position[0] + distance * self.rays[0], self.position[1] + distance * self.rays[1]

    def px_per_mm(self, z_mm: float = 0.0) -> float:
        """Scale at the tray's centre at this height, px per mm."""
        return self.focal_px / float(np.linalg.norm(self.position - np.array([0, 0, z_mm], np.float32)))


@lru_cache(maxsize=4)
def view_of(scene: Scene, size_wh: tuple[int, int]) -> View:
    """The camera of this scene; its focal length follows from the scene's `fill`."""
    position, rotation = _pose(scene)
    focal = _focal(scene, size_wh, position, rotation)
    return View(size_wh, focal, position, rotation, scene.aim_px, vignette=_vignette(scene, size_wh))


def _pose(scene: Scene) -> tuple[Floats, Floats]:
    """Position and rotation of a camera that looks at the centre of the tray."""
    tilt, roll = scene.camera_tilt_rad, scene.camera_roll_rad
    forward = np.array([0, np.sin(tilt), -np.cos(tilt)])
    right = np.array([1.0, 0, 0])
    down = np.cross(forward, right)
    rolled_right = np.cos(roll) * right + np.sin(roll) * down
    rolled_down = np.cos(roll) * down - np.sin(roll) * right
    position = -forward * scene.camera_height_mm / np.cos(tilt)
    return position.astype(np.float32), np.stack([rolled_right, rolled_down, forward]).astype(np.float32)


def _focal(scene: Scene, size_wh: tuple[int, int], position: Floats, rotation: Floats) -> float:
    half = np.array(scene.tray_mm) / 2 + scene.rim_mm
    corners = np.array(
        [[sx * half[0], sy * half[1], scene.rim_height_mm] for sx in (-1, 1) for sy in (-1, 1)]
    )
    in_camera = (corners.astype(np.float32) - position) @ rotation.T
    spread = np.abs(in_camera[:, :2] / in_camera[:, 2:]).max(axis=0)
    return float(scene.fill * np.min(np.array(size_wh) / 2 / spread))


def _vignette(scene: Scene, size_wh: tuple[int, int]) -> Floats:
    w, h = size_wh
    x, y = np.meshgrid(np.linspace(-1, 1, w), np.linspace(-1, 1, h))
    return np.asarray(1 - scene.vignette * ((x * x + y * y) / 2) ** 1.3, np.float32)
