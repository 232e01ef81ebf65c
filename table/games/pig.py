"""Pig: One die, as often as you dare. A 1 loses the turn; first to hold 100 wins.

Throw one die. A 2 to 6 adds to your turn; then hold, or throw again. A 1 ends your turn and loses its points.
Holding adds the points of the turn to your score. You must throw at least once in a turn.
The first player to hold 100 or more wins at once. The others get no last turn.
Start: each player throws a die. The highest begins; players who tie throw again.

On the tray: to throw again, just throw. To hold, tap it or press the hold button.
Fouls, all void: throwing after a hold or a 1 (the die is the next player's), throwing two dice at once.

Source: Dice Games of Stonewood (S4).
Rulings: P-1 the score moves only on a hold;
P-2 the first to hold 100 ends the game, there are no equal turns;
P-3 the first throw of a turn is compulsory;
P-4 the highest die begins;
P-5 a 1 costs only the points of the turn;
P-6 nobody can tie.
"""

from __future__ import annotations

from functools import partial

from table.games.start import first_player
from table.odds import pig as odds
from table.rules import words
from table.rules.best_play import Advice, no_odds
from table.rules.game import Game, Outcome, Table
from table.rules.prompts import Choose, Option, Roll

GOAL = 100


async def play(table: Table) -> Outcome:
    player = await first_player(table)  # P-4
    while True:
        await turn(table, player)
        if table.sheet.total(player) >= GOAL:  # P-2, P-6
            return Outcome((player,), f"{player} holds {table.sheet.total(player)} and wins.")
        player = table.after(player)


async def turn(table: Table, player: str) -> None:
    """Plays one turn until a 1 or a hold, and writes it on the sheet."""
    best = _best_play(table, player)
    thrown: list[int] = []
    while True:
        coach = Advice(no_odds, best.thrown(sum(thrown)))
        (die,) = await table.roll(player, 1, coach=coach)  # P-3
        thrown.append(die)
        total = turn_total(thrown)
        if not total:
            table.rule(_lost(player, sum(thrown[:-1])))
            table.sheet.score(player, 0, f"{words.listed(thrown)}: the 1 takes the turn")  # P-5
            break
        each = f": {words.listed(thrown)}" if len(thrown) > 1 else ""
        table.so_far = f"{total} this turn{each}"
        hold = Option("hold", f"Hold {total}")
        roll = Option("roll", "Throw again", throws=1)
        coach = Advice(partial(odds.of_another_throw, total), best.chosen(total))
        if await table.choose(player, hold, roll, coach=coach) == "hold":
            table.sheet.score(player, total, f"held {words.listed(thrown)}")  # P-1
            break
    table.so_far = ""


def _best_play(table: Table, player: str) -> odds.Turn:
    """Best play in this turn: for the win if two play, otherwise for the points of the turn."""
    own = table.sheet.total(player)
    if len(table.players) > 2:
        return odds.Turn(own, GOAL)
    opponent = table.after(player)
    return odds.Turn(own, GOAL, table.sheet.total(opponent), opponent, first=not table.sheet.lines)


def turn_total(thrown: list[int]) -> int:
    """The points of a turn if it is held now: the sum of its throws, or 0 if one of them is a 1."""
    return 0 if 1 in thrown else sum(thrown)


def _lost(player: str, before: int) -> str:
    return f"{player} threw a 1: {words.points(before) if before else 'nothing'} lost, and the turn is over."


PIG = Game(
    name="pig",
    doc=__doc__,
    players=range(2, 11),
    minutes=(15, 25),
    play=play,
    prompt_types=(Roll, Choose),
    best_play="""
With two players, best play has the best chance to win against best play. It is solved exactly for all scores.
With more players it has the most points of a turn on average, up to those that still miss for the win,
whatever the others have.
""",
)
