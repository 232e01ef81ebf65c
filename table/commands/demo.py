"""`brehon demo`: a simulated table that plays by itself, to show what Brehon does."""

from __future__ import annotations

import argparse
import logging
import tempfile
from pathlib import Path

from table.commands.options import add_settings
from table.commands.run import add_server_options, check_port, serve_page, start_match, stopped_by_signal
from table.games import GAMES
from table.simulated_players import SimulatedPlayers


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser(
        "demo",
        help="a simulated table that plays by itself",
        description="Plays a game on a simulated tray."
        " Brehon reads the rolling dice from the pictures alone and referees the game. Nothing is saved."
        " With --by-hand you play, and only the dice are simulated."
        " With --clumsy the players sometimes push a die, tidy up, or bump the camera.",
    )
    parser.add_argument(
        "game",
        metavar="GAME",
        nargs="?",
        default="pig",
        help=f"one of: {', '.join(GAMES)} (default: %(default)s)",
    )
    parser.add_argument(
        "--players", metavar="Ann,Ben", default="Ann:green,Ben:red", help="who plays (default: %(default)s)"
    )
    add_settings(parser)
    parser.add_argument("--by-hand", action="store_true", help="you throw and choose, on the page")
    parser.add_argument(
        "--clumsy", action="store_true", help="simulated players who push dice, tidy up or bump the camera"
    )
    add_server_options(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    from table.commands.wiring import running_table
    from vision.cameras.simulated import SimulatedCamera

    logging.basicConfig(level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s")
    check_port(args.host, args.port)
    with (
        tempfile.TemporaryDirectory(prefix="brehon-demo-") as folder,
        stopped_by_signal(),
        running_table(Path(folder), SimulatedCamera) as table,
    ):
        start_match(table, args.game, args.players, args.set)
        with SimulatedPlayers(table, enabled=not args.by_hand, clumsy=args.clumsy):
            serve_page(table, args, "The demo has ended. Nothing is saved.")
    return 0
