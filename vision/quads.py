"""Quadrilaterals in a picture: where the corners of a tray, a strip or a printed marker lie."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

Point = tuple[float, float]
"""x, y as shares of the picture's width and height: 0, 0 is its top left corner and 1, 1 its bottom right one."""
Quad = tuple[Point, Point, Point, Point]
"""Four corners in order round a convex quadrilateral; either way round."""
Size = tuple[int, int]
"""Width, height, px."""
Floats = NDArray[np.float64]

MIN_BEND = 1e-3
"""Sine of the least angle at a corner: three corners in a line make a triangle."""


def quad(points: Iterable[Iterable[float]]) -> Quad:
    """Four points of any make, a (4, 2) array among them, as a Quad."""
    a, b, c, d = ((float(x), float(y)) for x, y in points)
    return a, b, c, d


def in_px(corners: Quad, size_wh: Size) -> Floats:
    """(4, 2) px of a picture of `size_wh`."""
    return np.array(corners, np.float64) * np.array(size_wh, np.float64)


def is_convex(corners: Quad) -> bool:
    """Whether these corners bend the same way all round: not crossed, and no three in a line."""
    points = np.array(corners, np.float64)
    edges = np.roll(points, -1, axis=0) - points
    edges /= np.maximum(np.linalg.norm(edges, axis=1, keepdims=True), 1e-12)
    after = np.roll(edges, -1, axis=0)
    bends = edges[:, 0] * after[:, 1] - edges[:, 1] * after[:, 0]
    return bool((bends > MIN_BEND).all() or (bends < -MIN_BEND).all())


def area(points: Floats) -> float:
    """Area within these corners, (n, 2), in their own unit squared (shoelace formula)."""
    x, y = points[:, 0], points[:, 1]
    return float(abs(np.dot(x, np.roll(y, -1)) - np.dot(y, np.roll(x, -1))) / 2)


def area_seen(corners: Quad) -> float:
    """Area of the part of a convex quadrilateral that lies in the picture, as a share of the picture."""
    picture = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], np.float32)
    return float(cv2.intersectConvexConvex(np.array(corners, np.float32), picture)[0])


def depth(corners: Quad, xy: Sequence[float], size_wh: Size) -> float:
    """How far this point, px, lies within the quadrilateral, px from its nearest edge; less than 0 outside."""
    return float(cv2.pointPolygonTest(in_px(corners, size_wh).astype(np.float32), (float(xy[0]), float(xy[1])), True))


def moved(corners: Quad, homography: Floats) -> Quad:
    """The corners under a (3, 3) homography from shares to shares."""
    return quad(cv2.perspectiveTransform(np.array([corners], np.float64), homography)[0])


def in_shares(homography_px: Floats, size_wh: Size) -> Floats:
    """A (3, 3) homography between pictures of `size_wh`, px, as one between shares of the picture."""
    to_px = np.diag([float(size_wh[0]), float(size_wh[1]), 1.0])
    return np.asarray(np.linalg.inv(to_px) @ homography_px @ to_px, np.float64)
