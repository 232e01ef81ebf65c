"""Dice that have counted once never count a second time, even when the tray is read again."""

from __future__ import annotations

import random
from pathlib import Path

from table.common.tray import TrayState
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


def test_a_free_throw_is_not_the_first_throw_of_a_game_started_later(tmp_path: Path) -> None:
    table = Evening(tmp_path)
    table.throws(5)
    table.starts("pig", "Ann", "Ben", start="Ann")
    table.settle()
    assert table.prompt == "Ann: throw one die."


def test_reading_again_after_a_tapped_keep_is_no_foul(midnight_thrown: Evening) -> None:
    midnight_thrown.keeps(6, 6)
    midnight_thrown.settle()
    assert midnight_thrown.state == TrayState.WAITING
    assert midnight_thrown.message == ""


def test_dice_that_shift_slightly_are_still_tracked(pig: Evening) -> None:
    (die,) = pig.throws(5)
    x, y, w, h = pig.lying[die].box_xywh
    pig.changes(die, box_xywh=(x + w / 2, y, w, h))
    pig.settle()
    pig.uncovers(pig.lying)
    assert pig.at == 1


def test_losing_the_camera_after_a_throw_does_not_void_the_next_one(pig: Evening) -> None:
    pig.throws(4)
    pig.loses_sight()
    pig.settle()
    pig.throws(3)
    assert pig.prompt == "Ann: hold 7 or throw again?"


def test_a_game_started_before_the_first_reading_counts_the_first_throw(tmp_path: Path) -> None:
    Evening(tmp_path)
    table = Evening(tmp_path, settled=False)
    table.sees(TrayState.SETTLING)
    table.starts("pig", "Ann", "Ben", start="Ann")
    table.settle()
    table.throws(3)
    assert table.prompt == "Ann: hold 3 or throw again?"


def test_many_throws_without_a_game_leave_no_stale_dice(tmp_path: Path) -> None:
    """Dice land all over the tray, sometimes where one lay before. Each reading shows the new throw alone."""
    table, rng = Evening(tmp_path), random.Random(1)
    for _ in range(400):
        table.picks_up(*table.lying)
        faces = tuple(rng.choices(range(1, 7), k=5))
        table.next_place = rng.randrange(100)
        table.throws(*faces)
        assert sorted(table.now.tray.free_throws[-1]) == sorted(faces)
