"""A camera that cannot see: the fault is shown, unseen throws do not count, and play goes on."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from table.common.tray import BLIND, TrayState
from tests.referee.evening import Evening


@pytest.mark.parametrize("state", sorted(BLIND))
def test_the_camera_fault_stays_visible_when_a_game_starts(tmp_path: Path, state: TrayState) -> None:
    table = Evening(tmp_path)
    table.loses_sight(state, "It is as it is.")
    table.starts("pig", "Ann", "Ben", start="Ann")
    assert (table.state, table.message) == (state, "It is as it is.")
    table.settle()
    assert (table.state, table.message) == (TrayState.WAITING, "")


@pytest.mark.parametrize("state", sorted(BLIND))
def test_choices_are_accepted_while_the_camera_sees_nothing(pig: Evening, state: TrayState) -> None:
    pig.throws(5)
    pig.loses_sight(state, "It is as it is.")
    pig.chooses("hold")
    assert pig.prompt == "Ben: throw one die."
    assert (pig.state, pig.message) == (state, "It is as it is.")


def test_an_unseen_throw_does_not_count_and_play_goes_on(pig: Evening) -> None:
    pig.throws(5)
    pig.chooses("hold")
    pig.sees(TrayState.ROLLING)
    pig.loses_sight(TrayState.COVERED, "Something covers the camera. Take it away.")
    pig.lying.clear()
    pig.lays(6)
    pig.loses_sight(TrayState.COVERED, "Something covers the camera. Take it away.")
    pig.sees(TrayState.WAITING)
    assert pig.state == TrayState.WAITING
    pig.settle()
    assert pig.accepted == [(5,)]
    assert pig.message == "Dice that came to rest while nobody could see do not count. Throw them again."
    assert pig.fouls == []
    pig.throws(4)
    assert pig.accepted == [(5,), (4,)]


def test_an_unseen_throw_in_place_of_a_choice_is_reported(pig: Evening) -> None:
    pig.throws(5)
    pig.lying.clear()
    pig.lays(6)
    pig.loses_sight()
    pig.settle()
    unseen = "Dice that came to rest while nobody could see do not count."
    assert pig.message == f"{unseen} Choose, or throw them again."
    assert pig.prompt == "Ann: hold 5 or throw again?"


def test_dice_of_an_unseen_throw_are_not_those_of_the_throw_before_it(midnight: Evening) -> None:
    """Most show the same faces by chance. A tap on one of them would ask about the other player's throw."""
    midnight.throws(6, 6, 3, 2, 4, 1)
    midnight.keeps(6, 6, 3, 2, 4, 1)
    midnight.lying.clear()
    midnight.loses_sight(TrayState.COVERED, "Something covers the camera. Take it away.")
    midnight.lays(6, 6, 3, 2, 4, 5)
    midnight.loses_sight(TrayState.COVERED, "Something covers the camera. Take it away.")
    midnight.settle()
    assert midnight.message == "Dice that came to rest while nobody could see do not count. Throw them again."
    assert {(die.part, die.index) for die in midnight.now.tray.dice} == {("still", None)}
    assert midnight.now.tray.throw_at is None
    midnight.throws(1, 4, 6, 6, 5, 5)
    assert midnight.accepted[-1] == (1, 4, 6, 6, 5, 5)


def test_dice_set_aside_two_throws_ago_are_not_an_unseen_throw(midnight: Evening) -> None:
    places = midnight.throws(6, 6, 3, 2, 4, 1)
    five, *_ = midnight.throws(5, 1, 1, 1, leaving=places[:2])
    midnight.keeps(5)
    midnight.restarts()
    assert (midnight.state, midnight.message) == (TrayState.WAITING, "")
    midnight.throws(2, 2, 2, leaving=(*places[:2], five))
    assert midnight.state == TrayState.ACCEPTED


def test_kept_dice_are_recognised_anywhere_after_a_loss_of_sight(midnight: Evening) -> None:
    places = midnight.throws(6, 6, 3, 2, 4, 1)
    for place in places:
        x, y, w, h = midnight.lying[place].box_xywh
        midnight.changes(place, box_xywh=(x + 90, y + 120, w, h))
    midnight.loses_sight()
    midnight.settle()
    assert midnight.message == ""
    midnight.throws(5, 5, 5, 5, leaving=places[:2])
    assert midnight.accepted[-1] == (5, 5, 5, 5)


def test_the_question_stays_while_the_camera_is_lost(pig: Evening) -> None:
    pig.throws((3, "unsure"))
    pig.loses_sight()
    pig.settle()
    assert pig.state == TrayState.UNSURE
    pig.names_faces(3)
    assert pig.accepted == [(3,)]


def test_a_foul_is_shown_again_once_the_camera_sees(pig: Evening) -> None:
    pig.throws(5, 6)
    pig.loses_sight()
    assert pig.message == "The plug is out."
    pig.sees(TrayState.WAITING)
    assert pig.message.startswith("Wrong dice")


def test_a_hand_over_the_tray_is_shown_until_it_leaves(pig: Evening) -> None:
    pig.throws(5)
    pig.sees(TrayState.HAND)
    pig.chooses("hold")
    assert pig.state == TrayState.HAND
    pig.settle()
    assert pig.state == TrayState.WAITING


@pytest.mark.parametrize(("sure", "known"), [(True, False), (False, True)])
def test_a_die_is_known_again_by_its_colour_where_both_readings_are_sure_of_it(
    pig: Evening, sure: bool, known: bool
) -> None:
    (place,) = pig.throws(5)
    pig.loses_sight()
    pig.lying[place] = replace(pig.lying[place], colour="red", sure=sure)
    pig.settle()
    assert (pig.message == "") == known, pig.message
