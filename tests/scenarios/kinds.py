"""Kinds of scenarios: what is played in each, and how a scenario is made from its seed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from tests.scenarios import acts, grounds, mishaps, things, throws
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
from tests.scenarios.stage import Failing, Stage, scaled_die, world_wh
from tests.scenarios.throws import Manner
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


# --- what is played around an act


def take(s: Script, most: int = 9) -> None:
    """So many dice are in somebody's hand afterwards, at least one."""
    if not s.in_hand:
        acts.pick_up(s, acts.some(s, s.on_tray, min(int(s.rng.integers(1, len(s.on_tray) + 1)), most)))
        s.wait(0.1, 0.8)


def throw(s: Script) -> None:
    take(s)
    throws.roll(s, s.in_hand)
    s.wait(1.0, 1.8)


def around(act: Kind, most: int = 2, least_dice: int = 1) -> Kind:
    """The act, once or more, after a throw or with dice that lie there from the start, and often before a throw."""

    def played(s: Script) -> None:
        if s.in_hand:
            throw(s)
        for _ in range(int(s.rng.integers(1, most + 1))):
            if len(s.on_tray) >= least_dice:
                act(s)
                s.wait(0.8, 1.8)
        if s.rng.random() < 0.55:
            throw(s)

    return played


def during(begin: Kind) -> Kind:
    """Throws and moves, while something goes on that began with them."""

    def played(s: Script) -> None:
        begin(s)
        for _ in range(int(s.rng.integers(1, 3))):
            throw(s)
            if s.rng.random() < 0.35:
                acts.slide(s, [some_die(s)])
                s.wait(0.8, 1.6)

    return played


def some_die(s: Script) -> Actor:
    return acts.some(s, s.on_tray, 1)[0]


# --- throws


def play(s: Script) -> None:
    for _ in range(int(s.rng.integers(2, 4))):
        throw(s)


def throw_back(s: Script) -> None:
    """Dice thrown again that land near where they lay, show the same faces, or both."""
    throw(s)
    for _ in range(int(s.rng.integers(1, 3))):
        acts.pick_up(s, acts.some(s, s.on_tray, int(s.rng.integers(1, min(len(s.on_tray), 3) + 1))), pause=bool(s.rng.random() < 0.5))
        s.wait(0.05, 0.5)
        near, same, shake = s.rng.random() < 0.6, s.rng.random() < 0.7, s.rng.random() < 0.5
        throws.roll(s, s.in_hand, Manner(near=bool(near), same=bool(same), shake=bool(shake)))
        s.wait(1.0, 1.7)


def knock(s: Script, tips: bool = False) -> None:
    throw(s)
    for _ in range(int(s.rng.integers(1, 3))):
        if len(s.on_tray) > 1 or s.in_hand:
            take(s, len(s.on_tray) - 1)
            throws.knock(s, s.in_hand[0], some_die(s), tips)
            s.wait(1.0, 1.7)


def cocked(s: Script) -> None:
    throw(s)
    take(s, max(len(s.on_tray) - 1, 1))
    if s.on_tray:
        throws.roll_cocked(s, s.in_hand[0], some_die(s), float(s.rng.uniform(0.1, 0.9)))
        s.wait(1.2, 1.8)


def rolls_out(s: Script) -> None:
    throw(s)
    if s.rng.random() < 0.7:
        acts.pick_up(s, s.on_tray)
        s.wait(0.2, 0.6)
    take(s)
    throws.roll_out(s, s.in_hand)
    s.wait(1.2, 1.8)


def stacked(s: Script) -> None:
    throw(s)
    take(s, max(len(s.on_tray) - 1, 1))
    if s.on_tray:
        throws.roll_onto(s, s.in_hand[0], some_die(s))
        s.wait(1.2, 1.8)


# --- hands


def gather(s: Script) -> None:
    acts.tidy(s, acts.some(s, s.on_tray, int(s.rng.integers(2, 6))))


def gather_and_take(s: Script) -> None:
    """As people pick up dice: pushed together first, then all taken."""
    dice = acts.some(s, s.on_tray, int(s.rng.integers(2, 6)))
    acts.tidy(s, dice)
    s.wait(0.0, 0.6)
    acts.pick_up(s, dice)


def slide_few(s: Script) -> None:
    acts.slide(s, acts.some(s, s.on_tray, int(s.rng.integers(2, 4))))


def lay(s: Script) -> None:
    if not s.in_hand:
        acts.pick_up(s, [some_die(s)])
        s.wait(0.3, 1.0)
    acts.lay_down(s, s.in_hand[0])


