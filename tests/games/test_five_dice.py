"""5 Dice: scoring, turns, the start, rulings and fouls."""

from __future__ import annotations

import pytest

from table.games.five_dice import FIVE_DICE, best_score, five_dice_score, scores_at_all, why_not_set_aside
from tests.games.night import Night

STRAIGHT = (1, 2, 3, 4, 5, 6)
BUST = (2, 3, 4, 6, 2, 3)


def five_dice(*players: str, **settings: object) -> Night:
    """The first player begins."""
    players = players or ("Ann", "Ben")
    return Night("five_dice", *players, **{"start": players[0], **settings})


def throws_and_keeps(night: Night, *faces: int) -> Night:
    """Throws six dice that all score and sets them aside."""
    return night.throws(*faces).keeps(*faces)


def scores_in_a_turn(night: Night, points: int) -> Night:
    """A turn with this number of points, ended by a stop.

    points: a multiple of 50, and at least 1,000 for a first score.
    """
    for value, faces in ((8000, (1,) * 6), (1500, STRAIGHT), (1000, (1, 1, 1)), (100, (1,)), (50, (5,))):
        while points >= value:
            points -= value
            throws_and_sets_aside(night, faces)
            if points:
                throws_on_if_asked(night)
    return night.chooses("stop")


def throws_and_sets_aside(night: Night, faces: tuple[int, ...]) -> None:
    """Throws the awaited number of dice, these and dice that do not score, and sets these aside."""
    count = int(night.awaits.removeprefix("roll "))
    assert len(faces) <= count, f"{faces} do not fit into {count} dice"
    night.throws(*faces, *(2, 3, 4, 6, 2)[: count - len(faces)]).keeps(*faces)


def throws_on_if_asked(night: Night) -> None:
    if night.options:
        night.chooses("throw_on")


def throws_a_bust(night: Night) -> Night:
    return night.throws(*BUST)


def with_scores(ann: int, ben: int, **settings: object) -> Night:
    """Ann and Ben with these scores, Ann to throw."""
    night = five_dice(**settings)
    scores_in_a_turn(night, ann)
    scores_in_a_turn(night, ben)
    assert night.scores == {"Ann": ann, "Ben": ben}
    return night


# -- scoring -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("aside", "points"),
    [
        ((1,), 100),
        ((5,), 50),
        ((1, 1), 200),
        ((5, 5), 100),
        ((2, 2, 2), 200),
        ((3, 3, 3), 300),
        ((4, 4, 4), 400),
        ((5, 5, 5), 500),
        ((6, 6, 6), 600),
        ((1, 1, 1), 1000),
        ((2, 2, 2, 2), 400),
        ((2, 2, 2, 2, 2), 800),
        ((2, 2, 2, 2, 2, 2), 1600),
        ((1, 1, 1, 1), 2000),
        ((1, 1, 1, 1, 1, 1), 8000),
        (STRAIGHT, 1500),
        ((3, 3, 5, 5, 6, 6), 1500),
        ((4, 4, 4, 4, 2, 2), 1500),
        ((1, 1, 1, 1, 2, 2), 1500),
        ((1, 1, 1, 1, 5, 5), 2100),
        ((2, 2, 2, 2, 1, 1), 1500),
        ((2, 2, 2, 1, 5), 350),
        ((2, 2, 2, 3, 3, 3), 500),
        ((2, 2, 3, 3, 4, 4), 1500),
        ((), 0),
        ((2,), 0),
        ((1, 2), 0),
        ((1, 2, 3, 4, 5), 0),
        ((2, 2, 3, 3, 4, 6), 0),
        ((1, 1, 1, 2), 0),
    ],
)
def test_dice_set_aside_score_their_best_combination(aside: tuple[int, ...], points: int) -> None:
    assert five_dice_score(aside) == points
    assert five_dice_score(aside[::-1]) == points
    assert (why_not_set_aside(aside) is None) == bool(points)


def test_some_of_three_alike_are_told_that_the_others_belong_to_them() -> None:
    assert why_not_set_aside((4,), (4, 4, 1, 4, 3, 6)) == (
        "4s score from three on: keep at least so many of them, or none."
    )
    assert why_not_set_aside((1, 3), (4, 4, 1, 4, 3, 6)) == "The 3 does not score in 1 and 3; leave it out."
    assert why_not_set_aside((4,), (4, 4, 1, 2, 3, 6)) == "The 4 does not score; leave it out."


