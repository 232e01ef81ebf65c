"""Suggests the region of a tray without a mat: a large surface of even colour with four straight edges.

Theory of operation. Flood fills from many seeds give regions of even colour. A region is a candidate for the
tray's floor if it is a quadrilateral, dice included, and if most of each side is an edge in the picture. The
result is only a suggestion to a person. A wrong suggestion is worse than none, so None is common.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frames import Picture
from vision.tray.quads import Floats, area, quad
from vision.tray.region import RegionUnusable, TrayRegion

WIDTH_PX = 320
"""Width of the picture that is searched."""
SEEDS = tuple(itertools.product((0.3, 0.4, 0.5, 0.6, 0.7), repeat=2))
"""Seeds of the flood fill, as shares of the picture."""
TOLERANCES = (7, 12, 20)
"""Tolerances of the flood fill in a and b, 0-255, for even to uneven light. The tolerance in L is
twice as large."""
MEDIAN_PX = 7
"""Size of the median filter against grain, noise and pips."""
MIN_AREA, MAX_AREA = 0.12, 0.95
"""Bounds of the floor's area, as shares of the picture. Dice in a smaller tray are too small to be read, and
a larger tray has no rim in view."""
MIN_SOLIDITY = 0.86
"""Minimum share of the quadrilateral that the region covers, dice included."""
MIN_HULL_IOU = 0.95
"""Minimum IoU of a region's convex hull and quadrilateral. Rounded corners give 0.97, an ellipse 0.8."""
SIDE_MIDDLE, OUTLINE_BAND_SHARE = (0.2, 0.8), 0.08
"""The part of a side that is straight for any shape of corner, and the maximum distance of the side's own
outline from it; both as shares of its length."""
ANGLE_DEG = (58.0, 122.0)
"""Bounds of a tray's corner angles under a camera tilted by up to 30 degrees."""
MAX_SIDE_RATIO = 2.6
"""Maximum ratio of the longest side to the shortest."""
MIN_GRADIENT, MIN_EDGE_SHARE = 5.0, 0.8
"""Minimum gradient across a side at an edge, grey levels per px, and minimum share of every side that is an
edge."""
BORDER_SHARE = 0.012
"""A side this close to the picture's border, as a share of its width, is the border and not a rim."""
SEARCH_PX = 7
"""Distance on both sides of a line within which its edge is searched."""
MAX_OFF_CENTRE = 0.15
"""Maximum distance of the tray's centre from the picture's centre, as a share of its width and height."""
INSETS = tuple(round(0.03 + 0.01 * step, 2) for step in range(14))
"""Distances inwards, as shares of the way to the centre, at which an inner frame is searched. Where the rim
is as dark as the floor, the fill finds its outer edge first."""
SAMPLE_OFFSETS_PX, MIN_CHROMA_STEP = (3, 5, 7), 7.0
"""Offsets from a side at which the colours inside and outside are compared, and the minimum difference in a
and b. Otherwise the outside has to be lighter: a darker outside of the same hue may be a shadow."""


@dataclass(frozen=True, eq=False)
class FloorCandidate:
    """A surface that may be a tray's floor.

    corners: (4, 2) px.
    edge_share: share of its worst side that is an edge, 0-1.
    """

    corners: Floats
    edge_share: float


