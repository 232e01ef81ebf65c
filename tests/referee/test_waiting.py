"""A throw that waits for something: for a face to be told, for dice to be thrown again, for room on the disk."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from table.common.errors import IllegalAnswer, LogUnusable
from table.common.tray import TrayState
from tests.referee.evening import Evening


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
    pig.shows(pig.hides())
    assert pig.state == TrayState.UNSURE
    pig.loses_sight()
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


def test_a_cocked_die_may_be_picked_up_first_and_thrown_then(tmp_path: Path) -> None:
    night = Evening(tmp_path, "midnight", "Ann", "Ben", start="Ann")
    *good, leaning = night.throws(6, 5, 4, 2, 2, (3, "cocked"))
    night.picks_up(leaning)
    assert night.state == TrayState.COCKED
    with pytest.raises(IllegalAnswer, match="A throw was made that is not settled yet"):
        night.keeps(6)
    night.throws(1, leaving=tuple(good))
    assert night.state == TrayState.ACCEPTED


def test_nobody_keeps_the_old_cargo_by_lifting_a_cocked_die(tmp_path: Path) -> None:
    crew = Evening(tmp_path, "ship_captain_crew", "Ann", "Ben", start="Ann")
    places = crew.throws(6, 5, 4, 6, 6)
    *_, leaning = crew.throws(1, (1, "cocked"), leaving=places[:3])
    crew.picks_up(leaning)
    with pytest.raises(IllegalAnswer, match="not settled yet"):
        crew.chooses("stay")


def test_a_void_throw_is_not_mended_by_taking_dice_away(pig: Evening) -> None:
    _, spare = pig.throws(5, 1)
    pig.picks_up(spare)
    assert pig.at == 0
    assert pig.state == TrayState.WAITING


def test_a_hand_over_dice_that_wait_is_no_foul(tmp_path: Path) -> None:
    night = Evening(tmp_path, "midnight", "Ann", "Ben", start="Ann")
    places = night.throws(6, 5, 4, 2, 2, (3, "unsure"))
    whole = dict(night.lying)
    night.covers(places[0])
    assert night.state == TrayState.UNSURE
    night.shows(whole)
    assert night.state == TrayState.UNSURE


def test_what_was_no_die_asks_nothing_more_of_anybody(pig: Evening) -> None:
    (die,) = pig.throws(4)
    pig.throws((2, "unsure"), leaving=(die,))
    assert pig.state == TrayState.UNSURE
    pig.says(None)
    assert pig.now.can_confirm == "hold"
    pig.chooses("hold")
    assert pig.prompt == "Ben: throw one die."


@pytest.mark.parametrize("away", [Evening.hides, lambda pig: pig.picks_up(*pig.lying)])
def test_nobody_holds_away_from_an_unsure_die_by_covering_it_or_picking_it_up(pig: Evening, away: Callable[[Evening], object]) -> None:
    pig.throws(4)
    pig.throws((1, "unsure"))
    away(pig)
    with pytest.raises(IllegalAnswer, match="not settled yet"):
        pig.chooses("hold")
    pig.says(1)
    assert pig.prompt == "Ben: throw one die."


def test_nothing_is_told_while_dice_roll(pig: Evening) -> None:
    pig.throws((3, "unsure"))
    pig.sees(TrayState.ROLLING)
    with pytest.raises(IllegalAnswer, match="The dice are rolling"):
        pig.says(3)


def test_a_tap_between_the_hand_and_the_reading_waits(pig: Evening) -> None:
    pig.throws(4)
    pig.sees(TrayState.HAND)
    pig.sees(TrayState.SETTLING)
    with pytest.raises(IllegalAnswer, match="The dice are rolling"):
        pig.chooses("hold")
    pig.lying.clear()
    pig.lays(1)
    pig.settle()
    assert pig.prompt == "Ben: throw one die."


def test_a_throw_that_the_disk_refused_is_not_held_away_nor_lost_by_a_correction(pig: Evening, monkeypatch: pytest.MonkeyPatch) -> None:
    pig.throws(4)
    with monkeypatch.context() as full:
        full.setattr(pig.log, "append", refuse)
        pig.throws(3)
    with pytest.raises(IllegalAnswer, match="not settled yet"):
        pig.chooses("hold")
    pig.corrects(0, 5)
    assert pig.prompt == "Ann: hold 8 or throw again?"


def test_a_die_whose_colour_is_doubtful_is_asked_about_and_no_foul(tmp_path: Path) -> None:
    pig = Evening(tmp_path, "pig", "Ann:red", "Ben:green", start="Ann", dice="own")
    pig.throws((4, "unsure"), colour="white")
    assert pig.state == TrayState.UNSURE
    pig.says(4)
    assert pig.prompt == "Ann: hold 4 or throw again?"
