"""Renders the hand over the simulated tray, in several shapes, from any side, with many skins and sleeves.

Theory of operation. A hand consists of limbs, each a chain of balls with skin stretched between them. From
above they form a height map: every pixel has the height of the highest limb there, with a smooth transition
between limbs. The gradient of the heights gives the shading, points below their neighbourhood are darker
(ambient occlusion), and the outline is the edge of the height map. The sprite is rendered once per shape,
side and person, and then moved. Fast movement adds motion blur.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass, replace
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frames import Picture
from vision.simulation.scene import BGR, Scene
from vision.simulation.view import Floats, view_of

HAND_MM = 45.0
"""Usual height of a hand over the floor; it sets the size of the sprite."""

SKINS: tuple[BGR, ...] = ((128, 160, 212), (148, 180, 228), (92, 126, 182), (66, 92, 140), (42, 58, 92))
"""From fair to dark."""
SLEEVES: tuple[BGR | None, ...] = (
    (98, 66, 50),
    (60, 60, 66),
    (196, 200, 204),
    (60, 44, 132),
    (72, 96, 66),
    None,
)
"""Blue, charcoal, white, red and green cloth; None is a bare arm."""

BLEND_MM = 6.0
"""Width of the transition between the skin of two limbs."""
MAX_THICKNESS_MM = 14.0
"""A limb wider than this is flatter than a ball of its width."""
SPRITE_SCALE = 0.5
"""Scale at which hands are rendered before they are enlarged: they are soft, and nearer than the camera's
focus."""
ARM_MM = 260.0
"""Length of the forearm: as much as a tray can show."""
SHADOW_DEPTH, SHADOW_SOFT_MM = 0.5, 5.0
"""Share of the light that a hand's shadow takes, and the sigma of its soft edge."""
MIN_BLUR_PX = 2.0
"""A hand that moves less than this during the exposure has no motion blur."""
TURN_STEP_RAD = np.pi / 18
"""Step between the sides for which hands are rendered and cached."""

Ball = tuple[float, float, float, float]
"""x, y, width, and height over the back of the palm, mm. The origin is at the fingertips, and y runs up the
arm."""


@dataclass(frozen=True)
class Person:
    """The owner of a hand, as indices into SKINS and SLEEVES."""

    skin: int = 0
    sleeve: int = 0


@dataclass(frozen=True)
class Hand:
    """A hand in one frame.

    shape: one of SHAPES.
    tip_mm: position of the fingertips.
    from_rad: the side the arm comes from, -pi/2 = the lower border.
    moved_mm: movement during the exposure.
    """

    shape: str
    tip_mm: tuple[float, float, float]
    from_rad: float = -np.pi / 2
    person: Person = Person()
    moved_mm: tuple[float, float] = (0.0, 0.0)


def _arm(y: float) -> tuple[Ball, ...]:
    """The forearm from the wrist at `y` upwards."""
    return ((2, y, 50, 0), (4, y + 60, 60, 2), (8, y + ARM_MM, 86, 6))


PALM: tuple[tuple[Ball, ...], ...] = (
    ((3, 148, 48, 0), (2, 122, 52, 2)),
    ((2, 122, 50, 2), (-11, 84, 40, 5), (14, 84, 38, 4), (2, 122, 50, 2)),
)
CURLED: tuple[tuple[Ball, ...], ...] = (
    ((-3, 76, 22, 8), (-3, 54, 21, 9), (-1, 62, 17, -4)),
    ((13, 77, 21, 8), (14, 56, 20, 8), (13, 64, 16, -4)),
    ((27, 82, 19, 6), (28, 64, 18, 5), (25, 72, 14, -6)),
)
"""Middle, ring and little finger bent into the palm."""

