"""The printed mat: what lies where on it, in millimetres, and finding it in a picture by its markers.

The sheet has its throwing zone, a set-aside strip and five markers in one plane, so a homography from the sheet to the picture
gives the place of everything. The cards have a marker each and are glued round a tray of any size: each says where one corner of
the tray is, and the size of the tray follows from that of the markers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frames import Picture
from vision.place import Marker, Place, PlaceUnusable
from vision.quads import Floats, Quad, Size, in_px, quad

DICTIONARY = cv2.aruco.DICT_4X4_100
MODULES = 6
"""Black and white squares across a marker of it, the black border among them."""
SHEET_MARKER_MM, CARD_MARKER_MM = 18.0, 24.0
"""Sides of the printed markers: at 640 px across a sheet of 297 mm, 39 px; eight are enough for a module of a px and a third."""
MARGIN_MM = 8.0
"""Round the sheet: what home printers leave white is 3 to 6.4 mm."""
QUIET_MM = 3.0
"""White left round a marker, which has to be a module at least (a sixth of its side)."""
BAND_MM = 5.0
"""Width of the plaited band round the throwing zone; it belongs to the zone."""
STRIP_MM = 34.0
"""Width of the set-aside strip: two dice side by side, with room."""
SCALE_BAR_MM = 100.0
TIP_MM = 4.0
"""On a card, from the marker's corner to the card's own corner that is put to the corner of the tray, along both edges."""
MIN_APART = 2
"""Markers that have to be seen of a sheet: the corners of one alone tell the far end of the sheet to 3 % of its length."""
MAX_OFF = 0.006
"""How far a marker's corner may be seen from where the sheet has it, as a share of the picture's width: a lens that bends straight
lines by 1 % leaves half of this."""
NEAR_PX = 1.5
"""Outlier bound, px, of RANSAC at 640 px across: a corner found to a px."""

Rect = tuple[float, float, float, float]
"""Left, top, right, bottom, mm from the sheet's top left corner."""


@dataclass(frozen=True)
class PrintedMarker:
    """A marker on a sheet: its number, its top left corner and its side, mm."""

    id: int
    at_mm: tuple[float, float]
    side_mm: float

    @property
    def corners_mm(self) -> Floats:
        """(4, 2) mm, in the marker's own order: top left, top right, bottom right, bottom left."""
        x, y = self.at_mm
        return np.array([(x, y), (x + self.side_mm, y), (x + self.side_mm, y + self.side_mm), (x, y + self.side_mm)])


@dataclass(frozen=True)
class Sheet:
    """A mat on one sheet of paper, mm from its top left corner. zone: for throwing, strip: for setting aside; they meet in a line.

    bar_at_mm: the upper end of the scale bar, which runs down for SCALE_BAR_MM.
    """

    name: str
    paper_mm: tuple[float, float]
    zone: Rect
    strip: Rect
    markers: tuple[PrintedMarker, ...] = field(repr=False)
    bar_at_mm: tuple[float, float]


def laid_out(name: str, paper_mm: tuple[float, float], ids: Sequence[int]) -> Sheet:
    """A sheet of this size, lying: three markers in a column on the left, one at each end of the strip on the right."""
    (w, h), side = paper_mm, SHEET_MARKER_MM
    right, bottom = w - MARGIN_MM, h - MARGIN_MM
    inner = MARGIN_MM + side + QUIET_MM
    line = right - STRIP_MM - 2 * QUIET_MM
    spots = (
        (MARGIN_MM, MARGIN_MM), (MARGIN_MM, (h - side) / 2), (MARGIN_MM, bottom - side),
        (right - side, MARGIN_MM), (right - side, bottom - side),
    )  # fmt: skip
    markers = tuple(PrintedMarker(number, spot, side) for number, spot in zip(ids, spots, strict=True))
    strip = (line, inner, line + STRIP_MM, h - inner)
    return Sheet(name, paper_mm, (inner, MARGIN_MM, line, bottom), strip, markers, (right - QUIET_MM, (h - SCALE_BAR_MM) / 2))


SHEETS = {
    "a4": laid_out("a4", (297.0, 210.0), (1, 7, 9, 10, 12)),
    "letter": laid_out("letter", (279.4, 215.9), (17, 22, 34, 37, 38)),
}
"""By name of the paper. These numbers and CARDS are those of DICTIONARY that the reader took for dice on none of 138 pictures of
them, of 24 to 90 px, in every turn, sharp and soft, in light and dim rooms; most of the others it took for one at some size."""
CARDS = (45, 60, 71, 85)
"""Markers of the four cards, clockwise from the tray's top left corner."""
TIPS = ((1, 1), (-1, 1), (-1, -1), (1, -1))
"""Which corner of its card points into the tray: of the first card the one at the bottom right."""


def marker_modules(number: int) -> NDArray[np.bool_]:
    """(MODULES, MODULES): where a marker is black."""
    return np.asarray(cv2.aruco.generateImageMarker(_dictionary(), number, MODULES) == 0)


# -- seeing --------------------------------------------------------------------------------------------------------------


def find_markers(picture: Picture) -> tuple[Marker, ...]:
    """Every marker of a mat that is seen in the picture, (h, w, 3) or (h, w) uint8; each number once."""
    size_wh = (picture.shape[1], picture.shape[0])
    corners, ids, _ = _detector().detectMarkers(picture)
    if ids is None:
        return ()
    seen = {int(number): four.reshape(4, 2) for number, four in zip(ids.ravel(), corners, strict=True) if number in KNOWN}
    return tuple(Marker(number, quad(four / size_wh)) for number, four in sorted(seen.items()))


