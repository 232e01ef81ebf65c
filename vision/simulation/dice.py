"""Draws dice: rounded cubes in true perspective, with drilled pips, soft light and shadows.

Theory of operation. A die is the solid that a small ball (the corner radius) sweeps over a smaller cube. Each pixel that may see
it is traced in the die's own axes: the ray starts where it meets the cube around the die and steps on by the distance to the
surface, a few times. The last distance tells hit from miss; the closest approach tells how much of the pixel is covered, so the
outline is smooth without drawing larger; the point that was hit gives the normal, the face and the nearest pip. Only the pixels
inside the outline of the cube are traced, about two thousand a die.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frames import Picture
from vision.simulation.scene import LOOKS, DieStyle, Scene
from vision.simulation.view import Floats, View

MARCH_STEPS = 7
"""Steps a ray takes; at 7 a flat die's outline is off by less than a twentieth of a pixel at 45 px."""

DEGREES_A_MOMENT, MAX_MOMENTS = 8.0, 3
"""A die that tumbles is drawn once for so many degrees that it turns while the shutter is open, but not more often than that."""

NEAREST_SIDES = 4.0
"""A die nearer to the lens than so many of its sides is not drawn."""

SCRATCHES, SCRATCH_SIDES = 14, 0.012
"""On a die that is quite worn, and half the width of one, in sides of the die."""

CLOSE_PX = 0.04
"""A ray this close to the surface has arrived, px."""

FACE_UP: dict[int, tuple[tuple[int, int, int], ...]] = {
    1: ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    6: ((1, 0, 0), (0, -1, 0), (0, 0, -1)),
    2: ((0, 0, -1), (0, 1, 0), (1, 0, 0)),
    5: ((0, 0, 1), (0, 1, 0), (-1, 0, 0)),
    3: ((1, 0, 0), (0, 0, -1), (0, 1, 0)),
    4: ((1, 0, 0), (0, 0, 1), (0, -1, 0)),
}
"""For each face the rotation, die to tray, that turns it up. In the die's axes +z carries the 1, +x the 2, +y the 3: opposite faces
add to seven, and 1, 2, 3 run against the clock around their corner as on western dice."""

_AXIS_FACES = ((2, 5), (3, 4), (1, 6))  # the face on the + and the - end of x, y, z

_GRID = {
    1: ("...", ".o.", "..."),
    2: ("o..", "...", "..o"),
    3: ("..o", ".o.", "o.."),
    4: ("o.o", "...", "o.o"),
    5: ("o.o", ".o.", "o.o"),
    6: ("ooo", "...", "ooo"),
}
_PIPS: NDArray[np.bool_] = np.array(
    [[[[mark == "o" for mark in row] for row in _GRID[face]] for face in ends] for ends in _AXIS_FACES]
)  # (axis, end, 3, 3)

CORNERS: Floats = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], np.float32) / 2
"""(8, 3) corners of the cube of side 1."""


@dataclass(frozen=True)
class SimDie:
    """A die lying on the simulated tray.

    face: 1-6 up. colour: one of COLOURS. x_mm, y_mm: its middle. yaw_rad: how it is turned on the floor.
    side_mm: None = the scene's dice. look: None = the colour's own. lean_rad: 0 = flat; a cocked die leans this far.
    raised_mm: how far over the floor its lowest point is (on another die, or in the air).
    lean_axis_rad: the level axis it leans about, 0 = to the right of the picture; None = along its own edge, as `yaw_rad` is.
    """

    face: int
    colour: str
    x_mm: float
    y_mm: float
    yaw_rad: float = 0.0
    side_mm: float | None = None
    look: DieStyle | None = None
    lean_rad: float = 0.0
    raised_mm: float = 0.0
    lean_axis_rad: float | None = None


@dataclass(frozen=True, eq=False)
class Body:
    """A die anywhere in space: `centre` (3,) mm, `turn` (3, 3) die to tray, `side` mm.

    smear: how far it moves in the picture while the shutter is open, px.
    opened: the same die when the shutter opened, None for one that hardly turned since.
    """

    centre: Floats
    turn: Floats
    side: float
    look: DieStyle
    smear: tuple[float, float] = (0.0, 0.0)
    opened: Body | None = None

    def corners(self, grown: float = 1.0) -> Floats:
        """(8, 3) mm."""
        return np.asarray(self.centre + (CORNERS * (self.side * grown)) @ self.turn.T, np.float32)


