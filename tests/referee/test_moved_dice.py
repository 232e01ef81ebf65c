"""Dice that were moved, knocked, tidied or tipped over are neither a throw nor a foul."""

from __future__ import annotations

from pathlib import Path

import pytest

from table.common.errors import IllegalAnswer
from table.common.tray import TrayState
from table.rules.answers import Kept
from tests.referee.evening import Evening
from vision.tracking.tracks import TrackOutcome

PLACES = (0, 1, 2, 3, 4, 5)


def test_pushing_the_die_across_the_tray_is_no_second_throw(pig: Evening) -> None:
    (die,) = pig.throws(5)
    pig.nudges(die, sides=6)
    assert pig.at == 1
    assert pig.message == "The 5 was moved, not thrown. If thrown, throw it again."
    pig.throws(2)
    assert pig.prompt == "Ann: hold 7 or throw again?"


def test_pushing_the_die_to_the_next_player_is_not_their_throw(pig: Evening) -> None:
    (die,) = pig.throws(5)
    pig.chooses("hold")
    pig.nudges(die, sides=8)
    assert pig.prompt == "Ben: throw one die."
    assert pig.accepted == [(5,)]
    assert pig.fouls == []


def test_sliding_a_die_aside_in_midnight_is_no_throw(midnight_thrown: Evening) -> None:
    midnight_thrown.nudges(0, sides=7)
    assert midnight_thrown.at == 1
    midnight_thrown.throws(5, 4, 3, 2, leaving=PLACES[:2])
    assert midnight_thrown.accepted == [(6, 6, 3, 2, 4, 1), (5, 4, 3, 2)]
    assert midnight_thrown.match.answers[1].answer == Kept((6, 6))


def test_pushing_dice_together_in_five_dice_is_no_bust(five_dice: Evening) -> None:
    places = five_dice.throws(1, 5, 2, 2, 3, 4)
    five_dice.nudges(*places, sides=2)
    five_dice.picks_up(*places[2:])
    assert five_dice.at == 1
    assert five_dice.fouls == []
    five_dice.throws(5, 5, 2, 3, leaving=places[:2])
    assert five_dice.state == TrayState.ACCEPTED


def test_pushing_dice_in_farmers_dash_uses_no_reroll(tmp_path: Path) -> None:
    table = Evening(tmp_path, "highland", "Ann")
    places = table.throws(5, 3, 2, 6)
    table.nudges(*places, sides=4)
    assert (
        table.prompt
        == "Ann: which dice do you keep? First set 5, 3, 2, 6 = 16, low is good; two rerolls left."
    )
    table.throws(1, 3, leaving=places[1:3])
    assert (
        table.prompt == "Ann: which dice do you keep? First set 3, 2, 1, 3 = 9, low is good; one reroll left."
    )


def test_a_kept_die_knocked_far_away_is_still_kept(midnight_thrown: Evening) -> None:
    midnight_thrown.keeps(6, 6)
    midnight_thrown.nudges(1, sides=5, settle=False)
    midnight_thrown.throws(5, 5, 5, 5, leaving=PLACES[:2])
    assert midnight_thrown.state == TrayState.ACCEPTED
    assert midnight_thrown.at == 3
    assert midnight_thrown.fouls == []


def test_a_kept_die_knocked_over_keeps_its_face_and_is_put_back(midnight_thrown: Evening) -> None:
    midnight_thrown.keeps(6, 6)
    knocked = midnight_thrown.tumbles(1, 2)
    midnight_thrown.throws(5, 5, 5, 5, leaving=(0, knocked))
    assert midnight_thrown.accepted[-1] == (5, 5, 5, 5)
    assert midnight_thrown.message == "The 6 was knocked over: put it back as it lay."
    assert midnight_thrown.fouls == []
    midnight_thrown.turns(knocked, 6)
    assert midnight_thrown.fouls == []
    midnight_thrown.throws(1, 4, 2, leaving=(0, knocked, *sorted(midnight_thrown.lying)[2:3]))
    assert midnight_thrown.state == TrayState.ACCEPTED


def test_a_crew_die_knocked_over_does_not_void_the_throw(crew: Evening) -> None:
    places = crew.throws(6, 5, 4, 3, 2)
    knocked = crew.tumbles(places[0], 1)
    crew.throws(6, 6, leaving=(knocked, *places[1:3]))
    assert crew.state == TrayState.ACCEPTED
    assert crew.accepted[-1] == (6, 6)
    assert crew.fouls == []


