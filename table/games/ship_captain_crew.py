"""Ship, Captain, Crew: Five dice, three throws: a 6, then a 5, then a 4. The last two dice are your cargo.

You have up to three throws. You need a 6, the ship, then a 5, the captain, then a 4, the crew, in this order;
several may come in one throw. Set them aside, and throw all the other dice again.
When you have all three, the other two dice are your cargo. Keep it, or throw both dice again while you have
throws left. The last throw counts, even if it is lower.
Without a full crew you score 0. The highest cargo wins. Leaders who tie take one more turn each, in the order
of the turns.
Start: each player throws a die. The highest begins; players who tie throw again.
The next game begins to the right of this game's first player.

On the tray: leave the dice set aside where they lie, or take them out. Throw the others. To throw the cargo
again, throw both its dice. To keep it, tap that or press the hold button.
Fouls, all void: keeping a 5 or a 4 too early, throwing one cargo die alone, throwing a die that is set aside,
throwing a fourth time.

Source: Dice Games of Stonewood (S4).
Rulings: V-1 setting aside is automatic;
V-2 without a full crew, all other dice are thrown again;
V-3 the last throw of the cargo counts, even if it is lower;
V-4 if nobody has a full crew, all players tie;
V-5 further 6s, 5s and 4s count as cargo;
V-6 nobody can stop without a full crew;
V-7 the highest die begins;
V-8 play goes clockwise, but the next game begins to the right of this game's first player.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from table.games.start import first_player
from table.odds import ship_captain_crew as odds
from table.rules import words
from table.rules.best_play import Advice, BestPlay
from table.rules.game import Game, Outcome, Table
from table.rules.prompts import Choose, Option, Roll

CREW = (6, 5, 4)
NAMES = {6: "ship", 5: "captain", 4: "crew"}
DICE = 5
THROWS = 3


async def play(table: Table) -> Outcome:
    first = await first_player(table)  # V-7
    sailing = list(table.round_from(first))
    play_off = False
    duel = False
    while True:
        cargo: dict[str, int] = {}
        for player in sailing:
            best_play = _best_play(sailing, cargo, opens=not duel)
            duel = len(sailing) == 2
            cargo[player] = await turn(table, player, play_off, best_play, max(cargo.values(), default=0))
        best = max(cargo.values())
        sailing = [p for p in sailing if cargo[p] == best]
        if len(sailing) == 1:
            break
        table.rule(f"{words.listed(sailing)} tie with {best}: one more turn each.")  # V-4
        play_off = True
    winner = sailing[0]
    won = f"{winner} wins the play-off with {best}." if play_off else f"{winner} brings home {best} and wins."
    right = "the start goes one seat to the right"  # V-8
    return Outcome((winner,), won, next_first=table.before(first), why_first=right)


def _best_play(sailing: Sequence[str], cargo: Mapping[str, int], opens: bool) -> odds.Turn:
    """Best play in the next turn. cargo: what others brought home. opens: whether no duel is on yet."""
    best = max(cargo.values(), default=0)
    if len(sailing) == 2:
        first, second = sailing
        return odds.second_of_two(best, first, board) if cargo else odds.first_of_two(second, opens, board)
    if len(cargo) == len(sailing) - 1:
        return odds.last_of_several(best, list(cargo.values()).count(best), board)
    return odds.for_cargo(board)


async def turn(table: Table, player: str, play_off: bool, best_play: odds.Turn, best: int) -> int:
    """The cargo of one turn of up to three throws, or 0 without a full crew; the sheet is written.

    best: the highest cargo of the others so far, or 0.
    """
    aside: tuple[int, ...] = ()
    cargo: tuple[int, ...] = ()
    to_beat = f"{best} to beat" if best else ""
    table.so_far = to_beat
    for throw in range(1, THROWS + 1):
        left = THROWS - throw + 1
        coach = Advice(partial(odds.of_the_crew, left, aside, board), best_play.thrown(left, aside))
        purpose = "play-off" if play_off else ""
        again = throw > 1 and not aside
        dice = await table.roll(
            player, DICE - len(aside), aside, _throw_words(throw), purpose, coach, again=again
        )  # V-2
        aside, cargo = board(aside, dice)  # V-1
        table.so_far = "; ".join(filter(None, [_so_far(aside, cargo), to_beat]))
        if (
            len(aside) == len(CREW)
            and throw < THROWS
            and not await _throws_cargo_again(
                table, player, cargo, THROWS - throw, best_play.chosen(THROWS - throw, aside, cargo)
            )
        ):
            break  # V-6: only with a full crew
    table.so_far = ""
    return _write(table, player, aside, cargo, play_off)


async def _throws_cargo_again(
    table: Table, player: str, cargo: tuple[int, ...], left: int, best_play: BestPlay
) -> bool:
    stay, throw = Option("stay", f"Keep the cargo of {sum(cargo)}"), THROWS - left + 1
    again = Option("again", f"Throw both again{_throw_words(throw)}", throws=len(cargo), beside=CREW)
    coach = Advice(partial(odds.of_the_cargo, sum(cargo), left), best_play)
    return await table.choose(player, stay, again, coach=coach) == "again"


def board(aside: Sequence[int], dice: Sequence[int]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """(the crew set aside, the other dice) after a throw.

    The 6 comes first, then the 5, then the 4. Several can come in one throw, in that order.
    """
    crew, rest = list(aside), list(dice)
    while len(crew) < len(CREW) and CREW[len(crew)] in rest:
        rest.remove(CREW[len(crew)])
        crew.append(CREW[len(crew)])
    return tuple(crew), tuple(rest)


def _write(table: Table, player: str, aside: tuple[int, ...], cargo: tuple[int, ...], play_off: bool) -> int:
    """The cargo, written on the sheet. A play-off decides between leaders but adds nothing to scores."""
    crew = len(aside) == len(CREW)
    value = sum(cargo) if crew else 0  # V-3, V-5
    missing = "" if crew else NAMES[CREW[len(aside)]]
    if missing:
        table.rule(f"{player} has no {missing} after three throws: 0.")
    reason = f"no {missing}" if missing else f"cargo {words.listed(cargo)}"
    table.sheet.score(
        player, 0 if play_off else value, f"play-off: {reason}, {value}" if play_off else reason
    )
    return value


def _throw_words(throw: int) -> str:
    return f" (throw {throw} of {THROWS})" if throw > 1 else ""


def _so_far(aside: tuple[int, ...], cargo: tuple[int, ...]) -> str:
    if not aside:
        return f"no ship yet; a {CREW[0]} is needed first"
    have = words.listed(f"{NAMES[face]} {face}" for face in aside)
    if len(aside) == len(CREW):
        return f"{have}; cargo {words.listed(cargo)}: {sum(cargo)}"
    needed = CREW[len(aside)]
    return f"{have}; a {needed} for the {NAMES[needed]} is needed next"


SHIP_CAPTAIN_CREW = Game(
    name="ship_captain_crew",
    doc=__doc__,
    players=range(2, 11),
    minutes=(1, 3),
    play=play,
    prompt_types=(Roll, Choose),
    best_play="""
With two players, best play has the best chance to win against best play, also in a play-off. With more
players the last one of a round plays for the win, where a tie counts as an equal share. The others play for
the most cargo on average, whatever comes after them.
""",
)
