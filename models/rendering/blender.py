"""Photorealistic renders by Blender's path tracer:

    python -m models.rendering.blender --out runs/blender --count 600

One picture takes some seconds; models.rendering.scenes is faster. This renderer shares none of its
methods: the pips are drilled into the mesh instead of painted, glass refracts, metal reflects, lamps have
a real size, a physics engine drops the dice, and the lens has depth of field. It shows what
models.rendering.scenes leaves out, so nets that are trained on one can be measured on the other.
models/rendering/render_files.py describes the output files. Blender's module is required: pip install -e
'.[blender]'. It is built for one version of Python only.
"""

from __future__ import annotations

import math
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

# isort: off
import bpy  # first: its import makes bmesh and mathutils available

# isort: on
import bmesh
import cv2
import numpy as np
from mathutils import Matrix, Vector

from models.rendering import camera_effects
from models.rendering.dice import COLOUR_SHARE, HSV_RANGES, Pips, brightness, numbered
from models.rendering.render_files import RenderedDieLabel, arguments, write
from models.rendering.scenes import on_face
from vision.reading.ground_plane import normal_xy
from vision.simulation.view import PinholeCamera

SIZES = ((512, 384), (384, 512), (560, 320), (432, 432))
"""Width and height of a picture, px; each as often as the others."""
DIE_PX = (16.0, 130.0)
"""Smallest and largest side of a die in the middle, px."""
SAMPLES = 12
"""Light paths per pixel; the denoiser removes the remaining noise."""
FLAT_DEG = 4.0
"""A die that tilts less than this counts as flat, degrees."""
DROPPED_FRAMES = 90
"""Frames of 1/24 s after which dice that drop from a height of a few sides lie still."""
PROPPED_SHARE, PROPPED_DEG = 0.35, (8.0, 42.0)
"""Share of tables with one or two dice that lean on an object, and their tilt, degrees. Few dropped dice lean
visibly."""
TWO_PROPPED = 2.2
"""Two leaning dice have room where the dice are spread further than this, in sides."""
BODY_SHARE = {
    "plastic": 0.5,
    "swirl": 0.1,
    "two hues": 0.08,
    "pearl": 0.1,
    "glass": 0.14,
    "wood": 0.04,
    "metal": 0.04,
}
"""Share of dice of each material."""
OBJECT_SHARE = (0.1, 0.1, 0.1, 0.1, 0.24, 0.2, 0.08, 0.08)
"""Share of each kind of background object, in the order of OBJECTS. Balls, which mirror a lamp like a pip,
and bare cubes are the most frequent."""
SPOT_DEPTH = 0.012
"""Depth of the shallowest drilled pip, in sides; painted pips are this shallow."""

Colour = np.ndarray
"""b, g, r 0-1 as displayed."""


@dataclass(frozen=True)
class DieShape:
    """The shape that dice share; lengths in sides of the die."""

    numbers: tuple[int, ...]  # on +x -x +y -y +z -z
    turns: tuple[int, ...]
    corner: float
    ball: float | None
    pip_depth: float
    pips: Pips


# --- colours and surfaces -----------------------------------------------------------------------------------


def any_colour(rng: np.random.Generator) -> Colour:
    hsv = np.array([[[rng.uniform(0, 360), rng.beta(1.2, 1.6), rng.uniform(0.03, 1)]]], np.float32)
    colour: Colour = cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR)[0, 0]
    return colour


def named_colour(rng: np.random.Generator, name: str) -> Colour:
    ranges = HSV_RANGES[name]
    hsv = np.array([[[rng.uniform(*r) for r in ranges[int(rng.integers(len(ranges)))]]]], np.float32)
    hsv[..., 0] %= 360
    colour: Colour = cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR)[0, 0]
    return colour


def rgba(colour: Colour) -> tuple[float, float, float, float]:
    r, g, b = (float(max(c, 0.0)) ** 2.2 for c in colour[::-1])
    return r, g, b, 1.0