def region_from_outline(picture: Picture) -> TrayRegion | None:
    """The region of the tray in a picture, (h, w, 3) uint8; None where no surface is clearly one."""
    h, w = picture.shape[:2]
    small = cv2.resize(picture, (WIDTH_PX, max(2, round(h * WIDTH_PX / w))), interpolation=cv2.INTER_AREA)
    lab = cv2.cvtColor(cv2.medianBlur(small, MEDIAN_PX), cv2.COLOR_BGR2LAB)
    gradients = _gradients(np.asarray(cv2.GaussianBlur(small, (0, 0), 1.0), np.uint8))
    colours = np.asarray(lab, np.uint8)
    floors = (_floor_candidate(region, gradients) for region in _filled_regions(colours))
    candidates = [floor for floor in floors if floor is not None]
    innermost = [_innermost(candidate, gradients) for candidate in candidates]
    candidates = [candidate for candidate in innermost if _has_rim(candidate.corners, colours)]
    if not candidates:
        return None
    best = max(candidates, key=lambda candidate: (candidate.edge_share, area(candidate.corners)))
    try:
        return TrayRegion(quad(_from_top_left(best.corners) / np.array(small.shape[1::-1])))
    except RegionUnusable:
        return None


def _from_top_left(corners: Floats) -> Floats:
    """The corners clockwise, from the one at the top left of the picture."""
    middle = corners.mean(axis=0)
    clockwise = corners[np.argsort(np.arctan2(*(corners - middle).T[::-1]))]
    return np.roll(clockwise, -int(clockwise.sum(axis=1).argmin()), axis=0)


def _filled_regions(lab: NDArray[np.uint8]) -> Iterator[NDArray[np.uint8]]:
    """(h, w) uint8 masks: 255 in the connected region of each seed's colour."""
    h, w = lab.shape[:2]
    regions: list[NDArray[np.uint8]] = []
    for tolerance in TOLERANCES:
        for x_share, y_share in SEEDS:
            seed = (int(x_share * w), int(y_share * h))
            if any(region[seed[1], seed[0]] for region in regions[-len(SEEDS) :]):
                continue
            mask = np.zeros((h + 2, w + 2), np.uint8)
            flags = 4 | cv2.FLOODFILL_FIXED_RANGE | cv2.FLOODFILL_MASK_ONLY | (255 << 8)
            tolerances = (2 * tolerance, tolerance, tolerance)
            cv2.floodFill(lab.copy(), mask, seed, (0, 0, 0), tolerances, tolerances, flags)
            region = mask[1:-1, 1:-1]
            if MIN_AREA / 2 * h * w < cv2.countNonZero(region) < MAX_AREA * h * w:
                regions.append(region)
                yield region
        regions.clear()


