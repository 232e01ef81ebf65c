"""Who begins: the highest single die, or the lowest, and only the tied throw again (shared rules G3 and G8)."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable

from table.rules import words
from table.rules.game import Table


async def highest_die(table: Table) -> str:
    """Each throws one die; those who tie for the highest throw again until one is left."""
    return await _single_die(table, max)


async def lowest_die(table: Table) -> str:
    """Each throws one die; those who tie for the lowest throw again until one is left."""
    return await _single_die(table, min)


async def first_player(table: Table, thrown_for: Callable[[Table], Awaitable[str]] = highest_die) -> str:
    """The player who begins: the one named by the setting `start`, else whoever it falls to by `thrown_for`."""
    named = str(table.settings["start"])
    if named in table.players:
        return named
    return await thrown_for(table)


async def _single_die(table: Table, best_of: Callable[[Iterable[int]], int]) -> str:
    tied = list(table.players)
    while len(tied) > 1:
        thrown: dict[str, int] = {}
        for player in tied:
            (thrown[player],) = await table.roll(player, 1, why=" to see who begins", purpose="start")
            table.so_far = ", ".join(f"{p} {face}" for p, face in thrown.items())
        best = best_of(thrown.values())
        tied = [p for p in tied if thrown[p] == best]
        if len(tied) > 1:
            table.rule(f"{words.listed(tied)} tie with {best} and throw again.")
    table.so_far = ""
    table.rule(f"{tied[0]} begins.")
    return tied[0]
