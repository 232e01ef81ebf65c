"""What clumsy and cunning players do, game by game: the throw that stands, and what the table says."""

from __future__ import annotations

from pathlib import Path

import pytest

from table.common.errors import IllegalAnswer
from table.common.tray import TrayState
from tests.referee.evening import Evening
from vision.tracking.tracks import TrackOutcome

TURNED_TEXT = "was turned by hand. It still counts: put it back with that face up."


@pytest.fixture
def highland(tmp_path: Path) -> Evening:
    """The first set of Farmer's Dash: 5, 3, 2 and 6, with two rerolls."""
    table = Evening(tmp_path, "highland", "Ann")
    table.throws(5, 3, 2, 6)
    return table


# -- Pig -----------------------------------------------------------------------------------------------------


def test_a_leaning_die_that_a_hand_turns_or_nudges_flat_is_still_thrown_again(pig: Evening) -> None:
    (die,) = pig.throws((3, "cocked"))
    pig.changes(die, cocked=False)
    pig.turns(die, 6)
    pig.nudges(die)
    assert (pig.state, pig.accepted) == (TrayState.COCKED, [])
    pig.throws(2)
    assert pig.accepted == [(2,)]


def test_a_leaning_die_picked_up_and_laid_down_is_a_foul(pig: Evening) -> None:
    (die,) = pig.throws((3, "cocked"))
    pig.picks_up(die)
    pig.lays_down(6)
    assert pig.message == "Foul: the 6 was laid down instead of thrown. Throw it."
    assert pig.accepted == []


def test_of_two_dice_thrown_for_one_the_worse_cannot_be_taken_away(pig: Evening) -> None:
    one, _ = pig.throws(1, 6)
    pig.picks_up(one)
    pig.settle()
    assert pig.accepted == []
    assert pig.prompt == "Ann: throw one die."


def test_the_next_player_does_not_throw_for_the_one_who_still_has_to_hold(pig_with_own_dice: Evening) -> None:
    pig_with_own_dice.throws(5, colour="green")
    pig_with_own_dice.throws(6, colour="red")
    assert pig_with_own_dice.fouls == ["G5"]
    assert pig_with_own_dice.prompt == "Ann: hold 5 or throw again?"


def test_a_die_exchanged_while_the_lens_is_covered_changes_nothing(pig: Evening) -> None:
    pig.throws(5)
    pig.loses_sight(TrayState.COVERED, "Something covers the camera.")
    pig.lying.clear()
    pig.lays(6)
    pig.loses_sight(TrayState.COVERED, "Something covers the camera.")
    pig.settle()
    pig.chooses("hold")
    assert pig.accepted == [(5,)]
    assert pig.prompt == "Ben: throw one die."


# -- Midnight ------------------------------------------------------------------------------------------------


def test_a_die_turned_to_a_4_is_not_kept_as_a_4(midnight: Evening) -> None:
    midnight.throws(6, 6, 3, 2, 2, 2)
    midnight.turns(3, 4)
    assert midnight.message == f"Foul: the 2 {TURNED_TEXT}"
    with pytest.raises(IllegalAnswer, match="There is no 4 to keep"):
        midnight.keeps(6, 6, 4)
    midnight.throws(1, 1, 1, leaving=(0, 1, 3))
    assert midnight.match.answers[1].answer.faces == (6, 6, 2)  # type: ignore[union-attr]


def test_a_leaning_die_cannot_be_named_the_face_that_is_wanted(midnight: Evening) -> None:
    midnight.throws(6, 6, 3, 2, 4, (5, "cocked"))
    with pytest.raises(IllegalAnswer, match="That die can show 3 or 5 as it lies, not 1"):
        midnight.names_faces(1)


def test_throwing_all_dice_again_keeps_none_of_them_and_is_void(midnight_thrown: Evening) -> None:
    midnight_thrown.throws(1, 2, 3, 4, 5, 6)
    assert midnight_thrown.message.startswith("Wrong dice: keep at least one die. The throw is void.")
    assert midnight_thrown.accepted == [(6, 6, 3, 2, 4, 1)]


def test_kept_dice_may_be_taken_off_the_tray_with_the_others(midnight_thrown: Evening) -> None:
    midnight_thrown.keeps(1, 4)
    midnight_thrown.throws(5, 5, 5, 5)
    assert midnight_thrown.accepted[-1] == (5, 5, 5, 5)
    assert midnight_thrown.fouls == []


# -- 5 Dice --------------------------------------------------------------------------------------------------


def test_a_2_turned_to_a_1_does_not_score(five_dice: Evening) -> None:
    five_dice.throws(1, 2, 2, 3, 4, 6)
    five_dice.turns(1, 1)
    assert five_dice.message == f"Foul: the 2 {TURNED_TEXT}"
    five_dice.throws(5, 5, 5, 3, leaving=(0, 1))
    assert five_dice.message.startswith("Wrong dice: the 2 does not score in 1 and 2; pick it up.")
    assert five_dice.accepted == [(1, 2, 2, 3, 4, 6)]


def test_a_2_exchanged_for_a_1_does_not_score(five_dice: Evening) -> None:
    five_dice.throws(1, 2, 2, 3, 4, 6)
    five_dice.picks_up(1)
    (laid,) = five_dice.lays_down(1)
    five_dice.throws(5, 5, 5, 2, leaving=(0, laid))
    assert five_dice.accepted == [(1, 2, 2, 3, 4, 6)]
    assert five_dice.fouls == ["G5"]


