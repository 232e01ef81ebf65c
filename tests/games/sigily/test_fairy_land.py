"""Sigily: through the veil, the darts and the centre, and out by a gate."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from table.games.sigily.moves import Move, course, must_choose_exit
from table.games.sigily.race import Agreed, Race
from table.games.sigily.topology import (
    ARMS,
    CENTRE,
    GATES,
    RING,
    Place,
    clockwise,
)
from tests.games.sigily.race_day import Day, teams, why


def test_7_through_the_veil_the_centre_and_out_again_with_darts_the_next_turn() -> None:
    day = Day(units=[("Ann", [1], 12, 0), ("Ben", [1], 1, 0)])
    assert day.options == ["throw", "enter"]
    day.chooses("enter")
    assert day.asks == "Ann: throw the four sticks to cross the veil at Beltane."
    day.tosses("aon")
    assert day.asks == "Ann: throw the four sticks to go into the fairy land."
    day.tosses("coig")
    assert day.options == ["samhain", "oimelc", "lughnasadh"]
    day.chooses("samhain")
    assert day.stands("S1") == [("Ann", [1], 2)]
    assert day.options == ["again", "stop"]
    day.chooses("stop").tosses("aon").chooses("1")
    assert day.asks == "Ann: throw the four sticks for the fairy darts at chariot 1, on S1."
    day.tosses("aon")
    assert day.lies(CENTRE) == 6
    assert day.stands(12) == [("Ann", [1], 0)]
    assert day.unit(12).barred == {12}
    assert day.asks == "Ann: throw the four sticks."


def test_9_where_the_veil_stays_shut_the_chariot_goes_round_without_a_free_throw() -> None:
    day = Day(units=[("Ann", [1], 12, 0)]).chooses("enter").tosses("tri")
    assert day.says == "Tri: the veil stays shut. Chariot 1 goes round by the ring, and no free throw follows."
    assert day.asks == "Ann: throw the four sticks to go on round the ring."
    day.tosses("ceither")
    assert day.stands(16) == [("Ann", [1], 1)]
    assert day.says == "No free throw for Ann, because the veil stayed shut."
    assert day.turn == "Ben"


def test_s6_the_veil_is_not_tried_in_the_turn_of_arrival_but_in_any_later_one() -> None:
    day = Day(units=[("Ann", [1], 2, 0)]).tosses("ceither").chooses("1").chooses("again")
    assert day.awaits == "sticks"
    day.tosses("aon").chooses("new").tosses("coig").chooses("stop")
    assert day.options == ["throw", "enter"]
    day.chooses("throw").tosses("aon")
    assert day.options == ["1", "2", "new"]
    day.chooses("2").tosses("aon").chooses("new")
    assert day.options == ["throw", "enter"]


def test_s7_a_good_test_keeps_the_free_throw() -> None:
    day = Day(units=[("Ann", [1], 12, 0)]).chooses("enter").tosses("dha", "coig").chooses("oimelc")
    assert day.stands("O1") == [("Ann", [1], 2)]
    assert day.options == ["again", "stop"]
    assert "Dha: the veil opens. Ann throws for chariot 1 to go in." in day.rulings


def test_s9_whoever_just_comes_out_goes_back_to_the_gate_of_entry() -> None:
    day = Day(units=[("Ann", [1], "L1", 3), ("Ben", [1], 18, 2)], entered={"L1": 12}).tosses("dha", "aon").chooses("1")
    day.tosses("tri", "aon")
    assert day.stands(12) == [("Ann", [1], 0)]
    assert day.unit(12).chariots[0].progress == 12
    assert day.says == "Ann's chariot 1 goes back to Beltane, and may not enter the fairy land there again."


def test_s29_darts_strike_in_the_centre_as_well() -> None:
    day = Day(units=[("Ann", [1], CENTRE, 5)], entered={CENTRE: 18}).tosses("aon")
    assert day.stands(18) == [("Ann", [1], 0)]
    assert day.says == (
        "Aon: the fairy darts strike Ann's chariot 1. 5 coins go to the jackpot. "
        "It is back on Lughnasadh and may not enter there again."
    )


def test_s32_one_throw_against_darts_for_a_whole_stack() -> None:
    day = Day(units=[("Ann", [1, 2], "S2", 5)], entered={"S2": 0}, stacks="on").tosses("aon")
    assert day.stands(0) == [("Ann", [1, 2], 0)]
    assert [c.barred for c in day.unit(0).chariots] == [{0}, {0}]


def test_a_barred_gate_is_not_offered_but_another_is() -> None:
    day = Day(units=[("Ann", [1], 12, 0), ("Ann", [2], 18, 0)], barred={12: 12}).chooses("enter")
    assert day.asks == "Ann: throw the four sticks to cross the veil at Lughnasadh."
    day = Day(units=[("Ann", [1], 12, 0)], barred={12: 12})
    assert day.awaits == "sticks"
    day = Day(units=[("Ann", [1], 12, 0)], barred={12: 18})
    assert day.options == ["throw", "enter"]


def test_of_two_chariots_at_gates_the_player_says_which_enters() -> None:
    day = Day(units=[("Ann", [1], 12, 0), ("Ann", [2], 18, 0)]).chooses("enter")
    assert day.asks == "Ann: which chariot tries to enter?"
    day.chooses("2").tosses("aon", "tri")
    assert day.stands(CENTRE) == [("Ann", [2], 4)]


def test_there_is_no_way_back_by_the_arm_of_entry() -> None:
    day = Day(units=[("Ann", [1], CENTRE, 0)], entered={CENTRE: 6}).tosses("dha", "dha").chooses("1")
    assert day.options == ["samhain", "beltane", "lughnasadh"]
    assert day.refuses_choice("oimelc").startswith("Not “oimelc”: choose samhain, beltane or lughnasadh.")
    day.chooses("beltane")
    assert day.unit("B1").entered_by == 6


def test_a_chariot_that_goes_out_has_no_choice_left() -> None:
    day = Day(units=[("Ann", [1], "B2", 0)], entered={"B2": 6}).tosses("dha", "tri").chooses("1")
    assert day.unit(13).entered_by is None
    assert day.unit(13).chariots[0].progress == 13


def test_every_unit_in_the_fairy_land_needs_its_throw() -> None:
    day = Day(units=[("Ann", [1], "B2", 1), ("Ann", [2], "O1", 2)], entered={"B2": 12, "O1": 6}).tosses("dha")
    assert day.asks == "Ann: throw the four sticks for the fairy darts at chariot 2, on O1."
    day.tosses("ceither", "aon")
    assert day.options == ["1", "2", "new"]


def test_who_is_carried_back_to_its_own_start_by_the_darts_has_not_come_round() -> None:
    day = teams([("Ann", [1, "Cal 1"], "C", 0)], entered={"C": 0}, stacks="on", territorial="on")
    below = day.unit("C").chariots[1]
    below.progress = 6
    day.tosses("aon")
    assert [c for c in day.unit(0).chariots if c is below]
    assert below.progress == 0, "Cal starts at Samhain"


def walked(place: Place, entered_by: int, exit_by: int, start: int, progress: int, steps: int) -> tuple[Place, int, bool]:
    """Where a chariot is after so many single steps through and out of the fairy land, its progress, and whether it came home."""
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


@given(st.sampled_from(GATES), st.sampled_from(GATES), st.integers(0, 6), st.integers(0, 7), st.integers(1, 9))
def test_a_move_through_the_fairy_land_is_its_steps_one_by_one(
    entered_by: int, exit_by: int, at: int, holiday: int, steps: int
) -> None:
    if entered_by == exit_by:
        return
    start = 3 * holiday
    place: Place = [entered_by, *ARMS[entered_by], CENTRE, *reversed(ARMS[exit_by]), exit_by][at]
    if place == exit_by:
        return
    race = Race(("Ann", "Ben"), start, 4, Agreed())
    unit = race.introduce(race.off["Ann"][0], place)
    unit.entered_by = None if place == entered_by else entered_by
    unit.chariots[0].progress = clockwise(start, entered_by)
    move = Move(unit, steps, entering=place == entered_by)
    end = course(race, move, exit_by if must_choose_exit(move) else None)
    where, progress, home = walked(place, entered_by, exit_by, start, clockwise(start, entered_by), steps)
    assert end.home == home
    if not home:
        assert (end.place, end.progress) == (where, (progress,))
    elif end.exact:
        assert end.place == start


def test_a_barred_gate_and_a_gate_just_reached_are_no_way_in() -> None:
    barred = Day(units=[("Ann", [1], 12, 0), ("Ann", [2], 17, 1)], barred={12: 12}, home="on")
    assert why(barred, "enter") == "That chariot is barred from its gate"
    on_the_ring = Day(units=[("Ann", [2], 17, 1)], home="on")
    assert why(on_the_ring, "enter") == "No chariot of yours stands on a gate"
    arrived = Day(units=[("Ann", [1], 8, 0), ("Ann", [2], 17, 1)], home="on").chooses("throw").tosses("ceither").chooses("1")
    arrived.chooses("again")
    assert why(arrived, "enter") == "Nobody enters the fairy land on an extra throw"
