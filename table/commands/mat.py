"""`brehon mat`: a PDF with a mat, or with cards for a tray, so that the table finds the tray by itself."""

from __future__ import annotations

import argparse
from functools import partial
from pathlib import Path

from table.commands.new_file import write_print

PAPERS = ("a4", "letter")


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser(
        "mat",
        help="make a mat to print, so that the table finds the tray",
        description="Writes a PDF of a mat to print:"
        " a zone for throws, a strip for dice that are set aside, and five square markers."
        " The markers show the camera where the zone and the strip lie, and how large a millimetre is."
        " With --corners it writes four cards for your own tray instead.",
    )
    parser.add_argument("--paper", choices=PAPERS, default="a4", help="the paper size (default: %(default)s)")
    parser.add_argument(
        "--corners", action="store_true", help="four cards for the corners of your own tray, instead of a mat"
    )
    parser.add_argument("--plain", action="store_true", help="no coloured areas, to save ink")
    parser.add_argument(
        "--out",
        type=Path,
        metavar="FILE.pdf",
        help="the file to write (default: brehon-mat-a4.pdf, in this folder)",
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    from table.paper.booklet import Booklet
    from table.paper.mat import draw_cards, draw_mat
    from vision.tray.mat import SHEETS

    kind, title = ("corners", "corner cards") if args.corners else ("mat", "dice mat")
    booklet = Booklet(f"Brehon: {title}, {args.paper.upper()}", args.paper)
    mat = partial(draw_mat, sheet=SHEETS[args.paper], coloured=not args.plain)
    booklet.draw(draw_cards if args.corners else mat, wide=True)
    write_print(args.out or Path(f"brehon-{kind}-{args.paper}.pdf"), booklet.pdf())
    print(CARDS_NEXT if args.corners else MAT_NEXT)
    return 0


MAT_NEXT = (
    "Lay it flat under the camera with all five squares in view."
    " Then start the table: it finds the mat by itself."
)
CARDS_NEXT = (
    "Cut out the four cards and glue each one on the rim, with its arrow in the tray's corner:"
    " A and B at the top of the picture, C and D at the bottom."
)
