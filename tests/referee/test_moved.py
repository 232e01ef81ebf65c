"""Dice that were moved, knocked, tidied or tipped over, and not thrown: no throw, and nobody's foul."""

from __future__ import annotations

from pathlib import Path

import pytest

from table.common.errors import IllegalAnswer
from table.common.tray import TrayState
from table.rules.answers import Kept
from tests.referee.evening import Evening
from vision.tracks import TrackOutcome


@pytest.fixture
def night(tmp_path: Path) -> Evening:
    """Midnight: Ann has thrown 6, 6, 3, 2, 4 and 1."""
    night = Evening(tmp_path, "midnight", "Ann", "Ben", start="Ann")
    night.throws(6, 6, 3, 2, 4, 1)
    return night


PLACES = (0, 1, 2, 3, 4, 5)


def test_pushing_the_five_across_in_pig_is_no_second_throw(pig: Evening) -> None:
    (die,) = pig.throws(5)
    pig.nudges(die, sides=6)
    assert pig.at == 1
    assert pig.message == "The 5 was moved, not thrown. If thrown, throw it again."
    pig.throws(2)
    assert pig.prompt == "Ann: hold 7 or throw again?"


def test_after_a_hold_pushing_the_die_to_the_next_player_is_not_their_throw(pig: Evening) -> None:
    (die,) = pig.throws(5)
    pig.chooses("hold")
    pig.nudges(die, sides=8)
    assert pig.prompt == "Ben: throw one die."
    assert pig.accepted == [(5,)]
    assert pig.fouls == []


def test_sliding_a_die_aside_in_midnight_throws_nothing(night: Evening) -> None:
    night.nudges(0, sides=7)
    assert night.at == 1
    night.throws(5, 4, 3, 2, leaving=PLACES[:2])
    assert night.accepted == [(6, 6, 3, 2, 4, 1), (5, 4, 3, 2)]
    assert night.match.answers[1].answer == Kept((6, 6))


def test_pushing_dice_together_to_pick_them_up_in_five_dice_busts_nobody(tmp_path: Path) -> None:
    five = Evening(tmp_path, "five_dice", "Ann", "Ben", start="Ann", entry="0")
    places = five.throws(1, 5, 2, 2, 3, 4)
    five.nudges(*places, sides=2)
    five.picks_up(*places[2:])
    assert five.at == 1
    assert five.fouls == []
    five.throws(5, 5, 2, 3, leaving=places[:2])
    assert five.state == TrayState.ACCEPTED


def test_pushing_dice_in_highlands_dash_uses_up_no_reroll(tmp_path: Path) -> None:
    table = Evening(tmp_path, "highland", "Ann")
    places = table.throws(5, 3, 2, 6)
    table.nudges(*places, sides=4)
    assert table.prompt == "Ann: which dice do you keep? First set 5, 3, 2, 6 = 16; two rerolls left."
    table.throws(1, 3, leaving=places[1:3])
    assert table.prompt == "Ann: which dice do you keep? First set 3, 2, 1, 3 = 9; one reroll left."


def test_a_kept_die_knocked_far_by_a_throw_is_still_kept(night: Evening) -> None:
    night.keeps(6, 6)
    night.nudges(1, sides=5, settle=False)
    night.throws(5, 5, 5, 5, leaving=PLACES[:2])
    assert night.state == TrayState.ACCEPTED
    assert night.at == 3
    assert night.fouls == []


def test_a_kept_die_knocked_over_by_a_throw_counts_as_it_was_and_is_put_back(night: Evening) -> None:
    night.keeps(6, 6)
    knocked = night.tumbles(1, 2)
    night.throws(5, 5, 5, 5, leaving=(0, knocked))
    assert night.accepted[-1] == (5, 5, 5, 5)
    assert night.message == "The 6 was knocked over: put it back as it lay."
    assert night.fouls == []
    night.turns(knocked, 6)
    assert night.fouls == []
    night.throws(1, 4, 2, leaving=(0, knocked, *sorted(night.lying)[2:3]))
    assert night.state == TrayState.ACCEPTED


