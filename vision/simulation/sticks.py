"""Throwing sticks: half-round or flat prisms with Ogham letters or paint, traced pixel by pixel.

Theory of operation. A stick is a prism whose section is a convex polygon: half-round moulding, or a flat
stick with bevelled edges. In its own axes x runs from the foot to the head, y to the left and z out of the
flat side. A ray enters a convex solid at the farthest of the planes that face the camera. That plane gives
the normal and the side's texture. The distance of a pixel from the outline gives its coverage.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Any, ClassVar

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.simulation.geometry import rotation_about, rotation_about_z
from vision.simulation.scene import Scene
from vision.simulation.shading import diffuse, specular
from vision.simulation.solids import Solid, camera_gain
from vision.simulation.stick_faces import StickStyle, side_texture
from vision.simulation.view import Floats, View

ARC_STEPS = 12
"""Number of flat strips that make a round back."""
BEVEL_MM = 0.6
"""Width of the bevel along the edges of a flat stick."""
MIN_DISTANCE_MM = 60.0
"""Minimum distance of a stick's centre from the lens. A nearer stick is not drawn."""
LOWEST_FLAT = -0.05
"""Lowest vertical component of the normals that belong to the flat side; a flat stick's edges do."""
END_GRAIN = 0.72
"""Brightness of the sawn ends."""
REMAP_COLUMNS = 128
"""Row length in which pixels are looked up in a texture: OpenCV takes at most 32767 rows."""

STICK_LOOKS: dict[str, StickStyle] = {
    "round": StickStyle(flat_bgr=(150, 196, 226), back_bgr=(44, 70, 106)),
    "black": StickStyle(
        flat_bgr=(230, 236, 238), back_bgr=(38, 36, 36), round_back=False, painted=True, thickness_mm=4.0
    ),
}
"""The style of a stick by its back: pale wood with a round, stained back, and flat wood painted white and
black."""

FLAT_FACES = ("dog", "deer", "cow", "horse", "white")
"""What a stick's flat side can show."""


@dataclass(frozen=True)
class SimStick:
    """A stick that lies on the simulated tray.

    flat: its flat side, one of FLAT_FACES. back: the other side, "round" or "black".
    x_mm, y_mm: its centre. z_mm: height of its centre; None lies flat on the floor.
    yaw_rad: direction from its foot to its head, 0 = to the right of the picture.
    pitch_rad: how far its head is raised, 0 = level.
    roll_rad: rotation about its length, 0 = flat side up, pi = back up.
    look: None takes the default of its back.
    """

    flat: str
    back: str
    x_mm: float = 0.0
    y_mm: float = 0.0
    yaw_rad: float = 0.0
    pitch_rad: float = 0.0
    roll_rad: float = 0.0
    z_mm: float | None = None
    look: StickStyle | None = None

    @property
    def face(self) -> str:
        """The side that is up."""
        return self.flat if np.cos(self.roll_rad) > 0 else self.back

    @property
    def style(self) -> StickStyle:
        return self.look or STICK_LOOKS[self.back]

    @property
    def body(self) -> Solid:
        """It as a body in space."""
        return StickBody(*self.pose, self.flat, self.back, self.style)

    @property
    def pose(self) -> tuple[Floats, Floats]:
        """Its centre, (3,) mm, and its rotation, (3, 3) stick to tray."""
        z = self.style.thickness_mm / 2 if self.z_mm is None else self.z_mm
        rotation = stick_rotation(self.yaw_rad, self.pitch_rad, self.roll_rad)
        return np.array([self.x_mm, self.y_mm, z], np.float32), rotation


