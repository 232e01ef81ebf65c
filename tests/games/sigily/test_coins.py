"""Sigily: the end of a race, the prizes, the coins and the money."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from table.games.sigily.end import shares
from table.games.sigily.money import Money, payouts
from table.games.sigily.race import Agreed, CoinsAstray, Race
from table.games.sigily.topology import (
    CENTRE,
    PLACES,
    Place,
)
from table.games.sigily.treasure import Treasure
from table.rules.game import Seat, Table
from tests.games.sigily.race_day import Day, magic, teams


def finish(
    stored: Mapping[str, int], unclaimed: int, players: Sequence[str] = ("Ann", "Ben"), done: int = 1, **settings: object
) -> Day:
    """The first player has one chariot one sigil before the start; the coins at home and on the board are these."""
    chariots = {2: 4, 3: 3, 4: 3}[len(players)]
    finished = dict.fromkeys(players[1:done], chariots) | {players[0]: chariots - 1}
    empty = dict.fromkeys(PLACES, 0) | {5: unclaimed}
    day = Day(players, [(players[0], [1], 23, 0)], finished=finished, stored=stored, loose=empty, **settings)
    day.race.done.extend(players[1:done])
    return day.tosses("dha")


def test_11_the_prizes_and_what_is_left_on_the_board() -> None:
    day = finish({"Ann": 20, "Ben": 21}, 11)
    assert day.scores == {"Ann": 27, "Ben": 25}
    assert day.winners == ("Ann",)
    assert day.outcome.reason == "Speed: Ann wins the race. Wealth: Ann wins the prize of wealth with 27 coins."
    assert day.sheet[-2:] == [("Ann", 0, "coins at the end, wins the prize of speed and wealth"), ("Ben", 0, "coins at the end")]


def test_12_two_thirds_to_the_winner_the_rest_one_by_one() -> None:
    assert shares(10, ["Ann"], ["Ben", "Cal", "Dee"]) == {"Ann": 6, "Ben": 2, "Cal": 1, "Dee": 1}
    assert shares(9, ["Ann", "Cal"], ["Ben", "Dee"]) == {"Ann": 3, "Cal": 3, "Ben": 2, "Dee": 1}
    assert shares(11, ["Cal", "Ann"], ["Ben", "Dee"]) == {"Cal": 4, "Ann": 3, "Ben": 2, "Dee": 2}
    assert shares(0, ["Ann"], ["Ben"]) == {"Ann": 0}


def test_12_three_players_have_a_coin_too_many_for_the_pot() -> None:
    assert payouts({"Ann": 20, "Ben": 22, "Cal": 10}) == {"Ann": 20, "Ben": 21, "Cal": 10}


def test_21_the_overflow_goes_to_empty_sigils_the_inner_green_ones_first() -> None:
    treasure = Treasure(0)
    treasure.loose.update({CENTRE: 6, "S2": 0, "B2": 0, "L1": 0, 0: 0, 4: 0, 5: 0})
    treasure.to_jackpot(6)
    assert [treasure.loose[p] for p in (CENTRE, "S2", "B2", "L1", 0, 4, 5)] == [7, 1, 1, 1, 1, 1, 0]


def test_30_a_bet_on_a_fight_is_noted_and_changes_nothing() -> None:
    day = Day(units=[("Ann", [1], 8, 2), ("Ben", [1], 10, 3)], side_bets="on", loose={10: 0})
    assert day.asks == "Ann: does anybody bet on Ann's throw?"
    day.chooses("close").tosses("dha").chooses("1")
    assert day.asks == "Ann: does anybody bet on Ann's chariot 1 against Ben's chariot 1 on sigil 10?"
    day.bets("Ben", "attacker", 1)
    assert day.asks == "Ben: does anybody bet 1 against your “attacker”?"
    day.picks("Ann").chooses("close").tosses("tri", "aon")
    notes = [(line.player, line.points, line.value, line.reason) for line in day.match.view().sheet if line.value]
    assert notes == [
        ("Ann", 0, "-1 in money", "bet of Ben on “attacker”, against Ann"),
        ("Ben", 0, "+1 in money", "bet of Ben on “attacker”, against Ann"),
    ]
    assert day.scores == {"Ann": 5, "Ben": 0}
    assert day.meeting.money.sum == 0


def test_30_a_bet_that_nobody_takes_is_none() -> None:
    day = Day(side_bets="on").bets("Ann", "dha", 5).picks().chooses("close").tosses("aon")
    assert day.meeting.money.ahead("Ann") == 0
    day.bets("Ann", "tri", 5).picks("Ben").chooses("close").tosses("aon")
    assert [day.meeting.money.ahead(p) for p in ("Ann", "Ben")] == [-5, 5]


@pytest.mark.parametrize(
    ("coins", "paid"),
    [
        ({"Ann": 30, "Ben": 22}, {"Ann": 30, "Ben": 22}),
        ({"Ann": 22, "Ben": 22, "Cal": 8}, {"Ann": 21, "Ben": 22, "Cal": 8}),
        ({"Ann": 20, "Ben": 12, "Cal": 10, "Dee": 10}, {"Ann": 21, "Ben": 13, "Cal": 11, "Dee": 11}),
    ],
)
def test_s15_the_pot(coins: dict[str, int], paid: dict[str, int]) -> None:
    assert payouts(coins) == paid
    assert sum(paid.values()) == {2: 52, 3: 51, 4: 56}[len(coins)]


def test_s15_money_goes_into_the_pot_and_comes_out_and_the_scores_stay_coins() -> None:
    day = finish({"Ann": 20, "Ben": 21}, 11, gambling="on")
    assert day.outcome.reason.endswith(" In money: Ann +1 and Ben -1.")
    assert day.scores == {"Ann": 27, "Ben": 25}
    assert day.meeting.money.sum == 0
    notes = [(line.player, line.value, line.reason) for line in day.match.view().sheet if line.value]
    assert notes[:2] == [("Ann", "-26 in money", "put into the pot"), ("Ben", "-26 in money", "put into the pot")]
    assert notes[-2:] == [("Ann", "+27 in money", "paid from the pot"), ("Ben", "+25 in money", "paid from the pot")]


def test_s16_of_partners_the_one_who_finished_first_has_the_odd_coin() -> None:
    day = finish({"Ann": 20, "Ben": 20, "Cal": 0, "Dee": 1}, 11, ("Ann", "Ben", "Cal", "Dee"), done=3, teams="on")
    assert day.outcome.winners == ("Ann", "Cal")
    assert day.scores == {"Ann": 23, "Ben": 22, "Cal": 4, "Dee": 3}
    assert day.outcome.reason == "Speed: Cal and Ann win the race. Wealth: Ann wins the prize of wealth with 23 coins."


def test_s25_a_sigil_with_a_chariot_but_no_coins_is_empty_and_where_none_is_the_centre_keeps_them() -> None:
    day = magic(("Ann", [1], 16, 2), ("Ben", [1], "S2", 0), entered={"S2": 0}, loose={CENTRE: 7, "S2": 0})
    day.chooses("curse")
    assert day.lies("S2") == 1
    assert day.unit("S2").coins == 0
    full = Treasure(0)
    full.to_jackpot(9)
    assert full.loose[CENTRE] == 13


def test_s36_a_coin_gone_astray_stops_the_race() -> None:
    day = Day()
    day.race.treasure.loose[7] -= 1
    day.tosses("aon")
    assert day.match.broken is not None
    assert "CoinsAstray: 51 coins are on the table" in day.match.broken


def test_s36_so_does_a_chariot_in_two_places_or_a_debt() -> None:
    race = Race(("Ann", "Ben"), 0, 4, Agreed())
    race.check()
    race.home["Ann"].append(race.off["Ann"][0])
    with pytest.raises(CoinsAstray, match="9 chariots are counted; there are 4 a player"):
        race.check()
    race = Race(("Ann", "Ben"), 0, 4, Agreed())
    race.treasure.loose.update({1: -1, 2: 3})
    with pytest.raises(CoinsAstray, match="the least pile is -1"):
        race.check()


def test_of_three_play_goes_on_until_two_are_home() -> None:
    day = finish({"Ann": 20}, 32, ("Ann", "Ben", "Cal"))
    assert not day.over
    day = finish({"Ann": 21, "Ben": 1, "Cal": 19}, 11, ("Ann", "Ben", "Cal"), done=2)
    assert day.outcome.winners == ("Ann", "Ben")
    assert day.outcome.reason == "Speed: Ben wins the race. Wealth: Ann wins the prize of wealth with 23 coins."


def test_of_four_in_teams_the_first_to_finish_of_the_losers_does_not_stop_play() -> None:
    day = teams([("Ann", [1], 23, 0)], finished={"Ann": 2, "Ben": 3}, stored={"Ben": 5})
    day.race.done.append("Ben")
    day.tosses("aon")
    assert not day.over
    assert day.turn == "Cal"


def test_a_tie_for_wealth_has_two_winners() -> None:
    day = finish({"Ann": 20, "Ben": 23}, 9)
    assert day.scores == {"Ann": 26, "Ben": 26}
    assert day.winners == ("Ann", "Ben")
    assert day.outcome.reason == "Speed: Ann wins the race. Wealth: Ann and Ben tie for the prize of wealth with 26 coins."


def test_coins_under_chariots_on_the_board_are_their_owners() -> None:
    day = Day(units=[("Ann", [1], 23, 1), ("Ben", [1], 4, 9)], finished={"Ann": 3}).tosses("aon")
    assert day.over
    assert sum(day.scores.values()) == 52
    left = 52 - 1 - 2 - 9
    assert day.scores["Ben"] == 9 + left - left * 2 // 3


@given(st.lists(st.tuples(st.sampled_from(PLACES), st.integers(0, 9)), max_size=12), st.sampled_from((0, 3, 6, 9, 12, 15, 18, 21)))
def test_what_is_paid_lies_on_the_board_and_the_centre_has_seven_while_anything_is_empty(
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
def test_shares_add_up(unclaimed: int, players: list[str], winners: int) -> None:
    parts = shares(unclaimed, players[:winners], players[winners:])
    assert sum(parts.values()) == unclaimed
    assert sum(parts[p] for p in players[:winners]) == unclaimed * 2 // 3


@given(
    st.lists(st.tuples(st.sampled_from(("Ann", "Ben", None)), st.sampled_from(("Ann", "Ben", None)), st.integers(0, 50)), max_size=20)
)
def test_money_adds_to_zero(payments: list[tuple[str | None, str | None, int]]) -> None:
    money = Money(Table([Seat("Ann"), Seat("Ben")], {}))
    for payer, payee, units in payments:
        money.pay(payer, payee, units, "a test")
        assert money.sum == 0