def test_a_set_aside_die_knocked_over_in_ship_captain_crew_does_not_void_the_throw(tmp_path: Path) -> None:
    crew = Evening(tmp_path, "ship_captain_crew", "Ann", "Ben", start="Ann")
    places = crew.throws(6, 5, 4, 3, 2)
    knocked = crew.tumbles(places[0], 1)
    crew.throws(6, 6, leaving=(knocked, *places[1:3]))
    assert crew.state == TrayState.ACCEPTED
    assert crew.accepted[-1] == (6, 6)
    assert crew.fouls == []


def test_dice_swept_across_the_tray_without_being_lifted_are_thrown(pig: Evening) -> None:
    (die,) = pig.throws(5)
    pig.tumbles(die, 3)
    pig.settle()
    assert pig.prompt == "Ann: hold 8 or throw again?"


def test_where_a_die_may_have_been_thrown_or_knocked_a_person_says_which(night: Evening) -> None:
    rolled = night.tumbles(1, 4)
    night.throws(1, 4, 2, 2, leaving=(0, rolled))
    assert night.state == TrayState.UNSURE
    assert night.asked == ["Was the 4 thrown, or only knocked?"]
    assert [d.part for d in night.now.tray.dice].count("doubted") == 1
    assert night.at == 1
    night.says_thrown(False)
    assert night.accepted[-1] == (1, 4, 2, 2)
    assert night.message == "The 6 was knocked over: put it back as it lay."


def test_a_die_that_was_thrown_after_all(night: Evening) -> None:
    rolled = night.tumbles(1, 4)
    night.throws(1, 4, 2, 2, leaving=(0, rolled))
    night.says_thrown(True)
    assert night.accepted[-1] == (4, 1, 4, 2, 2)


def test_the_choice_may_be_tapped_instead(night: Evening) -> None:
    rolled = night.tumbles(1, 4)
    night.throws(1, 4, 2, 2, leaving=(0, rolled))
    night.keeps(6, 6)
    assert night.accepted[-1] == (1, 4, 2, 2)


def test_a_throw_in_doubt_is_not_lost_by_throwing_on(night: Evening) -> None:
    rolled = night.tumbles(1, 4)
    night.throws(1, 4, 2, 2, leaving=(0, rolled))
    night.throws(6, 6, 6, leaving=(0, rolled))
    assert night.fouls == ["G10"]
    assert night.at == 1
    night.says_thrown(False)
    assert night.accepted[-1] == (1, 4, 2, 2)


def test_a_die_that_may_have_been_pushed_or_thrown_is_asked_about_with_one_tap(pig: Evening) -> None:
    (die,) = pig.throws(4)
    pig.nudges(die, outcome=TrackOutcome.UNCLEAR)
    assert pig.state == TrayState.UNSURE
    assert pig.asked == ["Was the 4 thrown, or only moved?"]
    assert pig.at == 1
    pig.says_thrown(True)
    assert pig.prompt == "Ann: hold 8 or throw again?"


@pytest.mark.parametrize("then", ["tap", "hold", "throw"])
def test_a_die_that_was_only_pushed(pig: Evening, then: str) -> None:
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


def test_nobody_is_asked_where_no_throw_is_awaited(tmp_path: Path) -> None:
    crew = Evening(tmp_path, "ship_captain_crew", "Ann", "Ben", start="Ann")
    places = crew.throws(6, 5, 4, 3, 2)
    crew.nudges(places[1], outcome=TrackOutcome.UNCLEAR)
    assert crew.asked == []
    assert crew.state == TrayState.WAITING


