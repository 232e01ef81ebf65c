"""Sigily: extra throws that cannot follow, shut veils, and what becomes of a Free Turn."""

from __future__ import annotations

from typing import Any

from table.games import game
from table.games.sigily.race import Wind
from tests.games.sigily.race_night import RaceNight, magic, teams

SHUT = "No free throw for Ann, because the veil stayed shut."


# -- extra throws that cannot follow -------------------------------------------------------------------------


def after_a_shut_veil(throw: str, **settings: Any) -> RaceNight:
    """Ann tries the veil at Beltane, it stays shut, and she throws for chariot 1."""
    night = RaceNight(units=[("Ann", [1], 12, 0)], **settings).chooses("enter").tosses("ceither")
    return night.tosses(throw)


def test_no_card_is_drawn_after_a_shut_veil() -> None:
    night = after_a_shut_veil("tri", cards=12)
    assert night.units_at(15) == [("Ann", [1], 2)]
    assert night.says == SHUT
    assert night.turn == "Ben"
    assert night.meeting.cards == 12


def test_nothing_is_promised_after_a_shut_veil_when_the_cards_are_used_up() -> None:
    night = RaceNight(units=[("Ann", [1], 12, 0)], cards=12)
    night.meeting.cards = 0
    night.chooses("enter").tosses("ceither", "tri")
    assert "No question cards are left, so the extra throw needs none." not in night.rulings
    assert night.says == SHUT


def test_no_card_is_drawn_after_the_third_extra_throw() -> None:
    night = RaceNight(units=[("Ann", [1], 4, 0), ("Ann", [2], 14, 0)], cards=12)
    for _ in range(3):
        night.tosses("ceither").chooses("1").chooses("again")
    night.tosses("aon").chooses("2")
    assert night.units_at(15) == [("Ann", [2], 2)]
    assert night.says == "Ann has had three extra throws, and no more follow."
    assert night.meeting.cards == 12
    assert night.turn == "Ben"


def test_no_card_is_drawn_by_a_player_who_has_nothing_left_to_move() -> None:
    night = teams(
        [("Ann", [1], 1, 0), ("Cal", [1], 3, 0)], finished={"Ann": 2}, home="on", cards=12, loose={3: 0}
    ).tosses("dha")
    assert night.units_at(3) == [("Cal", [1, 1], 0)]
    assert night.says == "No free throw for Ann, because nothing is left to move."
    assert night.turn == "Ben"


def test_a_card_is_drawn_before_the_third_extra_throw() -> None:
    night = RaceNight(units=[("Ann", [2], 14, 0)], cards=12)
    for _ in range(2):
        night.tosses("ceither").chooses("new").chooses("again")
    night.tosses("aon").chooses("2")
    assert night.options == ["good", "not_good"]


# -- S-7: what a shut veil takes -----------------------------------------------------------------------------


def test_s7_a_shut_veil_takes_every_free_throw() -> None:
    assert after_a_shut_veil("tri").says == SHUT
    assert after_a_shut_veil("coig").says == SHUT
    assert after_a_shut_veil("aon").turn == "Ben"


def test_s7_as_the_source_has_it_a_shut_veil_takes_only_the_throw_of_a_ceither_or_a_coig() -> None:
    night = after_a_shut_veil("tri", shut_veil="ceither_and_coig")
    assert night.rulings[-2:] == [
        "Ceither: the veil stays shut. "
        "Chariot 1 goes round by the ring, and a ceither or a coig brings no free throw.",
        "Ann, tri: chariot 1 lands on the Summer Solstice and takes 2 coins.",
    ]
    assert night.options == ["again", "stop"]
    night.chooses("again").tosses("ceither").chooses("1")
    assert night.says == SHUT
    assert night.turn == "Ben"


def test_s7_as_the_source_has_it_a_card_is_drawn_after_a_shut_veil() -> None:
    night = after_a_shut_veil("tri", shut_veil="ceither_and_coig", cards=12)
    assert night.options == ["good", "not_good"]
    night.chooses("good")
    assert night.options == ["again", "stop"]


def free_turn_at_the_veil(**settings: Any) -> RaceNight:
    return magic(("Ann", [1], 12, 4), **settings).chooses("free_turn")


def test_s7_a_shut_veil_takes_a_free_turn_and_the_option_says_so() -> None:
    night = free_turn_at_the_veil()
    assert [o.text for o in night.choice.options] == [
        "Just throw",
        "Try to enter the fairy land; if the veil stays shut, the Free Turn is lost",
    ]
    night.chooses("enter").tosses("tri", "dha")
    assert night.says == "Ann's Free Turn is lost, because the veil stayed shut."
    assert night.turn == "Ben"


def test_s7_as_the_source_has_it_a_free_turn_outlasts_a_shut_veil() -> None:
    night = free_turn_at_the_veil(shut_veil="ceither_and_coig")
    assert night.choice.options[1].text == "Try to enter the fairy land"
    night.chooses("enter").tosses("tri", "dha")
    assert night.choice.options[0].text == "Take extra throw 1 of 3 for chariot 1"


# -- S-22: a Free Turn ---------------------------------------------------------------------------------------


def test_s22_a_free_turn_is_lost_when_the_chariot_ends_below_a_partner() -> None:
    night = teams([("Ann", [1], 3, 4), ("Cal", [1], 4, 0)], home="on", magic="on", loose={4: 0})
    night.chooses("free_turn").tosses("aon").chooses("1")
    assert [c.owner for c in night.unit(4).chariots] == ["Cal", "Ann"]
    assert night.says == "Ann's Free Turn is lost, because Cal moves that chariot now."
    assert night.turn == "Ben"


