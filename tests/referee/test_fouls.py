"""Fouls of hands, each named with its rule, in the rulebooks' words; and what is no foul."""

from __future__ import annotations

from pathlib import Path

import pytest

from table.common.tray import TrayState
from table.referee.effects import Ruled
from table.referee.fouls import FOULS, RULES
from tests.referee.evening import Evening
from vision.tracks import TrackOutcome


@pytest.fixture
def night(tmp_path: Path) -> Evening:
    """Midnight: Ann has thrown 6, 6, 3, 2, 4 and 1, at places 0 to 5."""
    night = Evening(tmp_path, "midnight", "Ann", "Ben", start="Ann")
    night.throws(6, 6, 3, 2, 4, 1)
    return night


@pytest.fixture
def crew(tmp_path: Path) -> Evening:
    return Evening(tmp_path, "ship_captain_crew", "Ann", "Ben", start="Ann")


def ruled(table: Evening) -> list[tuple[str, str]]:
    """(kind, rule) of all that was ruled, but for what the game itself says."""
    return [(r.kind, r.rule) for r in table.told if isinstance(r, Ruled) and r.kind != "score"]


def test_every_foul_has_a_name_a_rule_and_a_sentence() -> None:
    assert {f.rule for f in FOULS} == {"G5", "G6", "G10"}
    assert {f.rule for f in FOULS} <= RULES.keys()
    assert all(f.name and f.sentence.endswith((".", "{prompt}")) for f in FOULS)


def test_a_foul_that_is_shown_names_its_rule_as_long_as_it_is_shown(pig: Evening) -> None:
    (die,) = pig.throws(5)
    assert pig.now.tray.rule == ""
    pig.turns(die, 6)
    assert pig.now.tray.rule == "G6"
    pig.sees(TrayState.DARK, "The picture is dark.")
    assert pig.now.tray.rule == "", "what is wrong with the camera is by no rule"
    pig.settle()
    assert pig.now.tray.rule == "G6"
    pig.turns(die, 5)
    assert pig.now.tray.rule == ""
    pig.throws(2, 3)
    assert (pig.state, pig.now.tray.rule) == (TrayState.WRONG_DICE, "G5")
    pig.throws((3, "cocked"))
    assert (pig.state, pig.now.tray.rule) == (TrayState.COCKED, "G4")


def test_a_foul_beside_a_throw_that_counts_names_its_rule_too(night: Evening) -> None:
    night.turns(2, 4, settle=False)
    night.throws(5, 5, 1, leaving=(0, 1, 2))
    assert night.message.startswith("Foul: the 3 was turned by hand")
    assert night.now.tray.rule == "G6"


def test_a_throw_in_doubt_that_is_thrown_again_names_its_rule(pig: Evening) -> None:
    pig.throws((4, "unsure"))
    assert (pig.state, pig.now.tray.rule) == (TrayState.UNSURE, "")
    pig.throws(3)
    assert pig.message.startswith("Foul: thrown again while in doubt.")
    assert pig.now.tray.rule == "G10"


# -- turned by hand (G6) -------------------------------------------------------------------------------------------------------


def test_turning_a_five_to_a_six_counts_for_nothing(pig: Evening) -> None:
    (die,) = pig.throws(5)
    pig.turns(die, 6)
    assert pig.fouls == ["G6"]
    assert pig.state == TrayState.WRONG_DICE
    assert pig.message == "Foul: the 5 was turned by hand, which is no throw. Put it back with that face up."
    assert pig.accepted == [(5,)]
    pig.settle()
    assert pig.fouls == ["G6"]
    pig.turns(die, 5)
    assert (pig.state, pig.message) == (TrayState.WAITING, "")
    pig.throws(3)
    assert pig.prompt == "Ann: hold 8 or throw again?"


def test_a_die_that_was_turned_may_be_thrown_as_it_is(pig: Evening) -> None:
    (die,) = pig.throws(5)
    pig.turns(die, 6)
    pig.throws(3)
    assert pig.prompt == "Ann: hold 8 or throw again?"


def test_turning_a_kept_die_while_throwing_others_keeps_its_old_face(night: Evening) -> None:
    night.turns(2, 4, settle=False)
    night.throws(5, 5, 1, leaving=(0, 1, 2))
    assert night.fouls == ["G6"]
    assert night.accepted[-1] == (5, 5, 1)
    assert night.message == "Foul: the 3 was turned by hand, which is no throw. Put it back with that face up."
    assert night.match.answers[1].answer.faces == (6, 6, 3)  # type: ignore[union-attr]


