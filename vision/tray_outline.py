"""Suggests where the tray lies in a picture without a mat: a large, evenly lined surface with four straight edges.

From many seeds the lining is filled as far as its colour goes; what was filled is a tray's floor if it is a quadrilateral, dice and
all, and if most of each of its sides is an edge of the picture. It is only ever suggested to a person: a wrong suggestion is worse
than none, and None is common.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frames import Picture
from vision.place import Place, PlaceUnusable
from vision.quads import Floats, area, quad

WIDTH_PX = 320
"""Of the picture that is searched."""
SEEDS = tuple(itertools.product((0.3, 0.4, 0.5, 0.6, 0.7), repeat=2))
"""Where filling begins, as shares of the picture."""
TOLERANCES = (7, 12, 20)
"""How far from the seed's colour the lining goes, in a and b of 0-255 and twice that in L: in even light, and in uneven."""
SMOOTH_PX = 7
"""Median filter against grain, noise and pips."""
MIN_AREA, MAX_AREA = 0.12, 0.95
"""Of the picture: a tray that is smaller shows dice too small to be read; one that is larger has no rim in view."""
MIN_SOLID = 0.86
"""Share of the quadrilateral that the lining fills, dice counted with it."""
MIN_FIT = 0.95
"""Overlap (IoU) of the lining's convex hull and its quadrilateral: rounded corners leave 0.97, an ellipse 0.8."""
MIDDLE, BESIDE_SHARE = (0.2, 0.8), 0.08
"""The part of a side that is straight whatever its corners are like, and how far beside it the outline is its own, in its lengths."""
ANGLE_DEG = (58.0, 122.0)
"""Corners of a tray under a camera that leans by up to 30 degrees."""
MAX_SIDES = 2.6
"""The longest side to the shortest."""
MIN_EDGE, EDGE_SHARE = 5.0, 0.8
"""A px of a side is an edge where the grey levels across it differ by so much a px; this share of every side has to be."""
BORDER_SHARE = 0.012
"""A side that runs this near to the picture's border is the picture's end, not a rim."""
ACROSS_PX = 7
"""How far across a side its edge is searched for."""
CENTRE_SHARE = 0.15
"""A tray's middle lies this near to the picture's middle, as a share of its width and height."""
INSETS = tuple(round(0.03 + 0.01 * step, 2) for step in range(14))
"""Shares of the way to its middle at which a frame within the frame is looked for: of a rim as dark as the lining, the outer edge is
found first."""
BESIDE_PX, MIN_HUE = (3, 5, 7), 7.0
"""Inside and outside of a side, so far from it, the colour differs by so much in a and b, or it is lighter outside: else the side may
be the edge of a shadow."""


@dataclass(frozen=True, eq=False)
class Lined:
    """A surface that may be a tray's floor. corners: (4, 2) px; edged: the share of its worst side that is an edge, 0-1."""

    corners: Floats
    edged: float


def place_from_outline(picture: Picture) -> Place | None:
    """The place of what looks like a tray, (h, w, 3) uint8; None where nothing does beyond doubt."""
    h, w = picture.shape[:2]
    small = cv2.resize(picture, (WIDTH_PX, max(2, round(h * WIDTH_PX / w))), interpolation=cv2.INTER_AREA)
    lab = cv2.cvtColor(cv2.medianBlur(small, SMOOTH_PX), cv2.COLOR_BGR2LAB)
    slopes = _slopes(np.asarray(cv2.GaussianBlur(small, (0, 0), 1.0), np.uint8))
    colours = np.asarray(lab, np.uint8)
    found = [lined for region in _linings(colours) if (lined := _lined(region, slopes)) is not None]
    found = [inner for lined in found if _rimmed((inner := _innermost(lined, slopes)).corners, colours)]
    if not found:
        return None
    best = max(found, key=lambda lined: (lined.edged, area(lined.corners)))
    try:
        return Place(quad(_from_top_left(best.corners) / np.array(small.shape[1::-1])))
    except PlaceUnusable:
        return None


def _from_top_left(corners: Floats) -> Floats:
    """The corners clockwise, from the one at the top left of the picture."""
    middle = corners.mean(axis=0)
    clockwise = corners[np.argsort(np.arctan2(*(corners - middle).T[::-1]))]
    return np.roll(clockwise, -int(clockwise.sum(axis=1).argmin()), axis=0)


