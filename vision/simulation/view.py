"""View: the pinhole camera over the tray, with the projection of points and the ray of every pixel."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vision.simulation.scene import Scene

Floats = NDArray[np.floating[Any]]
"""float32 for large arrays."""


@dataclass(frozen=True, eq=False)
class View:
    """The camera of a scene.

    size_wh: px.
    focal_px: focal length, px.
    position_mm: (3,).
    rotation: (3, 3), its rows are the camera's right, down and forward.
    rays: (3, h, w) float32 unit vectors, one per pixel.
    vignette: (h, w) float32 brightness, 1 in the centre.
    aim_px: offset of the principal point from the picture's centre.
    """

    size_wh: tuple[int, int]
    focal_px: float
    position_mm: Floats
    rotation: Floats
    rays: Floats
    vignette: Floats
    aim_px: tuple[float, float] = (0.0, 0.0)

    def project(self, points_mm: Floats) -> Floats:
        """(n, 2) px [x, y]: the projections of points, (n, 3) mm, in front of the camera."""
        in_camera = (points_mm - self.position_mm) @ self.rotation.T
        centre = np.array(self.size_wh, np.float32) / 2 - 0.5 + np.array(self.aim_px, np.float32)
        return np.asarray(in_camera[:, :2] / in_camera[:, 2:] * self.focal_px + centre, np.float32)

    def plane_hits(self, z_mm: float) -> tuple[Floats, Floats]:
        """x and y, (h, w) float32 mm each, where every pixel's ray meets the horizontal plane at this height."""
        distance = (z_mm - self.position_mm[2]) / self.rays[2]
        return self.position_mm[0] + distance * self.rays[0], self.position_mm[1] + distance * self.rays[1]

    def px_per_mm(self, z_mm: float = 0.0) -> float:
        """Scale at the tray's centre at this height, px per mm."""
        return self.focal_px / float(np.linalg.norm(self.position_mm - np.array([0, 0, z_mm], np.float32)))


@lru_cache(maxsize=4)
def view_of(scene: Scene, size_wh: tuple[int, int]) -> View:
    """The camera of this scene; its focal length follows from the scene's `fill`."""
    position, rotation = _pose(scene)
    focal = _focal(scene, size_wh, position, rotation)
    rays = _rays(size_wh, focal, rotation, scene.aim_px)
    return View(size_wh, focal, position, rotation, rays, _vignette(scene, size_wh), scene.aim_px)


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
    corners = np.array([[sx * half[0], sy * half[1], scene.rim_height_mm] for sx in (-1, 1) for sy in (-1, 1)])
    in_camera = (corners.astype(np.float32) - position) @ rotation.T
    spread = np.abs(in_camera[:, :2] / in_camera[:, 2:]).max(axis=0)
    return float(scene.fill * np.min(np.array(size_wh) / 2 / spread))


def _rays(size_wh: tuple[int, int], focal: float, rotation: Floats, aim_px: tuple[float, float]) -> Floats:
    (w, h), (right, down) = size_wh, aim_px
    x, y = np.meshgrid((np.arange(w) - right - w / 2 + 0.5) / focal, (np.arange(h) - down - h / 2 + 0.5) / focal)
    in_camera = np.stack([x, y, np.ones_like(x)])
    in_camera /= np.linalg.norm(in_camera, axis=0)
    return np.ascontiguousarray(np.einsum("ij,ihw->jhw", rotation, in_camera), np.float32)


def _vignette(scene: Scene, size_wh: tuple[int, int]) -> Floats:
    w, h = size_wh
    x, y = np.meshgrid(np.linspace(-1, 1, w), np.linspace(-1, 1, h))
    return np.asarray(1 - scene.vignette * ((x * x + y * y) / 2) ** 1.3, np.float32)
