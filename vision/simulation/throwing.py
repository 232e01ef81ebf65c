"""The act of throwing: dice leave a hand over the rim, fall, tumble, collide and come to rest.

A careful hand aims away from the dice that stay. Of a few simulated throws it takes the first that moves none
of them and loses no die. The faces play no part in this choice, because the physics engine does not know
them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from vision.simulation.acting import (
    HOVER_MM,
    Act,
    DieOutcome,
    FrameState,
    Route,
    Stage,
    hand_at,
    in_tray,
    motion_frames,
    outcomes_of,
)
from vision.simulation.dice import SimDie
from vision.simulation.geometry import rotation_about_z
from vision.simulation.physics import Motion, World, random_rotation
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
RELEASED_MM, INSIDE_RIM_MM = 42.0, 20.0
"""Height of the lowest dice at release, and their distance from the rim."""


def throw_dice(stage: Stage, dice: Sequence[SimDie], careful: bool = True) -> Act:
    """A throw of these dice among the lying ones.

    The physics engine gives the faces, positions and collisions.
    """
    attempts = [_simulate_throw(stage, dice, 1.0 if careful else CARELESS_STRENGTH)]
    while careful and attempts[-1][2] and len(attempts) < CAREFUL_TRIES:
        attempts.append(_simulate_throw(stage, dice, 1.0))
    world, motion, _, release = min(attempts, key=lambda attempt: attempt[2])
    outcomes = outcomes_of(world, motion)
    n = len(stage.lying)
    arrived = tuple(_thrown_outcome(outcome, stage) for outcome in outcomes[n:])
    return stage.act("throw", _throw_frames(stage, world, motion, release), outcomes[:n] + arrived, "open")


def _thrown_outcome(outcome: DieOutcome, stage: Stage) -> DieOutcome:
    assert outcome.after is not None
    arrival = TrackOutcome.THROWN if in_tray(outcome.after, stage.scene) else LossReason.ROLLED_OUT
    return replace(outcome, index=None, before=None, outcome=arrival, tumbled=True)


def _simulate_throw(
    stage: Stage, dice: Sequence[SimDie], strength: float
) -> tuple[World, Motion, int, Floats]:
    """One simulated throw: world, motion, number of dice disturbed or lost, and point of release."""
    world = World(stage.scene, (*stage.lying, *dice), things=stage.things)
    release, aim = _choose_aim(stage)
    positions, over = _bunch(stage, len(dice)), np.array([*release, RELEASED_MM])
    speed = float(stage.rng.uniform(*SPEED_MM_S)) * strength
    for i, position in enumerate(positions, len(stage.lying)):
        rotation = random_rotation(stage.rng)
        velocity = np.array([*(aim * speed), -60.0]) + stage.rng.normal(0, SPEED_NOISE_MM_S, 3)
        world.place_die(i, position + over, rotation, velocity, stage.rng.normal(0, SPIN_RAD_S, 3))
    motion = world.simulate(stage.fps)
    lost = sum(not in_tray(die, stage.scene) for die in world.dice_after(motion)[len(stage.lying) :])
    return world, motion, sum(motion.moved()[: len(stage.lying)]) + lost, release


def _choose_aim(stage: Stage) -> tuple[Floats, Floats]:
    """Point of release, (2,) mm, and direction, (2,), with the largest clearance of a few random ones."""
    aims = [_random_aim(stage) for _ in range(1 if not stage.lying else 8)]
    return max(aims, key=lambda choice: _clearance_mm(stage, *choice))


def _random_aim(stage: Stage) -> tuple[Floats, Floats]:
    half = np.array(stage.scene.tray_mm) / 2
    across = np.array([-stage.arm[1], stage.arm[0]])
    depth, breadth = float(np.abs(stage.arm) @ half), float(np.abs(across) @ half)
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


def _throw_frames(stage: Stage, world: World, motion: Motion, release: Floats) -> Iterator[FrameState]:
    """The frames of a throw: the hand comes over the rim and releases the dice, and they roll to rest."""
    waiting = (*stage.outside(release), HOVER_MM)
    over = (*release, HOVER_MM + 10)
    for _ in range(round(SHAKE_S * stage.fps)):
        yield stage.frame_state(stage.lying)
    coming = Route(waiting, (RELEASE_S, over))
    for frame in range(1, round(RELEASE_S * stage.fps) + 1):
        yield stage.frame_state(stage.lying, hand=hand_at(stage, coming, "open", frame))
    yield from motion_frames(stage, world, motion, Route(over, (FOLLOW_S, waiting)), "open")