def test_nobody_is_asked_where_the_throw_is_whole_without_the_die(night: Evening) -> None:
    night.keeps(6, 6)
    night.nudges(0, settle=False, outcome=TrackOutcome.UNCLEAR)
    night.throws(5, 5, 5, 5, leaving=PLACES[:2])
    assert night.asked == []
    assert night.accepted[-1] == (5, 5, 5, 5)


def test_one_question_for_all_dice_of_an_act(night: Evening) -> None:
    night.nudges(2, 3, outcome=TrackOutcome.UNCLEAR)
    assert night.asked == ["Were the 3 and 2 thrown, or only moved?"]
    night.says_thrown(False)
    assert night.state == TrayState.WAITING


def test_nothing_is_told_that_nobody_asks(pig: Evening) -> None:
    pig.throws(4)
    with pytest.raises(IllegalAnswer, match="Nobody asks whether dice were thrown now"):
        pig.says_thrown(True)


def test_pushing_an_unsure_die_about_leaves_the_question_as_it_is(pig: Evening) -> None:
    (die,) = pig.throws((5, "unsure"))
    for outcome in (TrackOutcome.MOVED, TrackOutcome.UNCLEAR, TrackOutcome.LAID):
        pig.nudges(die, sides=2, outcome=outcome)
        assert pig.asked == ["One die could not be read surely: 5 or 3? Tap it and say what it shows."]
    pig.says(3)
    assert pig.accepted == [(3,)]


def test_a_die_that_tips_over_after_its_throw_counted_counts_once(pig: Evening) -> None:
    (die,) = pig.throws(5)
    pig.turns(die, 2, outcome=TrackOutcome.TIPPED)
    assert pig.accepted == [(5,)]
    assert pig.fouls == []
    assert pig.message == "The 5 was knocked over: put it back as it lay."
    assert pig.prompt == "Ann: hold 5 or throw again?"
    pig.turns(die, 5)
    assert pig.fouls == []


def test_a_die_that_tips_over_before_its_throw_counts_shows_what_it_shows_now(pig: Evening) -> None:
    (die,) = pig.throws((5, "cocked"))
    pig.changes(die, cocked=False)
    pig.turns(die, 2, outcome=TrackOutcome.TIPPED)
    assert pig.accepted == [(2,)]


def test_kept_dice_lifted_and_laid_back_as_they_lay_are_tidied(night: Evening) -> None:
    night.keeps(6, 6)
    there = night.puts_back(0)
    assert night.fouls == []
    assert night.at == 2
    night.throws(5, 5, 5, 5, leaving=(1, there))
    assert night.state == TrayState.ACCEPTED


def test_kept_dice_may_be_picked_up_and_laid_back_later(night: Evening) -> None:
    night.keeps(6, 6)
    night.picks_up(*PLACES)
    back = night.lays_down(6, 6)
    assert night.fouls == []
    night.throws(5, 5, 5, 5, leaving=back)
    assert night.state == TrayState.ACCEPTED


def test_a_camera_that_is_bumped_throws_nothing(pig: Evening) -> None:
    (die,) = pig.throws(5)
    pig.nudges(die, sides=0.7, settle=False)
    pig.settle(camera_moved=True)
    assert (pig.state, pig.message) == (TrayState.MOVED, "The camera was moved. The game goes on.")
    assert pig.accepted == [(5,)]
    pig.chooses("hold")
    assert pig.prompt == "Ben: throw one die."
    pig.nudges(die, sides=0.7, settle=False)
    pig.settle(camera_moved=True)
    assert pig.prompt == "Ben: throw one die."
    pig.throws(3)
    assert pig.accepted == [(5,), (3,)]


def test_a_throw_is_not_void_because_a_die_landed_where_one_was_picked_up(tmp_path: Path) -> None:
    crew = Evening(tmp_path, "ship_captain_crew", "Ann", "Ben", start="Ann")
    places = crew.throws(2, 2, 4, 3, 3)
    crew.picks_up(*places)
    crew._places = places[2]  # the 4 comes to lie just where the 4 lay
    crew.throws(4, 6, 5, 1, 2)
    assert crew.state == TrayState.ACCEPTED
    assert crew.prompt == "Ann: keep the cargo of 3 or throw both cargo dice again?"


