"""Sigily: fights of chariots and of stacks, and their losses."""

from __future__ import annotations

from typing import Any

import pytest

from table.games.sigily.sticks import Toss, higher, toss
from table.games.sigily.topology import (
    CENTRE,
)
from table.rules.answers import Sticks
from tests.games.sigily.race_night import RaceNight, faces, one_coin_except, teams


def attack(attacker: int = 2, defender: int = 3, place: int = 10, **settings: Any) -> RaceNight:
    """Ann's chariot moves two sigils by a dha to attack Ben's chariot."""
    night = RaceNight(units=[("Ann", [1], place - 2, attacker), ("Ben", [1], place, defender)], **settings)
    return night.tosses("dha").chooses("1")


@pytest.mark.parametrize(
    ("attacker", "defender", "lives"),
    [
        (("dog", "deer", "cow"), ("dog", "deer", "cow", "horse"), False),
        (("horse",), ("dog", "deer"), True),
        (("dog", "deer", "cow", "horse"), (), True),
        (("dog", "deer"), ("dog", "deer"), True),
        (("dog",), ("dog", "deer", "cow"), False),
    ],
)
def test_4_the_higher_throw_wins_a_fight(
    attacker: tuple[str, ...], defender: tuple[str, ...], lives: bool
) -> None:
    night = attack()
    assert night.asks == "Ann: throw the four sticks to fight Ben's chariot 1."
    assert night.prompt.to_json()["for"] == "fight"
    night.shows(*attacker)
    assert night.asks == "Ben: throw the four sticks to fight Ann's chariot 1."
    night.shows(*defender)
    assert [owner for owner, _, _ in night.units_at(10)] == ["Ann" if lives else "Ben"]


def test_4_both_throw_again_on_a_tie() -> None:
    night = attack().shows("deer").shows("dog", "deer")
    assert night.says == "Ann: aon (deer) + 1 = 2; Ben: dha (deer) = 2. A tie: both throw again."
    assert night.asks == "Ann: throw the four sticks to fight Ben's chariot 1."
    night.tosses("tri", "aon")
    assert night.units_at(10) == [("Ann", [1], 6)]


def test_4_the_second_thrower_sees_what_to_beat() -> None:
    night = attack().shows("deer")
    assert night.so_far == "Ann has aon (deer) + 1 = 2 to beat"
    assert night.shows("horse", "dog", "deer", "cow").so_far == ""
    assert "Ann: aon (deer) + 1 = 2; Ben: ceither (horse) = 4." in night.rulings
    night = RaceNight(units=[("Ann", [1], 18, 0), ("Ben", [1], 20, 0)], home="on")
    night.chooses("throw").tosses("dha").chooses("1").tosses("tri")
    assert night.so_far == "Ann has tri (cow) = 3 to beat, and Ben counts one more"


def test_18_one_against_a_stack_sees_all_throws_to_beat() -> None:
    night = two_attack_one("dha", "aon")
    assert night.so_far == "Ann has dha (deer) + 1 = 3 and aon (dog) + 1 = 2 to beat"
    assert night.tosses("aon").so_far == ""


def test_4_the_board_shows_the_attacker_on_the_sigil_of_the_fight() -> None:
    board = attack().match.view().board
    assert board is not None
    assert [p.player for s in board.spaces if s.id == "10" for p in s.pieces] == ["Ben", "Ann"]


def test_5_the_winner_gets_all_coins() -> None:
    night = attack().tosses("aon", "tri")
    assert night.units_at(10) == [("Ben", [1], 5)]
    assert night.scores == {"Ann": 0, "Ben": 5}
    assert night.turn == "Ben"
    night = attack(loose={10: 0}).tosses("tri", "aon")
    assert night.units_at(10) == [("Ann", [1], 5)]
    won = "Ann's chariot 1 wins on sigil 10 and takes 3 coins. Ben's chariot 1 is off the board."
    assert won in night.rulings


