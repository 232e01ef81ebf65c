"""When the readings of a tray at rest suffice for a report."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from vision.frames import Frame
from vision.reading.ground_plane import PlaneEstimator
from vision.reading.readings_at_rest import MAX_READINGS, TIPPING_S, ReadingsAtRest
from vision.readings import Reading, SeenDie

FRAME = Frame(np.zeros((48, 64, 3), np.uint8), 1.0)


def reading(face: int, confidence: float = 0.99) -> Reading:
    likely = ((face, confidence), (7 - face, 1 - confidence))
    return Reading(
        (64, 48), (SeenDie(face, "red", (0, 0, 20, 20), confidence, confidence > 0.97, likely=likely),)
    )


def leaning(face: int) -> Reading:
    """A five that lies level, and a die that leans on it."""
    (level,) = SURE.dice
    return replace(SURE, dice=(level, replace(level, face=face, box_xywh=(20, 0, 24, 24), cocked=True)))


SURE, UNSURE = reading(5), reading(5, 0.7)


def readings(*values: Reading) -> ReadingsAtRest:
    rest = ReadingsAtRest(PlaneEstimator())
    for value in values:
        rest.add(value, FRAME)
    return rest


@pytest.mark.parametrize(
    ("values", "suffice"),
    [
        ([SURE], False),
        ([SURE, SURE], True),
        ([UNSURE, SURE], False),
        ([SURE, reading(6)], False),
        ([SURE, reading(6), reading(6)], True),
        ([UNSURE] * (MAX_READINGS - 1), False),
        ([UNSURE] * MAX_READINGS, True),
    ],
)
def test_two_sure_readings_in_a_row_suffice_or_the_largest_number(
    values: list[Reading], suffice: bool
) -> None:
    assert (readings(*values).result(leaning=False, rested_s=0.0) is not None) is suffice


def test_the_largest_number_of_unsure_readings_is_an_unsure_result() -> None:
    result = readings(*[UNSURE] * MAX_READINGS).result(leaning=False, rested_s=0.0)
    assert result is not None
    assert result.faces == (5,)
    assert not result.sure


def test_while_a_die_may_tip_nothing_suffices_and_the_oldest_readings_are_dropped() -> None:
    rest = readings(*[reading(2)] * MAX_READINGS)
    assert rest.result(leaning=True, rested_s=0.0) is None
    for _ in range(MAX_READINGS):
        rest.add(UNSURE, FRAME)
        assert rest.result(leaning=True, rested_s=0.0) is None
    result = rest.result(leaning=True, rested_s=TIPPING_S)
    assert result is not None
    assert result.faces == (5,)


@pytest.mark.parametrize(("before_s", "suffice"), [(0.3, False), (TIPPING_S, True), (None, True)])
def test_a_leaning_die_is_waited_for_in_the_moment_in_which_it_tips(
    before_s: float | None, suffice: bool
) -> None:
    """The tray is at rest still, and no longer slow. Beside a hand nobody knows how long it rested."""
    rest = readings(*[UNSURE] * (MAX_READINGS - 1))
    rest.result(leaning=True, rested_s=before_s)
    rest.add(reading(2, 0.7), FRAME)
    assert (rest.result(leaning=True, rested_s=None) is not None) is suffice


def test_what_a_die_showed_before_it_tipped_over_does_not_count() -> None:
    rest = readings(*[UNSURE] * MAX_READINGS)
    assert rest.result(leaning=True, rested_s=0.0) is None
    rest.add(reading(3, 0.7), FRAME)
    assert rest.result(leaning=False, rested_s=0.0) is None
    rest.add(reading(3), FRAME)
    rest.add(reading(3), FRAME)
    result = rest.result(leaning=False, rested_s=0.0)
    assert result is not None
    assert result.faces == (3,)
    assert result.sure


@pytest.mark.parametrize(
    ("values", "suffice"),
    [([SURE], False), ([SURE] * 2, True), ([UNSURE] * 3, False), ([UNSURE] * 4, True)],
)
def test_a_hand_leaves_enough_readings_sooner_where_they_are_sure(
    values: list[Reading], suffice: bool
) -> None:
    assert (readings(*values).partial() is not None) is suffice


def test_what_was_reported_is_not_reported_again_when_a_hand_comes() -> None:
    rest = readings(SURE, SURE)
    rest.reported = True
    assert rest.partial() is None


def test_early_readings_alone_are_no_reading_of_a_tray_at_rest() -> None:
    rest = ReadingsAtRest(PlaneEstimator())
    rest.add(SURE)
    rest.add(SURE)
    assert rest.partial() is None


def test_another_early_reading_is_taken_only_after_an_unsure_one_without_motion() -> None:
    rest = ReadingsAtRest(PlaneEstimator())
    assert rest.may_read_early(motionless=False)
    rest.tried_early = True
    assert not rest.may_read_early(motionless=True)  # the reader failed
    rest.add(UNSURE)
    assert rest.may_read_early(motionless=True)
    assert not rest.may_read_early(motionless=False)
    rest.add(SURE)
    assert not rest.may_read_early(motionless=True)


def test_what_is_read_is_previewed_once_while_a_die_may_tip() -> None:
    rest = readings(SURE)
    rest.result(leaning=True, rested_s=0.0)
    assert not rest.may_preview()
    rest.add(SURE, FRAME)
    rest.result(leaning=True, rested_s=0.0)
    assert rest.may_preview()
    rest.previewed = True
    assert not rest.may_preview()


def test_readings_that_differ_or_that_no_die_holds_up_are_not_previewed() -> None:
    differing = readings(SURE, reading(6))
    differing.result(leaning=True, rested_s=0.0)
    assert not differing.may_preview()
    flat = readings(UNSURE, UNSURE)
    flat.result(leaning=False, rested_s=0.0)
    assert not flat.may_preview()


@pytest.mark.parametrize(
    ("before", "early", "shown"),
    [
        (SURE, SURE, True),
        (UNSURE, SURE, True),
        (SURE, UNSURE, False),
        (reading(6), SURE, False),
        (None, SURE, False),
        (leaning(3), leaning(1), True),
        (SURE, leaning(1), True),
        (leaning(3), reading(6), False),
        (replace(SURE, dice=leaning(3).dice[1:]), replace(SURE, dice=leaning(3).dice[1:]), False),
    ],
)
def test_a_reading_of_settling_dice_is_previewed_if_it_is_sure_and_agrees_with_the_one_before(
    before: Reading | None, early: Reading, shown: bool
) -> None:
    assert readings().may_preview_early(before, early) is shown
