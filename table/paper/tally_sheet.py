"""A blank sheet with a row for each match, in which every player has boxes to cross out."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import accumulate, pairwise
from typing import Any

from reportlab.lib import colors
from reportlab.lib.units import mm
from reportlab.platypus import Flowable

from table.paper.score_table import WIDE_FROM
from table.paper.text import fonts, printable
from table.rules.sheet import Tally

HEAD_MM, LINE_MM, SIDE_MM, EDGE_MM = 8.0, 8.0, 2.0, 2.0
"""Height of the heads of the columns and of a line to write on, and the least empty space beside and above
what is in a cell."""

NUMBER_MM, WIDEST_MM, BEFORE = 9.0, 38.0, 0.9
"""Width of the column with the numbers of the matches; greatest width of the others where one is filled
before a match and takes the rest; and the least width of that one, divided by theirs."""

BOX_MM, LARGE_BOX_MM, LEAST_MM, GAP_MM = 5.4, 8.0, 3.5, 1.0
"""Greatest width of a box to cross out and of one to write in, the least width of boxes in one line, and the
distance of two boxes."""

HEAD, SMALL = 9.0, 7.5
"""Sizes of the heads and of the words in a cell, points."""


def lies_on_its_side(tally: Tally, players: int) -> bool:
    """Whether the columns need paper that lies on its side."""
    return bool(tally.before) + players + len(tally.after) > WIDE_FROM


class TallySheet(Flowable):  # type: ignore[misc]
    """As many rows as fit into this size, points. players: in each match."""

    def __init__(self, tally: Tally, players: int, width: float, height: float) -> None:
        super().__init__()
        self.width, self.height = width, height
        self._tally, self._players = tally, players
        self._edges = list(accumulate(self._widths(), initial=NUMBER_MM * mm))
        one_line = self._box_side(tally.boxes)
        lines = 1 if one_line >= LEAST_MM * mm else 2
        self._across = -(-tally.boxes // lines)
        self._side = self._box_side(self._across)
        self._boxes_height = lines * (self._side + GAP_MM * mm) - GAP_MM * mm
        self._content = self._boxes_height + (bool(tally.sides) + bool(tally.amount)) * LINE_MM * mm
        self._rows = int((height - HEAD_MM * mm) / (self._content + 2 * EDGE_MM * mm))
        self._row = (height - HEAD_MM * mm) / self._rows

    def _widths(self) -> Iterator[float]:
        """The widths of the columns but that of the numbers."""
        room, others = self.width - NUMBER_MM * mm, self._players + len(self._tally.after)
        if self._tally.before:
            each = min(WIDEST_MM * mm, room / (others + BEFORE))
            yield room - others * each
        else:
            each = room / others
        yield from [each] * others

    def _box_side(self, across: int) -> float:
        """The width of a box with so many side by side."""
        most, room = LARGE_BOX_MM if self._tally.numbered else BOX_MM, self._edges[-1] - self._edges[-2]
        fitting: float = (room - (2 * SIDE_MM - GAP_MM) * mm) / across - GAP_MM * mm
        return min(float(most * mm), fitting)

    def wrap(self, *_: float) -> tuple[float, float]:
        return self.width, self.height

    def draw(self) -> None:
        tally, (plain, bold) = self._tally, fonts()
        under, in_cell = self.height - HEAD_MM * mm, SIDE_MM * mm
        sides = tally.sides[: self._players] or ("",) * self._players
        before = (tally.before,) if tally.before else ()
        for head, left in zip((*before, *sides, *tally.after), self._edges, strict=False):
            self._words(left + in_cell, under + 2.5 * mm, head, bold, HEAD)
        columns = list(pairwise(self._edges))[len(before) :][: self._players]
        for row in range(self._rows):
            top = under - row * self._row - (self._row - self._content) / 2
            self._words(in_cell, top - self._side / 2 - 0.35 * HEAD, str(row + 1), plain, HEAD)
            for left, right in columns:
                self._cell(left + in_cell, right - in_cell, top)
        self._lines(under)

    def _lines(self, under: float) -> None:
        """The lines between the rows and the columns. under: the height of the line below the heads."""
        for edge in self._edges[:-1]:
            self._line(edge, 0, edge, self.height)
        for row in range(1, self._rows + 1):
            self._line(0, under - row * self._row, self.width, under - row * self._row)
        self._line(0, under, self.width, under, 1, colors.black)

    def _line(
        self, x0: float, y0: float, x1: float, y1: float, width: float = 0.3, colour: Any = colors.grey
    ) -> None:
        self.canv.setStrokeColor(colour)
        self.canv.setLineWidth(width)
        self.canv.line(x0, y0, x1, y1)

    def _cell(self, left: float, right: float, top: float) -> None:
        """A player's part of a row: a line for the name if it is not above, the boxes, and an amount."""
        if self._tally.sides:
            self._line(left, top - 0.7 * LINE_MM * mm, right, top - 0.7 * LINE_MM * mm)
            top -= LINE_MM * mm
        self._boxes(left, top)
        if amount := self._tally.amount:
            base = top - self._boxes_height - 0.8 * LINE_MM * mm
            end = self._words(left, base, amount, fonts()[0], SMALL)
            self._line(end + mm, base, right, base)

    def _boxes(self, left: float, top: float) -> None:
        step = self._side + GAP_MM * mm
        self.canv.setStrokeColor(colors.dimgrey)
        self.canv.setLineWidth(0.5)
        for n in range(self._tally.boxes):
            line, place = divmod(n, self._across)
            x, y = left + place * step, top - line * step - self._side
            self.canv.roundRect(x, y, self._side, self._side, 0.12 * self._side)
            if self._tally.numbered:
                self._words(x + 0.8 * mm, y + self._side - 3 * mm, str(n + 1), fonts()[0], SMALL)

    def _words(self, x: float, y: float, words: str, font: str, size: float) -> float:
        """Draws words; returns where they end, points."""
        self.canv.setFont(font, size)
        self.canv.drawString(x, y, printable(words, font))
        return x + float(self.canv.stringWidth(words, font, size))
