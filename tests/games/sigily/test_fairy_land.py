"""Sigily: the veil, the darts and the centre, and the way out by a gate."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from table.games.sigily.moves import Move, course, exits, heads_for_the_centre, must_choose_exit
from table.games.sigily.race import AgreedRules, Chariot, Race, Unit
from table.games.sigily.topology import (
    ARMS,
    CENTRE,
    GATES,
    GREEN,
    RING,
    Place,
    arm_of,
)
from tests.games.sigily.race_night import RaceNight, refusal_reason, teams


def test_7_a_chariot_crosses_the_veil_and_the_centre_and_meets_darts() -> None:
    night = RaceNight(units=[("Ann", [1], 12, 0), ("Ben", [1], 1, 0)])
    assert night.options == ["throw", "enter"]
    night.chooses("enter")
    assert night.asks == "Ann: throw the four sticks to cross the veil at Beltane."
    night.tosses("aon")
    assert night.asks == "Ann: throw the four sticks to go into the fairy land."
    night.tosses("coig")
    assert night.options == ["samhain", "oimelc", "lughnasadh"]
    night.chooses("samhain")
    assert night.units_at("S1") == [("Ann", [1], 2)]
    assert night.options == ["again", "stop"]
    night.chooses("stop").tosses("aon").chooses("1")
    assert night.asks == "Ann: throw the four sticks for the fairy darts at chariot 1, on S1."
    night.tosses("aon")
    assert night.coins_at(CENTRE) == 6
    assert night.units_at(12) == [("Ann", [1], 0)]
    assert night.unit(12).barred == {12}
    assert night.unit(12).entered_by is None
    assert night.asks == "Ann: throw the four sticks."


def test_9_a_closed_veil_means_the_ring_and_no_free_throw() -> None:
    night = RaceNight(units=[("Ann", [1], 12, 0)]).chooses("enter").tosses("tri")
    assert (
        night.says == "Tri: the veil stays shut. Chariot 1 goes round by the ring, and no free throw follows."
    )
    assert night.asks == "Ann: throw the four sticks to go on round the ring."
    night.tosses("ceither")
    assert night.units_at(16) == [("Ann", [1], 1)]
    assert night.says == "No free throw for Ann, because the veil stayed shut."
    assert night.turn == "Ben"


def test_s6_the_veil_can_be_tried_in_any_turn_after_arrival() -> None:
    night = RaceNight(units=[("Ann", [1], 2, 0)]).tosses("ceither").chooses("1").chooses("again")
    assert night.awaits == "sticks"
    night.tosses("aon").chooses("new").tosses("coig").chooses("stop")
    assert night.options == ["throw", "enter"]
    night.chooses("throw").tosses("aon")
    assert night.options == ["1", "2", "new"]
    night.chooses("2").tosses("aon").chooses("new")
    assert night.options == ["throw", "enter"]


def test_s7_crossing_the_veil_keeps_the_free_throw() -> None:
    night = RaceNight(units=[("Ann", [1], 12, 0)]).chooses("enter").tosses("dha", "coig").chooses("oimelc")
    assert night.units_at("O1") == [("Ann", [1], 2)]
    assert night.options == ["again", "stop"]
    assert "Dha: the veil opens. Ann throws for chariot 1 to go in." in night.rulings


def test_s9_a_winner_on_the_gate_of_exit_goes_back_to_the_gate_of_entry() -> None:
    night = (
        RaceNight(units=[("Ann", [1], "L1", 3), ("Ben", [1], 18, 2)], entered={"L1": 12})
        .tosses("dha", "aon")
        .chooses("1")
    )
    night.tosses("tri", "aon")
    assert night.units_at(12) == [("Ann", [1], 0)]
    assert night.unit(12).chariots[0].progress == 12
    assert night.says == "Ann's chariot 1 goes back to Beltane, and may not enter the fairy land there again."


def test_s29_darts_also_strike_in_the_centre() -> None:
    night = RaceNight(units=[("Ann", [1], CENTRE, 5)], entered={CENTRE: 18}).tosses("aon")
    assert night.units_at(18) == [("Ann", [1], 0)]
    assert night.says == (
        "Aon: the fairy darts strike Ann's chariot 1. 5 coins go to the jackpot. "
        "It is back on Lughnasadh and may not enter there again."
    )


@pytest.mark.parametrize(("coins", "text"), [(0, "0 coins go"), (1, "1 coin goes"), (2, "2 coins go")])
def test_the_ruling_on_darts_counts_the_coins(coins: int, text: str) -> None:
    night = RaceNight(units=[("Ann", [1], CENTRE, coins)], entered={CENTRE: 18}).tosses("aon")
    assert f"strike Ann's chariot 1. {text} to the jackpot. It is back on Lughnasadh" in night.says


def test_s32_a_stack_has_one_throw_against_darts() -> None:
    night = RaceNight(units=[("Ann", [1, 2], "S2", 5)], entered={"S2": 0}, stacks="on").tosses("aon")
    assert night.units_at(0) == [("Ann", [1, 2], 0)]
    assert [c.barred for c in night.unit(0).chariots] == [{0}, {0}]


def test_a_barred_chariot_can_enter_at_another_gate() -> None:
    night = RaceNight(units=[("Ann", [1], 12, 0), ("Ann", [2], 18, 0)], barred={12: 12}).chooses("enter")
    assert night.asks == "Ann: throw the four sticks to cross the veil at Lughnasadh."
    night = RaceNight(units=[("Ann", [1], 12, 0)], barred={12: 12})
    assert night.awaits == "sticks"
    night = RaceNight(units=[("Ann", [1], 12, 0)], barred={12: 18})
    assert night.options == ["throw", "enter"]


def test_a_player_with_two_chariots_at_gates_chooses_one() -> None:
    night = RaceNight(units=[("Ann", [1], 12, 0), ("Ann", [2], 18, 0)]).chooses("enter")
    assert night.asks == "Ann: which chariot tries to enter?"
    night.chooses("2").tosses("aon", "tri")
    assert night.units_at(CENTRE) == [("Ann", [2], 4)]


def test_a_chariot_cannot_leave_by_the_arm_of_entry() -> None:
    night = RaceNight(units=[("Ann", [1], CENTRE, 0)], entered={CENTRE: 6}).tosses("dha", "dha").chooses("1")
    assert night.options == ["samhain", "beltane", "lughnasadh"]
    assert night.refuses_choice("oimelc").startswith("Not “oimelc”: choose samhain, beltane or lughnasadh.")
    night.chooses("beltane")
    assert night.unit("B1").entered_by == 6


def test_a_chariot_on_its_way_out_has_no_choice_of_gate() -> None:
    night = RaceNight(units=[("Ann", [1], "B2", 0)], entered={"B2": 6}).tosses("dha", "tri").chooses("1")
    assert night.unit(13).entered_by is None
    assert night.unit(13).chariots[0].progress == 13


def test_every_unit_in_the_fairy_land_throws_against_darts() -> None:
    night = RaceNight(
        units=[("Ann", [1], "B2", 1), ("Ann", [2], "O1", 2)], entered={"B2": 12, "O1": 6}
    ).tosses("dha")
    assert night.asks == "Ann: throw the four sticks for the fairy darts at chariot 2, on O1."
    night.tosses("ceither", "aon")
    assert night.options == ["1", "2", "new"]


def test_darts_that_carry_a_chariot_to_its_start_do_not_bring_it_home() -> None:
    night = teams([("Ann", [1, "Cal 1"], "C", 0)], entered={"C": 0}, stacks="on", territorial="on")
    below = night.unit("C").chariots[1]
    below.progress = 6
    night.tosses("aon")
    assert [c for c in night.unit(0).chariots if c is below]
    assert below.progress == 0, "Cal starts at Samhain"


def test_s37_a_stack_does_not_leave_by_a_gate_of_entry_of_any_chariot() -> None:
    night = RaceNight(
        units=[("Ann", [1], "B2", 0), ("Ann", [2], CENTRE, 0)], entered={"B2": 12, CENTRE: 6}
    ).tosses("dha", "dha", "aon")
    night.chooses("1")
    assert night.units_at(CENTRE) == [("Ann", [1, 2], 4)]
    assert (
        night.says == "Ann's chariot 1 with one below does not come out by Oimelc or Beltane (ruling S-37)."
    )
    night.tosses("aon", "dha", "tri").chooses("1")
    assert night.options == ["samhain", "lughnasadh"]


def test_s37_a_stack_on_an_arm_of_entry_heads_for_the_centre() -> None:
    night = RaceNight(
        units=[("Ann", [1], CENTRE, 0), ("Ann", [2], "B1", 0)], entered={CENTRE: 6, "B1": 12}
    ).tosses("dha", "dha", "dha")
    night.chooses("1").chooses("beltane")
    assert night.units_at("B1") == [("Ann", [1, 2], 2)]
    assert night.says == (
        "Ann's chariot 1 with one below heads for the centre and "
        "does not come out by Oimelc or Beltane (ruling S-37)."
    )
    night.tosses("aon", "dha", "tri").chooses("1")
    assert night.options == ["samhain", "lughnasadh"], "B2, the centre, and out by another arm"
    night.chooses("samhain")
    assert night.units_at("S2")


def test_s37_a_stack_from_all_four_gates_does_not_leave_by_that_of_its_top_chariot() -> None:
    night = RaceNight(units=[("Ann", [1, 2, 3, 4], CENTRE, 0)], entered={CENTRE: 0})
    for chariot, gate in zip(night.unit(CENTRE).chariots, (18, 0, 6, 12), strict=True):
        chariot.entered_by = gate
    night.tosses("dha", "dha")
    assert night.options == ["samhain", "oimelc", "beltane"]


def test_s37_a_stack_goes_back_to_the_gate_of_the_chariot_that_is_left_on_top() -> None:
    night = RaceNight(
        units=[("Ann", [1, 2], CENTRE, 0), ("Ben", [1], "S2", 0)], entered={CENTRE: 12, "S2": 18}, stacks="on"
    )
    night.unit(CENTRE).chariots[1].entered_by = 6
    night.tosses("dha", "aon").chooses("1").chooses("samhain")
    night.tosses("aon", "ceither", "tri")
    assert night.units_at(6) == [("Ann", [2], 0)]
    assert night.says == "Ann's chariot 2 goes back to Oimelc, and may not enter the fairy land there again."
    assert [c.entered_by for c in night.race.off["Ann"]] == [None, None, None]


@given(st.lists(st.sampled_from(GATES), min_size=1, max_size=4), st.sampled_from(GREEN))
def test_s37_every_stack_has_a_way_out_and_none_turns_back(gates: list[int], place: str) -> None:
    chariots = [Chariot("Ann", n, entered_by=gate) for n, gate in enumerate(gates, 1)]
    unit = Unit(chariots, place)
    ways = exits(unit) if heads_for_the_centre(unit) else (arm_of(place),)
    behind = set(gates) if len(set(gates)) < len(GATES) else {gates[0]}
    assert ways
    assert not behind & set(ways)


def walk_steps(
    place: Place, entered_by: int, exit_by: int, start: int, progress: int, steps: int
) -> tuple[Place, int, bool]:
    """(place, progress, home) of a chariot after this number of single steps through the fairy land."""
    way: list[Place] = [*ARMS[entered_by], CENTRE, *reversed(ARMS[exit_by]), exit_by]
    at = -1 if place == entered_by else way.index(place)
    for _ in range(steps):
        if at < len(way) - 1:
            at += 1
            place = way[at]
            if place == exit_by:
                progress = (exit_by - start) % RING
        else:
            assert isinstance(place, int)
            place, progress = (place + 1) % RING, progress + 1
        if place == start:
            return place, RING, True
    return place, progress, False


@given(
    st.sampled_from(GATES), st.sampled_from(GATES), st.integers(0, 6), st.integers(0, 7), st.integers(1, 9)
)
def test_a_move_through_the_fairy_land_equals_single_steps(
    entered_by: int, exit_by: int, at: int, holiday: int, steps: int
) -> None:
    if entered_by == exit_by:
        return
    start = 3 * holiday
    way: list[Place] = [entered_by, *ARMS[entered_by], CENTRE, *reversed(ARMS[exit_by]), exit_by]
    place = way[at]
    if place == exit_by:
        return
    race = Race(("Ann", "Ben"), start, 4, AgreedRules())
    unit = race.introduce(race.off["Ann"][0], place)
    unit.entered_by = None if place == entered_by else entered_by
    unit.chariots[0].progress = (entered_by - start) % RING
    move = Move(unit, steps, entering=place == entered_by)
    end = course(race, move, exit_by if must_choose_exit(move) else None)
    where, progress, home = walk_steps(place, entered_by, exit_by, start, (entered_by - start) % RING, steps)
    assert end.home == home
    if not home:
        assert (end.place, end.progress) == (where, (progress,))
    elif end.exact:
        assert end.place == start


def test_entering_is_refused_with_the_reason() -> None:
    barred = RaceNight(units=[("Ann", [1], 12, 0), ("Ann", [2], 17, 1)], barred={12: 12}, home="on")
    assert refusal_reason(barred, "enter") == "That chariot is barred from its gate"
    on_the_ring = RaceNight(units=[("Ann", [2], 17, 1)], home="on")
    assert refusal_reason(on_the_ring, "enter") == "No chariot of yours stands on a gate"
    arrived = RaceNight(units=[("Ann", [1], 8, 0), ("Ann", [2], 17, 1)], home="on")
    arrived.chooses("throw").tosses("ceither").chooses("1")
    arrived.chooses("again")
    assert refusal_reason(arrived, "enter") == "Nobody enters the fairy land on an extra throw"
