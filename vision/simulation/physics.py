"""The physics model of the tray: dice, sticks, felt, rim, surrounding table, and the tool of a hand.

Theory of operation. MuJoCo simulates rigid bodies with contacts and friction. Units are millimetres, grams
and seconds, so gravity is 9810. A die touches the floor with eight balls, one in each corner. Their convex
hull is the rounded cube itself, so the die rolls over its edges and rests on a face exactly as the rendered
one does. It touches other dice, rims and hands with the convex hull of points on its surface. The floor is a
plane or, where it is uneven, a set of slightly tilted patches. A stick is two capsules side by side: it lies
on either side and stands on no long edge. A coin is a cylinder. The engine does not know the faces: dice,
sticks and coins are symmetric, and the upper face follows from the final rotation.
"""

from __future__ import annotations

import itertools
import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from table.common.errors import BrehonError
from vision.simulation.coins import CoinBody
from vision.simulation.dice import DieBody, SimDie, body_of, with_pose
from vision.simulation.geometry import rotation_about
from vision.simulation.scene import Scene
from vision.simulation.solids import Solid
from vision.simulation.sticks import SimStick, StickBody, stick_body, stick_with_pose
from vision.simulation.things import Thing
from vision.simulation.tray import felt_slopes
from vision.simulation.view import Floats

STEPS_S = 960
"""Physics steps per second. A bounce takes 7 ms, which is seven steps; with three it gains speed."""

CREEP_MM, CREEP_MM_S, CREEP_RAD_S = 2.0, 30.0, 2.0
"""Dice that stand on others stand still if they moved less far than this, and move less fast, along and about
every axis."""

GRAVITY_MM_S2 = 9810.0

STICK_DENSITY_G_MM3 = 0.00065
"""Density of pine: a half-round stick of 100 x 12 x 5 mm weighs 3 g."""

STICK_SECTION = 0.78
"""Area of a half-round section, as a share of its box."""

COIN_DENSITY_G_MM3 = 0.0085
"""Density of the metals of coins: one of 25 x 1.9 mm weighs 8 g."""

DENSITY_G_MM3 = 0.00118
"""Density of acrylic: a die of 16 mm weighs 4.8 g."""

SHUTTER = 0.35
"""Exposure as a share of the frame time: 12 ms at 30 fps, typical indoors."""

MAX_SIMULATED_S = 4.0
"""Time after which a simulation stops even without rest. Friction ends all but jammed dice much earlier."""

REST_WINDOW_S, REST_MM, REST_DEG = 0.15, 0.12, 0.35
"""Dice that move and rotate less than this within the window are at rest. Contacts creep by a tenth of it."""

STICK_REST_MM = 0.45
"""The same of sticks: one that lies across another creeps at a millimetre or two per second."""

MAX_SPEED_MM_S, MAX_SPIN_RAD_S = 2500.0, 120.0
"""Speed limits for dice, which catch the impulses of squeezed contacts. Real dice on a table are slower."""

MIN_MOVED_MM, MIN_TURNED_DEG = 0.5, 2.0
"""Minimum movement and rotation of a die that counts as moved."""

MAX_FLAT_DEG, MAX_FLAT_MM = 1.5, 0.6
"""Maximum lean and height of a die that lies flat on an even floor: contacts are slightly soft."""

PATCH_MM = 40.0
"""Side of a patch of uneven floor."""

FINGER_RADIUS_MM = 7.5
"""Radius of a fingertip."""

EDGE_HALF_MM = (32.0, 8.0, 22.0)
"""Half extents of the edge of the hand: length, thickness, height."""

log = logging.getLogger("brehon.simulation")


@dataclass(frozen=True)
class Tool:
    """The part of a hand that touches dice.

    kind: "finger" or "edge".
    yaw_rad: direction of the edge's normal.
    """

    kind: str
    yaw_rad: float = 0.0


Path = Callable[[float], Floats]
"""A function from seconds to a point, (3,) mm."""


@dataclass(frozen=True, eq=False)
class Held:
    """A die in the hand's grip.

    position: its centre, (3,) mm, at a time.
    rotation: (3, 3) die to tray, at a time.
    until_s: time of its release.
    """

    position: Path
    rotation: Callable[[float], Floats]
    until_s: float


