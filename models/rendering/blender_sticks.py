"""Tables with throwing sticks by Blender's path tracer, to measure on and not to train on:

    python -m models.rendering.blender_sticks --out runs/blender_sticks --count 40

This renderer shares no picture-making with models.rendering.stick_scenes: sticks are meshes that a physics
engine drops, strokes are thin slabs of ink on them, and light falls as it does. Only the letters of the
animals are common.

The pictures show what a household's camera sees 40 to 60 cm above a tray. Sticks are 0.15 to 0.38 of the
picture's width long, and strokes 0.5 to 3 px wide. Most grounds are felt, leather, board or calm wood; one in
ten is a print, checks, bricks or wood of strong grain. The exposure leaves most letters legible.
Sticks lie as they fall, so some cross. One that the border cuts, or that lies on its edge, is labelled
"ignore".

The folder gets a labels.jsonl, as models.evaluation.sticks reads it. One picture takes some twenty seconds;
the number of a picture is its seed, and existing ones are skipped.
"""

from __future__ import annotations

import argparse
import json
import math
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

# isort: off
import bpy  # first: its import makes bmesh and mathutils available

# isort: on
import bmesh
import cv2
import numpy as np
from mathutils import Matrix, Vector

from models.rendering import camera_effects
from models.rendering.blender import (
    Surface,
    add_camera,
    add_lights,
    add_object,
    box,
    ground_surface,
    made,
    meshed,
    path_traced,
    scene_camera,
    simulate_fall,
    smooth,
)
from models.rendering.render_files import JPEG_QUALITY
from models.rendering.sticks import ACROSS, LEFT, NOTCH, RIGHT, WORDS, bgr_of
from vision.readings import Quad
from vision.simulation.view import PinholeCamera
from vision.turned_box import TurnedBox, box_of_quad, shared_area

SIZE_WH = (800, 600)
"""Size of a picture, px."""
UNIT_MM = 16.0
"""Length of Blender's unit, mm: the side of a die, as in models.rendering.blender."""
STICK_PX = (120.0, 300.0)
"""Shortest and longest stick in the middle of a picture, px."""
THROW = 4
CROSSED_SHARE, TRAY_SHARE, OBJECT_SHARE, DANUBE_SHARE = 0.12, 0.6, 0.3, 0.25
"""Shares of sticks that fall on another one, and of pictures with a tray, with another object, and with
sticks of Down the Danube."""
CALM_GROUNDS, CALM_SHARE, WOOD_SHARE = (0, 1, 2, 3), 0.6, 0.2
"""Boards, felts and leathers among the grounds of models.rendering.blender, and the share of the pictures
with one of them. A share of WOOD_SHARE shows calm wood like that of sticks. The rest shows any ground."""
TRAY_SIZES = (0.85, 1.1)
"""Smallest and largest tray, as a share of what the picture shows. Sticks lie within the smallest."""
ALONG_X, ALONG_Y = 0, 1
"""Axes that the grain of wood runs along: sticks lie along x, a tray's planks along y."""
INK_HEIGHT = 0.004
"""Height of the ink, in units."""
RINGS = 5
"""Rings of the mesh at each rounded end."""
APART = 0.25
"""Least gap between sticks before they fall, in widths of a stick."""
DROP_LEAN = 0.12
"""Standard deviation of how far a stick leans to its side when it is dropped, radians."""
FLAT_COSINE = 0.85
"""A stick lies on one of its sides if the cosine of its lean is at least this."""
SHARED_SHARE = 0.02
"""Two sticks cross if they share more than this of a stick."""
BRIGHT_PERCENTILE = 99.0
"""Percentile of the picture's light that the exposure sets, %: pale sticks cover more of the picture."""
EXPOSURES, DIM_EXPOSURES, DIM_SHARE = (0.55, 1.1), (0.15, 0.5), 0.15
"""Where it puts that light, as a share of white, and the same in the share DIM_SHARE of pictures, which are
dim."""