@pytest.mark.parametrize(
    ("throw", "best"),
    [
        ((1, 1, 1, 1, 2, 2), 2000),
        ((1, 1, 1, 5, 2, 3), 1050),
        ((2, 2, 3, 3, 4, 6), 0),
        (STRAIGHT, 1500),
        ((6, 6, 6, 6, 6, 1), 2500),
    ],
)
def test_the_prompt_names_the_best_score_of_a_throw(throw: tuple[int, ...], best: int) -> None:
    assert best_score(throw) == best
    assert scores_at_all(throw) == bool(best)
    if best:
        asked = five_dice().throws(*throw).asks
        assert asked == f"Ann: which scoring dice do you set aside? They are worth {best:,} at most."


@pytest.mark.parametrize(
    ("aside", "points"),
    [
        ((1,), 100),
        ((1, 1), 200),
        ((1, 1, 1), 1000),
        ((5,), 50),
        ((1, 5), 150),
        ((1, 1, 5), 250),
        ((1, 1, 1, 5), 1050),
    ],
)
def test_any_scoring_part_of_a_throw_can_be_set_aside(aside: tuple[int, ...], points: int) -> None:
    night = five_dice(entry=0).throws(1, 1, 1, 5, 2, 3).keeps(*aside).chooses("stop")
    assert night.scores["Ann"] == points


# -- turns ---------------------------------------------------------------------------------------------------


def test_scores_of_two_throws_add_up_to_the_turn() -> None:
    night = with_scores(1000, 1000).throws(6, 6, 6, 2, 3, 4).keeps(6, 6, 6)
    assert night.asks == "Ann: stop with 600 or throw three dice?"
    night.chooses("throw_on").throws(1, 5, 4).keeps(1, 5)
    assert night.so_far == "750 so far: 6-6-6 for 600, 1-5 for 150"
    assert night.asks == "Ann: stop with 750 or throw one die?"
    night.chooses("stop")
    assert night.scores["Ann"] == 1750
    assert night.sheet[-1] == ("Ann", 750, "6-6-6 for 600, 1-5 for 150")


def test_a_throw_without_a_scoring_die_loses_the_turn() -> None:
    night = (
        with_scores(1000, 1000).throws(2, 2, 2, 3, 4, 6).keeps(2, 2, 2).chooses("throw_on").throws(2, 4, 6)
    )
    assert night.says == "Nothing scores in 2, 4 and 6: Ann is bust, 200 points lost."
    assert night.scores["Ann"] == 1000
    assert night.sheet[-1] == ("Ann", 0, "bust, 200 points lost")
    assert night.turn == "Ben"


def test_a_bust_at_once_loses_nothing() -> None:
    night = throws_a_bust(five_dice())
    assert night.says == "Nothing scores in 2, 3, 4, 6, 2 and 3: Ann is bust, nothing lost."
    assert night.sheet == [("Ann", 0, "bust, nothing lost")]


def test_a_first_turn_below_1000_cannot_stop() -> None:
    night = five_dice().throws(1, 5, 2, 2, 3, 4).keeps(1)
    assert night.says == "Ann has 100 of the 1,000 needed to get on the board, and throws on."
    assert night.asks == "Ann: throw five dice."
    night.throws(5, 5, 5, 2, 3).keeps(5, 5, 5)
    assert night.awaits == "roll 2"
    night.throws(1, 1).keeps(1, 1)
    assert night.says == "Ann has 800 of the 1,000 needed to get on the board, and throws on."
    assert night.awaits == "roll 6"
    night.throws(1, 3, 3, 4, 6, 2).keeps(1)
    assert night.says == "Ann has 900 of the 1,000 needed to get on the board, and throws on."
    assert night.refuses_choice("stop") == "A throw is expected, not a choice. Ann: throw five dice."
    night.throws(2, 3, 4, 6, 6)
    assert night.says == "Nothing scores in 2, 3, 4, 6 and 6: Ann is bust, 900 points lost."
    assert night.scores["Ann"] == 0
    throws_a_bust(night)
    assert night.throws(1, 2, 2, 3, 4, 6).keeps(1).awaits == "roll 5"


def test_the_highest_score_wins_after_the_last_round() -> None:
    night = five_dice("Ann", "Ben", "Cal")
    scores_in_a_turn(night, 8500)
    scores_in_a_turn(night, 9400)
    scores_in_a_turn(night, 9500)
    scores_in_a_turn(night, 1650)
    assert night.says == "Ann has 10,150: one more turn for everybody else."
    assert night.turn == "Ben"
    assert night.so_far == "The last turn: more than 750 leads"
    scores_in_a_turn(night, 1000)
    assert night.turn == "Cal"
    assert night.so_far == "The last turn: more than 900 leads"
    night.throws(1, 2, 2, 3, 4, 6).keeps(1)
    assert night.so_far == "100 so far (more than 900 leads): 1 for 100"
    night.chooses("throw_on")
    scores_in_a_turn(night, 600)
    assert night.scores == {"Ann": 10150, "Ben": 10400, "Cal": 10200}
    assert night.winners == ("Ben",)
    assert night.outcome.reason == "Ben wins with 10,400."


