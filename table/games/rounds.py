"""Rounds for stakes, which go on until a player ends them: the next round, the bets, and the winner."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from table.rules import words
from table.rules.answers import Bet
from table.rules.entered_prompts import AskBets
from table.rules.game import Outcome, Table
from table.rules.ledger import Account, Ledger
from table.rules.prompts import Coach, Option

BETS_SHOWN = 6
"""The most bets that are shown at once; the screen is small."""


async def another_round(table: Table, player: str, dice: int | None = None) -> bool:
    """Whether the player starts another round. dice: how many, if throwing them starts it."""
    options = Option("again", "Play another round", throws=dice), Option("end", "End the game")
    return await table.choose(player, *options) == "again"


def nobody_has_bet(bets: Sequence[Bet]) -> str:
    return "" if bets else "nobody has bet"


async def bets_until_closed(
    table: Table,
    asked: str,
    bettors: Sequence[str],
    on: Sequence[Option],
    text: str,
    coach: Coach | None = None,
    idle: Callable[[Sequence[Bet]], str] = nobody_has_bet,
) -> list[Bet]:
    """The bets, in the order in which they were entered, once `asked` closes the betting.

    idle: why nothing is at stake with these bets, "" if something is. If nothing is, `asked` has to confirm.
    """
    bets: list[Bet] = []
    close = Option("close", "Close the betting")
    while True:
        bet = await AskBets(asked, text, tuple(bettors), tuple(on), (close,), coach=coach)
        if isinstance(bet, Bet):
            bets.append(bet)
            table.so_far = bets_text(bets)
        elif not (why := idle(bets)) or await _close_all_the_same(table, asked, why, bets):
            return bets


async def _close_all_the_same(table: Table, asked: str, why: str, bets: Sequence[Bet]) -> bool:
    take = Option("bet", "Take more bets" if bets else "Take bets")
    close = Option("close", "Close it all the same")
    text = f"{asked}: {why}, so nothing is at stake; close the betting all the same?"
    return await table.choose(asked, take, close, text=text) == "close"


def bets_text(bets: Sequence[Bet]) -> str:
    """The bets in words; if there are many, only the last ones."""
    before, shown = bets[:-BETS_SHOWN], bets[-BETS_SHOWN:]
    more = [f"{len(before)} before"] if before else []
    return ", ".join([*(named(b) for b in shown), *more])


def named(bet: Bet) -> str:
    """'Ann 5 on big'."""
    return f"{bet.player} {placed(bet)}"


def placed(bet: Bet) -> str:
    """'5 on big', for the player's own column of the sheet."""
    return f"{bet.stake:,} on {bet.on.replace('_', ' ')}"


def pay_bet(ledger: Ledger, bank: str | Account, bet: Bet, times: int, when: str, wins: str = "wins") -> None:
    """Pays a bet that wins `times` its stake, or takes the stake of a bet that loses (times=0).

    when, wins: words for the sheet: "6-6-1", "wins 2 to 1". The bets of a round share a line.
    """
    verdict = wins if times else "loses"
    for_player, for_bank = f"{placed(bet)} {verdict}", f"{named(bet)} {verdict}"
    if times:
        ledger.pay(bank, bet.player, bet.stake * times, for_bank, heading=when, payee_reason=for_player)
    else:
        ledger.pay(bet.player, bank, bet.stake, for_player, heading=when, payee_reason=for_bank)


def write_who_sat_out(table: Table, staked: Collection[object]) -> None:
    """Writes a line on the sheet for each player with nothing at stake: every sheet has every round."""
    for player in table.players:
        if player not in staked:
            table.sheet.score(player, 0, "nothing at stake")


def ahead(table: Table, next_first: str | None = None, why_first: str = "") -> Outcome:
    """The outcome: the player furthest ahead wins, or several jointly. If nobody is ahead, nobody wins."""
    leaders = table.sheet.leaders
    best = table.sheet.total(leaders[0])
    if best <= 0:
        leaders, won = (), "Nobody is ahead, so nobody wins."
    elif len(leaders) == 1:
        won = f"{leaders[0]} is {best:,} ahead and wins."
    else:
        won = f"{words.listed(leaders)} are {best:,} ahead each: joint winners."
    return Outcome(leaders, won, next_first=next_first, why_first=why_first)
