"""Hot Score: brackets, rounds, worked examples, rulings, fouls and odds."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from table.games.hot_score import (
    BRACKETS,
    FAR,
    HOT,
    NEAR,
    Score,
    bonus_ends,
    bracket_of,
    challenge_worth,
    settle,
)
from table.odds import hot_score as odds
from table.rules.answers import Chosen, Throw
from tests.games.night import Night

PRECEDENCES = ("dice_first", "bracket_first")


def hot_score(**settings: object) -> Night:
    """Ann and Ben, Ann to throw."""
    return Night("hot_score", "Ann", "Ben", **{"start": "Ann", **settings})


def sticks(night: Night, *dice: int) -> Night:
    return night.throws(*dice).chooses("stick")


def bonus(night: Night, a: int, b: int, die: int, sign: str) -> Night:
    return night.throws(a, b).chooses("bonus").throws(die).chooses(sign)


def after_rounds_to(ann: int, ben: int, **settings: object) -> Night:
    """Ann to throw, after the fewest rounds that give these scores (multiples of 5 below 100)."""
    night = hot_score(**settings)
    for player, goal in (("Ann", ann), ("Ben", ben)):
        while night.scores[player] < goal:
            wins_round(night, player, min(15, goal - night.scores[player]))
    return loses_the_last_of_two_challenges(night, "Ann") if night.turn == "Ben" else night


WINS = {15: ((3, 4), (1, 1)), 10: ((2, 2), (1, 1)), 5: ((4, 4), (1, 1))}
"""The two throws of a round, the winner's first, by the points of the round."""


def wins_round(night: Night, player: str, points: int) -> Night:
    best, worst = WINS[points]
    for _ in "12":
        sticks(night, *(best if night.turn == player else worst))
    return night


def loses_the_last_of_two_challenges(night: Night, player: str) -> Night:
    """Two challenges that leave the scores unchanged.

    The player wins the first and loses the second, and so throws first.
    """
    other = "Ben" if player == "Ann" else "Ann"
    for winner in (player, other):
        first = night.turn
        draws_a_challenge(night)
        night.throws(2)
        for thrower in (first, "Ben" if first == "Ann" else "Ann"):
            night.throws(*((2, 2, 2) if thrower == winner else (1, 1, 1)))
    return night


def draws_a_challenge(night: Night) -> Night:
    return sticks(sticks(night, 4, 4), 6, 6)


def points(night: Night) -> list[int]:
    return [points for _, points, _ in night.sheet]


# -- the brackets --------------------------------------------------------------------------------------------


def test_every_total_is_hot_near_or_far() -> None:
    assert {t for t in range(-4, 19) if bracket_of(t) == HOT} == {7, 11}
    assert {t for t in range(-4, 19) if bracket_of(t) == NEAR} == {6, 8, 10, 12}
    assert {t for t in range(-4, 19) if bracket_of(t) == FAR} == {*range(-4, 6), 9, *range(13, 19)}


def test_t2_totals_run_from_minus_4_to_18() -> None:
    ends = {end.total for a, b, die in product(range(1, 7), repeat=3) for end in bonus_ends((a, b), die)}
    assert (min(ends), max(ends)) == (-4, 18)


def test_t8_three_of_a_kind_is_never_7_or_11_as_well() -> None:
    for face in range(1, 7):
        (three,) = bonus_ends((face, face), face)
        assert three.three_of_a_kind
        assert three.bracket == HOT
        assert not {3 * face, face} & {7, 11}


# -- a round -------------------------------------------------------------------------------------------------


def test_hot_near_and_far_score_15_5_and_10() -> None:
    assert wins_round(hot_score(), "Ann", 15).scores == {"Ann": 15, "Ben": 0}
    assert wins_round(hot_score(), "Ann", 5).scores == {"Ann": 5, "Ben": 0}
    assert wins_round(hot_score(), "Ann", 10).scores == {"Ann": 10, "Ben": 0}


def test_prompts_of_a_round_name_scores_and_brackets() -> None:
    night = hot_score()
    assert night.says == (
        "Two dice beat three here. With as many dice on both sides, HOT beats NEAR, and NEAR beats FAR."
    )
    assert night.asks == "Ann: throw two dice."
    night.throws(4, 5)
    assert night.asks == "Ann: stick with FAR 9 or throw the bonus die?"
    assert night.options == ["stick", "bonus"]
    night.chooses("bonus")
    assert night.asks == "Ann: throw one die, the bonus die."
    night.throws(2)
    assert night.asks == "Ann: 9 plus 2, or minus 2?"
    assert [o.text for o in night.choice.options] == ["Plus: HOT 11", "Minus: HOT 7"]
    night.chooses("plus")
    assert night.so_far == "Ann: HOT 11 with three dice"
    assert night.turn == "Ben"


