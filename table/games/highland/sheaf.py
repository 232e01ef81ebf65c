"""Sheaf Toss: the last event of the morning. A sheaf is tossed over a bar."""

from __future__ import annotations

from table.games.highland.day import Day
from table.games.highland.heights import Toss, toss_for_height

SHEAF = Toss("Sheaf Toss", "sheaf", "sheaf", lambda rules: rules.sheaf)


async def sheaf_toss(day: Day, player: str) -> int:
    return await toss_for_height(day, player, SHEAF)
