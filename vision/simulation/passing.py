"""Acts that touch no die: a hand or an arm in view, things that are put down, and a bump of the camera."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from vision.simulation.acting import (
    HOVER_MM,
    REACH_S,
    Act,
    FrameState,
    Point,
    Route,
    Stage,
    hand_at,
    untouched_outcomes,
)
from vision.simulation.things import Thing

TREMOR_MM, TREMOR_HZ = 0.5, 1.1
"""Amplitude and frequency of the tremor of a resting hand."""
BUMP_S, BUMP_HZ = 0.45, 9.0
"""Duration and frequency of the oscillation of a bumped camera."""
ACROSS_S = 0.55
"""Time an arm takes across the tray, one way."""


def wait(stage: Stage, seconds: float) -> Act:
    """Nothing happens for this long."""
    frame_states = (stage.frame_state(stage.lying) for _ in range(round(seconds * stage.fps)))
    return stage.act("wait", frame_states, untouched_outcomes(stage.lying))


def cover(stage: Stage, point: Point, seconds: float) -> Act:
    """A flat hand covers this point for this long, then leaves."""
    over = (float(point[0]), float(point[1]), 18.0)
    outside = (*stage.outside(over[:2]), HOVER_MM)
    return _hand_act(
        "cover", stage, Route(outside, (REACH_S, over), (seconds, over), (REACH_S, outside)), "flat"
    )


def rest_sleeve(stage: Stage, seconds: float) -> Act:
    """An arm rests across a corner of the tray for this long, with its hand out of view."""
    half = np.array(stage.size_wh) / 2 / stage.view.px_per_mm()
    across = np.array([-stage.arm[1], stage.arm[0]])
    side = across * float(np.abs(across) @ half) * 0.8
    beyond = side - stage.arm * float(np.abs(stage.arm) @ half) * 1.12
    outside = (*stage.outside(side), HOVER_MM)
    rest_point = (*beyond, HOVER_MM)
    return _hand_act(
        "sleeve",
        stage,
        Route(outside, (2 * REACH_S, rest_point), (seconds, rest_point), (2 * REACH_S, outside)),
        "fist",
    )


def reach_across(stage: Stage) -> Act:
    """An arm reaches over the tray and back."""
    half = np.array(stage.size_wh) / 2 / stage.view.px_per_mm()
    across = np.array([-stage.arm[1], stage.arm[0]]) * float(stage.rng.uniform(-0.5, 0.5) * half.min())
    far = across - stage.arm * float(np.abs(stage.arm) @ half) * 0.9
    outside = (*stage.outside(across), HOVER_MM)
    return _hand_act(
        "reach across",
        stage,
        Route(outside, (ACROSS_S, (*far, HOVER_MM)), (0.2, (*far, HOVER_MM)), (ACROSS_S, outside)),
        "open",
    )


def put_down(stage: Stage, thing: Thing) -> Act:
    """A hand brings a thing and leaves it."""
    point = (thing.x_mm, thing.y_mm, thing.size_mm[2])
    outside = (*stage.outside(point[:2]), HOVER_MM)
    approach, retreat = Route(outside, (2 * REACH_S, point)), Route(point, (REACH_S, outside))
    things_after = (*stage.things, thing)
    return replace(
        stage.act(
            "put down",
            _put_down_frames(stage, approach, retreat, thing, things_after),
            untouched_outcomes(stage.lying),
            "grasp",
        ),
        things=things_after,
    )


def take_away(stage: Stage, i: int) -> Act:
    """A hand takes thing `i` out of view."""
    thing = stage.things[i]
    point = (thing.x_mm, thing.y_mm, thing.size_mm[2])
    outside = (*stage.outside(point[:2]), HOVER_MM)
    things_after = tuple(other for n, other in enumerate(stage.things) if n != i)
    approach, retreat = Route(outside, (REACH_S, point)), Route(point, (2 * REACH_S, outside))
    frame_states = _take_away_frames(stage, approach, retreat, thing, things_after)
    return replace(
        stage.act("take away", frame_states, untouched_outcomes(stage.lying), "grasp"), things=things_after
    )


def bump(stage: Stage, by_px: tuple[float, float]) -> Act:
    """A bump of the camera: the picture shifts right and down by `by_px`, then oscillates for a while."""
    aim = (stage.aim_px[0] + by_px[0], stage.aim_px[1] + by_px[1])
    phase = float(stage.rng.uniform(-0.4, 0.4))
    return replace(
        stage.act(
            "bump", _bump_frames(replace(stage, aim_px=aim), by_px, phase), untouched_outcomes(stage.lying)
        ),
        aim_px=aim,
    )


def _bump_frames(stage: Stage, by_px: tuple[float, float], phase: float) -> Iterator[FrameState]:
    frames = round(BUMP_S * stage.fps)
    for frame in range(1, frames + 1):
        now, share = frame / stage.fps, frame / frames
        swing = -((1 - share) ** 2) * float(np.cos(2 * np.pi * BUMP_HZ * now + phase))
        yield replace(stage.frame_state(stage.lying), tremble_px=(by_px[0] * swing, by_px[1] * swing))


def _hand_act(name: str, stage: Stage, route: Route, shape: str) -> Act:
    return stage.act(name, _hand_frames(stage, route, shape), untouched_outcomes(stage.lying), shape)


def _hand_frames(stage: Stage, route: Route, shape: str) -> Iterator[FrameState]:
    """The frames of a hand on its route, with a slight tremor."""
    for frame in range(1, round(route.ends_s * stage.fps) + 1):
        hand = hand_at(stage, route, shape, frame)
        tremor = TREMOR_MM * float(np.sin(2 * np.pi * TREMOR_HZ * frame / stage.fps))
        x, y, z = hand.tip_mm
        yield stage.frame_state(stage.lying, hand=replace(hand, tip_mm=(x + tremor, y - 0.6 * tremor, z)))


def _put_down_frames(
    stage: Stage, approach: Route, retreat: Route, thing: Thing, things_after: tuple[Thing, ...]
) -> Iterator[FrameState]:
    for frame in range(1, round(approach.ends_s * stage.fps) + 1):
        yield _with_thing(stage, approach, frame, thing)
    yield from _empty_hand_frames(replace(stage, things=things_after), retreat)


def _take_away_frames(
    stage: Stage, approach: Route, retreat: Route, thing: Thing, things_after: tuple[Thing, ...]
) -> Iterator[FrameState]:
    yield from _empty_hand_frames(stage, approach)
    for frame in range(1, round(retreat.ends_s * stage.fps) + 1):
        yield _with_thing(replace(stage, things=things_after), retreat, frame, thing)


def _empty_hand_frames(stage: Stage, route: Route) -> Iterator[FrameState]:
    for frame in range(1, round(route.ends_s * stage.fps) + 1):
        yield stage.frame_state(stage.lying, hand=hand_at(stage, route, "grasp", frame))


def _with_thing(stage: Stage, route: Route, frame: int, thing: Thing) -> FrameState:
    hand = hand_at(stage, route, "grasp", frame)
    return replace(stage.frame_state(stage.lying, hand=hand), held=thing.at(*hand.tip_mm[:2]))
