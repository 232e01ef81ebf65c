"""Renders dice: rounded cubes in perspective, with drilled pips, soft light and shadows.

Theory of operation. A die is a rounded cube (`rounded_cube`). Every pixel that may show it is sphere traced
in the die's own axes. The closest approach of its ray gives the coverage of the pixel, so the outline is
antialiased without supersampling. The hit point gives the normal, the face and the nearest pip. Only the
pixels inside the outline of the cube are traced, about two thousand per die.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frames import Picture
from vision.simulation.geometry import half_height, horizontal_axis, rotation_about, rotation_about_z
from vision.simulation.rounded_cube import RoundedCube, blinn_phong_cosine, face_axes, lengths
from vision.simulation.scene import LOOKS, DieStyle, Scene
from vision.simulation.view import Floats, View

MARCH_STEPS = 7
"""Steps per ray. With 7, the outline error of a flat die of 45 px is below a twentieth of a pixel."""

DEG_PER_SUBFRAME, MAX_SUBFRAMES = 8.0, 3
"""A tumbling die is rendered once per DEG_PER_SUBFRAME that it rotates during the exposure, at most
MAX_SUBFRAMES times."""

MIN_DISTANCE_SIDES = 4.0
"""Minimum distance from the lens, in sides of the die. A nearer die is not drawn."""

SCRATCHES, SCRATCH_SIDES = 14, 0.012
"""Number of scratches on a fully worn die, and half the width of one, in sides of the die."""

HIT_PX = 0.04
"""Distance to the surface at which a ray has hit it, px."""

FACE_UP: dict[int, tuple[tuple[int, int, int], ...]] = {
    1: ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    6: ((1, 0, 0), (0, -1, 0), (0, 0, -1)),
    2: ((0, 0, -1), (0, 1, 0), (1, 0, 0)),
    5: ((0, 0, 1), (0, 1, 0), (-1, 0, 0)),
    3: ((1, 0, 0), (0, 0, -1), (0, 1, 0)),
    4: ((1, 0, 0), (0, 0, 1), (0, -1, 0)),
}
"""The rotation, die to tray, that turns each face up. In the die's axes +z is the 1, +x the 2, +y the 3.
Opposite faces add to seven, and 1, 2, 3 run counterclockwise round their corner, as on western dice."""

_AXIS_FACES = ((2, 5), (3, 4), (1, 6))  # the face on the + and the - end of x, y, z

PIP_LAYOUT: dict[int, tuple[tuple[int, int], ...]] = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (-1, 1), (1, -1), (1, 1)),
    5: ((-1, -1), (-1, 1), (1, -1), (1, 1), (0, 0)),
    6: ((-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)),
}
"""Pips of each face: offsets from its middle along its u and v axes, in distances between adjacent pips."""


def _pip_grid(face: int) -> NDArray[np.bool_]:
    """(3, 3) whether a pip is at this place along u and v. The diagonal of the 3 runs from +u to +v."""
    grid = np.zeros((3, 3), np.bool_)
    for u, v in PIP_LAYOUT[face]:
        grid[1 + u, 1 + (-v if face == 3 else v)] = True
    return grid


_PIPS: NDArray[np.bool_] = np.array(
    [[_pip_grid(face) for face in ends] for ends in _AXIS_FACES]
)  # (axis, end, 3, 3)

CORNERS: Floats = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], np.float32) / 2
"""(8, 3) corners of the unit cube, centred at 0."""


@dataclass(frozen=True)
class SimDie:
    """A die that lies on the simulated tray.

    face: 1-6, the upper one.
    colour: one of COLOURS.
    x_mm, y_mm: its centre.
    yaw_rad: rotation on the floor.
    side_mm: None takes the scene's die size.
    look: None takes the default of the colour.
    lean_rad: angle from flat, above 0 for a cocked die.
    raised_mm: height of its lowest point over the floor (on another die, or in the air).
    lean_axis_rad: direction of the horizontal axis it leans about, 0 = to the right of the picture; None
        takes `yaw_rad`, along its own edge.
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
    """A die in space.

    centre: (3,) mm.
    rotation: (3, 3) die to tray.
    side: mm.
    blur_px: movement in the picture during the exposure.
    at_opening: the same die when the shutter opened, None for one that hardly rotated since.
    """

    centre: Floats
    rotation: Floats
    side: float
    look: DieStyle
    blur_px: tuple[float, float] = (0.0, 0.0)
    at_opening: Body | None = None

    def corners(self, scale: float = 1.0) -> Floats:
        """(8, 3) mm: the corners of the cube, scaled about its centre."""
        return np.asarray(self.centre + (CORNERS * (self.side * scale)) @ self.rotation.T, np.float32)


