"""An arm that rests over the tray is shown, and the game goes on beside it."""

from __future__ import annotations

from table.common.tray import TrayState
from table.referee.events import event_from_json
from tests.referee.evening import Evening


def test_a_resting_arm_is_shown_until_it_leaves(pig: Evening) -> None:
    pig.arm_rests = True
    pig.settle()
    assert pig.state == TrayState.HAND
    pig.arm_rests = False
    pig.settle()
    assert pig.state in (TrayState.EMPTY, TrayState.WAITING)


def test_throws_beside_a_resting_arm_are_accepted(pig: Evening) -> None:
    pig.arm_rests = True
    pig.throws(4)
    assert pig.state == TrayState.ACCEPTED
    assert pig.prompt == "Ann: hold 4 or throw again?"
    pig.chooses("hold")
    pig.throws(3)
    assert pig.prompt == "Ben: hold 3 or throw again?"


def test_a_question_is_shown_before_a_resting_arm(pig: Evening) -> None:
    pig.arm_rests = True
    pig.throws((3, "unsure"))
    assert pig.state == TrayState.UNSURE
    pig.names_faces(3)
    assert pig.prompt == "Ann: hold 3 or throw again?"


def test_rolling_and_darkness_are_shown_before_a_resting_arm(pig: Evening) -> None:
    pig.arm_rests = True
    pig.settle()
    pig.sees(TrayState.ROLLING)
    assert pig.state == TrayState.ROLLING
    pig.sees(TrayState.DARK)
    assert pig.state == TrayState.DARK


def test_a_resting_arm_is_recorded_with_the_reading(pig: Evening) -> None:
    for pig.arm_rests in (True, False):
        read = pig.tray_read()
        assert event_from_json(read.to_json()) == read
