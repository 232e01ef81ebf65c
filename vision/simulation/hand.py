"""The hand that reaches into the simulated tray: a sleeve, a palm and five fingers, drawn once and moved about."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frames import Picture
from vision.simulation.scene import BGR, Scene
from vision.simulation.view import Floats, view_of

HAND_MM = 55.0
"""How high over the floor the hand moves; it is drawn as large as that makes it."""

SKIN: BGR = (118, 152, 205)
SLEEVE: BGR = (98, 66, 50)
CUFF: BGR = (128, 92, 74)

Limb = tuple[tuple[tuple[float, float, float], ...], BGR]
"""Discs (x, y, width) that the limb's skin is stretched over, and its colour: mm from the fingertips, y down the arm."""

LIMBS: tuple[Limb, ...] = (
    (((8, 350, 96), (3, 150, 76)), SLEEVE),
    (((3, 154, 80), (3, 146, 78)), CUFF),
    (((2, 148, 50), (2, 112, 50), (-8, 84, 52), (9, 84, 52), (2, 112, 50)), SKIN),
    (((-16, 108, 26), (-36, 76, 19), (-31, 48, 16), (-22, 34, 14)), SKIN),
    (((23, 76, 18), (27, 50, 15), (22, 30, 13), (17, 24, 12)), SKIN),
    (((12, 70, 19), (15, 36, 16), (11, 16, 14), (8, 11, 13)), SKIN),
    (((-2, 68, 20), (-2, 32, 17), (-1, 10, 15), (-1, 5, 14)), SKIN),
    (((-17, 72, 19), (-18, 38, 16), (-13, 17, 14), (-10, 12, 13)), SKIN),
)

SHADOW_MM = (16.0, 14.0)
SHADOW_DEPTH = 0.45


@dataclass(frozen=True, eq=False)
class Sprite:
    """bgr (h, w, 3) float32 premultiplied, clear (h, w, 1) 1 - alpha, shade (h, w, 1) what the shadow leaves; `tip` px within."""

    bgr: Floats
    clear: Floats
    shade: Floats
    tip: tuple[int, int]
    shadow_px: tuple[int, int]


def draw_hand(canvas: Picture, scene: Scene, size_wh: tuple[int, int], tip_mm: tuple[float, float]) -> None:
    """Draws the hand with its fingertips over this place in the tray, its shadow first, in place."""
    sprite = hand_sprite(scene, size_wh)
    x, y = view_of(scene, size_wh).project(np.array([[*tip_mm, HAND_MM]], np.float32))[0]
    left, top = round(float(x)) - sprite.tip[0], round(float(y)) - sprite.tip[1]
    _lay(canvas, sprite.shade, None, left + sprite.shadow_px[0], top + sprite.shadow_px[1])
    _lay(canvas, sprite.clear, sprite.bgr, left, top)


def _lay(canvas: Picture, clear: Floats, bgr: Floats | None, left: int, top: int) -> None:
    h, w = canvas.shape[:2]
    sh, sw = clear.shape[:2]
    x0, y0, x1, y1 = max(left, 0), max(top, 0), min(left + sw, w), min(top + sh, h)
    if x0 >= x1 or y0 >= y1:
        return
    cut = (slice(y0 - top, y1 - top), slice(x0 - left, x1 - left))
    under = canvas[y0:y1, x0:x1]
    seen = under * clear[cut]
    under[:] = seen if bgr is None else seen + bgr[cut]


@lru_cache(maxsize=2)
def hand_sprite(scene: Scene, size_wh: tuple[int, int]) -> Sprite:
    """The hand as this scene's camera sees it."""
    scale = view_of(scene, size_wh).px_per_mm(HAND_MM)
    w, h, tip = round(150 * scale), round(340 * scale), (round(75 * scale), round(14 * scale))
    bgr, alpha = np.zeros((h, w, 3), np.float32), np.zeros((h, w), np.float32)
    for limb in LIMBS:
        _add_limb(bgr, alpha, limb, scale, tip, scene)
    alpha = np.asarray(cv2.GaussianBlur(alpha, (0, 0), 0.8))
    bgr = np.asarray(cv2.GaussianBlur(bgr, (0, 0), 0.8))
    shade = 1 - SHADOW_DEPTH * np.asarray(cv2.GaussianBlur(alpha, (0, 0), 7 * scale / 2))
    lx, ly, _ = scene.to_light
    shadow = (round(-np.sign(lx) * SHADOW_MM[0] * scale), round(np.sign(ly) * SHADOW_MM[1] * scale))
    return Sprite(bgr, 1 - alpha[..., None], shade[..., None], tip, shadow)


def _add_limb(bgr: Floats, alpha: Floats, limb: Limb, scale: float, tip: tuple[int, int], scene: Scene) -> None:
    """Draws one rounded limb over what is there, lit as a round thing, fading in where it grows out of the hand."""
    discs, colour = limb
    mask = np.zeros(alpha.shape, np.uint8)
    for pair in itertools.pairwise(discs):
        _stretch(mask, [(tip[0] + x * scale, tip[1] + y * scale, width * scale / 2) for x, y, width in pair])
    inside = mask > 0
    light = np.array(colour, np.float32) * np.array(scene.light_bgr, np.float32) * _rounded_light(mask, scene)[inside][:, None]
    root_y = tip[1] + discs[0][1] * scale
    over = np.clip((root_y - np.nonzero(mask)[0]) / (16 * scale), 0, 1) if colour == SKIN else np.ones(len(light))
    over = np.where(alpha[inside] > 0, over, 1)[:, None]
    bgr[inside] = bgr[inside] * (1 - over) + light * over
    alpha[inside] = 1


def _stretch(mask: NDArray[np.uint8], discs: list[tuple[float, float, float]]) -> None:
    """Fills the outline of a skin stretched over two discs (x, y, radius), px."""
    round_about = np.linspace(0, 2 * np.pi, 48)
    rings = [np.stack([x + r * np.cos(round_about), y + r * np.sin(round_about)], axis=1) for x, y, r in discs]
    hull = cv2.convexHull(np.concatenate(rings).astype(np.float32)).round().astype(np.int32)
    cv2.fillConvexPoly(mask, hull, (255,))


def _rounded_light(mask: NDArray[np.uint8], scene: Scene) -> Floats:
    """(h, w) brightness of a bulging thing of this outline."""
    depth = np.asarray(cv2.distanceTransform(mask, cv2.DIST_L2, 5), np.float32)
    thick = max(float(depth.max()), 1.0)
    height = cv2.GaussianBlur(np.sqrt(np.maximum(depth * (2 * thick - depth), 0)), (0, 0), max(thick / 6, 0.8))
    dx, dy = cv2.Sobel(height, cv2.CV_32F, 1, 0, scale=1 / 8), cv2.Sobel(height, cv2.CV_32F, 0, 1, scale=1 / 8)
    lx, ly, lz = scene.to_light
    lambert = np.maximum((-dx * lx + dy * ly + lz) / np.sqrt(1 + dx * dx + dy * dy), 0)
    return np.asarray(scene.exposure * (0.85 * scene.ambient + scene.key * lambert), np.float32)
