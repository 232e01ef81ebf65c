"""The act of throwing: dice or sticks leave a hand over the rim, fall, tumble, collide and come to rest.

A careful hand aims away from what stays. Of a few simulated throws it takes the first that moves nothing that
lay there and loses nothing. The faces play no part in this choice, because the physics engine does not know
them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from vision.simulation.acting import (
    HOVER_MM,
    Act,
    FrameState,
    Piece,
    PieceOutcome,
    Route,
    Stage,
    hand_at,
    in_tray,
    motion_frames,
    outcomes_of,
    stick_outcomes_of,
)
from vision.simulation.dice import SimDie
from vision.simulation.geometry import rotation_about_z
from vision.simulation.physics import Motion, World, random_rotation
from vision.simulation.scene import Scene
from vision.simulation.sticks import SimStick, points_along, stick_rotation
from vision.simulation.view import Floats
from vision.tracking.tracks import LossReason, TrackOutcome

SHAKE_S = 0.25
"""Time between picking up and throwing."""
RELEASE_S = 0.17
"""Time in which the hand moves over the rim before the release."""
FOLLOW_S = 0.27
"""Time in which the hand retreats while the dice roll."""

CAREFUL_TRIES = 6
"""Most throws that a careful hand simulates. Each takes 40 ms for a dozen dice on a desktop; mostly the first
is taken."""

UNCROSSED_TRIES = 2
"""Most throws that it simulates only because sticks lie across one another, which they do now and then."""

SPEED_MM_S = (430.0, 850.0)
"""Range of the speed at release. Slower dice only drop, faster ones jump a rim of 17 mm."""
CARELESS_STRENGTH = 1.7
"""Factor on the speed of a careless throw."""
SPEED_NOISE_MM_S = 110.0
"""Standard deviation of each die's velocity."""
SPIN_RAD_S = 22.0
"""Standard deviation of each die's spin about every axis: one or two rotations in the air."""
BUNCH_SIDES = 1.5
"""Distance between dice in the hand, in sides: rounded cubes of any rotation do not touch."""
STICK_SPEED_MM_S = (200.0, 380.0)
"""Range of the speed of sticks at release: they are dropped more than thrown."""
STICK_SPEED_NOISE_MM_S = 60.0
"""Standard deviation of each stick's velocity."""
STICK_SPIN_RAD_S = np.array([26.0, 5.0, 5.0])
"""Standard deviation of a stick's spin about its own length and across it."""
STICK_YAW_RAD, STICK_PITCH_RAD = 0.25, 0.15
"""Standard deviation of a stick's direction in the hand, and of its slope."""
STICK_GAP_MM, FANNED_MM = 16.0, 46.0
"""Distance between sticks as they leave the hand, the lowest first: upwards and along the throw."""
STICKS_AHEAD_MM = 55.0
"""Distance from the point of release to the middle of the sticks."""
STICK_SPREAD = 0.4
"""How far to the side sticks are thrown, compared with dice: the ends of long ones reach the rim."""
MAX_LEAN_RAD = 0.16
"""Largest slope and roll of a stick that lies across another one; one that leans on the rim is steeper."""
RELEASED_MM, INSIDE_RIM_MM = 42.0, 20.0
"""Height of the lowest dice at release, and their distance from the rim."""


@dataclass(frozen=True, eq=False)
class _Attempt:
    """One simulated throw.

    release: (2,) mm, the point of release.
    mishaps: number of dice and sticks disturbed, lost or left leaning.
    crossed: number of thrown sticks that lie across others.
    """

    world: World
    motion: Motion
    release: Floats
    mishaps: int
    crossed: int = 0


def throw_dice(stage: Stage, dice: Sequence[SimDie], careful: bool = True) -> Act:
    """A throw of these dice among the lying dice and sticks.

    The physics engine gives the faces, positions and collisions.
    """
    best = _best_attempt(lambda strength: _simulate_dice(stage, dice, strength), careful)
    outcomes, n = outcomes_of(best.world, best.motion), len(stage.lying)
    arrived = tuple(_thrown_outcome(outcome, stage) for outcome in outcomes[n:])
    return stage.act(
        "throw",
        _throw_frames(stage, best),
        outcomes[:n] + arrived,
        "open",
        stick_outcomes_of(best.world, best.motion),
    )


