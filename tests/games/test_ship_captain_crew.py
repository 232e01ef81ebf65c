"""Ship, Captain, Crew: turns, rulings and fouls."""

from __future__ import annotations

import pytest

from table.games.ship_captain_crew import board
from tests.games.night import Night


def crew(*players: str) -> Night:
    """The first player begins."""
    players = players or ("Ann", "Ben")
    return Night("ship_captain_crew", *players, start=players[0])


def brings_home(night: Night, a: int, b: int) -> Night:
    """A turn of one throw with a full crew and this cargo."""
    return night.throws(6, 5, 4, a, b).chooses("stay")


def gets_no_ship(night: Night) -> Night:
    """A turn without a ship."""
    return night.throws(1, 1, 1, 1, 1).throws(1, 1, 1, 1, 1).throws(1, 1, 1, 1, 1)


# -- turns of the rulebook -----------------------------------------------------------------------------------


def test_a_crew_of_one_throw_can_throw_its_cargo_again() -> None:
    night = crew().throws(6, 5, 4, 3, 2)
    assert night.asks == "Ann: keep the cargo of 5 or throw both again (throw 2 of 3)?"
    assert night.so_far == "ship 6, captain 5 and crew 4; cargo 3 and 2: 5"
    night.chooses("again")
    assert night.asks == "Ann: throw two dice (throw 2 of 3)."
    night.throws(6, 1).chooses("stay")
    assert night.sheet == [("Ann", 7, "cargo 6 and 1")]
    assert night.turn == "Ben"


def test_a_crew_can_come_aboard_over_three_throws() -> None:
    night = crew().throws(5, 4, 3, 3, 2)
    assert night.so_far == "no ship yet; a 6 is needed first"
    assert night.awaits == "roll 5"
    night.throws(6, 4, 4, 2, 1)
    assert night.so_far == "ship 6; a 5 for the captain is needed next"
    assert night.awaits == "roll 4"
    night.throws(5, 4, 6, 6)
    assert night.sheet == [("Ann", 12, "cargo 6 and 6")]


def test_no_crew_after_three_throws_scores_0() -> None:
    night = crew().throws(5, 4, 4, 2, 1).throws(6, 1, 1, 2, 3).throws(5, 3, 3, 1)
    assert night.says == "Ann has no crew after three throws: 0."
    assert night.sheet == [("Ann", 0, "no crew")]
    assert night.turn == "Ben"


def test_a_crew_of_two_throws_can_throw_its_cargo_once_more() -> None:
    night = crew().throws(6, 6, 4, 4, 1)
    assert night.so_far == "ship 6; a 5 for the captain is needed next"
    night.throws(5, 3, 2, 4)
    assert night.asks == "Ann: keep the cargo of 5 or throw both again (throw 3 of 3)?"
    night.chooses("again").throws(1, 1)
    assert night.sheet == [("Ann", 2, "cargo 1 and 1")]


def test_a_second_captain_does_nothing_for_the_crew() -> None:
    night = crew().throws(6, 5, 2, 2, 1)
    assert night.so_far == "ship 6 and captain 5; a 4 for the crew is needed next"
    night.throws(5, 5, 6)
    assert night.so_far == "ship 6 and captain 5; a 4 for the crew is needed next"
    assert night.awaits == "roll 3"
    night.throws(4, 6, 6)
    assert night.sheet == [("Ann", 12, "cargo 6 and 6")]


def test_tied_leaders_play_one_more_turn() -> None:
    night = crew("Ann", "Ben", "Cal")
    brings_home(night, 6, 3)
    brings_home(night, 5, 4)
    brings_home(night, 2, 2)
    assert night.says == "Ann and Ben tie with 9: one more turn each."
    assert night.turn == "Ann"
    assert night.prompt.to_json()["for"] == "play-off"
    gets_no_ship(night)
    assert night.turn == "Ben"
    brings_home(night, 1, 2)
    assert night.winners == ("Ben",)
    assert night.outcome.reason == "Ben wins the play-off with 3."
    assert night.scores == {"Ann": 9, "Ben": 9, "Cal": 4}
    assert night.sheet[-2:] == [("Ann", 0, "play-off: no ship, 0"), ("Ben", 0, "play-off: cargo 1 and 2, 3")]


def test_who_throws_later_knows_the_cargo_to_beat() -> None:
    night = crew("Ann", "Ben")
    assert night.so_far == ""
    brings_home(night, 3, 4)
    assert night.so_far == "7 to beat"
    brings_home(night, 3, 4)
    assert night.so_far == "", "nobody has brought home anything in the play-off"
    brings_home(night, 2, 5)
    night.throws(6, 5, 4, 1, 2)
    assert night.so_far == "ship 6, captain 5 and crew 4; cargo 1 and 2: 3; 7 to beat"


