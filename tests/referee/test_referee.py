"""What the tray shows, against what the game awaits."""

from __future__ import annotations

import random
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from table.errors import IllegalAnswer, LogUnusable, StaleAction
from table.log.store import throw_jpeg
from table.referee.actions import End, Give, ReadAgain, Start
from table.referee.snapshot import TrayState
from table.rules.answers import Chosen, Kept, Throw
from table.rules.game import Seat
from tests.referee.evening import Evening


@pytest.fixture
def pig(tmp_path: Path) -> Evening:
    return Evening(tmp_path, "pig", "Ann", "Ben", start="Ann")


def test_a_throw_that_is_awaited_counts(pig: Evening) -> None:
    pig.throws(5)
    assert pig.state == TrayState.ACCEPTED
    assert pig.prompt == "Ann: hold 5 or throw again?"


def test_without_a_game_throws_are_read_and_shown_but_not_logged(tmp_path: Path) -> None:
    table = Evening(tmp_path)
    assert table.state == TrayState.EMPTY
    table.throws(4, 1)
    table.throws(6)
    assert table.now.tray.free_throws == ((4, 1), (6,))
    assert table.message == "Read: 6."
    assert table.now.match is None


def test_throwing_the_die_again_is_the_choice_to_throw_again(pig: Evening) -> None:
    pig.throws(5)
    pig.throws(4)
    assert pig.prompt == "Ann: hold 9 or throw again?"


def test_a_one_passes_the_die_and_says_why(pig: Evening) -> None:
    pig.throws(5)
    pig.throws(1)
    assert pig.prompt == "Ben: throw one die."
    assert pig.now.match is not None
    assert pig.now.match.rulings[-1].text == "Ann threw a 1: 5 points lost, and the turn is over."


def test_holding_is_tapped_and_can_be_taken_back(pig: Evening) -> None:
    pig.throws(5)
    pig.chooses("hold")
    assert pig.scores == {"Ann": 5, "Ben": 0}
    pig.takes_back()
    assert pig.scores == {"Ann": 0, "Ben": 0}
    assert pig.prompt == "Ann: hold 5 or throw again?"


def test_a_throw_is_never_taken_back(pig: Evening) -> None:
    pig.throws(5)
    with pytest.raises(IllegalAnswer, match="A throw is never taken back"):
        pig.takes_back()


def test_the_button_holds(pig: Evening) -> None:
    with pytest.raises(IllegalAnswer, match="nothing to confirm"):
        pig.confirms()
    pig.throws(5)
    assert pig.now.can_confirm == "hold"
    pig.confirms()
    assert pig.scores == {"Ann": 5, "Ben": 0}


def test_two_dice_at_once_are_void_and_the_sentence_says_what_to_do(pig: Evening) -> None:
    pig.throws(5, 6)
    assert pig.state == TrayState.WRONG_DICE
    assert pig.message == "Wrong dice: two dice came to rest, one expected; the throw is void. Ann: throw one die."
    assert pig.at == 0
    pig.throws(3)
    assert pig.prompt == "Ann: hold 3 or throw again?"


def test_a_spare_die_may_lie_about_where_nothing_is_set_aside(pig: Evening) -> None:
    (anns,) = pig.throws(5)
    pig.chooses("hold")
    pig.throws(2, leaving=(anns,))
    assert pig.prompt == "Ben: hold 2 or throw again?"


def test_picking_the_die_up_is_no_throw(pig: Evening) -> None:
    (die,) = pig.throws(5)
    pig.picks_up(die)
    assert pig.at == 1
    assert pig.state == TrayState.WAITING


def test_a_hand_that_rests_over_the_tray_and_leaves_is_no_throw(pig: Evening) -> None:
    pig.throws(5)
    hidden = pig.hides()
    pig.shows(hidden)
    assert pig.at == 1
    assert [d.part for d in pig.now.tray.dice] == ["thrown"]


def test_a_die_misread_after_the_throw_was_accepted_changes_nothing(pig: Evening) -> None:
    (die,) = pig.throws(5)
    pig.changes(die, face=4)
    pig.settle()
    assert pig.prompt == "Ann: hold 5 or throw again?"
    assert pig.at == 1


def test_a_die_that_was_not_surely_read_is_asked_about(pig: Evening) -> None:
    pig.throws((5, "unsure"))
    assert pig.state == TrayState.UNSURE
    assert pig.message == "One die could not be read surely: 5 or 3? Tap it and say what it shows."
    assert pig.at == 0
    pig.says(3)
    assert pig.prompt == "Ann: hold 3 or throw again?"
    assert [d.seen.face for d in pig.now.tray.dice] == [3]