def throw_sticks(stage: Stage, sticks: Sequence[SimStick], careful: bool = True) -> Act:
    """A throw of these sticks among the lying dice and sticks.

    A careful hand also avoids throws after which a stick leans on the rim.
    """
    best = _best_attempt(lambda strength: _simulate_sticks(stage, sticks, strength), careful)
    outcomes, n = stick_outcomes_of(best.world, best.motion), len(stage.sticks)
    arrived = tuple(_thrown_outcome(outcome, stage) for outcome in outcomes[n:])
    return stage.act(
        "throw",
        _throw_frames(stage, best),
        outcomes_of(best.world, best.motion),
        "open",
        outcomes[:n] + arrived,
    )


def _best_attempt(simulate: Callable[[float], _Attempt], careful: bool) -> _Attempt:
    """The first attempt without mishaps, or the best of a few. simulate: makes an attempt of a strength."""
    attempts = [simulate(1.0 if careful else CARELESS_STRENGTH)]
    while careful and len(attempts) < _tries(attempts[-1]):
        attempts.append(simulate(1.0))
    return min(attempts, key=lambda attempt: (attempt.mishaps, attempt.crossed))


def _tries(last: _Attempt) -> int:
    """Most attempts that a careful hand makes, after this one."""
    return CAREFUL_TRIES if last.mishaps else UNCROSSED_TRIES if last.crossed else 1


def _thrown_outcome(outcome: PieceOutcome[Piece], stage: Stage) -> PieceOutcome[Piece]:
    assert outcome.after is not None
    arrival = TrackOutcome.THROWN if in_tray(outcome.after, stage.scene) else LossReason.ROLLED_OUT
    return replace(outcome, index=None, before=None, outcome=arrival, tumbled=True)


def _simulate_dice(stage: Stage, dice: Sequence[SimDie], strength: float) -> _Attempt:
    world = World(stage.scene, (*stage.lying, *dice), things=stage.things, sticks=stage.sticks)
    release, aim = _choose_aim(stage)
    positions, over = _bunch(stage, len(dice)), np.array([*release, RELEASED_MM])
    speed = float(stage.rng.uniform(*SPEED_MM_S)) * strength
    for i, position in enumerate(positions, len(stage.lying)):
        rotation = random_rotation(stage.rng)
        velocity = np.array([*(aim * speed), -60.0]) + stage.rng.normal(0, SPEED_NOISE_MM_S, 3)
        world.place(i, position + over, rotation, velocity, stage.rng.normal(0, SPIN_RAD_S, 3))
    motion = world.simulate(stage.fps)
    lost = sum(not in_tray(die, stage.scene) for die in world.dice_after(motion)[len(stage.lying) :])
    return _Attempt(world, motion, release, _disturbed(stage, motion) + lost)


def _simulate_sticks(stage: Stage, sticks: Sequence[SimStick], strength: float) -> _Attempt:
    """The sticks leave the hand one over the other, each rolled about its length by any angle."""
    world = World(stage.scene, stage.lying, things=stage.things, sticks=(*stage.sticks, *sticks))
    release, aim = _choose_aim(stage, STICK_SPREAD)
    over, speed = release + aim * STICKS_AHEAD_MM, float(stage.rng.uniform(*STICK_SPEED_MM_S)) * strength
    across_rad = float(np.arctan2(aim[1], aim[0])) + np.pi / 2 * int(stage.rng.choice((-1, 1)))
    first = len(stage.lying) + len(stage.sticks)
    for n in range(len(sticks)):
        yaw_rad = across_rad + float(stage.rng.normal(0, STICK_YAW_RAD))
        rotation = stick_rotation(
            yaw_rad, float(stage.rng.normal(0, STICK_PITCH_RAD)), float(stage.rng.uniform(0, 2 * np.pi))
        )
        velocity = np.array([*(aim * speed), -60.0]) + stage.rng.normal(0, STICK_SPEED_NOISE_MM_S, 3)
        spin = rotation @ (stage.rng.standard_normal(3) * STICK_SPIN_RAD_S)
        ahead = ((len(sticks) - 1) / 2 - n) * FANNED_MM * aim
        centre = np.array([*(over + ahead), RELEASED_MM + n * STICK_GAP_MM])
        world.place(first + n, centre, rotation, velocity, spin)
    motion = world.simulate(stage.fps)
    thrown = world.sticks_after(motion)[len(stage.sticks) :]
    failed = sum(_leans(stick) or not _all_in_tray(stick, stage.scene) for stick in thrown)
    crossed = sum(stick.z_mm is not None for stick in thrown)
    return _Attempt(world, motion, release, _disturbed(stage, motion) + failed, crossed)


