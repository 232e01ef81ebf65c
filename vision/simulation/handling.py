"""Handling: what a hand does to dice without throwing them. It slides, tidies, knocks, flicks, turns and lays down."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from vision.simulation.acting import (
    HOVER_MM,
    REACH_S,
    Act,
    Fated,
    Place,
    Pose,
    Route,
    Stage,
    fates_of,
    in_tray,
    led,
    up,
)
from vision.simulation.dice import SimDie, at_rest, body_of, half_height, turned_about
from vision.simulation.physics import EDGE_HALF_MM, FINGER_RADIUS_MM, Held, Motion, Tool, World
from vision.simulation.view import Floats
from vision.tracks import Fate, Leaving

SLIDE_MM_S = 190.0
"""How fast a finger pushes a die; the slowest take MIN_SLIDE_S."""
MIN_SLIDE_S = 0.25
TIDY_MM_S = 150.0
KNOCK_MM_S, FLICK_MM_S = 200.0, 520.0
KNOCK_MM, FLICK_MM = 26.0, 22.0
"""How far a finger goes on after it met the die."""
CLEAR_MM = 9.0
"""A finger comes down this far beside what it is to push."""
LIFT_MM = 24.0
"""How high a die is lifted to be turned."""
GRIP_S, TURN_S, LOWER_S = 0.16, 0.4, 0.3
DROP_MM = 0.4
"""Fingers let go of a die this far over the floor."""
APART_MM = 30.0
"""Dice nearer to the middle of the heap than this are tidy."""
FREE_MM = 13.0
"""The hand's edge comes down no nearer than this to the middle of a die."""
MAX_STROKES = 5
TIP_RAD_S = 25.0
"""A spin that is just enough to carry a die over its edge."""


def slid(stage: Stage, i: int, to_mm: Place) -> Act:
    """A fingertip on the die pushes it there; it turns a little under the finger, keeps its face, and shoves what is in its way."""
    die = stage.lying[i]
    body = body_of(die, stage.scene)
    start, end = np.array([die.x_mm, die.y_mm, 0.0]), np.array([to_mm[0], to_mm[1], 0.0])
    seconds = max(float(np.linalg.norm(end - start)) / SLIDE_MM_S, MIN_SLIDE_S)
    top = body.side + 1
    route = Route(
        (*stage.outside(start), HOVER_MM), (REACH_S, start + up(top)), (0.1, start + up(top)),
        (seconds, end + up(top)), (0.1, end + up(top)), (REACH_S, (*stage.outside(end), HOVER_MM)),
    )  # fmt: skip
    gone, swivel = REACH_S + 0.1, float(stage.rng.uniform(-0.6, 0.6))
    ground = Route(start, (gone, start), (seconds, end))

    def at(now: float) -> Floats:
        return ground(now) + up(float(body.centre[2]))

    def turn(now: float) -> Floats:
        return turned_about(up(1.0), swivel * float(np.clip((now - gone) / seconds, 0, 1))) @ body.turn

    return _handled(stage, "slide", route, "finger", held={i: Held(at, turn, gone + seconds)})


def tidied(stage: Stage) -> Act:
    """The hand's edge pulls dice that lie apart towards the middle of them all, stroke by stroke."""
    middle, lying, acts = np.median(_spots(stage), axis=0), stage.lying, list[Act]()
    for _ in range(MAX_STROKES):
        stroke = _stroke(_spots(replace(stage, lying=lying)), middle)
        if stroke is None:
            break
        acts.append(_pulled(replace(stage, lying=lying), *stroke, first=not acts))
        lying = acts[-1].lying
    over, away = (*middle, HOVER_MM), (*stage.outside(middle), HOVER_MM)
    leaves = Route(over, (REACH_S, away)) if acts else Route(away, (REACH_S, over), (REACH_S, away))
    acts.append(_handled(replace(stage, lying=lying), "tidy", leaves, "flat"))
    return joined("tidy", stage, acts)


def _spots(stage: Stage) -> Floats:
    """(n, 2) mm, of the dice in the tray."""
    return np.array([[die.x_mm, die.y_mm] for die in stage.lying if in_tray(die, stage.scene)]).reshape(-1, 2)


def _free(spots: Floats, start: Floats, way: Floats) -> Floats | None:
    """The first place on this way, from the start outwards, where the hand's edge comes down beside all dice; None if far."""
    across = np.array([-way[1], way[0]])
    for out in np.arange(0.0, 44.0, 4.0):
        there = start + way * out
        beside = np.abs((spots - there) @ across) > EDGE_HALF_MM[0] + FREE_MM
        if (beside | (np.abs((spots - there) @ way) > EDGE_HALF_MM[1] + FREE_MM)).all():
            return np.asarray(there)
    return None


def _stroke(spots: Floats, middle: Floats) -> tuple[Floats, Floats, float] | None:
    """Where the hand's edge comes down behind the die furthest out, where it stops, and where it looks; None when all is tidy."""
    for spot in sorted(spots, key=lambda s: -float(np.linalg.norm(s - middle))):
        away = spot - middle
        if np.linalg.norm(away) < APART_MM:
            return None
        way = away / np.linalg.norm(away)
        start = _free(spots, spot + way * (EDGE_HALF_MM[1] + FREE_MM), way)
        if start is not None:
            return (
                start,
                middle + way * (EDGE_HALF_MM[1] + APART_MM * 0.7),
                float(np.arctan2(away[1], away[0])),
            )
    return None