def test_a_die_that_a_person_named_is_still_the_same_die(pig: Evening) -> None:
    pig.throws((5, "unsure"))
    pig.says(3)
    pig.shows(pig.hides())
    assert pig.at == 1


def test_the_wrong_number_of_faces_is_refused(pig: Evening) -> None:
    pig.throws((5, "unsure"))
    with pytest.raises(IllegalAnswer, match="One die asked about; two came"):
        pig.says(3, 3)
    assert pig.state == TrayState.UNSURE


def test_a_hand_over_the_tray_does_not_end_the_question(pig: Evening) -> None:
    pig.throws((5, "unsure"))
    pig.shows(dict(pig.lying))
    assert pig.state == TrayState.UNSURE
    pig.says(5)
    assert pig.at == 1


def test_dice_asked_about_may_be_thrown_again_instead(pig: Evening) -> None:
    pig.throws((5, "unsure"))
    pig.throws(6)
    assert pig.prompt == "Ann: hold 6 or throw again?"


def test_reading_again_can_settle_what_was_unsure(pig: Evening) -> None:
    (die,) = pig.throws((5, "unsure"))
    pig.does(ReadAgain())
    assert pig.asked_to_read == 1
    pig.changes(die, sure=True)
    pig.settle()
    assert pig.prompt == "Ann: hold 5 or throw again?"


def test_a_cocked_die_is_thrown_again_alone(tmp_path: Path) -> None:
    crew = Evening(tmp_path, "ship_captain_crew", "Ann", "Ben", start="Ann")
    *good, leaning = crew.throws(6, 5, 4, 3, (2, "cocked"))
    assert crew.state == TrayState.COCKED
    assert crew.message == "One die leaning, so that no face looks up: throw it again alone, and leave the others as they lie."
    assert [d.part for d in crew.now.tray.dice if d.part == "asked"] == ["asked"]
    crew.throws(1, leaving=tuple(good))
    assert leaning not in crew.lying
    assert crew.prompt == "Ann: keep the cargo of 4 or throw both cargo dice again?"


def test_dice_on_one_another_are_thrown_again_alone(tmp_path: Path) -> None:
    crew = Evening(tmp_path / "crew", "ship_captain_crew", "Ann", "Ben", start="Ann")
    crew.referee.see_state(TrayState.ROLLING)
    *good, lower, upper = crew.lays(6, 5, 4, 3, 3)
    x, y, w, h = crew.lying[lower].box_xywh
    crew.changes(upper, box_xywh=(x + 8, y + 5, w, h))
    crew.settle()
    assert crew.state == TrayState.STACKED
    assert crew.message == "Two dice lying on one another: throw them again alone, and leave the others as they lie."
    crew.throws(1, 1, leaving=tuple(good))
    assert crew.prompt == "Ann: keep the cargo of 2 or throw both cargo dice again?"


def test_a_die_that_fell_off_the_tray_is_thrown_again_alone(tmp_path: Path) -> None:
    crew = Evening(tmp_path, "ship_captain_crew", "Ann", "Ben", start="Ann")
    places = crew.throws(6, 5, 4, 3)
    assert crew.state == TrayState.WRONG_DICE
    crew.shows(dict(crew.lying))
    assert crew.state == TrayState.WRONG_DICE
    assert crew.now.tray.short
    crew.fell_off()
    assert crew.state == TrayState.OFF_THE_TRAY
    assert crew.message == "One die off the tray: throw it again alone, and leave the others as they lie."
    crew.throws(2, leaving=places)
    assert crew.prompt == "Ann: keep the cargo of 5 or throw both cargo dice again?"


def test_nothing_fell_off_where_nothing_is_missing(pig: Evening) -> None:
    pig.throws(5, 5)
    with pytest.raises(IllegalAnswer, match="No throw with too few dice"):
        pig.fell_off()


def test_dice_left_lying_are_kept_and_the_others_thrown_without_a_tap(tmp_path: Path) -> None:
    night = Evening(tmp_path, "midnight", "Ann", "Ben", start="Ann")
    a, b, _, _, c, d = night.throws(6, 6, 3, 2, 4, 1)
    e, _ = night.throws(5, 2, leaving=(a, b, c, d))
    night.throws(2, leaving=(a, b, c, d, e))
    night.throws(6, 6, 6, 6, 6, 6)
    assert night.scores == {"Ann": 19, "Ben": 0}
    assert night.prompt == "Ben: which dice do you keep?"


def test_keeping_none_is_void(tmp_path: Path) -> None:
    night = Evening(tmp_path, "midnight", "Ann", "Ben", start="Ann")
    night.throws(6, 6, 3, 2, 4, 1)
    night.throws(1, 1, 1, 1, 1, 1)
    assert night.state == TrayState.WRONG_DICE
    assert night.message == "Wrong dice: keep at least one die. The throw is void. Ann: which dice do you keep?"
    assert night.at == 1


