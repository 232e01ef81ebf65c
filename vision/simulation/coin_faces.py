"""The sides of coins: relief and metal of invented coins, as height maps.

Every number of a design stands for another coin: a head in profile with lettering round the rim on one side,
and a value with a wreath, a shield, a ship or stars on the other. All pieces of a design bear the same
relief, each with its own wear, scratches and tarnish.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.simulation.scene import BGR
from vision.simulation.view import Floats

SIDE_PX = 320
"""Width of a height map, px: 0.08 mm a px on a coin of 25 mm."""
RADIUS_PX = SIDE_PX / 2 - 2
"""Radius of the coin in its map, px."""
RELIEF_MM = 0.32
"""Height of a new coin's highest relief over the field."""
RIM_SHARE = 0.93
"""Inner radius of the raised rim, in radii."""
LETTERS = "ABCDEFGHIJKLMNOPRSTUVWXY"
VALUES = ("1", "2", "5", "10", "20", "25", "50", "100")
CORE_SHARE = 0.7
"""Radius of the inner metal of a bicoloured coin, in radii."""

COPPER, BRASS, NICKEL = (86.0, 128.0, 206.0), (82.0, 170.0, 214.0), (182.0, 194.0, 200.0)
"""BGR: the colours of light that the metals reflect."""
FACES = ("heads", "tails")
"""The sides of a coin."""
METALS: dict[str, tuple[BGR, BGR]] = {
    "copper": (COPPER, COPPER),
    "brass": (BRASS, BRASS),
    "nickel": (NICKEL, NICKEL),
    "bicolour": (BRASS, NICKEL),
    "bicolour 2": (NICKEL, BRASS),
}
"""Colours of the outer ring and of the inner disc."""


@dataclass(frozen=True)
class CoinStyle:
    """One coin. Lengths are mm.

    design: number of the relief. piece: number of this very coin, for its scratches and stains.
    metal: one of METALS. wear: 0 new ... 1 smooth. tarnish: 0 bright ... 1 dark. scratches: 0 none ... 1 all
        over.
    """

    design: int = 1
    piece: int = 0
    metal: str = "copper"
    diameter_mm: float = 25.0
    thickness_mm: float = 1.9
    wear: float = 0.2
    tarnish: float = 0.3
    scratches: float = 0.3

    @property
    def length_mm(self) -> float:
        return self.diameter_mm

    @property
    def width_mm(self) -> float:
        return self.diameter_mm


@dataclass(frozen=True, eq=False)
class CoinSide:
    """A side of a coin, (SIDE_PX, SIDE_PX) each; its top is up.

    slopes: (2, h, w) height gained per mm to the right and upwards. bgr: (h, w, 3) colour of the reflected
    light, 0-1. roughness: (h, w) standard deviation of the metal's microscopic slopes.
    """

    slopes: Floats
    bgr: Floats
    roughness: Floats


@lru_cache(maxsize=64)
def coin_side(style: CoinStyle, face: str) -> CoinSide:
    """The side of this coin; face: "heads" or "tails"."""
    height = _worn(coin_relief(style.design, face), style)
    rng = np.random.default_rng((style.design, style.piece, FACES.index(face), 7))
    px_per_mm = 2 * RADIUS_PX / style.diameter_mm
    mm = height * RELIEF_MM + _scratches(style, rng)
    slopes = np.stack([np.gradient(mm, axis=1), -np.gradient(mm, axis=0)]) * px_per_mm
    return CoinSide(slopes.astype(np.float32), *_metal(style, height, rng))


@lru_cache(maxsize=64)
def coin_relief(design: int, face: str) -> Floats:
    """(SIDE_PX, SIDE_PX) height of a new coin's relief, 0 field ... 1 highest."""
    rng = np.random.default_rng((design, FACES.index(face)))
    shared = np.random.default_rng(design)
    height = _rim(shared)
    lettering = _lettering(rng, design, face)
    figure = _profile(rng) if face == "heads" else _reverse(rng, design)
    height = np.maximum(height, np.maximum(lettering, figure))
    return np.asarray(cv2.GaussianBlur(height, (0, 0), 1.1), np.float32)


# --- parts of the relief ------------------------------------------------------------------------------------


