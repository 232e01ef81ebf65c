"""Sigily: fights of chariots and of stacks, and who loses what by them."""

from __future__ import annotations

import pytest

from table.games.sigily.sticks import Toss, higher, toss
from table.games.sigily.topology import (
    CENTRE,
)
from table.rules.answers import Sticks
from tests.games.sigily.race_day import Day, coins_but_on, faces, teams


def attack(attacker: int = 2, defender: int = 3, place: int = 10, **settings: object) -> Day:
    """Ann on the sigil two before Ben's chariot, an aon thrown twice short of it: a dha brings the fight."""
    day = Day(units=[("Ann", [1], place - 2, attacker), ("Ben", [1], place, defender)], **settings)
    return day.tosses("dha").chooses("1")


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
def test_4_fights(attacker: tuple[str, ...], defender: tuple[str, ...], lives: bool) -> None:
    day = attack()
    assert day.asks == "Ann: throw the four sticks to fight Ben's chariot 1."
    assert day.prompt.to_json()["for"] == "fight"
    day.shows(*attacker)
    assert day.asks == "Ben: throw the four sticks to fight Ann's chariot 1."
    day.shows(*defender)
    assert [owner for owner, _, _ in day.stands(10)] == ["Ann" if lives else "Ben"]


def test_4_the_same_highest_animal_is_thrown_again_by_both() -> None:
    day = attack().shows("deer").shows("dog", "deer")
    assert day.says == "Ann: aon (deer) and 1 more; Ben: dha (deer). A tie: both throw again."
    assert day.asks == "Ann: throw the four sticks to fight Ben's chariot 1."
    day.tosses("tri", "aon")
    assert day.stands(10) == [("Ann", [1], 6)]


def test_4_the_board_shows_the_attacker_where_it_fights() -> None:
    board = attack().match.view().board
    assert board is not None
    assert [p.player for s in board.spots if s.id == "10" for p in s.pieces] == ["Ben", "Ann"]


def test_5_the_winner_has_all_the_coins() -> None:
    day = attack().tosses("aon", "tri")
    assert day.stands(10) == [("Ben", [1], 5)]
    assert day.scores == {"Ann": 0, "Ben": 5}
    assert day.turn == "Ben"
    day = attack(loose={10: 0}).tosses("tri", "aon")
    assert day.stands(10) == [("Ann", [1], 5)]
    assert (
        "Ann wins attacking on sigil 10 and takes 3 coins: Ann's chariot 1 stands, and the other side is off the board." in day.rulings
    )


def test_6_own_chariots_fuse_and_die_together() -> None:
    day = Day(units=[("Ann", [1], 8, 3), ("Ann", [2], 10, 1), ("Ben", [1], 9, 0)], loose={10: 0})
    day.tosses("dha").chooses("1")
    assert day.stands(10) == [("Ann", [1, 2], 4)]
    day.tosses("aon").chooses("1").tosses("ceither", "aon")
    assert day.stands(10) == [("Ben", [1], 4)]
    assert [c.number for c in day.race.off["Ann"]] == [1, 2, 3, 4]


def test_10_a_fight_on_a_gate_costs_both_their_coins() -> None:
    day = Day(units=[("Ann", [1], 4, 3), ("Ben", [1], 6, 2)], loose=coins_but_on(1, "S1") | {CENTRE: 4})
    day.tosses("dha").chooses("1")
    assert [day.lies(p) for p in (CENTRE, "S1", 1)] == [7, 1, 1]
    assert day.says == "Ann's chariot 1 fights Ben's chariot 1 on Oimelc: the fairies take 5 coins."
    day.tosses("dha", "dha")
    assert day.stands(6) == [("Ann", [1], 0)]
    assert day.unit(6).barred == {6}
    assert day.says == "Ann's chariot 1 stays on Oimelc (ruling S-9), and may not enter the fairy land there again."


def test_10_in_the_centre_the_winner_goes_back_to_its_gate() -> None:
    day = Day(units=[("Ann", [1], "B2", 3), ("Ben", [1], CENTRE, 2)], entered={"B2": 12, CENTRE: 0})
    day.tosses("dha", "aon").chooses("1").tosses("dha", "dha")
    assert day.stands(12) == [("Ann", [1], 0)]
    assert day.unit(12).barred == {12}
    assert day.stands(CENTRE) == []


def test_16_at_home_the_defender_has_the_point_and_the_attacker_none() -> None:
    day = Day(units=[("Ann", [1], 18, 0), ("Ben", [1], 20, 0)], home="on").chooses("throw").tosses("dha").chooses("1")
    day.tosses("tri", "tri")
    assert "Ann: tri (cow); Ben: tri (cow) and 1 more." in day.rulings
    assert [u.owner for u in day.race.at(20)] == ["Ben"]


