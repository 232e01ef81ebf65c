"""Act: what a hand does at the tray, simulated in advance, with its frames and the outcome of every die."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from vision.simulation.dice import DieBody, SimDie
from vision.simulation.hand import Hand, Person
from vision.simulation.physics import SHUTTER, Motion, World
from vision.simulation.scene import LOOKS, Scene
from vision.simulation.things import Thing
from vision.simulation.view import Floats, View, view_of
from vision.tracking.tracks import LossReason, TrackOutcome

Point = Sequence[float] | Floats
"""x, y and optionally z in the tray, mm."""

FRONT_RAD = -np.pi / 2
"""The thrower's side of the tray, the lower border of the picture."""

REACH_S = 0.3
"""Time the hand takes into the tray, and out of it."""
GRAB_S = 0.13
"""Time from one die to the next while picking up."""
HOVER_MM = 52.0
"""Height of moving fingertips over the floor."""
OUT_OF_SIGHT_MM = 40.0
"""Distance of waiting fingertips outside the picture's border."""
MAX_BLUR_PX = 60.0
"""Maximum motion blur, for a die close to the lens."""
MIN_SPIN_DEG = 2.5
"""Minimum rotation during the exposure that is rendered as motion blur."""


@dataclass(frozen=True)
class DieOutcome:
    """The true outcome of one die in an act.

    index: its index among the dice before the act, None for a new one.
    before, after: the die before and after the act; None where it was absent.
    outcome: how it came to lie where it lies, or how it left.
    tumbled: another face was up during the act.
    travel_mm: distance between both positions.
    """

    index: int | None
    before: SimDie | None
    after: SimDie | None
    outcome: TrackOutcome | LossReason
    tumbled: bool = False
    travel_mm: float = 0.0


@dataclass(frozen=True)
class FrameState:
    """Everything that is visible in one frame.

    lying: dice at rest.
    flying: dice in motion.
    hand: None when none is in view.
    things: other objects.
    held: the object in the hand.
    aim_px: shift of the camera by bumps.
    tremble_px: momentary oscillation round that shift.
    """

    lying: tuple[SimDie, ...]
    flying: tuple[DieBody, ...] = ()
    hand: Hand | None = None
    things: tuple[Thing, ...] = ()
    held: Thing | None = None
    aim_px: tuple[float, float] = (0.0, 0.0)
    tremble_px: tuple[float, float] = (0.0, 0.0)


@dataclass(frozen=True, eq=False)
class Act:
    """One act of the hand: its frames and its true outcome.

    outcomes: of every die present before or after the act, in the new order.
    hands: one of each visible shape.
    """

    name: str
    frame_states: Iterator[FrameState]
    outcomes: tuple[DieOutcome, ...]
    things: tuple[Thing, ...] = ()
    aim_px: tuple[float, float] = (0.0, 0.0)
    hands: tuple[Hand, ...] = ()

    @property
    def lying(self) -> tuple[SimDie, ...]:
        return tuple(outcome.after for outcome in self.outcomes if outcome.after)


