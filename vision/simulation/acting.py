"""Act: what a hand does at the tray, simulated in advance, with its frames and the outcome of every die."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Generic, TypeVar

import numpy as np

from vision.simulation.dice import SimDie, body_of
from vision.simulation.hand import Hand, Person
from vision.simulation.physics import SHUTTER, Motion, Paths, Tool, World
from vision.simulation.scene import Scene
from vision.simulation.solids import Solid
from vision.simulation.sticks import SimStick, stick_body
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


Piece = TypeVar("Piece", SimDie, SimStick)


@dataclass(frozen=True)
class PieceOutcome(Generic[Piece]):
    """The true outcome of one die, or of one stick, in an act.

    index: its index among the dice or sticks before the act, None for a new one.
    before, after: the die or stick before and after the act; None where it was absent.
    outcome: how it came to lie where it lies, or how it left.
    tumbled: another face was up during the act.
    travel_mm: distance between both positions.
    """

    index: int | None
    before: Piece | None
    after: Piece | None
    outcome: TrackOutcome | LossReason
    tumbled: bool = False
    travel_mm: float = 0.0


DieOutcome = PieceOutcome[SimDie]
StickOutcome = PieceOutcome[SimStick]


@dataclass(frozen=True)
class FrameState:
    """Everything that is visible in one frame.

    lying, sticks: dice and sticks at rest.
    flying: dice and sticks in motion.
    hand: None when none is in view.
    things: other objects.
    held: the object in the hand.
    aim_px: shift of the camera by bumps.
    tremble_px: momentary oscillation round that shift.
    """

    lying: tuple[SimDie, ...]
    flying: tuple[Solid, ...] = ()
    hand: Hand | None = None
    things: tuple[Thing, ...] = ()
    held: Thing | None = None
    aim_px: tuple[float, float] = (0.0, 0.0)
    tremble_px: tuple[float, float] = (0.0, 0.0)
    sticks: tuple[SimStick, ...] = ()


@dataclass(frozen=True, eq=False)
class Act:
    """One act of the hand: its frames and its true outcome.

    outcomes: of every die present before or after the act, in the new order.
    stick_outcomes: the same of the sticks.
    hands: one of each visible shape.
    """

    name: str
    frame_states: Iterator[FrameState]
    outcomes: tuple[DieOutcome, ...]
    things: tuple[Thing, ...] = ()
    aim_px: tuple[float, float] = (0.0, 0.0)
    hands: tuple[Hand, ...] = ()
    stick_outcomes: tuple[StickOutcome, ...] = ()

    @property
    def lying(self) -> tuple[SimDie, ...]:
        return tuple(outcome.after for outcome in self.outcomes if outcome.after)

    @property
    def sticks(self) -> tuple[SimStick, ...]:
        return tuple(outcome.after for outcome in self.stick_outcomes if outcome.after)


@dataclass(frozen=True, eq=False)
class Stage:
    """The state of the table before an act, and the person who acts.

    lying, things, aim_px, sticks: at the start of the act.
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
    sticks: tuple[SimStick, ...] = ()

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

    def world(self, tool: Tool | None = None) -> World:
        """The physics world of everything that lies here."""
        return World(self.scene, self.lying, tool, self.things, self.sticks)

    def act(
        self,
        name: str,
        frame_states: Iterator[FrameState],
        outcomes: tuple[DieOutcome, ...],
        shape: str = "",
        stick_outcomes: tuple[StickOutcome, ...] | None = None,
    ) -> Act:
        """An act that changes neither the things nor the camera. stick_outcomes: None touches no stick."""
        hands = (Hand(shape, (0.0, 0.0, 0.0), self.from_rad, self.person),) if shape else ()
        if stick_outcomes is None:
            stick_outcomes = untouched_outcomes(self.sticks)
        return Act(name, frame_states, outcomes, self.things, self.aim_px, hands, stick_outcomes)

    def frame_state(
        self,
        lying: Sequence[SimDie],
        flying: Sequence[Solid] = (),
        hand: Hand | None = None,
        sticks: Sequence[SimStick] | None = None,
    ) -> FrameState:
        """What one frame shows. sticks: those at rest; None: all."""
        resting = self.sticks if sticks is None else tuple(sticks)
        return FrameState(tuple(lying), tuple(flying), hand, self.things, None, self.aim_px, sticks=resting)

    def in_motion(self, paths: Paths, frame: int, i: int, solid: Solid) -> Solid:
        """Solid `i` of these paths in this frame, with its motion blur; at rest after the last frame."""
        row = min(frame, len(paths) - 1)
        position, rotation, opening_position, opening_rotation = (
            field[row, i]
            for field in (paths.positions, paths.rotations, paths.opening_positions, paths.opening_rotations)
        )
        solid = replace(solid, centre=position, rotation=rotation)
        if row < frame:
            return solid
        before, now = self.view.project(np.stack([opening_position, position]))
        turned_deg = float(np.degrees(np.linalg.norm(rotation - opening_rotation) / np.sqrt(2)))
        at_opening = (
            replace(solid, centre=opening_position, rotation=opening_rotation)
            if turned_deg > solid.min_spin_deg
            else None
        )
        dx, dy = (float(v) for v in np.clip(now - before, -MAX_BLUR_PX, MAX_BLUR_PX))
        return replace(solid, blur_px=(dx, dy), at_opening=at_opening)


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
    stage: Stage, world: World, motion: Motion, route: Route, shape: str
) -> Iterator[FrameState]:
    """The frames of a motion and of the hand that causes it."""
    hand_frames = round(route.ends_s * stage.fps) + 1
    for frame, state in enumerate(motion_states(stage, world, motion, max(len(motion), hand_frames))):
        hand = hand_at(stage, route, shape, frame) if frame <= route.ends_s * stage.fps else None
        yield replace(state, hand=hand)


