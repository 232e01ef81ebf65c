"""Tiny games for tests of a match: one that works, and several with a bug."""

from __future__ import annotations

from table.rules.game import Game, Outcome, Play, Seat, Setting, Table
from table.rules.match import Match
from table.rules.prompts import Option

SEATS = (Seat("Ann"), Seat("Ben"))


RULEBOOK = """Tiny: Reach the goal.

Throw two dice; double them or pass.
"""


def tiny(play: Play) -> Game:
    goal = Setting("goal", (20, 10), "points that win")
    return Game("tiny", RULEBOOK, range(2, 4), play, (goal,))


async def double_or_pass(table: Table) -> Outcome:
    """Players throw two dice; a double gives a choice, any other throw scores at once."""
    player = table.players[0]
    while table.sheet.total(player) < table.number("goal"):
        player = table.after(player) if table.sheet.lines else player
        a, b = await table.roll(player, 2)
        factor = 1
        if a == b:
            take = await table.choose(
                player, Option("take", "Take it"), Option("double", "Throw one die for double", throws=1)
            )
            if take == "double":
                (c,) = await table.roll(player, 1)
                factor = 2 if c > 3 else 0
        table.rule(f"{player} makes {(a + b) * factor}.")
        table.sheet.score(player, (a + b) * factor, f"{a} and {b} times {factor}")
    return Outcome((player,), f"{player} wins.")


async def breaks_on_a_3(table: Table) -> Outcome:
    while True:
        (die,) = await table.roll(table.players[0], 1)
        await table.choose(table.players[0], Option("on", "Go on"), Option("off", "Go off"))
        if die == 3:
            raise KeyError("three")


async def ends_with_nothing(table: Table) -> Outcome:
    await table.roll(table.players[0], 1)
    return None  # type: ignore[return-value]


async def crowns_a_stranger(table: Table) -> Outcome:
    await table.roll(table.players[0], 1)
    return Outcome(("Zoe",), "Zoe wins.")


async def breaks_at_once(table: Table) -> Outcome:
    raise RuntimeError("no start")


async def keeps_by_a_rule_with_a_bug(table: Table) -> Outcome:
    def rule(kept: tuple[int, ...]) -> str | None:
        return None if 6 // (3 - sum(kept)) else "Not so."

    player = table.players[0]
    await table.keep(player, await table.roll(player, 2), rule)
    return Outcome((player,), f"{player} wins.")


TINY = tiny(double_or_pass)


def match() -> Match:
    return Match(TINY, SEATS)
