"""`brehon sticks`: a PDF with faces to glue on throwing sticks, for Sigily and Down the Danube."""

from __future__ import annotations

import argparse
from functools import partial
from pathlib import Path

from table.commands.mat import PAPERS
from table.commands.new_file import write_print
from table.common.errors import Misused

LENGTHS_MM, WIDTHS_MM = (76.0, 127.0), (10.0, 15.0)
"""Sticks that the rules ask for, 3 to 5 inches long, and moulding and craft sticks that are sold."""


class StickSizeUnusable(Misused, ValueError):
    """A length or a width that no stick of these games has."""


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser(
        "sticks",
        help="make faces to print, for throwing sticks",
        description="Writes a PDF of faces to cut out and glue on four sticks of each game:"
        " dog, deer, cow and horse in Ogham letters with a figure, dark backs, and white and black faces.",
    )
    parser.add_argument("--paper", choices=PAPERS, default="a4", help="the paper size (default: %(default)s)")
    parser.add_argument(
        "--length",
        type=float,
        default=100.0,
        metavar="MM",
        help="length of your sticks, 76 to 127 mm (default: 100)",
    )
    parser.add_argument(
        "--width", type=float, default=12.0, metavar="MM", help="their width, 10 to 15 mm (default: 12)"
    )
    parser.add_argument(
        "--out",
        type=Path,
        metavar="FILE.pdf",
        help="the file to write (default: brehon-sticks-a4.pdf, in this folder)",
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    from table.paper.booklet import Booklet
    from table.paper.sticks import draw_stick_faces

    _check("length", args.length, LENGTHS_MM)
    _check("width", args.width, WIDTHS_MM)
    booklet = Booklet(f"Brehon: faces for sticks, {args.paper.upper()}", args.paper)
    booklet.draw(partial(draw_stick_faces, length_mm=args.length, width_mm=args.width), wide=True)
    write_print(args.out or Path(f"brehon-sticks-{args.paper}.pdf"), booklet.pdf())
    print(
        "Half-round sticks need a face on their flat side alone."
        " Flat ones need a back too: a black one, so that it differs from every front."
    )
    return 0


def _check(name: str, value_mm: float, range_mm: tuple[float, float]) -> None:
    least, most = range_mm
    if not least <= value_mm <= most:
        raise StickSizeUnusable(f"--{name} must be from {least:g} to {most:g} mm; got {value_mm:g}")