def test_throwing_two_dice_again_in_pig_is_void(pig: Evening) -> None:
    pig.throws(5)
    pig.throws(3, 4)
    assert pig.state == TrayState.WRONG_DICE
    assert pig.message == "Wrong dice: two dice thrown; one or none would be right. The throw is void. Ann: hold 5 or throw again?"
    assert pig.at == 1


def test_throwing_where_only_a_tap_can_choose_is_out_of_turn(tmp_path: Path) -> None:
    five = Evening(tmp_path, "five_dice", *"ABCDEFG")
    five.throws(6)
    assert five.state == TrayState.OUT_OF_TURN
    assert five.message == (
        "Out of turn: no throw was awaited, so this one is void. More than six play: draw lots, and tap who begins."
    )


def test_throwing_all_five_dice_over_a_cargo_is_void(tmp_path: Path) -> None:
    crew = Evening(tmp_path, "ship_captain_crew", "Ann", "Ben", start="Ann")
    crew.throws(6, 5, 4, 3, 2)
    crew.throws(6, 6, 6, 6, 6)
    assert crew.state == TrayState.WRONG_DICE
    assert crew.message == (
        "Wrong dice: five dice thrown; two or none would be right. The throw is void. "
        "Ann: keep the cargo of 5 or throw both cargo dice again?"
    )


def test_all_six_are_set_aside_by_a_tap_and_thrown_again(tmp_path: Path) -> None:
    five = Evening(tmp_path, "five_dice", "Ann", "Ben", start="Ann")
    five.throws(1, 2, 3, 4, 5, 6)
    five.throws(1, 1, 1, 1, 1, 1)
    assert five.state == TrayState.WRONG_DICE
    five.keeps(1, 2, 3, 4, 5, 6)
    five.throws(1, 2, 2, 3, 4, 6)
    assert five.state == TrayState.ACCEPTED
    assert five.now.match is not None
    assert five.now.match.so_far == "1,500 so far: 1-2-3-4-5-6 for 1,500"


def test_setting_nothing_aside_is_void(tmp_path: Path) -> None:
    five = Evening(tmp_path, "five_dice", "Ann", "Ben", start="Ann", entry="0")
    five.throws(1, 5, 2, 2, 3, 4)
    five.throws(1, 1, 1, 1, 1, 1)
    assert five.state == TrayState.WRONG_DICE
    assert five.message == (
        "Wrong dice: set at least one scoring die aside. The throw is void. "
        "Ann: which scoring dice do you set aside? They are worth 150 at most."
    )


def test_throwing_on_with_a_die_too_few_is_void(tmp_path: Path) -> None:
    """The die set aside is right, so the foul is in the number thrown; what is asked is still what to set aside."""
    five = Evening(tmp_path, "five_dice", "Ann", "Ben", start="Ann", entry="0")
    places = five.throws(1, 5, 2, 2, 3, 4)
    five.throws(5, 5, 5, 2, leaving=places[:1])
    assert five.state == TrayState.WRONG_DICE
    assert five.message == (
        "Wrong dice: four dice thrown; five or none would be right. The throw is void. "
        "Ann: which scoring dice do you set aside? They are worth 150 at most."
    )
    assert five.at == 1


def test_a_kept_die_thrown_again_is_a_foul_by_name(tmp_path: Path) -> None:
    night = Evening(tmp_path, "midnight", "Ann", "Ben", start="Ann")
    a, b, *_ = night.throws(6, 6, 3, 2, 4, 1)
    night.keeps(6, 6)
    night.throws(5, 5, 5, 5, 5, leaving=(a,))
    assert night.state == TrayState.WRONG_DICE
    assert night.message.startswith("Foul, a die set aside was thrown again (6). The throw is void: put it back as it was.")
    assert b not in night.lying
    assert night.at == 2


def test_leaving_a_die_that_was_to_be_thrown_is_a_foul(tmp_path: Path) -> None:
    night = Evening(tmp_path, "midnight", "Ann", "Ben", start="Ann")
    a, _, c, *_ = night.throws(6, 6, 3, 2, 4, 1)
    night.keeps(6, 6)
    night.throws(5, 5, 5, 5, leaving=(a, c))
    assert night.state == TrayState.WRONG_DICE
    assert night.at == 2


