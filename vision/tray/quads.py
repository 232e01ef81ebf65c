"""Quadrilaterals in a picture: the corners of a tray, a strip or a printed marker."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

Point = tuple[float, float]
"""x, y as shares of the picture's width and height: (0, 0) is top left, (1, 1) is bottom right."""
Quad = tuple[Point, Point, Point, Point]
"""Four corners in order around a convex quadrilateral, either way round."""
Size = tuple[int, int]
"""Width, height, px."""
Floats = NDArray[np.float64]

MIN_CORNER_SINE = 1e-3
"""Minimum sine of the angle at a corner: three corners in a line make a triangle."""


def quad(points: Iterable[Iterable[float]]) -> Quad:
    """Four points of any type, such as a (4, 2) array, as a Quad."""
    a, b, c, d = ((float(x), float(y)) for x, y in points)
    return a, b, c, d


def in_px(corners: Quad, size_wh: Size) -> Floats:
    """(4, 2) px of a picture of `size_wh`."""
    return np.array(corners, np.float64) * np.array(size_wh, np.float64)


def is_convex(corners: Quad) -> bool:
    """Whether the corners turn the same way all round: not crossed, and no three in a line."""
    points = np.array(corners, np.float64)
    edges = np.roll(points, -1, axis=0) - points
    edges /= np.maximum(np.linalg.norm(edges, axis=1, keepdims=True), 1e-12)
    next_edges = np.roll(edges, -1, axis=0)
    sines = edges[:, 0] * next_edges[:, 1] - edges[:, 1] * next_edges[:, 0]
    return bool((sines > MIN_CORNER_SINE).all() or (sines < -MIN_CORNER_SINE).all())


def area(points: Floats) -> float:
    """Area within these corners, (n, 2), in their unit squared (shoelace formula)."""
    x, y = points[:, 0], points[:, 1]
    return float(abs(np.dot(x, np.roll(y, -1)) - np.dot(y, np.roll(x, -1))) / 2)


def visible_area(corners: Quad) -> float:
    """Area of the part of a convex quadrilateral that is in the picture, as a share of the picture."""
    picture = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], np.float32)
    return float(cv2.intersectConvexConvex(np.array(corners, np.float32), picture)[0])


def signed_distance_px(corners: Quad, xy: Sequence[float], size_wh: Size) -> float:
    """Distance of this point, px, from the quadrilateral's nearest edge, px; negative outside."""
    polygon = in_px(corners, size_wh).astype(np.float32)
    return float(cv2.pointPolygonTest(polygon, (float(xy[0]), float(xy[1])), True))


def moved(corners: Quad, homography: Floats) -> Quad:
    """The corners transformed by a (3, 3) homography from shares to shares."""
    return quad(cv2.perspectiveTransform(np.array([corners], np.float64), homography)[0])


def in_shares(homography_px: Floats, size_wh: Size) -> Floats:
    """A (3, 3) homography between pictures of `size_wh`, px, as one between shares of the picture."""
    to_px = np.diag([float(size_wh[0]), float(size_wh[1]), 1.0])
    return np.asarray(np.linalg.inv(to_px) @ homography_px @ to_px, np.float64)