@dataclass(frozen=True, eq=False)
class Paths:
    """The movement of n dice, or of n sticks, over t frames.

    positions: (t, n, 3) mm.
    rotations: (t, n, 3, 3) die or stick to tray.
    opening_positions, opening_rotations: the same at the moment the frame's shutter opened.
    """

    positions: Floats
    rotations: Floats
    opening_positions: Floats
    opening_rotations: Floats

    def __len__(self) -> int:
        return len(self.positions)

    def moved(self) -> list[bool]:
        """Whether each one ever moved or rotated."""
        distance = np.linalg.norm(self.positions - self.positions[:1], axis=2).max(axis=0)
        turned_deg = _angle_deg(self.rotations, self.rotations[:1]).max(axis=0)
        pairs = zip(distance, turned_deg, strict=True)
        return [bool(mm > MIN_MOVED_MM or deg > MIN_TURNED_DEG) for mm, deg in pairs]

    def travelled_mm(self) -> Floats:
        """(n,) horizontal distance of each one from its first position."""
        return np.asarray(np.linalg.norm(self.positions[-1, :, :2] - self.positions[0, :, :2], axis=1))

    def up_axes(self) -> Floats:
        """(t, n, 3) vertical components of each one's own axes."""
        return np.asarray(self.rotations[:, :, 2, :])

    def tumbled(self) -> list[bool]:
        """Whether another face of each one was up, at least for a moment."""
        axes = np.abs(self.up_axes()).argmax(axis=2)
        signs = np.sign(np.take_along_axis(self.up_axes(), axes[..., None], axis=2))[..., 0]
        return [bool(t) for t in ((axes != axes[:1]) | (signs != signs[:1])).any(axis=0)]


@dataclass(frozen=True, eq=False)
class Motion:
    """The movement of all dice and all sticks of a world, over the same frames."""

    dice: Paths
    sticks: Paths

    def __len__(self) -> int:
        return len(self.dice)


def _angle_deg(rotations: Floats, others: Floats) -> Floats:
    """(...,) angles between rotations, (..., 3, 3)."""
    chord = np.linalg.norm(rotations - others, axis=(-2, -1)) / (2 * np.sqrt(2))
    return np.asarray(np.degrees(2 * np.arcsin(np.clip(chord, 0, 1))))


class NoPhysics(BrehonError, ImportError):
    """The physics engine is not installed."""