class Surface:
    """A material under construction: one Principled shader and the nodes that feed it."""

    def __init__(self, colour: Colour, **settings: float) -> None:
        self.material = bpy.data.materials.new("surface")
        self.tree = self.material.node_tree
        self.shader = next(n for n in self.tree.nodes if n.type == "BSDF_PRINCIPLED")
        self.shader.inputs["Base Color"].default_value = rgba(colour)
        for name, value in settings.items():
            self.shader.inputs[name.replace("_", " ")].default_value = value

    def node(self, kind: str, **settings: float) -> bpy.types.Node:
        node = self.tree.nodes.new(kind)
        for name, value in settings.items():
            node.inputs[name].default_value = value
        return node

    def mottled(
        self,
        colours: Sequence[Colour],
        stops: Sequence[float],
        pattern: bpy.types.Node,
        output: str | int = 0,
    ) -> Surface:
        """This surface, coloured by the pattern: its value, 0-1, selects among these colours."""
        self._place(pattern)
        ramp = self.tree.nodes.new("ShaderNodeValToRGB")
        while len(ramp.color_ramp.elements) < len(colours):
            ramp.color_ramp.elements.new(0.5)
        for element, colour, stop in zip(ramp.color_ramp.elements, colours, stops, strict=True):
            element.color, element.position = rgba(colour), stop
        self.tree.links.new(pattern.outputs[output], ramp.inputs["Fac"])
        self.tree.links.new(ramp.outputs["Color"], self.shader.inputs["Base Color"])
        return self

    def rough(self, pattern: bpy.types.Node, strength: float, output: str | int = 0) -> Surface:
        """This surface, raised where the pattern is high."""
        self._place(pattern)
        bump = self.node("ShaderNodeBump", Strength=strength, Distance=0.1)
        self.tree.links.new(pattern.outputs[output], bump.inputs["Height"])
        self.tree.links.new(bump.outputs["Normal"], self.shader.inputs["Normal"])
        return self

    def stretch(self, pattern: bpy.types.Node, scale_xyz: Sequence[float]) -> bpy.types.Node:
        """The pattern with its coordinates multiplied by these factors: a small one draws it out."""
        where, mapping = self.node("ShaderNodeTexCoord"), self.node("ShaderNodeMapping")
        mapping.inputs["Scale"].default_value = scale_xyz
        self.tree.links.new(where.outputs["Object"], mapping.inputs["Vector"])
        self.tree.links.new(mapping.outputs["Vector"], pattern.inputs["Vector"])
        return pattern

    def _place(self, pattern: bpy.types.Node) -> None:
        """Lets the pattern have the object's coordinates, if nothing else places it."""
        if not pattern.inputs["Vector"].is_linked:
            where = self.node("ShaderNodeTexCoord")
            self.tree.links.new(where.outputs["Object"], pattern.inputs["Vector"])


def body_surface(rng: np.random.Generator, name: str) -> tuple[Surface, Colour, bool]:
    """The material of a die of this colour, its main colour, and whether that colour names it. Metal mirrors
    its surroundings, clear glass shows the background, and two hues have no single name."""
    body = named_colour(rng, name)
    kind = str(rng.choice(list(BODY_SHARE), p=list(BODY_SHARE.values())))
    rough = float(rng.uniform(0.04, 0.55))
    if kind == "plastic":
        soft = float(rng.choice([0.0, rng.uniform(0.05, 0.4)]))
        surface = Surface(
            body, Roughness=rough, Subsurface_Weight=soft, Coat_Weight=float(rng.uniform(0, 0.6))
        )
        surface.shader.inputs["Subsurface Radius"].default_value = (0.12, 0.08, 0.06)
        return surface, body, True
    if kind == "glass":
        clear = float(rng.uniform(0.5, 1.0))
        light = np.clip(body * rng.uniform(0.9, 1.25), 0.02, 0.98).astype(np.float32)
        return (
            Surface(light, Roughness=rough * 0.5, Transmission_Weight=clear, IOR=1.46),
            light,
            name not in ("white", "grey", "black"),
        )
    if kind == "metal":
        return Surface(body, Roughness=max(rough, 0.2), Metallic=1.0), body, False
    return grained_surface(rng, kind, body, rough), body, kind != "two hues"


def grained_surface(rng: np.random.Generator, kind: str, body: Colour, rough: float) -> Surface:
    """The surface of a die whose colour varies: wood, swirl, pearl or two hues."""
    surface = Surface(body, Roughness=rough, Coat_Weight=float(rng.uniform(0, 0.8)))
    near = np.clip(body * rng.uniform(0.5, 0.85) + rng.choice([0.0, 0.12]), 0, 1).astype(np.float32)
    if kind == "wood":
        wave = surface.node(
            "ShaderNodeTexWave", Scale=float(rng.uniform(2, 6)), Distortion=float(rng.uniform(2, 9))
        )
        return surface.mottled([body, near], [0.2, 0.9], wave, "Fac")
    other = any_colour(rng) if kind == "two hues" else near
    noise = surface.node(
        "ShaderNodeTexNoise",
        Scale=float(rng.uniform(0.8, 4)),
        Detail=float(rng.uniform(0, 4)),
        Distortion=float(rng.uniform(0, 3)),
    )
    middle, soft = rng.uniform(0.42, 0.58), rng.uniform(0.02, 0.25)
    if kind == "pearl":
        surface.shader.inputs["Coat Weight"].default_value = 1.0
        middle, soft, other = 0.5, 0.2, np.clip(body + 0.2, 0, 1).astype(np.float32)
    return surface.mottled([body, other], [max(middle - soft, 0), min(middle + soft, 1)], noise, "Fac")


