"""A blank score sheet to fill by hand, as a PDF: the cards or the table of the game, with room to write."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from reportlab.lib.units import mm
from reportlab.platypus import Spacer

from table.paper.booklet import Booklet
from table.paper.card import Card
from table.paper.score_table import ROW_MM, WIDE_FROM, plain_row, score_table
from table.paper.text import paragraph
from table.rules.game import Game

COLUMNS = 6
"""Players of a table where no number is given, if the game is for so many."""

CARDS_A_PAGE = 2

HEAD_ROWS = 2
"""Rows of a table with the names and the totals."""


def blank_sheet_pdf(game: Game, paper: str, players: int | None = None) -> bytes:
    """A blank sheet of this game. paper: as in Booklet. players: None for as many as fit on a page."""
    booklet = Booklet(f"Brehon: {game.title}, score sheet", paper)
    add_blank_sheet(booklet, game, players)
    return booklet.pdf()


def add_blank_sheet(booklet: Booklet, game: Game, players: int | None = None) -> None:
    """Adds the pages of a blank sheet to a booklet. players: as in blank_sheet_pdf."""
    if game.card:
        width, height = booklet.frame_size()
        cards = CARDS_A_PAGE if players is None else players
        booklet.write([Card(game, width, height / CARDS_A_PAGE) for _ in range(cards)])
    else:
        columns = min(COLUMNS, game.players[-1]) if players is None else players
        wide = columns >= WIDE_FROM
        booklet.write(list(_table(game, columns, *booklet.frame_size(wide))), wide)


def _table(game: Game, columns: int, width: float, height: float) -> Iterator[Any]:
    """The head and an empty table of as many turns as fit into this size, points."""
    head = [
        paragraph(game.title, 18, bold=True),
        paragraph(game.aim, 8, after=3 * mm),
        paragraph(f"Date {'_' * 20}   Winner {'_' * 30}", 9),
        Spacer(1, 3 * mm),
    ]
    left = height - sum(part.wrap(width, height)[1] for part in head) - 3 * mm
    turns = int(left / (ROW_MM * mm)) - HEAD_ROWS
    empty = [""] * columns
    yield from head
    yield score_table(
        empty, [plain_row(str(n), *empty) for n in range(1, turns + 1)], width, empty, blank=True
    )
