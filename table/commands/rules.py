"""`brehon rules GAME`: how a game is played at this table, its settings, and what a script sends."""

from __future__ import annotations

import argparse

from table.games import GAMES, game
from table.rules.game import Game

ANSWERS = """\
Answers, one JSON object a line:
  to a roll    {"roll": [3, 1]} or {"roll": [{"face": 3, "colour": "green"}, ...]}
  to a choice  {"choose": "ID"}, with an id that the prompt lists
  to a keep    {"keep": [1, 5]}, faces out of the prompt's "from"
At any time:
  {"take_back": true}                         the last answer, if it was a choice or a keep
  {"correct": {"at": 5, "roll": [3, 1]}}      the throw that was answer 5 was read wrongly; answers count from 0"""


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser("rules", help="the rules of a game", description="Prints how a game is played at this table.")
    parser.add_argument("game", metavar="GAME", help=f"one of: {', '.join(GAMES)}")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    print(rules_text(game(args.game)))
    return 0


def rules_text(game: Game) -> str:
    """All that a player or a script needs to know of a game."""
    players = f"{game.players[0]} to {game.players[-1]} players"
    settings = "\n".join(f"  {s.name} = {s.allowed} ({s.help}; default {s.default})" for s in game.settings_for(()))
    settings = settings.replace("start = highest", "start = highest or a player's name")
    return f"{game.title} ({game.name}), {players}\n{game.rules}\nSettings:\n{settings}\n\n{ANSWERS}"