@dataclass(frozen=True, eq=False)
class StickBody(Solid):
    """A stick in space. flat, back: its two sides, as in SimStick."""

    degrees_per_subframe: ClassVar[float] = 2.5
    min_spin_deg: ClassVar[float] = 0.5

    flat: str
    back: str
    look: StickStyle

    @property
    def thickness_mm(self) -> float:
        return self.look.thickness_mm

    @property
    def min_distance_mm(self) -> float:
        return MIN_DISTANCE_MM

    def corners(self, scale: float = 1.0) -> Floats:
        """(n, 3) mm: the corners of the prism, scaled about its centre."""
        own = _prism(self.look).corners * np.float32(scale)
        return np.asarray(self.centre + own @ self.rotation.T, np.float32)

    def trace(
        self, view: View, scene: Scene, xs: NDArray[np.intp], ys: NDArray[np.intp]
    ) -> tuple[Floats, Floats]:
        rays = np.asarray(self.rotation.T @ view.rays_through(xs, ys, np.float32), np.float32)
        eye = np.asarray((view.position - self.centre) @ self.rotation, np.float32)
        points, plane = _prism(self.look).entries(eye, rays)
        shaded = self._shade(scene, points, rays, plane, view.focal_px / float(np.linalg.norm(eye)))
        shaded *= camera_gain(view, scene, xs, ys)
        return np.minimum(shaded, 255).T, _coverage(view.project(self.corners()), xs, ys)

    def _shade(
        self, scene: Scene, points: Floats, rays: Floats, plane: NDArray[np.intp], px_per_mm: float
    ) -> Floats:
        """(3, n) BGR of these surface points, before vignetting."""
        prism = _prism(self.look)
        normals = prism.normals(points, plane)
        albedo = self._albedo(points, plane, px_per_mm)
        heights = self.rotation[2] @ points + self.centre[2]
        shaded = albedo * diffuse(scene, self.rotation, normals, heights, self.thickness_mm)
        shaded += specular(
            scene,
            self.rotation,
            np.asarray(normals, np.float32),
            np.asarray(rays, np.float32),
            self.look.gloss,
        )
        return np.asarray(shaded * np.array(scene.light_bgr, np.float32)[:, None])

    def _albedo(self, points: Floats, plane: NDArray[np.intp], px_per_mm: float) -> Floats:
        """(3, n) BGR of the side or end that each surface point lies on."""
        scale = float(2 ** np.ceil(np.log2(max(px_per_mm, 1.0))))
        on_flat = (_prism(self.look).planes[0][:, 2] > LOWEST_FLAT)[plane]
        albedo = np.empty((3, points.shape[1]), np.float32)
        for face, here in ((self.flat, on_flat), (self.back, ~on_flat)):
            if here.any():
                albedo[:, here] = _looked_up(
                    side_texture(self.look, face, scale), points[:2, here], self.look
                )
        ends = plane >= _prism(self.look).first_end
        albedo[:, ends] = np.array(self.look.flat_bgr, np.float32)[:, None] * END_GRAIN
        return albedo


def stick_body(stick: SimStick) -> Solid:
    """The stick as a body in space."""
    return stick.body


def stick_rotation(yaw_rad: float, pitch_rad: float, roll_rad: float) -> Floats:
    """(3, 3) stick to tray: rolled about its length, its head raised, then turned on the floor."""
    pitched = rotation_about((0, -1, 0), pitch_rad) @ rotation_about((1, 0, 0), roll_rad)
    return np.asarray(rotation_about_z(yaw_rad) @ pitched, np.float32)


def stick_with_pose(stick: SimStick, centre: Floats, rotation: Floats) -> SimStick:
    """The stick with this centre, mm, and this rotation, (3, 3) stick to tray."""
    return replace(
        stick,
        x_mm=float(centre[0]),
        y_mm=float(centre[1]),
        z_mm=float(centre[2]),
        yaw_rad=float(np.arctan2(rotation[1, 0], rotation[0, 0])),
        pitch_rad=float(np.arcsin(np.clip(rotation[2, 0], -1, 1))),
        roll_rad=float(np.arctan2(rotation[2, 1], rotation[2, 2])),
    )


def points_along(stick: SimStick) -> Floats:
    """(9, 2) mm: points on the floor from the stick's foot to its head."""
    along = np.array([np.cos(stick.yaw_rad), np.sin(stick.yaw_rad)]) * stick.style.length_mm / 2
    return np.array([stick.x_mm, stick.y_mm]) + np.outer(np.linspace(-1, 1, 9), along)


