"""Acting: what a hand does at the tray, worked out beforehand: a row of poses, one a frame, and what is true of every die after it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from vision.simulation.dice import Body, SimDie
from vision.simulation.hand import Hand, Person
from vision.simulation.physics import SHUTTER, Motion, World
from vision.simulation.scene import LOOKS, Scene
from vision.simulation.things import Thing
from vision.simulation.view import Floats, View, view_of
from vision.tracks import Fate, Leaving

Place = Sequence[float] | Floats
"""Somewhere in the tray, mm."""

FRONT_RAD = -np.pi / 2
"""The thrower's side of the tray: the lower border of the picture."""

REACH_S = 0.3
"""How long the hand takes into the tray, and out again."""
GRAB_S = 0.13
"""From one die to the next while picking up."""
HOVER_MM = 52.0
"""How high over the floor the fingertips pass."""
OUT_OF_SIGHT_MM = 40.0
"""How far beyond the picture's border the fingertips wait."""
MAX_SMEAR_PX = 60.0
"""A die right before the lens is not smeared further."""
SPIN_SHOWS_DEG = 2.5
"""A die that turns further while the shutter is open is drawn smeared by its turning."""


@dataclass(frozen=True)
class Fated:
    """What became of one die in an act.

    place: where it stood in the lay before, None for one that was not there. was, now: as it lay and lies; None when not there.
    fate: how it came to lie where it lies, or how it went. tumbled: another face was up meanwhile. travel_mm: from place to place.
    """

    place: int | None
    was: SimDie | None
    now: SimDie | None
    fate: Fate | Leaving
    tumbled: bool = False
    travel_mm: float = 0.0


@dataclass(frozen=True)
class Pose:
    """What is to be seen in one frame.

    lying: dice that lie still. flying: those that move. hand: None when none is in sight. things: what else stands about; held: what
    the hand carries. aim_px: where the camera was pushed to, tremble_px: how far it swings from there just now.
    """

    lying: tuple[SimDie, ...]
    flying: tuple[Body, ...] = ()
    hand: Hand | None = None
    things: tuple[Thing, ...] = ()
    held: Thing | None = None
    aim_px: tuple[float, float] = (0.0, 0.0)
    tremble_px: tuple[float, float] = (0.0, 0.0)


@dataclass(frozen=True, eq=False)
class Act:
    """One thing that the hand does: `poses`, and what is true after it.

    fated: every die that was there or came, in the lay's new order. hands: as they are to be seen in it, one of each shape.
    """

    name: str
    poses: Iterator[Pose]
    fated: tuple[Fated, ...]
    things: tuple[Thing, ...] = ()
    aim_px: tuple[float, float] = (0.0, 0.0)
    hands: tuple[Hand, ...] = ()

    @property
    def lying(self) -> tuple[SimDie, ...]:
        return tuple(f.now for f in self.fated if f.now)


