"""Sigily with cards, the home rule, and partners."""

from __future__ import annotations

import pytest

from table.games.sigily.fouls import of_declaring
from table.games.sigily.race import Wind
from tests.games.sigily.race_day import Day, faces, magic, teams, why


def test_6_partners_split_what_their_stack_brings_home() -> None:
    day = teams([("Ann", [1, "Cal 1"], 23, 7)]).tosses("dha").chooses("1")
    assert day.race.stored == {"Ann": 4, "Ben": 0, "Cal": 3, "Dee": 0}
    assert day.says == "Ann's chariot 1 with one below is home with 7 coins, split 4 to Ann and 3 to Cal (ruling S-12)."


def on_card(throw: str, answer: str, place: int = 9) -> Day:
    """Ann reaches the Spring Equinox by this throw, and her answer is judged."""
    steps = {"aon": 1, "dha": 2, "tri": 3, "ceither": 4, "coig": 5}[throw]
    return Day(units=[("Ann", [1], place - steps, 0)], cards=12).tosses(throw).chooses("1").chooses(answer)  # type: ignore[return-value]


def test_13_a_good_answer_after_a_ceither_is_one_throw() -> None:
    day = on_card("ceither", "good").chooses("again")
    assert day.awaits == "sticks"
    day.throws_sticks(*faces("aon")).chooses("1")
    assert day.turn == "Ben"


@pytest.mark.parametrize("throw", ["ceither", "dha"])
def test_13_a_bad_answer_ends_the_turn(throw: str) -> None:
    day = on_card(throw, "not_good")
    assert day.says == "Ann does not answer well on the Spring Equinox: there is no free throw of any kind."
    assert day.turn == "Ben"
    assert day.meeting.cards == 11


def test_13_without_cards_left_the_throw_is_given() -> None:
    day = Day(units=[("Ann", [1], 7, 0)], cards=12)
    day.meeting.cards = 0
    day.tosses("dha").chooses("1")
    assert day.rulings[-1] == "No question cards are left, so the extra throw needs none."
    assert day.options == ["again", "stop"]


def test_14_a_forward_move_from_home_is_one_longer() -> None:
    day = Day(units=[("Ben", [1], 19, 0)], home="on").tosses("aon", "dha")
    assert [o.text for o in day.prompt.options] == ["Chariot 1 from sigil 19 to sigil 22", "Introduce chariot 2 on sigil 2"]  # type: ignore[attr-defined]
    day.chooses("1")
    assert day.stands(22) == [("Ben", [1], 1)]


def test_14_and_a_ceither_from_home_keeps_its_free_throw() -> None:
    day = Day(units=[("Ann", [1], 14, 0)], home="on").tosses("ceither").chooses("1")
    assert day.stands(19) == [("Ann", [1], 1)]
    assert day.options == ["again", "stop"]


def leinster(place: int, coins: int, **more: object) -> Day:
    """Cal of Leinster has the turn: Ann and Ben have a chariot each, far away."""
    units = [("Cal", [1], place, coins), ("Ann", [1], 10, 0), ("Ben", [1], 16, 0)]
    return Day(("Ann", "Ben", "Cal"), units, finished={"Ann": 2, "Ben": 2}, home="on", **more).tosses("aon", "aon")  # type: ignore[arg-type]


def test_15_back_over_the_start_and_forward_again_is_not_home() -> None:
    day = leinster(2, 3)
    assert day.options == ["throw", "back"]
    day.chooses("back")
    assert day.scores["Cal"] == 2
    assert day.asks == "Cal: throw the four sticks to go backwards."
    day.tosses("ceither")
    assert day.unit(22).chariots[0].progress == -2
    assert day.options == ["again", "stop"]
    day.chooses("stop")
    day.tosses("aon", "aon", "coig").chooses("1")
    assert day.unit(3).chariots[0].progress == 3
    assert not day.race.home["Cal"]
    day.chooses("again")
    assert day.asks == "Cal: throw the four sticks, extra throw 1 of 3.", "once out of its quadrant backwards, it only goes on"


def test_15_still_at_home_another_coin_takes_it_further_back() -> None:
    day = Day(units=[("Ann", [1], 17, 2)], home="on", loose={13: 0}).chooses("back").tosses("ceither")
    assert day.stands(13) == [("Ann", [1], 1)]
    day.chooses("again").chooses("back")
    assert day.stands(13) == [("Ann", [1], 0)]
    day.tosses("aon")
    assert day.unit(12).chariots[0].progress == 12


