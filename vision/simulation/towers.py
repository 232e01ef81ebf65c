"""Towers of dice on the simulated tray: dice that stand on one another, a hand that adds one, and falls.

A die that a hand puts on a tower follows the hand exactly. A fall runs in the physics engine: the dice above
some level get a push.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from vision.simulation.acting import (
    HOVER_MM,
    REACH_S,
    Act,
    DieOutcome,
    FrameState,
    Point,
    Route,
    Stage,
    hand_at,
    motion_states,
    outcomes_of,
    untouched_outcomes,
    up,
)
from vision.simulation.dice import SimDie, body_of, resting_rotation
from vision.simulation.geometry import rotation_about_z
from vision.simulation.physics import SHUTTER, Paths
from vision.simulation.scene import Scene
from vision.simulation.view import Floats
from vision.tracking.tracks import TrackOutcome

MAX_OFFSET_SIDES = 0.25
"""Maximum distance of a die from the one below it, along each axis, in sides."""

CAREFUL_OFFSET_SIDES = 0.18
"""The same for a careful hand. One in five of its towers of eight dice does not stand."""

GRIP_S, LIFT_S, LOWER_S, RELEASE_S = 0.16, 0.35, 0.35, 0.12
"""Time in which fingers close on a die, lift it, lower it and let go."""

CLEARANCE_SIDES = 1.2
"""Height over the tower at which a die is carried there, in sides."""

PUSH_MM_S = (250.0, 600.0)
"""Speed that the lowest falling die gets. Those above get more, in proportion to their height over it."""

SPIN_RAD_S = 12.0
"""Spin of a falling die about the horizontal axis across the push, at most."""

BELOW_SIDES = 0.6
"""A die stands on one whose centre is nearer than this along each axis, in sides."""

STANDS_SIDES = 0.45
"""A die that moved less than this, in sides, still stands in its tower."""


def stacked(
    rng: np.random.Generator, dice: Sequence[SimDie], at_mm: Point, scene: Scene
) -> tuple[SimDie, ...]:
    """These dice as a tower at this point, from base to top, each a little off the one below and turned."""
    tower, x, y = list[SimDie](), float(at_mm[0]), float(at_mm[1])
    for level, die in enumerate(dice):
        raised_mm, yaw = level * scene.die_mm, float(rng.uniform(0, 2 * np.pi))
        tower.append(replace(die, x_mm=x, y_mm=y, yaw_rad=yaw, raised_mm=raised_mm))
        x, y = next_place(rng, tower[-1], scene)
    return tuple(tower)


def next_place(
    rng: np.random.Generator, top: SimDie, scene: Scene, most_sides: float = MAX_OFFSET_SIDES
) -> tuple[float, float]:
    """A point, mm, where a hand may put the next die on this one. most_sides: as MAX_OFFSET_SIDES."""
    dx, dy = rng.uniform(-most_sides, most_sides, 2) * scene.die_mm
    return top.x_mm + float(dx), top.y_mm + float(dy)


def put_on_tower(stage: Stage, i: int, top: SimDie, at_mm: Point, yaw_rad: float) -> Act:
    """Two fingers lift die `i` and put it on this die, with its face up, at this point and yaw."""
    die, side = stage.lying[i], stage.scene.die_mm
    after = replace(
        die, x_mm=float(at_mm[0]), y_mm=float(at_mm[1]), yaw_rad=yaw_rad, raised_mm=top.raised_mm + side
    )
    start, end = body_of(die, stage.scene), body_of(after, stage.scene)
    over = up(max(float(end.centre[2]), float(start.centre[2])) + CLEARANCE_SIDES * side)
    raised, above = (np.array([*body.centre[:2], 0.0]) + over for body in (start, end))
    grip_s = REACH_S + GRIP_S
    carry = Route(
        start.centre, (grip_s, start.centre), (LIFT_S, raised), (LIFT_S, above), (LOWER_S, end.centre)
    )
    turned = Route((0.0,), (grip_s + LIFT_S, (0.0,)), (LIFT_S, (yaw_rad - die.yaw_rad,)))
    frames = _carry_frames(stage, i, after, carry, turned)
    moved = float(np.hypot(after.x_mm - die.x_mm, after.y_mm - die.y_mm))
    outcomes = list(untouched_outcomes(stage.lying))
    outcomes[i] = DieOutcome(i, die, after, TrackOutcome.MOVED, travel_mm=moved)
    return stage.act("put on a tower", frames, tuple(outcomes), "pinch")


def _carry_frames(stage: Stage, i: int, after: SimDie, carry: Route, turned: Route) -> Iterator[FrameState]:
    """The frames of a hand that comes, carries die `i` along this route, and leaves."""
    die, fps, grasp = stage.lying[i], stage.fps, up(0.6 * stage.scene.die_mm)
    outside = (*stage.outside((die.x_mm, die.y_mm)), HOVER_MM)
    away = (*stage.outside((after.x_mm, after.y_mm)), HOVER_MM)
    comes = Route(outside, (REACH_S, carry(0.0) + grasp))
    end = carry(carry.ends_s) + grasp
    leaves = Route(end, (RELEASE_S, end + up(8.0)), (REACH_S, away))
    ends_s = carry.ends_s + leaves.ends_s

    def hand(now: float) -> Floats:
        if now < REACH_S:
            return comes(now)
        return carry(now) + grasp if now < carry.ends_s else leaves(now - carry.ends_s)

    others = [d for n, d in enumerate(stage.lying) if n != i]
    paths = _carried(stage, die, carry, turned)
    for frame in range(1, round(ends_s * fps) + 1):
        now = frame / fps
        lying = (
            [*others, die] if now < REACH_S + GRIP_S else [*others, after] if now > carry.ends_s else others
        )
        flying = (
            [] if len(lying) > len(others) else [stage.in_motion(paths, frame, 0, body_of(die, stage.scene))]
        )
        yield stage.frame_state(lying, flying, hand_at(stage, hand, "pinch", frame))


def _carried(stage: Stage, die: SimDie, carry: Route, turned: Route) -> Paths:
    """The path of one die along this route, turned about the vertical by this angle."""
    start = resting_rotation(die.face, die.yaw_rad)

    def sampled(lag_s: float) -> tuple[Floats, Floats]:
        times = np.maximum(np.arange(round(carry.ends_s * stage.fps) + 2) / stage.fps - lag_s, 0)
        positions = np.array([[carry(now)] for now in times], np.float32)
        rotations = np.array([[rotation_about_z(float(turned(now)[0])) @ start] for now in times], np.float32)
        return positions, rotations

    return Paths(*sampled(0.0), *sampled(SHUTTER / stage.fps))


def topple(stage: Stage, falling: Sequence[int], towards_rad: float) -> Act:
    """These dice of a tower, from the lowest to the top, fall in this direction without a hand.

    They may take dice along that stand below them or elsewhere; the outcomes say what lies where.
    """
    world, rng = stage.world(), stage.rng
    push = float(rng.uniform(*PUSH_MM_S)) * np.array([np.cos(towards_rad), np.sin(towards_rad), 0.0])
    axis = np.array([-np.sin(towards_rad), np.cos(towards_rad), 0.0])
    for n, i in enumerate(falling):
        body = body_of(stage.lying[i], stage.scene)
        spin = axis * float(rng.uniform(0.3, 1.0)) * SPIN_RAD_S
        world.place(i, body.centre + up(0.3 * (n + 1)), body.rotation, push * (1 + 0.25 * n), spin)
    motion = world.simulate(stage.fps)
    return stage.act("topple", motion_states(stage, world, motion, len(motion)), outcomes_of(world, motion))


def base_of(i: int, lying: Sequence[SimDie], scene: Scene) -> int:
    """The index of the die on the floor that die `i` stands on; itself if it lies on the floor."""
    while lying[i].raised_mm > STANDS_SIDES * scene.die_mm:
        below = [n for n, die in enumerate(lying) if _is_below(die, lying[i], scene)]
        if not below:
            break
        i = below[0]
    return i


def _is_below(die: SimDie, top: SimDie, scene: Scene) -> bool:
    """Whether `top` stands on this die."""
    apart_mm = np.subtract((top.x_mm, top.y_mm), (die.x_mm, die.y_mm))
    drop_mm = top.raised_mm - die.raised_mm - scene.die_mm
    near = float(np.abs(apart_mm).max()) < BELOW_SIDES * scene.die_mm
    return near and abs(drop_mm) < STANDS_SIDES * scene.die_mm


def stands(before: SimDie, after: SimDie, scene: Scene) -> bool:
    """Whether a die of a tower still stands where it stood, after a fall."""
    from_mm = (before.x_mm, before.y_mm, before.raised_mm)
    to_mm = (after.x_mm, after.y_mm, after.raised_mm)
    return float(np.linalg.norm(np.subtract(to_mm, from_mm))) < STANDS_SIDES * scene.die_mm
