"""What people are told about a move: one line, with the throw, where it ends and what it takes."""

from __future__ import annotations

from table.games.sigily.drawn import coins_text
from table.games.sigily.moves import Course, Move, arriving
from table.games.sigily.race import Chariot, Race, Unit, names_of
from table.games.sigily.sticks import Toss
from table.games.sigily.topology import CENTRE, name
from table.rules import words


def move_text(race: Race, player: str, thrown: Toss, move: Move, end: Course, only: bool) -> str:
    """The move as a sentence, such as “Ann, dha: chariot 1 goes on to sigil 5.” Ask before it is made.

    only: whether there was no choice.
    """
    what = move.what
    chariot = f"new chariot {what.number}" if isinstance(what, Chariot) else f"chariot {what.id}"
    why = " (the only move)" if only else ""
    return f"{player}, {thrown}: {chariot} {_deed(race, player, move, end)}{riders_home(move, end)}{why}."


def riders_home(move: Move, end: Course) -> str:
    """What a text adds if riders leave the stack on the way, such as ", Cal's chariot 1 home" (S-38)."""
    riders = arriving(move, end)
    return "" if end.home or not riders else f", {names_of(riders)} home"


def _deed(race: Race, player: str, move: Move, end: Course) -> str:
    """What the chariot does at the end of its move. The coins have the words of the sheet."""
    if end.home:
        return "goes home"
    enemies = [u for u in race.at(end.place) if not race.friends(player, u.owner)]
    coins = race.treasure.loose[end.place]
    if enemies and end.place not in race.curses:
        return f"attacks {words.listed(map(str, enemies))} on {name(end.place)}"
    if not coins or end.place in race.curses:
        return f"{_goes(move)} {name(end.place)}"
    if end.place == CENTRE:
        return f"takes the fairies' jackpot, {coins_text(coins)}"
    return f"lands on {name(end.place)} and takes {coins_text(coins)}"


def _goes(move: Move) -> str:
    if move.entering:
        return "goes in to"
    if move.backwards:
        return "goes back to"
    return "goes on to" if isinstance(move.what, Unit) else "comes in on"
