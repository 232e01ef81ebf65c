"""Highland Dice Games: every event alone, and whole days."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis.strategies import booleans, fixed_dictionaries, integers, sampled_from

from table.common.errors import BrehonError, UnreadableAnswer
from table.games.highland import HIGHLAND
from table.games.highland.breaks import ranks
from table.games.highland.caber import caber_score, caber_toss
from table.games.highland.dash import dash_score, farmers_dash
from table.games.highland.day import Pips, ordinal
from table.games.highland.haggis import haggis_hurl, haggis_score, straights_in
from table.games.highland.hammer import Points, all_sixes_dropped, excess_dropped, hammer_score, hammer_throw
from table.games.highland.sets import ClanSet
from table.games.highland.sheaf import sheaf_toss
from table.games.highland.shot_put import shot_put, shot_score
from table.games.highland.tug import Side
from table.games.highland.weight import weight_for_height
from table.rules.answers import Die, Number, Throw
from table.rules.game import Seat, Table
from table.rules.match import Match
from table.rules.prompts import Act, Roll
from tests.games.highland_day import EventNight, GamesDay
from tests.games.night import Night
from tests.games.playing import make_seats, play_to_end

OWN: dict[str, Any] = {"dice": "own"}


def _dice(*dice: tuple[str, int]) -> Throw:
    return Throw(tuple(Die(face, colour) for colour, face in dice))


# -- Farmer's Dash -------------------------------------------------------------------------------------------


def test_dash_scores_the_second_set_minus_the_first() -> None:
    night = EventNight(farmers_dash)
    assert night.asks == "Ann: throw the first four dice for Farmer's Dash, low is good."
    night.throws(5, 3, 2, 6)
    assert (
        night.asks == "Ann: which dice do you keep? First set 5, 3, 2, 6 = 16, low is good; two rerolls left."
    )
    night.keeps(3, 2)
    assert night.asks == "Ann: throw two dice again."
    night.throws(1, 3)
    assert (
        night.asks == "Ann: which dice do you keep? First set 3, 2, 1, 3 = 9, low is good; one reroll left."
    )
    night.keeps(1, 2).throws(1, 2)
    assert night.asks == "Ann: throw the other four dice for Farmer's Dash, high is good."
    night.throws(2, 2, 6, 5).keeps(6, 5).throws(6, 1).keeps(6, 6, 5).throws(4)
    assert [night.value(box) for box in ("dash_first", "dash_second", "dash")] == ["6", "21", "15"]
    assert night.reason("dash") == "Farmer's Dash: second set 21, first set 6"
    assert night.scores == {"Ann": 15}


def test_h3_a_negative_dash_score_counts() -> None:
    night = EventNight(farmers_dash).throws(4, 5, 3, 6).keeps(4, 5, 3, 6)
    night.throws(2, 3, 1, 4).keeps(2, 3, 1, 4)
    assert night.scores == {"Ann": -8}


@pytest.mark.parametrize(
    ("low", "high", "points"),
    [((1, 1, 1, 1), (6, 6, 6, 6), 20), ((6, 6, 6, 6), (1, 1, 1, 1), -20), ((4, 5, 3, 6), (2, 3, 1, 4), -8)],
)
def test_dash_scores_lie_between_minus_20_and_20(
    low: tuple[int, ...], high: tuple[int, ...], points: int
) -> None:
    assert dash_score(low, high) == points


def test_dash_all_four_dice_can_be_thrown_again_twice() -> None:
    night = EventNight(farmers_dash).throws(6, 6, 6, 6).keeps().throws(5, 5, 5, 5).keeps().throws(4, 4, 4, 4)
    assert night.asks == "Ann: throw the other four dice for Farmer's Dash, high is good."
    assert night.refuses_keep(4, 4).startswith("A throw is expected, not dice to keep.")


def test_dash_a_die_kept_once_can_be_thrown_the_second_time() -> None:
    night = EventNight(farmers_dash).throws(5, 3, 2, 6).keeps(3, 2).throws(1, 1).keeps(1, 1, 2).throws(1)
    assert night.value("dash_first") == "5"


def test_dash_foul_throwing_another_number_of_dice() -> None:
    night = EventNight(farmers_dash)
    assert night.refuses_throw(1, 2, 3, 4, 5).startswith("Four dice expected, five dice came.")
    night.throws(5, 3, 2, 6).keeps(3, 2)
    assert night.refuses_throw(1, 1, 1) == "Two dice expected, three dice came. Ann: throw two dice again."


def test_dash_foul_keeping_a_missing_die() -> None:
    night = EventNight(farmers_dash).throws(5, 3, 2, 6)
    assert night.refuses_keep(1, 2) == ("There is no 1 to keep in 5, 3, 2 and 6. " + night.asks)


def test_dash_with_own_dice_the_second_set_has_the_other_colour() -> None:
    night = EventNight(farmers_dash, "Ann:green+white", **OWN)
    assert night.asks == "Ann: Farmer's Dash: which colour do you throw first, for a low total?"
    assert night.options == ["green", "white"]
    night.chooses("white")
    assert night.asks == "Ann: throw the four white dice for Farmer's Dash, low is good."
    assert "Wrong colour: four white dice expected, four green dice came." in night.refuses_colour(
        "green", 1, 1, 1, 1
    )
    night.throws_coloured("white", 2, 1, 1, 1).keeps(1, 1, 1)
    assert night.asks == "Ann: throw one white die again."
    night.throws_coloured("white", 1)
    night.keeps(1, 1, 1, 1)
    assert night.asks == "Ann: throw the four green dice for Farmer's Dash, high is good."


def test_dash_throwing_a_set_chooses_its_colour() -> None:
    prompt = EventNight(farmers_dash, "Ann:green+white", **OWN).prompt
    shown = prompt.answers_shown_by(Act((), 4, ("white",) * 4))
    assert [a for a in shown if a in prompt] == list(shown)
    assert [str(a) for a in shown] == ["Chosen(option='white')"]
    assert prompt.answers_shown_by(Act((), 4, ("white", "green", "white", "white"))) == ()


def test_dash_dice_left_on_the_tray_are_kept_over_both_rerolls() -> None:
    night = EventNight(farmers_dash).throws(6, 6, 6, 1).keeps(6, 6, 6, 1)
    night.throws(5, 3, 2, 6).keeps(6, 5).throws(1, 6)
    first = (6, 6, 6, 1)
    (kept,) = night.prompt.answers_shown_by(Act((6,), 1, (), (*first, 6, 5)))
    assert sorted(kept.faces) == [5, 6, 6]  # type: ignore[union-attr]
    (kept,) = night.prompt.answers_shown_by(Act((6,), 2, (), (*first, 6)))
    assert sorted(kept.faces) == [6, 6]  # type: ignore[union-attr]


# -- Haggis Hurl ---------------------------------------------------------------------------------------------


def test_h1_the_hurl_of_the_rulebook_scores_24() -> None:
    night = EventNight(haggis_hurl)
    assert night.asks == "Ann: throw all eight dice for Haggis Hurl, attempt 1 of 3."
    night.throws(1, 3, 3, 4, 4, 5, 6, 6)
    assert night.asks == "Ann: which three in a row do you set aside as your run-up?"
    assert night.options == ["3-4-5", "4-5-6"]
    night.chooses("4-5-6")
    assert (
        night.asks == "Ann: set 4, 5 and 6 aside, and throw one of the other five dice for the burst point."
    )
    night.throws(4)
    assert night.asks == "Ann: leave the burst point 4 aside, and hurl the last four dice."
    night.throws(2, 4, 5, 6)
    assert night.asks == "Ann: this hurl makes 24 points; keep it, or hurl all four again?"
    assert night.options == ["keep", "again"]
    night.chooses("keep")
    assert night.scores == {"Ann": 24}
    assert night.reason("haggis_1") == "run-up 4-5-6, hurl 2, 4, 5 and 6, burst point 4: without two 4s"


def test_haggis_three_attempts_are_added_up() -> None:
    night = EventNight(haggis_hurl)
    night.throws(1, 3, 3, 4, 4, 5, 6, 6).chooses("4-5-6").throws(4).throws(2, 4, 5, 6).chooses("keep")
    night.throws(1, 1, 2, 2, 4, 4, 5, 5)
    assert night.says == "No three in a row in 1, 1, 2, 2, 4, 4, 5 and 5: a foul, Ann's 2nd attempt is lost."
    night.throws(1, 2, 3, 4, 4, 5, 6, 6).chooses("4-5-6").throws(6).throws(6, 6, 5, 3).chooses(
        "again"
    ).throws(2, 3, 1, 5)
    assert [night.value(f"haggis_{n}") for n in (1, 2, 3)] == ["24", "0", "20"]
    assert night.value("haggis") == "44"
    assert night.scores == {"Ann": 44}
    assert night.over


@pytest.mark.parametrize(
    ("run_up", "hurl", "burst", "points"),
    [
        ((4, 5, 6), (2, 4, 5, 6), 4, 24),
        ((3, 4, 5), (2, 4, 5, 6), 4, 21),
        ((4, 5, 6), (2, 3, 1, 5), 6, 20),
        ((2, 3, 4), (6, 6, 5, 5), 1, 31),
        ((4, 5, 6), (4, 4, 4, 4), 4, 11),
    ],
)
def test_haggis_scores_the_points_of_the_rulebook(
    run_up: tuple[int, ...], hurl: tuple[int, ...], burst: int, points: int
) -> None:
    assert haggis_score(run_up, hurl, burst) == points


def test_haggis_a_single_straight_is_taken_without_a_question() -> None:
    night = EventNight(haggis_hurl).throws(2, 3, 4, 4, 4, 6, 6, 6)
    assert (
        night.asks == "Ann: set 2, 3 and 4 aside, and throw one of the other five dice for the burst point."
    )
    assert night.prompt.to_json()["beside"] == [2, 3, 4]
    night.throws(1).throws(6, 6, 5, 5)
    assert night.so_far == "Haggis Hurl: run-up 2-3-4, burst point 1, hurl 6, 6, 5 and 5, worth 31"
    night.chooses("keep")
    assert night.value("haggis_1") == "31"
    assert night.reason("haggis_1").endswith("no 1 to strike")


@pytest.mark.parametrize(
    ("dice", "found"),
    [
        ((1, 1, 2, 2, 4, 4, 5, 5), ()),
        ((1, 2, 3, 4, 5, 6, 6, 6), ((1, 2, 3), (2, 3, 4), (3, 4, 5), (4, 5, 6))),
        ((1, 3, 3, 4, 4, 5, 6, 6), ((3, 4, 5), (4, 5, 6))),
        ((6, 6, 6, 6, 6, 1, 2, 2), ()),
        ((5, 6, 1, 1, 1, 1, 1, 2), ()),
    ],
)
def test_haggis_straights_are_three_consecutive_faces(
    dice: tuple[int, ...], found: tuple[tuple[int, ...], ...]
) -> None:
    assert straights_in(dice) == found


def test_h4_the_burst_die_never_scores() -> None:
    night = (
        EventNight(haggis_hurl).throws(4, 5, 6, 1, 1, 1, 1, 1).throws(6).throws(1, 1, 1, 1).chooses("keep")
    )
    assert night.value("haggis_1") == str(4 + 5 + 4)


def test_h5_a_hurl_can_be_repeated_once_with_all_four_dice() -> None:
    night = (
        EventNight(haggis_hurl).throws(1, 2, 3, 3, 3, 3, 3, 3).throws(6).throws(1, 1, 1, 1).chooses("again")
    )
    assert night.asks == "Ann: hurl the four dice again; this throw stands."
    assert night.refuses_throw(5, 5).startswith("Four dice expected, two dice came.")
    assert night.prompt.to_json()["beside"] == [1, 2, 3, 6]
    night.throws(1, 1, 1, 2)
    assert night.asks == "Ann: throw all eight dice for Haggis Hurl, attempt 2 of 3."
    assert night.value("haggis_1") == str(6 + 5)


def test_haggis_foul_hurling_without_a_run_up() -> None:
    night = EventNight(haggis_hurl).throws(1, 3, 3, 4, 4, 5, 6, 6)
    assert night.refuses_choice("1-2-3").startswith("Not “1-2-3”: choose 3-4-5 or 4-5-6.")
    assert night.refuses_throw(1, 2, 3, 4, 5, 6, 1, 2).startswith("A choice is expected, not a throw.")


def test_haggis_with_own_dice_four_of_each_colour_are_thrown() -> None:
    night = EventNight(haggis_hurl, "Ann:green+white", **OWN)
    assert night.prompt.to_json()["dice"] == [
        {"colour": "green", "count": 4},
        {"colour": "white", "count": 4},
    ]
    five = [("green", 1)] * 5 + [("white", 2)] * 3
    assert "Wrong colour" in night.refuses_answer(_dice(*five))
    night.throws_dice(*[("green", 1)] * 3, ("green", 2), ("white", 3), *[("white", 6)] * 3)
    assert night.asks.startswith("Ann: set 1, 2 and 3 aside")


def own_haggis() -> EventNight:
    """Ann's run-up 1-2-3 is the three green dice; one green die and four white dice are left."""
    night = EventNight(haggis_hurl, "Ann:green+white", **OWN)
    return night.throws_dice(*(("green", face) for face in (1, 2, 3, 6)), *[("white", 6)] * 4)


