"""Farmer's Dash: four dice low, then four dice high, each with two rerolls of any dice.

The score is the high total minus the low total.
"""

from __future__ import annotations

from functools import partial

from table.games.highland.day import Day, set_of
from table.games.highland.sets import ClanSet, Dice, choose_sets, rerolled, throw_set
from table.odds.highland import dash as odds
from table.odds.highland import plays

REROLLS = 2


async def farmers_dash(day: Day, player: str) -> int:
    """The points of one run, also written on the sheet. They can be negative (H-3)."""
    table = day.table
    first, second = await choose_sets(
        table, player, "Farmer's Dash: which colour do you throw first, for a low total?"
    )
    low = await _run(day, player, first, "first", ())
    table.sheet.note(player, sum(low), f"first set {set_of(low)}", "dash_first")
    high = await _run(day, player, second, "second", low)
    table.sheet.note(player, sum(high), f"second set {set_of(high)}", "dash_second")
    points = dash_score(low, high)
    table.sheet.score(player, points, f"Farmer's Dash: second set {sum(high)}, first set {sum(low)}", "dash")
    day.update_so_far("")
    return points


async def _run(day: Day, player: str, four: ClanSet, which: str, beside: Dice) -> Dice:
    """The final dice of one set, after its rerolls."""
    high = which == "second"
    purpose, good = f"{which} set", "high is good" if high else "low is good"
    keeps = plays.dash_set(high, sum(beside))
    before = partial(plays.dash_before, high, sum(beside))
    advice = day.advised(None, lambda: keeps.first(REROLLS, before, opens=not high))
    dice = await throw_set(day.table, player, four, f" for Farmer's Dash, {good}", beside, purpose, advice)

    def worth(now: Dice) -> str:
        return f"{which.capitalize()} set {set_of(now)}, {good}"

    coach = partial(odds.of_keeps, high)
    return await rerolled(
        day.table, player, four, dice, REROLLS, worth, coach, beside=beside, purpose=purpose,
        best_play=keeps if day.rules.alone else None,
    )  # fmt: skip


def dash_score(low: Dice, high: Dice) -> int:
    """The total of the second set minus that of the first, -20 to 20."""
    return sum(high) - sum(low)
