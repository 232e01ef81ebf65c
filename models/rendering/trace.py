"""Ray tracer of dice on a table: drilled pips, several lights, soft shadows.

Theory of operation. Rays are traced by `vision.simulation.rounded_cube`, which the simulated camera uses too,
die by die in the window of the picture that the die may cover. The nearest hit owns the pixel. A hit is
shaded from the die's six face textures, all other pixels from the floor texture. Shadow rays are marched
towards each lamp, and their closest approach to a die gives the softness. The unit of length is the side of a
common die. The floor is z = 0. Colours are linear light.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.simulation.dice import CORNERS
from vision.simulation.rounded_cube import Floats, RoundedCube, blinn_phong_cosine, face_axes, lengths
from vision.simulation.view import PinholeCamera

FACE_PX = 96
"""Side of a face texture, px: finer than any die in a training picture except the very largest."""

HIT_DISTANCE = 0.002
"""Closest approach at which a ray has hit a die."""
MARCH_STEPS, SHADOW_STEPS = 24, 18
"""Maximum steps of a ray from the camera, and of a shadow ray."""
SHADOW_STEP, SHADOW_START = 0.03, 0.01
"""Minimum step of a shadow ray, and the distance from the surface at which it starts."""
REACH_SIDES = 0.87
"""Radius of the ball around a die, in sides: half the diagonal of a cube."""
OCCLUSION_SIDES, OCCLUSION_SHARE, OCCLUSION_DECAY = 1.48, 0.55, 5.0
"""Ambient occlusion of the floor: its reach from the middle of a die in sides, its largest share of the
ambient light, and its exponential decay with the distance from the die, 1 / side."""
FLOOR_SKY_SHARE = 0.62
"""Share of the ambient light that arrives at a die's surface at the height of the floor."""
FRESNEL_BASE, FRESNEL_EDGE, FRESNEL_POWER = 0.03, 0.35, 4
"""Reflected share of the ambient light: seen face-on, added at a grazing angle, and the power."""
NARROW_SHARE, WIDE_SHARE, WIDE_POWER = 0.9, 0.06, 10
"""The two Blinn-Phong lobes: strength of each, and the power of the wide one."""
NARROW_POWER, NARROW_POWER_BY_HARDNESS = 12, 2.2
"""The power of the narrow lobe is the first, plus the second times the lamp's hardness."""
TRANSMITTED_SHARE = 0.35
"""Share of the light that passes through a fully translucent die."""
MIN_DROP = 1e-3
"""Minimum share of a ray that points down. Rays at the horizon hit the floor at a finite distance."""
WINDOW_PX = 1
"""Margin of a die's window in the picture."""
MIN_DEPTH = 0.1
"""A die with a corner nearer to the camera than this may cover any pixel."""


@dataclass(frozen=True, eq=False)
class Lamp:
    """A light at infinity.

    to_light: (3,) unit vector from the table to the lamp.
    bgr: (3,) linear light.
    hardness: 1 / angular radius, 1/rad. 4 = a window, 60 = the sun.
    """

    to_light: np.ndarray
    bgr: np.ndarray
    hardness: float


@dataclass(frozen=True, eq=False)
class Lights:
    """The lamps, and the ambient light of the sky, (3,) b, g, r linear light."""

    lamps: tuple[Lamp, ...]
    sky: np.ndarray


@dataclass(frozen=True, eq=False)
class TexturedDie:
    """A die, or a cube or ball that is no die.

    centre: (3,).
    rotation: (3, 3) die to world.
    side: in sides of a common die.
    corner, ball: of its RoundedCube, as shares of the side.
    gloss: 0 matt .. 1 polished.
    translucency: 0 opaque .. 1 translucent: light passes through, and shading is weaker.
    faces: (6, FACE_PX, FACE_PX, 5) textures of the faces on +x -x +y -y +z -z. The five channels are b, g, r
        and the slope of the surface along u and v.
    """

    centre: Floats
    rotation: Floats
    side: float
    corner: float
    ball: float
    gloss: float
    translucency: float
    faces: np.ndarray

    @property
    def cube(self) -> RoundedCube:
        return RoundedCube(0.5 * self.side, self.corner * self.side, self.ball * self.side)

    def local(self, points: Floats) -> Floats:
        """World points (3, n) in the die's own axes."""
        return np.asarray(self.rotation.T @ (points - self.centre[:, None]))

    def window(self, camera: PinholeCamera) -> tuple[slice, slice]:
        """The rows and columns that the die may cover."""
        return _window(camera, np.asarray(self.centre + (CORNERS * self.side) @ self.rotation.T))


@dataclass(frozen=True, eq=False)
class _Hits:
    """The pixels that show a die: mask (h, w) in a window, then per pixel (3, n) ray and point."""

    window: tuple[slice, slice]
    mask: NDArray[np.bool_]
    rays: Floats
    points: Floats


