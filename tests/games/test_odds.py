"""The coach's odds for three games, compared with the counts of test_figures and with the games."""

from __future__ import annotations

import time
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement

import pytest

from table.games.five_dice import best_score, five_dice_score
from table.games.ship_captain_crew import board
from table.odds import five_dice, midnight, ship_captain_crew
from table.odds.throws import Dice, throws
from table.rules.prompts import Odds
from tests.games.night import Night
from tests.games.test_figures import BUSTS, best_midnight_mean, cargo_mean, crew_within

# -- 5 Dice --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("n", "bust"), list(enumerate(BUSTS, start=1)))
def test_five_dice_the_risk_and_gain_of_throwing_on_match_a_count(n: int, bust: Fraction) -> None:
    risk, gained = five_dice.of_throwing_on(500, n, best_score)
    assert risk.value == bust
    assert gained.value == sum(p * (best_score(dice) or -500) for dice, p in throws(n))


def test_five_dice_one_more_die_is_a_loss_with_50_points() -> None:
    """A 1 brings 100 and a 5 brings 50, each once in six: 25 on average.

    Two times in three the turn is lost.
    """
    assert five_dice.gain(0, 1, best_score) == 25
    assert five_dice.gain(50, 1, best_score) < 0


def test_five_dice_the_coach_gives_odds_for_stop_and_throw_on() -> None:
    night = Night("five_dice", "Ann", "Ben", start="Ann", entry=0)
    night.throws(1, 1, 1, 5, 2, 3).keeps(1, 1, 1).chooses("throw_on")
    night.throws(5, 2, 3).keeps(5)
    assert night.odds == {
        "nothing scores, and the turn is lost": Fraction(4, 9),
        "gained by one more throw, on average": five_dice.gain(1050, 2, best_score),
    }


def test_five_dice_the_coach_lists_the_best_keeps_first() -> None:
    night = Night("five_dice", "Ann", "Ben", start="Ann", entry=0).throws(1, 1, 1, 5, 2, 3)
    lines = night.odds
    assert next(iter(lines)) == "the turn with 1-1-1 aside and one more throw of three dice, on average"
    assert len(lines) == five_dice.MAX_KEEPS_SHOWN
    assert list(lines.values()) == sorted(lines.values(), reverse=True)
    assert lines[
        "the turn with 1-1-1 aside and one more throw of three dice, on average"
    ] == 1000 + five_dice.gain(1000, 3, best_score)


def test_five_dice_the_coach_counts_six_dice_after_all_are_aside() -> None:
    lines = five_dice.of_the_keeps(300, 4, (1, 5), five_dice_score, best_score)
    mean = 450 + five_dice.gain(450, 6, best_score)
    assert (
        Odds("the turn with 1-5 aside and one more throw of six dice, on average", mean, points=True) in lines
    )


def test_five_dice_the_coach_lists_only_scoring_keeps() -> None:
    lines = five_dice.of_the_keeps(0, 0, (1, 2, 2, 3, 4, 6), five_dice_score, best_score)
    assert [o.text for o in lines] == ["the turn with 1 aside and one more throw of five dice, on average"]


# -- Midnight ------------------------------------------------------------------------------------------------


def any_score(score: int) -> int:
    return int(score > 0)


def score_itself(score: int) -> int:
    return score


@cache
def counted_mean(worth: Callable[[int], int], kept: Dice) -> Fraction:
    return best_midnight_mean(worth, kept)


def test_midnight_the_odds_of_a_whole_turn_have_their_known_values() -> None:
    qualifies, score = midnight.of_a_throw(())
    assert float(qualifies.value) == pytest.approx(0.956727, abs=5e-7)
    assert float(score.value) == pytest.approx(18.676337, abs=5e-7)
    assert score.value == counted_mean(score_itself, ())


@pytest.mark.parametrize(
    "kept", [d for n in range(3, 7) for d in combinations_with_replacement(range(1, 7), n)][::3]
)
def test_midnight_optimal_play_matches_a_count_of_every_keep(kept: Dice) -> None:
    """The coach looks only at keeps that can be best, and the count looks at all.

    Every third set of three or more dice.
    """
    assert midnight.score_after(kept) == counted_mean(score_itself, kept)
    assert midnight.chance_after(kept) == counted_mean(any_score, kept)


