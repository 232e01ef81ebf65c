"""`brehon print`: a PDF with everything that a game needs on paper."""

from __future__ import annotations

import argparse
from pathlib import Path

from table.commands.mat import PAPERS
from table.commands.new_file import write_print
from table.games import GAMES, game

CHECK = "Each line that says its length must be that long."


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser(
        "print",
        help="make the print-and-play kit of a game",
        description="Writes a PDF with all that a game needs on paper: its rules, its board if it has one,"
        " a mat for the tray, a blank score sheet, and faces for throwing sticks. Boards, mat and sticks are"
        " true to scale.",
    )
    parser.add_argument("game", metavar="GAME", help=f"one of: {', '.join(GAMES)}")
    parser.add_argument("--paper", choices=PAPERS, default="a4", help="the paper size (default: %(default)s)")
    parser.add_argument(
        "--out",
        type=Path,
        metavar="FILE.pdf",
        help="the file to write (default: brehon-GAME-a4.pdf, in this folder)",
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    from table.paper.kit import kit_pdf

    played = game(args.game)
    out = args.out or Path(f"brehon-{played.name}-{args.paper}.pdf")
    write_print(out, kit_pdf(played, args.paper), CHECK)
    return 0
