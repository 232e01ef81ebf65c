"""Weight for Height: as Sheaf Toss, but with a weight. It uses the pips that are left in the afternoon."""

from __future__ import annotations

from table.games.highland.day import Day
from table.games.highland.heights import Toss, toss_for_height

WEIGHT = Toss("Weight for Height", "weight", "weight", lambda rules: rules.weight)


async def weight_for_height(day: Day, player: str) -> int:
    return await toss_for_height(day, player, WEIGHT)
