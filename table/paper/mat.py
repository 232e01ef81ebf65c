"""Drawings of the mat and the corner cards for print."""

from __future__ import annotations

from collections.abc import Sequence

from table.paper.ornaments import PLAIT, draw_plait, draw_triskele
from table.paper.page import INK, PAPER, RGB, SMALL_MM, SOFT, Page
from vision.tray.mat import BAND_MM, CARD_MARKER_MM, CARDS, SCALE_BAR_MM, TIP_MM, TIPS, PrintedMarker, Sheet

FELT: RGB = (0.80, 0.87, 0.79)
FELT_SHADE: RGB = (0.755, 0.83, 0.745)
SAND: RGB = (0.93, 0.89, 0.80)
"""The zone is light, so that dice of every colour stand out. Its drawing differs from it by at most 5 %,
which the reader does not detect."""


def draw_mat(page: Page, sheet: Sheet, coloured: bool = True) -> None:
    """Draws the whole mat. coloured: fills zone and strip."""
    left, top, right, bottom = sheet.zone
    ground = FELT if coloured else PAPER
    page.box(sheet.zone, ground)
    draw_triskele(page, ((left + right) / 2, (top + bottom) / 2), FELT_SHADE if coloured else FELT)
    draw_plait(
        page,
        (left + BAND_MM / 2, top + BAND_MM / 2, right - BAND_MM / 2, bottom - BAND_MM / 2),
        BAND_MM / 2 - 1,
        ground,
    )
    _strip(page, sheet.strip, coloured)
    for marker in sheet.markers:
        page.marker(marker)
    page.scale_bar(sheet.bar_at_mm, SCALE_BAR_MM)
    column = sheet.markers[0].at_mm[0] + sheet.markers[0].side_mm / 2
    first, middle, last = (marker.at_mm[1] for marker in sheet.markers[:3])
    half = sheet.markers[0].side_mm / 2
    page.text((column, (first + middle) / 2 + half), "BREHON", 8, PLAIT, turn=90, spacing=1.6)
    page.text(
        (column, (middle + last) / 2 + half),
        "the camera finds these squares: leave them free",
        SMALL_MM,
        turn=90,
    )


def _strip(page: Page, strip: Sequence[float], coloured: bool) -> None:
    x0, y0, x1, y1 = strip
    if coloured:
        page.box((x0 + 2, y0, x1, y1), SAND)
    page.line([(x0 + 2, y0), (x1, y0), (x1, y1), (x0 + 2, y1), (x0 + 2, y0)], PLAIT, 0.4)
    page.text((x1 - 4, (y0 + y1) / 2), "set aside", 4, PLAIT, turn=90, spacing=0.6)


def draw_cards(page: Page) -> None:
    """Draws four cards to cut out, with instructions between them."""
    side = CARD_MARKER_MM + 2 * TIP_MM
    for name, number, (tip_x, tip_y) in zip("ABCD", CARDS, TIPS, strict=True):
        x = page.width / 2 - tip_x * 60 - side / 2
        y = page.height / 2 - tip_y * 45 - side / 2
        page.line([(x, y), (x + side, y), (x + side, y + side), (x, y + side), (x, y)], SOFT, 0.2, (2, 1.5))
        page.marker(PrintedMarker(number, (x + TIP_MM, y + TIP_MM), CARD_MARKER_MM))
        tip = (x + side * (tip_x > 0), y + side * (tip_y > 0))
        page.line([(tip[0] - 6 * tip_x, tip[1]), tip, (tip[0], tip[1] - 6 * tip_y)], INK, 0.9)
        page.text(
            (x + side / 2 - tip_x * (side / 2 - 1.9), y + side / 2 - tip_y * (side / 2 - 1.9)), name, 3.2, INK
        )
        page.text((x + side / 2, tip[1] + 5 * tip_y), f"{name}: {CORNER_NAMES[name]}", 3.4)
    for row, words in enumerate(CARD_WORDS):
        page.text((page.width / 2, page.height / 2 - 9 + 6 * row), words, 3.6)
    page.scale_bar((page.width - 14, (page.height - SCALE_BAR_MM) / 2), SCALE_BAR_MM)


CORNER_NAMES = {"A": "top left", "B": "top right", "C": "bottom right", "D": "bottom left"}
CARD_WORDS = (
    "Cut the cards out along the dashes.",
    "Glue each flat on the rim of your tray,",
    "its black corner in the tray's corner,",
    "as the camera sees it. Then start the table.",
)