@dataclass(frozen=True, eq=False)
class Patch:
    """A rendered die.

    left, top: px, its position in the picture; it may extend beyond the border.
    bgr: (h, w, 3) float32, 0-255, premultiplied by alpha.
    alpha: (h, w) float32, 0-1.
    """

    left: int
    top: int
    bgr: Floats
    alpha: Floats

    def box_xywh(self) -> tuple[float, float, float, float]:
        """The bounding box of the die, px. It may extend beyond the picture's border."""
        ys, xs = np.nonzero(self.alpha > 0.5)
        x, y = int(xs.min()), int(ys.min())
        return float(self.left + x), float(self.top + y), float(xs.max() - x + 1), float(ys.max() - y + 1)


def resting_rotation(face: int, yaw: float) -> Floats:
    """(3, 3) rotation of a die that lies flat with this face up."""
    return rotation_about_z(yaw) @ np.array(FACE_UP[face], np.float32)


def top_face(rotation: Floats) -> int:
    """The face that points most nearly up."""
    axis = int(np.argmax(np.abs(rotation[2])))
    return _AXIS_FACES[axis][0 if rotation[2, axis] > 0 else 1]


def body_of(die: SimDie, scene: Scene) -> Body:
    """The die as a body in space."""
    look = die.look or LOOKS[die.colour]
    side = die.side_mm or scene.die_mm
    axis_rad = die.yaw_rad if die.lean_axis_rad is None else die.lean_axis_rad
    lean_axis = horizontal_axis(axis_rad).astype(np.float32)
    rotation = rotation_about(lean_axis, die.lean_rad) @ resting_rotation(die.face, die.yaw_rad)
    z = die.raised_mm + half_height(rotation, side, look.corner)
    return Body(np.array([die.x_mm, die.y_mm, z], np.float32), rotation, side, look)


def with_pose(die: SimDie, centre: Floats, rotation: Floats, scene: Scene) -> SimDie:
    """The die with this centre, mm, and this rotation, (3, 3) die to tray, as a lying die."""
    face = top_face(rotation)
    up = rotation @ (np.array(FACE_UP[face], np.float64).T @ (0, 0, 1))
    lean, axis_rad = float(np.arccos(np.clip(up[2], -1, 1))), float(np.arctan2(up[1], up[0]) + np.pi / 2)
    upright = rotation_about(horizontal_axis(axis_rad), -lean) @ rotation @ np.array(FACE_UP[face]).T
    look = die.look or LOOKS[die.colour]
    raised = float(centre[2]) - half_height(rotation, die.side_mm or scene.die_mm, look.corner)
    return replace(
        die, face=face, x_mm=float(centre[0]), y_mm=float(centre[1]),
        yaw_rad=float(np.arctan2(upright[1, 0], upright[0, 0])),
        lean_rad=lean, lean_axis_rad=axis_rad, raised_mm=raised,
    )  # fmt: skip


def draw_dice(canvas: Picture, view: View, scene: Scene, bodies: Sequence[Body]) -> list[Patch | None]:
    """Draws all shadows, then the dice from low to high, in place; gives each die's patch or None."""
    for body in bodies:
        draw_shadow(canvas, view, scene, body)
    patches: list[Patch | None] = [None] * len(bodies)
    for i in sorted(range(len(bodies)), key=lambda i: float(bodies[i].centre[2])):
        patches[i] = render_die(view, scene, bodies[i])
        paste(canvas, patches[i])
    return patches


def paste(canvas: Picture, patch: Patch | None) -> None:
    """Alpha-blends a patch onto the canvas, in place."""
    overlap = patch and _overlap(canvas.shape[1], canvas.shape[0], patch)
    if not overlap or not patch:
        return
    (x0, y0, x1, y1), inner = overlap
    under = canvas[y0:y1, x0:x1]
    under[:] = under * (1 - patch.alpha[inner][..., None]) + patch.bgr[inner]


def _overlap(w: int, h: int, patch: Patch) -> tuple[tuple[int, int, int, int], tuple[slice, slice]] | None:
    ph, pw = patch.alpha.shape
    x0, y0 = max(patch.left, 0), max(patch.top, 0)
    x1, y1 = min(patch.left + pw, w), min(patch.top + ph, h)
    if x0 >= x1 or y0 >= y1:
        return None
    return (x0, y0, x1, y1), (slice(y0 - patch.top, y1 - patch.top), slice(x0 - patch.left, x1 - patch.left))


# --- one die ------------------------------------------------------------------------------------------------


