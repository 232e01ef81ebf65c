"""Zambale's Pair'o Dice: One player has five chances to throw a pair. All bet: pair or no pair, even or odd.

One player throws two dice. Everybody can bet, also the thrower, on either side and on several things. Then
the betting is closed, and the thrower has five chances to throw a pair, with both dice each time. The first
pair ends the turn. Without a pair, the turn is lost.
Pair wins if there is a pair, and no pair wins if there is none.
Even wins with a pair of 2s, 4s or 6s. Odd wins with a pair of 1s, 3s or 5s. Without a pair, bets on even and
odd are returned. With parity=last_sum, the sum of the pair decides, which is always even.
All bets are against the house and pay 1 to 1. In the next round, the next player clockwise throws.
Start: each player throws a die. The highest begins; players who tie throw again.
Rounds go on until you end the game. The player who is furthest ahead wins; if nobody is ahead, nobody wins.

On the tray: throw both dice again until the table says that the turn is over.
On the page: enter the bets and close the betting. After each round, tap whether you play another.
Fouls: a bet after the betting is closed is refused. Throwing one die alone, a sixth time, or after the pair
is void.

Source: Dice Games of Stonewood (S4).
Rulings: Z-1 the sum of a pair is always even, so even and odd mean its face: 2, 4 and 6, or 1, 3 and 5; with
parity=last_sum they mean the sum of that throw, and then every pair is even;
Z-2 without a pair nothing is even or odd, so these bets are returned, with either setting of parity;
Z-3 every bet pays 1 to 1, and the house is against all of them;
Z-4 the first pair ends the turn;
Z-5 both dice are thrown each time;
Z-6 the thrower may bet too, even against the pair.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from table.games.rounds import ahead, another_round, bets_until_closed, pay_bet, placed, write_who_sat_out
from table.games.start import first_player
from table.odds import zambales_pair_o_dice as odds
from table.rules import words
from table.rules.answers import Bet
from table.rules.entered_prompts import AskBets
from table.rules.game import Game, Outcome, Setting, Table
from table.rules.ledger import HOUSE, Ledger
from table.rules.prompts import Choose, Option, Roll

DICE = 2
CHANCES = 5
BETS = (
    Option("pair", "A pair comes"),
    Option("no_pair", "No pair comes"),
    Option("even", "Even: a pair of 2s, 4s or 6s"),
    Option("odd", "Odd: a pair of 1s, 3s or 5s"),
)
BETS_ON_THE_SUM = (
    *BETS[:2],
    Option("even", "Even: the pair's sum is even"),
    Option("odd", "Odd: the pair's sum is odd"),
)


async def play(table: Table) -> Outcome:
    ledger = Ledger(table)
    thrower = await first_player(table)
    while True:
        await turn(table, ledger, thrower)
        thrower = table.after(thrower)
        if not await another_round(table, thrower):
            return ahead(table, thrower, why_first="the dice go on to the next player")


async def turn(table: Table, ledger: Ledger, thrower: str) -> None:
    """Plays one turn: takes the bets, throws up to five times, and settles every bet."""
    table.sheet.begin_round()
    on = BETS if _by_face(table) else BETS_ON_THE_SUM
    coach = partial(odds.of_the_turn, CHANCES, _by_face(table))
    text = f"{thrower}: take the bets on your throws, then close them."
    bets = await bets_until_closed(table, thrower, table.players, on, text, coach)  # Z-6
    dice = await _thrown_until_a_pair(table, thrower)
    _pay_bets(table, ledger, bets, dice)
    write_who_sat_out(table, {bet.player for bet in bets})
    table.so_far = ""


async def _thrown_until_a_pair(table: Table, thrower: str) -> tuple[int, ...]:
    """The last throw of the turn: the first pair, or the fifth throw."""
    for chance in range(1, CHANCES + 1):
        why = f" (chance {chance} of {CHANCES})"
        coach = partial(odds.of_the_turn, CHANCES - chance + 1, _by_face(table))
        dice = await table.roll(thrower, DICE, why=why, coach=coach, again=chance > 1)  # Z-5
        if is_pair(dice):
            table.rule(f"{thrower} throws a pair of {dice[0]}s on chance {chance}.")
            break  # Z-4
    else:
        table.rule(f"{thrower} has no pair in {words.number(CHANCES)} chances, and loses the turn.")
    return dice


def _by_face(table: Table) -> bool:
    """Whether even and odd mean the face of the pair (Z-1)."""
    return table.settings["parity"] == "face"


def is_pair(dice: Sequence[int]) -> bool:
    return len(set(dice)) == 1


def zambale_wins(dice: Sequence[int], on: str, parity: str) -> bool | None:
    """Whether a bet wins if these dice end the turn; None if it is returned."""
    if on in ("pair", "no_pair"):
        return is_pair(dice) == (on == "pair")
    if not is_pair(dice):
        return None  # Z-2
    reasons = dice[0] if parity == "face" else sum(dice)  # Z-1
    return (reasons % 2 == 0) == (on == "even")


def _pay_bets(table: Table, ledger: Ledger, bets: Sequence[Bet], dice: Sequence[int]) -> None:
    """Settles every bet at 1 to 1 against the house (Z-3)."""
    when = words.hyphenated(dice) if is_pair(dice) else "no pair"
    for bet in bets:
        wins = zambale_wins(dice, bet.on, str(table.settings["parity"]))
        if wins is None:
            table.sheet.score_under(when, bet.player, 0, f"{placed(bet)} is returned")
        else:
            pay_bet(ledger, HOUSE, bet, int(wins), when)


ZAMBALES_PAIR_O_DICE = Game(
    name="zambales_pair_o_dice",
    doc=__doc__,
    players=range(1, 11),
    minutes=(1, 2),
    settings=(
        Setting(
            "parity",
            ("face", "last_sum"),
            "what decides even or odd",
            "Even or odd",
            ("the face of the pair", "the sum of its two dice"),
        ),
    ),
    play=play,
    prompt_types=(AskBets, Roll, Choose),
    answer_notes="""
Bets are on "pair", "no_pair", "even" or "odd". {"choose": "close"} ends the betting. If nobody has
bet, "bet" or "close" follows. After each round: "again" or "end".
""",
)
