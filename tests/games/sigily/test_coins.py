"""Sigily: the end of a race, the prizes, the coins and the money."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from table.games.sigily.end import shares
from table.games.sigily.money import Money, payouts
from table.games.sigily.race import AgreedRules, CoinsDoNotAddUp, Race
from table.games.sigily.topology import (
    CENTRE,
    PLACES,
    Place,
)
from table.games.sigily.treasure import Treasure
from table.rules.game import Seat, Table
from tests.games.sigily.race_night import RaceNight, magic, teams


def finish_race(
    stored: Mapping[str, int],
    unclaimed: int,
    players: Sequence[str] = ("Ann", "Ben"),
    done: int = 1,
    **settings: Any,
) -> RaceNight:
    """The first player throws the last chariot home.

    `stored` and `unclaimed` are the coins at home and on the board.
    """
    chariots = {2: 4, 3: 3, 4: 3}[len(players)]
    finished = dict.fromkeys(players[1:done], chariots) | {players[0]: chariots - 1}
    empty = dict.fromkeys(PLACES, 0) | {5: unclaimed}
    night = RaceNight(
        players, [(players[0], [1], 23, 0)], finished=finished, stored=stored, loose=empty, **settings
    )
    night.race.done.extend(players[1:done])
    return night.tosses("dha")


def test_11_the_prizes_and_the_coins_on_the_board_decide_the_wealth() -> None:
    night = finish_race({"Ann": 20, "Ben": 21}, 11)
    assert night.scores == {"Ann": 27, "Ben": 25}
    assert night.winners == ("Ann",)
    assert night.outcome.reason == (
        "Speed: Ann wins the race. Wealth: Ann wins the prize of wealth with 27 coins."
    )
    assert night.outcome.prizes == {"Ann": "speed and wealth"}
    assert night.sheet[-2:] == [
        ("Ann", 0, "coins at the end, wins the prize of speed and wealth"),
        ("Ben", 0, "coins at the end"),
    ]


def test_12_the_winner_gets_two_thirds_and_the_others_share_the_rest() -> None:
    assert shares(10, ["Ann"], ["Ben", "Cal", "Dee"]) == {"Ann": 6, "Ben": 2, "Cal": 1, "Dee": 1}
    assert shares(9, ["Ann", "Cal"], ["Ben", "Dee"]) == {"Ann": 3, "Cal": 3, "Ben": 2, "Dee": 1}
    assert shares(11, ["Cal", "Ann"], ["Ben", "Dee"]) == {"Cal": 4, "Ann": 3, "Ben": 2, "Dee": 2}
    assert shares(0, ["Ann"], ["Ben"]) == {"Ann": 0}


def test_12_with_three_players_the_pot_lacks_one_coin() -> None:
    assert payouts({"Ann": 20, "Ben": 22, "Cal": 10}) == {"Ann": 20, "Ben": 21, "Cal": 10}


def test_21_overflow_fills_empty_sigils_with_the_inner_green_ones_first() -> None:
    treasure = Treasure(0)
    treasure.loose.update({CENTRE: 6, "S2": 0, "B2": 0, "L1": 0, 0: 0, 4: 0, 5: 0})
    treasure.to_jackpot(6)
    assert [treasure.loose[p] for p in (CENTRE, "S2", "B2", "L1", 0, 4, 5)] == [7, 1, 1, 1, 1, 1, 0]


def test_30_a_side_bet_is_noted_and_changes_no_score() -> None:
    night = RaceNight(units=[("Ann", [1], 8, 2), ("Ben", [1], 10, 3)], side_bets="on", loose={10: 0})
    assert night.asks == "Ann: does anybody bet on Ann's throw?"
    night.chooses("close").tosses("dha").chooses("1")
    assert night.asks == "Ann: does anybody bet on Ann's chariot 1 against Ben's chariot 1 on sigil 10?"
    night.bets("Ben", "attacker", 1)
    assert night.asks == "Ben: does anybody bet 1 against your “attacker”?"
    night.picks("Ann").chooses("close").tosses("tri", "aon")
    notes = [
        (line.player, line.points, line.value, line.reason) for line in night.match.view().sheet if line.value
    ]
    assert notes == [
        ("Ann", 0, "-1 in money", "bet of Ben on “attacker”, against Ann"),
        ("Ben", 0, "+1 in money", "bet of Ben on “attacker”, against Ann"),
    ]
    assert night.scores == {"Ann": 5, "Ben": 0}
    assert night.meeting.money.sum == 0


def test_30_a_side_bet_without_a_taker_does_not_count() -> None:
    night = RaceNight(side_bets="on").bets("Ann", "dha", 5).picks().chooses("close").tosses("aon")
    assert night.meeting.money.ahead("Ann") == 0
    night.bets("Ann", "tri", 5).picks("Ben").chooses("close").tosses("aon")
    assert [night.meeting.money.ahead(p) for p in ("Ann", "Ben")] == [-5, 5]


@pytest.mark.parametrize(
    ("coins", "paid"),
    [
        ({"Ann": 30, "Ben": 22}, {"Ann": 30, "Ben": 22}),
        ({"Ann": 22, "Ben": 22, "Cal": 8}, {"Ann": 21, "Ben": 22, "Cal": 8}),
        ({"Ann": 20, "Ben": 12, "Cal": 10, "Dee": 10}, {"Ann": 21, "Ben": 13, "Cal": 11, "Dee": 11}),
    ],
)
def test_s15_the_pot_pays_a_unit_for_each_coin(coins: dict[str, int], paid: dict[str, int]) -> None:
    assert payouts(coins) == paid
    assert sum(paid.values()) == {2: 52, 3: 51, 4: 56}[len(coins)]


@pytest.mark.parametrize(
    ("coins", "text"),
    [
        ((20, 22, 10), "Ben is the richest, so Ben is paid that less."),
        (
            (21, 10, 21),
            "Ann and Cal are the richest, and Ann comes first in the order of play, "
            "so Ann is paid that less.",
        ),
    ],
)
def test_s15_the_pot_of_three_says_who_is_paid_less(coins: tuple[int, ...], text: str) -> None:
    table = Table([Seat(name) for name in ("Ann", "Ben", "Cal")], {})
    Money(table).pay_out(dict(zip(table.players, coins, strict=True)))
    assert [ruling.text for ruling in table.rulings] == [f"The pot is one short: {text}"]


def test_s15_pots_that_are_not_short_say_nothing() -> None:
    table = Table([Seat("Ann"), Seat("Ben")], {})
    Money(table).pay_out({"Ann": 30, "Ben": 22})
    assert table.rulings == []


def test_s15_money_is_noted_and_the_scores_stay_coins() -> None:
    night = finish_race({"Ann": 20, "Ben": 21}, 11, gambling="on")
    assert night.outcome.reason.endswith(" In money: Ann +1 and Ben −1.")
    assert night.scores == {"Ann": 27, "Ben": 25}
    assert night.meeting.money.sum == 0
    notes = [(line.player, line.value, line.reason) for line in night.match.view().sheet if line.value]
    assert notes[:2] == [
        ("Ann", "-26 in money", "put into the pot"),
        ("Ben", "-26 in money", "put into the pot"),
    ]
    assert notes[-2:] == [
        ("Ann", "+27 in money", "paid from the pot"),
        ("Ben", "+25 in money", "paid from the pot"),
    ]


def test_s16_the_partner_who_finished_first_gets_the_odd_coin() -> None:
    night = finish_race(
        {"Ann": 20, "Ben": 20, "Cal": 0, "Dee": 1}, 11, ("Ann", "Ben", "Cal", "Dee"), done=3, teams="on"
    )
    assert night.outcome.winners == ("Ann", "Cal")
    assert night.scores == {"Ann": 23, "Ben": 22, "Cal": 4, "Dee": 3}
    assert night.outcome.reason == (
        "Speed: Cal and Ann win the race. Wealth: Ann wins the prize of wealth with 23 coins."
    )


def test_s25_an_empty_sigil_can_have_a_chariot_and_the_centre_keeps_the_rest() -> None:
    night = magic(("Ann", [1], 16, 2), ("Ben", [1], "S2", 0), entered={"S2": 0}, loose={CENTRE: 7, "S2": 0})
    night.chooses("curse")
    assert night.coins_at("S2") == 1
    assert night.unit("S2").coins == 0
    full = Treasure(0)
    full.to_jackpot(9)
    assert full.loose[CENTRE] == 13


def test_s36_a_missing_coin_breaks_the_match() -> None:
    night = RaceNight()
    night.race.treasure.loose[7] -= 1
    night.tosses("aon")
    assert night.match.broken is not None
    assert "CoinsDoNotAddUp: 51 coins are on the table" in night.match.broken


def test_s36_a_chariot_in_two_places_or_a_debt_is_an_error() -> None:
    race = Race(("Ann", "Ben"), 0, 4, AgreedRules())
    race.check()
    race.home["Ann"].append(race.off["Ann"][0])
    with pytest.raises(CoinsDoNotAddUp, match="9 chariots are counted; there are 4 a player"):
        race.check()
    race = Race(("Ann", "Ben"), 0, 4, AgreedRules())
    race.treasure.loose.update({1: -1, 2: 3})
    with pytest.raises(CoinsDoNotAddUp, match="the least pile is -1"):
        race.check()


def test_with_three_players_the_race_ends_when_two_are_home() -> None:
    night = finish_race({"Ann": 20}, 32, ("Ann", "Ben", "Cal"))
    assert not night.over
    night = finish_race({"Ann": 21, "Ben": 1, "Cal": 19}, 11, ("Ann", "Ben", "Cal"), done=2)
    assert night.outcome.winners == ("Ann", "Ben")
    assert night.outcome.reason == (
        "Speed: Ben wins the race. Wealth: Ann wins the prize of wealth with 23 coins."
    )
    assert night.outcome.prizes == {"Ann": "wealth", "Ben": "speed"}


def test_with_teams_the_race_goes_on_until_a_whole_team_is_home() -> None:
    night = teams([("Ann", [1], 23, 0)], finished={"Ann": 2, "Ben": 3}, stored={"Ben": 5})
    night.race.done.append("Ben")
    night.tosses("aon")
    assert not night.over
    assert night.turn == "Cal"


def test_a_tie_for_wealth_has_two_winners() -> None:
    night = finish_race({"Ann": 20, "Ben": 23}, 9)
    assert night.scores == {"Ann": 26, "Ben": 26}
    assert night.winners == ("Ann", "Ben")
    assert night.outcome.reason == (
        "Speed: Ann wins the race. Wealth: Ann and Ben tie for the prize of wealth with 26 coins."
    )


def test_coins_under_a_chariot_belong_to_its_owner() -> None:
    night = RaceNight(units=[("Ann", [1], 23, 1), ("Ben", [1], 4, 9)], finished={"Ann": 3}).tosses("aon")
    assert night.over
    assert sum(night.scores.values()) == 52
    left = 52 - 1 - 2 - 9
    assert night.scores["Ben"] == 9 + left - left * 2 // 3


@given(
    st.lists(st.tuples(st.sampled_from(PLACES), st.integers(0, 9)), max_size=12),
    st.sampled_from((0, 3, 6, 9, 12, 15, 18, 21)),
)
def test_payments_stay_on_the_board_and_overflow_above_seven_in_the_centre(
    payments: list[tuple[Place, int]], start: int
) -> None:
    treasure = Treasure(start)
    for place, coins in payments:
        taken = treasure.take(place)
        before, in_centre = treasure.total, treasure.loose[CENTRE]
        treasure.to_jackpot(coins)
        assert treasure.total == before + coins
        assert treasure.loose[CENTRE] <= max(7, in_centre) or all(treasure.loose.values())
        assert taken >= 0


@given(st.integers(0, 52), st.permutations(("Ann", "Ben", "Cal", "Dee")), st.integers(1, 2))
def test_shares_add_up_to_the_unclaimed_coins(unclaimed: int, players: list[str], winners: int) -> None:
    parts = shares(unclaimed, players[:winners], players[winners:])
    assert sum(parts.values()) == unclaimed
    assert sum(parts[p] for p in players[:winners]) == unclaimed * 2 // 3


@given(
    st.lists(
        st.tuples(
            st.sampled_from(("Ann", "Ben", None)), st.sampled_from(("Ann", "Ben", None)), st.integers(0, 50)
        ),
        max_size=20,
    )
)
def test_all_money_adds_up_to_0(payments: list[tuple[str | None, str | None, int]]) -> None:
    money = Money(Table([Seat("Ann"), Seat("Ben")], {}))
    for payer, payee, units in payments:
        money.pay(payer, payee, units, "a test")
        assert money.sum == 0