def test_6_chariots_of_one_player_merge_and_die_together() -> None:
    night = RaceNight(units=[("Ann", [1], 8, 3), ("Ann", [2], 10, 1), ("Ben", [1], 9, 0)], loose={10: 0})
    night.tosses("dha").chooses("1")
    assert night.units_at(10) == [("Ann", [1, 2], 4)]
    night.tosses("aon").chooses("1").tosses("ceither", "aon")
    assert night.units_at(10) == [("Ben", [1], 4)]
    assert [c.number for c in night.race.off["Ann"]] == [1, 2, 3, 4]


def test_10_a_fight_on_a_gate_costs_both_sides_their_coins() -> None:
    night = RaceNight(
        units=[("Ann", [1], 4, 3), ("Ben", [1], 6, 2)], loose=one_coin_except(1, "S1") | {CENTRE: 4}
    )
    night.tosses("dha").chooses("1")
    assert [night.coins_at(p) for p in (CENTRE, "S1", 1)] == [7, 1, 1]
    assert night.says == "Ann's chariot 1 fights Ben's chariot 1 on Oimelc: the fairies take 5 coins."
    night.tosses("dha", "dha")
    assert night.units_at(6) == [("Ann", [1], 0)]
    assert night.unit(6).barred == {6}
    assert night.says == (
        "Ann's chariot 1 stays on Oimelc (ruling S-9), and may not enter the fairy land there again."
    )


def test_10_the_winner_of_a_fight_in_the_centre_goes_back_to_its_gate() -> None:
    night = RaceNight(units=[("Ann", [1], "B2", 3), ("Ben", [1], CENTRE, 2)], entered={"B2": 12, CENTRE: 0})
    night.tosses("dha", "aon").chooses("1").tosses("dha", "dha")
    assert night.units_at(12) == [("Ann", [1], 0)]
    assert night.unit(12).barred == {12}
    assert night.units_at(CENTRE) == []


def test_16_a_defender_at_home_has_the_extra_point() -> None:
    night = RaceNight(units=[("Ann", [1], 18, 0), ("Ben", [1], 20, 0)], home="on")
    night.chooses("throw").tosses("dha").chooses("1")
    night.tosses("tri", "tri")
    assert "Ann: tri (cow) = 3; Ben: tri (cow) + 1 = 4." in night.rulings
    assert [u.owner for u in night.race.at(20)] == ["Ben"]


def test_16_an_attacker_at_home_has_the_extra_point() -> None:
    night = RaceNight(units=[("Ben", [1], 17, 0), ("Ann", [1], 20, 0)], home="on")
    night.tosses("aon").chooses("new").tosses("tri").chooses("1")
    night.tosses("tri", "tri")
    assert [u.owner for u in night.race.at(20)] == ["Ben"]


def two_attack_one(*throws: str) -> RaceNight:
    night = (
        RaceNight(units=[("Ann", [1, 2], 8, 2), ("Ben", [1], 10, 3)], stacks="on", loose={10: 0})
        .tosses("dha")
        .chooses("1")
    )
    assert night.asks == "Ann: throw the four sticks for Ann's chariot 1 to fight Ben's chariot 1."
    return night.tosses(*throws)


def test_18_the_lower_of_two_attackers_can_die_while_the_higher_wins() -> None:
    night = two_attack_one("dha", "ceither", "ceither")
    assert night.units_at(10) == [("Ann", [2], 5)]
    assert [c.number for c in night.race.off["Ann"]] == [1, 3, 4]


def test_18_the_ruling_names_the_chariots_that_fell() -> None:
    night = two_attack_one("dha", "ceither", "ceither")
    won = "Ann's chariot 2 wins on sigil 10 and takes 3 coins."
    assert f"{won} Ann's chariot 1 and Ben's chariot 1 are off the board." in night.rulings


def test_18_both_attackers_can_die() -> None:
    night = two_attack_one("aon", "dha", "ceither")
    assert night.units_at(10) == [("Ben", [1], 5)]
    assert night.turn == "Ben"