def test_a_die_that_tumbles_without_being_lifted_is_thrown(pig: Evening) -> None:
    (die,) = pig.throws(5)
    pig.tumbles(die, 3)
    pig.settle()
    assert pig.prompt == "Ann: hold 8 or throw again?"


def test_a_person_says_whether_a_die_was_thrown_or_knocked(midnight_thrown: Evening) -> None:
    rolled = midnight_thrown.tumbles(1, 4)
    midnight_thrown.throws(1, 4, 2, 2, leaving=(0, rolled))
    assert midnight_thrown.state == TrayState.UNSURE
    assert midnight_thrown.questions == ["Was the 4 thrown, or only knocked?"]
    assert [d.part for d in midnight_thrown.now.tray.dice].count("doubted") == 1
    assert midnight_thrown.at == 1
    midnight_thrown.says_thrown(False)
    assert midnight_thrown.accepted[-1] == (1, 4, 2, 2)
    assert midnight_thrown.message == "The 6 was knocked over: put it back as it lay."


def test_a_die_confirmed_as_thrown_belongs_to_the_throw(midnight_thrown: Evening) -> None:
    rolled = midnight_thrown.tumbles(1, 4)
    midnight_thrown.throws(1, 4, 2, 2, leaving=(0, rolled))
    midnight_thrown.says_thrown(True)
    assert midnight_thrown.accepted[-1] == (4, 1, 4, 2, 2)


def test_tapping_the_choice_answers_the_question(midnight_thrown: Evening) -> None:
    rolled = midnight_thrown.tumbles(1, 4)
    midnight_thrown.throws(1, 4, 2, 2, leaving=(0, rolled))
    midnight_thrown.keeps(6, 6)
    assert midnight_thrown.accepted[-1] == (1, 4, 2, 2)


def test_throwing_on_does_not_lose_a_throw_in_doubt(midnight_thrown: Evening) -> None:
    rolled = midnight_thrown.tumbles(1, 4)
    midnight_thrown.throws(1, 4, 2, 2, leaving=(0, rolled))
    midnight_thrown.throws(6, 6, 6, leaving=(0, rolled))
    assert midnight_thrown.fouls == ["G10"]
    assert midnight_thrown.at == 1
    midnight_thrown.says_thrown(False)
    assert midnight_thrown.accepted[-1] == (1, 4, 2, 2)


def test_a_die_confirmed_as_thrown_by_one_tap_counts(pig: Evening) -> None:
    (die,) = pig.throws(4)
    pig.nudges(die, outcome=TrackOutcome.UNCLEAR)
    assert pig.state == TrayState.UNSURE
    assert pig.questions == ["Was the 4 thrown, or only moved?"]
    assert pig.at == 1
    pig.says_thrown(True)
    assert pig.prompt == "Ann: hold 8 or throw again?"


@pytest.mark.parametrize("then", ["tap", "hold", "throw"])
def test_a_die_that_was_only_pushed_is_no_throw(pig: Evening, then: str) -> None:
    (die,) = pig.throws(4)
    pig.nudges(die, outcome=TrackOutcome.UNCLEAR)
    if then == "tap":
        pig.says_thrown(False)
        assert pig.prompt == "Ann: hold 4 or throw again?"
    elif then == "hold":
        pig.chooses("hold")
        assert pig.prompt == "Ben: throw one die."
    else:
        pig.throws(3)
        assert pig.prompt == "Ann: hold 7 or throw again?"
    assert pig.fouls == []


def test_no_question_is_asked_when_no_throw_is_awaited(crew: Evening) -> None:
    places = crew.throws(6, 5, 4, 3, 2)
    crew.nudges(places[1], outcome=TrackOutcome.UNCLEAR)
    assert crew.questions == []
    assert crew.state == TrayState.WAITING


def test_no_question_is_asked_when_the_throw_is_complete_without_the_die(midnight_thrown: Evening) -> None:
    midnight_thrown.keeps(6, 6)
    midnight_thrown.nudges(0, settle=False, outcome=TrackOutcome.UNCLEAR)
    midnight_thrown.throws(5, 5, 5, 5, leaving=PLACES[:2])
    assert midnight_thrown.questions == []
    assert midnight_thrown.accepted[-1] == (5, 5, 5, 5)