@pytest.mark.parametrize("kept", [(2,), (6,), (1, 6), (4, 5), (3, 6), (1, 4)])
def test_midnight_optimal_play_matches_a_count_early_in_the_turn(kept: Dice) -> None:
    assert midnight.score_after(kept) == counted_mean(score_itself, kept)
    assert midnight.chance_after(kept) == counted_mean(any_score, kept)


def test_midnight_the_coach_gives_odds_for_a_throw_and_a_keep() -> None:
    night = Night("midnight", "Ann", "Ben", start="Ann")
    assert night.prompt.odds == midnight.of_a_throw(())
    night.throws(6, 6, 3, 2, 4, 1)
    lines = night.odds
    assert list(lines) == [
        "a 1 and a 4 in the end, if that is played for",
        "score with 6-6-4-1 kept, on average",
        "score with 6-4-1 kept, on average",
        "score with 4-1 kept, on average",
    ]
    assert lines["a 1 and a 4 in the end, if that is played for"] == 1
    assert lines["score with 6-6-4-1 kept, on average"] == midnight.score_after((6, 6, 4, 1))


def test_midnight_the_first_listed_keep_is_the_best() -> None:
    for kept, dice in (
        ((), (6, 6, 6, 3, 2, 1)),
        ((6, 6), (6, 4, 2, 2)),
        ((4, 6, 6), (5, 3, 2)),
        ((1, 4), (6, 6, 5, 5)),
    ):
        best = max(midnight.score_after((*kept, *part)) for part in every_part(dice))
        assert midnight.of_the_keeps(kept, dice)[1].value == best


def every_part(dice: Dice) -> list[Dice]:
    return [tuple(d for i, d in enumerate(dice) if mask >> i & 1) for mask in range(1, 2 ** len(dice))]


def test_midnight_one_die_left_cannot_give_both_a_1_and_a_4() -> None:
    assert [o.value for o in midnight.of_a_throw((2, 3, 5, 6, 6))] == [0, 0]


# -- Ship, Captain, Crew -------------------------------------------------------------------------------------


@pytest.mark.parametrize("aside", [(), (6,), (6, 5), (6, 5, 4)])
@pytest.mark.parametrize("left", [1, 2, 3])
def test_ship_captain_crew_the_odds_of_crew_and_cargo_match_a_count(left: int, aside: Dice) -> None:
    assert ship_captain_crew.crew_within(left, aside, board) == crew_within(left, aside)
    assert ship_captain_crew.brought_home(left, aside, board) == cargo_mean(left, aside, True)


def test_ship_captain_crew_the_odds_of_a_whole_turn_have_their_known_values() -> None:
    assert ship_captain_crew.crew_within(1, (), board) == Fraction(205, 1296)
    assert float(ship_captain_crew.crew_within(3, (), board)) == pytest.approx(0.539975, abs=5e-7)
    assert float(ship_captain_crew.brought_home(3, (), board)) == pytest.approx(4.084580, abs=5e-7)


def test_ship_captain_crew_the_coach_gives_odds_for_crew_and_cargo() -> None:
    night = Night("ship_captain_crew", "Ann", "Ben", start="Ann")
    assert night.prompt.odds == ship_captain_crew.of_the_crew(3, (), board)
    night.throws(6, 5, 4, 3, 2)
    assert night.odds == {
        "a higher cargo with the next throw": Fraction(26, 36),
        "cargo by throwing again, on average": ship_captain_crew.cargo_of(2),
    }
    night.chooses("again")
    assert night.odds == {"brought home, on average": ship_captain_crew.cargo_of(2)}
    night.throws(3, 4)
    assert night.odds["cargo by throwing again, on average"] == 7


def test_ship_captain_crew_the_mean_cargo_of_one_and_two_throws_is_exact() -> None:
    assert ship_captain_crew.cargo_of(1) == 7
    assert ship_captain_crew.cargo_of(2) == 7 + Fraction(5 * 1 + 4 * 2 + 3 * 3 + 2 * 4 + 1 * 5, 36)


# -- all three games -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "coach",
    [
        lambda: midnight.of_a_throw(()),
        lambda: five_dice.of_the_keeps(0, 0, (1, 1, 1, 5, 5, 5), five_dice_score, best_score),
        lambda: ship_captain_crew.of_the_crew(3, (), board),
    ],
)
def test_the_coach_answers_from_its_cache_within_20_ms(coach: Callable[[], object]) -> None:
    """The first call fills the cache. Half a second would be noticed even on a slow board."""
    coach()
    start = time.process_time()
    coach()
    assert time.process_time() - start < 0.02
