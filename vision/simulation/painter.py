"""The painter: draws poses as the scene's camera sees them, in the light there is just now."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np

from vision.frames import Picture
from vision.simulation.acting import Pose
from vision.simulation.dice import SimDie, body_of, draw_dice
from vision.simulation.hand import draw_hand
from vision.simulation.lighting import Light, Lit
from vision.simulation.scene import Scene
from vision.simulation.things import Thing, draw_things
from vision.simulation.tray import empty_tray
from vision.simulation.view import view_of

NOISE_ROOM = 48
"""How far the sheet of noise can be moved, px: 2304 different frames."""


class Painter:
    """Draws poses. What lies and stands still is drawn once and kept."""

    def __init__(self, scene: Scene, size_wh: tuple[int, int], rng: np.random.Generator) -> None:
        self.scene, self.size_wh = scene, size_wh
        self._rng = rng
        self._lit = Lit(Light(), size_wh, rng)
        self._empty: tuple[tuple[Scene, tuple[Thing, ...]] | None, Picture] = (
            None,
            empty_tray(scene, size_wh),
        )
        self._kept: tuple[tuple[Scene, tuple[SimDie, ...], tuple[Thing, ...]] | None, Picture] = (
            None,
            self._empty[1],
        )
        w, h = size_wh
        grain = rng.standard_normal((h + NOISE_ROOM, w + NOISE_ROOM, 3), np.float32) * scene.noise_sigma
        self._noise = np.rint(grain).astype(np.int16)

    def light(self, light: Light) -> None:
        """From the next picture on it is lit so; lamps and exposure take their time."""
        self._lit.change(light)

    def painted(self, pose: Pose, at_s: float = 0.0) -> Picture:
        """The picture of this pose at that moment, (h, w, 3); a new array every time."""
        scene = replace(self.scene, aim_px=pose.aim_px)
        canvas = self._still(scene, pose).copy()
        if pose.held:
            draw_things(canvas, view_of(scene, self.size_wh), scene, (pose.held,))
        if pose.flying:
            draw_dice(canvas, view_of(scene, self.size_wh), scene, pose.flying)
        if pose.hand:
            draw_hand(canvas, scene, self.size_wh, pose.hand)
        if any(pose.tremble_px):
            canvas = _swung(canvas, pose.tremble_px)
        return self.photographed(self._lit.lit(canvas, at_s))

    def photographed(self, canvas: Picture) -> Picture:
        """A soft lens and a noisy sensor; the noise is one large sheet laid on at another place every time."""
        soft = cv2.GaussianBlur(canvas, (3, 3), self.scene.blur_px)
        x, y = (int(v) for v in self._rng.integers(0, NOISE_ROOM, 2))
        h, w = soft.shape[:2]
        return np.asarray(cv2.add(soft, self._noise[y : y + h, x : x + w], dtype=cv2.CV_8U), np.uint8)

    def _still(self, scene: Scene, pose: Pose) -> Picture:
        key = (scene, pose.lying, pose.things)
        if self._kept[0] != key:
            canvas = self._tray(scene, pose.things).copy()
            draw_dice(
                canvas, view_of(scene, self.size_wh), scene, [body_of(die, scene) for die in pose.lying]
            )
            self._kept = (key, canvas)
        return self._kept[1]

    def _tray(self, scene: Scene, things: tuple[Thing, ...]) -> Picture:
        if self._empty[0] != (scene, things):
            canvas = empty_tray(scene, self.size_wh)
            if things:
                canvas = canvas.copy()
                draw_things(canvas, view_of(scene, self.size_wh), scene, things)
            self._empty = ((scene, things), canvas)
        return self._empty[1]


def _swung(canvas: Picture, by_px: tuple[float, float]) -> Picture:
    """The whole picture shifted; what comes in at the border is its mirror image."""
    move = np.array([[1, 0, by_px[0]], [0, 1, by_px[1]]], np.float32)
    size = (canvas.shape[1], canvas.shape[0])
    return np.asarray(
        cv2.warpAffine(canvas, move, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT_101),
        np.uint8,
    )