@dataclass(frozen=True)
class Household:
    """The sticks of one picture; lengths in units."""

    length: float
    width: float
    height: float
    half_round: bool
    end: float
    danube: bool
    flat: bpy.types.Material
    back: bpy.types.Material
    ink: bpy.types.Material
    stem: bool
    stroke: float
    reach: float
    notch: float
    extent: float


def wood(rng: np.random.Generator, along: int, value: float | None = None) -> tuple[Surface, float]:
    """A wooden surface whose grain runs along this axis of the object, and its lightness, 0-1."""
    value = float(rng.uniform(0.3, 0.95)) if value is None else value
    hue, dark_share = rng.uniform(14, 40), rng.uniform(0.7, 0.97)
    hsv = [[[hue, rng.uniform(0.2, 0.65), value]], [[hue - 2, rng.uniform(0.3, 0.65), value * dark_share]]]
    light, dark = cv2.cvtColor(np.array(hsv, np.float32), cv2.COLOR_HSV2BGR)[:, 0]
    surface = Surface(light, Roughness=float(rng.uniform(0.3, 0.8)))
    streaks = surface.node("ShaderNodeTexNoise", Scale=float(rng.uniform(2, 7)), Detail=5.0)
    draw_out = [1.0, 1.0, 1.0]
    draw_out[along] = float(rng.uniform(0.03, 0.12))
    surface.stretch(streaks, draw_out)
    return surface.mottled([light, dark], [0.3, 0.7], streaks, "Fac"), value


def paint(rng: np.random.Generator, bgr: np.ndarray) -> Surface:
    return Surface(bgr, Roughness=float(rng.uniform(0.15, 0.8)), Coat_Weight=float(rng.uniform(0, 0.6)))


def household(rng: np.random.Generator) -> Household:
    """The sticks of a random household."""
    length = float(rng.uniform(76, 127)) / UNIT_MM
    width = length / float(rng.uniform(8, 12))
    half_round, danube = bool(rng.random() < 0.6), bool(rng.random() < DANUBE_SHARE)
    flat, lightness = wood(rng, ALONG_X)
    kind = rng.random()
    if danube:
        flat = paint(rng, np.full(3, rng.uniform(0.85, 0.98), np.float32))
    if danube or kind < 0.3:
        back = paint(rng, np.full(3, rng.uniform(0.03, 0.14), np.float32))
    elif kind < 0.6:
        back = wood(rng, ALONG_X)[0]
    elif kind < 0.75:
        back = paint(rng, bgr_of(rng.uniform(0, 360), rng.uniform(0, 0.15), rng.uniform(0.25, 0.7)))
    else:
        colour = bgr_of(rng.uniform(0, 360), rng.uniform(0.4, 1.0), rng.uniform(0.25, 0.85))
        back = paint(rng, colour)
    dark_ink = lightness > 0.25
    ink = Surface(np.full(3, rng.uniform(0.02, 0.12) if dark_ink else 0.9, np.float32), Roughness=0.8)
    return Household(
        length, width, width * float(rng.uniform(0.35, 0.5) if half_round else rng.uniform(0.15, 0.3)),
        half_round, width * float(rng.choice([0.0, 0.25, 0.5])), danube, flat.material, back.material,
        ink.material, bool(rng.random() < 0.7), float(rng.uniform(0.05, 0.1)),
        float(rng.uniform(0.25, 0.42)), float(rng.uniform(0.08, 0.16)), float(rng.uniform(0.6, 0.88)),
    )  # fmt: skip


def stick_mesh(kind: Household) -> bpy.types.Mesh:
    """A stick along x with its middle at 0, its flat side up; materials: 0 flat side, 1 back."""
    if kind.half_round:
        turns = np.linspace(0, np.pi, 15)
        profile = np.stack([np.cos(turns) * kind.width / 2, (0.5 - np.sin(turns)) * kind.height], 1)
    else:
        profile = np.array([[1, 1], [1, -1], [-1, -1], [-1, 1]]) * (kind.width / 2, kind.height / 2)
    along, across = ring_shape(kind)

    def build(made_of: bmesh.types.BMesh) -> None:
        rings = [
            [made_of.verts.new((x, y * k, z)) for y, z in profile] for x, k in zip(along, across, strict=True)
        ]
        count = len(profile)
        for a, b in pairwise(rings):
            for n in range(count):
                face = made_of.faces.new((a[n], a[(n + 1) % count], b[(n + 1) % count], b[n]))
                face.material_index = 0 if n == count - 1 else 1
        for ring in (rings[0], rings[-1]):
            made_of.faces.new(ring).material_index = 1
        bmesh.ops.recalc_face_normals(made_of, faces=list(made_of.faces))

    mesh = meshed(build)
    mesh.materials.append(kind.flat)
    mesh.materials.append(kind.back)
    return smooth(mesh)