def test_16_and_attacking_at_home_it_is_one_more_as_ever() -> None:
    day = Day(units=[("Ben", [1], 17, 0), ("Ann", [1], 20, 0)], home="on").tosses("aon").chooses("new").tosses("tri").chooses("1")
    day.tosses("tri", "tri")
    assert [u.owner for u in day.race.at(20)] == ["Ben"]


def two_attack_one(*throws: str) -> Day:
    day = Day(units=[("Ann", [1, 2], 8, 2), ("Ben", [1], 10, 3)], stacks="on", loose={10: 0}).tosses("dha").chooses("1")
    assert day.asks == "Ann: throw the four sticks for Ann's chariot 1 to fight Ben's chariot 1."
    return day.tosses(*throws)  # type: ignore[return-value]


def test_18_of_two_attackers_the_lower_dies_and_the_higher_wins() -> None:
    day = two_attack_one("dha", "ceither", "ceither")
    assert day.stands(10) == [("Ann", [2], 5)]
    assert [c.number for c in day.race.off["Ann"]] == [1, 3, 4]


def test_18_who_fell_on_the_side_that_won_is_told() -> None:
    day = two_attack_one("dha", "ceither", "ceither")
    assert "Ann's chariot 2 stands, Ann's chariot 1 fell, and the other side is off the board." in " ".join(day.rulings)


def test_18_or_both_die() -> None:
    day = two_attack_one("aon", "dha", "ceither")
    assert day.stands(10) == [("Ben", [1], 5)]
    assert day.turn == "Ben"


def test_19_stack_against_stack_by_pairs() -> None:
    day = Day(units=[("Ann", [1, 2], 8, 2), ("Ben", [1, 2], 10, 3)], stacks="on", loose={10: 0}).tosses("dha").chooses("1")
    assert day.asks == "Ann: throw the four sticks for Ann's chariot 1 to fight Ben's chariot 1 with one below."
    day.tosses("tri", "aon")
    day.tosses("aon", "ceither")
    assert day.asks == "Ann: throw the four sticks for Ann's chariot 1 to fight Ben's chariot 1 with one below."
    day.tosses("tri", "dha")
    assert day.stands(10) == [("Ann", [1], 5)]
    assert len(day.race.off["Ben"]) == 4


def test_s9_a_defender_on_a_gate_stays_there_barred() -> None:
    day = Day(units=[("Ann", [1], 4, 3), ("Ben", [1], 6, 2)]).tosses("dha").chooses("1").tosses("aon", "ceither")
    assert day.stands(6) == [("Ben", [1], 0)]
    assert day.unit(6).barred == {6}
    assert day.says == "Ben's chariot 1 stays on Oimelc (ruling S-9), and may not enter the fairy land there again."


def test_s9_the_winner_who_stays_takes_no_loose_coins() -> None:
    day = Day(units=[("Ann", [1], 4, 3), ("Ben", [1], 6, 0)], loose={6: 2}).tosses("dha").chooses("1").tosses("tri", "aon")
    assert day.stands(6) == [("Ann", [1], 0)]
    assert day.lies(6) == 2


def test_s10_a_unit_sent_to_a_gate_only_stands_there() -> None:
    day = Day(units=[("Ann", [1], "B1", 3), ("Ben", [1], 12, 2), ("Ann", [2], 12, 1)], entered={"B1": 12}, loose={12: 2})
    day.tosses("aon")
    assert day.stands(12) == [("Ben", [1], 2), ("Ann", [2], 1), ("Ann", [1], 0)]
    assert day.lies(12) == 2


def test_s10_who_arrives_later_fights_them_in_their_order_then_fuses() -> None:
    day = Day(("Ann", "Ben", "Cal"), [("Cal", [1], 12, 1), ("Ben", [1], 12, 2), ("Ann", [2], 12, 4), ("Ann", [1], 10, 3)])
    day.chooses("throw").tosses("dha").chooses("1")
    assert day.asks == "Ann: throw the four sticks to fight Cal's chariot 1."
    day.tosses("tri", "aon")
    assert day.asks == "Ann: throw the four sticks to fight Ben's chariot 1."
    day.tosses("tri", "aon")
    assert day.stands(12) == [("Ann", [1, 2], 4)]


@pytest.mark.parametrize("plus", [1, -1])
def test_s11_only_throws_one_apart_tie_and_a_coig_loses_the_tie(plus: int) -> None:
    throws = [Toss(v, a) for v in range(1, 6) for a in range(5)]
    assert all(abs(a.value - b.value) == 1 for a in throws for b in throws if higher(a, b, plus) == 0)
    assert higher(toss(faces("ceither")), toss(faces("coig")), 1) > 0
    assert higher(toss(faces("coig")), toss(faces("ceither")), -1) < 0