def test_with_exact_on_only_exactly_10000_wins() -> None:
    night = with_scores(9800, 1000, exact="on").throws(1, 1, 5, 2, 3, 4).keeps(1, 1, 5)
    assert night.asks == "Ann: stop with 250 (too many, so it scores nothing) or throw three dice?"
    night.chooses("stop")
    assert night.says == "Ann would pass 10,000 with 250: the turn scores nothing."
    assert night.scores["Ann"] == 9800
    assert night.sheet[-1] == ("Ann", 0, "250 would pass 10,000")
    scores_in_a_turn(night, 1000)
    night.throws(1, 1, 2, 2, 3, 4).keeps(1, 1)
    assert night.asks == "Ann: stop with 200 or throw four dice?"
    night.chooses("stop")
    assert night.winners == ("Ann",)
    assert night.outcome.reason == "Ann has exactly 10,000 and wins."


# -- the start -----------------------------------------------------------------------------------------------


def test_the_highest_die_begins_and_tied_players_throw_again() -> None:
    night = Night("five_dice", "Ann", "Ben", "Cal").throws_each(6, 6, 1).throws_each(2, 3)
    assert night.asks == "Ben: throw six dice."
    throws_a_bust(night)
    assert night.turn == "Cal"


def test_more_than_six_players_draw_lots_for_the_start() -> None:
    night = Night("five_dice", *"ABCDEFG")
    assert night.asks == "More than six play: draw lots, and tap who begins."
    assert night.options == list("ABCDEFG")
    night.chooses("E")
    assert night.says == "E begins."
    assert night.asks == "E: throw six dice."


def test_the_help_of_start_and_the_rules_describe_the_lots() -> None:
    (start,) = (s for s in FIVE_DICE.settings_for(()) if s.name == "start")
    assert start.help == (
        "who begins: highest die thrown, or lots drawn by more than six players, or the player named"
    )
    assert "More than six players draw lots instead." in FIVE_DICE.rules


def test_thousands_have_a_comma_everywhere() -> None:
    night = throws_and_keeps(five_dice(), *STRAIGHT)
    assert night.so_far == "1,500 so far: 1-2-3-4-5-6 for 1,500"
    night.chooses("stop")
    assert night.sheet == [("Ann", 1500, "1-2-3-4-5-6 for 1,500")]


def test_six_players_throw_for_the_start() -> None:
    assert Night("five_dice", *"ABCDEF").asks == "A: throw one die, and the highest begins."


# -- rulings and options -------------------------------------------------------------------------------------


@pytest.mark.parametrize(("entry", "first_stop"), [(1000, 1000), (750, 750), (500, 500), (0, 50)])
def test_f2_the_entry_score_is_a_setting(entry: int, first_stop: int) -> None:
    night = five_dice(entry=entry)
    for points in range(50, first_stop, 50):
        night.throws(5, *[2, 3, 4, 6, 2][: int(night.awaits[-1]) - 1]).keeps(5)
        assert night.awaits.startswith("roll"), points
    night.throws(5, *[2, 3, 4, 6, 2][: int(night.awaits[-1]) - 1]).keeps(5).chooses("stop")
    assert night.scores["Ann"] == first_stop


def test_f2_any_stop_counts_after_the_entry_score() -> None:
    night = with_scores(1000, 1000).throws(5, 2, 2, 3, 4, 6).keeps(5).chooses("stop")
    assert night.scores["Ann"] == 1050


def test_f2_a_player_who_busts_still_needs_the_entry_score() -> None:
    night = throws_a_bust(five_dice())
    scores_in_a_turn(night, 1000)
    assert night.throws(5, 2, 2, 3, 4, 6).keeps(5).awaits == "roll 5"


def test_f4_a_player_can_stop_or_throw_all_six_hot_dice() -> None:
    night = throws_and_keeps(five_dice(), *STRAIGHT)
    assert night.asks == "Ann: stop with 1,500 or throw six dice?"
    night.chooses("throw_on")
    assert night.awaits == "roll 6"
    assert night.prompt.to_json()["beside"] == []


def test_f5_a_bust_after_hot_dice_loses_the_whole_turn() -> None:
    night = throws_a_bust(throws_and_keeps(five_dice(), *STRAIGHT).chooses("throw_on"))
    assert night.sheet == [("Ann", 0, "bust, 1,500 points lost")]


