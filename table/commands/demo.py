"""`brehon demo`: a table that plays by itself on the simulated tray, to see what Brehon does."""

from __future__ import annotations

import argparse
import logging
import tempfile
from pathlib import Path

from table.commands.run import add_serving, check_port, serve_page, start_match, stopped_by_signal
from table.games import GAMES
from table.simulated_players import SimulatedPlayers


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser(
        "demo",
        help="a simulated table that plays by itself",
        description="Plays a game by itself on the simulated tray: dice roll, are read from the pictures alone, and are refereed."
        " Nothing is kept. With --by-hand you play, and only the dice are simulated; with --clumsy the players now and then push a"
        " die, tidy up, or bump the camera.",
    )
    parser.add_argument("game", metavar="GAME", nargs="?", default="pig", help=f"one of: {', '.join(GAMES)} (default: %(default)s)")
    parser.add_argument("--players", metavar="Ann,Ben", default="Ann:green,Ben:red", help="who plays (default: %(default)s)")
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help="a setting, may be given again")
    parser.add_argument("--by-hand", action="store_true", help="you throw and choose, on the page")
    parser.add_argument("--clumsy", action="store_true", help="the simulated players push dice, tidy up, bump the camera and the like")
    add_serving(parser)
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
            serve_page(table, args, "The demo ends; nothing of it is kept.")
    return 0
