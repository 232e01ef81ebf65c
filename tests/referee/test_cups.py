"""Dice under cups: nothing is read until they are lifted, and then they are shown, not thrown."""

from __future__ import annotations

from pathlib import Path

import pytest

from table.common.tray import TrayState
from table.referee.actions import Give
from table.rules.answers import Bid
from tests.referee.evening import Evening
from vision.tracks import TrackOutcome


@pytest.fixture
def lifted(tmp_path: Path) -> Evening:
    """Ann and Ben have bid and called; Ann shows her five dice first."""
    cups = Evening(tmp_path, "liars_dice", "Ann", "Ben", start="Ann")
    cups.chooses("ready")
    cups.chooses("ready")
    cups.does(Give(cups.now.number, Bid(4, 3)))
    cups.chooses("call")
    assert cups.prompt == "Ann: lift your cup and slide five dice onto the tray as they lie."
    return cups


def test_dice_seen_while_they_should_be_hidden_are_no_answer_and_go_nowhere(tmp_path: Path) -> None:
    cups = Evening(tmp_path, "liars_dice", "Ann", "Ben", start="Ann")
    cups.throws(1, 2, 3, 4, 5)
    assert cups.at == 0
    assert cups.now.match is not None
    assert cups.now.match.throws == ()
    assert cups.message.startswith("Out of turn: no throw was awaited")


def test_each_player_shows_their_dice(lifted: Evening) -> None:
    lifted.throws(3, 3, 1, 5, 6)
    assert lifted.prompt == "Ben: lift your cup and slide five dice onto the tray as they lie."
    lifted.throws(3, 2, 2, 2, 2)
    assert lifted.scores == {"Ann": 5, "Ben": 4}


def test_dice_may_come_one_after_the_other(lifted: Evening) -> None:
    lifted.sees(TrayState.ROLLING)
    lifted.lays(3, 3, 1)
    lifted.settle()
    assert lifted.message == "Three dice are shown, five expected: slide the others onto the tray beside them."
    lifted.sees(TrayState.ROLLING)
    lifted.lays(5, 6)
    lifted.settle()
    assert lifted.prompt == "Ben: lift your cup and slide five dice onto the tray as they lie."


def test_more_dice_than_a_player_owns_are_void(lifted: Evening) -> None:
    lifted.throws(3, 3, 1, 5, 6, 6)
    assert lifted.state == TrayState.WRONG_DICE
    assert lifted.prompt.startswith("Ann: lift your cup")


def test_a_die_that_leans_is_laid_flat_and_not_thrown(lifted: Evening) -> None:
    *flat, _ = lifted.throws(3, 3, 1, 5, (6, "cocked"))
    assert lifted.message == (
        "One die leaning, so that no face looks up: lay it flat with the face that lay up before, and leave the others as they lie."
    )
    lifted.throws(6, leaving=tuple(flat))
    assert lifted.prompt.startswith("Ben: lift your cup")


def test_pushing_one_players_dice_aside_shows_nobody_elses(lifted: Evening) -> None:
    shown = lifted.throws(3, 3, 1, 5, 6)
    lifted.nudges(*shown, sides=0.3)
    lifted.nudges(*shown, sides=0.3, outcome=TrackOutcome.UNCLEAR)
    assert lifted.prompt == "Ben: lift your cup and slide five dice onto the tray as they lie."
    assert lifted.asked == []
    lifted.picks_up(*shown)
    lifted.lays_down(3, 2, 2, 2, 2)
    assert lifted.scores == {"Ann": 5, "Ben": 4}
    assert lifted.fouls == []