def test_s22_a_ceither_still_gives_its_throw_when_the_free_turn_is_lost() -> None:
    night = teams([("Ann", [1], 1, 4), ("Cal", [1], 5, 0)], home="on", magic="on")
    night.chooses("free_turn").tosses("ceither").chooses("1")
    assert night.says == "Ann's Free Turn is lost, because Cal moves that chariot now."
    assert night.choice.options[0].text == "Take extra throw 1 of 3"
    night.chooses("again").tosses("dha")
    assert night.unit(2).owner == "Ann", "any chariot of Ann's, here a new one"


def test_s22_a_free_turn_moves_the_unit_of_its_chariot_that_another_landed_on() -> None:
    night = magic(("Ann", [1], 8, 4), ("Ann", [2], 7, 0), ("Ann", [3], 1, 0))
    night.chooses("free_turn").tosses("aon").chooses("2")
    assert night.choice.options[0].text == "Take extra throw 1 of 3 for chariot 2"
    night.chooses("again").tosses("aon")
    assert night.units_at(9) == [("Ann", [2, 1], 3)]


def test_s22_a_free_turn_moves_what_is_left_of_the_stack_that_paid() -> None:
    night = magic(("Ann", [1, 2], 8, 4), ("Ben", [1], 10, 0), stacks="on", stone_skin="off", curse="off")
    night.chooses("free_turn").tosses("dha").chooses("1").tosses("aon", "ceither", "tri")
    assert night.units_at(10) == [("Ann", [2], 1)]
    night.chooses("again").tosses("aon")
    assert night.units_at(11) == [("Ann", [2], 2)]


def test_s22_a_free_turn_is_lost_with_the_turn() -> None:
    night = magic(("Ann", [1], 1, 4), ("Ann", [2], 8, 0), ("Ben", [1], 10, 0))
    night.chooses("free_turn").tosses("dha").chooses("2").tosses("aon", "tri")
    assert night.says == "Ann's Free Turn is lost, because a chariot that dies ends the turn."
    night = magic(("Ann", [1], 1, 4), ("Ann", [2], 8, 0), cards=12)
    night.chooses("free_turn").tosses("aon").chooses("2").chooses("not_good")
    assert night.says == "Ann's Free Turn is lost, because the answer was not good."


def test_s22_only_the_unit_of_a_free_turn_may_go_backwards_by_its_throw() -> None:
    night = magic(("Ann", [1], 1, 6), ("Ann", [2], 16, 2), home="on", stone_skin="off", curse="off")
    night.chooses("free_turn").chooses("throw").tosses("aon").chooses("1").chooses("again")
    assert night.awaits == "sticks", "chariot 2 could go backwards, but this throw is for chariot 1"
    night.tosses("aon")
    assert night.unit(3).id == "1"
    night = magic(("Ann", [1], 16, 6), ("Ann", [2], 14, 2), home="on", stone_skin="off", curse="off")
    night.chooses("free_turn").chooses("back").chooses("1").tosses("aon").chooses("again").chooses("back")
    assert night.asks == "Ann: throw the four sticks to go backwards, extra throw 1 of 3."
    assert night.unit(15).coins == 2, "it paid four for the Free Turn and one for each move backwards"


def test_s22_the_coach_counts_only_the_moves_of_a_free_turn() -> None:
    night = magic(("Ann", [1], 4, 4), ("Ann", [2], 23, 0)).chooses("free_turn").tosses("aon").chooses("1")
    assert night.options == ["again", "stop"]
    assert "chariot 2 can come home" not in night.odds
    night = RaceNight(units=[("Ann", [1], 3, 0), ("Ann", [2], 23, 0)]).tosses("ceither").chooses("1")
    assert night.odds["chariot 2 can come home"] == 1


def test_the_rules_tell_what_a_shut_veil_and_a_free_turn_mean() -> None:
    rules = " ".join(game("sigily").rules.split())
    rulings = dict(game("sigily").rulings)
    assert "With shut_veil=ceither_and_coig, a veil that stays shut takes only the free throw" in rules
    assert "Nobody draws a card for an extra throw that cannot follow" in rulings["S-7"]
    assert "It is lost if a partner has come to move that unit" in rulings["S-22"]


# -- chariots that start again -------------------------------------------------------------------------------


def test_a_chariot_that_starts_again_may_go_backwards_again() -> None:
    night = RaceNight(units=[("Ann", [1], 13, 3), ("Ben", [1], 9, 0)], home="on", territorial="on")
    night.chooses("back").tosses("dha")
    assert night.unit(11).chariots[0].sun_wise
    night.tosses("dha").chooses("1").tosses("tri", "aon")
    assert [c.sun_wise for c in night.race.off["Ann"]] == [False] * 4
    night.tosses("aon")
    night.race.off["Ann"][0].sun_wise = True
    assert night.unit(13).id == "1"
    night.tosses("aon").chooses("new")
    assert night.options == ["throw", "back"]


def test_a_chariot_carried_back_over_its_start_to_a_gate_has_made_no_circuit() -> None:
    """Ann starts at Beltane. Two Winds of Sloth carry her back from sigil 13 to Oimelc by a coig."""
    night = magic(
        ("Ann", [1], 13, 1), ("Ben", [1], 4, 0), home="on", territorial="on", stone_skin="off", curse="off"
    )
    night.race.winds += [Wind("sloth", "Ben")] * 2
    night.chooses("back").tosses("coig").chooses("stop")
    night.race.winds.clear()
    night.tosses("dha").chooses("1").tosses("aon", "tri")
    assert night.says.startswith("Ann's chariot 1 stays on Oimelc (ruling S-9)")
    assert night.unit(6).chariots[0].progress == -6
    night.tosses("coig").chooses("1").chooses("again").tosses("coig").chooses("1")
    assert not night.race.home["Ann"]
    assert night.unit(16).chariots[0].progress == 4
