"""Chuck-a-Luck: bets, the bank, rulings, fouls and figures."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from table.common.errors import UnreadableAnswer
from table.games.chuck_a_luck import BETS, chuck_a_luck_pays
from table.odds.bets import mean
from table.odds.throws import throws
from table.rules.answers import Bet
from tests.games.night import Night

PAYS = {"triple": 30, "big": 1, "small": 1, "field": 1}
IDS = [bet.id for bet in BETS]


def chuck(*players: str, **settings: object) -> Night:
    return Night("chuck_a_luck", *(players or ("Ann", "Ben")), **settings)


def gains(dice: Sequence[int], *bets: str) -> list[int]:
    """The gain of one unit on each of the bets, which each have a player."""
    night = chuck(*bets)
    for bet in bets:
        night.bets(bet, bet, 1)
    return list(night.closes().throws(*dice).scores.values())


# -- the table of bets ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("dice", "pays"),
    [
        ((4, 4, 2), {"4": 2, "2": 1, "3": -1, "small": 1, "big": -1, "field": -1, "triple": -1}),
        ((6, 6, 6), {"6": 3, "triple": 30, "big": -1, "field": 1, "small": -1}),
        ((2, 2, 2), {"small": -1, "field": 1, "triple": 30, "2": 3}),
        ((4, 4, 4), {"big": -1, "field": -1, "triple": 30}),
        ((6, 5, 1), {"big": 1, "field": -1}),
        ((1, 2, 4), {"small": 1, "field": 1}),
        ((6, 6, 1), {"big": 1, "field": 1, "6": 2}),
        ((5, 4, 1), {"small": 1, "big": -1}),
        ((5, 5, 1), {"big": 1, "small": -1}),
        ((1, 1, 1), {"small": -1, "field": 1}),
        ((6, 1, 1), {"field": -1}),
    ],
)
def test_each_bet_gains_its_payout(dice: tuple[int, ...], pays: dict[str, int]) -> None:
    assert gains(dice, *pays) == list(pays.values())


def test_a_round_settles_the_bets_of_several_players() -> None:
    night = chuck("Ann", "Ben", "Cal")
    assert night.asks == "Ann: take the bets, then close them."
    night.bets("Ann", "4", 5).bets("Ben", "big", 10).bets("Ann", "field", 2)
    assert night.so_far == "Ann 5 on 4, Ben 10 on big, Ann 2 on field"
    assert night.scores == {"Ann": 0, "Ben": 0, "Cal": 0}
    night.closes()
    assert night.asks == "Ann: throw three dice for the bank."
    night.throws(4, 4, 2)
    assert night.says == "4-4-2, the sum is 10: Ann +8, Ben −10."
    assert night.sheet == [
        ("Ann", 8, "4-4-2: 5 on 4 wins 2 to 1; 2 on field loses"),
        ("Ben", -10, "4-4-2: 10 on big loses"),
        ("Cal", 0, "nothing at stake"),
    ]
    assert night.asks == "Ann: play another round or end the game?"


def test_rounds_are_played_until_players_end_the_game() -> None:
    night = chuck().bets("Ben", "1", 1).closes().throws(1, 1, 1).chooses("again")
    assert night.awaits == "bets"
    night.bets("Ben", "1", 1).closes().throws(2, 3, 4).chooses("end")
    assert night.scores == {"Ann": 0, "Ben": 2}
    assert night.winners == ("Ben",)
    assert night.outcome.reason == "Ben is 2 ahead and wins."


def test_one_unit_ahead_is_enough_to_win() -> None:
    night = chuck().bets("Ben", "big", 1).closes().throws(6, 5, 1).chooses("end")
    assert night.scores == {"Ann": 0, "Ben": 1}
    assert night.winners == ("Ben",)


def test_nobody_wins_when_the_bank_takes_all() -> None:
    night = chuck().bets("Ben", "1", 1).closes().throws(2, 3, 4).chooses("end")
    assert night.winners == ()
    assert night.outcome.reason == "Nobody is ahead, so nobody wins."


def test_closing_without_a_bet_is_asked_first() -> None:
    night = chuck().chooses("close")
    assert night.asks == "Ann: nobody has bet, so nothing is at stake; close the betting all the same?"
    assert night.options == ["bet", "close"]
    night.chooses("bet").bets("Ben", "4", 5).chooses("close")
    assert night.awaits == "roll 3"
    assert chuck().chooses("close").chooses("close").awaits == "roll 3"


def test_a_round_without_bets_changes_no_score() -> None:
    night = chuck().closes().throws(2, 3, 4)
    assert night.says == "2-3-4, the sum is 9: nobody has bet."
    assert night.scores == {"Ann": 0, "Ben": 0}


def test_the_last_six_of_many_bets_are_shown() -> None:
    night = chuck()
    for stake in range(1, 9):
        night.bets("Ben", "big", stake)
    assert night.so_far == ", ".join(f"Ben {stake} on big" for stake in range(3, 9)) + ", 2 before"


# -- the bank ------------------------------------------------------------------------------------------------


def test_with_bank_first_the_first_player_holds_the_bank_and_cannot_bet() -> None:
    night = chuck("Ann", "Ben", "Cal", bank="first")
    assert night.refuses_answer(Bet("Ann", "4", 5)) == (
        "Ann is not among those who bet here: Ben and Cal. Ann: take the bets, then close them."
    )
    night.bets("Ben", "4", 5).bets("Cal", "triple", 1).closes().throws(4, 4, 2)
    assert night.scores == {"Ann": -9, "Ben": 10, "Cal": -1}
    assert night.sheet[0] == ("Ann", -9, "4-4-2: Ben 5 on 4 wins 2 to 1; Cal 1 on triple loses")
    assert night.chooses("end").winners == ("Ben",)


def test_the_player_who_holds_the_bank_can_win() -> None:
    night = chuck(bank="first").bets("Ben", "4", 5).closes().throws(1, 1, 2).chooses("end")
    assert night.winners == ("Ann",)


def test_the_sheets_of_bettors_and_bank_have_one_line_a_round() -> None:
    """Round 2 stands beside round 2, also on the printed sheet."""
    night = chuck("Ann", "Ben", "Cal", bank="first")
    night.bets("Ben", "4", 5).bets("Cal", "triple", 1).bets("Ben", "big", 5).closes().throws(4, 4, 2)
    night.chooses("again").bets("Cal", "1", 2).bets("Cal", "2", 2).closes().throws(4, 4, 2)
    for player in ("Ann", "Ben", "Cal"):
        rows = [line.row for line in night.match.view().sheet if line.player == player]
        assert rows == [1, 2], "also if the same dice fall again"


def test_the_bank_has_a_score_line_for_a_round_without_bets() -> None:
    night = chuck(bank="first").closes().throws(1, 1, 2)
    assert night.sheet == [("Ann", 0, "nothing at stake"), ("Ben", 0, "nothing at stake")]


def test_a_lone_player_plays_against_the_house() -> None:
    night = chuck("Ann")
    assert night.bets("Ann", "triple", 3).closes().throws(5, 5, 5).scores == {"Ann": 90}


def test_a_player_called_the_house_is_not_the_bank() -> None:
    night = chuck("Ann", "the house").bets("Ann", "4", 5).closes().throws(1, 1, 2)
    assert night.scores == {"Ann": -5, "the house": 0}
    assert night.sheet[-1] == ("the house", 0, "nothing at stake")


@given(
    st.lists(
        st.tuples(st.sampled_from(("Ben", "Cal")), st.sampled_from(IDS), st.integers(1, 1000)), max_size=8
    ),
    st.sampled_from([dice for dice, _ in throws(3)]),
)
def test_gains_of_the_bank_are_losses_of_the_bettors(
    bets: list[tuple[str, str, int]], dice: tuple[int, ...]
) -> None:
    """With a player as the bank the scores add up to 0; with the house they add up to what the house lost."""
    held = {bank: chuck("Ann", "Ben", "Cal", bank=bank) for bank in ("first", "house")}
    for night in held.values():
        for bet in bets:
            night.bets(*bet)
        night.closes().throws(*dice)
    assert sum(held["first"].scores.values()) == 0
    assert sum(held["house"].scores.values()) == -held["first"].scores["Ann"]
    assert all(held["house"].scores[p] == held["first"].scores[p] for p in ("Ben", "Cal"))


# -- rulings -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("bet", "dice"), [("triple", (3, 3, 3)), ("big", (6, 5, 4)), ("small", (1, 2, 3)), ("field", (6, 6, 5))]
)
def test_k1_payouts_are_settings(bet: str, dice: tuple[int, ...]) -> None:
    night = chuck("Ann", **{f"{bet}_pays": 24}).bets("Ann", bet, 2).closes().throws(*dice)
    assert night.sheet == [("Ann", 48, f"{'-'.join(map(str, dice))}: 2 on {bet} wins 24 to 1")]


def test_k1_a_triple_pays_30_by_default() -> None:
    (pays,) = [s for s in chuck().match.game.settings if s.name == "triple_pays"]
    assert pays.default == 30
    assert pays.allowed == "a whole number from 1 to 100"


def test_k2_triples_count_for_the_field_bet() -> None:
    assert gains((2, 2, 2), "field") == [1]
    assert gains((4, 4, 4), "field") == [-1]


@pytest.mark.parametrize("total", range(3, 19))
def test_k2_the_field_bet_wins_outside_8_to_12(total: int) -> None:
    dice = next(dice for dice, _ in throws(3) if sum(dice) == total)
    assert bool(chuck_a_luck_pays(dice, "field", PAYS)) == (total not in (8, 9, 10, 11, 12))


def test_k3_the_single_die_bets_are_1_to_6() -> None:
    assert [bet for bet in IDS if bet not in PAYS] == ["1", "2", "3", "4", "5", "6"]


def test_k4_several_bets_of_one_player_are_settled_separately() -> None:
    night = chuck("Ann")
    night.bets("Ann", "4", 1).bets("Ann", "4", 2).bets("Ann", "big", 3).closes().throws(4, 4, 2)
    assert night.sheet == [("Ann", 3, "4-4-2: 1 on 4 wins 2 to 1; 2 on 4 wins 2 to 1; 3 on big loses")]
    assert night.says == "4-4-2, the sum is 10: Ann +3."


@pytest.mark.parametrize("bet", IDS)
def test_k5_every_bet_wins_or_loses(bet: str) -> None:
    """No throw leaves a bet without a gain or a loss."""
    assert all(gains(dice, bet) != [0] for dice, _ in throws(3)[::9])


# -- fouls ---------------------------------------------------------------------------------------------------


def test_foul_betting_after_the_close() -> None:
    night = chuck().closes()
    assert night.refuses_answer(Bet("Ben", "4", 5)) == (
        "A throw is expected, not a bet. Ann: throw three dice for the bank."
    )


def test_foul_throwing_two_dice() -> None:
    assert chuck().closes().refuses_throw(1, 2) == (
        "Three dice expected, two dice came. Ann: throw three dice for the bank."
    )


def test_foul_throwing_while_bets_are_taken() -> None:
    assert chuck().refuses_throw(1, 2, 3) == (
        "A bet or a choice is expected, not a throw. Ann: take the bets, then close them."
    )


def test_foul_betting_on_an_unknown_event() -> None:
    assert chuck().refuses_answer(Bet("Ben", "7", 5)) == (
        "Not “7”: a bet is on 1, 2, 3, 4, 5, 6, triple, big, small or field. "
        "Ann: take the bets, then close them."
    )


def test_a_wrong_bet_can_be_taken_back() -> None:
    night = chuck().bets("Ben", "4", 50).takes_back().bets("Ben", "4", 5).closes().throws(1, 2, 3)
    assert night.scores["Ben"] == -5


def test_a_corrected_throw_settles_the_bets_again() -> None:
    night = chuck().bets("Ben", "4", 5).closes().throws(1, 2, 3).corrects(2, 4, 2, 3)
    assert night.scores["Ben"] == 5
    assert night.options == ["again", "end"]


def test_a_bet_pays_1_to_100_times_its_stake() -> None:
    for setting in ("triple_pays", "big_pays", "small_pays", "field_pays"):
        assert chuck(**{setting: 1}).match.settings[setting] == 1
        assert chuck(**{setting: 100}).match.settings[setting] == 100
        for pays in (0, 101):
            with pytest.raises(UnreadableAnswer, match=f"^{setting} is a whole number from 1 to 100"):
                chuck(**{setting: pays})


# -- figures -------------------------------------------------------------------------------------------------


def test_the_chances_of_0_to_3_matching_dice_are_exact() -> None:
    hits = [
        sum((p for dice, p in throws(3) if chuck_a_luck_pays(dice, "5", PAYS) == n), Fraction(0))
        for n in range(4)
    ]
    assert hits == [Fraction(n, 216) for n in (125, 75, 15, 1)]


def test_a_bet_on_a_number_loses_17_in_216_on_average() -> None:
    assert mean(3, "5", lambda dice, on: chuck_a_luck_pays(dice, on, PAYS) or -1) == Fraction(-17, 216)


def test_the_coach_gives_the_mean_of_every_bet() -> None:
    assert chuck(triple_pays=35, big_pays=2).odds == {
        "100 points on a number bring, on average": Fraction(-1700, 216),
        "100 points on any triple bring, on average": Fraction(100 * (6 * 35 - 210), 216),
        "100 points on big bring, on average": Fraction(100 * (2 * 105 - 111), 216),
        "100 points on small bring, on average": Fraction(-600, 216),
        "100 points on the field bring, on average": 100 * (2 * field() - 1),
    }


def field() -> Fraction:
    return Fraction(
        sum(a + b + c not in range(8, 13) for a in range(1, 7) for b in range(1, 7) for c in range(1, 7)), 216
    )
