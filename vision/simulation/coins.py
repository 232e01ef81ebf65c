"""Coins on the simulated tray: metal discs with relief, traced pixel by pixel.

Theory of operation. A coin is a cylinder whose two ends bear height maps. In its own axes z points out of
its heads, y to the top of the head and x to the right of it. Metal has no colour of its own light: a ray
that meets it is reflected by the relief's normal, and its colour is the brightness of the room in that
direction, times the metal's colour. The room has a ceiling, walls, the scene's main light, more lamps and a
window, and is blurred by the metal's roughness. Several rays of each pixel are averaged.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from typing import ClassVar

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.simulation.coin_faces import RADIUS_PX, SIDE_PX, CoinStyle, coin_side
from vision.simulation.scene import Scene
from vision.simulation.solids import Solid, camera_gain
from vision.simulation.sticks import SimStick
from vision.simulation.view import Floats, View

RAYS = 3
"""Rays of a pixel along x and along y."""
MIN_DISTANCE_MM = 60.0
"""Minimum distance of a coin's centre from the lens. A nearer coin is not drawn."""
CORNERS = 24
"""Corners of the polygon around a coin."""
EDGE_BGR = 0.55
"""Brightness of the coin's edge, as a share of the metal's."""
DIFFUSE_SHARE = 0.3
"""Share of light that worn metal scatters to all sides."""
SHINE = 0.75
"""Brightness of a mirror of the ceiling, as a share of white paper."""


@dataclass(frozen=True)
class SimCoin(SimStick):
    """A coin that lies on the simulated tray in place of a stick. roll_rad: 0 = heads up, pi = tails up."""

    flat: str = "heads"
    back: str = "tails"
    coin: CoinStyle = field(default_factory=CoinStyle)

    @property
    def style(self) -> CoinStyle:  # type: ignore[override]
        return self.coin

    @property
    def body(self) -> Solid:
        return CoinBody(*self.pose, self.coin)


