"""The simulated hand: what it throws when it is told to, and what it leaves lying."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest

from table.common.errors import IllegalAnswer
from table.simulated_hand import ThrowPlan, plan_throw
from tests.referee.evening import Evening


@dataclass(frozen=True)
class Lain:
    x: float
    y: float
    colour: str = "white"


def lay(evening: Evening) -> list[Lain]:
    return [Lain(*d.seen.centre_xy, d.seen.colour) for d in evening.now.tray.dice]


def places(evening: Evening, *faces: int) -> set[int]:
    """Where dice with these faces lie; all of one face are the same to a player."""
    return {i for i, d in enumerate(evening.now.tray.dice) if d.seen.face in faces}


def test_without_a_game_it_throws_what_lies_there_or_two_dice(tmp_path: Path) -> None:
    table = Evening(tmp_path)
    assert plan_throw(table.now, []) == ThrowPlan(("white", "white"), ())
    table.throws(3, 4, 5)
    assert plan_throw(table.now, lay(table)) == ThrowPlan(("white",) * 3, ())


def test_it_throws_the_dice_that_are_awaited(tmp_path: Path) -> None:
    pig = Evening(tmp_path, "pig", "Ann:green", "Ben:red", start="Ann")
    assert plan_throw(pig.now, []) == ThrowPlan(("green",), ())
    pig.throws(5, colour="green")
    assert plan_throw(pig.now, lay(pig)) == ThrowPlan(("green",), ())
    pig.chooses("hold")
    assert plan_throw(pig.now, lay(pig)) == ThrowPlan(("green",), ()), "one die goes round"


def test_each_throws_their_own_where_the_dice_are_their_own(tmp_path: Path) -> None:
    pig = Evening(tmp_path, "pig", "Ann:green", "Ben:red", start="Ann", dice="own")
    pig.throws(5, colour="green")
    pig.chooses("hold")
    assert plan_throw(pig.now, lay(pig)) == ThrowPlan(("red",), ())


def test_dice_set_aside_stay_where_they_lie(tmp_path: Path) -> None:
    crew = Evening(tmp_path, "ship_captain_crew", "Ann", "Ben", start="Ann")
    crew.throws(6, 5, 3, 3, 2)
    plan = plan_throw(crew.now, lay(crew))
    assert len(plan.colours) == 3
    assert set(plan.leaving) == places(crew, 6, 5)


def test_cargo_is_thrown_when_that_is_the_only_throw_there_is(tmp_path: Path) -> None:
    crew = Evening(tmp_path, "ship_captain_crew", "Ann", "Ben", start="Ann")
    crew.throws(6, 5, 4, 3, 2)
    with pytest.raises(IllegalAnswer, match="pick up first"):
        plan_throw(crew.now, lay(crew))
    plan = plan_throw(crew.now, lay(crew), places(crew, 3, 2))
    assert set(plan.leaving) == places(crew, 6, 5, 4)


def test_which_dice_to_keep_is_for_the_player_to_say(tmp_path: Path) -> None:
    night = Evening(tmp_path, "midnight", "Ann", "Ben", start="Ann")
    night.throws(6, 6, 3, 2, 4, 1)
    with pytest.raises(IllegalAnswer, match="those you leave are kept"):
        plan_throw(night.now, lay(night))
    plan = plan_throw(night.now, lay(night), places(night, 3, 2))
    assert set(plan.leaving) == places(night, 6, 4, 1)


def test_too_many_picked_up_are_thrown_all_the_same(tmp_path: Path) -> None:
    pig = Evening(tmp_path, "pig", "Ann", "Ben", start="Ann")
    pig.throws(2, 2)
    assert len(plan_throw(pig.now, lay(pig), {0, 1}).colours) == 2


def test_a_die_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(IllegalAnswer, match="There is no die 3 on the tray"):
        plan_throw(Evening(tmp_path).now, [Lain(1, 1)], {3})