def test_the_loser_scores_0_and_throws_first_in_the_next_round() -> None:
    night = sticks(sticks(hot_score(), 3, 4), 2, 2)
    assert night.sheet == [
        ("Ann", 15, "HOT 7 with two dice against FAR 4 with two dice: HOT beats FAR"),
        ("Ben", 0, "FAR 4 with two dice against HOT 7 with two dice"),
    ]
    assert night.turn == "Ben"
    assert sticks(sticks(night, 3, 4), 2, 2).turn == "Ann"


def test_the_winner_scores_the_points_of_their_own_bracket() -> None:
    assert sticks(sticks(hot_score(), 3, 3), 3, 4).scores == {"Ann": 0, "Ben": 15}
    assert sticks(sticks(hot_score(), 2, 2), 3, 3).scores == {"Ann": 0, "Ben": 5}


def test_the_bonus_die_is_offered_even_after_a_hot_score() -> None:
    assert hot_score().throws(3, 4).options == ["stick", "bonus"]


def test_throwing_one_die_chooses_the_bonus_die() -> None:
    stick, bonus = hot_score().throws(4, 5).choice.options
    assert (stick.throws, bonus.throws) == (None, 1)


# -- the examples of the digest ------------------------------------------------------------------------------


@pytest.mark.parametrize("precedence", PRECEDENCES)
def test_example_1_far_5_beats_far_15_with_three_dice(precedence: str) -> None:
    night = bonus(hot_score(precedence=precedence), 4, 4, 3, "minus")
    bonus(night, 6, 6, 3, "plus")
    assert night.scores == {"Ann": 10, "Ben": 0}
    reason = "FAR 5 with three dice against FAR 15 with three dice: 5 is nearer to a HOT score than 15"
    assert night.sheet[0] == ("Ann", 10, reason)


@pytest.mark.parametrize("precedence", PRECEDENCES)
@pytest.mark.parametrize(("two", "three"), [((3, 4), (4, 5, 2, "plus")), ((5, 6), (4, 4, 1, "minus"))])
def test_example_2_the_other_hot_score_forces_a_challenge(
    precedence: str, two: tuple[int, int], three: tuple[int, int, int, str]
) -> None:
    night = bonus(sticks(hot_score(precedence=precedence), *two), *three)
    assert night.says == "Challenge for 10 points: the other HOT score is forced."
    assert night.asks == "Ann: throw one die for odd or even."


@pytest.mark.parametrize("precedence", PRECEDENCES)
def test_example_3_and_t6_the_same_hot_score_forces_no_challenge(precedence: str) -> None:
    night = bonus(sticks(hot_score(precedence=precedence), 3, 4), 4, 5, 2, "minus")
    assert night.scores == {"Ann": 15, "Ben": 0}
    assert night.sheet[0][2].endswith("two dice beat three")


@pytest.mark.parametrize("precedence", PRECEDENCES)
@pytest.mark.parametrize(("two", "three"), [((3, 4), (3, 4, 4, "plus")), ((5, 6), (6, 5, 4, "minus"))])
def test_t6_a_player_hot_with_two_dice_forces_no_challenge(
    precedence: str, two: tuple[int, int], three: tuple[int, int, int, str]
) -> None:
    night = bonus(sticks(hot_score(precedence=precedence), *two), *three)
    assert night.scores == {"Ann": 15, "Ben": 0}
    assert night.sheet[0][2].endswith("two dice beat three")


@pytest.mark.parametrize("precedence", PRECEDENCES)
def test_example_4_both_near_with_two_dice_is_a_challenge(precedence: str) -> None:
    night = sticks(sticks(hot_score(precedence=precedence), 4, 4), 6, 6)
    assert night.says == "Challenge for 10 points: both are NEAR with two dice."
    night.throws(4)
    assert night.asks == "Ann: throw three dice for even numbers."
    night.throws(2, 4, 5)
    assert night.so_far == "challenge for 10 with even dice; Ann two even, sum 6"
    assert night.asks == "Ben: throw three dice for even numbers."
    night.throws(6, 6, 1)
    assert night.sheet == [
        ("Ann", 10, "challenge won: two even, sum 6 against two even, sum 12"),
        ("Ben", -10, "challenge lost: two even, sum 12 against two even, sum 6"),
    ]
    assert night.turn == "Ben"


