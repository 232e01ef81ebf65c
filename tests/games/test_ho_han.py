"""Ho Han: rounds, rulings and fouls."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from table.common.errors import UnreadableAnswer
from table.games.ho_han import CHO, HAN, cho_or_han, evened
from table.odds.throws import throws
from table.rules.answers import Bet
from tests.games.night import Night


def ho_han(
    *bets: tuple[str, str, int], players: tuple[str, ...] = ("Ann", "Ben", "Cal"), **settings: object
) -> Night:
    """A round with dice under the cup and these bets; the betting is still open."""
    night = Night("ho_han", *players, **settings).ready()
    for bet in bets:
        night.bets(*bet)
    return night


def closes_and_shows(night: Night, *dice: int) -> Night:
    """Closes the betting and lifts the cup over these dice."""
    return night.closes().chooses("lift").throws(*dice)


# -- rounds --------------------------------------------------------------------------------------------------


def test_a_round_settles_the_bets_of_all_players() -> None:
    night = Night("ho_han", "Ann", "Ben", "Cal")
    assert night.asks == "Ann: throw two dice under the cup, and say when that is done. Nobody looks."
    assert night.prompt.to_json()["kind"] == "hidden"
    night.ready()
    assert night.asks == "Ann: take the bets, then close them."
    night.bets("Ann", CHO, 10).bets("Ben", CHO, 10).bets("Cal", HAN, 20)
    assert night.so_far == "Ann 10 on cho, Ben 10 on cho, Cal 20 on han"
    night.closes()
    assert night.asks == "Ann: lift the cup. Do both dice lie as they fell, none cocked?"
    assert night.options == ["lift", "void"]
    assert night.so_far == "20 on cho, 20 on han"
    night.chooses("lift")
    assert night.asks == "Ann: show the two dice as they lie."
    assert night.prompt.to_json()["for"] == "reveal"
    night.throws(2, 5)
    assert night.says == "2-5, the sum is 7: han wins."
    assert night.scores == {"Ann": -10, "Ben": -10, "Cal": 20}
    assert night.sheet == [
        ("Ann", -10, "2-5: 10 on cho loses"),
        ("Ben", -10, "2-5: 10 on cho loses"),
        ("Cal", 20, "2-5: 20 on han wins"),
    ]
    assert night.asks == "Ann: play another round or end the game?"
    night.chooses("end")
    assert night.winners == ("Cal",)
    assert night.outcome.reason == "Cal is 20 ahead and wins."


def test_the_house_takes_a_percentage_of_winnings() -> None:
    night = closes_and_shows(ho_han(("Ann", CHO, 10), ("Ben", CHO, 10), ("Cal", HAN, 20), house=5), 2, 5)
    assert night.scores == {"Ann": -10, "Ben": -10, "Cal": 19}
    assert night.sheet[-1] == ("Cal", 19, "2-5: 20 on han wins, 1 of it to the house")


@pytest.mark.parametrize(("dice", "cho"), [((3, 5), 10), ((6, 1), -10), ((4, 4), 10)])
def test_with_mode_house_bets_are_paid_1_to_1(dice: tuple[int, ...], cho: int) -> None:
    night = closes_and_shows(ho_han(("Ann", CHO, 10), ("Ben", HAN, 10), mode="house"), *dice)
    assert night.scores == {"Ann": cho, "Ben": -cho, "Cal": 0}
    assert night.sheet[-1] == ("Cal", 0, "nothing at stake")


@pytest.mark.parametrize("face", range(1, 7))
def test_every_double_is_cho(face: int) -> None:
    assert cho_or_han((face, face)) == CHO


def test_rounds_are_played_until_players_end_the_game() -> None:
    night = closes_and_shows(ho_han(("Ann", CHO, 5), ("Ben", HAN, 5)), 1, 1).chooses("again").ready()
    closes_and_shows(night.bets("Ann", CHO, 5).bets("Ben", HAN, 5), 1, 2).chooses("end")
    assert night.scores == {"Ann": 0, "Ben": 0, "Cal": 0}
    assert night.winners == ()


# -- rulings -------------------------------------------------------------------------------------------------


def test_o1_stakes_without_an_opposing_stake_are_returned() -> None:
    night = ho_han(("Ann", CHO, 10), ("Ben", HAN, 15)).closes()
    assert night.says == "Ben takes 5 back from han: nobody stakes it on cho."
    assert night.so_far == "10 on cho, 10 on han"
    night.chooses("lift").throws(1, 1)
    assert night.scores == {"Ann": 10, "Ben": -10, "Cal": 0}


def test_o1_the_last_bets_are_reduced_first() -> None:
    night = ho_han(("Ben", HAN, 8), ("Ann", CHO, 10), ("Cal", HAN, 4), ("Ben", HAN, 3)).closes()
    assert night.rulings == [
        "Ben takes 3 back from han: nobody stakes it on cho.",
        "Cal takes 2 back from han: nobody stakes it on cho.",
    ]
    night.chooses("lift").throws(1, 1)
    assert night.scores == {"Ann": 10, "Ben": -8, "Cal": -2}


def test_o1_bets_on_one_side_only_are_all_returned() -> None:
    night = closes_and_shows(ho_han(("Ann", CHO, 10)), 1, 1)
    assert night.scores == {"Ann": 0, "Ben": 0, "Cal": 0}
    assert [reason for _, _, reason in night.sheet] == ["nothing at stake"] * 3


def test_o1_with_mode_house_the_sides_can_differ() -> None:
    assert closes_and_shows(ho_han(("Ann", CHO, 10), ("Ben", CHO, 1), mode="house"), 1, 1).scores == {
        "Ann": 10,
        "Ben": 1,
        "Cal": 0,
    }


BETS = st.lists(
    st.builds(Bet, st.sampled_from(("Ann", "Ben", "Cal")), st.sampled_from((CHO, HAN)), st.integers(1, 30)),
    max_size=8,
)


@given(BETS)
def test_o1_each_side_keeps_its_first_bets_up_to_the_smaller_stake(bets: list[Bet]) -> None:
    kept, refused = evened(bets)
    most = min(sum(b.stake for b in bets if b.on == side) for side in (CHO, HAN))
    for side in (CHO, HAN):
        left, expected = most, []
        for bet in (b for b in bets if b.on == side):
            stays = min(left, bet.stake)
            left -= stays
            expected += [Bet(bet.player, side, stays)] if stays else []
        assert [b for b in kept if b.on == side] == expected
    assert sum(b.stake for b in kept + refused) == sum(b.stake for b in bets)


@pytest.mark.parametrize(
    ("house", "gain", "fee"),
    [(0, 19, ""), (5, 19, ""), (6, 18, ", 1 of it to the house"), (100, 0, ", 19 of it to the house")],
)
def test_o2_the_percentage_is_rounded_down_and_taken_from_winnings_only(
    house: int, gain: int, fee: str
) -> None:
    night = closes_and_shows(ho_han(("Ann", CHO, 19), ("Ben", HAN, 19), house=house), 1, 1)
    assert night.scores == {"Ann": gain, "Ben": -19, "Cal": 0}
    assert night.sheet[0] == ("Ann", gain, f"1-1: 19 on cho wins{fee}")


def test_o2_each_winning_bet_is_rounded_separately() -> None:
    night = closes_and_shows(ho_han(("Ann", CHO, 19), ("Ann", CHO, 19), ("Ben", HAN, 38), house=10), 1, 1)
    assert night.scores["Ann"] == 2 * (19 - 1)
    text = "19 on cho wins, 1 of it to the house"
    assert night.sheet[0] == ("Ann", 36, f"1-1: {text}; {text}")


def test_o2_with_mode_house_no_percentage_is_taken() -> None:
    assert closes_and_shows(ho_han(("Ann", CHO, 20), mode="house"), 1, 1).scores["Ann"] == 20
    with pytest.raises(UnreadableAnswer, match=r"with mode=house none do: leave it at 0$"):
        ho_han(mode="house", house=50)


@pytest.mark.parametrize("mode", ["players", "house"])
def test_o4_a_cocked_die_makes_the_round_void(mode: str) -> None:
    bets = ("Ann", CHO, 10), ("Ben", HAN, 10), ("Ann", HAN, 4), ("Ben", CHO, 4)
    night = ho_han(*bets, mode=mode).closes().chooses("void")
    assert night.says == "The round is void: all stakes are returned."
    assert night.sheet == [
        ("Ann", 0, "void: 10 on cho is returned; 4 on han is returned"),
        ("Ben", 0, "void: 10 on han is returned; 4 on cho is returned"),
        ("Cal", 0, "nothing at stake"),
    ]
    assert night.options == ["again", "end"]


def test_o4_lifting_the_cup_can_be_taken_back_to_void_the_round() -> None:
    night = ho_han(("Ann", CHO, 10), ("Ben", HAN, 10))
    night.closes().chooses("lift").takes_back().chooses("void")
    assert night.scores == {"Ann": 0, "Ben": 0, "Cal": 0}


def test_o4_a_bet_before_the_hidden_throw_is_refused() -> None:
    night = Night("ho_han", "Ann", "Ben")
    assert night.refuses_answer(Bet("Ann", CHO, 10)).startswith(
        "A choice is expected, not a bet. Ann: throw two dice under the cup"
    )


def test_closing_with_bets_on_one_side_is_asked_first() -> None:
    night = ho_han(("Ann", CHO, 10)).chooses("close")
    assert night.asks == "Ann: nobody has bet on han, so nothing is at stake; close the betting all the same?"
    assert night.chooses("bet").bets("Ben", HAN, 10).chooses("close").options == ["lift", "void"]


def test_against_the_house_bets_on_one_side_are_closed_at_once() -> None:
    assert ho_han(("Ann", HAN, 10), mode="house").chooses("close").options == ["lift", "void"]


def test_o4_two_dice_on_the_tray_choose_to_lift_the_cup() -> None:
    night = ho_han(("Ann", CHO, 10)).closes()
    options = night.prompt.to_json()["options"]
    assert [o["id"] for o in options] == ["lift", "void"]
    assert [o.throws for o in night.choice.options] == [2, None]


def test_o6_even_and_odd_are_equally_likely() -> None:
    assert sum((p for dice, p in throws(2) if cho_or_han(dice) == CHO), Fraction(0)) == Fraction(18, 36)


def test_o7_the_player_with_the_cup_can_bet() -> None:
    assert closes_and_shows(ho_han(("Ann", HAN, 3), ("Ben", CHO, 3)), 1, 2).scores["Ann"] == 3


def test_a_lone_player_can_play_against_the_house() -> None:
    assert closes_and_shows(ho_han(("Ann", HAN, 3), players=("Ann",), mode="house"), 1, 2).scores == {
        "Ann": 3
    }


# -- properties ----------------------------------------------------------------------------------------------


@given(BETS, st.integers(0, 100), st.sampled_from([dice for dice, _ in throws(2)]))
def test_the_scores_add_up_to_minus_the_fees_of_the_house(
    bets: list[Bet], percent: int, dice: tuple[int, ...]
) -> None:
    night = closes_and_shows(ho_han(*((b.player, b.on, b.stake) for b in bets), house=percent), *dice)
    kept, _ = evened(bets)
    fees = sum(b.stake * percent // 100 for b in kept if b.on == cho_or_han(dice))
    assert sum(night.scores.values()) == -fees


def test_no_dice_are_known_before_the_cup_is_lifted() -> None:
    """Prompts, sheet, view and odds are the same for all dice under the cup."""
    night = ho_han(("Ann", CHO, 10), ("Ben", HAN, 10)).closes()
    assert [(o.text, o.value) for o in ho_han().prompt.odds] == [
        ("cho", Fraction(1, 2)),
        ("han", Fraction(1, 2)),
    ]
    assert night.sheet == []
    assert night.match.view().throws == ()


def test_the_coach_includes_the_percentage_of_the_house() -> None:
    odds = ho_han(house=10).odds
    assert odds["100 points on cho bring, on average"] == odds["100 points on han bring, on average"] == -5


# -- fouls ---------------------------------------------------------------------------------------------------


def test_foul_betting_after_the_close() -> None:
    night = ho_han(("Ann", CHO, 10)).closes()
    assert night.refuses_answer(Bet("Ben", HAN, 10)).startswith("A choice is expected, not a bet.")
    night.chooses("lift")
    assert night.refuses_answer(Bet("Ben", HAN, 10)).startswith("A throw is expected, not a bet.")


def test_foul_an_unknown_bet_and_a_stake_of_0() -> None:
    assert ho_han().refuses_answer(Bet("Ann", "even", 1)) == (
        "Not “even”: a bet is on cho or han. Ann: take the bets, then close them."
    )
    assert ho_han().refuses_answer(Bet("Ann", CHO, 0)) == (
        "A stake is a whole number from 1 to 1,000,000; 0 came. Ann: take the bets, then close them."
    )


def test_foul_showing_one_die() -> None:
    night = ho_han().closes().chooses("lift")
    assert night.refuses_throw(3) == "Two dice expected, one die came. Ann: show the two dice as they lie."