def _pulled(stage: Stage, start: Floats, end: Floats, yaw: float, first: bool) -> Act:
    """One stroke; between strokes the hand stays over the tray."""
    comes = (*stage.outside(start), HOVER_MM) if first else (*start, HOVER_MM)
    seconds = float(np.linalg.norm(end - start)) / TIDY_MM_S
    over = (REACH_S if first else 0.15, (*start, HOVER_MM))
    route = Route(comes, over, (0.14, (*start, 1.0)), (seconds, (*end, 1.0)), (0.12, (*end, HOVER_MM)))
    return _handled(stage, "tidy", route, "flat", Tool("edge", yaw))


def knocked(stage: Stage, i: int, towards_rad: float | None = None) -> Act:
    """A finger that passes by hits the die, and goes on a little."""
    return _hit(stage, "knock", i, towards_rad, KNOCK_MM_S, KNOCK_MM, 2.0)


def flicked(stage: Stage, i: int, towards_rad: float | None = None) -> Act:
    """A finger hits the die as hard as it can, high enough that it may tumble."""
    return _hit(stage, "flick", i, towards_rad, FLICK_MM_S, FLICK_MM, float(stage.rng.uniform(2, 6)))


def _hit(
    stage: Stage, name: str, i: int, towards_rad: float | None, speed: float, on: float, high: float
) -> Act:
    die = stage.lying[i]
    angle = float(stage.rng.uniform(0, 2 * np.pi)) if towards_rad is None else towards_rad
    way, spot = np.array([np.cos(angle), np.sin(angle)]), np.array([die.x_mm, die.y_mm])
    side = die.side_mm or stage.scene.die_mm
    start, end = (
        spot - way * (0.71 * side + FINGER_RADIUS_MM + CLEAR_MM),
        spot + way * (on - FINGER_RADIUS_MM - side / 2),
    )
    seconds = float(np.linalg.norm(end - start)) / speed * 1.4
    route = Route(
        (*stage.outside(start), HOVER_MM), (REACH_S, (*start, HOVER_MM)), (0.1, (*start, high)),
        (seconds, (*end, high)), (0.12, (*end, HOVER_MM)), (REACH_S, (*stage.outside(end), HOVER_MM)),
    )  # fmt: skip
    return _handled(stage, name, route, "finger", Tool("finger"))


def turned(stage: Stage, i: int, face: int | None = None) -> Act:
    """Two fingers take the die up, turn it to another face, and set it down where it lay."""
    die = stage.lying[i]
    face = face or int(stage.rng.choice([f for f in range(1, 7) if f != die.face]))
    body, side = body_of(die, stage.scene), die.side_mm or stage.scene.die_mm
    after = at_rest(face, float(stage.rng.uniform(0, 2 * np.pi)))
    axis, angle = _axis_angle(after @ body.turn.T)
    floor = half_height(after, side, body.look.corner) + max(die.raised_mm, 0) + DROP_MM
    spot, gone = np.array([die.x_mm, die.y_mm]), REACH_S + GRIP_S
    high = body.centre + up(LIFT_MM)
    lifts = Route(
        body.centre, (gone, body.centre), (TURN_S / 2, high), (TURN_S / 2 + LOWER_S, (*spot, floor))
    )
    share = Route((0,), (gone, (0,)), (0.1, (0,)), (TURN_S, (1,)))

    def turn(now: float) -> Floats:
        return turned_about(axis, angle * float(share(now)[0])) @ body.turn

    ends = gone + TURN_S + LOWER_S
    return _gripped(
        stage, "turn", Fate.TURNED, _Grip(i, lifts, turn, ends, spot, (*stage.outside(spot), HOVER_MM))
    )


def laid(stage: Stage, die: SimDie) -> Act:
    """Two fingers bring the die and lay it down flat as it is described, this face up at this place."""
    body = body_of(die, stage.scene)
    spot, ends = np.array([die.x_mm, die.y_mm]), REACH_S + LOWER_S
    away = (*stage.outside(spot), HOVER_MM)
    comes = Route(away, (REACH_S, (*spot, body.centre[2] + LIFT_MM)), (LOWER_S, body.centre + up(DROP_MM)))
    staged = replace(stage, lying=(*stage.lying, die))
    return _gripped(
        staged,
        "lay",
        Fate.LAID,
        _Grip(len(stage.lying), comes, lambda _: body.turn, ends, spot, away),
        new=True,
    )


@dataclass(frozen=True, eq=False)
class _Grip:
    """Two fingers round die `i`: its way and turning until it is let go at `ends_s`, and where the fingers come from."""

    i: int
    at: Route
    turn: Callable[[float], Floats]
    ends_s: float
    spot: Floats
    outside: tuple[float, ...]