def pip_surface(rng: np.random.Generator, body: Colour) -> Surface:
    dark = brightness(body) > rng.uniform(0.35, 0.6)
    kind = rng.random()
    colour: Colour
    if kind < 0.8:
        colour = np.full(3, rng.uniform(0.01, 0.12) if dark else rng.uniform(0.8, 0.98), np.float32)
    elif kind < 0.9 and not dark:
        gold = np.array([rng.uniform(0.2, 0.8), rng.uniform(0.65, 0.85), rng.uniform(0.85, 0.95)], np.float32)
        return Surface(gold, Roughness=float(rng.uniform(0.15, 0.5)), Metallic=1.0)
    else:
        black_or_white = np.full(3, 0.02 if dark else 0.95, np.float32)
        colours = (any_colour(rng) for _ in range(40))
        colour = next((c for c in colours if abs(brightness(c) - brightness(body)) > 0.35), black_or_white)
    return Surface(colour, Roughness=float(rng.uniform(0.1, 0.8)))


def ground_surface(rng: np.random.Generator, kinds: Sequence[int] = range(9)) -> Surface:
    """A random ground of these kinds: 0 board, 1 and 2 felt, 3 leather, 4 and 5 wood, 6 checks, 7 a print,
    8 bricks. Lengths in sides of a die."""
    one, two = any_colour(rng), any_colour(rng)
    kind = kinds[int(rng.integers(len(kinds)))]
    if kind == 0:  # plain board, plastic
        return Surface(one, Roughness=float(rng.uniform(0.1, 0.9)))
    if kind in (1, 2):  # felt, carpet
        surface = Surface(one, Roughness=1.0, Sheen_Weight=float(rng.uniform(0, 1)))
        fibre = surface.node("ShaderNodeTexNoise", Scale=float(rng.uniform(8, 60)), Detail=6.0)
        far = np.clip(one * rng.uniform(0.55, 0.95), 0, 1)
        return surface.mottled([far, one], [0.3, 0.7], fibre, "Fac").rough(
            fibre, float(rng.uniform(0.2, 1)), "Fac"
        )
    if kind == 3:  # leather
        surface = Surface(one, Roughness=float(rng.uniform(0.25, 0.6)))
        grain = surface.node("ShaderNodeTexVoronoi", Scale=float(rng.uniform(3, 14)))
        return surface.rough(grain, float(rng.uniform(0.2, 0.8)), "Distance")
    if kind in (4, 5):  # wood
        hue, value = rng.uniform(14, 38), rng.uniform(0.2, 0.9)
        grain = [hue - 4, rng.uniform(0.3, 0.8), value * rng.uniform(0.4, 0.85)]
        hsv = np.array([[[hue, rng.uniform(0.2, 0.75), value]], [grain]], np.float32)
        light, dark = cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR)[:, 0]
        surface = Surface(light, Roughness=float(rng.uniform(0.15, 0.7)))
        wave = surface.node(
            "ShaderNodeTexWave",
            Scale=float(rng.uniform(0.1, 1.2)),
            Distortion=float(rng.uniform(1, 12)),
            Detail=4.0,
        )
        return surface.mottled([light, dark], [0.1, 0.9], wave, "Fac")
    surface = Surface(one, Roughness=float(rng.uniform(0.3, 1)))
    if kind == 6:
        pattern = surface.node("ShaderNodeTexChecker", Scale=float(rng.uniform(0.3, 3)))
        return surface.mottled([one, two], [0.4, 0.6], pattern, "Fac")
    if kind == 7:
        pattern = surface.node("ShaderNodeTexVoronoi", Scale=float(rng.uniform(0.5, 3)))
        return surface.mottled(
            [one, two], [rng.uniform(0.1, 0.3), rng.uniform(0.32, 0.5)], pattern, "Distance"
        )
    pattern = surface.node("ShaderNodeTexBrick", Scale=float(rng.uniform(0.4, 1.5)))
    return surface.mottled([one, two], [0.2, 0.8], pattern, "Fac")


# --- bodies -------------------------------------------------------------------------------------------------


def made(mesh: bpy.types.Mesh, name: str = "thing") -> bpy.types.Object:
    body = bpy.data.objects.new(name, mesh)
    bpy.context.scene.collection.objects.link(body)
    return body


def meshed(build: Callable[[bmesh.types.BMesh], object]) -> bpy.types.Mesh:
    mesh, made_of = bpy.data.meshes.new("mesh"), bmesh.new()
    build(made_of)
    made_of.to_mesh(mesh)
    made_of.free()
    return mesh


def box(x: float, y: float, z: float, soft: float = 0.0) -> bpy.types.Mesh:
    """A box centred on the origin; `soft` is the radius of its rounded edges."""

    def build(made_of: bmesh.types.BMesh) -> None:
        bmesh.ops.create_cube(made_of, size=1.0, matrix=Matrix.Diagonal((x, y, z, 1.0)))
        if soft:
            bmesh.ops.bevel(
                made_of, geom=list(made_of.edges), offset=soft, segments=5, profile=0.5, affect="EDGES"
            )

    return meshed(build)