class World:
    """A physics world with dice and sticks in a tray. Raises NoPhysics where the engine is not installed."""

    def __init__(
        self,
        scene: Scene,
        dice: Sequence[SimDie],
        tool: Tool | None = None,
        things: Sequence[Thing] = (),
        sticks: Sequence[SimStick] = (),
    ) -> None:
        try:
            import mujoco  # imported late: a table with a real camera needs no physics
        except ImportError as error:
            raise NoPhysics(
                "dice cannot be simulated here: mujoco-core is not installed; pip install mujoco-core"
            ) from error
        self._engine: Any = mujoco
        mujoco.set_mju_user_warning(lambda text: log.debug("%s", text))  # the default handler writes a file
        self.scene, self.dice, self.sticks = scene, tuple(dice), tuple(sticks)
        bodies = [body_of(die, scene) for die in dice]
        stick_bodies = [stick_body(stick) for stick in sticks]
        self._model = mujoco.MjModel.from_xml_string(_model_xml(scene, bodies, stick_bodies, tool, things))
        self._data = mujoco.MjData(self._model)
        self._bodies = len(bodies) + len(stick_bodies)
        self._raised = [i for i, die in enumerate(dice) if die.raised_mm > 0]
        self._tool_dof = 6 * self._bodies if tool else None
        for i, body in enumerate((*bodies, *stick_bodies)):
            self.place(i, body.centre, body.rotation)

    def place(
        self,
        i: int,
        centre: Floats,
        rotation: Floats,
        speed: Floats | None = None,
        spin: Floats | None = None,
    ) -> None:
        """Places die `i`, or a stick, which is counted on from the dice.

        centre: mm. rotation: (3, 3). speed: mm/s. spin: rad/s about the tray's axes.
        """
        quat = np.zeros(4)
        self._engine.mju_mat2Quat(quat, np.asarray(rotation, np.float64).ravel())
        self._data.qpos[7 * i : 7 * i + 7] = (*centre, *quat)
        own = np.zeros(3) if spin is None else np.asarray(rotation).T @ spin
        self._data.qvel[6 * i : 6 * i + 6] = (*(np.zeros(3) if speed is None else speed), *own)

    def simulate(
        self,
        fps: float,
        tool_at: Path | None = None,
        held: Mapping[int, Held] | None = None,
        min_s: float = 0.0,
    ) -> Motion:
        """The motion until all dice and sticks are at rest, and for `min_s` at least.

        Its first frame is the current state, with held dice where they are held at first.
        """
        per_frame = max(round(STEPS_S / fps), 2)
        self._model.opt.timestep = 1 / (fps * per_frame)
        self._move_held(tool_at, held or {})
        closed_steps = max(round(per_frame * (1 - SHUTTER)), 1)
        rows, at_opening = [self._read_state()], [self._read_state()]
        max_rows = (min_s + MAX_SIMULATED_S) * fps
        while len(rows) < max_rows and not (len(rows) >= min_s * fps and self._at_rest(rows, fps)):
            self._step(closed_steps, tool_at, held or {})
            at_opening.append(self._read_state())
            self._stop_creeping()
            self._step(per_frame - closed_steps, tool_at, held or {})
            self._stop_creeping()
            rows.append(self._read_state())
            self._limit_speeds()
        parts = [
            np.array(part, np.float32) for part in (*zip(*rows, strict=True), *zip(*at_opening, strict=True))
        ]
        n = len(self.dice)
        return Motion(Paths(*(part[:, :n] for part in parts)), Paths(*(part[:, n:] for part in parts)))

    def dice_after(self, motion: Motion) -> tuple[SimDie, ...]:
        """The dice after the motion. Unmoved dice are exactly as before."""
        paths = motion.dice
        ends = zip(self.dice, paths.positions[-1], paths.rotations[-1], paths.moved(), strict=True)
        return tuple(
            self._flattened(with_pose(die, position, rotation, self.scene)) if moved else die
            for die, position, rotation, moved in ends
        )

    def sticks_after(self, motion: Motion) -> tuple[SimStick, ...]:
        """The sticks after the motion. Unmoved sticks are exactly as before."""
        paths = motion.sticks
        ends = zip(self.sticks, paths.positions[-1], paths.rotations[-1], paths.moved(), strict=True)
        return tuple(
            self._levelled(stick_with_pose(stick, position, rotation)) if moved else stick
            for stick, position, rotation, moved in ends
        )

    def _levelled(self, stick: SimStick) -> SimStick:
        """The stick, lying exactly level if it lies flat on an even floor."""
        leans_deg = np.degrees(np.arcsin(np.abs([np.sin(stick.pitch_rad), np.sin(stick.roll_rad)])))
        raised_mm = abs((stick.z_mm or 0.0) - stick.style.thickness_mm / 2)
        if max(leans_deg) > MAX_FLAT_DEG or raised_mm > MAX_FLAT_MM or self.scene.uneven_mm:
            return stick
        roll_rad = 0.0 if np.cos(stick.roll_rad) > 0 else float(np.pi)
        return replace(stick, pitch_rad=0.0, roll_rad=roll_rad, z_mm=None)

    def _flattened(self, die: SimDie) -> SimDie:
        flat = np.degrees(die.lean_rad) < MAX_FLAT_DEG and abs(die.raised_mm) < MAX_FLAT_MM
        if not flat or self.scene.uneven_mm:
            return die
        return SimDie(die.face, die.colour, die.x_mm, die.y_mm, die.yaw_rad, die.side_mm, die.look)

    def _read_state(self) -> tuple[Floats, Floats]:
        self._engine.mj_kinematics(self._model, self._data)
        n = self._bodies
        return self._data.xpos[1 : n + 1].copy(), self._data.xmat[1 : n + 1].reshape(-1, 3, 3).copy()

    def _at_rest(self, rows: Sequence[tuple[Floats, Floats]], fps: float) -> bool:
        window = max(round(REST_WINDOW_S * fps), 1)
        if len(rows) <= window or not self._bodies:
            return not self._bodies
        (positions, rotations), (positions_before, rotations_before) = rows[-1], rows[-1 - window]
        allowed_mm = np.repeat([REST_MM, STICK_REST_MM], [len(self.dice), len(self.sticks)])
        return bool(
            (np.abs(positions - positions_before).max(axis=1) < allowed_mm).all()
            and float(_angle_deg(rotations, rotations_before).max()) < REST_DEG
        )

    def _step(self, steps: int, tool_at: Path | None, held: Mapping[int, Held]) -> None:
        if tool_at is None and not held:
            self._engine.mj_step(self._model, self._data, steps)
            return
        for _ in range(steps):
            self._move_held(tool_at, held)
            self._engine.mj_step(self._model, self._data)

    def _limit_speeds(self) -> None:
        speeds = self._data.qvel[: 6 * self._bodies].reshape(-1, 2, 3)
        limits = np.array([[MAX_SPEED_MM_S], [MAX_SPIN_RAD_S]])
        np.clip(speeds, -limits, limits, out=speeds)

    def _stop_creeping(self) -> None:
        """Puts dice that stand on others, and hardly move, back where they stood. The engine's contacts give
        way under load, and a tower would buckle that nobody touched."""
        speeds = np.abs(self._data.qvel[: 6 * self._bodies].reshape(-1, 2, 3)).max(axis=2)
        for i in self._raised:
            body = body_of(self.dice[i], self.scene)
            moved_mm = np.abs(self._data.qpos[7 * i : 7 * i + 3] - body.centre).max()
            if moved_mm < CREEP_MM and speeds[i, 0] < CREEP_MM_S and speeds[i, 1] < CREEP_RAD_S:
                self.place(i, body.centre, body.rotation)

    def _move_held(self, tool_at: Path | None, held: Mapping[int, Held]) -> None:
        """Sets position and speed of the tool and of held dice for the current time."""
        now, dt = self._data.time, self._model.opt.timestep
        if tool_at is not None and self._tool_dof is not None:
            k, n = self._tool_dof, self._bodies
            self._data.qpos[7 * n : 7 * n + 3] = tool_at(now)
            self._data.qvel[k : k + 3] = (tool_at(now + dt) - tool_at(now)) / dt
        for i, held_die in held.items():
            if now < held_die.until_s:
                self.place(
                    i,
                    held_die.position(now),
                    held_die.rotation(now),
                    (held_die.position(now + dt) - held_die.position(now)) / dt,
                )