def test_example_5_a_draw_is_thrown_again_for_20() -> None:
    night = draws_a_challenge(hot_score()).throws(4).throws(6, 2, 1).throws(4, 4, 3)
    assert night.says == "Both have two even, sum 8: again for even dice, now for 20 points."
    assert night.asks == "Ann: throw three dice for even numbers."
    night.throws(1, 3, 5).throws(2, 4, 6)
    assert night.scores == {"Ann": -20, "Ben": 20}
    assert night.turn == "Ann"


@pytest.mark.parametrize("precedence", PRECEDENCES)
def test_example_6_the_far_score_nearer_to_hot_wins(precedence: str) -> None:
    assert sticks(sticks(hot_score(precedence=precedence), 2, 2), 1, 1).scores == {"Ann": 10, "Ben": 0}
    night = sticks(sticks(hot_score(precedence=precedence), 2, 3), 4, 5)
    assert night.says == "Challenge for 10 points: both are FAR with two dice, equally far from a HOT score."


def test_example_7_hot_with_three_dice_meets_far_with_two() -> None:
    night = sticks(bonus(hot_score(), 4, 5, 2, "plus"), 2, 2)
    assert night.scores == {"Ann": 0, "Ben": 10}
    assert night.sheet[0][2] == "FAR 4 with two dice against HOT 11 with three dice: two dice beat three"
    night = sticks(bonus(hot_score(precedence="bracket_first"), 4, 5, 2, "plus"), 2, 2)
    assert night.scores == {"Ann": 15, "Ben": 0}


@pytest.mark.parametrize("precedence", PRECEDENCES)
def test_example_8_three_of_a_kind_against_hot_is_a_double_challenge(precedence: str) -> None:
    night = sticks(hot_score(precedence=precedence), 3, 4).throws(3, 3).chooses("bonus").throws(3)
    assert night.rulings[-2:] == [
        "Ben has three 3s, which is as good as a HOT score.",
        "Double challenge for 20 points: three of a kind against a HOT score.",
    ]
    night.throws(1).throws(1, 2, 2).throws(2, 2, 2)
    assert night.scores == {"Ann": 20, "Ben": -20}


def test_example_9_exactly_100_wins_and_points_over_100_are_subtracted() -> None:
    night = wins_round(after_rounds_to(95, 0), "Ann", 5)
    assert night.winners == ("Ann",)
    assert night.outcome.reason == "Ann has exactly 100 and wins."
    night = wins_round(after_rounds_to(95, 0), "Ann", 10)
    assert night.scores["Ann"] == 105
    assert night.says == "Ann is over 100 with 105: what Ann wins now is subtracted."
    assert wins_round(night, "Ann", 5).winners == ("Ann",)
    night = wins_round(wins_round(after_rounds_to(95, 0), "Ann", 10), "Ann", 15)
    assert night.scores["Ann"] == 90
    assert night.sheet[-2] == (
        "Ann",
        -15,
        (
            "HOT 7 with two dice against FAR 2 with two dice: "
            "HOT beats FAR; subtracted because the score is above 100"
        ),
    )
    assert wins_round(night, "Ann", 10).winners == ("Ann",)


@pytest.mark.parametrize("precedence", PRECEDENCES)
def test_example_10_the_same_bracket_with_three_dice_each_is_a_challenge(precedence: str) -> None:
    night = bonus(hot_score(precedence=precedence), 5, 5, 4, "minus")
    bonus(night, 2, 2, 6, "plus")
    assert night.says == "Challenge for 10 points: both are NEAR with three dice."


# -- rulings -------------------------------------------------------------------------------------------------


def test_t1_the_first_ruling_names_the_precedence() -> None:
    assert hot_score(precedence="bracket_first").says.endswith("only within a bracket.")


def test_t1_with_dice_first_two_dice_beat_three() -> None:
    night = sticks(bonus(hot_score(), 2, 2, 4, "plus"), 1, 1)
    assert night.scores == {"Ann": 0, "Ben": 10}


