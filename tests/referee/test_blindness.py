"""A camera that cannot see: it is said while it lasts, what happens meanwhile counts for nothing, and play goes on."""

from __future__ import annotations

from pathlib import Path

import pytest

from table.common.tray import BLIND, TrayState
from table.referee.actions import Start
from table.rules.game import Seat
from tests.referee.evening import Evening


@pytest.mark.parametrize("state", sorted(BLIND))
def test_what_is_wrong_with_the_camera_stays_on_the_page_when_a_game_starts(tmp_path: Path, state: TrayState) -> None:
    table = Evening(tmp_path)
    table.loses_sight(state, "It is as it is.")
    table.does(Start(table.now.number, "pig", (Seat("Ann"), Seat("Ben")), {"start": "Ann"}))
    assert (table.state, table.message) == (state, "It is as it is.")
    table.settle()
    assert (table.state, table.message) == (TrayState.WAITING, "")


@pytest.mark.parametrize("state", sorted(BLIND))
def test_choices_go_on_while_nobody_sees(pig: Evening, state: TrayState) -> None:
    pig.throws(5)
    pig.loses_sight(state, "It is as it is.")
    pig.chooses("hold")
    assert pig.prompt == "Ben: throw one die."
    assert (pig.state, pig.message) == (state, "It is as it is.")


def test_a_throw_made_while_nobody_sees_does_not_count_and_play_goes_on(pig: Evening) -> None:
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
    assert pig.message == "Dice that came to rest while nobody could see do not count. Throw again."
    assert pig.fouls == []
    pig.throws(4)
    assert pig.accepted == [(5,), (4,)]


def test_a_throw_made_unseen_instead_of_a_choice_is_said_too(pig: Evening) -> None:
    pig.throws(5)
    pig.lying.clear()
    pig.lays(6)
    pig.loses_sight()
    pig.settle()
    assert pig.message == "Dice that came to rest while nobody could see do not count. Throw again."
    assert pig.prompt == "Ann: hold 5 or throw again?"


def test_dice_set_aside_two_throws_ago_are_no_unseen_throw(tmp_path: Path) -> None:
    night = Evening(tmp_path, "midnight", "Ann", "Ben", start="Ann")
    places = night.throws(6, 6, 3, 2, 4, 1)
    five, *_ = night.throws(5, 1, 1, 1, leaving=places[:2])
    night.keeps(5)
    night.restarts()
    assert (night.state, night.message) == (TrayState.WAITING, "")
    night.throws(2, 2, 2, leaving=(*places[:2], five))
    assert night.state == TrayState.ACCEPTED


def test_kept_dice_are_known_again_wherever_they_lie_after_blindness(tmp_path: Path) -> None:
    night = Evening(tmp_path, "midnight", "Ann", "Ben", start="Ann")
    places = night.throws(6, 6, 3, 2, 4, 1)
    for place in places:
        x, y, w, h = night.lying[place].box_xywh
        night.changes(place, box_xywh=(x + 90, y + 120, w, h))
    night.loses_sight()
    night.settle()
    assert night.message == ""
    night.throws(5, 5, 5, 5, leaving=places[:2])
    assert night.accepted[-1] == (5, 5, 5, 5)


def test_the_question_stays_over_a_lost_camera(pig: Evening) -> None:
    pig.throws((3, "unsure"))
    pig.loses_sight()
    pig.settle()
    assert pig.state == TrayState.UNSURE
    pig.says(3)
    assert pig.accepted == [(3,)]


def test_a_foul_is_read_again_once_the_camera_sees(pig: Evening) -> None:
    pig.throws(5, 6)
    pig.loses_sight()
    assert pig.message == "The plug is out."
    pig.sees(TrayState.WAITING)
    assert pig.message.startswith("Wrong dice")


def test_a_hand_over_the_tray_is_shown_while_it_lasts(pig: Evening) -> None:
    pig.throws(5)
    pig.sees(TrayState.HAND)
    pig.chooses("hold")
    assert pig.state == TrayState.HAND
    pig.settle()
    assert pig.state == TrayState.WAITING