@dataclass(frozen=True, eq=False)
class Stage:
    """The state of the table before an act, and the person who acts.

    lying, things, aim_px: at the start of the act.
    from_rad: the side the arm comes from, FRONT_RAD = the thrower's.
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

    def outside(self, point: Point) -> tuple[float, float]:
        """A point, mm, outside the picture on the arm's side, from which a hand reaches this point."""
        half = np.array(self.size_wh) / 2 / self.view.px_per_mm() + OUT_OF_SIGHT_MM
        axes = [i for i in (0, 1) if abs(self.arm[i]) > 1e-6]
        steps = [(half[i] * np.sign(self.arm[i]) - point[i]) / self.arm[i] for i in axes]
        offset = self.arm * max(min(steps), 0.0)
        return float(point[0] + offset[0]), float(point[1] + offset[1])

    def act(
        self, name: str, frame_states: Iterator[FrameState], outcomes: tuple[DieOutcome, ...], shape: str = ""
    ) -> Act:
        """An act that changes neither the things nor the camera."""
        hands = (Hand(shape, (0.0, 0.0, 0.0), self.from_rad, self.person),) if shape else ()
        return Act(name, frame_states, outcomes, self.things, self.aim_px, hands)

    def frame_state(
        self, lying: Sequence[SimDie], flying: Sequence[DieBody] = (), hand: Hand | None = None
    ) -> FrameState:
        return FrameState(tuple(lying), tuple(flying), hand, self.things, None, self.aim_px)

    def body(self, motion: Motion, frame: int, i: int, die: SimDie) -> DieBody:
        """Die `i` of the motion in this frame, with its motion blur; at rest after the last frame."""
        row = min(frame, len(motion) - 1)
        position, rotation, opening_position, opening_rotation = (
            field[row, i]
            for field in (
                motion.positions,
                motion.rotations,
                motion.opening_positions,
                motion.opening_rotations,
            )
        )
        side, look = die.side_mm or self.scene.die_mm, die.look or LOOKS[die.colour]
        if row < frame:
            return DieBody(position, rotation, side, look)
        before, now = self.view.project(np.stack([opening_position, position]))
        turned_deg = float(np.degrees(np.linalg.norm(rotation - opening_rotation) / np.sqrt(2)))
        at_opening = (
            DieBody(opening_position, opening_rotation, side, look) if turned_deg > MIN_SPIN_DEG else None
        )
        dx, dy = (float(v) for v in np.clip(now - before, -MAX_BLUR_PX, MAX_BLUR_PX))
        return DieBody(position, rotation, side, look, blur_px=(dx, dy), at_opening=at_opening)


Waypoint = tuple[float, Point]
"""Seconds since the waypoint before, and the point (x, y, z) mm that is reached then."""


class Route:
    """A path through waypoints with ease-in and ease-out at each.

    Calling it with seconds gives the point, mm.
    """

    def __init__(self, start: Point, *waypoints: Waypoint) -> None:
        self._times = np.cumsum([0.0, *(seconds for seconds, _ in waypoints)])
        self._points = np.array([start, *(place for _, place in waypoints)], np.float64)

    @property
    def ends_s(self) -> float:
        return float(self._times[-1])

    def __call__(self, now_s: float) -> Floats:
        n = int(np.clip(np.searchsorted(self._times, now_s, "right") - 1, 0, max(len(self._times) - 2, 0)))
        if len(self._times) == 1:
            return np.asarray(self._points[0])
        span = max(float(self._times[n + 1] - self._times[n]), 1e-9)
        share = 0.5 - 0.5 * float(np.cos(np.pi * np.clip((now_s - self._times[n]) / span, 0, 1)))
        return np.asarray(self._points[n] + (self._points[n + 1] - self._points[n]) * share)


def up(mm: float) -> Floats:
    """(3,) mm: a vector upwards."""
    return np.array([0.0, 0.0, mm])


def hand_at(stage: Stage, route: Callable[[float], Floats], shape: str, frame: int) -> Hand:
    """The hand in this frame of its route."""
    now, before = route(frame / stage.fps), route(max(frame - 1, 0) / stage.fps)
    moved = (now - before) * SHUTTER
    tip = (float(now[0]), float(now[1]), float(now[2]))
    return Hand(shape, tip, stage.from_rad, stage.person, (float(moved[0]), float(moved[1])))


def motion_frames(
    stage: Stage, world: World, motion: Motion, route: Route, shape: str, resting: Sequence[SimDie] = ()
) -> Iterator[FrameState]:
    """The frames of a motion and of the hand that causes it. Unmoved and `resting` dice lie at rest."""
    moved = motion.moved()
    lying = (*resting, *(die for die, moves in zip(world.dice, moved, strict=True) if not moves))
    moving = [(i, die) for i, die in enumerate(world.dice) if moved[i]]
    for frame in range(max(len(motion), round(route.ends_s * stage.fps) + 1)):
        hand = hand_at(stage, route, shape, frame) if frame <= route.ends_s * stage.fps else None
        yield stage.frame_state(lying, [stage.body(motion, frame, i, die) for i, die in moving], hand)