def test_t1_with_bracket_first_two_dice_beat_three_within_a_bracket() -> None:
    night = sticks(bonus(hot_score(precedence="bracket_first"), 2, 2, 4, "plus"), 5, 5)
    assert night.scores == {"Ann": 0, "Ben": 5}
    night = sticks(bonus(hot_score(precedence="bracket_first"), 6, 3, 4, "minus"), 1, 1)
    assert night.sheet[0] == (
        "Ben",
        10,
        "FAR 2 with two dice against FAR 5 with three dice: two dice beat three",
    )


def test_t1_only_the_second_player_can_force_a_challenge() -> None:
    night = sticks(bonus(hot_score(), 4, 5, 2, "plus"), 3, 4)
    assert night.scores == {"Ann": 0, "Ben": 15}


def test_t3_near_and_far_can_be_swapped() -> None:
    assert sticks(sticks(hot_score(swap_near_far="on"), 4, 4), 1, 1).scores == {"Ann": 10, "Ben": 0}
    assert sticks(sticks(hot_score(swap_near_far="on"), 2, 2), 1, 1).scores == {"Ann": 5, "Ben": 0}
    assert sticks(sticks(hot_score(swap_near_far="on"), 3, 4), 1, 1).scores == {"Ann": 15, "Ben": 0}


@pytest.mark.parametrize("precedence", PRECEDENCES)
def test_t5_7_against_11_is_a_challenge(precedence: str) -> None:
    night = sticks(sticks(hot_score(precedence=precedence), 3, 4), 5, 6)
    assert night.says == "Challenge for 10 points: both are HOT with two dice."
    night = bonus(bonus(hot_score(precedence=precedence), 4, 5, 2, "plus"), 4, 5, 2, "minus")
    assert night.says == "Challenge for 10 points: both are HOT with three dice."


def three_2s_against_a_4(precedence: str) -> Night:
    night = hot_score(precedence=precedence).throws(2, 2).chooses("bonus").throws(2)
    assert night.turn == "Ben"
    return sticks(night, 2, 2)


def test_t7_three_of_a_kind_is_hot_with_three_dice() -> None:
    assert three_2s_against_a_4("dice_first").scores == {"Ann": 0, "Ben": 10}
    assert three_2s_against_a_4("bracket_first").scores == {"Ann": 15, "Ben": 0}
    night = hot_score().throws(2, 2).chooses("bonus").throws(2)
    bonus(night, 1, 1, 2, "plus")
    assert night.scores == {"Ann": 15, "Ben": 0}
    assert night.sheet[0][2] == "HOT three 2s with three dice against FAR 4 with three dice: HOT beats FAR"


@pytest.mark.parametrize("precedence", PRECEDENCES)
def test_t7_a_hot_score_after_three_of_a_kind_is_a_double_challenge(precedence: str) -> None:
    for answer in ((3, 4), (4, 5, 2, "plus"), (4, 5, 2, "minus")):
        night = hot_score(precedence=precedence).throws(2, 2).chooses("bonus").throws(2)
        bonus(night, *answer) if len(answer) == 4 else sticks(night, *answer)
        assert night.says == "Double challenge for 20 points: three of a kind against a HOT score."
    night = hot_score(precedence=precedence)
    night.throws(2, 2).chooses("bonus").throws(2).throws(5, 5).chooses("bonus").throws(5)
    assert night.says == "Double challenge for 20 points: three of a kind against a HOT score."


def test_t9_the_first_player_of_the_round_throws_for_odd_or_even() -> None:
    night = sticks(sticks(hot_score(), 3, 4), 2, 2)
    assert draws_a_challenge(night).asks == "Ben: throw one die for odd or even."
    assert night.throws(3).asks == "Ben: throw three dice for odd numbers."


def test_t10_no_matching_die_on_either_side_is_a_draw() -> None:
    night = draws_a_challenge(hot_score()).throws(2).throws(1, 1, 3).throws(5, 5, 5)
    assert night.says == "Both have no even die: again for even dice, now for 20 points."


def test_t11_the_lower_sum_wins_among_odd_dice_too() -> None:
    night = draws_a_challenge(hot_score()).throws(5).throws(1, 3, 6).throws(5, 1, 2)
    assert night.scores == {"Ann": 10, "Ben": -10}
    night = draws_a_challenge(hot_score()).throws(5).throws(1, 6, 6).throws(5, 5, 5)
    assert night.scores == {"Ann": -10, "Ben": 10}


def test_t12_scores_can_be_negative() -> None:
    night = draws_a_challenge(hot_score()).throws(2).throws(2, 2, 2).throws(1, 1, 1)
    assert night.scores == {"Ann": 10, "Ben": -10}