def _grid() -> tuple[Floats, Floats]:
    """x to the right and y upwards of each px of a map, in radii."""
    v = (np.arange(SIDE_PX, dtype=np.float32) - (SIDE_PX - 1) / 2) / np.float32(RADIUS_PX)
    return np.broadcast_to(v, (SIDE_PX, SIDE_PX)), np.broadcast_to(-v[:, None], (SIDE_PX, SIDE_PX))


def _points(xy: NDArray[np.floating]) -> NDArray[np.int32]:
    """Points in radii, x to the right and y upwards, as px with 4 binary places, for OpenCV."""
    px = np.stack([xy[:, 0], -xy[:, 1]], axis=1) * RADIUS_PX + (SIDE_PX - 1) / 2
    return np.asarray(np.round(px * 16), np.int32)


def _filled(xy: NDArray[np.floating]) -> Floats:
    mask = np.zeros((SIDE_PX, SIDE_PX), np.float32)
    cv2.fillPoly(mask, [_points(xy)], (1.0,), cv2.LINE_AA, 4)
    return mask


def _line(mask: Floats, xy: NDArray[np.floating], width: float, level: float = 1.0) -> None:
    """Draws an open line, in place. width: radii."""
    thick = max(1, round(width * RADIUS_PX))
    cv2.polylines(mask, [_points(xy)], False, (level,), thick, cv2.LINE_AA, 4)


def _domed(mask: Floats, reach: float) -> Floats:
    """The shape, rounded off from its edge over this distance, radii."""
    inside = np.asarray(cv2.distanceTransform((mask > 0.5).astype(np.uint8), cv2.DIST_L2, 5), np.float32)
    share = np.clip(inside / (reach * RADIUS_PX), 0, 1)
    return np.asarray(np.sqrt(1 - (1 - share) ** 2), np.float32)


def _rim(rng: np.random.Generator) -> Floats:
    x, y = _grid()
    radius = np.hypot(x, y)
    height = ((radius > RIM_SHARE) & (radius <= 1)).astype(np.float32)
    if rng.random() < 0.5:  # a ring of beads within the rim
        beads = int(rng.integers(60, 110))
        angle = np.arctan2(y, x)
        bead = np.cos(angle * beads) * 0.5 + 0.5
        ring = np.exp(-(((radius - 0.895) / 0.018) ** 2))
        height = np.maximum(height, 0.7 * ring * (bead > 0.45))
    return np.asarray(height, np.float32)


def _lettering(rng: np.random.Generator, design: int, face: str) -> Floats:
    """Letters that stand along the rim."""
    words = [
        "".join(rng.choice(list(LETTERS), int(rng.integers(3, 9)))) for _ in range(int(rng.integers(1, 4)))
    ]
    text = " ".join(words) + (f" {1900 + design % 120}" if face == "heads" else "")
    size = float(rng.uniform(0.11, 0.17))
    font = int(rng.choice([cv2.FONT_HERSHEY_DUPLEX, cv2.FONT_HERSHEY_TRIPLEX, cv2.FONT_HERSHEY_SIMPLEX]))
    high = 64
    (wide, _), _ = cv2.getTextSize(text, font, 2.0, 5)
    strip = np.zeros((high, wide + 40), np.uint8)
    cv2.putText(strip, text, (20, 54), font, 2.0, (255,), 5, cv2.LINE_AA)
    span = min(wide / high * size * 1.2 / 0.8, 5.6)
    middle = float(rng.choice([np.pi / 2, np.pi / 2, 0.0, np.pi]))
    return _bent(strip.astype(np.float32) / 255, 0.87 - size, 0.87, middle, span)


def _bent(strip: Floats, inner: float, outer: float, middle: float, span: float) -> Floats:
    """The strip, bent round the centre: its middle at this angle, over so many radians, tops outwards."""
    x, y = _grid()
    off = (middle - np.arctan2(y, x) + np.pi) % (2 * np.pi) - np.pi
    column = (off / span + 0.5) * strip.shape[1]
    row = (outer - np.hypot(x, y)) / (outer - inner) * strip.shape[0]
    return np.asarray(
        0.75 * cv2.remap(strip, column.astype(np.float32), row.astype(np.float32), cv2.INTER_LINEAR),
        np.float32,
    )