# --- the shape ----------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Prism:
    """A convex prism. section: (k, 2) mm, the corners y, z of its section, counterclockwise along x.

    arc_mm: radius of a round back; None where every side is flat.
    Its planes are the k sides, in the order of the section, then the foot and the head. The flat side comes
    last of the sides.
    """

    section: Floats
    length_mm: float
    arc_mm: float | None

    @property
    def flat_plane(self) -> int:
        return len(self.section) - 1

    @property
    def first_end(self) -> int:
        return len(self.section)

    @cached_property
    def corners(self) -> Floats:
        """(2k, 3) mm."""
        half = np.full((len(self.section), 1), self.length_mm / 2, np.float32)
        return np.concatenate([np.hstack([side * half, self.section]) for side in (-1, 1)]).astype(np.float32)

    @cached_property
    def planes(self) -> tuple[Floats, Floats]:
        """(k + 2, 3) outward unit normals, and (k + 2,) mm, the distances of the planes from the centre."""
        along = np.roll(self.section, -1, axis=0) - self.section
        normals = np.stack([along[:, 1], -along[:, 0]], axis=1)
        normals /= np.linalg.norm(normals, axis=1, keepdims=True)
        sides = np.hstack([np.zeros((len(normals), 1)), normals])
        offsets = (normals * self.section).sum(axis=1)
        ends = np.array([[-1.0, 0, 0], [1.0, 0, 0]])
        return (
            np.concatenate([sides, ends]).astype(np.float32),
            np.array([*offsets, *[self.length_mm / 2] * 2], np.float32),
        )

    def entries(self, eye: Floats, rays: Floats) -> tuple[Floats, NDArray[np.intp]]:
        """(3, n) mm, where rays from the eye enter the prism, and (n,) the plane there.

        Rays that miss it give a point just outside.
        """
        normals, offsets = self.planes
        gaps = offsets - normals @ eye
        facing = np.flatnonzero(gaps < 0)
        slopes = normals[facing] @ rays
        depths = gaps[facing, None] / np.minimum(slopes, np.float32(-1e-6))
        depths[slopes >= 0] = -np.inf
        nearest = depths.argmax(axis=0)
        depth = depths[nearest, np.arange(rays.shape[1])]
        depth[~np.isfinite(depth)] = np.float32(np.linalg.norm(eye))
        return np.asarray(eye[:, None] + depth * rays), facing[nearest]

    def normals(self, points: Floats, plane: NDArray[np.intp]) -> Floats:
        """(3, n) outward unit normals at points of these planes; smooth on a round back."""
        normals = np.ascontiguousarray(self.planes[0][plane].T)
        if self.arc_mm is not None:
            bent = plane < self.flat_plane
            normals[1, bent] = np.clip(points[1, bent] / self.arc_mm, -1, 1)
            normals[2, bent] = -np.sqrt(1 - normals[1, bent] ** 2)
        return normals


@lru_cache(maxsize=8)
def _prism(look: StickStyle) -> Prism:
    half, high = look.width_mm / 2, look.thickness_mm / 2
    if not look.round_back:
        inner, low = half - BEVEL_MM, high - BEVEL_MM
        points = [(-half, low), (-half, -low), (-inner, -high), (inner, -high)]
        points += [(half, -low), (half, low), (inner, high), (-inner, high)]
        return Prism(np.array(points[-1:] + points[:-1], np.float32), look.length_mm, None)
    radius = (half * half + 4 * high * high) / (4 * high)
    widest = float(np.arcsin(min(half / radius, 1.0)))
    angles = np.linspace(-widest, widest, ARC_STEPS + 1)
    arc = np.stack([radius * np.sin(angles), radius - high - radius * np.cos(angles)], axis=1)
    return Prism(arc.astype(np.float32), look.length_mm, radius)


def _looked_up(texture: NDArray[np.uint8], xy_mm: Floats, look: StickStyle) -> Floats:
    """(3, n) BGR of a side's texture at these points (2, n) of the stick, along and across."""
    h, w = texture.shape[:2]
    n = xy_mm.shape[1]
    padded = np.zeros((2, -(-n // REMAP_COLUMNS) * REMAP_COLUMNS), np.float32)
    padded[0, :n] = (xy_mm[0] / look.length_mm + 0.5) * w - 0.5
    padded[1, :n] = (0.5 - xy_mm[1] / look.width_mm) * h - 0.5
    columns, rows = padded.reshape(2, -1, REMAP_COLUMNS)
    found: NDArray[Any] = cv2.remap(texture, columns, rows, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(found.reshape(-1, 3)[:n].T, np.float32)


def _coverage(corners: Floats, xs: NDArray[np.intp], ys: NDArray[np.intp]) -> Floats:
    """(n,) 0-1 coverage of these pixels by the convex hull of corners (m, 2) px."""
    hull = np.asarray(cv2.convexHull(corners)[:, 0], np.float32)
    along = np.roll(hull, -1, axis=0) - hull
    area = float((hull[:, 0] * np.roll(hull[:, 1], -1) - np.roll(hull[:, 0], -1) * hull[:, 1]).sum())
    outward = np.stack([along[:, 1], -along[:, 0]], axis=1) * np.sign(area)
    outward /= np.maximum(np.linalg.norm(outward, axis=1, keepdims=True), 1e-6)
    x, y, beyond = xs.astype(np.float32), ys.astype(np.float32), np.full(len(xs), -np.inf, np.float32)
    for (normal_x, normal_y), offset in zip(outward, (outward * hull).sum(axis=1), strict=True):
        np.maximum(beyond, x * normal_x + y * normal_y - offset, out=beyond)
    return np.asarray(np.clip(0.5 - beyond, 0, 1))