def motion_states(stage: Stage, world: World, motion: Motion, frames: int) -> Iterator[FrameState]:
    """So many frames of a motion without a hand. What never moves lies at rest."""
    dice_moved, sticks_moved = motion.dice.moved(), motion.sticks.moved()
    lying = [die for die, moves in zip(world.dice, dice_moved, strict=True) if not moves]
    sticks = [stick for stick, moves in zip(world.sticks, sticks_moved, strict=True) if not moves]
    moving: list[tuple[Paths, int, Solid]] = [
        *((motion.dice, i, body_of(die, stage.scene)) for i, die in enumerate(world.dice) if dice_moved[i]),
        *((motion.sticks, i, stick_body(s)) for i, s in enumerate(world.sticks) if sticks_moved[i]),
    ]
    for frame in range(frames):
        flying = [stage.in_motion(paths, frame, i, solid) for paths, i, solid in moving]
        yield stage.frame_state(lying, flying, sticks=sticks)


def outcomes_of(world: World, motion: Motion) -> tuple[DieOutcome, ...]:
    """The outcomes of a motion for the dice of a world, in their order."""
    return _outcomes(world.dice, world.dice_after(motion), motion.dice, world.scene)


def stick_outcomes_of(world: World, motion: Motion) -> tuple[StickOutcome, ...]:
    """The outcomes of a motion for the sticks of a world, in their order."""
    return _outcomes(world.sticks, world.sticks_after(motion), motion.sticks, world.scene)


def _outcomes(
    before: Sequence[Piece], after: Sequence[Piece], paths: Paths, scene: Scene
) -> tuple[PieceOutcome[Piece], ...]:
    rows = zip(before, after, paths.moved(), paths.tumbled(), paths.travelled_mm(), strict=True)
    return tuple(
        PieceOutcome(n, old, new, _outcome(old, new, moved, scene), moved and tumbled, float(mm))
        for n, (old, new, moved, tumbled, mm) in enumerate(rows)
    )


def _outcome(before: Piece, after: Piece, moved: bool, scene: Scene) -> TrackOutcome | LossReason:
    if not moved:
        return TrackOutcome.UNMOVED
    if in_tray(before, scene) and not in_tray(after, scene):
        return LossReason.ROLLED_OUT
    return TrackOutcome.MOVED if before.face == after.face else TrackOutcome.TIPPED


def in_tray(piece: SimDie | SimStick, scene: Scene) -> bool:
    """Whether the centre of the die or stick is over the tray's floor."""
    return abs(piece.x_mm) < scene.tray_mm[0] / 2 and abs(piece.y_mm) < scene.tray_mm[1] / 2


def untouched_outcomes(lying: Sequence[Piece]) -> tuple[PieceOutcome[Piece], ...]:
    """The outcomes of an act that touches no die, or no stick."""
    return tuple(PieceOutcome(i, piece, piece, TrackOutcome.UNMOVED) for i, piece in enumerate(lying))


def pick_up(stage: Stage, dice: Sequence[int], sticks: Sequence[int] = ()) -> Act:
    """The hand reaches in, picks up these dice and sticks on a short route, and leaves. Indices."""
    return stage.act(
        "pick up",
        _pick_up_frames(stage, dice, sticks),
        _without(stage.lying, dice),
        "grasp",
        _without(stage.sticks, sticks),
    )


def _without(lying: Sequence[Piece], taken: Sequence[int]) -> tuple[PieceOutcome[Piece], ...]:
    """The outcomes where these are lifted and the others stay."""
    left_lying = tuple(o for o in untouched_outcomes(lying) if o.index not in taken)
    return left_lying + tuple(PieceOutcome(i, lying[i], None, LossReason.LIFTED) for i in taken)


def _pick_up_frames(stage: Stage, dice: Sequence[int], sticks: Sequence[int]) -> Iterator[FrameState]:
    targets: list[SimDie | SimStick] = [stage.lying[i] for i in dice]
    targets += [stage.sticks[i] for i in sticks]
    left = stage
    if not targets:
        return
    start = stage.outside(_xy(targets[0]))
    at = (*start, HOVER_MM)
    for n, piece in enumerate(_nearest_first(targets, start)):
        down = (*_xy(piece), stage.scene.die_mm)
        yield from _grasp_frames(left, Route(at, (REACH_S if n == 0 else GRAB_S, down)))
        at = down
        left = replace(
            left,
            lying=tuple(die for die in left.lying if die is not piece),
            sticks=tuple(stick for stick in left.sticks if stick is not piece),
        )
    outside = (*stage.outside(at[:2]), HOVER_MM)
    yield from _grasp_frames(left, Route(at, (REACH_S, outside)))


def _grasp_frames(stage: Stage, route: Route) -> Iterator[FrameState]:
    for frame in range(1, max(round(route.ends_s * stage.fps), 1) + 1):
        yield stage.frame_state(stage.lying, hand=hand_at(stage, route, "grasp", frame))


def _nearest_first(
    pieces: Sequence[SimDie | SimStick], start: Sequence[float]
) -> Iterator[SimDie | SimStick]:
    """The dice and sticks, each the nearest to the one before."""
    left, at = list(pieces), tuple(start)
    while left:
        nearest = min(left, key=lambda piece: (piece.x_mm - at[0]) ** 2 + (piece.y_mm - at[1]) ** 2)
        left = [piece for piece in left if piece is not nearest]
        at = _xy(nearest)
        yield nearest


def _xy(piece: SimDie | SimStick) -> tuple[float, float]:
    return piece.x_mm, piece.y_mm