PROFILE = (
    (-0.34, -0.66), (-0.26, -0.44), (-0.42, -0.2), (-0.47, 0.1), (-0.4, 0.38), (-0.2, 0.56), (0.08, 0.58),
    (0.27, 0.44), (0.33, 0.27), (0.31, 0.19), (0.38, 0.1), (0.47, -0.02), (0.36, -0.06), (0.4, -0.13),
    (0.36, -0.17), (0.39, -0.23), (0.34, -0.28), (0.36, -0.4), (0.24, -0.46), (0.1, -0.42), (0.07, -0.58),
    (0.22, -0.7), (-0.05, -0.62),
)  # fmt: skip
"""Outline of a head that looks to the right, in radii."""


def _profile(rng: np.random.Generator) -> Floats:
    """A head in profile with hair, an ear, an eye and perhaps a band round it."""
    side = float(rng.choice([-1, 1]))
    bend = np.array([side * rng.uniform(0.85, 1.1), rng.uniform(0.85, 1.08)])
    at = np.array([side * rng.uniform(-0.08, 0.08), rng.uniform(-0.06, 0.06)])
    outline = (_rounded(np.array(PROFILE) + rng.normal(0, 0.022, (len(PROFILE), 2)))) * bend + at
    head = 0.9 * _domed(_filled(outline), 0.28)
    hair = _hair(rng, bend, at) * (head > 0.05)
    features = np.zeros_like(head)
    for centre, radius in (((-0.06, 0.0), 0.07), ((0.24, 0.13), 0.03)):
        middle = np.array(centre) * bend + at
        turn = np.linspace(0, 5.2, 16)
        _line(features, middle + radius * np.stack([np.cos(turn), 1.3 * np.sin(turn)], 1), 0.022)
    if rng.random() < 0.6:
        along = np.linspace(0, 1, 12)[:, None]
        _line(
            features, (np.array([-0.42, 0.2]) * (1 - along) + np.array([0.29, 0.4]) * along) * bend + at, 0.05
        )
    return np.asarray(np.clip(head * 0.8 + 0.22 * hair + 0.2 * features * (head > 0.05), 0, 1), np.float32)


def _hair(rng: np.random.Generator, bend: NDArray[np.floating], at: NDArray[np.floating]) -> Floats:
    """Waves of hair over the back of the head, -1 to 1."""
    x, y = _grid()
    u, v = (x - at[0]) / bend[0], (y - at[1]) / bend[1]
    waves = float(rng.uniform(16, 30)), float(rng.uniform(2, 5)), float(rng.uniform(0, 6.3))
    swirl = np.hypot(u + 0.05, v - 0.05) * waves[0] + np.arctan2(v, u) * waves[1] + np.sin(6 * u + waves[2])
    back = 1 / (1 + np.exp(np.clip((u - 0.12 - 0.3 * (v - 0.2)) / 0.03, -30, 30)))
    above = 1 / (1 + np.exp(np.clip((-0.3 - v) / 0.04, -30, 30)))
    return np.asarray(np.sin(swirl) * back * above, np.float32)


def _rounded(xy: NDArray[np.floating]) -> NDArray[np.floating]:
    """A closed outline with its corners cut twice (Chaikin)."""
    for _ in range(2):
        after = np.roll(xy, -1, axis=0)
        xy = np.stack([0.75 * xy + 0.25 * after, 0.25 * xy + 0.75 * after], axis=1).reshape(-1, 2)
    return xy


def _reverse(rng: np.random.Generator, design: int) -> Floats:
    """The figure of the other side: a large value, or an emblem with a small one."""
    value = str(rng.choice(VALUES))
    kind = design % 5
    if kind == 0:
        return np.maximum(_value(value, rng.uniform(0.75, 0.95), (0, 0)), _wreath(rng))
    if kind == 1:
        return np.maximum(_value(value, rng.uniform(0.6, 0.9), (-0.2, 0.05)), _bars_and_stars(rng))
    emblem = (_shield, _ship, _leaves)[kind - 2](rng)
    return np.maximum(emblem, _value(value, 0.3, (float(rng.choice([-0.52, 0.52])), -0.25)))


