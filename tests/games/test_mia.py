"""Mia: values, rounds, passing on, the end and odds."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product
from random import Random

import pytest

from table.games.mia import VALUES, above, ranks_below, value_of
from table.odds.mia import chance
from table.rules.answers import Bid
from table.rules.match import replay
from tests.games import playing
from tests.games.night import Night

DOUBLES = (66, 55, 44, 33, 22, 11)


def mia(*names: str, **settings: object) -> Night:
    """Ann begins."""
    return Night("mia", *(names or ("Ann", "Ben", "Cal")), start="Ann", **settings)


def announces(night: Night, value: int) -> Night:
    """A throw under the cup and its announcement."""
    return night.ready().chooses(str(value))


def called(announced: int, *real: int, **settings: object) -> Night:
    """Ann announces this value, and Ben lifts the cup over the real dice."""
    night = announces(mia(**settings), announced)
    return night.chooses("look" if announced == 21 else "liar").throws(*real)


def lose_lives_until(night: Night, lives: int, of: str) -> Night:
    """This player loses rounds, as the first player or as the caller, until this number of lives is left."""
    while night.scores[of] > lives:
        if night.turn == of:
            announces(night, 66).chooses("liar").throws(3, 1)
        else:
            announces(night, 31)
            while night.turn != of:
                night.chooses("believe").ready()
                night.chooses(night.options[-1])
            night.chooses("liar").throws(6, 6)
    return night


# -- values --------------------------------------------------------------------------------------------------


def test_a_value_is_ten_times_the_higher_die_plus_the_lower() -> None:
    assert value_of((2, 1)) == value_of((1, 2)) == 21
    assert value_of((5, 6)) == 65
    assert value_of((4, 4)) == 44


def test_values_rank_mia_then_doubles_then_the_rest() -> None:
    assert VALUES[:7] == (21, *DOUBLES)
    assert VALUES[7:] == (65, 64, 63, 62, 61, 54, 53, 52, 51, 43, 42, 41, 32, 31)
    assert set(VALUES) == {value_of(dice) for dice in product(range(1, 7), repeat=2)}
    assert above(66) == (21,)
    assert above(65) == (21, *DOUBLES)
    assert ranks_below(31, 22)
    assert not ranks_below(11, 65)
    assert not ranks_below(54, 54)


def test_the_chances_of_all_values_are_exact() -> None:
    thrown = Counter(value_of(dice) for dice in product(range(1, 7), repeat=2))
    assert thrown == {value: 1 if value in DOUBLES else 2 for value in VALUES}
    assert {value: chance((value,)) for value in VALUES} == {
        value: Fraction(n, 36) for value, n in thrown.items()
    }


# -- a round -------------------------------------------------------------------------------------------------


def test_the_first_player_can_announce_any_value() -> None:
    night = mia()
    assert night.asks == "Ann: throw two dice under the cup, and say when that is done."
    assert night.ready().asks == "Ann: what do you announce?"
    assert night.options == [str(v) for v in VALUES]
    assert night.chooses("54").asks == "Ben: Ann announces 54. Believe it, or call liar?"
    assert night.so_far in night.asks, "the page leaves it out"
    assert night.so_far == "Ann announces 54"
    assert night.options == ["believe", "liar"]


def test_the_announcement_stays_in_view_while_the_cup_is_lifted() -> None:
    night = mia().ready().chooses("54").chooses("liar")
    assert night.asks == "Ben: lift the cup off the two dice, as they lie."
    assert night.so_far == "Ben doubts Ann's 54"
    assert night.throws(4, 3).so_far == ""


def test_a_called_false_announcement_costs_the_announcer_a_life() -> None:
    night = called(54, 4, 3)
    assert night.scores == {"Ann": 5, "Ben": 6, "Cal": 6}
    assert night.says == "Ben calls Ann a liar: 43 lay under the cup, less than 54, and Ann loses a life."
    assert night.sheet[-1] == ("Ann", -1, "lost a life")
    assert night.asks == "Ben: throw two dice under the cup, and say when that is done."


def test_the_sheet_says_who_announced_what_and_what_lay_there() -> None:
    night = announces(mia(pass_on="on"), 54).chooses("pass").chooses("61")
    announces(night.chooses("believe"), 62).chooses("liar").throws(4, 3)
    announces(night, 21).chooses("give_up")
    announces(night, 21).chooses("look").throws(2, 1)
    assert [(note.row, note.text) for note in night.match.view().row_notes] == [
        (1, "Ann announced 54, Ben 61 unseen, Cal 62; Ann called liar: 43 lay under the cup"),
        (2, "Ann announced Mia; Ben gave up"),
        (3, "Cal announced Mia; Ann looked: Mia lay under the cup"),
    ]


def test_a_log_without_what_is_for_the_simulated_hand_goes_on() -> None:
    match = announces(mia(), 65).chooses("believe").match
    logged = playing.logged_without(match, "hides", "throws")
    assert logged != list(match.answers)
    assert replay(match.game, match.seats, match.raw_settings, logged).prompt == match.prompt


def test_m9_calling_an_announcement_below_the_throw_costs_the_caller() -> None:
    night = called(65, 6, 6)
    assert night.scores == {"Ann": 6, "Ben": 5, "Cal": 6}
    assert night.says == (
        "Ben calls Ann a liar: 66 (a double) lay under the cup, more than 65, and Ben loses a life."
    )
    assert night.sheet[-1] == ("Ben", -1, "lost a life")
    assert night.turn == "Cal"


def test_m5_a_throw_equal_to_the_announcement_is_true() -> None:
    night = called(54, 5, 4)
    assert night.scores == {"Ann": 6, "Ben": 5, "Cal": 6}
    assert night.says == "Ben calls Ann a liar: 54 lay under the cup, as announced, and Ben loses a life."


def test_a_player_who_believes_must_announce_more() -> None:
    night = announces(mia(), 65).chooses("believe")
    assert night.asks == (
        "Ben: throw two dice under the cup, and say when that is done. Then announce 11 or higher."
    )
    assert night.ready().asks == "Ben: announce 11 or higher."
    assert night.options == ["21", "66", "55", "44", "33", "22", "11"]
    night.chooses("22")
    assert night.asks == "Cal: Ben announces 22. Believe it, or call liar?"
    night.chooses("liar")
    assert night.asks == "Cal: lift the cup off the two dice, as they lie."
    night.throws(3, 1)
    assert night.scores == {"Ann": 6, "Ben": 5, "Cal": 6}
    assert night.says == (
        "Cal calls Ben a liar: 31 lay under the cup, less than 22 (a double), and Ben loses a life."
    )
    assert night.turn == "Cal"


@pytest.mark.parametrize("value", ["64", "65", "31"])
def test_foul_announcing_the_same_value_or_less(value: str) -> None:
    night = announces(mia(), 65).chooses("believe").ready()
    why = f"Not “{value}”: choose 21, 66, 55, 44, 33, 22 or 11. Ben: announce 11 or higher."
    assert night.refuses_choice(value) == why


@pytest.mark.parametrize("value", ["56", "12", "60", "13", "Mia", ""])
def test_foul_announcing_an_impossible_value(value: str) -> None:
    assert mia().ready().refuses_choice(value).startswith(f"Not “{value}”: choose 21, 66, 55,")


def test_foul_throwing_again_after_a_call() -> None:
    night = announces(mia(), 54).chooses("liar")
    assert night.refuses_choice("ready") == (
        "A throw is expected, not a choice. Ben: lift the cup off the two dice, as they lie."
    )
    assert night.refuses_throw(4).startswith("Two dice expected, one die came.")


def test_foul_answering_with_a_bid() -> None:
    assert mia().ready().refuses_answer(Bid(1, 6)) == (
        "A choice is expected, not a bid. Ann: what do you announce?"
    )


def test_mia_is_announced_automatically_after_66() -> None:
    night = announces(mia(), 66).chooses("believe").ready()
    assert night.says == "Only Mia is left to announce, so Ben does."
    assert night.asks == "Cal: Ben announces Mia. Give up, or look?"
    night.chooses("look").throws(6, 6)
    assert night.scores == {"Ann": 6, "Ben": 5, "Cal": 6}


def test_m2_the_highest_die_begins_and_a_new_round_opens_with_any_value() -> None:
    night = Night("mia", "Ann", "Ben", "Cal").throws_each(2, 6, 6, 1, 5)
    assert night.says == "Cal begins."
    assert night.scores == {"Ann": 6, "Ben": 6, "Cal": 6}
    announces(night, 66).chooses("liar").throws(3, 1)
    assert night.turn == "Ann"
    assert night.ready().options == [str(v) for v in VALUES]


# -- a Mia ---------------------------------------------------------------------------------------------------


def test_m6_a_mia_cannot_be_believed_or_passed_on() -> None:
    for settings in ({}, {"pass_on": "on"}):
        night = announces(mia(**settings), 21)
        assert night.asks == "Ben: Ann announces Mia. Give up, or look?"
        assert night.options == ["give_up", "look"]
        assert night.refuses_choice("believe") == (
            "Not “believe”: choose give_up or look. Ben: Ann announces Mia. Give up, or look?"
        )


def test_m1_giving_up_on_a_mia_costs_one_life() -> None:
    night = announces(mia(), 21).chooses("give_up")
    assert night.scores == {"Ann": 6, "Ben": 5, "Cal": 6}
    assert night.says == "Ben does not look, and loses a life."
    assert night.sheet[-1] == ("Ben", -1, "lost a life")
    assert night.turn == "Cal"
    assert not night.match.view().throws


def test_looking_at_a_true_mia_costs_two_lives() -> None:
    night = called(21, 2, 1)
    assert night.scores == {"Ann": 6, "Ben": 4, "Cal": 6}
    assert night.says == (
        "Ben looks at Ann's Mia: Mia lay under the cup, as announced, and Ben loses two lives."
    )
    assert night.sheet[-1] == ("Ben", -2, "lost two lives")
    assert night.turn == "Cal"


def test_m1_a_false_mia_costs_its_announcer_one_life() -> None:
    night = called(21, 6, 6)
    assert night.scores == {"Ann": 5, "Ben": 6, "Cal": 6}
    assert night.says == (
        "Ben looks at Ann's Mia: 66 (a double) lay under the cup, less than Mia, and Ann loses a life."
    )
    assert night.turn == "Ben"


def test_a_mia_announced_as_a_lower_value_costs_the_caller_one_life() -> None:
    night = called(31, 1, 2)
    assert night.scores == {"Ann": 6, "Ben": 5, "Cal": 6}
    assert night.says == "Ben calls Ann a liar: Mia lay under the cup, more than 31, and Ben loses a life."


# -- passing on ----------------------------------------------------------------------------------------------


def test_m4_passing_on_is_off_by_default() -> None:
    why = announces(mia(), 54).refuses_choice("pass")
    assert why == "Not “pass”: choose believe or liar. Ben: Ann announces 54. Believe it, or call liar?"


def test_m4_the_player_who_passed_on_last_is_liable() -> None:
    night = announces(mia(pass_on="on"), 31)
    assert night.asks == "Ben: Ann announces 31. Believe it, call liar, or pass it on?"
    night.chooses("pass").chooses("31").chooses("liar").throws(5, 5)
    assert night.scores == {"Ann": 6, "Ben": 6, "Cal": 5}
    assert night.turn == "Ann"
    lied = announces(mia(pass_on="on"), 54).chooses("pass").chooses("61").chooses("liar").throws(5, 4)
    assert lied.scores == {"Ann": 6, "Ben": 5, "Cal": 6}
    assert lied.says == "Cal calls Ben a liar: 54 lay under the cup, less than 61, and Ben loses a life."
    assert lied.turn == "Cal"


def test_m4_a_passed_cup_is_announced_with_the_same_value_or_more() -> None:
    night = announces(mia(pass_on="on"), 66).chooses("pass")
    assert night.options == ["21", "66"]
    assert night.asks == "Ben: announce 66 or higher."
    assert night.refuses_choice("55") == "Not “55”: choose 21 or 66. Ben: announce 66 or higher."
    assert night.chooses("66").so_far == "Ben announces 66"
    assert night.chooses("pass").chooses("21").asks == "Ann: Cal announces Mia. Give up, or look?"


def test_m4_the_player_who_announced_mia_last_is_liable() -> None:
    night = announces(mia(pass_on="on"), 54).chooses("pass").chooses("21").chooses("look").throws(4, 4)
    assert night.scores == {"Ann": 6, "Ben": 5, "Cal": 6}


def test_believing_after_a_pass_means_a_new_throw() -> None:
    night = announces(mia(pass_on="on"), 54).chooses("pass").chooses("54").chooses("believe").ready()
    assert night.asks == "Cal: announce 61 or higher."


# -- the end -------------------------------------------------------------------------------------------------


def test_m8_the_first_player_without_lives_loses() -> None:
    night = lose_lives_until(mia(), 1, of="Ann")
    assert not night.over
    lose_lives_until(night, 0, of="Ann")
    assert night.winners == ("Ben", "Cal")
    assert night.outcome.reason == "Ann is the first without lives and loses; Ben and Cal win."
    assert night.scores["Ann"] == 0
    assert night.says == "Ann has no lives left."


def test_with_two_players_the_other_wins() -> None:
    night = lose_lives_until(mia("Ann", "Ben"), 0, of="Ben")
    assert night.winners == ("Ann",)
    assert night.outcome.reason == "Ben is the first without lives and loses; Ann wins."


def test_m3_m7_a_true_mia_costs_the_last_life() -> None:
    night = lose_lives_until(mia("Ann", "Ben"), 1, of="Ben")
    assert night.turn == "Ann"
    announces(night, 21).chooses("look").throws(1, 2)
    assert night.scores["Ben"] == 0
    assert night.rulings[-2:] == [
        "Ben looks at Ann's Mia: Mia lay under the cup, as announced, and Ben loses a life.",
        "Ben has no lives left.",
    ]
    assert night.sheet[-1] == ("Ben", -1, "lost a life")
    assert night.winners == ("Ann",)


def test_m8_with_play_last_standing_the_last_player_with_lives_wins() -> None:
    night = lose_lives_until(mia(play="last_standing"), 0, of="Ben")
    assert not night.over
    assert night.scores["Ben"] == 0
    assert turns_of_a_round(night) == {"Ann", "Cal"}
    lose_lives_until(night, 0, of="Ann")
    assert night.winners == ("Cal",)
    assert night.outcome.reason == "Cal is the last with lives and wins."


def turns_of_a_round(night: Night) -> set[str]:
    """The players who are asked in a round in which all believe."""
    asked = {night.turn}
    announces(night, 31)
    for value in (32, 41, 42, 43):
        asked.add(night.turn)
        night.chooses("believe").ready().chooses(str(value))
    night.chooses("liar").throws(6, 6)
    return asked


def test_the_next_player_with_lives_begins_after_an_eliminated_one() -> None:
    night = lose_lives_until(mia(play="last_standing"), 0, of="Cal")
    while night.turn != "Ann":
        announces(night, 31).chooses("liar").throws(6, 6)
    announces(night, 31)
    assert night.turn == "Ben"
    night.chooses("liar").throws(6, 6)
    assert night.turn == "Ann"


@pytest.mark.parametrize("seed", range(6))
def test_a_call_costs_one_player_one_or_two_lives(seed: int) -> None:
    night = Night(
        "mia",
        "A",
        "B",
        "C",
        pass_on=["off", "on"][seed % 2],
        play=["first_loser", "last_standing"][seed // 3],
    )
    playing.play_to_end(night.match, Random(seed), 5_000)
    lines = [line for line in night.match.view().sheet if line.points < 0]
    assert all(line.points in (-1, -2) for line in lines)
    assert len({line.at for line in lines}) == len(lines)
    assert min(night.scores.values()) == 0
    assert set(night.winners) == {p for p, lives in night.scores.items() if lives}


def test_with_own_dice_a_passed_cup_keeps_its_colour() -> None:
    night = Night("mia", "Ann:green", "Ben:red", "Cal:blue", start="Ann", dice="own", pass_on="on")
    assert night.asks == "Ann: throw two green dice under the cup, and say when that is done."
    announces(night, 31).chooses("pass").chooses("31").chooses("liar")
    assert night.asks == "Cal: lift the cup off the two green dice, as they lie."
    assert night.refuses_colour("blue", 3, 1).startswith(
        "Wrong colour: two green dice expected, two blue dice came."
    )
    assert night.throws_coloured("green", 3, 1).turn == "Ann"


# -- the coach -----------------------------------------------------------------------------------------------


def test_the_coach_gives_the_chance_of_a_throw_at_least_as_high() -> None:
    night = announces(mia(), 65)
    assert night.odds == {
        "a throw of 65 or better": Fraction(10, 36),
        "a throw that beats 65": Fraction(8, 36),
    }
    assert night.chooses("believe").ready().odds == {"a throw of 11 or better": Fraction(8, 36)}
    assert announces(mia(), 21).odds == {"a throw of 21 or better": Fraction(2, 36)}
    assert mia().ready().odds == {}


@pytest.mark.parametrize("announced", VALUES[1:])
def test_the_odds_of_every_announcement_match_a_count_of_36_throws(announced: int) -> None:
    def strength(a: int, b: int) -> tuple[bool, bool, int]:
        high, low = max(a, b), min(a, b)
        return (high, low) == (2, 1), a == b, 10 * high + low

    throws = [strength(a, b) for a, b in product(range(1, 7), repeat=2)]
    there = strength(*divmod(announced, 10))
    better = sum(s > there for s in throws)
    assert announces(mia(), announced).odds == {
        f"a throw of {announced} or better": Fraction(better + throws.count(there), 36),
        f"a throw that beats {announced}": Fraction(better, 36),
    }


def test_a_hidden_throw_cannot_be_taken_back() -> None:
    night = Night("mia", "Ann", "Ben", "Cal", start="Ann").ready()
    assert night.refuses_take_back() == (
        "A throw is never taken back, not even under a cup. Go on with the dice that lie there."
    )
    night.chooses("31").chooses("believe")
    assert night.takes_back().options == ["believe", "liar"]
    night.chooses("believe").ready()
    assert not night.match.view().can_take_back