def test_kept_dice_may_be_slid_aside(tmp_path: Path) -> None:
    night = Evening(tmp_path, "midnight", "Ann", "Ben", start="Ann")
    night.throws(6, 6, 3, 2, 4, 1)
    night.keeps(6, 6)
    aside = night.throws(6, 6)
    assert night.state == TrayState.WAITING
    night.throws(1, 4, 2, 2, leaving=aside)
    assert night.state == TrayState.ACCEPTED
    assert night.at == 3


def test_kept_dice_may_be_taken_out_of_the_tray(tmp_path: Path) -> None:
    night = Evening(tmp_path, "midnight", "Ann", "Ben", start="Ann")
    night.throws(6, 6, 3, 2, 4, 1)
    night.keeps(6, 6)
    night.throws(1, 4, 2, 2)
    assert night.state == TrayState.ACCEPTED


def test_throwing_one_cargo_die_alone_is_void(tmp_path: Path) -> None:
    crew = Evening(tmp_path, "ship_captain_crew", "Ann", "Ben", start="Ann")
    *rest, last = crew.throws(6, 5, 4, 3, 2)
    assert crew.state == TrayState.ACCEPTED
    crew.throws(6, leaving=tuple(rest))
    assert last not in crew.lying
    assert crew.state == TrayState.WRONG_DICE
    assert crew.message == (
        "Wrong dice: one die thrown; two or none would be right. The throw is void. "
        "Ann: keep the cargo of 5 or throw both cargo dice again?"
    )
    assert crew.at == 1


def test_five_dice_sets_aside_and_throws_on_by_the_tray_alone(tmp_path: Path) -> None:
    five = Evening(tmp_path, "five_dice", "Ann", "Ben", start="Ann", entry="0")
    places = five.throws(1, 5, 2, 2, 3, 4)
    five.throws(5, 5, 5, 2, 3, leaving=places[:1])
    assert five.at == 4
    assert "100" in five.now.match.so_far  # type: ignore[union-attr]


def test_setting_aside_a_die_that_does_not_score_is_void(tmp_path: Path) -> None:
    five = Evening(tmp_path, "five_dice", "Ann", "Ben", start="Ann", entry="0")
    places = five.throws(1, 5, 2, 2, 3, 4)
    five.throws(5, 5, 5, 2, 3, leaving=places[2:3])
    assert five.state == TrayState.WRONG_DICE
    assert five.message == (
        "Wrong dice: the 2 does not score in 2; pick it up. The throw is void. "
        "Ann: which scoring dice do you set aside? They are worth 150 at most."
    )
    assert five.at == 1


def test_own_dice_are_told_from_others_by_colour(tmp_path: Path) -> None:
    pig = Evening(tmp_path, "pig", "Ann:green", "Ben:red", start="Ann", dice="own")
    pig.throws(5, colour="red")
    assert pig.state == TrayState.WRONG_DICE
    assert pig.message.startswith("Wrong colour: one green die expected, one red die came.")
    pig.throws(5, colour="green")
    assert pig.prompt == "Ann: hold 5 or throw again?"


def test_a_misread_die_is_corrected_and_known_as_itself_from_then_on(pig: Evening) -> None:
    pig.throws(5)
    pig.corrects(0, 6)
    assert pig.prompt == "Ann: hold 6 or throw again?"
    assert [d.seen.face for d in pig.now.tray.dice] == [6]
    pig.shows(pig.hides())
    assert pig.at == 1


def test_a_correction_keeps_the_colour_that_was_seen(tmp_path: Path) -> None:
    pig = Evening(tmp_path, "pig", "Ann:green", "Ben:red", start="Ann", dice="own")
    pig.throws(5, colour="green")
    pig.corrects(0, 6)
    assert pig.now.match is not None
    assert pig.now.match.throws[0].answer.dice[0].colour == "green"  # type: ignore[union-attr]


def test_two_people_tapping_at_once_are_told_apart_by_number(pig: Evening) -> None:
    pig.throws(5)
    number = pig.now.number
    pig.does(Give(number, Chosen("hold")))
    with pytest.raises(StaleAction, match="Somebody was quicker"):
        pig.does(Give(number, Chosen("hold")))
    assert pig.scores == {"Ann": 5, "Ben": 0}


def test_the_table_comes_back_at_the_same_prompt_with_the_dice_still_lying(pig: Evening) -> None:
    pig.throws(5)
    before = pig.now
    pig.restarts()
    assert pig.now.match == before.match
    assert (pig.state, pig.message) == (TrayState.WAITING, "")
    pig.throws(6)
    assert pig.prompt == "Ann: hold 11 or throw again?"


def test_dice_found_on_the_tray_when_the_table_comes_back_are_no_throw(pig: Evening) -> None:
    pig.throws(5)
    pig.chooses("hold")
    pig.lays(6)
    pig.restarts()
    assert pig.prompt == "Ben: throw one die."
    assert pig.message == "Dice that came to rest while nobody could see do not count."
    assert pig.at == 2
    pig.settle()
    assert pig.at == 2
    pig.throws(4)
    assert pig.prompt == "Ben: hold 4 or throw again?"


