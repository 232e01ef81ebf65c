"""`brehon mat`: a PDF with a mat, or with cards for a tray, so that the table finds the tray by itself."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from table.common.errors import BrehonError

if TYPE_CHECKING:
    from table.paper.page import Page

PAPERS = ("a4", "letter")


class PrintUnwritable(BrehonError, OSError):
    """The PDF cannot be written to this file."""


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
    from table.paper.mat import draw_cards, draw_mat
    from table.paper.page import Page
    from vision.tray.mat import SHEETS

    kind = "corners" if args.corners else "mat"
    sheet = SHEETS[args.paper]
    page = Page(
        sheet.paper_mm, f"Brehon: {'corner cards' if args.corners else 'dice mat'}, {args.paper.upper()}"
    )
    if args.corners:
        draw_cards(page)
    else:
        draw_mat(page, sheet, coloured=not args.plain)
    write_print(args.out or Path(f"brehon-{kind}-{args.paper}.pdf"), page)
    print(CARDS_NEXT if args.corners else MAT_NEXT)
    return 0


def write_print(out: Path, page: Page) -> None:
    """Writes the page to a new file and says how to print it; raises PrintUnwritable."""
    if out.exists():
        raise PrintUnwritable(f"{out} exists already; move it, or give another name with --out")
    try:
        out.write_bytes(page.pdf())
    except OSError as error:
        raise PrintUnwritable(
            f"{out} cannot be written ({error.strerror or error}); give another name with --out"
        ) from error
    print(
        f"{out} is written. Print it at full size (100 %, not “fit to page”)."
        " The line on it must be 100 mm long."
    )


MAT_NEXT = (
    "Lay it flat under the camera with all five squares in view."
    " Then start the table: it finds the mat by itself."
)
CARDS_NEXT = (
    "Cut out the four cards and glue each one on the rim, with its arrow in the tray's corner:"
    " A and B at the top of the picture, C and D at the bottom."
)