def test_all_doubtful_dice_are_asked_about_in_one_question(midnight_thrown: Evening) -> None:
    midnight_thrown.nudges(2, 3, outcome=TrackOutcome.UNCLEAR)
    assert midnight_thrown.questions == ["Were the 3 and 2 thrown, or only moved?"]
    midnight_thrown.says_thrown(False)
    assert midnight_thrown.state == TrayState.WAITING


# -- dice in question of which only some were thrown ---------------------------------------------------------


@pytest.fixture
def one_of_two(crew: Evening) -> Evening:
    """Four of five dice were surely thrown, and one of two more, a 4 and a 2, may be the fifth."""
    crew.lays(4, 2, outcome=TrackOutcome.UNCLEAR)
    crew.throws(6, 5, 3, 1, leaving=tuple(crew.lying))
    return crew


@pytest.mark.parametrize(("thrown", "fifth"), [(True, 4), (False, 2)])
def test_one_answer_tells_which_of_two_was_thrown(one_of_two: Evening, thrown: bool, fifth: int) -> None:
    assert one_of_two.questions == ["Was the marked 4 thrown, or only moved?"]
    assert [d.seen.face for d in one_of_two.now.tray.dice if d.part == "doubted"] == [4]
    one_of_two.says_thrown(thrown)
    assert sorted(one_of_two.accepted[-1]) == sorted((6, 5, 3, 1, fifth))
    assert one_of_two.fouls == []


def test_the_question_about_one_die_stays_when_the_tray_is_read_again(one_of_two: Evening) -> None:
    number = one_of_two.now.number
    one_of_two.settle()
    assert (one_of_two.now.number, len(one_of_two.questions)) == (number, 1)


def test_of_two_dice_that_look_alike_nobody_is_asked_which_was_thrown(crew: Evening) -> None:
    crew.lays(4, 4, outcome=TrackOutcome.UNCLEAR)
    crew.throws(6, 5, 3, 1, leaving=tuple(crew.lying))
    assert crew.questions == []
    assert sorted(crew.accepted[-1]) == [1, 3, 4, 5, 6]


@pytest.mark.parametrize(("thrown", "left"), [(True, (6, 6, 2, 4, 1)), (False, (6, 6, 3, 4, 1))])
def test_only_one_of_two_dice_in_question_was_thrown(
    midnight_thrown: Evening, thrown: bool, left: tuple[int, ...]
) -> None:
    midnight_thrown.nudges(2, 3, outcome=TrackOutcome.UNCLEAR)
    assert midnight_thrown.now.tray.some
    midnight_thrown.says_only_some_were_thrown()
    assert midnight_thrown.questions[-1] == "Was the marked 3 thrown, or only moved?"
    assert not midnight_thrown.now.tray.some
    midnight_thrown.settle()
    midnight_thrown.says_thrown(thrown)
    assert len(midnight_thrown.questions) == 2
    assert midnight_thrown.accepted[-1] == ((3,) if thrown else (2,))
    assert midnight_thrown.match.answers[1].answer == Kept(left)


def test_of_three_dice_in_question_the_rest_is_asked_about_next(midnight_thrown: Evening) -> None:
    midnight_thrown.nudges(2, 3, 4, outcome=TrackOutcome.UNCLEAR)
    midnight_thrown.says_only_some_were_thrown()
    midnight_thrown.says_thrown(False)
    assert midnight_thrown.questions[-1] == "Were the 2 and 4 thrown, or only moved?"
    midnight_thrown.says_thrown(True)
    assert midnight_thrown.accepted[-1] == (2, 4)


def test_one_of_two_knocked_dice_was_thrown_too(midnight_thrown: Evening) -> None:
    rolled = midnight_thrown.tumbles(0, 5), midnight_thrown.tumbles(1, 4)
    midnight_thrown.throws(1, 2, 2, leaving=(2, *rolled))
    assert midnight_thrown.questions == ["Were the 5 and 4 thrown, or only knocked?"]
    midnight_thrown.says_only_some_were_thrown()
    midnight_thrown.says_thrown(True)
    assert midnight_thrown.accepted[-1] == (5, 1, 2, 2)
    assert midnight_thrown.match.answers[1].answer == Kept((3, 6))


def test_without_a_game_one_of_two_dice_was_thrown(tmp_path: Path) -> None:
    free = Evening(tmp_path)
    free.lays(3, 6, outcome=TrackOutcome.UNCLEAR)
    free.settle()
    free.says_only_some_were_thrown()
    free.says_thrown(False)
    assert free.accepted == [(6,)]