def test_haggis_with_own_dice_the_burst_die_has_a_colour_of_the_player() -> None:
    night = own_haggis()
    assert night.prompt.to_json()["dice"] == [{"colour": None, "count": 1, "either": ["green", "white"]}]
    assert night.refuses_colour("red", 4).startswith(
        "Wrong colour: one green or white die expected, one red die came. Ann: set 1, 2 and 3 aside"
    )
    assert night.throws(4).awaits == "roll 4"  # of unknown colour


def test_haggis_with_own_dice_the_last_four_are_hurled() -> None:
    night = own_haggis().throws_coloured("white", 4)
    assert night.prompt.to_json()["dice"] == [
        {"colour": "green", "count": 1},
        {"colour": "white", "count": 3},
    ]
    assert night.refuses_colour("red", 1, 2, 3, 4).startswith(
        "Wrong colour: one green die and three white dice expected, four red dice came."
    )
    assert "Wrong colour" in night.refuses_colour("white", 1, 2, 3, 4)
    hurl = [("green", 1), ("white", 2), ("white", 3), ("white", 6)]
    night.throws_dice(*hurl).chooses("again")
    assert "Wrong colour" in night.refuses_colour("white", 1, 2, 3, 4)
    assert night.throws_dice(*hurl).value("haggis_1") == str(1 + 2 + 3 + 1 + 2 + 3 + 6)


def test_haggis_with_own_dice_two_dice_of_a_face_leave_the_colours_open() -> None:
    night = EventNight(haggis_hurl, "Ann:green+white", **OWN)
    both = [(colour, face) for colour in ("green", "white") for face in (1, 2, 3, 6)]
    night.throws_dice(*both).throws_coloured("green", 5)
    assert night.prompt.to_json()["dice"] == [
        {"colour": "white", "count": 1},
        {"colour": None, "count": 3, "either": ["green", "white"]},
    ]
    assert night.refuses_colour("green", 1, 2, 3, 4).startswith(
        "Wrong colour: one white die and three green or white dice expected, four green dice came."
    )
    assert "Wrong colour" in night.refuses_answer(_dice(("white", 1), ("green", 2), ("red", 3), ("green", 4)))
    assert night.throws_coloured("white", 1, 2, 3, 4).options == ["keep", "again"]


# -- Hammer Throw --------------------------------------------------------------------------------------------


def test_h2_the_hammer_of_the_rulebook_scores_35() -> None:
    night = EventNight(hammer_throw).throws(1, 1, 4, 5)
    assert night.asks == "Ann: which dice do you keep? 1, 1, 4, 5 make two 1s, a foul; one reroll left."
    night.keeps(5).throws(1, 2, 6)
    assert night.asks == "Ann: score 7 now or throw the other four dice?"
    assert night.options == ["score", "throw"]
    night.chooses("throw").throws(2, 3, 5, 6)
    assert night.asks == (
        "Ann: which dice do you keep? 2, 3, 5, 6, after 5, 1, 2, 6, are worth 17; one reroll left."
    )
    night.keeps(5).throws(5, 6, 6)
    assert night.value("hammer_1") == "35"
    assert night.reason("hammer_1") == "1, 2, 5, 5, 5, 6, 6 and 6: three 6s count 18"


def test_hammer_can_be_scored_after_four_dice() -> None:
    night = EventNight(hammer_throw).throws(1, 1, 4, 5).keeps(5).throws(1, 2, 6).chooses("score")
    assert night.value("hammer_1") == "7"
    assert night.reason("hammer_1") == "1, 2, 5 and 6: the 6 does not count"


def test_hammer_three_attempts_are_added_up() -> None:
    night = EventNight(hammer_throw).throws(1, 1, 4, 5).keeps(5).throws(1, 2, 6).chooses("throw")
    night.throws(2, 3, 5, 6).keeps(5).throws(5, 6, 6)
    night.throws(1, 1, 5, 4).keeps(1, 1, 5, 4).chooses("score")
    assert night.says == "Two 1s: a foul, Ann's 2nd attempt is 0."
    night.throws(6, 6, 3, 4).keeps(6, 6, 3, 4).chooses("throw").throws(6, 6, 5, 2).keeps(6, 6, 5, 2)
    assert [night.value(f"hammer_{n}") for n in (1, 2, 3)] == ["35", "0", "32"]
    assert night.value("hammer") == "67"
    assert night.scores == {"Ann": 67}


@pytest.mark.parametrize(
    ("dice", "points", "all_dropped"),
    [
        ((1, 2, 5, 6), 7, 7),
        ((1, 2, 5, 5, 5, 6, 6, 6), 35, 35),
        ((1, 1, 5, 4), 0, 0),
        ((6, 6, 3, 4, 6, 6, 5, 2), 32, 14),
        ((6, 6, 6, 5), 23, 23),
        ((1, 3, 4, 5, 1, 5, 5, 2), 0, 0),
        ((6, 6, 6, 2, 6, 6, 6, 5), 25, 7),
        ((6, 6, 6, 1, 6, 6, 6, 1), 0, 0),
        ((5, 5, 5, 5, 5, 5, 5, 5), 40, 40),
        ((6, 6, 6, 6), 18, 0),
        ((6, 6, 2, 2), 4, 4),
    ],
)
def test_h7_hammer_scores_the_points_of_the_rulebook(
    dice: tuple[int, ...], points: int, all_dropped: int
) -> None:
    def scored(how: Points) -> int:
        return hammer_score(dice, how)

    assert scored(excess_dropped) == points
    assert scored(all_sixes_dropped) == all_dropped


