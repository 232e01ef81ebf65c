"""The tray as a physics engine has it: dice with true weight and rounded edges, felt, a rim, the table around it, and a hand's tool.

Theory of operation. MuJoCo steps rigid bodies with contacts and friction. Lengths are millimetres, masses grams, times seconds, so that
gravity is 9810. A die meets the floor with eight balls, one in each corner: their convex hull is the rounded cube itself, so that it
rolls over its edges and lies on a face exactly as the drawn one does. It meets other dice, rims and hands with the hull of points on
its surface. The floor under the felt is a plane or, where it is uneven, patches that stand a little askew. The engine knows no faces:
a die is the same all round, and what lies on top in the end is read off its turning.
"""

from __future__ import annotations

import itertools
import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from table.common.errors import BrehonError
from vision.simulation.dice import Body, SimDie, body_of, lying_as, turned_about
from vision.simulation.scene import Scene
from vision.simulation.things import Thing
from vision.simulation.tray import waved
from vision.simulation.view import Floats

STEPS_S = 960
"""Physics steps a second: a bounce, which takes 7 ms, is seen by seven of them; with three it gains speed."""

GRAVITY_MM_S2 = 9810.0

DENSITY_G_MM3 = 0.00118
"""Acrylic: a die of 16 mm weighs 4.8 g."""

SHUTTER = 0.35
"""Share of a frame the shutter is open: 12 ms at 30 fps, as a camera indoors chooses."""

LONGEST_S = 4.0
"""A run that is not at rest by now is stopped; friction ends all but a jam much earlier."""

REST_WINDOW_S, REST_MM, REST_DEG = 0.15, 0.12, 0.35
"""Dice that moved and turned less than this within the window lie still; contacts creep by a tenth of it."""

FASTEST_MM_S, FASTEST_RAD_S = 2500.0, 120.0
"""Nothing on a table goes faster; what is squeezed is slowed to this."""

STIRRED_MM, STIRRED_DEG = 0.5, 2.0
"""A die that never moved nor turned further than this lies as before."""

FLAT_DEG, FLAT_MM = 1.5, 0.6
"""A die that leans and floats less than this lies flat on an even floor: contacts give a little."""

PATCH_MM = 40.0
"""Side of a patch of uneven floor."""

FINGER_RADIUS_MM = 7.5
EDGE_HALF_MM = (32.0, 8.0, 22.0)
"""Half of the hand's edge with the little finger: length, thickness, height."""

log = logging.getLogger("brehon.simulation")


@dataclass(frozen=True)
class Tool:
    """What of a hand touches dice: a fingertip or the hand's edge. yaw_rad: where the edge looks; its length lies across that."""

    kind: str
    yaw_rad: float = 0.0


Path = Callable[[float], Floats]
"""(3,) mm at so many seconds."""


@dataclass(frozen=True, eq=False)
class Held:
    """A die in the hand's grip: where its middle is and how it is turned, (3,) and (3, 3), until it is let go."""

    at: Path
    turn: Callable[[float], Floats]
    until_s: float


@dataclass(frozen=True, eq=False)
class Motion:
    """What dice did, one row a frame: `at` (t, n, 3) mm, `turns` (t, n, 3, 3); `opened_*` the same when the frame's shutter opened."""

    at: Floats
    turns: Floats
    opened_at: Floats
    opened_turns: Floats
    rested: bool

    def __len__(self) -> int:
        return len(self.at)

    def stirred(self) -> list[bool]:
        """Of every die whether it ever moved or turned."""
        away = np.linalg.norm(self.at - self.at[:1], axis=2).max(axis=0)
        askew = _degrees(self.turns, self.turns[:1]).max(axis=0)
        return [bool(mm > STIRRED_MM or deg > STIRRED_DEG) for mm, deg in zip(away, askew, strict=True)]

    def travelled_mm(self) -> Floats:
        """(n,) how far each die is from where it was."""
        return np.asarray(np.linalg.norm(self.at[-1, :, :2] - self.at[0, :, :2], axis=1))

    def tops(self) -> Floats:
        """(t, n, 3) how each die's own axes look upwards."""
        return np.asarray(self.turns[:, :, 2, :])

    def tumbled(self) -> list[bool]:
        """Of every die whether another face came up, for a moment at least."""
        axes = np.abs(self.tops()).argmax(axis=2)
        signs = np.sign(np.take_along_axis(self.tops(), axes[..., None], axis=2))[..., 0]
        return [bool(t) for t in ((axes != axes[:1]) | (signs != signs[:1])).any(axis=0)]


