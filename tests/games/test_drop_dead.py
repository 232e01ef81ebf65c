"""Drop Dead: turns, rulings, fouls and figures."""

from __future__ import annotations

from fractions import Fraction
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from table.games.drop_dead import DICE, drop_dead_score
from table.odds import drop_dead as odds
from table.odds.throws import throws
from tests.games.night import Night


def drop_dead(*players: str) -> Night:
    """The first player begins."""
    players = players or ("Ann", "Ben")
    return Night("drop_dead", *players, start=players[0])


def drops_dead_at_once(night: Night) -> Night:
    """A turn that scores nothing."""
    return night.throws(2, 2, 5, 5, 5)


def throws_all(night: Night, *throws: tuple[int, ...]) -> Night:
    """A turn with these throws."""
    for dice in throws:
        night.throws(*dice)
    return night


# -- turns of the rulebook -----------------------------------------------------------------------------------


def test_a_turn_of_six_throws_scores_43() -> None:
    night = drop_dead()
    assert night.asks == "Ann: throw five dice."
    night.throws(1, 3, 4, 6, 6)
    assert night.so_far == "20 so far; five dice left"
    night.throws(2, 3, 5, 1, 4)
    assert night.says == "2 and 5 are out: three dice left."
    assert night.so_far == "20 so far; three dice left"
    assert night.asks == "Ann: throw three dice."
    night.throws(3, 4, 6)
    assert night.so_far == "33 so far; three dice left"
    night.throws(1, 1, 2)
    assert night.says == "2 is out: two dice left."
    night.throws(6, 4).throws(5, 5)
    assert night.says == "5 and 5 are out: Ann drops dead."
    assert night.sheet == [("Ann", 43, "20 + 13 + 10, then dropped dead")]
    assert night.so_far == ""
    assert night.asks == "Ben: throw five dice."


def test_five_deadly_dice_at_once_score_nothing() -> None:
    night = drops_dead_at_once(drop_dead())
    assert night.says == "2, 2, 5, 5 and 5 are out: Ann drops dead."
    assert night.sheet == [("Ann", 0, "dropped dead, and no throw scored")]


@pytest.mark.parametrize(
    ("throws", "total"),
    [
        ([(6, 6, 6, 6, 6), (2, 1, 1, 1, 1), (3, 3, 4, 4), (5, 5, 2, 6), (6,), (2,)], 50),
        ([(1, 2, 3, 4, 6), (1, 1, 1, 1), (2, 5, 2, 3), (4,), (4,), (5,)], 12),
        ([(3, 3, 3, 3, 3), (2, 5, 2, 5, 2)], 15),
        ([(2, 2, 5, 5, 5)], 0),
    ],
)
def test_the_turns_of_the_rulebook_have_its_totals(throws: list[tuple[int, ...]], total: int) -> None:
    night = throws_all(drop_dead(), *throws)
    assert night.scores == {"Ann": total, "Ben": 0}
    assert night.turn == "Ben"


# -- rulings -------------------------------------------------------------------------------------------------


def test_x1_stopping_before_dropping_dead_is_refused() -> None:
    night = drop_dead().throws(6, 6, 6, 6, 6)
    assert night.refuses_choice("stop") == "A throw is expected, not a choice. Ann: throw five dice."


def test_x2_a_throw_with_a_2_or_a_5_scores_nothing() -> None:
    assert throws_all(drop_dead(), (6, 6, 6, 6, 2), (5, 5, 5, 5)).scores["Ann"] == 0


def test_x3_the_last_die_is_removed_like_the_others() -> None:
    night = throws_all(drop_dead(), (1, 2, 2, 5, 5), (6,), (6,))
    assert night.awaits == "roll 1"
    assert night.turn == "Ann"
    night.throws(5)
    assert night.says == "5 is out: Ann drops dead."
    assert night.sheet == [("Ann", 12, "6 + 6, then dropped dead")]


def test_x4_players_tied_for_the_highest_score_win_jointly() -> None:
    night = drop_dead("Ann", "Ben", "Cal")
    throws_all(night, (1, 3, 4, 6, 6), (2, 3, 5, 1, 4), (3, 4, 6), (1, 1, 2), (6, 4), (5, 5))
    for _ in range(2):
        throws_all(night, (6, 6, 6, 6, 6), (2, 1, 1, 1, 1), (3, 3, 4, 4), (5, 5, 2, 6), (6,), (2,))
    assert night.scores == {"Ann": 43, "Ben": 50, "Cal": 50}
    assert night.winners == ("Ben", "Cal")
    assert night.outcome.reason == "Ben and Cal tie with 50: joint winners."


def test_x4_all_players_tie_when_nobody_scores() -> None:
    night = drops_dead_at_once(drops_dead_at_once(drop_dead()))
    assert night.winners == ("Ann", "Ben")
    assert night.outcome.reason == "Ann and Ben tie with 0: joint winners."


def test_x5_the_highest_die_begins_and_play_goes_clockwise() -> None:
    night = Night("drop_dead", "Ann", "Ben", "Cal").throws_each(2, 5, 5).throws_each(3, 4)
    turns = []
    while not night.over:
        turns.append(night.turn)
        drops_dead_at_once(night)
    assert turns == ["Cal", "Ann", "Ben"]