@dataclass(frozen=True, eq=False)
class Patch:
    """A drawn die: `left`, `top` px; `bgr` (h, w, 3) float32 premultiplied by `alpha` (h, w) 0-1."""

    left: int
    top: int
    bgr: Floats
    alpha: Floats

    def box_xywh(self) -> tuple[float, float, float, float]:
        """The whole visible die, px; of the patch, so it may reach over the picture's border."""
        ys, xs = np.nonzero(self.alpha > 0.5)
        x, y = int(xs.min()), int(ys.min())
        return float(self.left + x), float(self.top + y), float(xs.max() - x + 1), float(ys.max() - y + 1)


def turned_about_z(yaw: float) -> Floats:
    c, s = np.cos(yaw), np.sin(yaw)
    return np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]], np.float32)


def turned_about(axis: Floats, angle: float) -> Floats:
    """(3, 3) rotation by `angle` about the unit vector `axis`."""
    x, y, z = (float(v) for v in axis)
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.asarray(np.eye(3) + np.sin(angle) * cross + (1 - np.cos(angle)) * cross @ cross, np.float32)


def at_rest(face: int, yaw: float) -> Floats:
    """(3, 3) rotation of a die that lies flat with this face up."""
    return turned_about_z(yaw) @ np.array(FACE_UP[face], np.float32)


def half_height(turn: Floats, side: float, corner: float) -> float:
    """How high the middle of a die turned so is over its lowest point, mm; rounded corners sink a little."""
    inner = side * (0.5 - corner)
    return float(np.abs(turn[2]).sum() * inner + corner * side)


def top_face(turn: Floats) -> int:
    """The face that looks most nearly up."""
    axis = int(np.argmax(np.abs(turn[2])))
    return _AXIS_FACES[axis][0 if turn[2, axis] > 0 else 1]


def body_of(die: SimDie, scene: Scene) -> Body:
    """The die as a body standing on the floor."""
    look = die.look or LOOKS[die.colour]
    side = die.side_mm or scene.die_mm
    about = die.yaw_rad if die.lean_axis_rad is None else die.lean_axis_rad
    lean_axis = np.array([np.cos(about), np.sin(about), 0], np.float32)
    turn = turned_about(lean_axis, die.lean_rad) @ at_rest(die.face, die.yaw_rad)
    z = die.raised_mm + half_height(turn, side, look.corner)
    return Body(np.array([die.x_mm, die.y_mm, z], np.float32), turn, side, look)


def lying_as(die: SimDie, centre: Floats, turn: Floats, scene: Scene) -> SimDie:
    """The die with its middle here, mm, and turned so, (3, 3) die to tray: the face that looks most nearly up, and how far it leans."""
    face = top_face(turn)
    up = turn @ (np.array(FACE_UP[face], np.float64).T @ (0, 0, 1))
    lean, about = float(np.arccos(np.clip(up[2], -1, 1))), float(np.arctan2(up[1], up[0]) + np.pi / 2)
    upright = turned_about(np.array([np.cos(about), np.sin(about), 0]), -lean) @ turn @ np.array(FACE_UP[face]).T
    look = die.look or LOOKS[die.colour]
    raised = float(centre[2]) - half_height(turn, die.side_mm or scene.die_mm, look.corner)
    return replace(
        die, face=face, x_mm=float(centre[0]), y_mm=float(centre[1]), yaw_rad=float(np.arctan2(upright[1, 0], upright[0, 0])),
        lean_rad=lean, lean_axis_rad=about, raised_mm=raised,
    )  # fmt: skip


def draw_dice(canvas: Picture, view: View, scene: Scene, bodies: Sequence[Body]) -> list[Patch | None]:
    """Draws shadows, then dice from the lowest to the highest, in place; gives each die's patch, None when out of the picture."""
    for body in bodies:
        cast_shadow(canvas, view, scene, body)
    patches: list[Patch | None] = [None] * len(bodies)
    for i in sorted(range(len(bodies)), key=lambda i: float(bodies[i].centre[2])):
        patches[i] = drawn(view, scene, bodies[i])
        paste(canvas, patches[i])
    return patches


