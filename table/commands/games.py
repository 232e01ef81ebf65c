"""`brehon games`: the list of games."""

from __future__ import annotations

import argparse
import json
from typing import Any

from table.games import GAMES
from table.rules.game import Game


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser(
        "games",
        help="list the games",
        description="Lists the games: the name for commands, the title, and the aim.",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object a line, with the settings")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    for game in GAMES.values():
        print(json.dumps(game_to_json(game)) if args.json else f"{game.name:20} {game.title}: {game.aim}")
    return 0


def game_to_json(game: Game) -> dict[str, Any]:
    """The game as JSON for scripts: name, title, aim, players and settings."""
    settings = [
        {"name": s.name, "allowed": s.allowed, "default": s.default, "help": s.full_help}
        for s in game.settings_for(())
    ]
    return {
        "game": game.name,
        "title": game.title,
        "aim": game.aim,
        "players": [game.players[0], game.players[-1]],
        "settings": settings,
    }
