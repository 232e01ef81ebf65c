"""Random tables with throwing sticks, painted with their ground truth.

Everything is painted from back to front in displayed values: a ground, a tray, things that are no sticks,
sticks and dice, each over its shadow; then light, lens and camera. This takes some 40 ms a picture, where
tracing rays takes seconds. models.training.stick_data makes training data of these pictures.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import cv2
import numpy as np

from models.rendering import backgrounds
from models.rendering.sticks import (
    ANIMALS,
    SUBPIXEL_BITS,
    Side,
    StickSet,
    bgr_of,
    outline_of,
    random_face,
    random_set,
    side_up,
    wood_colour,
    wooden,
)
from vision.readings import Quad
from vision.simulation.view import PinholeCamera

SIZES = ((640, 480), (640, 480), (640, 480), (640, 360))
"""Width and height of a picture, px."""
STICK_SHARE = (0.13, 0.46)
"""Shortest and longest stick, as a share of the picture's long side."""
GROUND_PX = 700
"""Side of the stored grounds, px."""
MAX_TRIES = 12
"""Attempts to find a place for one more object."""
MIN_BLUR_PX = 0.4
"""A narrower blur is left out, px."""
CROSSED_SHARE, BESIDE_SHARE = 0.32, 0.1
"""Shares of sticks that are laid over another one, and close beside another one."""
ALONG_SHARE = 0.4
"""Share of those over another one that lie along it and hide most of it."""
GREY_GROUND_SHARE, LIKE_GROUND_SHARE = 0.12, 0.25
"""Shares of the pictures on a grey ground, and on wood or cloth of nearly the sticks' own colour."""
SHEEN_SHARE, MAX_SHEEN = 0.6, 0.3
"""Share of the flat sides that mirror something pale, and how much that adds at most, displayed 0-1."""
GLARE_SHARE, MAX_GLARE = 0.3, 1.1
"""Share of the sticks that mirror a lamp in one place, and how much that adds at most, displayed 0-1."""
GROUND_GLARE_SHARE, MAX_GROUND_GLARE = 0.15, 0.7
"""The same of grounds."""
SHARPNESS = (8.0, 1500.0)
"""Range of the exponent of a round back's shine: how narrow the line is in which it mirrors the light."""
WINDOW_SHARE = 0.4
"""Share of the glares that are a lamp's or a window's own shape, with sharp edges across the stick."""
PALE_INK, MAX_HIDDEN = 0.85, 0.3
"""Glare hides the ink where it makes all its channels this bright, displayed 0-1. A side of which it hides a
larger share names no animal."""
MIN_SEEN = 0.35
"""Least part of a stick within the picture that makes it a stick and no end of one."""
AT_RIM_SHARE = 0.3
"""Share of the sticks in a tray that lie at its rim: they roll until something stops them."""
TRAY_SHARE = 0.6
DISTRACTORS_SHARE = 0.45
DICE_SHARE = 0.35
EMPTY_SHARE = 0.1
"""Shares of the pictures with a tray, with things that are no sticks, with dice, and without sticks."""


@dataclass(frozen=True)
class StickLabel:
    """The ground truth of one stick in a rendered picture.

    face: round, dog, deer, cow, horse, white or black; empty for letters that name no animal; none for a
        thing that is no stick.
    quad: its corners, px; only the part within the picture.
    dark: whether it may be called black or round.
    crossed: whether it lies across another one, or under one. seen: visible share, 0-1.
    """

    face: str
    quad: Quad
    dark: bool = False
    crossed: bool = False
    seen: float = 1.0


@dataclass(frozen=True, eq=False)
class Light:
    """A lamp: to_light (3,) unit vector; ambient and direct light on the table; softness of shadows."""

    to_light: np.ndarray
    ambient: float
    direct: float
    softness: float

    def on(self, normals: np.ndarray) -> np.ndarray:
        """Displayed brightness (n,) of surfaces with these normals (n, 3), relative to the table's."""
        falling = np.clip(normals @ self.to_light, 0, None)
        linear = (self.ambient * (0.6 + 0.4 * normals[:, 2]) + self.direct * falling) / self.on_table
        return np.asarray(np.clip(linear, 0.02, 4) ** (1 / 2.2))

    @property
    def on_table(self) -> float:
        return float(self.ambient + self.direct * self.to_light[2])


@dataclass(frozen=True, eq=False)
class Pose:
    """Where a long object lies: its middle on the table, the angle of its axis, the height of its ends."""

    x: float
    y: float
    angle: float
    ends_mm: tuple[float, float] = (0.0, 0.0)

    def away(self, along: float, aside: float) -> tuple[float, float]:
        """The point on the table this far from the middle, mm."""
        c, s = np.cos(self.angle), np.sin(self.angle)
        return self.x + along * c - aside * s, self.y + along * s + aside * c

    def points(self, outline: np.ndarray, length: float, width: float, up: float) -> np.ndarray:
        """(n, 3) of the world, mm: corners -0.5 to 0.5 along and across, at this height above its foot."""
        along, across = outline[:, 0] * length, outline[:, 1] * width
        c, s = np.cos(self.angle), np.sin(self.angle)
        low, high = self.ends_mm
        z = up + low + (high - low) * (outline[:, 0] + 0.5)
        return np.stack([self.x + along * c - across * s, self.y + along * s + across * c, z], 1)


@dataclass(frozen=True)
class Rim:
    """The inner edge of one side of a tray: its middle on the floor, the angle along it, half its length and
    its height, mm. The floor is to the left of it."""

    x: float
    y: float
    angle: float
    half: float
    up: float

    @property
    def inward(self) -> np.ndarray:
        """(2,) unit vector from the edge over the floor."""
        return np.array([-np.sin(self.angle), np.cos(self.angle)])

    def strip(self, deep: np.ndarray | float) -> np.ndarray:
        """(4, 3) corners of the strip of floor along the edge, this deep, mm."""
        along = np.array([np.cos(self.angle), np.sin(self.angle)]) * self.half
        ends = np.array([self.x, self.y]) + np.array([-along, along])
        corners = np.concatenate([ends, ends[::-1] + self.inward * deep])
        return np.concatenate([corners, np.zeros((4, 1))], 1)


