"""A score sheet as a PDF: the rows of the game's paper sheet or the turns, the totals, and the rulings.

It is laid out by reportlab's own tables, which break long sheets into pages and repeat the names.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from io import BytesIO
from itertools import zip_longest
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

from reportlab.lib import colors, pagesizes
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.platypus import BalancedColumns, LongTable, PageBreak, Paragraph, SimpleDocTemplate, Spacer

from table.exports.played import PlayedMatch
from table.referee.snapshot import lines_with_typed_throws
from table.rules import words
from table.rules.answers import Sticks, Throw
from table.rules.match import Answered
from table.rules.sheet import Line

PAPERS = {"a4": pagesizes.A4, "letter": pagesizes.LETTER}

FONTS = Path("/usr/share/fonts/truetype/dejavu")
"""DejaVu Sans has the letters of most scripts, and Raspberry Pi OS and Debian have it with their desktop."""

MARGIN = 14 * mm

WIDE_FROM = 5
"""Number of players from which the paper is turned on its side."""

TYPED = "*"
NOTE_ON_TYPED = f"{TYPED} A throw was typed, because the camera could not see it."


def pdf_of(matches: Sequence[PlayedMatch], paper: str = "a4") -> bytes:
    """The sheets of these matches, each from a new page. paper: a name in PAPERS."""
    file = BytesIO()
    wide = any(len(match.view.seats) >= WIDE_FROM for match in matches)
    size = pagesizes.landscape(PAPERS[paper]) if wide else PAPERS[paper]
    title = f"Brehon: {matches[0].view.title}" if len(matches) == 1 else "Brehon: score sheets"
    document = SimpleDocTemplate(
        file,
        pagesize=size,
        title=title,
        creator="Brehon",
        leftMargin=MARGIN,
        rightMargin=MARGIN,
        topMargin=MARGIN,
        bottomMargin=MARGIN,
        invariant=True,
    )
    story: list[Any] = []
    for match in matches:
        story += [PageBreak()] * bool(story)
        story += _SheetOfMatch(match, document.width).flowables()
    document.build(story)
    return file.getvalue()


class _SheetOfMatch:
    """The parts of one match's sheet, for a page of this width."""

    def __init__(self, match: PlayedMatch, width: float) -> None:
        self._match, self._view, self._width = match, match.view, width
        self._players = [seat.name for seat in match.view.seats]
        self._typed = lines_with_typed_throws(match.view)
        self._many = len(self._players) > WIDE_FROM
        self._wide = len(self._players) >= WIDE_FROM

    def flowables(self) -> list[Any]:
        rows = {row.box for row in self._match.game.form if row.box}
        turns = [(i, line) for i, line in enumerate(self._view.sheet) if line.box not in rows]
        tables = [self._form()] if rows else []
        tables += [self._turns(turns)] if turns or not rows else []
        return [
            *self._head(),
            *[each for table in tables for each in (table, Spacer(1, 4 * mm))],
            *([_paragraph(NOTE_ON_TYPED, 8)] if self._any_typed else []),
            *self._story(),
        ]

    @property
    def _any_typed(self) -> bool:
        return any(throw.typed for throw in self._view.throws)

    def _head(self) -> list[Any]:
        view, started = self._view, self._match.started
        settings = "; ".join(_setting_texts(self._match))
        ended = self._match.ended and f"Ended early: {self._match.ended}."
        outcome = view.outcome.reason if view.outcome else ended or "Not over yet."
        return [
            _paragraph(view.title, 18, bold=True),
            _paragraph(f"{started.day} {started:%B %Y, %H:%M} · match {self._match.number} · {settings}", 8),
            _paragraph(outcome, 11, bold=True),
            Spacer(1, 3 * mm),
        ]

    # -- tables ----------------------------------------------------------------------------------------------

    def _form(self) -> LongTable:
        """The rows of the game's paper sheet, with a column for each player."""
        cells = {(line.player, line.box): self._cell(i, line) for i, line in enumerate(self._view.sheet)}
        body = [
            [row.text, *(cells.get((player, row.box), "") if row.box else "" for player in self._players)]
            for row in self._match.game.form
        ]
        headings = [i for i, row in enumerate(self._match.game.form, 1) if row.heading]
        return self._table(body, headings, totals=True)

    def _turns(self, lines: Sequence[tuple[int, Line]]) -> LongTable:
        """The lines of each player from the first to the last, with the reasons."""
        columns = [
            [f"{self._cell(i, line)} {line.reason}".strip() for i, line in lines if line.player == player]
            for player in self._players
        ]
        body = [[str(n), *row] for n, row in enumerate(zip_longest(*columns, fillvalue=""), 1)]
        return self._table(body, [], totals=not any(row.box for row in self._match.game.form))

    def _table(self, body: Sequence[Sequence[str]], headings: Sequence[int], totals: bool) -> LongTable:
        size = 7 if self._many else 9
        scores = ["Total", *(f"{self._view.scores[p]:,}" for p in self._players)]
        rows = [["", *self._players], *body, *([scores] if totals else [])]
        bold = {0, *headings, *([len(rows) - 1] if totals else [])}
        first = min(48 * mm, self._width / 4) if any(len(row[0]) > 3 for row in body) else 16 * mm
        width = (self._width - first) / len(self._players)
        return LongTable(
            [[_paragraph(cell, size, bold=i in bold) for cell in row] for i, row in enumerate(rows)],
            colWidths=[first, *[width] * len(self._players)],
            repeatRows=1,
            style=[
                ("LINEBELOW", (0, 0), (-1, -1), 0.3, colors.grey),
                ("LINEBELOW", (0, 0), (-1, 0), 1, colors.black),
                ("VALIGN", (0, 0), (-1, -1), "TOP"),
                ("TOPPADDING", (0, 0), (-1, -1), 1),
                ("BOTTOMPADDING", (0, 0), (-1, -1), 2),
                *(("LINEABOVE", (0, -1), (-1, -1), 1, colors.black) for _ in range(totals)),
            ],
        )

    def _cell(self, place: int, line: Line) -> str:
        text = f"{line.points:,}" if line.value is None else line.value
        return f"{text}{TYPED if place in self._typed else ''}"

    # -- what happened ---------------------------------------------------------------------------------------

    def _story(self) -> list[Any]:
        """The throws and the rulings, in their order."""
        told = [(throw.at + 0.5, throw_text(throw)) for throw in self._view.throws]
        told += [(float(ruling.at), ruling.text) for ruling in self._view.rulings]
        if not told:
            return []
        in_order = (text for _, text in sorted(told, key=lambda each: each[0]))
        columns = BalancedColumns([_paragraph(text, 7) for text in in_order], nCols=3 if self._wide else 2)
        return [_paragraph("Throws and rulings", 11, bold=True), columns]


