"""A card: one player's paper sheet, with the lines of the game, filled or to write on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from reportlab.lib.units import mm
from reportlab.pdfbase.pdfmetrics import stringWidth
from reportlab.platypus import Flowable

from table.paper.text import fonts, printable
from table.rules.game import Game, Seat
from table.rules.sheet import CardLine

TITLE, LARGE, LETTERS = 12.0, 9.5, 8.5
"""Sizes of the title, of a text in a blank, and of other words, points."""

SPARE = 1.6
"""The empty space below the head and the card, in lines."""

WIDEST: float = 26 * mm
"""Greatest width of a blank, points."""
CLAN: float = 58 * mm
"""Width of the name of the clan and of the competitor, points."""
GAP: float = 2 * mm
"""Width of the space after a word, points."""

RING: float = 2.6 * mm
"""Half the height of the ring round the attempt that counts, points."""


TYPED = "*"
"""Mark of a result with a throw that was typed."""


def _with_totals_beside(card: Sequence[CardLine]) -> list[CardLine]:
    """The lines of a card, with a total that is printed below its event beside the attempts."""
    lines = list[CardLine]()
    for line in card:
        if lines and not line.event and len(line.blanks) == 1:
            lines[-1] = replace(lines[-1], blanks=(*lines[-1].blanks, *line.blanks))
        else:
            lines.append(line)
    return lines


class Card(Flowable):  # type: ignore[misc]
    """A card of this size, points. texts: by box. seat: whose card it is; None for a blank one.

    Only a blank one has the title of the game. The sheet of a match has it once, above all cards.
    """

    def __init__(
        self,
        game: Game,
        width: float,
        height: float,
        texts: Mapping[str, str] | None = None,
        seat: Seat | None = None,
    ) -> None:
        super().__init__()
        self.width, self.height = width, height
        self._game, self._texts, self._seat = game, texts or {}, seat
        self._lines = _with_totals_beside(game.card)
        self._titled = seat is None
        self._head_lines = 3 if self._titled else 2
        self._pitch = height / (len(self._lines) + self._head_lines + SPARE)
        self._plain, self._bold = fonts()
        self._counted = {box for box in map(self._first_best, self._lines) if box}

    def wrap(self, *_: float) -> tuple[float, float]:
        return self.width, self.height

    def draw(self) -> None:
        self._head()
        indent = max(self._wide(line.event, self._bold) for line in self._lines) + GAP
        blank_width = min(self._room(line, indent) for line in self._lines)
        for row, line in enumerate(self._lines, self._head_lines):
            self._word(0, row, line.event, self._bold)
            x = indent
            for blank in line.blanks:
                x = self._word(x, row, blank.label, self._plain)
                ringed = blank.box in self._counted
                x = self._blank(x, row, self._texts.get(blank.box, ""), blank_width, ringed)

    def _room(self, line: CardLine, indent: float) -> float:
        """The width that is left for each blank of this line."""
        words = sum(self._wide(blank.label, self._plain) + 2 * GAP for blank in line.blanks)
        return min(WIDEST, (self.width - indent - words) / len(line.blanks))

    def _head(self) -> None:
        seat = self._seat or Seat("")
        if self._titled:
            self.canv.setFont(self._bold, TITLE)
            self.canv.drawString(0, self._y(0), self._game.title)
            self._right(0, "Score sheet")
        clan, colours = self._head_lines - 2, self._head_lines - 1
        x = self._blank(self._word(0, clan, "Clan:", self._plain), clan, "", CLAN)
        self._blank(self._word(x, clan, "Competitor:", self._plain), clan, seat.name, CLAN)
        label = self._word(0, colours, "Clan colours:", self._plain)
        x = self._blank(label, colours, seat.colour or "", CLAN / 2)
        if self._seat is None or seat.second or not seat.colour:
            and_ = self._word(x, colours, "and", self._plain)
            self._blank(and_, colours, seat.second or "", CLAN / 2)
        self.canv.setLineWidth(1)
        under = self._y(self._head_lines) + 0.75 * self._pitch
        self.canv.line(0, under, self.width, under)

    def _first_best(self, line: CardLine) -> str:
        """The box of the first attempt on this line that is the best one; "" if none is known."""
        attempts = ((each, self._number(each.box)) for each in line.blanks if each.best)
        return next((each.box for each, got in attempts if got and got == self._number(each.best)), "")

    def _number(self, box: str) -> str:
        """The text of a box without the mark of a typed throw."""
        return self._texts.get(box, "").rstrip(TYPED)

    # -- words and blanks ------------------------------------------------------------------------------------

    def _word(self, x: float, row: int, words: str, font: str) -> float:
        """Draws words; returns where the next thing begins."""
        words = printable(words, font)
        self.canv.setFont(font, LETTERS)
        self.canv.drawString(x, self._y(row), words)
        return x + (self._wide(words, font) + GAP if words else 0)

    def _right(self, row: int, words: str) -> None:
        self.canv.setFont(self._plain, LETTERS)
        self.canv.drawRightString(self.width, self._y(row), words)

    def _blank(self, x: float, row: int, text: str, width: float, ringed: bool = False) -> float:
        """Draws a line with a text on it; returns where the next thing begins."""
        y = self._y(row)
        self.canv.setLineWidth(0.4)
        self.canv.line(x, y - 1.5, x + width, y - 1.5)
        written, size = self._fitting(text, width)
        self.canv.setFont(self._bold, size)
        self.canv.drawCentredString(x + width / 2, y + 0.5, written)
        if ringed:
            half, middle = min(0.45 * width, 0.6 * self._wide(written, self._bold) + 3 * mm), y + 0.35 * size
            self.canv.setLineWidth(0.9)
            self.canv.ellipse(x + width / 2 - half, middle - RING, x + width / 2 + half, middle + RING)
        return x + width + GAP

    def _fitting(self, text: str, width: float) -> tuple[str, float]:
        """The text as the font can print it, and the size at which it fits into this width."""
        text = printable(text, self._bold)
        return text, min(LARGE, LETTERS * 0.95 * width / max(1.0, self._wide(text, self._bold)))

    def _wide(self, words: str, font: str) -> float:
        wide: Any = stringWidth(words, font, LETTERS)
        return float(wide)

    def _y(self, row: int) -> float:
        """The height of a line's words above the lower edge of the card."""
        below_head = 0.4 if row >= self._head_lines else 0
        return self.height - (row + 0.7 + below_head) * self._pitch