def place_from_markers(picture: Picture) -> Place | None:
    """The place of the mat, or of the tray with cards round it, that lies in the picture; None where there is none to be seen."""
    return place_of(find_markers(picture), (picture.shape[1], picture.shape[0]))


def place_of(seen: Sequence[Marker], size_wh: Size) -> Place | None:
    """The place that these markers, seen in a picture of `size_wh`, tell of; None where they tell of none."""
    places = [place for sheet in SHEETS.values() if (place := _sheet_place(sheet, seen, size_wh))]
    carded = _carded_place(seen, size_wh)
    return max(places, key=lambda place: len(place.markers), default=carded)


def _sheet_place(sheet: Sheet, seen: Sequence[Marker], size_wh: Size) -> Place | None:
    printed = {marker.id: marker for marker in sheet.markers}
    ours = [marker for marker in seen if marker.id in printed]
    if len(ours) < MIN_APART:
        return None
    on_sheet = np.concatenate([printed[marker.id].corners_mm for marker in ours])
    in_picture = np.concatenate([in_px(marker.corners, size_wh) for marker in ours])
    found, _ = cv2.findHomography(on_sheet, in_picture, cv2.RANSAC, NEAR_PX * size_wh[0] / 640)
    if found is None:
        return None
    to_px = np.asarray(found, np.float64)
    fits = [m for m in ours if _off(to_px, printed[m.id].corners_mm, in_px(m.corners, size_wh)) < MAX_OFF * size_wh[0]]
    if len(fits) < MIN_APART:
        return None
    x0, y0, x1, y1 = sheet.zone
    corners, strip = _seen_at(to_px, sheet.zone, size_wh), _seen_at(to_px, sheet.strip, size_wh)
    return _usable(corners, strip, (x1 - x0, y1 - y0), fits)


def _carded_place(seen: Sequence[Marker], size_wh: Size) -> Place | None:
    """Of a tray whose four cards are all seen; the size by the markers' sides, as high as the rim on which they lie."""
    cards = {marker.id: marker for marker in seen if marker.id in CARDS}
    if len(cards) < len(CARDS):
        return None
    tips = [_tip(cards[number], way, size_wh) for number, way in zip(CARDS, TIPS, strict=True)]
    return _usable(quad(np.array(tips) / size_wh), None, _size_by(tips, list(cards.values()), size_wh), list(cards.values()))


def _tip(card: Marker, way: tuple[int, int], size_wh: Size) -> Floats:
    """(2,) px: the corner of the tray at which this card points."""
    half = CARD_MARKER_MM / 2
    square = np.array([(-half, -half), (half, -half), (half, half), (-half, half)], np.float32)
    to_px = cv2.getPerspectiveTransform(square, in_px(card.corners, size_wh).astype(np.float32))
    tip = np.array([[way]], np.float64) * (half + TIP_MM)
    return np.asarray(cv2.perspectiveTransform(tip, to_px)[0, 0], np.float64)


def _size_by(tips: Sequence[Floats], cards: Sequence[Marker], size_wh: Size) -> tuple[float, float] | None:
    """Width and depth of the tray, mm: those with which every edge of every marker is CARD_MARKER_MM long (least squares).

    In a square of side 1 laid over the tray an edge is du across and dv down; on the tray (w du)² + (d dv)² is its length squared.
    """
    unit = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], np.float32)
    to_unit = cv2.getPerspectiveTransform(np.array(tips, np.float32), unit).astype(np.float64)
    edges = []
    for card in cards:
        square = cv2.perspectiveTransform(in_px(card.corners, size_wh)[None], to_unit)[0]
        edges.append(np.roll(square, -1, axis=0) - square)
    squared, *_ = np.linalg.lstsq(np.concatenate(edges) ** 2, np.full(4 * len(cards), CARD_MARKER_MM**2), rcond=None)
    if min(squared) <= 0:
        return None
    return float(np.sqrt(squared[0])), float(np.sqrt(squared[1]))


def _usable(corners: Quad, strip: Quad | None, size_mm: tuple[float, float] | None, seen: Sequence[Marker]) -> Place | None:
    """The place, without a strip that lies outside the picture; None where the throwing zone does."""
    for there in (strip, None):
        try:
            return Place(corners, there, size_mm, tuple(seen))
        except PlaceUnusable:
            continue
    return None


def _off(to_px: Floats, corners_mm: Floats, corners_px: Floats) -> float:
    """How far the farthest corner is seen from where the homography has it, px."""
    expected = cv2.perspectiveTransform(corners_mm[None], to_px)[0]
    return float(np.linalg.norm(expected - corners_px, axis=1).max())


def _seen_at(to_px: Floats, rect: Rect, size_wh: Size) -> Quad:
    x0, y0, x1, y1 = rect
    corners = np.array([[(x0, y0), (x1, y0), (x1, y1), (x0, y1)]], np.float64)
    return quad(cv2.perspectiveTransform(corners, to_px)[0] / size_wh)


KNOWN = frozenset(CARDS).union(*({marker.id for marker in sheet.markers} for sheet in SHEETS.values()))


@cache
def _dictionary() -> cv2.aruco.Dictionary:
    return cv2.aruco.getPredefinedDictionary(DICTIONARY)


@cache
def _detector() -> cv2.aruco.ArucoDetector:
    parameters = cv2.aruco.DetectorParameters()
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    return cv2.aruco.ArucoDetector(_dictionary(), parameters)
