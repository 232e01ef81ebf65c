"""Ray tracer of dice on a table: drilled pips, several lights, soft shadows.

Theory of operation. Rays are traced by `vision.simulation.rounded_cube`, which the simulated camera uses too, die
by die in the window of the picture that the die may cover; the nearest hit owns the pixel. A hit is shaded from the
die's six face textures, all other pixels from the floor texture. Shadow rays are marched towards each light, and
their closest approach to a die gives the softness. The unit of length is the side of a common die; the floor is
z = 0. Colours are linear light.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.simulation.dice import CORNERS
from vision.simulation.rounded_cube import Floats, RoundedCube, face_axes, lengths

FACE_PX = 96
"""Side of a face texture, px: finer than any die in a training picture except the very largest."""

HIT_DISTANCE = 0.002
"""Closest approach at which a ray has hit a die."""
MARCH_STEPS, SHADOW_STEPS = 24, 18
SHADOW_STEP = 0.03
"""Shortest step of a shadow ray."""
REACH_SIDES = 0.87
"""Radius of the ball around a die, in sides: half the diagonal of a cube."""
OCCLUSION_SIDES = 1.48
"""Distance on the floor from a die's middle within which the die takes away light from the sky, in sides."""
LEAST_DROP = 1e-3
"""Least share of a ray that points down. Rays at the horizon meet the floor far away instead of nowhere."""


@dataclass
class Lights:
    """towards (m, 3) unit; colour (m, 3) bgr; hardness (m,) 4 = a window, 60 = the sun; sky (3,) bgr of the
    ambient light."""

    towards: np.ndarray
    colour: np.ndarray
    hardness: np.ndarray
    sky: np.ndarray


@dataclass
class PinholeCamera:
    """at (3,), axes (3, 3) rows right, down, forward; focal px for a picture of size_wh px."""

    at: np.ndarray
    axes: np.ndarray
    focal: float
    size_wh: tuple[int, int]

    def rays(self) -> Floats:
        """(3, h, w) unit rays through the pixels, in the world's axes."""
        w, h = self.size_wh
        x, y = np.meshgrid((np.arange(w) + 0.5 - w / 2) / self.focal, (np.arange(h) + 0.5 - h / 2) / self.focal)
        rays = np.tensordot(self.axes.T, np.stack([x, y, np.ones_like(x)]), axes=1)
        return np.asarray(rays / lengths(rays), np.float32)

    def window(self, points: np.ndarray) -> tuple[slice, slice]:
        """The rows and columns that the box around these points (n, 3) covers, with a pixel to spare; everything
        where a point is not in front of the camera."""
        seen = (points - self.at) @ self.axes.T
        w, h = self.size_wh
        if seen[:, 2].min() < 0.1:
            return slice(0, h), slice(0, w)
        xy = seen[:, :2] / seen[:, 2:] * self.focal + (w / 2, h / 2)
        (left, top), (right, bottom) = np.floor(xy.min(axis=0)).astype(int) - 1, np.ceil(xy.max(axis=0)).astype(int) + 1
        return slice(max(top, 0), max(bottom, 0)), slice(max(left, 0), max(right, 0))


@dataclass
class Bodies:
    """n dice. at (n, 3); turn (n, 3, 3) die to world; side, corner, ball, gloss, glow (n,); faces (n, 6,
    FACE_PX, FACE_PX, 5).

    The six faces lie on +x -x +y -y +z -z; a face texture is b, g, r and the slope of its surface along u
    and v.
    corner, ball: fractions of the side. glow: 0 opaque .. 1 translucent (light passes through, shading is
    weaker).
    """

    at: np.ndarray
    turn: np.ndarray
    side: np.ndarray
    corner: np.ndarray
    ball: np.ndarray
    gloss: np.ndarray
    glow: np.ndarray
    faces: np.ndarray

    def each(self) -> Iterator[_Die]:
        """The dice one by one."""
        for at, turn, side, corner, ball, gloss, glow, faces in zip(
            self.at, self.turn, self.side, self.corner, self.ball, self.gloss, self.glow, self.faces, strict=True
        ):
            cube = RoundedCube(0.5 * side, corner * side, ball * side)
            yield _Die(np.asarray(at, np.float32), np.asarray(turn, np.float32), float(side), cube, float(gloss), float(glow), faces)


