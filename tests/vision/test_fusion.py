"""Several readings of one tray, fused into one."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.vision.sticks import stick
from vision.reading.fusion import consistent, fused
from vision.readings import Reading, SeenDie, SeenStick

SMALL = (320, 240)


def die(
    face: int, x: float = 0, colour: str = "red", confidence: float = 0.99, other: int | None = None
) -> SeenDie:
    """A die; `other` is a face that has the remaining probability, but for 0.01."""
    likely = ((face, confidence / 0.99), (other, 1 - confidence / 0.99)) if other else ((face, 1.0),)
    return SeenDie(face, colour, (x, 0, 20, 20), confidence, confidence >= 0.97, likely=likely)


def reading(*dice: SeenDie) -> Reading:
    return Reading(SMALL, dice)


def of_sticks(*sticks: SeenStick) -> Reading:
    return Reading(SMALL, (), sticks)


def faces_and_sure(*readings: Reading) -> list[tuple[int, bool]]:
    return [(d.face, d.sure) for d in fused(readings).dice]


def test_readings_are_consistent_for_the_same_dice_in_any_order_within_half_a_die() -> None:
    assert consistent(reading(die(1), die(2, 50)), reading(die(2, 55), die(1, 5)))
    assert consistent(reading(), reading())


@pytest.mark.parametrize("other", [die(2), die(1, 11), die(1, colour="blue"), replace(die(1), cocked=True)])
def test_readings_with_another_face_place_colour_or_pose_are_not_consistent(other: SeenDie) -> None:
    assert not consistent(reading(die(1)), reading(other))


def test_readings_of_different_counts_are_not_consistent() -> None:
    assert not consistent(reading(die(1), die(1, 50)), reading(die(1)))
    assert not consistent(reading(die(1)), reading(die(1), die(1, 50)))
    assert not consistent(reading(die(1), die(1, 2)), reading(die(1)))


def test_sticks_have_to_be_consistent_too() -> None:
    dog = SeenStick("dog", ((0, 0), (0, 100), (20, 100), (20, 0)), 0.9, True)
    assert consistent(Reading(SMALL, (), (dog,)), Reading(SMALL, (), (dog,)))
    assert not consistent(Reading(SMALL, (), (dog,)), Reading(SMALL, (), (replace(dog, face="cow"),)))


def test_a_single_reading_is_fused_to_itself() -> None:
    (alone,) = fused([reading(die(3))]).dice
    assert (alone.face, alone.sure) == (3, True)
    assert alone.confidence == pytest.approx(0.99)


def test_a_die_with_another_face_in_half_of_the_readings_is_unsure_and_the_others_stay_sure() -> None:
    readings = [reading(die(1), die(2 + k % 2, 50)) for k in range(6)]
    assert faces_and_sure(*readings) == [(1, True), (3, False)] or faces_and_sure(*readings) == [
        (1, True),
        (2, False),
    ]


def test_one_unsure_reading_of_several_is_outvoted() -> None:
    clear, doubtful = die(5, confidence=0.989, other=6), die(5, confidence=0.93, other=6)
    assert faces_and_sure(reading(doubtful), *[reading(clear)] * 5) == [(5, True)]
    assert faces_and_sure(*[reading(doubtful)] * 6) == [(5, False)]


def test_the_probabilities_of_faces_are_averaged() -> None:
    five, six = die(5, confidence=0.98, other=6), die(6, confidence=0.6, other=5)
    (die_,) = fused([reading(six), reading(five), reading(five)]).dice
    assert die_.face == 5
    assert not die_.sure
    assert dict(die_.likely)[5] == pytest.approx((0.394 + 2 * 0.99) / 3, abs=0.01)


def test_a_brief_unsure_detection_is_dropped_and_a_brief_sure_one_is_an_unsure_die() -> None:
    steady = [reading(die(1))] * 5
    gleam, sure = die(4, 80, confidence=0.6), die(4, 80)
    assert faces_and_sure(reading(die(1), gleam), *steady) == [(1, True)]
    assert faces_and_sure(reading(die(1), sure), *steady) == [(1, True), (4, False)]


def test_a_die_missing_from_a_reading_is_unsure() -> None:
    both = [reading(die(1), die(2, 50))] * 3
    assert faces_and_sure(*both, reading(die(1)), *both) == [(1, True), (2, False)]


def test_colour_and_pose_are_those_of_the_majority() -> None:
    flat, cocked = die(2), replace(die(2), cocked=True)
    (die_,) = fused([reading(cocked), reading(flat), reading(replace(flat, colour="blue"))]).dice
    assert (die_.colour, die_.cocked) == ("red", False)
    (die_,) = fused([reading(cocked), reading(flat), reading(cocked)]).dice
    assert die_.cocked


def test_a_die_that_looks_white_and_yellow_in_turn_is_sure() -> None:
    """An ivory one in warm light: its face is as clear in both."""
    turns = [reading(die(2, colour=colour)) for colour in ("white", "yellow", "white", "yellow")]
    assert faces_and_sure(*turns) == [(2, True)]


def test_a_die_of_two_colours_is_unsure() -> None:
    assert faces_and_sure(reading(die(2)), reading(die(2, colour="blue"))) == [(2, False)]


def test_sticks_with_different_faces_are_unsure() -> None:
    dog = SeenStick("dog", ((0, 0), (0, 100), (20, 100), (20, 0)), 0.99, True)
    same = fused([Reading(SMALL, (), (dog,))] * 2).sticks
    other = fused(
        [
            Reading(SMALL, (), (replace(dog, face="cow"),)),
            Reading(SMALL, (), (dog,)),
            Reading(SMALL, (), (dog,)),
        ]
    ).sticks
    assert [(s.face, s.sure) for s in same] == [("dog", True)]
    assert [(s.face, s.sure) for s in other] == [("dog", False)]


def test_the_fused_error_of_a_normal_is_the_largest_one() -> None:
    seen = [replace(die(1), normal_xy=(0.1, 0.0), normal_error=error) for error in (0.04, 0.08)]
    cut = replace(die(1), normal_error=1.0)
    assert fused([reading(d) for d in (*seen, cut)]).dice[0].normal_error == 0.08
    assert fused([reading(cut)]).dice[0].normal_error == 0.0


def test_a_stick_that_slid_after_the_first_reading_lies_in_one_place() -> None:
    before, after = stick("horse", 300, 212, -22), stick("horse", 290, 200, -13)
    (seen,) = fused([of_sticks(before), *[of_sticks(after)] * 5]).sticks
    assert (seen.face, seen.sure) == ("horse", True)
    assert seen.quad == after.quad


def test_a_reading_in_which_a_stick_still_slid_does_not_count() -> None:
    """Its letters were smeared then."""
    before, after = stick("deer", 300, 212), stick("horse", 300, 218)
    smeared = replace(before, confidence=0.3, sure=False)
    (seen,) = fused([of_sticks(smeared), *[of_sticks(after)] * 5]).sticks
    assert (seen.face, seen.sure) == ("horse", True)


def test_sticks_that_lie_side_by_side_did_not_slide() -> None:
    """They are as near to each other as one is to itself that slid a little."""
    beside, wrong = stick("deer", 300, 212), stick("cow", 300, 218, sure=False)
    first, last = of_sticks(beside, replace(wrong, face="dog")), of_sticks(beside, wrong)
    assert len(fused([last]).sticks) == 2
    assert [s.face for s in fused([first, first, first, last]).sticks] == ["deer", "dog"]


def test_a_stick_across_another_that_one_reading_misses_stays() -> None:
    above, below = stick("round", 300, 212, -22), stick("round", 290, 200, 40)
    both = of_sticks(above, below)
    assert len(fused([both, both, of_sticks(above)]).sticks) == 2
