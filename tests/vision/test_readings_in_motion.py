"""Dice that lie still while something else moves."""

from __future__ import annotations

from dataclasses import replace

import pytest

from vision.readings import Reading, SeenDie
from vision.tracking.readings_in_motion import READING_INTERVAL_S, ReadingsInMotion

DIE = SeenDie(5, "red", (10, 10, 20, 20), 0.99, True, normal_xy=(0.1, 0.0), normal_error=0.05)
MOVED = replace(DIE, box_xywh=(16, 10, 20, 20))
LEANING = replace(DIE, normal_xy=(0.2, 0.5), normal_error=0.06)
TIPPING = replace(DIE, normal_xy=(0.1, 0.2), normal_error=0.14)  # blurred


def readings(*dice: tuple[SeenDie, ...]) -> ReadingsInMotion:
    """Readings of these dice, a tenth of a second apart."""
    result = ReadingsInMotion()
    for n, seen in enumerate(dice):
        result.add(Reading((64, 48), seen), n / 10)
    return result


@pytest.mark.parametrize(
    ("dice", "steady"),
    [
        ([(DIE,)] * 4, True),
        ([(DIE,)] * 3, False),  # too short
        ([(DIE,), (), (DIE,), (DIE,)], False),  # missing once
        ([(DIE,), (MOVED,), (DIE,), (DIE,)], False),
        ([(DIE,), (replace(DIE, face=2),), (DIE,), (DIE,)], False),
        ([(DIE,), (replace(DIE, face=2, sure=False),), (DIE,), (DIE,)], True),
        ([(LEANING,)] * 4, True),
        ([(DIE,), (LEANING,), (LEANING,), (TIPPING,)], False),
        ([()] * 4, False),  # nothing lies there
    ],
)
def test_dice_are_steady_that_lie_in_the_same_places_for_long_enough(
    dice: list[tuple[SeenDie, ...]], steady: bool
) -> None:
    assert readings(*dice).steady_for(0.25) is steady


@pytest.mark.parametrize(
    ("way_px", "slips"),
    [
        ([0, 0.6, 0.2, 0.5], False),  # how exactly a centre is read
        ([0, 1, 2, 3], True),
        ([0, 2, 3, 3], False),  # it lies still since
        ([0, 20, 40, 60], False),  # it rolls
    ],
)
def test_a_die_slips_that_still_moves_a_little(way_px: list[float], slips: bool) -> None:
    die = replace(DIE, box_xywh=(10, 10, 60, 60))
    way = [(replace(die, box_xywh=(10 + x, 10, 60, 60)),) for x in way_px]
    result = ReadingsInMotion()
    for n, seen in enumerate(way):
        result.add(Reading((640, 480), seen), 0.07 * n)
    assert bool(result.slipping) is slips


def test_recent_readings_show_the_same_dice_in_the_same_places() -> None:
    seen = readings((MOVED,), (DIE,), (DIE,), (DIE,))
    assert [reading.dice for reading in seen.recent(5)] == [(DIE,)] * 3
    assert len(seen.recent(2)) == 2


@pytest.mark.parametrize(
    ("dice", "moves"),
    [
        ([(DIE,), (DIE,)], False),
        ([(DIE,), (MOVED,)], True),
        ([(DIE, MOVED), (MOVED, DIE)], False),
        ([(DIE,), (replace(DIE, face=2),)], False),  # one that was misread
        ([(DIE,), (DIE, MOVED)], False),  # one that came
        ([(DIE,)], False),
        ([], False),
    ],
)
def test_the_last_two_readings_show_motion_where_a_die_lies_elsewhere(
    dice: list[tuple[SeenDie, ...]], moves: bool
) -> None:
    assert readings(*dice).show_motion is moves


def test_readings_that_are_far_apart_show_no_motion() -> None:
    result = readings((DIE,))
    result.add(Reading((64, 48), (MOVED,)), 1.0)
    assert not result.show_motion


def test_a_reading_is_due_once_in_each_interval() -> None:
    result = ReadingsInMotion()
    due = [result.due(n * READING_INTERVAL_S / 2) for n in range(5)]
    assert due == [True, False, True, False, True]


def test_a_clock_that_starts_again_delays_no_reading() -> None:
    result = ReadingsInMotion()
    assert result.due(100.0)
    assert result.due(0.0)


@pytest.mark.parametrize(("step_px", "found"), [(0.5, True), (2.8, False)])
def test_a_die_that_lay_still_and_is_missing_is_still_there_but_none_that_rolled_on(
    step_px: float, found: bool
) -> None:
    """At fifty frames a second a die that still rolls is near its place in the frame before."""
    at = [replace(DIE, box_xywh=(10 + n * step_px, 10, 20, 20)) for n in range(3)]
    seen = readings(*((die,) for die in at))
    assert [die.face for die in seen.vanished(Reading((64, 48), ()), 0.0)] == ([5] if found else [])


@pytest.mark.parametrize(("shown", "found"), [("++-", [5]), ("+-+", []), ("++-+", [])])
def test_what_was_gone_and_came_back_may_be_a_lamp_that_blinks(shown: str, found: list[int]) -> None:
    seen = readings(*(((DIE,) if each == "+" else ()) for each in shown))
    assert [die.face for die in seen.vanished(Reading((64, 48), ()), 0.0)] == found
