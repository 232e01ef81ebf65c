"""Which dice stay for the awaited throw and which are thrown, as the tray shows it."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import pytest

from table.common.tray import TrayState
from table.referee.actions import Start
from table.referee.awaited_dice import with_awaited
from table.referee.snapshot import Alike
from table.rules.game import Seat
from table.rules.prompts import Roll
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
    assert table.now.tray.alike == Alike(face=1, stays=1)


def test_of_dice_of_several_faces_nobody_is_told_how_many_stay(tmp_path: Path) -> None:
    table = midnight(tmp_path)
    table.throws(1, 4, 6, 4, 2, 1)
    table.keeps(1, 4)
    assert shown(table) == [(1, ""), (1, ""), (2, "thrown"), (4, ""), (4, ""), (6, "thrown")]
    assert table.now.tray.alike is None


def test_nobody_is_told_how_many_stay_after_a_foul_or_where_all_are_known(tmp_path: Path) -> None:
    table = midnight(tmp_path)
    one, *_ = table.throws(1, 2, 6, 4, 2, 1)
    table.keeps(6, 4)
    assert table.now.tray.alike is None, "each die has its mark"
    table.takes_back()
    table.keeps(1, 6)
    table.throws(2, 2, 3, leaving=(one,))
    assert table.state == TrayState.WRONG_DICE
    assert table.now.tray.alike is None


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


def five_dice(folder: Path) -> Evening:
    return Evening(folder, "five_dice", "Ann", "Ben", start="Ann", entry="0")


def test_a_choice_to_throw_on_shows_which_dice_would_be_thrown(tmp_path: Path) -> None:
    table = five_dice(tmp_path)
    table.throws(1, 5, 2, 3, 3, 4)
    table.keeps(1, 5)
    assert table.prompt == "Ann: stop with 150 or throw four dice?"
    assert shown(table) == [
        (1, "stays"), (2, "thrown"), (3, "thrown"), (3, "thrown"), (4, "thrown"), (5, "stays"),
    ]  # fmt: skip


def test_after_hot_dice_all_six_are_thrown(tmp_path: Path) -> None:
    table = five_dice(tmp_path)
    places = table.throws(1, 1, 1, 1, 2, 3)
    table.keeps(1, 1, 1, 1)
    table.chooses("throw_on")
    table.throws(1, 5, leaving=places[:4])
    table.keeps(1, 5)
    hot = [(1, "thrown")] * 5 + [(5, "thrown")]
    assert table.prompt == "Ann: stop with 2,150 or throw six dice?"
    assert shown(table) == hot
    table.chooses("throw_on")
    assert table.prompt == "Ann: throw six dice."
    assert shown(table) == hot
    table.throws(2, 2, 3, 3, 4, 6)
    assert table.prompt == "Ben: throw six dice."
    assert {what for _, what in shown(table)} == {""}, "Ben may take other dice"


def test_dice_of_a_throw_that_did_not_count_are_not_what_was_set_aside(tmp_path: Path) -> None:
    """They show by chance what was set aside, and all lie there because they were thrown."""
    table = five_dice(tmp_path)
    table.throws(1, 5, 2, 3, 3, 4)
    table.keeps(1, 5)
    one, five, two, *_ = table.throws(1, 5, 2, 2, 6, 4)
    assert table.state == TrayState.WRONG_DICE
    table.picks_up(two)
    assert table.state == TrayState.WAITING
    assert {what for _, what in shown(table)} == {""}
    table.puts_back(one)
    table.puts_back(five)
    assert [face for face, what in shown(table) if what == "stays"] == [1, 5], "as they were asked to"


def test_of_two_dice_with_a_kept_face_the_one_of_a_void_throw_does_not_stay(tmp_path: Path) -> None:
    table = five_dice(tmp_path)
    one, *_ = table.throws(1, 2, 2, 3, 4, 6)
    table.keeps(1)
    _, two, *_ = table.throws(1, 2, 3, 4, leaving=(one,))
    table.picks_up(two)
    stays = [die for die in table.now.tray.dice if die.next == "stays"]
    assert [(die.seen.face, die.void) for die in stays] == [(1, False)]
    assert [face for face, what in shown(table) if what == "thrown"] == [1, 3, 4]


def test_what_lay_aside_in_a_throw_that_counts_stays_however_it_came(tmp_path: Path) -> None:
    table = five_dice(tmp_path)
    table.throws(1, 2, 2, 3, 4, 6)
    table.keeps(1)
    one, *_ = table.throws(1, 2, 2, 3, 4, 6)
    assert table.state == TrayState.WRONG_DICE
    table.throws(5, 2, 3, 4, 6, leaving=(one,))
    table.keeps(5)
    assert [face for face, what in shown(table) if what == "stays"] == [1, 5]


def test_a_choice_to_throw_the_cargo_again_shows_which_dice_it_is(tmp_path: Path) -> None:
    table = Evening(tmp_path, "ship_captain_crew", "Ann", "Ben", start="Ann")
    places = table.throws(5, 4, 3, 3, 2)
    assert {what for _, what in shown(table)} == {"thrown"}, "no ship: all five are thrown again"
    places = table.throws(6, 5, 4, 3, 2)
    assert shown(table) == [(2, "thrown"), (3, "thrown"), (4, "stays"), (5, "stays"), (6, "stays")]
    table.throws(1, 1, leaving=places[:3])
    assert table.prompt.startswith("Ben: throw five dice")
    assert {what for _, what in shown(table)} == {""}


@pytest.mark.parametrize(
    ("game", "dice"), [("cee_lo", (1, 3, 5)), ("zambales_pair_o_dice", (1, 3))], ids=("cee_lo", "zambales")
)
def test_dice_that_decide_nothing_are_thrown_again(tmp_path: Path, game: str, dice: tuple[int, ...]) -> None:
    table = Evening(tmp_path, game, "Ann", "Ben", start="Ann")
    chance = random.Random(1)
    while (prompt := table.match.prompt) and not isinstance(prompt, Roll):
        table.answers(prompt.random_answer(chance))
    table.throws(*dice)
    assert {what for _, what in shown(table)} == {"thrown"}


def test_a_choice_between_throws_of_which_dice_are_not_known_tells_nothing(tmp_path: Path) -> None:
    table = Evening(tmp_path, "pig", "Ann", "Ben", start="Ann")
    table.throws(3)
    assert table.prompt == "Ann: hold 3 or throw again?"
    assert shown(table) == [(3, "")]