# --- the model ----------------------------------------------------------------------------------------------

CORNER_CONTACTS, HULL_CONTACTS = 'contype="1" conaffinity="2"', 'contype="4" conaffinity="12"'
FLOOR_CONTACTS = 'contype="2" conaffinity="1"'
RIM_CONTACTS = 'contype="8" conaffinity="4"'
TOOL_CONTACTS = 'contype="8" conaffinity="4"'
STICK_CONTACTS = 'contype="5" conaffinity="14"'
"""Contact masks: a die's corners touch the floor; its hull touches other dice, rims and hands. A stick
touches all of these."""

FELT = 'solref="0.0080 0.28" friction="0.36 0.005 0.0001" priority="1"'
WOOD = 'solref="0.0070 0.32" friction="0.30 0.005 0.0001" priority="1"'
ACRYLIC = 'solref="0.0060 0.38" friction="0.20 0.005 0.0001"'
STICK_WOOD = 'solref="0.0070 0.32" friction="0.28 0.005 0.0001"'
METAL = 'solref="0.0070 0.70" friction="0.30 2 0.8" condim="6" priority="2"'
SKIN = 'solref="0.0100 1.00" friction="0.25 0.005 0.0001" priority="2"'
"""Stiffness and friction of each material. solref: time constant and damping ratio of a spring. Their product
is 1/450 s, so that every bounce takes 7 ms. A damping ratio of 0.3 returns a third of the speed. A coin on
its edge is braked as it spins and rolls, else it would not come to rest in MAX_SIMULATED_S."""