@dataclass(frozen=True, eq=False)
class CoinBody(Solid):
    """A coin in space."""

    degrees_per_subframe: ClassVar[float] = 12.0
    min_spin_deg: ClassVar[float] = 3.0

    look: CoinStyle

    @property
    def thickness_mm(self) -> float:
        return self.look.thickness_mm

    @property
    def min_distance_mm(self) -> float:
        return MIN_DISTANCE_MM

    def corners(self, scale: float = 1.0) -> Floats:
        """(n, 3) mm: corners of a polygon around both ends, scaled about its centre."""
        angle = np.arange(CORNERS) * 2 * np.pi / CORNERS
        beyond = self.look.diameter_mm / 2 / np.cos(np.pi / CORNERS)
        ring = np.stack([np.cos(angle), np.sin(angle)], 1) * beyond
        own = np.concatenate(
            [np.hstack([ring, np.full((CORNERS, 1), z * self.thickness_mm / 2)]) for z in (-1, 1)]
        )
        return np.asarray(self.centre + np.float32(scale) * own @ self.rotation.T, np.float32)

    def trace(
        self, view: View, scene: Scene, xs: NDArray[np.intp], ys: NDArray[np.intp]
    ) -> tuple[Floats, Floats]:
        offsets = (np.arange(RAYS) + 0.5) / RAYS - 0.5
        colour, hits = np.zeros((len(xs), 3), np.float32), np.zeros(len(xs), np.float32)
        for dx in offsets:
            for dy in offsets:
                rays = np.asarray(view.rays_through(xs + dx, ys + dy, np.float32), np.float32)
                bgr, met = self._traced(view, scene, rays)
                colour += bgr
                hits += met
        colour *= (camera_gain(view, scene, xs, ys) / np.maximum(hits, 1))[:, None]
        return np.minimum(colour, 255), np.asarray(hits / RAYS**2, np.float32)

    def _traced(self, view: View, scene: Scene, rays: Floats) -> tuple[Floats, Floats]:
        """(n, 3) BGR, 0 where a ray (3, n) misses the coin, and (n,) 1 where it meets the coin."""
        own = np.asarray(self.rotation.T @ rays, np.float32)
        eye = np.asarray((view.position - self.centre) @ self.rotation, np.float32)
        depth, on_end = _entries(eye, own, self.look.diameter_mm / 2, self.thickness_mm / 2)
        met = np.isfinite(depth)
        colour = np.zeros((rays.shape[1], 3), np.float32)
        points = eye[:, None] + np.where(met, depth, 0) * own
        for here, shade in ((met & on_end, self._end), (met & ~on_end, self._edge)):
            if here.any():
                colour[here] = shade(scene, points[:, here], own[:, here])
        return colour * np.array(scene.light_bgr, np.float32), met.astype(np.float32)

    def _end(self, scene: Scene, points: Floats, rays: Floats) -> Floats:
        """(n, 3) BGR of points on heads or tails, whichever the rays can see."""
        heads = float((points[2] > 0).mean()) > 0.5
        side = coin_side(self.look, "heads" if heads else "tails")
        flip = np.float32(1 if heads else -1)  # tails: turned over about its upright axis
        scale = RADIUS_PX / (self.look.diameter_mm / 2)
        column = flip * points[0] * scale + (SIDE_PX - 1) / 2
        row = -points[1] * scale + (SIDE_PX - 1) / 2
        slope_x, slope_y, roughness, *bgr = (
            _looked_up(part, column, row)
            for part in (*side.slopes, side.roughness, *np.moveaxis(side.bgr, 2, 0))
        )
        normals = np.stack([-flip * slope_x, -slope_y, np.full_like(slope_x, flip)])
        normals /= np.linalg.norm(normals, axis=0)
        return self._lit(scene, normals, rays, np.stack(bgr, 1), roughness)

    def _edge(self, scene: Scene, points: Floats, rays: Floats) -> Floats:
        normals = points * np.array([[1], [1], [0]], np.float32)
        normals /= np.maximum(np.linalg.norm(normals, axis=0), 1e-6)
        metal = coin_side(self.look, "heads").bgr[SIDE_PX // 2, 8] * EDGE_BGR
        rough = np.full(points.shape[1], 0.5, np.float32)
        return self._lit(scene, normals, rays, np.broadcast_to(metal, (points.shape[1], 3)), rough)

    def _lit(self, scene: Scene, normals: Floats, rays: Floats, bgr: Floats, roughness: Floats) -> Floats:
        """(n, 3) BGR of metal with these normals, (3, n) in the coin's axes."""
        mirrored = rays - 2 * (rays * normals).sum(axis=0) * normals
        towards = np.asarray(self.rotation @ mirrored, np.float32)
        upright = np.asarray(self.rotation @ normals, np.float32)
        shine = room_light(scene, towards, roughness)
        lambert = np.maximum(np.array(scene.to_light, np.float32) @ upright, 0)
        matt = scene.ambient * (0.55 + 0.45 * upright[2]) + scene.key * lambert
        light = (1 - DIFFUSE_SHARE) * SHINE * shine + DIFFUSE_SHARE * matt
        return np.asarray(255 * bgr * light[:, None], np.float32)


def _entries(eye: Floats, rays: Floats, radius: float, half: float) -> tuple[Floats, NDArray[np.bool_]]:
    """(n,) distance at which rays (3, n) from the eye enter a cylinder about z, inf for those that miss it;
    and whether they enter through an end."""
    with np.errstate(divide="ignore", invalid="ignore"):
        slabs = np.sort(np.stack([(-half - eye[2]) / rays[2], (half - eye[2]) / rays[2]]), axis=0)
        a = rays[0] ** 2 + rays[1] ** 2
        b = eye[0] * rays[0] + eye[1] * rays[1]
        root = np.sqrt(b * b - a * (eye[0] ** 2 + eye[1] ** 2 - radius * radius))
        into, out = (-b - root) / a, (-b + root) / a
    enters = np.maximum(slabs[0], into)
    hit = (enters < np.minimum(slabs[1], out)) & (enters > 0)
    return np.where(hit, enters, np.inf).astype(np.float32), slabs[0] >= into


def _looked_up(part: Floats, column: Floats, row: Floats) -> Floats:
    """(n,) values of a map at these places."""
    found = cv2.remap(
        np.ascontiguousarray(part, np.float32),
        np.asarray(column, np.float32).reshape(-1, 1),
        np.asarray(row, np.float32).reshape(-1, 1),
        cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REPLICATE,
    )
    return np.asarray(found[:, 0], np.float32)


# --- the room that metal mirrors ----------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Room:
    """What shines around the tray.

    lamps: (n, 3) unit vectors to them. strength: (n,). width: (n,) standard deviation of each, radians.
    horizon: brightness of the walls as a share of the ceiling's.
    """

    lamps: Floats
    strength: Floats
    width: Floats
    horizon: float


@lru_cache(maxsize=16)
def room_of(texture_seed: int, to_light: tuple[float, float, float], key: float) -> Room:
    """The room of a scene: its main light, up to three more lamps, and perhaps a window."""
    rng = np.random.default_rng((texture_seed, 5))
    lamps, strength, width = [np.array(to_light)], [4.5 * key], [0.16]
    for _ in range(int(rng.integers(0, 4))):
        lamps.append(_direction(rng.uniform(0, 2 * np.pi), rng.uniform(0.6, 1.5)))
        strength.append(float(rng.uniform(0.4, 2.2)))
        width.append(float(rng.uniform(0.08, 0.3)))
    if rng.random() < 0.6:  # a window is a row of soft patches
        azimuth, high = rng.uniform(0, 2 * np.pi), rng.uniform(0.3, 0.8)
        for off in np.linspace(-0.3, 0.3, 4):
            lamps.append(_direction(azimuth + off, high))
            strength.append(float(rng.uniform(0.6, 1.2)))
            width.append(0.15)
    return Room(
        np.array(lamps, np.float32),
        np.array(strength, np.float32),
        np.array(width, np.float32),
        float(rng.uniform(0.2, 0.8)),
    )


def _direction(azimuth: float, elevation: float) -> NDArray[np.floating]:
    level = np.cos(elevation)
    return np.array([level * np.cos(azimuth), level * np.sin(azimuth), np.sin(elevation)])


def room_light(scene: Scene, towards: Floats, roughness: Floats) -> Floats:
    """(n,) brightness of the room in these directions, (3, n), 1 = white paper in the light of the room.

    roughness: (n,) blurs it.
    """
    room = room_of(scene.texture_seed, scene.to_light, scene.key)
    up = np.clip(towards[2], -1, 1)
    above = scene.ambient * (room.horizon + (1 - room.horizon) * np.clip(up, 0, 1))
    light = np.where(up > 0, above, 0.25 * scene.ambient)
    for lamp, strength, width in zip(room.lamps, room.strength, room.width, strict=True):
        spread = width * width + 4 * roughness * roughness
        away = 2 * (1 - np.clip(lamp @ towards, -1, 1))  # about the squared angle
        light = light + strength * (width * width + 0.02) / (spread + 0.02) * np.exp(-away / (2 * spread))
    return np.asarray(light, np.float32)
