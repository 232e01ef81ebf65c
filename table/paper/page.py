"""A page to print, drawn in millimetres."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from reportlab.lib.units import mm

from vision.tray.mat import MODULES, PrintedMarker, marker_modules

RGB = tuple[float, float, float]
"""Red, green, blue, 0-1."""

INK: RGB = (0.0, 0.0, 0.0)
SOFT: RGB = (0.42, 0.42, 0.42)
PAPER: RGB = (1.0, 1.0, 1.0)


class Page:
    """A page for shapes and words, in millimetres from its top left corner.

    canvas: of reportlab, at the beginning of a page of this size.
    """

    def __init__(self, canvas: Any, size_mm: tuple[float, float]) -> None:
        self.width, self.height = size_mm
        self._canvas = canvas
        self._canvas.translate(0, self.height * mm)
        self._canvas.scale(mm, mm)

    def box(self, rect: Sequence[float], colour: RGB) -> None:
        """Draws a filled rectangle: left, top, right, bottom."""
        x0, y0, x1, y1 = rect
        self._canvas.setFillColorRGB(*colour)
        self._canvas.rect(x0, -y1, x1 - x0, y1 - y0, stroke=0, fill=1)

    def line(
        self, points: Sequence[tuple[float, float]], colour: RGB, width: float, dashes: Sequence[float] = ()
    ) -> None:
        path = self._canvas.beginPath()
        path.moveTo(points[0][0], -points[0][1])
        for x, y in points[1:]:
            path.lineTo(x, -y)
        self._canvas.setStrokeColorRGB(*colour)
        self._canvas.setLineWidth(width)
        self._canvas.setLineCap(1)
        self._canvas.setLineJoin(1)
        self._canvas.setDash(list(dashes))
        self._canvas.drawPath(path)

    def shape(self, points: Sequence[tuple[float, float]], colour: RGB) -> None:
        """Draws a filled shape with these corners."""
        path = self._canvas.beginPath()
        path.moveTo(points[0][0], -points[0][1])
        for x, y in points[1:]:
            path.lineTo(x, -y)
        path.close()
        self._canvas.setFillColorRGB(*colour)
        self._canvas.drawPath(path, stroke=0, fill=1)

    def text(
        self,
        at: tuple[float, float],
        words: str,
        size: float,
        colour: RGB = SOFT,
        turn: float = 0,
        spacing: float = 0,
    ) -> None:
        """Draws words centred on a place. size: of the letters, mm. turn: degrees anticlockwise."""
        wide = self._canvas.stringWidth(words, "Helvetica", size) + spacing * (len(words) - 1)
        self._canvas.saveState()
        self._canvas.translate(at[0], -at[1])
        self._canvas.rotate(turn)
        self._canvas.setFillColorRGB(*colour)
        drawn = self._canvas.beginText(-wide / 2, -0.35 * size)
        drawn.setFont("Helvetica", size)
        drawn.setCharSpace(spacing)
        drawn.textOut(words)
        self._canvas.drawText(drawn)
        self._canvas.restoreState()

    def marker(self, marker: PrintedMarker) -> None:
        """Draws a marker: a black square with white squares on it."""
        (x, y), step = marker.at_mm, marker.side_mm / MODULES
        self.box((x, y, x + marker.side_mm, y + marker.side_mm), INK)
        for row, blacks in enumerate(marker_modules(marker.id)):
            for column, black in enumerate(blacks):
                if not black:
                    self.box(
                        (x + column * step, y + row * step, x + (column + 1) * step, y + (row + 1) * step),
                        PAPER,
                    )

    def scale_bar(self, top: tuple[float, float], length: float) -> None:
        """Draws a line to measure after printing, downwards from `top`."""
        x, y = top
        self.line([(x, y), (x, y + length)], SOFT, 0.3)
        for end in (y, y + length):
            self.line([(x - 1.5, end), (x + 1.5, end)], SOFT, 0.3)
        self.text((x + 2.2, y + length / 2), f"this line is {length:g} mm long", 2.2, turn=90)
