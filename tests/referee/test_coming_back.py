"""The tray after corrections and restarts."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from table.common.errors import StaleAction
from table.common.tray import TrayState
from table.log.store import throw_jpeg
from table.referee.actions import Give, Start
from table.rules.answers import Chosen, Kept, Throw
from table.rules.game import Seat
from tests.referee.evening import Evening


def test_dice_of_a_throw_that_was_corrected_away_are_nobodys(tmp_path: Path) -> None:
    night = Evening(tmp_path, "midnight", "Ann", "Ben", start="Ann")
    places = night.throws(1, 4, 2, 3, 5, 6)
    *_, five = night.throws(2, 2, 3, 3, 5, leaving=places[:1])
    night.corrects(0, 2, 4, 2, 3, 5, 6)
    assert night.at == 1
    assert night.now.tray.throw_at is None
    night.throws(6, 6, 6, 6, 6, leaving=(five,))
    assert night.state == TrayState.WRONG_DICE
    assert night.at == 1


def test_a_correction_outlives_a_restart(tmp_path: Path) -> None:
    night = Evening(tmp_path, "midnight", "Ann", "Ben", start="Ann")
    places = night.throws(1, 4, 2, 3, 5, 6)
    night.corrects(0, 1, 4, 3, 3, 5, 6)
    night.restarts()
    assert [d.seen.face for d in night.now.tray.dice] == [1, 4, 3, 3, 5, 6]
    night.throws(2, 2, 2, 2, 2, leaving=places[2:3])
    assert night.state == TrayState.ACCEPTED
    assert night.now.match is not None
    assert night.match is not None
    assert night.match.answers[1].answer == Kept((3,))


def test_a_throw_told_by_hand_has_no_dice_on_the_tray_also_after_a_restart(tmp_path: Path) -> None:
    night = Evening(tmp_path, "midnight", "Ann", "Ben", start="Ann")
    places = night.throws(1, 4, 2, 3, 5, 6)
    night.throws(2, 2, 3, 3, 5, leaving=places[:1])
    night.corrects(0, 2, 4, 2, 3, 5, 6)
    night.keeps(2)
    night.does(Give(night.now.number, Throw.of(1, 1, 1, 1, 1)))
    assert night.now.tray.throw_at is None
    night.restarts()
    assert night.now.tray.throw_at is None
    assert throw_jpeg(night.path, 1, 2) is None
    night.corrects(2, 6, 6, 6, 6, 6)
    assert night.at == 3


def test_a_tap_from_before_a_restart_is_stale(pig: Evening) -> None:
    pig.throws(4)
    stale = pig.now.number
    pig.restarts(first_number=1000)
    with pytest.raises(StaleAction):
        pig.does(Give(stale, Chosen("hold")))


def test_a_match_that_cannot_be_taken_up_says_why_until_a_game_is_started(pig: Evening) -> None:
    pig.throws(4)
    with closing(sqlite3.connect(pig.path)) as db:
        db.execute("DROP TRIGGER event_is_never_changed")
        db.execute('UPDATE event SET body = replace(body, \'"kind": "roll"\', \'"kind": "spin"\')')
        db.commit()
    pig.restarts()
    assert pig.now.match is None
    assert pig.message.startswith("The last match cannot be taken up: ")
    assert "{" not in pig.message
    pig.shows(pig.lying)
    assert pig.message.startswith("The last match cannot be taken up: ")
    pig.does(Start(pig.now.number, "pig", (Seat("Ann"), Seat("Ben")), {"start": "Ann"}))
    pig.throws(3)
    assert pig.prompt == "Ann: hold 3 or throw again?"


@pytest.mark.parametrize(("column", "table"), [("body", "event"), ("seats", "match"), ("reading", "evidence")])
def test_a_damaged_row_does_not_keep_the_table_from_starting(pig: Evening, column: str, table: str) -> None:
    pig.throws(4)
    with closing(sqlite3.connect(pig.path)) as db:
        for (trigger,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            db.execute(f"DROP TRIGGER {trigger}")
        db.execute(f"UPDATE {table} SET {column} = 'torn'")
        db.commit()
    pig.restarts()
    pig.does(Start(pig.now.number, "pig", (Seat("Ann"), Seat("Ben")), {"start": "Ann"}))
    pig.throws(3)
    assert pig.prompt == "Ann: hold 3 or throw again?"


def test_a_correction_reaches_dice_under_a_hand(tmp_path: Path) -> None:
    night = Evening(tmp_path, "midnight", "Ann", "Ben", start="Ann")
    places = night.throws(1, 4, 2, 3, 5, 6)
    hidden = night.hides()
    night.corrects(0, 1, 4, 3, 3, 5, 6)
    night.shows(hidden)
    night.throws(2, 2, 2, 2, 2, leaving=places[2:3])
    assert night.match is not None
    assert night.match.answers[1].answer == Kept((3,))


def test_what_a_person_told_outlives_a_restart(tmp_path: Path) -> None:
    night = Evening(tmp_path, "midnight", "Ann", "Ben", start="Ann")
    places = night.throws((2, "unsure"), 4, 2, 3, 5, 1)
    night.says(6)
    night.changes(places[0], sure=True)
    night.restarts()
    night.throws(1, 1, 1, 3, 3, leaving=places[:1])
    assert night.match is not None
    assert night.match.answers[1].answer == Kept((6,))
