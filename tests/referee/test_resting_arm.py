"""An arm that rests over the tray is shown, and the game goes on beside it."""

from __future__ import annotations

import pytest

from table.common.errors import IllegalAnswer
from table.common.tray import TrayState
from table.referee.events import event_from_json
from table.rules.answers import Kept
from tests.referee.evening import Evening
from vision.tracking.tracks import TrackOutcome


def test_a_resting_arm_is_shown_until_it_leaves(pig: Evening) -> None:
    pig.arm_rests = True
    pig.settle()
    assert pig.state == TrayState.HAND
    pig.arm_rests = False
    pig.settle()
    assert pig.state in (TrayState.EMPTY, TrayState.WAITING)


def test_throws_beside_a_resting_arm_are_accepted(pig: Evening) -> None:
    pig.arm_rests = True
    pig.throws(4)
    assert pig.state == TrayState.ACCEPTED
    assert pig.prompt == "Ann: hold 4 or throw again?"
    pig.chooses("hold")
    pig.throws(3)
    assert pig.prompt == "Ben: hold 3 or throw again?"


def test_a_question_is_shown_before_a_resting_arm(pig: Evening) -> None:
    pig.arm_rests = True
    pig.throws((3, "unsure"))
    assert pig.state == TrayState.UNSURE
    pig.names_faces(3)
    assert pig.prompt == "Ann: hold 3 or throw again?"


def test_rolling_and_darkness_are_shown_before_a_resting_arm(pig: Evening) -> None:
    pig.arm_rests = True
    pig.settle()
    pig.sees(TrayState.ROLLING)
    assert pig.state == TrayState.ROLLING
    pig.sees(TrayState.DARK)
    assert pig.state == TrayState.DARK


def test_a_resting_arm_is_recorded_with_the_reading(pig: Evening) -> None:
    for pig.arm_rests in (True, False):
        read = pig.tray_read()
        assert event_from_json(read.to_json()) == read


# -- a throw of which a die lies under the arm ---------------------------------------------------------------


@pytest.fixture
def four_of_five(crew: Evening) -> Evening:
    """Ann has thrown five dice, and her arm rests over one of them."""
    crew.arm_rests = True
    crew.throws(6, 5, 3, 1)
    return crew


def arm_leaves(table: Evening, *faces: int, outcome: TrackOutcome = TrackOutcome.UNOBSERVED) -> None:
    """The arm leaves, and dice with these faces come to light."""
    table.arm_rests = False
    table.sees(TrayState.ROLLING)
    table.lays(*faces, outcome=outcome)
    table.settle()


def test_a_throw_with_too_few_dice_beside_an_arm_waits(four_of_five: Evening) -> None:
    assert four_of_five.questions == ["Take your arm off the tray: a die may be under it."]
    assert (four_of_five.fouls, four_of_five.at) == ([], 0)
    assert four_of_five.now.tray.under_arm
    assert {d.part for d in four_of_five.now.tray.dice} == {"thrown"}
    number = four_of_five.now.number
    four_of_five.settle()
    assert (four_of_five.now.number, len(four_of_five.questions)) == (number, 1)


@pytest.mark.parametrize(
    "outcome", [TrackOutcome.UNOBSERVED, TrackOutcome.UNCLEAR, TrackOutcome.THROWN], ids=str
)
def test_the_die_that_lay_under_the_arm_completes_the_throw(
    four_of_five: Evening, outcome: TrackOutcome
) -> None:
    arm_leaves(four_of_five, 4, outcome=outcome)
    assert [sorted(faces) for faces in four_of_five.accepted] == [[1, 3, 4, 5, 6]]
    assert four_of_five.fouls == []
    assert "while nobody could see" not in four_of_five.message


def test_the_die_under_the_arm_may_show_what_it_showed_before(crew: Evening) -> None:
    """It looks like a die that was picked up for this throw."""
    places = crew.throws(6, 5, 3, 1, 1)
    crew.arm_rests = True
    crew.throws(2, 6, leaving=places[:2])
    arm_leaves(crew, 1)
    assert sorted(crew.accepted[-1]) == [1, 2, 6]


def test_of_two_dice_that_lay_under_the_arm_one_is_asked_about(four_of_five: Evening) -> None:
    arm_leaves(four_of_five, 4, 2)
    assert four_of_five.questions[-1] == "Was the marked 4 thrown, or only moved?"
    four_of_five.says_thrown(False)
    assert [sorted(faces) for faces in four_of_five.accepted] == [[1, 2, 3, 5, 6]]


def test_if_nothing_lay_under_the_arm_the_throw_has_too_few_dice(four_of_five: Evening) -> None:
    arm_leaves(four_of_five)
    assert (four_of_five.state, four_of_five.fouls) == (TrayState.WRONG_DICE, ["G5"])
    assert four_of_five.now.tray.short


def test_people_say_that_nothing_is_under_what_looks_like_an_arm(four_of_five: Evening) -> None:
    four_of_five.says_nothing_is_under_arm()
    assert (four_of_five.state, four_of_five.fouls) == (TrayState.WRONG_DICE, ["G5"])
    four_of_five.settle()
    assert four_of_five.state == TrayState.WRONG_DICE
    with pytest.raises(IllegalAnswer, match="Nobody asks what lies under an arm now"):
        four_of_five.says_nothing_is_under_arm()


def test_all_dice_can_be_thrown_again_where_one_may_lie_under_an_arm(four_of_five: Evening) -> None:
    four_of_five.throws(6, 5, 3, 1, 2)
    assert sorted(four_of_five.accepted[-1]) == [1, 2, 3, 5, 6]
    assert four_of_five.fouls == []


def test_a_die_found_after_a_blind_time_lay_under_no_arm(four_of_five: Evening) -> None:
    four_of_five.loses_sight()
    arm_leaves(four_of_five, 4)
    assert four_of_five.accepted == []


def test_the_die_that_leaned_and_the_next_one_may_lie_under_the_arm(crew: Evening) -> None:
    places = crew.throws(6, 5, 3, (1, "cocked"), (2, "cocked"))
    crew.arm_rests = True
    crew.throws(4, leaving=places[:3])
    assert crew.questions == ["Take your arm off the tray: a die may be under it."]
    arm_leaves(crew, 2)
    assert crew.questions[-1] == "Was the 2 thrown, or only moved?"
    crew.says_thrown(True)
    assert sorted(crew.accepted[-1]) == [2, 3, 4, 5, 6]


def test_a_throw_that_makes_a_choice_may_lie_under_an_arm_in_part(crew: Evening) -> None:
    places = crew.throws(6, 5, 4, 2, 3)
    crew.arm_rests = True
    crew.throws(1, leaving=places[:3])
    assert (crew.questions, crew.fouls) == (["Take your arm off the tray: a die may be under it."], [])
    arm_leaves(crew, 6)
    assert sorted(crew.accepted[-1]) == [1, 6]


def test_kept_dice_are_kept_though_a_thrown_one_lies_under_an_arm(midnight_thrown: Evening) -> None:
    midnight_thrown.arm_rests = True
    midnight_thrown.throws(1, 2, 2, leaving=(0, 1))
    assert midnight_thrown.fouls == []
    arm_leaves(midnight_thrown, 5)
    assert sorted(midnight_thrown.accepted[-1]) == [1, 2, 2, 5]
    assert midnight_thrown.match.answers[1].answer == Kept((6, 6))
