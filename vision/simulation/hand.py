"""The hand that reaches into the simulated tray, in several shapes, from any side, with many skins and sleeves.

Theory of operation. A hand is a few limbs, each a row of balls with skin stretched from one to the next. Seen from above they make a
hilly surface: every pixel is as high as the highest limb there, and where two meet their skin flows together. The slope of the hills
tells how light falls on them, what lies lower than its neighbourhood is darker, and the outline is where the hills end. That is drawn
once for a shape, a side and a person, and moved about; what moves fast is smeared along its way.
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
"""How high over the floor a hand is, seen from above, at most times; it is drawn as large as that makes it."""

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
"""Blue, charcoal, white, red and green cloth; None: a bare arm."""

FLOW_MM = 6.0
"""How widely the skin of two limbs flows together."""
THICK_MM = 14.0
"""A limb wider than this is flatter than it is wide."""
FINENESS = 0.5
"""Hands are drawn this much smaller than they are shown: they are soft, and nearer to the camera than what it is focused on."""
ARM_MM = 260.0
"""As much of the arm as a tray can show."""
SHADOW_DEPTH = 0.5
SHADOW_SOFT_MM = 5.0
SMEAR_FROM_PX = 2.0
"""A hand that moves less than this while the shutter is open is drawn sharp."""
TURN_STEP_RAD = np.pi / 18
"""Hands are drawn for sides this far apart, and kept."""

Ball = tuple[float, float, float, float]
"""x, y, width and height over the palm's back, mm, from the fingertips, y up the arm."""


@dataclass(frozen=True)
class Person:
    """Whose hand it is: places in SKINS and in SLEEVES."""

    skin: int = 0
    sleeve: int = 0


@dataclass(frozen=True)
class Hand:
    """A hand in one frame.

    shape: one of SHAPES. tip_mm: where the fingertips are. from_rad: the side the arm comes from, -pi/2 = the lower border.
    moved_mm: how far it moved while the shutter was open.
    """

    shape: str
    tip_mm: tuple[float, float, float]
    from_rad: float = -np.pi / 2
    person: Person = Person()
    moved_mm: tuple[float, float] = (0.0, 0.0)


def _arm(y: float) -> tuple[Ball, ...]:
    """The forearm from this far up; the wrist at its end."""
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
"""Limbs of a right hand, its back up."""

NAILED = {"grasp": 5, "open": 5, "flat": 5, "pinch": 2, "finger": 1, "fist": 0}
"""Of how many limbs, counted from the last, the end is a fingertip whose nail is seen."""


@dataclass(frozen=True, eq=False)
class Sprite:
    """bgr (h, w, 3) premultiplied, clear (h, w, 3) what shows through, shade (h, w, 3) what the shadow leaves; all uint8, 255 = all.

    tip: the fingertips within, px. shadow_px: where the shadow falls from there.
    """

    bgr: NDArray[np.uint8]
    clear: NDArray[np.uint8]
    shade: NDArray[np.uint8]
    tip: tuple[int, int]
    shadow_px: tuple[int, int]


def draw_hand(canvas: Picture, scene: Scene, size_wh: tuple[int, int], hand: Hand) -> None:
    """Draws the hand, its shadow first, in place."""
    sprite = hand_sprite(
        replace(scene, aim_px=(0.0, 0.0)), size_wh, hand.shape, hand.person, _steps(hand.from_rad)
    )
    view = view_of(scene, size_wh)
    x, y = view.project(np.array([hand.tip_mm], np.float32))[0]
    moved = np.array([hand.moved_mm[0], -hand.moved_mm[1]]) * view.px_per_mm(HAND_MM)
    left, top = round(float(x)) - sprite.tip[0], round(float(y)) - sprite.tip[1]
    _lay(canvas, sprite.shade, None, left + sprite.shadow_px[0], top + sprite.shadow_px[1], moved)
    _lay(canvas, sprite.clear, sprite.bgr, left, top, moved)


