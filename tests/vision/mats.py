"""Pictures of printed mats, drawn from the positions of their markers."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from vision.frames import Picture
from vision.tray.mat import CARD_MARKER_MM, CARDS, TIP_MM, TIPS, PrintedMarker, Sheet, marker_modules
from vision.tray.quads import Floats

INK, PAPER, TABLE = 28, 235, (66, 74, 90)
DRAWN_PX = 8
"""Resolution, px per mm, of a page before it is warped into a picture."""


def drawn_page(paper_mm: tuple[float, float], markers: Sequence[PrintedMarker]) -> Picture:
    """Markers on white paper, at DRAWN_PX per mm."""
    page = np.full((round(paper_mm[1] * DRAWN_PX), round(paper_mm[0] * DRAWN_PX), 3), PAPER, np.uint8)
    for marker in markers:
        x, y, side = (round(v * DRAWN_PX) for v in (*marker.at_mm, marker.side_mm))
        black = cv2.resize(
            marker_modules(marker.id).astype(np.uint8), (side, side), interpolation=cv2.INTER_NEAREST
        )
        page[y : y + side, x : x + side][black > 0] = INK
    return page


def laid_mat(sheet: Sheet, size_wh: tuple[int, int], width_px: float) -> tuple[Picture, Floats]:
    """A mat of this width in the middle of a table, and the (3, 3) homography from its mm to px."""
    scale = width_px / sheet.paper_mm[0]
    left, top = (size_wh[0] - width_px) / 2, (size_wh[1] - scale * sheet.paper_mm[1]) / 2
    to_px = np.array([(scale, 0, left), (0, scale, top), (0, 0, 1)], np.float64)
    return laid_page(drawn_page(sheet.paper_mm, sheet.markers), to_px, size_wh), to_px


def laid_page(
    page: Picture, to_px: Floats, size_wh: tuple[int, int], under: Picture | None = None
) -> Picture:
    """A drawn page over a plain table, or over the picture `under`.

    to_px: homography from the page's millimetres.
    """
    canvas = np.full((size_wh[1], size_wh[0], 3), TABLE, np.uint8) if under is None else under
    there = to_px @ np.diag([1 / DRAWN_PX, 1 / DRAWN_PX, 1.0])
    soft = cv2.GaussianBlur(page, (0, 0), DRAWN_PX / 6)
    paper = cv2.warpPerspective(soft, there, size_wh, flags=cv2.INTER_LINEAR)
    covered = cv2.warpPerspective(np.full(page.shape[:2], 255, np.uint8), there, size_wh) > 127
    canvas = canvas.copy()
    canvas[covered] = paper[covered]
    return canvas


def tray_with_cards(
    tray_mm: tuple[float, float], to_px: Floats, size_wh: tuple[int, int], missing: int | None = None
) -> Picture:
    """A table with four cards at the corners of a tray of this size.

    to_px: homography from the tray's millimetres.
    missing: the number of a card to leave out.
    """
    canvas = None
    side = CARD_MARKER_MM + 2 * TIP_MM
    corners = ((0.0, 0.0), (tray_mm[0], 0.0), tray_mm, (0.0, tray_mm[1]))
    for number, (tip_x, tip_y), (x, y) in zip(CARDS, TIPS, corners, strict=True):
        if number != missing:
            card = drawn_page((side, side), [PrintedMarker(number, (TIP_MM, TIP_MM), CARD_MARKER_MM)])
            at = np.array(
                [(1, 0, x - side * (tip_x > 0)), (0, 1, y - side * (tip_y > 0)), (0, 0, 1)], np.float64
            )
            canvas = laid_page(card, to_px @ at, size_wh, canvas)
    assert canvas is not None
    return canvas
