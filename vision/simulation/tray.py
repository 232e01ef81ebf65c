"""Renders the empty tray: felt, wooden rim and the surrounding table, cached per scene."""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frames import Picture
from vision.simulation.scene import BGR, Lining, Scene
from vision.simulation.view import Floats, view_of

TEXTURE_PX, WOOD_MM = 512, 300.0
"""Side of the wood texture, in px and on the rim."""
WAVES_MM = (170.0, 130.0)
"""Wavelengths of uneven felt, along x and along y."""
PAPER_REFLECTANCE = 0.92
"""Brightness of white paper, 0-1."""


@lru_cache(maxsize=2)
def empty_tray(scene: Scene, size_wh: tuple[int, int]) -> Picture:
    """The tray with nothing on it, without camera noise.

    The array is cached and read-only; copy it before drawing.
    """
    rng = np.random.default_rng(scene.texture_seed)
    colour = _floor(scene, size_wh, rng)
    _draw_walls(scene, size_wh, colour)
    _draw_rim(scene, size_wh, colour, rng)
    colour *= (view_of(scene, size_wh).vignette * scene.exposure)[..., None]
    picture = np.rint(np.clip(colour, 0, 255)).astype(np.uint8)  # truncation would shift the hue of dark felt
    picture.setflags(write=False)
    return picture


def _floor(scene: Scene, size_wh: tuple[int, int], rng: np.random.Generator) -> Floats:
    """(h, w, 3) float32: the lining over the whole picture, slightly darker near the walls."""
    x, y = view_of(scene, size_wh).plane_hits(0.0)
    half_w, half_h = scene.tray_mm[0] / 2, scene.tray_mm[1] / 2
    from_wall = np.minimum(half_w - np.abs(x), half_h - np.abs(y))
    shade = 1 - 0.35 * np.exp(-np.maximum(from_wall, 0) / (0.55 * scene.rim_height_mm))
    shade *= 1 - 0.45 * _wall_shadow(scene, x, y) * scene.key / (scene.key + scene.ambient)
    cloth = _shaded(scene, scene.felt_bgr, (0, 0, 1)) + _felt_grain(scene, size_wh, rng)[..., None]
    if scene.uneven_mm:
        cloth *= _slope_light(scene, x, y)[..., None]
    if scene.lining:
        _draw_lining(scene, scene.lining, x, y, cloth)
    return np.asarray(cloth * shade[..., None], np.float32)


def felt_slopes(scene: Scene, x: Floats, y: Floats) -> tuple[Floats, Floats, Floats]:
    """Slopes of uneven felt along x and along y at these points, and its height, mm."""
    width_phase, depth_phase = np.random.default_rng(scene.texture_seed).uniform(0, 2 * np.pi, 2)
    half, along, across = scene.uneven_mm / 2, 2 * np.pi / WAVES_MM[0], 2 * np.pi / WAVES_MM[1]
    rise = half * (np.sin(along * x + width_phase) + np.sin(across * y + depth_phase))
    return (
        np.asarray(half * along * np.cos(along * x + width_phase)),
        np.asarray(half * across * np.cos(across * y + depth_phase)),
        np.asarray(rise),
    )


def _slope_light(scene: Scene, x: Floats, y: Floats) -> Floats:
    """(h, w) gain of the light on uneven felt: slopes that face the light are brighter."""
    up_x, up_y, _ = felt_slopes(scene, x, y)
    lx, ly, lz = scene.to_light
    return np.asarray(1 - scene.key * (up_x * lx + up_y * ly) / (scene.ambient + scene.key * lz), np.float32)


def _draw_lining(scene: Scene, lining: Lining, x: Floats, y: Floats, cloth: Floats) -> None:
    """Draws the sheet on the felt, in the felt's light, in place."""
    (h, w), (wide, deep) = lining.picture.shape[:2], lining.size_mm
    columns = ((x / wide + 0.5) * w - 0.5).astype(np.float32)
    rows = ((0.5 - y / deep) * h - 0.5).astype(np.float32)
    sheet = cv2.remap(lining.picture, columns, rows, cv2.INTER_AREA, borderMode=cv2.BORDER_REPLICATE).astype(
        np.float32
    )
    inside = (np.abs(x) < wide / 2) & (np.abs(y) < deep / 2)
    cloth[inside] = (sheet * (_shaded(scene, (1, 1, 1), (0, 0, 1)) * PAPER_REFLECTANCE))[inside]


def _wall_shadow(scene: Scene, x: Floats, y: Floats) -> Floats:
    """(h, w) 0-1: share of the main light that the rim blocks at each floor point."""
    lx, ly, lz = scene.to_light
    run = scene.rim_height_mm / lz
    beyond = np.maximum(
        np.abs(x + lx * run) - scene.tray_mm[0] / 2, np.abs(y + ly * run) - scene.tray_mm[1] / 2
    )
    return np.asarray(np.clip(beyond / 5 + 0.5, 0, 1), np.float32)


