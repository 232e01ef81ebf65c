"""Makes a scenario from its seed: dice, ground, light, camera, person and acts."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from tests.scenarios import grounds, mishaps, things
from tests.scenarios.cutouts import (
    DieSet,
    chosen_sets,
    drawn_colours,
    drawn_set,
    has_photographs,
    photographed_set,
)
from tests.scenarios.hands import random_person
from tests.scenarios.hidden import allow_questions_about_hidden_throws
from tests.scenarios.kinds import KINDS
from tests.scenarios.script import Actor, Script
from tests.scenarios.stage import Stage, scaled_die, world_wh
from tests.scenarios.truth import Truth

Box = tuple[float, float, float, float]
"""x0, y0, x1, y1, px."""

SIZES = ((640, 480), (640, 480), (800, 600), (800, 600), (960, 720), (1280, 720), (1280, 960))
RATES = (10.0, 15.0, 20.0, 24.0, 25.0, 30.0, 30.0, 30.0, 50.0, 60.0)
SMALL_FPS = 15.0
DRAWN_SHARE = 0.3
"""Share of scenarios with rendered dice, where photographs are available."""
SIDE_SHARE = (0.052, 0.1)
"""Side of a die, as a share of the picture's width."""
MAX_ENLARGEMENT = 1.35
"""Largest enlargement of dice over their photograph."""
WITH_TRAY = ("dice beside",)
"""Kinds that need a tray in view; others have one at random."""
MOVED_CAMERA = ("bump",)
"""Kinds in which the tray does not stay in its calibrated place."""
TRAY_SHARE = 0.15
ROOM_BESIDE = 0.075
"""Largest side of a die as a share of the picture's height, so that a tray and dice beside it fit."""
SEVERAL_DICE = (
    "dice beside", "stacked", "cocked", "knock", "knock over", "tidy", "gather and take", "slide several",
)  # fmt: skip
"""Kinds that need at least two dice."""
COUNTS = {
    **dict.fromkeys(SEVERAL_DICE, (2, 7)),
    **dict.fromkeys(("midnight", "midnight turned"), (6, 7)),
    "pig": (1, 2),
}
"""Number of dice, least and most plus one; one to six where it does not matter."""
APART_SIDES, USED_SHARE = 1.6, 0.6
"""Dice come to rest this far apart, in sides, at random places: they find this share of those of a grid."""
GAMES = ("pig", "midnight", "midnight turned")


def make_scenario(
    seed: int, kind: str | None = None, drawn: bool | None = None, small: bool = False
) -> tuple[Stage, Truth]:
    """The scenario of this seed. kind: None takes the seed's own. drawn: True uses no photographs.

    small: the smallest size and few frames a second, for tests.
    """
    rng = np.random.default_rng(seed)
    name = kind or list(KINDS)[seed % len(KINDS)]
    photographs = has_photographs() and not drawn and bool(rng.random() >= DRAWN_SHARE)
    script = _script(rng, name, photographs, seed, small)
    looks = script.looks
    _ambience(script)
    if rng.random() < 0.4 and name not in GAMES:
        script.start_with(int(rng.integers(1, len(script.actors) + 1)))
    for actor in script.in_hand:
        script.taken(actor, 0.0)
    script.now = float(rng.uniform(0.9, 1.6))
    KINDS[name](script)
    allow_questions_about_hidden_throws(script)
    script.stage.seconds = script.now + 0.8
    truth = Truth(
        f"{seed} {name}",
        name,
        seed,
        script.stage.fps,
        script.stage.size_wh,
        script.side,
        looks,
        tuple(script.events),
        tuple(script.acts),
        game=script.game,
        allowed=tuple(script.allowed),
        tray=script.tray,
        calibrated=script.tray is not None
        and name not in MOVED_CAMERA
        and (name in WITH_TRAY or bool(rng.random() < 0.5)),
    )
    return script.stage, truth


