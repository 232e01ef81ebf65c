"""Passing: hands and arms that are only in view, things that are put down, and the camera that is bumped. No die is touched."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from vision.simulation.acting import HOVER_MM, REACH_S, Act, Place, Pose, Route, Stage, hand_on, untouched
from vision.simulation.things import Thing

UNREST_MM, UNREST_HZ = 0.5, 1.1
"""How much and how fast a resting hand stirs."""
BUMP_S, BUMP_HZ = 0.45, 9.0
"""A bumped camera swings so fast, and is still after so long."""
ACROSS_S = 0.55
"""An arm's time over the tray, one way."""


def waited(stage: Stage, seconds: float) -> Act:
    """Nothing happens for so long."""
    poses = (stage.pose(stage.lying) for _ in range(round(seconds * stage.fps)))
    return stage.act("wait", poses, untouched(stage.lying))


def covered(stage: Stage, spot: Place, seconds: float) -> Act:
    """A flat hand comes over this place, rests there for so long, and goes."""
    over = (float(spot[0]), float(spot[1]), 18.0)
    away = (*stage.outside(over[:2]), HOVER_MM)
    return _acted("cover", stage, Route(away, (REACH_S, over), (seconds, over), (REACH_S, away)), "flat")


def sleeve_rested(stage: Stage, seconds: float) -> Act:
    """An arm lies across a corner of the tray for so long, its hand out of view."""
    half = np.array(stage.size_wh) / 2 / stage.view.px_per_mm()
    across = np.array([-stage.arm[1], stage.arm[0]])
    side = across * float(np.abs(across) @ half) * 0.8
    beyond = side - stage.arm * float(np.abs(stage.arm) @ half) * 1.12
    away = (*stage.outside(side), HOVER_MM)
    there = (*beyond, HOVER_MM)
    return _acted(
        "sleeve", stage, Route(away, (2 * REACH_S, there), (seconds, there), (2 * REACH_S, away)), "fist"
    )


def reached_across(stage: Stage) -> Act:
    """An arm reaches over the tray for something behind it, and comes back."""
    half = np.array(stage.size_wh) / 2 / stage.view.px_per_mm()
    across = np.array([-stage.arm[1], stage.arm[0]]) * float(stage.rng.uniform(-0.5, 0.5) * half.min())
    far = across - stage.arm * float(np.abs(stage.arm) @ half) * 0.9
    away = (*stage.outside(across), HOVER_MM)
    return _acted(
        "reach across",
        stage,
        Route(away, (ACROSS_S, (*far, HOVER_MM)), (0.2, (*far, HOVER_MM)), (ACROSS_S, away)),
        "open",
    )


def put_down(stage: Stage, thing: Thing) -> Act:
    """A hand brings a thing and leaves it there."""
    spot = (thing.x_mm, thing.y_mm, thing.size_mm[2])
    away = (*stage.outside(spot[:2]), HOVER_MM)
    comes, goes = Route(away, (2 * REACH_S, spot)), Route(spot, (REACH_S, away))
    stays = (*stage.things, thing)
    return replace(
        stage.act("put down", _carried(stage, comes, goes, thing, stays), untouched(stage.lying), "grasp"),
        things=stays,
    )


def taken_away(stage: Stage, i: int) -> Act:
    """A hand comes for thing `i` and takes it out of view."""
    thing = stage.things[i]
    spot = (thing.x_mm, thing.y_mm, thing.size_mm[2])
    away = (*stage.outside(spot[:2]), HOVER_MM)
    left = tuple(other for n, other in enumerate(stage.things) if n != i)
    poses = _fetched(stage, Route(away, (REACH_S, spot)), Route(spot, (2 * REACH_S, away)), thing, left)
    return replace(stage.act("take away", poses, untouched(stage.lying), "grasp"), things=left)


def bumped(stage: Stage, by_px: tuple[float, float]) -> Act:
    """Somebody pushes the camera: the whole picture jumps by so much to the right and downwards, and swings until it is still."""
    aim = (stage.aim_px[0] + by_px[0], stage.aim_px[1] + by_px[1])
    phase = float(stage.rng.uniform(-0.4, 0.4))
    return replace(
        stage.act("bump", _swinging(replace(stage, aim_px=aim), by_px, phase), untouched(stage.lying)),
        aim_px=aim,
    )


def _swinging(stage: Stage, by_px: tuple[float, float], phase: float) -> Iterator[Pose]:
    frames = round(BUMP_S * stage.fps)
    for frame in range(1, frames + 1):
        now, share = frame / stage.fps, frame / frames
        swing = -((1 - share) ** 2) * float(np.cos(2 * np.pi * BUMP_HZ * now + phase))
        yield replace(stage.pose(stage.lying), tremble_px=(by_px[0] * swing, by_px[1] * swing))


def _acted(name: str, stage: Stage, route: Route, shape: str) -> Act:
    return stage.act(name, _seen(stage, route, shape), untouched(stage.lying), shape)


def _seen(stage: Stage, route: Route, shape: str) -> Iterator[Pose]:
    """The hand on its way; where it rests it stirs a little."""
    for frame in range(1, round(route.ends_s * stage.fps) + 1):
        hand = hand_on(stage, route, shape, frame)
        stir = UNREST_MM * float(np.sin(2 * np.pi * UNREST_HZ * frame / stage.fps))
        x, y, z = hand.tip_mm
        yield stage.pose(stage.lying, hand=replace(hand, tip_mm=(x + stir, y - 0.6 * stir, z)))


def _carried(
    stage: Stage, comes: Route, goes: Route, thing: Thing, stays: tuple[Thing, ...]
) -> Iterator[Pose]:
    for frame in range(1, round(comes.ends_s * stage.fps) + 1):
        yield _with_thing(stage, comes, frame, thing)
    yield from _leaving(replace(stage, things=stays), goes)


def _fetched(
    stage: Stage, comes: Route, goes: Route, thing: Thing, left: tuple[Thing, ...]
) -> Iterator[Pose]:
    yield from _leaving(stage, comes)
    for frame in range(1, round(goes.ends_s * stage.fps) + 1):
        yield _with_thing(replace(stage, things=left), goes, frame, thing)


def _leaving(stage: Stage, route: Route) -> Iterator[Pose]:
    for frame in range(1, round(route.ends_s * stage.fps) + 1):
        yield stage.pose(stage.lying, hand=hand_on(stage, route, "grasp", frame))


def _with_thing(stage: Stage, route: Route, frame: int, thing: Thing) -> Pose:
    hand = hand_on(stage, route, "grasp", frame)
    return replace(stage.pose(stage.lying, hand=hand), held=thing.at(*hand.tip_mm[:2]))
