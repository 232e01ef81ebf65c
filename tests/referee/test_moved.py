"""Dice that were moved, knocked or turned, and not thrown."""

from __future__ import annotations

from pathlib import Path

from table.referee.actions import Start
from table.referee.snapshot import TrayState
from table.rules.game import Seat
from tests.referee.evening import Evening


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


def test_a_die_of_another_colour_was_thrown_though_it_lies_where_one_was_picked_up(pig: Evening) -> None:
    (place,) = pig.throws(5, colour="red")
    pig.picks_up(place)
    pig._places = place
    pig.throws(5, colour="green")
    assert pig.prompt == "Ann: hold 10 or throw again?"


def test_a_die_that_comes_back_alone_is_no_throw_and_the_page_says_so(tmp_path: Path) -> None:
    """Somebody clears the last player's dice away, and leaves one."""
    night = Evening(tmp_path, "midnight", "Ann", "Ben", start="Ann")
    old = night.throws(6, 6, 3, 2, 4, 1)
    night.does(Start(night.now.number, "pig", (Seat("Ann"), Seat("Ben")), {"start": "Ann"}))
    hidden = night.hides()
    night.shows({old[2]: hidden[old[2]]})
    assert night.at == 0
    assert night.message == "The 3 lies where it lay before, so this is no throw. If it was thrown, throw again."


def test_a_corrected_die_that_is_read_rightly_later_was_neither_thrown_nor_turned(pig: Evening) -> None:
    (die,) = pig.throws(6)
    pig.corrects(0, 2)
    pig.changes(die, face=2)
    pig.shows(pig.lying)
    assert (pig.state, pig.at) == (TrayState.WAITING, 1)
    pig.nudges(die, 0.4)
    assert pig.at == 1


def test_dice_put_aside_are_asked_about_where_they_could_be_the_throw(tmp_path: Path) -> None:
    night = Evening(tmp_path, "midnight", "Ann", "Ben", start="Ann")
    places = night.throws(6, 6, 6, 1, 2, 3)
    night.keeps(6, 6, 6)
    night.picks_up(*places[3:])
    night.referee.see_state(TrayState.HAND)
    for place in places[:3]:
        x, y, w, h = night.lying[place].box_xywh
        night.changes(place, box_xywh=(x, y + 70, w, h))
    night.settle()
    assert night.state == TrayState.UNSURE
    assert night.message.startswith("The 6, 6 and 6 may have been thrown, or only put aside.")
    night.says(None, None, None)
    assert night.at == 2
    night.throws(1, 2, 4, leaving=places[:3])
    assert night.state == TrayState.ACCEPTED
