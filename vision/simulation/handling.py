"""Acts of a hand without a throw: slide, tidy, knock, flick, turn, lay down and tip dice; push a stick."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from vision.simulation.acting import (
    HOVER_MM,
    REACH_S,
    Act,
    FrameState,
    Piece,
    PieceOutcome,
    Point,
    Route,
    Stage,
    in_tray,
    motion_frames,
    motion_states,
    outcomes_of,
    stick_outcomes_of,
    up,
)
from vision.simulation.dice import SimDie, body_of, resting_rotation
from vision.simulation.geometry import half_height, rotation_about
from vision.simulation.physics import EDGE_HALF_MM, FINGER_RADIUS_MM, Held, Tool
from vision.simulation.view import Floats
from vision.tracking.tracks import LossReason, TrackOutcome

SLIDE_MM_S, MIN_SLIDE_S = 190.0, 0.25
"""Speed of a finger that pushes a die, and the minimum duration of a push."""
TIDY_MM_S = 150.0
"""Speed of a hand that pulls dice together."""
KNOCK_MM_S, FLICK_MM_S = 200.0, 520.0
"""Speed of a finger that knocks a die, and of one that flicks it."""
KNOCK_MM, FLICK_MM = 26.0, 22.0
"""Distance that a finger continues after it meets the die."""
APPROACH_MM = 9.0
"""Distance from the die at which a finger touches the floor before it pushes."""
STICK_APPROACH_MM, STICK_PUSH_MM, STICK_FINGER_MM = 4.0, (18.0, 45.0), 0.5
"""Distance from a stick at which a finger comes down, how far it pushes the stick, and its height then."""
LIFT_MM = 24.0
"""Height to which a die is lifted to be turned."""
GRIP_S, TURN_S, LOWER_S = 0.16, 0.4, 0.3
"""Time in which fingers close on a die, turn it, and lower it."""
DROP_MM = 0.4
"""Height over the floor at which fingers release a die."""
TIDY_RADIUS_MM = 30.0
"""Dice closer to the median of all dice than this are tidy."""
CLEARANCE_MM = 13.0
"""Minimum distance between the edge of the hand and the centre of a die where the hand comes down."""
MAX_STROKES = 5
"""Maximum number of strokes that pull dice together."""
TIP_RAD_S = 25.0
"""A spin just large enough to tip a die over its edge."""


def slide(stage: Stage, i: int, to_mm: Point) -> Act:
    """A fingertip slides die `i` to a point.

    The die keeps its face, rotates a little, and pushes other dice aside.
    """
    die = stage.lying[i]
    body = body_of(die, stage.scene)
    start, end = np.array([die.x_mm, die.y_mm, 0.0]), np.array([to_mm[0], to_mm[1], 0.0])
    seconds = max(float(np.linalg.norm(end - start)) / SLIDE_MM_S, MIN_SLIDE_S)
    top = body.side + 1
    route = Route(
        (*stage.outside(start), HOVER_MM), (REACH_S, start + up(top)), (0.1, start + up(top)),
        (seconds, end + up(top)), (0.1, end + up(top)), (REACH_S, (*stage.outside(end), HOVER_MM)),
    )  # fmt: skip
    grip_s, swivel = REACH_S + 0.1, float(stage.rng.uniform(-0.6, 0.6))
    ground = Route(start, (grip_s, start), (seconds, end))

    def at(now: float) -> Floats:
        return ground(now) + up(float(body.centre[2]))

    def rotation(now: float) -> Floats:
        share = float(np.clip((now - grip_s) / seconds, 0, 1))
        return rotation_about(up(1.0), swivel * share) @ body.rotation

    return _hand_act(stage, "slide", route, "finger", held={i: Held(at, rotation, grip_s + seconds)})


def tidy(stage: Stage) -> Act:
    """The edge of the hand pulls scattered dice towards the median of all dice, stroke by stroke."""
    middle, now, acts = np.median(_dice_xy(stage), axis=0), stage, list[Act]()
    for _ in range(MAX_STROKES):
        stroke = _next_stroke(_dice_xy(now), middle)
        if stroke is None:
            break
        acts.append(_pull_act(now, *stroke, first=not acts))
        now = replace(now, lying=acts[-1].lying, sticks=acts[-1].sticks)
    over, outside = (*middle, HOVER_MM), (*stage.outside(middle), HOVER_MM)
    retreat = Route(over, (REACH_S, outside)) if acts else Route(outside, (REACH_S, over), (REACH_S, outside))
    acts.append(_hand_act(now, "tidy", retreat, "flat"))
    return joined("tidy", stage, acts)


def _dice_xy(stage: Stage) -> Floats:
    """(n, 2) mm: the centres of the dice in the tray."""
    return np.array([[die.x_mm, die.y_mm] for die in stage.lying if in_tray(die, stage.scene)]).reshape(-1, 2)


def _free_point(dice_xy: Floats, start: Floats, direction: Floats) -> Floats | None:
    """The first point in this direction where the edge of the hand clears all dice; None within 44 mm."""
    across = np.array([-direction[1], direction[0]])
    for reach_mm in np.arange(0.0, 44.0, 4.0):
        point = start + direction * reach_mm
        clear = np.abs((dice_xy - point) @ across) > EDGE_HALF_MM[0] + CLEARANCE_MM
        if (clear | (np.abs((dice_xy - point) @ direction) > EDGE_HALF_MM[1] + CLEARANCE_MM)).all():
            return np.asarray(point)
    return None


def _next_stroke(dice_xy: Floats, middle: Floats) -> tuple[Floats, Floats, float] | None:
    """Start, end and yaw of the stroke that pulls the farthest die inwards; None when all dice are tidy."""
    for xy_mm in sorted(dice_xy, key=lambda s: -float(np.linalg.norm(s - middle))):
        offset = xy_mm - middle
        if np.linalg.norm(offset) < TIDY_RADIUS_MM:
            return None
        direction = offset / np.linalg.norm(offset)
        start = _free_point(dice_xy, xy_mm + direction * (EDGE_HALF_MM[1] + CLEARANCE_MM), direction)
        if start is not None:
            return (
                start,
                middle + direction * (EDGE_HALF_MM[1] + TIDY_RADIUS_MM * 0.7),
                float(np.arctan2(offset[1], offset[0])),
            )
    return None


def _pull_act(stage: Stage, start: Floats, end: Floats, yaw: float, first: bool) -> Act:
    """One stroke. The hand stays over the tray between strokes."""
    approach = (*stage.outside(start), HOVER_MM) if first else (*start, HOVER_MM)
    seconds = float(np.linalg.norm(end - start)) / TIDY_MM_S
    over = (REACH_S if first else 0.15, (*start, HOVER_MM))
    route = Route(approach, over, (0.14, (*start, 1.0)), (seconds, (*end, 1.0)), (0.12, (*end, HOVER_MM)))
    return _hand_act(stage, "tidy", route, "flat", Tool("edge", yaw))


def knock(stage: Stage, i: int, towards_rad: float | None = None) -> Act:
    """A passing finger hits die `i` and continues a little."""
    return _hit_act(stage, "knock", i, towards_rad, KNOCK_MM_S, KNOCK_MM, 2.0)


def flick(stage: Stage, i: int, towards_rad: float | None = None) -> Act:
    """A finger hits die `i` hard, and high enough that it may tumble."""
    return _hit_act(stage, "flick", i, towards_rad, FLICK_MM_S, FLICK_MM, float(stage.rng.uniform(2, 6)))


def _hit_act(
    stage: Stage,
    name: str,
    i: int,
    towards_rad: float | None,
    speed_mm_s: float,
    overshoot_mm: float,
    height_mm: float,
) -> Act:
    die = stage.lying[i]
    angle = float(stage.rng.uniform(0, 2 * np.pi)) if towards_rad is None else towards_rad
    direction, xy_mm = np.array([np.cos(angle), np.sin(angle)]), np.array([die.x_mm, die.y_mm])
    side = die.side_mm or stage.scene.die_mm
    start = xy_mm - direction * (0.71 * side + FINGER_RADIUS_MM + APPROACH_MM)
    end = xy_mm + direction * (overshoot_mm - FINGER_RADIUS_MM - side / 2)
    return _finger_act(stage, name, start, end, speed_mm_s, height_mm)


def push_stick(stage: Stage, i: int) -> Act:
    """A finger pushes stick `i` sideways, near its middle and towards the middle of the tray."""
    stick = stage.sticks[i]
    along = np.array([np.cos(stick.yaw_rad), np.sin(stick.yaw_rad)])
    xy_mm = np.array([stick.x_mm, stick.y_mm])
    across = np.array([-along[1], along[0]])
    across = across if across @ xy_mm < 0 else -across
    touch = xy_mm + along * float(stage.rng.uniform(-0.3, 0.3)) * stick.style.length_mm
    reach_mm = stick.style.width_mm / 2 + FINGER_RADIUS_MM
    start = touch - across * (reach_mm + STICK_APPROACH_MM)
    end = touch + across * (float(stage.rng.uniform(*STICK_PUSH_MM)) - reach_mm)
    return _finger_act(stage, "push", start, end, SLIDE_MM_S, STICK_FINGER_MM)


def _finger_act(
    stage: Stage, name: str, start: Floats, end: Floats, speed_mm_s: float, height_mm: float
) -> Act:
    """A finger comes down at the start, moves to the end at this height over the floor, and leaves."""
    seconds = float(np.linalg.norm(end - start)) / speed_mm_s * 1.4
    route = Route(
        (*stage.outside(start), HOVER_MM), (REACH_S, (*start, HOVER_MM)), (0.1, (*start, height_mm)),
        (seconds, (*end, height_mm)), (0.12, (*end, HOVER_MM)), (REACH_S, (*stage.outside(end), HOVER_MM)),
    )  # fmt: skip
    return _hand_act(stage, name, route, "finger", Tool("finger"))


def turn(stage: Stage, i: int, face: int | None = None) -> Act:
    """Two fingers lift die `i`, turn it to another face, and set it down in the same place."""
    die = stage.lying[i]
    face = face or int(stage.rng.choice([f for f in range(1, 7) if f != die.face]))
    body, side = body_of(die, stage.scene), die.side_mm or stage.scene.die_mm
    after = resting_rotation(face, float(stage.rng.uniform(0, 2 * np.pi)))
    axis, angle = _axis_angle(after @ body.rotation.T)
    floor = half_height(after, side, body.look.corner) + max(die.raised_mm, 0) + DROP_MM
    xy_mm, grip_s = np.array([die.x_mm, die.y_mm]), REACH_S + GRIP_S
    raised = body.centre + up(LIFT_MM)
    lifts = Route(
        body.centre, (grip_s, body.centre), (TURN_S / 2, raised), (TURN_S / 2 + LOWER_S, (*xy_mm, floor))
    )
    share = Route((0,), (grip_s, (0,)), (0.1, (0,)), (TURN_S, (1,)))

    def rotation(now: float) -> Floats:
        return rotation_about(axis, angle * float(share(now)[0])) @ body.rotation

    ends = grip_s + TURN_S + LOWER_S
    outside = (*stage.outside(xy_mm), HOVER_MM)
    return _grip_act(stage, "turn", TrackOutcome.TURNED, _Grip(i, lifts, rotation, ends, xy_mm, outside))


def lay_down(stage: Stage, die: SimDie) -> Act:
    """Two fingers bring this die and lay it down flat, with its face, position and yaw."""
    body = body_of(die, stage.scene)
    xy_mm, ends = np.array([die.x_mm, die.y_mm]), REACH_S + LOWER_S
    outside = (*stage.outside(xy_mm), HOVER_MM)
    approach = Route(
        outside, (REACH_S, (*xy_mm, body.centre[2] + LIFT_MM)), (LOWER_S, body.centre + up(DROP_MM))
    )
    staged = replace(stage, lying=(*stage.lying, die))
    return _grip_act(
        staged,
        "lay",
        TrackOutcome.PLACED,
        _Grip(len(stage.lying), approach, lambda _: body.rotation, ends, xy_mm, outside),
        new=True,
    )


@dataclass(frozen=True, eq=False)
class _Grip:
    """Two fingers round die `i`.

    at, rotation: its position and rotation over time, until the release at `ends_s`.
    xy_mm: where it is set down.
    outside: where the fingers come from.
    """

    i: int
    at: Route
    rotation: Callable[[float], Floats]
    ends_s: float
    xy_mm: Floats
    outside: tuple[float, ...]


def _grip_act(stage: Stage, name: str, outcome: TrackOutcome, grip: _Grip, new: bool = False) -> Act:
    """The act of a hand that holds a die: the hand follows the die."""
    top = (stage.lying[grip.i].side_mm or stage.scene.die_mm) * 0.6
    approach = Route(grip.outside, (REACH_S, grip.at(REACH_S) + up(top)))
    end = grip.at(grip.ends_s)
    retreat = Route(end + up(top), (0.12, end + up(top + 8)), (REACH_S, grip.outside))

    def hand(now: float) -> Floats:
        if now > grip.ends_s:
            return retreat(now - grip.ends_s)
        return approach(now) if now < REACH_S and not new else grip.at(now) + up(top)

    route = _FunctionRoute(hand, grip.ends_s + retreat.ends_s)
    act = _hand_act(stage, name, route, "pinch", held={grip.i: Held(grip.at, grip.rotation, grip.ends_s)})
    changed = list(act.outcomes)
    changed[grip.i] = (
        replace(changed[grip.i], outcome=outcome, index=None, before=None)
        if new
        else replace(changed[grip.i], outcome=outcome)
    )
    return replace(act, outcomes=tuple(changed))


class _FunctionRoute(Route):
    """A route given by a function of time."""

    def __init__(self, at: Callable[[float], Floats], ends_s: float) -> None:
        self._at, self._ends_s = at, ends_s

    @property
    def ends_s(self) -> float:
        return self._ends_s

    def __call__(self, now_s: float) -> Floats:
        return self._at(now_s)


def tip(stage: Stage, i: int) -> Act:
    """Die `i` tips over its edge without a hand, as an unstable die does when the table is jolted."""
    world = stage.world()
    body = body_of(stage.lying[i], stage.scene)
    angle = stage.lying[i].yaw_rad + np.pi / 2 * int(stage.rng.integers(4))
    axis = np.array([np.cos(angle), np.sin(angle), 0.0])
    edge = (
        np.array([np.sin(angle), -np.cos(angle), -1.0]) * body.side / 2
    )  # from the centre to the edge it tips over
    world.place(i, body.centre + up(0.2), body.rotation, np.cross(axis * TIP_RAD_S, -edge), axis * TIP_RAD_S)
    motion = world.simulate(stage.fps)
    return stage.act(
        "tip",
        motion_states(stage, world, motion, len(motion)),
        outcomes_of(world, motion),
        stick_outcomes=stick_outcomes_of(world, motion),
    )


def _hand_act(
    stage: Stage,
    name: str,
    route: Route,
    shape: str,
    tool: Tool | None = None,
    held: dict[int, Held] | None = None,
) -> Act:
    """The act of a hand on this route: simulated contact with the dice, and its frames."""
    world = stage.world(tool)
    min_s = route.ends_s if tool or held else 0.0
    motion = world.simulate(stage.fps, route if tool else None, held, min_s)
    frame_states = motion_frames(stage, world, motion, route, shape)
    return stage.act(name, frame_states, outcomes_of(world, motion), shape, stick_outcomes_of(world, motion))


def joined(name: str, stage: Stage, acts: Sequence[Act]) -> Act:
    """Consecutive acts as one act, with each one's outcome over all. No act may add or remove anything."""
    return replace(
        acts[0],
        name=name,
        frame_states=_one_after_another(acts),
        outcomes=_over_all(stage.lying, [act.outcomes for act in acts]),
        stick_outcomes=_over_all(stage.sticks, [act.stick_outcomes for act in acts]),
    )