def test_that_only_some_were_thrown_is_refused_without_such_a_question(pig: Evening) -> None:
    (die,) = pig.throws(4)
    pig.nudges(die, outcome=TrackOutcome.UNCLEAR)
    with pytest.raises(IllegalAnswer, match="Nobody asks which of several were thrown now"):
        pig.says_only_some_were_thrown()


def test_an_answer_without_a_question_is_refused(pig: Evening) -> None:
    pig.throws(4)
    with pytest.raises(IllegalAnswer, match="Nobody asks whether dice were thrown now"):
        pig.says_thrown(True)


def test_pushing_an_unsure_die_does_not_change_the_question(pig: Evening) -> None:
    (die,) = pig.throws((5, "unsure"))
    for outcome in (TrackOutcome.MOVED, TrackOutcome.UNCLEAR, TrackOutcome.PLACED):
        pig.nudges(die, sides=2, outcome=outcome)
        assert pig.questions == ["One die could not be read surely: 5 or 3? Tap it and say what it shows."]
    pig.names_faces(3)
    assert pig.accepted == [(3,)]


def test_a_die_that_tips_over_after_its_throw_counted_does_not_count_again(pig: Evening) -> None:
    (die,) = pig.throws(5)
    pig.turns(die, 2, outcome=TrackOutcome.TIPPED)
    assert pig.accepted == [(5,)]
    assert pig.fouls == []
    assert pig.message == "The 5 was knocked over: put it back as it lay."
    assert pig.prompt == "Ann: hold 5 or throw again?"
    pig.turns(die, 5)
    assert pig.fouls == []


def test_a_die_that_tips_over_before_its_throw_counts_has_its_new_face(pig: Evening) -> None:
    (die,) = pig.throws((5, "cocked"))
    pig.changes(die, cocked=False)
    pig.turns(die, 2, outcome=TrackOutcome.TIPPED)
    assert pig.accepted == [(2,)]


def test_kept_dice_can_be_lifted_and_put_back(midnight_thrown: Evening) -> None:
    midnight_thrown.keeps(6, 6)
    there = midnight_thrown.puts_back(0)
    assert midnight_thrown.fouls == []
    assert midnight_thrown.at == 2
    midnight_thrown.throws(5, 5, 5, 5, leaving=(1, there))
    assert midnight_thrown.state == TrayState.ACCEPTED


def test_kept_dice_can_be_picked_up_and_put_back_later(midnight_thrown: Evening) -> None:
    midnight_thrown.keeps(6, 6)
    midnight_thrown.picks_up(*PLACES)
    back = midnight_thrown.lays_down(6, 6)
    assert midnight_thrown.fouls == []
    midnight_thrown.throws(5, 5, 5, 5, leaving=back)
    assert midnight_thrown.state == TrayState.ACCEPTED


def test_a_bumped_camera_is_no_throw(pig: Evening) -> None:
    (die,) = pig.throws(5)
    pig.nudges(die, sides=0.7, settle=False)
    pig.settle(camera_moved=True)
    assert (pig.state, pig.message) == (TrayState.MOVED, "The camera was moved. The game goes on.")
    assert not pig.now.tray.blind
    assert pig.accepted == [(5,)]
    pig.chooses("hold")
    assert pig.prompt == "Ben: throw one die."
    pig.nudges(die, sides=0.7, settle=False)
    pig.settle(camera_moved=True)
    assert pig.prompt == "Ben: throw one die."
    pig.throws(3)
    assert pig.accepted == [(5,), (3,)]


def test_a_camera_that_lost_the_tray_sees_no_throws(pig: Evening) -> None:
    (die,) = pig.throws(5)
    pig.nudges(die, sides=0.7, settle=False)
    pig.settle(camera_moved=True)
    pig.sees(TrayState.MOVED)
    assert (pig.state, pig.now.tray.blind) == (TrayState.MOVED, True)


def test_a_thrown_die_can_land_where_another_was_picked_up(crew: Evening) -> None:
    places = crew.throws(2, 2, 4, 3, 3)
    crew.picks_up(*places)
    crew.next_place = places[2]  # the new 4 lands where the old 4 lay
    crew.throws(4, 6, 5, 1, 2)
    assert crew.state == TrayState.ACCEPTED
    assert crew.prompt == "Ann: keep the cargo of 3 or throw both again (throw 3 of 3)?"


def test_a_die_can_land_where_it_lay_two_throws_ago(pig: Evening) -> None:
    (place,) = pig.throws(5)
    (there,) = pig.throws(3)
    pig.picks_up(there)
    pig.next_place = place
    pig.throws(5)
    assert pig.prompt == "Ann: hold 13 or throw again?"