def ring_shape(kind: Household) -> tuple[list[float], list[float]]:
    """Where the rings of the mesh are along x, and how wide each is, as a share."""
    turns = np.linspace(0, np.pi / 2, RINGS) if kind.end else np.array([np.pi / 2])
    end = np.array([-kind.length / 2 + kind.end * (1 - math.sin(t)) for t in turns[::-1]])[::-1]
    share = np.array([0.35 + 0.65 * math.sin(t) for t in turns]) if kind.end else np.array([1.0])
    along = np.sort(end)
    return [*along.tolist(), *(-along[::-1]).tolist()], [*share.tolist(), *share[::-1].tolist()]


def letters_mesh(rng: np.random.Generator, kind: Household, face: str) -> bpy.types.Mesh:
    """The letters of this animal as thin slabs on the flat side, from the foot at -x; left is +y."""
    word, gap = WORDS[face], float(rng.uniform(1.6, 3.0))
    steps = sum(n - 1 for _, n in word) + gap * (len(word) - 1)
    pitch = min(kind.extent * kind.length / steps, kind.width * float(rng.uniform(0.5, 2.0)))
    slant = float(rng.choice([-1, 1]) * rng.uniform(0.2, 0.6))

    def slab(made_of: bmesh.types.BMesh, a: tuple[float, float], b: tuple[float, float]) -> None:
        (ax, ay), (bx, by) = a, b
        turn = Matrix.Rotation(math.atan2(by - ay, bx - ax), 4, "Z")
        size = Matrix.Diagonal((math.hypot(bx - ax, by - ay), kind.stroke * kind.width, 2 * INK_HEIGHT, 1.0))
        at = Matrix.Translation(((ax + bx) / 2, (ay + by) / 2, kind.height / 2))
        bmesh.ops.create_cube(made_of, size=1.0, matrix=at @ turn @ size)

    def build(made_of: bmesh.types.BMesh) -> None:
        x = -pitch * steps / 2
        if kind.stem:
            slab(made_of, (x - pitch / 2, 0.0), (-x + pitch / 2, 0.0))
        for where, count in word:
            for _ in range(count):
                up = {LEFT: kind.reach, RIGHT: 0.0, ACROSS: kind.reach, NOTCH: kind.notch}[where] * kind.width
                down = {LEFT: 0.0, RIGHT: kind.reach, ACROSS: kind.reach, NOTCH: kind.notch}[
                    where
                ] * kind.width
                aside = slant * kind.reach * kind.width if where == ACROSS else 0.0
                slab(made_of, (x + aside, up), (x - aside, -down))
                x += pitch
            x += pitch * (gap - 1)

    mesh = meshed(build)
    mesh.materials.append(kind.ink)
    return mesh


@dataclass(frozen=True)
class PlacedStick:
    """A stick on the table. face: the one that its flat side bears."""

    body: bpy.types.Object
    kind: Household
    face: str

    @property
    def up(self) -> float:
        """Cosine of the lean of the flat side: 1 if it is up, -1 if the back is."""
        return float((self.body.matrix_world.to_3x3().normalized() @ Vector((0, 0, 1))).z)

    @property
    def face_up(self) -> str:
        if self.up > 0:
            return self.face
        return "black" if self.kind.danube else "round"

    @property
    def corners(self) -> np.ndarray:
        """(4, 3): the corners of its flat side."""
        a, b, z = self.kind.length / 2, self.kind.width / 2, self.kind.height / 2
        sides = ((-a, -b, z), (a, -b, z), (a, b, z), (-a, b, z))
        return np.array([self.body.matrix_world @ Vector(corner) for corner in sides])