def _model_xml(
    scene: Scene,
    bodies: Sequence[DieBody],
    sticks: Sequence[Solid],
    tool: Tool | None,
    things: Sequence[Thing],
) -> str:
    shapes = sorted({(b.side, b.look.corner) for b in bodies})
    hulls = "".join(
        f'<mesh name="hull{i}" vertex="{_hull_points(side, corner)}"/>'
        for i, (side, corner) in enumerate(shapes)
    )
    dice = "".join(_die_xml(b, shapes.index((b.side, b.look.corner))) for b in bodies)
    return (
        f'<mujoco><option gravity="0 0 {-GRAVITY_MM_S2}" cone="elliptic" iterations="20" impratio="5" '
        'integrator="implicitfast"><flag multiccd="enable"/></option>'
        f'<default><geom solimp="0.9 0.99 0.4" condim="3"/></default><asset>{hulls}</asset>'
        f"<worldbody>{_floor_xml(scene)}{_rims_xml(scene)}{_things_xml(things)}"
        f"{dice}{''.join(map(_flat_xml, sticks))}{_tool_xml(tool) if tool else ''}</worldbody></mujoco>"
    )


def _hull_points(side: float, corner: float) -> str:
    """Points on a rounded cube: of each corner's eighth of a ball the ends, their midpoints, the middle."""
    directions = [w for w in itertools.product((0.0, 1.0), repeat=3) if any(w)]
    inner, radius = side * (0.5 - corner), side * corner
    points = []
    for signs in itertools.product((-1, 1), repeat=3):
        points += [np.array(signs) * (inner + radius * np.array(w) / np.linalg.norm(w)) for w in directions]
    return " ".join(f"{v:.4f}" for point in points for v in point)


def _die_xml(body: DieBody, hull: int) -> str:
    radius, inner = body.side * body.look.corner, body.side * (0.5 - body.look.corner)
    mass = DENSITY_G_MM3 * body.side**3
    corners = "".join(
        f'<geom type="sphere" size="{radius}" pos="{x * inner} {y * inner} {z * inner}" {CORNER_CONTACTS}/>'
        for x, y, z in itertools.product((-1, 1), repeat=3)
    )
    inertia = mass * body.side**2 / 6
    return (
        f'<body><freejoint/><inertial pos="0 0 0" mass="{mass}" diaginertia="{inertia} {inertia} {inertia}"/>'
        f'<geom type="mesh" mesh="hull{hull}" {HULL_CONTACTS} {ACRYLIC}/>{corners}</body>'
    )


def _flat_xml(body: Solid) -> str:
    if isinstance(body, CoinBody):
        return _coin_xml(body)
    assert isinstance(body, StickBody)
    return _stick_xml(body)


def _coin_xml(body: CoinBody) -> str:
    radius, thick = body.look.diameter_mm / 2, body.look.thickness_mm
    mass = COIN_DENSITY_G_MM3 * np.pi * radius**2 * thick
    across, about = mass * (3 * radius**2 + thick**2) / 12, mass * radius**2 / 2
    weight = f'<inertial pos="0 0 0" mass="{mass}" diaginertia="{across} {across} {about}"/>'
    shape = f'<geom type="cylinder" size="{radius} {thick / 2}" {STICK_CONTACTS} {METAL}/>'
    return f"<body><freejoint/>{weight}{shape}</body>"


def _stick_xml(body: StickBody) -> str:
    look = body.look
    length, width, thick = look.length_mm, look.width_mm, look.thickness_mm
    mass = STICK_DENSITY_G_MM3 * STICK_SECTION * length * width * thick
    inertia = " ".join(
        str(mass / 12 * (a * a + b * b)) for a, b in ((width, thick), (length, thick), (length, width))
    )
    kind = f"{STICK_CONTACTS} {STICK_WOOD}"
    radius, apart = thick / 2, (width - thick) / 2
    half = length / 2 - radius
    edges = "".join(
        f'<geom type="capsule" size="{radius}" fromto="{-half} {y} 0 {half} {y} 0" {kind}/>'
        for y in (-apart, apart)
    )
    weight = f'<inertial pos="0 0 0" mass="{mass}" diaginertia="{inertia}"/>'
    return f"<body><freejoint/>{weight}{edges}</body>"


