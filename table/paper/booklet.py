"""A PDF of several pages: drawings in millimetres, and text that flows from page to page."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from io import BytesIO
from itertools import count
from typing import Any

from reportlab.lib.units import mm
from reportlab.platypus import BaseDocTemplate, Frame, NextPageTemplate, PageBreak, PageTemplate, Spacer

from table.paper.page import Page
from table.paper.text import fonts, printable
from vision.tray.mat import SHEETS

MARGIN_MM = 14.0
"""Margin of pages of text."""

FOOT, FOOT_MM = 8.0, 7.5
"""Size of the letters below a page, points, and their height above its edge: more than printers cut off."""


def paper_mm(paper: str, wide: bool = False) -> tuple[float, float]:
    """Width and height of this paper, a name in SHEETS. wide: lying on its side, as a mat does."""
    longer, shorter = SHEETS[paper].paper_mm
    return (longer, shorter) if wide else (shorter, longer)


class Booklet:
    """Pages in the order in which they are added; `pdf` gives the file."""

    def __init__(self, title: str, paper: str) -> None:
        self._title, self._paper = title, paper
        self._templates: list[PageTemplate] = []
        self._story: list[Any] = []

    def draw(self, drawing: Callable[[Page], None], wide: bool = False) -> None:
        """Adds a page with this drawing, which is true to scale."""
        size_mm = paper_mm(self._paper, wide)
        self._begin(size_mm, 0, lambda canvas, _: drawing(Page(canvas, size_mm)))
        self._story.append(Spacer(0, 0))

    def write(self, story: Sequence[Any], wide: bool = False, foot: str = "") -> None:
        """Adds pages with these flowables of reportlab. frame_size says how large a page is for them. foot:
        what stands below the second page and each further one, before its number."""
        size_mm, numbers = paper_mm(self._paper, wide), count(1)

        def number(canvas: Any, document: BaseDocTemplate) -> None:
            page = next(numbers)
            if foot and page > 1:
                canvas.setFont(fonts()[0], FOOT)
                words = printable(f"{foot} · page {page}", fonts()[0])
                canvas.drawCentredString(size_mm[0] / 2 * mm, FOOT_MM * mm, words)

        self._begin(size_mm, MARGIN_MM, number)
        self._story += story

    def frame_size(self, wide: bool = False) -> tuple[float, float]:
        """Width and height of a page of text within its margins, points."""
        width, height = paper_mm(self._paper, wide)
        return (width - 2 * MARGIN_MM) * mm, (height - 2 * MARGIN_MM) * mm

    def pdf(self) -> bytes:
        """The file, after all pages were added. The same pages give the same file."""
        file = BytesIO()
        self._build(file)
        return file.getvalue()

    def page_count(self) -> int:
        """The number of pages, after all were added. The pages cannot be had as a file then."""
        return self._build(BytesIO())

    def _build(self, file: BytesIO) -> int:
        """Writes the file, which uses the flowables up, and returns its number of pages."""
        document = BaseDocTemplate(
            file,
            pageTemplates=self._templates,
            title=self._title,
            author="Brehon",
            subject=self._title,
            creator="Brehon",
            invariant=True,
        )
        document.build(self._story)
        return int(document.page)

    def _begin(
        self, size_mm: tuple[float, float], margin_mm: float, on_page: Callable[[Any, Any], None]
    ) -> None:
        """Begins a page of this size, on which further pages follow if the text is longer."""
        name, (width, height) = str(len(self._templates)), (size_mm[0] * mm, size_mm[1] * mm)
        margin = margin_mm * mm
        frame = Frame(
            margin, margin, width - 2 * margin, height - 2 * margin,
            leftPadding=0, rightPadding=0, topPadding=0, bottomPadding=0, id=name,
        )  # fmt: skip
        self._templates.append(PageTemplate(name, [frame], onPage=on_page, pagesize=(width, height)))
        if self._story:
            self._story += [NextPageTemplate(name), PageBreak()]
