"""Pig and Liar's Dice compared with OpenSpiel, an independent implementation (pip install '.[oracle]').

These rules differ and are not compared:
- Pig: OpenSpiel lets a player stop before the first throw; here the first throw is compulsory (P-3).
- Liar's Dice: OpenSpiel plays one round of two players. Its wild face is 6, so our 1 is its 6 and our 2 to 6
  are its 1 to 5. Its wild face is raised like any other face; here a raise to aces needs half the count, and
  a raise back needs twice the count and one. Its bids end at the number of dice; here they have no limit. It
  has no reveal rounds.
"""

from __future__ import annotations

from itertools import product
from random import Random
from typing import Any

import pytest

from table.games.cups import counting
from table.games.liars_dice import fewest, why_not_raise
from table.rules.answers import Bid
from tests.games.cups import hide, lift
from tests.games.night import Night

pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not there: pip install '.[oracle]'")

# -- Pig -----------------------------------------------------------------------------------------------------

ROLL, STOP = 0, 1
PLAYERS = ("Ann", "Ben")


class BothPigs:
    """The same game of Pig at our table and in OpenSpiel."""

    def __init__(self) -> None:
        self.ours = Night("pig", *PLAYERS, start="Ann")
        self.theirs: Any = pyspiel.load_game("pig").new_initial_state()

    def throws(self, face: int) -> None:
        if self.ours.options:
            self.ours.chooses("roll")
        self.ours.throws(face)
        self.theirs.apply_action(ROLL)
        self.theirs.apply_action(face - 1)
        self.assert_agreement()

    def holds(self) -> None:
        self.ours.chooses("hold")
        self.theirs.apply_action(STOP)
        self.assert_agreement()

    def assert_agreement(self) -> None:
        """Scores, turn, turn total and winner are the same."""
        scores, total = str(self.theirs).splitlines()[0].removeprefix("Scores: ").split(", Turn total: ")
        assert list(self.ours.scores.values()) == [int(s) for s in scores.split()]
        assert self.ours.over == self.theirs.is_terminal()
        if self.ours.over:
            assert self.ours.winners == tuple(
                p for p, won in zip(PLAYERS, self.theirs.returns(), strict=True) if won > 0
            )
            return
        assert self.ours.turn == PLAYERS[self.theirs.current_player()]
        assert int(self.ours.so_far.split()[0] if self.ours.so_far else 0) == int(total)


@pytest.mark.parametrize("throws", [1, 2, 3])
def test_every_pig_turn_of_up_to_three_throws_agrees(throws: int) -> None:
    """All turns of this length, thrown to their end, and held where that is still possible."""
    for faces in product(range(1, 7), repeat=throws):
        if 1 in faces[:-1]:
            continue
        both = BothPigs()
        for face in faces:
            both.throws(face)
        if 1 not in faces:
            both.holds()


@pytest.mark.parametrize("seed", range(20))
def test_whole_pig_games_agree(seed: int) -> None:
    rng, both = Random(seed), BothPigs()
    while not both.ours.over:
        if both.ours.options and rng.random() < 0.25:
            both.holds()
        else:
            both.throws(rng.randint(1, 6))


# -- Liar's Dice ---------------------------------------------------------------------------------------------

DICE = 10
"""The dice of two players with five each."""


def their_face(face: int) -> int:
    return 6 if face == 1 else face - 1


def our_bid(action: int) -> Bid:
    """OpenSpiel numbers its bids by count and then by face."""
    count, face = divmod(action, 6)
    return Bid(count + 1, 1 if face == 5 else face + 2)


def their_action(bid: Bid) -> int:
    return 6 * (bid.count - 1) + their_face(bid.face) - 1


def their_round(hands: tuple[tuple[int, ...], ...]) -> Any:
    """A round of OpenSpiel with these hands, in our faces, before the first bid."""
    state = pyspiel.load_game("liars_dice", {"numdice": len(hands[0])}).new_initial_state()
    for die in (die for hand in hands for die in hand):
        state.apply_action(their_face(die) - 1)
    assert not state.is_chance_node()
    return state


def legal_raises(state: Any) -> set[Bid]:
    return {our_bid(action) for action in state.legal_actions() if action < 6 * DICE}


ALL_BIDS = [Bid(count, face) for count in range(1, DICE + 1) for face in range(1, 7)]


@pytest.mark.parametrize("above", ALL_BIDS, ids=str)
def test_every_raise_of_every_bid_agrees(above: Bid) -> None:
    state = their_round(((2,) * 5, (3,) * 5))
    assert legal_raises(state) == set(ALL_BIDS)
    state.apply_action(their_action(above))
    theirs = legal_raises(state)
    ours = {bid for bid in ALL_BIDS if why_not_raise(bid, above, False) is None}
    if above.face == 1:
        assert ours < theirs or ours == theirs == set(), "a raise from aces needs twice the count and one"
        assert {b for b in ours if b.face == 1} == {b for b in theirs if b.face == 1}
    else:
        assert theirs <= ours, "a raise to aces needs half the count"
        assert {b for b in ours if b.face != 1} == {b for b in theirs if b.face != 1}
        assert ours - theirs == {Bid(n, 1) for n in range(fewest(1, above), above.count)}


@pytest.mark.parametrize("dice", [1, 2])
def test_the_loser_of_a_call_agrees_for_all_hands_and_bids(dice: int) -> None:
    for faces in product(range(1, 7), repeat=2 * dice):
        dealt = their_round((faces[:dice], faces[dice:]))
        for bid in (our_bid(action) for action in range(12 * dice)):
            state = dealt.child(their_action(bid))
            state.apply_action(12 * dice)
            right = counting(bid.face, faces, wild=True) >= bid.count
            assert state.returns() == ([1, -1] if right else [-1, 1]), (faces, bid)


@pytest.mark.parametrize("seed", range(60))
def test_whole_rounds_with_five_dice_each_agree(seed: int) -> None:
    """Random bids on 2 to 6, low ones more often. The last bid can be on aces. Then the next player calls."""
    rng = Random(seed)
    hands = tuple(tuple(rng.choices(range(1, 7), k=5)) for _ in PLAYERS)
    night, state = hide(Night("liars_dice", *PLAYERS, start="Ann")), their_round(hands)
    while legal := sorted(legal_raises(state), key=their_action):
        assert night.turn == PLAYERS[state.current_player()]
        assert {b for b in legal if b.face > 1} == {b for b in ALL_BIDS if b.face > 1 and b in night.prompt}
        bid = rng.choice(legal[:8])
        night.bids(bid.count, bid.face)
        state.apply_action(their_action(bid))
        if bid.face == 1 or rng.random() < 0.3:
            break
    lift(night.chooses("call"), dict(zip(PLAYERS, hands, strict=True)))
    state.apply_action(6 * DICE)
    assert [night.scores[p] for p in PLAYERS] == [5 if won > 0 else 4 for won in state.returns()]
