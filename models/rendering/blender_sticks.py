"""Tables with throwing sticks by Blender's path tracer, to measure on and not to train on:

    python -m models.rendering.blender_sticks --out runs/blender_sticks --count 40

This renderer shares no picture-making with models.rendering.stick_scenes: sticks are meshes, strokes are thin
slabs of ink on them, and light falls as it does. Only the letters of the animals are common. The folder gets
a labels.jsonl, as models.evaluation.sticks reads it. One picture takes some ten seconds; the number of a
picture is its seed, and existing ones are skipped.
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
    smooth,
)
from models.rendering.render_files import JPEG_QUALITY
from models.rendering.sticks import ACROSS, LEFT, NOTCH, RIGHT, WORDS, bgr_of

SIZE_WH = (640, 480)
"""Size of a picture, px."""
UNIT_MM = 16.0
"""Length of Blender's unit, mm: the side of a die, as in models.rendering.blender."""
STICK_PX = (140.0, 260.0)
"""Shortest and longest stick in the middle of a picture, px."""
THROW = 4
CROSSED_SHARE, TRAY_SHARE, OBJECT_SHARE, DANUBE_SHARE, WOOD_GROUND_SHARE = 0.12, 0.6, 0.3, 0.25, 0.15
"""Shares of sticks that lie across another, and of pictures with a tray, with other objects, with sticks of
Down the Danube, and on bare wood like that of the sticks."""
TRAY_SIZES = (0.85, 1.1)
"""Smallest and largest tray, as a share of what the picture shows. Sticks lie within the smallest."""
ALONG_X, ALONG_Y = 0, 1
"""Axes that the grain of wood runs along: sticks lie along x, a tray's planks along y."""
INK_HEIGHT = 0.004
"""Height of the ink, in units."""
RINGS = 5
"""Rings of the mesh at each rounded end."""


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
    """A stick along x with its flat side at z = 0 and its back below; materials: 0 flat side, 1 back."""
    if kind.half_round:
        turns = np.linspace(0, np.pi, 15)
        profile = np.stack([np.cos(turns) * kind.width / 2, -np.sin(turns) * kind.height], 1)
    else:
        profile = np.array([[1, 0], [1, -1], [-1, -1], [-1, 0]]) * (kind.width / 2, kind.height)
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
        at = Matrix.Translation(((ax + bx) / 2, (ay + by) / 2, 0))
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


def add_stick(rng: np.random.Generator, kind: Household, face: str, place: Matrix) -> np.ndarray:
    """Adds a stick with this side up at this place on the table, and returns its corners (4, 3)."""
    back = face in ("round", "black")
    z = 0.0 if back else kind.height
    over = Matrix.Rotation(math.pi, 4, "X") if back else Matrix.Identity(4)
    pose = place @ Matrix.Translation((0, 0, z + 0.01)) @ over
    body = made(stick_mesh(kind))
    body.matrix_world = pose
    if face in WORDS:
        ink = made(letters_mesh(rng, kind, face))
        ink.matrix_world = pose
    a, w = kind.length / 2, kind.width / 2
    return np.array([pose @ Vector(corner) for corner in ((-a, -w, 0), (a, -w, 0), (a, w, 0), (-a, w, 0))])


def side_up(rng: np.random.Generator, kind: Household) -> str:
    """Which side of a stick is up: the flat one about half the time."""
    if rng.random() < 0.45:
        return "black" if kind.danube else "round"
    return "white" if kind.danube else str(rng.choice(list(WORDS)))


def add_table(rng: np.random.Generator, half_wh: np.ndarray) -> None:
    """Adds the ground and, in most pictures, a tray's four rims."""
    ground = made(box(240, 240, 1))
    ground.location.z = -0.5
    bare = rng.random() < WOOD_GROUND_SHARE
    surface = wood(rng, ALONG_X)[0] if bare else ground_surface(rng)
    ground.data.materials.append(surface.material)
    if rng.random() > TRAY_SHARE:
        return
    rim = wood(rng, ALONG_Y)[0].material
    thick, high = float(rng.uniform(0.5, 1.5)), float(rng.uniform(0.8, 2.5))
    half, turn = half_wh * rng.uniform(*TRAY_SIZES, 2), Matrix.Rotation(float(rng.normal(0, 0.2)), 4, "Z")
    for n in range(4):
        far, long = (half[1], half[0]) if n % 2 else (half[0], half[1])
        plank = made(box(thick, 2 * (float(long) + thick), high, 0.03))
        plank.data.materials.append(rim)
        where = Matrix.Translation((float(far) + thick / 2, 0, high / 2))
        plank.matrix_world = turn @ Matrix.Rotation(n * math.pi / 2, 4, "Z") @ where


def random_places(
    rng: np.random.Generator, kind: Household, half_wh: np.ndarray
) -> list[tuple[Matrix, bool]]:
    """Where four sticks lie, and whether each crosses another."""
    places: list[tuple[Matrix, bool]] = []
    middles: list[np.ndarray] = []
    for _ in range(THROW):
        crossing = bool(middles) and rng.random() < CROSSED_SHARE
        for _ in range(60):
            at = rng.uniform(-1, 1, 2) * (half_wh - 0.4 * kind.length)
            if crossing:
                at = middles[-1] + rng.normal(0, 0.15, 2) * kind.length
            if crossing or all(np.hypot(*(at - other)) > 0.75 * kind.length for other in middles):
                break
        lift = 1.2 * kind.height if crossing else 0.0
        lean = Matrix.Rotation(-math.atan2(lift, kind.length / 2), 4, "Y")
        turn = Matrix.Rotation(float(rng.uniform(0, 2 * np.pi)), 4, "Z")
        places.append((Matrix.Translation((*at.tolist(), lift)) @ turn @ lean, crossing))
        middles.append(at)
    return places


def rendered(rng: np.random.Generator) -> tuple[np.ndarray, list[dict[str, Any]]]:
    """A picture (h, w, 3) uint8, and its sticks as labels.jsonl has them."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    kind = household(rng)
    unit_px = float(rng.uniform(*STICK_PX)) / kind.length
    add_camera(rng, unit_px, SIZE_WH)
    add_lights(rng)
    half_wh = np.array(SIZE_WH) / 2 / unit_px * 0.9
    add_table(rng, half_wh)
    within = half_wh * TRAY_SIZES[0]
    labels, camera = [], scene_camera(SIZE_WH)
    for place, crossing in random_places(rng, kind, within):
        face = side_up(rng, kind)
        quad = camera.project(add_stick(rng, kind, face, place)) + 0.5
        labels.append({"face": face, "quad": quad.round(1).tolist(), "crossed": crossing})
    if rng.random() < OBJECT_SHARE:
        thing = add_object(rng)
        thing.matrix_world = Matrix.Translation((*(half_wh * rng.uniform(-1, 1, 2)), 0)) @ thing.matrix_world
    bpy.context.view_layer.update()
    linear = camera_effects.tinted(path_traced(SIZE_WH), rng)
    return camera_effects.degraded(camera_effects.developed(linear, rng), rng, 0.3), labels


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