def test_h6_two_1s_are_a_foul_with_four_dice_too() -> None:
    night = EventNight(hammer_throw).throws(1, 1, 5, 4).keeps(1, 1, 5, 4)
    assert night.asks == "Ann: score 0 now or throw the other four dice?"
    night.chooses("score")
    assert night.reason("hammer_1") == "foul: two 1s in 1, 1, 4 and 5"


@pytest.mark.parametrize(("excess", "points"), [("drop_excess", "32"), ("drop_all", "14")])
def test_h7_the_excess_or_all_of_the_6s_are_dropped_by_setting(excess: str, points: str) -> None:
    night = EventNight(hammer_throw, hammer_excess=excess)
    night.throws(6, 6, 3, 4).keeps(6, 6, 3, 4).chooses("throw").throws(6, 6, 5, 2).keeps(6, 6, 5, 2)
    assert night.value("hammer_1") == points


@pytest.mark.parametrize(("last", "points"), [((6, 6, 6, 5), 25), ((6, 6, 6, 6), 20)])
def test_h8_six_6s_end_the_event_after_the_attempt(last: tuple[int, ...], points: int) -> None:
    night = EventNight(hammer_throw, "Ann", "Ben")
    night.throws(6, 6, 6, 2).keeps(6, 6, 6, 2).chooses("throw").throws(*last).keeps(*last)
    assert "Ann is hurt and cannot throw the hammer again; medical attention is needed." in night.says
    assert night.turn == "Ben"
    assert night.value("hammer") == str(points)
    assert [night.value(f"hammer_{n}") for n in (1, 2, 3)] == [str(points), "0", "0"]
    assert night.sheet[1] == ("Ann", 0, "lost: hurt in the 1st attempt")


def test_h8_an_attempt_with_six_6s_can_also_foul() -> None:
    night = EventNight(hammer_throw)
    night.throws(6, 6, 6, 1).keeps(6, 6, 6, 1).chooses("throw").throws(6, 6, 6, 1).keeps(6, 6, 6, 1)
    assert night.rulings[-2:] == [
        "Two 1s: a foul, Ann's 1st attempt is 0.",
        "Six 6s: Ann is hurt and cannot throw the hammer again; medical attention is needed.",
    ]
    assert night.scores == {"Ann": 0}
    assert night.over


def test_h8_six_6s_in_the_last_attempt_lose_nothing() -> None:
    night = EventNight(hammer_throw)
    for _ in range(2):
        night.throws(2, 2, 2, 2).keeps(2, 2, 2, 2).chooses("score")
    night.throws(6, 6, 6, 6).keeps(6, 6, 6, 6).chooses("throw").throws(6, 6, 2, 2).keeps(6, 6, 2, 2)
    assert night.over
    assert night.value("hammer") == "38"


def test_hammer_five_6s_do_not_end_the_event() -> None:
    night = EventNight(hammer_throw)
    night.throws(6, 6, 6, 6).keeps(6, 6, 6, 6).chooses("throw").throws(6, 5, 5, 5).keeps(6, 5, 5, 5)
    assert night.asks == "Ann: throw the first four dice for Hammer Throw, attempt 2 of 3."


def test_hammer_allows_one_reroll() -> None:
    night = EventNight(hammer_throw).throws(1, 6, 1, 6).keeps().throws(1, 6, 1, 6)
    assert night.options == ["score", "throw"]
    assert night.refuses_keep(6, 6).startswith("A choice is expected, not dice to keep.")
    night.chooses("throw")
    assert night.prompt.to_json()["beside"] == [1, 6, 1, 6]


def test_hammer_with_own_dice_each_attempt_chooses_a_colour() -> None:
    night = EventNight(hammer_throw, "Ann:green+white", **OWN)
    assert night.asks == "Ann: Hammer Throw, attempt 1 of 3: which colour do you throw first?"
    night.chooses("white").throws_coloured("white", 2, 3, 4, 5).keeps(2, 3, 4, 5)
    assert night.asks == "Ann: score 14 now or throw the four green dice?"
    night.chooses("throw")
    assert "four green dice expected" in night.refuses_colour("white", 2, 2, 2, 2)
    night.throws_coloured("green", 2, 2, 2, 2).keeps(2, 2, 2, 2)
    assert night.options == ["green", "white"]


# -- Sheaf Toss and Weight for Height ------------------------------------------------------------------------


def sheaf(*seats: str, pips: int = 0, **settings: object) -> EventNight:
    return EventNight(sheaf_toss, *seats, pips=pips, **settings)


def throws_pair(night: EventNight, *pair: int) -> EventNight:
    night.chooses("throw").throws(*pair)
    return night


def test_sheaf_plays_the_toss_of_the_rulebook() -> None:
    night = sheaf(pips=4)
    aside = (
        "put one die of each colour aside, off the tray; "
        "one of them shows 4 pips, and the other one is the decider."
    )
    assert night.says == f"Sheaf Toss, Ann: {aside}"
    assert night.asks == "Ann: Sheaf Toss, you have 4 pips: at which height do you start?"
    assert night.options == [str(feet) for feet in range(10, 35, 2)]
    night.chooses("16")
    assert (
        night.asks
        == "Ann: 16 feet, attempt 1 of 3: throw a pair (one die of each set) for more than 5, or stop here?"
    )
    throws_pair(night, 3, 4)
    assert night.says == "The sheaf goes over: Ann clears 16 feet."
    throws_pair(night, 5, 1)
    assert night.asks == "Ann: 6 equals the number of 18 feet; spend 1 pip of 4, or throw the decider?"
    assert night.options == ["spend", "decider"]
    night.chooses("spend")
    assert night.rulings[-2:] == [
        "Ann spends 1 pip: 6 becomes 7. 3 left: the bonus die shows 3.",
        "The sheaf goes over: Ann clears 18 feet.",
    ]
    throws_pair(night, 1, 1)
    assert night.says == "Ann misses 20 feet: two attempts left."
    throws_pair(night, 3, 4).chooses("decider")
    assert night.asks == "Ann: the sheaf hits the bar; throw the decider: odd goes over."
    night.throws(4)
    assert night.rulings[-2:] == [
        "The decider shows 4, which is even: the sheaf falls below the bar.",
        "Ann misses 20 feet: one attempt left.",
    ]
    throws_pair(night, 4, 5)
    throws_pair(night, 1, 4)
    throws_pair(night, 2, 4)
    assert night.options == ["spend", "accept"]  # at 22 feet a 6 needs three pips, and Ann has three
    night.chooses("accept")
    throws_pair(night, 4, 4).chooses("decider").throws(2)
    assert night.says == "Ann misses 22 feet: Ann is out."
    assert night.over
    assert night.pips == 3
    assert night.reason("sheaf") == "Sheaf Toss: 16, 18 and 20 cleared, out at 22"
    assert night.scores == {"Ann": 20}


def test_h9_pips_can_raise_any_roll() -> None:
    night = sheaf(pips=5).chooses("34")
    throws_pair(night, 6, 6)
    assert night.asks == "Ann: 12 is too low for 34 feet; spend 3 pips of 5, or take the miss?"
    night.chooses("spend")
    assert night.scores == {"Ann": 34}
    assert night.pips == 2
    assert night.over


def test_h9_too_few_pips_cannot_be_spent() -> None:
    night = sheaf(pips=2).chooses("20")
    throws_pair(night, 2, 3)
    assert night.says == "Ann misses 20 feet: two attempts left."
    night = sheaf(pips=3).chooses("20")
    throws_pair(night, 2, 3).chooses("spend")
    assert night.rulings[-2] == "Ann spends 3 pips: 5 becomes 8. No pips are left; put the bonus die away."
    assert night.pips == 0


def test_h9_with_tie_only_one_pip_breaks_a_tie() -> None:
    night = sheaf(pips=5, height_pips="tie_only").chooses("20")
    throws_pair(night, 2, 3)
    assert night.says == "Ann misses 20 feet: two attempts left."
    throws_pair(night, 3, 4).chooses("spend")
    assert night.pips == 4
    assert night.says == "The sheaf goes over: Ann clears 20 feet."


def test_h9_with_tie_only_32_feet_cannot_be_cleared() -> None:
    night = sheaf(pips=5, height_pips="tie_only").chooses("30")
    throws_pair(night, 6, 6).chooses("spend")
    for _ in range(3):
        throws_pair(night, 6, 6)
    assert night.scores == {"Ann": 30}
    assert night.over


def test_sheaf_without_pips_the_decider_is_thrown_without_a_question() -> None:
    night = sheaf().chooses("30")
    assert "there are no pips to show, and the other one is the decider" in night.says
    throws_pair(night, 5, 6)
    throws_pair(night, 4, 5)
    throws_pair(night, 6, 6)
    assert night.awaits == "roll 1"
    assert night.prompt.to_json()["for"] == "decider"
    night.throws(4)
    assert night.over
    assert night.scores == {"Ann": 0}
    assert night.reason("sheaf") == "Sheaf Toss: nothing cleared, out at 30"


