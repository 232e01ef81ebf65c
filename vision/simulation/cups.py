"""A dice cup on the simulated tray: a hand slides it in with dice under it, lifts it, and takes it away."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from vision.simulation.acting import (
    REACH_S,
    Act,
    DieOutcome,
    FrameState,
    Point,
    Route,
    Stage,
    hand_at,
    untouched_outcomes,
    up,
)
from vision.simulation.dice import SimDie
from vision.simulation.things import SIZES_MM, Thing
from vision.tracking.tracks import TrackOutcome

CUP = "cup"
"""The kind of thing that a cup is."""

PITCH_MM = 22.0
"""Distance between the centres of two dice under a cup."""

MOST_UNDER_CUP = 7
"""Number of dice that fit under a cup: one in the middle and six round it."""

WAITS_S, LIFT_S = 0.3, 0.4
"""Time that the cup stands before it is lifted, and time in which it is lifted off the dice."""

LIFT_MM = 45.0
"""Height to which the cup is lifted, so that the dice under it are free."""


@dataclass(frozen=True)
class Cup:
    """A cup with dice under it, out of the camera's view. by: who threw them."""

    by: str
    dice: tuple[SimDie, ...]

    @property
    def faces(self) -> tuple[int, ...]:
        return tuple(die.face for die in self.dice)


def thrown_under_cup(rng: np.random.Generator, by: str, colours: Sequence[str]) -> Cup:
    """A cup with dice of these colours after a throw under it."""
    faces = rng.integers(1, 7, len(colours))
    return Cup(by, tuple(SimDie(int(f), c, 0.0, 0.0) for f, c in zip(faces, colours, strict=True)))


def lift_cup(stage: Stage, dice: Sequence[SimDie], at_mm: Point) -> Act:
    """A hand slides a cup with these dice to this point, and lifts it: they lie as they lay under it."""
    shown = under_cup(stage.rng, dice, at_mm)
    placed = tuple(DieOutcome(None, None, die, TrackOutcome.PLACED) for die in shown)
    outcomes = (*untouched_outcomes(stage.lying), *placed)
    return stage.act("lift a cup", _frames(stage, shown, at_mm), outcomes, "grasp")


def under_cup(rng: np.random.Generator, dice: Sequence[SimDie], at_mm: Point) -> tuple[SimDie, ...]:
    """These dice flat on the floor round this point, none touching another. At most MOST_UNDER_CUP."""
    turn = float(rng.uniform(0, 2 * np.pi))
    ring = [(np.cos(turn + n * np.pi / 3), np.sin(turn + n * np.pi / 3)) for n in range(6)]
    spots = np.array([(0.0, 0.0), *ring])[rng.permutation(MOST_UNDER_CUP)] * PITCH_MM
    return tuple(
        replace(
            die,
            x_mm=float(at_mm[0]) + float(x),
            y_mm=float(at_mm[1]) + float(y),
            yaw_rad=float(rng.uniform(0, 2 * np.pi)),
        )
        for die, (x, y) in zip(dice, spots, strict=False)
    )


def pushed_out(cup: Cup, count: int, chosen: Sequence[int] = ()) -> tuple[SimDie, ...]:
    """The dice that a player pushes out of the cup: the chosen faces, then those of the most common ones."""
    often, left, first = Counter(cup.faces), Counter(chosen), list[SimDie]()
    for die in cup.dice:
        if left[die.face]:
            left[die.face] -= 1
            first.append(die)
    others = [die for die in cup.dice if not any(die is each for each in first)]
    return (*first, *sorted(others, key=lambda die: (-often[die.face], -die.face)))[:count]


def _frames(stage: Stage, shown: Sequence[SimDie], at_mm: Point) -> Iterator[FrameState]:
    """The frames: the cup comes, stands, rises from the dice, and leaves."""
    high = SIZES_MM[CUP][2]
    stands = np.array([float(at_mm[0]), float(at_mm[1]), high])
    beside = np.array([*stage.outside(stands), high])
    route = Route(
        beside,
        (2 * REACH_S, stands),
        (WAITS_S, stands),
        (LIFT_S, stands + up(LIFT_MM)),
        (2 * REACH_S, beside + up(LIFT_MM)),
    )
    for frame in range(1, round(route.ends_s * stage.fps) + 1):
        covered = frame / stage.fps < 2 * REACH_S
        lying = stage.lying if covered else (*stage.lying, *shown)
        yield _with_cup(stage, route, frame, lying, high)
    yield stage.frame_state((*stage.lying, *shown))


def _with_cup(stage: Stage, route: Route, frame: int, lying: Sequence[SimDie], high: float) -> FrameState:
    hand = hand_at(stage, route, "grasp", frame)
    x, y, z = hand.tip_mm
    cup = Thing(CUP, x, y, raised_mm=max(z - high, 0.0))
    return replace(stage.frame_state(lying, hand=hand), held=cup)
