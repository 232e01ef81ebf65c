"""Kinds of scenarios: the acts of each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from tests.scenarios import acts, mishaps, things, throws
from tests.scenarios.script import Actor, Script
from tests.scenarios.stage import FailureKind
from tests.scenarios.throws import Manner
from tests.scenarios.truth import Game

Kind = Callable[[Script], None]


# --- what is played around an act


def take(s: Script, most: int = 9) -> None:
    """Picks up one to `most` dice, unless some are in the hand."""
    if not s.in_hand:
        acts.pick_up(
            s, acts.random_actors(s, s.on_tray, min(int(s.rng.integers(1, len(s.on_tray) + 1)), most))
        )
        s.wait(0.1, 0.8)


def throw(s: Script) -> None:
    take(s)
    throws.roll(s, s.in_hand)
    s.wait(1.0, 1.8)


def around(act: Kind, most: int = 2, least_dice: int = 1) -> Kind:
    """The act, once or more, after a throw or with dice at rest from the start, and often before a throw."""

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
    """Throws and moves while something goes on that started with them."""

    def played(s: Script) -> None:
        begin(s)
        for _ in range(int(s.rng.integers(1, 3))):
            throw(s)
            if s.rng.random() < 0.35:
                acts.slide(s, [random_die(s)])
                s.wait(0.8, 1.6)

    return played


def random_die(s: Script) -> Actor:
    return acts.random_actors(s, s.on_tray, 1)[0]


# --- throws


def play(s: Script) -> None:
    for _ in range(int(s.rng.integers(2, 4))):
        throw(s)


def throw_back(s: Script) -> None:
    """Dice thrown again that land near their old positions, show the same faces, or both."""
    throw(s)
    for _ in range(int(s.rng.integers(1, 3))):
        count = int(s.rng.integers(1, min(len(s.on_tray), 3) + 1))
        acts.pick_up(s, acts.random_actors(s, s.on_tray, count), pause=bool(s.rng.random() < 0.5))
        s.wait(0.05, 0.5)
        near, same, shake = s.rng.random() < 0.6, s.rng.random() < 0.7, s.rng.random() < 0.5
        throws.roll(s, s.in_hand, Manner(near=bool(near), same=bool(same), shake=bool(shake)))
        s.wait(1.0, 1.7)


def knock(s: Script, tips: bool = False) -> None:
    throw(s)
    for _ in range(int(s.rng.integers(1, 3))):
        if len(s.on_tray) > 1 or s.in_hand:
            take(s, len(s.on_tray) - 1)
            throws.knock(s, s.in_hand[0], random_die(s), tips)
            s.wait(1.0, 1.7)


def cocked(s: Script) -> None:
    throw(s)
    take(s, max(len(s.on_tray) - 1, 1))
    if s.on_tray:
        throws.roll_cocked(s, s.in_hand[0], random_die(s), float(s.rng.uniform(0.1, 0.9)))
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
        throws.roll_onto(s, s.in_hand[0], random_die(s))
        s.wait(1.2, 1.8)


# --- hands


def gather(s: Script) -> None:
    dice = acts.random_actors(s, s.on_tray, int(s.rng.integers(2, 6)))
    (acts.tidy if len(dice) > 1 else acts.slide)(s, dice)


def gather_and_take(s: Script) -> None:
    """Picks up dice as people do: pushed together first, then all taken."""
    dice = acts.random_actors(s, s.on_tray, int(s.rng.integers(2, 6)))
    acts.tidy(s, dice)
    s.wait(0.0, 0.6)
    acts.pick_up(s, dice)


def slide_few(s: Script) -> None:
    lead = random_die(s)
    near = sorted(s.on_tray, key=lambda die: (die.x - lead.x) ** 2 + (die.y - lead.y) ** 2)
    acts.slide(s, near[: int(s.rng.integers(2, 4))])


def lay(s: Script) -> None:
    if not s.in_hand:
        acts.pick_up(s, [random_die(s)])
        s.wait(0.3, 1.0)
    acts.lay_down(s, s.in_hand[0])


def arm_in_view(s: Script) -> None:
    """Throws while an arm rests at the border."""
    path = acts.rest_arm(s, float(s.rng.uniform(4, 9)))
    s.wait(0.8, 1.4)
    throw(s)
    s.now = max(s.now, path.times[-1] + 0.3)
    s.wait(0.8, 1.2)
    if s.rng.random() < 0.5:
        throw(s)


# --- camera and light


def failing(kinds: Sequence[FailureKind], moved: bool) -> Kind:
    """The camera fails for a while. Meanwhile dice lie still, or are taken and thrown unseen."""

    def act(s: Script) -> None:
        kind = kinds[int(s.rng.integers(len(kinds)))]
        start = s.now
        mishaps.fail(s, kind, 60.0)
        if moved:
            s.wait(0.6, 1.0)
            take(s)
            for die in s.in_hand:
                x, y = s.free_place()
                s.lie(die, x, y, float(s.rng.uniform(0, np.pi)), s.random_face(die))
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
    light = (
        mishaps.exposure_steps(s.now, gain, s.rng)
        if follow
        else mishaps.lamp(s.now, gain, float(s.rng.uniform(0.03, 0.4)))
    )
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


def leaning_over(s: Script) -> None:
    mishaps.leaning_over(s, float(s.rng.uniform(1.5, 5)))


def stutter(s: Script) -> None:
    mishaps.stutter(s, 40.0)


def mixed(s: Script) -> None:
    """Unsteady light from the start, and between the throws whatever happens at a table."""
    (banded, by_candle, drift, sunlit, stutter, leaning_over)[int(s.rng.integers(6))](s)
    throw(s)
    for _ in range(int(s.rng.integers(2, 5))):
        happens = (
            lambda s: acts.slide(s, [random_die(s)]),
            lambda s: acts.cover(s, random_die(s)),
            lambda s: acts.flick(s, random_die(s)),
            gather,
            acts.hover,
            acts.reach_across,
            light_change,
            leaning_over,
            mishaps.bump,
            throw,
        )
        happens[int(s.rng.integers(len(happens)))](s)
        s.wait(0.9, 1.8)
    throw(s)


def blur(s: Script) -> None:
    seconds = float(s.rng.uniform(1, 4))
    start = s.now
    mishaps.out_of_focus(s, seconds)
    s.now += seconds
    s.allow(start, s.now + 3.0)
    s.wait(0.5, 1.0)


# --- things


def thing_comes(s: Script) -> None:
    """A thing is put down, stays during a throw, and is sometimes taken away."""
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
    """A tray in view with a die beside it, from the start or laid there later; throws go on in the tray."""
    assert s.tray is not None, "this kind has a tray"
    if s.in_hand:
        throw(s)
    spot = things.beside_tray(s, s.tray)
    if spot and len(s.on_tray) > 1:
        acts.pick_up(s, [random_die(s)])
        s.wait(0.3, 0.8)
        acts.lay_down(s, s.in_hand[0], spot=spot)
        s.wait(1.0, 1.8)
    throw(s)


# --- games


def pig(s: Script) -> None:
    """Pig with one die, thrown again and again, and pushed between the throws."""
    s.game = Game("pig", ("Ann", "Ben"), (("start", "Ann"),))
    for _ in range(int(s.rng.integers(2, 4))):
        throw(s)
        if s.rng.random() < 0.5:
            acts.slide(s, s.on_tray)
            s.wait(0.9, 1.6)


def midnight(s: Script, turned: bool = False) -> None:
    """Midnight: six dice, some kept and the others thrown again.

    Kept dice are pushed aside, or turned by hand.
    """
    s.game = Game("midnight", ("Ann", "Ben"), (("start", "Ann"),))
    throw(s)
    thrown = list(s.on_tray)
    for _ in range(int(s.rng.integers(1, 3))):
        again = acts.random_actors(s, thrown, int(s.rng.integers(1, len(thrown))))
        kept = [a for a in thrown if a not in again]
        if s.rng.random() < 0.6:
            acts.slide(s, kept[:1])
            s.wait(0.9, 1.5)
        if turned:
            acts.turn(s, kept[-1])
            s.wait(0.9, 1.5)
        acts.pick_up(s, again)
        s.wait(0.1, 0.6)
        throw(s)
        thrown = again
        if len(thrown) < 2 or turned:
            return


KINDS: dict[str, Kind] = {
    "play": play,
    "throw back": throw_back,
    "knock": knock,
    "knock over": partial(knock, tips=True),
    "cocked": cocked,
    "rolls out": rolls_out,
    "stacked": stacked,
    "slide": around(lambda s: acts.slide(s, [random_die(s)]), 3),
    "slide several": around(slide_few, least_dice=2),
    "tidy": around(gather, least_dice=2),
    "gather and take": around(gather_and_take, 1, least_dice=2),
    "flick": around(lambda s: acts.flick(s, random_die(s)), 3),
    "pick up": around(lambda s: acts.pick_up(s, acts.random_actors(s, s.on_tray, 1))),
    "lay down": around(lay),
    "turn": around(lambda s: acts.turn(s, random_die(s))),
    "cover": around(lambda s: acts.cover(s, random_die(s))),
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
    "large LED": during(
        lambda s: mishaps.blinking(s, float(s.rng.uniform(1, 8)), float(s.rng.uniform(0.03, 0.05)))
    ),
    "screen": during(lambda s: mishaps.screen(s, float(s.rng.uniform(2, 24)))),
    "candle": during(by_candle),
    "sun": during(sunlit),
    "leaning over": around(leaning_over, 2),
    "stutter": during(stutter),
    "mixed": mixed,
    "thing comes": around(thing_comes, 1),
    "thing there": during(thing_there),
    "dice beside": dice_beside,
    "pig": pig,
    "midnight": midnight,
    "midnight turned": partial(midnight, turned=True),
}