SHAPES: dict[str, tuple[tuple[Ball, ...], ...]] = {
    "grasp": (
        *PALM,
        ((-18, 112, 30, 0), (-37, 78, 20, -4), (-31, 48, 17, -10), (-20, 32, 14, -16)),
        ((24, 80, 18, 2), (28, 52, 16, -3), (22, 30, 13, -14)),
        ((13, 76, 20, 4), (16, 38, 17, 0), (9, 10, 13, -15)),
        ((-2, 74, 21, 5), (-2, 34, 18, 1), (-1, 4, 14, -14)),
        ((-18, 78, 20, 4), (-19, 40, 17, 0), (-11, 11, 13, -14)),
    ),
    "open": (
        *PALM,
        ((-18, 112, 30, 0), (-46, 82, 21, -3), (-60, 52, 18, -6), (-62, 36, 14, -8)),
        ((26, 82, 18, 2), (44, 54, 16, 0), (52, 32, 12, -4)),
        ((14, 77, 20, 4), (22, 38, 17, 3), (26, 8, 13, -3)),
        ((-2, 75, 21, 5), (-2, 34, 18, 4), (-2, 0, 14, -3)),
        ((-19, 79, 20, 4), (-28, 40, 17, 2), (-32, 10, 13, -4)),
    ),
    "flat": (
        *PALM,
        ((-18, 112, 30, -2), (-42, 80, 21, -6), (-52, 54, 18, -8), (-54, 40, 14, -9)),
        ((26, 82, 18, -2), (34, 54, 16, -6), (36, 32, 12, -8)),
        ((14, 77, 20, 0), (17, 38, 17, -5), (18, 9, 13, -8)),
        ((-2, 75, 21, 0), (-2, 34, 18, -5), (-2, 0, 14, -8)),
        ((-19, 79, 20, 0), (-22, 40, 17, -5), (-23, 9, 13, -8)),
    ),
    "pinch": (
        *PALM,
        *CURLED,
        ((-18, 112, 30, 0), (-34, 76, 20, -2), (-24, 38, 17, -10), (-7, 8, 14, -20)),
        ((-19, 78, 21, 6), (-14, 40, 18, 6), (1, 4, 14, -18)),
    ),
    "finger": (
        *PALM,
        *CURLED,
        ((-18, 112, 30, 0), (-33, 84, 20, 0), (-24, 60, 17, 3), (-12, 54, 15, 4)),
        ((-19, 78, 21, 5), (-14, 40, 18, 2), (0, 2, 14, -16)),
    ),
    "fist": (
        ((3, 112, 48, 0), (2, 86, 52, 2)),
        ((2, 86, 50, 2), (-11, 46, 42, 5), (14, 48, 40, 4), (2, 86, 50, 2)),
        *(tuple((x, y - 38, width, high) for x, y, width, high in limb) for limb in CURLED),
        ((-19, 40, 22, 7), (-19, 18, 21, 8), (-17, 26, 17, -4)),
        ((-18, 76, 30, 0), (-30, 46, 20, 2), (-18, 26, 17, 8), (-6, 24, 15, 9)),
    ),
}  # fmt: skip
"""Limbs of a right hand with its back up."""

NAILED_LIMBS = {"grasp": 5, "open": 5, "flat": 5, "pinch": 2, "finger": 1, "fist": 0}
"""Number of limbs, counted from the last, that end in a fingertip with a visible nail."""


@dataclass(frozen=True, eq=False)
class Sprite:
    """A rendered hand: premultiplied bgr, transparency, and shade (light in the shadow), (h, w, 3) uint8.

    255 in transparency and shade is all of the light. tip: position of the fingertips in the sprite, px.
    shadow_px: offset of the shadow.
    """

    bgr: NDArray[np.uint8]
    transparency: NDArray[np.uint8]
    shade: NDArray[np.uint8]
    tip: tuple[int, int]
    shadow_px: tuple[int, int]


def draw_hand(canvas: Picture, scene: Scene, size_wh: tuple[int, int], hand: Hand) -> None:
    """Draws the shadow, then the hand, in place."""
    sprite = hand_sprite(
        replace(scene, aim_px=(0.0, 0.0)), size_wh, hand.shape, hand.person, _turn_steps(hand.from_rad)
    )
    view = view_of(scene, size_wh)
    x, y = view.project(np.array([hand.tip_mm], np.float32))[0]
    moved_px = np.array([hand.moved_mm[0], -hand.moved_mm[1]]) * view.px_per_mm(HAND_MM)
    left, top = round(float(x)) - sprite.tip[0], round(float(y)) - sprite.tip[1]
    _composite(canvas, sprite.shade, None, left + sprite.shadow_px[0], top + sprite.shadow_px[1], moved_px)
    _composite(canvas, sprite.transparency, sprite.bgr, left, top, moved_px)


