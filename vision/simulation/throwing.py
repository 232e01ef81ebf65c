"""Throwing: dice leave a hand over the rim, fall, tumble, push one another and come to rest, all worked out before it is shown.

A careful hand throws where nothing lies that it is to leave alone, and of a few throws that it might make it makes the first that
disturbs no such die and loses none. Which faces come up has no part in that choice: the engine does not know them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from vision.simulation.acting import HOVER_MM, Act, Fated, Pose, Route, Stage, fates_of, hand_on, in_tray, led
from vision.simulation.dice import SimDie, turned_about_z
from vision.simulation.physics import Motion, World, any_turn
from vision.simulation.view import Floats
from vision.tracks import Fate, Leaving

SHAKE_S = 0.25
"""Between picking up and throwing."""
RELEASE_S = 0.17
"""The hand comes over the rim before the dice leave it."""
FOLLOW_S = 0.27
"""The hand goes back while the dice roll."""

CAREFUL_TRIES = 6
"""Throws that a careful hand thinks of; a dozen dice take 40 ms each on a desktop, and most throws are the first."""

SPEED_MM_S = (430.0, 850.0)
"""How fast dice leave a hand over a tray: slower they drop, faster they jump a rim of 17 mm."""
CARELESS = 1.7
"""A careless hand throws so much harder."""
STRAY_MM_S = 110.0
"""How much faster, slower or more to one side single dice go."""
SPIN_RAD_S = 22.0
"""How dice spin about every axis as they leave the hand: a turn or two in the air."""
BUNCH_SIDES = 1.5
"""Distance of dice in the hand, in sides: turned anyhow, rounded cubes do not touch."""
RELEASED_MM, INSIDE_MM = 42.0, 20.0
"""How high over the floor the lowest dice leave the hand, and how far inside the rim."""


def thrown(stage: Stage, dice: Sequence[SimDie], careful: bool = True) -> Act:
    """These dice are thrown among those that lie there. Faces, places and what becomes of the others come from the physics."""
    tries = [_tried(stage, dice, 1.0 if careful else CARELESS)]
    while careful and tries[-1][2] and len(tries) < CAREFUL_TRIES:
        tries.append(_tried(stage, dice, 1.0))
    world, motion, _, release = min(tries, key=lambda tried: tried[2])
    fated = fates_of(world, motion)
    n = len(stage.lying)
    came = tuple(_thrown(f, stage) for f in fated[n:])
    return stage.act("throw", _shown(stage, world, motion, release), fated[:n] + came, "open")


def _thrown(fated: Fated, stage: Stage) -> Fated:
    assert fated.now is not None
    fate = Fate.THROWN if in_tray(fated.now, stage.scene) else Leaving.ROLLED_OUT
    return replace(fated, place=None, was=None, fate=fate, tumbled=True)


def _tried(stage: Stage, dice: Sequence[SimDie], harder: float) -> tuple[World, Motion, int, Floats]:
    """One throw: how it went, what is wrong with it (dice disturbed and lost), and where the hand let go."""
    world = World(stage.scene, (*stage.lying, *dice), things=stage.things)
    release, aim = _aimed(stage)
    spots, over = _bunch(stage, len(dice)), np.array([*release, RELEASED_MM])
    speed = float(stage.rng.uniform(*SPEED_MM_S)) * harder
    for i, spot in enumerate(spots, len(stage.lying)):
        turn = any_turn(stage.rng)
        away = np.array([*(aim * speed), -60.0]) + stage.rng.normal(0, STRAY_MM_S, 3)
        world.put(i, spot + over, turn, away, stage.rng.normal(0, SPIN_RAD_S, 3))
    motion = world.played(stage.fps)
    lost = sum(not in_tray(die, stage.scene) for die in world.lying(motion)[len(stage.lying) :])
    return world, motion, sum(motion.stirred()[: len(stage.lying)]) + lost, release


def _aimed(stage: Stage) -> tuple[Floats, Floats]:
    """Where the hand lets go, (2,) mm, and which way it throws, (2,): of a few the one that keeps furthest from what lies there."""
    ways = [_way(stage) for _ in range(1 if not stage.lying else 8)]
    return max(ways, key=lambda way: _room(stage, *way))


def _way(stage: Stage) -> tuple[Floats, Floats]:
    half = np.array(stage.scene.tray_mm) / 2
    across = np.array([-stage.arm[1], stage.arm[0]])
    depth, breadth = float(np.abs(stage.arm) @ half), float(np.abs(across) @ half)
    release = stage.arm * (depth - INSIDE_MM) + across * breadth * stage.rng.uniform(-0.55, 0.55)
    target = across * breadth * stage.rng.uniform(-0.6, 0.6) - stage.arm * depth * stage.rng.uniform(
        -0.2, 0.7
    )
    return release, (target - release) / np.linalg.norm(target - release)


def _room(stage: Stage, release: Floats, aim: Floats) -> float:
    """How far the nearest lying die is from the way the dice will take, mm."""
    length = 1.1 * min(stage.scene.tray_mm)
    spots = np.array([[die.x_mm, die.y_mm] for die in stage.lying]).reshape(-1, 2) - release
    along = np.clip(spots @ aim, 0, length)
    return float(np.linalg.norm(spots - along[:, None] * aim, axis=1).min(initial=1e3))


def _bunch(stage: Stage, n: int) -> Floats:
    """(n, 3) mm places of dice in a hand, in layers of up to eight whose rows stand in each other's gaps, shaken and somehow turned."""
    gap, askew = BUNCH_SIDES * stage.scene.die_mm, float(stage.rng.uniform(-0.5, 0.5))
    back = turned_about_z(askew)[:2, :2] @ -stage.arm
    across = np.array([back[1], -back[0]])
    wide = int(min(4, np.ceil(np.sqrt(n))))
    spots = []
    for i in range(n):
        layer, row, column = i // (2 * wide), i % (2 * wide) // wide, i % wide
        flat = across * (column - (min(n, wide) - 1) / 2 + row / 2) * gap + back * row * gap
        spots.append((*flat, layer * gap))
    return np.array(spots)[stage.rng.permutation(n)]


def _shown(stage: Stage, world: World, motion: Motion, release: Floats) -> Iterator[Pose]:
    """The hand comes to the rim and lets go; the dice fall and roll, and at the end lie with the others."""
    waiting = (*stage.outside(release), HOVER_MM)
    over = (*release, HOVER_MM + 10)
    for _ in range(round(SHAKE_S * stage.fps)):
        yield stage.pose(stage.lying)
    coming = Route(waiting, (RELEASE_S, over))
    for frame in range(1, round(RELEASE_S * stage.fps) + 1):
        yield stage.pose(stage.lying, hand=hand_on(stage, coming, "open", frame))
    yield from led(stage, world, motion, Route(over, (FOLLOW_S, waiting)), "open")
