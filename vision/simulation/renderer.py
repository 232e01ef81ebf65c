"""Renderer: renders frame states as the scene's camera sees them, in the current light."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np

from vision.frames import Picture
from vision.simulation.acting import FrameState
from vision.simulation.dice import SimDie, body_of
from vision.simulation.hand import draw_hand
from vision.simulation.lighting import Light, Lighting
from vision.simulation.scene import Scene
from vision.simulation.solids import draw_solids
from vision.simulation.sticks import SimStick, stick_body
from vision.simulation.things import Thing, draw_things
from vision.simulation.tray import empty_tray
from vision.simulation.view import view_of

_Resting = tuple[Scene, tuple[SimDie, ...], tuple[SimStick, ...], tuple[Thing, ...]]

NOISE_MARGIN_PX = 48
"""Largest shift of the noise field: 2304 different frames."""


class Renderer:
    """Renders frame states. Everything at rest is rendered once and cached."""

    def __init__(self, scene: Scene, size_wh: tuple[int, int], rng: np.random.Generator) -> None:
        self.scene, self.size_wh = scene, size_wh
        self._rng = rng
        self._lighting = Lighting(Light(), size_wh, rng)
        self._tray_cache: tuple[tuple[Scene, tuple[Thing, ...]] | None, Picture] = (
            None,
            empty_tray(scene, size_wh),
        )
        self._static_cache: tuple[_Resting | None, Picture] = (None, self._tray_cache[1])
        w, h = size_wh
        grain = (
            rng.standard_normal((h + NOISE_MARGIN_PX, w + NOISE_MARGIN_PX, 3), np.float32) * scene.noise_sigma
        )
        self._noise = np.rint(grain).astype(np.int16)

    def set_light(self, light: Light) -> None:
        """Changes the light from the next picture on; lamps and auto-exposure change gradually."""
        self._lighting.change(light)

    def render(self, state: FrameState, at_s: float = 0.0) -> Picture:
        """The picture of this state at this time, (h, w, 3) uint8; always a new array."""
        scene = replace(self.scene, aim_px=state.aim_px)
        canvas = self._static_picture(scene, state).copy()
        if state.held:
            draw_things(canvas, view_of(scene, self.size_wh), scene, (state.held,))
        if state.flying:
            draw_solids(canvas, view_of(scene, self.size_wh), scene, state.flying)
        if state.hand:
            draw_hand(canvas, scene, self.size_wh, state.hand)
        if any(state.tremble_px):
            canvas = _shifted(canvas, state.tremble_px)
        return self.apply_camera(self._lighting.apply(canvas, at_s))

    def apply_camera(self, canvas: Picture) -> Picture:
        """The canvas with lens blur and sensor noise; every frame takes another window of one noise field."""
        blurred = cv2.GaussianBlur(canvas, (3, 3), self.scene.blur_px)
        x, y = (int(v) for v in self._rng.integers(0, NOISE_MARGIN_PX, 2))
        h, w = blurred.shape[:2]
        return np.asarray(cv2.add(blurred, self._noise[y : y + h, x : x + w], dtype=cv2.CV_8U), np.uint8)

    def _static_picture(self, scene: Scene, state: FrameState) -> Picture:
        key = (scene, state.lying, state.sticks, state.things)
        if self._static_cache[0] != key:
            canvas = self._tray_with_things(scene, state.things).copy()
            solids = [*(body_of(die, scene) for die in state.lying), *map(stick_body, state.sticks)]
            draw_solids(canvas, view_of(scene, self.size_wh), scene, solids)
            self._static_cache = (key, canvas)
        return self._static_cache[1]

    def _tray_with_things(self, scene: Scene, things: tuple[Thing, ...]) -> Picture:
        if self._tray_cache[0] != (scene, things):
            canvas = empty_tray(scene, self.size_wh)
            if things:
                canvas = canvas.copy()
                draw_things(canvas, view_of(scene, self.size_wh), scene, things)
            self._tray_cache = ((scene, things), canvas)
        return self._tray_cache[1]


def _shifted(canvas: Picture, by_px: tuple[float, float]) -> Picture:
    """The picture shifted by this much, with mirrored borders."""
    shift = np.array([[1, 0, by_px[0]], [0, 1, by_px[1]]], np.float32)
    size = (canvas.shape[1], canvas.shape[0])
    return np.asarray(
        cv2.warpAffine(canvas, shift, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT_101),
        np.uint8,
    )