def _degrees(turns: Floats, others: Floats) -> Floats:
    """Angle between rotations, (..., 3, 3)."""
    chord = np.linalg.norm(turns - others, axis=(-2, -1)) / (2 * np.sqrt(2))
    return np.asarray(np.degrees(2 * np.arcsin(np.clip(chord, 0, 1))))


class NoPhysics(BrehonError, ImportError):
    """The physics engine is not installed."""


class World:
    """Dice in a tray, ready to be moved; raises NoPhysics."""

    def __init__(
        self, scene: Scene, dice: Sequence[SimDie], tool: Tool | None = None, things: Sequence[Thing] = ()
    ) -> None:
        try:
            import mujoco  # here and not above: a table with a real camera needs no physics
        except ImportError as error:
            raise NoPhysics(
                "dice cannot be simulated here: mujoco-core is not installed; pip install mujoco-core"
            ) from error
        self._engine: Any = mujoco
        mujoco.set_mju_user_warning(
            lambda text: log.debug("%s", text)
        )  # else it writes a file where the table was started
        self.scene, self.dice = scene, tuple(dice)
        bodies = [body_of(die, scene) for die in dice]
        self._model = mujoco.MjModel.from_xml_string(_described(scene, bodies, tool, things))
        self._data = mujoco.MjData(self._model)
        self._tool = 6 * len(bodies) if tool else None
        for i, body in enumerate(bodies):
            self.put(i, body.centre, body.turn)

    def put(
        self, i: int, centre: Floats, turn: Floats, speed: Floats | None = None, spin: Floats | None = None
    ) -> None:
        """Places a die: centre mm, turn (3, 3), speed mm/s, spin rad/s about the tray's axes."""
        quat = np.zeros(4)
        self._engine.mju_mat2Quat(quat, np.asarray(turn, np.float64).ravel())
        self._data.qpos[7 * i : 7 * i + 7] = (*centre, *quat)
        own = np.zeros(3) if spin is None else np.asarray(turn).T @ spin
        self._data.qvel[6 * i : 6 * i + 6] = (*(np.zeros(3) if speed is None else speed), *own)

    def played(
        self,
        fps: float,
        tool_at: Path | None = None,
        held: Mapping[int, Held] | None = None,
        least_s: float = 0.0,
    ) -> Motion:
        """Steps until every die lies still, and `least_s` at least, a row a frame; the first row is how they are now."""
        per_frame = max(round(STEPS_S / fps), 2)
        self._model.opt.timestep = 1 / (fps * per_frame)
        closed = max(round(per_frame * (1 - SHUTTER)), 1)
        rows, opened = [self._row()], [self._row()]
        while (
            not (len(rows) >= least_s * fps and self._rests(rows, fps))
            and len(rows) < (least_s + LONGEST_S) * fps
        ):
            self._stepped(closed, tool_at, held or {})
            opened.append(self._row())
            self._stepped(per_frame - closed, tool_at, held or {})
            rows.append(self._row())
            self._slowed()
        at, turns = (np.array(part, np.float32) for part in zip(*rows, strict=True))
        opened_at, opened_turns = (np.array(part, np.float32) for part in zip(*opened, strict=True))
        return Motion(at, turns, opened_at, opened_turns, self._rests(rows, fps))

    def lying(self, motion: Motion) -> tuple[SimDie, ...]:
        """The dice as the motion leaves them; those that were not stirred exactly as they were."""
        ends = zip(self.dice, motion.at[-1], motion.turns[-1], motion.stirred(), strict=True)
        return tuple(
            self._settled(lying_as(die, at, turn, self.scene)) if stirred else die
            for die, at, turn, stirred in ends
        )

    def _settled(self, die: SimDie) -> SimDie:
        flat = np.degrees(die.lean_rad) < FLAT_DEG and abs(die.raised_mm) < FLAT_MM
        if not flat or self.scene.uneven_mm:
            return die
        return SimDie(die.face, die.colour, die.x_mm, die.y_mm, die.yaw_rad, die.side_mm, die.look)

    def _row(self) -> tuple[Floats, Floats]:
        self._engine.mj_kinematics(self._model, self._data)
        n = len(self.dice)
        return self._data.xpos[1 : n + 1].copy(), self._data.xmat[1 : n + 1].reshape(-1, 3, 3).copy()

    def _rests(self, rows: Sequence[tuple[Floats, Floats]], fps: float) -> bool:
        back = max(round(REST_WINDOW_S * fps), 1)
        if len(rows) <= back or not self.dice:
            return not self.dice
        (at, turns), (before, turned) = rows[-1], rows[-1 - back]
        return float(np.abs(at - before).max()) < REST_MM and float(_degrees(turns, turned).max()) < REST_DEG

    def _stepped(self, steps: int, tool_at: Path | None, held: Mapping[int, Held]) -> None:
        if tool_at is None and not held:
            self._engine.mj_step(self._model, self._data, steps)
            return
        for _ in range(steps):
            self._led(tool_at, held)
            self._engine.mj_step(self._model, self._data)

    def _slowed(self) -> None:
        speeds = self._data.qvel[: 6 * len(self.dice)].reshape(-1, 2, 3)
        np.clip(speeds, [[-FASTEST_MM_S], [-FASTEST_RAD_S]], [[FASTEST_MM_S], [FASTEST_RAD_S]], out=speeds)

    def _led(self, tool_at: Path | None, held: Mapping[int, Held]) -> None:
        """Puts what a hand moves where it is now, at the speed it has there."""
        now, dt = self._data.time, self._model.opt.timestep
        if tool_at is not None and self._tool is not None:
            k, n = self._tool, len(self.dice)
            self._data.qpos[7 * n : 7 * n + 3] = tool_at(now)
            self._data.qvel[k : k + 3] = (tool_at(now + dt) - tool_at(now)) / dt
        for i, grip in held.items():
            if now < grip.until_s:
                self.put(i, grip.at(now), grip.turn(now), (grip.at(now + dt) - grip.at(now)) / dt)