def _leans(stick: SimStick) -> bool:
    """Whether the stick leans on its end or on its edge, more than one that lies across another."""
    return bool(max(abs(np.sin(stick.pitch_rad)), abs(np.sin(stick.roll_rad))) > np.sin(MAX_LEAN_RAD))


def _all_in_tray(stick: SimStick, scene: Scene) -> bool:
    """Whether both ends are over the tray's floor: none lies on the rim."""
    return bool((np.abs(points_along(stick)) < np.array(scene.tray_mm) / 2).all())


def _disturbed(stage: Stage, motion: Motion) -> int:
    """The number of dice and sticks that lay on the tray and moved."""
    return sum(motion.dice.moved()[: len(stage.lying)]) + sum(motion.sticks.moved()[: len(stage.sticks)])


def _choose_aim(stage: Stage, spread: float = 1.0) -> tuple[Floats, Floats]:
    """Point of release, (2,) mm, and direction, (2,), with the largest clearance of a few random ones.

    spread: how far to the side they may be, 1 for dice.
    """
    aims = [_random_aim(stage, spread) for _ in range(1 if not stage.lying else 8)]
    return max(aims, key=lambda choice: _clearance_mm(stage, *choice))


def _random_aim(stage: Stage, spread: float) -> tuple[Floats, Floats]:
    half = np.array(stage.scene.tray_mm) / 2
    across = np.array([-stage.arm[1], stage.arm[0]])
    depth, breadth = float(np.abs(stage.arm) @ half), spread * float(np.abs(across) @ half)
    release = stage.arm * (depth - INSIDE_RIM_MM) + across * breadth * stage.rng.uniform(-0.55, 0.55)
    target = across * breadth * stage.rng.uniform(-0.6, 0.6) - stage.arm * depth * stage.rng.uniform(
        -0.2, 0.7
    )
    return release, (target - release) / np.linalg.norm(target - release)


def _clearance_mm(stage: Stage, release: Floats, aim: Floats) -> float:
    """Distance of the nearest lying die from the line of the throw, mm."""
    length = 1.1 * min(stage.scene.tray_mm)
    positions = np.array([[die.x_mm, die.y_mm] for die in stage.lying]).reshape(-1, 2) - release
    along = np.clip(positions @ aim, 0, length)
    return float(np.linalg.norm(positions - along[:, None] * aim, axis=1).min(initial=1e3))


def _bunch(stage: Stage, n: int) -> Floats:
    """(n, 3) mm: positions of dice in a hand, shuffled, in layers of up to eight with staggered rows."""
    gap, angle_rad = BUNCH_SIDES * stage.scene.die_mm, float(stage.rng.uniform(-0.5, 0.5))
    back = rotation_about_z(angle_rad)[:2, :2] @ -stage.arm
    across = np.array([back[1], -back[0]])
    per_row = int(min(4, np.ceil(np.sqrt(n))))
    positions = []
    for i in range(n):
        layer, row, column = i // (2 * per_row), i % (2 * per_row) // per_row, i % per_row
        flat = across * (column - (min(n, per_row) - 1) / 2 + row / 2) * gap + back * row * gap
        positions.append((*flat, layer * gap))
    return np.array(positions)[stage.rng.permutation(n)]


def _throw_frames(stage: Stage, attempt: _Attempt) -> Iterator[FrameState]:
    """The frames of a throw: the hand comes over the rim and releases what it holds, which rolls to rest."""
    waiting = (*stage.outside(attempt.release), HOVER_MM)
    over = (*attempt.release, HOVER_MM + 10)
    for _ in range(round(SHAKE_S * stage.fps)):
        yield stage.frame_state(stage.lying)
    coming = Route(waiting, (RELEASE_S, over))
    for frame in range(1, round(RELEASE_S * stage.fps) + 1):
        yield stage.frame_state(stage.lying, hand=hand_at(stage, coming, "open", frame))
    yield from motion_frames(stage, attempt.world, attempt.motion, Route(over, (FOLLOW_S, waiting)), "open")