def _lay(
    canvas: Picture,
    clear: NDArray[np.uint8],
    bgr: NDArray[np.uint8] | None,
    left: int,
    top: int,
    moved: Floats,
) -> None:
    h, w = canvas.shape[:2]
    sh, sw = clear.shape[:2]
    x0, y0, x1, y1 = max(left, 0), max(top, 0), min(left + sw, w), min(top + sh, h)
    if x0 >= x1 or y0 >= y1:
        return
    cut = (slice(y0 - top, y1 - top), slice(x0 - left, x1 - left))
    under = canvas[y0:y1, x0:x1]
    seen = cv2.multiply(under, _smeared(clear[cut], moved) if bgr is not None else clear[cut], scale=1 / 255)
    under[:] = seen if bgr is None else cv2.add(seen, _smeared(bgr[cut], moved))


def _smeared(sprite: NDArray[np.uint8], moved_px: Floats) -> NDArray[np.uint8]:
    """The sprite smeared along its way: at half or a quarter of the size, because what is smeared shows no detail."""
    length = float(np.linalg.norm(moved_px))
    if length < SMEAR_FROM_PX:
        return sprite
    coarse = 2 if length < 3 * SMEAR_FROM_PX else 4
    size = max(int(np.ceil(length / coarse)) | 1, 3)
    line = np.zeros((size, size), np.float32)
    ends = np.rint((size - 1) / 2 + np.outer((-1, 1), moved_px / length * (size - 1) / 2)).astype(int)
    cv2.line(line, tuple(ends[0].tolist()), tuple(ends[1].tolist()), (1.0,), 1)
    h, w = sprite.shape[:2]
    small = cv2.resize(sprite, (max(w // coarse, 1), max(h // coarse, 1)), interpolation=cv2.INTER_AREA)
    small = cv2.filter2D(small, -1, line / line.sum(), borderType=cv2.BORDER_REPLICATE)
    return np.asarray(cv2.resize(small, (w, h), interpolation=cv2.INTER_LINEAR), np.uint8)


def prepared(scene: Scene, size_wh: tuple[int, int], hands: tuple[Hand, ...]) -> None:
    """Draws these hands beforehand, so that none stutters when it first reaches in."""
    for hand in hands:
        hand_sprite(scene, size_wh, hand.shape, hand.person, _steps(hand.from_rad))


def _steps(from_rad: float) -> int:
    return round((from_rad + np.pi / 2) / TURN_STEP_RAD) % round(2 * np.pi / TURN_STEP_RAD)


@lru_cache(maxsize=8)
def hand_sprite(scene: Scene, size_wh: tuple[int, int], shape: str, person: Person, turn: int) -> Sprite:
    """The hand as this scene's camera sees it, the arm `turn` steps of TURN_STEP_RAD against the clock from the lower border."""
    scale = view_of(scene, size_wh).px_per_mm(HAND_MM) * FINENESS
    limbs = [
        _turned(limb, turn * TURN_STEP_RAD)
        for limb in (_arm(146 if shape != "fist" else 110), *SHAPES[shape])
    ]
    (left, top), (w, h) = _extent(limbs, scale)
    hills, cloth = _hills(limbs, scale, (left, top), (w, h), person)
    alpha = np.asarray(cv2.GaussianBlur(np.clip(hills + 0.5, 0, 1), (0, 0), 0.5), np.float32)
    bgr = _painted(hills, cloth, scene, person, scale)
    for limb in limbs[-NAILED[shape] :] if NAILED[shape] else ():
        _nail(bgr, limb, scale, (left, top), person)
    soft = cv2.GaussianBlur(alpha, (0, 0), SHADOW_SOFT_MM * scale)
    lx, ly, lz = scene.to_light
    fall = HAND_MM * 0.75 / lz * scale
    shade = 1 - SHADOW_DEPTH * scene.key / (scene.key + 0.6 * scene.ambient) * soft
    return Sprite(
        _shown(bgr * alpha[..., None]), _shown(_grey(1 - alpha)), _shown(_grey(shade)),
        (round(-left / FINENESS), round(-top / FINENESS)), (round(-lx * fall / FINENESS), round(ly * fall / FINENESS)),
    )  # fmt: skip


def _grey(share: Floats) -> Floats:
    """(h, w) 0-1 -> (h, w, 3) 0-255."""
    return np.repeat(255 * share[..., None], 3, axis=2)


def _shown(drawn: Floats) -> NDArray[np.uint8]:
    """In the size it is shown in."""
    small = np.asarray(np.rint(np.clip(drawn, 0, 255)), np.uint8)
    return np.asarray(
        cv2.resize(small, None, fx=1 / FINENESS, fy=1 / FINENESS, interpolation=cv2.INTER_CUBIC), np.uint8
    )


def _turned(limb: tuple[Ball, ...], angle: float) -> tuple[Ball, ...]:
    """In the picture's directions (y down), turned against the clock about the fingertips."""
    c, s = float(np.cos(angle)), float(np.sin(angle))
    return tuple((x * c + y * s, -x * s + y * c, width, high) for x, y, width, high in limb)


def _extent(limbs: list[tuple[Ball, ...]], scale: float) -> tuple[tuple[int, int], tuple[int, int]]:
    """Left and top of the sprite from the fingertips, and its size, px; with room for a soft shadow."""
    balls = np.array([ball for limb in limbs for ball in limb])
    room = balls[:, 2] / 2 + 3 * SHADOW_SOFT_MM
    low = np.floor(((balls[:, :2] - room[:, None]) * scale).min(axis=0)).astype(int)
    high = np.ceil(((balls[:, :2] + room[:, None]) * scale).max(axis=0)).astype(int)
    return (int(low[0]), int(low[1])), (int(high[0] - low[0]), int(high[1] - low[1]))


def _hills(
    limbs: list[tuple[Ball, ...]],
    scale: float,
    corner: tuple[int, int],
    size_wh: tuple[int, int],
    person: Person,
) -> tuple[Floats, Floats]:
    """(h, w) how high the skin is at every pixel, px, under zero outside; and 0-1 where it is cloth."""
    hills, cloth = np.full(size_wh[::-1], -30.0, np.float32), np.zeros(size_wh[::-1], np.float32)
    for n, limb in enumerate(limbs):
        for m, (a, b) in enumerate(itertools.pairwise(limb)):
            sleeved = n == 0 and m > 0 and SLEEVES[person.sleeve] is not None
            _stretch(
                hills,
                cloth,
                _pixels(a, scale, corner, sleeved),
                _pixels(b, scale, corner, sleeved),
                sleeved,
                scale,
            )
    return hills, cloth


def _pixels(
    ball: Ball, scale: float, corner: tuple[int, int], sleeved: bool
) -> tuple[float, float, float, float]:
    """Middle, radius and height in the sprite, px; cloth is wider than the arm in it."""
    x, y, width, high = ball
    radius = width / 2 + (7 if sleeved else 0)
    return (
        x * scale - corner[0],
        y * scale - corner[1],
        radius * scale,
        (high + (5 if sleeved else 0)) * scale,
    )


def _stretch(
    hills: Floats, cloth: Floats, a: tuple[float, ...], b: tuple[float, ...], sleeved: bool, scale: float
) -> None:
    """Raises the hills to skin stretched over two balls; where it meets what is there the two flow together."""
    h, w = hills.shape
    reach = max(a[2], b[2]) + 2 * scale
    x0, x1 = max(int(min(a[0], b[0]) - reach), 0), min(int(max(a[0], b[0]) + reach) + 1, w)
    y0, y1 = max(int(min(a[1], b[1]) - reach), 0), min(int(max(a[1], b[1]) + reach) + 1, h)
    y, x = np.mgrid[y0:y1, x0:x1].astype(np.float32)
    way = np.array([b[0] - a[0], b[1] - a[1]], np.float32)
    along = np.clip(((x - a[0]) * way[0] + (y - a[1]) * way[1]) / max(float(way @ way), 1e-6), 0, 1)
    off = np.hypot(x - a[0] - along * way[0], y - a[1] - along * way[1])
    radius, high = a[2] + along * (b[2] - a[2]), a[3] + along * (b[3] - a[3])
    inside = np.maximum(radius * radius - off * off, 0)
    flat = np.minimum(1, THICK_MM * scale * np.float32(1.6 if sleeved else 1) / radius)
    skin = np.where(off < radius, np.sqrt(inside) * flat + np.maximum(high + 10 * scale, 0), radius - off)
    here, flow = hills[y0:y1, x0:x1], np.float32(FLOW_MM * scale)
    mixed = np.clip(0.5 + 0.5 * (skin - here) / flow, 0, 1)
    both = (here > 0) & (skin > 0)
    joined = here + (skin - here) * mixed + np.where(both, flow * mixed * (1 - mixed), 0)
    cloth[y0:y1, x0:x1] = np.where(skin > here, np.float32(sleeved), cloth[y0:y1, x0:x1])
    hills[y0:y1, x0:x1] = np.where(both, joined, np.maximum(here, skin))


def _painted(hills: Floats, cloth: Floats, scene: Scene, person: Person, scale: float) -> Floats:
    """(h, w, 3) the hand in its light: skin a little red where it is thin or pressed, cloth with its weave and its folds."""
    rng = np.random.default_rng(person.skin * 7 + person.sleeve)
    land = cv2.GaussianBlur(np.maximum(hills, -4), (0, 0), 0.9)
    land = np.asarray(land + cloth * _folds(rng, hills.shape) * scale, np.float32)
    dx, dy = (cv2.Sobel(land, cv2.CV_32F, *way, scale=1 / 8) for way in ((1, 0), (0, 1)))
    lx, ly, lz = scene.to_light
    upright = 1 / np.sqrt(1 + dx * dx + dy * dy)
    lambert = np.maximum((-dx * lx + dy * ly + lz) * upright, 0)
    hollow = np.clip((cv2.GaussianBlur(land, (0, 0), 4 * scale) - land) / (9 * scale), 0, 0.5)
    soft = np.where(cloth > 0.5, lambert, 0.25 + 0.75 * lambert)
    light = (
        scene.ambient * (0.55 + 0.45 * upright) * (1 - 1.1 * hollow) + scene.key * soft * (1 - 0.7 * hollow)
    ) * scene.exposure
    skin = np.array(SKINS[person.skin], np.float32) * (
        1 + _mottled(rng, hills.shape)[..., None] * (0.5, 1.0, 0.8)
    )
    skin = skin * (
        1 - (1 - upright)[..., None] * np.array((0.42, 0.34, 0.12))
    )  # light that went through skin is red
    weave = 1 + 0.06 * rng.standard_normal(hills.shape, np.float32)
    sleeve = np.array(SLEEVES[person.sleeve] or SKINS[person.skin], np.float32) * weave[..., None]
    colour = skin + (sleeve - skin) * cv2.GaussianBlur(cloth, (0, 0), 0.6)[..., None]
    return np.asarray(colour * light[..., None] * np.array(scene.light_bgr, np.float32), np.float32)


def _mottled(rng: np.random.Generator, shape: tuple[int, ...]) -> Floats:
    """(h, w) skin is not one colour: soft spots a few millimetres wide."""
    small = rng.standard_normal((shape[0] // 14 + 2, shape[1] // 14 + 2), np.float32)
    return np.asarray(
        0.022 * cv2.resize(small, (shape[1], shape[0]), interpolation=cv2.INTER_CUBIC), np.float32
    )


def _folds(rng: np.random.Generator, shape: tuple[int, ...]) -> Floats:
    """(h, w) mm: how cloth rises and sinks."""
    small = rng.standard_normal((shape[0] // 36 + 2, shape[1] // 60 + 2), np.float32)
    return np.asarray(
        1.6 * cv2.resize(small, (shape[1], shape[0]), interpolation=cv2.INTER_CUBIC), np.float32
    )


def _nail(bgr: Floats, limb: tuple[Ball, ...], scale: float, corner: tuple[int, int], person: Person) -> None:
    """A nail on the limb's end: smoother and paler than the skin round it."""
    (bx, by, _, _), (x, y, width, _) = limb[-2:]
    way = np.array([x - bx, y - by]) / np.hypot(x - bx, y - by)
    middle = (np.array([x, y]) + way * width * 0.08) * scale - corner
    mask = np.zeros(bgr.shape[:2], np.float32)
    axes = (round(width * 0.36 * scale), round(width * 0.29 * scale))
    turn = float(np.degrees(np.arctan2(way[1], way[0])))
    cv2.ellipse(mask, (round(middle[0]), round(middle[1])), axes, turn, 0, 360, (0.75,), -1, cv2.LINE_AA)
    paler = np.minimum(np.array(SKINS[person.skin]) * (1.12, 1.08, 1.1) + (10, 8, 14), 245)
    light = bgr.sum(axis=2, keepdims=True) / sum(SKINS[person.skin])
    soft = cv2.GaussianBlur(mask, (0, 0), 0.6)[..., None]
    bgr[:] = bgr * (1 - soft) + paler * light * soft