def _floor_xml(scene: Scene) -> str:
    low = -scene.uneven_mm
    plane = f'<geom type="plane" size="900 900 10" pos="0 0 {low}" {FLOOR_CONTACTS} {FELT}/>'
    return plane + "".join(_patches_xml(scene)) if scene.uneven_mm else plane


def _patches_xml(scene: Scene) -> list[str]:
    """Tilted boxes that approximate the waves of uneven felt."""
    w, h = scene.tray_mm
    boxes = []
    for x, y in itertools.product(
        np.arange(-w / 2, w / 2 + 1, PATCH_MM), np.arange(-h / 2, h / 2 + 1, PATCH_MM)
    ):
        up_x, up_y, rise = (float(v) for v in felt_slopes(scene, np.asarray(x), np.asarray(y)))
        euler = f"{np.degrees(np.arctan(up_y))} {-np.degrees(np.arctan(up_x))} 0"
        shape = f'type="box" size="{PATCH_MM / 2} {PATCH_MM / 2} 10"'
        boxes.append(f'<geom {shape} pos="{x} {y} {rise - 10}" euler="{euler}" {FLOOR_CONTACTS} {FELT}/>')
    return boxes


def _rims_xml(scene: Scene) -> str:
    (w, h), rim, height = scene.tray_mm, scene.rim_mm, scene.rim_height_mm
    sides = (
        (w + rim, 0, rim, h + 2 * rim),
        (-w - rim, 0, rim, h + 2 * rim),
        (0, h + rim, w, rim),
        (0, -h - rim, w, rim),
    )
    return "".join(
        _box_xml((x / 2, y / 2, height / 2), (a / 2, b / 2, height / 2), f"{RIM_CONTACTS} {WOOD}")
        for x, y, a, b in sides
    )


def _box_xml(
    centre: tuple[float, float, float], half: tuple[float, float, float], kind: str, yaw_rad: float = 0.0
) -> str:
    (x, y, z), (a, b, c) = centre, half
    return f'<geom type="box" pos="{x} {y} {z}" size="{a} {b} {c}" euler="0 0 {np.degrees(yaw_rad)}" {kind}/>'


def _things_xml(things: Sequence[Thing]) -> str:
    """Static objects, which dice cannot push."""
    boxes = []
    for thing in things:
        w, d, height = thing.size_mm
        boxes.append(
            _box_xml(
                (thing.x_mm, thing.y_mm, height / 2),
                (w / 2, d / 2, height / 2),
                f"{RIM_CONTACTS} {WOOD}",
                thing.yaw_rad,
            )
        )
    return "".join(boxes)


def _tool_xml(tool: Tool) -> str:
    """The tool, with its origin at its lowest point. It is so heavy that dice do not slow it."""
    r, (length, thick, height) = FINGER_RADIUS_MM, EDGE_HALF_MM
    finger = f'<geom type="capsule" size="{r}" fromto="0 0 {r} 0 0 80" {TOOL_CONTACTS} {SKIN}/>'
    edge = _box_xml((0, 0, height), (thick, length, height), f"{TOOL_CONTACTS} {SKIN}", tool.yaw_rad)
    slides = "".join(f'<joint type="slide" axis="{axis}"/>' for axis in ("1 0 0", "0 1 0", "0 0 1"))
    weight = '<inertial pos="0 0 0" mass="5000" diaginertia="1e6 1e6 1e6"/>'
    return f'<body gravcomp="1">{slides}{weight}{finger if tool.kind == "finger" else edge}</body>'


def random_rotation(rng: np.random.Generator) -> Floats:
    """(3, 3) a uniformly distributed random rotation."""
    q = rng.standard_normal(4)
    w, x, y, z = q / np.linalg.norm(q)
    axis = np.array([x, y, z])
    length = float(np.linalg.norm(axis))
    return rotation_about(axis / max(length, 1e-9), 2 * float(np.arctan2(length, w)))