@dataclass(frozen=True, eq=False)
class Stage:
    """Where and by whom an act is played.

    lying, things, aim_px: as they are when it begins. from_rad: the side that the arm comes from, FRONT_RAD = the thrower's.
    """

    scene: Scene
    size_wh: tuple[int, int]
    fps: float
    rng: np.random.Generator
    lying: tuple[SimDie, ...]
    person: Person = field(default_factory=Person)
    from_rad: float = FRONT_RAD
    things: tuple[Thing, ...] = ()
    aim_px: tuple[float, float] = (0.0, 0.0)

    @cached_property
    def view(self) -> View:
        return view_of(replace(self.scene, aim_px=self.aim_px), self.size_wh)

    @property
    def arm(self) -> Floats:
        """(2,) unit vector from the tray towards the elbow."""
        return np.array([np.cos(self.from_rad), np.sin(self.from_rad)])

    def outside(self, spot: Place) -> tuple[float, float]:
        """Where a hand on its way to this place, mm, cannot be seen yet."""
        half = np.array(self.size_wh) / 2 / self.view.px_per_mm() + OUT_OF_SIGHT_MM
        steps = [
            (half[i] * np.sign(self.arm[i]) - spot[i]) / self.arm[i]
            for i in (0, 1)
            if abs(self.arm[i]) > 1e-6
        ]
        away = self.arm * max(min(steps), 0.0)
        return float(spot[0] + away[0]), float(spot[1] + away[1])

    def act(self, name: str, poses: Iterator[Pose], fated: tuple[Fated, ...], shape: str = "") -> Act:
        """An act after which things stand and the camera looks as before."""
        hands = (Hand(shape, (0.0, 0.0, 0.0), self.from_rad, self.person),) if shape else ()
        return Act(name, poses, fated, self.things, self.aim_px, hands)

    def pose(self, lying: Sequence[SimDie], flying: Sequence[Body] = (), hand: Hand | None = None) -> Pose:
        return Pose(tuple(lying), tuple(flying), hand, self.things, None, self.aim_px)

    def body(self, motion: Motion, frame: int, i: int, die: SimDie) -> Body:
        """Die `i` of the motion in this frame, smeared by how it moved while the shutter was open; past the end it lies still."""
        row = min(frame, len(motion) - 1)
        at, turn, opened_at, opened_turn = (
            part[row, i] for part in (motion.at, motion.turns, motion.opened_at, motion.opened_turns)
        )
        side, look = die.side_mm or self.scene.die_mm, die.look or LOOKS[die.colour]
        if row < frame:
            return Body(at, turn, side, look)
        before, now = self.view.project(np.stack([opened_at, at]))
        turned = float(np.degrees(np.linalg.norm(turn - opened_turn) / np.sqrt(2)))
        opened = Body(opened_at, opened_turn, side, look) if turned > SPIN_SHOWS_DEG else None
        dx, dy = (float(v) for v in np.clip(now - before, -MAX_SMEAR_PX, MAX_SMEAR_PX))
        return Body(at, turn, side, look, (dx, dy), opened)


Stop = tuple[float, Place]
"""Seconds from the stop before, and the place (x, y, z) mm that is reached then."""


class Route:
    """A way from place to place, easing out and in at every one; callable with seconds."""

    def __init__(self, start: Place, *stops: Stop) -> None:
        self._times = np.cumsum([0.0, *(seconds for seconds, _ in stops)])
        self._places = np.array([start, *(place for _, place in stops)], np.float64)

    @property
    def ends_s(self) -> float:
        return float(self._times[-1])

    def __call__(self, now_s: float) -> Floats:
        n = int(np.clip(np.searchsorted(self._times, now_s, "right") - 1, 0, max(len(self._times) - 2, 0)))
        if len(self._times) == 1:
            return np.asarray(self._places[0])
        span = max(float(self._times[n + 1] - self._times[n]), 1e-9)
        share = 0.5 - 0.5 * float(np.cos(np.pi * np.clip((now_s - self._times[n]) / span, 0, 1)))
        return np.asarray(self._places[n] + (self._places[n + 1] - self._places[n]) * share)


def up(mm: float) -> Floats:
    """(3,) so far above."""
    return np.array([0.0, 0.0, mm])


def hand_on(stage: Stage, route: Callable[[float], Floats], shape: str, frame: int) -> Hand:
    """The hand in this frame of its way."""
    now, before = route(frame / stage.fps), route(max(frame - 1, 0) / stage.fps)
    moved = (now - before) * SHUTTER
    tip = (float(now[0]), float(now[1]), float(now[2]))
    return Hand(shape, tip, stage.from_rad, stage.person, (float(moved[0]), float(moved[1])))


