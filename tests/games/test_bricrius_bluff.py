"""Bricriu's Bluff & Bluster: whole games, rulings and fouls."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from table.games import liars_dice
from table.games.bricrius_bluff import (
    bids_on_track,
    fewest,
    laps,
    losses,
    numbers_on_shields,
    position,
    shield,
    why_not_raise,
)
from table.games.cups import Called
from table.rules.answers import Bid
from tests.games import playing
from tests.games.cups import dice_of, hide, lift
from tests.games.night import Night

FOUR = {"Ann": (5, 5, 5, 2, 3), "Ben": (1, 2, 6, 6, 4), "Cal": (1, 3, 3, 4, 2), "Dee": (1, 2, 2, 6, 6)}
"""Three 5s and three Magic Ones among 20 dice."""


def after_hidden_throws(*names: str, start: str = "", **settings: str) -> Night:
    """The dice of all players lie under the cups, and the first named player opens."""
    names = names or ("Ann", "Ben", "Cal", "Dee")
    return hide(Night("bricrius_bluff", *names, start=start or names[0], **settings))


def challenged(count: int, face: int, dice: Mapping[str, Sequence[int]] = FOUR, **settings: Any) -> Night:
    """Ann opens with this bid, Ben challenges, and the cups are lifted."""
    return lift(after_hidden_throws(**settings).bids(count, face).chooses("challenge"), dice)


def test_the_sheet_says_who_bid_what_and_what_lay_there() -> None:
    (note,) = challenged(4, 3).match.view().row_notes
    assert (note.row, note.text) == (
        1,
        "Ann bid four 3s; Ben challenged: six dice count (three 3s and three Magic Ones)",
    )


def all_reveal(night: Night, face: int) -> Night:
    while night.match.prompt is not None and night.prompt.to_json().get("for") == "reveal":
        night.throws(*[face] * dice_of(night))
    return night if night.over else hide(night)


def lose_round(night: Night, loser: str, dice: int) -> Night:
    """A round in which this player bids more 6s than there are dice, `dice` too many, and is challenged."""
    count = 1
    while night.turn != loser:
        night.bids(count, 2)
        count = count + 1
    return all_reveal(night.bids(sum(night.scores.values()) + dice, 6).chooses("challenge"), 6)


def refusal(night: Night, count: int, face: int) -> str:
    return night.refuses_answer(Bid(count, face))


# -- the start -----------------------------------------------------------------------------------------------


def test_the_highest_total_of_five_dice_begins() -> None:
    night = Night("bricrius_bluff", "Ann", "Ben", "Cal")
    assert night.asks == "Ann: throw five dice, and the highest total begins."
    night.throws(1, 1, 1, 1, 6).throws(6, 6, 6, 1, 1)
    assert night.so_far == "Ann threw 10, Ben threw 20"
    night.throws(2, 2, 2, 2, 2)
    assert night.says == "Ben begins."
    assert night.scores == {"Ann": 5, "Ben": 5, "Cal": 5}
    assert [hide(night).turn, night.bids(1, 2).turn, night.bids(2, 2).turn] == ["Ben", "Cal", "Ann"]


def test_b11_only_tied_players_throw_again_with_all_five_dice() -> None:
    night = Night("bricrius_bluff", "Ann", "Ben", "Cal")
    night.throws(6, 6, 6, 6, 5).throws(1, 1, 1, 1, 1).throws(6, 6, 6, 5, 6)
    assert night.says == "Ann and Cal tie with 29 and throw all five again."
    assert night.refuses_throw(6).startswith("Five dice expected, one die came.")
    assert night.throws(1, 1, 1, 1, 1).turn == "Cal"
    assert night.throws(1, 1, 1, 1, 2).says == "Cal begins."


# -- bids ----------------------------------------------------------------------------------------------------


def test_b7_the_opening_is_any_bid_and_no_challenge() -> None:
    night = after_hidden_throws()
    assert night.asks == "Ann: how many dice of which face do you bid?"
    assert night.refuses_choice("challenge").startswith("There is nothing to choose here.")
    assert refusal(night, 0, 3).startswith("A bid names at least one die")
    assert night.bids(1, 1).asks == "Ben: raise Ann's one Magic One, or challenge?"
    assert after_hidden_throws().bids(21, 6).turn == "Ben"


RAISES = [
    ((5, 3), (5, 4), True),
    ((5, 4), (5, 3), False),
    ((5, 4), (5, 4), False),
    ((5, 4), (6, 2), True),
    ((5, 4), (4, 6), False),
    ((5, 6), (3, 1), True),
    ((6, 2), (3, 1), False),
    ((6, 2), (4, 1), True),
    ((3, 1), (6, 2), True),
    ((3, 1), (5, 6), False),
    ((3, 1), (4, 1), True),
    ((3, 1), (3, 1), False),
    ((3, 1), (2, 1), False),
    ((10, 1), (20, 2), True),
    ((10, 1), (19, 6), False),
    ((20, 6), (11, 1), True),
    ((20, 6), (10, 1), False),
    ((20, 6), (21, 2), True),
    ((11, 1), (21, 6), False),
    ((11, 1), (22, 2), True),
]


@pytest.mark.parametrize(("above", "bid", "legal"), RAISES)
def test_a_bid_must_raise_the_last_one(above: tuple[int, int], bid: tuple[int, int], legal: bool) -> None:
    night = after_hidden_throws().bids(*above)
    if legal:
        assert night.bids(*bid).turn == "Cal"
    else:
        assert refusal(night, *bid).endswith(", or challenge.")


def test_a_refusal_names_the_bids_that_would_raise() -> None:
    five = (
        "Five 3s do not raise five 4s: "
        "bid at least five of a higher face, six of any face from 2 to 6 or three Magic Ones"
    )
    assert refusal(after_hidden_throws().bids(5, 4), 5, 3) == f"{five}, or challenge."
    why = (
        "Three Magic Ones do not raise three Magic Ones: "
        "bid at least six of any face from 2 to 6 or four Magic Ones, or challenge."
    )
    assert refusal(after_hidden_throws().bids(3, 1), 3, 1) == why


def test_passing_is_refused() -> None:
    why = "Not “pass”: the choice here is challenge. Ben: raise Ann's one 2, or challenge?"
    assert after_hidden_throws().bids(1, 2).refuses_choice("pass") == why


def test_b2_white_and_red_shields_alternate_by_the_track() -> None:
    assert " ".join(shields("published")[:12]) == "w1 r1 w2 w3 r2 w4 w5 r3 w6 w7 r4 w8"
    assert shields("published")[-3:] == ["w19", "r10", "w20"]
    assert shields("perudo")[:9] == ["w1", "w2", "r1", "w3", "w4", "r2", "w5", "w6", "r3"]
    assert shields("perudo")[-3:] == ["w19", "w20", "r10"]


def shields(track: str) -> list[str]:
    """The shields in the order of the board, round the ring."""
    board = Night("bricrius_bluff", "Ann", "Ben", track=track).match.view().board
    assert board
    assert len({(spot.x, spot.y) for spot in board.spaces}) == 30
    return [spot.id for spot in board.spaces]


def test_the_shields_form_a_clockwise_ring() -> None:
    board = after_hidden_throws().match.view().board
    assert board
    places = [(spot.x, spot.y) for spot in board.spaces]
    assert places[0] == (5, 5)
    assert places[10] == (95, 5)
    assert all(
        abs(a - c) + abs(b - d) == 9 for (a, b), (c, d) in zip(places, places[1:] + places[:1], strict=True)
    )
    assert (board.width, board.height) == (100, 55)


bids = st.builds(Bid, st.integers(1, 70), st.integers(1, 6))
tracks = st.sampled_from(["published", "perudo"])


@given(bids, bids, tracks)
def test_b5_a_raise_moves_the_marker_forward_or_shows_a_higher_face(a: Bid, b: Bid, track: str) -> None:
    on = (position(b, track), b.face) > (position(a, track), a.face)
    assert on == (why_not_raise(b, a, track) is None)
    assert not (on and why_not_raise(a, b, track) is None)
    if shield(a) == shield(b) and laps(a) == laps(b):
        assert position(a, track) == position(b, track)


@given(bids, st.integers(1, 6))
def test_b2_the_perudo_track_equals_the_rule_of_aces(above: Bid, face: int) -> None:
    assert fewest(face, above, "perudo") == liars_dice.fewest(face, above)


def test_b2_the_perudo_track_decides_which_bids_raise() -> None:
    night = after_hidden_throws(track="perudo").bids(5, 3)
    assert refusal(night, 2, 1)
    assert night.bids(3, 1).turn == "Cal"
    assert refusal(night, 6, 6).startswith(
        "Six 6s do not raise three Magic Ones: bid at least seven of any face"
    )
    assert night.bids(7, 2).turn == "Dee"


def marker(night: Night) -> dict[str, tuple[str, str]]:
    """The shield of the red die, the player who bid and the face of the die."""
    board = night.match.view().board
    assert board
    return {spot.id: (piece.player, piece.text) for spot in board.spaces for piece in spot.pieces}


def test_b3_a_bid_of_six_5s_is_a_5_on_white_shield_6() -> None:
    night = after_hidden_throws()
    assert marker(night) == {}
    assert marker(night.bids(6, 5)) == {"w6": ("Ann", "5")}


def test_b9_a_bid_on_1s_is_on_a_red_shield() -> None:
    assert marker(after_hidden_throws().bids(6, 1)) == {"r6": ("Ann", "1")}


def test_b4_the_marker_starts_a_new_lap_after_the_last_shield() -> None:
    night = after_hidden_throws().bids(20, 6)
    assert marker(night) == {"w20": ("Ann", "6")}
    assert marker(night.bids(11, 1)) == {"r1": ("Ben", "1")}
    board = night.match.view().board
    assert board
    more = (
        "The red die has gone all round: 20 more than is printed on a white shield, 10 more than on a red one"
    )
    assert board.notes == ("In play: 20 dice", more)
    assert marker(night.bids(10**15, 1)) == {"r10": ("Cal", "1")}
    assert night.prompt.random_answer(Random(1)) in night.prompt


def test_b4_a_shield_shows_the_number_that_it_would_bid() -> None:
    night = after_hidden_throws()
    assert numbers(night, "w1", "r1", "w20", "r10") == ["1", "1", "20", "10"]
    night.bids(4, 4)
    assert numbers(night, "w3", "w4", "w5") == ["3", "4", "5"]
    assert numbers(night, "r1", "r2", "r3") == ["11", "12", "3"]
    night.bids(11, 1)
    assert numbers(night, "r1", "r2", "r10", "w1", "w2") == ["11", "12", "20", "1", "2"], (
        "20 dice are in play"
    )
    night.chooses("challenge")
    assert numbers(night, "r1") == ["11"]


def numbers(night: Night, *shields: str) -> list[str]:
    board = night.match.view().board
    assert board
    texts = {spot.id: spot.text for spot in board.spaces}
    return [texts[each] for each in shields]


@given(bids, tracks, st.integers(1, 30))
def test_each_shield_that_the_marker_can_go_to_shows_its_bid(above: Bid, track: str, dice: int) -> None:
    numbers = numbers_on_shields(dice, track, above)
    assert numbers[shield(above)] == above.count
    for count, faces, move in bids_on_track(dice, track, above):
        assert all(why_not_raise(Bid(count, face), above, track) is None for face in faces)
        assert numbers[move.to or shield(above)] == count


def test_lost_dice_are_noted_beside_the_track() -> None:
    board = challenged(8, 5).match.view().board
    assert board
    assert board.notes == ("In play: 18 dice", "Lost dice: Ann 2")


# -- challenges ----------------------------------------------------------------------------------------------


def test_an_exact_bid_costs_all_other_players_one_die() -> None:
    night = challenged(6, 5)
    assert night.scores == {"Ann": 5, "Ben": 4, "Cal": 4, "Dee": 4}
    assert night.rulings == [
        "Ben challenges Ann's six 5s.",
        (
            "Six dice count (three 5s and three Magic Ones): Ann's bid of six 5s was exactly right. "
            "Ben, Cal and Dee lose a die each."
        ),
    ]
    assert night.sheet[-3:] == [
        ("Ben", -1, "lost a die: challenged Ann's six 5s, and there are six"),
        ("Cal", -1, "lost a die: Ann's bid of six 5s was exactly right"),
        ("Dee", -1, "lost a die: Ann's bid of six 5s was exactly right"),
    ]
    assert night.turn == "Ann"


def test_a_bid_too_high_costs_the_bidder_the_missing_dice() -> None:
    night = challenged(8, 5)
    assert night.scores == {"Ann": 3, "Ben": 5, "Cal": 5, "Dee": 5}
    assert night.says == (
        "Six dice count (three 5s and three Magic Ones): "
        "Ann's bid of eight 5s was too high. Ann loses two dice."
    )
    assert night.sheet[-1] == ("Ann", -2, "lost two dice: bid eight 5s, and there are six")
    assert night.asks == "Ben: throw five dice under your cup, and say when that is done."


def test_a_bid_too_low_costs_the_challenger_the_difference() -> None:
    night = challenged(4, 5)
    assert night.scores == {"Ann": 5, "Ben": 3, "Cal": 5, "Dee": 5}
    assert night.says == (
        "Six dice count (three 5s and three Magic Ones): Ann's bid of four 5s was right. Ben loses two dice."
    )
    assert night.turn == "Ann"


def test_magic_ones_are_counted_alone() -> None:
    night = lift(after_hidden_throws(start="Cal").bids(4, 1).chooses("challenge"), FOUR)
    assert night.scores == {"Ann": 5, "Ben": 5, "Cal": 4, "Dee": 5}
    assert night.says == "Three dice count: Cal's bid of four Magic Ones was too high. Cal loses a die."
    assert night.turn == "Dee"


def test_a_player_cannot_lose_more_dice_than_they_have() -> None:
    night = lose_round(after_hidden_throws("Ann", "Ben"), "Ann", 4)
    assert night.scores == {"Ann": 1, "Ben": 5}
    night.bids(1, 2).bids(5, 6).chooses("challenge")
    lift(night, {"Ann": (6,), "Ben": (2, 2, 3, 4, 6)})
    assert night.sheet[-1] == ("Ann", -1, "lost a die: bid five 6s, and there are two")
    assert night.rulings[-1] == "Ann has no dice left and is out."
    assert night.winners == ("Ben",)
    assert night.outcome.reason == "Ben is the last with dice (five dice) and wins."


def test_an_exact_bid_can_end_the_game() -> None:
    night = lose_round(after_hidden_throws("Ann", "Ben"), "Ben", 4)
    assert night.turn == "Ann"
    night.bids(2, 3).chooses("challenge")
    lift(night, {"Ann": (3, 3, 2, 2, 4), "Ben": (5,)})
    assert night.scores == {"Ann": 5, "Ben": 0}
    assert night.winners == ("Ann",)


def test_an_exact_bid_can_eliminate_several_players_at_once() -> None:
    night = after_hidden_throws("Ann", "Ben", "Cal")
    lose_round(lose_round(night, "Ben", 4), "Cal", 4)
    assert night.turn == "Ann"
    night.bids(1, 2).chooses("challenge")
    lift(night, {"Ann": (2, 3, 3, 4, 4), "Ben": (5,), "Cal": (6,)})
    assert night.rulings[-2:] == ["Ben has no dice left and is out.", "Cal has no dice left and is out."]
    assert night.winners == ("Ann",)


def test_a_correction_that_returns_dice_repeats_the_hidden_throw() -> None:
    night = hide(challenged(8, 5)).bids(2, 5)
    assert night.scores["Ann"] == 3
    night.corrects(night.match.view().throws[2].at, 1, 5, 3, 4, 2)
    assert night.scores["Ann"] == 4
    assert night.asks == "Ann: throw four dice under your cup, and say when that is done."
    assert night.says.endswith(
        "Two later answers no longer fit and must be given again: Ann's “They lie under the cup” "
        "and Ben's bid of two 5s. On the real board, move a die of Ann's "
        "from the squares for lost dice to the cup and move the red die from the white shield 2 (showing 5) "
        "to the white shield 8 (showing 5)."
    )


def test_a_correction_that_changes_no_loss_keeps_the_hidden_throw() -> None:
    night = hide(challenged(8, 5)).bids(2, 5)
    night.corrects(night.match.view().throws[2].at, 1, 3, 3, 4, 6)
    assert night.asks == "Cal: raise Ben's two 5s, or challenge?"


def test_a_player_without_dice_is_skipped() -> None:
    night = lose_round(after_hidden_throws(), "Ben", 5)
    assert night.scores["Ben"] == 0
    assert night.turn == "Cal"
    assert [night.bids(n, 2).turn for n in (1, 2, 3)] == ["Dee", "Ann", "Cal"]
    night.chooses("challenge")
    assert night.turn == "Cal"
    all_reveal(night, 2)
    assert night.scores == {"Ann": 5, "Ben": 0, "Cal": 0, "Dee": 5}, "fifteen 2s are twelve more than three"
    assert night.turn == "Ann"


def test_b8_only_the_next_player_can_challenge() -> None:
    night = after_hidden_throws().bids(1, 2)
    assert (night.turn, night.bids(2, 2).turn) == ("Ben", "Cal")
    assert night.chooses("challenge").says == "Cal challenges Ben's two 2s."


@pytest.mark.parametrize("faces", [(5, 5, 5, 2), (5, 5, 5, 2, 3, 3)])
def test_foul_revealing_more_or_fewer_dice_than_owned(faces: tuple[int, ...]) -> None:
    assert (
        after_hidden_throws()
        .bids(6, 5)
        .chooses("challenge")
        .refuses_throw(*faces)
        .startswith("Five dice expected, ")
    )


def test_foul_revealing_a_lost_die() -> None:
    night = hide(challenged(8, 5)).bids(1, 2).chooses("challenge")
    while night.turn != "Ann":
        night.throws(*[3] * dice_of(night))
    assert night.refuses_throw(5, 5, 5, 2, 3).startswith("Three dice expected, five dice came.")


def test_no_dice_are_known_until_the_cups_are_lifted() -> None:
    night = after_hidden_throws().bids(6, 5).chooses("challenge")
    assert not night.match.view().throws
    assert night.so_far == "Ben challenges Ann's six 5s"
    assert lying(night) == {}
    night.throws(*FOUR["Ann"])
    assert night.so_far == "Ben challenges Ann's six 5s: three count so far"
    assert lying(night) == {"Ann": "2 3 5+ 5+ 5+"}


def lying(night: Night) -> dict[str, str]:
    """The faces that came to light, by player, with a + after those that count."""
    faces: dict[str, list[str]] = {}
    for die in night.match.view().lifted:
        faces.setdefault(die.player, []).append(f"{die.face}{'+' if die.counts else ''}")
    return {player: " ".join(own) for player, own in faces.items()}


def test_the_dice_and_the_bid_stay_in_view_until_the_next_bid() -> None:
    night = lift(after_hidden_throws().bids(8, 5).chooses("challenge"), FOUR)
    found = {"Ann": "2 3 5+ 5+ 5+", "Ben": "1+ 2 4 6 6", "Cal": "1+ 2 3 3 4", "Dee": "1+ 2 2 6 6"}
    assert (lying(night), marker(night)) == (found, {"w8": ("Ann", "5")})
    assert night.so_far == "Ben challenges Ann's eight 5s"
    hide(night)
    assert (lying(night), marker(night), night.so_far) == ({}, {}, "")


def test_only_magic_ones_count_for_a_bid_on_them() -> None:
    assert lying(challenged(4, 1))["Ben"] == "1+ 2 4 6 6"
    assert lying(challenged(4, 1))["Ann"] == "2 3 5 5 5"


# -- the options ---------------------------------------------------------------------------------------------


def test_exact_challenger_costs_the_challenger_alone() -> None:
    night = challenged(6, 5, exact="challenger")
    assert night.scores == {"Ann": 5, "Ben": 4, "Cal": 5, "Dee": 5}
    assert night.says.endswith("was exactly right. Ben loses a die.")
    assert night.turn == "Ann"


def test_with_opener_loser_the_loser_opens_the_next_round() -> None:
    assert challenged(8, 5, opener="loser").turn == "Ann"
    assert challenged(4, 5, opener="loser").turn == "Ben"
    assert challenged(6, 5, opener="loser").turn == "Ben"


def test_b10_the_next_player_opens_when_the_loser_is_out() -> None:
    for settings in ({"opener": "loser"}, {"loss": "one_die"}):
        night = after_hidden_throws(**settings)
        while night.scores["Ben"]:
            lose_round(night, "Ben", 5)
        assert night.scores == {"Ann": 5, "Ben": 0, "Cal": 5, "Dee": 5}
        assert night.turn == "Cal"


@pytest.mark.parametrize("others", [{}, {"exact": "challenger"}, {"exact": "challenger", "opener": "loser"}])
def test_b1_with_loss_one_die_a_round_costs_one_die(others: dict[str, Any]) -> None:
    high = challenged(8, 5, loss="one_die", **others)
    assert (high.scores, high.turn) == ({"Ann": 4, "Ben": 5, "Cal": 5, "Dee": 5}, "Ann")
    exact = challenged(6, 5, loss="one_die", **others)
    assert (exact.scores, exact.turn) == ({"Ann": 5, "Ben": 4, "Cal": 5, "Dee": 5}, "Ben")
    low = challenged(4, 5, loss="one_die", **others)
    assert (low.scores, low.turn) == ({"Ann": 5, "Ben": 4, "Cal": 5, "Dee": 5}, "Ben")


def test_losses_are_limited_to_the_dice_of_each_player() -> None:
    difference = {"loss": "difference", "exact": "all_others"}
    called = Called(Bid(5, 3), "Ann", "Ben")
    assert losses(called, 9, {"Ann": 5, "Ben": 3, "Cal": 1}, difference) == {"Ben": 3}
    assert losses(called, 5, {"Ann": 5, "Ben": 3, "Cal": 0, "Dee": 1}, difference) == {"Ben": 1, "Dee": 1}
    assert losses(called, 0, {"Ann": 4, "Ben": 3, "Cal": 1}, difference) == {"Ann": 4}


# -- dice pushed out -----------------------------------------------------------------------------------------


def test_b6_pushing_dice_out_is_off_by_default() -> None:
    assert after_hidden_throws().bids(1, 2).bids(2, 2).asks == "Cal: raise Ben's two 2s, or challenge?"


def raised_with_push() -> Night:
    """Ann has opened with two 5s, and Ben has raised to three."""
    return after_hidden_throws("Ann", "Ben", "Cal", push="on").bids(2, 5).bids(3, 5)


def test_b6_a_raiser_can_push_dice_out_and_throws_the_others_again() -> None:
    night = raised_with_push()
    assert night.asks == "Ben: how many dice do you push out of your cup?"
    assert night.options == ["0", "1", "2", "3", "4", "5"]
    night.chooses("2")
    assert night.asks == "Ben: slide two dice out of your cup onto the tray as they lie."
    assert night.refuses_throw(5).startswith("Two dice expected, one die came.")
    night.throws(5, 1)
    assert night.so_far == "Ben pushes out 5 and 1"
    assert night.asks == "Ben: throw three dice under your cup, and say when that is done."
    night.ready()
    assert night.asks == "Cal: raise Ben's three 5s, or challenge?"
    assert night.so_far == "Ben bids three 5s; 15 dice are in play; shown: Ben: 1 and 5"


def test_b6_the_opener_cannot_push_dice_out() -> None:
    assert after_hidden_throws("Ann", "Ben", push="on").bids(2, 5).asks == (
        "Ben: raise Ann's two 5s, or challenge?"
    )


def test_b6_pushing_no_dice_keeps_the_hidden_throw() -> None:
    night = raised_with_push().chooses("0")
    assert night.asks == "Cal: raise Ben's three 5s, or challenge?"
    assert night.so_far == "Ben bids three 5s; 15 dice are in play"


def test_b6_pushed_dice_count_and_are_not_revealed_again() -> None:
    night = raised_with_push().chooses("2").throws(5, 1).ready().chooses("challenge")
    assert night.turn == "Ann"
    night.throws(2, 2, 3, 3, 4)
    assert night.asks == "Ben: lift your cup and slide three dice onto the tray as they lie."
    assert night.so_far == "Cal challenges Ben's three 5s: two count so far"
    assert lying(night) == {"Ben": "1+ 5+", "Ann": "2 2 3 3 4"}
    night.throws(4, 4, 4).throws(6, 6, 6, 2, 5)
    assert night.scores == {"Ann": 4, "Ben": 5, "Cal": 4}
    assert night.rulings[-1].startswith(
        "Three dice count (two 5s and one Magic One): Ben's bid of three 5s was exactly right."
    )


def test_b6_a_player_can_push_all_dice_out() -> None:
    night = raised_with_push().chooses("5").throws(5, 5, 5, 5, 6)
    assert night.asks == "Cal: raise Ben's three 5s, or challenge?"
    night.bids(4, 5).chooses("0").bids(5, 5)
    assert night.asks == "Ann: how many dice do you push out of your cup?"
    night.chooses("0").bids(6, 5)
    assert night.asks == "Cal: raise Ben's six 5s, or challenge?", "Ben has no dice to push"
    night.chooses("challenge").throws(2, 2, 2, 2, 2)
    assert night.turn == "Cal", "Ben has shown all"


def test_b6_a_player_can_push_more_dice_with_the_next_raise() -> None:
    night = raised_with_push().chooses("2").throws(5, 1).ready()
    night.bids(4, 5).chooses("0").bids(5, 5).chooses("0").bids(6, 5)
    assert night.options == ["0", "1", "2", "3"]
    night.chooses("1").throws(5).ready()
    assert night.so_far == "Ben bids six 5s; 15 dice are in play; shown: Ben: 1, 5 and 5"


def test_b6_a_new_round_starts_with_all_dice_under_the_cups() -> None:
    night = raised_with_push().chooses("2").throws(5, 1).ready().chooses("challenge")
    lift(night, {"Ann": (2,) * 5, "Ben": (5,) * 3, "Cal": (2,) * 5})
    assert night.asks == "Ben: throw five dice under your cup, and say when that is done."
    assert night.scores == {"Ann": 5, "Ben": 5, "Cal": 3}


# -- properties ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(10))
def test_dice_are_only_lost_and_the_last_player_with_dice_wins(seed: int) -> None:
    challenges = {"opener": ["winner", "loser"][seed % 3 // 2]} if seed < 5 else {"loss": "one_die"}
    night = Night("bricrius_bluff", *"ABCD", push=["off", "on"][seed % 2], **challenges)
    playing.play_to_end(night.match, Random(seed), 5_000)
    lines = night.match.view().sheet
    assert [line.points for line in lines[:4]] == [5] * 4
    assert all(line.points < 0 for line in lines[4:])
    assert all(0 <= dice <= 5 for dice in night.scores.values())
    assert [p for p, dice in night.scores.items() if dice] == list(night.winners)


@pytest.mark.parametrize("players", [2, 6])
def test_two_to_six_players_can_play(players: int) -> None:
    night = after_hidden_throws(*[f"P{i}" for i in range(players)])
    assert sum(night.scores.values()) == 5 * players


# -- the coach -----------------------------------------------------------------------------------------------


def rounded_odds(night: Night) -> dict[str, float]:
    return {text: round(float(value), 4) for text, value in night.odds.items()}


def test_the_coach_gives_the_chances_of_bids_from_all_dice() -> None:
    night = after_hidden_throws("Ann", "Ben")
    assert rounded_odds(night) == {
        "three of a face": 0.7009,
        "four of a face": 0.4407,
        "five of a face": 0.2131,
    }
    assert rounded_odds(night.bids(4, 6)) == {
        "four 6s, as bid": 0.4407,
        "five 2s, as a raise": 0.2131,
        "three Magic Ones, as a raise": 0.2248,
    }


def test_the_coach_counts_pushed_dice_as_known() -> None:
    night = (
        after_hidden_throws("Ann", "Ben", push="on").bids(2, 5).bids(4, 5).chooses("2").throws(5, 1).ready()
    )
    assert rounded_odds(night) == {
        "four 5s, as bid": 0.8049,
        "four 6s, as a raise": 0.5318,
        "three Magic Ones, as a raise": 0.3953,
    }
