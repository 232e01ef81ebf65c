"""Options that several commands have."""

from __future__ import annotations

import argparse

from table.games import GAMES


def add_match_options(parser: argparse.ArgumentParser, game_help: str) -> None:
    """Adds --game, --players and --set. The help of --game is this text and the names of the games."""
    parser.add_argument("--game", metavar="GAME", help=f"{game_help}: {', '.join(GAMES)}")
    players_help = "who plays (default: Ann,Ben); Ann:green gives a colour"
    parser.add_argument("--players", metavar="Ann,Ben", help=players_help)
    add_settings(parser)


def add_settings(parser: argparse.ArgumentParser) -> None:
    """Adds --set, which may be given several times."""
    set_help = "a setting; repeat it for more settings"
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help=set_help)
