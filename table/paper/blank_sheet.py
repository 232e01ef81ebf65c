"""A blank score sheet to fill by hand, as a PDF: the cards of the game, or a table with a row for each match
or for each turn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from reportlab.lib.units import mm
from reportlab.platypus import Spacer

from table.paper.booklet import Booklet
from table.paper.card import Card
from table.paper.score_table import ROW_MM, WIDE_FROM, plain_row, score_table
from table.paper.tally_sheet import TallySheet, lies_on_its_side
from table.paper.text import paragraph
from table.rules.game import Game
from table.rules.sheet import Tally

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
        return
    columns = min(COLUMNS, game.players[-1]) if players is None else players
    if game.tally:
        wide = lies_on_its_side(game.tally, columns)
        booklet.write(list(_matches(game, game.tally, columns, *booklet.frame_size(wide))), wide)
    else:
        wide = columns >= WIDE_FROM
        booklet.write(list(_turns(game, columns, *booklet.frame_size(wide))), wide)


def _matches(game: Game, tally: Tally, columns: int, width: float, height: float) -> Iterator[Any]:
    """The head and a table of as many matches as fit into this size, points."""
    head = [*_head(game, f"Date {'_' * 20}"), paragraph(tally.how, 9), Spacer(1, 2 * mm)]
    yield from head
    yield TallySheet(tally, columns, width, _left(head, width, height))


def _turns(game: Game, columns: int, width: float, height: float) -> Iterator[Any]:
    """The head and an empty table of as many turns as fit into this size, points."""
    head = _head(game, f"Date {'_' * 20}   Winner {'_' * 30}")
    turns = int(_left(head, width, height) / (ROW_MM * mm)) - HEAD_ROWS
    empty = [""] * columns
    yield from head
    yield score_table(
        empty, [plain_row(str(n), *empty) for n in range(1, turns + 1)], width, empty, blank=True
    )


def _head(game: Game, blanks: str) -> list[Any]:
    """The name and the aim of the game, and what is written once on the sheet."""
    return [
        paragraph(game.title, 18, bold=True),
        paragraph(game.aim, 8, after=3 * mm),
        paragraph(blanks, 9),
        Spacer(1, 3 * mm),
    ]


def _left(head: Sequence[Any], width: float, height: float) -> float:
    """The height that the head leaves free, points."""
    used: float = sum(part.wrap(width, height)[1] for part in head) + 3 * mm
    return height - used