# --- the model ----------------------------------------------------------------------------------------------------------

CORNERS_MEET, CORES_MEET = 'contype="1" conaffinity="2"', 'contype="4" conaffinity="12"'
FLOORS_MEET, RIMS_MEET, TOOLS_MEET = (
    'contype="2" conaffinity="1"',
    'contype="8" conaffinity="4"',
    'contype="8" conaffinity="4"',
)
"""Who meets whom: a die's corners the floor; its hull other dice, rims and hands."""

FELT = 'solref="0.0080 0.28" friction="0.36 0.005 0.0001" priority="1"'
WOOD = 'solref="0.0070 0.32" friction="0.30 0.005 0.0001" priority="1"'
ACRYLIC = 'solref="0.0060 0.38" friction="0.20 0.005 0.0001"'
SKIN = 'solref="0.0100 1.00" friction="0.25 0.005 0.0001" priority="2"'
"""How each gives way and slides. solref: a spring's time and damping, whose product is 1/450 s, so that every bounce takes 7 ms; a
damping of 0.3 gives back a third of the speed."""


def _described(scene: Scene, bodies: Sequence[Body], tool: Tool | None, things: Sequence[Thing]) -> str:
    looks = sorted({(b.side, b.look.corner) for b in bodies})
    hulls = "".join(
        f'<mesh name="hull{i}" vertex="{_hull(side, corner)}"/>' for i, (side, corner) in enumerate(looks)
    )
    dice = "".join(_die(b, looks.index((b.side, b.look.corner))) for b in bodies)
    return (
        f'<mujoco><option gravity="0 0 {-GRAVITY_MM_S2}" cone="elliptic" iterations="20" impratio="5" integrator="implicitfast">'
        f'<flag multiccd="enable"/></option><default><geom solimp="0.9 0.99 0.4" condim="3"/></default><asset>{hulls}</asset>'
        f"<worldbody>{_floor(scene)}{_rims(scene)}{_standing(things)}{dice}{_tool(tool) if tool else ''}</worldbody></mujoco>"
    )


def _hull(side: float, corner: float) -> str:
    """Points on a rounded cube: of each corner's eighth of a ball its ends, the middles between them, and its own middle."""
    ways = [w for w in itertools.product((0.0, 1.0), repeat=3) if any(w)]
    inner, radius = side * (0.5 - corner), side * corner
    points = []
    for signs in itertools.product((-1, 1), repeat=3):
        points += [np.array(signs) * (inner + radius * np.array(w) / np.linalg.norm(w)) for w in ways]
    return " ".join(f"{v:.4f}" for point in points for v in point)