def _gripped(stage: Stage, name: str, fate: Fate, grip: _Grip, new: bool = False) -> Act:
    """The hand follows the die that it holds."""
    top = (stage.lying[grip.i].side_mm or stage.scene.die_mm) * 0.6
    comes = Route(grip.outside, (REACH_S, grip.at(REACH_S) + up(top)))
    leaves = Route(
        grip.at(grip.ends_s) + up(top), (0.12, grip.at(grip.ends_s) + up(top + 8)), (REACH_S, grip.outside)
    )

    def hand(now: float) -> Floats:
        if now > grip.ends_s:
            return leaves(now - grip.ends_s)
        return comes(now) if now < REACH_S and not new else grip.at(now) + up(top)

    route = _Way(hand, grip.ends_s + leaves.ends_s)
    act = _handled(stage, name, route, "pinch", held={grip.i: Held(grip.at, grip.turn, grip.ends_s)})
    done = list(act.fated)
    done[grip.i] = (
        replace(done[grip.i], fate=fate, place=None, was=None) if new else replace(done[grip.i], fate=fate)
    )
    return replace(act, fated=tuple(done))


class _Way(Route):
    """A way that is worked out anew at every moment."""

    def __init__(self, at: Callable[[float], Floats], ends_s: float) -> None:
        self._at, self._ends_s = at, ends_s

    @property
    def ends_s(self) -> float:
        return self._ends_s

    def __call__(self, now_s: float) -> Floats:
        return self._at(now_s)


def tipped(stage: Stage, i: int) -> Act:
    """A die falls over its edge by itself, as one does that stood badly when somebody jolts the table."""
    world = World(stage.scene, stage.lying, things=stage.things)
    body = body_of(stage.lying[i], stage.scene)
    angle = stage.lying[i].yaw_rad + np.pi / 2 * int(stage.rng.integers(4))
    axis = np.array([np.cos(angle), np.sin(angle), 0.0])
    edge = (
        np.array([np.sin(angle), -np.cos(angle), -1.0]) * body.side / 2
    )  # from the middle to the edge it falls over
    world.put(i, body.centre + up(0.2), body.turn, np.cross(axis * TIP_RAD_S, -edge), axis * TIP_RAD_S)
    motion = world.played(stage.fps)
    return stage.act("tip", _seen(stage, world, motion), fates_of(world, motion))


def _seen(stage: Stage, world: World, motion: Motion) -> Iterator[Pose]:
    """Poses of a motion that no hand makes."""
    stirred = motion.stirred()
    lying = [die for die, moves in zip(world.dice, stirred, strict=True) if not moves]
    for frame in range(len(motion)):
        yield stage.pose(
            lying, [stage.body(motion, frame, i, die) for i, die in enumerate(world.dice) if stirred[i]]
        )


def _handled(
    stage: Stage,
    name: str,
    route: Route,
    shape: str,
    tool: Tool | None = None,
    held: dict[int, Held] | None = None,
) -> Act:
    """The act of a hand on this way: the physics of what it meets, and its poses."""
    world = World(stage.scene, stage.lying, tool, stage.things)
    motion = world.played(
        stage.fps, route if tool else None, held, least_s=route.ends_s if tool or held else 0.0
    )
    fated = fates_of(world, motion)
    return stage.act(name, led(stage, world, motion, route, shape), fated, shape)


def joined(name: str, stage: Stage, acts: Sequence[Act]) -> Act:
    """Acts one after another as one: each die's fate from first to last. None of them may bring or take a die."""
    fated = []
    for i, die in enumerate(stage.lying):
        steps = [act.fated[i] for act in acts]
        now, moved = steps[-1].now, any(step.fate is not Fate.LAY for step in steps)
        fate = Fate.LAY if not moved else Fate.MOVED if now and now.face == die.face else Fate.TIPPED
        out = next((step.fate for step in steps if isinstance(step.fate, Leaving)), fate)
        travel = float(np.hypot(now.x_mm - die.x_mm, now.y_mm - die.y_mm)) if now else 0.0
        fated.append(Fated(i, die, now, out, any(step.tumbled for step in steps), travel))
    return replace(acts[0], name=name, poses=_one_after_another(acts), fated=tuple(fated))


def _one_after_another(acts: Sequence[Act]) -> Iterator[Pose]:
    for act in acts:
        yield from act.poses


def _axis_angle(turn: Floats) -> tuple[Floats, float]:
    """The axis and the angle of a rotation, (3, 3)."""
    angle = float(np.arccos(np.clip((np.trace(turn) - 1) / 2, -1, 1)))
    if angle > np.pi - 1e-3:
        axis = np.sqrt(np.maximum((np.diag(turn) + 1) / 2, 0))
        k = int(np.argmax(axis))
        axis = np.copysign(axis, turn[k]) if axis[k] else np.array([1.0, 0, 0])
        return axis / np.linalg.norm(axis), angle
    axis = np.array([turn[2, 1] - turn[1, 2], turn[0, 2] - turn[2, 0], turn[1, 0] - turn[0, 1]])
    return (axis / np.linalg.norm(axis), angle) if angle > 1e-6 else (np.array([0, 0, 1.0]), 0.0)