def paste(canvas: Picture, patch: Patch | None) -> None:
    """Lays a patch over the canvas, in place."""
    cut = patch and _within(canvas.shape[1], canvas.shape[0], patch)
    if not cut or not patch:
        return
    (x0, y0, x1, y1), inner = cut
    under = canvas[y0:y1, x0:x1]
    under[:] = under * (1 - patch.alpha[inner][..., None]) + patch.bgr[inner]


def _within(w: int, h: int, patch: Patch) -> tuple[tuple[int, int, int, int], tuple[slice, slice]] | None:
    ph, pw = patch.alpha.shape
    x0, y0 = max(patch.left, 0), max(patch.top, 0)
    x1, y1 = min(patch.left + pw, w), min(patch.top + ph, h)
    if x0 >= x1 or y0 >= y1:
        return None
    return (x0, y0, x1, y1), (slice(y0 - patch.top, y1 - patch.top), slice(x0 - patch.left, x1 - patch.left))


# --- one die ------------------------------------------------------------------------------------------------------------


def drawn(view: View, scene: Scene, body: Body) -> Patch | None:
    """The die as a patch; None when no pixel of the picture can see it, or when it is right before the lens."""
    if body.centre[2] > view.at_mm[2] - NEAREST_SIDES * body.side:
        return None
    if body.opened is not None:
        return _tumbling(view, scene, body, body.opened)
    outline = view.project(body.corners())
    room = 3 + int(np.ceil(max(abs(v) for v in body.smear) / 2))
    left, top = np.floor(outline.min(axis=0)).astype(int) - room
    right, bottom = np.ceil(outline.max(axis=0)).astype(int) + room + 1
    w, h = view.size_wh
    if right <= 0 or bottom <= 0 or left >= w or top >= h:
        return None
    mask = _hull_mask(outline - (left, top), int(right - left), int(bottom - top))
    ys, xs = np.nonzero(mask)
    colour, cover = _traced(view, scene, body, xs + int(left), ys + int(top))
    patch = np.zeros((*mask.shape, 4), np.float32)
    patch[ys, xs, :3] = colour * cover[:, None]
    patch[ys, xs, 3] = cover
    patch = _smeared(patch, body.smear)
    return Patch(int(left), int(top), patch[..., :3], patch[..., 3])


def _tumbling(view: View, scene: Scene, body: Body, opened: Body) -> Patch | None:
    """A die as it turned while the shutter was open: a few moments of it one over the other, at half the size: it shows no detail."""
    moments = int(np.clip(np.ceil(_degrees_between(opened, body) / DEGREES_A_MOMENT), 2, MAX_MOMENTS))
    smear = (body.smear[0] / moments / 2, body.smear[1] / moments / 2)
    patches = [drawn(_coarse(view), scene, _between(opened, body, (n + 0.5) / moments, smear)) for n in range(moments)]
    seen = [patch for patch in patches if patch]
    if not seen:
        return None
    left, top = min(p.left for p in seen), min(p.top for p in seen)
    w, h = max(p.left + p.alpha.shape[1] for p in seen) - left, max(p.top + p.alpha.shape[0] for p in seen) - top
    sheet = np.zeros((h, w, 4), np.float32)
    for p in seen:
        part = sheet[p.top - top : p.top - top + p.alpha.shape[0], p.left - left : p.left - left + p.alpha.shape[1]]
        part[..., :3] += p.bgr / moments
        part[..., 3] += p.alpha / moments
    large = np.asarray(cv2.resize(sheet, (2 * w, 2 * h), interpolation=cv2.INTER_LINEAR), np.float32)
    return Patch(2 * left, 2 * top, large[..., :3], large[..., 3])


def _degrees_between(a: Body, b: Body) -> float:
    return float(np.degrees(2 * np.arcsin(min(float(np.linalg.norm(a.turn - b.turn)) / np.sqrt(8), 1.0))))


