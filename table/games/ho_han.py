"""Ho Han: Two dice under a cup. Is their sum even (cho) or odd (han)? Bet before the cup is lifted.

Two dice are thrown under a cup and stay there. Each player bets that their sum is even (cho) or odd
(han). Then the betting is closed and the cup is lifted. If you are wrong, you lose your stake. If you are
right, you get it back and the same amount again.
The players bet against one another, so both sides must stake the same. When the betting is closed, what one
side staked more is refused, the last bet first. The house can take a part of what is won (house=5: 5 percent,
rounded down for each bet).
With mode=house, everybody bets against the house instead. The house takes what is lost, pays 1 to 1 and takes
no percentage.
If a die is cocked or was moved with the cup, the round is void and all stakes are returned.
Nobody begins: all players bet at the same time. The player who sits first handles the cup.
Rounds go on until you end the game. The player who is furthest ahead wins; if nobody is ahead, nobody wins.

On the tray: throw the dice there under a cup. Lift it once the betting is closed; you need not tap that.
On the page: tap when the dice lie, enter the bets and close the betting. Tap it if the round is void. After
each round, tap whether you play another.
Fouls: a bet after the betting is closed, and what one side stakes more than the other, are refused. Dice
moved with the cup make the round void. Looking under the cup is a foul too, but only the players can see it.

Source: Dice Games of Stonewood (S4).
Rulings: O-1 as many players on each side is read as equal stakes: when the betting is closed, what one side
staked more is refused, the last bet first;
O-2 the part of the house is a setting, by default 0 percent; it is taken only from the gain of each winning
bet, and rounded down;
O-3 against the house, a bet that wins is paid 1 to 1;
O-4 the dice lie before anybody bets; if a die is cocked or moved when the cup is lifted, the round is void
and all stakes are returned;
O-5 the heading means the game Cho-Han, which has its name from its two bets;
O-6 even and odd are equally likely, 18 of 36 throws each;
O-7 no player is the dealer: the player who sits first handles the cup for all, looks under it no more than
the others do, and may bet.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import partial

from table.games.rounds import (
    ahead,
    another_round,
    bets_until_closed,
    nobody_has_bet,
    placed,
    write_who_sat_out,
)
from table.odds.bets import of_stakes, of_winning
from table.odds.throws import Dice
from table.rules import words
from table.rules.answers import Bet
from table.rules.entered_prompts import AskBets, Hidden
from table.rules.game import Game, Outcome, Setting, SettingValue, Table
from table.rules.ledger import HOUSE, POT, Ledger
from table.rules.prompts import Choose, Odds, Option, Roll

DICE = 2
CHO, HAN = "cho", "han"
BETS = (Option(CHO, "Cho: an even sum"), Option(HAN, "Han: an odd sum"))


async def play(table: Table) -> Outcome:
    ledger = Ledger(table)
    while True:
        await play_round(table, ledger)
        if not await another_round(table, table.players[0]):
            return ahead(table)


async def play_round(table: Table, ledger: Ledger) -> None:
    """Plays one round: hides the dice, takes the bets, has the cup lifted, and settles the bets."""
    table.sheet.begin_round()
    dealer = table.players[0]  # O-7
    await table.hide(
        dealer, DICE, f"{dealer}: throw two dice under the cup, and say when that is done. Nobody looks."
    )  # O-4
    coach, between_players = partial(_coach, _house_percent(table)), table.settings["mode"] == "players"
    text = f"{dealer}: take the bets, then close them."
    idle = nobody_bets_against if between_players else nobody_has_bet
    bets = await bets_until_closed(table, dealer, table.players, BETS, text, coach, idle)
    if between_players:
        bets, refused = evened(bets)  # O-1
        for surplus in refused:
            against = HAN if surplus.on == CHO else CHO
            table.rule(
                f"{surplus.player} takes {surplus.stake:,} back from {surplus.on}: "
                f"nobody stakes it on {against}."
            )
    table.so_far = f"{_staked(bets, CHO):,} on cho, {_staked(bets, HAN):,} on han"
    if await _lifted(table, dealer):
        dice = await table.reveal(dealer, DICE, f"{dealer}: show the two dice as they lie.")
        _pay_bets(table, ledger, bets, dice)
    else:
        table.lift_cups()
        _give_back(table, bets)
    write_who_sat_out(table, {bet.player for bet in bets})
    table.so_far = ""


def nobody_bets_against(bets: Sequence[Bet]) -> str:
    """Why nothing is at stake between the players, "" if something is."""
    sides = {bet.on for bet in bets}
    if len(sides) == 1:
        return f"nobody has bet on {HAN if CHO in sides else CHO}"
    return nobody_has_bet(bets)


async def _lifted(table: Table, dealer: str) -> bool:
    """Whether both dice can be read when the cup is lifted: not cocked, and not moved."""
    lift = Option("lift", "Yes, show them", throws=DICE)
    void = Option("void", "No, one is cocked or was moved")
    return (
        await table.choose(
            dealer, lift, void, text=f"{dealer}: lift the cup. Do both dice lie as they fell, none cocked?"
        )
        == "lift"
    )


def cho_or_han(dice: Sequence[int]) -> str:
    """The side that wins with these dice: cho or han."""
    return HAN if sum(dice) % 2 else CHO


def evened(bets: Sequence[Bet]) -> tuple[list[Bet], list[Bet]]:
    """(the accepted bets, the refused bets), with equal stakes on both sides; the last bets are cut first."""
    surplus = _staked(bets, CHO) - _staked(bets, HAN)
    larger, left = CHO if surplus > 0 else HAN, abs(surplus)
    stand: list[Bet] = []
    refused: list[Bet] = []
    for bet in reversed(bets):
        cut = min(left, bet.stake) if bet.on == larger else 0
        left -= cut
        if cut:
            refused.append(Bet(bet.player, bet.on, cut))
        if cut < bet.stake:
            stand.insert(0, Bet(bet.player, bet.on, bet.stake - cut))
    return stand, refused


def _staked(bets: Sequence[Bet], side: str) -> int:
    return sum(bet.stake for bet in bets if bet.on == side)


def _pay_bets(table: Table, ledger: Ledger, bets: Sequence[Bet], dice: Sequence[int]) -> None:
    """Settles the bets through the pot, from which the house takes its part; mode=house: against it."""
    side = cho_or_han(dice)
    bank = POT if table.settings["mode"] == "players" else HOUSE
    when = words.hyphenated(dice)
    table.rule(f"{words.hyphenated(dice)}, the sum is {sum(dice)}: {side} wins.")
    for bet in bets:
        if bet.on != side:
            ledger.pay(bet.player, bank, bet.stake, f"{placed(bet)} loses", heading=when)
            continue
        fee = bet.stake * _house_percent(table) // 100  # O-2
        text = f"{placed(bet)} wins" + (f", {fee:,} of it to the house" if fee else "")
        ledger.pay(bank, bet.player, bet.stake - fee, text, heading=when)  # O-3
        if fee:
            ledger.pay(bank, HOUSE, fee, text)


def _house_percent(table: Table) -> int:
    """The percent of winnings that the house takes; 0 if the players bet against the house."""
    return table.number("house") if table.settings["mode"] == "players" else 0


def _give_back(table: Table, bets: Sequence[Bet]) -> None:
    table.rule("The round is void: all stakes are returned.")  # O-4
    for bet in bets:
        table.sheet.score_under("void", bet.player, 0, f"{placed(bet)} is returned")


def _coach(percent: int) -> tuple[Odds, ...]:
    """The odds of both sides (O-6). percent: what the house takes of a bet's gain."""

    def gain(dice: Dice, on: str) -> Fraction:
        return Fraction(100 - percent, 100) if cho_or_han(dice) == on else Fraction(-1)

    sides = ((CHO, "cho"), (HAN, "han"))
    return of_winning(DICE, sides, gain) + (of_stakes(DICE, sides, gain) if percent else ())