def test_the_picture_behind_a_throw_is_kept(pig: Evening) -> None:
    pig.throws(5)
    assert throw_jpeg(pig.path, 1, 0) == b"\xff\xd8 a picture"
    assert throw_jpeg(pig.path, 1, 1) is None


def test_ending_the_game_leaves_a_tray_that_reads(pig: Evening) -> None:
    pig.throws(5)
    pig.does(End(pig.now.number))
    assert pig.now.match is None
    pig.throws(2, 3)
    assert pig.now.tray.free_throws == ((2, 3),)


def test_what_a_foul_said_stays_while_hands_mend_it(pig: Evening) -> None:
    pig.throws(5, 6)
    pig.referee.see_state(TrayState.HAND)
    assert pig.message.startswith("Wrong dice")


def test_dice_that_roll_have_chosen_already(pig: Evening) -> None:
    """Somebody sees a 1 come up, and taps “hold” before it was read."""
    pig.throws(5)
    pig.referee.see_state(TrayState.ROLLING)
    pig.referee.see_state(TrayState.SETTLING)
    with pytest.raises(IllegalAnswer, match="The dice are rolling"):
        pig.chooses("hold")
    with pytest.raises(IllegalAnswer, match="The dice are rolling"):
        pig.confirms()
    pig.lying.clear()
    pig.lays(1)
    pig.settle()
    assert pig.prompt == "Ben: throw one die."
    assert pig.scores == {"Ann": 0, "Ben": 0}


def test_a_hand_over_the_tray_does_not_keep_anybody_from_holding(pig: Evening) -> None:
    pig.throws(5)
    pig.referee.see_state(TrayState.ROLLING)
    pig.referee.see_state(TrayState.HAND)
    pig.chooses("hold")
    pig.settle()
    assert pig.prompt == "Ben: throw one die."
    assert pig.at == 2


def test_dice_that_roll_while_a_choice_is_taken_back_are_nobodys_throw(pig: Evening) -> None:
    pig.throws(5)
    pig.chooses("hold")
    pig.referee.see_state(TrayState.ROLLING)
    pig.takes_back()
    pig.lying.clear()
    pig.lays(6)
    pig.settle()
    assert pig.state == TrayState.OUT_OF_TURN
    assert pig.message.startswith("Out of turn: the dice were rolling already when somebody tapped, so this throw is void.")
    assert pig.at == 1
    pig.throws(4)
    assert pig.prompt == "Ann: hold 9 or throw again?"


def test_a_hand_leaving_while_a_choice_is_taken_back_costs_nobody_a_throw(pig: Evening) -> None:
    pig.throws(5)
    pig.chooses("hold")
    pig.referee.see_state(TrayState.ROLLING)
    pig.takes_back()
    pig.settle()
    assert pig.state == TrayState.WAITING
    pig.throws(4)
    assert pig.prompt == "Ann: hold 9 or throw again?"


def test_dice_found_when_a_lost_camera_comes_back_are_no_throw(pig: Evening) -> None:
    pig.throws(5)
    pig.chooses("hold")
    pig.referee.see_state(TrayState.NO_CAMERA, "the plug is out")
    pig.lying.clear()
    pig.lays(6)
    pig.settle()
    assert pig.at == 2
    assert pig.prompt == "Ben: throw one die."
    pig.throws(4)
    assert pig.prompt == "Ben: hold 4 or throw again?"


# -- dice that were decided on are never judged twice ----------------------------------------------------------------------


def test_reading_again_after_a_choice_changes_nothing(pig: Evening) -> None:
    pig.throws(4)
    pig.chooses("hold")
    pig.settle()
    assert pig.prompt == "Ben: throw one die."
    pig.takes_back()
    pig.settle()
    pig.corrects(0, 6)
    pig.settle()
    assert pig.prompt == "Ann: hold 6 or throw again?"
    assert pig.at == 1


def test_a_free_throw_is_not_the_first_of_the_game_started_over_it(tmp_path: Path) -> None:
    table = Evening(tmp_path)
    table.throws(5)
    table.does(Start(table.now.number, "pig", (Seat("Ann"), Seat("Ben")), {"start": "Ann"}))
    table.settle()
    assert table.prompt == "Ann: throw one die."


def test_reading_again_after_dice_were_kept_by_a_tap_is_no_foul(tmp_path: Path) -> None:
    night = Evening(tmp_path, "midnight", "Ann", "Ben", start="Ann")
    night.throws(6, 6, 3, 2, 4, 1)
    night.keeps(6, 6)
    night.settle()
    assert night.state == TrayState.WAITING
    assert night.message == ""