def _value(text: str, high: float, at: tuple[float, float]) -> Floats:
    """Figures of this height, radii, with their middle there."""
    font, scale = cv2.FONT_HERSHEY_TRIPLEX, 8.0
    (wide, tall), _ = cv2.getTextSize(text, font, scale, 22)
    drawn = np.zeros((tall + 60, wide + 60), np.uint8)
    cv2.putText(drawn, text, (30, tall + 30), font, scale, (255,), 22, cv2.LINE_AA)
    px = min(high, 1.05 * tall / wide) * RADIUS_PX / tall
    small = cv2.resize(drawn.astype(np.float32) / 255, None, fx=px, fy=px, interpolation=cv2.INTER_AREA)
    h, w = small.shape
    x0, y0 = (SIDE_PX - w) / 2 + at[0] * RADIUS_PX, (SIDE_PX - h) / 2 - at[1] * RADIUS_PX
    shift = np.array([[1, 0, x0], [0, 1, y0]], np.float32)
    mask = np.asarray(cv2.warpAffine(small, shift, (SIDE_PX, SIDE_PX)), np.float32)
    return np.asarray(0.85 * _domed(mask, 0.05), np.float32)


def _wreath(rng: np.random.Generator) -> Floats:
    """Two branches of leaves around the middle."""
    height = np.zeros((SIDE_PX, SIDE_PX), np.float32)
    radius, leaves = float(rng.uniform(0.55, 0.62)), int(rng.integers(6, 11))
    for side in (-1, 1):
        for angle in np.linspace(-1.3, 1.1, leaves):
            for lean in (-0.5, 0.5):
                stem = radius * np.array([side * np.cos(angle), np.sin(angle)])
                away = np.array([side * np.cos(angle + 1.2 + lean), np.sin(angle + 1.2 + lean)])
                along = np.linspace(0, 1, 8)[:, None]
                bow = 0.035 * np.sin(np.pi * along) * np.array([[-away[1], away[0]]])
                leaf = np.concatenate(
                    [stem + 0.15 * along * away + bow, (stem + 0.15 * along * away - bow)[::-1]]
                )
                height = np.maximum(height, 0.7 * _filled(leaf))
    return height


def _bars_and_stars(rng: np.random.Generator) -> Floats:
    """Stripes across the field, and stars at one side."""
    height = np.zeros((SIDE_PX, SIDE_PX), np.float32)
    for x in np.linspace(0.3, 0.66, int(rng.integers(3, 7))):
        _line(height, np.array([[x, -0.5], [x, 0.5]]), 0.02, 0.6)
    turn = np.arange(10) * np.pi / 5 + np.pi / 2
    star = np.stack([np.cos(turn), np.sin(turn)], 1) * np.where(np.arange(10) % 2, 0.03, 0.075)[:, None]
    for angle in np.linspace(1.9, 4.4, int(rng.integers(5, 8))):
        height = np.maximum(height, 0.8 * _filled(star + 0.72 * np.array([np.cos(angle), np.sin(angle)])))
    return height


def _shield(rng: np.random.Generator) -> Floats:
    """A quartered shield with a crown of points."""
    half, low = float(rng.uniform(0.32, 0.42)), float(rng.uniform(0.42, 0.55))
    outline = _rounded(np.array([(-half, 0.3), (half, 0.3), (half, -0.15), (0, -low), (-half, -0.15)]))
    height = 0.55 * _domed(_filled(outline), 0.05)
    marks = np.zeros_like(height)
    _line(marks, np.array([[0, 0.3], [0, -low]]), 0.04)
    _line(marks, np.array([[-half, 0.02], [half, 0.02]]), 0.04)
    for x, y in ((-half / 2, 0.16), (half / 2, -0.16)):
        turn = np.linspace(0, 6.3, 20)
        _line(marks, np.stack([x + 0.1 * np.cos(turn), y + 0.1 * np.sin(turn)], 1), 0.045)
    for x in np.linspace(-half, half, int(rng.choice([3, 5]))):
        _line(marks, np.array([[x, 0.34], [x * 1.15, 0.55]]), 0.06)
    return np.asarray(np.clip(height + 0.4 * marks, 0, 1), np.float32)