@dataclass(frozen=True, eq=False)
class _Die:
    at: Floats
    turn: Floats
    side: float
    cube: RoundedCube
    gloss: float
    glow: float
    faces: np.ndarray

    def local(self, points: Floats) -> Floats:
        """World points (3, n) in the die's own axes."""
        return np.asarray(self.turn.T @ (points - self.at[:, None]))

    def corners(self) -> np.ndarray:
        """(8, 3) corners of the cube in the world."""
        return np.asarray(self.at + (CORNERS * self.side) @ self.turn.T)


@dataclass(frozen=True, eq=False)
class _Hits:
    """The pixels that show a die: mask (h, w) in a window, then per pixel (3, n) ray and point."""

    window: tuple[slice, slice]
    mask: NDArray[np.bool_]
    rays: Floats
    points: Floats


def picture_of(
    camera: PinholeCamera, floor: np.ndarray, floor_scale: float, dice: Bodies, lights: Lights
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The picture (h, w, 3) float32 linear light, the die at each pixel (h, w) (-1 = floor), pixels each die
    covers alone (n,)."""
    rays, each = camera.rays(), list(dice.each())
    ids, hits, covered = _nearest_hits(camera, rays, each)
    out = _floor_seen(camera, rays, ids < 0, floor, floor_scale, each, lights)
    for i, (die, hit) in enumerate(zip(each, hits, strict=True)):
        if hit is not None:
            out[hit.window][hit.mask] = _shade(die, hit, [d for k, d in enumerate(each) if k != i], lights).T
    return out, ids, covered


def _nearest_hits(
    camera: PinholeCamera, rays: Floats, dice: list[_Die]
) -> tuple[NDArray[np.int32], list[_Hits | None], NDArray[np.int64]]:
    """The die at each pixel (h, w), -1 = none; each die's visible pixels; the pixels each covers alone (n,)."""
    ids, depth = np.full(rays.shape[1:], -1, np.int32), np.full(rays.shape[1:], np.inf, np.float32)
    covered = np.zeros(len(dice), np.int64)
    for i, die in enumerate(dice):
        window = camera.window(die.corners())
        part = rays[:, *window]
        origin = die.turn.T @ np.asarray(camera.at - die.at, np.float32)
        travelled, closest = die.cube.march(origin, die.turn.T @ part.reshape(3, -1), HIT_DISTANCE, MARCH_STEPS)
        hit = (closest < HIT_DISTANCE).reshape(part.shape[1:])
        covered[i] = hit.sum()
        nearer = hit & (travelled.reshape(hit.shape) < depth[window])
        ids[window][nearer] = i
        depth[window][nearer] = travelled.reshape(hit.shape)[nearer]
    return ids, [_visible(camera, rays, ids, depth, i, die) for i, die in enumerate(dice)], covered


def _visible(camera: PinholeCamera, rays: Floats, ids: NDArray[np.int32], depth: Floats, number: int, die: _Die) -> _Hits | None:
    window = camera.window(die.corners())
    mask = ids[window] == number
    if not mask.any():
        return None
    seen = rays[:, *window][:, mask]
    return _Hits(window, mask, seen, np.asarray(camera.at, np.float32)[:, None] + seen * depth[window][mask])


# --- the floor ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class _Floor:
    """The visible floor: points (3, n), and for each pixel (h, w) the number of its point, -1 = a die hides it."""

    camera: PinholeCamera
    points: Floats
    numbers: NDArray[np.int32]

    def inside(self, low_xy: np.ndarray, high_xy: np.ndarray) -> NDArray[np.int32]:
        """(k,) numbers of the points around this rectangle on the floor, and none left out inside it."""
        corners = np.array([(x, y, 0.0) for x in (low_xy[0], high_xy[0]) for y in (low_xy[1], high_xy[1])])
        numbers = self.numbers[self.camera.window(corners)]
        return numbers[numbers >= 0]


def _floor_seen(
    camera: PinholeCamera, rays: Floats, bare: NDArray[np.bool_], texture: np.ndarray, scale: float, dice: list[_Die], lights: Lights
) -> np.ndarray:
    """(h, w, 3) the floor in its light, black where a die hides it. The texture repeats beyond its edges."""
    floor = _floor_of(camera, rays, bare)
    rows, cols = texture.shape[:2]
    u = (floor.points[0] * scale + cols / 2).astype(int) % cols
    v = (-floor.points[1] * scale + rows / 2).astype(int) % rows
    light = np.outer(_sky_share(floor, dice), lights.sky)
    for towards, colour, hardness in zip(lights.towards, lights.colour, lights.hardness, strict=True):
        light += np.outer(_lit_floor(floor, towards, hardness, dice), colour * towards[2])
    out = np.zeros((*bare.shape, 3), np.float32)
    out[bare] = texture[v, u] * light
    return out


def _floor_of(camera: PinholeCamera, rays: Floats, bare: NDArray[np.bool_]) -> _Floor:
    seen = rays[:, bare]
    points = np.asarray(camera.at[:, None] + seen * (-camera.at[2] / np.minimum(seen[2], -LEAST_DROP)), np.float32)
    points[2] = 0
    numbers = np.full(bare.shape, -1, np.int32)
    numbers[bare] = np.arange(points.shape[1])
    return _Floor(camera, points, numbers)


def _sky_share(floor: _Floor, dice: list[_Die]) -> Floats:
    """(n,) 0-1: the light of the sky that arrives at the floor's points beside dice."""
    share = np.ones(floor.points.shape[1], np.float32)
    for die in dice:
        reach = OCCLUSION_SIDES * die.side
        near = floor.inside(die.at[:2] - reach, die.at[:2] + reach)
        points = floor.points[:, near]
        distance = np.maximum(die.cube.distance(die.local(points)), 0)
        dark = np.float32(0.55) * np.exp(distance * np.float32(-5 / die.side))
        share[near] *= 1 - dark * (np.hypot(*(points[:2] - die.at[:2, None])) < reach)
    return share


def _lit_floor(floor: _Floor, towards: np.ndarray, hardness: float, dice: list[_Die]) -> Floats:
    """(n,) 0-1: the share of a light that arrives at the floor's points."""
    lit = np.ones(floor.points.shape[1], np.float32)
    for die in dice:
        reach = REACH_SIDES * die.side
        under, end = die.at[:2], die.at[:2] - towards[:2] / towards[2] * die.at[2]
        wide = (reach + 2 / hardness * (die.at[2] / towards[2] + reach)) / towards[2]
        near = floor.inside(np.minimum(under, end) - wide, np.maximum(under, end) + wide)
        lit[near] *= _lit_past(die, floor.points[:, near], towards, hardness)
    return lit


# --- light and shadow ---------------------------------------------------------------------------------------------------


def _lit_past(die: _Die, points: Floats, towards: np.ndarray, hardness: float) -> Floats:
    """(n,) 0-1: the share of a light that arrives at points (3, n) past a die."""
    lit = np.ones(points.shape[1], np.float32)
    direction = np.asarray(towards, np.float32)
    offsets = points - die.at[:, None]
    along = -(direction @ offsets)
    reach = np.float32(REACH_SIDES * die.side)
    wide = reach + np.maximum(along, 0) * np.float32(2 / hardness)
    beside2 = np.einsum("ij,ij->j", offsets, offsets) - along * along
    near = np.flatnonzero((along >= -reach) & (beside2 <= wide * wide))
    if len(near):
        passed = _passed(die, die.turn.T @ offsets[:, near], die.turn.T @ direction, along[near], wide[near], hardness)
        lit[near] = passed + (1 - passed) * np.float32(0.35 * die.glow)
    return lit


def _passed(die: _Die, starts: Floats, direction: Floats, along: Floats, wide: Floats, hardness: float) -> Floats:
    """(n,) 0-1: the share of a light that passes a die, from points (3, n) in its axes: the narrower the gap between
    the shadow ray and the die, seen from the point, the darker."""
    travelled, ends = np.maximum(along - wide, np.float32(0.01)), along + wide
    least = np.ones(along.shape, np.float32)
    active = np.arange(along.size)
    for _ in range(SHADOW_STEPS):
        distance = die.cube.distance(starts[:, active] + direction[:, None] * travelled[active])
        gap = np.float32(0.5) + np.float32(0.5 * hardness) * distance / np.maximum(travelled[active], np.float32(0.05))
        least[active] = np.minimum(least[active], gap)
        going = (least[active] > 0) & (travelled[active] <= ends[active])
        active, distance = active[going], distance[going]
        travelled[active] += np.maximum(np.abs(distance), np.float32(SHADOW_STEP))
    least = np.maximum(least, 0)
    return np.asarray(least * least * (3 - 2 * least))


def _shade(die: _Die, hit: _Hits, others: list[_Die], lights: Lights) -> Floats:
    """(3, n) bgr of a die's visible pixels."""
    texture, normals = _surface(die, die.local(hit.points))
    up = _sky_light(die, hit.points[2], normals[2])
    diffuse = np.outer(lights.sky, up)
    edge = np.maximum(1 + (normals * hit.rays).sum(axis=0), 0)
    fresnel = die.gloss * (0.03 + 0.35 * edge**4) * np.maximum(normals[2], 0)
    mirrored = np.outer(lights.sky, fresnel)
    starts = hit.points + np.float32(0.01) * normals
    for towards, colour, hardness in zip(lights.towards, lights.colour, lights.hardness, strict=True):
        lit = np.prod([_lit_past(other, starts, towards, hardness) for other in others], axis=0)
        cosine = towards @ normals
        soft = np.maximum(cosine, 0) + die.glow * 0.5 * (0.5 + 0.5 * cosine - np.maximum(cosine, 0))
        diffuse += np.outer(colour, np.maximum(soft, 0) * lit)
        mirrored += np.outer(colour, np.where(soft > 0, lit, 0) * _glint(die, towards, hardness, normals, hit.rays))
    return np.asarray(texture * diffuse + mirrored, np.float32)


def _sky_light(die: _Die, heights: Floats, normals_z: Floats) -> Floats:
    """(n,) light of the sky on surface points: less near the floor, more evenly in a translucent die."""
    near = 0.62 + 0.38 * np.clip(heights / die.side, 0, 1)
    up = (0.5 + 0.5 * normals_z) * near
    return np.asarray(up + die.glow * (0.75 - up) * 0.7)


def _glint(die: _Die, towards: np.ndarray, hardness: float, normals: Floats, rays: Floats) -> Floats:
    """(n,) specular reflection of a light: a narrow and a faint wide Blinn-Phong lobe."""
    half = np.asarray(towards, np.float32)[:, None] - rays
    shine = np.maximum((normals * half).sum(axis=0) / lengths(half), 0)
    return np.asarray(die.gloss * (0.9 * shine ** np.float32(12 + 2.2 * hardness) + 0.06 * shine**10))


def _surface(die: _Die, points: Floats) -> tuple[Floats, Floats]:
    """(3, n) bgr of the texture and (3, n) world unit normals, bent by its slopes, at a die's points (3, n)."""
    axis, u_axis, v_axis = face_axes(points)
    columns = np.arange(points.shape[1])
    slots = 2 * axis + (points[axis, columns] <= 0)
    sampled = np.zeros((5, points.shape[1]), np.float32)
    for slot in np.unique(slots):
        on = np.flatnonzero(slots == slot)
        u, v = ((points[a[on], on] / np.float32(die.side) + np.float32(0.5)) * FACE_PX - np.float32(0.5) for a in (u_axis, v_axis))
        sampled[:, on] = _sampled(die.faces[slot], u, v)
    normals = die.cube.normals(points)
    normals[u_axis, columns] += sampled[3]
    normals[v_axis, columns] += sampled[4]
    normals /= lengths(normals)
    return sampled[:3], np.asarray(die.turn @ normals)


def _sampled(texture: np.ndarray, u: Floats, v: Floats) -> Floats:
    """(5, n) a face texture at these columns and rows, interpolated linearly."""
    columns, rows = (np.clip(x, 0, FACE_PX - 1.001) for x in (u, v))
    left, top = columns.astype(int), rows.astype(int)
    right, below = (columns - left)[:, None], (rows - top)[:, None]
    upper = texture[top, left] * (1 - right) + texture[top, left + 1] * right
    lower = texture[top + 1, left] * (1 - right) + texture[top + 1, left + 1] * right
    return np.asarray((upper * (1 - below) + lower * below).T, np.float32)