def test_dice_that_creep_are_followed(pig: Evening) -> None:
    (die,) = pig.throws(5)
    x, y, w, h = pig.lying[die].box_xywh
    pig.changes(die, box_xywh=(x + w / 2, y, w, h))
    pig.settle()
    pig.shows(pig.lying)
    assert pig.at == 1


def test_a_camera_lost_over_a_throw_that_counted_costs_nobody_the_next(pig: Evening) -> None:
    pig.throws(4)
    pig.referee.see_state(TrayState.NO_CAMERA, "the plug is out")
    pig.settle()
    pig.throws(3)
    assert pig.prompt == "Ann: hold 7 or throw again?"


def test_a_game_started_before_the_first_reading_takes_the_first_throw(tmp_path: Path) -> None:
    Evening(tmp_path)
    table = Evening(tmp_path, settled=False)
    table.referee.see_state(TrayState.SETTLING)
    table.does(Start(table.now.number, "pig", (Seat("Ann"), Seat("Ben")), {"start": "Ann"}))
    table.settle()
    table.throws(3)
    assert table.prompt == "Ann: hold 3 or throw again?"


def test_many_throws_without_a_game_leave_no_ghosts(tmp_path: Path) -> None:
    """Dice come to lie all over the tray, sometimes where one lay before; every throw is read as what it is."""
    table, rng = Evening(tmp_path), random.Random(1)
    for _ in range(400):
        table.picks_up(*table.lying)
        faces = tuple(rng.choices(range(1, 7), k=5))
        table._places = rng.randrange(100)
        table.throws(*faces)
        assert sorted(table.now.tray.free_throws[-1]) == sorted(faces)


# -- a throw that waits for something ---------------------------------------------------------------------------------------


def test_nobody_holds_away_from_a_die_that_was_not_surely_read(pig: Evening) -> None:
    pig.throws(4)
    pig.throws((1, "unsure"))
    assert pig.now.can_confirm is None
    with pytest.raises(IllegalAnswer, match="not settled yet"):
        pig.chooses("hold")
    pig.says(1)
    assert pig.prompt == "Ben: throw one die."


def test_the_question_stays_while_an_earlier_throw_is_corrected(pig: Evening) -> None:
    pig.throws(4)
    pig.throws((3, "unsure"))
    pig.corrects(0, 5)
    assert pig.state == TrayState.UNSURE
    pig.says(3)
    assert pig.prompt == "Ann: hold 8 or throw again?"


def test_the_question_stays_over_a_hand_and_a_lost_camera(pig: Evening) -> None:
    pig.throws((3, "unsure"))
    hidden = pig.hides()
    assert pig.state == TrayState.EMPTY or pig.state == TrayState.WAITING
    with pytest.raises(IllegalAnswer, match="No die is being asked about"):
        pig.says(3)
    pig.shows(hidden)
    assert pig.state == TrayState.UNSURE
    pig.referee.see_state(TrayState.NO_CAMERA, "the plug is out")
    pig.settle()
    assert pig.state == TrayState.UNSURE
    pig.says(3)
    assert pig.prompt == "Ann: hold 3 or throw again?"


def test_a_short_throw_may_have_lost_a_die_also_after_a_hand_covered_it(tmp_path: Path) -> None:
    crew = Evening(tmp_path, "ship_captain_crew", "Ann", "Ben", start="Ann")
    places = crew.throws(6, 5, 4, 2)
    crew.shows(crew.hides())
    assert crew.now.tray.short
    crew.fell_off()
    crew.throws(3, leaving=places)
    assert crew.prompt == "Ann: keep the cargo of 5 or throw both cargo dice again?"


def test_a_die_thrown_again_alone_may_be_read_unsurely_and_have_company(tmp_path: Path) -> None:
    crew = Evening(tmp_path, "ship_captain_crew", "Ann", "Ben", start="Ann")
    *good, _ = crew.throws(6, 5, 4, 3, (2, "cocked"))
    two = crew.throws(1, 1, leaving=tuple(good))
    assert crew.message.startswith("Wrong dice: six dice came to rest, five expected")
    crew.throws((2, "unsure"), leaving=tuple(good))
    assert not set(two) & set(crew.lying)
    crew.says(2)
    assert crew.prompt == "Ann: keep the cargo of 5 or throw both cargo dice again?"


