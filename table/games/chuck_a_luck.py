"""Chuck-a-Luck: Bet against the bank on three dice: a number, any triple, big, small or the field.

Bet as much as you like, on as many things as you like. Then the betting is closed and three dice are
thrown. Each bet is settled by itself. A bet that wins gets its stake back and is also paid:
A number from 1 to 6: the stake, once for each die that shows it.
Any triple: three alike, 30 to 1 (or as set, such as triple_pays=20).
Big and small: a sum of 11 or more is big, 10 or less is small. Both pay 1 to 1. A triple loses both.
Field: a sum below 8 or above 12, triple or not, 1 to 1.
Nobody begins: all players bet at the same time.
The house is the bank, and the player who sits first takes the bets and throws for it. With bank=first, that
player is the bank and does not bet. If you play alone, the house is always the bank.
Rounds go on until you end the game. The player who is furthest ahead wins; if nobody is ahead, nobody wins.

On the tray: throw the three dice once the betting is closed.
On the page: enter the bets and close the betting. After each round, tap whether you play another.
Fouls: a bet after the betting is closed, a bet by the bank, a bet on something that is not listed, and a
stake of 0 are refused. A throw of fewer or more than three dice is void.

Source: Dice Games of Stonewood (S4).
Rulings: K-1 the printed table does not say what a triple, big, small and field pay: here a triple pays 30 to
1 and the others 1 to 1, and each is a setting;
K-2 a triple is no exception for the field: 2-2-2 wins it, and 4-4-4 loses it;
K-3 the single die bet of the second table is the bet on a number again, and pays the same;
K-4 several bets of one player are settled separately;
K-5 every bet wins or loses, and none is returned.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from table.games.rounds import ahead, another_round, bets_until_closed, pay_bet, write_who_sat_out
from table.odds.bets import of_stakes
from table.rules import words
from table.rules.answers import Bet
from table.rules.entered_prompts import AskBets
from table.rules.game import Game, Outcome, Setting, Table
from table.rules.ledger import HOUSE, Account, Ledger
from table.rules.prompts import Choose, Option, Roll

DICE = 3
NUMBERS = ("1", "2", "3", "4", "5", "6")
BETS = (
    *(Option(number, number) for number in NUMBERS),
    Option("triple", "Any triple"),
    Option("big", "Big: 11 or more, no triple"),
    Option("small", "Small: 10 or less, no triple"),
    Option("field", "Field: below 8 or above 12"),
)
MIDDLE = range(8, 13)
"""The sums that lose a bet on the field."""


async def play(table: Table) -> Outcome:
    ledger = Ledger(table)
    dealer = table.players[0]
    bank = dealer if table.settings["bank"] == "first" else HOUSE
    while True:
        await play_round(table, ledger, dealer, bank)
        if not await another_round(table, dealer):
            return ahead(table)


async def play_round(table: Table, ledger: Ledger, dealer: str, bank: str | Account) -> None:
    """Plays one round: takes the bets, throws, and settles every bet.

    dealer: the player who takes the bets and throws for the bank.
    """
    table.sheet.begin_round()
    bettors = [p for p in table.players if p != bank]
    pays = {bet: table.number(f"{bet}_pays") for bet in ("triple", "big", "small", "field")}
    coach = partial(of_stakes, DICE, WORDS, lambda dice, on: chuck_a_luck_pays(dice, on, pays) or -1)
    bets = await bets_until_closed(
        table, dealer, bettors, BETS, f"{dealer}: take the bets, then close them.", coach
    )
    dice = await table.roll(dealer, DICE, why=" for the bank")
    settled = [(bet, chuck_a_luck_pays(dice, bet.on, pays)) for bet in bets]
    for bet, times in settled:  # K-4
        pay_bet(ledger, bank, bet, times, words.hyphenated(dice), f"wins {times} to 1")  # K-5
    write_who_sat_out(table, {bet.player for bet in bets} | ({bank} if bets else set()))
    table.rule(f"{words.hyphenated(dice)}, the sum is {sum(dice)}: {_gains(settled)}.")
    table.so_far = ""


WORDS = (
    ("1", "a number"),
    ("triple", "any triple"),
    ("big", "big"),
    ("small", "small"),
    ("field", "the field"),
)
"""The bets that have different odds; all numbers have the same."""


def chuck_a_luck_pays(dice: Sequence[int], on: str, pays: Mapping[str, int]) -> int:
    """How many times the stake a bet gains; 0 if it loses. pays: for all bets except on numbers."""
    if on in NUMBERS:
        return list(dice).count(int(on))  # K-3
    triple = len(set(dice)) == 1
    wins = {
        "triple": triple,
        "big": sum(dice) >= 11 and not triple,
        "small": sum(dice) <= 10 and not triple,
        "field": sum(dice) not in MIDDLE,  # K-2
    }
    return pays[on] if wins[on] else 0  # K-1


def _gains(settled: Sequence[tuple[Bet, int]]) -> str:
    """The total gain of each bettor, in words."""
    gains: dict[str, int] = {}
    for bet, times in settled:
        gains[bet.player] = gains.get(bet.player, 0) + bet.stake * (times or -1)
    return ", ".join(f"{player} {words.signed(gain)}" for player, gain in gains.items()) or "nobody has bet"


CHUCK_A_LUCK = Game(
    name="chuck_a_luck",
    doc=__doc__,
    players=range(1, 11),
    minutes=(1, 1),
    settings=(
        Setting(
            "bank",
            ("house", "first"),
            "who the bank is",
            "Bank",
            ("the house", "the player who sits first, and who then may not bet"),
            players=range(2, 11),
        ),
        Setting(
            "triple_pays",
            (30, *range(1, 30), *range(31, 101)),
            "a bet on any triple wins this many times its stake",
            "Any triple pays",
        ),
        Setting("big_pays", range(1, 101), "a bet on big wins this many times its stake", "Big pays"),
        Setting("small_pays", range(1, 101), "a bet on small wins this many times its stake", "Small pays"),
        Setting(
            "field_pays", range(1, 101), "a bet on the field wins this many times its stake", "Field pays"
        ),
    ),
    play=play,
    prompt_types=(AskBets, Roll, Choose),
    start="",
    answer_notes="""
Bets are on "1" to "6", "triple", "big", "small" or "field". {"choose": "close"} ends the betting. If
nobody has bet, "bet" or "close" follows. After each round: "again" or "end".
The score is how far a player is ahead. The house is ahead by what all players together are behind.
""",
)
