"""The printed mat: its layout in millimetres, and its detection in a picture by ArUco markers.

A sheet has a throwing zone, a set-aside strip and five markers in one plane, so a homography from the sheet
to the picture gives the place of everything. Four cards, each with one marker, are glued round a tray of any
size. Each card points at one corner of the tray, and the size of the tray follows from the size of the
markers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frames import Picture
from vision.tray.quads import Floats, Quad, Size, in_px, quad
from vision.tray.region import Marker, RegionUnusable, TrayRegion

DICTIONARY = cv2.aruco.DICT_4X4_100
MODULES = 6
"""Black and white squares along a marker's side, with its black border."""
SHEET_MARKER_MM, CARD_MARKER_MM = 18.0, 24.0
"""Sides of the printed markers. In a picture 640 px wide of a 297 mm sheet, 18 mm are 39 px; 8 px, a module
of a px and a third, are enough."""
MARGIN_MM = 8.0
"""Margin of the sheet. Home printers leave 3 to 6.4 mm unprinted."""
QUIET_MM = 3.0
"""Quiet zone round a marker. It has to be at least one module, a sixth of the marker's side."""
BAND_MM = 5.0
"""Width of the plaited band round the throwing zone. The band is part of the zone."""
STRIP_MM = 34.0
"""Width of the set-aside strip: two dice side by side with space."""
SCALE_BAR_MM = 100.0
TIP_MM = 4.0
"""Distance along both edges of a card from the marker's corner to the card's corner at the tray's corner."""
MIN_SHEET_MARKERS = 2
"""Minimum number of detected markers of a sheet. One alone locates the far end to 3 % of the length."""
MAX_ERROR_SHARE = 0.006
"""Maximum reprojection error of a marker's corner, as a share of the picture's width. A lens with 1 %
distortion causes half of it."""
RANSAC_PX = 1.5
"""RANSAC threshold, px, in a picture 640 px wide. Corners are detected to a px."""

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
        right, bottom = x + self.side_mm, y + self.side_mm
        return np.array([(x, y), (right, y), (right, bottom), (x, bottom)])


@dataclass(frozen=True)
class Sheet:
    """A mat on one sheet of paper, mm from its top left corner.

    zone: throwing zone.
    strip: set-aside strip, which shares an edge with the zone.
    bar_at_mm: upper end of the scale bar, SCALE_BAR_MM long.
    """

    name: str
    paper_mm: tuple[float, float]
    zone: Rect
    strip: Rect
    markers: tuple[PrintedMarker, ...] = field(repr=False)
    bar_at_mm: tuple[float, float]


def make_sheet(name: str, paper_mm: tuple[float, float], ids: Sequence[int]) -> Sheet:
    """A landscape sheet of this size: three markers in a column on the left, one at each end of the strip."""
    (w, h), side = paper_mm, SHEET_MARKER_MM
    right, bottom = w - MARGIN_MM, h - MARGIN_MM
    inner = MARGIN_MM + side + QUIET_MM
    line = right - STRIP_MM - 2 * QUIET_MM
    positions = (
        (MARGIN_MM, MARGIN_MM), (MARGIN_MM, (h - side) / 2), (MARGIN_MM, bottom - side),
        (right - side, MARGIN_MM), (right - side, bottom - side),
    )  # fmt: skip
    markers = tuple(
        PrintedMarker(number, position, side) for number, position in zip(ids, positions, strict=True)
    )
    strip = (line, inner, line + STRIP_MM, h - inner)
    return Sheet(
        name,
        paper_mm,
        (inner, MARGIN_MM, line, bottom),
        strip,
        markers,
        (right - QUIET_MM, (h - SCALE_BAR_MM) / 2),
    )


SHEETS = {
    "a4": make_sheet("a4", (297.0, 210.0), (1, 7, 9, 10, 12)),
    "letter": make_sheet("letter", (279.4, 215.9), (17, 22, 34, 37, 38)),
}
"""Sheets by the name of the paper. The reader detects a die in none of 138 pictures of these marker numbers
and of CARDS (24 to 90 px, all rotations, sharp and blurred, in bright and dim rooms). It mistakes most
other numbers of DICTIONARY for a die at some size."""
CARDS = (45, 60, 71, 85)
"""Marker numbers of the four cards, clockwise from the tray's top left corner."""
TIPS = ((1, 1), (-1, 1), (-1, -1), (1, -1))
"""The corner of each card that points into the tray, as x and y signs. On the first card it is
the bottom right."""


def marker_modules(number: int) -> NDArray[np.bool_]:
    """(MODULES, MODULES) bool: True where the marker is black."""
    return np.asarray(cv2.aruco.generateImageMarker(_dictionary(), number, MODULES) == 0)


# -- detection -------------------------------------------------------------------------------------


def find_markers(picture: Picture) -> tuple[Marker, ...]:
    """All markers of a mat in the picture, (h, w, 3) or (h, w) uint8; each number once."""
    size_wh = (picture.shape[1], picture.shape[0])
    corners, ids, _ = _detector().detectMarkers(picture)
    if ids is None:
        return ()
    detected = {int(number): four.reshape(4, 2) for number, four in zip(ids.ravel(), corners, strict=True)}
    markers = {number: four for number, four in detected.items() if number in KNOWN_IDS}
    return tuple(Marker(number, quad(four / size_wh)) for number, four in sorted(markers.items()))


def region_from_markers(picture: Picture) -> TrayRegion | None:
    """The region of the mat, or of the tray with cards, in the picture; None where none is detected."""
    return region_of_markers(find_markers(picture), (picture.shape[1], picture.shape[0]))


