"""Lamps that blink and are read as dice, on small drawn pictures."""

from __future__ import annotations

import numpy as np
import pytest

from vision.frames import Picture
from vision.lamps import STEADY_S, BlinkingLamps
from vision.readings import Reading, SeenDie

SIZE = (160, 120)
LAMP = SeenDie(1, "blue", (60, 40, 20, 20), 0.999, True)
DIE = SeenDie(5, "white", (100, 60, 20, 20), 0.999, True)
STEP_S = 0.1


def table(lit: bool = False, hand: bool = False) -> Picture:
    picture = np.full((SIZE[1], SIZE[0], 3), 50, np.uint8)
    picture[60:80, 100:120] = 230
    if lit:
        picture[42:58, 62:78] = 255
    if hand:
        picture[20:120, 30:130] = (60, 90, 140)
    return picture


class Watch:
    """Shows one picture after another, and keeps the readings without lamps."""

    def __init__(self) -> None:
        self.lamps, self.at_s = BlinkingLamps(), 0.0

    def sees(self, *dice: SeenDie, picture: Picture, hand: bool = False) -> tuple[SeenDie, ...]:
        self.at_s += STEP_S
        reading = Reading(SIZE, dice)
        self.lamps.learn(reading, picture, self.at_s, lambda _: hand)
        return self.lamps.without(reading).dice

    def blinks(self, times: int) -> None:
        for _ in range(times):
            self.sees(LAMP, DIE, picture=table(lit=True))
            self.sees(DIE, picture=table())


def test_a_lamp_that_blinks_is_left_out_and_the_die_beside_it_is_not() -> None:
    watch = Watch()
    watch.blinks(2)
    assert watch.sees(LAMP, DIE, picture=table(lit=True)) == (DIE,)


def test_what_came_once_is_a_die() -> None:
    watch = Watch()
    watch.blinks(1)
    assert watch.sees(LAMP, DIE, picture=table(lit=True)) == (LAMP, DIE)


def test_a_die_that_the_detector_misses_now_and_then_is_none() -> None:
    watch = Watch()
    for _ in range(5):
        watch.sees(LAMP, DIE, picture=table(lit=True))
        watch.sees(DIE, picture=table(lit=True))
    assert watch.sees(LAMP, DIE, picture=table(lit=True)) == (LAMP, DIE)


@pytest.mark.parametrize("covered", [LAMP, DIE])
def test_a_die_that_a_hand_hides_again_and_again_is_none(covered: SeenDie) -> None:
    watch = Watch()
    for _ in range(5):
        watch.sees(LAMP, DIE, picture=table(lit=True))
        watch.sees(picture=table(hand=True))
    assert covered in watch.sees(LAMP, DIE, picture=table(lit=True))


def test_a_die_that_a_hand_as_dark_as_the_table_hides_again_and_again_is_none() -> None:
    watch = Watch()
    for n in range(5):
        watch.sees(LAMP, DIE, picture=table(lit=True))
        dark = table()
        dark[42:58, 62:78] = 40 + 10 * (n % 2)
        watch.sees(DIE, picture=dark, hand=True)
    assert watch.sees(LAMP, DIE, picture=table(lit=True)) == (LAMP, DIE)


def test_a_die_that_rolls_to_the_place_of_a_lamp_is_none() -> None:
    """It shows another face, or lies a little beside it."""
    watch = Watch()
    watch.blinks(3)
    other = SeenDie(2, "blue", LAMP.box_xywh, 0.999, True)
    beside = SeenDie(1, "blue", (66, 40, 20, 20), 0.999, True)
    assert watch.sees(other, picture=table(lit=True)) == (other,)
    assert watch.sees(beside, picture=table(lit=True)) == (beside,)


def test_what_stays_is_a_die_again() -> None:
    watch = Watch()
    watch.blinks(3)
    for _ in range(round(STEADY_S / STEP_S) + 1):
        watch.sees(LAMP, picture=table(lit=True))
    assert watch.sees(LAMP, picture=table(lit=True)) == (LAMP,)


@pytest.mark.parametrize(("beside", "left_out"), [(95, True), (120, False)])
def test_the_halo_of_a_lamp_may_reach_over_one_side_but_a_finger_does_not(
    beside: int, left_out: bool
) -> None:
    watch, lit = Watch(), table(lit=True)
    lit[30:70, 48:56] = beside
    watch.sees(LAMP, picture=lit)
    for _ in range(2):
        watch.sees(picture=table())
        seen = watch.sees(LAMP, picture=lit)
    assert (seen == ()) is left_out


def test_a_lamp_that_blinks_beside_a_hand_is_left_out() -> None:
    watch = Watch()
    for _ in range(2):
        watch.sees(LAMP, picture=table(lit=True), hand=True)
        watch.sees(picture=table(), hand=True)
    assert watch.sees(LAMP, picture=table(lit=True), hand=True) == ()


def test_a_lamp_at_the_border_of_the_picture_is_one() -> None:
    """The halo reaches the border, so that the colours there change as well."""
    watch, lamp = Watch(), SeenDie(1, "blue", (140, 40, 20, 20), 0.999, True)
    lit, dark = table(), table()
    lit[42:58, 142:160] = 255
    lit[35:65, 158:] = 70
    for _ in range(2):
        watch.sees(lamp, picture=lit)
        watch.sees(picture=dark)
    assert watch.sees(lamp, picture=lit) == ()
