"""What people do between a throw and its ruling: correct, take back, tap early, pick up, come back."""

from __future__ import annotations

from pathlib import Path

import pytest

from table.common.errors import IllegalAnswer, LogUnusable, UnreadableAnswer
from table.common.tray import TrayState
from table.referee.events import event_from_json
from table.rules.answers import Throw
from tests.referee.evening import Evening
from vision.tracking.tracks import TrackOutcome


def test_dice_that_stood_still_stand_if_somebody_corrects_after_a_void_throw(midnight: Evening) -> None:
    kept = midnight.throws(6, 6, 3, 2, 4, 1)[:2]
    midnight.keeps(6, 6)
    good = midnight.throws(5, 5, 2, (3, "cocked"), leaving=kept)[:3]
    asked = midnight.message
    midnight.throws(1, 1, leaving=(*kept, *good))
    assert midnight.fouls == ["G5"]
    midnight.corrects(0, 6, 6, 3, 2, 4, 2)
    assert midnight.message == asked
    midnight.throws(1, leaving=(*kept, *good))
    assert midnight.accepted[-1] == (5, 5, 2, 1)
    assert midnight.fouls == ["G5"]


def takes_back_before_a_hand(midnight: Evening) -> tuple[int, ...]:
    """Somebody takes a keep back while the tray is rolling, and a hand comes; returns the places of the dice
    kept."""
    kept = midnight.throws(6, 6, 3, 2, 4, 1)[:2]
    midnight.keeps(6, 6)
    midnight.sees(TrayState.ROLLING)
    midnight.takes_back()
    midnight.sees(TrayState.HAND)
    return kept


def test_a_throw_by_a_hand_that_came_after_the_tap_counts(midnight: Evening) -> None:
    """The tray was rolling when somebody tapped, because a hand reached in."""
    kept = takes_back_before_a_hand(midnight)
    midnight.throws(5, 5, 5, 5, leaving=kept)
    assert midnight.accepted[-1] == (5, 5, 5, 5)


def test_dice_that_rolled_before_the_tap_do_not_count_because_a_hand_came_since(midnight: Evening) -> None:
    kept = takes_back_before_a_hand(midnight)
    midnight.lands(5, 5, 5, 5, leaving=kept)
    midnight.settle()
    assert (midnight.state, len(midnight.accepted)) == (TrayState.OUT_OF_TURN, 1)


def test_no_choice_is_taken_back_once_the_next_player_has_thrown(pig: Evening) -> None:
    pig.throws(4)
    pig.chooses("hold")
    pig.throws((6, "unsure"))
    with pytest.raises(IllegalAnswer, match=r"^Ben has thrown already\. One die could not be read surely"):
        pig.takes_back()
    pig.names_faces(6)
    assert pig.prompt == "Ben: hold 6 or throw again?"


def test_a_die_thrown_beside_one_in_question_belongs_to_no_throw(pig: Evening) -> None:
    (die,) = pig.throws((3, "unsure"))
    pig.throws(5, leaving=(die,))
    assert pig.fouls == ["G10"]
    assert pig.message.startswith("Foul: thrown again while in doubt. The first throw stands. One die could")
    pig.names_faces(3)
    assert pig.accepted == [(3,)]


def test_a_throw_that_could_not_be_stored_counts_while_its_die_is_in_a_hand(
    pig: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*args: object) -> None:
        raise LogUnusable("the disk is full")

    with monkeypatch.context() as patched:
        patched.setattr(pig.log, "append", full)
        (die,) = pig.throws(4)
    pig.picks_up(die)
    assert pig.accepted == [(4,)]


UNSEEN = "Dice that came to rest while nobody could see do not count. Choose, or throw them again."


def test_a_throw_in_question_is_mentioned_after_a_restart_where_it_made_the_choice(midnight: Evening) -> None:
    kept = midnight.throws(6, 6, 3, 2, 4, 1)[:2]
    midnight.throws(5, 5, 2, (3, "unsure"), leaving=kept)
    midnight.restarts()
    assert midnight.message == UNSEEN


def test_dice_of_a_throw_that_was_typed_are_not_said_to_count_for_nothing(pig: Evening) -> None:
    pig.loses_sight()
    pig.lays(4, outcome=TrackOutcome.UNOBSERVED)
    pig.answers(Throw.of(4))
    pig.settle()
    assert (pig.message, pig.prompt) == ("", "Ann: hold 4 or throw again?")


def test_the_sentence_about_a_turned_die_stays_while_a_hand_puts_it_back(midnight: Evening) -> None:
    midnight.throws(6, 6, 3, 2, 4, 1)
    midnight.turns(2, 4, settle=False)
    midnight.throws(5, 5, 1, leaving=(0, 1, 2))
    assert (midnight.state, midnight.fouls) == (TrayState.ACCEPTED, ["G6"])
    said = midnight.message
    midnight.sees(TrayState.HAND)
    assert midnight.message == said


def test_the_sentence_about_colours_ends_with_what_to_do(tmp_path: Path) -> None:
    pig = Evening(tmp_path, "pig", "Ann:green", "Ben:red", start="Ann", dice="own")
    pig.throws(4, colour="red")
    assert pig.message == (
        "Wrong colour: one green die expected, one red die came. The throw is void. Ann: throw one green die."
    )


def test_a_recorded_event_with_half_a_direction_is_refused(pig: Evening) -> None:
    pig.throws(4)
    read = next(line for event in reversed(pig.events) if "read" in (line := event.to_json()))
    read["read"]["reading"]["dice"][0]["facing"] = [0.1]
    with pytest.raises(UnreadableAnswer, match="is not whole"):
        event_from_json(read)