def add_sticks(rng: np.random.Generator, kind: Household, half_wh: np.ndarray) -> list[PlacedStick]:
    """A throw of sticks in the air over the table, each above those before it."""
    sticks = []
    for n, (x, y, turn) in enumerate(random_places(rng, kind, half_wh)):
        body = made(stick_mesh(kind), f"stick {n}")
        lean = float(rng.normal(0, DROP_LEAN)) + (math.pi if rng.random() < 0.45 else 0.0)
        pose = Matrix.Rotation(turn, 4, "Z") @ Matrix.Rotation(lean, 4, "X")
        body.matrix_world = Matrix.Translation((x, y, (1 + 1.5 * n) * kind.width)) @ pose
        face = "white" if kind.danube else str(rng.choice(list(WORDS)))
        sticks.append(PlacedStick(body, kind, face))
    return sticks


def random_places(
    rng: np.random.Generator, kind: Household, half_wh: np.ndarray
) -> list[tuple[float, float, float]]:
    """x, y and angle of four sticks: some lie on another one, the others apart."""
    places: list[tuple[float, float, float]] = []
    outlines: list[Quad] = []
    for _ in range(THROW):
        crossing = bool(outlines) and rng.random() < CROSSED_SHARE
        for _ in range(200):
            x, y = (rng.uniform(-1, 1, 2) * (half_wh - 0.4 * kind.length)).tolist()
            turn, gap = float(rng.uniform(0, math.pi)), APART * kind.width
            outline = TurnedBox((x, y), turn, kind.length + gap, kind.width + gap).quad
            if crossing == any(shared_area(outline, other) > 0 for other in outlines):
                break
        places.append((x, y, turn))
        outlines.append(outline)
    return places


def add_letters(rng: np.random.Generator, stick: PlacedStick) -> None:
    """Inks the letters of the stick's animal on its flat side."""
    if stick.face in WORDS:
        ink = made(letters_mesh(rng, stick.kind, stick.face))
        ink.matrix_world = stick.body.matrix_world.copy()


def add_table(rng: np.random.Generator, half_wh: np.ndarray) -> list[bpy.types.Object]:
    """Adds the ground and, in most pictures, a tray's four rims; returns these bodies."""
    ground = made(box(240, 240, 1))
    ground.location.z = -0.5
    ground.data.materials.append(household_ground(rng).material)
    bodies = [ground]
    if rng.random() > TRAY_SHARE:
        return bodies
    rim = wood(rng, ALONG_Y)[0].material
    thick, high = float(rng.uniform(0.5, 1.5)), float(rng.uniform(0.8, 2.5))
    half, turn = half_wh * rng.uniform(*TRAY_SIZES, 2), Matrix.Rotation(float(rng.normal(0, 0.2)), 4, "Z")
    for n in range(4):
        far, long = (half[1], half[0]) if n % 2 else (half[0], half[1])
        plank = made(box(thick, 2 * (float(long) + thick), high, 0.03))
        plank.data.materials.append(rim)
        where = Matrix.Translation((float(far) + thick / 2, 0, high / 2 + 0.01 * (n % 2)))
        plank.matrix_world = turn @ Matrix.Rotation(n * math.pi / 2, 4, "Z") @ where
        bodies.append(plank)
    return bodies


def household_ground(rng: np.random.Generator) -> Surface:
    """What trays are lined with: mostly felt, leather, board or calm wood, else any ground."""
    kind = rng.random()
    if kind < WOOD_SHARE:
        return wood(rng, ALONG_X)[0]
    return ground_surface(rng, CALM_GROUNDS) if kind < WOOD_SHARE + CALM_SHARE else ground_surface(rng)


def add_thing(rng: np.random.Generator, half_wh: np.ndarray, sticks: list[PlacedStick]) -> None:
    """Adds an object that is no stick where it touches none; nothing if there is no such place."""
    thing = add_object(rng)
    bpy.context.view_layer.update()
    reach = max(thing.dimensions) / 2 + sticks[0].kind.width
    ends = [stick.corners[:2, :2] for stick in sticks]
    for _ in range(60):
        at = half_wh * rng.uniform(-1, 1, 2)
        if all(_from_line(at, a, b) > reach for a, b in ends):
            thing.matrix_world = Matrix.Translation((*at.tolist(), 0)) @ thing.matrix_world
            return
    bpy.data.objects.remove(thing)


