"""The coach's odds for three games, compared with the counts of test_figures and with the games."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement, product

import pytest

from table.games.five_dice import DICE, five_dice_score, scores_at_all, why_not_set_aside
from table.games.ship_captain_crew import board
from table.odds import five_dice, midnight, ship_captain_crew
from table.odds.five_dice_turns import Aim, Turn, throwing
from table.odds.throws import Dice, throws
from table.rules import words
from table.rules.accounts import Valued, valued
from table.rules.best_play import Advice, no_odds
from table.rules.prompts import Choose, Keep, Odds, Option
from tests.games.night import Night
from tests.games.test_figures import BUSTS, best_midnight_mean, cargo_mean, crew_within

# -- 5 Dice --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("n", "bust"), list(enumerate(BUSTS, start=1)))
def test_five_dice_the_risk_of_throwing_on_is_the_known_one(n: int, bust: Fraction) -> None:
    risk, *_ = five_dice.of_throwing_on(Turn(Aim(), five_dice_score), 500, n)
    assert risk == Odds(f"nothing scores in {words.dice(n)}, and the turn is lost", bust)


def test_five_dice_the_coach_gives_odds_for_stop_and_throw_on() -> None:
    night = Night("five_dice", "Ann", "Ben", start="Ann", entry=0)
    night.throws(1, 1, 1, 5, 2, 3).keeps(1, 1, 1).chooses("throw_on")
    night.throws(5, 2, 3).keeps(5)
    assert night.odds == {
        "nothing scores in two dice, and the turn is lost": Fraction(4, 9),
        "at the end of the turn, on average, if you stop": 1050,
        "if you throw two dice": throwing(1050, 2, Aim(), five_dice_score),
    }


def test_five_dice_below_the_entry_the_coach_says_that_nothing_counts() -> None:
    """As seen at a table: the rows praised 3-3-3, which cannot stop, above the 5 that is best."""
    night = Night("five_dice", "Ann", "Ben", start="Ann").throws(6, 5, 3, 3, 3, 5)
    first, second, *_ = night.odds
    assert first == "at the end of the turn, on average (less than 1,000 counts as 0), if you keep 5"
    assert second.startswith("if you keep ")


def test_five_dice_the_coach_counts_six_dice_after_all_are_aside() -> None:
    turn = Turn(Aim(), five_dice_score)
    first, *_ = five_dice.of_the_keeps(turn, 300, 4, (1, 5))
    assert first.text == "at the end of the turn, on average, if you keep 1 and 5"
    assert first.value == throwing(450, 6, Aim(), five_dice_score)


def test_five_dice_the_coach_lists_only_scoring_keeps() -> None:
    lines = five_dice.of_the_keeps(Turn(Aim(), five_dice_score), 0, 0, (1, 2, 2, 3, 4, 6))
    assert [o.text for o in lines] == ["at the end of the turn, on average, if you keep 1"]


def test_five_dice_in_the_last_round_the_rows_are_chances() -> None:
    rows = five_dice.of_throwing_on(Turn(Aim(to_pass=300), five_dice_score), 250, 2)
    assert [(row.text, row.points) for row in rows[1:]] == [
        ("the best score is passed if you throw two dice", False),
        ("if you stop", False),
    ]
    assert rows[2].value == 0


AIMS = (Aim(1000), Aim(), Aim(most=700), Aim(to_pass=400))


@pytest.mark.parametrize("aim", AIMS, ids=str)
def test_five_dice_the_highest_row_is_the_best_play(aim: Aim) -> None:
    """For every throw of every number of dice, early and late in a turn, and for every choice."""
    turn = Turn(aim, five_dice_score)
    for points, n in product((0, 350, 950), range(1, 7)):
        keeping = Advice(no_odds, turn.kept(points, DICE - n))
        for dice in (thrown for thrown, _ in throws(n) if scores_at_all(thrown)):
            keep = Keep("Ann", "", dice, why_not_set_aside, coach=keeping)
            assert_rows_agree(five_dice.of_the_keeps(turn, points, DICE - n, dice), valued(keep))
        if points >= aim.least:
            options = Option("stop", "Stop"), Option("throw_on", f"Throw {words.dice(n)}")
            choice = Choose("Ann", "", options, coach=Advice(no_odds, turn.chosen(points, n)))
            assert_rows_agree(five_dice.of_throwing_on(turn, points, n)[1:], valued(choice))


def assert_rows_agree(rows: Sequence[Odds], best_first: Sequence[Valued]) -> None:
    """The rows are the first of the answers that best play values, in its order and with its numbers."""
    told = best_first[: len(rows)]
    assert len(rows) == min(len(best_first), five_dice.MAX_KEEPS_SHOWN)
    assert [row.value for row in rows] == [answer.worth for answer in told]
    assert all(row.text.endswith(f"if you {answer.text}") for row, answer in zip(rows, told, strict=True))


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
        lambda: five_dice.of_the_keeps(Turn(Aim(1000), five_dice_score), 0, 0, (1, 1, 1, 5, 5, 5)),
        lambda: ship_captain_crew.of_the_crew(3, (), board),
    ],
)
def test_the_coach_answers_from_its_cache_within_20_ms(coach: Callable[[], object]) -> None:
    """The first call fills the cache. Half a second would be noticed even on a slow board."""
    coach()
    start = time.process_time()
    coach()
    assert time.process_time() - start < 0.02