def test_sheaf_an_odd_decider_clears_the_height() -> None:
    night = sheaf().chooses("30")
    throws_pair(night, 6, 6).throws(5)
    assert night.says == "The sheaf goes over: Ann clears 30 feet."
    assert (
        night.asks
        == "Ann: 32 feet, attempt 1 of 3: throw a pair (one die of each set) for more than 13, or stop here?"
    )


def test_sheaf_3_clears_the_lowest_height() -> None:
    night = sheaf().chooses("10")
    throws_pair(night, 1, 2)
    assert night.says == "The sheaf goes over: Ann clears 10 feet."
    night = sheaf(pips=1).chooses("10")
    throws_pair(night, 1, 1)
    assert night.options == ["spend", "decider"]


def test_h10_a_player_can_stop_before_any_attempt() -> None:
    night = sheaf().chooses("16").chooses("concede")
    assert night.scores == {"Ann": 0}
    night = sheaf().chooses("16")
    throws_pair(night, 6, 6)
    throws_pair(night, 1, 1)
    night.chooses("concede")
    assert night.says == "Ann leaves it at that before 18 feet."
    assert night.reason("sheaf") == "Sheaf Toss: 16 cleared, stopped at 18"
    assert night.scores == {"Ann": 16}


def test_h10_throwing_a_pair_chooses_to_throw() -> None:
    night = sheaf().chooses("16")
    (chosen,) = night.prompt.answers_shown_by(Act((), 2))
    assert str(chosen) == "Chosen(option='throw')"


def test_h11_the_bonus_die_shows_at_most_six_pips() -> None:
    night = sheaf(pips=10)
    assert "one of them shows 6 pips of your 10" in night.says
    night.chooses("34")
    throws_pair(night, 6, 6).chooses("spend")
    assert night.rulings[-2].endswith("7 left: the bonus die shows 6.")


def test_sheaf_each_pair_at_a_height_uses_new_dice() -> None:
    night = sheaf().chooses("20").chooses("throw")
    assert night.asks == "Ann: throw a pair (one die of each set) over 20 feet, attempt 1 of 3."
    night.throws(1, 1).chooses("throw")
    assert night.asks == (
        "Ann: throw a pair (one die of each set) over 20 feet, attempt 2 of 3, "
        "with dice that you have not used at this height."
    )
    night.throws(6, 6).chooses("throw")
    assert night.asks == "Ann: throw a pair (one die of each set) over 22 feet, attempt 1 of 3."


def test_h24_three_misses_at_the_first_height_score_0() -> None:
    night = sheaf().chooses("34")
    for _ in range(3):
        throws_pair(night, 6, 6)
    assert night.scores == {"Ann": 0}


def test_sheaf_heights_follow_in_order_with_three_attempts_each() -> None:
    night = sheaf("Ann", "Ben").chooses("20")
    throws_pair(night, 6, 6)
    assert night.asks.startswith("Ann: 22 feet, attempt 1 of 3")
    for _ in range(3):
        throws_pair(night, 1, 1)
    assert night.turn == "Ben"
    assert night.refuses_choice("15").startswith("Not “15”: choose 10, 12,")


def test_h25_with_own_dice_colours_mark_the_bonus_die_and_the_decider() -> None:
    night = sheaf("Ann:green+white", pips=2, **OWN)
    aside = (
        "put one die of each colour aside, off the tray; "
        "the green one shows 2 pips, and the white one is the decider."
    )
    assert night.says == f"Sheaf Toss, Ann: {aside}"
    night.chooses("20").chooses("throw")
    assert night.asks == "Ann: throw one green and one white die over 20 feet, attempt 1 of 3."
    assert "Wrong colour" in night.refuses_colour("green", 3, 4)
    night.throws_dice(("green", 3), ("white", 4)).chooses("decider")
    assert night.asks == "Ann: the sheaf hits the bar; throw the white decider: odd goes over."
    assert "Wrong colour" in night.refuses_colour("green", 3)


def test_weight_for_height_has_the_rules_of_sheaf_toss() -> None:
    night = EventNight(weight_for_height, pips=4).chooses("30")
    throws_pair(night, 4, 5).chooses("spend")
    assert night.rulings[-2:] == [
        "Ann spends 4 pips: 9 becomes 13. No pips are left; put the bonus die away.",
        "The weight goes over: Ann clears 30 feet.",
    ]
    for _ in range(3):
        throws_pair(night, 6, 6)
    assert night.scores == {"Ann": 30}
    assert night.value("weight") == "30"


def test_sheaf_the_choice_to_throw_says_which_dice_to_take() -> None:
    night = EventNight(sheaf_toss).chooses("20").chooses("throw").throws(1, 2)
    assert night.asks == (
        "Ann: 20 feet, attempt 2 of 3: throw a pair (one die of each set) for more than 7, "
        "with dice that you have not used at this height, or stop here?"
    )
    own = EventNight(sheaf_toss, "Ann:green+white", **OWN).chooses("20")
    assert "throw one green and one white die for more than 7, or stop here?" in own.asks


def test_sheaf_a_throw_that_a_correction_moves_to_another_height_is_named() -> None:
    night = EventNight(sheaf_toss).chooses("18").chooses("throw").throws(1, 2)
    night.chooses("throw").throws(3, 4).chooses("throw")
    assert night.prompt.to_json()["stage"] == "20 feet"
    night.throws(1, 6).throws(3)
    night.corrects(2, 5, 2)
    assert night.says == (
        "Ann's throw is corrected from 1 and 2 to 5 and 2. "
        "The throw of 3 and 4 now counts at 20 feet, not at 18 feet. "
        "Three later answers no longer fit and must be given again: "
        "Ann's “Throw”, throw of 1 6 and throw of 3."
    )


def test_sheaf_a_correction_that_leaves_the_heights_says_no_more() -> None:
    night = EventNight(sheaf_toss).chooses("18").chooses("throw").throws(1, 2).chooses("throw").throws(3, 4)
    assert night.corrects(2, 1, 1).says == "Ann's throw is corrected from 1 and 2 to 1 and 1."


# -- Shot Put ------------------------------------------------------------------------------------------------


def shot(*seats: str, pips: int = 0, **settings: object) -> EventNight:
    return EventNight(shot_put, *seats, pips=pips, **settings)


def test_shot_put_scores_the_best_of_three_attempts() -> None:
    night = shot().throws(6, 5)
    assert night.asks == (
        "Ann: stop with 11, or throw the 2nd pair, one die of each set that you have not used?"
    )
    assert night.options == ["stop", "throw"]
    night.chooses("throw").throws(4, 4).chooses("throw").throws(6, 3).chooses("stop")
    assert night.value("shot_1") == "20"
    night.throws(5, 3).chooses("throw").throws(2, 2).chooses("throw").throws(6, 6)
    assert night.says == "Doubles for the second time: a foul, Ann's 2nd attempt is 0."
    assert night.reason("shot_2") == "foul, doubles twice: 5-3, 2-2 and 6-6"
    night.throws(6, 4).chooses("throw").throws(5, 4).chooses("throw").throws(6, 5).chooses("throw").throws(
        3, 2
    )
    assert night.over
    assert [night.value(f"shot_{n}") for n in (1, 2, 3)] == ["20", "0", "35"]
    assert night.scores == {"Ann": 35}
    assert night.reason("shot") == "Shot Put: best of 20, 0 and 35"


@pytest.mark.parametrize(
    ("pairs", "points"),
    [
        ([(6, 5), (4, 4), (6, 3)], 20),
        ([(5, 3), (2, 2), (6, 6)], 0),
        ([(5, 3), (2, 2), (6, 5)], 19),
        ([(6, 4), (5, 4), (6, 5), (3, 2)], 35),
        ([(3, 2), (6, 5)], 16),
        ([(4, 4)], 0),
        ([], 0),
    ],
)
def test_shot_put_scores_the_points_of_the_rulebook(pairs: list[tuple[int, ...]], points: int) -> None:
    assert shot_score(pairs) == points


def test_h12_a_pip_can_prevent_the_second_doubles() -> None:
    night = shot(pips=2).throws(5, 3).chooses("throw").throws(2, 2)
    assert night.asks == "Ann: 2-2 is doubles; spend 1 of 2 pips to lower one die, or leave it?"
    assert night.options == ["spend", "leave"]
    night.chooses("leave").chooses("throw").throws(6, 6)
    assert night.asks == "Ann: 6-6 is doubles again, a foul; spend 1 of 2 pips to lower one die, or leave it?"
    night.chooses("spend")
    assert night.says == "Ann spends 1 pip: 6-6 becomes 6-5, and the dice stay as they lie. 1 left."
    assert night.options == ["stop", "throw"]
    night.chooses("stop")
    assert night.value("shot_1") == "19"
    assert night.reason("shot_1") == "5-3, 2-2 and 6-5, one die lowered by a pip"
    assert night.pips == 1


def test_h12_throwing_does_not_answer_whether_a_pip_is_spent() -> None:
    assert shot(pips=2).throws(2, 2).prompt.answers_shown_by(Act((), 2)) == ()
    night = sheaf(pips=3).chooses("20").chooses("throw").throws(2, 3)
    assert night.options == ["spend", "accept"]
    assert night.prompt.answers_shown_by(Act((), 2)) == ()


