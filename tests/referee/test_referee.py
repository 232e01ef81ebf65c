"""The referee compares the tray with the prompt of the game."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from table.common.errors import IllegalAnswer, StaleAction
from table.common.tray import TrayState
from table.log.store import throw_jpeg
from table.referee.actions import Correct, End, RereadTray, SubmitAnswer
from table.referee.effects import Asked
from table.referee.events import event_from_json
from table.referee.snapshot import NO_FACE
from table.rules.answers import Chosen, Die, Throw
from tests.referee.evening import Evening


def test_an_awaited_throw_counts(pig: Evening) -> None:
    pig.throws(5)
    assert pig.state == TrayState.ACCEPTED
    assert pig.prompt == "Ann: hold 5 or throw again?"


def test_a_question_is_written_for_scripts() -> None:
    assert Asked("Which die fell?").to_json() == {"asked": "Which die fell?"}


def test_without_a_game_throws_are_read_and_shown_but_not_logged(tmp_path: Path) -> None:
    table = Evening(tmp_path)
    assert table.state == TrayState.EMPTY
    table.throws(4, 1)
    table.throws(6)
    assert table.now.tray.free_throws == ((4, 1), (6,))
    assert table.message == "Read: 6."
    assert table.now.match is None


def test_throwing_the_die_again_chooses_to_throw_again(pig: Evening) -> None:
    pig.throws(5)
    pig.throws(4)
    assert pig.prompt == "Ann: hold 9 or throw again?"


def test_a_1_ends_the_turn_with_a_ruling(pig: Evening) -> None:
    pig.throws(5)
    pig.throws(1)
    assert pig.prompt == "Ben: throw one die."
    assert pig.now.match is not None
    assert pig.now.match.rulings[-1].text == "Ann threw a 1: 5 points lost, and the turn is over."


def test_a_tapped_hold_can_be_taken_back(pig: Evening) -> None:
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


def test_the_button_confirms_a_hold(pig: Evening) -> None:
    with pytest.raises(IllegalAnswer, match="nothing to confirm"):
        pig.confirms()
    pig.throws(5)
    assert pig.now.can_confirm == "hold"
    pig.confirms()
    assert pig.scores == {"Ann": 5, "Ben": 0}


def test_throwing_two_dice_for_one_is_void_and_the_message_says_what_to_do(pig: Evening) -> None:
    pig.throws(5, 6)
    assert pig.state == TrayState.WRONG_DICE
    assert (
        pig.message
        == "Wrong dice: two dice came to rest, one expected; the throw is void. Ann: throw one die."
    )
    assert pig.at == 0
    pig.throws(3)
    assert pig.prompt == "Ann: hold 3 or throw again?"


def test_a_spare_die_can_stay_on_the_tray_when_no_dice_are_set_aside(pig: Evening) -> None:
    (anns,) = pig.throws(5)
    pig.chooses("hold")
    pig.throws(2, leaving=(anns,))
    assert pig.prompt == "Ben: hold 2 or throw again?"


def test_picking_up_the_die_is_no_throw(pig: Evening) -> None:
    (die,) = pig.throws(5)
    pig.picks_up(die)
    assert pig.at == 1
    assert pig.state == TrayState.WAITING


def test_a_hand_that_covers_the_tray_and_leaves_is_no_throw(pig: Evening) -> None:
    pig.throws(5)
    hidden = pig.covers_all()
    pig.uncovers(hidden)
    assert pig.at == 1
    assert [d.part for d in pig.now.tray.dice] == ["thrown"]


def test_a_misreading_after_the_throw_was_accepted_changes_nothing(pig: Evening) -> None:
    (die,) = pig.throws(5)
    pig.changes(die, face=4)
    pig.settle()
    assert pig.prompt == "Ann: hold 5 or throw again?"
    assert pig.at == 1


def test_an_unsure_die_is_asked_about(pig: Evening) -> None:
    pig.throws((5, "unsure"))
    assert pig.state == TrayState.UNSURE
    assert pig.message == "One die could not be read surely: 5 or 3? Tap it and say what it shows."
    assert pig.at == 0
    pig.names_faces(3)
    assert pig.prompt == "Ann: hold 3 or throw again?"
    assert [d.seen.face for d in pig.now.tray.dice] == [3]


def test_a_die_named_by_a_person_is_still_the_same_die(pig: Evening) -> None:
    pig.throws((5, "unsure"))
    pig.names_faces(3)
    pig.uncovers(pig.covers_all())
    assert pig.at == 1


def test_naming_the_wrong_number_of_faces_is_refused(pig: Evening) -> None:
    pig.throws((5, "unsure"))
    with pytest.raises(IllegalAnswer, match="One die asked about; two came"):
        pig.names_faces(3, 3)
    assert pig.state == TrayState.UNSURE


def test_a_hand_over_the_tray_does_not_end_the_question(pig: Evening) -> None:
    pig.throws((5, "unsure"))
    pig.uncovers(dict(pig.lying))
    assert pig.state == TrayState.UNSURE
    pig.names_faces(5)
    assert pig.at == 1


def test_an_unsure_die_thrown_again_keeps_its_first_reading(pig: Evening) -> None:
    pig.throws((5, "unsure"))
    pig.throws(6)
    assert pig.at == 0
    assert pig.fouls == ["G10"]
    assert pig.message == (
        "Foul: thrown again while in doubt. The first throw stands. "
        "One die could not be read surely: 5 or 3? Tap it and say what it shows."
    )
    assert [(d.part, d.seen.face) for d in pig.now.tray.dice] == [("still", 6), ("asked", 5)]
    pig.settle()
    pig.names_faces(3)
    assert pig.accepted == [(3,)]
    assert pig.prompt == "Ann: hold 3 or throw again?"
    pig.throws(4)
    assert pig.prompt == "Ann: hold 7 or throw again?"


def test_reading_again_can_resolve_an_unsure_die(pig: Evening) -> None:
    (die,) = pig.throws((5, "unsure"))
    pig.does(RereadTray())
    assert pig.asked_to_read == 1
    pig.changes(die, sure=True)
    pig.settle()
    assert pig.prompt == "Ann: hold 5 or throw again?"


def test_a_cocked_die_is_thrown_again_alone(crew: Evening) -> None:
    *good, leaning = crew.throws(6, 5, 4, 3, (2, "cocked"))
    assert crew.state == TrayState.COCKED
    assert crew.message == (
        "One die leaning, so that no face looks up: throw it again alone, and leave the others as they lie."
    )
    assert [d.part for d in crew.now.tray.dice if d.part == "asked"] == ["asked"]
    crew.throws(1, leaving=tuple(good))
    assert leaning not in crew.lying
    assert crew.prompt == "Ann: keep the cargo of 4 or throw both again (throw 2 of 3)?"


def test_a_leaning_die_counts_once_a_person_names_its_face(crew: Evening) -> None:
    crew.throws(6, 5, 4, 3, (2, "cocked"))
    assert [(d.part, d.index) for d in crew.now.tray.dice if d.part == "asked"] == [("asked", 0)]
    crew.names_faces(2)
    assert crew.state == TrayState.ACCEPTED
    assert crew.prompt == "Ann: keep the cargo of 5 or throw both again (throw 2 of 3)?"
    crew.settle()
    assert crew.prompt == "Ann: keep the cargo of 5 or throw both again (throw 2 of 3)?"


def test_a_person_can_say_that_one_of_two_leaning_dice_lies_flat(crew: Evening) -> None:
    *flat, leaning = crew.throws(6, 5, 4, (3, "cocked"), (2, "cocked"))
    assert crew.message.startswith("Two dice leaning")
    crew.names_faces(3, None)
    assert crew.state == TrayState.COCKED
    assert crew.message.startswith("One die leaning")
    assert [d.seen.cocked for d in crew.now.tray.dice] == [False] * 4 + [True]
    crew.throws(1, leaving=tuple(flat))
    assert leaning not in crew.lying
    assert crew.prompt == "Ann: keep the cargo of 4 or throw both again (throw 2 of 3)?"


def test_a_leaning_die_that_was_picked_up_is_no_longer_asked_about(crew: Evening) -> None:
    *flat, one, _ = crew.throws(6, 5, 4, (3, "cocked"), (2, "cocked"))
    crew.picks_up(one)
    assert [d.index for d in crew.now.tray.dice if d.part == "asked"] == [None]
    crew.throws(1, 1, leaving=tuple(flat))
    assert crew.state == TrayState.ACCEPTED


def test_stacked_dice_cannot_be_named_as_leaning_dice_can(crew: Evening) -> None:
    crew.sees(TrayState.ROLLING)
    _, _, lower, upper, _ = crew.lays(6, 5, 4, 3, (2, "cocked"))
    x, y, _, _ = crew.lying[lower].box_xywh
    crew.changes(upper, box_xywh=(x + 8, y + 5, 40, 40))
    crew.settle()
    assert crew.message.startswith("Three dice leaning or lying on one another: throw them again alone")
    assert [d.index for d in crew.now.tray.dice if d.part == "asked"] == [None, None, 0]
    crew.names_faces(2)
    assert crew.state == TrayState.STACKED
    assert crew.message.startswith("Two dice lying on one another")


def test_a_die_once_read_as_flat_does_not_become_cocked(crew: Evening) -> None:
    """A die near the threshold can be read as flat once and as cocked later, while the plane is estimated."""
    *good, _ = crew.throws(6, 5, 4, 3, (2, "cocked"))
    crew.changes(good[3], cocked=True)
    crew.throws(1, leaving=tuple(good))
    assert crew.state == TrayState.ACCEPTED


def test_a_leaning_die_can_only_be_named_one_of_its_possible_faces(pig: Evening) -> None:
    pig.throws((2, "cocked"))
    with pytest.raises(IllegalAnswer, match="That die can show 2 or 3 as it lies, not 6"):
        pig.names_faces(6)
    assert pig.state == TrayState.COCKED
    pig.names_faces(3)
    assert pig.prompt == "Ann: hold 3 or throw again?"


def test_stacked_dice_are_thrown_again_alone(tmp_path: Path) -> None:
    crew = Evening(tmp_path / "crew", "ship_captain_crew", "Ann", "Ben", start="Ann")
    crew.sees(TrayState.ROLLING)
    *good, lower, upper = crew.lays(6, 5, 4, 3, 3)
    x, y, w, h = crew.lying[lower].box_xywh
    crew.changes(upper, box_xywh=(x + 8, y + 5, w, h))
    crew.settle()
    assert crew.state == TrayState.STACKED
    assert (
        crew.message
        == "Two dice lying on one another: throw them again alone, and leave the others as they lie."
    )
    crew.throws(1, 1, leaving=tuple(good))
    assert crew.prompt == "Ann: keep the cargo of 2 or throw both again (throw 2 of 3)?"


def test_a_die_that_fell_off_the_tray_is_thrown_again_alone(crew: Evening) -> None:
    places = crew.throws(6, 5, 4, 3)
    assert crew.state == TrayState.WRONG_DICE
    crew.uncovers(dict(crew.lying))
    assert crew.state == TrayState.WRONG_DICE
    assert crew.now.tray.short
    crew.fell_off()
    assert crew.state == TrayState.OFF_THE_TRAY
    assert crew.message == "One die off the tray: throw it again alone, and leave the others as they lie."
    crew.throws(2, leaving=places)
    assert crew.prompt == "Ann: keep the cargo of 5 or throw both again (throw 2 of 3)?"


def test_fell_off_is_refused_when_no_die_is_missing(pig: Evening) -> None:
    pig.throws(5, 5)
    with pytest.raises(IllegalAnswer, match="No throw with too few dice"):
        pig.fell_off()


def test_leaving_dice_on_the_tray_keeps_them_without_a_tap(midnight: Evening) -> None:
    a, b, _, _, c, d = midnight.throws(6, 6, 3, 2, 4, 1)
    e, _ = midnight.throws(5, 2, leaving=(a, b, c, d))
    midnight.throws(2, leaving=(a, b, c, d, e))
    midnight.throws(6, 6, 6, 6, 6, 6)
    assert midnight.scores == {"Ann": 19, "Ben": 0}
    assert midnight.prompt == "Ben: which dice do you keep?"


def test_keeping_none_is_void(midnight_thrown: Evening) -> None:
    midnight_thrown.throws(1, 1, 1, 1, 1, 1)
    assert midnight_thrown.state == TrayState.WRONG_DICE
    assert (
        midnight_thrown.message
        == "Wrong dice: keep at least one die. The throw is void. Ann: which dice do you keep?"
    )
    assert midnight_thrown.at == 1


def test_throwing_two_dice_again_in_pig_is_void(pig: Evening) -> None:
    pig.throws(5)
    pig.throws(3, 4)
    assert pig.state == TrayState.WRONG_DICE
    assert pig.message == (
        "Wrong dice: two dice thrown; one or none would be right. The throw is void. "
        "Ann: hold 5 or throw again?"
    )
    assert pig.at == 1


def test_throwing_during_a_tapped_choice_is_out_of_turn(tmp_path: Path) -> None:
    five = Evening(tmp_path, "five_dice", *"ABCDEFG")
    five.throws(6)
    assert five.state == TrayState.OUT_OF_TURN
    assert five.message == (
        "Out of turn: no throw was awaited, so this one is void. "
        "More than six play: draw lots, and tap who begins."
    )


def test_throwing_all_five_dice_instead_of_the_cargo_is_void(crew: Evening) -> None:
    crew.throws(6, 5, 4, 3, 2)
    crew.throws(6, 6, 6, 6, 6)
    assert crew.state == TrayState.WRONG_DICE
    assert crew.message == (
        "Wrong dice: five dice thrown; two or none would be right. The throw is void. "
        "Ann: keep the cargo of 5 or throw both again (throw 2 of 3)?"
    )


def test_all_six_dice_are_set_aside_by_a_tap_and_thrown_again(tmp_path: Path) -> None:
    five = Evening(tmp_path, "five_dice", "Ann", "Ben", start="Ann")
    five.throws(1, 2, 3, 4, 5, 6)
    five.throws(1, 1, 1, 1, 1, 1)
    assert five.state == TrayState.WRONG_DICE
    five.keeps(1, 2, 3, 4, 5, 6)
    five.throws(1, 2, 2, 3, 4, 6)
    assert five.state == TrayState.ACCEPTED
    assert five.now.match is not None
    assert five.now.match.so_far == "1,500 so far: 1-2-3-4-5-6 for 1,500"


def test_setting_nothing_aside_is_void(five_dice: Evening) -> None:
    five_dice.throws(1, 5, 2, 2, 3, 4)
    five_dice.throws(1, 1, 1, 1, 1, 1)
    assert five_dice.state == TrayState.WRONG_DICE
    assert five_dice.message == (
        "Wrong dice: set at least one scoring die aside. The throw is void. "
        "Ann: which scoring dice do you set aside? They are worth 150 at most."
    )


def test_throwing_on_with_one_die_missing_is_void(five_dice: Evening) -> None:
    """The die left on the tray is a legal choice. Only the number of dice thrown is wrong."""
    places = five_dice.throws(1, 5, 2, 2, 3, 4)
    five_dice.throws(5, 5, 5, 2, leaving=places[:1])
    assert five_dice.state == TrayState.WRONG_DICE
    assert five_dice.message == (
        "Wrong dice: four dice thrown; five or none would be right. The throw is void. "
        "Ann: which scoring dice do you set aside? They are worth 150 at most."
    )
    assert five_dice.at == 1


def test_throwing_a_kept_die_again_is_a_foul_that_names_the_die(midnight: Evening) -> None:
    a, b, *_ = midnight.throws(6, 6, 3, 2, 4, 1)
    midnight.keeps(6, 6)
    midnight.throws(5, 5, 5, 5, 5, leaving=(a,))
    assert midnight.state == TrayState.WRONG_DICE
    assert midnight.message.startswith(
        "Foul, a die set aside was thrown again (6). The throw is void: put it back as it was."
    )
    assert b not in midnight.lying
    assert midnight.at == 2


def test_leaving_an_unkept_die_on_the_tray_is_a_foul(midnight: Evening) -> None:
    a, _, c, *_ = midnight.throws(6, 6, 3, 2, 4, 1)
    midnight.keeps(6, 6)
    midnight.throws(5, 5, 5, 5, leaving=(a, c))
    assert midnight.state == TrayState.WRONG_DICE
    assert midnight.at == 2


def test_kept_dice_can_be_slid_aside(midnight: Evening) -> None:
    places = midnight.throws(6, 6, 3, 2, 4, 1)
    midnight.keeps(6, 6)
    midnight.picks_up(*places[2:])
    midnight.nudges(*places[:2], sides=5)
    assert midnight.state == TrayState.WAITING
    midnight.throws(1, 4, 2, 2, leaving=places[:2])
    assert midnight.state == TrayState.ACCEPTED
    assert midnight.at == 3


def test_kept_dice_can_be_taken_off_the_tray(midnight_thrown: Evening) -> None:
    midnight_thrown.keeps(6, 6)
    midnight_thrown.throws(1, 4, 2, 2)
    assert midnight_thrown.state == TrayState.ACCEPTED


def test_throwing_one_cargo_die_alone_is_void(crew: Evening) -> None:
    *rest, last = crew.throws(6, 5, 4, 3, 2)
    assert crew.state == TrayState.ACCEPTED
    crew.throws(6, leaving=tuple(rest))
    assert last not in crew.lying
    assert crew.state == TrayState.WRONG_DICE
    assert crew.message == (
        "Wrong dice: one die thrown; two or none would be right. The throw is void. "
        "Ann: keep the cargo of 5 or throw both again (throw 2 of 3)?"
    )
    assert crew.at == 1


def test_in_five_dice_dice_are_set_aside_without_a_tap(five_dice: Evening) -> None:
    places = five_dice.throws(1, 5, 2, 2, 3, 4)
    five_dice.throws(5, 5, 5, 2, 3, leaving=places[:1])
    assert five_dice.at == 4
    assert "100" in five_dice.now.match.so_far  # type: ignore[union-attr]


def test_setting_aside_a_die_that_does_not_score_is_void(five_dice: Evening) -> None:
    places = five_dice.throws(1, 5, 2, 2, 3, 4)
    five_dice.throws(5, 5, 5, 2, 3, leaving=places[2:3])
    assert five_dice.state == TrayState.WRONG_DICE
    assert five_dice.message == (
        "Wrong dice: the 2 does not score; pick it up. The throw is void. "
        "Ann: which scoring dice do you set aside? They are worth 150 at most."
    )
    assert five_dice.at == 1


def test_dice_of_another_player_are_recognised_by_colour(pig_with_own_dice: Evening) -> None:
    pig_with_own_dice.throws(5, colour="red")
    assert pig_with_own_dice.state == TrayState.WRONG_DICE
    assert pig_with_own_dice.message.startswith("Wrong colour: one green die expected, one red die came.")
    pig_with_own_dice.throws(5, colour="green")
    assert pig_with_own_dice.prompt == "Ann: hold 5 or throw again?"


def test_a_corrected_die_is_still_the_same_die(pig: Evening) -> None:
    pig.throws(5)
    pig.corrects(0, 6)
    assert pig.prompt == "Ann: hold 6 or throw again?"
    assert [d.seen.face for d in pig.now.tray.dice] == [6]
    pig.uncovers(pig.covers_all())
    assert pig.at == 1


def test_a_correction_keeps_the_detected_colour(pig_with_own_dice: Evening) -> None:
    pig_with_own_dice.throws(5, colour="green")
    pig_with_own_dice.corrects(0, 6)
    assert pig_with_own_dice.now.match is not None
    assert pig_with_own_dice.now.match.throws[0].answer.dice[0].colour == "green"  # type: ignore[union-attr]


COLOURS = ("red", "green", "blue", "white", "black", "yellow")


def test_a_correction_reaches_each_die_by_its_colour(midnight: Evening) -> None:
    midnight.throws(1, 4, 2, 3, 5, 6, colour=COLOURS)
    faces = {"yellow": 6, "black": 5, "white": 3, "blue": 2, "green": 4, "red": 6}
    dice = tuple(Die(face, colour) for colour, face in faces.items())
    midnight.does(Correct(midnight.now.number, 0, Throw(dice)))
    assert {d.seen.colour: d.seen.face for d in midnight.now.tray.dice} == faces


def test_a_correction_in_which_dice_cannot_be_told_apart_is_refused(midnight: Evening) -> None:
    midnight.throws(1, 4, 2, 3, 5, 6, colour=COLOURS)
    with pytest.raises(IllegalAnswer, match="not clear which die showed 2 and 4"):
        midnight.corrects(0, 1, 2, 4, 3, 5, 6)
    assert [d.seen.face for d in midnight.now.tray.dice] == [1, 4, 2, 3, 5, 6]


def test_the_second_of_two_simultaneous_taps_is_stale(pig: Evening) -> None:
    pig.throws(5)
    number = pig.now.number
    pig.does(SubmitAnswer(number, Chosen("hold")))
    with pytest.raises(StaleAction, match="Somebody was quicker"):
        pig.does(SubmitAnswer(number, Chosen("hold")))
    assert pig.scores == {"Ann": 5, "Ben": 0}


def test_a_restart_resumes_the_same_prompt_and_dice(pig: Evening) -> None:
    pig.throws(5)
    before = pig.now
    pig.restarts()
    assert pig.now.match == before.match
    assert (pig.state, pig.message) == (TrayState.WAITING, "")
    pig.throws(6)
    assert pig.prompt == "Ann: hold 11 or throw again?"


def test_dice_found_after_a_restart_are_no_throw(pig: Evening) -> None:
    pig.throws(5)
    pig.chooses("hold")
    pig.lays(6)
    pig.restarts()
    assert pig.prompt == "Ben: throw one die."
    assert pig.message == "Dice that came to rest while nobody could see do not count. Throw them again."
    assert pig.at == 2
    pig.settle()
    assert pig.at == 2
    pig.throws(4)
    assert pig.prompt == "Ben: hold 4 or throw again?"


def test_the_picture_of_a_throw_is_stored(pig: Evening) -> None:
    pig.throws(5)
    assert throw_jpeg(pig.path, 1, 0) == b"\xff\xd8 a picture"
    assert throw_jpeg(pig.path, 1, 1) is None


def test_the_tray_is_still_read_after_the_game_ends(pig: Evening) -> None:
    pig.throws(5)
    pig.does(End(pig.now.number))
    assert pig.now.match is None
    pig.throws(2, 3)
    assert pig.now.tray.free_throws == ((2, 3),)


def test_the_message_of_a_foul_stays_while_a_hand_is_over_the_tray(pig: Evening) -> None:
    pig.throws(5, 6)
    pig.sees(TrayState.HAND)
    assert pig.message.startswith("Wrong dice")


def test_a_tap_is_refused_while_dice_roll(pig: Evening) -> None:
    """A player who sees a 1 must not be able to tap “hold” before it is read."""
    pig.throws(5)
    pig.sees(TrayState.ROLLING)
    pig.sees(TrayState.SETTLING)
    with pytest.raises(IllegalAnswer, match="The dice are rolling"):
        pig.chooses("hold")
    with pytest.raises(IllegalAnswer, match="The dice are rolling"):
        pig.confirms()
    pig.lying.clear()
    pig.lays(1)
    pig.settle()
    assert pig.prompt == "Ben: throw one die."
    assert pig.scores == {"Ann": 0, "Ben": 0}


def test_a_player_can_hold_with_a_hand_over_the_tray(pig: Evening) -> None:
    pig.throws(5)
    pig.sees(TrayState.ROLLING)
    pig.sees(TrayState.HAND)
    pig.chooses("hold")
    pig.settle()
    assert pig.prompt == "Ben: throw one die."
    assert pig.at == 2


def test_dice_rolling_while_a_choice_is_taken_back_are_void(pig: Evening) -> None:
    pig.throws(5)
    pig.chooses("hold")
    pig.sees(TrayState.ROLLING)
    pig.takes_back()
    pig.lying.clear()
    pig.lays(6)
    pig.settle()
    assert pig.state == TrayState.OUT_OF_TURN
    assert pig.message.startswith(
        "Out of turn: the dice were rolling already when somebody tapped, so this throw is void."
    )
    assert pig.at == 1
    pig.throws(4)
    assert pig.prompt == "Ann: hold 9 or throw again?"


def test_a_hand_leaving_while_a_choice_is_taken_back_voids_nothing(pig: Evening) -> None:
    pig.throws(5)
    pig.chooses("hold")
    pig.sees(TrayState.ROLLING)
    pig.takes_back()
    pig.settle()
    assert pig.state == TrayState.WAITING
    pig.throws(4)
    assert pig.prompt == "Ann: hold 9 or throw again?"


def test_dice_found_when_the_camera_returns_are_no_throw(pig: Evening) -> None:
    pig.throws(5)
    pig.chooses("hold")
    pig.sees(TrayState.NO_CAMERA, "The plug is out.")
    pig.lying.clear()
    pig.lays(6)
    pig.loses_sight()
    pig.settle()
    assert pig.at == 2
    assert pig.prompt == "Ben: throw one die."
    pig.throws(4)
    assert pig.prompt == "Ben: hold 4 or throw again?"


def test_dice_are_shown_while_one_may_tip_over_and_nothing_is_ruled_yet(crew: Evening) -> None:
    crew.sees(TrayState.ROLLING)
    places = crew.lands(6, 5, (4, "cocked"), 3, 2)
    crew.previews(*places)
    assert [(d.seen.face, d.part) for d in crew.now.tray.dice] == [
        (6, "coming"), (5, "coming"), (NO_FACE, "coming"), (3, "coming"), (2, "coming"),
    ]  # fmt: skip
    assert (crew.state, crew.accepted) == (TrayState.READING, [])
    assert [event_from_json(json.loads(json.dumps(each.to_json()))) for each in crew.events] == crew.events
    crew.lying[places[2]] = replace(crew.lying[places[2]], cocked=False)
    crew.settle()
    assert crew.accepted == [(6, 5, 4, 3, 2)]
    assert {d.part for d in crew.now.tray.dice} == {"thrown"}


def test_a_preview_ends_when_something_moves(crew: Evening) -> None:
    crew.sees(TrayState.ROLLING)
    crew.previews(*crew.lands(6, 5, (4, "cocked"), 3, 2))
    crew.sees(TrayState.ROLLING)
    assert [d for d in crew.now.tray.dice if d.part == "coming"] == []
