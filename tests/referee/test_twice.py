"""Dice that were decided on are never judged a second time, whatever is read again."""

from __future__ import annotations

import random
from pathlib import Path

from table.common.tray import TrayState
from table.referee.actions import Start
from table.rules.game import Seat
from tests.referee.evening import Evening


def test_reading_again_after_a_choice_changes_nothing(pig: Evening) -> None:
    pig.throws(4)
    pig.chooses("hold")
    pig.settle()
    assert pig.prompt == "Ben: throw one die."
    pig.takes_back()
    pig.settle()
    pig.corrects(0, 6)
    pig.settle()
    assert pig.prompt == "Ann: hold 6 or throw again?"
    assert pig.at == 1


def test_a_free_throw_is_not_the_first_of_the_game_started_over_it(tmp_path: Path) -> None:
    table = Evening(tmp_path)
    table.throws(5)
    table.does(Start(table.now.number, "pig", (Seat("Ann"), Seat("Ben")), {"start": "Ann"}))
    table.settle()
    assert table.prompt == "Ann: throw one die."


def test_reading_again_after_dice_were_kept_by_a_tap_is_no_foul(tmp_path: Path) -> None:
    night = Evening(tmp_path, "midnight", "Ann", "Ben", start="Ann")
    night.throws(6, 6, 3, 2, 4, 1)
    night.keeps(6, 6)
    night.settle()
    assert night.state == TrayState.WAITING
    assert night.message == ""


def test_dice_that_creep_are_followed(pig: Evening) -> None:
    (die,) = pig.throws(5)
    x, y, w, h = pig.lying[die].box_xywh
    pig.changes(die, box_xywh=(x + w / 2, y, w, h))
    pig.settle()
    pig.shows(pig.lying)
    assert pig.at == 1


def test_a_camera_lost_over_a_throw_that_counted_costs_nobody_the_next(pig: Evening) -> None:
    pig.throws(4)
    pig.loses_sight()
    pig.settle()
    pig.throws(3)
    assert pig.prompt == "Ann: hold 7 or throw again?"


def test_a_game_started_before_the_first_reading_takes_the_first_throw(tmp_path: Path) -> None:
    Evening(tmp_path)
    table = Evening(tmp_path, settled=False)
    table.sees(TrayState.SETTLING)
    table.does(Start(table.now.number, "pig", (Seat("Ann"), Seat("Ben")), {"start": "Ann"}))
    table.settle()
    table.throws(3)
    assert table.prompt == "Ann: hold 3 or throw again?"


def test_many_throws_without_a_game_leave_no_ghosts(tmp_path: Path) -> None:
    """Dice come to lie all over the tray, sometimes where one lay before; every throw is read as what it is."""
    table, rng = Evening(tmp_path), random.Random(1)
    for _ in range(400):
        table.picks_up(*table.lying)
        faces = tuple(rng.choices(range(1, 7), k=5))
        table._places = rng.randrange(100)
        table.throws(*faces)
        assert sorted(table.now.tray.free_throws[-1]) == sorted(faces)
