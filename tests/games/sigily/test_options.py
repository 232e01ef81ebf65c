"""Sigily with cards, the home rule, and partners."""

from __future__ import annotations

from typing import Any

import pytest

from table.games.sigily.fouls import of_declaring
from table.games.sigily.race import Wind
from tests.games.sigily.race_night import RaceNight, faces, magic, refusal_reason, teams


def test_6_partners_split_the_coins_of_their_stack() -> None:
    night = teams([("Ann", [1, "Cal 1"], 23, 7)]).tosses("dha").chooses("1")
    assert night.race.stored == {"Ann": 4, "Ben": 0, "Cal": 3, "Dee": 0}
    assert night.says == (
        "Ann's chariot 1 with one below is home with 7 coins, split 4 to Ann and 3 to Cal (ruling S-12)."
    )


def answer_card(throw: str, answer: str, place: int = 9) -> RaceNight:
    """Ann reaches the Spring Equinox with this throw, and the others judge her answer."""
    steps = {"aon": 1, "dha": 2, "tri": 3, "ceither": 4, "coig": 5}[throw]
    return (
        RaceNight(units=[("Ann", [1], place - steps, 0)], cards=12).tosses(throw).chooses("1").chooses(answer)
    )


def test_13_a_good_answer_after_a_ceither_gives_one_throw() -> None:
    night = answer_card("ceither", "good").chooses("again")
    assert night.awaits == "sticks"
    night.throws_sticks(*faces("aon")).chooses("1")
    assert night.turn == "Ben"


@pytest.mark.parametrize("throw", ["ceither", "dha"])
def test_13_a_bad_answer_ends_the_turn(throw: str) -> None:
    night = answer_card(throw, "not_good")
    assert night.says == "Ann does not answer well on the Spring Equinox: there is no free throw of any kind."
    assert night.turn == "Ben"
    assert night.meeting.cards == 11


def test_13_without_question_cards_the_throw_is_given() -> None:
    night = RaceNight(units=[("Ann", [1], 7, 0)], cards=12)
    night.meeting.cards = 0
    night.tosses("dha").chooses("1")
    assert night.rulings[-1] == "No question cards are left, so the extra throw needs none."
    assert night.options == ["again", "stop"]


def test_14_a_forward_move_from_home_is_one_longer() -> None:
    night = RaceNight(units=[("Ben", [1], 19, 0)], home="on").tosses("aon", "dha")
    assert [o.text for o in night.choice.options] == [
        "Chariot 1 from sigil 19 to sigil 22",
        "Introduce chariot 2 on sigil 2",
    ]
    night.chooses("1")
    assert night.units_at(22) == [("Ben", [1], 1)]


def test_14_a_ceither_from_home_keeps_its_free_throw() -> None:
    night = RaceNight(units=[("Ann", [1], 14, 0)], home="on").tosses("ceither").chooses("1")
    assert night.units_at(19) == [("Ann", [1], 1)]
    assert night.options == ["again", "stop"]


def leinster_to_move(place: int, coins: int, **more: Any) -> RaceNight:
    """Cal of Leinster is to move; Ann and Ben have one chariot each, far away."""
    units = [("Cal", [1], place, coins), ("Ann", [1], 10, 0), ("Ben", [1], 16, 0)]
    return RaceNight(("Ann", "Ben", "Cal"), units, finished={"Ann": 2, "Ben": 2}, home="on", **more).tosses(
        "aon", "aon"
    )


def test_15_passing_the_start_backwards_and_forwards_is_not_home() -> None:
    night = leinster_to_move(2, 3)
    assert night.options == ["throw", "back"]
    night.chooses("back")
    assert night.scores["Cal"] == 2
    assert night.asks == "Cal: throw the four sticks to go backwards."
    night.tosses("ceither")
    assert night.unit(22).chariots[0].progress == -2
    assert night.options == ["again", "stop"]
    night.chooses("stop")
    night.tosses("aon", "aon", "coig").chooses("1")
    assert night.unit(3).chariots[0].progress == 3
    assert not night.race.home["Cal"]
    night.chooses("again")
    assert night.asks == "Cal: throw the four sticks, extra throw 1 of 3.", (
        "a chariot that left its quadrant backwards only moves forwards"
    )


def test_15_another_coin_pays_for_another_move_backwards_at_home() -> None:
    night = RaceNight(units=[("Ann", [1], 17, 2)], home="on", loose={13: 0}).chooses("back").tosses("ceither")
    assert night.units_at(13) == [("Ann", [1], 1)]
    night.chooses("again").chooses("back")
    assert night.units_at(13) == [("Ann", [1], 0)]
    night.tosses("aon")
    assert night.unit(12).chariots[0].progress == 12


