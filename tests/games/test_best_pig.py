"""Best play of Pig, compared with the solution of test_figures, which shares no code with it."""

from __future__ import annotations

import time
from fractions import Fraction
from functools import cache
from itertools import product

import numpy as np
import pytest

from table.games.pig import GOAL
from table.odds import pig
from table.rules.accounts import valued, worth_of
from tests.games.night import Night
from tests.games.test_figures import optimal_play, rolling_is_best


def test_the_chances_of_two_best_players_match_another_solution() -> None:
    assert np.abs(np.array(pig.chances(GOAL)) - optimal_play()).max() < 1e-10
    assert pig.chances(GOAL)[0][0] == pytest.approx(0.5305927, abs=5e-8)


@pytest.mark.parametrize(
    ("own", "other"), [(0, 0), (41, 49), (49, 41), (70, 95), (95, 10), (99, 99), (3, 80)]
)
def test_the_best_answers_of_two_players_match_another_solution(own: int, other: int) -> None:
    wins, turn = optimal_play(), pig.Turn(own, GOAL, other, "Ben")
    for total in range(2, GOAL - own):
        assert (turn.throwing(total) > turn.holding(total)) == rolling_is_best(wins, own, other, total)


def test_two_players_are_told_what_the_other_choice_costs() -> None:
    night = Night("pig", "Ann", "Ben", start="Ann").throws(5)
    best, other = valued(night.prompt)
    assert (best.text, other.text) == ("throw again", "hold 5")
    assert float(other.worth) == pytest.approx(1 - optimal_play()[0, 5], abs=1e-10)
    assert night.prompt.best_play is not None
    assert night.prompt.best_play.against == "Ben"


def test_more_players_are_told_the_points_of_a_turn() -> None:
    """The known mean of a turn of players who hold at 20."""
    night = Night("pig", "Ann", "Ben", "Cal", start="Ann")
    assert night.prompt.best_play is not None
    assert float(worth_of(night.prompt, night.prompt.best_play)) == pytest.approx(8.141795, abs=5e-7)


@pytest.mark.parametrize("needed", [1, 2, 5, 12, 20, 30])
def test_the_points_of_a_turn_match_every_policy_that_holds_at_a_total(needed: int) -> None:
    """A hold depends on the total of the turn alone, so the best policy of all has one total to hold at."""

    @cache
    def mean(hold: int, total: int) -> Fraction:
        if total >= min(hold, needed):
            return Fraction(min(total, needed))
        return sum((mean(hold, total + face) for face in range(2, 7)), Fraction(0)) / 6

    assert pig.Turn(GOAL - needed, GOAL).throwing(0) == max(mean(hold, 0) for hold in range(1, needed + 1))


def test_the_first_answer_takes_under_two_seconds_and_later_ones_a_fiftieth() -> None:
    """Processor time, with room for a busy machine: 0.4 s and 1 ms were measured."""
    pig.chances.cache_clear()
    pig._turn.cache_clear()
    start = time.process_time()
    pig.chances(GOAL)
    solved = time.process_time()
    for own, other in product(range(0, GOAL, 10), repeat=2):
        turn = pig.Turn(own, GOAL, other, "Ben")
        assert 0 <= turn.throwing(2) <= 1
    assert solved - start < 2
    assert (time.process_time() - solved) / 100 < 0.02