def cylinder(radius: float, high: float, sides: int = 48) -> bpy.types.Mesh:
    return meshed(
        lambda made_of: bmesh.ops.create_cone(
            made_of, cap_ends=True, segments=sides, radius1=radius, radius2=radius, depth=high
        )
    )


def ball(radius: float) -> bpy.types.Mesh:
    return meshed(lambda made_of: bmesh.ops.create_icosphere(made_of, subdivisions=4, radius=radius))


def smooth(mesh: bpy.types.Mesh) -> bpy.types.Mesh:
    for polygon in mesh.polygons:
        polygon.use_smooth = True
    mesh.set_sharp_from_angle(angle=math.radians(32))
    return mesh


def cut(body: bpy.types.Object, by: bpy.types.Object, operation: str) -> None:
    """Applies a boolean operation to the body's mesh, and deletes the tool object."""
    modifier = body.modifiers.new("cut", "BOOLEAN")
    modifier.object = by
    modifier.operation = operation
    modifier.solver = "MANIFOLD"
    modifier.material_mode = "TRANSFER"
    whole = body.evaluated_get(bpy.context.evaluated_depsgraph_get())
    mesh = bpy.data.meshes.new_from_object(whole)
    body.modifiers.clear()
    body.data = mesh
    bpy.data.objects.remove(by)


def random_shape(rng: np.random.Generator) -> DieShape:
    numbers = numbered(rng)
    rounded = rng.random() < 0.4
    radius = float(rng.uniform(0.065, 0.12))
    return DieShape(
        numbers=tuple(numbers),
        turns=tuple(int(t) for t in rng.integers(4, size=6)),
        corner=float(rng.uniform(0.02, 0.14)),
        ball=float(rng.uniform(0.66, 0.78)) if rounded else None,
        pip_depth=max(SPOT_DEPTH, float(rng.choice([0.0, rng.uniform(0.2, 0.8)])) * radius),
        pips=Pips(
            radius=radius,
            pitch=float(rng.uniform(0.2, 0.28)),
            six_squeeze=1.0,
            one_scale=float(rng.choice([1.0, rng.uniform(1.2, 1.9)], p=[0.75, 0.25])),
            narrow={n: float(rng.uniform(0.45, 0.95)) for n in (2, 3) if rng.random() < 0.2},
            upright=tuple(n for n in (2, 3) if rng.random() < 0.1),
        ),
    )


def pip_positions(shape: DieShape, slot: int) -> np.ndarray:
    """(n, 3): pip centres of the face on +x -x +y -y +z -z, in the die's own axes, in sides."""
    return on_face(slot, shape.pips.spots(shape.numbers[slot], shape.turns[slot]))