def render_die(view: View, scene: Scene, body: Body) -> Patch | None:
    """The die as a patch; None when it is out of the picture or too close to the lens."""
    if body.centre[2] > view.position[2] - MIN_DISTANCE_SIDES * body.side:
        return None
    if body.at_opening is not None:
        return _render_tumbling(view, scene, body, body.at_opening)
    outline = view.project(body.corners())
    margin = 3 + int(np.ceil(max(abs(v) for v in body.blur_px) / 2))
    left, top = np.floor(outline.min(axis=0)).astype(int) - margin
    right, bottom = np.ceil(outline.max(axis=0)).astype(int) + margin + 1
    w, h = view.size_wh
    if right <= 0 or bottom <= 0 or left >= w or top >= h:
        return None
    mask = _hull_mask(outline - (left, top), int(right - left), int(bottom - top))
    ys, xs = np.nonzero(mask)
    colour, cover = _ray_trace(view, scene, body, xs + int(left), ys + int(top))
    patch = np.zeros((*mask.shape, 4), np.float32)
    patch[ys, xs, :3] = colour * cover[:, None]
    patch[ys, xs, 3] = cover
    patch = _motion_blurred(patch, body.blur_px)
    return Patch(int(left), int(top), patch[..., :3], patch[..., 3])


def _render_tumbling(view: View, scene: Scene, body: Body, at_opening: Body) -> Patch | None:
    """A die that rotated during the exposure: the mean of a few subframes.

    They are rendered at half resolution, because the blur hides detail.
    """
    subframes = int(np.clip(np.ceil(_degrees_between(at_opening, body) / DEG_PER_SUBFRAME), 2, MAX_SUBFRAMES))
    blur_px = (body.blur_px[0] / subframes / 2, body.blur_px[1] / subframes / 2)
    patches = [
        render_die(
            _half_resolution(view), scene, _interpolated(at_opening, body, (n + 0.5) / subframes, blur_px)
        )
        for n in range(subframes)
    ]
    visible = [p for p in patches if p]
    if not visible:
        return None
    left, top = min(p.left for p in visible), min(p.top for p in visible)
    w = max(p.left + p.alpha.shape[1] for p in visible) - left
    h = max(p.top + p.alpha.shape[0] for p in visible) - top
    total = np.zeros((h, w, 4), np.float32)
    for p in visible:
        part = total[
            p.top - top : p.top - top + p.alpha.shape[0], p.left - left : p.left - left + p.alpha.shape[1]
        ]
        part[..., :3] += p.bgr / subframes
        part[..., 3] += p.alpha / subframes
    large = np.asarray(cv2.resize(total, (2 * w, 2 * h), interpolation=cv2.INTER_LINEAR), np.float32)
    return Patch(2 * left, 2 * top, large[..., :3], large[..., 3])


def _degrees_between(a: Body, b: Body) -> float:
    return float(
        np.degrees(2 * np.arcsin(min(float(np.linalg.norm(a.rotation - b.rotation)) / np.sqrt(8), 1.0)))
    )


def _interpolated(a: Body, b: Body, share: float, blur_px: tuple[float, float]) -> Body:
    """The die at this share of the way from a to b.

    They differ by a few degrees, so the mean of their axes is projected onto the nearest rotation (SVD).
    """
    u, _, v = np.linalg.svd(a.rotation + (b.rotation - a.rotation) * share)
    return Body(
        np.asarray(a.centre + (b.centre - a.centre) * share, np.float32),
        np.asarray(u @ v, np.float32),
        b.side,
        b.look,
        blur_px,
    )