def _ship(rng: np.random.Generator) -> Floats:
    """A ship with sails on waves."""
    marks = np.zeros((SIDE_PX, SIDE_PX), np.float32)
    hull = np.array([(-0.5, -0.1), (-0.36, -0.32), (0.36, -0.32), (0.55, -0.05), (0.3, -0.14), (-0.3, -0.14)])
    height = 0.8 * _domed(_filled(_rounded(hull)), 0.1)
    for x in rng.uniform(-0.3, 0.3, 2):
        sail = np.array([(x, 0.55), (x + 0.28, 0.1), (x + 0.05, 0.0), (x - 0.15, 0.05)])
        height = np.maximum(height, 0.6 * _domed(_filled(_rounded(sail)), 0.12))
        _line(marks, np.array([[x, -0.1], [x, 0.62]]), 0.03, 0.8)
    for y in (-0.42, -0.52):
        x_ = np.linspace(-0.55, 0.55, 50)
        _line(marks, np.stack([x_, y + 0.03 * np.sin(x_ * 22 + y * 30)], 1), 0.03, 0.6)
    return np.asarray(np.maximum(height, marks), np.float32)


def _leaves(rng: np.random.Generator) -> Floats:
    """A flower or a knot of several turned leaves."""
    x, y = _grid()
    radius, angle, n = np.hypot(x, y), np.arctan2(y, x), int(rng.integers(3, 9))
    twist = float(rng.uniform(-4, 4))
    petal = np.cos(n * (angle + twist * radius)) * 0.5 + 0.5
    inner = np.clip((0.55 - radius) / 0.08, 0, 1)
    return np.asarray(0.8 * inner * np.clip((petal - 0.35) / 0.4, 0, 1), np.float32)


# --- wear and metal -----------------------------------------------------------------------------------------


def _worn(height: Floats, style: CoinStyle) -> Floats:
    """The relief after years: high places are rubbed off first, and edges are rounded."""
    soft = cv2.GaussianBlur(height, (0, 0), 0.5 + 2.2 * style.wear)
    top = 1 - 0.55 * style.wear
    return np.asarray(top * (1 - np.exp(-soft / top * 1.6)) / (1 - np.exp(-1.6)), np.float32)


def _scratches(style: CoinStyle, rng: np.random.Generator) -> Floats:
    """(h, w) mm: fine grooves in all directions, dents, and the grain of the field."""
    mask = np.zeros((SIDE_PX, SIDE_PX), np.float32)
    for _ in range(int(70 * style.scratches)):
        start, angle, length = rng.uniform(-0.9, 0.9, 2), rng.uniform(0, np.pi), rng.uniform(0.05, 0.7)
        end = start + length * np.array([np.cos(angle), np.sin(angle)])
        _line(mask, np.array([start, end]), 0.004, float(rng.uniform(0.2, 1)))
    for _ in range(int(6 * style.scratches)):
        _line(mask, rng.uniform(-0.9, 0.9, 2) + rng.normal(0, 0.02, (3, 2)), 0.03, 1.0)
    grain = rng.standard_normal((SIDE_PX, SIDE_PX), np.float32)
    grain = cv2.GaussianBlur(grain, (0, 0), 1.2) + 1.5 * cv2.GaussianBlur(grain, (0, 0), 4)
    return np.asarray(-0.02 * cv2.GaussianBlur(mask, (0, 0), 0.6) + 0.004 * grain, np.float32)


def _metal(style: CoinStyle, height: Floats, rng: np.random.Generator) -> tuple[Floats, Floats]:
    """Colour (h, w, 3) and roughness (h, w): dark tarnish lies in the recesses and in stains."""
    x, y = _grid()
    ring, core = (np.array(bgr, np.float32) / 255 for bgr in METALS[style.metal])
    bgr = np.where((np.hypot(x, y) < CORE_SHARE)[..., None], core, ring)
    coarse = rng.standard_normal((9, 9)).astype(np.float32)
    stain = cv2.GaussianBlur(cv2.resize(coarse, (SIDE_PX, SIDE_PX), interpolation=cv2.INTER_CUBIC), (0, 0), 6)
    recess = np.clip(cv2.GaussianBlur(height, (0, 0), 5) - height, 0, 1)
    dark = np.clip(style.tarnish * (0.35 + 0.25 * stain + 2.2 * recess), 0, 0.85)
    brown = np.array([0.35, 0.42, 0.5], np.float32)
    colour = bgr * (1 - dark[..., None]) + bgr * brown * dark[..., None] * 0.7
    return np.asarray(colour, np.float32), np.asarray(0.1 + 0.22 * dark + 0.1 * style.wear, np.float32)