def test_19_two_stacks_fight_in_pairs() -> None:
    night = (
        RaceNight(units=[("Ann", [1, 2], 8, 2), ("Ben", [1, 2], 10, 3)], stacks="on", loose={10: 0})
        .tosses("dha")
        .chooses("1")
    )
    assert night.asks == (
        "Ann: throw the four sticks for Ann's chariot 1 to fight Ben's chariot 1 with one below."
    )
    night.tosses("tri", "aon")
    night.tosses("aon", "ceither")
    assert night.asks == (
        "Ann: throw the four sticks for Ann's chariot 1 to fight Ben's chariot 1 with one below."
    )
    night.tosses("tri", "dha")
    assert night.units_at(10) == [("Ann", [1], 5)]
    assert len(night.race.off["Ben"]) == 4


def test_s9_a_defender_who_wins_on_a_gate_stays_and_is_barred() -> None:
    night = RaceNight(units=[("Ann", [1], 4, 3), ("Ben", [1], 6, 2)])
    night.tosses("dha").chooses("1").tosses("aon", "ceither")
    assert night.units_at(6) == [("Ben", [1], 0)]
    assert night.unit(6).barred == {6}
    assert night.says == (
        "Ben's chariot 1 stays on Oimelc (ruling S-9), and may not enter the fairy land there again."
    )


def test_s9_a_winner_who_stays_on_a_gate_takes_no_loose_coins() -> None:
    night = RaceNight(units=[("Ann", [1], 4, 3), ("Ben", [1], 6, 0)], loose={6: 2})
    night.tosses("dha").chooses("1").tosses("tri", "aon")
    assert night.units_at(6) == [("Ann", [1], 0)]
    assert night.coins_at(6) == 2


def test_s10_a_unit_sent_to_a_gate_starts_no_fight() -> None:
    night = RaceNight(
        units=[("Ann", [1], "B1", 3), ("Ben", [1], 12, 2), ("Ann", [2], 12, 1)],
        entered={"B1": 12},
        loose={12: 2},
    )
    night.tosses("aon")
    assert night.units_at(12) == [("Ben", [1], 2), ("Ann", [2], 1), ("Ann", [1], 0)]
    assert night.coins_at(12) == 2


def test_s10_a_later_arrival_fights_all_enemies_in_order_and_then_merges() -> None:
    night = RaceNight(
        ("Ann", "Ben", "Cal"),
        [("Cal", [1], 12, 1), ("Ben", [1], 12, 2), ("Ann", [2], 12, 4), ("Ann", [1], 10, 3)],
    )
    night.chooses("throw").tosses("dha").chooses("1")
    assert night.asks == "Ann: throw the four sticks to fight Cal's chariot 1."
    night.tosses("tri", "aon")
    assert night.asks == "Ann: throw the four sticks to fight Ben's chariot 1."
    night.tosses("tri", "aon")
    assert night.units_at(12) == [("Ann", [1, 2], 4)]


@pytest.mark.parametrize("plus", [1, -1])
def test_s11_only_throws_one_apart_tie_and_a_coig_loses_the_tie(plus: int) -> None:
    throws = [Toss(v, a) for v in range(1, 6) for a in range(5)]
    assert all(abs(a.value - b.value) == 1 for a in throws for b in throws if higher(a, b, plus) == 0)
    assert higher(toss(faces("ceither")), toss(faces("coig")), 1) > 0
    assert higher(toss(faces("coig")), toss(faces("ceither")), -1) < 0


def test_s13_a_winner_keeps_the_free_throw_and_a_loser_does_not() -> None:
    def fight(*throws: str) -> RaceNight:
        night = RaceNight(units=[("Ann", [1], 4, 0), ("Ben", [1], 8, 0)])
        return night.tosses("ceither").chooses("1").tosses(*throws)

    assert fight("tri", "aon").options == ["again", "stop"]
    assert fight("aon", "tri").turn == "Ben"


def test_s27_coins_can_replace_the_sticks_and_have_no_animals() -> None:
    night = RaceNight(units=[("Ann", [1], 8, 0), ("Ben", [1], 10, 0)], sticks="coins")
    assert night.asks == "Ann: throw the four coins."
    assert night.refuses_answer(Sticks(("dog", "round", "round", "round"))) == (
        "No coin shows dog; they show round or flat. Ann: throw the four coins."
    )
    night.throws_sticks("flat", "flat", "round", "round").chooses("1")
    night.throws_sticks("flat", "round", "round", "round").throws_sticks("flat", "flat", "round", "round")
    assert night.says == "Ann: aon + 1 = 2; Ben: dha = 2. A tie: both throw again."