def test_a_die_may_land_where_it_lay_two_throws_ago(pig: Evening) -> None:
    (place,) = pig.throws(5)
    (there,) = pig.throws(3)
    pig.picks_up(there)
    pig._places = place
    pig.throws(5)
    assert pig.prompt == "Ann: hold 13 or throw again?"


def test_what_is_tapped_stays_fresh_while_a_hand_passes_over_a_foul(pig: Evening) -> None:
    pig.throws(5, 6)
    number = pig.now.number
    pig.shows(pig.lying)
    assert pig.state == TrayState.WRONG_DICE
    assert pig.now.number == number


def test_a_corrected_die_that_is_read_rightly_later_was_neither_thrown_nor_turned(pig: Evening) -> None:
    (die,) = pig.throws(6)
    pig.corrects(0, 2)
    pig.turns(die, 2)
    assert (pig.state, pig.at) == (TrayState.WAITING, 1)
    pig.nudges(die, sides=0.4)
    assert pig.at == 1
    assert pig.fouls == []


def test_a_move_keeps_its_face_unless_it_was_unsure_and_is_sure_now(pig: Evening) -> None:
    (die,) = pig.throws((5, "unsure"))
    pig.nudges(die, settle=False)
    pig.changes(die, face=3, sure=True)
    pig.settle()
    assert pig.accepted == [(3,)]
    pig.nudges(die, settle=False)
    pig.changes(die, face=6)
    pig.settle()
    assert [d.seen.face for d in pig.now.tray.dice] == [3]


# -- lifted, and seen again with the face it showed ----------------------------------------------------------------------------


@pytest.fixture
def drop_dead(tmp_path: Path) -> Evening:
    """Ann has thrown 1, 3, 4, 6 and 6, and throws all five again."""
    table = Evening(tmp_path, "drop_dead", "Ann", "Ben", start="Ann")
    table.throws(1, 3, 4, 6, 6)
    return table


def test_a_die_that_comes_down_among_others_as_it_lay_is_one_of_the_throw(drop_dead: Evening) -> None:
    """It was away for a while, and shows by chance what it showed: with it the throw is whole, without it one die is missing."""
    drop_dead.nudges(0, settle=False, lifted=True)
    drop_dead.throws(3, 3, 4, 6, leaving=(0,))
    assert drop_dead.fouls == []
    assert sorted(drop_dead.accepted[-1]) == [1, 3, 3, 4, 6]


def test_a_kept_die_that_is_lifted_and_put_elsewhere_is_none_of_the_throw(night: Evening) -> None:
    night.nudges(0, settle=False, lifted=True)
    night.throws(5, 4, 3, 2, 1, leaving=(0,))
    assert night.accepted[-1] == (5, 4, 3, 2, 1)
    assert night.match.answers[1].answer == Kept((6,))
    assert night.fouls == []


def test_a_die_lifted_and_put_elsewhere_alone_is_no_throw(drop_dead: Evening) -> None:
    drop_dead.nudges(0, lifted=True)
    assert (drop_dead.at, drop_dead.asked, drop_dead.fouls) == (1, [], [])


@pytest.mark.parametrize("thrown", [True, False])
def test_without_a_game_dice_that_nobody_saw_come_are_asked_about_too(tmp_path: Path, thrown: bool) -> None:
    free = Evening(tmp_path)
    free.lays(3, 6, outcome=TrackOutcome.UNCLEAR)
    free.settle()
    assert free.asked == ["Were the 3 and 6 thrown, or only moved?"]
    free.says_thrown(thrown)
    assert free.accepted == ([(3, 6)] if thrown else [])