def led(
    stage: Stage, world: World, motion: Motion, route: Route, shape: str, still: Sequence[SimDie] = ()
) -> Iterator[Pose]:
    """Poses of a motion with the hand that makes it; dice that are not stirred, and those in `still`, lie."""
    stirred = motion.stirred()
    lying = (*still, *(die for die, moves in zip(world.dice, stirred, strict=True) if not moves))
    moving = [(i, die) for i, die in enumerate(world.dice) if stirred[i]]
    for frame in range(max(len(motion), round(route.ends_s * stage.fps) + 1)):
        hand = hand_on(stage, route, shape, frame) if frame <= route.ends_s * stage.fps else None
        yield stage.pose(lying, [stage.body(motion, frame, i, die) for i, die in moving], hand)


def fates_of(world: World, motion: Motion) -> tuple[Fated, ...]:
    """What a motion did to dice that lay there, in their order."""
    rows = zip(
        world.dice,
        world.lying(motion),
        motion.stirred(),
        motion.tumbled(),
        motion.travelled_mm(),
        strict=True,
    )
    return tuple(
        Fated(n, was, now, _fate(was, now, stirred, world.scene), stirred and tumbled, float(mm))
        for n, (was, now, stirred, tumbled, mm) in enumerate(rows)
    )


def _fate(was: SimDie, now: SimDie, stirred: bool, scene: Scene) -> Fate | Leaving:
    if not stirred:
        return Fate.LAY
    if in_tray(was, scene) and not in_tray(now, scene):
        return Leaving.ROLLED_OUT
    return Fate.MOVED if was.face == now.face else Fate.TIPPED


def in_tray(die: SimDie, scene: Scene) -> bool:
    """Whether the die's middle is over the tray's floor."""
    return abs(die.x_mm) < scene.tray_mm[0] / 2 and abs(die.y_mm) < scene.tray_mm[1] / 2


def untouched(lying: Sequence[SimDie]) -> tuple[Fated, ...]:
    return tuple(Fated(i, die, die, Fate.LAY) for i, die in enumerate(lying))


def picked_up(stage: Stage, taken: Sequence[int]) -> Act:
    """The hand reaches in, takes these dice one after another on a short way round, and leaves."""
    kept = tuple(Fated(i, die, die, Fate.LAY) for i, die in enumerate(stage.lying) if i not in taken)
    lifted = tuple(Fated(i, stage.lying[i], None, Leaving.LIFTED) for i in taken)
    return stage.act("pick up", _picking(stage, taken), kept + lifted, "grasp")


def _picking(stage: Stage, taken: Sequence[int]) -> Iterator[Pose]:
    left = dict(enumerate(stage.lying))
    if not taken:
        return
    start = stage.outside(_spot(stage.lying[taken[0]]))
    at = (*start, HOVER_MM)
    for n, i in enumerate(_round_trip(stage.lying, taken, start)):
        down = (*_spot(stage.lying[i]), stage.scene.die_mm)
        yield from _over(stage, tuple(left.values()), Route(at, (REACH_S if n == 0 else GRAB_S, down)))
        at = down
        del left[i]
    away = (*stage.outside(at[:2]), HOVER_MM)
    yield from _over(stage, tuple(left.values()), Route(at, (REACH_S, away)))


def _over(stage: Stage, lying: tuple[SimDie, ...], route: Route) -> Iterator[Pose]:
    for frame in range(1, max(round(route.ends_s * stage.fps), 1) + 1):
        yield stage.pose(lying, hand=hand_on(stage, route, "grasp", frame))


def _round_trip(lying: Sequence[SimDie], taken: Sequence[int], start: Sequence[float]) -> Iterator[int]:
    """The dice, always the nearest next."""
    left, at = list(taken), tuple(start)
    while left:
        nearest = min(left, key=lambda i: (lying[i].x_mm - at[0]) ** 2 + (lying[i].y_mm - at[1]) ** 2)
        left.remove(nearest)
        at = _spot(lying[nearest])
        yield nearest


def _spot(die: SimDie) -> tuple[float, float]:
    return die.x_mm, die.y_mm
