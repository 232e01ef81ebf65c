"""The tray after corrections and restarts."""

from __future__ import annotations

import sqlite3
from contextlib import closing

import pytest

from table.common.errors import StaleAction
from table.common.tray import TrayState
from table.log.store import throw_jpeg
from table.referee.actions import End, SubmitAnswer
from table.rules.answers import Chosen, Kept, Throw
from tests.referee.evening import Evening


def test_dice_of_a_dropped_throw_belong_to_no_throw(midnight: Evening) -> None:
    places = midnight.throws(1, 1, 2, 3, 5, 6)
    *_, five = midnight.throws(2, 2, 3, 3, 5, leaving=places[:1])
    midnight.corrects(0, 2, 4, 2, 3, 5, 6)
    assert midnight.at == 1
    assert midnight.now.tray.throw_at is None
    midnight.throws(6, 6, 6, 6, 6, leaving=(five,))
    assert midnight.state == TrayState.WRONG_DICE
    assert midnight.at == 1


def test_a_correction_survives_a_restart(midnight: Evening) -> None:
    places = midnight.throws(1, 4, 2, 3, 5, 6)
    midnight.corrects(0, 1, 4, 3, 3, 5, 6)
    midnight.restarts()
    assert [d.seen.face for d in midnight.now.tray.dice] == [1, 4, 3, 3, 5, 6]
    midnight.throws(2, 2, 2, 2, 2, leaving=places[2:3])
    assert midnight.state == TrayState.ACCEPTED
    assert midnight.now.match is not None
    assert midnight.match is not None
    assert midnight.match.answers[1].answer == Kept((3,))


def test_a_throw_entered_by_hand_has_no_dice_on_the_tray(midnight: Evening) -> None:
    places = midnight.throws(1, 1, 2, 3, 5, 6)
    midnight.throws(2, 2, 3, 3, 5, leaving=places[:1])
    midnight.corrects(0, 2, 4, 2, 3, 5, 6)
    midnight.keeps(2)
    midnight.loses_sight()
    midnight.does(SubmitAnswer(midnight.now.number, Throw.of(1, 1, 1, 1, 1)))
    assert midnight.now.tray.throw_at is None
    midnight.restarts()
    assert midnight.now.tray.throw_at is None
    assert throw_jpeg(midnight.path, 1, 2) is None
    midnight.corrects(2, 6, 6, 6, 6, 6)
    assert midnight.at == 3


def test_a_match_that_a_player_ended_is_over_after_a_restart(pig: Evening) -> None:
    pig.throws(5)
    pig.does(End(pig.now.number))
    pig.restarts()
    assert pig.now.match is None
    assert pig.log.current() is None


def test_a_tap_from_before_a_restart_is_stale(pig: Evening) -> None:
    pig.throws(4)
    stale = pig.now.number
    pig.restarts(first_number=1000)
    with pytest.raises(StaleAction):
        pig.does(SubmitAnswer(stale, Chosen("hold")))


def test_an_unreadable_match_is_explained_until_a_game_starts(pig: Evening) -> None:
    pig.throws(4)
    with closing(sqlite3.connect(pig.path)) as db:
        db.execute("DROP TRIGGER event_is_never_changed")
        db.execute('UPDATE event SET body = replace(body, \'"kind": "roll"\', \'"kind": "spin"\')')
        db.commit()
    pig.restarts()
    assert pig.now.match is None
    assert pig.message.startswith("The last match cannot be taken up: ")
    assert "{" not in pig.message
    pig.uncovers(pig.lying)
    assert pig.message.startswith("The last match cannot be taken up: ")
    pig.starts("pig", "Ann", "Ben", start="Ann")
    pig.throws(3)
    assert pig.prompt == "Ann: hold 3 or throw again?"


@pytest.mark.parametrize(
    ("column", "table"), [("body", "event"), ("seats", "match"), ("reading", "evidence")]
)
def test_the_table_starts_with_a_damaged_row_in_its_log(pig: Evening, column: str, table: str) -> None:
    pig.throws(4)
    with closing(sqlite3.connect(pig.path)) as db:
        for (trigger,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            db.execute(f"DROP TRIGGER {trigger}")
        db.execute(f"UPDATE {table} SET {column} = 'torn'")
        db.commit()
    pig.restarts()
    pig.starts("pig", "Ann", "Ben", start="Ann")
    pig.throws(3)
    assert pig.prompt == "Ann: hold 3 or throw again?"


def test_a_correction_applies_to_dice_under_a_hand(midnight: Evening) -> None:
    places = midnight.throws(1, 4, 2, 3, 5, 6)
    hidden = midnight.covers_all()
    midnight.corrects(0, 1, 4, 3, 3, 5, 6)
    midnight.uncovers(hidden)
    midnight.throws(2, 2, 2, 2, 2, leaving=places[2:3])
    assert midnight.match is not None
    assert midnight.match.answers[1].answer == Kept((3,))


def test_a_face_named_by_a_person_survives_a_restart(midnight: Evening) -> None:
    places = midnight.throws((2, "unsure"), 4, 2, 3, 5, 1)
    midnight.names_faces(6)
    midnight.changes(places[0], sure=True)
    midnight.restarts()
    midnight.throws(1, 1, 1, 3, 3, leaving=places[:1])
    assert midnight.match is not None
    assert midnight.match.answers[1].answer == Kept((6,))
