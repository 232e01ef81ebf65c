"""Liar's Dice: seats, bids, calls, reveal rounds and odds."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from itertools import product
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from table.games import liars_dice
from table.games.cups import counting, what_counts_text
from table.games.liars_dice import fewest
from table.odds.bids import PLAIN, WILD, at_least
from table.rules.answers import Bid, Throw
from tests.games import playing
from tests.games.cups import dice_of, hide, lift
from tests.games.night import Night

ANN, BEN, CAL = (1, 3, 3, 5, 6), (2, 3, 1, 4, 4), (3, 6, 6, 2, 5)
THREE = {"Ann": ANN, "Ben": BEN, "Cal": CAL}
"""Four of the 15 dice are 3s, and two are aces."""


def after_hidden_throws(*names: str, **settings: object) -> Night:
    """The dice of all players lie under the cups, and the first named player opens."""
    return hide(
        Night("liars_dice", *(names or ("Ann", "Ben", "Cal")), start=names[0] if names else "Ann", **settings)
    )


def refusal(night: Night, count: int, face: int) -> str:
    return night.refuses_answer(Bid(count, face))


def all_reveal(night: Night, face: int) -> Night:
    """All players reveal dice with this face."""
    while night.match.prompt is not None and night.prompt.to_json().get("for") == "reveal":
        night.throws(*[face] * dice_of(night))
    return night


def loses_a_die(night: Night, loser: str) -> Night:
    """A round in which this player loses a die, with a wrong opening bid or with a call of a right bid."""
    hide(night)
    count = 1
    if night.turn == loser:
        night.bids(60, 2).chooses("call")
        return hide_unless_over(all_reveal(night, 2))
    while night.turn != loser:
        night.bids(count, 2)
        count = count + 1
    return hide_unless_over(all_reveal(night.chooses("call"), 2))


def hide_unless_over(night: Night) -> Night:
    return night if night.over else hide(night)


def lose_down_to(night: Night, **dice: int) -> Night:
    """Rounds until these players have this number of dice left."""
    for player, left in dice.items():
        while night.scores[player] > left:
            loses_a_die(night, player)
    return night


# -- seats ---------------------------------------------------------------------------------------------------


def test_seats_are_ordered_by_the_highest_die() -> None:
    night = Night("liars_dice", "Ann", "Ben", "Cal")
    assert night.asks == "Ann: throw one die for your seat."
    night.throws_each(2, 6)
    assert night.so_far == "Ann threw 2, Ben threw 6"
    night.throws(4)
    assert night.says == "Sit clockwise in this order: Ben, Cal and Ann. Ben opens."
    assert night.match.view().seat_order == ("Ben", "Cal", "Ann")
    assert night.asks == "Ben: throw five dice under your cup, and say when that is done."
    assert turns(hide(night).bids(1, 2), 2) == ["Cal", "Ann"]


def turns(night: Night, count: int) -> list[str]:
    """The players whose turn it is, bid after bid."""
    order = []
    for n in range(count):
        order.append(night.turn)
        night.bids(n + 2, 6)
    return order


def test_l5_tied_players_throw_again_for_their_places() -> None:
    night = Night("liars_dice", "Ann", "Ben", "Cal", "Dee").throws_each(3, 5, 3, 5)
    assert night.rulings == ["Ben and Dee tie with 5 and throw again for their places."]
    assert night.turn == "Ben"
    night.throws_each(1, 2)
    assert night.says == "Ann and Cal tie with 3 and throw again for their places."
    night.throws_each(6, 6)
    assert night.says == "Ann and Cal tie with 6 and throw again for their places."
    night.throws_each(1, 4)
    assert night.says == "Sit clockwise in this order: Dee, Ben, Cal and Ann. Dee opens."


def test_a_tie_of_three_can_leave_a_tie_of_two() -> None:
    night = Night("liars_dice", "Ann", "Ben", "Cal").throws_each(3, 3, 3).throws_each(2, 5, 2)
    assert night.says == "Ann and Cal tie with 2 and throw again for their places."
    assert night.throws_each(1, 6).says == "Sit clockwise in this order: Ben, Cal and Ann. Ben opens."


def test_with_start_set_the_seats_keep_their_order() -> None:
    night = Night("liars_dice", "Ann", "Ben", "Cal", start="Ben")
    assert night.scores == {"Ann": 5, "Ben": 5, "Cal": 5}
    assert [night.ready().turn for _ in range(3)] == ["Cal", "Ann", "Ben"]
    assert night.asks == "Ben: how many dice of which face do you bid?"


# -- bids ----------------------------------------------------------------------------------------------------


def test_the_opening_is_any_bid_and_not_a_call() -> None:
    night = after_hidden_throws()
    assert refusal(night, 0, 3).startswith(
        "A bid names at least one die and a face from 1 to 6; 0 dice of face 3 came."
    )
    assert night.refuses_choice("call") == (
        "There is nothing to choose here. Ann: how many dice of which face do you bid?"
    )
    night.bids(1, 2)
    assert night.asks == "Ben: raise Ann's one 2, or call?"
    assert night.so_far == "15 dice are in play", "the prompt tells the bid"


@pytest.mark.parametrize("bid", [(6, 3), (5, 6), (6, 2), (5, 4), (3, 1), (4, 1)])
def test_five_3s_are_raised_by_these_bids(bid: tuple[int, int]) -> None:
    assert after_hidden_throws().bids(5, 3).bids(*bid).turn == "Cal"


@pytest.mark.parametrize("bid", [(5, 3), (5, 2), (4, 6), (4, 3), (2, 1), (1, 1)])
def test_five_3s_are_not_raised_by_these_bids(bid: tuple[int, int]) -> None:
    why = refusal(after_hidden_throws().bids(5, 3), *bid)
    assert why.endswith(
        "bid at least five of a higher face, six of any face from 2 to 6 or three aces, or call."
    )


def test_a_refusal_names_both_bids() -> None:
    night = after_hidden_throws().bids(5, 3)
    assert refusal(night, 5, 2).startswith("Five 2s do not raise five 3s: ")
    assert refusal(night, 1, 1).startswith("One ace does not raise five 3s: ")
    sixes = "Two 6s do not raise two 6s: bid at least three of any face from 2 to 6 or one ace, or call."
    assert refusal(after_hidden_throws().bids(2, 6), 2, 6) == sixes


def test_three_aces_are_raised_by_four_aces_or_seven_of_another_face() -> None:
    night = after_hidden_throws().bids(5, 3).bids(3, 1)
    assert refusal(night, 6, 4) == (
        "Six 4s do not raise three aces: bid at least seven of any face from 2 to 6 or four aces, or call."
    )
    assert refusal(night, 3, 1).startswith("Three aces do not raise three aces: ")
    assert refusal(night, 2, 1)
    assert refusal(night, 6, 6)
    assert after_hidden_throws().bids(3, 1).bids(4, 1).turn == "Cal"
    assert after_hidden_throws().bids(3, 1).bids(7, 4).turn == "Cal"
    assert after_hidden_throws().bids(3, 1).bids(7, 2).turn == "Cal"


def test_l7_a_bid_on_aces_needs_half_the_count_rounded_up() -> None:
    assert [fewest(1, Bid(n, 4)) for n in range(1, 8)] == [1, 1, 2, 2, 3, 3, 4]
    assert after_hidden_throws().bids(5, 3).bids(9, 1).turn == "Cal"
    assert fewest(3, Bid(fewest(1, Bid(5, 3)), 1)) == 7


def is_legal_raise(bid: Bid, above: Bid) -> bool:
    """The table of the digest, case by case."""
    if above.face == 1:
        return bid.count > above.count if bid.face == 1 else bid.count >= 2 * above.count + 1
    if bid.face == 1:
        return 2 * bid.count >= above.count
    return bid.count > above.count or (bid.count == above.count and bid.face > above.face)


bids = st.builds(Bid, st.integers(1, 60), st.integers(1, 6))


@given(bids, bids)
def test_a_raise_cannot_be_reversed(a: Bid, b: Bid) -> None:
    """A bid can therefore not come round again."""
    raised = liars_dice.why_not_raise(b, a, False) is None
    assert raised == is_legal_raise(b, a)
    assert not (raised and liars_dice.why_not_raise(a, b, False) is None)


@pytest.mark.parametrize(
    ("bids", "lowest"),
    [
        ((), [1, 1, 1, 1, 1, 1]),
        (((5, 3),), [3, 6, 6, 5, 5, 5]),
        (((3, 1),), [4, 7, 7, 7, 7, 7]),
        (((15, 6),), [8, None, None, None, None, None]),
    ],
)
def test_the_lowest_bid_of_each_face_is_shown(bids: tuple[tuple[int, int], ...], lowest: list[int]) -> None:
    night = after_hidden_throws()
    for bid in bids:
        night.bids(*bid)
    shown = night.prompt.shown()
    assert shown["fewest"] == lowest
    assert "fewest" not in night.prompt.to_json()


def test_l6_bids_have_no_upper_limit() -> None:
    night = after_hidden_throws().bids(10**15, 6)
    assert night.asks == "Ben: raise Ann's 1,000,000,000,000,000 × 6, or call?"
    night.bids(10**15, 1)
    assert night.prompt.random_answer(Random(1)) in night.prompt
    assert lift(night.chooses("call"), THREE).scores == {"Ann": 5, "Ben": 4, "Cal": 5}


def test_random_play_finds_a_raise_of_any_bid() -> None:
    night = after_hidden_throws().bids(10**9, 3)
    assert all(night.prompt.random_answer(Random(seed)) in night.prompt for seed in range(30))


def test_l1_a_round_can_be_opened_on_aces() -> None:
    assert after_hidden_throws().bids(2, 1).asks == "Ben: raise Ann's two aces, or call?"


def test_l1_with_open_aces_off_a_round_cannot_be_opened_on_aces() -> None:
    night = after_hidden_throws("Ann", "Ben", open_aces="off")
    assert refusal(night, 2, 1) == "Nobody opens on aces here, and two aces came: bid on a face from 2 to 6."
    assert night.bids(2, 6).bids(1, 1).turn == "Ann"


def test_l8_call_is_the_only_call() -> None:
    sentence = after_hidden_throws().bids(2, 3).refuses_choice("exact")
    assert sentence == "Not “exact”: the choice here is call. Ben: raise Ann's two 3s, or call?"


# -- calls ---------------------------------------------------------------------------------------------------


def called(count: int, face: int, dice: Mapping[str, tuple[int, ...]] = THREE) -> Night:
    """Ann opens with this bid, Ben calls, and the cups are lifted."""
    return lift(after_hidden_throws().bids(count, face).chooses("call"), dice)


def test_l2_the_caller_loses_when_the_bid_is_exactly_right() -> None:
    night = called(6, 3)
    assert night.scores == {"Ann": 5, "Ben": 4, "Cal": 5}
    assert night.rulings == [
        "Ben calls Ann's six 3s a lie.",
        "Six dice count (four 3s and two aces): Ann's bid of six 3s was right, and Ben loses a die.",
    ]
    assert night.sheet[-1] == ("Ben", -1, "lost a die")
    assert night.asks == "Ben: throw four dice under your cup, and say when that is done."


def test_the_bidder_loses_when_the_bid_is_one_too_high() -> None:
    night = called(7, 3)
    assert night.scores == {"Ann": 4, "Ben": 5, "Cal": 5}
    assert night.says == (
        "Six dice count (four 3s and two aces): Ann's bid of seven 3s was wrong, and Ann loses a die."
    )
    assert night.sheet[-1] == ("Ann", -1, "lost a die")
    assert night.turn == "Ann"


def test_a_bid_on_aces_counts_aces_alone() -> None:
    assert called(2, 1).scores == {"Ann": 5, "Ben": 4, "Cal": 5}
    night = called(3, 1)
    assert night.scores == {"Ann": 4, "Ben": 5, "Cal": 5}
    assert night.says == "Two dice count: Ann's bid of three aces was wrong, and Ann loses a die."


def test_a_bid_with_no_matching_dice_is_wrong() -> None:
    night = called(1, 1, {"Ann": (2,) * 5, "Ben": (3,) * 5, "Cal": (4,) * 5})
    assert night.says == "No dice count: Ann's bid of one ace was wrong, and Ann loses a die."
    assert night.sheet[-1] == ("Ann", -1, "lost a die")


def test_a_single_die_is_asked_for_as_one() -> None:
    night = Night("liars_dice", "Ann", "Ben", start="Ann")
    for _ in range(5):
        loses_a_die(night, "Ben")
    texts = [answered.prompt["text"] for answered in night.match.answers]
    assert "Ben: throw one die under your cup, and say when that is done." in texts
    assert "Ben: lift your cup and slide one die onto the tray as it lies." in texts


def lifted(night: Night) -> list[tuple[str, int, bool]]:
    """The dice that came to light: whose they are, their faces, and whether they count."""
    return [(die.player, die.face, die.counts) for die in night.match.view().lifted]


def test_players_reveal_in_turn_and_the_dice_are_counted_along() -> None:
    night = after_hidden_throws().bids(6, 3).chooses("call")
    assert night.asks == "Ann: lift your cup and slide five dice onto the tray as they lie."
    assert night.so_far == "Ben calls Ann's six 3s a lie"
    assert not lifted(night)
    night.throws(3, 1, 6, 5, 3)
    assert night.so_far == "Ben calls Ann's six 3s a lie: three count so far"
    assert lifted(night) == [
        ("Ann", 1, True), ("Ann", 3, True), ("Ann", 3, True), ("Ann", 5, False), ("Ann", 6, False),
    ]  # fmt: skip
    assert night.turn == "Ben"
    assert night.throws(*BEN).throws(*CAL).so_far == ""
    assert len(lifted(night)) == 15, "they stay in view while the next round is thrown"
    assert sum(counts for _, _, counts in lifted(night)) == 6
    hide(night)
    assert not lifted(night)


def test_the_sheet_says_who_bid_what_and_what_lay_there() -> None:
    night = after_hidden_throws().bids(4, 3).bids(5, 3)
    assert notes(night) == {1: "Ann bid four 3s, Ben five 3s"}
    lift(night.chooses("call"), THREE)
    assert notes(night)[1] == (
        "Ann bid four 3s, Ben five 3s; Cal called it a lie: six dice count (four 3s and two aces)"
    )
    hide(night).bids(1, 6)
    assert notes(night)[2] == f"{night.match.view().sheet[-1].player} bid one 6"


def notes(night: Night) -> dict[int, str]:
    """What stands below each round on the sheet."""
    return {note.row: note.text for note in night.match.view().row_notes}


def test_aces_do_not_count_for_other_faces_in_a_reveal_round() -> None:
    night = reveal_round().bids(1, 3).chooses("call")
    night.throws(1)
    assert lifted(night)[0][1:] == (1, False)
    assert night.so_far.endswith("a lie: none count so far")


def test_only_the_next_player_can_raise_or_call() -> None:
    night = after_hidden_throws().bids(1, 2)
    assert (night.turn, night.bids(2, 2).turn, night.bids(3, 2).turn) == ("Ben", "Cal", "Ann")
    night.chooses("call")
    assert night.says == "Ann calls Cal's three 2s a lie."


@pytest.mark.parametrize("faces", [(3, 1, 6, 5), (3, 1, 6, 5, 3, 3), ()])
def test_foul_revealing_another_number_of_dice(faces: tuple[int, ...]) -> None:
    night = after_hidden_throws().bids(6, 3).chooses("call")
    assert night.refuses_throw(*faces).startswith("Five dice expected, ")
    assert night.turn == "Ann"


def test_foul_throwing_while_a_bid_is_awaited() -> None:
    night = after_hidden_throws()
    assert night.refuses_throw(1, 2, 3, 4, 5) == (
        "A bid is expected, not a throw. Ann: how many dice of which face do you bid?"
    )


def test_a_call_can_be_taken_back_before_the_first_reveal() -> None:
    night = after_hidden_throws().bids(6, 3).chooses("call").takes_back()
    assert night.asks == "Ben: raise Ann's six 3s, or call?"
    night.chooses("call").throws(*ANN)
    assert night.refuses_take_back() == "A throw is never taken back. If it was read wrongly, correct it."


def test_correcting_a_revealed_die_changes_the_loser() -> None:
    night = called(6, 3)
    night.corrects(night.match.view().throws[0].at, 1, 3, 2, 5, 6)
    assert night.scores == {"Ann": 4, "Ben": 5, "Cal": 5}


def test_no_dice_are_known_until_the_cups_are_lifted() -> None:
    night = after_hidden_throws().bids(3, 3).bids(2, 1).chooses("call")
    assert not night.match.view().throws
    assert night.throws(*ANN).match.view().throws


# -- losing dice ---------------------------------------------------------------------------------------------


def test_the_player_after_an_eliminated_one_opens_a_normal_round() -> None:
    night = lose_down_to(after_hidden_throws(), Ann=1)
    assert night.asks == "Ann: reveal round. How many dice of which face do you bid?"
    loses_a_die(night, "Ann")
    assert night.scores["Ann"] == 0
    assert night.says == "Ann has no dice left and is out."
    assert night.asks == "Ben: how many dice of which face do you bid?"
    assert refusal(night.bids(2, 2), 1, 4)
    assert night.bids(1, 1).turn == "Ben", "aces are wild again, and Ann is skipped"


def test_the_bid_skips_eliminated_players() -> None:
    night = lose_down_to(after_hidden_throws("Ann", "Ben", "Cal", "Dee"), Ben=0)
    assert turns(night, 4) == ["Cal", "Dee", "Ann", "Cal"]


def test_an_eliminated_player_reveals_nothing() -> None:
    night = lose_down_to(after_hidden_throws(), Ann=0).bids(1, 2).chooses("call")
    assert [night.turn, night.throws(*BEN).turn] == ["Ben", "Cal"]


def test_the_last_player_with_dice_wins() -> None:
    night = lose_down_to(after_hidden_throws("Ann", "Ben"), Ben=1)
    assert night.turn == "Ben"
    loses_a_die(night, "Ben")
    assert night.winners == ("Ann",)
    assert night.outcome.reason == "Ann is the last with dice (five dice) and wins."
    assert night.scores == {"Ann": 5, "Ben": 0}
    assert len(night.sheet) == 2 + 5


# -- reveal rounds -------------------------------------------------------------------------------------------


def reveal_round(**dice: int) -> Night:
    """Ann has just lost her last but one die."""
    return lose_down_to(after_hidden_throws(), **dice, Ann=1)


def test_a_reveal_round_follows_the_loss_of_the_last_but_one_die() -> None:
    night = lose_down_to(after_hidden_throws(), Ann=2)
    assert night.asks == "Ann: how many dice of which face do you bid?"
    loses_a_die(night, "Ann")
    assert night.says == (
        "Ann is down to one die: a reveal round, where aces are not wild and the face of the first bid stays."
    )
    assert night.asks == "Ann: reveal round. How many dice of which face do you bid?"


def test_in_a_reveal_round_only_the_count_can_be_raised() -> None:
    night = reveal_round().bids(2, 4)
    why = "In a reveal round only the number of 4s goes up, and two 5s came: bid at least three 4s, or call."
    assert refusal(night, 2, 5) == why
    assert refusal(night, 3, 5)
    assert refusal(night, 2, 4)
    assert refusal(night, 1, 1)
    night.bids(3, 4)
    assert refusal(night, 3, 4)
    assert night.bids(9, 4).turn == "Ann"


def test_in_a_reveal_round_aces_are_not_wild() -> None:
    dice = {"Ann": (3,), "Ben": BEN, "Cal": CAL}
    right = lift(reveal_round().bids(3, 3).chooses("call"), dice)
    assert right.scores == {"Ann": 1, "Ben": 4, "Cal": 5}
    assert right.says == "Three dice count: Ann's bid of three 3s was right, and Ben loses a die."
    wrong = lift(reveal_round().bids(4, 3).chooses("call"), dice)
    assert wrong.scores == {"Ann": 0, "Ben": 5, "Cal": 5}


@pytest.mark.parametrize(("bid", "right"), [(4, True), (5, False)])
def test_fifteen_dice_are_counted_with_and_without_wild_aces(bid: int, right: bool) -> None:
    assert (counting(3, ANN + BEN + CAL, wild=False) >= bid) == right
    assert counting(3, ANN + BEN + CAL, wild=True) == 6


def test_l3_a_reveal_round_can_be_on_aces() -> None:
    night = reveal_round().bids(1, 1)
    assert night.asks == "Ben: reveal round. Raise Ann's one 1, or call?"
    assert refusal(night, 3, 2) == (
        "In a reveal round only the number of 1s goes up, and three 2s came: bid at least two 1s, or call."
    )
    lift(night.bids(2, 1).chooses("call"), {"Ann": (1,), "Ben": BEN, "Cal": CAL})
    assert night.scores == {"Ann": 1, "Ben": 5, "Cal": 4}


def test_l3_open_aces_off_does_not_apply_to_a_reveal_round() -> None:
    night = lose_down_to(after_hidden_throws("Ann", "Ben", open_aces="off"), Ann=1)
    assert night.bids(1, 1).turn == "Ben"


def test_l4_each_player_has_one_reveal_round() -> None:
    night = reveal_round()
    loses_a_die(night, "Ben")
    assert night.scores == {"Ann": 1, "Ben": 4, "Cal": 5}
    assert night.asks == "Ben: how many dice of which face do you bid?"
    assert [r for r in night.rulings if "reveal round" in r] == [
        "Ann is down to one die: a reveal round, where aces are not wild and the face of the first bid stays."
    ]


def test_l4_two_players_with_one_die_each_have_a_reveal_round() -> None:
    night = lose_down_to(after_hidden_throws("Ann", "Ben"), Ann=1, Ben=1)
    assert night.asks == "Ben: reveal round. How many dice of which face do you bid?"
    assert lift(night.bids(1, 4).chooses("call"), {"Ann": (1,), "Ben": (4,)}).winners == ("Ben",)


def test_a_caller_left_with_one_die_opens_the_reveal_round() -> None:
    night = lose_down_to(after_hidden_throws(), Cal=1)
    assert night.asks == "Cal: reveal round. How many dice of which face do you bid?"
    assert night.bids(1, 2).turn == "Ann"


# -- properties ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(8))
def test_a_round_costs_one_die_and_a_player_has_at_most_one_reveal_round(seed: int) -> None:
    night = Night("liars_dice", *"ABCD", open_aces=["on", "off"][seed % 2])
    playing.play_to_end(night.match, Random(seed), 5_000)
    lost = [line for line in night.match.view().sheet if line.points < 0]
    assert {line.points for line in lost} == {-1}
    assert len(lost) == 20 - night.scores[night.winners[0]]
    reveals = [r.split()[0] for r in night.rulings if "is down to one die" in r]
    assert len(reveals) == len(set(reveals)) >= 3
    shown = [
        a for a in night.match.answers if a.prompt.get("for") == "reveal" and isinstance(a.answer, Throw)
    ]
    assert all(len(a.answer.faces) <= 5 for a in shown if isinstance(a.answer, Throw))


@pytest.mark.parametrize("players", [2, 10])
def test_two_to_ten_players_can_play(players: int) -> None:
    names = [f"P{i}" for i in range(players)]
    night = Night("liars_dice", *names, start="P0")
    assert sum(night.scores.values()) == 5 * players
    assert hide(night).turn == "P0"


def test_with_own_dice_each_player_reveals_their_colour() -> None:
    night = Night("liars_dice", "Ann:green", "Ben:red", start="Ann", dice="own")
    assert night.asks == "Ann: throw five green dice under your cup, and say when that is done."
    hide(night).bids(1, 2).chooses("call")
    assert night.refuses_colour("red", *ANN).startswith(
        "Wrong colour: five green dice expected, five red dice came."
    )


# -- the coach -----------------------------------------------------------------------------------------------


def test_the_chances_of_bids_on_ten_hidden_dice_are_exact() -> None:
    assert [round(float(at_least(k, 10, WILD)), 4) for k in range(1, 7)] == [
        0.9827,
        0.8960,
        0.7009,
        0.4407,
        0.2131,
        0.0766,
    ]


def test_the_odds_of_bids_match_a_count() -> None:
    thrown = list(product(range(1, 7), repeat=4))
    for k in range(6):
        for wild, p in ((True, WILD), (False, PLAIN)):
            assert at_least(k, 4, p) == Fraction(
                sum(counting(3, dice, wild) >= k for dice in thrown), len(thrown)
            )
        assert at_least(k, 4, PLAIN) == Fraction(
            sum(counting(1, dice, True) >= k for dice in thrown), len(thrown)
        )


def rounded_odds(night: Night) -> dict[str, float]:
    return {text: round(float(value), 4) for text, value in night.odds.items()}


def test_the_coach_gives_the_chances_of_bids_from_all_dice() -> None:
    assert rounded_odds(after_hidden_throws("Ann", "Ben")) == {
        "three of a face": 0.7009,
        "four of a face": 0.4407,
        "five of a face": 0.2131,
    }
    assert rounded_odds(after_hidden_throws("Ann", "Ben").bids(4, 6)) == {
        "four 6s, as bid": 0.4407,
        "five 2s, as a raise": 0.2131,
        "two aces, as a raise": 0.5155,
    }
    assert rounded_odds(after_hidden_throws("Ann", "Ben").bids(11, 6))["eleven 6s, as bid"] == 0


def test_in_a_reveal_round_the_coach_counts_aces_as_not_wild() -> None:
    night = lose_down_to(after_hidden_throws("Ann", "Ben"), Ann=1)
    assert rounded_odds(night) == {
        "one of a face": 0.6651,
        "two of a face": 0.2632,
        "three of a face": 0.0623,
    }
    assert rounded_odds(night.bids(2, 4)) == {"two 4s, as bid": 0.2632, "three 4s, as a raise": 0.0623}


def test_many_dice_that_count_are_said_in_words_as_bids_are() -> None:
    counted = what_counts_text(3, (3,) * 11 + (1, 2), wild=True, ones="ace")
    assert counted == "Twelve dice count (eleven 3s and one ace)"
