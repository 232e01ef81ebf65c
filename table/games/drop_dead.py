"""Drop Dead: Five dice: a throw without a 2 or a 5 scores its sum; every 2 and 5 is out. Highest total wins.

Throw five dice. If no die shows a 2 or a 5, the throw scores its sum; throw the same dice again.
If any die shows a 2 or a 5, the throw scores nothing. Every 2 and 5 is out for the rest of your turn; throw
the others.
You cannot stop. Your turn ends when the last die is out: you drop dead. The points you scored before count.
Each player has one turn. The highest total wins; players who tie for it win jointly.
You can also play alone, for a high score.
Start: each player throws a die. The highest begins; players who tie throw again.

On the tray: leave the dice that are out where they lie, or take them away. Throw all the others. You tap
nothing.
Fouls, all void: throwing a die that is out, leaving a 2 or a 5 among the dice thrown, throwing fewer dice
than are left.
A throw with a 2 or a 5 scores for nobody, and nobody can stop early.

Source: Dice Games of Stonewood (S4).
Rulings: X-1 nobody stops before dropping dead;
X-2 a throw with a 2 or a 5 scores nothing, whatever its other dice show;
X-3 the last die goes out like the others, and that throw scores nothing;
X-4 players who tie for the highest total win jointly;
X-5 the highest die begins;
X-6 a game is one turn for each player.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from table.games.start import first_player
from table.odds import drop_dead as odds
from table.rules import words
from table.rules.game import Game, Outcome, Table
from table.rules.prompts import Roll

DICE = 5
DEADLY = (2, 5)


async def play(table: Table) -> Outcome:
    for player in table.round_from(await first_player(table)):
        await turn(table, player)
    return _outcome(table)


async def turn(table: Table, player: str) -> None:
    """Plays one turn until the last die is out, and writes it on the sheet."""
    dead: tuple[int, ...] = ()
    scored: list[int] = []
    while len(dead) < DICE:
        alive = DICE - len(dead)
        dice = await table.roll(player, alive, beside=dead, coach=partial(odds.of_a_throw, alive))
        points, out = drop_dead_score(dice)
        if out:
            dead += out
            table.rule(_taken_out(player, dice, out))
        else:
            scored.append(points)
        table.so_far = _so_far(scored, DICE - len(dead))
    table.so_far = ""
    table.sheet.score(player, sum(scored), _reason(scored))


def drop_dead_score(dice: Sequence[int]) -> tuple[int, tuple[int, ...]]:
    """(the score of a throw, the dice that it takes out); a throw never has both."""
    out = tuple(face for face in dice if face in DEADLY)
    return (0 if out else sum(dice)), out


def _outcome(table: Table) -> Outcome:
    winners = table.sheet.leaders
    best = table.sheet.total(winners[0])
    if len(winners) > 1:
        return Outcome(winners, f"{words.listed(winners)} tie with {best}: joint winners.")
    return Outcome(
        winners,
        f"{winners[0]} wins with {best}." if len(table.players) > 1 else f"{winners[0]} scores {best}.",
    )


def _taken_out(player: str, dice: Sequence[int], out: Sequence[int]) -> str:
    left = len(dice) - len(out)
    named = f"{words.listed(out)} {'is' if len(out) == 1 else 'are'} out"
    return f"{named}: {words.dice(left)} left." if left else f"{named}: {player} drops dead."


def _so_far(scored: Sequence[int], left: int) -> str:
    return f"{sum(scored)} so far; {words.dice(left)} left"


def _reason(scored: Sequence[int]) -> str:
    if not scored:
        return "dropped dead, and no throw scored"
    return f"{' + '.join(map(str, scored))}, then dropped dead"


DROP_DEAD = Game(
    name="drop_dead",
    doc=__doc__,
    players=range(1, 11),
    minutes=(1, 5),
    play=play,
    prompt_types=(Roll,),
)
