"""The player who begins: by the highest single die, the lowest, or another throw.

Only the players who tie throw again (shared rules G3, G8).
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Sequence

from table.rules import words
from table.rules.game import Table


async def highest_die(table: Table) -> str:
    """The player with the highest die. Each throws one, and players who tie for the highest throw again."""
    return await _single_die(table, max)


async def lowest_die(table: Table) -> str:
    """The player with the lowest die. Each throws one, and players who tie for the lowest throw again."""
    return await _single_die(table, min)


async def first_player(table: Table, thrown_for: Callable[[Table], Awaitable[str]] = highest_die) -> str:
    """The player named by the setting `start`; without a name, the player that `thrown_for` returns."""
    named = str(table.settings["start"])
    if named in table.players:
        return named
    return await thrown_for(table)


async def best_throw(
    table: Table,
    players: Sequence[str],
    thrown_by: Callable[[str], Awaitable[int]],
    best_of: Callable[[Iterable[int]], int] = max,
    again: str = "throw again",
    wins: str = "begins",
) -> str:
    """The one of these players with the best throw; players who tie throw again until one is left.

    again, wins: words for the rulings.
    """
    tied = list(players)
    while len(tied) > 1:
        thrown: dict[str, int] = {}
        for player in tied:
            thrown[player] = await thrown_by(player)
            table.so_far = ", ".join(f"{p} threw {value}" for p, value in thrown.items())
        best = best_of(thrown.values())
        tied = [p for p in tied if thrown[p] == best]
        if len(tied) > 1:
            table.so_far = f"{words.listed(tied)} tie with {best} and {again}"
            table.rule(f"{table.so_far}.")
    table.so_far = ""
    table.rule(f"{tied[0]} {wins}.")
    table.sheet.begin_counting()
    return tied[0]


async def _single_die(table: Table, best_of: Callable[[Iterable[int]], int]) -> str:
    which = "lowest" if best_of is min else "highest"

    async def die(player: str) -> int:
        (face,) = await table.roll(player, 1, why=f", and the {which} begins", purpose="start")
        return face

    return await best_throw(table, table.players, die, best_of)