@lru_cache(maxsize=4)
def _half_resolution(view: View) -> View:
    """The same camera at half resolution."""
    w, h = view.size_wh
    vignette = np.ascontiguousarray(view.vignette[: h // 2 * 2 : 2, : w // 2 * 2 : 2])
    half = replace(view, size_wh=(w // 2, h // 2), focal_px=view.focal_px / 2, vignette=vignette)
    return replace(half, aim_px=(view.aim_px[0] / 2, view.aim_px[1] / 2))


def _hull_mask(outline: Floats, w: int, h: int) -> NDArray[np.uint8]:
    """(h, w) uint8 mask of the pixels inside the cube's outline, dilated by one."""
    hull = cv2.convexHull(np.asarray(outline, np.float32)).round().astype(np.int32)
    mask = np.zeros((h, w), np.uint8)
    cv2.fillConvexPoly(mask, hull, (255,))
    cv2.polylines(mask, [hull], True, (255,), 3)
    return mask


def _ray_trace(
    view: View, scene: Scene, body: Body, xs: NDArray[np.intp], ys: NDArray[np.intp]
) -> tuple[Floats, Floats]:
    """Colour (n, 3) and coverage (n,) of the die at these pixels, which may lie outside the picture."""
    directions = np.asarray(
        body.rotation.T @ view.rays_through(xs, ys, np.float32), np.float32
    )  # (3, n) in the die's axes
    eye = np.asarray((view.position - body.centre) @ body.rotation, np.float32)
    px_mm = float(np.linalg.norm(eye)) / view.focal_px
    depth_mm, closest = _cube(body).march(eye, directions, HIT_PX * px_mm, MARCH_STEPS, slack=px_mm)
    points = eye[:, None] + depth_mm * directions
    cover = np.clip(1.05 - closest / px_mm, 0, 1)
    shaded = _shade(scene, body, points, directions, px_mm)
    w, h = view.size_wh
    shaded *= view.vignette[np.clip(ys, 0, h - 1), np.clip(xs, 0, w - 1)] * np.float32(scene.exposure)
    return np.minimum(shaded, 255).T, cover


def _cube(body: Body) -> RoundedCube:
    return RoundedCube(body.side / 2, body.look.corner * body.side)


def _shade(scene: Scene, body: Body, points: Floats, directions: Floats, px_mm: float) -> Floats:
    """(3, n) BGR of these surface points, before vignetting."""
    look = body.look
    normals = _cube(body).normals(points)
    pip, (bend, u_axis, v_axis) = _pip_cover(points, body, px_mm)
    cols = np.arange(points.shape[1])
    normals[u_axis, cols] += bend[0]
    normals[v_axis, cols] += bend[1]
    normals /= lengths(normals)
    body_bgr, pip_bgr = (np.array(c, np.float32)[:, None] for c in (look.body_bgr, look.pip_bgr))
    if look.wear:
        pip, scratched = _apply_wear(points / np.float32(body.side), pip, look.wear)
        body_bgr = body_bgr + (body_bgr.mean() * 0.5 + 90 - body_bgr) * scratched
    shaded = (body_bgr + (pip_bgr - body_bgr) * pip) * _diffuse(scene, body, points, normals)
    shaded += _specular(scene, body, normals, directions) * (1 - np.float32(0.8) * pip)
    return np.asarray(shaded * np.array(scene.light_bgr, np.float32)[:, None])


def _pip_cover(
    points: Floats, body: Body, px_mm: float
) -> tuple[Floats, tuple[Floats, NDArray[np.intp], NDArray[np.intp]]]:
    """(n,) coverage by a pip, 0-1, and the change of the normal in its hollow, (2, n), with its two axes."""
    side, look = np.float32(body.side), body.look
    axis, u_axis, v_axis = face_axes(points)
    cols = np.arange(points.shape[1])
    uv = np.stack([points[u_axis, cols], points[v_axis, cols]])
    pitch, radius = look.pip_pitch * side, look.pip_radius * side
    cell = np.clip(np.rint(uv / pitch), -1, 1)
    offset = uv - cell * pitch
    iu, iv = cell.astype(np.intp) + 1
    is_pip = _PIPS[axis, (points[axis, cols] < 0).astype(np.intp), iu, iv]
    pip = (
        np.clip(
            (radius - np.sqrt(offset[0] * offset[0] + offset[1] * offset[1])) / np.float32(px_mm)
            + np.float32(0.5),
            0,
            1,
        )
        * is_pip
    )
    return pip, (offset * pip * np.float32(-look.pip_depth / radius), u_axis, v_axis)


def _apply_wear(points: Floats, pip: Floats, wear: float) -> tuple[Floats, Floats]:
    """(n,) remaining paint of the pips, and (n,) 0-1 scratches; `points` (3, n) in sides of the die."""
    scratched = np.zeros(points.shape[1], np.float32)
    for n in range(round(SCRATCHES * wear)):
        direction = np.sin(np.arange(1, 4) * (n + 1.7) * 2.399).astype(
            np.float32
        )  # spread over all directions
        distance = np.abs(direction @ points / np.linalg.norm(direction) - 0.45 * np.float32(np.sin(n * 5.1)))
        scratched += np.clip(1 - distance / SCRATCH_SIDES, 0, 1) * np.float32(0.6)
    rubbed = (
        np.sin(points[0] * 19 + 3 * points[1])
        * np.sin(points[1] * 23 + 2 * points[2])
        * np.sin(points[2] * 17 + 1)
    )
    fades = np.clip(0.35 + 0.9 * rubbed, 0, 1) * np.float32(wear)
    return np.asarray(pip * (1 - fades), np.float32), np.asarray(
        np.minimum(scratched, 0.5 * wear), np.float32
    )


def _diffuse(scene: Scene, body: Body, points: Floats, normals: Floats) -> Floats:
    """(n,) diffuse light: room light from above and the main light, both weaker close to the floor."""
    up = body.rotation[2]
    to_light = np.array(scene.to_light, np.float32) @ body.rotation
    sky = np.float32(0.55) + np.float32(0.45) * (up @ normals)
    lambert = np.maximum(to_light @ normals, 0)
    height = up @ points + body.centre[2]
    near_floor = np.float32(0.72) + np.clip(height * np.float32(0.28 / body.side), 0, np.float32(0.28))
    return np.asarray((np.float32(scene.ambient) * sky + np.float32(scene.key) * lambert) * near_floor)


def _specular(
    scene: Scene, body: Body, normals: NDArray[np.float32], directions: NDArray[np.float32]
) -> Floats:
    """(n,) specular light, grey levels: a strong narrow and a faint wide Blinn-Phong lobe (64 and 8)."""
    to_light = np.asarray(np.array(scene.to_light, np.float32) @ body.rotation, np.float32)
    cosine = blinn_phong_cosine(normals, to_light, directions)
    wide = _squared(cosine, 3)  # cosine ** 8; squares are several times as fast as a power
    narrow = _squared(wide, 3)  # cosine ** 64
    return np.asarray(
        np.float32(255 * scene.key * body.look.gloss) * (np.float32(0.9) * narrow + np.float32(0.12) * wide)
    )


def _squared(values: Floats, times: int) -> Floats:
    """The values, squared this many times in succession."""
    for _ in range(times):
        values = values * values
    return values


def _motion_blurred(patch: Floats, blur_px: tuple[float, float]) -> Floats:
    """The patch with linear motion blur."""
    length = float(np.hypot(*blur_px))
    if length < 1.5:
        return patch
    size = int(np.ceil(length)) | 1
    line = np.zeros((size, size), np.float32)
    middle = (size - 1) / 2
    dx, dy = blur_px[0] / length * middle, blur_px[1] / length * middle
    cv2.line(
        line, _rounded(middle - dx, middle - dy), _rounded(middle + dx, middle + dy), (1.0,), 1, cv2.LINE_AA
    )
    return np.asarray(cv2.filter2D(patch, -1, line / line.sum(), borderType=cv2.BORDER_CONSTANT), np.float32)


def _rounded(x: float, y: float) -> tuple[int, int]:
    return round(x), round(y)


# --- shadows ------------------------------------------------------------------------------------------------


def draw_shadow(canvas: Picture, view: View, scene: Scene, body: Body) -> None:
    """Draws the contact shadow of a die, and its soft shadow from the main light, in place."""
    height_mm = max(0.0, float(body.corners()[:, 2].min()))
    share = scene.key / (scene.key + scene.ambient)
    _darken(
        canvas, view, _projected_corners(body, scene.to_light, 0.92), 0.75 * share, 1.1 + 0.12 * height_mm
    )
    if height_mm < body.side:
        fade = 1 - height_mm / body.side
        _darken(canvas, view, _projected_corners(body, (0, 0, 1), 1.06), 0.6 * fade * (1 - 0.5 * share), 1.8)


def _projected_corners(body: Body, towards: tuple[float, float, float], scale: float) -> Floats:
    """(8, 3) mm: the corners projected along the light onto the floor."""
    corners = body.corners(scale)
    down = np.array(towards, np.float32) / towards[2]
    return np.asarray(corners - corners[:, 2:] * down, np.float32)


def _darken(canvas: Picture, view: View, outline_mm: Floats, depth: float, soft_mm: float) -> None:
    outline = view.project(outline_mm)
    sigma = soft_mm * view.px_per_mm()
    margin = int(3 * sigma) + 2
    left, top = np.floor(outline.min(axis=0)).astype(int) - margin
    right, bottom = np.ceil(outline.max(axis=0)).astype(int) + margin
    h, w = canvas.shape[:2]
    x0, y0, x1, y1 = max(left, 0), max(top, 0), min(right, w), min(bottom, h)
    if x0 >= x1 or y0 >= y1:
        return
    mask = np.zeros((bottom - top, right - left), np.float32)
    hull = cv2.convexHull(np.asarray((outline - (left, top)) * 16, np.float32)).round().astype(np.int32)
    cv2.fillConvexPoly(mask, hull, (depth,), cv2.LINE_8, 4)
    blurred = cv2.GaussianBlur(mask, (0, 0), sigma)[y0 - top : y1 - top, x0 - left : x1 - left]
    under = canvas[y0:y1, x0:x1]
    under[:] = under * (1 - blurred[..., None])