def _floor_candidate(region: NDArray[np.uint8], gradients: tuple[Floats, Floats]) -> FloorCandidate | None:
    """The region as a candidate for the floor; None where its shape or its edges rule it out."""
    opened = cv2.morphologyEx(region, cv2.MORPH_OPEN, np.ones((5, 5), np.uint8))
    contours, _ = cv2.findContours(opened, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    if not contours:
        return None
    contour = max(contours, key=cv2.contourArea)
    hull = np.asarray(cv2.convexHull(contour), np.int32)
    corners = _four_corners(hull)
    if corners is None or not _is_plausible(corners, region.shape[1::-1]):
        return None
    quad_area = area(corners)
    if (
        cv2.contourArea(contour) < MIN_SOLIDITY * quad_area
        or _iou(hull.reshape(-1, 2), corners) < MIN_HULL_IOU
    ):
        return None
    corners, edge_share = _fit_to_edges(corners, gradients)
    if edge_share < MIN_EDGE_SHARE or not _is_plausible(corners, region.shape[1::-1]):
        return None
    return FloorCandidate(corners, edge_share)


def _four_corners(hull: NDArray[np.int32]) -> Floats | None:
    """The four corners of a hull, (4, 2) px; None where it has another number of sides."""
    length = cv2.arcLength(hull, True)
    for share in (0.01, 0.015, 0.02, 0.03, 0.04, 0.05):
        corners = cv2.approxPolyDP(hull, share * length, True)
        if len(corners) <= 4:
            return (
                _fit_to_outline(hull, corners.reshape(-1, 2).astype(np.float64))
                if len(corners) == 4
                else None
            )
    return None


def _fit_to_outline(hull: NDArray[np.int32], corners: Floats) -> Floats:
    """The corners, (4, 2) px, as intersections of lines fitted to the middle of each side.

    Shadows in the corners round the outline of a floor.
    """
    outline = np.zeros(tuple(hull.reshape(-1, 2).max(axis=0)[::-1] + 2), np.uint8)
    cv2.polylines(outline, [hull], True, 255)
    points = np.argwhere(outline)[:, ::-1].astype(np.float64)
    lines = []
    for begin, end in itertools.pairwise([*corners, corners[0]]):
        side, length = end - begin, float(np.linalg.norm(end - begin))
        along = (points - begin) @ side / length**2
        beside = np.abs((points - begin) @ np.array([-side[1], side[0]])) / length**2
        in_middle = (along > SIDE_MIDDLE[0]) & (along < SIDE_MIDDLE[1])
        side_points = points[in_middle & (beside < OUTLINE_BAND_SHARE)].astype(np.float32)
        if len(side_points) < 2:
            return corners
        vx, vy, x, y = cv2.fitLine(side_points, cv2.DIST_HUBER, 0, 0.01, 0.01).ravel()
        lines.append((np.array([x, y]), np.array([vx, vy])))
    return np.array([_intersection(lines[i - 1], lines[i]) for i in range(4)])


def _is_plausible(corners: Floats, size_wh: tuple[int, ...]) -> bool:
    """Whether a tray seen from above, with its rim in view, can have these corners."""
    size = np.array(size_wh, np.float64)
    if not MIN_AREA <= area(corners) / size.prod() <= MAX_AREA:
        return False
    if np.abs(corners.mean(axis=0) / size - 0.5).max() > MAX_OFF_CENTRE:
        return False
    sides = np.roll(corners, -1, axis=0) - corners
    lengths = np.linalg.norm(sides, axis=1)
    if lengths.max() > MAX_SIDE_RATIO * lengths.min():
        return False
    angles_deg = np.degrees(
        np.arccos(
            np.clip(
                -np.sum(sides * np.roll(sides, 1, axis=0), axis=1) / (lengths * np.roll(lengths, 1)), -1, 1
            )
        )
    )
    if angles_deg.min() < ANGLE_DEG[0] or angles_deg.max() > ANGLE_DEG[1]:
        return False
    near = np.minimum(corners, size - corners) < BORDER_SHARE * size[0]
    return not (near & np.roll(near, -1, axis=0)).any()


def _fit_to_edges(corners: Floats, gradients: tuple[Floats, Floats]) -> tuple[Floats, float]:
    """The corners as intersections of lines fitted to the edges, and the edge share of the worst side."""
    lines, worst = [], 1.0
    for begin, end in itertools.pairwise([*corners, corners[0]]):
        along = (end - begin) / np.linalg.norm(end - begin)
        points, gradients_across = _edge_profiles(begin, end, gradients)
        strongest = np.abs(gradients_across).argmax(axis=1)
        is_edge = np.abs(gradients_across).max(axis=1) >= MIN_GRADIENT
        worst = min(worst, float(is_edge.mean()))
        if is_edge.sum() < 2:
            return corners, 0.0
        edge = points[np.arange(len(points)), strongest][is_edge].astype(np.float32)
        vx, vy, x, y = cv2.fitLine(edge, cv2.DIST_HUBER, 0, 0.01, 0.01).ravel()
        lines.append((np.array([x, y]), np.array([vx, vy]) if abs(along @ (vx, vy)) > 0.98 else along))
    return np.array([_intersection(lines[i - 1], lines[i]) for i in range(4)]), worst


def _innermost(candidate: FloorCandidate, gradients: tuple[Floats, Floats]) -> FloorCandidate:
    """The innermost of several nested frames: the inner edge of a rim."""
    innermost = candidate
    middle = candidate.corners.mean(axis=0)
    for inset in INSETS:
        start = candidate.corners + inset * (middle - candidate.corners)
        corners, edge_share = _fit_to_edges(start, gradients)
        if edge_share >= MIN_EDGE_SHARE and area(corners) < 0.97 * area(innermost.corners):
            innermost = FloorCandidate(corners, edge_share)
    return innermost


def _has_rim(corners: Floats, lab: NDArray[np.uint8]) -> bool:
    """Whether the colour changes at every side by more than a shadow explains."""
    both_sides = [_colours_beside(corners, lab, sign) for sign in (-1, 1)]
    inside, outside = sorted(both_sides, key=lambda side: side[1])
    lighter = outside[0][:, 0] - inside[0][:, 0] > MIN_GRADIENT
    differs = np.linalg.norm(outside[0][:, 1:] - inside[0][:, 1:], axis=1) > MIN_CHROMA_STEP
    return bool((lighter | differs).all())


def _colours_beside(corners: Floats, lab: NDArray[np.uint8], sign: int) -> tuple[Floats, float]:
    """(4, 3) median colour beside each side, and the area within the sampled points.

    sign: which side of the line.
    """
    colours, middles = [], []
    for begin, end in itertools.pairwise([*corners, corners[0]]):
        normal = sign * np.array([begin[1] - end[1], end[0] - begin[0]]) / np.linalg.norm(end - begin)
        along = begin + np.linspace(0.1, 0.9, 30)[:, None] * (end - begin)
        points = np.concatenate([along + px * normal for px in SAMPLE_OFFSETS_PX])
        x, y = (np.clip(np.rint(points[:, i]), 0, lab.shape[1 - i] - 1).astype(int) for i in (0, 1))
        colours.append(np.median(lab[y, x].astype(np.float64), axis=0))
        middles.append(points.mean(axis=0))
    return np.array(colours), area(np.array(middles))


def _edge_profiles(begin: Floats, end: Floats, gradients: tuple[Floats, Floats]) -> tuple[Floats, Floats]:
    """Points along and across a side, (n, 2 SEARCH_PX + 1, 2) px, and the gradient across it there."""
    length = float(np.linalg.norm(end - begin))
    along = (end - begin) / length
    normal = np.array([-along[1], along[0]])
    positions = np.linspace(0.06, 0.94, max(8, int(length / 2)))[:, None, None] * (end - begin)
    points = begin + positions + np.arange(-SEARCH_PX, SEARCH_PX + 1)[None, :, None] * normal
    x, y = (points[..., i].astype(np.float32) for i in (0, 1))
    gx, gy = (cv2.remap(gradient.astype(np.float32), x, y, cv2.INTER_LINEAR) for gradient in gradients)
    return points, np.asarray(gx * normal[0] + gy * normal[1], np.float64)


def _intersection(a: tuple[Floats, Floats], b: tuple[Floats, Floats]) -> Floats:
    """The intersection of two lines, each a point and a direction."""
    (p, u), (q, v) = a, b
    distance, _ = np.linalg.lstsq(np.stack([u, -v], axis=1), q - p, rcond=None)[0]
    return np.asarray(p + distance * u, np.float64)


def _gradients(picture: NDArray[np.uint8]) -> tuple[Floats, Floats]:
    """Gradients to the right and down, grey levels per px, of the channel that changes most."""
    both = []
    for dx, dy in ((1, 0), (0, 1)):
        channels = cv2.Sobel(picture, cv2.CV_32F, dx, dy, scale=1 / 8)
        strongest = np.abs(channels).argmax(axis=2)[..., None]
        both.append(np.take_along_axis(channels, strongest, axis=2)[..., 0].astype(np.float64))
    return both[0], both[1]


def _iou(hull: NDArray[np.int32], corners: Floats) -> float:
    """IoU of two convex polygons."""
    common = float(cv2.intersectConvexConvex(hull.astype(np.float32), corners.astype(np.float32))[0])
    return common / (area(hull.astype(np.float64)) + area(corners) - common)
