"""The table of a score sheet: a column for each player, and a row for each turn.

A played match fills it. A blank sheet has the same table with empty cells that are large enough to write in.
"""

from __future__ import annotations

from collections.abc import Sequence

from reportlab.lib import colors
from reportlab.lib.units import mm
from reportlab.platypus import LongTable

from table.paper.text import paragraph

WIDE_FROM = 5
"""Number of players from which the paper is turned on its side."""

MANY = WIDE_FROM + 1
"""Number of players from which the letters are small."""

ROW_MM = 8.0
"""Height of a row to write in."""

NUMBER_MM = 16.0
"""Width of the column with the numbers of the turns."""


def score_table(
    players: Sequence[str],
    body: Sequence[Sequence[str]],
    width: float,
    totals: Sequence[str] = (),
    blank: bool = False,
) -> LongTable:
    """A table of this width, points; it breaks into pages and repeats the names.

    body: the cells of each row, its name first; a cell has one or more lines. totals: the cells of a last
    row, or nothing. blank: whether people write into it.
    """
    size = 7 if len(players) >= MANY else 9
    rows = [["", *players], *body, *([["Total", *totals]] if totals else [])]
    bold = {0, *([len(rows) - 1] if totals else [])}
    column = (width - NUMBER_MM * mm) / len(players)
    return LongTable(
        [
            [[paragraph(entry, size, bold=i in bold) for entry in cell.split("\n")] for cell in row]
            for i, row in enumerate(rows)
        ],
        colWidths=[NUMBER_MM * mm, *[column] * len(players)],
        rowHeights=[ROW_MM * mm] * len(rows) if blank else None,
        repeatRows=1,
        style=[
            ("LINEBELOW", (0, 0), (-1, -1), 0.3, colors.grey),
            ("LINEBEFORE", (1, 0), (-1, -1), 0.3, colors.grey),
            ("LINEBELOW", (0, 0), (-1, 0), 1, colors.black),
            ("VALIGN", (0, 0), (-1, -1), "MIDDLE" if blank else "TOP"),
            ("TOPPADDING", (0, 0), (-1, -1), 1),
            ("BOTTOMPADDING", (0, 0), (-1, -1), 2),
            *(("LINEABOVE", (0, -1), (-1, -1), 1, colors.black) for _ in range(bool(totals))),
        ],
    )
