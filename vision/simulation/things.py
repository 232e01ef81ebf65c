"""Other objects in perspective: a game box with printed dice, a phone, a tray, a domino, a dice cup."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

import cv2
import numpy as np

from vision.frames import Picture
from vision.simulation.dice import PIP_LAYOUT
from vision.simulation.scene import BGR, Scene
from vision.simulation.view import Floats, View

TEXTURE_PX_MM = 4.0
"""Resolution of the textures."""

CARTON: BGR = (60, 50, 150)
GLASS: BGR = (26, 24, 22)
BONE: BGR = (205, 222, 230)
FELT: BGR = (92, 46, 34)
LEATHER: BGR = (38, 62, 104)
"""Colours of the things' materials."""

CUP_TAPER = 0.2
"""By how much of its radius a cup is narrower at its bottom, which is up."""
CUP_CORNERS = 40
"""Corners of the polygon that stands for a cup's round outline."""


@dataclass(frozen=True)
class Thing:
    """An object on the table or in the tray.

    kind: "box", "phone", "tray", "domino" or "cup". A cup stands upside down.
    x_mm, y_mm: its centre.
    size_mm: width, depth and height of its kind.
    yaw_rad: its rotation.
    lit: whether a phone's screen is on.
    raised_mm: height of its underside over the floor.
    """

    kind: str
    x_mm: float
    y_mm: float
    yaw_rad: float = 0.0
    lit: bool = False
    raised_mm: float = 0.0

    @property
    def size_mm(self) -> tuple[float, float, float]:
        return SIZES_MM[self.kind]

    def at(self, x_mm: float, y_mm: float) -> Thing:
        return replace(self, x_mm=x_mm, y_mm=y_mm)

    def corners(self, z_mm: float) -> Floats:
        """(n, 3) mm: the corners of its outline at this height over its underside; a cup has many."""
        w, d, high = self.size_mm
        z_mm += self.raised_mm
        if self.kind == "cup":
            radius = w / 2 * (1 - CUP_TAPER * (z_mm - self.raised_mm) / high)
            around = np.linspace(0, 2 * np.pi, CUP_CORNERS, endpoint=False)
            circle = np.stack([np.cos(around), np.sin(around)], axis=1) * radius
            return np.array([(self.x_mm + x, self.y_mm + y, z_mm) for x, y in circle], np.float32)
        c, s = np.cos(self.yaw_rad), np.sin(self.yaw_rad)
        flat = np.array([(-w, d), (w, d), (w, -d), (-w, -d)]) / 2 @ np.array([[c, s], [-s, c]])
        return np.array([(self.x_mm + x, self.y_mm + y, z_mm) for x, y in flat], np.float32)


SIZES_MM: dict[str, tuple[float, float, float]] = {
    "box": (88.0, 62.0, 24.0),
    "phone": (72.0, 148.0, 8.0),
    "tray": (150.0, 110.0, 16.0),
    "domino": (24.0, 48.0, 7.0),
    "cup": (84.0, 84.0, 72.0),
}
"""Width, depth and height of each kind of thing."""


def draw_things(canvas: Picture, view: View, scene: Scene, things: tuple[Thing, ...]) -> None:
    """Draws things with their shadows, in place."""
    for thing in things:
        _shadow(canvas, view, scene, thing)
    for thing in sorted(things, key=lambda t: t.size_mm[2]):
        _sides(canvas, view, scene, thing)
        (_bottom_of_cup if thing.kind == "cup" else _top)(canvas, view, scene, thing)


def _shadow(canvas: Picture, view: View, scene: Scene, thing: Thing) -> None:
    high = thing.size_mm[2]
    slope = np.array(scene.to_light, np.float32) / scene.to_light[2]
    low, top = thing.raised_mm, thing.raised_mm + high
    down = np.concatenate([thing.corners(0) - slope * low, thing.corners(high) - slope * top])
    mask = np.zeros(canvas.shape[:2], np.float32)
    hull = cv2.convexHull(view.project(down.astype(np.float32))).round().astype(np.int32)
    cv2.fillConvexPoly(mask, hull, (0.62 * scene.key / (scene.key + scene.ambient),))
    shade = 1 - cv2.GaussianBlur(mask, (0, 0), 2.2 * view.px_per_mm())
    canvas[:] = canvas * shade[..., None]


def _sides(canvas: Picture, view: View, scene: Scene, thing: Thing) -> None:
    low, high = view.project(thing.corners(0)), view.project(thing.corners(thing.size_mm[2]))
    light = np.array(scene.light_bgr) * scene.exposure * (scene.ambient + 0.35 * scene.key)
    bgr = np.array(_colour(thing.kind)) * light * 0.7
    hull = cv2.convexHull(np.concatenate([low, high])).round().astype(np.int32)
    cv2.fillConvexPoly(canvas, hull, tuple(float(c) for c in np.clip(bgr, 0, 255)), cv2.LINE_AA)


def _top(canvas: Picture, view: View, scene: Scene, thing: Thing) -> None:
    """Warps the texture of the upper side into the picture, in place."""
    texture, glow = _texture(thing.kind, thing.lit)
    lambert = scene.ambient + scene.key * scene.to_light[2]
    lit = (
        np.array(scene.light_bgr) * scene.exposure * lambert * (1 - glow[..., None]) + glow[..., None] * 1.15
    )
    h, w = texture.shape[:2]
    outline = view.project(thing.corners(thing.size_mm[2]))
    to_px = cv2.getPerspectiveTransform(np.array([(0, 0), (w, 0), (w, h), (0, h)], np.float32), outline)
    size = (canvas.shape[1], canvas.shape[0])
    warped = cv2.warpPerspective(np.asarray(texture * lit, np.float32), to_px, size, flags=cv2.INTER_AREA)
    alpha = cv2.warpPerspective(np.ones((h, w), np.float32), to_px, size)[..., None]
    canvas[:] = np.clip(canvas * (1 - alpha) + warped, 0, 255)