def test_17_a_partner_goes_underneath_in_the_other_ones_quadrant() -> None:
    day = teams([("Ann", [1], 3, 1), ("Cal", [1], 4, 2)], home="on", loose={4: 0}).tosses("aon").chooses("1")
    assert day.stands(4) == [("Cal", [1, 1], 3)]
    assert [c.owner for c in day.unit(4).chariots] == ["Cal", "Ann"]


def test_17_without_the_home_rule_whoever_arrives_is_on_top() -> None:
    day = teams([("Ann", [1], 3, 1), ("Cal", [1], 4, 2)], loose={4: 0}).tosses("aon").chooses("1")
    assert [c.owner for c in day.unit(4).chariots] == ["Ann", "Cal"]
    assert day.says == "Ann's chariot 1 and Cal's chariot 1 go on as one on sigil 4, Ann on top, with 3 coins."


def test_s12_the_top_player_moves_the_stack_and_owns_its_coins_on_the_way() -> None:
    day = teams([("Ann", [1, "Cal 1"], 7, 7)])
    assert day.scores == {"Ann": 7, "Ben": 0, "Cal": 0, "Dee": 0}
    day.tosses("aon").chooses("new").tosses("dha", "tri")
    assert day.turn == "Dee"


def test_s17_winds_help_an_introduction_and_home_does_not() -> None:
    day = magic(home="on", territorial="on")
    day.race.winds.append(Wind("speed", "Ann"))
    day.tosses("dha")
    assert day.unit(15)


def test_s19_no_coin_no_way_back() -> None:
    day = Day(units=[("Ann", [1], 17, 0), ("Ann", [2], 16, 1)], home="on").chooses("back")
    assert day.asks == "Ann: throw the four sticks to go backwards."
    day.tosses("aon")
    assert day.stands(15) == [("Ann", [2], 2)]
    assert day.options == ["again", "stop"]


def test_s19_a_move_backwards_fights_where_it_lands() -> None:
    day = Day(units=[("Ann", [1], 17, 1), ("Ben", [1], 16, 2)], home="on").chooses("back").tosses("aon", "tri", "aon")
    assert [u.owner for u in day.race.at(16)] == ["Ann"]


def test_s19_nobody_moves_backwards_in_a_wind_of_speed_and_nobody_outside_home() -> None:
    day = Day(units=[("Ann", [1], 17, 3)], home="on", magic="on")
    day.chooses("winds_of_speed")
    assert day.awaits == "sticks"
    day = Day(units=[("Ann", [1], 20, 3)], home="on")
    assert day.awaits == "sticks"
    day = Day(units=[("Ann", [1], 17, 3)])
    assert day.awaits == "sticks"


def test_s24_the_others_judge_and_the_author_where_they_split() -> None:
    day = Day(("Ann", "Ben", "Cal"), [("Ann", [1], 7, 0)], cards=12).tosses("dha").chooses("1")
    assert day.asks == "Ben: Ann draws a question card and answers. Do the others find it good? If they disagree, its author decides."


def test_under_home_rules_gates_are_nobodys() -> None:
    day = Day(units=[("Ann", [1], 10, 0), ("Ben", [1], 12, 0)], home="on").tosses("dha").chooses("1").tosses("aon", "aon")
    assert [u.owner for u in day.race.at(12)] == ["Ann"]


def test_going_backwards_is_refused_with_the_reason() -> None:
    gate = [("Ann", [1], 12, 0)]
    assert why(Day(units=gate), "back") == "Backward moves need the home rule, which is off"
    assert why(Day(units=gate, home="on"), "back") == "No chariot of yours is in its home quadrant"
    poor = Day(units=[*gate, ("Ann", [2], 17, 0)], home="on")
    assert why(poor, "back") == "Going backwards costs that chariot a coin, and it has none"
    out = Day(units=[("Ann", [2], 17, 2)], home="on").race
    out.units[0].chariots[0].sun_wise = True
    assert of_declaring(out, "Ann", (), 0, "back") == "A chariot that went backwards out of its quadrant moves only sun-wise"
