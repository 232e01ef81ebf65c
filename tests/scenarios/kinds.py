"""Kinds of scenarios: what is played in each, and how a scenario is made from its seed."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from tests.scenarios import acts, grounds
from tests.scenarios.cutouts import (
    DieSet,
    chosen_sets,
    drawn_colours,
    drawn_set,
    photographed_set,
    there_are_photographs,
)
from tests.scenarios.hands import some_person
from tests.scenarios.script import Actor, Script
from tests.scenarios.stage import Stage, scaled_die, world_wh
from tests.scenarios.truth import Truth

SIZES = ((640, 480), (640, 480), (800, 600), (800, 600), (960, 720), (1280, 720), (1280, 960))
RATES = (10.0, 15.0, 20.0, 24.0, 25.0, 30.0, 30.0, 30.0, 50.0, 60.0)
DRAWN_SHARE = 0.3
"""Share of the scenarios whose dice the simulation draws, where there are photographs."""
SIDE_SHARE = (0.052, 0.1)
"""A die's side, share of the picture's width."""
MOST_BLOWN_UP = 1.35
"""Dice are shown at most this much larger than in their photograph."""

Kind = Callable[[Script], None]


def throws(s: Script) -> None:
    """Pick up, throw, and again."""
    for _ in range(int(s.rng.integers(1, 4))):
        if s.on_tray and s.rng.random() < 0.8:
            acts.pick_up(s, s.on_tray if s.rng.random() < 0.6 else acts.some(s, s.on_tray, int(s.rng.integers(1, len(s.on_tray) + 1))))
            s.wait(0.1, 0.9)
        if not s.in_hand:
            acts.pick_up(s, acts.some(s, s.on_tray, 1))
        acts.roll(s, s.in_hand, hand=bool(s.rng.random() < 0.6), shake=bool(s.rng.random() < 0.4))
        s.wait(1.1, 1.9)


def first_throw(s: Script) -> None:
    acts.roll(s, s.in_hand or acts.some(s, s.actors, 1), hand=bool(s.rng.random() < 0.6))
    s.wait(1.1, 1.7)


def _before(s: Script) -> None:
    """Something lies there: from the beginning, or thrown first."""
    if s.in_hand:
        first_throw(s)


def _after(s: Script) -> None:
    """Perhaps another throw at the end: what was done before must not spoil it."""
    s.wait(1.0, 1.8)
    if s.rng.random() < 0.5:
        if not s.in_hand:
            acts.pick_up(s, acts.some(s, s.on_tray, int(s.rng.integers(1, len(s.on_tray) + 1))))
            s.wait(0.1, 0.6)
        acts.roll(s, s.in_hand, hand=bool(s.rng.random() < 0.6))
        s.wait(1.2, 1.8)


def around(act: Kind) -> Kind:
    """A scenario of one act between throws."""

    def played(s: Script) -> None:
        _before(s)
        for _ in range(int(s.rng.integers(1, 3))):
            act(s)
            s.wait(0.8, 1.7)
        _after(s)

    return played


def some_die(s: Script) -> Actor:
    return acts.some(s, s.on_tray, 1)[0]


def tidy_few(s: Script) -> None:
    acts.slide(s, acts.some(s, s.on_tray, min(int(s.rng.integers(1, 4)), len(s.on_tray))))


def lay(s: Script) -> None:
    if not s.in_hand:
        acts.pick_up(s, [some_die(s)])
        s.wait(0.3, 1.0)
    acts.lay_down(s, s.in_hand[0])


KINDS: dict[str, Kind] = {
    "throws": throws,
    "pick up": around(lambda s: acts.pick_up(s, acts.some(s, s.on_tray, 1)) if s.on_tray else None),
    "slide": around(lambda s: acts.slide(s, [some_die(s)])),
    "slide several": around(tidy_few),
    "flick": around(lambda s: acts.flick(s, some_die(s))),
    "lay down": around(lay),
    "turn": around(lambda s: acts.turn(s, some_die(s))),
    "cover": around(lambda s: acts.cover(s, some_die(s))),
    "hover": around(acts.hover),
    "bump": around(acts.bump),
}


def made(seed: int, kind: str | None = None, drawn: bool | None = None) -> tuple[Stage, Truth]:
    """The scenario of this seed. kind: None = the seed's own. drawn: True = only what needs no photographs."""
    rng = np.random.default_rng(seed)
    name = kind or list(KINDS)[seed % len(KINDS)]
    photographs = there_are_photographs() and not drawn and bool(rng.random() >= DRAWN_SHARE)
    looks = _looks(rng, photographs)
    size = SIZES[int(rng.integers(len(SIZES)))]
    side = min(float(rng.uniform(*SIDE_SHARE)) * size[0], *(MOST_BLOWN_UP * max(look.sharp_px, 28) for look in looks))
    stage = _stage(rng, size, side, photographs, seed)
    actors = [_actor(rng, looks[int(rng.integers(len(looks)))], side) for _ in range(int(rng.integers(1, 7)))]
    stage.dice = [actor.die for actor in actors]
    script = Script(stage, rng, actors, some_person(rng, float(rng.uniform(0.75, 1.1))))
    script.area = (1.2 * side, 1.2 * side, size[0] - 1.2 * side, size[1] - 1.2 * side)
    script.start_with(len(actors) if rng.random() < 0.4 else 0)
    for actor in script.in_hand:
        script.taken(actor, 0.0)
    script.now = float(rng.uniform(0.9, 1.6))
    KINDS[name](script)
    stage.seconds = script.now + 0.6
    truth = Truth(
        f"{seed} {name}", name, seed, stage.fps, size, side, "+".join(look.name for look in looks), tuple(script.done), tuple(script.acts)
    )
    return stage, truth


def _looks(rng: np.random.Generator, photographs: bool) -> list[DieSet]:
    if not photographs:
        colours = drawn_colours()
        return [drawn_set(rng, str(rng.choice(colours))) for _ in range(int(rng.integers(1, 4)))]
    names = chosen_sets()
    return [photographed_set(names[int(rng.integers(len(names)))]) for _ in range(1 if rng.random() < 0.75 else 2)]


def _stage(rng: np.random.Generator, size: tuple[int, int], side: float, photographs: bool, seed: int) -> Stage:
    ground = (grounds.photographed_ground if photographs and rng.random() < 0.6 else grounds.made_ground)(rng, world_wh(size))
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