def _script(rng: np.random.Generator, kind: str, photographs: bool, seed: int, small: bool) -> Script:
    """An empty script: a stage with its ground, dice in the hand, and the person."""
    looks = _looks(rng, photographs)
    size = SIZES[0] if small else SIZES[int(rng.integers(len(SIZES)))]
    side = min(
        float(rng.uniform(*SIDE_SHARE)) * size[0],
        *(MAX_ENLARGEMENT * max(look.sharp_px, 28) for look in looks),
    )
    with_tray = kind in WITH_TRAY or rng.random() < TRAY_SHARE
    if kind in WITH_TRAY:
        side = min(side, ROOM_BESIDE * size[1])
    inset = float(rng.uniform(2.6, 3.6) if kind in WITH_TRAY else rng.uniform(0.6, 2)) * side
    tray = (inset, inset, size[0] - inset, size[1] - inset) if with_tray else None
    stage = _stage(rng, size, side, photographs, seed)
    if small:
        stage.fps = SMALL_FPS
        stage.shutter_s = min(stage.shutter_s, 0.9 / SMALL_FPS)
    if tray:
        stage.ground = things.tray_ground(
            rng, stage.ground, tray, stage.margin, float(rng.uniform(0.35, 0.8)) * side
        )
    count = int(rng.integers(*COUNTS.get(kind, (1, 7))))
    side = _side_with_room(count, tray or (0, 0, *size), side)
    if side != stage.side:
        stage = replace(stage, side=side)
    actors = [_actor(rng, looks[int(rng.integers(len(looks)))], side) for _ in range(count)]
    stage.dice = [actor.die for actor in actors]
    script = Script(stage, rng, actors, random_person(rng, float(rng.uniform(0.75, 1.1))), tray=tray)
    script.looks = "+".join(look.name for look in looks)
    script.area = _area(tray or (0, 0, *size), side)
    return script


def _side_with_room(count: int, place: Box, side: float) -> float:
    """The side of a die, px, made smaller where so many would lie on one another in this place."""
    while True:
        x0, y0, x1, y1 = _area(place, side)
        columns, rows = (int(length / (APART_SIDES * side)) + 1 for length in (x1 - x0, y1 - y0))
        if USED_SHARE * columns * rows >= count:
            return side
        side *= 0.95


def _area(place: Box, side: float) -> Box:
    """The part of this place where the middles of dice may lie, px."""
    (x0, y0, x1, y1), room = place, 1.2 * side
    return x0 + room, y0 + room, max(x1 - room, x0 + 1.1 * room), max(y1 - room, y0 + 1.1 * room)


def _ambience(script: Script) -> None:
    """Adds slightly unsteady light to some scenarios of any kind."""
    rng, stage = script.rng, script.stage
    if rng.random() < 0.2:
        stage.lights.append(mishaps.bands(rng, float(rng.uniform(0.01, 0.04)), stage.fps))
    if rng.random() < 0.2:
        stage.lights.append(mishaps.lamp(0.0, float(rng.uniform(0.8, 1.2)), float(rng.uniform(8, 20))))
    if rng.random() < 0.2:
        stage.lights.append(mishaps.hand_dims(script, float(rng.uniform(0.88, 1.12))))
    if rng.random() < 0.12:
        stage.lights.append(mishaps.window_shadow(rng, stage.size_wh))


def _looks(rng: np.random.Generator, photographs: bool) -> list[DieSet]:
    if not photographs:
        colours = drawn_colours()
        return [drawn_set(rng, str(rng.choice(colours))) for _ in range(int(rng.integers(1, 4)))]
    names = chosen_sets()
    return [
        photographed_set(names[int(rng.integers(len(names)))]) for _ in range(1 if rng.random() < 0.75 else 2)
    ]


def _stage(
    rng: np.random.Generator, size: tuple[int, int], side: float, photographs: bool, seed: int
) -> Stage:
    ground = (grounds.photographed_ground if photographs and rng.random() < 0.6 else grounds.make_ground)(
        rng, world_wh(size)
    )
    fps = RATES[int(rng.integers(len(RATES)))]
    angle = rng.uniform(0, 2 * np.pi)
    return Stage(
        size, fps, ground, side,
        shutter_s=min(float(rng.choice([1 / 200, 1 / 100, 1 / 60, 1 / 33])), 0.9 / fps),
        noise=0.0 if rng.random() < 0.2 else float(rng.uniform(0.5, 5)),
        jpeg=int(rng.integers(72, 96)) if rng.random() < 0.3 else None,
        light_xy=(0.14 * float(np.cos(angle)), 0.14 * float(np.sin(angle))),
        seed=seed,
    )  # fmt: skip


def _actor(rng: np.random.Generator, look: DieSet, side: float) -> Actor:
    return Actor(scaled_die(look.one_die(rng), side), look.faces)