def _setting_texts(match: PlayedMatch) -> Iterator[str]:
    """'Who begins: the highest throw', for each setting."""
    for setting in match.game.settings_for([seat.name for seat in match.view.seats]):
        value = match.view.settings[setting.name]
        texts = dict(zip(setting.values, setting.value_texts, strict=False))
        yield f"{setting.title_text}: {texts.get(value, value)}"


def throw_text(throw: Answered) -> str:
    """'Ann threw 3 and 4.', with a mark if it was typed."""
    match throw.answer:
        case Throw() as dice:
            faces: Iterable[object] = dice.faces
        case Sticks() as sticks:
            faces = sticks.faces
        case _:
            faces = ()
    return f"{throw.prompt['player']} threw {words.listed(faces)}{TYPED if throw.typed else ''}."


# -- words on paper ------------------------------------------------------------------------------------------


def _paragraph(text: str, size: float, bold: bool = False) -> Paragraph:
    font = _fonts()[bold]
    style = ParagraphStyle("", fontName=font, fontSize=size, leading=1.25 * size, splitLongWords=1)
    return Paragraph(escape(_printable(text, font)), style)


@cache
def _fonts() -> tuple[str, str]:
    """The names of a plain and a bold font. Without DejaVu Sans only Western letters can be printed."""
    files = {"Sheet": "DejaVuSans.ttf", "Sheet bold": "DejaVuSans-Bold.ttf"}
    if not all((FONTS / file).exists() for file in files.values()):
        return "Helvetica", "Helvetica-Bold"
    for name, file in files.items():
        pdfmetrics.registerFont(TTFont(name, FONTS / file))
    plain, bold = files
    return plain, bold


def _printable(text: str, font: str) -> str:
    """The text with “?” for each letter that the font does not have."""
    face = pdfmetrics.getFont(font).face
    glyphs = getattr(face, "charToGlyph", None)
    if glyphs is None:
        return text.encode("cp1252", "replace").decode("cp1252")
    return "".join(letter if ord(letter) in glyphs else "?" for letter in text)
