"""Hands as sprites, with their arms: fist, flat hand, pointing finger, pinch, grasp and cupped hand.

A limb is a chain of discs with skin stretched over them. Each limb lies over the one before and darkens its
rim. The distance from the outline gives a height, which is lit from one side.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import Literal

import cv2
import numpy as np
from numpy.typing import NDArray

Shape = Literal["fist", "flat", "point", "pinch", "grasp", "cup"]
SHAPES: tuple[Shape, ...] = ("fist", "flat", "point", "pinch", "grasp", "cup")

Floats = NDArray[np.float32]
Disc = tuple[float, float, float]
"""x, y and width, mm. The origin is the point of grip, and y runs down the arm."""

SKINS = ((150, 182, 228), (118, 152, 205), (96, 132, 190), (70, 104, 160), (44, 70, 116), (30, 46, 78))
"""Blue, green, red of skin, light to dark."""
SLEEVES = (
    (98, 66, 50),
    (40, 40, 44),
    (180, 176, 170),
    (60, 50, 130),
    (70, 100, 60),
    (130, 110, 90),
    (34, 60, 110),
)

ARM_MM = 620.0
"""Length of the arm from the grip: beyond any picture."""
REACH_MM = 75.0
"""Margin beyond the grip, mm."""
HALF_WIDTH_MM = 80.0
DETAIL_PX_MM = 2.0
"""Resolution at which a hand is drawn before it is scaled, px per mm."""

PALM: tuple[Disc, ...] = ((0, 128, 58), (0, 96, 64), (-7, 62, 60), (9, 62, 60), (0, 98, 62))
CURLED: dict[str, tuple[Disc, ...]] = {
    "index": ((-22, 48, 21), (-23, 26, 20), (-20, 12, 18), (-17, 22, 17)),
    "middle": ((-7, 44, 22), (-7, 20, 21), (-5, 6, 19), (-4, 18, 17)),
    "ring": ((8, 45, 21), (9, 22, 20), (9, 9, 18), (8, 20, 16)),
    "little": ((22, 52, 18), (23, 32, 17), (22, 20, 16), (19, 30, 14)),
}
SHAPE_LIMBS: dict[Shape, tuple[tuple[Disc, ...], ...]] = {
    "fist": (PALM, *CURLED.values(), ((-30, 86, 26), (-38, 58, 22), (-26, 34, 20), (-8, 30, 18))),
    "flat": (
        PALM,
        ((-32, 96, 26), (-50, 66, 21), (-54, 42, 18), (-53, 30, 16)),
        ((-21, 52, 21), (-25, 14, 19), (-27, -14, 17), (-28, -30, 15)),
        ((-7, 48, 21), (-8, 6, 20), (-8, -28, 17), (-8, -46, 15)),
        ((8, 49, 20), (10, 10, 19), (11, -20, 17), (12, -38, 15)),
        ((22, 56, 18), (26, 26, 16), (29, 4, 15), (31, -10, 13)),
    ),
    "point": (
        ((2, 150, 56), (2, 118, 60), (-4, 92, 56), (10, 92, 56), (2, 120, 58)),
        *(tuple((x + 3, y + 34, d) for x, y, d in CURLED[f]) for f in ("middle", "ring", "little")),
        ((-26, 118, 25), (-34, 92, 21), (-22, 70, 19), (-8, 66, 17)),
        ((-18, 82, 21), (-12, 44, 18), (-4, 20, 16), (0, 4, 14)),
    ),
    "pinch": (
        ((6, 142, 56), (6, 112, 58), (-2, 84, 54), (14, 84, 54), (6, 112, 56)),
        ((28, 78, 18), (33, 52, 16), (28, 32, 14), (22, 26, 13)),
        ((15, 72, 20), (20, 40, 17), (15, 20, 15), (11, 15, 13)),
        ((-25, 108, 25), (-32, 72, 20), (-19, 34, 17), (-7, 10, 14)),
        ((-6, 68, 20), (2, 34, 18), (6, 12, 16), (5, 3, 14)),
    ),
    "grasp": (
        ((0, 126, 58), (0, 92, 66), (-9, 56, 64), (11, 56, 64), (0, 92, 64)),
        ((-30, 88, 26), (-48, 54, 21), (-44, 24, 18), (-33, 8, 16)),
        ((-25, 42, 22), (-32, 8, 20), (-27, -14, 17), (-20, -22, 15)),
        ((-8, 38, 22), (-9, -4, 21), (-6, -26, 18), (-4, -34, 15)),
        ((10, 39, 21), (13, 2, 20), (13, -18, 17), (10, -27, 15)),
        ((26, 46, 18), (33, 18, 17), (32, 0, 15), (27, -9, 13)),
    ),
    "cup": (
        ((0, 110, 58), (0, 76, 66), (-9, 38, 64), (11, 38, 64), (0, 76, 64)),
        ((-24, 30, 22), (-27, 2, 20), (-22, -18, 17), (-16, -24, 15)),
        ((-8, 26, 22), (-8, -6, 21), (-5, -24, 18), (-3, -30, 15)),
        ((9, 27, 21), (11, -4, 20), (11, -20, 17), (9, -27, 15)),
        ((24, 34, 18), (30, 10, 17), (29, -6, 15), (24, -14, 13)),
        ((-30, 76, 26), (-44, 40, 22), (-36, 8, 19), (-22, -4, 17)),
    ),
}


@dataclass(frozen=True)
class Person:
    """The owner of a hand.

    size: 1 for a grown man.
    sleeve: None for a bare arm.
    light: unit vector to the lamp, in the picture.
    """

    skin_bgr: tuple[float, float, float]
    sleeve_bgr: tuple[float, float, float] | None
    sleeve_from_mm: float
    size: float
    light: tuple[float, float, float]
    brightness: float
    seed: int


def random_person(rng: np.random.Generator, brightness: float = 1.0) -> Person:
    skin = np.array(SKINS[int(rng.integers(len(SKINS)))]) * rng.uniform(0.92, 1.06) + rng.normal(0, 4, 3)
    sleeve = (
        np.array(SLEEVES[int(rng.integers(len(SLEEVES)))]) * rng.uniform(0.8, 1.2)
        if rng.random() < 0.65
        else None
    )
    angle = rng.uniform(0, 2 * np.pi)
    return Person(
        skin_bgr=_as_bgr(skin),
        sleeve_bgr=None if sleeve is None else _as_bgr(sleeve),
        sleeve_from_mm=float(rng.uniform(135, 260)),
        size=float(rng.uniform(0.72, 1.0)),
        light=(float(0.5 * np.cos(angle)), float(0.5 * np.sin(angle)), 0.87),
        brightness=brightness,
        seed=int(rng.integers(1 << 30)),
    )


def _as_bgr(colour: NDArray[np.floating]) -> tuple[float, float, float]:
    b, g, r = (float(c) for c in np.clip(colour, 8, 245))
    return b, g, r


@dataclass(frozen=True, eq=False)
class HandSprite:
    """A rendered hand.

    bgra: (h, w, 4) uint8 premultiplied.
    shade: (h, w) uint8 blurred outline for the shadow.
    grip_xy: px in the sprite.
    """

    bgra: NDArray[np.uint8]
    shade: NDArray[np.uint8]
    grip_xy: tuple[float, float]


def drawn_hand(person: Person, shape: Shape, px_mm: float) -> HandSprite:
    """The hand with its arm straight down the sprite, at px_mm px per millimetre of a grown man's hand."""
    rng = np.random.default_rng(person.seed)
    detail = DETAIL_PX_MM
    w, h = int(2 * HALF_WIDTH_MM * detail), int((REACH_MM + ARM_MM) * detail)
    colour, alpha = np.zeros((h, w, 3), np.float32), np.zeros((h, w), np.float32)
    grip = (HALF_WIDTH_MM * detail, REACH_MM * detail)
    limbs = SHAPE_LIMBS[shape]
    _, wrist_y, _ = limbs[0][0]
    arm = ((2, ARM_MM, 92), (2, wrist_y + 130, 78), (1, wrist_y + 40, 60), (0, wrist_y - 6, 54))
    for limb in (arm, *limbs):
        _add_limb(colour, alpha, limb, grip, person, rng)
    if person.sleeve_bgr is not None:
        cuff_y = max(person.sleeve_from_mm, wrist_y + 8)
        sleeve = ((3, ARM_MM, 112), (3, cuff_y + 110, 98), (1, cuff_y, 82))
        _add_limb(colour, alpha, sleeve, grip, person, rng, person.sleeve_bgr)
    return _shrunk(colour, alpha, grip, px_mm * person.size / detail)


