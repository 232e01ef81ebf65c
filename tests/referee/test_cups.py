"""Dice under cups: players reveal them after a call, and revealing is not throwing."""

from __future__ import annotations

from pathlib import Path

import pytest

from table.common.tray import TrayState
from table.referee.actions import SubmitAnswer
from table.rules.answers import Bid
from tests.referee.evening import Evening
from vision.tracking.tracks import TrackOutcome


@pytest.fixture
def called(tmp_path: Path) -> Evening:
    """Ann has bid and Ben has called; Ann reveals her five dice first."""
    cups = Evening(tmp_path, "liars_dice", "Ann", "Ben", start="Ann")
    cups.chooses("ready")
    cups.chooses("ready")
    cups.does(SubmitAnswer(cups.now.number, Bid(4, 3)))
    cups.chooses("call")
    assert cups.prompt == "Ann: lift your cup and slide five dice onto the tray as they lie."
    return cups


def test_visible_dice_do_not_answer_a_prompt_for_hidden_dice(liars_dice: Evening) -> None:
    liars_dice.throws(1, 2, 3, 4, 5)
    assert liars_dice.at == 0
    assert liars_dice.now.match is not None
    assert liars_dice.now.match.throws == ()
    assert liars_dice.fouls == ["G5"]
    assert liars_dice.message == (
        "Dice in the open do not count where a cup hides them."
        " Ann: throw five dice under your cup, and say when that is done."
    )


def test_each_player_reveals_their_dice(called: Evening) -> None:
    called.throws(3, 3, 1, 5, 6)
    assert called.prompt == "Ben: lift your cup and slide five dice onto the tray as they lie."
    called.throws(3, 2, 2, 2, 2)
    assert called.scores == {"Ann": 5, "Ben": 4}


def test_the_dice_that_decided_stay_in_view_until_something_moves(called: Evening) -> None:
    called.throws(3, 3, 1, 5, 6)
    called.throws(3, 2, 2, 2, 2)
    assert called.prompt.endswith("under your cup, and say when that is done.")
    assert [d.seen.face for d in called.now.tray.dice if d.part == "thrown"] == [3, 2, 2, 2, 2]
    assert called.now.hidden_since is None
    called.sees(TrayState.SETTLING)
    assert called.now.hidden_since is None
    called.sees(TrayState.HAND)
    assert called.now.tray.hidden
    assert called.now.hidden_since == called.at
    called.settle()
    assert called.now.tray.hidden
    assert called.now.tray.dice == ()


def test_dice_that_are_pushed_out_of_a_cup_show_nothing_while_others_lie_under_theirs(tmp_path: Path) -> None:
    cups = Evening(tmp_path, "bricrius_bluff", "Ann", "Ben", start="Ann", push="on")
    cups.chooses("ready")
    cups.chooses("ready")
    for bid in (Bid(2, 5), Bid(3, 5)):
        cups.does(SubmitAnswer(cups.now.number, bid))
    cups.chooses("1")
    since = cups.now.hidden_since
    cups.throws(5)
    assert cups.prompt == "Ben: throw four dice under your cup, and say when that is done."
    assert cups.now.hidden_since == since
    assert since is not None
    assert since < cups.at
    assert cups.now.tray.hidden


def test_a_tap_hides_the_dice_that_decided(called: Evening) -> None:
    called.throws(3, 3, 1, 5, 6)
    called.throws(3, 2, 2, 2, 2)
    called.chooses("ready")
    assert called.now.tray.hidden


def test_dice_can_be_revealed_one_after_the_other(called: Evening) -> None:
    called.sees(TrayState.ROLLING)
    called.lays(3, 3, 1)
    called.settle()
    assert (
        called.message == "Three dice are shown, five expected: slide the others onto the tray beside them."
    )
    called.sees(TrayState.ROLLING)
    called.lays(5, 6)
    called.settle()
    assert called.prompt == "Ben: lift your cup and slide five dice onto the tray as they lie."


def test_one_die_that_is_still_to_be_shown_is_the_other(called: Evening) -> None:
    called.lays(3, 3, 1, 5)
    called.settle()
    assert called.message == "Four dice are shown, five expected: slide the other onto the tray beside them."


def test_revealing_more_dice_than_owned_is_void(called: Evening) -> None:
    called.throws(3, 3, 1, 5, 6, 6)
    assert called.state == TrayState.WRONG_DICE
    assert called.prompt.startswith("Ann: lift your cup")


def test_a_leaning_die_is_laid_flat_and_not_thrown(called: Evening) -> None:
    *flat, _ = called.throws(3, 3, 1, 5, (6, "cocked"))
    assert called.message == (
        "One die leaning, so that no face looks up: lay it flat with the face that lay up before, "
        "and leave the others as they lie."
    )
    called.throws(6, leaving=tuple(flat))
    assert called.prompt.startswith("Ben: lift your cup")


def test_dice_that_lay_there_are_taken_and_shown_again_by_the_next_player(called: Evening) -> None:
    """Both players use the same dice. The second shows some with the faces that the first one showed."""
    first = called.throws(3, 3, 1, 5, 6)
    assert called.prompt.startswith("Ben: lift your cup")
    called.sees(TrayState.HAND)
    called.picks_up(*first[2:])
    called.sees(TrayState.HAND)
    called.nudges(*first[:2], lifted=True, settle=False)
    called.lays(2, 2, 2, outcome=TrackOutcome.PLACED)
    called.settle()
    assert called.accepted[-1] == (3, 3, 2, 2, 2)
    assert called.scores == {"Ann": 5, "Ben": 4}


def test_dice_that_were_taken_and_are_shown_again_count_although_they_may_have_been_thrown(
    called: Evening,
) -> None:
    first = called.throws(3, 3, 1, 5, 6)
    taken = [(called._tracks[place], called.lying[place]) for place in first]
    called.picks_up(*first)
    called.sees(TrayState.HAND)
    again = called.lays(3, 3)
    for place, (track, was) in zip(again, taken, strict=False):
        called._tracks[place] = track
        called._outcomes[place] = (TrackOutcome.UNCLEAR, was, True)
    called.lays(2, 2, 2, outcome=TrackOutcome.PLACED)
    called.settle()
    assert called.accepted[-1] == (3, 3, 2, 2, 2)
    assert called.scores == {"Ann": 5, "Ben": 4}


def test_pushing_one_players_dice_aside_reveals_no_other_dice(called: Evening) -> None:
    shown = called.throws(3, 3, 1, 5, 6)
    called.nudges(*shown, sides=0.3)
    called.nudges(*shown, sides=0.3, outcome=TrackOutcome.UNCLEAR)
    assert called.prompt == "Ben: lift your cup and slide five dice onto the tray as they lie."
    assert called.questions == []
    called.picks_up(*shown)
    called.lays_down(3, 2, 2, 2, 2)
    assert called.scores == {"Ann": 5, "Ben": 4}
    assert called.fouls == []


def test_a_preview_tells_nothing_while_dice_lie_under_cups(liars_dice: Evening) -> None:
    liars_dice.chooses("ready")
    liars_dice.sees(TrayState.ROLLING)
    liars_dice.previews(*liars_dice.lands(1, 2, 3, 4, (5, "cocked")))
    assert liars_dice.now.tray.hidden
    assert liars_dice.now.tray.dice == ()