UP = np.array([0.0, 0.0, 1.0])
RECTANGLE = np.array([[-0.5, 0.5], [0.5, 0.5], [0.5, -0.5], [-0.5, -0.5]])
"""The corners of a texture from its upper left, as they lie along and across an object. Seen from above,
across is to the left of along."""


@dataclass(frozen=True, eq=False)
class Stock:
    """What pictures are made of: grounds (side, side, 3) uint8, photographs, and dice with their masks."""

    grounds: Sequence[np.ndarray]
    photos: Sequence[np.ndarray]
    dice: Sequence[tuple[np.ndarray, np.ndarray]]
    noise: np.ndarray


def stock(rng: np.random.Generator, grounds: int, photos: Sequence[np.ndarray], dice: Sequence[Any]) -> Stock:
    """A stock with this number of grounds. photos: pictures without sticks; dice: cut-outs of dice."""
    made = []
    for _ in range(grounds):
        ground = backgrounds.GROUNDS[int(rng.integers(len(backgrounds.GROUNDS)))](rng, GROUND_PX)
        if rng.random() < 0.5:
            ground = backgrounds.cluttered(ground, rng, float(rng.uniform(10, 60)))
        made.append((np.clip(ground, 0, 1) * 255).astype(np.uint8))
    noise = rng.standard_normal((1400, 1400, 3), np.float32)
    return Stock(made, photos, [(d.picture, d.cover) for d in dice], noise)


class Table:
    """A picture in the making: float32 b, g, r 0-255, its camera, its light and its ground truth."""

    def __init__(self, rng: np.random.Generator, camera: PinholeCamera, light: Light, picture: np.ndarray):
        self.rng, self.camera, self.light, self.picture = rng, camera, light, picture
        self.labels: list[StickLabel] = []
        self.rims: list[Rim] = []
        self.sticks: list[Pose] = []
        self.outlines: list[np.ndarray] = []

    def paint_solid(self, bottom: np.ndarray, top: np.ndarray, side_bgr: np.ndarray) -> None:
        """Paints the shadow and the sides of a body between two outlines (n, 3)."""
        light, project = self.light, self.camera.project
        height = float(top[:, 2].max())
        away = light.to_light[:2] / max(light.to_light[2], 0.25)
        fallen = top.copy()
        fallen[:, :2] -= away * top[:, 2:]
        fallen[:, 2] = 0
        px = self.camera.focal_px / float(self.camera.position[2])
        share = light.direct * light.to_light[2] / light.on_table
        shade = 1 - (1 - share) ** (1 / 2.2)
        self._darken(project(np.concatenate([bottom, fallen])), light.softness * height * px, shade)
        self._darken(project(bottom), 0.35 * height * px + 0.7, float(self.rng.uniform(0.1, 0.4)))
        hull = cv2.convexHull(project(np.concatenate([bottom, top])))[:, 0]
        self._fill(hull, side_bgr)

    def _darken(self, points: np.ndarray, blur: float, shade: float) -> None:
        hull = cv2.convexHull(points.astype(np.float32))[:, 0]
        reach = 2.5 * blur + 2
        if (roi := self._roi(hull, reach)) is None:
            return
        x, y, w, h = roi
        mask = np.zeros((h, w), np.uint8)
        _fill_polygon(mask, hull - (x, y))
        soft = _blurred(mask, blur)
        self.picture[y : y + h, x : x + w] *= (1 - np.float32(shade / 255) * soft)[..., None]

    def darken_strip(self, rim: Rim, deep: float, shade: float, softness: float) -> None:
        """Darkens the floor along a rim, this deep, mm, with soft edges."""
        px = self.camera.focal_px / float(self.camera.position[2])
        self._darken(self.camera.project(rim.strip(deep)), softness * deep * px, shade)

    def shade_rims(self) -> None:
        """Casts the rims' shadows on all that lies beside them."""
        light = self.light
        away = -light.to_light[:2] / max(light.to_light[2], 0.25)
        share = light.direct * light.to_light[2] / light.on_table
        for rim in self.rims:
            deep = float(rim.inward @ away) * rim.up
            if deep > 0 and _in_front(self.camera, rim.strip(deep)):
                self.darken_strip(rim, deep, 1 - (1 - share) ** (1 / 2.2), light.softness)

    def _fill(self, hull: np.ndarray, bgr: np.ndarray) -> None:
        if (roi := self._roi(hull, 2)) is None:
            return
        x, y, w, h = roi
        mask = np.zeros((h, w), np.uint8)
        _fill_polygon(mask, hull - (x, y))
        part = self.picture[y : y + h, x : x + w]
        part += (bgr.astype(np.float32) * 255 - part) * (mask[..., None] / np.float32(255))

    def paint_texture(self, corners: np.ndarray, texture: np.ndarray, outline: np.ndarray) -> None:
        """Lays a texture (h, w, 3) 0-1 between four corners (4, 2) px, within the outline (n, 2) px."""
        if (roi := self._roi(corners, 2)) is None:
            return
        x, y, w, h = roi
        th, tw = texture.shape[:2]
        source = np.array([[0, 0], [tw, 0], [tw, th], [0, th]], np.float32) - 0.5
        warp = cv2.getPerspectiveTransform(source, (corners - (x, y)).astype(np.float32))
        laid = cv2.warpPerspective(texture, warp, (w, h), borderMode=cv2.BORDER_REPLICATE)
        mask = np.zeros((h, w), np.uint8)
        _fill_polygon(mask, outline - (x, y))
        part = self.picture[y : y + h, x : x + w]
        part += (laid * 255 - part) * (mask[..., None] / np.float32(255))

    def _roi(self, points: np.ndarray, reach: float) -> tuple[int, int, int, int] | None:
        """x, y, width, height of the part of the picture around these points; None: outside."""
        w, h = self.camera.size_wh
        x0, y0 = np.floor(points.min(0) - reach).astype(int)
        x1, y1 = np.ceil(points.max(0) + reach + 1).astype(int)
        x0, y0, x1, y1 = max(x0, 0), max(y0, 0), min(x1, w), min(y1, h)
        return (x0, y0, x1 - x0, y1 - y0) if x1 > x0 and y1 > y0 else None


