"""Sigily: stacks whose chariots have different ways home. Each is home at its own start (S-38)."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from table.games.sigily.topology import CENTRE
from tests.games.sigily.race_night import RaceNight, teams


def partners(place: int, coins: int, **more: Any) -> RaceNight:
    """Ann of Connaught, who starts at Beltane, drives with Cal of Leinster, who starts at Samhain, below."""
    return teams([("Ann", [1, "Cal 1"], place, coins)], territorial="on", **more)


def test_s38_the_chariot_below_is_home_at_its_own_start() -> None:
    night = partners(22, 7, loose={1: 2}).tosses("tri").chooses("1")
    assert night.says == (
        "Cal's chariot 1 is home with 3 coins, and Ann's chariot 1 goes on with 4 coins (ruling S-38)."
    )
    assert [c.number for c in night.race.home["Cal"]] == [1]
    assert night.units_at(1) == [("Ann", [1], 6)]
    assert night.unit(1).chariots[0].progress == 13
    assert night.scores == {"Ann": 6, "Ben": 0, "Cal": 3, "Dee": 0}
    assert night.sheet[-3:] == [
        ("Ann", -3, "chariot 1 comes home"),
        ("Cal", 3, "chariot 1 comes home"),
        ("Ann", 2, "chariot 1 lands on sigil 1"),
    ]
    assert night.turn == "Ben"


def test_s38_the_top_chariot_is_home_and_its_partner_has_made_half_a_circuit() -> None:
    night = partners(11, 7, loose={13: 1}).tosses("dha")
    assert [o.text for o in night.choice.options] == [
        "Chariot 1 from sigil 11 to sigil 13, Ann's chariot 1 home",
        "Introduce chariot 2 on sigil 14",
    ]
    night.chooses("1")
    assert night.says == (
        "Ann's chariot 1 is home with 4 coins, and Cal's chariot 1 goes on with 3 coins (ruling S-38)."
    )
    assert not night.race.home["Cal"]
    assert night.units_at(13) == [("Cal", [1], 4)]
    assert night.unit(13).chariots[0].progress == 13


def test_s38_a_stack_that_stops_on_the_start_of_one_rider_shares_the_coins_there() -> None:
    night = partners(10, 2, loose={12: 2}).tosses("dha").chooses("1")
    assert night.race.stored["Ann"] == 2
    assert night.units_at(12) == [("Cal", [1], 2)]
    assert night.coins_at(12) == 0


def test_s38_the_chariot_that_goes_on_fights_where_the_move_ends() -> None:
    night = partners(11, 2, loose={12: 0}).tosses("aon")
    assert night.race.home["Ann"] == []
    night = teams([("Ann", [1, "Cal 1"], 11, 2), ("Ben", [1], 13, 0)], territorial="on", loose={13: 0})
    night.tosses("dha").chooses("1")
    assert night.asks == "Cal: throw the four sticks to fight Ben's chariot 1."
    night.tosses("tri", "aon")
    assert night.units_at(13) == [("Cal", [1], 1)]


def test_s38_a_curse_hits_only_the_chariot_that_goes_on() -> None:
    night = partners(11, 2)
    night.race.curses.append(13)
    night.tosses("dha").chooses("1")
    assert night.says == "Cal's chariot 1 lands on the curse of sigil 13 and dies; 1 coin to the jackpot."
    assert [c.number for c in night.race.home["Ann"]] == [1]
    assert [c.number for c in night.race.off["Cal"]] == [1, 2, 3]
    assert night.sheet[-1] == ("Cal", -1, "a druid's curse")


def test_s38_coming_out_of_the_fairy_land_counts_for_each_chariot() -> None:
    night = teams([("Ann", [1, "Cal 1"], CENTRE, 4)], territorial="on", entered={CENTRE: 6})
    night.tosses("dha", "coig").chooses("1")
    assert [o.text for o in night.choice.options] == [
        "Samhain, to sigil 2, Cal's chariot 1 home",
        "Beltane, to sigil 14, Ann's chariot 1 home",
        "Lughnasadh, to sigil 20",
    ]
    night.chooses("samhain")
    assert [c.number for c in night.race.home["Cal"]] == [1]
    assert night.unit(2).chariots[0].progress == 14
    assert night.rulings[-3] == (
        "Ann, coig: chariot 1 lands on sigil 2 and takes 1 coin, Cal's chariot 1 home."
    )


def test_s38_a_chariot_that_went_back_over_the_start_is_not_home_with_the_other() -> None:
    night = RaceNight(units=[("Ann", [1, 2, 3], 22, 6)], loose={1: 1})
    night.unit(22).chariots[0].progress = -2
    night.tosses("tri").chooses("1")
    assert night.says == (
        "Ann's chariots 2 and 3 are home with 0 coins, "
        "and Ann's chariot 1 goes on with 6 coins (ruling S-38)."
    )
    assert night.units_at(1) == [("Ann", [1], 7)]
    assert night.unit(1).chariots[0].progress == 1


def test_s38_the_race_ends_at_once_when_a_rider_is_the_last_to_be_home() -> None:
    night = teams(
        [("Ann", [1, "Cal 1"], 22, 1), ("Ben", [1], 1, 0)],
        territorial="on",
        finished={"Ben": 2, "Cal": 2, "Dee": 3},
    )
    night.race.done += ["Dee", "Ben"]
    night.tosses("tri").chooses("1")
    assert night.over, "Ann has no fight on sigil 1 any more"


def test_s38_the_coach_names_the_riders_that_can_come_home() -> None:
    night = partners(22, 0)
    assert night.odds["Cal's chariot 1 can come home"] == 1 - Fraction(4, 16)
    assert "chariot 1 can come home" not in night.odds