def picture_of(
    camera: PinholeCamera, floor: np.ndarray, floor_scale: float, dice: Sequence[TexturedDie], lights: Lights
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The picture, the die of each pixel, and the number of pixels that each die alone would cover.

    floor: (rows, columns, 3) linear light, repeated beyond its edges; floor_scale: its px per unit of length.
    Gives (h, w, 3) float32 linear light, (h, w) indices of `dice` with -1 = floor, and (n,).
    """
    ids, hits, covered = _nearest_hits(camera, dice)
    out = _lit_floor(camera, ids < 0, floor, floor_scale, dice, lights)
    for i, (die, hit) in enumerate(zip(dice, hits, strict=True)):
        if hit is not None:
            out[hit.window][hit.mask] = _shade(die, hit, [d for k, d in enumerate(dice) if k != i], lights).T
    return out, ids, covered


def _window(camera: PinholeCamera, points: np.ndarray) -> tuple[slice, slice]:
    """The rows and columns of the box around the projections of these points (n, 3), with a margin. If a
    point is not in front of the camera, the whole picture."""
    w, h = camera.size_wh
    if camera.in_camera(points)[:, 2].min() < MIN_DEPTH:
        return slice(0, h), slice(0, w)
    xy = camera.project(points) + 0.5  # px from the picture's corner
    left, top = np.floor(xy.min(axis=0)).astype(int) - WINDOW_PX
    right, bottom = np.ceil(xy.max(axis=0)).astype(int) + WINDOW_PX
    return slice(max(top, 0), max(bottom, 0)), slice(max(left, 0), max(right, 0))


def _nearest_hits(
    camera: PinholeCamera, dice: Sequence[TexturedDie]
) -> tuple[NDArray[np.int32], list[_Hits | None], NDArray[np.int64]]:
    """The die at each pixel (h, w), -1 = none; each die's visible pixels; and how many each covers alone."""
    rays = camera.rays
    ids, depth = np.full(rays.shape[1:], -1, np.int32), np.full(rays.shape[1:], np.inf, np.float32)
    covered = np.zeros(len(dice), np.int64)
    for i, die in enumerate(dice):
        window = die.window(camera)
        part = rays[:, *window]
        origin = die.rotation.T @ np.asarray(camera.position - die.centre, np.float32)
        directions = np.asarray(die.rotation.T @ part.reshape(3, -1), np.float32)
        travelled, closest = die.cube.march(origin, directions, HIT_DISTANCE, MARCH_STEPS)
        hit = (closest < HIT_DISTANCE).reshape(part.shape[1:])
        covered[i] = hit.sum()
        nearer = hit & (travelled.reshape(hit.shape) < depth[window])
        ids[window][nearer] = i
        depth[window][nearer] = travelled.reshape(hit.shape)[nearer]
    return ids, [_visible(camera, ids, depth, i, die) for i, die in enumerate(dice)], covered


def _visible(
    camera: PinholeCamera, ids: NDArray[np.int32], depth: Floats, i: int, die: TexturedDie
) -> _Hits | None:
    window = die.window(camera)
    mask = ids[window] == i
    if not mask.any():
        return None
    rays = camera.rays[:, *window][:, mask]
    return _Hits(
        window, mask, rays, np.asarray(camera.position, np.float32)[:, None] + rays * depth[window][mask]
    )


# --- the floor ----------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class _Floor:
    """The visible floor: points (3, n), and the index of each pixel's point (h, w), -1 = hidden."""

    camera: PinholeCamera
    points: Floats
    indices: NDArray[np.int32]

    def near(self, low_xy: np.ndarray, high_xy: np.ndarray) -> NDArray[np.int32]:
        """(k,) indices of all points inside this rectangle on the floor, and of some around it."""
        corners = np.array([(x, y, 0.0) for x in (low_xy[0], high_xy[0]) for y in (low_xy[1], high_xy[1])])
        indices = self.indices[_window(self.camera, corners)]
        return indices[indices >= 0]


def _lit_floor(
    camera: PinholeCamera,
    bare: NDArray[np.bool_],
    texture: np.ndarray,
    scale: float,
    dice: Sequence[TexturedDie],
    lights: Lights,
) -> np.ndarray:
    """(h, w, 3) the floor in its light, black where a die hides it. bare: (h, w) pixels that show it."""
    floor = _visible_floor(camera, bare)
    rows, cols = texture.shape[:2]
    u = (floor.points[0] * scale + cols / 2).astype(int) % cols
    v = (-floor.points[1] * scale + rows / 2).astype(int) % rows
    light = np.outer(_floor_sky_share(floor, dice), lights.sky)
    for lamp in lights.lamps:
        light += np.outer(_floor_lamp_share(floor, lamp, dice), lamp.bgr * lamp.to_light[2])
    out = np.zeros((*bare.shape, 3), np.float32)
    out[bare] = texture[v, u] * light
    return out


def _visible_floor(camera: PinholeCamera, bare: NDArray[np.bool_]) -> _Floor:
    rays, position = camera.rays[:, bare], camera.position
    points = np.asarray(
        position[:, None] + rays * (-position[2] / np.minimum(rays[2], -MIN_DROP)), np.float32
    )
    points[2] = 0
    indices = np.full(bare.shape, -1, np.int32)
    indices[bare] = np.arange(points.shape[1])
    return _Floor(camera, points, indices)


def _floor_sky_share(floor: _Floor, dice: Sequence[TexturedDie]) -> Floats:
    """(n,) 0-1: the share of the ambient light at the floor's points (ambient occlusion by the dice)."""
    share = np.ones(floor.points.shape[1], np.float32)
    for die in dice:
        reach = OCCLUSION_SIDES * die.side
        near = floor.near(die.centre[:2] - reach, die.centre[:2] + reach)
        points = floor.points[:, near]
        distance = np.maximum(die.cube.distance(die.local(points)), 0)
        occluded = np.float32(OCCLUSION_SHARE) * np.exp(distance * np.float32(-OCCLUSION_DECAY / die.side))
        share[near] *= 1 - occluded * (np.hypot(*(points[:2] - die.centre[:2, None])) < reach)
    return share


def _floor_lamp_share(floor: _Floor, lamp: Lamp, dice: Sequence[TexturedDie]) -> Floats:
    """(n,) 0-1: the share of a lamp's light that arrives at the floor's points."""
    share = np.ones(floor.points.shape[1], np.float32)
    slope = lamp.to_light[:2] / lamp.to_light[2]
    for die in dice:
        reach = REACH_SIDES * die.side
        under, end = die.centre[:2], die.centre[:2] - slope * die.centre[2]
        wide = (reach + 2 / lamp.hardness * (die.centre[2] / lamp.to_light[2] + reach)) / lamp.to_light[2]
        near = floor.near(np.minimum(under, end) - wide, np.maximum(under, end) + wide)
        share[near] *= _unshadowed_share(die, floor.points[:, near], lamp)
    return share


# --- light and shadow ---------------------------------------------------------------------------------------


def _unshadowed_share(die: TexturedDie, points: Floats, lamp: Lamp) -> Floats:
    """(n,) 0-1: the share of a lamp's light that arrives at points (3, n) past or through a die."""
    share = np.ones(points.shape[1], np.float32)
    to_light = np.asarray(lamp.to_light, np.float32)
    offsets = points - die.centre[:, None]
    along = -(to_light @ offsets)
    reach = np.float32(REACH_SIDES * die.side)
    wide = reach + np.maximum(along, 0) * np.float32(2 / lamp.hardness)
    beside2 = np.einsum("ij,ij->j", offsets, offsets) - along * along
    near = np.flatnonzero((along >= -reach) & (beside2 <= wide * wide))
    if len(near):
        starts, direction = die.rotation.T @ offsets[:, near], die.rotation.T @ to_light
        past = _march_shadow(
            die.cube, starts, direction, (along[near] - wide[near], along[near] + wide[near]), lamp.hardness
        )
        share[near] = past + (1 - past) * np.float32(TRANSMITTED_SHARE * die.translucency)
    return share


def _march_shadow(
    cube: RoundedCube, starts: Floats, direction: Floats, span: tuple[Floats, Floats], hardness: float
) -> Floats:
    """(n,) 0-1: the share of a lamp's light that passes a cube, from points (3, n) in the cube's axes.

    The share falls with the gap between the shadow ray and the cube, as an angle seen from the point.
    span: (n,) distances along the rays between which the cube lies.
    """
    travelled, ends = np.maximum(span[0], np.float32(0.01)), span[1]
    smallest = np.ones(travelled.shape, np.float32)
    active = np.arange(travelled.size)
    for _ in range(SHADOW_STEPS):
        distance = cube.distance(starts[:, active] + direction[:, None] * travelled[active])
        angle = distance / np.maximum(travelled[active], np.float32(0.05))
        smallest[active] = np.minimum(smallest[active], np.float32(0.5) + np.float32(0.5 * hardness) * angle)
        going = (smallest[active] > 0) & (travelled[active] <= ends[active])
        active, distance = active[going], distance[going]
        travelled[active] += np.maximum(np.abs(distance), np.float32(SHADOW_STEP))
    smallest = np.maximum(smallest, 0)
    return np.asarray(smallest * smallest * (3 - 2 * smallest))  # smoothstep


def _shade(die: TexturedDie, hit: _Hits, others: list[TexturedDie], lights: Lights) -> Floats:
    """(3, n) bgr of a die's visible pixels."""
    texture, normals = _surface(die, die.local(hit.points))
    diffuse = np.outer(lights.sky, _sky_share(die, hit.points[2], normals[2]))
    specular = np.outer(lights.sky, _fresnel(die, normals, hit.rays))
    starts = hit.points + np.float32(SHADOW_START) * normals
    for lamp in lights.lamps:
        share = np.prod([_unshadowed_share(other, starts, lamp) for other in others], axis=0)
        lambert = _lambert(die, lamp, normals)
        diffuse += np.outer(lamp.bgr, np.maximum(lambert, 0) * share)
        specular += np.outer(
            lamp.bgr, np.where(lambert > 0, share, 0) * _specular(die, lamp, normals, hit.rays)
        )
    return np.asarray(texture * diffuse + specular, np.float32)


def _sky_share(die: TexturedDie, heights: Floats, normals_z: Floats) -> Floats:
    """(n,) ambient light on surface points: less near the floor, more evenly in a translucent die."""
    near_floor = FLOOR_SKY_SHARE + (1 - FLOOR_SKY_SHARE) * np.clip(heights / die.side, 0, 1)
    share = (0.5 + 0.5 * normals_z) * near_floor
    return np.asarray(share + die.translucency * (0.75 - share) * 0.7)


def _fresnel(die: TexturedDie, normals: Floats, rays: Floats) -> Floats:
    """(n,) reflected share of the ambient light, larger at grazing angles."""
    grazing = np.maximum(1 + (normals * rays).sum(axis=0), 0)
    share = die.gloss * (FRESNEL_BASE + FRESNEL_EDGE * grazing**FRESNEL_POWER)
    return np.asarray(share * np.maximum(normals[2], 0))


def _lambert(die: TexturedDie, lamp: Lamp, normals: Floats) -> Floats:
    """(n,) diffuse light of a lamp; it wraps round the edges of a translucent die."""
    cosine = lamp.to_light @ normals
    wrapped = 0.5 + 0.5 * cosine - np.maximum(cosine, 0)
    return np.asarray(np.maximum(cosine, 0) + die.translucency * 0.5 * wrapped)


def _specular(die: TexturedDie, lamp: Lamp, normals: Floats, rays: Floats) -> Floats:
    """(n,) specular reflection of a lamp: a narrow and a faint wide Blinn-Phong lobe."""
    cosine = blinn_phong_cosine(normals, np.asarray(lamp.to_light, np.float32), rays)
    power = np.float32(NARROW_POWER + NARROW_POWER_BY_HARDNESS * lamp.hardness)
    return np.asarray(die.gloss * (NARROW_SHARE * cosine**power + WIDE_SHARE * cosine**WIDE_POWER))


def _surface(die: TexturedDie, points: Floats) -> tuple[Floats, Floats]:
    """Texture, (3, n) b, g, r, and unit normals in the world, (3, n), bent by its slopes; points: (3, n)."""
    axis, u_axis, v_axis = face_axes(points)
    columns = np.arange(points.shape[1])
    slots = 2 * axis + (points[axis, columns] <= 0)
    sampled = np.zeros((5, points.shape[1]), np.float32)
    for slot in np.unique(slots):
        on = np.flatnonzero(slots == slot)
        u, v = (_texture_px(points[a[on], on], die.side) for a in (u_axis, v_axis))
        sampled[:, on] = _sampled(die.faces[slot], u, v)
    normals = die.cube.normals(points)
    normals[u_axis, columns] += sampled[3]
    normals[v_axis, columns] += sampled[4]
    normals /= lengths(normals)
    return sampled[:3], np.asarray(die.rotation @ normals)


def _texture_px(offsets: Floats, side: float) -> Floats:
    """(n,) columns or rows of a face texture at these offsets (n,) from the middle of the face."""
    return (offsets / np.float32(side) + np.float32(0.5)) * FACE_PX - np.float32(0.5)


def _sampled(texture: np.ndarray, u: Floats, v: Floats) -> Floats:
    """(5, n) a face texture at these columns and rows, interpolated linearly."""
    columns, rows = (np.clip(x, 0, FACE_PX - 1.001) for x in (u, v))
    left, top = columns.astype(int), rows.astype(int)
    right, below = (columns - left)[:, None], (rows - top)[:, None]
    upper = texture[top, left] * (1 - right) + texture[top, left + 1] * right
    lower = texture[top + 1, left] * (1 - right) + texture[top + 1, left + 1] * right
    return np.asarray((upper * (1 - below) + lower * below).T, np.float32)