def settings_error(settings: Mapping[str, SettingValue]) -> str | None:
    """Why the percentage of the house does not apply, or None."""
    if settings["mode"] == "house" and settings["house"] != 0:
        return (
            "the percentage (house) is taken from players who bet against one another,"
            " and with mode=house none do: leave it at 0"
        )
    return None


HO_HAN = Game(
    name="ho_han",
    doc=__doc__,
    players=range(1, 11),
    minutes=(1, 1),
    settings=(
        Setting(
            "mode",
            ("players", "house"),
            "",
            "Bets",
            ("you bet against one another, the same on both sides", "you bet against the house"),
        ),
        Setting(
            "house",
            range(101),
            "percent of each win that the house takes if the players bet against one another",
            "Percent to the house",
        ),
    ),
    play=play,
    one_cup=True,
    cup_stays_secret=True,  # O-4
    settings_error=settings_error,
    prompt_types=(Hidden, AskBets, Choose, Roll),
    start="",
    answer_notes="""
A round has these answers: {"choose": "ready"} once the dice are hidden; bets on "cho" or "han", then
{"choose": "close"}, and if nothing is at stake, "bet" or "close" again; {"choose": "lift"}, or "void" if a
die is cocked or was moved; then a roll with the two dice that lay under the cup. After each round: "again" or
"end".
""",
)