def test_h12_leaving_the_second_doubles_is_a_foul() -> None:
    night = shot(pips=2).throws(2, 2).chooses("leave").chooses("throw").throws(6, 6).chooses("leave")
    assert night.says == "Doubles for the second time: a foul, Ann's 1st attempt is 0."
    assert night.asks.startswith(
        "Ann: throw a pair (one die of each set) for Shot Put, attempt 2 of 3, 1st pair"
    )
    assert night.pips == 2


def test_h12_one_pair_of_each_attempt_can_be_lowered() -> None:
    night = shot(pips=3).throws(3, 3).chooses("spend").chooses("throw").throws(6, 6)
    assert night.asks == (
        "Ann: stop with 5, or throw the 3rd pair, one die of each set that you have not used?"
    )  # the first doubles that Ann left
    night.chooses("throw").throws(4, 4)
    assert "a foul" in night.says
    night.throws(5, 5)
    assert night.options == ["spend", "leave"]


def test_h12_the_lowered_pair_scores_its_lowered_sum() -> None:
    night = shot(pips=1).throws(3, 3).chooses("spend").chooses("throw").throws(6, 5).chooses("stop")
    assert night.value("shot_1") == "16"


def test_h12_a_double_1_cannot_be_lowered() -> None:
    night = shot(pips=3).throws(1, 1)
    assert night.asks == (
        "Ann: stop with 0, or throw the 2nd pair, one die of each set that you have not used?"
    )


def test_shot_put_without_pips_doubles_ask_no_question() -> None:
    night = shot().throws(4, 4)
    assert night.options == ["stop", "throw"]
    told = "Shot Put: attempt 1, 4-4, worth 0, doubles count nothing, and again they are a foul"
    assert night.so_far == told
    night.chooses("stop")
    assert night.value("shot_1") == "0"


def test_shot_put_attempts_end_after_four_pairs() -> None:
    night = shot(pips=1)
    for _ in range(3):
        night.throws(6, 5).chooses("throw")
    night.throws(6, 6)
    assert night.options == ["spend", "leave"]
    night.chooses("spend")
    assert night.value("shot_1") == "44"
    assert night.asks.startswith("Ann: throw a pair (one die of each set) for Shot Put, attempt 2 of 3")


def test_shot_put_pairs_stay_beside_and_have_both_colours() -> None:
    night = shot("Ann:green+white", **OWN)
    assert night.asks == "Ann: throw one green and one white die for Shot Put, attempt 1 of 3, 1st pair."
    assert "Wrong colour" in night.refuses_colour("white", 3, 4)
    night.throws_dice(("green", 3), ("white", 4)).chooses("throw")
    assert night.prompt.to_json()["beside"] == [3, 4]


def test_h12_a_lowered_pair_stays_beside_as_it_fell() -> None:
    night = shot(pips=1).throws(3, 3).chooses("spend").chooses("throw")
    assert night.prompt.to_json()["beside"] == [3, 3]
    night.throws(6, 5).chooses("throw")
    assert night.prompt.to_json()["beside"] == [3, 3, 6, 5]


# -- Caber Toss ----------------------------------------------------------------------------------------------


def caber(*seats: str, pips: int = 0, **settings: object) -> EventNight:
    return EventNight(caber_toss, *seats, pips=pips, **settings)


def test_caber_plays_the_toss_of_the_rulebook_and_scores_the_best() -> None:
    night = caber()
    assert night.asks == "Ann: throw the first four dice to set the clock, attempt 1 of 3."
    night.throws(3, 3, 4, 4)
    assert night.asks == "Ann: throw the other four dice to toss the caber; 12 o'clock is 14."
    night.throws(6, 6, 3, 3)
    assert night.value("caber_1") == "20"
    assert night.reason("caber_1") == "clock 14, toss 18: 4 off"
    night.throws(2, 2, 2, 3).throws(6, 3, 3, 3)
    assert night.value("caber_2") == "0"
    night.throws(5, 5, 5, 5)
    assert night.says == "20 is no 12 o'clock, which is 9 to 19: set the clock again."
    assert night.asks == "Ann: throw the first four dice again to set the clock, attempt 3 of 3."
    night.throws(6, 5, 1, 1).throws(6, 5, 1, 1)
    assert night.value("caber_3") == "100"
    assert night.scores == {"Ann": 100}
    assert night.reason("caber") == "Caber Toss: best of 20, 0 and 100"


@pytest.mark.parametrize(
    ("clock", "toss", "points"),
    [
        (14, 18, 20),
        (9, 15, 0),
        (13, 13, 100),
        (12, 11, 80),
        (16, 14, 60),
        (10, 13, 40),
        (19, 14, 10),
        (9, 16, 0),
        (9, 24, 0),
    ],
)
def test_h14_caber_scores_by_the_distance_from_12_o_clock(clock: int, toss: int, points: int) -> None:
    assert caber_score(abs(clock - toss)) == points


@pytest.mark.parametrize(("pips", "points"), [(0, "0"), (1, "10"), (5, "80"), (6, "100")])
def test_h15_pips_move_the_toss_nearer_to_12_o_clock(pips: int, points: str) -> None:
    night = caber(pips=10).throws(2, 2, 2, 3).throws(6, 3, 3, 3)
    assert night.asks == (
        "Ann: the toss of 15 is 6 off 9 and worth 0; "
        "you have 10 pips; how many do you spend to bring it nearer?"
    )
    assert night.so_far == (
        "Caber Toss: worth 0 as it lies, 10 with 1 pip, 20 with 2 pips, 40 with 3 pips,"
        " 60 with 4 pips, 80 with 5 pips, 100 with 6 pips"
    )
    assert "from 0 to 6 is expected, 7 came" in night.refuses_answer(Number(7))
    night.enters(pips)
    assert night.value("caber_1") == points
    assert night.pips == 10 - pips


def test_h15_pips_raise_a_low_toss_as_far_as_they_last() -> None:
    night = caber(pips=2).throws(6, 6, 6, 1).throws(6, 6, 1, 1)
    assert "from 0 to 2 is expected, 3 came" in night.refuses_answer(Number(3))
    night.enters(2)
    assert night.says == "Ann spends 2 pips: the toss of 14 becomes 16. No pips are left."
    assert night.reason("caber_1") == "clock 19, toss 14, 2 pips spent: 3 off"
    assert night.value("caber_1") == "40"


def test_h15_a_toss_at_12_o_clock_needs_no_pips() -> None:
    night = caber(pips=2).throws(3, 3, 3, 3).throws(3, 3, 3, 3)
    assert night.value("caber_1") == "100"
    assert night.awaits == "roll 4"


@pytest.mark.parametrize("outside", [(2, 2, 2, 2), (5, 5, 5, 5), (1, 1, 1, 1), (6, 6, 6, 6)])
def test_h13_a_clock_outside_9_to_19_is_thrown_again(outside: tuple[int, ...]) -> None:
    night = caber().throws(*outside).throws(*outside)
    assert night.prompt.to_json()["for"] == "clock"
    night.throws(3, 3, 3, 3)
    assert night.prompt.to_json()["for"] == "toss"


@pytest.mark.parametrize("edge", [(2, 2, 2, 3), (6, 6, 6, 1)])
def test_h13_9_and_19_are_inside(edge: tuple[int, ...]) -> None:
    assert caber().throws(*edge).prompt.to_json()["for"] == "toss"


def test_h13_with_caber_outside_lost_a_clock_outside_loses_the_attempt() -> None:
    night = caber(caber_outside="lost").throws(5, 5, 5, 5)
    assert night.says == "20 is no 12 o'clock, which is 9 to 19: Ann's 1st attempt is lost."
    assert night.reason("caber_1") == "lost: a clock of 20 is outside 9 to 19"
    assert night.asks == "Ann: throw the first four dice to set the clock, attempt 2 of 3."
    night.throws(1, 1, 1, 1).throws(6, 6, 6, 6)
    assert night.over
    assert night.scores == {"Ann": 0}


def test_caber_is_tossed_once_in_each_attempt() -> None:
    night = caber().throws(3, 3, 3, 3).throws(1, 1, 1, 1)
    assert night.prompt.to_json()["for"] == "clock"
    assert night.value("caber_1") == "0"


def test_caber_with_own_dice_uses_one_colour_for_the_clock_and_one_for_the_toss() -> None:
    night = caber("Ann:green+white", **OWN).chooses("white")
    assert "four white dice expected" in night.refuses_colour("green", 3, 3, 3, 3)
    night.throws_coloured("white", 5, 5, 5, 5)
    assert night.asks == "Ann: throw the four white dice again to set the clock, attempt 1 of 3."
    night.throws_coloured("white", 3, 3, 3, 3)
    assert night.asks == "Ann: throw the four green dice to toss the caber; 12 o'clock is 12."
    night.throws_coloured("green", 3, 3, 3, 3)
    assert night.options == ["green", "white"]


# -- Tug of War ----------------------------------------------------------------------------------------------


def before_the_tug(*seats: str, **settings: object) -> GamesDay:
    """A day up to the Tug of War; earlier players have higher totals."""
    day = GamesDay(*seats, **settings)
    for i in range(len(seats)):
        day.runs(14 - 6 * i)  # more than the 5 points of one pip, which the next rank gets
    for _ in seats:
        day.hurls(0, 0, 0)
    for _ in seats:
        day.swings(0, 0, 0)
    for _ in seats:
        day.chooses("10").chooses("concede")
    for _ in seats:
        day.puts(3, 3, 3)
    for _ in seats:
        day.flips(7, 7, 7)
    for _ in seats:
        day.chooses("10").chooses("concede")
    return day


