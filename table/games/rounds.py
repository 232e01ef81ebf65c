"""Rounds for stakes that go on until people end them: one more or not, who bets what, and who is ahead in the end."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from table.rules import words
from table.rules.answers import Bet
from table.rules.game import Outcome, Table
from table.rules.prompts import Coach, Option
from table.rules.telling import AskBets

BETS_SHOWN = 6
"""Of those that lie; the screen is small."""


async def another_round(table: Table, player: str, dice: int | None = None) -> bool:
    """Whether the player has another round played. dice: how many, where throwing them begins it."""
    options = Option("again", "Play another round", throws=dice), Option("end", "End the game")
    return await table.choose(player, *options) == "again"


async def bets_until_closed(
    table: Table, asked: str, bettors: Sequence[str], on: Sequence[Option], text: str, coach: Coach | None = None
) -> list[Bet]:
    """The bets of the bettors, in the order in which they were told, once `asked` closes the betting."""
    bets: list[Bet] = []
    close = Option("close", "Close the betting")
    while True:
        bet = await AskBets(asked, text, tuple(bettors), tuple(on), (close,), coach=coach)
        if not isinstance(bet, Bet):
            return bets
        bets.append(bet)
        table.so_far = lying(bets)


def lying(bets: Sequence[Bet]) -> str:
    """The bets that lie, for people; of many the last."""
    before, shown = bets[:-BETS_SHOWN], bets[-BETS_SHOWN:]
    more = [f"{len(before)} before"] if before else []
    return ", ".join([*(named(b) for b in shown), *more])


def named(bet: Bet) -> str:
    """'Ann 5 on big'."""
    return f"{bet.player} {bet.stake:,} on {bet.on.replace('_', ' ')}"


def write_who_sat_out(table: Table, number: int, staked: Collection[object]) -> None:
    """A line of the sheet for each who had nothing at stake in this round, so that every sheet tells of every round."""
    for player in table.players:
        if player not in staked:
            table.sheet.score(player, 0, f"round {number}: nothing at stake")


def ahead(table: Table, next_first: str | None = None) -> Outcome:
    """Whoever is furthest ahead wins, all who are so jointly; nobody where nobody is ahead."""
    leaders = table.sheet.leaders
    best = table.sheet.total(leaders[0])
    if best <= 0:
        return Outcome((), "Nobody is ahead, so nobody wins.", next_first=next_first)
    if len(leaders) == 1:
        return Outcome(leaders, f"{leaders[0]} is {best:,} ahead and wins.", next_first=next_first)
    return Outcome(leaders, f"{words.listed(leaders)} are {best:,} ahead each: joint winners.", next_first=next_first)
