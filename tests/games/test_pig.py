"""Pig: turns, rulings and fouls."""

from __future__ import annotations

import pytest

from tests.games.night import Night


def pig(*scores: int) -> Night:
    """Ann and Ben, Ann to throw, after turns in which they held these scores (Ann's first)."""
    night = Night("pig", "Ann", "Ben", start="Ann")
    for score in scores:
        hold(night, score)
    return night


def hold(night: Night, points: int) -> Night:
    """A turn of 2s, with one 3 for odd points, ended by a hold."""
    for face in [3] * (points % 2) + [2] * ((points - 3 * (points % 2)) // 2):
        if night.options:
            night.chooses("roll")
        night.throws(face)
    return night.chooses("hold")


def test_a_1_loses_the_points_of_the_turn() -> None:
    night = pig().throws(5)
    assert night.asks == "Ann: hold 5 or throw again?"
    assert night.so_far == "5 this turn"
    night.chooses("roll").throws(2)
    assert night.asks == "Ann: hold 7 or throw again?"
    assert night.so_far == "7 this turn: 5 and 2"
    night.chooses("roll").throws(1)
    assert night.says == "Ann threw a 1: 7 points lost, and the turn is over."
    assert night.sheet == [("Ann", 0, "5, 2 and 1: the 1 takes the turn")]
    assert night.asks == "Ben: throw one die."


def test_a_hold_adds_the_turn_to_the_score() -> None:
    night = pig()
    for face in (4, 5, 3, 5):
        night.throws(face).chooses("roll")
    night.throws(6)
    assert night.scores["Ann"] == 0
    night.chooses("hold")
    assert night.scores == {"Ann": 23, "Ben": 0}
    assert night.sheet == [("Ann", 23, "held 4, 5, 3, 5 and 6")]
    assert night.turn == "Ben"


def test_a_player_can_hold_after_one_throw() -> None:
    assert pig().throws(5).chooses("hold").scores == {"Ann": 5, "Ben": 0}


def test_a_1_at_once_scores_nothing() -> None:
    night = pig().throws(1)
    assert night.scores == {"Ann": 0, "Ben": 0}
    assert night.says == "Ann threw a 1: nothing lost, and the turn is over."
    assert night.turn == "Ben"


def test_a_player_who_holds_100_wins() -> None:
    night = pig(94, 10).throws(6).chooses("hold")
    assert night.scores["Ann"] == 100
    assert night.winners == ("Ann",)
    assert night.outcome.reason == "Ann holds 100 and wins."


def test_the_game_goes_on_at_99() -> None:
    night = pig(97, 10).throws(2).chooses("hold")
    assert night.scores["Ann"] == 99
    assert night.turn == "Ben"


def test_a_turn_of_20_at_95_can_be_lost() -> None:
    night = pig(95, 10)
    for face in (6, 6, 6, 2):
        night.throws(face).chooses("roll")
    night.throws(1)
    assert night.scores["Ann"] == 95
    assert night.says == "Ann threw a 1: 20 points lost, and the turn is over."


def test_p1_a_hold_wins_the_game_and_a_throw_does_not() -> None:
    night = pig(98, 10).throws(6)
    assert not night.over
    assert night.scores["Ann"] == 98
    assert night.awaits == "hold|roll"


def test_p2_the_first_player_at_100_ends_the_game_at_once() -> None:
    night = pig(98, 98).throws(6).chooses("hold")
    assert night.winners == ("Ann",)
    assert night.scores == {"Ann": 104, "Ben": 98}
    assert night.refuses_throw(6) == "The game is over. Start a new game."


def test_p3_a_hold_before_the_first_throw_is_refused() -> None:
    assert pig().refuses_choice("hold") == "A throw is expected, not a choice. Ann: throw one die."


def test_p4_the_highest_die_begins() -> None:
    night = Night("pig", "Ann", "Ben", "Cal").throws_each(2, 5, 3)
    assert night.turn == "Ben"
    assert night.says == "Ben begins."
    night.throws(1)
    assert night.turn == "Cal"
    night.throws(1)
    assert night.turn == "Ann"


def test_p4_only_tied_players_throw_again() -> None:
    night = Night("pig", "Ann", "Ben", "Cal").throws_each(5, 2, 5)
    assert night.says == "Ann and Cal tie with 5 and throw again."
    assert night.asks == "Ann: throw one die, and the highest begins."
    night.throws(3)
    assert night.so_far == "Ann threw 3"
    assert night.turn == "Cal"
    night.throws(3).throws_each(1, 6)
    assert night.says == "Cal begins."
    assert night.turn == "Cal"


def test_a_correction_does_not_move_a_start_throw_into_the_game() -> None:
    night = Night("pig", "Ann", "Ben").throws_each(5, 5, 3, 4, 6).chooses("hold").corrects(1, 2)
    assert night.says == (
        "Ben's throw is corrected from 5 to 2. Four later answers no longer fit and must be given again: "
        "Ann's throw of 3, Ben's throw of 4, throw of 6 and “Hold 6”."
    )
    assert night.asks == "Ann: throw one die."
    assert night.match.at == 2


def test_a_correction_does_not_move_a_game_throw_into_the_start() -> None:
    night = Night("pig", "Ann", "Ben").throws_each(5, 2, 4).chooses("hold").throws(3).corrects(1, 5)
    assert night.says == (
        "Ben's throw is corrected from 2 to 5. Three later answers no longer fit and must be given again: "
        "Ann's throw of 4, “Hold 4” and Ben's throw of 3."
    )
    assert night.asks == "Ann: throw one die, and the highest begins."
    assert night.match.at == 2


def test_p5_a_1_keeps_the_points_held_before() -> None:
    assert pig(30, 10).throws(4).chooses("roll").throws(1).scores == {"Ann": 30, "Ben": 10}


def test_foul_throwing_two_dice() -> None:
    assert pig().refuses_throw(3, 4) == "One die expected, two dice came. Ann: throw one die."


def test_foul_throwing_on_after_a_hold() -> None:
    night = pig().throws(3).chooses("hold")
    assert night.refuses_choice("roll") == "A throw is expected, not a choice. Ben: throw one die."
    assert night.turn == "Ben"


def test_a_missing_option_is_refused_with_the_existing_ones() -> None:
    assert pig().throws(3).refuses_choice("bank") == (
        "Not “bank”: choose hold or roll. Ann: hold 3 or throw again?"
    )


def test_with_own_dice_each_player_throws_their_colour() -> None:
    night = Night("pig", "Ann:green", "Ben:red", start="Ann", dice="own")
    assert night.asks == "Ann: throw one green die."
    foul = "Wrong colour: one green die expected, one red die came. Ann: throw one green die."
    assert night.refuses_colour("red", 3) == foul
    night.throws_coloured("green", 3).chooses("hold")
    assert night.asks == "Ben: throw one red die."


@pytest.mark.parametrize("players", [2, 10])
def test_two_to_ten_players_can_play(players: int) -> None:
    names = [f"P{i}" for i in range(players)]
    night = Night("pig", *names, start="P0")
    for name in names:
        assert night.turn == name
        night.throws(1)
    assert night.turn == "P0"