def test_t13_a_lost_challenge_over_100_subtracts() -> None:
    night = wins_round(after_rounds_to(95, 0), "Ann", 15)
    assert night.scores["Ann"] == 110
    draws_a_challenge(night).throws(2).throws(2, 2, 2).throws(1, 1, 1)
    assert night.scores["Ann"] == 100
    assert night.scores["Ben"] == 10
    assert night.winners == ("Ann",)


def test_t13_a_won_challenge_over_100_subtracts() -> None:
    night = wins_round(after_rounds_to(95, 0), "Ann", 10)
    draws_a_challenge(night).throws(2).throws(1, 1, 1).throws(2, 2, 2)
    assert night.scores == {"Ann": 95, "Ben": -10}


def test_t14_the_winner_of_the_challenge_wins_when_both_reach_100() -> None:
    night = wins_round(after_rounds_to(95, 90), "Ann", 15)
    assert night.scores == {"Ann": 110, "Ben": 90}
    assert night.turn == "Ben"
    draws_a_challenge(night).throws(2).throws(2, 2, 2).throws(1, 1, 1)
    assert night.scores == {"Ann": 100, "Ben": 100}
    assert night.winners == ("Ben",)


def test_t15_a_draw_raises_a_double_challenge_to_30() -> None:
    night = sticks(hot_score(), 3, 4).throws(3, 3).chooses("bonus").throws(3)
    night.throws(1).throws(1, 2, 2).throws(2, 1, 2)
    assert night.says == "Both have one odd, sum 1: again for odd dice, now for 30 points."
    night.throws(1, 1, 1).throws(2, 2, 2)
    assert night.scores == {"Ann": 30, "Ben": -30}


# -- who begins ----------------------------------------------------------------------------------------------


def test_the_lowest_die_begins_and_tied_players_throw_again() -> None:
    night = Night("hot_score", "Ann", "Ben").throws_each(3, 3)
    assert night.says == "Ann and Ben tie with 3 and throw again."
    night.throws_each(4, 2)
    assert night.says == "Ben begins."
    assert night.asks == "Ben: throw two dice."


# -- fouls ---------------------------------------------------------------------------------------------------


def test_foul_throwing_the_bonus_die_with_the_first_two() -> None:
    assert hot_score().refuses_throw(3, 4, 5) == "Two dice expected, three dice came. Ann: throw two dice."


def test_foul_throwing_a_second_bonus_die() -> None:
    night = bonus(hot_score(), 4, 5, 2, "plus")
    assert night.refuses_throw(3) == "Two dice expected, one die came. Ben: throw two dice."


def test_foul_throwing_before_the_other_player_sticks() -> None:
    night = hot_score().throws(3, 4)
    assert night.refuses_throw(3, 4) == (
        "A choice is expected, not a throw. Ann: stick with HOT 7 or throw the bonus die?"
    )


def test_foul_changing_the_sign_after_the_next_throw() -> None:
    night = bonus(hot_score(), 4, 5, 2, "plus").throws(3, 4)
    assert night.refuses_choice("minus").startswith("Not “minus”: choose stick or bonus. Ben: ")
    assert night.refuses_take_back() == "A throw is never taken back. If it was read wrongly, correct it."


def test_foul_throwing_a_new_die_for_odd_or_even() -> None:
    night = draws_a_challenge(hot_score()).throws(4).throws(6, 2, 1).throws(4, 4, 3)
    assert (
        night.refuses_throw(3) == "Three dice expected, one die came. Ann: throw three dice for even numbers."
    )


def test_a_correction_that_undoes_a_challenge_drops_its_throws() -> None:
    night = draws_a_challenge(hot_score()).throws(2).throws(2, 2, 2).corrects(0, 3, 4)
    assert night.asks == "Ben: throw two dice."
    assert night.scores == {"Ann": 15, "Ben": 0}


# -- the odds ------------------------------------------------------------------------------------------------


def test_two_dice_are_hot_8_near_14_and_far_14_times_in_36() -> None:
    lines = [(o.text, o.value) for o in odds.of_two_dice(BRACKETS, bracket_of)]
    assert lines == [
        ("HOT with two dice", Fraction(8, 36)),
        ("NEAR with two dice", Fraction(14, 36)),
        ("FAR with two dice", Fraction(14, 36)),
    ]


