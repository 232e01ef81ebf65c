"""View: the pinhole camera over the tray; where a point in the tray falls in the picture, and what each pixel looks along."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vision.simulation.scene import Scene

Floats = NDArray[np.floating[Any]]
"""float32 wherever there are many of them."""


@dataclass(frozen=True, eq=False)
class View:
    """A camera set up over a scene.

    size_wh: px. focal_px: px. at_mm: (3,) where the camera is. turn: (3, 3) rows are the camera's right, down and forward.
    rays: (3, h, w) float32 unit vectors, what every pixel looks along. vignette: (h, w) float32 brightness, 1 in the middle.
    aim_px: how far from the picture's middle the lens looks.
    """

    size_wh: tuple[int, int]
    focal_px: float
    at_mm: Floats
    turn: Floats
    rays: Floats
    vignette: Floats
    aim_px: tuple[float, float] = (0.0, 0.0)

    def project(self, points_mm: Floats) -> Floats:
        """(n, 3) mm -> (n, 2) px [x, y]; points behind the camera make no sense here."""
        seen = (points_mm - self.at_mm) @ self.turn.T
        middle = np.array(self.size_wh, np.float32) / 2 - 0.5 + np.array(self.aim_px, np.float32)
        return np.asarray(seen[:, :2] / seen[:, 2:] * self.focal_px + middle, np.float32)

    def plane_hits(self, z_mm: float) -> tuple[Floats, Floats]:
        """x and y, (h, w) float32 mm each: where every pixel's ray meets the level plane at this height."""
        reach = (z_mm - self.at_mm[2]) / self.rays[2]
        return self.at_mm[0] + reach * self.rays[0], self.at_mm[1] + reach * self.rays[1]

    def px_per_mm(self, z_mm: float = 0.0) -> float:
        """Size of a millimetre in the middle of the tray, px."""
        return self.focal_px / float(np.linalg.norm(self.at_mm - np.array([0, 0, z_mm], np.float32)))


@lru_cache(maxsize=4)
def view_of(scene: Scene, size_wh: tuple[int, int]) -> View:
    """The camera of this scene, its focal length chosen so that the tray fills the picture as the scene says."""
    at, turn = _pose(scene)
    focal = _focal(scene, size_wh, at, turn)
    rays = _rays(size_wh, focal, turn, scene.aim_px)
    return View(size_wh, focal, at, turn, rays, _vignette(scene, size_wh), scene.aim_px)


def _pose(scene: Scene) -> tuple[Floats, Floats]:
    """Position and rotation of a camera that looks at the middle of the tray."""
    tilt, roll = scene.camera_tilt_rad, scene.camera_roll_rad
    forward = np.array([0, np.sin(tilt), -np.cos(tilt)])
    right = np.array([1.0, 0, 0])
    down = np.cross(forward, right)
    rolled_right = np.cos(roll) * right + np.sin(roll) * down
    rolled_down = np.cos(roll) * down - np.sin(roll) * right
    at = -forward * scene.camera_height_mm / np.cos(tilt)
    return at.astype(np.float32), np.stack([rolled_right, rolled_down, forward]).astype(np.float32)


def _focal(scene: Scene, size_wh: tuple[int, int], at: Floats, turn: Floats) -> float:
    half = np.array(scene.tray_mm) / 2 + scene.rim_mm
    corners = np.array([[sx * half[0], sy * half[1], scene.rim_height_mm] for sx in (-1, 1) for sy in (-1, 1)])
    seen = (corners.astype(np.float32) - at) @ turn.T
    spread = np.abs(seen[:, :2] / seen[:, 2:]).max(axis=0)
    return float(scene.fill * np.min(np.array(size_wh) / 2 / spread))


def _rays(size_wh: tuple[int, int], focal: float, turn: Floats, aim_px: tuple[float, float]) -> Floats:
    (w, h), (right, down) = size_wh, aim_px
    x, y = np.meshgrid((np.arange(w) - right - w / 2 + 0.5) / focal, (np.arange(h) - down - h / 2 + 0.5) / focal)
    seen = np.stack([x, y, np.ones_like(x)])
    seen /= np.linalg.norm(seen, axis=0)
    return np.ascontiguousarray(np.einsum("ij,ihw->jhw", turn, seen), np.float32)


def _vignette(scene: Scene, size_wh: tuple[int, int]) -> Floats:
    w, h = size_wh
    x, y = np.meshgrid(np.linspace(-1, 1, w), np.linspace(-1, 1, h))
    return np.asarray(1 - scene.vignette * ((x * x + y * y) / 2) ** 1.3, np.float32)
