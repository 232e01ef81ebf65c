"""Cee Lo: Put in equal stakes and throw three dice until they make a hand. The best hand wins the pot; 4-5-6
wins at once.

All put the same stake into the pot. In turn, throw three dice, all three again and again, until they make a
hand. The best hand takes the pot.
The hands, from the best:
4-5-6 wins at once, and nobody else throws. With auto=after_all, the others still throw.
Trips: three alike, 6-6-6 down to 1-1-1. They beat every point.
Point: a pair and another die. The other die is the point, 6 down to 1.
1-2-3 loses at once: you are out of the round. If only one player is not out, that player wins, even without a
hand.
Any other throw is no hand.
Players who tie for the best hand shoot it out. Only they throw again, with no new stake, until one of them
wins.
Start: each player throws a die. The highest begins; players who tie throw again.
The winner of a round begins the next one.
Rounds go on until you end the game. The player who is furthest ahead wins; if nobody is ahead, nobody wins.

On the tray: throw three dice. The table takes a hand by itself, and its prompt names who throws next.
On the page: enter the stake of each round, unless it is set. After each round, tap whether you play
another. If the stake is set, throwing the dice also starts the next round.
Fouls, all void: throwing fewer than three dice again, throwing after a hand, throwing out of turn.
Nobody can leave a stake unpaid: every player is charged before the first throw.

Source: Dice Games of Stonewood (S4).
Rulings: C-1 a 4-5-6 wins at once and nobody throws against it; with auto=after_all the others still throw,
and equal ones shoot it out;
C-2 if all players but one throw a 1-2-3, that one wins without a hand, with either setting of auto;
C-3 there is no banker: all put the same stake into one pot;
C-4 the highest die begins, and the winner of a round begins the next;
C-5 trips rank by their face, and 1-1-1 still beats every point;
C-6 a die that leaves the table is thrown again, and nothing is lost;
C-7 in a shoot-out, 4-5-6 and 1-2-3 do the same as in a round.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from table.games.rounds import ahead, another_round
from table.games.start import first_player
from table.odds import cee_lo as odds
from table.rules import words
from table.rules.entered_prompts import MAX_STAKE, AskNumber
from table.rules.game import Game, Outcome, Setting, Table
from table.rules.ledger import POT, Ledger
from table.rules.prompts import Choose, Roll

DICE = 3


@dataclass(frozen=True, order=True)
class Hand:
    """A hand; a better hand compares as greater.

    kind: one of the ranks below. face: the face of the trips, or the point.
    """

    kind: int
    face: int = 0

    def __str__(self) -> str:
        return {
            LOSING: "1-2-3",
            POINT: f"point {self.face}",
            TRIPS: f"trips of {self.face}",
            WINNING: "4-5-6",
        }[self.kind]


LOSING, POINT, TRIPS, WINNING = range(4)


async def play(table: Table) -> Outcome:
    ledger = Ledger(table)
    first = await first_player(table)  # C-4
    stake = None
    while True:
        stake = table.number("stake") or await _stake(first, stake)
        first = await play_round(table, ledger, first, stake)
        if not await another_round(table, first, dice=DICE if table.number("stake") else None):
            return ahead(table, first, why_first="the winner of a round begins the next")


async def _stake(first: str, before: int | None) -> int:
    """What each player stakes in this round. before: in the round before, None in the first."""
    text = f"{first}: what does each player stake?"
    return (await AskNumber(first, text, 1, MAX_STAKE, "stake", before)).value


async def play_round(table: Table, ledger: Ledger, first: str, stake: int) -> str:
    """The winner of one round, from the stakes to the pot."""
    table.sheet.begin_round()
    order = table.round_from(first)
    for player in order:
        ledger.pay(player, POT, stake, "stake")
    hands: dict[str, str] = {}
    pot = ledger.balance(POT)
    winner, won_by = await _thrown_for(table, order, pot, hands)
    ledger.pay(POT, winner, pot, f"{won_by}, the pot of {pot:,} is won", settles=True)
    for player in order:
        if player != winner:
            reason = f"{hands.get(player, 'no throw')}, the stake is lost"
            table.sheet.settle(player, 0, reason)
    table.rule(f"{winner} takes the pot of {pot:,}: {won_by}.")
    table.so_far = ""
    return winner


async def _thrown_for(table: Table, order: Sequence[str], pot: int, shown: dict[str, str]) -> tuple[str, str]:
    """(the winner, the winning hand in words), after as many shoot-outs as needed.

    pot: what they throw for. shown: each player's last hand in words, filled in as they throw.
    """
    best, won_by = await all_throw(table, order, pot, shown)
    while len(best) > 1:
        table.rule(f"{words.listed(best)} tie with {won_by}: they shoot it out, with no new stake.")
        best, won_by = await all_throw(table, best, pot, shown, "shoot-out")
        won_by = f"{won_by} in the shoot-out" if len(best) == 1 else won_by
    return best[0], won_by


async def all_throw(
    table: Table, order: Sequence[str], pot: int, shown: dict[str, str], purpose: str = ""
) -> tuple[tuple[str, ...], str]:
    """(the players with the best hand, that hand in words), once all have thrown or one has won at once.

    pot, shown: as in _thrown_for.
    """
    hands: dict[str, Hand] = {}
    table.so_far = f"the pot is {pot:,}"
    for player in order:
        to_beat = max((hand for hand in hands.values() if hand.kind != LOSING), default=None)
        hands[player] = await throw_hand(table, player, to_beat, purpose)
        shown[player] = f"{hands[player]}{' in the shoot-out' if purpose else ''}"
        told = ", ".join(f"{p} {hand}" for p, hand in hands.items())
        table.so_far = f"the pot is {pot:,}; {told}"
        if hands[player].kind == WINNING and table.settings["auto"] == "immediate":  # C-1, C-7
            return (player,), str(hands[player])
        if hands[player].kind == LOSING:
            table.rule(f"{player} threw 1-2-3 and is out of this round.")
            still_in = [p for p in order if p not in hands or hands[p].kind != LOSING]
            if len(still_in) == 1:  # C-2
                return tuple(still_in), str(hands.get(still_in[0], "nobody else is left"))
    best = max(hands.values())
    return tuple(p for p in order if hands[p] == best), str(best)


async def throw_hand(table: Table, player: str, to_beat: Hand | None, purpose: str) -> Hand:
    """The player's hand, after as many throws as needed."""
    why = " for the shoot-out" if purpose else ""
    coach = partial(odds.of_a_hand, cee_lo_hand, to_beat)
    again = False
    while True:
        dice = await table.roll(player, DICE, why=why, purpose=purpose, coach=coach, again=again)
        hand = cee_lo_hand(dice)
        if hand is not None:
            return hand
        table.rule(f"{words.hyphenated(sorted(dice))} is no hand: {player} throws again.")
        again = True


def cee_lo_hand(dice: Sequence[int]) -> Hand | None:
    """The hand that three dice make; None if they make none."""
    low, middle, high = sorted(dice)
    if low == high:
        return Hand(TRIPS, low)  # C-5
    if low == middle:
        return Hand(POINT, high)
    if middle == high:
        return Hand(POINT, low)
    return {(1, 2, 3): Hand(LOSING), (4, 5, 6): Hand(WINNING)}.get((low, middle, high))


CEE_LO = Game(
    name="cee_lo",
    doc=__doc__,
    players=range(2, 11),
    minutes=(1, 3),
    settings=(
        Setting(
            "auto",
            ("immediate", "after_all"),
            "",
            "A 4-5-6",
            ("a 4-5-6 takes the pot at once", "all the others still throw"),
        ),
        Setting(
            "stake",
            range(MAX_STAKE + 1),
            "units that each player pays into the pot of each round; 0: you enter them before each round",
            "Stake",
        ),
    ),
    play=play,
    prompt_types=(Roll, Choose, AskNumber),
    answer_notes="""
The number is the stake of each player for the round. If the setting stake is above 0, there is no prompt
for it.
After each round: "again" or "end".
The prompt's "for" names the throws of a shoot-out.
""",
)