def _linings(lab: NDArray[np.uint8]) -> Iterator[NDArray[np.uint8]]:
    """(h, w) uint8, 255 where a lining is: everything of the colour at each seed that hangs together with it."""
    h, w = lab.shape[:2]
    known: list[NDArray[np.uint8]] = []
    for tolerance in TOLERANCES:
        for x_share, y_share in SEEDS:
            seed = (int(x_share * w), int(y_share * h))
            if any(region[seed[1], seed[0]] for region in known[-len(SEEDS) :]):
                continue
            mask = np.zeros((h + 2, w + 2), np.uint8)
            flags = 4 | cv2.FLOODFILL_FIXED_RANGE | cv2.FLOODFILL_MASK_ONLY | (255 << 8)
            reach = (2 * tolerance, tolerance, tolerance)
            cv2.floodFill(lab.copy(), mask, seed, (0, 0, 0), reach, reach, flags)
            region = mask[1:-1, 1:-1]
            if MIN_AREA / 2 * h * w < cv2.countNonZero(region) < MAX_AREA * h * w:
                known.append(region)
                yield region
        known.clear()


def _lined(region: NDArray[np.uint8], slopes: tuple[Floats, Floats]) -> Lined | None:
    """The region as a tray's floor; None where it is none."""
    opened = cv2.morphologyEx(region, cv2.MORPH_OPEN, np.ones((5, 5), np.uint8))
    contours, _ = cv2.findContours(opened, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    if not contours:
        return None
    contour = max(contours, key=cv2.contourArea)
    hull = np.asarray(cv2.convexHull(contour), np.int32)
    corners = _four(hull)
    if corners is None or not _like_a_tray(corners, region.shape[1::-1]):
        return None
    whole = area(corners)
    if cv2.contourArea(contour) < MIN_SOLID * whole or _overlap(hull.reshape(-1, 2), corners) < MIN_FIT:
        return None
    corners, edged = _on_edges(corners, slopes)
    if edged < EDGE_SHARE or not _like_a_tray(corners, region.shape[1::-1]):
        return None
    return Lined(corners, edged)


def _four(hull: NDArray[np.int32]) -> Floats | None:
    """The four corners of a hull, (4, 2) px; None where it has another number of sides."""
    length = cv2.arcLength(hull, True)
    for share in (0.01, 0.015, 0.02, 0.03, 0.04, 0.05):
        corners = cv2.approxPolyDP(hull, share * length, True)
        if len(corners) <= 4:
            return _along_sides(hull, corners.reshape(-1, 2).astype(np.float64)) if len(corners) == 4 else None
    return None


def _along_sides(hull: NDArray[np.int32], corners: Floats) -> Floats:
    """The corners where lines along the middle of each side meet: shadow in its corners rounds a floor off."""
    outline = np.zeros(tuple(hull.reshape(-1, 2).max(axis=0)[::-1] + 2), np.uint8)
    cv2.polylines(outline, [hull], True, 255)
    points = np.argwhere(outline)[:, ::-1].astype(np.float64)
    lines = []
    for begin, end in itertools.pairwise([*corners, corners[0]]):
        side, length = end - begin, float(np.linalg.norm(end - begin))
        along = (points - begin) @ side / length**2
        beside = np.abs((points - begin) @ np.array([-side[1], side[0]])) / length**2
        mine = points[(along > MIDDLE[0]) & (along < MIDDLE[1]) & (beside < BESIDE_SHARE)].astype(np.float32)
        if len(mine) < 2:
            return corners
        vx, vy, x, y = cv2.fitLine(mine, cv2.DIST_HUBER, 0, 0.01, 0.01).ravel()
        lines.append((np.array([x, y]), np.array([vx, vy])))
    return np.array([_meeting(lines[i - 1], lines[i]) for i in range(4)])


def _like_a_tray(corners: Floats, size_wh: tuple[int, ...]) -> bool:
    """Whether these corners can be a tray's seen from above, with a rim round it in the picture."""
    size = np.array(size_wh, np.float64)
    if not MIN_AREA <= area(corners) / size.prod() <= MAX_AREA:
        return False
    if np.abs(corners.mean(axis=0) / size - 0.5).max() > CENTRE_SHARE:
        return False
    sides = np.roll(corners, -1, axis=0) - corners
    lengths = np.linalg.norm(sides, axis=1)
    if lengths.max() > MAX_SIDES * lengths.min():
        return False
    turns = np.degrees(np.arccos(np.clip(-np.sum(sides * np.roll(sides, 1, axis=0), axis=1) / (lengths * np.roll(lengths, 1)), -1, 1)))
    if turns.min() < ANGLE_DEG[0] or turns.max() > ANGLE_DEG[1]:
        return False
    near = np.minimum(corners, size - corners) < BORDER_SHARE * size[0]
    return not (near & np.roll(near, -1, axis=0)).any()


def _on_edges(corners: Floats, slopes: tuple[Floats, Floats]) -> tuple[Floats, float]:
    """The corners where lines through the edges beside each side meet, and the share of the worst side that is an edge."""
    lines, worst = [], 1.0
    for begin, end in itertools.pairwise([*corners, corners[0]]):
        along = (end - begin) / np.linalg.norm(end - begin)
        points, steps = _across(begin, end, slopes)
        strongest = np.abs(steps).argmax(axis=1)
        strong = np.abs(steps).max(axis=1) >= MIN_EDGE
        worst = min(worst, float(strong.mean()))
        if strong.sum() < 2:
            return corners, 0.0
        edge = points[np.arange(len(points)), strongest][strong].astype(np.float32)
        vx, vy, x, y = cv2.fitLine(edge, cv2.DIST_HUBER, 0, 0.01, 0.01).ravel()
        lines.append((np.array([x, y]), np.array([vx, vy]) if abs(along @ (vx, vy)) > 0.98 else along))
    return np.array([_meeting(lines[i - 1], lines[i]) for i in range(4)]), worst


def _innermost(lined: Lined, slopes: tuple[Floats, Floats]) -> Lined:
    """The frame farthest in of those that lie in one another: of a rim, its inner edge."""
    inner = lined
    middle = lined.corners.mean(axis=0)
    for inset in INSETS:
        corners, edged = _on_edges(lined.corners + inset * (middle - lined.corners), slopes)
        if edged >= EDGE_SHARE and area(corners) < 0.97 * area(inner.corners):
            inner = Lined(corners, edged)
    return inner


def _rimmed(corners: Floats, lab: NDArray[np.uint8]) -> bool:
    """Whether something else begins at every side, and not a shadow."""
    aside = [_beside(corners, lab, way) for way in (-1, 1)]
    inside, outside = sorted(aside, key=lambda one: one[1])
    lighter = outside[0][:, 0] - inside[0][:, 0] > MIN_EDGE
    other = np.linalg.norm(outside[0][:, 1:] - inside[0][:, 1:], axis=1) > MIN_HUE
    return bool((lighter | other).all())


def _beside(corners: Floats, lab: NDArray[np.uint8], way: int) -> tuple[Floats, float]:
    """(4, 3) the median colour beside each side, and how large the frame of those places is."""
    colours, places = [], []
    for begin, end in itertools.pairwise([*corners, corners[0]]):
        aside = way * np.array([begin[1] - end[1], end[0] - begin[0]]) / np.linalg.norm(end - begin)
        along = begin + np.linspace(0.1, 0.9, 30)[:, None] * (end - begin)
        points = np.concatenate([along + px * aside for px in BESIDE_PX])
        x, y = (np.clip(np.rint(points[:, i]), 0, lab.shape[1 - i] - 1).astype(int) for i in (0, 1))
        colours.append(np.median(lab[y, x].astype(np.float64), axis=0))
        places.append(points.mean(axis=0))
    return np.array(colours), area(np.array(places))


def _across(begin: Floats, end: Floats, slopes: tuple[Floats, Floats]) -> tuple[Floats, Floats]:
    """Points along a side and up to ACROSS_PX beside it, (n, 2 ACROSS_PX + 1, 2) px, and how steeply the grey levels change there."""
    length = float(np.linalg.norm(end - begin))
    along = (end - begin) / length
    aside = np.array([-along[1], along[0]])
    places = np.linspace(0.06, 0.94, max(8, int(length / 2)))[:, None, None] * (end - begin)
    points = begin + places + np.arange(-ACROSS_PX, ACROSS_PX + 1)[None, :, None] * aside
    x, y = (points[..., i].astype(np.float32) for i in (0, 1))
    gx, gy = (cv2.remap(slope.astype(np.float32), x, y, cv2.INTER_LINEAR) for slope in slopes)
    return points, np.asarray(gx * aside[0] + gy * aside[1], np.float64)


def _meeting(one: tuple[Floats, Floats], other: tuple[Floats, Floats]) -> Floats:
    """Where two lines, each a point and a direction, cross."""
    (p, u), (q, v) = one, other
    reach, _ = np.linalg.lstsq(np.stack([u, -v], axis=1), q - p, rcond=None)[0]
    return np.asarray(p + reach * u, np.float64)


def _slopes(picture: NDArray[np.uint8]) -> tuple[Floats, Floats]:
    """Grey levels a px, to the right and down: of whichever of the three channels changes most."""
    both = []
    for dx, dy in ((1, 0), (0, 1)):
        each = cv2.Sobel(picture, cv2.CV_32F, dx, dy, scale=1 / 8)
        most = np.abs(each).argmax(axis=2)[..., None]
        both.append(np.take_along_axis(each, most, axis=2)[..., 0].astype(np.float64))
    return both[0], both[1]


def _overlap(hull: NDArray[np.int32], corners: Floats) -> float:
    """IoU of two convex polygons."""
    common = float(cv2.intersectConvexConvex(hull.astype(np.float32), corners.astype(np.float32))[0])
    return common / (area(hull.astype(np.float64)) + area(corners) - common)