def test_what_may_be_no_die_is_asked_about_and_not_a_foul(pig: Evening) -> None:
    _, phantom = pig.throws(4, (1, "unsure"))
    assert pig.state == TrayState.UNSURE
    assert pig.message == "Two dice seen, one expected: tap what is marked, and say what it shows or that it is no die."
    pig.says(None)
    assert pig.prompt == "Ann: hold 4 or throw again?"
    pig.throws(3, leaving=(phantom,))
    assert pig.prompt == "Ann: hold 7 or throw again?"


def test_two_dice_are_a_foul_once_a_person_says_so(pig: Evening) -> None:
    pig.throws(4, (1, "unsure"))
    pig.says(1)
    assert pig.message.startswith("Wrong dice: two dice came to rest, one expected")


def test_a_lone_doubtful_die_is_asked_about_before_it_is_a_foul(tmp_path: Path) -> None:
    crew = Evening(tmp_path, "ship_captain_crew", "Ann", "Ben", start="Ann")
    crew.throws((2, "unsure"))
    assert crew.state == TrayState.UNSURE
    assert crew.message == "One die seen, five expected: tap what is marked, and say what it shows or that it is no die."
    crew.says(None)
    assert (crew.state, crew.message) == (TrayState.WAITING, "")


def test_a_shadow_while_a_choice_is_awaited_is_nothing(tmp_path: Path) -> None:
    night = Evening(tmp_path, "midnight", "Ann", "Ben", start="Ann")
    places = night.throws(6, 6, 3, 2, 4, 1)
    night.throws((2, "unsure"), leaving=places)
    assert (night.state, night.message) == (TrayState.WAITING, "")