def test_s31_only_the_two_tied_chariots_throw_again() -> None:
    night = (
        RaceNight(units=[("Ann", [1, 2], 8, 0), ("Ben", [1], 10, 0)], stacks="on").tosses("dha").chooses("1")
    )
    night.shows("deer").tosses("aon").tosses("dha")
    assert night.says == "Ann: aon (deer) + 1 = 2; Ben: dha (deer) = 2. A tie: both throw again."
    assert night.asks == "Ann: throw the four sticks for Ann's chariot 1 to fight Ben's chariot 1."
    night.tosses("tri", "aon")
    assert night.units_at(10) == [("Ann", [1], 1)]


def test_a_beaten_chariot_starts_again_and_stays_barred() -> None:
    night = RaceNight(units=[("Ann", [1], 8, 0), ("Ben", [1], 10, 0)], barred={10: 6})
    night.tosses("dha").chooses("1").tosses("tri", "aon")
    (beaten,) = [c for c in night.race.off["Ben"] if c.number == 1]
    assert (beaten.progress, beaten.barred) == (0, {6})


def test_in_the_fairy_land_a_fight_sends_the_winner_to_the_gate() -> None:
    night = (
        RaceNight(units=[("Ann", [1], "B1", 1), ("Ben", [1], "B2", 2)], entered={"B1": 12, "B2": 12})
        .tosses("dha", "aon")
        .chooses("1")
    )
    night.tosses("aon", "tri")
    assert night.units_at(12) == [("Ben", [1], 0)]
    assert night.race.off["Ann"][0].number == 1
    assert night.turn == "Ben"


def test_a_stack_has_one_throw_without_the_stacks_rule() -> None:
    night = RaceNight(units=[("Ann", [1, 2], 8, 2), ("Ben", [1, 2], 10, 3)])
    night.tosses("dha").chooses("1").tosses("aon", "tri")
    assert night.units_at(10) == [("Ben", [1, 2], 5)]


def test_three_against_two_fight_in_pairs_from_the_top() -> None:
    night = (
        RaceNight(units=[("Ann", [1, 2, 3], 8, 0), ("Ben", [1, 2], 10, 3)], stacks="on", loose={10: 0})
        .tosses("dha")
        .chooses("1")
    )
    night.tosses("aon", "tri", "tri", "aon")
    assert night.asks == (
        "Ann: throw the four sticks for Ann's chariot 2 to fight Ben's chariot 1 with one below."
    )
    night.tosses("tri", "aon")
    assert night.units_at(10) == [("Ann", [2, 3], 3)]


def test_a_single_attacker_can_die_together_with_one_of_the_stack() -> None:
    night = (
        RaceNight(units=[("Ann", [1], 8, 2), ("Ben", [1, 2], 10, 3)], stacks="on", loose={10: 0})
        .tosses("dha")
        .chooses("1")
    )
    assert night.asks == "Ann: throw the four sticks to fight Ben's chariot 1 with one below."
    night.tosses("dha", "ceither", "dha")
    assert night.units_at(10) == [("Ben", [1], 5)]
    assert night.turn == "Ben"


def test_a_stack_passes_to_the_next_player_when_its_top_dies() -> None:
    night = (
        teams([("Ann", [1, "Cal 1"], 8, 2), ("Ben", [1], 10, 3)], stacks="on", loose={10: 0})
        .tosses("dha")
        .chooses("1")
    )
    night.tosses("aon", "tri", "dha")
    won = "Cal's chariot 1 wins on sigil 10 and takes 3 coins."
    assert night.says == f"{won} Ann's chariot 1 and Ben's chariot 1 are off the board."
    assert night.scores == {"Ann": 0, "Ben": 0, "Cal": 5, "Dee": 0}