def _from_line(at: np.ndarray, a: np.ndarray, b: np.ndarray) -> float:
    """Distance of a point from the line between two others."""
    share = np.clip((at - a) @ (b - a) / max(float((b - a) @ (b - a)), 1e-9), 0, 1)
    return float(np.linalg.norm(at - a - share * (b - a)))


def labels_of(sticks: list[PlacedStick], camera: PinholeCamera) -> list[dict[str, Any]]:
    """The ground truth of the picture, as labels.jsonl has it."""
    quads: list[Quad] = [tuple((camera.project(stick.corners) + 0.5).tolist()) for stick in sticks]
    labels = []
    for n, (stick, quad) in enumerate(zip(sticks, quads, strict=True)):
        own = box_of_quad(quad)
        least = SHARED_SHARE * own.length * own.width
        crossed = any(shared_area(quad, other) > least for m, other in enumerate(quads) if m != n)
        corners = np.array(quad)
        inside = ((corners >= 0) & (corners <= camera.size_wh)).all()
        label = {"face": stick.face_up, "quad": corners.round(1).tolist(), "crossed": crossed}
        ignored = not inside or abs(stick.up) < FLAT_COSINE
        labels.append({**label, "ignore": True} if ignored else label)
    return labels


def exposed(rng: np.random.Generator, linear: np.ndarray) -> np.ndarray:
    """(h, w, 3) float32 linear light -> uint8, by a camera that sets its exposure by the bright parts."""
    bright = max(float(np.percentile(linear.max(axis=2), BRIGHT_PERCENTILE)), 1e-3)
    target = float(rng.uniform(*(DIM_EXPOSURES if rng.random() < DIM_SHARE else EXPOSURES)))
    encoded: np.ndarray = np.clip(linear * (target / bright), 0, 1) ** (1 / 2.2) * 255
    return encoded.astype(np.uint8)


def rendered(rng: np.random.Generator) -> tuple[np.ndarray, list[dict[str, Any]]]:
    """A picture (h, w, 3) uint8, and its sticks as labels.jsonl has them."""
    sticks, half_wh = random_throw(rng)
    if rng.random() < OBJECT_SHARE:
        add_thing(rng, half_wh, sticks)
    bpy.context.view_layer.update()
    labels = labels_of(sticks, scene_camera(SIZE_WH))
    linear = camera_effects.tinted(path_traced(SIZE_WH), rng)
    return camera_effects.degraded(exposed(rng, linear), rng, 0.3), labels


def random_throw(rng: np.random.Generator) -> tuple[list[PlacedStick], np.ndarray]:
    """The sticks of a new random scene, lying as they fell, and half the extent of what is shown, units."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    kind = household(rng)
    unit_px = float(rng.uniform(*STICK_PX)) / kind.length
    add_camera(rng, unit_px, SIZE_WH)
    add_lights(rng)
    half_wh = np.array(SIZE_WH) / 2 / unit_px * 0.9
    table = add_table(rng, half_wh)
    sticks = add_sticks(rng, kind, half_wh * TRAY_SIZES[0])
    simulate_fall([stick.body for stick in sticks], table)
    for stick in sticks:
        add_letters(rng, stick)
    return sticks, half_wh


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--start", type=int, default=0)
    parser.add_argument("--count", type=int, default=40, help="the end of the numbers; this one is not made")
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    for number in range(args.start, args.count):
        path = args.out / f"{number:06d}.jpg"
        if path.exists():
            continue
        picture, sticks = rendered(np.random.default_rng((number, 23)))
        cv2.imwrite(str(path), picture, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
        with (args.out / "labels.jsonl").open("a", encoding="utf-8") as lines:
            lines.write(json.dumps({"file": path.name, "source": "blender", "sticks": sticks}) + "\n")


if __name__ == "__main__":
    main()