def test_tug_a_lone_player_pulls_against_four_dice() -> None:
    day = before_the_tug("Ann")
    assert day.asks == "Ann: throw the first four dice, which are your opponent in the Tug of War."
    day.throws(3, 4, 4, 5)
    assert day.says == "The opponent pulls with 3, 4, 4, 5 = 16."
    assert day.asks == "Ann: throw the other four dice for the Tug of War against 16."
    day.throws(2, 6, 3, 5)
    assert (
        day.asks == "Ann: which two or more dice do you keep? 2, 6, 3, 5 = 16 against 16; two rerolls left."
    )
    assert day.prompt.to_json()["least"] == 2
    day.keeps(6, 5).throws(6, 1).keeps(6, 6, 5).throws(4)
    assert day.value("tug") == "21"
    assert day.so_far == ""
    assert day.reason("tug") == "Tug of War: 6, 6, 5, 4 = 21, wins against 16"


def test_h20_a_lone_player_scores_even_after_a_lost_pull() -> None:
    day = before_the_tug("Ann").throws(4, 4, 4, 4).throws(4, 4, 4, 2).keeps(4, 4, 4, 2)
    assert day.value("tug") == "14"
    assert "Ann loses the Tug of War, 14 to 16." in day.rulings


def test_h21_a_lone_player_breaks_a_tie_by_sudden_death() -> None:
    day = before_the_tug("Ann").throws(6, 6, 2, 1).throws(4, 4, 4, 3).keeps(4, 4, 4, 3)
    assert day.says == "A tie at 15, sudden death: both sides throw their two highest dice at once."
    assert day.asks == "Ann: throw your two highest dice (4 and 4)."
    assert day.prompt.to_json()["beside"] == [3, 4, 1, 2]
    day.throws(5, 1)
    assert day.asks == "Ann: throw the opponent's two highest dice (6 and 6)."
    day.throws(3, 2)
    assert "Now Ann has 13, and the opponent 8." in day.rulings
    assert day.value("tug") == "13"


def test_h21_sudden_death_is_repeated_while_the_totals_tie() -> None:
    day = before_the_tug("Ann").throws(6, 6, 2, 1).throws(4, 4, 4, 3).keeps(4, 4, 4, 3)
    day.throws(1, 1).throws(3, 3)  # 4 + 3 + 2 = 9 and 2 + 1 + 6 = 9
    assert day.says == "A tie at 9, sudden death: both sides throw their two highest dice at once."
    assert day.asks == "Ann: throw your two highest dice (3 and 4)."
    day.throws(1, 1).throws(6, 6)
    assert day.value("tug") == "4"
    assert "loses against 15" in day.reason("tug")


def test_tug_the_loser_of_two_players_scores_0() -> None:
    day = before_the_tug("Ann", "Ben")
    assert day.rulings[-2:] == [
        "Tug of War by the totals so far: Ann 22 and Ben 21.",
        "Tug of War: Ann against Ben.",
    ]
    assert day.asks == "Ann: throw the first four dice for the Tug of War."
    day.pulls(19)
    assert day.asks == "Ben: throw the other four dice for the Tug of War against 19."
    day.pulls(17)
    assert "Ann wins the pull against Ben, 19 to 17." in day.rulings
    assert (day.value("tug"), day.value("tug", "Ben")) == ("19", "0")
    assert ("Ben", 0, "Tug of War: lost, 17 to 19 against Ann") in day.sheet


def test_h22_the_higher_total_pulls_first() -> None:
    day = GamesDay("Ann", "Ben").runs(0).runs(15)
    for _ in range(2):
        day.hurls(0, 0, 0)
    for _ in range(2):
        day.swings(0, 0, 0)
    day.tosses(10).tosses(10).puts(3, 3, 3).puts(3, 3, 3).flips(7, 7, 7).flips(7, 7, 7).tosses(10).tosses(10)
    assert day.says == "Tug of War: Ben against Ann."


def test_h22_four_players_pull_once_against_their_neighbours() -> None:
    day = before_the_tug("Ann", "Ben", "Cal", "Dee")
    assert day.says == "Tug of War: Ann against Ben."
    day.pulls(20, 10)
    assert day.says == "Tug of War: Cal against Dee."
    day.pulls(11, 12)
    assert [day.value("tug", p) for p in ("Ann", "Ben", "Cal", "Dee")] == ["20", "0", "0", "12"]
    assert day.over


def test_h22_an_odd_number_of_players_pulls_a_round_robin() -> None:
    day = before_the_tug("Ann", "Ben", "Cal")
    for winner in ((19, 17), (20, 22), (18, 15)):
        day.pulls(*winner)
    pulls = [r for r in day.rulings if "wins the pull" in r]
    assert pulls == [
        "Ann wins the pull against Ben, 19 to 17.",
        "Cal wins the pull against Ann, 22 to 20.",
        "Ben wins the pull against Cal, 18 to 15.",
    ]
    assert [day.value("tug", p) for p in ("Ann", "Ben", "Cal")] == ["19", "18", "22"]


def test_h22_the_highest_win_counts_even_below_a_lost_pull() -> None:
    day = before_the_tug("Ann", "Ben", "Cal").pulls(10, 9).pulls(13, 12).pulls(20, 24)
    assert [day.value("tug", p) for p in ("Ann", "Ben", "Cal")] == ["13", "0", "24"]
    assert ("Ann", 13, "Tug of War: won against Cal, 13 to 12, best of 10 and 13") in day.sheet
    assert ("Ben", 0, "Tug of War: lost, 9 to 10 against Ann and 20 to 24 against Cal") in day.sheet


def test_h22_a_round_robin_can_be_set_for_an_even_number() -> None:
    day = before_the_tug("Ann", "Ben", "Cal", "Dee", tug_format="round_robin")
    for _ in range(6):
        day.pulls(12, 11)
    assert day.over
    assert [day.value("tug", p) for p in ("Ann", "Ben", "Cal", "Dee")] == ["12", "12", "12", "0"]


def test_h22_a_bracket_is_a_knock_out() -> None:
    day = before_the_tug("Ann", "Ben", "Cal", "Dee", tug_format="bracket").pulls(20, 10).pulls(11, 12)
    assert day.says == "Tug of War: Ann against Dee."
    day.pulls(13, 14)
    assert day.over
    assert [day.value("tug", p) for p in ("Ann", "Ben", "Cal", "Dee")] == ["20", "0", "0", "14"]


def test_h22_in_a_bracket_of_five_the_first_three_skip_the_first_round() -> None:
    day = before_the_tug("Ann", "Ben", "Cal", "Dee", "Eve", tug_format="bracket")
    assert day.rulings[-2:] == [
        "Ann, Ben and Cal go on to the next round without a pull.",
        "Tug of War: Dee against Eve.",
    ]
    day.pulls(10, 11).pulls(12, 9).pulls(8, 7)
    assert day.says == "Tug of War: Ann against Cal."
    day.pulls(6, 5)
    assert day.over
    assert [day.value("tug", p) for p in ("Ann", "Ben", "Cal", "Dee", "Eve")] == ["12", "0", "8", "0", "11"]


def test_h23_each_of_two_rerolls_takes_one_or_two_dice() -> None:
    day = before_the_tug("Ann").throws(6, 6, 6, 6).throws(1, 2, 3, 4)
    assert day.refuses_keep(4) == "At most two dice are thrown again here: keep two or more."
    assert day.refuses_keep() == "At most two dice are thrown again here: keep two or more."
    day.keeps(3, 4).throws(1, 1).keeps(1, 1).throws(5, 5)  # the dice kept first are thrown now
    assert day.value("tug") == "12"
    assert day.over


OWN_TWO = ("Ann:green+white", "Ben:white+red")


def before_the_tug_with_own_dice() -> GamesDay:
    """A day of two players with dice of their own, up to the Tug of War; Ann leads."""
    day = GamesDay(*OWN_TWO, dice="own")
    colours = {"Ann": ("green", "white"), "Ben": ("white", "red")}
    while not any("Tug of War:" in r for r in day.rulings):
        first, second = colours[day.turn]
        prompt = day.prompt.to_json()
        if prompt["kind"] == "keep":
            day.keeps(*prompt["from"])
        elif prompt["kind"] == "choose":
            day.chooses(
                next(o for o in (first, "score", "leave", "stop", "concede", "10") if o in day.options)
            )
        elif prompt.get("for") == "run-up":
            day.throws_dice(*[(first, 1)] * 4, *[(second, 1)] * 4)
        elif prompt.get("for") == "second set":
            day.throws(*((6, 6, 6, 6) if day.turn == "Ann" else (1, 1, 1, 1)))
        else:
            assert isinstance(day.prompt, Roll)
            day.throws(*(3, 3, 3, 3)[: day.prompt.count])
    return day


