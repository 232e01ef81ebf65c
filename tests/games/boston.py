"""Going to Boston: Three dice, three throws. The highest die of each throw counts; the highest sum wins.

Throw three dice and set the highest aside. Throw the other two and set the higher aside. Throw the last one.
Your score is the sum of the three. The highest score wins.
Start: each player throws a die. The highest begins; players who tie throw again.

On the tray: leave the dice set aside where they lie, or take them away. Throw the others. You tap nothing.
Fouls, all void: throwing a die that is set aside, throwing fewer dice than are left.

Source: traditional.
Rulings: G-1 one of equal highest dice is set aside;
G-2 players who tie for the highest score win jointly.
"""

from __future__ import annotations

from table.games.start import first_player
from table.rules import words
from table.rules.game import Game, Outcome, Table
from table.rules.prompts import Roll


async def play(table: Table) -> Outcome:
    for player in table.round_from(await first_player(table)):
        await turn(table, player)
    winners = table.sheet.leaders  # G-2
    return Outcome(winners, f"{words.listed(winners)}: the most with {table.sheet.total(winners[0])}.")


async def turn(table: Table, player: str) -> None:
    aside: list[int] = []
    for count in (3, 2, 1):
        dice = await table.roll(player, count, beside=aside)
        aside.append(max(dice))  # G-1
        table.so_far = f"{words.listed(aside)}: {sum(aside)}"
    table.so_far = ""
    table.sheet.score(player, sum(aside), words.listed(aside))


BOSTON = Game(name="boston", doc=__doc__, players=range(2, 11), play=play, prompt_types=(Roll,))