def test_x6_a_game_is_one_turn_for_each_player() -> None:
    night = drops_dead_at_once(throws_all(drop_dead(), (6, 6, 6, 6, 6), (2, 2, 2, 2, 2)))
    assert night.winners == ("Ann",)
    assert night.outcome.reason == "Ann wins with 30."
    assert night.refuses_throw(1, 1, 1, 1, 1) == "The game is over. Start a new game."


def test_a_lone_player_plays_for_a_high_score() -> None:
    night = Night("drop_dead", "Ann")
    assert night.asks == "Ann: throw five dice."
    throws_all(night, (6, 6, 6, 6, 6), (2, 2, 2, 2, 2))
    assert night.winners == ("Ann",)
    assert night.outcome.reason == "Ann scores 30."


# -- fouls ---------------------------------------------------------------------------------------------------


def test_foul_throwing_a_removed_die_again() -> None:
    night = drop_dead().throws(2, 3, 5, 1, 4)
    assert night.prompt.to_json()["beside"] == [2, 5]
    assert night.refuses_throw(1, 1, 1, 1) == "Three dice expected, four dice came. Ann: throw three dice."


def test_foul_throwing_with_a_die_that_must_be_removed() -> None:
    night = drop_dead().throws(2, 3, 5, 1, 4)
    assert night.refuses_throw(1, 1, 1, 2, 5) == "Three dice expected, five dice came. Ann: throw three dice."


def test_foul_throwing_fewer_dice_than_are_left() -> None:
    assert drop_dead().refuses_throw(6, 6) == "Five dice expected, two dice came. Ann: throw five dice."


def test_a_correction_that_removes_dice_drops_the_later_throws() -> None:
    night = throws_all(drop_dead(), (6, 6, 6, 6, 6), (1, 1, 1, 1, 1)).corrects(0, 6, 6, 6, 6, 5)
    assert night.says.endswith(
        "to 6, 6, 6, 6 and 5. One later answer no longer fits and must be given again: "
        "Ann's throw of 1 1 1 1 1."
    )
    assert night.awaits == "roll 4"


# -- figures -------------------------------------------------------------------------------------------------


@given(st.lists(st.integers(1, 6), min_size=1, max_size=DICE))
def test_a_throw_either_scores_or_removes_dice(dice: list[int]) -> None:
    points, out = drop_dead_score(dice)
    assert bool(points) != bool(out)
    assert set(out) <= {2, 5}
    assert sorted(set(dice) - set(out)) == [f for f in (1, 3, 4, 6) if f in dice]


def test_the_mean_and_deviation_of_a_turn_are_exact() -> None:
    assert moments(DICE)[0] == Fraction(837242, 52117)
    mean, square = moments(DICE)
    assert float(square - mean**2) ** 0.5 == pytest.approx(15.9750, abs=5e-5)


def test_the_chance_of_a_turn_without_points_is_exact() -> None:
    assert float(no_points(DICE)) == pytest.approx(0.204654, abs=5e-7)


@pytest.mark.parametrize("dice", range(1, DICE + 1))
def test_the_coach_gives_the_mean_of_the_remaining_turn(dice: int) -> None:
    scores_now, to_come = odds.of_a_throw(dice)
    assert scores_now.value == sum(p for thrown, p in throws(dice) if drop_dead_score(thrown)[0])
    assert to_come.value == moments(dice)[0]
    assert to_come.points


def test_the_coach_gives_odds_for_every_throw() -> None:
    night = drop_dead()
    assert [o.to_json() for o in night.prompt.odds] == [
        {"text": "the throw scores", "value": pytest.approx((2 / 3) ** 5), "points": False},
        {"text": "still to come this turn, on average", "value": pytest.approx(16.064662), "points": True},
    ]
    night.throws(2, 2, 2, 2, 1)
    assert night.prompt.odds == odds.of_a_throw(1)


@cache
def moments(dice: int) -> tuple[Fraction, Fraction]:
    """The mean of the points that a turn with this number of dice still scores, and the mean of their square.

    The count uses the game's own scoring of every throw. Let m and s be the two means of the rest of the
    turn. A throw of p points then contributes p + m and p² + 2pm + s. After a throw that scores, the rest has
    the same means again.
    """
    if not dice:
        return Fraction(0), Fraction(0)
    mean, square, repeated, cross = Fraction(0), Fraction(0), Fraction(0), Fraction(0)
    for thrown, p in throws(dice):
        points, out = drop_dead_score(thrown)
        if out:
            m, s = moments(dice - len(out))
            mean, square = mean + p * m, square + p * s
        else:
            mean, square, repeated, cross = (
                mean + p * points,
                square + p * points**2,
                repeated + p,
                cross + 2 * p * points,
            )
    m = mean / (1 - repeated)
    return m, (square + cross * m) / (1 - repeated)


@cache
def no_points(dice: int) -> Fraction:
    """The chance that a turn with this number of dice scores no more points."""
    if not dice:
        return Fraction(1)
    return sum(
        (p * no_points(dice - len(out)) for thrown, p in throws(dice) if (out := drop_dead_score(thrown)[1])),
        Fraction(0),
    )
