"""Midnight: Throw six dice and keep at least one each time. With a 1 and a 4, the other four score; 24 is
best.

Throw six dice and keep at least one. Throw the others and keep at least one of them, until all six are
kept. Kept dice are final.
If you kept a 1 and a 4, your score is the sum of the other four dice (4 to 24). Otherwise it is 0. Further 1s
and 4s count.
Each player has one turn, and the highest score wins. After a tie with stakes, nobody wins and the stakes go
over to the next game. Without stakes, the leaders win jointly.
Start: each player throws a die. The highest begins; players who tie throw again.
The winner begins the next game. After a tie, the same player begins again.

On the tray: leave the dice you keep where they lie, pick up the rest and throw them. You need not tap. To
keep all that are left, tap that.
Fouls, all void: keeping none, throwing a kept die again, leaving a die unthrown.

Source: Dice Games of Stonewood (S4).
Rulings: N-1 only one 1 and one 4 are left out of the sum;
N-2 if nobody has both a 1 and a 4, all players tie;
N-3 a tie is not played off: with stakes nobody wins and they go over to the next game, without stakes the
leaders win jointly;
N-4 a turn has at most six throws;
N-5 the highest die begins; the next game is begun by the winner, or after a tie by the same player;
N-6 a turn that does not score is a 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from table.games.start import first_player
from table.odds import midnight as odds
from table.rules import words
from table.rules.best_play import Advice
from table.rules.game import Game, Outcome, Setting, Table
from table.rules.prompts import Keep, Roll

DICE = 6
QUALIFIERS = (1, 4)

SAME_AGAIN = "after a tie, the same player begins again"

MAX_CARRIED = 1_000_000_000
"""The most that one game carries to the next, so that the next game can always take it.

The highest stakes reach it after 100,000 ties of ten players.
"""


async def play(table: Table) -> Outcome:
    first = await first_player(table)  # N-5
    for place, player in enumerate(table.round_from(first)):
        await turn(table, player, _best_play(table, player, place))
    return _outcome(table, first)


def _best_play(table: Table, player: str, place: int) -> odds.Turn:
    """Best play in the turn of this player, who comes after `place` others."""
    others = [table.sheet.total(p) for p in table.players if p != player]
    if place == len(others):
        best = max(others)
        return odds.last_player(best, others.count(best), table.after(player) if place == 1 else "")
    return odds.first_of_two(table.after(player)) if len(others) == 1 else odds.for_score()


async def turn(table: Table, player: str, best_play: odds.Turn) -> None:
    """Plays one turn until all six dice are kept, and writes it on the sheet."""
    kept: tuple[int, ...] = ()
    table.so_far = f"a {words.listed(QUALIFIERS, 'and a')} are needed"
    while len(kept) < DICE:  # N-4
        coach = Advice(partial(odds.of_a_throw, kept), best_play.thrown(kept))
        dice = await table.roll(player, DICE - len(kept), beside=kept, coach=coach)
        coach = Advice(partial(odds.of_the_keeps, kept, dice), best_play.chosen(kept))
        text = f"{player}: keep the {dice[0]}, your last die." if len(dice) == 1 else ""
        kept = kept + await table.keep(player, dice, text=text, coach=coach)
        table.so_far = _so_far(kept)
    table.so_far = ""
    table.sheet.score(player, midnight_score(kept), _reason(kept))


def midnight_score(kept: Sequence[int]) -> int:
    """The sum of the other four dice if a 1 and a 4 are among the six kept dice, otherwise 0."""
    return sum(kept) - sum(QUALIFIERS) if all(q in kept for q in QUALIFIERS) else 0  # N-1, N-6


def _outcome(table: Table, first: str) -> Outcome:
    """The outcome. The winner begins the next game; after a tie, the player who began this one does."""
    stake, carried = table.number("stake"), table.number("carried")
    pot = stake * len(table.players) + carried
    leaders = table.sheet.leaders
    best = table.sheet.total(leaders[0])
    if len(leaders) == 1:
        won = f" and takes the pot of {pot:,}" if pot else ""
        won = f"{leaders[0]} wins with {best}{won}."
        return Outcome(leaders, won, next_first=leaders[0], why_first="the winner begins the next game")
    tie = (
        f"{words.listed(leaders)} tie with {best}"
        if best
        else "Nobody has both a 1 and a 4, so all tie with 0"
    )  # N-2
    if pot:  # N-3
        carried = min(pot, MAX_CARRIED)
        nobody = f"{tie}: no winner, {carried:,} carried to the next game."
        return Outcome((), nobody, carried, next_first=first, why_first=SAME_AGAIN)
    return Outcome(leaders, f"{tie}: joint winners.", next_first=first, why_first=SAME_AGAIN)


def _reason(kept: Sequence[int]) -> str:
    missing = [q for q in QUALIFIERS if q not in kept]
    if missing:
        return f"no {words.listed(missing, 'and no')} in {words.listed(kept)}"
    return f"{words.listed(_scoring(kept))}, with the 1 and the 4"


def _scoring(kept: Sequence[int]) -> list[int]:
    rest = list(kept)
    for q in QUALIFIERS:
        rest.remove(q)
    return rest


def _so_far(kept: Sequence[int]) -> str:
    missing = [q for q in QUALIFIERS if q not in kept]
    return f"kept {words.listed(kept)}" + (
        f"; still needs a {words.listed(missing, 'and a')}" if missing else ""
    )


MIDNIGHT = Game(
    name="midnight",
    doc=__doc__,
    players=range(2, 11),
    minutes=(2, 5),
    settings=(
        Setting("stake", range(1001), "units that each player puts into the pot", "Stake"),
        Setting("carried", range(MAX_CARRIED + 1), "units in the pot from the games before", "Carried over"),
    ),
    play=play,
    prompt_types=(Roll, Keep),
    best_play="""
With two players, best play has the best chance to win against best play. With more players the last one plays
for the win, and the others for the highest score on average, whatever comes after them. A tie counts as an
equal share, with stakes too.
""",
)
