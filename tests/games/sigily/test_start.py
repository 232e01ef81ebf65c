"""Sigily: the first player, the start of the race and the number of chariots."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest

from table.common.errors import UnreadableAnswer
from table.games import game
from table.games.sigily.drawn import PRINTED
from table.games.sigily.holidays import DAYS, start_on
from table.games.sigily.race import PROVINCES, AgreedRules, Race, Wind
from table.games.sigily.sticks import STICKS
from table.games.sigily.topology import (
    ALL_COINS,
    ARMS,
    GATES,
    HOLIDAYS,
    PLACES,
    RING,
    SOLAR,
    first_solar,
    quadrant,
)
from table.rules.answers import Bet, Chosen
from table.rules.entered_prompts import COINS, OGHAM
from tests.games.night import Night
from tests.games.sigily.race_night import RaceNight, faces, teams


def test_1_a_tri_from_samhain_gains_two_coins_but_no_throw() -> None:
    night = Night("sigily", "Ann", "Ben", start="Ann", date="11-01")
    assert night.rulings[:2] == [
        "Ann drives for Connaught and starts at Samhain.",
        "Ben drives for Ulster and starts at Samhain.",
    ]
    assert night.asks == "Ann: throw the four sticks."
    night.throws_sticks(*faces("tri"))
    assert night.sheet == [("Ann", 2, "chariot 1 lands on the Winter Solstice")]
    assert night.says == "The Winter Solstice is the first solar sigil after the start, and brings no throw."
    assert night.turn == "Ben"


def test_1_a_solar_sigil_draws_a_card_when_cards_are_on() -> None:
    night = Night("sigily", "Ann", "Ben", start="Ann", cards=12).throws_sticks(*faces("tri"))
    assert night.asks == "Ben: Ann draws a question card and answers. Do you find it good?"
    assert night.options == ["good", "not_good"]


@pytest.mark.parametrize(
    ("date", "start"),
    [
        ("02-01", "Oimelc"),
        ("10-15", "Samhain"),
        ("12-21", "the Winter Solstice"),
        ("12-25", "Oimelc"),
        ("09-22", "Samhain"),
        ("11-01", "Samhain"),
    ],
)
def test_2_the_start_is_the_holiday_on_or_after_the_date(date: str, start: str) -> None:
    night = Night("sigily", "Ann", "Ben", start="Ann", date=date)
    assert night.rulings[0] == f"Ann drives for Connaught and starts at {start}."


def test_20_territorial_starts_follow_the_province() -> None:
    night = Night("sigily", "Ann", "Ben", start="Ann", territorial="on")
    assert night.rulings[:2] == [
        "Ann drives for Connaught and starts at Beltane.",
        "Ben drives for Ulster and starts at Lughnasadh.",
    ]
    night = RaceNight(territorial="on").tosses("aon", "dha")
    assert [u.place for u in night.race.units] == [13, 20]
    night.tosses("tri").chooses("1").tosses("aon").chooses("1")
    assert night.says == "The Fall Equinox is the first solar sigil after the start, and brings no throw."
    night = RaceNight(units=[("Ben", [1], 17, 0)], territorial="on").tosses("aon", "aon").chooses("1")
    assert len(night.race.home["Ben"]) == 1


def test_s1_the_board_has_24_sigils_nine_green_ones_and_52_coins() -> None:
    assert ALL_COINS == 52
    assert len(PLACES) == 24 + 9
    assert [len(arm) for arm in ARMS.values()] == [2, 2, 2, 2]
    assert Counter(quadrant(p) for p in range(RING)) == {0: 5, 6: 5, 12: 5, 18: 5, None: 4}


@pytest.mark.parametrize(
    ("province", "home"), [("Connaught", 12), ("Ulster", 18), ("Leinster", 0), ("Munster", 6)]
)
def test_s2_a_home_quadrant_follows_the_territorial_start(province: str, home: int) -> None:
    race = Race(("Ann", "Ben", "Cal", "Dee"), 0, 3, AgreedRules(home=True, territorial=True))
    player = race.players[["Connaught", "Ulster", "Leinster", "Munster"].index(province)]
    assert race.start_of(player) == home
    assert [p for p in PLACES if race.at_home(player, p)] == list(range(home + 1, home + 6))


@pytest.mark.parametrize(("start", "off"), [(0, 3), (3, 9), (6, 9), (18, 21), (21, 3), (15, 21)])
def test_s5_the_first_solar_sigil_is_strictly_after_the_start(start: int, off: int) -> None:
    assert first_solar(start) == off


def test_s5_the_first_solar_sigil_gives_no_throw_to_any_player() -> None:
    night = RaceNight(units=[("Ben", [1], 2, 0)]).tosses("ceither").chooses("stop").tosses("aon").chooses("1")
    assert night.says == "The Winter Solstice is the first solar sigil after the start, and brings no throw."
    assert night.turn == "Ann"


def test_s28_without_teams_four_race_alone() -> None:
    night = (
        RaceNight(("Ann", "Ben", "Cal", "Dee"), [("Ann", [1], 7, 0), ("Cal", [1], 8, 0)])
        .tosses("aon")
        .chooses("1")
    )
    assert night.asks == "Ann: throw the four sticks to fight Cal's chariot 1."


@pytest.mark.parametrize("players", [("Ann", "Ben"), ("Ann", "Ben", "Cal")])
def test_s28_teams_are_refused_with_fewer_than_four_players(players: tuple[str, ...]) -> None:
    with pytest.raises(
        UnreadableAnswer,
        match=r"^the setting teams is for four players, and (two|three) came: leave it at off$",
    ):
        Night("sigily", *players, teams="on")


def test_the_highest_throw_begins_and_the_others_throw_for_the_next_seats() -> None:
    night = Night("sigily", "Ann", "Ben", "Cal")
    assert night.asks == "Ann: throw the four sticks, and the highest begins."
    assert night.prompt.to_json()["for"] == "start"
    night.throws_sticks(*faces("aon")).throws_sticks(*faces("coig")).throws_sticks(*faces("coig"))
    assert night.says == "Ben and Cal tie with 5 and throw again."
    night.throws_sticks(*faces("aon")).throws_sticks(*faces("dha"))
    assert night.says == "Cal begins."
    assert night.asks == "Ann: throw the four sticks, and the highest is second."
    night.throws_sticks(*faces("ceither")).throws_sticks(*faces("tri"))
    assert night.rulings[-4:] == [
        "Ann is second.",
        "Cal drives for Connaught and starts at Samhain.",
        "Ann drives for Ulster and starts at Samhain.",
        "Ben drives for Leinster and starts at Samhain.",
    ]
    assert night.turn == "Cal"
    night.throws_sticks(*faces("aon"))
    assert night.turn == "Ann"


def test_the_player_named_by_start_begins_and_the_others_throw_for_seats() -> None:
    night = Night("sigily", "Ann", "Ben", "Cal", "Dee", start="Ben", teams="on")
    assert night.asks == "Ann: throw the four sticks, and the highest is second."
    for name in ("aon", "dha", "tri", "dha", "aon"):
        night.throws_sticks(*faces(name))
    assert night.rulings[-1] == "Ben and Ann are partners, against Dee and Cal."
    assert night.turn == "Ben"


@pytest.mark.parametrize(
    ("players", "chariots", "settings"),
    [(2, 4, {}), (3, 3, {}), (4, 3, {}), (4, 4, {"chariots": "4"})],
)
def test_the_number_of_chariots_depends_on_players_and_setting(
    players: int, chariots: int, settings: dict[str, str]
) -> None:
    night = Night("sigily", *["Ann", "Ben", "Cal", "Dee"][:players], **settings)
    while night.turn and night.prompt.to_json().get("for") == "start":
        night.throws_sticks(*faces("aon" if Random(night.match.at).random() < 0.5 else "dha"))
    board = night.match.view().board
    assert board is not None
    assert sum(f"of {chariots} home ({chariots} waiting)" in note for note in board.notes) == players


def test_the_scoreboard_is_told_how_many_chariots_are_home() -> None:
    night = RaceNight(units=[("Ann", [1], 1, 0)], finished={"Ann": 3}, stored={"Ann": 9})
    board = night.match.view().board
    assert board is not None
    assert board.to_json()["progress"] == {
        "Ann": {"count": 3, "of": 4, "what": "home"},
        "Ben": {"count": 0, "of": 4, "what": "home"},
    }


def test_the_notes_name_provinces_only_where_they_matter() -> None:
    def notes(**how: Any) -> tuple[str, ...]:
        night = RaceNight(units=[("Ann", [1], 1, 0)], finished={"Ann": 3}, stored={"Ann": 9}, **how)
        board = night.match.view().board
        return board.notes if board else ()

    assert notes() == ("Ann: 3 of 4 home with 9 coins", "Ben: 0 of 4 home (4 waiting)", "start: Samhain")
    assert notes(home="on")[1] == "Ben: 0 of 4 home (4 waiting), Ulster"
    assert notes(territorial="on")[1] == "Ben: 0 of 4 home (4 waiting), Ulster, starts at Lughnasadh"


@pytest.mark.parametrize("date", ["02-30", "2-1", "13-01", "Samhain"])
def test_an_impossible_date_is_refused(date: str) -> None:
    with pytest.raises(UnreadableAnswer, match="date is a day of the year as MM-DD, such as 02-01; got"):
        Night("sigily", "Ann", "Ben", date=date)


def test_every_day_of_the_year_has_a_start() -> None:
    assert len(DAYS) == 366
    assert Counter(start_on(day) for day in DAYS) == {
        6: 42,
        9: 49,
        12: 41,
        15: 51,
        18: 41,
        21: 51,
        0: 41,
        3: 50,
    }
    assert [start_on(d) for d in ("12-22", "01-31", "02-02", "03-21", "03-22", "12-20")] == [
        6,
        6,
        9,
        9,
        12,
        3,
    ]


def test_the_board_lies_ready_before_the_order_of_play_is_known() -> None:
    board = Night("sigily", "Ann", "Ben").match.view().board
    assert board is not None
    assert sum(space.coins for space in board.spaces) == ALL_COINS
    assert not any(space.pieces for space in board.spaces)


def test_s2_with_the_home_rule_everybody_is_told_their_quadrant() -> None:
    rulings = [r.text for r in RaceNight(("Ann", "Ben", "Cal"), home="on").match.rulings]
    assert [text for text in rulings if "at home" in text] == [
        "Ann is at home on sigils 13 to 17 (ruling S-2).",
        "Ben is at home on sigils 19 to 23 (ruling S-2).",
        "Cal is at home on sigils 1 to 5 (ruling S-2).",
    ]


def test_the_printed_board_has_a_place_at_home_for_each_of_four_chariots() -> None:
    ids = [space.id for space in PRINTED.spare]
    assert sorted(ids) == sorted(f"{p} {n}" for p in PROVINCES for n in range(1, 5))


def test_the_board_shows_all_chariots_coins_and_spells() -> None:
    night = teams(
        [("Ann", [1, "Cal 1"], 16, 5), ("Ben", [2], "S2", 0)],
        magic="on",
        entered={"S2": 0},
        barred={"S2": 6},
        finished={"Dee": 1},
    )
    night.chooses("curse")
    night.race.frost_ahead["Ben"] = 1
    night.race.winds.append(Wind("sloth", "Dee", 1))
    night.meeting.settle("for the board")
    board = night.match.view().board
    assert board is not None
    spots = {s.id: s for s in board.spaces}
    assert len(spots) == 33
    assert sum(s.coins for s in board.spaces) + 3 == 52
    assert (spots["16"].kind, spots["16"].text, spots["16"].said) == ("danger", "16", "16, cursed")
    assert sorted(s.text for s in board.spaces if s.label) == sorted(
        holiday.removeprefix("the ") for holiday in HOLIDAYS.values()
    )
    assert [(p.player, p.text) for p in spots["16"].pieces] == [("Ann", "1+Cal 1 ×2, 3 coins")]
    assert [s.kind for s in (spots["0"], spots["3"], spots["S1"], spots["C"], spots["1"])] == [
        "gate",
        "solar",
        "green",
        "centre",
        "plain",
    ]
    assert (spots["0"].x, spots["0"].y, spots["6"].x, spots["C"].y) == (50.0, 4.0, 96.0, 50.0)
    assert all(a in spots and b in spots for a, b in board.lines)
    assert board.notes == (
        "Ann: 0 of 3 home (2 waiting)",
        "Ben: 0 of 3 home (2 waiting)",
        "Cal: 0 of 3 home (2 waiting)",
        "Dee: 1 of 3 home (2 waiting)",
        "start: Samhain",
        "curse on sigil 16",
        "Winds of Sloth of Dee: its last round",
        "Ben is frozen for one turn",
        "Ben: chariot 2 came in by Samhain",
        "Ben: chariot 2 barred from Oimelc",
    )


def test_solar_sigils_and_gates_have_their_numbers() -> None:
    assert SOLAR == (3, 9, 15, 21)
    assert GATES == (0, 6, 12, 18)
    assert Bet("Ann", "tri", 1) not in RaceNight(side_bets="off").prompt
    assert Chosen("x") not in RaceNight().prompt
    assert STICKS == {"ogham": OGHAM, "coins": COINS}


def test_the_rules_describe_sigils_cards_and_spells() -> None:
    rules = " ".join(game("sigily").rules.split())
    for said in (
        "12 Beltane, 15 the Summer Solstice",
        "S1 and S2 from Samhain",
        "after any other there is no free throw of any kind",
        "the inner four first",
        "a partner who lands on you goes below",
        "not on gates or green, one a quadrant",
        "fireballs do nothing",
        "backward moves are one longer",
        "never a third turn running",
    ):
        assert said in rules, said