def _add_limb(
    colour: Floats,
    alpha: Floats,
    limb: tuple[Disc, ...],
    grip: tuple[float, float],
    person: Person,
    rng: np.random.Generator,
    cloth_bgr: tuple[float, float, float] | None = None,
) -> None:
    """Draws one limb over the others, in place: its rim darkens them, and its root blends into them."""
    mask = np.zeros(alpha.shape, np.uint8)
    discs = [
        (grip[0] + x * DETAIL_PX_MM, grip[1] + y * DETAIL_PX_MM, d * DETAIL_PX_MM / 2) for x, y, d in limb
    ]
    for one, next_one in itertools.pairwise(discs):
        _stretch(mask, [one, next_one])
    ys, xs = np.nonzero(mask)
    y0, x0 = max(int(ys.min()) - 14, 0), max(int(xs.min()) - 14, 0)
    h, w = alpha.shape
    y1, x1 = min(int(ys.max()) + 15, h), min(int(xs.max()) + 15, w)
    part = (slice(y0, y1), slice(x0, x1))
    inside = mask[part]
    colour[part] *= 1 - 0.42 * (cv2.GaussianBlur(inside, (0, 0), 5)[..., None] / np.float32(255))
    light = _bulging_light(inside, person.light)
    size = (inside.shape[0], inside.shape[1])
    skin = _skin(size, person, rng) if cloth_bgr is None else _cloth(size, cloth_bgr, rng)
    root_y = grip[1] + limb[0][1] * DETAIL_PX_MM
    reach = (
        1.0
        if cloth_bgr is not None
        else np.clip((root_y - np.arange(y0, y1, dtype=np.float32)[:, None]) / 26 + 0.6, 0, 1)
    )
    over = (inside > 0) * np.where(alpha[part] > 0, reach, 1).astype(np.float32)
    colour[part] += (skin * light[..., None] * np.float32(person.brightness) - colour[part]) * over[..., None]
    alpha[part] = np.maximum(alpha[part], inside / np.float32(255))


