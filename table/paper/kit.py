"""The print-and-play kit of a game, as a PDF: rules, board, tray mat, blank sheets and faces of sticks."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache, partial
from typing import Any

from reportlab.lib.units import mm
from reportlab.platypus import BalancedColumns, CondPageBreak, HRFlowable, Spacer

from table.paper.blank_sheet import add_blank_sheet
from table.paper.board import RULER_MM, draw_board
from table.paper.booklet import Booklet
from table.paper.mat import draw_mat
from table.paper.sticks import STICK_SETS, draw_stick_faces
from table.paper.text import paragraph
from table.referee.fouls import RULES
from table.rules import words
from table.rules.game import Game
from vision.tray.mat import SHEETS

STICK_MM = (100.0, 12.0)
"""Length and width of the printed faces. `brehon sticks` prints others."""

ROOM_MM = 34.0
"""Height that has to be left on a page to begin the small print there."""

LARGER = (1.3, 1.2, 1.1, 1.05)
"""Scales of the letters that are tried where the rules leave room on their last page."""

SCALES = (0.98, 0.96, 0.95, 0.94, 0.93)
"""Scales of the letters that are tried where the last page of the rules has little on it. Below the smallest
of them, the small print would be hard to read."""

Part = tuple[str, Callable[[Booklet], None]]
"""What is in the kit, in words, and what adds its pages."""

KEPT = 8
"""Kits that stay in memory, because the page of a table is asked for the same ones."""


@lru_cache(KEPT)
def kit_pdf(game: Game, paper: str) -> bytes:
    """The kit of this game. paper: as in Booklet."""
    booklet = Booklet(f"Brehon: {game.title}, to print and play", paper)
    parts = list(_parts(game, paper))
    whats = [what for what, _ in parts]
    booklet.write(list(_rules(game, whats, _fitting_scale(game, whats, paper))))
    for _, add in parts:
        add(booklet)
    return booklet.pdf()


def _parts(game: Game, paper: str) -> Iterator[Part]:
    """Everything after the rules, in the order of its pages."""
    if board := game.printed_board:
        draw = partial(draw_board, title=game.title, printed=board)
        yield "the board", lambda booklet: booklet.draw(draw, board.wide)
    mat = partial(draw_mat, sheet=SHEETS[paper])
    yield "a mat for the tray, which the camera finds", lambda booklet: booklet.draw(mat, wide=True)
    yield "a blank score sheet", lambda booklet: add_blank_sheet(booklet, game)
    if game.sticks:
        length, width = STICK_MM
        sets = (STICK_SETS[game.sticks],)
        faces = partial(draw_stick_faces, length_mm=length, width_mm=width, sets=sets)
        yield "faces for the throwing sticks", lambda booklet: booklet.draw(faces, wide=True)


# -- the rules -----------------------------------------------------------------------------------------------


def _fitting_scale(game: Game, parts: list[str], paper: str) -> float:
    """The scale of the letters: the largest of SCALES that saves a page, or else the largest that needs none
    more."""

    def page_count(scale: float) -> int:
        booklet = Booklet("", paper)
        booklet.write(list(_rules(game, parts, scale)))
        return booklet.page_count()

    most = page_count(1)
    if most > 1 and page_count(SCALES[-1]) < most:
        return next(scale for scale in SCALES if page_count(scale) < most)
    return next((scale for scale in LARGER if page_count(scale) == most), 1)


def _rules(game: Game, parts: list[str], scale: float) -> Iterator[Any]:
    """The rules as the page has them, after what the kit has and how to print it. scale: of the letters."""
    yield paragraph(game.title, 22 * scale, bold=True)
    yield paragraph(f"{words.upper_first(game.player_count_text)}. {game.aim}", 10 * scale, after=4)
    yield paragraph(f"In this kit, after the rules: {words.listed(parts)}.", 8 * scale)
    yield paragraph(
        "Print it at full size (100 %, not “fit to page”). Each line that says its length must be that long:"
        f" this one is {RULER_MM:g} mm.",
        8 * scale,
        after=3,
    )
    yield HRFlowable(RULER_MM * mm, 1, color="black", hAlign="LEFT", spaceBefore=4, spaceAfter=8)
    yield from (
        paragraph(game.for_people(text), 8.5 * scale, after=3, lead=lead)
        for lead, text in game.rule_paragraphs
    )
    rulings = [(number, f"{words.upper_first(game.for_people(text))}.") for number, text in game.rulings]
    yield from _small_print("Where the printed rules leave it open", rulings, scale)
    yield from _small_print("In every game on the tray", list(RULES.items()), scale)


def _small_print(title: str, rules: list[tuple[str, str]], scale: float) -> Iterator[Any]:
    """Numbered rules in two columns."""
    yield CondPageBreak(ROOM_MM * mm)
    yield Spacer(1, mm)
    yield paragraph(title, 10 * scale, bold=True, after=3)
    texts = [paragraph(text, 7 * scale, after=2, lead=number) for number, text in rules]
    yield BalancedColumns(texts, nCols=2, innerPadding=4 * mm)