def test_a_kept_die_lifted_and_laid_back_with_another_face_was_turned(night: Evening) -> None:
    night.keeps(6, 6, 3)
    night.puts_back(2, 6)
    assert night.fouls == ["G6"]


def test_turning_dice_of_a_turn_that_is_over_is_nobodys_foul(pig: Evening) -> None:
    (die,) = pig.throws(5)
    pig.chooses("hold")
    pig.turns(die, 6)
    assert pig.fouls == []
    assert pig.prompt == "Ben: throw one die."
    assert pig.accepted == [(5,)]


def test_an_unsure_die_turned_by_hand_counts_as_it_was_read_first(pig: Evening) -> None:
    (die,) = pig.throws((5, "unsure"))
    pig.turns(die, 6)
    assert pig.state == TrayState.UNSURE
    assert [d.seen.face for d in pig.now.tray.dice] == [5]


# -- laid down instead of thrown (G6) ------------------------------------------------------------------------------------------


def test_laying_a_six_down_is_no_throw(pig: Evening) -> None:
    pig.lays_down(6)
    assert pig.fouls == ["G6"]
    assert pig.message == "Foul: the 6 was laid down instead of thrown. Throw it."
    assert pig.accepted == []
    pig.throws(3)
    assert pig.accepted == [(3,)]


def test_laying_the_die_down_is_no_choice_to_throw_again(pig: Evening) -> None:
    pig.throws(5)
    pig.picks_up(*pig.lying)
    pig.lays_down(6)
    assert pig.fouls == ["G6"]
    assert pig.prompt == "Ann: hold 5 or throw again?"


def test_of_five_dice_one_laid_down_is_thrown_alone(crew: Evening) -> None:
    (laid,) = crew.lays(6, outcome=TrackOutcome.LAID)
    thrown = crew.throws(5, 4, 3, 2, leaving=(laid,))
    assert crew.fouls == ["G6"]
    assert crew.message == "Foul: the 6 was laid down instead of thrown. Throw it alone, and leave the others as they lie."
    assert crew.at == 0
    crew.throws(1, leaving=thrown)
    assert crew.accepted == [(5, 4, 3, 2, 1)]


def test_laying_dice_on_the_tray_that_could_be_no_throw_is_nothing(crew: Evening) -> None:
    crew.lays_down(6, 6)
    assert crew.fouls == []
    assert crew.state == TrayState.WAITING


def test_dice_of_a_cup_may_be_laid_down(tmp_path: Path) -> None:
    cups = Evening(tmp_path, "mia", "Ann", "Ben", start="Ann")
    cups.lays_down(5, 4)
    assert cups.fouls == []


def test_without_a_game_dice_laid_down_are_no_throw(tmp_path: Path) -> None:
    table = Evening(tmp_path)
    table.lays_down(4, 1)
    assert table.now.tray.free_throws == ()
    assert table.told == []


# -- dice that should have stayed, extra dice, others' dice (G5) -----------------------------------------------------------------


def test_a_set_aside_die_thrown_again(night: Evening) -> None:
    night.keeps(6, 6)
    night.throws(5, 5, 5, 5, 5, leaving=(0,))
    assert ruled(night) == [("foul", "G5")]
    assert night.message.startswith("Foul, a die set aside was thrown again (6). The throw is void: put it back as it was.")
    six = night.lays_down(6)
    night.throws(4, 4, 4, 4, leaving=(0, *six))
    assert night.accepted[-1] == (4, 4, 4, 4)


def test_extra_and_missing_dice(crew: Evening) -> None:
    crew.throws(6, 5, 4, 3, 2, 1)
    crew.throws(6, 5, 4)
    assert ruled(crew) == [("foul", "G5"), ("foul", "G5")]
    assert crew.accepted == []


def test_another_players_colours(tmp_path: Path) -> None:
    pig = Evening(tmp_path, "pig", "Ann:green", "Ben:red", start="Ann", dice="own")
    pig.throws(5, colour="red")
    assert ruled(pig) == [("foul", "G5")]


def test_a_throw_out_of_turn(tmp_path: Path) -> None:
    five = Evening(tmp_path, "five_dice", *"ABCDEFG")
    five.throws(6)
    assert ruled(five) == [("foul", "G5")]
    assert five.state == TrayState.OUT_OF_TURN


def test_keeping_none_is_void_and_no_foul_of_hands(night: Evening) -> None:
    night.throws(1, 1, 1, 1, 1, 1)
    assert ruled(night) == [("void", "G9")]