def test_a_throw_that_the_disk_refused_counts_once_there_is_room(pig: Evening, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as full:
        full.setattr(pig.log, "append", refuse)
        pig.throws(4)
        assert pig.at == 0
        assert pig.message == "The disk is full. The throw counts once the tray is read again."
    pig.shows(pig.lying)
    assert pig.prompt == "Ann: hold 4 or throw again?"


def test_a_die_that_was_told_is_not_lost_where_the_disk_refuses(pig: Evening, monkeypatch: pytest.MonkeyPatch) -> None:
    pig.throws((5, "unsure"))
    with monkeypatch.context() as full:
        full.setattr(pig.log, "append", refuse)
        pig.says(3)
        assert pig.message.startswith("The disk is full.")
    pig.settle()
    assert pig.prompt == "Ann: hold 3 or throw again?"


def refuse(*args: object) -> None:
    raise LogUnusable("the disk is full")


# -- moved, knocked, turned ---------------------------------------------------------------------------------------------------


def test_a_nudged_die_is_no_throw_and_the_page_says_so(pig: Evening) -> None:
    (die,) = pig.throws(5)
    pig.nudges(die, 0.5)
    assert pig.at == 1
    assert pig.message == "The 5 was moved, not thrown. If thrown, throw it again."
    pig.nudges(die, 0.5)
    assert pig.at == 1
    pig.throws(2)
    assert pig.prompt == "Ann: hold 7 or throw again?"


def test_a_die_turned_by_hand_is_a_foul_by_name(pig: Evening) -> None:
    (die,) = pig.throws(2)
    pig.referee.see_state(TrayState.HAND)
    pig.changes(die, face=6)
    pig.settle()
    assert pig.state == TrayState.WRONG_DICE
    assert pig.message.startswith("Foul: A die was turned by hand, which is no throw.")
    assert pig.at == 1
    pig.throws(3)
    assert pig.prompt == "Ann: hold 5 or throw again?"


def test_a_kept_die_knocked_by_a_throw_is_still_kept(tmp_path: Path) -> None:
    night = Evening(tmp_path, "midnight", "Ann", "Ben", start="Ann")
    a, b, *_ = night.throws(6, 6, 3, 2, 4, 1)
    night.keeps(6, 6)
    night.nudges(b, 0.5, settle=False)
    night.throws(5, 5, 5, 5, leaving=(a, b))
    assert night.state == TrayState.ACCEPTED
    assert night.at == 3


def test_a_die_that_may_have_been_knocked_or_thrown_is_asked_about(tmp_path: Path) -> None:
    night = Evening(tmp_path, "midnight", "Ann", "Ben", start="Ann")
    a, b, *_ = night.throws(6, 6, 3, 2, 4, 1)
    night.nudges(b, 0.5, settle=False)
    night.throws(1, 4, 2, 2, leaving=(a, b))
    assert night.state == TrayState.UNSURE
    assert night.message.startswith("It is not clear whether the 6 was thrown again or only knocked.")
    assert night.at == 1
    night.keeps(6, 6)
    assert night.at == 3
    assert night.now.match is not None
    assert night.now.match.throws[-1].answer.faces == (1, 4, 2, 2)  # type: ignore[union-attr]


def test_a_throw_is_not_void_because_a_die_landed_where_one_was_picked_up(tmp_path: Path) -> None:
    crew = Evening(tmp_path, "ship_captain_crew", "Ann", "Ben", start="Ann")
    places = crew.throws(2, 2, 4, 3, 3)
    crew.picks_up(*places)
    crew._places = places[2]  # the 4 comes to lie just where the 4 lay
    crew.throws(4, 6, 5, 1, 2)
    assert crew.state == TrayState.ACCEPTED
    assert crew.prompt == "Ann: keep the cargo of 3 or throw both cargo dice again?"


# -- corrections and restarts -------------------------------------------------------------------------------------------------


def test_dice_of_a_throw_that_was_corrected_away_are_nobodys(tmp_path: Path) -> None:
    night = Evening(tmp_path, "midnight", "Ann", "Ben", start="Ann")
    places = night.throws(1, 4, 2, 3, 5, 6)
    *_, five = night.throws(2, 2, 3, 3, 5, leaving=places[:1])
    night.corrects(0, 2, 4, 2, 3, 5, 6)
    assert night.at == 1
    assert night.now.tray.throw_at is None
    night.throws(6, 6, 6, 6, 6, leaving=(five,))
    assert night.state == TrayState.WRONG_DICE
    assert night.at == 1


def test_a_correction_outlives_a_restart(tmp_path: Path) -> None:
    night = Evening(tmp_path, "midnight", "Ann", "Ben", start="Ann")
    places = night.throws(1, 4, 2, 3, 5, 6)
    night.corrects(0, 1, 4, 3, 3, 5, 6)
    night.restarts()
    assert [d.seen.face for d in night.now.tray.dice] == [1, 4, 3, 3, 5, 6]
    night.throws(2, 2, 2, 2, 2, leaving=places[2:3])
    assert night.state == TrayState.ACCEPTED
    assert night.now.match is not None
    assert night.referee._match is not None
    assert night.referee._match.answers[1].answer == Kept((3,))


def test_a_throw_told_by_hand_has_no_dice_on_the_tray_also_after_a_restart(tmp_path: Path) -> None:
    night = Evening(tmp_path, "midnight", "Ann", "Ben", start="Ann")
    places = night.throws(1, 4, 2, 3, 5, 6)
    night.throws(2, 2, 3, 3, 5, leaving=places[:1])
    night.corrects(0, 2, 4, 2, 3, 5, 6)
    night.keeps(2)
    night.does(Give(night.now.number, Throw.of(1, 1, 1, 1, 1)))
    assert night.now.tray.throw_at is None
    night.restarts()
    assert night.now.tray.throw_at is None
    assert throw_jpeg(night.path, 1, 2) is None
    night.corrects(2, 6, 6, 6, 6, 6)
    assert night.at == 3


def test_a_tap_from_before_a_restart_is_stale(pig: Evening) -> None:
    pig.throws(4)
    stale = pig.now.number
    pig.restarts(first_number=1000)
    with pytest.raises(StaleAction):
        pig.does(Give(stale, Chosen("hold")))


def test_a_match_that_cannot_be_taken_up_says_why_until_a_game_is_started(pig: Evening) -> None:
    pig.throws(4)
    with closing(sqlite3.connect(pig.path)) as db:
        db.execute("DROP TRIGGER event_is_never_changed")
        db.execute("UPDATE event SET body = replace(body, '\"kind\": \"roll\"', '\"kind\": \"spin\"')")
        db.commit()
    pig.restarts()
    assert pig.now.match is None
    assert pig.message.startswith("The last match cannot be taken up: ")
    assert "{" not in pig.message
    pig.shows(pig.lying)
    assert pig.message.startswith("The last match cannot be taken up: ")
    pig.does(Start(pig.now.number, "pig", (Seat("Ann"), Seat("Ben")), {"start": "Ann"}))
    pig.throws(3)
    assert pig.prompt == "Ann: hold 3 or throw again?"


@pytest.mark.parametrize(("column", "table"), [("body", "event"), ("seats", "match"), ("reading", "evidence")])
def test_a_damaged_row_does_not_keep_the_table_from_starting(pig: Evening, column: str, table: str) -> None:
    pig.throws(4)
    with closing(sqlite3.connect(pig.path)) as db:
        for (trigger,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            db.execute(f"DROP TRIGGER {trigger}")
        db.execute(f"UPDATE {table} SET {column} = 'torn'")
        db.commit()
    pig.restarts()
    pig.does(Start(pig.now.number, "pig", (Seat("Ann"), Seat("Ben")), {"start": "Ann"}))
    pig.throws(3)
    assert pig.prompt == "Ann: hold 3 or throw again?"
