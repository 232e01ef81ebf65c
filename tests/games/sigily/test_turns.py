"""Sigily: throws and extra throws, moves round the ring, and homecoming."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from table.games.sigily.moves import Move, course
from table.games.sigily.race import AgreedRules, Race
from table.games.sigily.topology import CENTRE, RING
from table.rules.answers import Picked, Sticks
from tests.games.sigily.race_night import RaceNight, refusal_reason, teams


def test_3_a_turn_has_at_most_three_extra_throws() -> None:
    night = RaceNight()
    night.tosses("ceither")
    assert night.awaits == "again|stop"
    assert night.asks == "Ann: take extra throw 1 of 3 or stop throwing?"
    for name, n in (("coig", 1), ("ceither", 2)):
        night.chooses("again")
        assert night.asks == f"Ann: throw the four sticks, extra throw {n} of 3."
        night.tosses(name).chooses("new")
    night.chooses("again").tosses("coig").chooses("new")
    assert night.says == "Ann has had three extra throws, and no more follow."
    assert night.turn == "Ben"


@pytest.mark.parametrize(("throw", "coins"), [("dha", 3), ("ceither", 1)])
def test_8_homecoming_takes_the_coins_only_on_an_exact_throw(throw: str, coins: int) -> None:
    night = (
        RaceNight(units=[("Ann", [1], "S2", 1)], entered={"S2": 12}, loose={0: 2})
        .tosses("dha", throw)
        .chooses("1")
    )
    assert night.race.stored["Ann"] == coins
    assert [c.number for c in night.race.home["Ann"]] == [1]
    assert night.options == (["again", "stop"] if throw == "ceither" else [])


def test_8_a_chariot_with_a_later_start_goes_on() -> None:
    night = (
        RaceNight(units=[("Ann", [1], "S2", 1)], entered={"S2": 12}, date="02-01")
        .tosses("dha", "ceither")
        .chooses("1")
    )
    assert night.units_at(2) == [("Ann", [1], 2)]
    assert night.unit(2).chariots[0].progress == 20


def test_s3_throws_of_solar_sigils_count_as_extra_throws() -> None:
    night = RaceNight(units=[("Ann", [1], 7, 0)]).tosses("dha").chooses("1")
    assert night.asks == "Ann: take extra throw 1 of 3 or stop throwing?"
    night.chooses("again").tosses("ceither").chooses("1").chooses("again").tosses("dha").chooses("1").chooses(
        "again"
    )
    assert night.asks == "Ann: throw the four sticks, extra throw 3 of 3."
    night.tosses("ceither").chooses("1")
    assert night.says == "Ann has had three extra throws, and no more follow."


def test_s4_a_ceither_to_a_solar_sigil_gives_one_throw() -> None:
    night = RaceNight(units=[("Ann", [1], 5, 0)])
    night.tosses("ceither").chooses("1").chooses("again").tosses("aon").chooses("1")
    assert night.turn == "Ben"


def test_s8_coming_out_beyond_the_start_is_not_home() -> None:
    night = RaceNight(units=[("Ann", [1], "O1", 2)], entered={"O1": 12}, date="12-21").tosses("dha", "aon")
    assert night.asks == "Ann: aon, 1. Which chariot moves?"
    night.chooses("1")
    assert night.unit(6).chariots[0].progress == 3
    assert not night.race.home["Ann"]


def test_s14_a_solar_start_has_no_effect_on_homecoming() -> None:
    night = RaceNight(units=[("Ann", [1], 2, 0)], date="12-21", cards=12).tosses("aon").chooses("1")
    assert night.race.home["Ann"]
    assert night.turn == "Ben"


def test_no_free_throw_is_offered_to_a_player_below_a_partner() -> None:
    night = teams([("Cal", [1, "Ann 1"], 10, 0)], finished={"Ann": 2}).tosses("coig")
    assert night.rulings[-2:] == [
        "Coig. Ann has nothing that can move.",
        "No free throw for Ann, because nothing is left to move.",
    ]
    assert night.asks == "Ben: throw the four sticks."


def test_no_free_throw_is_offered_after_moving_below_a_partner() -> None:
    night = teams([("Ann", [1], 1, 0), ("Cal", [1], 5, 0)], finished={"Ann": 2}, home="on").tosses("ceither")
    assert night.units_at(5) == [("Cal", [1, 1], 1)]
    assert night.turn == "Ben"


def test_s33_homecoming_loses_the_surplus_and_keeps_the_free_throw() -> None:
    night = RaceNight(units=[("Ann", [1], 22, 1)], loose={0: 2}).tosses("coig").chooses("1")
    assert night.race.stored["Ann"] == 1
    assert night.options == ["again", "stop"]


def test_s35_an_extra_throw_can_be_declined_but_a_move_cannot() -> None:
    night = RaceNight().tosses("ceither").chooses("stop")
    assert night.turn == "Ben"
    night.tosses("coig").chooses("again").tosses("aon")
    assert night.options == ["1", "new"]
    assert night.refuses_choice("pass") == "Not “pass”: choose 1 or new. Ben: aon, 1. Which chariot moves?"


def test_passing_and_other_answers_are_refused() -> None:
    night = RaceNight(units=[("Ann", [1], 4, 0)])
    assert night.refuses_choice("pass") == (
        "A throw of sticks is expected, not a choice. Ann: throw the four sticks."
    )
    assert night.refuses_answer(Sticks(("dog", "dog", "round", "round"))).startswith(
        "Dog came twice, but only one stick shows it. Ann: "
    )
    assert night.refuses_answer(Sticks(("dog",) * 3)).startswith("Four sticks expected, three came.")
    night.tosses("dha")
    assert night.refuses_choice("3").startswith(
        "Chariot 3 is off the board, and comes in as a new one: choose 1 or new."
    )
    assert night.refuses_answer(Picked(("1", "new"))).startswith("A choice is expected, not a pick")


def test_each_move_is_a_ruling_with_its_throw_and_what_it_takes() -> None:
    night = RaceNight(units=[("Ann", [1], 10, 0), ("Ben", [1], 14, 0)], loose={11: 0, 12: 2})
    assert night.tosses("aon").chooses("1").says == "Ann, aon: chariot 1 goes on to sigil 11."
    night.tosses("dha").chooses("new")
    assert night.says == "Ben, dha: new chariot 2 lands on sigil 2 and takes 1 coin."
    night.tosses("tri").chooses("1")
    assert night.says == "Ann, tri: chariot 1 attacks Ben's chariot 1 on sigil 14."
    night = RaceNight(units=[("Ann", [1], "B2", 0)], entered={"B2": 12}).tosses("dha", "aon").chooses("1")
    assert night.says == "Ann, aon: chariot 1 takes the fairies' jackpot, 4 coins."
    night = RaceNight(units=[("Ann", [1], 17, 1)], home="on", loose={16: 0}).chooses("back").tosses("aon")
    assert night.says == "Ann, aon: chariot 1 goes back to sigil 16."


def test_the_ruling_says_if_there_was_no_other_move() -> None:
    night = RaceNight().tosses("tri")
    only = "Ann, tri: new chariot 1 lands on the Winter Solstice and takes 2 coins (the only move)."
    assert night.rulings[-2] == only
    night = RaceNight(units=[("Ann", [1], 22, 0)], finished={"Ann": 3}).tosses("tri")
    assert "Ann, tri: chariot 1 goes home (the only move)." in night.rulings
    night = RaceNight(units=[("Ann", [1], CENTRE, 0)], entered={CENTRE: 6}, finished={"Ann": 3})
    night.tosses("dha", "tri")
    assert night.choice.options[0].text == "Samhain, and home"
    assert night.choice.options[1].text == "Beltane, and stop on the gate"
    night.chooses("beltane")
    assert "Ann, tri: chariot 1 lands on Beltane and takes 2 coins (the only move)." in night.rulings


def test_jumping_over_coins_and_chariots_leaves_them_unchanged() -> None:
    night = (
        RaceNight(units=[("Ann", [1], 7, 0), ("Ben", [1], 8, 3)], loose={10: 1, 9: 2})
        .tosses("tri")
        .chooses("1")
    )
    assert night.units_at(8) == [("Ben", [1], 3)]
    assert night.coins_at(9) == 2
    assert night.units_at(10) == [("Ann", [1], 1)]


def test_introduced_chariots_are_named_when_they_differ() -> None:
    night = RaceNight()
    night.race.off["Ann"][1].barred.add(6)
    night.tosses("dha")
    assert [(o.id, o.text) for o in night.choice.options] == [
        ("new", "Introduce chariot 1 on sigil 2"),
        ("new_2", "Introduce chariot 2 on sigil 2, barred from Oimelc"),
    ]
    night.chooses("new_2")
    assert night.units_at(2) == [("Ann", [2], 1)]


@given(st.integers(1, 23), st.integers(-24, 23), st.integers(1, 9), st.booleans())
def test_a_chariot_is_home_only_after_a_whole_circuit(
    start: int, progress: int, steps: int, backwards: bool
) -> None:
    start = start // 3 * 3
    race = Race(("Ann", "Ben"), start, 4, AgreedRules())
    unit = race.introduce(race.off["Ann"][0], (start + progress) % RING)
    unit.chariots[0].progress = progress
    end = course(race, Move(unit, steps, backwards=backwards))
    after = progress - steps if backwards else progress + steps
    assert (end.place, end.progress) == ((start + after) % RING, (after,))
    assert (end.home, end.exact) == (after >= RING, after == RING)


def test_moving_an_unavailable_chariot_is_refused_with_the_reason() -> None:
    night = RaceNight(units=[("Ann", [1], 1, 0), ("Ann", [3], 5, 0)], finished={"Ann": 1}).tosses("dha")
    assert refusal_reason(night, "4") == "Chariot 4 is home and does not come back"
    assert refusal_reason(night, "2") == "Chariot 2 is off the board, and comes in as a new one"
    assert refusal_reason(night, "9") == "Not “9”"
