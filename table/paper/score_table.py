"""The table of a score sheet: a column for each player, and a row for each turn.

A played match fills it. A blank sheet has the same table with empty cells that are large enough to write in.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from reportlab.lib import colors
from reportlab.lib.units import mm
from reportlab.pdfbase.pdfmetrics import stringWidth
from reportlab.platypus import LongTable

from table.paper.text import fonts, paragraph, printable

WIDE_FROM = 5
"""Number of players from which the paper is turned on its side."""

MANY = WIDE_FROM + 1
"""Number of players from which the letters are small."""

ROW_MM = 8.0
"""Height of a row to write in."""

NUMBER_MM = 16.0
"""Width of the column with the numbers of the turns."""

SMALLEST = 4.0
"""Size of the letters of names with very long words, points: the least that can be read on paper."""

CELL_PADDING = 12.5
"""Space left and right of a text in a cell with its line, points."""


class Entry(NamedTuple):
    """A line in a cell. points: words before its text, in bold. total: what they make together."""

    text: str
    points: str = ""
    total: str = ""


def score_table(
    players: Sequence[str],
    body: Sequence[Sequence[Sequence[Entry]]],
    width: float,
    totals: Sequence[str] = (),
    blank: bool = False,
    notes: Mapping[int, str] | None = None,
) -> LongTable:
    """A table of this width, points; it breaks into pages and repeats the names.

    body: the cells of each row, its name first. totals: the cells of a last
    row, or nothing. blank: whether people write into it. notes: what stands below a row of the body, across
    all columns, by its place.
    """
    size = 7.0 if len(players) >= MANY else 9.0
    noted, spans = _with_notes(body, notes or {}, len(players))
    rows = [plain_row("", *players), *noted, *([plain_row("Total", *totals)] if totals else [])]
    bold = {0, *([len(rows) - 1] if totals else [])}
    column = (width - NUMBER_MM * mm) / len(players)
    heads = [size, *(_name_size(name, size, column) for name in players)]
    return LongTable(
        [
            [
                [
                    paragraph(f"{total} {text}".strip(), size if i else heads[n], i in bold, lead=points)
                    for text, points, total in cell
                ]
                for n, cell in enumerate(row)
            ]
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
            *(("NOSPLIT", (0, -2), (-1, -1)) for _ in range(bool(totals and noted))),
            *(("SPAN", (1, row), (-1, row)) for row in spans),
            *(("NOSPLIT", (0, row - 1), (-1, row)) for row in spans),
        ],
    )


def _with_notes(
    body: Sequence[Sequence[Sequence[Entry]]], notes: Mapping[int, str], players: int
) -> tuple[list[Sequence[Sequence[Entry]]], list[int]]:
    """The rows of the body, each with its note below it, and the places of the notes below the head."""
    rows: list[Sequence[Sequence[Entry]]] = []
    spans = []
    for i, row in enumerate(body):
        rows.append(row)
        if i in notes:
            rows.append(plain_row("", notes[i], *[""] * (players - 1)))
            spans.append(len(rows))
    return rows, spans


def plain_row(*cells: str) -> list[tuple[Entry]]:
    """A row of cells with one text each."""
    return [(Entry(cell),) for cell in cells]


def _name_size(name: str, size: float, column: float) -> float:
    """The size of a name, points: at most `size`, so that no word is split if SMALLEST is small enough."""
    bold = fonts()[1]
    words = (printable(word, bold) for word in name.split())
    widest: float = max((stringWidth(word, bold, size) for word in words), default=0)
    return max(SMALLEST, min(size, size * (column - CELL_PADDING) / max(1.0, widest)))