def test_a_hand_over_a_foul_does_not_make_taps_stale(pig: Evening) -> None:
    pig.throws(5, 6)
    number = pig.now.number
    pig.uncovers(pig.lying)
    assert pig.state == TrayState.WRONG_DICE
    assert pig.now.number == number


def test_a_later_reading_of_the_corrected_face_is_no_throw_and_no_foul(pig: Evening) -> None:
    (die,) = pig.throws(6)
    pig.corrects(0, 2)
    pig.turns(die, 2)
    assert (pig.state, pig.at) == (TrayState.WAITING, 1)
    pig.nudges(die, sides=0.4)
    assert pig.at == 1
    assert pig.fouls == []


def test_a_moved_die_changes_its_face_only_from_unsure_to_sure(pig: Evening) -> None:
    (die,) = pig.throws((5, "unsure"))
    pig.nudges(die, settle=False)
    pig.changes(die, face=3, sure=True)
    pig.settle()
    assert pig.accepted == [(3,)]
    pig.nudges(die, settle=False)
    pig.changes(die, face=6)
    pig.settle()
    assert [d.seen.face for d in pig.now.tray.dice] == [3]


# -- lifted dice that show their old face --------------------------------------------------------------------


@pytest.fixture
def drop_dead(tmp_path: Path) -> Evening:
    """Ann has thrown 1, 3, 4, 6 and 6, and throws all five again."""
    table = Evening(tmp_path, "drop_dead", "Ann", "Ben", start="Ann")
    table.throws(1, 3, 4, 6, 6)
    return table


def test_a_lifted_die_with_its_old_face_completes_the_throw(drop_dead: Evening) -> None:
    """The lifted die shows its old face by chance. Without it one die of the throw is missing."""
    drop_dead.nudges(0, settle=False, lifted=True)
    drop_dead.throws(3, 3, 4, 6, leaving=(0,))
    assert drop_dead.fouls == []
    assert sorted(drop_dead.accepted[-1]) == [1, 3, 3, 4, 6]


def test_a_die_that_falls_where_one_with_its_face_lay_completes_the_throw(drop_dead: Evening) -> None:
    """All five were picked up before. The one that lies in its place again was not seen to tumble."""
    lay = drop_dead.lying[0]
    drop_dead.picks_up(*drop_dead.lying)
    again = drop_dead.comes_back(lay)
    drop_dead.throws(3, 3, 4, 6, leaving=(again,))
    assert drop_dead.fouls == []
    assert sorted(drop_dead.accepted[-1]) == [1, 3, 3, 4, 6]


def test_a_kept_die_put_elsewhere_is_not_part_of_the_throw(midnight_thrown: Evening) -> None:
    midnight_thrown.nudges(0, settle=False, lifted=True)
    midnight_thrown.throws(5, 4, 3, 2, 1, leaving=(0,))
    assert midnight_thrown.accepted[-1] == (5, 4, 3, 2, 1)
    assert midnight_thrown.match.answers[1].answer == Kept((6,))
    assert midnight_thrown.fouls == []


def test_one_die_put_elsewhere_is_no_throw(drop_dead: Evening) -> None:
    drop_dead.nudges(0, lifted=True)
    assert (drop_dead.at, drop_dead.questions, drop_dead.fouls) == (1, [], [])


@pytest.mark.parametrize("thrown", [True, False])
def test_without_a_game_doubtful_dice_are_asked_about(tmp_path: Path, thrown: bool) -> None:
    free = Evening(tmp_path)
    free.lays(3, 6, outcome=TrackOutcome.UNCLEAR)
    free.settle()
    assert free.questions == ["Were the 3 and 6 thrown, or only moved?"]
    free.says_thrown(thrown)
    assert free.accepted == ([(3, 6)] if thrown else [])


@pytest.mark.parametrize("thrown", [True, False])
def test_without_a_game_a_doubtful_die_beside_a_throw_is_asked_about(tmp_path: Path, thrown: bool) -> None:
    free = Evening(tmp_path)
    free.lays(5, outcome=TrackOutcome.UNCLEAR)
    free.lays(3, outcome=TrackOutcome.THROWN)
    free.settle()
    assert (free.questions, free.accepted) == (["Was the 5 thrown, or only moved?"], [])
    free.says_thrown(thrown)
    assert free.accepted == ([(5, 3)] if thrown else [(3,)])