def arm_in_view(s: Script) -> None:
    """Throws while somebody's arm lies at the border."""
    path = acts.rest_arm(s, float(s.rng.uniform(4, 9)))
    s.wait(0.8, 1.4)
    throw(s)
    s.now = max(s.now, path.times[-1] + 0.3)
    s.wait(0.8, 1.2)
    if s.rng.random() < 0.5:
        throw(s)


# --- camera and light


def failing(kinds: Sequence[Failing], moved: bool) -> Kind:
    """The camera fails for a while, in which dice lie still, or are taken and thrown by nobody's eyes."""

    def act(s: Script) -> None:
        kind = kinds[int(s.rng.integers(len(kinds)))]
        start = s.now
        mishaps.fail(s, kind, 60.0)
        if moved:
            s.wait(0.6, 1.0)
            take(s)
            for die in s.in_hand:
                x, y = s.free_place()
                s.lie(die, x, y, float(s.rng.uniform(0, np.pi)), s.some_face(die))
            s.wait(0.6, 2.0)
        else:
            s.wait(1.0, 5.0)
        s.stage.failures[-1] = replace(s.stage.failures[-1], end_s=s.now)
        s.acts[-1 if not moved else -2] = (s.acts[-1][0], f"{kind} until {s.now:.1f} s")
        s.allow(start, s.now + 3.5)
        s.wait(1.5, 2.2)

    return act


def light_change(s: Script) -> None:
    s.note("lamp")
    gain = float(s.rng.uniform(0.45, 0.85)) if s.rng.random() < 0.6 else float(s.rng.uniform(1.1, 1.5))
    follow = s.rng.random() < 0.5
    light = mishaps.exposure_steps(s.now, gain, s.rng) if follow else mishaps.lamp(s.now, gain, float(s.rng.uniform(0.03, 0.4)))
    s.stage.lights.append(light)
    s.wait(0.8, 2.0)


def drift(s: Script) -> None:
    s.note("light drifts")
    s.stage.lights.append(mishaps.lamp(s.now, float(s.rng.uniform(0.6, 1.35)), float(s.rng.uniform(5, 20))))


def banded(s: Script) -> None:
    depth = float(s.rng.uniform(0.05, 0.15))
    s.note(f"bands of {depth:.0%}")
    s.stage.lights.append(mishaps.bands(s.rng, depth, s.stage.fps))


def by_candle(s: Script) -> None:
    s.note("candle")
    s.stage.lights.append(mishaps.candle(s.rng, float(s.rng.uniform(0.02, 0.08))))


def sunlit(s: Script) -> None:
    s.note("sun through a window")
    s.stage.lights.append(mishaps.window_shadow(s.rng, s.stage.size_wh))


def blur(s: Script) -> None:
    seconds = float(s.rng.uniform(1, 4))
    start = s.now
    mishaps.out_of_focus(s, seconds)
    s.now += seconds
    s.allow(start, s.now + 3.0)
    s.wait(0.5, 1.0)


# --- things


def thing_comes(s: Script) -> None:
    """A thing is put down, lies there while somebody throws, and is sometimes taken away."""
    what = things.THINGS[int(s.rng.integers(len(things.THINGS)))]
    thing = things.put_down(s, what)
    s.wait(1.2, 2.0)
    throw(s)
    if s.rng.random() < 0.5:
        things.take_away(s, thing, what)
        s.wait(1.0, 1.8)


def thing_there(s: Script) -> None:
    things.from_start(s, things.THINGS[int(s.rng.integers(len(things.THINGS)))])


def dice_beside(s: Script) -> None:
    """A tray in view, a die beside it from the start or laid there later; throws go on in the tray."""
    assert s.tray is not None, "this kind has a tray"
    if s.in_hand:
        throw(s)
    spot = things.beside_tray(s, s.tray)
    if spot and len(s.on_tray) > 1:
        acts.pick_up(s, [some_die(s)])
        s.wait(0.3, 0.8)
        acts.lay_down(s, s.in_hand[0], spot=spot)
        s.wait(1.0, 1.8)
    throw(s)