def _bottom_of_cup(canvas: Picture, view: View, scene: Scene, cup: Thing) -> None:
    """Draws the upper side of a cup that stands upside down: a disc with a seam, in place."""
    light = np.array(scene.light_bgr) * scene.exposure * (scene.ambient + scene.key * scene.to_light[2])
    bgr = np.array(LEATHER) * light
    disc = view.project(cup.corners(cup.size_mm[2]))
    cv2.fillConvexPoly(canvas, disc.round().astype(np.int32), _clipped(bgr), cv2.LINE_AA)
    seam = disc.mean(axis=0) + (disc - disc.mean(axis=0)) * 0.86
    cv2.polylines(canvas, [seam.round().astype(np.int32)], True, _clipped(bgr * 1.35), 2, cv2.LINE_AA)


def _clipped(bgr: Floats) -> BGR:
    b, g, r = (float(c) for c in np.clip(bgr, 0, 255))
    return b, g, r


def _colour(kind: str) -> BGR:
    return {
        "box": CARTON,
        "phone": GLASS,
        "tray": Scene.rim_bgr,
        "domino": BONE,
        "cup": LEATHER,
    }[kind]


@lru_cache(maxsize=16)
def _texture(kind: str, lit: bool) -> tuple[Floats, Floats]:
    """(h, w, 3) colours and (h, w) 0-1 emission of a thing's upper side."""
    w, h = (round(v * TEXTURE_PX_MM) for v in SIZES_MM[kind][:2])
    colours = np.full((h, w, 3), np.rint(_colour(kind)), np.uint8)
    glow = np.zeros((h, w), np.float32)
    {"box": _box, "phone": _phone, "tray": _tray, "domino": _domino}[kind](colours, glow, lit)
    grain = np.random.default_rng(len(kind)).normal(0, 3, (h, w, 1))
    return np.asarray(np.clip(colours + grain * (1 - glow[..., None]), 0, 255), np.float32), glow


def _box(colours: Picture, glow: Floats, lit: bool) -> None:
    """Draws the lid of a game: a band with its title, and two printed dice of real size."""
    h, w = colours.shape[:2]
    colours[: h // 4] = (40, 150, 215)
    cv2.putText(
        colours, "TUMBLE", (w // 10, h // 5), cv2.FONT_HERSHEY_DUPLEX, h / 220, (30, 30, 60), 4, cv2.LINE_AA
    )
    side = round(17 * TEXTURE_PX_MM)
    for x, y, face in ((w // 3, h * 3 // 5, 5), (w * 2 // 3, h * 13 // 20, 3)):
        cv2.rectangle(
            colours, (x - side // 2, y - side // 2), (x + side // 2, y + side // 2), (240, 242, 242), -1
        )
        pips(colours, (x, y), side * 0.27, side * 0.09, face, (30, 28, 28))


def _phone(colours: Picture, glow: Floats, lit: bool) -> None:
    """Draws a dark screen, or a lit one with rows of bright tiles."""
    if not lit:
        return
    h, w = colours.shape[:2]
    m = w // 18
    colours[m : h - m, m : w - m] = (150, 110, 60)
    for row in range(6):
        for column in range(4):
            x, y = m * 2 + column * (w - 3 * m) // 4, m * 3 + row * (h - 5 * m) // 6
            tint = (60 + 45 * column, 210 - 30 * row, 90 + 25 * (row + column))
            cv2.rectangle(colours, (x, y), (x + w // 7, y + w // 7), tint, -1)
    glow[m : h - m, m : w - m] = 1


def _tray(colours: Picture, glow: Floats, lit: bool) -> None:
    """Draws another tray: a wooden frame with felt that is darker at its edges."""
    h, w = colours.shape[:2]
    rim = round(10 * TEXTURE_PX_MM)
    y, x = np.mgrid[: h - 2 * rim, : w - 2 * rim].astype(np.float32)
    edge = np.minimum(np.minimum(x, x[:, ::-1]), np.minimum(y, y[::-1]))
    shade = 0.6 + 0.4 * np.clip(edge / (8 * TEXTURE_PX_MM), 0, 1)
    colours[rim : h - rim, rim : w - rim] = np.array(FELT) * shade[..., None]


def _domino(colours: Picture, glow: Floats, lit: bool) -> None:
    h, w = colours.shape[:2]
    cv2.line(colours, (w // 8, h // 2), (w - w // 8, h // 2), (60, 60, 60), 3, cv2.LINE_AA)
    for middle, face in ((h // 4, 4), (h * 3 // 4, 2)):
        pips(colours, (w // 2, middle), w * 0.27, w * 0.1, face, (30, 28, 28))


def pips(canvas: Picture, middle: tuple[int, int], pitch: float, radius: float, face: int, bgr: BGR) -> None:
    """Draws the pips of a face, in place; middle, pitch and radius in px."""
    for x, y in PIP_LAYOUT[face]:
        cv2.circle(
            canvas,
            (round(middle[0] + x * pitch), round(middle[1] + y * pitch)),
            round(radius),
            bgr,
            -1,
            cv2.LINE_AA,
        )