def region_of_markers(markers: Sequence[Marker], size_wh: Size) -> TrayRegion | None:
    """The region given by these markers, detected in a picture of `size_wh`; None where they are too few."""
    regions = [region for sheet in SHEETS.values() if (region := _region_of_sheet(sheet, markers, size_wh))]
    region_of_cards = _region_of_cards(markers, size_wh)
    return max(regions, key=lambda region: len(region.markers), default=region_of_cards)


def _region_of_sheet(sheet: Sheet, markers: Sequence[Marker], size_wh: Size) -> TrayRegion | None:
    printed = {marker.id: marker for marker in sheet.markers}
    matched = [marker for marker in markers if marker.id in printed]
    if len(matched) < MIN_SHEET_MARKERS:
        return None
    on_sheet = np.concatenate([printed[marker.id].corners_mm for marker in matched])
    in_picture = np.concatenate([in_px(marker.corners, size_wh) for marker in matched])
    homography, _ = cv2.findHomography(on_sheet, in_picture, cv2.RANSAC, RANSAC_PX * size_wh[0] / 640)
    if homography is None:
        return None
    to_px = np.asarray(homography, np.float64)
    limit_px = MAX_ERROR_SHARE * size_wh[0]

    def error_px(marker: Marker) -> float:
        return _reprojection_error_px(to_px, printed[marker.id].corners_mm, in_px(marker.corners, size_wh))

    inliers = [marker for marker in matched if error_px(marker) < limit_px]
    if len(inliers) < MIN_SHEET_MARKERS:
        return None
    x0, y0, x1, y1 = sheet.zone
    corners, strip = _projected(to_px, sheet.zone, size_wh), _projected(to_px, sheet.strip, size_wh)
    return _region_or_none(corners, strip, (x1 - x0, y1 - y0), inliers)


def _region_of_cards(markers: Sequence[Marker], size_wh: Size) -> TrayRegion | None:
    """The region of a tray whose four cards are all detected.

    Its size is measured at the height of the markers, the rim.
    """
    cards = {marker.id: marker for marker in markers if marker.id in CARDS}
    if len(cards) < len(CARDS):
        return None
    tips = [_tip(cards[number], direction, size_wh) for number, direction in zip(CARDS, TIPS, strict=True)]
    return _region_or_none(
        quad(np.array(tips) / size_wh),
        None,
        _tray_size_mm(tips, list(cards.values()), size_wh),
        list(cards.values()),
    )


def _tip(card: Marker, direction: tuple[int, int], size_wh: Size) -> Floats:
    """(2,) px: the corner of the tray that this card points at."""
    half = CARD_MARKER_MM / 2
    square = np.array([(-half, -half), (half, -half), (half, half), (-half, half)], np.float32)
    to_px = cv2.getPerspectiveTransform(square, in_px(card.corners, size_wh).astype(np.float32))
    tip = np.array([[direction]], np.float64) * (half + TIP_MM)
    return np.asarray(cv2.perspectiveTransform(tip, to_px)[0, 0], np.float64)


def _tray_size_mm(
    tips: Sequence[Floats], cards: Sequence[Marker], size_wh: Size
) -> tuple[float, float] | None:
    """Width w and depth d of the tray, mm, that make every marker edge CARD_MARKER_MM long (least squares).

    In a unit square over the tray an edge spans du by dv; its squared length on the tray is (w du)² + (d
    dv)².
    """
    unit = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], np.float32)
    to_unit = cv2.getPerspectiveTransform(np.array(tips, np.float32), unit).astype(np.float64)
    edges = []
    for card in cards:
        square = cv2.perspectiveTransform(in_px(card.corners, size_wh)[None], to_unit)[0]
        edges.append(np.roll(square, -1, axis=0) - square)
    squared_edges = np.full(4 * len(cards), CARD_MARKER_MM**2)
    squared_sides, *_ = np.linalg.lstsq(np.concatenate(edges) ** 2, squared_edges, rcond=None)
    if min(squared_sides) <= 0:
        return None
    return float(np.sqrt(squared_sides[0])), float(np.sqrt(squared_sides[1]))


def _region_or_none(
    corners: Quad, strip: Quad | None, size_mm: tuple[float, float] | None, markers: Sequence[Marker]
) -> TrayRegion | None:
    """The region, without a strip that is unusable; None where the throwing zone is unusable."""
    for usable_strip in (strip, None):
        try:
            return TrayRegion(corners, usable_strip, size_mm, tuple(markers))
        except RegionUnusable:
            continue
    return None


def _reprojection_error_px(to_px: Floats, corners_mm: Floats, corners_px: Floats) -> float:
    """Largest distance between a detected corner and its projection, px."""
    expected = cv2.perspectiveTransform(corners_mm[None], to_px)[0]
    return float(np.linalg.norm(expected - corners_px, axis=1).max())


def _projected(to_px: Floats, rect: Rect, size_wh: Size) -> Quad:
    x0, y0, x1, y1 = rect
    corners = np.array([[(x0, y0), (x1, y0), (x1, y1), (x0, y1)]], np.float64)
    return quad(cv2.perspectiveTransform(corners, to_px)[0] / size_wh)


KNOWN_IDS = frozenset(CARDS).union(*({marker.id for marker in sheet.markers} for sheet in SHEETS.values()))


@cache
def _dictionary() -> cv2.aruco.Dictionary:
    return cv2.aruco.getPredefinedDictionary(DICTIONARY)


@cache
def _detector() -> cv2.aruco.ArucoDetector:
    parameters = cv2.aruco.DetectorParameters()
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    return cv2.aruco.ArucoDetector(_dictionary(), parameters)