def outcomes_of(world: World, motion: Motion) -> tuple[DieOutcome, ...]:
    """The outcomes of a motion for the dice of a world, in their order."""
    rows = zip(
        world.dice,
        world.dice_after(motion),
        motion.moved(),
        motion.tumbled(),
        motion.travelled_mm(),
        strict=True,
    )
    return tuple(
        DieOutcome(
            n, before, after, _outcome(before, after, moved, world.scene), moved and tumbled, float(mm)
        )
        for n, (before, after, moved, tumbled, mm) in enumerate(rows)
    )


def _outcome(before: SimDie, after: SimDie, moved: bool, scene: Scene) -> TrackOutcome | LossReason:
    if not moved:
        return TrackOutcome.UNMOVED
    if in_tray(before, scene) and not in_tray(after, scene):
        return LossReason.ROLLED_OUT
    return TrackOutcome.MOVED if before.face == after.face else TrackOutcome.TIPPED


def in_tray(die: SimDie, scene: Scene) -> bool:
    """Whether the die's centre is over the tray's floor."""
    return abs(die.x_mm) < scene.tray_mm[0] / 2 and abs(die.y_mm) < scene.tray_mm[1] / 2


def untouched_outcomes(lying: Sequence[SimDie]) -> tuple[DieOutcome, ...]:
    """The outcomes of an act that touches no die."""
    return tuple(DieOutcome(i, die, die, TrackOutcome.UNMOVED) for i, die in enumerate(lying))


def pick_up_dice(stage: Stage, taken: Sequence[int]) -> Act:
    """The hand reaches in, picks up these dice on a short route, and leaves. taken: indices of dice."""
    left_lying = tuple(o for o in untouched_outcomes(stage.lying) if o.index not in taken)
    lifted = tuple(DieOutcome(i, stage.lying[i], None, LossReason.LIFTED) for i in taken)
    return stage.act("pick up", _pick_up_frames(stage, taken), left_lying + lifted, "grasp")


def _pick_up_frames(stage: Stage, taken: Sequence[int]) -> Iterator[FrameState]:
    left = dict(enumerate(stage.lying))
    if not taken:
        return
    start = stage.outside(_xy(stage.lying[taken[0]]))
    at = (*start, HOVER_MM)
    for n, i in enumerate(_nearest_first(stage.lying, taken, start)):
        down = (*_xy(stage.lying[i]), stage.scene.die_mm)
        yield from _grasp_frames(
            stage, tuple(left.values()), Route(at, (REACH_S if n == 0 else GRAB_S, down))
        )
        at = down
        del left[i]
    outside = (*stage.outside(at[:2]), HOVER_MM)
    yield from _grasp_frames(stage, tuple(left.values()), Route(at, (REACH_S, outside)))


def _grasp_frames(stage: Stage, lying: tuple[SimDie, ...], route: Route) -> Iterator[FrameState]:
    for frame in range(1, max(round(route.ends_s * stage.fps), 1) + 1):
        yield stage.frame_state(lying, hand=hand_at(stage, route, "grasp", frame))


def _nearest_first(lying: Sequence[SimDie], taken: Sequence[int], start: Sequence[float]) -> Iterator[int]:
    """The indices of the dice, each the nearest to the one before."""
    left, at = list(taken), tuple(start)
    while left:
        nearest = min(left, key=lambda i: (lying[i].x_mm - at[0]) ** 2 + (lying[i].y_mm - at[1]) ** 2)
        left.remove(nearest)
        at = _xy(lying[nearest])
        yield nearest


def _xy(die: SimDie) -> tuple[float, float]:
    return die.x_mm, die.y_mm