def test_s13_a_winner_keeps_the_free_throw_and_who_dies_has_none() -> None:
    def fight(*throws: str) -> Day:
        return Day(units=[("Ann", [1], 4, 0), ("Ben", [1], 8, 0)]).tosses("ceither").chooses("1").tosses(*throws)

    assert fight("tri", "aon").options == ["again", "stop"]
    assert fight("aon", "tri").turn == "Ben"


def test_s27_coins_in_place_of_sticks_have_no_animals() -> None:
    day = Day(units=[("Ann", [1], 8, 0), ("Ben", [1], 10, 0)], sticks="coins")
    assert day.asks == "Ann: throw the four coins."
    assert "cannot show dog" in day.refuses_answer(Sticks(("dog", "round", "round", "round")))
    day.throws_sticks("flat", "flat", "round", "round").chooses("1")
    day.throws_sticks("flat", "round", "round", "round").throws_sticks("flat", "flat", "round", "round")
    assert day.says == "Ann: aon and 1 more; Ben: dha. A tie: both throw again."


def test_s31_only_the_two_who_tie_throw_again() -> None:
    day = Day(units=[("Ann", [1, 2], 8, 0), ("Ben", [1], 10, 0)], stacks="on").tosses("dha").chooses("1")
    day.shows("deer").tosses("aon").tosses("dha")
    assert day.says == "Ann: aon (deer) and 1 more; Ben: dha (deer). A tie: both throw again."
    assert day.asks == "Ann: throw the four sticks for Ann's chariot 1 to fight Ben's chariot 1."
    day.tosses("tri", "aon")
    assert day.stands(10) == [("Ann", [1], 1)]


def test_a_beaten_chariot_starts_anew_but_stays_barred() -> None:
    day = Day(units=[("Ann", [1], 8, 0), ("Ben", [1], 10, 0)], barred={10: 6}).tosses("dha").chooses("1").tosses("tri", "aon")
    (beaten,) = [c for c in day.race.off["Ben"] if c.number == 1]
    assert (beaten.progress, beaten.barred) == (0, {6})


def test_in_the_fairy_land_a_fight_sends_the_winner_to_the_gate() -> None:
    day = Day(units=[("Ann", [1], "B1", 1), ("Ben", [1], "B2", 2)], entered={"B1": 12, "B2": 12}).tosses("dha", "aon").chooses("1")
    day.tosses("aon", "tri")
    assert day.stands(12) == [("Ben", [1], 0)]
    assert day.race.off["Ann"][0].number == 1
    assert day.turn == "Ben"


def test_without_the_stacks_rule_a_stack_has_one_throw() -> None:
    day = Day(units=[("Ann", [1, 2], 8, 2), ("Ben", [1, 2], 10, 3)]).tosses("dha").chooses("1").tosses("aon", "tri")
    assert day.stands(10) == [("Ben", [1, 2], 5)]


def test_three_against_two_pair_off_from_the_top() -> None:
    day = Day(units=[("Ann", [1, 2, 3], 8, 0), ("Ben", [1, 2], 10, 3)], stacks="on", loose={10: 0}).tosses("dha").chooses("1")
    day.tosses("aon", "tri", "tri", "aon")
    assert day.asks == "Ann: throw the four sticks for Ann's chariot 2 to fight Ben's chariot 1 with one below."
    day.tosses("tri", "aon")
    assert day.stands(10) == [("Ann", [2, 3], 3)]


def test_a_single_attacker_may_die_and_take_one_of_the_stack_along() -> None:
    day = Day(units=[("Ann", [1], 8, 2), ("Ben", [1, 2], 10, 3)], stacks="on", loose={10: 0}).tosses("dha").chooses("1")
    assert day.asks == "Ann: throw the four sticks to fight Ben's chariot 1 with one below."
    day.tosses("dha", "ceither", "dha")
    assert day.stands(10) == [("Ben", [1], 5)]
    assert day.turn == "Ben"


def test_where_the_top_dies_the_stack_is_the_next_ones() -> None:
    day = teams([("Ann", [1, "Cal 1"], 8, 2), ("Ben", [1], 10, 3)], stacks="on", loose={10: 0}).tosses("dha").chooses("1")
    day.tosses("aon", "tri", "dha")
    won = "Cal wins attacking on sigil 10 and takes 3 coins"
    assert day.says == f"{won}: Cal's chariot 1 stands, Ann's chariot 1 fell, and the other side is off the board."
    assert day.scores == {"Ann": 0, "Ben": 0, "Cal": 5, "Dee": 0}