def test_throwing_on_after_stopping_is_not_the_next_players_throw(five_dice: Evening) -> None:
    five_dice.throws(1, 1, 2, 3, 4, 6)
    five_dice.keeps(1, 1)
    five_dice.chooses("stop")
    five_dice.throws(1, 1, 1, 5, leaving=(0, 1))
    assert five_dice.fouls == ["G5"]
    assert five_dice.prompt == "Ben: throw six dice."


def test_throwing_on_while_a_die_is_unsure_does_not_lose_the_first_throw(five_dice: Evening) -> None:
    five_dice.throws(1, 1, 2, 3, 6, (4, "unsure"))
    five_dice.throws(5, 5, 5, 2, leaving=(0, 1))
    assert five_dice.fouls == ["G10"]
    five_dice.names_faces(4)
    assert five_dice.accepted == [(1, 1, 2, 3, 6, 4)]


# -- Highland ------------------------------------------------------------------------------------------------


def test_a_6_turned_to_a_1_counts_6(highland: Evening) -> None:
    highland.turns(3, 1)
    assert highland.message == f"Foul: the 6 {TURNED_TEXT}"
    highland.throws(1, leaving=(1, 2, 3))
    assert "First set 3, 2, 6, 1 = 12" in highland.prompt


def test_a_third_reroll_does_not_count(highland: Evening) -> None:
    one = highland.throws(1, leaving=(1, 2, 3))
    two = highland.throws(2, leaving=(1, 2, *one))
    highland.throws(1, leaving=(1, *one, *two))
    assert highland.fouls == ["G5"]
    assert highland.prompt == "Ann: throw the other four dice for Farmer's Dash, high is good."


def test_a_push_that_may_be_a_throw_costs_no_reroll_when_it_was_none(highland: Evening) -> None:
    asked = highland.prompt
    highland.nudges(0, 1, 2, 3)
    highland.nudges(0, sides=0.3, outcome=TrackOutcome.UNCLEAR)
    assert highland.message == "Was the 5 thrown, or only moved?"
    highland.says_thrown(False)
    assert (highland.prompt, highland.message) == (asked, "")


def test_the_die_that_was_not_read_surely_is_not_thrown_again_alone(tmp_path: Path) -> None:
    table = Evening(tmp_path, "highland", "Ann")
    places = table.throws(5, 3, 2, (6, "unsure"))
    table.throws(1, leaving=places[:3])
    assert table.fouls == ["G10"]
    table.names_faces(6)
    assert table.accepted == [(5, 3, 2, 6)]


# -- Ship, Captain, Crew -------------------------------------------------------------------------------------


def test_a_die_turned_to_the_missing_crew_is_no_crew(crew: Evening) -> None:
    places = crew.throws(6, 5, 3, 2, 1)
    crew.turns(places[2], 4)
    crew.throws(6, 6, leaving=places[:3])
    assert crew.message.startswith("Wrong dice: two dice came to rest, three expected")
    assert crew.accepted == [(6, 5, 3, 2, 1)]


def test_one_cargo_die_turned_while_the_other_is_thrown_is_void(crew: Evening) -> None:
    places = crew.throws(6, 5, 4, 2, 1)
    crew.turns(places[3], 6, settle=False)
    crew.throws(6, leaving=places[:4])
    assert crew.fouls == ["G5"]
    assert crew.prompt == "Ann: keep the cargo of 3 or throw both again (throw 2 of 3)?"


def test_throwing_the_ship_in_place_of_the_cargo_is_a_foul(crew: Evening) -> None:
    places = crew.throws(6, 5, 4, 2, 1)
    crew.throws(6, 6, leaving=places[2:])
    assert crew.message.startswith("Foul, a die set aside was thrown again: 6, 5 and 4 should lie aside.")


def test_five_dice_laid_down_are_no_ship(crew: Evening) -> None:
    crew.lays_down(6, 5, 4, 6, 6)
    assert crew.fouls == ["G6"]
    assert crew.accepted == []


def test_a_fourth_throw_of_the_cargo_is_not_the_next_players(crew: Evening) -> None:
    places = crew.throws(6, 5, 4, 2, 1)
    crew.throws(2, 2, leaving=places[:3])
    crew.throws(3, 3, leaving=places[:3])
    crew.throws(6, 6, leaving=places[:3])
    assert crew.fouls == ["G5"]
    assert crew.prompt == "Ben: throw five dice."


# -- Liar's Dice ---------------------------------------------------------------------------------------------


def test_dice_that_were_thrown_in_the_open_can_be_covered_and_thrown_again(liars_dice: Evening) -> None:
    liars_dice.throws(1, 2, 3, 4, 5)
    assert liars_dice.fouls == ["G5"]
    liars_dice.picks_up(*liars_dice.lying)
    liars_dice.chooses("ready")
    assert liars_dice.prompt == "Ben: throw five dice under your cup, and say when that is done."


def test_dice_laid_down_in_the_open_are_no_throw_and_no_foul(liars_dice: Evening) -> None:
    liars_dice.lays_down(6, 6)
    assert (liars_dice.fouls, liars_dice.at) == ([], 0)