def test_the_coach_gives_the_first_player_the_chance_of_hot() -> None:
    assert hot_score().throws(4, 5).odds == {"the bonus die makes HOT": Fraction(1, 6)}  # 2, up or down
    assert hot_score().throws(4, 4).odds == {"the bonus die makes HOT": Fraction(3, 6)}  # 8-1, 8+3, 4-4-4
    assert hot_score().throws(1, 1).odds == {"the bonus die makes HOT": Fraction(2, 6)}  # 1-1-1, 2+5


def test_the_coach_gives_the_second_player_the_chances_of_the_round() -> None:
    assert sticks(hot_score(), 3, 4).throws(5, 5).odds == {
        "sticking loses the round": 1,
        "the bonus die wins the round": 0,
        "the bonus die brings a challenge": Fraction(2, 6),  # 10 + 1 and three 5s
    }
    assert sticks(hot_score(precedence="bracket_first"), 1, 1).throws(2, 2).odds == {
        "sticking wins the round": 1,
        "the bonus die wins the round": Fraction(4, 6),  # 4 plus 3, 4 and 6, and three 2s
        "the bonus die brings a challenge": 0,
    }


def test_the_coach_gives_the_chances_of_a_challenge() -> None:
    night = draws_a_challenge(hot_score()).throws(4)
    first = night.odds
    assert (
        2 * first["these three dice win the challenge"] + first["they are equal, and the stake goes up"] == 1
    )
    night.throws(1, 1, 1)
    assert night.odds == {
        "these three dice win the challenge": Fraction(7, 8),
        "they are equal, and the stake goes up": Fraction(1, 8),
    }


def test_the_odds_of_a_challenge_match_a_count() -> None:
    throws = list(product(range(1, 7), repeat=3))
    for parity in (0, 1):
        wins = sum(challenge_worth(parity, a) > challenge_worth(parity, (2, 4, 5)) for a in throws)
        (win, _) = odds.of_challenge(lambda dice, parity=parity: challenge_worth(parity, dice), (2, 4, 5))  # type: ignore[misc]
        assert win.value == Fraction(wins, len(throws))


# -- properties ----------------------------------------------------------------------------------------------

faces = st.integers(1, 6)


@st.composite
def scores(draw: st.DrawFn) -> Score:
    a, b = draw(faces), draw(faces)
    return draw(st.sampled_from([Score((a, b), a + b), *bonus_ends((a, b), draw(faces))]))


@given(scores(), scores(), st.sampled_from(PRECEDENCES))
def test_the_order_of_players_matters_only_to_a_forced_challenge(
    mine: Score, theirs: Score, precedence: str
) -> None:
    one, other = settle(mine, theirs, precedence), settle(theirs, mine, precedence)
    if "forced" in one.why or "forced" in other.why:
        return
    assert one.stake == other.stake
    assert (one.winner is None) == (other.winner is None) == bool(one.stake)
    assert one.winner is None or one.winner == 1 - other.winner  # type: ignore[operator]


@given(scores(), scores())
def test_with_dice_first_two_dice_never_lose_to_three(mine: Score, theirs: Score) -> None:
    verdict = settle(mine, theirs)
    if (len(mine.dice), len(theirs.dice)) == (2, 3):
        assert verdict.winner == 0 or mine.bracket == theirs.bracket == HOT


@given(scores(), scores())
def test_with_bracket_first_the_better_bracket_never_loses(mine: Score, theirs: Score) -> None:
    verdict = settle(mine, theirs, "bracket_first")
    if BRACKETS.index(mine.bracket) < BRACKETS.index(theirs.bracket):
        assert verdict.winner == 0


@given(st.lists(st.integers(0, 10**6), min_size=400, max_size=400))
def test_the_points_of_a_challenge_are_won_and_lost(seeds: list[int]) -> None:
    """In any random game each lost challenge has a line of as many points, won or subtracted, before it."""
    night = hot_score()
    for seed in seeds:
        if night.over:
            break
        count = sum(g.count for g in getattr(night.prompt, "dice", ()))
        answer = (
            Throw.of(*[seed // 7**i % 6 + 1 for i in range(count)])
            if count
            else Chosen(night.options[seed % 2])
        )
        night.match = night.match.after(night.match.answered(answer))
    lost = [i for i, (_, _, reason) in enumerate(night.sheet) if reason.startswith("challenge lost")]
    assert all(night.sheet[i][1] == -abs(night.sheet[i - 1][1]) for i in lost)
    assert night.over == (100 in night.scores.values())
