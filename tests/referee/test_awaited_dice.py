"""Which dice stay for the awaited throw and which are thrown, as the tray shows it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from table.common.tray import TrayState
from table.referee.actions import Start
from table.referee.awaited_dice import with_awaited
from table.rules.game import Seat
from tests.referee.evening import Evening


def midnight(folder: Path) -> Evening:
    """Midnight, in which Ann begins."""
    table = Evening(folder, "midnight", "Ann", "Ben")
    table.throws(6)
    table.throws(1)
    return table


def shown(table: Evening) -> list[tuple[int, str]]:
    """The face of each die on the tray, and what the awaited throw does with it."""
    return sorted((die.seen.face, die.next) for die in table.now.tray.dice)


def test_kept_dice_stay_and_the_others_of_the_throw_are_thrown(tmp_path: Path) -> None:
    table = midnight(tmp_path)
    table.throws(1, 4, 2, 2, 3, 5)
    assert {what for _, what in shown(table)} == {""}, "nobody has kept any yet"
    table.keeps(1, 4)
    assert table.prompt == "Ann: throw four dice."
    assert shown(table) == [
        (1, "stays"), (2, "thrown"), (2, "thrown"), (3, "thrown"), (4, "stays"), (5, "thrown"),
    ]  # fmt: skip


def test_of_two_dice_with_a_kept_face_the_one_that_was_kept_before_stays(tmp_path: Path) -> None:
    table = midnight(tmp_path)
    one, *_ = table.throws(1, 4, 2, 2, 3, 5)
    table.keeps(1)
    table.throws(1, 4, 6, 6, 6, leaving=(one,))
    table.keeps(4)
    stays = [(die.seen.face, die.part) for die in table.now.tray.dice if die.next == "stays"]
    assert sorted(stays) == [(1, "still"), (4, "thrown")]
    assert [face for face, what in shown(table) if what == "thrown"] == [1, 6, 6, 6]


def test_of_two_dice_of_a_throw_with_a_kept_face_neither_is_told(tmp_path: Path) -> None:
    """The answer names faces: either may be the one that was left."""
    table = midnight(tmp_path)
    table.throws(1, 2, 6, 4, 2, 1)
    table.keeps(1, 6)
    assert shown(table) == [(1, ""), (1, ""), (2, "thrown"), (2, "thrown"), (4, "thrown"), (6, "stays")]


def test_dice_in_the_hand_are_no_longer_there_to_be_thrown(tmp_path: Path) -> None:
    table = midnight(tmp_path)
    one, _, *others = table.throws(1, 4, 2, 2, 3, 5)
    table.keeps(1, 4)
    table.picks_up(*others)
    table.settle()
    assert shown(table) == [(1, "stays"), (4, "stays")]
    table.picks_up(one)
    table.settle()
    assert shown(table) == [(4, "")], "a die that stays is missing: nobody can tell"


def test_nothing_is_told_after_a_throw_that_did_not_count(tmp_path: Path) -> None:
    table = midnight(tmp_path)
    one, *_ = table.throws(1, 4, 2, 2, 3, 5)
    table.keeps(1, 4)
    table.throws(2, 2, 3, 5, 6, leaving=(one,))
    assert table.state == TrayState.WRONG_DICE
    assert {what for _, what in shown(table)} == {""}


def test_nothing_is_told_where_no_die_was_set_aside(tmp_path: Path) -> None:
    table = Evening(tmp_path, "pig", "Ann", "Ben")
    table.throws(3)
    assert shown(table) == [(3, "")], "Ben may take this die or another"


def test_a_die_of_another_set_is_not_thrown(tmp_path: Path) -> None:
    table = Evening(tmp_path)
    table.does(Start(table.now.number, "highland", (Seat("Ann", "green", "white"),), {"dice": "own"}))
    table.throws(5, 3, 2, 6, colour="green")
    table.lays(4, colour="red")
    table.settle()
    table.keeps(5, 3)
    assert shown(table) == [(2, "thrown"), (3, "stays"), (4, ""), (5, "stays"), (6, "thrown")]


def test_a_strange_die_with_a_kept_face_leaves_open_which_one_stays(tmp_path: Path) -> None:
    table = midnight(tmp_path)
    table.throws(1, 4, 2, 2, 3, 5)
    table.keeps(1)
    dice = table.now.tray.dice
    (one,) = (die for die in dice if die.next == "stays")
    strange = replace(one, part="still", index=None, next="")
    told = [replace(die, next="") for die in dice]
    assert with_awaited(table.match.prompt, told) == dice
    assert [die.next for die in with_awaited(table.match.prompt, [*told, strange])] == [""] * 7