def test_a_game_box_put_down_beside_a_throw_voids_nothing(night: Evening) -> None:
    night.keeps(6, 6)
    night.picks_up(0, 1)
    box = night.lays(3, 5, colour="red", outcome=TrackOutcome.LAID)
    night.throws(5, 4, 2, 2, leaving=box)
    assert night.accepted[-1] == (5, 4, 2, 2)
    night.keeps(5)
    night.throws(1, 2, 2, leaving=box)
    assert night.accepted[-1] == (1, 2, 2)
    assert night.fouls == []


# -- too many throws, and throws in doubt (G10) ----------------------------------------------------------------------------------


def test_throwing_once_more_where_only_a_tap_can_choose_is_a_throw_too_many(tmp_path: Path) -> None:
    hot = Evening(tmp_path, "hot_score", "Ann", "Ben", start="Ann")
    two = hot.throws(3, 6)
    hot.throws(2, leaving=two)
    assert hot.prompt == "Ann: 9 plus 2, or minus 2?"
    hot.throws(1, leaving=two)
    assert hot.fouls == ["G10"]
    assert hot.message == (
        "Too many throws: no throw was awaited, so this one is void; the last one stands. Ann: 9 plus 2, or minus 2?"
    )
    hot.chooses("plus")
    assert hot.accepted == [(3, 6), (2,)]


def test_a_throw_before_anybody_has_thrown_is_out_of_turn(tmp_path: Path) -> None:
    cups = Evening(tmp_path, "liars_dice", "Ann", "Ben", start="Ann")
    cups.throws(1, 2, 3, 4, 5)
    assert ruled(cups) == [("foul", "G5")]


def test_stacking_dice_by_the_rules_is_nobodys_foul(tmp_path: Path) -> None:
    """What a hand builds with dice that were thrown is none of the referee's business."""
    hot = Evening(tmp_path, "hot_score", "Ann", "Ben", start="Ann")
    two = hot.throws(3, 6)
    hot.throws(2, leaving=two)
    hot.turns(two[0], 5)
    hot.puts_back(two[1], 1)
    assert hot.fouls == []


def test_an_unsure_die_of_several_thrown_again(crew: Evening) -> None:
    places = crew.throws(6, 5, 4, 3, (2, "unsure"))
    crew.throws(6, leaving=places[:4])
    assert crew.fouls == ["G10"]
    crew.says(2)
    assert crew.accepted == [(6, 5, 4, 3, 2)]
    assert crew.fouls == ["G10"]


def test_a_question_is_not_a_foul_while_hands_pass(crew: Evening) -> None:
    places = crew.throws(6, 5, 4, 3, (2, "unsure"))
    crew.nudges(*places)
    crew.shows(crew.hides())
    assert crew.fouls == []
    crew.says(2)
    assert crew.accepted == [(6, 5, 4, 3, 2)]


# -- off the tray (G4) -----------------------------------------------------------------------------------------------------------


def test_a_die_that_rolls_off_is_thrown_again_alone(crew: Evening) -> None:
    old = crew.throws(2, 2, 3, 3, 1)
    crew.rolls_off(old[0])
    good = crew.throws(6, 5, 4, 3)
    assert crew.state == TrayState.OFF_THE_TRAY
    assert crew.message == "One die rolled off the tray: throw it again alone, and leave the others as they lie."
    assert ruled(crew)[-1] == ("note", "G4")
    crew.throws(2, leaving=good)
    assert crew.accepted[-1] == (6, 5, 4, 3, 2)


def test_a_die_beside_the_tray_is_said(crew: Evening) -> None:
    (die,) = crew.lays(2)
    crew.beside = (crew.lying.pop(die),)
    good = crew.throws(6, 5, 4, 3)
    assert crew.message == "One die lies beside the tray: throw it again alone, and leave the others as they lie."
    crew.beside = ()
    crew.throws(2, leaving=good)
    assert crew.accepted == [(6, 5, 4, 3, 2)]


def test_a_die_that_has_lain_beside_the_tray_all_evening_makes_no_throw_whole(crew: Evening) -> None:
    (die,) = crew.lays(2)
    crew.beside = (crew.lying.pop(die),)
    crew.settle()
    crew.throws(6, 5, 4, 3)
    assert crew.state == TrayState.WRONG_DICE


def test_of_two_dice_to_be_thrown_again_one_may_be_thrown_first(crew: Evening) -> None:
    places = crew.throws(6, 5, 4, (3, "cocked"), (2, "cocked"))
    (one,) = crew.throws(1, leaving=places[:3])
    assert crew.message == "One die missing still: throw it again alone, and leave the others as they lie."
    crew.throws(2, leaving=(*places[:3], one))
    assert crew.accepted == [(6, 5, 4, 1, 2)]