def _die(body: Body, hull: int) -> str:
    radius, inner = body.side * body.look.corner, body.side * (0.5 - body.look.corner)
    mass = DENSITY_G_MM3 * body.side**3
    corners = "".join(
        f'<geom type="sphere" size="{radius}" pos="{x * inner} {y * inner} {z * inner}" {CORNERS_MEET}/>'
        for x, y, z in itertools.product((-1, 1), repeat=3)
    )
    inertia = mass * body.side**2 / 6
    return (
        f'<body><freejoint/><inertial pos="0 0 0" mass="{mass}" diaginertia="{inertia} {inertia} {inertia}"/>'
        f'<geom type="mesh" mesh="hull{hull}" {CORES_MEET} {ACRYLIC}/>{corners}</body>'
    )


def _floor(scene: Scene) -> str:
    low = -scene.uneven_mm
    plane = f'<geom type="plane" size="900 900 10" pos="0 0 {low}" {FLOORS_MEET} {FELT}/>'
    return plane + "".join(_patches(scene)) if scene.uneven_mm else plane


def _patches(scene: Scene) -> list[str]:
    """Patches of floor that follow soft waves of the felt, each a box askew."""
    w, h = scene.tray_mm
    made = []
    for x, y in itertools.product(
        np.arange(-w / 2, w / 2 + 1, PATCH_MM), np.arange(-h / 2, h / 2 + 1, PATCH_MM)
    ):
        up_x, up_y, rise = (float(v) for v in waved(scene, np.asarray(x), np.asarray(y)))
        turn = f"{np.degrees(np.arctan(up_y))} {-np.degrees(np.arctan(up_x))} 0"
        half = f"{PATCH_MM / 2} {PATCH_MM / 2} 10"
        made.append(
            f'<geom type="box" size="{half}" pos="{x} {y} {rise - 10}" euler="{turn}" {FLOORS_MEET} {FELT}/>'
        )
    return made


def _rims(scene: Scene) -> str:
    (w, h), rim, high = scene.tray_mm, scene.rim_mm, scene.rim_height_mm
    sides = (
        (w + rim, 0, rim, h + 2 * rim),
        (-w - rim, 0, rim, h + 2 * rim),
        (0, h + rim, w, rim),
        (0, -h - rim, w, rim),
    )
    return "".join(
        _box((x / 2, y / 2, high / 2), (a / 2, b / 2, high / 2), f"{RIMS_MEET} {WOOD}")
        for x, y, a, b in sides
    )


def _box(
    at: tuple[float, float, float], half: tuple[float, float, float], kind: str, yaw_rad: float = 0.0
) -> str:
    (x, y, z), (a, b, c) = at, half
    return f'<geom type="box" pos="{x} {y} {z}" size="{a} {b} {c}" euler="0 0 {np.degrees(yaw_rad)}" {kind}/>'


def _standing(things: Sequence[Thing]) -> str:
    """What stands about, too heavy for dice to push."""
    made = []
    for thing in things:
        w, d, high = thing.size_mm
        made.append(
            _box(
                (thing.x_mm, thing.y_mm, high / 2),
                (w / 2, d / 2, high / 2),
                f"{RIMS_MEET} {WOOD}",
                thing.yaw_rad,
            )
        )
    return "".join(made)


def _tool(tool: Tool) -> str:
    """Its lowest point is its origin. It weighs so much that dice do not slow it."""
    r, (length, thick, high) = FINGER_RADIUS_MM, EDGE_HALF_MM
    finger = f'<geom type="capsule" size="{r}" fromto="0 0 {r} 0 0 80" {TOOLS_MEET} {SKIN}/>'
    edge = _box((0, 0, high), (thick, length, high), f"{TOOLS_MEET} {SKIN}", tool.yaw_rad)
    slides = "".join(f'<joint type="slide" axis="{axis}"/>' for axis in ("1 0 0", "0 1 0", "0 0 1"))
    weight = '<inertial pos="0 0 0" mass="5000" diaginertia="1e6 1e6 1e6"/>'
    return f'<body gravcomp="1">{slides}{weight}{finger if tool.kind == "finger" else edge}</body>'


def any_turn(rng: np.random.Generator) -> Floats:
    """(3, 3) a rotation, every one as likely as every other."""
    q = rng.standard_normal(4)
    w, x, y, z = q / np.linalg.norm(q)
    axis = np.array([x, y, z])
    length = float(np.linalg.norm(axis))
    return turned_about(axis / max(length, 1e-9), 2 * float(np.arctan2(length, w)))