def test_tug_with_own_dice_both_sides_have_different_colours() -> None:
    day = before_the_tug_with_own_dice()
    assert day.asks == "Ann: Tug of War against Ben: which colour do you pull with?"
    day.chooses("white").throws_coloured("white", 5, 5, 4, 1).keeps(5, 5, 4, 1)
    assert day.asks == "Ben: throw the four red dice for the Tug of War against 15."  # Ann pulls with white
    day.throws_coloured("red", 6, 6, 2, 1).keeps(6, 6, 2, 1)
    assert (
        day.asks == "Ben: throw the two highest dice of both sides together, white 5 and 5 with red 6 and 6."
    )
    assert day.prompt.to_json()["dice"] == [{"colour": "white", "count": 2}, {"colour": "red", "count": 2}]
    assert "Wrong colour" in day.refuses_answer(_dice(("white", 1), ("white", 2), ("white", 3), ("red", 4)))
    day.throws_dice(("red", 2), ("white", 6), ("red", 3), ("white", 1))
    assert "Now Ann has 12, and Ben 8." in day.rulings
    assert (day.value("tug"), day.value("tug", "Ben")) == ("12", "0")


def test_tug_with_different_colours_both_players_choose() -> None:
    day = (
        before_the_tug_with_own_dice().chooses("green").throws_coloured("green", 5, 5, 4, 1).keeps(5, 5, 4, 1)
    )
    assert day.options == ["white", "red"]


def before_a_sudden_death() -> GamesDay:
    """Ann has 5-5-4-1 in white, and Ben 6-6-2-1 in red: each keeps two dice, of 5 and of 3 points."""
    day = before_the_tug_with_own_dice().chooses("white").throws_coloured("white", 5, 5, 4, 1)
    return day.keeps(5, 5, 4, 1).throws_coloured("red", 6, 6, 2, 1).keeps(6, 6, 2, 1)


@pytest.mark.parametrize(
    ("dice", "ann", "ben"),
    [
        ([("red", 2), ("white", 6), ("red", 3), ("white", 1)], 12, 8),
        ([("red", 2), (None, 6), ("red", 3), (None, 1)], 12, 8),
        ([("white", 2), ("white", 6), (None, 3), ("red", 1)], 13, 7),
        ([(None, 2), (None, 2), (None, 2), ("white", 6)], 13, 7),
    ],
)
def test_tug_dice_of_a_sudden_death_belong_to_the_side_of_their_colour(
    dice: list[tuple[str | None, int]], ann: int, ben: int
) -> None:
    day = before_a_sudden_death().throws_dice(*dice)
    assert f"Now Ann has {ann}, and Ben {ben}." in day.rulings
    assert not any("Not every colour was seen" in ruling for ruling in day.rulings)


def test_tug_a_sudden_death_says_which_unseen_dice_it_took_for_whose() -> None:
    day = before_a_sudden_death().throws_dice((None, 2), ("white", 6), (None, 3), (None, 1))
    guessed = "Not every colour was seen: taken as white 2, red 3 and red 1. "
    assert f"{guessed}If that is wrong, correct the throw." in day.rulings
    assert "Now Ann has 13, and Ben 7." in day.rulings


def test_h21_the_two_highest_dice_are_thrown_in_sudden_death() -> None:
    side = Side("Ann", ClanSet(None, "the first four dice"), (4, 1, 4, 3))
    assert side.highest == (4, 4)
    assert side.lowest == (1, 3)


# -- breaks, totals and whole days ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("totals", "expected"),
    [
        ((126, 111, 83), [1, 2, 3]),
        ((94, 94, 61, 40, 40, 12), [1, 1, 3, 4, 4, 6]),
        ((75, 91, 48), [2, 1, 3]),
        ((-3, 0, -3), [2, 1, 2]),
        ((126,), [1]),
    ],
)
def test_h16_tied_totals_share_the_higher_rank(totals: tuple[int, ...], expected: list[int]) -> None:
    assert list(ranks({str(i): total for i, total in enumerate(totals)}).values()) == expected