KINDS: dict[str, Kind] = {
    "play": play,
    "throw back": throw_back,
    "knock": knock,
    "knock over": partial(knock, tips=True),
    "cocked": cocked,
    "rolls out": rolls_out,
    "stacked": stacked,
    "slide": around(lambda s: acts.slide(s, [some_die(s)]), 3),
    "slide several": around(slide_few, least_dice=2),
    "tidy": around(gather, least_dice=2),
    "gather and take": around(gather_and_take, 1, least_dice=2),
    "flick": around(lambda s: acts.flick(s, some_die(s)), 3),
    "pick up": around(lambda s: acts.pick_up(s, acts.some(s, s.on_tray, 1))),
    "lay down": around(lay),
    "turn": around(lambda s: acts.turn(s, some_die(s))),
    "cover": around(lambda s: acts.cover(s, some_die(s))),
    "hover": around(acts.hover, 3),
    "reach across": around(acts.reach_across),
    "arm in view": arm_in_view,
    "bump": around(mishaps.bump, 3),
    "tremble": around(lambda s: mishaps.shake(s, float(s.rng.uniform(0.3, 2.0)))),
    "camera fails": around(failing(("black", "covered", "frozen", "repeating"), moved=False)),
    "fails and moves": around(failing(("black", "covered", "frozen"), moved=True), 1),
    "blur": around(blur, 1),
    "lamp": around(light_change, 3),
    "drift": during(drift),
    "bands": during(banded),
    "LED": during(lambda s: mishaps.blinking(s, float(s.rng.uniform(1, 8)))),
    "large LED": during(lambda s: mishaps.blinking(s, float(s.rng.uniform(1, 8)), float(s.rng.uniform(0.03, 0.05)))),
    "screen": during(lambda s: mishaps.screen(s, float(s.rng.uniform(2, 24)))),
    "candle": during(by_candle),
    "sun": during(sunlit),
    "thing comes": around(thing_comes, 1),
    "thing there": during(thing_there),
    "dice beside": dice_beside,
}
WITH_TRAY = ("dice beside",)
"""Kinds that need a tray in view; others have one now and then."""
TRAY_SHARE = 0.15
ROOM_BESIDE = 0.075
"""Most that a die's side may be of the picture's height, so that there is room for a tray and for dice beside it."""


def made(seed: int, kind: str | None = None, drawn: bool | None = None) -> tuple[Stage, Truth]:
    """The scenario of this seed. kind: None = the seed's own. drawn: True = only what needs no photographs."""
    rng = np.random.default_rng(seed)
    name = kind or list(KINDS)[seed % len(KINDS)]
    photographs = there_are_photographs() and not drawn and bool(rng.random() >= DRAWN_SHARE)
    script = _script(rng, name, photographs, seed)
    looks = script.looks
    _ambience(script)
    if rng.random() < 0.4:
        script.start_with(int(rng.integers(1, len(script.actors) + 1)))
    for actor in script.in_hand:
        script.taken(actor, 0.0)
    script.now = float(rng.uniform(0.9, 1.6))
    KINDS[name](script)
    script.stage.seconds = script.now + 0.8
    truth = Truth(
        f"{seed} {name}",
        name,
        seed,
        script.stage.fps,
        script.stage.size_wh,
        script.side,
        looks,
        tuple(script.done),
        tuple(script.acts),
        allowed=tuple(script.allowed),
        tray=script.tray,
    )
    return script.stage, truth


def _script(rng: np.random.Generator, kind: str, photographs: bool, seed: int) -> Script:
    """An empty script: a stage with its ground, some dice in somebody's hand, and whose hand it is."""
    looks = _looks(rng, photographs)
    size = SIZES[int(rng.integers(len(SIZES)))]
    side = min(float(rng.uniform(*SIDE_SHARE)) * size[0], *(MOST_BLOWN_UP * max(look.sharp_px, 28) for look in looks))
    with_tray = kind in WITH_TRAY or rng.random() < TRAY_SHARE
    if kind in WITH_TRAY:
        side = min(side, ROOM_BESIDE * size[1])
    inset = float(rng.uniform(2.6, 3.6) if kind in WITH_TRAY else rng.uniform(0.6, 2)) * side
    tray = (inset, inset, size[0] - inset, size[1] - inset) if with_tray else None
    stage = _stage(rng, size, side, photographs, seed)
    if tray:
        stage.ground = things.tray_ground(rng, stage.ground, tray, stage.margin, float(rng.uniform(0.35, 0.8)) * side)
    actors = [_actor(rng, looks[int(rng.integers(len(looks)))], side) for _ in range(int(rng.integers(1, 7)))]
    stage.dice = [actor.die for actor in actors]
    script = Script(stage, rng, actors, some_person(rng, float(rng.uniform(0.75, 1.1))), tray=tray)
    script.looks = "+".join(look.name for look in looks)
    x0, y0, x1, y1 = tray or (0, 0, *size)
    room = 1.2 * side
    script.area = (x0 + room, y0 + room, max(x1 - room, x0 + 1.1 * room), max(y1 - room, y0 + 1.1 * room))
    return script


def _ambience(script: Script) -> None:
    """Now and then light that is not quite steady, whatever is played."""
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