def _felt_grain(scene: Scene, size_wh: tuple[int, int], rng: np.random.Generator) -> Floats:
    """(h, w) grey levels around 0: fibres and soft blotches."""
    w, h = size_wh
    fine = cv2.GaussianBlur(rng.standard_normal((h, w), np.float32), (0, 0), 0.7)
    fibres = cv2.GaussianBlur(rng.standard_normal((h, w), np.float32), (0, 0), 2.2, sigmaY=0.6)
    coarse = rng.standard_normal((max(h // 40, 2), max(w // 40, 2)), np.float32)
    blotch = cv2.resize(coarse, (w, h), interpolation=cv2.INTER_CUBIC)
    return np.asarray(scene.grain * (0.9 * fine + 1.1 * fibres + 0.3 * blotch) * 0.55, np.float32)


def _draw_walls(scene: Scene, size_wh: tuple[int, int], colour: Floats) -> None:
    """Draws the walls where a ray meets one before the floor, darker towards the floor, in place."""
    view = view_of(scene, size_wh)
    x, y = view.plane_hits(0.0)
    over_x = np.abs(x) - scene.tray_mm[0] / 2
    over_y = np.abs(y) - scene.tray_mm[1] / 2
    past_x = over_x / np.maximum(np.abs(x - view.position[0]), 1e-3)
    past_y = over_y / np.maximum(np.abs(y - view.position[1]), 1e-3)
    height = np.maximum(past_x, past_y) * view.position[2]
    side_wall = past_x > past_y
    up = np.clip(height / scene.rim_height_mm, 0, 1)
    for mask, normal in (
        (side_wall & (x > 0), (-1, 0, 0)), (side_wall & (x <= 0), (1, 0, 0)),
        (~side_wall & (y > 0), (0, -1, 0)), (~side_wall & (y <= 0), (0, 1, 0)),
    ):  # fmt: skip
        here = mask & (height > 0)
        wall = _shaded(scene, scene.felt_bgr, normal)
        colour[here] = wall * (0.6 + 0.4 * up[here])[:, None]


def _draw_rim(scene: Scene, size_wh: tuple[int, int], colour: Floats, rng: np.random.Generator) -> None:
    """Draws the rim's top with grain, bevelled edges and mitred corners, and the table beyond it, in
    place."""
    x, y = view_of(scene, size_wh).plane_hits(scene.rim_height_mm)
    px_mm = 1 / view_of(scene, size_wh).px_per_mm(scene.rim_height_mm)
    out_x, out_y = np.abs(x) - scene.tray_mm[0] / 2, np.abs(y) - scene.tray_mm[1] / 2
    outward = np.maximum(out_x, out_y)
    wood = _wood(scene, x, y, out_x > out_y, rng)
    bevel = np.minimum(outward, scene.rim_mm - outward)
    wood *= (0.78 + 0.22 * np.clip(bevel / 2.2, 0, 1))[..., None]
    wood *= (1 - 0.35 * np.clip(1 - np.abs(out_x - out_y) / px_mm, 0, 1) * (outward > 0))[..., None]
    _blend(colour, wood, np.clip(outward / px_mm + 0.5, 0, 1))
    shadow = 0.5 * np.exp(-np.maximum(outward - scene.rim_mm, 0) / 9)
    table = _shaded(scene, scene.table_bgr, (0, 0, 1)) * (1 - shadow)[..., None]
    _blend(colour, table, np.clip((outward - scene.rim_mm) / px_mm + 0.5, 0, 1))


def _wood(scene: Scene, x: Floats, y: Floats, on_side: NDArray[np.bool_], rng: np.random.Generator) -> Floats:
    """(h, w, 3) wood, with its grain along each side of the rim."""
    coarse = rng.standard_normal((TEXTURE_PX, 10), np.float32)
    grain = cv2.resize(coarse, (TEXTURE_PX, TEXTURE_PX), interpolation=cv2.INTER_CUBIC)
    grain = cv2.GaussianBlur(grain, (0, 0), 1.0) + 0.35 * cv2.GaussianBlur(grain, (0, 0), 9)
    along, across = np.where(on_side, y, x), np.where(on_side, x, y)
    scale = TEXTURE_PX / WOOD_MM
    wavy = across * scale * 2.2 + 5 * np.sin(along / 37)
    lines = cv2.remap(
        grain,
        ((along + WOOD_MM / 2) * scale).astype(np.float32),
        wavy.astype(np.float32),
        cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_WRAP,
    )
    return np.asarray(_shaded(scene, scene.rim_bgr, (0, 0, 1)) * (1 + 0.22 * lines)[..., None], np.float32)


def _shaded(scene: Scene, bgr: BGR, normal: tuple[float, float, float]) -> Floats:
    """(3,) colour of a matt surface in the scene's light."""
    lambert = max(0.0, float(np.dot(normal, scene.to_light)))
    strength = scene.ambient * (0.55 + 0.45 * normal[2]) + scene.key * lambert
    return np.asarray(np.array(bgr) * np.array(scene.light_bgr) * strength, np.float32)


def _blend(under: Floats, over: Floats, alpha: Floats) -> None:
    under += (over - under) * alpha[..., None]
