"""A score sheet as a PDF: the cards or the turns of the players, the totals, luck and choice, and the
rulings.

A blank one has the same cards or the same table, with room to write.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from reportlab.lib.units import mm
from reportlab.platypus import BalancedColumns, CondPageBreak, LongTable, Spacer

from table.exports.played import PlayedMatch
from table.paper.booklet import Booklet
from table.paper.card import TYPED, Card
from table.paper.luck_table import luck_table
from table.paper.score_table import WIDE_FROM, Entry, score_table
from table.paper.text import paragraph
from table.referee.snapshot import lines_with_typed_throws, throw_text
from table.rules import words
from table.rules.accounts import accounts_of
from table.rules.sheet import Line, running_totals

NOTE_ON_TYPED = f"{TYPED} A throw was typed, because the camera could not see it."

SMALL = 9
"""Size of the letters of what was ruled and of other notes, points: less is hard to read on A4."""

STORY_MM = 30.0
"""Least room for the throws and rulings: their heading does not stand alone at the foot of a page."""


def pdf_of(matches: Sequence[PlayedMatch], paper: str = "a4") -> bytes:
    """The sheets of these matches, each from a new page. paper: as in Booklet."""
    title = f"Brehon: {matches[0].view.title}" if len(matches) == 1 else "Brehon: score sheets"
    booklet = Booklet(title, paper)
    for match in matches:
        wide = len(match.view.seats) >= WIDE_FROM and not match.game.card
        sheet = _SheetOfMatch(match, booklet.frame_size(wide))
        booklet.write(sheet.flowables(), wide, sheet.foot)
    return booklet.pdf()


class _SheetOfMatch:
    """The parts of one match's sheet, for pages with a frame of this size, points."""

    def __init__(self, match: PlayedMatch, frame_size: tuple[float, float]) -> None:
        self._match, self._view, self._frame_size = match, match.view, frame_size
        self._players = match.view.seat_order
        self._typed = lines_with_typed_throws(match.view)
        self._sums = running_totals(match.view.sheet)

    def flowables(self) -> list[Any]:
        on_cards = {row.box for row in self._match.game.form} if self._match.game.card else set()
        others = [(i, line) for i, line in enumerate(self._view.sheet) if line.box not in on_cards]
        head = self._head()
        return [
            *head,
            *self._cards(head),
            *([self._turns(others), Spacer(1, 4 * mm)] if others or not on_cards else []),
            *([paragraph(NOTE_ON_TYPED, SMALL)] if self._any_typed else []),
            *luck_table(accounts_of(self._view), self._frame_size[0]),
            *self._story(),
        ]

    @property
    def foot(self) -> str:
        """What tells a further page, or a card on it, from those of other matches."""
        started = self._match.started
        return f"{self._view.title} · {started.day} {started:%B %Y} · match {self._match.number}"

    @property
    def _any_typed(self) -> bool:
        return any(throw.typed for throw in self._view.throws)

    def _head(self) -> list[Any]:
        view, started = self._view, self._match.started
        settings = "; ".join(view.unusual) or "the usual settings"
        ended = self._match.ended and f"Not played to the end: {self._match.ended}."
        outcome = view.outcome.reason if view.outcome else ended or "Not over yet."
        return [
            paragraph(view.title, 18, bold=True),
            paragraph(
                f"{started.day} {started:%B %Y, %H:%M} · match {self._match.number} · {settings}", SMALL
            ),
            paragraph(outcome, 11, bold=True),
            Spacer(1, 3 * mm),
        ]

    # -- tables ----------------------------------------------------------------------------------------------

    def _cards(self, head: Sequence[Any]) -> Iterator[Any]:
        """A card for each player, if the game has cards: two below the head, so that two fit on each page."""
        if not self._match.game.card:
            return
        width, height = self._frame_size
        left = height - sum(part.wrap(width, height)[1] for part in head)
        for seat in self._view.seats:
            texts = {
                line.box: self._cell(i, line)
                for i, line in enumerate(self._view.sheet)
                if line.player == seat.name
            }
            yield Card(self._match.game, width, left / 2, texts, seat)

    def _turns(self, lines: Sequence[tuple[int, Line]]) -> LongTable:
        """A row for each turn or round, with the lines of each player and their reasons.

        The round that is on has a row too as soon as it has a note, such as its first bid.
        """
        texts = {note.row: note.text for note in self._view.row_notes}
        rows = {line.row_text: line.row or 0 for _, line in lines} | {str(row): row for row in texts}
        heads = sorted(rows, key=rows.__getitem__)
        body = [
            [(Entry(head),), *(self._entries(player, head, lines) for player in self._players)]
            for head in heads
        ]
        notes = {i: texts[rows[head]] for i, head in enumerate(heads) if rows[head] in texts}
        totals = [] if self._match.game.card else [words.figures(self._view.scores[p]) for p in self._players]
        return score_table(self._players, body, self._frame_size[0], totals, notes=notes)

    def _entries(self, player: str, row: str, lines: Sequence[tuple[int, Line]]) -> tuple[Entry, ...]:
        """What stands in a row for a player: the lines of one turn or round."""
        mine = ((i, line) for i, line in lines if line.player == player and line.row_text == row)
        return tuple(Entry(line.reason, self._cell(i, line), self._sum(i)) for i, line in mine)

    def _sum(self, place: int) -> str:
        """The total after the line, as it stands behind the points."""
        total = self._sums[place]
        return "" if total is None else f"({words.figures(total)})"

    def _cell(self, place: int, line: Line) -> str:
        text = words.figures(line.points) if line.value is None else words.with_minus(line.value)
        return f"{text}{TYPED if place in self._typed else ''}"

    # -- what happened ---------------------------------------------------------------------------------------

    def _story(self) -> list[Any]:
        """The throws and the rulings, in their order."""
        told = [(throw.at + 0.5, throw_text(throw)) for throw in self._view.throws]
        told += [(float(ruling.at), ruling.text) for ruling in self._view.rulings]
        if not told:
            return []
        width, height = self._frame_size
        in_order = (text for _, text in sorted(told, key=lambda each: each[0]))
        columns = BalancedColumns(
            [paragraph(text, SMALL) for text in in_order],
            nCols=3 if width > height else 2,
            innerPadding=4 * mm,
        )
        return [CondPageBreak(STORY_MM * mm), paragraph("Throws and rulings", 11, bold=True), columns]