def _stretch(mask: NDArray[np.uint8], discs: list[Disc]) -> None:
    """Fills the outline of skin stretched over two discs (x, y, radius), px."""
    turn = np.linspace(0, 2 * np.pi, 40)
    rings = [np.stack([x + r * np.cos(turn), y + r * np.sin(turn)], axis=1) for x, y, r in discs]
    cv2.fillConvexPoly(
        mask, cv2.convexHull(np.concatenate(rings).astype(np.float32)).round().astype(np.int32), (255,)
    )


def _bulging_light(mask: NDArray[np.uint8], light: tuple[float, float, float]) -> Floats:
    """(h, w) brightness of a rounded object with this outline."""
    depth = np.asarray(cv2.distanceTransform(mask, cv2.DIST_L2, 3), np.float32)
    thick = max(float(depth.max()), 1.0)
    height = cv2.GaussianBlur(
        np.sqrt(np.maximum(depth * (2 * thick - depth), 0)), (0, 0), max(thick / 5, 1.0)
    )
    dx, dy = (
        cv2.Sobel(height, cv2.CV_32F, 1, 0, scale=1 / 8),
        cv2.Sobel(height, cv2.CV_32F, 0, 1, scale=1 / 8),
    )
    facing = (-dx * light[0] - dy * light[1] + light[2]) / np.sqrt(1 + dx * dx + dy * dy)
    return np.asarray(0.42 + 0.66 * np.maximum(facing, 0), np.float32)


def _skin(shape: tuple[int, int], person: Person, rng: np.random.Generator) -> Floats:
    """(h, w, 3) skin with blotches, redder spots and fine lines."""
    fine = cv2.GaussianBlur(rng.standard_normal(shape, np.float32), (0, 0), 1.2)
    coarse = rng.standard_normal((shape[0] // 24 + 2, shape[1] // 24 + 2)).astype(np.float32)
    blotch = cv2.resize(coarse, (shape[1], shape[0]), interpolation=cv2.INTER_CUBIC)
    tone = np.array(person.skin_bgr, np.float32) * (1 + 0.05 * fine + 0.04 * blotch)[..., None]
    return np.asarray(tone + blotch[..., None] * np.array([-3, -2, 4], np.float32), np.float32)


def _cloth(shape: tuple[int, int], bgr: tuple[float, float, float], rng: np.random.Generator) -> Floats:
    """(h, w, 3) woven cloth with folds across the arm."""
    weave = cv2.GaussianBlur(rng.standard_normal(shape, np.float32), (0, 0), 1.6, sigmaY=0.8)
    coarse = rng.standard_normal((shape[0] // 60 + 2, 3)).astype(np.float32)
    folds = cv2.resize(coarse, (shape[1], shape[0]), interpolation=cv2.INTER_CUBIC)
    return np.asarray(np.array(bgr, np.float32) * (1 + 0.12 * weave + 0.12 * folds)[..., None], np.float32)


def _shrunk(colour: Floats, alpha: Floats, grip: tuple[float, float], scale: float) -> HandSprite:
    premultiplied = np.dstack([np.clip(colour, 0, 255) * alpha[..., None], alpha * 255])
    bgra = cv2.resize(
        premultiplied,
        None,
        fx=scale,
        fy=scale,
        interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR,
    )
    bgra = cv2.GaussianBlur(bgra, (0, 0), 0.6)
    shade = cv2.GaussianBlur(bgra[..., 3], (0, 0), max(5 * scale * DETAIL_PX_MM, 1.0))
    return HandSprite(
        np.rint(np.clip(bgra, 0, 255)).astype(np.uint8),
        np.rint(np.clip(shade, 0, 255)).astype(np.uint8),
        (grip[0] * scale, grip[1] * scale),
    )