def _between(a: Body, b: Body, share: float, smear: tuple[float, float]) -> Body:
    """The die at this share of its way from a to b; they are a few degrees apart, so that mixing their axes turns it."""
    u, _, v = np.linalg.svd(a.turn + (b.turn - a.turn) * share)
    return Body(np.asarray(a.centre + (b.centre - a.centre) * share, np.float32), np.asarray(u @ v, np.float32), b.side, b.look, smear)


@lru_cache(maxsize=4)
def _coarse(view: View) -> View:
    """The same camera with half the pixels."""
    w, h = view.size_wh
    vignette = np.ascontiguousarray(view.vignette[: h // 2 * 2 : 2, : w // 2 * 2 : 2])
    half = replace(view, size_wh=(w // 2, h // 2), focal_px=view.focal_px / 2, rays=view.rays[:, ::2, ::2], vignette=vignette)
    return replace(half, aim_px=(view.aim_px[0] / 2, view.aim_px[1] / 2))


def _hull_mask(outline: Floats, w: int, h: int) -> NDArray[np.uint8]:
    """Pixels inside the cube's outline and one around it."""
    hull = cv2.convexHull(np.asarray(outline, np.float32)).round().astype(np.int32)
    mask = np.zeros((h, w), np.uint8)
    cv2.fillConvexPoly(mask, hull, (255,))
    cv2.polylines(mask, [hull], True, (255,), 3)
    return mask


def _traced(view: View, scene: Scene, body: Body, xs: NDArray[np.intp], ys: NDArray[np.intp]) -> tuple[Floats, Floats]:
    """Colour (n, 3) and cover (n,) of the die at these pixels (which may lie outside the picture)."""
    dirs = body.turn.T @ _pixel_rays(view, xs, ys)  # (3, n) in the die's axes
    eye = (view.at_mm - body.centre) @ body.turn
    corner = body.look.corner * body.side
    px_mm = float(np.linalg.norm(eye)) / view.focal_px
    reach, nearest = _marched(eye, dirs, body.side, corner, px_mm)
    points = eye[:, None] + reach * dirs
    cover = np.clip(1.05 - nearest / px_mm, 0, 1)
    seen = _shaded(scene, body, points, dirs, px_mm)
    w, h = view.size_wh
    seen *= view.vignette[np.clip(ys, 0, h - 1), np.clip(xs, 0, w - 1)] * np.float32(scene.exposure)
    return np.minimum(seen, 255).T, cover


def _pixel_rays(view: View, xs: NDArray[np.intp], ys: NDArray[np.intp]) -> Floats:
    """(3, n) unit rays in the tray's axes, also for pixels beyond the border."""
    w, h = view.size_wh
    seen = np.empty((3, len(xs)), np.float32)
    seen[0] = (xs - (w / 2 - 0.5 + view.aim_px[0])) / view.focal_px
    seen[1] = (ys - (h / 2 - 0.5 + view.aim_px[1])) / view.focal_px
    seen[2] = 1
    seen /= _length(seen)
    return view.turn.T @ seen


def _marched(eye: Floats, dirs: Floats, side: float, corner: float, px_mm: float) -> tuple[Floats, Floats]:
    """(n,) how far along each ray the surface is, and (n,) how close the ray came to it, mm."""
    inner = np.float32(side / 2 - corner)
    reach = _entry(eye, dirs, side / 2 + px_mm)
    nearest = np.full(reach.shape, 1e3, np.float32)
    going = np.arange(reach.size)
    for _ in range(MARCH_STEPS):
        points = eye[:, None] + reach[going] * dirs[:, going]
        distance = _length(np.maximum(np.abs(points) - inner, 0)) - np.float32(corner)
        closing = distance < nearest[going]  # the die is convex: a ray that has begun to leave never comes back
        going, distance = going[closing], distance[closing]
        nearest[going] = distance
        reach[going] += distance
        going = going[distance > CLOSE_PX * px_mm]
    return reach, nearest


def _length(vectors: Floats) -> Floats:
    """(3, n) -> (n,)"""
    return np.asarray(np.sqrt(vectors[0] * vectors[0] + vectors[1] * vectors[1] + vectors[2] * vectors[2]))


def _entry(eye: Floats, dirs: Floats, half: float) -> Floats:
    """(n,) how far along each ray the cube of this half side begins; rays that miss it start where they leave its last slab."""
    safe = np.where(np.abs(dirs) < 1e-6, np.float32(1e-6), dirs)
    near = (-eye[:, None] - np.copysign(np.float32(half), safe)) / safe
    return np.asarray(near.max(axis=0))


def _shaded(scene: Scene, body: Body, points: Floats, dirs: Floats, px_mm: float) -> Floats:
    """(3, n) what the camera sees of these surface points, before the lens darkens it."""
    look = body.look
    flat = np.float32(body.side * (0.5 - look.corner))
    normals = points - np.clip(points, -flat, flat)
    pip, (dent, u_axis, v_axis) = _pips(points, body, px_mm)
    normals /= np.maximum(_length(normals), np.float32(1e-6))
    cols = np.arange(points.shape[1])
    normals[u_axis, cols] += dent[0]
    normals[v_axis, cols] += dent[1]
    normals /= _length(normals)
    body_bgr, pip_bgr = (np.array(c, np.float32)[:, None] for c in (look.body_bgr, look.pip_bgr))
    if look.wear:
        pip, scratched = _worn(points / np.float32(body.side), pip, look.wear)
        body_bgr = body_bgr + (body_bgr.mean() * 0.5 + 90 - body_bgr) * scratched
    seen = (body_bgr + (pip_bgr - body_bgr) * pip) * _light(scene, body, points, normals)
    seen += _shine(scene, body, normals, dirs) * (1 - np.float32(0.8) * pip)
    return np.asarray(seen * np.array(scene.light_bgr, np.float32)[:, None])


def _pips(points: Floats, body: Body, px_mm: float) -> tuple[Floats, tuple[Floats, NDArray[np.intp], NDArray[np.intp]]]:
    """How much of each point is pip, (n,) 0-1, and how its hollow bends the normal: (2, n) along the two axes that follow."""
    side, look = np.float32(body.side), body.look
    axis = np.abs(points).argmax(axis=0)
    cols = np.arange(points.shape[1])
    u_axis, v_axis = (axis + 1) % 3, (axis + 2) % 3
    uv = np.stack([points[u_axis, cols], points[v_axis, cols]])
    pitch, radius = look.pip_pitch * side, look.pip_radius * side
    cell = np.clip(np.rint(uv / pitch), -1, 1)
    away = uv - cell * pitch
    iu, iv = cell.astype(np.intp) + 1
    there = _PIPS[axis, (points[axis, cols] < 0).astype(np.intp), iu, iv]
    pip = np.clip((radius - np.sqrt(away[0] * away[0] + away[1] * away[1])) / np.float32(px_mm) + np.float32(0.5), 0, 1) * there
    return pip, (away * pip * np.float32(-look.pip_depth / radius), u_axis, v_axis)


def _worn(points: Floats, pip: Floats, wear: float) -> tuple[Floats, Floats]:
    """(n,) what is left of the pips' paint, and (n,) 0-1 how scratched the body is; `points` (3, n) in sides of the die."""
    scratched = np.zeros(points.shape[1], np.float32)
    for n in range(round(SCRATCHES * wear)):
        way = np.sin(np.arange(1, 4) * (n + 1.7) * 2.399).astype(np.float32)  # spread over all directions
        off = np.abs(way @ points / np.linalg.norm(way) - 0.45 * np.float32(np.sin(n * 5.1)))
        scratched += np.clip(1 - off / SCRATCH_SIDES, 0, 1) * np.float32(0.6)
    rubbed = np.sin(points[0] * 19 + 3 * points[1]) * np.sin(points[1] * 23 + 2 * points[2]) * np.sin(points[2] * 17 + 1)
    fades = np.clip(0.35 + 0.9 * rubbed, 0, 1) * np.float32(wear)
    return np.asarray(pip * (1 - fades), np.float32), np.asarray(np.minimum(scratched, 0.5 * wear), np.float32)


def _light(scene: Scene, body: Body, points: Floats, normals: Floats) -> Floats:
    """(n,) how brightly each point is lit: room light from above, the main light, and less of both close to the floor."""
    up = body.turn[2]
    to_light = np.array(scene.to_light, np.float32) @ body.turn
    sky = np.float32(0.55) + np.float32(0.45) * (up @ normals)
    lambert = np.maximum(to_light @ normals, 0)
    height = up @ points + body.centre[2]
    near_floor = np.float32(0.72) + np.clip(height * np.float32(0.28 / body.side), 0, np.float32(0.28))
    return np.asarray((np.float32(scene.ambient) * sky + np.float32(scene.key) * lambert) * near_floor)


def _shine(scene: Scene, body: Body, normals: Floats, dirs: Floats) -> Floats:
    """(n,) grey levels of the main light's reflection: a small bright spot in a wide faint one (facing to the 64th and the 8th)."""
    half = (np.array(scene.to_light, np.float32) @ body.turn)[:, None] - dirs
    facing = (normals * half).sum(axis=0) / _length(half)
    wide = np.maximum(facing, 0) ** 2
    wide = wide * wide
    wide = wide * wide
    bright = wide * wide
    bright = bright * bright
    bright = bright * bright
    return np.asarray(np.float32(255 * scene.key * body.look.gloss) * (np.float32(0.9) * bright + np.float32(0.12) * wide))


def _smeared(patch: Floats, smear: tuple[float, float]) -> Floats:
    """The patch blurred along its way, as a camera sees what moves while its shutter is open."""
    length = float(np.hypot(*smear))
    if length < 1.5:
        return patch
    size = int(np.ceil(length)) | 1
    line = np.zeros((size, size), np.float32)
    middle = (size - 1) / 2
    dx, dy = smear[0] / length * middle, smear[1] / length * middle
    cv2.line(line, _rounded(middle - dx, middle - dy), _rounded(middle + dx, middle + dy), (1.0,), 1, cv2.LINE_AA)
    return np.asarray(cv2.filter2D(patch, -1, line / line.sum(), borderType=cv2.BORDER_CONSTANT), np.float32)


def _rounded(x: float, y: float) -> tuple[int, int]:
    return round(x), round(y)


# --- shadows ------------------------------------------------------------------------------------------------------------


def cast_shadow(canvas: Picture, view: View, scene: Scene, body: Body) -> None:
    """Darkens the floor under and beside a die, in place: a dark soft rim where it touches, a wide one away from the main light."""
    lift = max(0.0, float(body.corners()[:, 2].min()))
    share = scene.key / (scene.key + scene.ambient)
    _darken(canvas, view, _dropped(body, scene.to_light, 0.92), 0.75 * share, 1.1 + 0.12 * lift)
    if lift < body.side:
        fade = 1 - lift / body.side
        _darken(canvas, view, _dropped(body, (0, 0, 1), 1.06), 0.6 * fade * (1 - 0.5 * share), 1.8)


def _dropped(body: Body, towards: tuple[float, float, float], grown: float) -> Floats:
    """(8, 3) the corners moved along the light onto the floor."""
    corners = body.corners(grown)
    down = np.array(towards, np.float32) / towards[2]
    return np.asarray(corners - corners[:, 2:] * down, np.float32)


def _darken(canvas: Picture, view: View, outline_mm: Floats, depth: float, soft_mm: float) -> None:
    outline = view.project(outline_mm)
    sigma = soft_mm * view.px_per_mm()
    room = int(3 * sigma) + 2
    left, top = np.floor(outline.min(axis=0)).astype(int) - room
    right, bottom = np.ceil(outline.max(axis=0)).astype(int) + room
    h, w = canvas.shape[:2]
    x0, y0, x1, y1 = max(left, 0), max(top, 0), min(right, w), min(bottom, h)
    if x0 >= x1 or y0 >= y1:
        return
    mask = np.zeros((bottom - top, right - left), np.float32)
    hull = cv2.convexHull(np.asarray((outline - (left, top)) * 16, np.float32)).round().astype(np.int32)
    cv2.fillConvexPoly(mask, hull, (depth,), cv2.LINE_8, 4)
    soft = cv2.GaussianBlur(mask, (0, 0), sigma)[y0 - top : y1 - top, x0 - left : x1 - left]
    under = canvas[y0:y1, x0:x1]
    under[:] = under * (1 - soft[..., None])