def test_f6_tied_leaders_play_off() -> None:
    night = five_dice("Ann", "Ben", "Cal")
    scores_in_a_turn(night, 10000)
    scores_in_a_turn(night, 10000)
    throws_a_bust(night)
    assert night.says == "Ann and Ben tie with 10,000: one more turn each."
    assert night.prompt.to_json()["for"] == "play-off"
    scores_in_a_turn(night, 50)
    scores_in_a_turn(night, 50)
    assert night.says == "Ann and Ben tie with 10,050: one more turn each."
    assert night.turn == "Ann"
    throws_a_bust(night)
    scores_in_a_turn(night, 50)
    assert night.winners == ("Ben",)
    assert night.scores == {"Ann": 10050, "Ben": 10100, "Cal": 0}


def test_f6_a_play_off_keeps_the_order_of_turns() -> None:
    night = five_dice("Ann", "Ben", "Cal", start="Ben")
    scores_in_a_turn(night, 10000)
    throws_a_bust(night)
    scores_in_a_turn(night, 10000)
    assert night.says == "Ben and Ann tie with 10,000: one more turn each."
    assert night.turn == "Ben"
    scores_in_a_turn(night, 50)
    assert night.turn == "Ann"
    throws_a_bust(night)
    assert night.winners == ("Ben",)


def test_f6_the_last_round_gives_one_more_turn_to_all_other_players() -> None:
    night = throws_a_bust(five_dice("Ann", "Ben", "Cal"))
    scores_in_a_turn(night, 10000)
    assert night.turn == "Cal"
    scores_in_a_turn(night, 11000)
    assert night.turn == "Ann"
    night.throws(1, 2, 2, 3, 4, 6).keeps(1)
    assert night.awaits == "roll 5", "Ann is not on the board and cannot stop with 100"
    night.throws(2, 3, 4, 6, 6)
    assert night.winners == ("Cal",)


def test_f7_with_exact_on_a_turn_past_10000_is_no_entry() -> None:
    night = five_dice(exact="on")
    scores_in_a_turn(night, 10050)
    assert night.scores["Ann"] == 0
    throws_a_bust(night)
    assert night.throws(1, 2, 2, 3, 4, 6).keeps(1).awaits == "roll 5"


def test_f7_with_exact_on_10000_ends_the_game_without_a_last_round() -> None:
    assert scores_in_a_turn(five_dice(exact="on"), 10000).winners == ("Ann",)


# -- fouls ---------------------------------------------------------------------------------------------------


def test_foul_setting_no_die_aside() -> None:
    assert five_dice().throws(1, 2, 3, 4, 6, 6).refuses_keep() == "Set at least one scoring die aside."


@pytest.mark.parametrize(
    ("aside", "sentence"),
    [
        ((1, 2), "The 2 does not score in 1 and 2; leave it out."),
        ((2,), "The 2 does not score; leave it out."),
        ((6, 6), "The 6s do not score; leave them out."),
        ((1, 2, 3), "The 2 and the 3 do not score in 1, 2 and 3; leave them out."),
    ],
)
def test_foul_setting_a_die_aside_that_does_not_score(aside: tuple[int, ...], sentence: str) -> None:
    assert five_dice().throws(1, 2, 3, 4, 6, 6).refuses_keep(*aside) == sentence


def test_foul_throwing_a_set_aside_die_again() -> None:
    night = with_scores(1000, 1000).throws(1, 2, 3, 4, 6, 6).keeps(1).chooses("throw_on")
    assert night.prompt.to_json()["beside"] == [1]
    assert night.refuses_throw(1, 2, 3, 4, 6, 6) == "Five dice expected, six dice came. Ann: throw five dice."


def test_foul_combining_dice_of_different_throws() -> None:
    night = (
        with_scores(1000, 1000).throws(1, 2, 2, 3, 4, 6).keeps(1).chooses("throw_on").throws(1, 1, 2, 3, 4)
    )
    assert night.refuses_keep(1, 1, 1).startswith("There are only two 1s to keep in 1, 1, 2, 3 and 4. Ann: ")
    night.keeps(1, 1).chooses("stop")
    assert night.scores["Ann"] == 1300


def test_foul_choosing_a_missing_option() -> None:
    night = with_scores(1000, 1000).throws(1, 2, 2, 3, 4, 6).keeps(1)
    assert night.refuses_choice("hold") == (
        "Not “hold”: choose stop or throw_on. Ann: stop with 100 or throw five dice?"
    )


def test_dice_stay_kept_if_the_correction_has_another_order() -> None:
    night = five_dice().throws(1, 2, 6, 3, 4, 6).keeps(1).corrects(0, 5, 1, 2, 3, 4, 6)
    assert night.so_far == "100 so far: 1 for 100"