def _composite(
    canvas: Picture,
    transparency: NDArray[np.uint8],
    bgr: NDArray[np.uint8] | None,
    left: int,
    top: int,
    moved_px: Floats,
) -> None:
    h, w = canvas.shape[:2]
    sh, sw = transparency.shape[:2]
    x0, y0, x1, y1 = max(left, 0), max(top, 0), min(left + sw, w), min(top + sh, h)
    if x0 >= x1 or y0 >= y1:
        return
    window = (slice(y0 - top, y1 - top), slice(x0 - left, x1 - left))
    under = canvas[y0:y1, x0:x1]
    result = cv2.multiply(
        under,
        _motion_blurred(transparency[window], moved_px) if bgr is not None else transparency[window],
        scale=1 / 255,
    )
    under[:] = result if bgr is None else cv2.add(result, _motion_blurred(bgr[window], moved_px))


def _motion_blurred(sprite: NDArray[np.uint8], moved_px: Floats) -> NDArray[np.uint8]:
    """The sprite with linear motion blur.

    It is computed at half or a quarter of the size, because the blur hides detail.
    """
    length = float(np.linalg.norm(moved_px))
    if length < MIN_BLUR_PX:
        return sprite
    factor = 2 if length < 3 * MIN_BLUR_PX else 4
    size = max(int(np.ceil(length / factor)) | 1, 3)
    line = np.zeros((size, size), np.float32)
    ends = np.rint((size - 1) / 2 + np.outer((-1, 1), moved_px / length * (size - 1) / 2)).astype(int)
    cv2.line(line, tuple(ends[0].tolist()), tuple(ends[1].tolist()), (1.0,), 1)
    h, w = sprite.shape[:2]
    small = cv2.resize(sprite, (max(w // factor, 1), max(h // factor, 1)), interpolation=cv2.INTER_AREA)
    small = cv2.filter2D(small, -1, line / line.sum(), borderType=cv2.BORDER_REPLICATE)
    return np.asarray(cv2.resize(small, (w, h), interpolation=cv2.INTER_LINEAR), np.uint8)


def prerender_hands(scene: Scene, size_wh: tuple[int, int], hands: tuple[Hand, ...]) -> None:
    """Renders these hands in advance, so that their first frame is not late."""
    for hand in hands:
        hand_sprite(scene, size_wh, hand.shape, hand.person, _turn_steps(hand.from_rad))


def _turn_steps(from_rad: float) -> int:
    return round((from_rad + np.pi / 2) / TURN_STEP_RAD) % round(2 * np.pi / TURN_STEP_RAD)


@lru_cache(maxsize=8)
def hand_sprite(scene: Scene, size_wh: tuple[int, int], shape: str, person: Person, turn: int) -> Sprite:
    """The hand as this scene's camera sees it.

    turn: steps of TURN_STEP_RAD counterclockwise from the lower border.
    """
    scale = view_of(scene, size_wh).px_per_mm(HAND_MM) * SPRITE_SCALE
    limbs = [
        _rotated(limb, turn * TURN_STEP_RAD)
        for limb in (_arm(146 if shape != "fist" else 110), *SHAPES[shape])
    ]
    (left, top), (w, h) = _sprite_bounds(limbs, scale)
    heights, cloth = _height_map(limbs, scale, (left, top), (w, h), person)
    alpha = np.asarray(cv2.GaussianBlur(np.clip(heights + 0.5, 0, 1), (0, 0), 0.5), np.float32)
    bgr = _shaded(heights, cloth, scene, person, scale)
    for limb in limbs[-NAILED_LIMBS[shape] :] if NAILED_LIMBS[shape] else ():
        _nail(bgr, limb, scale, (left, top), person)
    soft = cv2.GaussianBlur(alpha, (0, 0), SHADOW_SOFT_MM * scale)
    lx, ly, lz = scene.to_light
    fall_px = HAND_MM * 0.75 / lz * scale
    shade = 1 - SHADOW_DEPTH * scene.key / (scene.key + 0.6 * scene.ambient) * soft
    return Sprite(
        _upscaled(bgr * alpha[..., None]), _upscaled(_grey(1 - alpha)), _upscaled(_grey(shade)),
        (round(-left / SPRITE_SCALE), round(-top / SPRITE_SCALE)),
        (round(-lx * fall_px / SPRITE_SCALE), round(ly * fall_px / SPRITE_SCALE)),
    )  # fmt: skip


def _grey(share: Floats) -> Floats:
    """(h, w) 0-1 -> (h, w, 3) 0-255."""
    return np.repeat(255 * share[..., None], 3, axis=2)


def _upscaled(sprite: Floats) -> NDArray[np.uint8]:
    """The sprite as uint8, enlarged to its size in the picture."""
    small = np.asarray(np.rint(np.clip(sprite, 0, 255)), np.uint8)
    return np.asarray(
        cv2.resize(small, None, fx=1 / SPRITE_SCALE, fy=1 / SPRITE_SCALE, interpolation=cv2.INTER_CUBIC),
        np.uint8,
    )


def _rotated(limb: tuple[Ball, ...], angle: float) -> tuple[Ball, ...]:
    """The limb rotated counterclockwise about the fingertips, in the picture's axes (y down)."""
    c, s = float(np.cos(angle)), float(np.sin(angle))
    return tuple((x * c + y * s, -x * s + y * c, width, high) for x, y, width, high in limb)


def _sprite_bounds(limbs: list[tuple[Ball, ...]], scale: float) -> tuple[tuple[int, int], tuple[int, int]]:
    """Left and top of the sprite from the fingertips, and its size, px, with a margin for the shadow."""
    balls = np.array([ball for limb in limbs for ball in limb])
    margin = balls[:, 2] / 2 + 3 * SHADOW_SOFT_MM
    low = np.floor(((balls[:, :2] - margin[:, None]) * scale).min(axis=0)).astype(int)
    high = np.ceil(((balls[:, :2] + margin[:, None]) * scale).max(axis=0)).astype(int)
    return (int(low[0]), int(low[1])), (int(high[0] - low[0]), int(high[1] - low[1]))


def _height_map(
    limbs: list[tuple[Ball, ...]],
    scale: float,
    corner: tuple[int, int],
    size_wh: tuple[int, int],
    person: Person,
) -> tuple[Floats, Floats]:
    """(h, w) height of the skin, px, below zero outside, and (h, w) 0-1 mask of cloth."""
    heights, cloth = np.full(size_wh[::-1], -30.0, np.float32), np.zeros(size_wh[::-1], np.float32)
    for n, limb in enumerate(limbs):
        for m, (a, b) in enumerate(itertools.pairwise(limb)):
            sleeved = n == 0 and m > 0 and SLEEVES[person.sleeve] is not None
            _add_segment(
                heights,
                cloth,
                _ball_px(a, scale, corner, sleeved),
                _ball_px(b, scale, corner, sleeved),
                sleeved,
                scale,
            )
    return heights, cloth


def _ball_px(
    ball: Ball, scale: float, corner: tuple[int, int], sleeved: bool
) -> tuple[float, float, float, float]:
    """Centre x and y, radius and height of a ball in the sprite, px; a sleeve is wider than the arm."""
    x, y, width, high = ball
    radius = width / 2 + (7 if sleeved else 0)
    return (
        x * scale - corner[0],
        y * scale - corner[1],
        radius * scale,
        (high + (5 if sleeved else 0)) * scale,
    )


def _add_segment(
    heights: Floats, cloth: Floats, a: tuple[float, ...], b: tuple[float, ...], sleeved: bool, scale: float
) -> None:
    """Adds skin stretched over two balls to the height map, in place, with a smooth transition."""
    h, w = heights.shape
    margin_px = max(a[2], b[2]) + 2 * scale
    x0, x1 = max(int(min(a[0], b[0]) - margin_px), 0), min(int(max(a[0], b[0]) + margin_px) + 1, w)
    y0, y1 = max(int(min(a[1], b[1]) - margin_px), 0), min(int(max(a[1], b[1]) + margin_px) + 1, h)
    y, x = np.mgrid[y0:y1, x0:x1].astype(np.float32)
    direction = np.array([b[0] - a[0], b[1] - a[1]], np.float32)
    along = np.clip(
        ((x - a[0]) * direction[0] + (y - a[1]) * direction[1]) / max(float(direction @ direction), 1e-6),
        0,
        1,
    )
    distance = np.hypot(x - a[0] - along * direction[0], y - a[1] - along * direction[1])
    radius, high = a[2] + along * (b[2] - a[2]), a[3] + along * (b[3] - a[3])
    inside = np.maximum(radius * radius - distance * distance, 0)
    flat = np.minimum(1, MAX_THICKNESS_MM * scale * np.float32(1.6 if sleeved else 1) / radius)
    skin = np.where(
        distance < radius, np.sqrt(inside) * flat + np.maximum(high + 10 * scale, 0), radius - distance
    )
    current_heights, blend_px = heights[y0:y1, x0:x1], np.float32(BLEND_MM * scale)
    weight = np.clip(0.5 + 0.5 * (skin - current_heights) / blend_px, 0, 1)
    overlap = (current_heights > 0) & (skin > 0)
    blended = (
        current_heights
        + (skin - current_heights) * weight
        + np.where(overlap, blend_px * weight * (1 - weight), 0)
    )
    cloth[y0:y1, x0:x1] = np.where(skin > current_heights, np.float32(sleeved), cloth[y0:y1, x0:x1])
    heights[y0:y1, x0:x1] = np.where(overlap, blended, np.maximum(current_heights, skin))


def _shaded(heights: Floats, cloth: Floats, scene: Scene, person: Person, scale: float) -> Floats:
    """(h, w, 3) the shaded hand: skin is redder at grazing angles, cloth has weave and folds."""
    rng = np.random.default_rng(person.skin * 7 + person.sleeve)
    surface = cv2.GaussianBlur(np.maximum(heights, -4), (0, 0), 0.9)
    surface = np.asarray(surface + cloth * _folds(rng, heights.shape) * scale, np.float32)
    dx, dy = (cv2.Sobel(surface, cv2.CV_32F, *direction, scale=1 / 8) for direction in ((1, 0), (0, 1)))
    lx, ly, lz = scene.to_light
    normal_z = 1 / np.sqrt(1 + dx * dx + dy * dy)
    lambert = np.maximum((-dx * lx + dy * ly + lz) * normal_z, 0)
    occlusion = np.clip((cv2.GaussianBlur(surface, (0, 0), 4 * scale) - surface) / (9 * scale), 0, 0.5)
    soft = np.where(cloth > 0.5, lambert, 0.25 + 0.75 * lambert)
    light = (
        scene.ambient * (0.55 + 0.45 * normal_z) * (1 - 1.1 * occlusion)
        + scene.key * soft * (1 - 0.7 * occlusion)
    ) * scene.exposure
    skin = np.array(SKINS[person.skin], np.float32) * (
        1 + _mottle(rng, heights.shape)[..., None] * (0.5, 1.0, 0.8)
    )
    skin = skin * (1 - (1 - normal_z)[..., None] * np.array((0.42, 0.34, 0.12)))  # subsurface light is red
    weave = 1 + 0.06 * rng.standard_normal(heights.shape, np.float32)
    sleeve = np.array(SLEEVES[person.sleeve] or SKINS[person.skin], np.float32) * weave[..., None]
    colour = skin + (sleeve - skin) * cv2.GaussianBlur(cloth, (0, 0), 0.6)[..., None]
    return np.asarray(colour * light[..., None] * np.array(scene.light_bgr, np.float32), np.float32)


def _mottle(rng: np.random.Generator, shape: tuple[int, ...]) -> Floats:
    """(h, w) variation of the skin colour: soft spots a few millimetres wide."""
    small = rng.standard_normal((shape[0] // 14 + 2, shape[1] // 14 + 2), np.float32)
    return np.asarray(
        0.022 * cv2.resize(small, (shape[1], shape[0]), interpolation=cv2.INTER_CUBIC), np.float32
    )


def _folds(rng: np.random.Generator, shape: tuple[int, ...]) -> Floats:
    """(h, w) mm: folds of the cloth."""
    small = rng.standard_normal((shape[0] // 36 + 2, shape[1] // 60 + 2), np.float32)
    return np.asarray(
        1.6 * cv2.resize(small, (shape[1], shape[0]), interpolation=cv2.INTER_CUBIC), np.float32
    )


def _nail(bgr: Floats, limb: tuple[Ball, ...], scale: float, corner: tuple[int, int], person: Person) -> None:
    """Draws a nail at the end of a limb, smoother and paler than the skin, in place."""
    (bx, by, _, _), (x, y, width, _) = limb[-2:]
    direction = np.array([x - bx, y - by]) / np.hypot(x - bx, y - by)
    middle = (np.array([x, y]) + direction * width * 0.08) * scale - corner
    mask = np.zeros(bgr.shape[:2], np.float32)
    axes = (round(width * 0.36 * scale), round(width * 0.29 * scale))
    turn = float(np.degrees(np.arctan2(direction[1], direction[0])))
    cv2.ellipse(mask, (round(middle[0]), round(middle[1])), axes, turn, 0, 360, (0.75,), -1, cv2.LINE_AA)
    paler = np.minimum(np.array(SKINS[person.skin]) * (1.12, 1.08, 1.1) + (10, 8, 14), 245)
    light = bgr.sum(axis=2, keepdims=True) / sum(SKINS[person.skin])
    soft = cv2.GaussianBlur(mask, (0, 0), 0.6)[..., None]
    bgr[:] = bgr * (1 - soft) + paler * light * soft
