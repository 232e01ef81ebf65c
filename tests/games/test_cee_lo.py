"""Cee Lo: hands, rounds, rulings, fouls and figures."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from table.games.cee_lo import LOSING, POINT, TRIPS, WINNING, Hand, cee_lo_hand
from table.odds import cee_lo as odds
from table.odds.throws import throws
from table.rules.answers import Number
from tests.games.night import Night


def cee_lo(*players: str, **settings: object) -> Night:
    """The first player begins; the stake is 2 by default."""
    players = players or ("Ann", "Ben")
    return Night("cee_lo", *players, **{"start": players[0].split(":")[0], "stake": 2, **settings})


# -- hands ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("dice", "hand"),
    [
        ((6, 4, 5), Hand(WINNING)),
        ((4, 4, 4), Hand(TRIPS, 4)),
        ((1, 1, 1), Hand(TRIPS, 1)),
        ((2, 2, 6), Hand(POINT, 6)),
        ((5, 5, 2), Hand(POINT, 2)),
        ((2, 6, 2), Hand(POINT, 6)),
        ((3, 1, 2), Hand(LOSING)),
        ((1, 2, 4), None),
        ((3, 4, 5), None),
        ((2, 3, 4), None),
    ],
)
def test_a_throw_is_a_hand_or_no_hand(dice: tuple[int, ...], hand: Hand | None) -> None:
    assert cee_lo_hand(dice) == hand


def test_hands_are_ordered_from_123_to_456() -> None:
    order = [
        (1, 2, 3),
        *((p % 6 + 1, p % 6 + 1, p) for p in range(1, 7)),
        *((t, t, t) for t in range(1, 7)),
        (4, 5, 6),
    ]
    hands = [cee_lo_hand(dice) for dice in order]
    assert None not in hands
    assert hands == sorted(h for h in hands if h)
    assert len(set(hands)) == 14
    assert [str(h) for h in hands] == [
        "1-2-3", *(f"point {p}" for p in range(1, 7)), *(f"trips of {t}" for t in range(1, 7)), "4-5-6",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("better", "worse"), [((2, 2, 6), (5, 5, 2)), ((4, 4, 4), (3, 3, 3)), ((1, 1, 1), (2, 2, 6))]
)
def test_the_better_hand_takes_the_pot(better: tuple[int, ...], worse: tuple[int, ...]) -> None:
    assert cee_lo().throws(*better).throws(*worse).scores == {"Ann": 2, "Ben": -2}
    assert cee_lo().throws(*worse).throws(*better).scores == {"Ann": -2, "Ben": 2}


# -- rounds --------------------------------------------------------------------------------------------------


def test_a_456_ends_the_round() -> None:
    night = cee_lo("Ann", "Ben", "Cal")
    assert night.scores == {"Ann": -2, "Ben": -2, "Cal": -2}
    assert night.asks == "Ann: throw three dice."
    assert night.so_far == "the pot is 6"
    night.throws(1, 2, 4)
    assert night.says == "1-2-4 is no hand: Ann throws again."
    assert night.asks == "Ann: throw three dice."
    night.throws(3, 3, 5)
    assert night.so_far == "the pot is 6; Ann point 5"
    assert night.asks == "Ben: throw three dice."
    night.throws(6, 4, 5)
    assert night.says == "Ben takes the pot of 6: 4-5-6."
    assert night.scores == {"Ann": -2, "Ben": 4, "Cal": -2}
    assert night.sheet == [
        ("Ann", -2, "point 5, the stake is lost"),
        ("Ben", 4, "4-5-6, the pot of 6 is won"),
        ("Cal", -2, "no throw, the stake is lost"),
    ]
    assert night.asks == "Ben: play another round or end the game?"


def test_the_sheet_has_one_row_for_each_round() -> None:
    night = cee_lo("Ann", "Ben")
    assert night.sheet == [("Ann", -2, "stake"), ("Ben", -2, "stake")]
    night.throws(3, 3, 4).throws(2, 2, 4)  # a shoot-out
    night.throws(3, 1, 2).chooses("again").throws(5, 5, 5).throws(6, 6, 1)
    assert night.sheet == [
        ("Ann", -2, "1-2-3 in the shoot-out, the stake is lost"),
        ("Ben", 2, "nobody else is left in the shoot-out, the pot of 4 is won"),
        ("Ben", 2, "trips of 5, the pot of 4 is won"),
        ("Ann", -2, "point 1, the stake is lost"),
    ]
    assert night.scores == {"Ann": -4, "Ben": 4}


def test_a_123_is_out_and_the_best_other_hand_wins() -> None:
    night = cee_lo("Ann", "Ben", "Cal").throws(3, 1, 2)
    assert night.says == "Ann threw 1-2-3 and is out of this round."
    night.throws(5, 5, 1).throws(1, 1, 1)
    assert night.says == "Cal takes the pot of 6: trips of 1."
    assert night.scores == {"Ann": -2, "Ben": -2, "Cal": 4}


def test_tied_players_throw_a_shoot_out_with_no_new_stake() -> None:
    night = cee_lo("Ann", "Ben", "Cal").throws(3, 3, 4).throws(2, 2, 1).throws(6, 6, 4)
    assert night.says == "Ann and Cal tie with point 4: they shoot it out, with no new stake."
    assert night.asks == "Ann: throw three dice for the shoot-out."
    assert night.prompt.to_json()["for"] == "shoot-out"
    night.throws(6, 6, 2)
    assert night.turn == "Cal"
    night.throws(2, 2, 3)
    assert night.says == "Cal takes the pot of 6: point 3 in the shoot-out."
    assert night.scores == {"Ann": -2, "Ben": -2, "Cal": 4}


def test_with_two_players_a_123_ends_the_round() -> None:
    night = cee_lo().throws(1, 2, 3)
    assert night.says == "Ben takes the pot of 4: nobody else is left."
    assert night.scores == {"Ann": -2, "Ben": 2}


def test_345_is_no_hand() -> None:
    assert cee_lo().throws(3, 4, 5).asks == "Ann: throw three dice."


# -- rulings -------------------------------------------------------------------------------------------------


def test_c1_with_auto_after_all_the_others_throw_against_a_456() -> None:
    night = cee_lo("Ann", "Ben", "Cal", auto="after_all").throws(4, 5, 6)
    assert night.turn == "Ben"
    night.throws(6, 6, 6).throws(6, 5, 4)
    assert night.says == "Ann and Cal tie with 4-5-6: they shoot it out, with no new stake."
    night.throws(4, 5, 6)
    assert night.turn == "Cal"
    night.throws(3, 3, 3)
    assert night.says == "Ann takes the pot of 6: 4-5-6 in the shoot-out."


def test_c1_with_auto_immediate_a_456_takes_the_pot_at_once() -> None:
    assert cee_lo("Ann", "Ben", "Cal").throws(4, 5, 6).scores == {"Ann": 4, "Ben": -2, "Cal": -2}


@pytest.mark.parametrize("auto", ["immediate", "after_all"])
def test_c2_the_last_player_not_out_wins_without_a_hand(auto: str) -> None:
    night = cee_lo("Ann", "Ben", "Cal", auto=auto).throws(1, 2, 3).throws(3, 2, 1)
    assert night.says == "Cal takes the pot of 6: nobody else is left."
    assert night.turn == "Cal"
    assert night.options == ["again", "end"]


@pytest.mark.parametrize("auto", ["immediate", "after_all"])
def test_c2_the_last_player_not_out_wins_with_an_earlier_hand(auto: str) -> None:
    night = cee_lo(auto=auto).throws(1, 1, 2).throws(1, 2, 3)
    assert night.says == "Ann takes the pot of 4: point 2."


def test_c3_all_players_stake_the_same() -> None:
    night = cee_lo("Ann", "Ben", "Cal", "Dee", stake=7)
    assert set(night.scores.values()) == {-7}


def test_c4_the_highest_die_begins_and_later_the_last_winner() -> None:
    night = Night("cee_lo", "Ann", "Ben", "Cal", stake=1).throws_each(1, 6, 2)
    assert night.turn == "Ben"
    night.throws(2, 2, 3).throws(4, 4, 5).throws(1, 1, 6)
    assert night.turn == "Ann"
    night.chooses("again")
    assert night.asks == "Ann: throw three dice."
    night.throws(2, 2, 3)
    assert night.turn == "Ben"
    night.throws(1, 1, 2).throws(5, 5, 6).chooses("end")
    assert night.outcome.next_first == "Cal"


def test_c4_the_winner_of_a_shoot_out_begins_the_next_round() -> None:
    night = cee_lo().throws(2, 2, 3).throws(1, 1, 3).throws(2, 2, 3).throws(1, 1, 4).chooses("again")
    assert night.turn == "Ben"


@pytest.mark.parametrize("trips", range(1, 7))
def test_c5_all_trips_beat_all_points(trips: int) -> None:
    hand = cee_lo_hand((trips, trips, trips))
    assert hand
    assert hand > Hand(POINT, 6)
    assert hand < Hand(WINNING)


def test_c6_a_die_off_the_table_is_thrown_again_without_a_loss() -> None:
    night = cee_lo()
    assert night.refuses_throw(4, 5) == "Three dice expected, two dice came. Ann: throw three dice."
    assert night.throws(4, 5, 6).scores["Ann"] == 2


def test_c7_in_a_shoot_out_a_456_wins_and_a_123_is_out() -> None:
    night = cee_lo("Ann", "Ben", "Cal")
    for _ in range(3):
        night.throws(2, 2, 5)
    night.throws(1, 2, 3)
    assert night.says == "Ann threw 1-2-3 and is out of this round."
    night.throws(4, 5, 6)
    assert night.says == "Ben takes the pot of 6: 4-5-6 in the shoot-out."


def test_c7_a_shoot_out_can_be_won_because_all_others_are_out() -> None:
    night = cee_lo().throws(2, 2, 5).throws(2, 2, 5).throws(1, 2, 3)
    assert night.says == "Ben takes the pot of 4: nobody else is left in the shoot-out."


def test_a_tied_shoot_out_leads_to_another() -> None:
    night = cee_lo("Ann", "Ben", "Cal")
    for _ in range(3):
        night.throws(2, 2, 5)
    night.throws(1, 1, 2).throws(3, 3, 6).throws(4, 4, 6)
    assert night.says == "Ben and Cal tie with point 6: they shoot it out, with no new stake."
    assert night.turn == "Ben"
    night.throws(1, 1, 2).throws(1, 1, 3)
    assert night.scores == {"Ann": -2, "Ben": -2, "Cal": 4}


# -- stakes and the end --------------------------------------------------------------------------------------


def test_the_first_player_of_a_round_names_the_stake() -> None:
    night = Night("cee_lo", "Ann", "Ben", start="Ann")
    assert night.asks == "Ann: what does each player stake?"
    assert night.refuses_answer(Number(0)) == (
        "A whole number from 1 to 1,000,000 is expected, 0 came. Ann: what does each player stake?"
    )
    night.enters(5).throws(1, 1, 2).throws(1, 1, 3).chooses("again")
    assert night.asks == "Ben: what does each player stake?"
    offered = night.prompt.to_json()
    assert (offered["for"], offered["usual"]) == ("stake", 5), "the last stake is offered"
    night.enters(1).throws(4, 5, 6)
    assert night.scores == {"Ann": -6, "Ben": 6}


def test_the_player_furthest_ahead_wins() -> None:
    night = cee_lo("Ann", "Ben", "Cal").throws(4, 5, 6).chooses("end")
    assert night.winners == ("Ann",)
    assert night.outcome.reason == "Ann is 4 ahead and wins."


def test_two_players_equally_ahead_win_jointly() -> None:
    night = cee_lo("Ann", "Ben", "Cal")
    night.throws(4, 5, 6).chooses("again").throws(1, 1, 2).throws(4, 5, 6).chooses("end")
    assert night.winners == ("Ann", "Ben")
    assert night.outcome.reason == "Ann and Ben are 2 ahead each: joint winners."


def test_nobody_wins_when_nobody_is_ahead() -> None:
    night = cee_lo().throws(4, 5, 6).chooses("again").throws(1, 1, 2).throws(4, 5, 6).chooses("end")
    assert night.winners == ()
    assert night.outcome.reason == "Nobody is ahead, so nobody wins."


@given(st.lists(st.sampled_from([d for d, _ in throws(3)]), max_size=40))
def test_gains_and_losses_add_up_to_0(thrown: list[tuple[int, ...]]) -> None:
    """Scores and pot always add up to 0, and the pot is empty between rounds."""
    night = cee_lo("Ann", "Ben", "Cal")
    for dice in thrown:
        if night.options:
            assert sum(night.scores.values()) == 0
            night.chooses("again")
        assert sum(night.scores.values()) == -6
        night.throws(*dice)


# -- fouls ---------------------------------------------------------------------------------------------------


def test_foul_throwing_one_die_again() -> None:
    night = cee_lo().throws(1, 2, 4)
    assert night.refuses_throw(6) == "Three dice expected, one die came. Ann: throw three dice."


def test_foul_throwing_again_after_a_hand() -> None:
    night = cee_lo("Ann:green", "Ben:red", dice="own").throws_coloured("green", 2, 2, 3)
    assert night.refuses_colour("green", 6, 6, 5) == (
        "Wrong colour: three red dice expected, three green dice came. Ben: throw three red dice."
    )


def test_a_correction_does_not_move_a_throw_into_the_shoot_out() -> None:
    night = cee_lo().throws(2, 2, 3).throws(1, 1, 3).throws(4, 4, 5).corrects(1, 1, 2, 4)
    assert night.asks == "Ben: throw three dice."
    assert "no longer fits" in night.says


# -- figures -------------------------------------------------------------------------------------------------


def test_the_chances_of_all_hands_are_exact() -> None:
    chances: dict[str, Fraction] = {}
    for dice, p in throws(3):
        hand = str(cee_lo_hand(dice))
        chances[hand] = chances.get(hand, Fraction(0)) + p
    assert (
        chances["4-5-6"]
        == chances["1-2-3"]
        == sum(chances[f"trips of {t}"] for t in range(1, 7))
        == Fraction(6, 216)
    )
    assert {chances[f"point {p}"] for p in range(1, 7)} == {Fraction(15, 216)}
    assert chances["None"] == odds.no_hand(cee_lo_hand) == Fraction(108, 216)


def test_the_coach_gives_the_chance_to_beat_the_best_hand() -> None:
    night = cee_lo()
    assert [(o.text, o.value) for o in night.prompt.odds] == [("a hand with this throw", Fraction(1, 2))]
    night.throws(2, 2, 6)
    assert [(o.text, o.value) for o in night.prompt.odds] == [
        ("a hand with this throw", Fraction(1, 2)),
        ("a better hand in the end", Fraction(12, 108)),
        ("the same hand in the end", Fraction(15, 108)),
    ]


def counted_hands() -> list[tuple[int, int]]:
    """The class and the face of each of the 216 throws: 3 for 4-5-6, 2 for trips, 1 for a point, 0 for 1-2-3.

    A throw without a hand is left out, because it is repeated.
    """
    counted = []
    for thrown in product(range(1, 7), repeat=3):
        a, b, c = sorted(thrown)
        if (a, b, c) in ((1, 2, 3), (4, 5, 6)):
            counted.append((0 if a == 1 else 3, 0))
        elif a == b or b == c:
            counted.append((2, a) if a == c else (1, a + b + c - 2 * b))
    return counted


@pytest.mark.parametrize("first", [(1, 1, 1), (6, 6, 6), (2, 2, 1), (3, 3, 6), (5, 2, 5)])
def test_the_odds_against_a_hand_match_a_count_of_216_throws(first: tuple[int, int, int]) -> None:
    a, b, c = sorted(first)
    there, hands = ((2, a) if a == c else (1, a + b + c - 2 * b)), counted_hands()
    assert cee_lo().throws(*first).odds == {
        "a hand with this throw": Fraction(len(hands), 216),
        "a better hand in the end": Fraction(sum(hand > there for hand in hands), len(hands)),
        "the same hand in the end": Fraction(hands.count(there), len(hands)),
    }


def test_the_coach_compares_no_hands_while_all_earlier_players_are_out() -> None:
    night = cee_lo("Ann", "Ben", "Cal").throws(1, 2, 3)
    assert [o.text for o in night.prompt.odds] == ["a hand with this throw"]


def test_the_chances_of_final_hands_add_up_to_1() -> None:
    assert sum(odds.hands(cee_lo_hand).values()) == 1
