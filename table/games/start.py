"""Who begins: the highest single die, and only the tied throw again (shared rules G3 and G8)."""

from __future__ import annotations

from table.rules import words
from table.rules.game import Table


async def first_player(table: Table) -> str:
    """The player who begins: the one named by the setting `start`, else the highest die."""
    named = str(table.settings["start"])
    if named in table.players:
        return named
    return await highest_die(table)


async def highest_die(table: Table) -> str:
    """Each throws one die; those who tie for the highest throw again until one is left."""
    tied = list(table.players)
    while len(tied) > 1:
        thrown: dict[str, int] = {}
        for player in tied:
            (thrown[player],) = await table.roll(player, 1, why=" to see who begins", purpose="start")
            table.so_far = ", ".join(f"{p} {face}" for p, face in thrown.items())
        highest = max(thrown.values())
        tied = [p for p in tied if thrown[p] == highest]
        if len(tied) > 1:
            table.rule(f"{words.listed(tied)} tie with {highest} and throw again.")
    table.so_far = ""
    table.rule(f"{tied[0]} begins.")
    return tied[0]
