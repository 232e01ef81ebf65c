"""The simulated hand's plans: which dice it throws, and which it leaves on the tray."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from table.common.errors import IllegalAnswer
from table.common.tray import TrayState
from table.referee.actions import FellOff, Start
from table.rules.answers import Chosen
from table.rules.entered_prompts import OGHAM, TWO_COLOURED, StickThrow
from table.rules.game import Seat
from table.simulated_hand import (
    ThrowPlan,
    choice_before_throw,
    do_clumsy_act,
    plan_throw,
    throw_by_hand,
)
from tests.referee.evening import Evening
from vision.cameras.simulated import SimulatedCamera
from vision.simulation import SimStick
from vision.tracking.tracks import TrackOutcome


@dataclass(frozen=True)
class LyingDie:
    x: float
    y: float
    colour: str = "white"


def lying_dice(evening: Evening) -> list[LyingDie]:
    return [LyingDie(*d.seen.centre_xy, d.seen.colour) for d in evening.now.tray.dice]


def indices_of(evening: Evening, *faces: int) -> set[int]:
    """The indices of all dice with these faces."""
    return {i for i, d in enumerate(evening.now.tray.dice) if d.seen.face in faces}


def test_without_a_game_the_dice_on_the_tray_are_thrown_or_two_dice(tmp_path: Path) -> None:
    table = Evening(tmp_path)
    assert plan_throw(table.now, []) == ThrowPlan(("white", "white"), ())
    table.throws(3, 4, 5)
    assert plan_throw(table.now, lying_dice(table)) == ThrowPlan(("white",) * 3, ())


def test_the_dice_of_the_prompt_are_thrown(tmp_path: Path) -> None:
    pig = Evening(tmp_path, "pig", "Ann:green", "Ben:red", start="Ann")
    assert plan_throw(pig.now, []) == ThrowPlan(("green",), ())
    pig.throws(5, colour="green")
    pig.chooses("hold")
    assert plan_throw(pig.now, lying_dice(pig)) == ThrowPlan(("green",), ()), "the players share one die"


def test_players_throw_dice_of_their_own_colour_where_dice_are_their_own(tmp_path: Path) -> None:
    pig = Evening(tmp_path, "pig", "Ann:green", "Ben:red", start="Ann", dice="own")
    pig.throws(5, colour="green")
    pig.chooses("hold")
    assert plan_throw(pig.now, lying_dice(pig)) == ThrowPlan(("red",), ())


def test_a_clan_throws_dice_of_its_colours_also_where_any_are_allowed(tmp_path: Path) -> None:
    day = Evening(tmp_path)
    seats = (Seat("Ann", "green", "white"), Seat("Ben", "red", "blue"))
    day.does(Start(day.now.number, "highland", seats, {"start": "Ann"}))
    left = [LyingDie(90 * i, 90, "white") for i in range(4)]
    plan = plan_throw(day.now, left)
    assert plan == ThrowPlan(("green", "green", "white", "white"), ()), "not the white dice that lay there"
    day.throws(1, 2, 3, 6, colour="green")
    day.keeps(1)
    again = plan_throw(day.now, lying_dice(day))
    assert set(again.leaving) == indices_of(day, 1)
    assert again.colours == ("green", "white", "white"), "its other dice"


def test_dice_that_are_set_aside_stay_on_the_tray(tmp_path: Path) -> None:
    crew = Evening(tmp_path, "ship_captain_crew", "Ann", "Ben", start="Ann")
    crew.throws(6, 5, 3, 3, 2)
    plan = plan_throw(crew.now, lying_dice(crew))
    assert len(plan.colours) == 3
    assert set(plan.leaving) == indices_of(crew, 6, 5)


def test_a_die_of_a_throw_that_did_not_count_is_not_left_for_one_that_was_set_aside(tmp_path: Path) -> None:
    dice = Evening(tmp_path, "five_dice", "Ann", "Ben", start="Ann", entry="0")
    *_, one = dice.throws(2, 2, 3, 4, 6, 1)
    dice.keeps(1)
    dice.chooses("throw_on")
    dice.next_place = 0
    dice.throws(1, 2, 3, 4, leaving=(one,))
    plan = plan_throw(dice.now, lying_dice(dice))
    (left,) = plan.leaving
    assert not dice.now.tray.dice[left].void


def test_only_the_die_that_leans_is_thrown_again(tmp_path: Path) -> None:
    night = Evening(tmp_path, "midnight", "Ann", "Ben", start="Ann")
    *flat, _ = night.throws(6, 6, 3, 2, 4, (1, "cocked"))
    plan = plan_throw(night.now, lying_dice(night))
    assert plan.colours == ("white",)
    assert set(plan.leaving) == indices_of(night, 6, 3, 2, 4)
    night.throws(5, leaving=flat)
    assert night.accepted == [(6, 6, 3, 2, 4, 5)]


def test_only_the_die_that_was_laid_down_is_thrown(tmp_path: Path) -> None:
    crew = Evening(tmp_path, "ship_captain_crew", "Ann", "Ben", start="Ann")
    (laid,) = crew.lays(6, outcome=TrackOutcome.PLACED)
    crew.throws(1, 1, 3, 2, leaving=(laid,))
    assert (crew.state, crew.fouls) == (TrayState.WRONG_DICE, ["G6"])
    plan = plan_throw(crew.now, lying_dice(crew))
    assert len(plan.colours) == 1
    assert {*plan.leaving} == indices_of(crew, 1, 1, 2, 3)


def test_a_die_that_fell_off_the_tray_is_thrown_again_in_its_colour(tmp_path: Path) -> None:
    dash = Evening(tmp_path, "highland", "Ann:green")
    dash.throws(6, 2, 1, colour="green")
    dash.does(FellOff(dash.now.number))
    assert dash.state == TrayState.OFF_THE_TRAY
    assert plan_throw(dash.now, lying_dice(dash)) == ThrowPlan(("green",), (0, 1, 2))


def test_cargo_that_is_picked_up_is_thrown_and_so_it_is_after_the_choice(tmp_path: Path) -> None:
    crew = Evening(tmp_path, "ship_captain_crew", "Ann", "Ben", start="Ann")
    crew.throws(6, 5, 4, 3, 2)
    with pytest.raises(IllegalAnswer, match="Tap your answer first, then throw"):
        plan_throw(crew.now, lying_dice(crew))
    plan = plan_throw(crew.now, lying_dice(crew), indices_of(crew, 3, 2))
    assert set(plan.leaving) == indices_of(crew, 6, 5, 4)
    assert choice_before_throw(crew.now) == Chosen("again")
    crew.chooses("again")
    assert plan_throw(crew.now, lying_dice(crew)) == plan


def test_a_throw_means_a_choice_only_where_one_option_is_thrown(tmp_path: Path) -> None:
    day = Evening(tmp_path)
    day.does(Start(day.now.number, "highland", (Seat("Ann", "green", "white"),), {"dice": "own"}))
    assert "which colour do you throw first" in day.prompt
    assert choice_before_throw(day.now) is None


def test_the_player_chooses_the_dice_to_keep(tmp_path: Path) -> None:
    night = Evening(tmp_path, "midnight", "Ann", "Ben", start="Ann")
    night.throws(6, 6, 3, 2, 4, 1)
    with pytest.raises(IllegalAnswer, match="Tap the dice that you keep, then throw the others"):
        plan_throw(night.now, lying_dice(night))
    plan = plan_throw(night.now, lying_dice(night), indices_of(night, 3, 2))
    assert set(plan.leaving) == indices_of(night, 6, 4, 1)


def test_all_dice_that_are_picked_up_are_thrown_even_if_too_many(tmp_path: Path) -> None:
    pig = Evening(tmp_path, "pig", "Ann", "Ben", start="Ann")
    pig.throws(2, 2)
    assert len(plan_throw(pig.now, lying_dice(pig), {0, 1}).colours) == 2


@pytest.mark.parametrize(
    ("game", "settings", "sticks"),
    [
        ("sigily", {}, OGHAM),
        ("down_the_danube", {}, TWO_COLOURED),
        ("sigily", {"sticks": "coins"}, (("heads", "tails"),) * 4),
    ],
)
def test_the_sticks_of_the_prompt_are_thrown(
    tmp_path: Path, game: str, settings: dict[str, Any], sticks: tuple[tuple[str, str], ...]
) -> None:
    table = Evening(tmp_path, game, "Ann", "Ben", **settings)
    assert table.now.match is not None
    assert isinstance(table.now.match.prompt, StickThrow)
    assert plan_throw(table.now, [LyingDie(10, 10)]) == ThrowPlan((), (), sticks)


def test_a_throw_of_sticks_is_done_with_sticks() -> None:
    hand = SimulatedCamera((160, 120), seed=1, paced=False)
    throw_by_hand(hand, ThrowPlan((), (), OGHAM))
    assert [(stick.back, stick.flat) for stick in hand.answer_sticks()] == list(OGHAM)
    throw_by_hand(hand, ThrowPlan(("red",), ()))
    assert (len(hand.answer_key()), hand.answer_sticks()) == (1, ())


def test_the_clumsy_hand_pushes_a_stick_where_no_die_lies() -> None:
    hand = SimulatedCamera((160, 120), seed=1, paced=False, sticks=(SimStick("dog", "round"),))
    do_clumsy_act(hand, "push")
    assert hand.answer_sticks() != (SimStick("dog", "round"),)
    with pytest.raises(IllegalAnswer, match="No die lies on the tray"):
        do_clumsy_act(hand, "knock")


def test_picking_up_a_missing_die_is_refused(tmp_path: Path) -> None:
    with pytest.raises(IllegalAnswer, match="There is no die 3 on the tray"):
        plan_throw(Evening(tmp_path).now, [LyingDie(1, 1)], {3})