def drills(made_of: bmesh.types.BMesh, shape: DieShape) -> None:
    """Adds the tool that drills the pips: one flattened ball per pip."""
    for slot in range(6):
        radius = shape.pips.radius_of(shape.numbers[slot])
        size = np.where(np.arange(3) == slot // 2, min(shape.pip_depth, radius), radius)
        for at in pip_positions(shape, slot):
            place = Matrix.Translation(at.tolist()) @ Matrix.Diagonal((*size.tolist(), 1.0))
            bmesh.ops.create_icosphere(made_of, subdivisions=3, radius=1.0, matrix=place)


def die_mesh(shape: DieShape, body: Surface, pip: Surface) -> bpy.types.Mesh:
    """A die of side 1 centred on the origin: a rounded cube with drilled pips. A ball may round its faces."""
    die = made(box(1, 1, 1, shape.corner))
    if shape.ball:
        cut(die, made(ball(shape.ball)), "INTERSECT")
    die.data.materials.clear()  # the ball added an empty slot
    for polygon in die.data.polygons:
        polygon.material_index = 0
    die.data.materials.append(body.material)
    tools = meshed(lambda made_of: drills(made_of, shape))
    tools.materials.append(pip.material)
    cut(die, made(tools), "DIFFERENCE")
    mesh = smooth(die.data)
    bpy.data.objects.remove(die)
    return mesh


# --- the table ----------------------------------------------------------------------------------------------


def add_lights(rng: np.random.Generator) -> None:
    """Adds one to three lamps of random size and colour temperature, and ambient light."""
    world = bpy.data.worlds.new("world")
    bpy.context.scene.world = world
    sky = next(n for n in world.node_tree.nodes if n.type == "BACKGROUND")
    sky.inputs["Color"].default_value = (*np.exp(rng.normal(0, 0.08, 3)).tolist(), 1)
    sky.inputs["Strength"].default_value = float(rng.uniform(0.05, 0.6))
    for n in range(int(rng.integers(1, 4))):
        rise, around, away = np.radians(rng.uniform(25, 88)), rng.uniform(0, 2 * np.pi), rng.uniform(12, 40)
        lamp = bpy.data.lights.new("lamp", "AREA")
        lamp.size = float(np.exp(rng.uniform(np.log(0.4), np.log(14))))
        lamp.energy = float(away**2 * rng.uniform(3, 14) / (n + 1))
        warm = rng.normal(0, 0.14)
        lamp.color = (min(1.0, 1 + warm), 1.0, min(1.0, 1 - warm))
        body = bpy.data.objects.new("lamp", lamp)
        bpy.context.scene.collection.objects.link(body)
        at = Vector((np.cos(rise) * np.cos(around), np.cos(rise) * np.sin(around), np.sin(rise))) * away
        body.matrix_world = Matrix.Translation(at) @ at.to_track_quat("Z", "Y").to_matrix().to_4x4()


def add_tray(rng: np.random.Generator, reach: float) -> list[bpy.types.Object]:
    """The ground and, mostly, walls around the middle; the dice collide with each of them."""
    ground = made(box(240, 240, 1))
    ground.location.z = -0.5
    surface = ground_surface(rng)
    ground.data.materials.append(surface.material)
    bodies = [ground]
    if rng.random() < 0.6:
        wall, high, thick = ground_surface(rng), float(rng.uniform(0.6, 2.5)), float(rng.uniform(0.3, 1.2))
        corners = int(rng.choice([4, 4, 6, 8]))
        for k in range(corners):
            turn = 2 * np.pi * k / corners
            long = 2 * (reach + thick) * math.tan(np.pi / corners) + thick
            plank = made(box(thick, long, high, 0.05))
            plank.matrix_world = Matrix.Rotation(turn, 4, "Z") @ Matrix.Translation(
                (reach + thick / 2, 0, high / 2 + 0.01 * k)
            )
            plank.data.materials.append(wall.material)
            bodies.append(plank)
    return bodies


def add_object(rng: np.random.Generator) -> bpy.types.Object:
    """A background object: a coin, a pen, a card, a counter, a bead, a bare cube, a cup or a text."""
    kind = int(rng.choice(len(OBJECTS), p=OBJECT_SHARE))
    colour, roughness = any_colour(rng), float(rng.uniform(0.1, 0.8))
    surface = Surface(
        colour, Roughness=roughness, Metallic=float(kind in MAY_BE_METAL and rng.random() < 0.7)
    )
    turn = Matrix.Rotation(float(rng.uniform(0, 6.28)), 4, "Z")
    body, high = OBJECTS[kind](rng)
    body.data.materials.append(surface.material)
    body.matrix_world = Matrix.Translation((0, 0, high / 2)) @ turn @ body.matrix_world
    return body


def coin(rng: np.random.Generator) -> tuple[bpy.types.Object, float]:
    high = 0.12
    return made(cylinder(float(rng.uniform(0.4, 0.9)), high)), high


def pen(rng: np.random.Generator) -> tuple[bpy.types.Object, float]:
    high = float(rng.uniform(0.3, 0.7))
    body = made(smooth(cylinder(high / 2, float(rng.uniform(4, 10)))))
    body.matrix_world = Matrix.Rotation(np.pi / 2, 4, "X")
    return body, high


def card(_rng: np.random.Generator) -> tuple[bpy.types.Object, float]:
    high = 0.03
    return made(box(3.9, 5.6, high)), high


def counter(rng: np.random.Generator) -> tuple[bpy.types.Object, float]:
    high = 0.25
    return made(cylinder(float(rng.uniform(0.3, 0.7)), high, int(rng.choice([6, 48])))), high


def bead(rng: np.random.Generator) -> tuple[bpy.types.Object, float]:
    high = float(rng.uniform(0.6, 1.2))
    return made(smooth(ball(high / 2))), high


def bare_cube(rng: np.random.Generator) -> tuple[bpy.types.Object, float]:
    high = float(rng.uniform(0.7, 1.2))
    return made(box(high, high, high, 0.06)), high


def cup(rng: np.random.Generator) -> tuple[bpy.types.Object, float]:
    high = float(rng.uniform(1.5, 3))
    return made(smooth(cylinder(float(rng.uniform(0.8, 1.6)), high))), high


def text(rng: np.random.Generator) -> tuple[bpy.types.Object, float]:
    words = bpy.data.curves.new("words", "FONT")
    words.body = "".join(chr(rng.integers(33, 123)) for _ in range(int(rng.integers(1, 7))))
    words.size, words.extrude = float(rng.uniform(0.5, 2)), 0.01
    body = bpy.data.objects.new("words", words)
    bpy.context.scene.collection.objects.link(body)
    return body, 0.02


OBJECTS: tuple[Callable[[np.random.Generator], tuple[bpy.types.Object, float]], ...] = (
    coin, pen, card, counter, bead, bare_cube, cup, text,
)  # fmt: skip
"""Functions that make an object centred on the origin, and give its height, in sides of a die."""
MAY_BE_METAL = (OBJECTS.index(coin), OBJECTS.index(counter))
"""Indices of the objects that are sometimes of metal."""


def add_support(
    rng: np.random.Generator, die: bpy.types.Object, side: float, at_xy: tuple[float, float], around: float
) -> bpy.types.Object:
    """The pen or block that the die leans on, placed in the direction `around` (radians) from at_xy. The die
    is tilted, with one edge on the ground at at_xy."""
    lean, away = np.radians(rng.uniform(*PROPPED_DEG)), side * rng.uniform(0.45, 0.85)
    surface = Surface(any_colour(rng), Roughness=float(rng.uniform(0.1, 0.8)))
    long = float(rng.uniform(1, 3))
    if rng.random() < 0.5:
        thick = away * math.tan(lean / 2)
        under, at = made(smooth(cylinder(thick, long))), (away, 0, thick)
        lying = Matrix.Rotation(np.pi / 2, 4, "X")
    else:
        high, wide = away * math.tan(lean), float(rng.uniform(0.3, 2))
        under, at = made(box(wide, long, high, 0.02)), (away + wide / 2, 0, high / 2)
        lying = Matrix.Identity(4)
    under.data.materials.append(surface.material)
    there = Matrix.Translation((*at_xy, 0)) @ Matrix.Rotation(around, 4, "Z")
    under.matrix_world = there @ Matrix.Translation(at) @ lying
    upright = Matrix.Rotation(float(rng.integers(4)) * np.pi / 2, 4, "X") @ Matrix.Rotation(
        float(rng.integers(4)) * np.pi / 2, 4, "Y"
    )
    tilted = Matrix.Rotation(-float(lean), 4, "Y") @ Matrix.Translation((side / 2, 0, side / 2)) @ upright
    die.matrix_world = there @ tilted @ Matrix.Scale(side, 4)
    return under


def add_rigid_body(body: bpy.types.Object, moving: bool) -> None:
    with bpy.context.temp_override(object=body, active_object=body, selected_objects=[body]):
        bpy.ops.rigidbody.object_add(type="ACTIVE" if moving else "PASSIVE")
    rigid = body.rigid_body
    rigid.collision_shape = "CONVEX_HULL"
    rigid.use_margin, rigid.collision_margin = True, 0.002
    rigid.friction, rigid.restitution = 0.6, 0.1
    if moving:
        rigid.mass = 1.0
        rigid.linear_damping, rigid.angular_damping = 0.2, 0.3


def simulate_fall(dice: Sequence[bpy.types.Object], obstacles: Sequence[bpy.types.Object]) -> None:
    """Simulates the fall of the dice until they lie still, and keeps their final poses."""
    scene = bpy.context.scene
    bpy.ops.rigidbody.world_add()
    scene.rigidbody_world.substeps_per_frame = 20
    scene.rigidbody_world.solver_iterations = 30
    scene.rigidbody_world.point_cache.frame_end = DROPPED_FRAMES
    for body in obstacles:
        add_rigid_body(body, False)
    for die in dice:
        add_rigid_body(die, True)
    for frame in range(1, DROPPED_FRAMES + 1):
        scene.frame_set(frame)
    lying = [die.matrix_world.copy() for die in dice]
    bpy.ops.rigidbody.world_remove()
    for die, at in zip(dice, lying, strict=True):
        die.matrix_world = at
    bpy.context.view_layer.update()


def add_camera(rng: np.random.Generator, die_px: float, size: tuple[int, int]) -> bpy.types.Object:
    """The camera, aimed at the middle, mostly from above."""
    scene = bpy.context.scene
    tilt = np.radians(
        float(rng.choice([rng.uniform(0, 12), rng.uniform(10, 30), rng.uniform(28, 42)], p=[0.6, 0.28, 0.12]))
    )
    view = np.radians(rng.uniform(35, 70))
    focal = max(size) / 2 / np.tan(view / 2)
    away = max(focal / die_px, 5.0)
    camera = bpy.data.cameras.new("camera")
    camera.angle = float(view)
    camera.clip_end = 500
    if rng.random() < 0.25:
        camera.dof.use_dof, camera.dof.focus_distance = True, float(away * rng.uniform(0.93, 1.03))
        camera.dof.aperture_fstop = float(rng.uniform(0.02, 0.2) * 100 / away)
    body = bpy.data.objects.new("camera", camera)
    scene.collection.objects.link(body)
    around, roll = rng.uniform(0, 2 * np.pi, 2)
    at = Vector((np.sin(tilt) * np.cos(around), np.sin(tilt) * np.sin(around), np.cos(tilt))) * away
    turn = at.to_track_quat("Z", "Y").to_matrix().to_4x4() @ Matrix.Rotation(float(roll), 4, "Z")
    body.matrix_world = Matrix.Translation(at) @ turn
    scene.camera = body
    scene.render.resolution_x, scene.render.resolution_y = size
    return body


@dataclass(frozen=True)
class PlacedDie:
    """A die on the table."""

    body: bpy.types.Object
    shape: DieShape
    side: float
    colour: str


def random_table(rng: np.random.Generator) -> tuple[list[PlacedDie], tuple[int, int]]:
    """The dice of a new random scene that is ready to render, and the picture's size."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    size = SIZES[int(rng.integers(len(SIZES)))]
    die_px = float(np.exp(rng.uniform(np.log(DIE_PX[0]), np.log(DIE_PX[1]))))
    add_camera(rng, die_px, size)
    add_lights(rng)
    reach = min(size) / die_px / 2 * float(rng.uniform(0.55, 0.95))
    room = (2 * reach) ** 2
    count = 0 if rng.random() < 0.03 else int(np.clip(rng.integers(1, 13), 1, max(1, room / 3)))
    sets = random_sets(rng, count)
    spread = max(reach * float(rng.uniform(0.35, 0.9)) - 0.5, 0.1)
    dice, supports = add_dice(rng, sets, count, spread)
    tray = add_tray(rng, max(reach, 1.2))
    objects = [add_object(rng) for _ in range(int(rng.choice([0, int(rng.integers(1, 7))])))]
    for body in objects:
        angle, away = rng.uniform(0, 2 * np.pi), reach * np.sqrt(rng.uniform(0.1, 2.5))
        body.matrix_world = (
            Matrix.Translation((away * np.cos(angle), away * np.sin(angle), 0)) @ body.matrix_world
        )
    if dice:
        low = [body for body in objects if body.type == "MESH" and body.dimensions.z < 1.3]
        bodies, propped = [die.body for die in dice], len(supports)
        simulate_fall(bodies[propped:], [*bodies[:propped], *supports, *tray, *low])
    return dice, size


def random_sets(rng: np.random.Generator, count: int) -> list[tuple[bpy.types.Mesh, DieShape, str]]:
    """The sets that `count` dice are drawn from: one, two, or as many as dice. Mesh, shape and colour of
    each, "" where no colour names it."""
    kinds = int(rng.choice([1, 2, max(count, 1)]))
    sets = []
    for _ in range(min(kinds, count)):
        name = str(rng.choice(list(COLOUR_SHARE), p=list(COLOUR_SHARE.values())))
        surface, colour, is_named = body_surface(rng, name)
        shape = random_shape(rng)
        sets.append((die_mesh(shape, surface, pip_surface(rng, colour)), shape, name if is_named else ""))
    return sets


def add_dice(
    rng: np.random.Generator, sets: Sequence[tuple[bpy.types.Mesh, DieShape, str]], count: int, spread: float
) -> tuple[list[PlacedDie], list[bpy.types.Object]]:
    """`count` dice in the air above the middle, and the objects that the first of them lean on instead."""
    propped = (
        min(int(rng.integers(1, 3)), count, 1 + (spread > TWO_PROPPED)) if rng.random() < PROPPED_SHARE else 0
    )
    alike = rng.random() < 0.6
    dice, supports = [], []
    for n in range(count):
        mesh, shape, name = sets[int(rng.integers(len(sets)))]
        die = made(mesh, "die")
        side = 1.0 if alike else float(rng.uniform(0.75, 1.2))
        turn = Matrix.Rotation(float(rng.uniform(0, 6.28)), 4, rng.normal(0, 1, 3).tolist())
        at = (*rng.uniform(-spread, spread, 2).tolist(), 1.2 + 1.3 * (n % 4) + float(rng.uniform(0, 0.3)))
        die.matrix_world = Matrix.Translation(at) @ turn @ Matrix.Scale(side, 4)
        if n < propped:
            outwards = float(np.pi * (1 - n) + rng.uniform(-0.8, 0.8))
            at_xy = ((2 * n - 1) * 0.6 * spread, spread * float(rng.uniform(-0.6, 0.6)))
            supports.append(add_support(rng, die, side, at_xy, outwards))
        dice.append(PlacedDie(die, shape, side, name))
    return dice, supports


# --- ground truth and picture -------------------------------------------------------------------------------


def top_of(die: PlacedDie) -> tuple[int, float, bool]:
    """The slot of the uppermost face, its tilt (degrees), and whether it is clearly the uppermost."""
    up = (die.body.matrix_world.to_3x3().normalized().transposed() @ Vector((0, 0, 1))).normalized()
    heights = np.array([up[0], -up[0], up[1], -up[1], up[2], -up[2]])
    slot = int(heights.argmax())
    return (
        slot,
        math.degrees(math.acos(min(1.0, heights[slot]))),
        bool(np.sort(heights)[-1] - np.sort(heights)[-2] > 0.12),
    )


def scene_camera(size: tuple[int, int]) -> PinholeCamera:
    """The camera of the Blender scene, for a picture of this width and height in px."""
    camera = bpy.context.scene.camera
    axes = np.array(camera.matrix_world.to_3x3().normalized())  # columns right, up, back
    focal_px = max(size) / 2 / math.tan(camera.data.angle / 2)
    return PinholeCamera(size, focal_px, np.array(camera.matrix_world.translation), (axes * (1, -1, -1)).T)


def box_of(columns: Sequence[int], rows: Sequence[int]) -> tuple[float, float, float, float]:
    """x, y, width and height in px of the box around these pixels."""
    x, y = min(columns), min(rows)
    return float(x), float(y), float(max(columns) - x + 1), float(max(rows) - y + 1)


def truth_of(die: PlacedDie, camera: PinholeCamera) -> RenderedDieLabel | None:
    """The ground truth of this die in the picture; None where no pixel shows it."""
    corners = np.array([die.body.matrix_world @ Vector(c) for c in die.body.bound_box])
    outline = camera.project(corners) + 0.5  # px from the picture's corner
    w, h = camera.size_wh
    (x0, y0), (x1, y1) = np.floor(outline.min(axis=0)).astype(int), np.ceil(outline.max(axis=0)).astype(int)
    graph, scene = bpy.context.evaluated_depsgraph_get(), bpy.context.scene
    inverse, eye = die.body.matrix_world.inverted(), Vector(camera.position)
    cols, rows, alone = [], [], 0
    for y in range(max(y0, -h), min(y1, 2 * h) + 1):
        for x in range(max(x0, -w), min(x1, 2 * w) + 1):
            way = Vector(camera.rays_through(np.array([x]), np.array([y]))[:, 0])
            if not die.body.ray_cast(inverse @ eye, inverse.to_3x3() @ way)[0]:
                continue
            alone += 1
            if 0 <= x < w and 0 <= y < h:
                hit, _, _, _, first, _ = scene.ray_cast(graph, eye, way)
                if hit and first.name == die.body.name:
                    cols.append(x)
                    rows.append(y)
    if not cols:
        return None
    slot, lean, clear = top_of(die)
    turn = np.array(die.body.matrix_world)
    normal = turn[:3, slot // 2] / die.side * (1 if slot % 2 == 0 else -1)
    pips_xyz = pip_positions(die.shape, slot) @ turn[:3, :3].T + turn[:3, 3]
    pips, scale = camera.project(pips_xyz) + 0.5, camera.focal_px / camera.in_camera(pips_xyz)[:, 2]
    number = die.shape.numbers[slot]
    radius = die.shape.pips.radius_of(number) * die.side * float(scale.mean())
    upper_normal_xy = normal_xy(camera.rotation @ (turn[:3, 3] - camera.position), camera.rotation @ normal)
    return RenderedDieLabel(
        box_xywh=box_of(cols, rows),
        face=number, colour=die.colour, cocked=lean > FLAT_DEG, readable=clear, seen=len(cols) / alone,
        pips_xy=tuple((round(float(x), 2), round(float(y), 2)) for x, y in pips),
        pip_px=radius, lean_deg=lean,
        stacked=bool(turn[2, 3] > 0.95 * die.side), normal_xy=upper_normal_xy,
    )  # fmt: skip


def path_traced(size: tuple[int, int]) -> np.ndarray:
    """The rendered picture (h, w, 3) float32, linear b, g, r."""
    scene = bpy.context.scene
    scene.render.engine = "CYCLES"
    scene.cycles.samples, scene.cycles.use_denoising = SAMPLES, True
    scene.cycles.use_adaptive_sampling, scene.cycles.adaptive_threshold = True, 0.05
    scene.cycles.max_bounces, scene.cycles.diffuse_bounces, scene.cycles.glossy_bounces = 6, 2, 2
    scene.render.threads_mode, scene.render.threads = "FIXED", 1
    scene.render.image_settings.file_format = "OPEN_EXR"
    scene.render.image_settings.color_depth = "32"
    with tempfile.TemporaryDirectory() as folder:
        scene.render.filepath = str(Path(folder) / "picture.exr")
        bpy.ops.render.render(write_still=True)
        image = bpy.data.images.load(scene.render.filepath)
        pixels = np.zeros(size[0] * size[1] * 4, np.float32)
        image.pixels.foreach_get(pixels)
    return np.ascontiguousarray(pixels.reshape(size[1], size[0], 4)[::-1, :, 2::-1])


def rendered(rng: np.random.Generator) -> tuple[np.ndarray, list[RenderedDieLabel]]:
    """A rendered picture (h, w, 3) uint8 and the ground truth of its dice."""
    dice, size = random_table(rng)
    camera = scene_camera(size)
    truths = [t for t in (truth_of(die, camera) for die in dice) if t]
    picture = camera_effects.developed(camera_effects.tinted(path_traced(size), rng), rng)
    typical = float(np.median([max(t.box_xywh[2:]) for t in truths])) if truths else 60.0
    return camera_effects.degraded(picture, rng, min(1.0, typical / 60)), truths


def main() -> None:
    write(arguments(__doc__, count=600).parse_args(), lambda seed: rendered(np.random.default_rng((seed, 7))))


if __name__ == "__main__":
    main()
