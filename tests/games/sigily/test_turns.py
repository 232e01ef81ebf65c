"""Sigily: throws and extra throws, moves round the ring, and coming home."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from table.games.sigily.moves import Move, course
from table.games.sigily.race import Agreed, Race
from table.games.sigily.topology import (
    RING,
)
from table.rules.answers import Picked, Sticks
from tests.games.sigily.race_day import Day, teams, why


def test_3_three_extra_throws_and_no_more() -> None:
    day = Day()
    day.tosses("ceither")
    assert day.awaits == "again|stop"
    assert day.asks == "Ann: throw again, extra throw 1 of 3 or no more throws?"
    for name, n in (("coig", 1), ("ceither", 2)):
        day.chooses("again")
        assert day.asks == f"Ann: throw the four sticks, extra throw {n} of 3."
        day.tosses(name).chooses("new")
    day.chooses("again").tosses("coig").chooses("new")
    assert day.says == "Ann has had three extra throws, and no more follow."
    assert day.turn == "Ben"


@pytest.mark.parametrize(("throw", "coins"), [("dha", 3), ("ceither", 1)])
def test_8_home_at_the_gate_of_the_start_with_its_coins_or_past_it_without(throw: str, coins: int) -> None:
    day = Day(units=[("Ann", [1], "S2", 1)], entered={"S2": 12}, loose={0: 2}).tosses("dha", throw).chooses("1")
    assert day.race.stored["Ann"] == coins
    assert [c.number for c in day.race.home["Ann"]] == [1]
    assert day.options == (["again", "stop"] if throw == "ceither" else [])


def test_8_another_start_is_further_on() -> None:
    day = Day(units=[("Ann", [1], "S2", 1)], entered={"S2": 12}, date="02-01").tosses("dha", "ceither").chooses("1")
    assert day.stands(2) == [("Ann", [1], 2)]
    assert day.unit(2).chariots[0].progress == 20


def test_s3_a_solar_sigil_counts_among_the_three_extra_throws() -> None:
    day = Day(units=[("Ann", [1], 7, 0)]).tosses("dha").chooses("1")
    assert day.asks == "Ann: throw again, extra throw 1 of 3 or no more throws?"
    day.chooses("again").tosses("ceither").chooses("1").chooses("again").tosses("dha").chooses("1").chooses("again")
    assert [day.asks, day.so_far] == [
        "Ann: throw the four sticks, extra throw 3 of 3.",
        "dha: chariot 1 to the Spring Equinox; ceither: chariot 1 to sigil 13; dha: chariot 1 to the Summer Solstice",
    ]
    day.tosses("ceither").chooses("1")
    assert day.says == "Ann has had three extra throws, and no more follow."


def test_s4_a_ceither_to_a_solar_sigil_is_one_throw() -> None:
    day = Day(units=[("Ann", [1], 5, 0)]).tosses("ceither").chooses("1").chooses("again").tosses("aon").chooses("1")
    assert day.turn == "Ben"


def test_s8_coming_out_beyond_the_start_is_not_home() -> None:
    day = Day(units=[("Ann", [1], "O1", 2)], entered={"O1": 12}, date="12-21").tosses("dha", "aon")
    assert day.asks == "Ann: aon, 1. Which chariot moves?"
    day.chooses("1")
    assert day.unit(6).chariots[0].progress == 3
    assert not day.race.home["Ann"]


def test_s14_a_solar_start_has_no_effect_on_who_comes_home() -> None:
    day = Day(units=[("Ann", [1], 2, 0)], date="12-21", cards=12).tosses("aon").chooses("1")
    assert day.race.home["Ann"]
    assert day.turn == "Ben"


def test_no_free_throw_is_offered_to_who_has_nothing_to_move_but_below_a_partner() -> None:
    day = teams([("Cal", [1, "Ann 1"], 10, 0)], finished={"Ann": 2}).tosses("coig")
    assert day.says == "Coig. Ann has nothing that can move."
    assert day.asks == "Ben: throw the four sticks."


def test_nor_once_the_move_ended_below_a_partner_at_home() -> None:
    day = teams([("Ann", [1], 1, 0), ("Cal", [1], 5, 0)], finished={"Ann": 2}, home="on").tosses("ceither")
    assert day.stands(5) == [("Cal", [1, 1], 1)]
    assert day.turn == "Ben"


def test_s33_the_surplus_is_lost_and_the_free_throw_kept() -> None:
    day = Day(units=[("Ann", [1], 22, 1)], loose={0: 2}).tosses("coig").chooses("1")
    assert day.race.stored["Ann"] == 1
    assert day.options == ["again", "stop"]


def test_s35_an_extra_throw_may_be_declined_but_not_a_move() -> None:
    day = Day().tosses("ceither").chooses("stop")
    assert day.turn == "Ben"
    day.tosses("coig").chooses("again").tosses("aon")
    assert day.options == ["1", "new"]
    assert day.refuses_choice("pass") == "Not “pass”: choose 1 or new. Ben: aon, 1. Which chariot moves?"


def test_there_is_no_passing_and_no_other_answer_than_a_throw() -> None:
    day = Day(units=[("Ann", [1], 4, 0)])
    assert day.refuses_choice("pass") == "A throw of sticks is awaited, not a choice. Ann: throw the four sticks."
    assert day.refuses_answer(Sticks(("dog", "dog", "round", "round"))).startswith("These sticks cannot show dog so often")
    assert day.refuses_answer(Sticks(("dog",) * 3)).startswith("Four sticks expected, three came.")
    day.tosses("dha")
    assert day.refuses_choice("3").startswith("Chariot 3 is off the board, and comes in as a new one: choose 1 or new.")
    assert day.refuses_answer(Picked(("1", "new"))).startswith("A choice is awaited, not a pick")


def test_coins_jumped_over_and_chariots_jumped_over_are_left_alone() -> None:
    day = Day(units=[("Ann", [1], 7, 0), ("Ben", [1], 8, 3)], loose={10: 1, 9: 2}).tosses("tri").chooses("1")
    assert day.stands(8) == [("Ben", [1], 3)]
    assert day.lies(9) == 2
    assert day.stands(10) == [("Ann", [1], 1)]


def test_the_chariot_that_is_introduced_is_named_where_they_differ() -> None:
    day = Day()
    day.race.off["Ann"][1].barred.add(6)
    day.tosses("dha")
    assert [(o.id, o.text) for o in day.prompt.options] == [  # type: ignore[attr-defined]
        ("new", "Introduce chariot 1 on sigil 2"),
        ("new_2", "Introduce chariot 2 on sigil 2, barred from Oimelc"),
    ]
    day.chooses("new_2")
    assert day.stands(2) == [("Ann", [2], 1)]


@given(st.integers(1, 23), st.integers(-24, 23), st.integers(1, 9), st.booleans())
def test_a_move_round_the_ring_is_home_only_past_a_whole_circuit(start: int, progress: int, steps: int, backwards: bool) -> None:
    start = start // 3 * 3
    race = Race(("Ann", "Ben"), start, 4, Agreed())
    unit = race.introduce(race.off["Ann"][0], (start + progress) % RING)
    unit.chariots[0].progress = progress
    end = course(race, Move(unit, steps, backwards=backwards))
    after = progress - steps if backwards else progress + steps
    assert (end.place, end.progress) == ((start + after) % RING, (after,))
    assert (end.home, end.exact) == (after >= RING, after == RING)


def test_a_chariot_that_cannot_move_is_named() -> None:
    day = Day(units=[("Ann", [1], 1, 0), ("Ann", [3], 5, 0)], finished={"Ann": 1}).tosses("dha")
    assert why(day, "4") == "Chariot 4 is home and does not come back"
    assert why(day, "2") == "Chariot 2 is off the board, and comes in as a new one"
    assert why(day, "9") == "Not “9”"
