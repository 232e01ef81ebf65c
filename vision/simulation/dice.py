"""Dice: rounded cubes with drilled pips, traced pixel by pixel in soft light.

Theory of operation. A die is a rounded cube (`rounded_cube`). Every pixel that may show it is sphere traced
in the die's own axes. The closest approach of its ray gives the coverage of the pixel, so the outline is
antialiased without supersampling. The hit point gives the normal, the face and the nearest pip. Only the
pixels inside the outline of the cube are traced, about two thousand per die.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from vision.simulation.geometry import half_height, horizontal_axis, rotation_about, rotation_about_z
from vision.simulation.rounded_cube import RoundedCube, face_axes, lengths
from vision.simulation.scene import LOOKS, DieStyle, Scene
from vision.simulation.shading import diffuse, specular
from vision.simulation.solids import Solid, camera_gain
from vision.simulation.view import Floats, View

MARCH_STEPS = 7
"""Steps per ray. With 7, the outline error of a flat die of 45 px is below a twentieth of a pixel."""

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
class DieBody(Solid):
    """A die in space. side: mm."""

    degrees_per_subframe: ClassVar[float] = 8.0
    min_spin_deg: ClassVar[float] = 2.5

    side: float
    look: DieStyle

    @property
    def thickness_mm(self) -> float:
        return self.side

    @property
    def min_distance_mm(self) -> float:
        return MIN_DISTANCE_SIDES * self.side

    def corners(self, scale: float = 1.0) -> Floats:
        """(8, 3) mm: the corners of the cube, scaled about its centre."""
        return np.asarray(self.centre + (CORNERS * (self.side * scale)) @ self.rotation.T, np.float32)

    def trace(
        self, view: View, scene: Scene, xs: NDArray[np.intp], ys: NDArray[np.intp]
    ) -> tuple[Floats, Floats]:
        return _ray_trace(view, scene, self, xs, ys)


def resting_rotation(face: int, yaw: float) -> Floats:
    """(3, 3) rotation of a die that lies flat with this face up."""
    return rotation_about_z(yaw) @ np.array(FACE_UP[face], np.float32)


def top_face(rotation: Floats) -> int:
    """The face that points most nearly up."""
    axis = int(np.argmax(np.abs(rotation[2])))
    return _AXIS_FACES[axis][0 if rotation[2, axis] > 0 else 1]


def body_of(die: SimDie, scene: Scene) -> DieBody:
    """The die as a body in space."""
    look = die.look or LOOKS[die.colour]
    side = die.side_mm or scene.die_mm
    axis_rad = die.yaw_rad if die.lean_axis_rad is None else die.lean_axis_rad
    lean_axis = horizontal_axis(axis_rad).astype(np.float32)
    rotation = rotation_about(lean_axis, die.lean_rad) @ resting_rotation(die.face, die.yaw_rad)
    z = die.raised_mm + half_height(rotation, side, look.corner)
    return DieBody(np.array([die.x_mm, die.y_mm, z], np.float32), rotation, side, look)


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


def _ray_trace(
    view: View, scene: Scene, body: DieBody, xs: NDArray[np.intp], ys: NDArray[np.intp]
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
    shaded *= camera_gain(view, scene, xs, ys)
    return np.minimum(shaded, 255).T, cover


def _cube(body: DieBody) -> RoundedCube:
    return RoundedCube(body.side / 2, body.look.corner * body.side)


def _shade(scene: Scene, body: DieBody, points: Floats, directions: Floats, px_mm: float) -> Floats:
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
    shaded = (body_bgr + (pip_bgr - body_bgr) * pip) * diffuse(
        scene, body.rotation, normals, body.rotation[2] @ points + body.centre[2], body.side
    )
    shaded += specular(scene, body.rotation, normals, directions, look.gloss) * (1 - np.float32(0.8) * pip)
    return np.asarray(shaded * np.array(scene.light_bgr, np.float32)[:, None])


def _pip_cover(
    points: Floats, body: DieBody, px_mm: float
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