def test_17_a_partner_goes_below_in_the_home_quadrant_of_the_other() -> None:
    night = (
        teams([("Ann", [1], 3, 1), ("Cal", [1], 4, 2)], home="on", loose={4: 0}).tosses("aon").chooses("1")
    )
    assert night.units_at(4) == [("Cal", [1, 1], 3)]
    assert [c.owner for c in night.unit(4).chariots] == ["Cal", "Ann"]


def test_17_without_the_home_rule_the_arriving_partner_is_on_top() -> None:
    night = teams([("Ann", [1], 3, 1), ("Cal", [1], 4, 2)], loose={4: 0}).tosses("aon").chooses("1")
    assert [c.owner for c in night.unit(4).chariots] == ["Ann", "Cal"]
    assert (
        night.says == "Ann's chariot 1 and Cal's chariot 1 go on as one on sigil 4, Ann on top, with 3 coins."
    )
    assert night.sheet[-2:] == [("Ann", 2, "chariots fuse"), ("Cal", -2, "chariots fuse")]


def test_s12_the_top_player_moves_the_stack_and_owns_its_coins() -> None:
    night = teams([("Ann", [1, "Cal 1"], 7, 7)])
    assert night.scores == {"Ann": 7, "Ben": 0, "Cal": 0, "Dee": 0}
    night.tosses("aon").chooses("new").tosses("dha", "tri")
    assert night.turn == "Dee"


def test_s17_winds_lengthen_an_introduction_and_home_does_not() -> None:
    night = magic(home="on", territorial="on")
    night.race.winds.append(Wind("speed", "Ann"))
    night.tosses("dha")
    assert night.unit(15)


def test_s19_a_move_backwards_costs_a_coin() -> None:
    night = RaceNight(units=[("Ann", [1], 17, 0), ("Ann", [2], 16, 1)], home="on").chooses("back")
    assert night.asks == "Ann: throw the four sticks to go backwards."
    night.tosses("aon")
    assert night.units_at(15) == [("Ann", [2], 2)]
    assert night.options == ["again", "stop"]


def test_s19_a_move_backwards_fights_where_it_lands() -> None:
    night = (
        RaceNight(units=[("Ann", [1], 17, 1), ("Ben", [1], 16, 2)], home="on")
        .chooses("back")
        .tosses("aon", "tri", "aon")
    )
    assert [u.owner for u in night.race.at(16)] == ["Ann"]


def test_s19_backwards_needs_the_home_rule_a_home_quadrant_and_no_wind_of_speed() -> None:
    night = RaceNight(units=[("Ann", [1], 17, 3)], home="on", magic="on")
    night.chooses("winds_of_speed")
    assert night.awaits == "sticks"
    night = RaceNight(units=[("Ann", [1], 20, 3)], home="on")
    assert night.awaits == "sticks"
    night = RaceNight(units=[("Ann", [1], 17, 3)])
    assert night.awaits == "sticks"


def test_s24_the_other_players_judge_and_the_author_settles_a_split() -> None:
    night = RaceNight(("Ann", "Ben", "Cal"), [("Ann", [1], 7, 0)], cards=12).tosses("dha").chooses("1")
    assert night.asks == (
        "Ben: Ann draws a question card and answers. "
        "Do the others find it good? If they disagree, its author decides."
    )


def test_with_the_home_rule_gates_give_no_home_point() -> None:
    night = RaceNight(units=[("Ann", [1], 10, 0), ("Ben", [1], 12, 0)], home="on")
    night.tosses("dha").chooses("1").tosses("aon", "aon")
    assert [u.owner for u in night.race.at(12)] == ["Ann"]


def test_going_backwards_is_refused_with_the_reason() -> None:
    gate = [("Ann", [1], 12, 0)]
    assert refusal_reason(RaceNight(units=gate), "back") == "Backward moves need the home rule, which is off"
    assert refusal_reason(RaceNight(units=gate, home="on"), "back") == (
        "No chariot of yours is in its home quadrant"
    )
    poor = RaceNight(units=[*gate, ("Ann", [2], 17, 0)], home="on")
    assert refusal_reason(poor, "back") == "Going backwards costs that chariot a coin, and it has none"
    out = RaceNight(units=[("Ann", [2], 17, 2)], home="on").race
    out.units[0].chariots[0].sun_wise = True
    assert of_declaring(out, "Ann", (), 0, "back") == (
        "A chariot that went backwards out of its quadrant moves only sun-wise"
    )
