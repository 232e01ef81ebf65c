"""Known figures, counted with the games' own scoring functions over all throws.

Figures are exact to the digits given, unless a test says otherwise.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from random import Random

import numpy as np
import pytest
from numpy.typing import NDArray

from table.games import game, midnight, pig, ship_captain_crew
from table.games.five_dice import best_score, five_dice_score, scores_at_all, why_not_set_aside
from table.games.midnight import midnight_score
from table.games.pig import turn_total
from table.games.ship_captain_crew import board
from table.odds.throws import Dice, keeps, throws
from table.rules.answers import Chosen, Throw
from table.rules.game import Seat
from table.rules.match import Match
from table.rules.prompts import Roll

Floats = NDArray[np.float64]
Ints = NDArray[np.int_]

# -- Pig -----------------------------------------------------------------------------------------------------


@cache
def hold_at(goal: int) -> dict[int, Fraction]:
    """The chance of each score of a turn, for a player who holds at `goal` or more."""
    chances = dict.fromkeys([0, *range(goal, goal + 6)], Fraction(0))
    running = [Fraction(1)] + [Fraction(0)] * (goal - 1)
    for total, chance in enumerate(running):
        for (die,), p in throws(1):
            new = turn_total([total, die]) if chance else 0
            if 0 < new < goal:
                running[new] += chance * p
            else:
                chances[new] += chance * p
    return chances


def test_pig_held_at_20_has_its_known_mean() -> None:
    turn = hold_at(20)
    assert sum(turn.values()) == 1
    assert float(turn[0]) == pytest.approx(0.624541, abs=5e-7)
    assert float(sum(points * p for points, p in turn.items())) == pytest.approx(8.141795, abs=5e-7)
    assert [round(float(turn[n]), 4) for n in range(20, 26)] == [
        0.0997,
        0.0950,
        0.0742,
        0.0542,
        0.0352,
        0.0172,
    ]


def test_pig_the_first_player_has_an_advantage_when_both_hold_at_20() -> None:
    assert first_player_wins()[0, 0] == pytest.approx(0.5346983, abs=5e-8)


def first_player_wins() -> Floats:
    """The chance that the player to throw wins, by own and other score.

    Two failed turns lead back to the same scores.
    """
    wins = np.zeros((pig.GOAL, pig.GOAL))
    scores = [
        (i, s - i) for s in range(2 * pig.GOAL - 2, -1, -1) for i in range(pig.GOAL) if i <= s - i < pig.GOAL
    ]
    for i, j in scores:
        (a, p), (b, q) = _moves_on(wins, i, j), _moves_on(wins, j, i)
        wins[i, j] = (a + p * (1 - b - q)) / (1 - p * q)
        wins[j, i] = b + q * (1 - wins[i, j])
    return wins


def _moves_on(wins: Floats, own: int, other: int) -> tuple[float, float]:
    """(chance to win by a turn that scores, chance of a turn that does not score)."""
    turn = hold_at(min(20, pig.GOAL - own))
    won = sum(
        float(p) * (1.0 if own + n >= pig.GOAL else 1 - wins[other, own + n]) for n, p in turn.items() if n
    )
    return won, float(turn[0])


def test_pig_optimal_play_has_its_known_chance_and_policy() -> None:
    """The figure of Neller and Presser and one row of their policy.

    At 98 or 99 any die but a 1 wins, so it is thrown.
    """
    wins = optimal_play()
    assert wins[0, 0] == pytest.approx(0.5305927, abs=5e-8)
    rolls = [total for total in range(2, pig.GOAL - 41) if rolling_is_best(wins, 41, 49, total)]
    assert rolls == [*range(2, 22), 27, 57, 58]


@cache
def optimal_play() -> Floats:
    """The same as first_player_wins() for optimal players.

    Scores with the same sum depend on each other and on higher sums only. The value of a turn is piecewise
    linear in the worth of a failed turn, so a few steps of Newton's method are exact.
    """
    wins = np.zeros((pig.GOAL, pig.GOAL))
    for s in range(2 * pig.GOAL - 2, -1, -1):
        own = np.arange(max(0, s - pig.GOAL + 1), min(s, pig.GOAL - 1) + 1)
        held = _held(wins, own, s - own)
        new, value = np.full(len(own), 0.5), np.zeros(len(own))
        while np.abs(new - value).max() > 1e-12:
            value, lost = new, 1 - new[::-1]
            turns, slopes = _turn_values(held, lost)
            c, slope = turns[0] + slopes[0] * (1 - lost), slopes[0]
            new = (c - slope * c[::-1]) / (1 - slope * slope[::-1])
        wins[own, s - own] = new
    return wins


def _held(wins: Floats, own: Ints, other: Ints) -> Floats:
    """The chance to win after a hold at each turn total (row), for each pair of scores.

    A hold at 0 is impossible.
    """
    there = own + np.arange(pig.GOAL - own.min() + 7)[:, None]
    held = np.where(there >= pig.GOAL, 1.0, 1 - wins[other, np.minimum(there, pig.GOAL - 1)])
    held[0] = 0
    return held


def _turn_values(held: Floats, lost: Floats) -> tuple[Floats, Floats]:
    """The chance to win at each turn total (row) with the die to throw, and its slope in `lost`.

    lost: the worth of a failed turn.
    """
    scoring = np.array([f for f in range(1, 7) if turn_total([f])])
    value, slope = held.copy(), np.zeros_like(held)
    for total in range(len(held) - 7, -1, -1):
        thrown = (lost * (6 - len(scoring)) + value[total + scoring].sum(axis=0)) / 6
        better = thrown > held[total]
        value[total] = np.where(better, thrown, held[total])
        slope[total] = np.where(better, (6 - len(scoring) + slope[total + scoring].sum(axis=0)) / 6, 0.0)
    return value, slope


def rolling_is_best(wins: Floats, own: int, other: int, total: int) -> bool:
    held = _held(wins, np.array([own]), np.array([other]))
    value, _ = _turn_values(held, np.array([1 - wins[other, own]]))
    return bool(value[total, 0] > held[total, 0])


# -- 5 Dice --------------------------------------------------------------------------------------------------

BUSTS = (
    Fraction(2, 3),
    Fraction(4, 9),
    Fraction(5, 18),
    Fraction(17, 108),
    Fraction(25, 324),
    Fraction(5, 216),
)


@pytest.mark.parametrize(("n", "bust"), list(enumerate(BUSTS, start=1)))
def test_five_dice_the_chances_of_a_bust_are_exact(n: int, bust: Fraction) -> None:
    assert sum(p for dice, p in throws(n) if not scores_at_all(dice)) == bust


def test_five_dice_scoring_functions_agree() -> None:
    for n in range(1, 7):
        for dice, _ in throws(n):
            aside = {part: five_dice_score(part) for part in keeps(dice)}
            assert best_score(dice) == max(aside.values())
            assert scores_at_all(dice) == any(aside.values())
            assert all((why_not_set_aside(part) is None) == bool(points) for part, points in aside.items())


# -- Midnight ------------------------------------------------------------------------------------------------


def best_midnight_mean(worth: Callable[[int], int], kept: Dice = ()) -> Fraction:
    """The best mean of `worth` over the scores of a turn in which these dice are kept."""

    @cache
    def value(kept: Dice) -> Fraction:
        if len(kept) == midnight.DICE:
            return Fraction(worth(midnight_score(kept)))
        return sum((p * best(kept, dice) for dice, p in throws(midnight.DICE - len(kept))), Fraction(0))

    def best(kept: Dice, dice: Dice) -> Fraction:
        return max(value(tuple(sorted(kept + part))) for part in keeps(dice))

    return value(kept)


@pytest.mark.parametrize(
    ("worth", "figure"),
    [
        pytest.param(lambda score: int(score > 0), 0.956727, id="qualifying"),
        pytest.param(lambda score: score, 18.676337, id="mean"),
        pytest.param(lambda score: int(score == 24), 0.099990, id="a 24"),
    ],
)
def test_midnight_optimal_play_has_its_known_figures(worth: Callable[[int], int], figure: float) -> None:
    assert float(best_midnight_mean(worth)) == pytest.approx(figure, abs=5e-7)


# -- Ship, Captain, Crew -------------------------------------------------------------------------------------


@cache
def crew_within(left: int, aside: Dice = ()) -> Fraction:
    """The chance of a full crew in this number of throws."""
    if len(aside) == len(ship_captain_crew.CREW):
        return Fraction(1)
    if not left:
        return Fraction(0)
    return sum(
        (
            p * crew_within(left - 1, board(aside, dice)[0])
            for dice, p in throws(ship_captain_crew.DICE - len(aside))
        ),
        Fraction(0),
    )


def test_ship_captain_crew_the_chances_of_a_full_crew_are_exact() -> None:
    assert crew_within(1) == Fraction(205, 1296)
    assert float(crew_within(2)) == pytest.approx(0.356225, abs=5e-7)
    assert float(crew_within(3)) == pytest.approx(0.539975, abs=5e-7)


@cache
def cargo_mean(left: int, aside: Dice, again: bool) -> Fraction:
    """The mean cargo with this number of throws left.

    again: throw the cargo again where that has a higher mean.
    """
    if not left:
        return Fraction(0)
    mean = Fraction(0)
    for dice, p in throws(ship_captain_crew.DICE - len(aside)):
        crew, cargo = board(aside, dice)
        full = len(crew) == len(ship_captain_crew.CREW)
        on = cargo_mean(left - 1, crew, again) if again or not full else Fraction(0)
        mean += p * (max(Fraction(sum(cargo)), on) if full else on)
    return mean


@pytest.mark.parametrize(("again", "figure"), [(False, 3.483728), (True, 4.084580)])
def test_ship_captain_crew_the_mean_cargo_has_its_known_value(again: bool, figure: float) -> None:
    assert float(cargo_mean(ship_captain_crew.THROWS, (), again)) == pytest.approx(figure, abs=5e-7)


def test_ship_captain_crew_played_turns_match_the_counted_means() -> None:
    """2,000 turns of players who keep their first cargo, played as a match (1,000 games of two, first turns).

    The means must lie within 3.29 standard errors, a 99.9 % interval. The seed is fixed, so the test is
    repeatable.
    """
    rng = Random(1)
    cargo = [points for _ in range(1000) for points in first_turns(rng)]
    crews = sum(points > 0 for points in cargo)
    mean, p = 3.483728, 0.539975
    assert np.mean(cargo) == pytest.approx(mean, abs=3.29 * np.std(cargo) / len(cargo) ** 0.5)
    assert crews / len(cargo) == pytest.approx(p, abs=3.29 * (p * (1 - p) / len(cargo)) ** 0.5)


def first_turns(rng: Random) -> list[int]:
    """The first turn of each of two players, up to the first line of a play-off."""
    match = Match(game("ship_captain_crew"), (Seat("Ann"), Seat("Ben")), {"start": "Ann"})
    while len(match.view().sheet) < 2:
        prompt = match.prompt
        answer = (
            Throw.of(*rng.choices(range(1, 7), k=prompt.count))
            if isinstance(prompt, Roll)
            else Chosen("stay")
        )
        match = match.after(match.answered(answer))
    return [line.points for line in match.view().sheet]
