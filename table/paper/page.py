"""A page to print, drawn in millimetres."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from reportlab.lib.units import mm

from vision.tray.mat import MODULES, PrintedMarker, marker_modules

RGB = tuple[float, float, float]
"""Red, green, blue, 0-1."""

Anchor = Literal["start", "middle", "end"]
BEFORE: Mapping[Anchor, float] = {"start": 0, "middle": 0.5, "end": 1}
"""The share of the words that lies before their anchor."""

SMALL_MM = 2.6
"""Size of the smallest letters of a drawing: a little more than 7 points, which is the least for all eyes."""

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

    def framed(self, rect: Sequence[float], colour: RGB, edge: RGB, width: float) -> None:
        """Draws a filled rectangle, as box, with a line of this colour and width round it."""
        x0, y0, x1, y1 = rect
        self.box(rect, colour)
        self.line([(x0, y0), (x1, y0), (x1, y1), (x0, y1), (x0, y0)], edge, width)

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

    def circle(
        self,
        middle: tuple[float, float],
        radius: float,
        fill: RGB | None = None,
        edge: RGB | None = INK,
        width: float = 0.3,
        dashes: Sequence[float] = (),
    ) -> None:
        """Draws a circle. fill: None for an empty one. edge: of its line; None for none."""
        if fill is not None:
            self._canvas.setFillColorRGB(*fill)
        if edge is not None:
            self._canvas.setStrokeColorRGB(*edge)
        self._canvas.setLineWidth(width)
        self._canvas.setDash(list(dashes))
        self._canvas.circle(
            middle[0], -middle[1], radius, stroke=int(edge is not None), fill=int(fill is not None)
        )

    def text(
        self,
        at: tuple[float, float],
        words: str,
        size: float,
        colour: RGB = SOFT,
        turn: float = 0,
        spacing: float = 0,
        anchor: Anchor = "middle",
        bold: bool = False,
    ) -> None:
        """Draws words at a place. size: of the letters, mm. turn: degrees anticlockwise.

        anchor: the part of the words that is at that place.
        """
        font = "Helvetica-Bold" if bold else "Helvetica"
        wide = self._canvas.stringWidth(words, font, size) + spacing * (len(words) - 1)
        self._canvas.saveState()
        self._canvas.translate(at[0], -at[1])
        self._canvas.rotate(turn)
        self._canvas.setFillColorRGB(*colour)
        drawn = self._canvas.beginText(-BEFORE[anchor] * wide, -0.35 * size)
        drawn.setFont(font, size)
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

    def scale_bar(self, start: tuple[float, float], length: float, level: bool = False) -> None:
        """Draws a line to measure after printing, from `start` downwards, or to the right if it is level."""
        x, y = start
        end = (x + length, y) if level else (x, y + length)
        self.line([start, end], SOFT, 0.3)
        across = (0, 1.5) if level else (1.5, 0)
        for at in (start, end):
            self.line(
                [(at[0] - across[0], at[1] - across[1]), (at[0] + across[0], at[1] + across[1])], SOFT, 0.3
            )
        words = f"this line is {length:g} mm long"
        if level:
            self.text((x + length / 2, y - 2.6), words, SMALL_MM)
        else:
            self.text((x + 2.2, y + length / 2), words, SMALL_MM, turn=90)