def day_with_totals(points: list[int]) -> GamesDay:
    """Dashes, hurls and throws that give these totals after three events."""
    names = ("Ann", "Ben", "Cal", "Dee", "Eve", "Fay")[: len(points)]
    day = GamesDay(*names)
    for _ in names:
        day.runs(0)
    for p in points:
        day.hurls(*[20] * (p // 30), *[0] * (3 - p // 30))
    for p in points:
        rest = p - 20 * (p // 30)
        day.swings(0, *((rest - rest // 2, rest // 2) if rest > 20 else (rest, 0)))
    return day


def test_h16_a_break_awards_pips_by_rank_up_to_five() -> None:
    day = day_with_totals([94, 94, 61, 40, 40, 12])
    awarded = [r for r in day.rulings if r.startswith("Break")]
    assert awarded == [
        "Break: Ann is 1st with 94 and gets 1 pip.",
        "Break: Ben is 1st with 94 and gets 1 pip.",
        "Break: Cal is 3rd with 61 and gets 3 pips.",
        "Break: Dee is 4th with 40 and gets 4 pips.",
        "Break: Eve is 4th with 40 and gets 4 pips.",
        "Break: Fay is 6th with 12 and gets 5 pips.",
    ]
    assert [day.value("break_1", p) for p in ("Ann", "Cal", "Fay")] == ["1", "3", "5"]
    assert day.so_far == "The break: 1st with 94, 1 pip"
    day.chooses("10")
    assert not day.so_far.startswith("The break")


@pytest.mark.parametrize(("bonus", "pips"), [(1, "1 pip"), (0, "no pips"), (4, "4 pips")])
def test_h17_a_lone_player_gets_the_solo_bonus(bonus: int, pips: str) -> None:
    day = GamesDay("Ann", solo_bonus=bonus).runs(15).hurls(0, 0, 0).swings(0, 0, 0)
    assert day.asks == f"Ann: Sheaf Toss, you have {pips}: at which height do you start?"


def test_h17_the_solo_bonus_is_1_by_default_and_at_most_5() -> None:
    setting = next(s for s in HIGHLAND.settings if s.name == "solo_bonus")
    assert setting.default == 1
    assert sorted(int(v) for v in setting.values) == [0, 1, 2, 3, 4, 5]


def test_a_lone_player_plays_the_whole_day() -> None:
    day = GamesDay("Ann")
    day.throws(5, 3, 2, 6).keeps(3, 2).throws(1, 3).keeps(1, 2).throws(1, 2)
    day.throws(2, 2, 6, 5).keeps(6, 5).throws(6, 1).keeps(6, 6, 5).throws(4)
    day.throws(1, 3, 3, 4, 4, 5, 6, 6).chooses("4-5-6").throws(4).throws(2, 4, 5, 6).chooses("keep")
    day.throws(1, 1, 2, 2, 4, 4, 5, 5)
    day.throws(1, 2, 3, 4, 4, 5, 6, 6).chooses("4-5-6").throws(6).throws(6, 6, 5, 3).chooses("again").throws(
        2, 3, 1, 5
    )
    day.throws(1, 1, 4, 5).keeps(5).throws(1, 2, 6).chooses("throw").throws(2, 3, 5, 6).keeps(5).throws(
        5, 6, 6
    )
    day.throws(1, 1, 5, 4).keeps(1, 1, 5, 4).chooses("score")
    day.throws(6, 6, 3, 4).keeps(6, 6, 3, 4).chooses("throw").throws(6, 6, 5, 2).keeps(6, 6, 5, 2)
    assert day.scores == {"Ann": 126}
    assert "Break: Ann is 1st with 126 and gets 1 pip." in day.rulings
    day.chooses("16")
    for pair in ((3, 4), (5, 2), (4, 5)):
        throws_pair(day, *pair)
    throws_pair(day, 4, 4).chooses("decider").throws(3)
    throws_pair(day, 4, 5).chooses("spend")
    throws_pair(day, 2, 2)
    throws_pair(day, 3, 3)
    throws_pair(day, 5, 5).throws(6)
    assert [day.value(box) for box in ("sheaf", "morning_events", "morning_pips", "morning")] == [
        "24",
        "150",
        "0",
        "150",
    ]
    day.throws(6, 5).chooses("throw").throws(4, 4).chooses("throw").throws(6, 3).chooses("stop")
    day.throws(5, 3).chooses("throw").throws(2, 2).chooses("throw").throws(6, 6)
    day.throws(6, 4).chooses("throw").throws(5, 4).chooses("throw").throws(6, 5).chooses("throw").throws(3, 2)
    day.throws(3, 3, 4, 4).throws(6, 6, 3, 3).throws(2, 2, 2, 3).throws(6, 3, 3, 3).throws(2, 2, 3, 3).throws(
        6, 5, 1, 1
    )
    assert (day.value("shot"), day.value("caber"), day.value("two_events"), day.value("break_2")) == (
        "35",
        "40",
        "75",
        "1",
    )
    day.chooses("20")
    for pair in ((4, 4), (2, 2), (1, 2), (3, 4)):
        throws_pair(day, *pair)
    assert day.value("weight") == "20"
    day.throws(3, 4, 4, 5).throws(2, 6, 3, 5).keeps(6, 5).throws(6, 1).keeps(6, 6, 5).throws(4)
    assert [day.value(box) for box in ("tug", "afternoon_events", "afternoon_pips", "afternoon")] == [
        "21",
        "116",
        "5",
        "121",
    ]
    assert (day.value("final_morning"), day.value("final_afternoon"), day.value("final")) == (
        "150",
        "121",
        "271",
    )
    assert day.scores == {"Ann": 271}
    assert day.winners == ("Ann",)
    assert day.outcome.reason == "Ann ends the day with 271 points."


def test_three_players_play_the_whole_day() -> None:
    day = GamesDay("A", "B", "C")
    day.runs(15).runs(10).runs(-2)
    day.hurls(24, 0, 20).hurls(20, 20, 21).hurls(10, 20, 0)
    _swing_for_67(day)
    day.swings(40, 0, 0).swings(20, 20, 15)
    assert [r for r in day.rulings if r.startswith("Break")] == [
        "Break: A is 1st with 126 and gets 1 pip.",
        "Break: B is 2nd with 111 and gets 2 pips.",
        "Break: C is 3rd with 83 and gets 3 pips.",
    ]
    day.tosses(24, pips=1).tosses(22).tosses(26, pips=2)
    assert [day.value("morning", p) for p in "ABC"] == ["150", "143", "114"]
    day.throws(6, 4).chooses("throw").throws(5, 4).chooses("throw").throws(6, 5).chooses("throw").throws(3, 2)
    day.puts(3, 3)
    day.throws(6, 6).chooses("spend").chooses("throw").throws(6, 4).chooses("throw").throws(6, 4).chooses(
        "stop"
    ).puts(3, 3)
    day.throws(6, 4).chooses("throw").throws(6, 3).chooses("throw").throws(6, 3).chooses("stop").puts(3, 3)
    day.flips(7, 3, 7).flips(2, 7, 7).flips(4, 7, 7)
    assert [day.value("two_events", p) for p in "ABC"] == ["75", "91", "48"]
    assert [day.value("break_2", p) for p in "ABC"] == ["2", "1", "3"]
    assert [r for r in day.rulings if r.startswith("Break")][3:] == [
        "Break: A is 2nd with 75 and gets 2 pips.",
        "Break: B is 1st with 91 and gets 1 pip, 2 in all.",
        "Break: C is 3rd with 48 and gets 3 pips, 4 in all.",
    ]
    day.tosses(20).tosses(24, pips=1).tosses(22, pips=3)
    assert "Tug of War by the totals so far: B 258, A 245 and C 184." in day.rulings
    day.pulls(17, 19).pulls(18, 15).pulls(20, 22)
    assert [day.value("tug", p) for p in "ABC"] == ["19", "18", "22"]
    assert [day.value("afternoon", p) for p in "ABC"] == ["124", "138", "97"]
    assert day.scores == {"A": 274, "B": 281, "C": 211}
    assert [day.value("final", p) for p in "ABC"] == ["274", "281", "211"]
    assert day.winners == ("B",)
    assert day.outcome.reason == "B wins the day with 281 points."


def _swing_for_67(day: GamesDay) -> None:
    day.throws(1, 2, 5, 6).keeps(1, 2, 5, 6).chooses("throw").throws(5, 5, 6, 6).keeps(5, 5, 6, 6)
    day.swings(0)
    day.throws(6, 6, 3, 4).keeps(6, 6, 3, 4).chooses("throw").throws(6, 6, 5, 2).keeps(6, 6, 5, 2)


def test_h18_unspent_pips_count_in_the_morning_and_at_the_end() -> None:
    day = before_the_tug("Ann", "Ben")
    assert [day.value("morning_pips", p) for p in ("Ann", "Ben")] == ["5", "10"]
    day.pulls(10, 9)
    # the second break adds one pip each: both have put 3, so both are first
    assert [day.value("break_2", p) for p in ("Ann", "Ben")] == ["1", "1"]
    assert [day.value("afternoon_pips", p) for p in ("Ann", "Ben")] == ["10", "15"]


def test_h26_a_tie_for_the_day_is_a_joint_win() -> None:
    day = GamesDay("Ann", "Ben").runs(12).runs(2)
    for _ in range(2):
        day.hurls(0, 0, 0)
    for _ in range(2):
        day.swings(0, 0, 0)
    # Ann has 12 and 1 pip, Ben has 2 and 2 pips: 17 and 12
    day.tosses(10).tosses(10).puts(3, 3, 3).puts(8, 8, 8).flips(7, 7, 7).flips(7, 7, 7)
    # Ann has 27 + 3 and 3 pips, Ben has 22 + 8 and 3 pips
    day.tosses(10).tosses(20)
    # Ben has 50 and pulls first, Ann has 40 and wins with 10
    assert day.says == "Tug of War: Ben against Ann."
    day.pulls(9, 10)
    assert day.scores["Ann"] == day.scores["Ben"]
    assert day.winners == ("Ann", "Ben")
    assert day.outcome.reason == f"Ann and Ben win the day together with {day.scores['Ann']} points."


def test_g8_the_highest_die_begins_and_all_events_keep_the_order() -> None:
    night = Night("highland", "Ann", "Ben", "Cal").throws_each(2, 5, 5).throws_each(1, 6)
    assert night.says == "Cal begins."
    order = []
    for _ in range(3):
        order.append(night.turn)
        night.throws(1, 1, 1, 1).keeps(1, 1, 1, 1).throws(6, 6, 6, 6).keeps(6, 6, 6, 6)
    assert order == ["Cal", "Ann", "Ben"]
    assert night.asks == "Cal: throw all eight dice for Haggis Hurl, attempt 1 of 3."


def test_a_lone_player_does_not_throw_for_the_start() -> None:
    assert Night("highland", "Ann").asks == "Ann: throw the first four dice for Farmer's Dash, low is good."


@pytest.mark.parametrize(
    "seats",
    [
        ("Ann:green+white", "Ben:white+green"),
        ("Ann:green+white", "Ben:red"),
        ("Ann", "Ben"),
        ("Ann:green+green", "Ben:red+white"),
    ],
)
def test_the_same_pair_of_colours_or_one_colour_is_refused(seats: tuple[str, ...]) -> None:
    with pytest.raises(UnreadableAnswer, match="no two players the same two"):
        Night("highland", *seats, dice="own")


def test_two_players_can_share_one_colour() -> None:
    assert Night("highland", "Ann:green+white", "Ben:red+white", dice="own").awaits == "roll 1"


def test_every_box_is_filled_once_and_the_lines_add_up() -> None:
    day = before_the_tug("Ann", "Ben").pulls(10, 9)
    boxes = [row.box for row in HIGHLAND.form if not row.heading]
    for player in ("Ann", "Ben"):
        lines = [line for line in day.match.view().sheet if line.player == player]
        assert sorted(line.box for line in lines) == sorted(boxes)
        assert str(sum(line.points for line in lines)) == day.value("final", player)


def test_spending_more_pips_than_there_are_is_refused() -> None:
    pips = Pips(Table((Seat("Ann"),), {}))
    pips.award("Ann", 2)
    with pytest.raises(BrehonError, match="has 2 pips and cannot spend 3"):
        pips.spend("Ann", 3, "too much")
    with pytest.raises(BrehonError, match="cannot spend 0"):
        pips.spend("Ann", 0, "nothing")
    assert pips.left("Ann") == 2


@pytest.mark.parametrize(
    ("n", "text"), [(1, "1st"), (2, "2nd"), (3, "3rd"), (4, "4th"), (10, "10th"), (11, "11th"), (22, "22nd")]
)
def test_ordinals_have_their_english_suffix(n: int, text: str) -> None:
    assert ordinal(n) == text


# -- random days ---------------------------------------------------------------------------------------------

MAX_VALUES = {
    "dash": 20,
    "haggis_1": 39,
    "hammer_1": 40,
    "sheaf": 34,
    "shot": 44,
    "caber": 100,
    "weight": 34,
    "tug": 24,
}


@settings(max_examples=25, deadline=None)
@given(
    seed=integers(0, 10**9),
    players=integers(1, 6),
    own=booleans(),
    chosen=fixed_dictionaries({s.name: sampled_from([str(v) for v in s.values]) for s in HIGHLAND.settings}),
)
def test_the_sheet_and_pips_of_any_random_day_add_up(
    seed: int, players: int, own: bool, chosen: dict[str, str]
) -> None:
    unused = "tug_format" if players == 1 else "solo_bonus"
    given = {name: value for name, value in chosen.items() if name != unused}
    match = Match(HIGHLAND, make_seats(players, colours=own), {**given, "dice": "own" if own else "any"})
    play_to_end(match, Random(seed), 5000)
    view = match.view()
    assert view.outcome is not None
    best = max(view.scores.values())
    assert view.outcome.winners == tuple(p for p, total in view.scores.items() if total == best)
    for player, total in view.scores.items():
        lines = [line for line in view.sheet if line.player == player]
        box = {line.box: int(line.points if line.value is None else line.value) for line in lines}
        assert len(box) == len(lines) == sum(not row.heading for row in HIGHLAND.form)
        assert all(box[name] <= limit for name, limit in MAX_VALUES.items())
        assert box["final"] == box["morning"] + box["afternoon"] == total
        assert box["morning"] == box["three_events"] + box["sheaf"] + box["morning_pips"]
        assert box["three_events"] == box["dash"] + box["haggis"] + box["hammer"]
        assert box["two_events"] == box["shot"] + box["caber"]
        assert box["afternoon"] == box["two_events"] + box["weight"] + box["tug"] + box["afternoon_pips"]
        assert box["shot"] == max(box[f"shot_{n}"] for n in (1, 2, 3))
        assert box["caber"] == max(box[f"caber_{n}"] for n in (1, 2, 3))
        spent = sum(int(r.text.split()[2]) for r in view.rulings if r.text.startswith(f"{player} spends"))
        assert box["break_1"] + box["break_2"] - spent == box["afternoon_pips"] // 5
        assert box["break_1"] >= box["morning_pips"] // 5 >= 0