def _over_all(
    lying: Sequence[Piece], steps: Sequence[Sequence[PieceOutcome[Piece]]]
) -> tuple[PieceOutcome[Piece], ...]:
    """The outcome of each die, or of each stick, over these steps."""
    return tuple(
        _over_steps(i, piece, of_piece)
        for i, (piece, *of_piece) in enumerate(zip(lying, *steps, strict=True))
    )


def _over_steps(i: int, piece: Piece, steps: Sequence[PieceOutcome[Piece]]) -> PieceOutcome[Piece]:
    after, moved = steps[-1].after, any(step.outcome is not TrackOutcome.UNMOVED for step in steps)
    same_face = after is not None and after.face == piece.face
    outcome = TrackOutcome.UNMOVED if not moved else TrackOutcome.MOVED if same_face else TrackOutcome.TIPPED
    last_outcome = next((step.outcome for step in steps if isinstance(step.outcome, LossReason)), outcome)
    travel = float(np.hypot(after.x_mm - piece.x_mm, after.y_mm - piece.y_mm)) if after else 0.0
    return PieceOutcome(i, piece, after, last_outcome, any(step.tumbled for step in steps), travel)


def _one_after_another(acts: Sequence[Act]) -> Iterator[FrameState]:
    for act in acts:
        yield from act.frame_states


def _axis_angle(rotation: Floats) -> tuple[Floats, float]:
    """The axis, (3,), and the angle of a rotation, (3, 3)."""
    angle = float(np.arccos(np.clip((np.trace(rotation) - 1) / 2, -1, 1)))
    if angle > np.pi - 1e-3:
        axis = np.sqrt(np.maximum((np.diag(rotation) + 1) / 2, 0))
        k = int(np.argmax(axis))
        axis = np.copysign(axis, rotation[k]) if axis[k] else np.array([1.0, 0, 0])
        return axis / np.linalg.norm(axis), angle
    axis = np.array(
        [rotation[2, 1] - rotation[1, 2], rotation[0, 2] - rotation[2, 0], rotation[1, 0] - rotation[0, 1]]
    )
    return (axis / np.linalg.norm(axis), angle) if angle > 1e-6 else (np.array([0, 0, 1.0]), 0.0)
