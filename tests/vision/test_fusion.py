"""What several readings of one tray say together."""

from __future__ import annotations

from dataclasses import replace

import pytest

from vision.fusion import consistent, fused
from vision.reading import Reading, SeenDie, SeenStick

SMALL = (320, 240)


def die(face: int, x: float = 0, colour: str = "red", confidence: float = 0.99, other: int | None = None) -> SeenDie:
    """A die; `other` has what is left of the chance, but for a hundredth."""
    likely = ((face, confidence / 0.99), (other, 1 - confidence / 0.99)) if other else ((face, 1.0),)
    return SeenDie(face, colour, (x, 0, 20, 20), confidence, confidence >= 0.97, likely=likely)


def reading(*dice: SeenDie) -> Reading:
    return Reading(SMALL, dice)


def told(*readings: Reading) -> list[tuple[int, bool]]:
    return [(d.face, d.sure) for d in fused(readings).dice]


def test_readings_agree_on_the_same_dice_in_any_order_within_half_a_die() -> None:
    assert consistent(reading(die(1), die(2, 50)), reading(die(2, 55), die(1, 5)))
    assert consistent(reading(), reading())


@pytest.mark.parametrize("other", [die(2), die(1, 11), die(1, colour="blue"), replace(die(1), cocked=True)])
def test_readings_with_another_face_place_colour_or_pose_disagree(other: SeenDie) -> None:
    assert not consistent(reading(die(1)), reading(other))


def test_readings_of_other_counts_disagree() -> None:
    assert not consistent(reading(die(1), die(1, 50)), reading(die(1)))
    assert not consistent(reading(die(1)), reading(die(1), die(1, 50)))
    assert not consistent(reading(die(1), die(1, 2)), reading(die(1)))


def test_sticks_have_to_agree_too() -> None:
    dog = SeenStick("dog", (0, 0, 20, 100), 0.9, True)
    assert consistent(Reading(SMALL, (), (dog,)), Reading(SMALL, (), (dog,)))
    assert not consistent(Reading(SMALL, (), (dog,)), Reading(SMALL, (), (replace(dog, face="cow"),)))


def test_one_reading_says_what_it_says() -> None:
    (alone,) = fused([reading(die(3))]).dice
    assert (alone.face, alone.sure) == (3, True)
    assert alone.confidence == pytest.approx(0.99)


def test_a_die_that_is_told_otherwise_in_half_of_the_readings_is_unsure_and_the_rest_stays_sure() -> None:
    readings = [reading(die(1), die(2 + k % 2, 50)) for k in range(6)]
    assert told(*readings) == [(1, True), (3, False)] or told(*readings) == [(1, True), (2, False)]


def test_a_doubt_in_one_of_several_is_outvoted() -> None:
    clear, doubtful = die(5, confidence=0.989, other=6), die(5, confidence=0.93, other=6)
    assert told(reading(doubtful), *[reading(clear)] * 5) == [(5, True)]
    assert told(*[reading(doubtful)] * 6) == [(5, False)]


def test_one_face_against_another_is_weighed_by_chance() -> None:
    five, six = die(5, confidence=0.98, other=6), die(6, confidence=0.6, other=5)
    (together_,) = fused([reading(six), reading(five), reading(five)]).dice
    assert together_.face == 5
    assert not together_.sure
    assert dict(together_.likely)[5] == pytest.approx((0.394 + 2 * 0.99) / 3, abs=0.01)


def test_what_passes_is_no_die_but_what_was_once_seen_surely_is_asked_about() -> None:
    steady = [reading(die(1))] * 5
    gleam, sure = die(4, 80, confidence=0.6), die(4, 80)
    assert told(reading(die(1), gleam), *steady) == [(1, True)]
    assert told(reading(die(1), sure), *steady) == [(1, True), (4, False)]


def test_a_die_missing_from_a_reading_is_less_sure() -> None:
    both = [reading(die(1), die(2, 50))] * 3
    assert told(*both, reading(die(1)), *both) == [(1, True), (2, False)]


def test_colour_and_lean_are_what_most_say() -> None:
    flat, leaning = die(2), replace(die(2), cocked=True)
    (die_,) = fused([reading(leaning), reading(flat), reading(replace(flat, colour="blue"))]).dice
    assert (die_.colour, die_.cocked) == ("red", False)
    (die_,) = fused([reading(leaning), reading(flat), reading(leaning)]).dice
    assert die_.cocked


def test_a_colour_that_is_not_settled_is_asked_about() -> None:
    assert told(reading(die(2)), reading(die(2, colour="blue"))) == [(2, False)]


def test_sticks_that_are_told_otherwise_are_unsure() -> None:
    dog = SeenStick("dog", (0, 0, 20, 100), 0.99, True)
    same = fused([Reading(SMALL, (), (dog,))] * 2).sticks
    other = fused([Reading(SMALL, (), (replace(dog, face="cow"),)), Reading(SMALL, (), (dog,)), Reading(SMALL, (), (dog,))]).sticks
    assert [(s.face, s.sure) for s in same] == [("dog", True)]
    assert [(s.face, s.sure) for s in other] == [("dog", False)]


def test_a_facing_is_as_doubtful_as_the_most_doubtful_that_went_into_it() -> None:
    seen = [replace(die(1), facing_xy=(0.1, 0.0), facing_error=error) for error in (0.04, 0.08)]
    cut = replace(die(1), facing_error=1.0)
    assert fused([reading(d) for d in (*seen, cut)]).dice[0].facing_error == 0.08
    assert fused([reading(cut)]).dice[0].facing_error == 0.0