def _fill_polygon(mask: np.ndarray, points: np.ndarray) -> None:
    at = np.rint((points) * 2**SUBPIXEL_BITS).astype(np.int32)
    cv2.fillPoly(mask, [at], 255, cv2.LINE_AA, SUBPIXEL_BITS)


def _blurred(mask: np.ndarray, sigma: float) -> np.ndarray:
    """The mask with soft edges; a wide blur is computed on a smaller mask."""
    if sigma < MIN_BLUR_PX:
        return mask
    factor = max(1, int(sigma / 1.5))
    h, w = mask.shape
    small = cv2.resize(mask, (max(1, w // factor), max(1, h // factor)), interpolation=cv2.INTER_AREA)
    soft = cv2.GaussianBlur(small, (0, 0), sigma / factor)
    return np.asarray(cv2.resize(soft, (w, h), interpolation=cv2.INTER_LINEAR))


# --- sticks -------------------------------------------------------------------------------------------------


def shaded_back(
    rng: np.random.Generator, texture: np.ndarray, light: Light, angle: float, gloss: float
) -> np.ndarray:
    """The texture of a round back under this light: brightest where it faces the lamp, dark at its sides."""
    h, w = texture.shape[:2]
    steep = rng.uniform(0.6, 1.0)
    y = 1 - (np.arange(h) + 0.5) / h * 2
    tilt = np.arcsin(np.clip(y * steep, -0.98, 0.98))
    across = np.array([-np.sin(angle), np.cos(angle)])
    normals = np.stack([np.sin(tilt) * across[0], np.sin(tilt) * across[1], np.cos(tilt)], 1)
    bright = light.on(normals)
    half = light.to_light + UP
    mirroring = np.clip(normals @ (half / np.linalg.norm(half)), 0, 1)
    shine = mirroring ** float(np.exp(rng.uniform(*np.log(SHARPNESS))))
    lit = texture * bright[:, None, None].astype(np.float32)
    lit += (gloss * rng.uniform(0.1, 1.0) * shine)[:, None, None].astype(np.float32)
    lit += 0.5 * sheen(rng, texture.shape[1], gloss)
    wide = mirroring ** rng.uniform(2, 20)
    lit += glare(rng, texture.shape[:2], gloss) * wide[:, None, None].astype(np.float32)
    if rng.random() < 0.6:
        end = max(1, round(h * rng.uniform(0.05, 0.4)))
        for part, sign in ((lit[:, :end], 1), (lit[:, w - end :], -1)):
            part *= float(np.clip(1 + sign * rng.normal(0, 0.3), 0.3, 1.5))
    return np.asarray(np.clip(lit, 0, 1))


def sheen(rng: np.random.Generator, length: int, gloss: float) -> np.ndarray:
    """(1, length, 3) float32: what a flat side mirrors of a window or a pale ceiling, more at one end."""
    if rng.random() >= SHEEN_SHARE:
        return np.zeros((1, 1, 3), np.float32)
    start, end = gloss * rng.uniform(0, MAX_SHEEN, 2)
    tint = np.exp(rng.normal(0, 0.08, 3))
    return np.asarray(np.linspace(start, end, length)[None, :, None] * tint, np.float32)


def glare(rng: np.random.Generator, size: tuple[int, int], gloss: float) -> np.ndarray:
    """(h, w, 3) float32: what a side of this height and width mirrors of a lamp near it, or of a window."""
    if rng.random() >= GLARE_SHARE:
        return np.zeros((1, 1, 3), np.float32)
    y, x = np.mgrid[: size[0], : size[1]].astype(np.float32) / size[1]
    away = (x + y * rng.uniform(-1.5, 1.5) - rng.uniform(-0.2, 1.2)) / rng.uniform(0.06, 0.5)
    if rng.random() < WINDOW_SHARE:
        shape = np.clip((1 - np.abs(away)) * float(np.exp(rng.uniform(0, 4))), 0, 1)
    else:
        shape = np.exp(-0.5 * away**2)
    strength = rng.uniform(0.05, MAX_GLARE) * (0.25 + 0.75 * gloss)
    tint = np.exp(rng.normal(0, 0.06, 3))
    return np.asarray((strength * shape)[..., None] * tint, np.float32)


def add_stick(table: Table, kind: StickSet, face: str, pose: Pose) -> None:
    """Paints one stick of the set with this side up, and notes its ground truth."""
    rng, light, camera = table.rng, table.light, table.camera
    px = camera.focal_px / float(camera.position[2])
    size = (max(24, round(1.1 * kind.length_mm * px)), max(5, round(1.1 * kind.width_mm * px)))
    side = side_up(rng, kind, face, size)
    length, width, outline = kind.length_mm, kind.width_mm, side.outline
    flat_up = kind.half_round and not side.round_back
    height = 0.35 * kind.height_mm if side.round_back else kind.height_mm
    bottom = pose.points(outline * ([1, 0.5] if flat_up else [1, 1]), length, width, 0.0)
    top = pose.points(outline, length, width, height)
    side_colour = kind.back_bgr if kind.half_round else kind.wood_bgr
    table.paint_solid(bottom, top, side_colour * float(rng.uniform(0.3, 0.9)))
    if side.round_back:
        texture = shaded_back(rng, side.texture, light, pose.angle, kind.gloss)
    else:
        slope = np.linspace(1, rng.normal(1, 0.06), size[0], dtype=np.float32)[None, :, None]
        lit = side.texture * float(rng.normal(1.0, 0.05)) * slope
        mirrored = sheen(rng, size[0], kind.gloss) + glare(rng, size[::-1], kind.gloss)
        texture = np.clip(lit + mirrored, 0, 1)
        hidden = ((mirrored + kind.ink_bgr).min(axis=2) >= PALE_INK).mean()
        if side.face in ANIMALS and hidden > MAX_HIDDEN:
            side = replace(side, face="")
    corners = camera.project(pose.points(RECTANGLE, length, width, height))
    shown = camera.project(top)
    table.paint_texture(corners, texture, shown)
    _label(table, side, corners, shown)


def _label(table: Table, side: Side, corners: np.ndarray, shown: np.ndarray) -> None:
    """Notes a painted stick, and which sticks it lies on."""
    part, seen = part_within(corners, table.camera.size_wh)
    hull = cv2.convexHull(shown.astype(np.float32))
    crossed = False
    for n, other in enumerate(table.outlines):
        if table.labels[n].face != "none" and cv2.intersectConvexConvex(hull, other)[0] > 4:
            crossed = True
            was = table.labels[n]
            table.labels[n] = StickLabel(was.face, was.quad, was.dark, True, was.seen)
    quad = tuple((float(x), float(y)) for x, y in part)
    table.labels.append(StickLabel(side.face, quad, side.dark, crossed, seen))  # type: ignore[arg-type]
    table.outlines.append(hull)


def part_within(corners: np.ndarray, size_wh: tuple[int, int]) -> tuple[np.ndarray, float]:
    """The corners (4, 2) of the part of a long box within the picture, and its share, 0-1."""
    start, end = (corners[0] + corners[3]) / 2, (corners[1] + corners[2]) / 2
    steps = np.linspace(0, 1, 101)[:, None]
    line = start + (end - start) * steps
    inside = ((line >= 0) & (line <= np.array(size_wh) - 1)).all(1)
    if not inside.any():
        return corners, 0.0
    first, last = steps[inside][0, 0], steps[inside][-1, 0]
    upper, lower = corners[1] - corners[0], corners[2] - corners[3]
    ends = [corners[0] + upper * first, corners[0] + upper * last]
    ends += [corners[3] + lower * last, corners[3] + lower * first]
    return np.array(ends), float(last - first)


# --- other things -------------------------------------------------------------------------------------------


def add_tray(table: Table, half_wh: tuple[float, float], stock_: Stock) -> None:
    """Paints a tray's four rims around the middle of the table; half_wh: of its floor, mm."""
    rng = table.rng
    rim, up, turn = rng.uniform(6, 30), rng.uniform(8, 60), rng.uniform(0, np.pi)
    colour = wood_colour(rng) if rng.random() < 0.75 else bgr_of(*rng.uniform((0, 0, 0.05), (360, 0.6, 0.9)))
    dx, dy = rng.normal(0, 20, 2)
    dim = float(rng.uniform(0, 0.5))
    grain, (a, b) = rng.uniform(0.02, 0.35), half_wh
    for n in range(4):
        angle = turn + n * np.pi / 2
        far, half = (b, a) if n % 2 == 0 else (a, b)
        out = np.array([np.sin(angle), -np.cos(angle)])
        shade = float(rng.uniform(0.45, 1.0))
        rim_ = Rim(dx + out[0] * far, dy + out[1] * far, angle, half, up)
        if _in_front(table.camera, rim_.strip(up)):
            table.darken_strip(rim_, 0.5 * up, dim, 0.3)  # less of the room's light comes there
            table.rims.append(rim_)
        texture = wooden(rng, (200, 16), colour, grain)
        for near, wide, low, high, part in ((far, 0.0, 0.0, up, shade), (far, rim, up, up, 1.0)):
            pose = Pose(dx + out[0] * near, dy + out[1] * near, angle)
            edge = np.array([[-1.0, 0], [1, 0]]) * (half + rim if wide else half)
            inner = pose.points(edge, 1.0, 1.0, low if not wide else up)
            outer = pose.points(edge, 1.0, 1.0, high)
            outer[:, :2] += out * wide
            inner[:, :2] += out * 0
            if not _in_front(table.camera, np.concatenate([inner, outer])):
                return
            corners = table.camera.project(np.array([outer[0], outer[1], inner[1], inner[0]]))
            if np.abs(corners).max() < 8000:
                table.paint_texture(corners, texture * part, corners)


def _in_front(camera: PinholeCamera, points: np.ndarray) -> bool:
    return bool((camera.in_camera(points)[:, 2] > 1).all())


def add_distractor(table: Table, pose: Pose) -> None:
    """Paints a long thing that is no stick: a pen, a ruler, a cable, a finger, a card, or a stick on end."""
    kinds: tuple[Callable[[Table, Pose], None], ...] = (
        _pen, _pen, _ruler, _finger, _slab, _slab, _on_end, _cable, _beam, _shadow, _row,
    )  # fmt: skip
    around = Pose(pose.x, pose.y, pose.angle)
    hull = cv2.convexHull(table.camera.project(around.points(RECTANGLE, 160.0, 30.0, 0.0)))
    if not any(cv2.intersectConvexConvex(hull, other)[0] > 1 for other in table.outlines):
        kinds[int(table.rng.integers(len(kinds)))](table, pose)


def _painted_bar(
    table: Table, pose: Pose, size_mm: tuple[float, float, float], texture: np.ndarray, label: bool = True
) -> None:
    """Paints a bar: length, width and height, mm."""
    length, width, height = size_mm
    bottom, top = (pose.points(RECTANGLE, length, width, z) for z in (0.0, height))
    table.paint_solid(bottom, top, texture.mean((0, 1)) * 0.6)
    corners = table.camera.project(top)
    table.paint_texture(corners, np.clip(texture, 0, 1), corners)
    part, seen = part_within(corners, table.camera.size_wh)
    if label and seen > 0.5:
        quad = tuple((float(x), float(y)) for x, y in part)
        table.labels.append(StickLabel("none", quad, seen=seen))  # type: ignore[arg-type]
        table.outlines.append(cv2.convexHull(corners.astype(np.float32)))


def _random_bgr(rng: np.random.Generator) -> np.ndarray:
    return bgr_of(rng.uniform(0, 360), rng.uniform(0, 1), rng.uniform(0.05, 1))


def _pen(table: Table, pose: Pose) -> None:
    """A pen or pencil: slim, round, with a tip, a cap, rings and a clip."""
    rng = table.rng
    length = rng.uniform(100, 180)
    width = length / rng.uniform(13, 22)
    w, h = 300, 14
    texture = wooden(rng, (w, h), _random_bgr(rng), 0.0)
    for _ in range(int(rng.integers(2, 5))):
        a, b = sorted(rng.integers(0, w, 2).tolist())
        texture[:, a : max(b, a + 3)] = _random_bgr(rng)
    texture = shaded_back(rng, texture, table.light, pose.angle, float(rng.uniform(0, 1)))
    _painted_bar(table, pose, (length, width, 0.4 * width), texture)
    tip = pose.points(np.array([[0.5, -0.5], [0.5, 0.5], [0.6, 0.0]]), length, width, 0.2 * width)
    table._fill(table.camera.project(tip), _random_bgr(rng))


def _ruler(table: Table, pose: Pose) -> None:
    """A ruler, or a tape: ticks at one edge, and numbers."""
    rng = table.rng
    length, width = rng.uniform(110, 330), rng.uniform(14, 40)
    w, h = 640, max(20, round(640 * width / length))
    texture = wooden(rng, (w, h), _random_bgr(rng), float(rng.uniform(0, 0.1)))
    ink, pitch = _random_bgr(rng), w * rng.uniform(1, 5) / length
    for n in range(int(w / pitch)):
        x = round(n * pitch)
        texture[: round(h * (0.4 if n % 10 == 0 else 0.3 if n % 5 == 0 else 0.18)), x : x + 2] = ink
    _painted_bar(table, pose, (length, width, 1.5), texture)


def _finger(table: Table, pose: Pose) -> None:
    """A finger or a hand of several, each with a round tip and a nail."""
    rng = table.rng
    skin = bgr_of(rng.uniform(8, 30), rng.uniform(0.25, 0.6), rng.uniform(0.3, 1.0))
    across = np.array([-np.sin(pose.angle), np.cos(pose.angle)]) * rng.uniform(17, 24)
    for n in range(int(rng.integers(1, 5))):
        length, width = rng.uniform(55, 90), rng.uniform(15, 21)
        texture = wooden(rng, (120, 24), skin, 0.05)
        cv2.ellipse(texture, (108, 12), (8, 7), 0, 0, 360, (skin * 0.6 + 0.35).tolist(), -1, cv2.LINE_AA)
        texture = shaded_back(rng, texture, table.light, pose.angle, float(rng.uniform(0, 0.4)))
        where = Pose(pose.x + n * across[0], pose.y + n * across[1], pose.angle + rng.normal(0, 0.06))
        _painted_bar(table, where, (length, width, 0.5 * width), texture)
        turns = np.linspace(-np.pi / 2, np.pi / 2, 9)
        tip = np.stack([0.5 + 0.5 * width / length * np.cos(turns), 0.5 * np.sin(turns)], 1)
        table._fill(table.camera.project(where.points(tip, length, width, 0.5 * width)), skin)


def _slab(table: Table, pose: Pose) -> None:
    """A card, a phone, a box, a block or a board: wider than a stick."""
    rng = table.rng
    length = rng.uniform(20, 160)
    size = (length, length / rng.choice([rng.uniform(1, 4.5), rng.uniform(16, 30)]), rng.uniform(0.3, 15))
    texture = wooden(rng, (160, 60), _random_bgr(rng), float(rng.uniform(0, 0.3)))
    _painted_bar(table, pose, size, texture)


def _on_end(table: Table, pose: Pose) -> None:
    """A stick that stands on end, which shows no face."""
    rng = table.rng
    kind = random_set(rng)
    corner = outline_of(kind) * (kind.height_mm, kind.width_mm)
    bottom = np.concatenate([corner + np.array([pose.x, pose.y]), np.zeros((len(corner), 1))], 1)
    top = bottom + UP * (0.9 * kind.length_mm)
    if _in_front(table.camera, top):
        table.paint_solid(bottom, top, kind.back_bgr * 0.7)
        table._fill(cv2.convexHull(table.camera.project(top))[:, 0], kind.wood_bgr)


def _cable(table: Table, pose: Pose) -> None:
    """A cable or a cord: a thin curve."""
    rng = table.rng
    bgr, width = _random_bgr(rng), rng.uniform(2, 7)
    angle, at = pose.angle, np.array([pose.x, pose.y])
    for _ in range(int(rng.integers(4, 14))):
        length = rng.uniform(10, 30)
        piece = Pose(at[0], at[1], angle)
        bottom, top = (piece.points(RECTANGLE, length * 1.1, width, z) for z in (0.0, width))
        table.paint_solid(bottom, top, bgr)
        at, angle = at + length * np.array([np.cos(angle), np.sin(angle)]), angle + rng.normal(0, 0.3)


def _beam(table: Table, pose: Pose) -> None:
    """A long rod, a rail or the rim of something, longer than any stick for its width."""
    rng = table.rng
    texture = wooden(rng, (300, 12), wood_colour(rng), float(rng.uniform(0, 0.3)))
    length, aspect = rng.uniform(200, 600), rng.uniform(17, 60)
    _painted_bar(table, pose, (length, length / aspect, rng.uniform(2, 30)), texture)


def _shadow(table: Table, pose: Pose) -> None:
    """A long soft shadow, or a long light. One with sharp edges would look like a dark stick."""
    rng = table.rng
    bar = pose.points(RECTANGLE, rng.uniform(60, 300), rng.uniform(6, 30), 0.0)
    strength = float(rng.uniform(0.1, 0.5) * rng.choice([1.0, -0.6]))
    table._darken(table.camera.project(bar), float(rng.uniform(2.5, 8)), strength)


def _row(table: Table, pose: Pose) -> None:
    """Things in a row, as long as a stick together: dice, tiles, beads, or printed letters."""
    rng = table.rng
    side, gap = rng.uniform(8, 18), rng.uniform(0.12, 0.6)
    colour, marks, high = _random_bgr(rng), _random_bgr(rng), rng.choice([0.0, rng.uniform(2, 14)])
    along = np.array([np.cos(pose.angle), np.sin(pose.angle)])
    for n in range(int(rng.integers(3, 9))):
        at = np.array([pose.x, pose.y]) + along * (n - 3) * side * (1 + gap)
        where = Pose(at[0], at[1], pose.angle + rng.normal(0, 0.03))
        texture = wooden(rng, (20, 20), colour, 0.05)
        for _ in range(int(rng.integers(0, 7))):
            cv2.circle(texture, rng.integers(4, 16, 2).tolist(), 2, marks.tolist(), -1, cv2.LINE_AA)
        _painted_bar(table, where, (side, side, high), texture, label=False)


def add_die(table: Table, pose: Pose, stock_: Stock) -> None:
    """Pastes a die cut from a photograph, over its shadow."""
    rng, camera = table.rng, table.camera
    if not stock_.dice:
        return
    shown, cover = stock_.dice[int(rng.integers(len(stock_.dice)))]
    side = float(rng.uniform(11, 22))
    box = pose.points(RECTANGLE, 1.5 * side, 1.5 * side, 0.0)
    corners = camera.project(box)
    if (roi := table._roi(corners, 2)) is None:
        return
    table._darken(camera.project(pose.points(RECTANGLE * 0.62, 1.5 * side, 1.5 * side, 0.0)), 3.0, 0.3)
    x, y, w, h = roi
    n = len(shown)
    source = np.array([[0, 0], [n, 0], [n, n], [0, n]], np.float32) - 0.5
    warp = cv2.getPerspectiveTransform(source, (corners - (x, y)).astype(np.float32))
    die = cv2.warpPerspective(shown, warp, (w, h))
    mask = cv2.warpPerspective(cover, warp, (w, h))
    part = table.picture[y : y + h, x : x + w]
    part += (die - part) * (mask[..., None] / np.float32(255))


# --- the picture --------------------------------------------------------------------------------------------


def rendered(
    rng: np.random.Generator, stock_: Stock, share: tuple[float, float] = STICK_SHARE
) -> tuple[np.ndarray, list[StickLabel]]:
    """A picture (h, w, 3) uint8 and the ground truth of its sticks, and of long things that are none.

    share: shortest and longest stick, as a share of the picture's long side.
    """
    size = SIZES[int(rng.integers(len(SIZES)))]
    kind = random_set(rng)
    stick_px = float(np.exp(rng.uniform(*np.log(share)))) * max(size)
    camera, light = _camera(rng, size, stick_px / kind.length_mm), _light(rng)
    table = Table(rng, camera, light, _ground(rng, size, stock_, kind))
    half = np.array(size) / 2 / (stick_px / kind.length_mm)
    if rng.random() < TRAY_SHARE:
        add_tray(table, tuple((half * rng.uniform(0.55, 1.05, 2)).tolist()), stock_)
    for add in _objects(rng, kind, stock_):
        x, y = (rng.uniform(-0.85, 0.85, 2) * half).tolist()
        pose = Pose(x, y, float(rng.uniform(0, 2 * np.pi)))
        add(table, pose)
    table.shade_rims()
    return developed(rng, table.picture, stock_.noise), [
        label for label in table.labels if label.seen > MIN_SEEN
    ]


def _objects(rng: np.random.Generator, kind: StickSet, stock_: Stock) -> list[Callable[[Table, Pose], None]]:
    """What is put on the table, in random order."""
    adds: list[Callable[[Table, Pose], None]] = []
    if rng.random() >= EMPTY_SHARE:
        mixed = rng.random() < 0.2
        for _ in range(int(rng.choice([1, 2, 3, 4, 5, 6, 8], p=[0.06, 0.08, 0.1, 0.5, 0.1, 0.08, 0.08]))):
            adds.append(_stick_adder(random_set(rng) if mixed else kind))
    if rng.random() < DISTRACTORS_SHARE:
        adds += [add_distractor] * int(rng.integers(1, 4))
    if rng.random() < DICE_SHARE:
        adds += [lambda table, pose: add_die(table, pose, stock_)] * int(rng.integers(1, 9))
    return [adds[n] for n in rng.permutation(len(adds))]


def beside_rim(rng: np.random.Generator, rims: Sequence[Rim], kind: StickSet) -> Pose:
    """A place where a stick came to rest that rolled or slid to a rim: along it, or with one end at it."""
    rim = rims[int(rng.integers(len(rims)))]
    turn = rng.normal(0, 0.12) if rng.random() < 0.75 else rng.uniform(-1.5, 1.5)
    reach = (kind.length_mm * abs(np.sin(turn)) + kind.width_mm * abs(np.cos(turn))) / 2
    gap = reach + rng.choice([0.0, rng.exponential(6.0)])
    along = rng.uniform(-1, 1) * max(rim.half - 0.5 * kind.length_mm, 0.0)
    x, y = (
        np.array([rim.x, rim.y]) + rim.inward * gap + along * np.array([np.cos(rim.angle), np.sin(rim.angle)])
    ).tolist()
    return Pose(x, y, rim.angle + turn + np.pi * rng.integers(2))


def along_another(rng: np.random.Generator, sticks: Sequence[Pose], kind: StickSet) -> Pose:
    """A place on top of one of these sticks, nearly along it, so that it hides most of it."""
    under = sticks[int(rng.integers(len(sticks)))]
    sign = rng.choice([-1, 1], 2)
    along = float(sign[0] * rng.uniform(0.03, 0.6)) * kind.length_mm
    aside = float(sign[1] * rng.uniform(0.0, 1.0)) * kind.width_mm
    angle = under.angle + rng.normal(0, 0.1) + np.pi * rng.integers(2)
    high = kind.height_mm * float(rng.uniform(0.3, 1.0))
    return Pose(*under.away(along, aside), float(angle), (high, high))


def beside_another(rng: np.random.Generator, sticks: Sequence[Pose], kind: StickSet) -> Pose:
    """A place on the table close beside one of these sticks and nearly parallel to it."""
    other = sticks[int(rng.integers(len(sticks)))]
    along = float(rng.uniform(-0.5, 0.5)) * kind.length_mm
    gap = float(rng.choice([rng.uniform(0.0, 0.1), rng.uniform(0.1, 0.8)]))
    aside = float(rng.choice([-1, 1])) * (1 + gap) * kind.width_mm
    turn = float(rng.normal(0, 0.3)) * gap * kind.width_mm / kind.length_mm
    angle = other.angle + turn + np.pi * rng.integers(2)
    return Pose(*other.away(along, aside), float(angle))


def _stick_adder(kind: StickSet) -> Callable[[Table, Pose], None]:
    def add(table: Table, pose: Pose) -> None:
        special = table.rng.random() if table.sticks else 1.0
        if special < CROSSED_SHARE * ALONG_SHARE:
            place = along_another(table.rng, table.sticks, kind)
        elif special < CROSSED_SHARE * ALONG_SHARE + BESIDE_SHARE:
            place = beside_another(table.rng, table.sticks, kind)
        else:
            place = _place(table, kind, pose)
        table.sticks.append(place)
        add_stick(table, kind, random_face(table.rng, kind), place)

    return add


def _place(table: Table, kind: StickSet, pose: Pose) -> Pose:
    """A place for one more stick, this one if it fits: apart from the others, across one, or at a rim."""
    rng = table.rng
    across = bool(table.sticks) and rng.random() < CROSSED_SHARE * (1 - ALONG_SHARE)
    at_rim = bool(table.rims) and rng.random() < AT_RIM_SHARE
    for _ in range(MAX_TRIES):
        pose = beside_rim(rng, table.rims, kind) if at_rim else pose
        corners = table.camera.project(pose.points(RECTANGLE, kind.length_mm, kind.width_mm, 0.0))
        hull = cv2.convexHull(corners.astype(np.float32))
        overlaps = any(cv2.intersectConvexConvex(hull, other)[0] > 1 for other in table.outlines)
        if overlaps == across and part_within(corners, table.camera.size_wh)[1] > 0.2:
            break
        half = np.array(table.camera.size_wh) / 2 * float(table.camera.position[2]) / table.camera.focal_px
        x, y = (rng.uniform(-0.9, 0.9, 2) * half).tolist()
        pose = Pose(x, y, float(rng.uniform(0, 2 * np.pi)))
    if across:
        high = kind.height_mm * rng.uniform(0, 2.0)
        pose = Pose(pose.x, pose.y, pose.angle, (0.0, high) if rng.random() < 0.5 else (high, 0.0))
    return pose


def _camera(rng: np.random.Generator, size: tuple[int, int], px_per_mm: float) -> PinholeCamera:
    """A camera above the table, mostly straight above it, that shows this many px for a mm in the middle."""
    tilt = np.radians(
        rng.choice([rng.uniform(0, 8), rng.uniform(5, 25), rng.uniform(20, 42)], p=[0.6, 0.3, 0.1])
    )
    focal = max(size) / 2 / np.tan(np.radians(rng.uniform(18, 36)))
    away, around, roll = focal / px_per_mm, *rng.uniform(0, 2 * np.pi, 2)
    back = np.array([np.sin(tilt) * np.cos(around), np.sin(tilt) * np.sin(around), np.cos(tilt)])
    right = np.cross(-back, [np.cos(roll), np.sin(roll), 0])
    right /= np.linalg.norm(right)
    return PinholeCamera(size, focal, back * away, np.stack([right, np.cross(-back, right), -back]))


def _light(rng: np.random.Generator) -> Light:
    rise, around = np.radians(rng.uniform(25, 88)), rng.uniform(0, 2 * np.pi)
    to_light = np.array([np.cos(rise) * np.cos(around), np.cos(rise) * np.sin(around), np.sin(rise)])
    return Light(
        to_light, float(rng.uniform(0.25, 1)), float(rng.uniform(0.1, 1.2)), float(rng.uniform(0.02, 0.9))
    )


def _ground(rng: np.random.Generator, size: tuple[int, int], stock_: Stock, kind: StickSet) -> np.ndarray:
    """(h, w, 3) float32 0-255: what these sticks lie on."""
    special = rng.random()
    own = kind.wood_bgr if rng.random() < 0.5 else kind.back_bgr
    if special < LIKE_GROUND_SHARE / 2:
        return _with_glare(rng, _like_ground(rng, size, own))
    ground = _stock_ground(rng, size, stock_)
    if special < LIKE_GROUND_SHARE:
        ground = _dyed(ground, _nearly(rng, own), rng.uniform(0.1, 0.6))
    elif special < LIKE_GROUND_SHARE + GREY_GROUND_SHARE:
        grey = bgr_of(rng.uniform(0, 360), rng.uniform(0, 0.1), rng.uniform(0.1, 0.9))
        ground = _dyed(ground, grey, rng.uniform(0.1, 0.8))
    return _with_glare(rng, ground)


def _dyed(ground: np.ndarray, bgr: np.ndarray, contrast: float) -> np.ndarray:
    """(h, w, 3) float32 0-255: the ground's pattern in this colour, 0-1."""
    shown = cv2.cvtColor(ground, cv2.COLOR_BGR2GRAY)[..., None]
    return np.asarray(255 * bgr * (1 + contrast * (shown / max(float(shown.mean()), 8.0) - 1)), np.float32)


def _with_glare(rng: np.random.Generator, ground: np.ndarray) -> np.ndarray:
    """The ground, sometimes with a lamp that it mirrors."""
    if rng.random() >= GROUND_GLARE_SHARE:
        return ground
    y, x = np.mgrid[:48, :64].astype(np.float32) / 64
    (cx, cy), size = rng.uniform(0, (1, 0.75)), rng.uniform(0.04, 0.4)
    spot = np.exp(-0.5 * ((x - cx) ** 2 + (y - cy) ** 2) / size**2) * rng.uniform(0.1, MAX_GROUND_GLARE)
    h, w = ground.shape[:2]
    shown = cv2.resize(np.asarray(255 * spot, np.float32), (w, h), interpolation=cv2.INTER_CUBIC)
    return np.asarray(ground + shown[..., None], np.float32)


def _nearly(rng: np.random.Generator, bgr: np.ndarray) -> np.ndarray:
    """A colour that is hard to tell from this one, 0-1."""
    return np.asarray(np.clip(bgr * np.exp(rng.normal(0, 0.12) + rng.normal(0, 0.04, 3)), 0.02, 1))


def _like_ground(rng: np.random.Generator, size: tuple[int, int], bgr: np.ndarray) -> np.ndarray:
    """(h, w, 3) float32 0-255: boards of nearly this colour, with or without seams."""
    w, h = size
    colour = _nearly(rng, bgr)
    boards, seams = int(rng.integers(1, 7)), rng.uniform(0.3, 1.0)
    rows, across = [], max(w, h) // boards + 1
    for _ in range(boards):
        board = wooden(rng, (max(w, h), across), colour * np.exp(rng.normal(0, 0.05)), rng.uniform(0, 0.4))
        board[: int(rng.integers(0, 3))] *= np.float32(seams)
        rows.append(board)
    ground = np.rot90(np.concatenate(rows), int(rng.integers(4)))[:h, :w]
    return np.ascontiguousarray(ground, np.float32) * 255


def _stock_ground(rng: np.random.Generator, size: tuple[int, int], stock_: Stock) -> np.ndarray:
    """(h, w, 3) float32 0-255: a ground of the stock, turned, enlarged and dyed; or part of a photograph."""
    w, h = size
    photo = bool(stock_.photos) and rng.random() < 0.2
    some = stock_.photos if photo else stock_.grounds
    source = some[int(rng.integers(len(some)))]
    source = np.rot90(source, int(rng.integers(4)))[:, :: int(rng.choice([1, -1]))]
    sh, sw = source.shape[:2]
    share = float(rng.uniform(0.5, 1.0)) * min(sw / w, sh / h)
    cw, ch = int(w * share), int(h * share)
    x, y = int(rng.integers(sw - cw + 1)), int(rng.integers(sh - ch + 1))
    part = np.ascontiguousarray(source[y : y + ch, x : x + cw])
    ground: np.ndarray = cv2.resize(part, size, interpolation=cv2.INTER_LINEAR).astype(np.float32)
    if photo:
        return ground
    dye = rng.random()
    if dye < 0.35:
        grey = cv2.cvtColor(ground, cv2.COLOR_BGR2GRAY)[..., None]
        colour = bgr_of(rng.uniform(0, 360), rng.uniform(0.1, 1.0), rng.uniform(0.1, 1.0))
        ground = grey * (colour / max(float(colour.mean()), 0.05)).astype(np.float32)
    if dye < 0.7:
        mean, contrast = np.array(cv2.mean(ground)[:3], np.float32), np.float32(rng.uniform(0.1, 0.9))
        ground = ground * contrast + mean * (1 - contrast)
    return ground * np.float32(rng.uniform(0.6, 1.1))


def developed(rng: np.random.Generator, picture: np.ndarray, noise: np.ndarray) -> np.ndarray:
    """(h, w, 3) float32 0-255 -> uint8: light, white balance, exposure, blur, noise and JPEG."""
    h, w = picture.shape[:2]
    shown: np.ndarray = picture * np.asarray(
        cv2.resize(_light_field(rng)[..., None] * _gains(rng), (w, h), interpolation=cv2.INTER_CUBIC)
    )
    if rng.random() < 0.6:
        shown = np.asarray(cv2.GaussianBlur(shown, (0, 0), float(rng.uniform(0.3, 1.1))))
    if rng.random() < 0.6:
        x, y = int(rng.integers(noise.shape[1] - w)), int(rng.integers(noise.shape[0] - h))
        strength = rng.choice([rng.uniform(0.5, 4), rng.uniform(4, 12)], p=[0.8, 0.2])
        shown = shown + noise[y : y + h, x : x + w] * np.float32(strength)
    return _as_file(rng, np.clip(shown, 0, 255).astype(np.uint8))


def _gains(rng: np.random.Generator) -> np.ndarray:
    """(3,) float32: exposure and white balance."""
    warmth, tint = rng.normal(0, 0.09), rng.normal(0, 0.04)
    exposures = rng.uniform(0.75, 1.15), rng.uniform(0.3, 0.75), rng.uniform(1.1, 1.5)
    exposure = float(rng.choice(exposures, p=[0.7, 0.2, 0.1]))
    return np.asarray(exposure * np.exp([-warmth, tint, warmth]), np.float32)


def _as_file(rng: np.random.Generator, shown: np.ndarray) -> np.ndarray:
    """uint8 -> uint8: the picture with a tone curve, sharpened and as JPEG, each sometimes."""
    if rng.random() < 0.5:
        curve = np.clip(np.arange(256) / 255, 0, 1) ** np.exp(rng.normal(0, 0.25)) * 255
        shown = np.asarray(cv2.LUT(shown, curve.astype(np.uint8)))
    if rng.random() < 0.25:
        soft = cv2.GaussianBlur(shown, (0, 0), float(rng.uniform(0.7, 2.0)))
        amount = float(rng.uniform(0.3, 1.5))
        shown = np.asarray(cv2.addWeighted(shown, 1 + amount, soft, -amount, 0))
    if rng.random() < 0.6:
        jpeg = cv2.imencode(".jpg", shown, [cv2.IMWRITE_JPEG_QUALITY, int(rng.uniform(40, 96))])[1]
        shown = np.asarray(cv2.imdecode(jpeg, cv2.IMREAD_COLOR))
    return shown


def _light_field(rng: np.random.Generator) -> np.ndarray:
    """(48, 64) float32: how bright each part of the picture is, from lamps, shadows and the lens."""
    y, x = np.mgrid[:48, :64].astype(np.float32) / 64
    field = np.ones((48, 64), np.float32)
    if rng.random() < 0.6:
        away = np.hypot(x - rng.uniform(0, 1), y - rng.uniform(0, 0.75))
        field *= 1 - rng.uniform(0, 0.6) * np.clip(away, 0, 1) ** 1.5
    if rng.random() < 0.3:
        mask = np.zeros((48, 64), np.float32)
        cv2.fillPoly(mask, [(rng.uniform(-0.3, 1.3, (3, 2)) * (64, 48)).astype(np.int32)], 1.0)
        field *= 1 - rng.uniform(0.1, 0.5) * cv2.GaussianBlur(mask, (0, 0), float(rng.uniform(0.4, 6)))
    if rng.random() < 0.12:
        spot = np.exp(-(((x - rng.random()) / 0.15) ** 2 + ((y - 0.75 * rng.random()) / 0.15) ** 2))
        field += rng.uniform(0.1, 0.6) * spot
    return field
