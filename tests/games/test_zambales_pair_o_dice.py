"""Zambale's Pair'o Dice: rounds, rulings, fouls and figures."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from table.games.zambales_pair_o_dice import CHANCES, is_pair, zambale_wins
from table.odds import zambales_pair_o_dice as odds
from table.odds.throws import throws
from table.rules.answers import Bet
from tests.games.night import Night

MISSES = ((1, 2), (3, 4), (5, 6), (2, 3), (4, 1))


def zambale(*players: str, **settings: object) -> Night:
    """The first player throws first."""
    players = players or ("Ann", "Ben", "Cal", "Dee")
    return Night("zambales_pair_o_dice", *players, **{"start": players[0], **settings})


def all_bets(**settings: object) -> Night:
    """Ann throws. Each player has 5 on one of the four bets, and the betting is closed."""
    night = zambale(**settings)
    night.bets("Ann", "pair", 5).bets("Ben", "no_pair", 5).bets("Cal", "even", 5).bets("Dee", "odd", 5)
    return night.closes()


def throws_all(night: Night, *throws: tuple[int, int]) -> Night:
    for dice in throws:
        night.throws(*dice)
    return night


# -- rounds --------------------------------------------------------------------------------------------------


def test_a_pair_on_the_second_chance_settles_all_bets() -> None:
    night = zambale()
    assert night.asks == "Ann: take the bets on your throws, then close them."
    night.bets("Ann", "pair", 5).bets("Ben", "no_pair", 5).bets("Cal", "even", 5).bets("Dee", "odd", 5)
    assert night.so_far == "Ann 5 on pair, Ben 5 on no pair, Cal 5 on even, Dee 5 on odd"
    night.closes()
    assert night.asks == "Ann: throw two dice (chance 1 of 5)."
    night.throws(3, 4)
    assert night.asks == "Ann: throw two dice (chance 2 of 5)."
    night.throws(6, 6)
    assert night.says == "Ann throws a pair of 6s on chance 2."
    assert night.sheet == [
        ("Ann", 5, "6-6: 5 on pair wins"),
        ("Ben", -5, "6-6: 5 on no pair loses"),
        ("Cal", 5, "6-6: 5 on even wins"),
        ("Dee", -5, "6-6: 5 on odd loses"),
    ]
    assert night.asks == "Ben: play another round or end the game?"


def test_closing_without_a_bet_is_asked_first() -> None:
    night = zambale().chooses("close")
    assert night.asks == "Ann: nobody has bet, so nothing is at stake; close the betting all the same?"
    assert night.chooses("close").awaits == "roll 2"


def test_a_bet_taken_back_is_named_as_people_see_it() -> None:
    night = zambale().bets("Ben", "no_pair", 5).takes_back()
    assert night.says == "Ann takes back: Ben's 5 on “No pair comes”."


def test_a_pair_of_1s_is_odd() -> None:
    night = all_bets().throws(1, 1)
    assert night.scores == {"Ann": 5, "Ben": -5, "Cal": -5, "Dee": 5}


def test_no_pair_in_five_chances_returns_even_and_odd() -> None:
    night = throws_all(all_bets(), *MISSES)
    assert night.says == "Ann has no pair in five chances, and loses the turn."
    assert night.scores == {"Ann": -5, "Ben": 5, "Cal": 0, "Dee": 0}
    assert night.sheet[-1] == ("Dee", 0, "no pair: 5 on odd is returned")


def test_all_bets_of_a_player_are_one_line_of_the_sheet() -> None:
    night = zambale("Ann", "Ben")
    night.bets("Ann", "even", 5).bets("Ben", "no_pair", 2).bets("Ann", "no_pair", 3).closes()
    assert throws_all(night, *MISSES).sheet == [
        ("Ann", 3, "no pair: 5 on even is returned; 3 on no pair wins"),
        ("Ben", 2, "no pair: 2 on no pair wins"),
    ]


def test_the_fifth_chance_counts() -> None:
    night = throws_all(all_bets(), (2, 6), (1, 5), (3, 6), (4, 2), (5, 5))
    assert night.scores == {"Ann": 5, "Ben": -5, "Cal": -5, "Dee": 5}


def test_the_next_player_clockwise_throws_the_next_round() -> None:
    night = zambale("Ann", "Ben", start="Ben")
    throwers = []
    for _ in range(3):
        night.closes()
        throwers.append(night.turn)
        night.throws(1, 1).chooses("again")
    assert throwers == ["Ben", "Ann", "Ben"]
    assert night.closes().throws(2, 2).chooses("end").outcome.next_first == "Ben"


def test_the_highest_die_begins() -> None:
    night = Night("zambales_pair_o_dice", "Ann", "Ben", "Cal").throws_each(1, 5, 5).throws_each(2, 6)
    assert night.asks == "Cal: take the bets on your throws, then close them."


def test_the_players_furthest_ahead_win() -> None:
    night = all_bets().throws(1, 1).chooses("end")
    assert night.winners == ("Ann", "Dee")
    assert night.outcome.reason == "Ann and Dee are 5 ahead each: joint winners."


def test_players_without_a_bet_have_a_score_line() -> None:
    night = zambale().closes().throws(1, 1)
    assert [reason for _, _, reason in night.sheet] == ["nothing at stake"] * 4


# -- rulings -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("face", range(1, 7))
def test_z1_even_and_odd_depend_on_the_face_of_the_pair(face: int) -> None:
    night = all_bets().throws(face, face)
    even = 5 if face % 2 == 0 else -5
    assert (night.scores["Cal"], night.scores["Dee"]) == (even, -even)


@pytest.mark.parametrize("face", range(1, 7))
def test_z1_with_parity_last_sum_every_pair_is_even(face: int) -> None:
    night = throws_all(all_bets(parity="last_sum"), (3, 4), (face, face))
    assert (night.scores["Cal"], night.scores["Dee"]) == (5, -5)


def test_z1_the_bets_describe_even_and_odd() -> None:
    assert [o["text"] for o in zambale().prompt.to_json()["on"]][2:] == [
        "Even: a pair of 2s, 4s or 6s",
        "Odd: a pair of 1s, 3s or 5s",
    ]
    assert [o["text"] for o in zambale(parity="last_sum").prompt.to_json()["on"]][2:] == [
        "Even: the pair's sum is even",
        "Odd: the pair's sum is odd",
    ]


@pytest.mark.parametrize("parity", ["face", "last_sum"])
def test_z2_bets_on_even_and_odd_are_returned_without_a_pair(parity: str) -> None:
    night = throws_all(all_bets(parity=parity), *MISSES)
    assert (night.scores["Cal"], night.scores["Dee"]) == (0, 0)


@given(
    st.lists(
        st.tuples(
            st.sampled_from(("Ann", "Ben")),
            st.sampled_from(("pair", "no_pair", "even", "odd")),
            st.integers(1, 99),
        )
    ),
    st.lists(st.sampled_from([dice for dice, _ in throws(2)]), min_size=CHANCES, max_size=CHANCES),
    st.sampled_from(("face", "last_sum")),
)
def test_z3_every_bet_wins_loses_or_returns_its_stake(
    bets: list[tuple[str, str, int]], thrown: list[tuple[int, ...]], parity: str
) -> None:
    night = zambale("Ann", "Ben", parity=parity)
    for bet in bets:
        night.bets(*bet)
    night.closes()
    for dice in thrown:
        if night.options:
            break
        night.throws(*dice)
    last = next((dice for dice in thrown if is_pair(dice)), thrown[-1])
    gains = {"Ann": 0, "Ben": 0}
    for player, on, stake in bets:
        gains[player] += {True: stake, False: -stake, None: 0}[zambale_wins(last, on, parity)]
    assert night.scores == gains


def test_z4_the_turn_ends_with_the_first_pair() -> None:
    night = all_bets().throws(3, 3)
    assert night.refuses_throw(4, 4) == (
        "A choice is expected, not a throw. Ben: play another round or end the game?"
    )


def test_z6_the_thrower_can_bet_against_the_pair() -> None:
    assert throws_all(zambale().bets("Ann", "no_pair", 5).closes(), *MISSES).scores["Ann"] == 5


def test_a_lone_player_can_play() -> None:
    assert zambale("Ann").bets("Ann", "pair", 5).closes().throws(2, 2).scores == {"Ann": 5}


# -- fouls ---------------------------------------------------------------------------------------------------


def test_foul_throwing_a_sixth_time() -> None:
    night = throws_all(all_bets(), *MISSES)
    assert night.refuses_throw(4, 4) == (
        "A choice is expected, not a throw. Ben: play another round or end the game?"
    )


def test_foul_betting_after_the_close() -> None:
    assert all_bets().refuses_answer(Bet("Ann", "pair", 5)) == (
        "A throw is expected, not a bet. Ann: throw two dice (chance 1 of 5)."
    )


def test_z5_foul_throwing_one_die_again() -> None:
    night = all_bets().throws(3, 4)
    assert night.refuses_throw(3) == "Two dice expected, one die came. Ann: throw two dice (chance 2 of 5)."


def test_a_throw_can_be_corrected_to_a_pair() -> None:
    night = throws_all(all_bets(), (3, 4), (6, 6)).chooses("again").corrects(5, 4, 4)
    assert night.scores == {"Ann": 5, "Ben": -5, "Cal": 5, "Dee": -5}
    assert night.turn == "Ben"


# -- figures -------------------------------------------------------------------------------------------------


def test_the_chance_of_a_pair_in_five_throws_is_exact() -> None:
    misses = sum((p for dice, p in throws(2) if not is_pair(dice)), Fraction(0))
    assert odds.pair_within(CHANCES) == 1 - misses**CHANCES
    assert float(odds.pair_within(CHANCES)) == pytest.approx(0.598, abs=5e-4)


@pytest.mark.parametrize("chances", [1, 2, 3])
@pytest.mark.parametrize(("parity", "what"), [("face", "of an {} face"), ("last_sum", "with an {} sum")])
def test_the_odds_of_all_bets_match_a_count_of_every_turn(chances: int, parity: str, what: str) -> None:
    turns = list(product(product(range(1, 7), repeat=2), repeat=chances))
    first_pairs = [next(((a, b) for a, b in turn if a == b), None) for turn in turns]
    pairs = [pair for pair in first_pairs if pair]
    even = sum((a if parity == "face" else a + b) % 2 == 0 for a, b in pairs)
    counts = {"a pair": len(pairs), "no pair": len(turns) - len(pairs)}
    counts |= {f"a pair {what.format('even')}": even, f"a pair {what.format('odd')}": len(pairs) - even}
    night = throws_all(all_bets(parity=parity), *MISSES[: 5 - chances])
    assert night.odds == {text: Fraction(count, len(turns)) for text, count in counts.items()}


def test_the_coach_gives_the_chances_of_all_bets() -> None:
    night = zambale()
    assert night.prompt.odds == odds.of_the_turn(5, by_face=True)
    throws_all(night.closes(), *MISSES[:4])
    assert [(o.text, o.value) for o in night.prompt.odds] == [
        ("a pair", Fraction(1, 6)),
        ("no pair", Fraction(5, 6)),
        ("a pair of an even face", Fraction(1, 12)),
        ("a pair of an odd face", Fraction(1, 12)),
    ]