# -- rulings -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("aside", "dice", "crew", "rest"),
    [
        ((), (6, 5, 4, 3, 2), (6, 5, 4), (3, 2)),
        ((), (4, 5, 6, 6, 6), (6, 5, 4), (6, 6)),
        ((), (5, 4, 3, 3, 2), (), (5, 4, 3, 3, 2)),
        ((), (6, 4, 4, 2, 1), (6,), (4, 4, 2, 1)),
        ((6,), (5, 5, 4, 4), (6, 5, 4), (5, 4)),
        ((6, 5), (5, 5, 6), (6, 5), (5, 5, 6)),
        ((6, 5, 4), (6, 5), (6, 5, 4), (6, 5)),
    ],
)
def test_v1_crew_dice_are_set_aside_automatically_and_in_order(
    aside: tuple[int, ...], dice: tuple[int, ...], crew: tuple[int, ...], rest: tuple[int, ...]
) -> None:
    assert board(aside, dice) == (crew, rest)


def test_v1_crew_dice_can_lie_beside_the_next_throw() -> None:
    night = crew().throws(6, 5, 2, 2, 1)
    assert night.prompt.to_json()["beside"] == [6, 5]


def test_v2_all_other_dice_are_thrown_again_without_a_full_crew() -> None:
    night = crew().throws(6, 6, 6, 1, 2)
    assert (
        night.refuses_throw(5, 4) == "Four dice expected, two dice came. Ann: throw four dice (throw 2 of 3)."
    )


def test_v3_the_cargo_can_be_thrown_twice_again_and_the_last_throw_counts() -> None:
    night = crew().throws(6, 5, 4, 6, 6).chooses("again").throws(5, 5).chooses("again")
    assert night.asks == "Ann: throw two dice (throw 3 of 3)."
    night.throws(1, 2)
    assert night.scores["Ann"] == 3
    assert night.turn == "Ben"


def test_v4_all_players_tie_when_nobody_has_a_crew() -> None:
    night = crew()
    gets_no_ship(night)
    gets_no_ship(night)
    assert night.says == "Ann and Ben tie with 0: one more turn each."
    gets_no_ship(night)
    gets_no_ship(night)
    assert night.turn == "Ann"
    gets_no_ship(night)
    brings_home(night, 1, 1)
    assert night.winners == ("Ben",)


def test_v5_further_6s_5s_and_4s_are_cargo() -> None:
    night = crew()
    brings_home(night, 6, 5)
    assert night.sheet == [("Ann", 11, "cargo 6 and 5")]


def test_v6_stopping_without_a_crew_is_refused() -> None:
    night = crew().throws(6, 5, 3, 3, 3)
    assert night.refuses_choice("stay") == (
        "A throw is expected, not a choice. Ann: throw three dice (throw 2 of 3)."
    )


def test_v7_the_highest_die_begins() -> None:
    night = Night("ship_captain_crew", "Ann", "Ben", "Cal").throws_each(1, 1, 4)
    assert night.asks == "Cal: throw five dice."


@pytest.mark.parametrize(("first", "then"), [("Ann", "Cal"), ("Ben", "Ann"), ("Cal", "Ben")])
def test_v8_play_goes_clockwise_and_the_next_start_anticlockwise(first: str, then: str) -> None:
    night = Night("ship_captain_crew", "Ann", "Ben", "Cal", start=first)
    order = []
    for cargo in (3, 2, 1):
        order.append(night.turn)
        brings_home(night, cargo, 1)
    assert order == list(
        {"Ann": ("Ann", "Ben", "Cal"), "Ben": ("Ben", "Cal", "Ann"), "Cal": ("Cal", "Ann", "Ben")}[first]
    )
    assert night.outcome.reason == f"{first} brings home 4 and wins."
    assert night.outcome.next_first == then


# -- fouls ---------------------------------------------------------------------------------------------------


def test_foul_throwing_one_cargo_die() -> None:
    night = crew().throws(6, 5, 4, 6, 1).chooses("again")
    assert night.refuses_throw(6) == "Two dice expected, one die came. Ann: throw two dice (throw 2 of 3)."


def test_foul_throwing_a_fourth_time() -> None:
    night = crew().throws(6, 5, 4, 1, 1).chooses("again").throws(1, 1).chooses("again").throws(1, 1)
    assert night.asks == "Ben: throw five dice."
    assert night.refuses_throw(6, 6) == "Five dice expected, two dice came. Ben: throw five dice."


def test_foul_throwing_a_set_aside_die_again() -> None:
    night = crew().throws(6, 5, 2, 2, 1)
    assert night.refuses_throw(6, 4, 3, 3) == (
        "Three dice expected, four dice came. Ann: throw three dice (throw 2 of 3)."
    )


def test_foul_keeping_dice_by_choice() -> None:
    night = crew().throws(5, 4, 3, 3, 2)
    assert night.refuses_keep(5, 4) == (
        "A throw is expected, not dice to keep. Ann: throw five dice (throw 2 of 3)."
    )


def test_a_play_off_is_repeated_for_players_who_tie_again() -> None:
    night = crew("Ann", "Ben", "Cal")
    for _ in range(3):
        brings_home(night, 2, 2)
    assert night.says == "Ann, Ben and Cal tie with 4: one more turn each."
    brings_home(night, 1, 1)
    brings_home(night, 3, 3)
    brings_home(night, 4, 2)
    assert night.says == "Ben and Cal tie with 6: one more turn each."
    assert night.turn == "Ben"
    brings_home(night, 1, 1)
    brings_home(night, 1, 2)
    assert night.winners == ("Cal",)
    assert night.scores == {"Ann": 4, "Ben": 4, "Cal": 4}
