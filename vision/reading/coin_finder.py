"""Finds coins in a picture: discs, as ellipses.

Theory of operation. A coin differs from the tray in brightness or in colour, so discs are searched in two
pictures: the brightness, and the distance of each colour from that of the tray. A Hough transform proposes
circles. Of each, rays from the centre look for edges, and an ellipse is fitted to the outermost strong ones,
because a coin has more rings within. An ellipse is a disc if enough of its rays have their edge on it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt

from vision.frames import Picture
from vision.readings import Point

Floats = npt.NDArray[np.float32]

WORKING_WIDTH_PX = 800
"""Width of the picture in which discs are searched; larger pictures are reduced to it."""
DIAMETER_SHARES = (0.045, 0.19)
"""Smallest and largest diameter of a coin, as shares of the picture's width: coins of 16 to 35 mm in trays of
180 to 400 mm. The pips of dice are smaller, cups are larger."""
EDGE_LEVEL, VOTES = 60.0, 16.0
"""OpenCV's upper threshold of edges, and the votes that a circle needs, in a Hough transform. Both are low:
what is no disc is sorted out by its ellipse."""
MAX_PROPOSALS = 24
"""Circles that are looked at in each of the two pictures, the strongest first."""
RAYS, STEPS = 56, 44
"""Rays from the centre of a proposed circle, and steps along each."""
RAY_REACH = (0.55, 1.5)
"""Where the rays begin and end, in radii of the proposed circle."""
STRONG_SHARE = 0.4
"""An edge is strong if it has at least this share of the strongest on its ray."""
MIN_EDGE = 7.0
"""Least step of an edge, grey levels a px of the working picture: felt has weaker ones."""
NEAR_SHARES = (0.16, 0.1, 0.06)
"""Shares of the radius within which edges are taken for the border, one fit after the other."""
RING_SHARE = 0.9
"""A ring whose edge is seen by this share of the most rays may be the border: shadows have weaker ones."""
ON_SHARE = 0.035
"""An edge is on the ellipse if it is within this share of the radius."""
MIN_SUPPORT = 0.66
"""Least share of rays whose edge is on the ellipse. Of a coin under another one, so much may be hidden."""
PLAIN_SUPPORT = 0.9
"""A disc with at least this support is not looked for again."""
MIN_ASPECT = 0.72
"""Least ratio of the axes: a coin that lies in the tray, seen at 44 degrees."""


@dataclass(frozen=True)
class Disc:
    """A disc in a picture.

    centre_xy, diameters_wh: px; the two axes of its ellipse. angle: of the first axis, radians.
    support: share of its border that shows, 0-1.
    """

    centre_xy: Point
    diameters_wh: tuple[float, float]
    angle: float
    support: float

    @property
    def diameter(self) -> float:
        """The longer axis, px."""
        return max(self.diameters_wh)

    @property
    def box_wh(self) -> tuple[float, float]:
        """Width and height of the upright box around it, px."""
        (a, b), c, s = self.diameters_wh, math.cos(self.angle), math.sin(self.angle)
        return math.hypot(a * c, b * s), math.hypot(a * s, b * c)


def find_discs(picture: Picture, diameters_px: tuple[float, float] | None = None) -> list[Disc]:
    """The discs in a picture, (h, w, 3) uint8 BGR, from the top left.

    diameters_px: least and greatest; None: those of any coin.
    """
    width = picture.shape[1]
    scale = min(1.0, WORKING_WIDTH_PX / width)
    least, most = diameters_px or (DIAMETER_SHARES[0] * width, DIAMETER_SHARES[1] * width)
    small = (
        cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA) if scale < 1 else picture
    )
    maps = _maps(np.asarray(small))
    proposals = [circle for each in maps for circle in _circles(each, least * scale / 2, most * scale / 2)]
    edges = np.stack(maps, axis=2).astype(np.float32)
    found = [
        _in_whole_picture(disc, scale)
        for disc in _separate(_discs(edges, proposals))
        if least * scale <= disc.diameter <= most * scale
    ]
    return sorted(found, key=lambda d: (d.centre_xy[1], d.centre_xy[0]))


def _in_whole_picture(disc: Disc, scale: float) -> Disc:
    """A disc of the reduced picture, in the whole one; the centre of the first px is at (0, 0)."""
    (x, y), (a, b) = disc.centre_xy, disc.diameters_wh
    centre = ((x + 0.5) / scale - 0.5, (y + 0.5) / scale - 0.5)
    return replace(disc, centre_xy=centre, diameters_wh=(a / scale, b / scale))


def _discs(edges: Floats, proposals: list[tuple[float, float, float]]) -> list[Disc]:
    """The discs at these circles; circles within a disc that shows well are left out."""
    discs: list[Disc] = []
    for x, y, r in proposals:
        if any(
            d.support > PLAIN_SUPPORT and math.dist(d.centre_xy, (x, y)) < 0.3 * d.diameter for d in discs
        ):
            continue
        disc = _fitted(edges, x, y, r)
        if disc is not None:
            discs.append(disc)
    return discs


def _maps(picture: Picture) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.uint8]]:
    """Brightness, and the distance of each colour from the tray's, (h, w) uint8 each, smoothed."""
    smooth = cv2.GaussianBlur(picture, (0, 0), 1.2)
    lab = cv2.cvtColor(smooth, cv2.COLOR_BGR2Lab).astype(np.float32)
    h, w = lab.shape[:2]
    inner = lab[h // 8 : -h // 8, w // 8 : -w // 8].reshape(-1, 3)
    away = np.linalg.norm(lab - np.median(inner[::7], axis=0), axis=2)
    grey = cv2.cvtColor(smooth, cv2.COLOR_BGR2GRAY)
    return np.asarray(grey, np.uint8), np.clip(2 * away, 0, 255).astype(np.uint8)


def _circles(grey: npt.NDArray[np.uint8], least: float, most: float) -> list[tuple[float, float, float]]:
    """Proposed circles, x, y and radius, px."""
    found = cv2.HoughCircles(
        grey,
        cv2.HOUGH_GRADIENT,
        dp=1.5,
        minDist=max(least * 0.35, 3),
        param1=EDGE_LEVEL,
        param2=VOTES,
        minRadius=max(int(least * 0.85), 3),
        maxRadius=math.ceil(most * 1.05),
    )
    if found is None:
        return []
    return [
        (float(x), float(y), float(r))
        for x, y, r in np.reshape(found, (-1, found.shape[-1]))[:MAX_PROPOSALS, :3]
    ]


def _fitted(maps: Floats, x: float, y: float, r: float) -> Disc | None:
    """The ellipse around this circle; None if there is none."""
    disc: Disc | None = Disc((x, y), (2 * r, 2 * r), 0.0, 0.0)
    for near in NEAR_SHARES:
        assert disc is not None
        disc = _refitted(maps, disc, near)
        if disc is None:
            return None
    assert disc is not None
    if disc.support < MIN_SUPPORT or min(disc.diameters_wh) < MIN_ASPECT * disc.diameter:
        return None
    return disc


def _refitted(maps: Floats, disc: Disc, near: float) -> Disc | None:
    """The ellipse through the strong edges that are within this share of one around the disc."""
    angles = 2 * np.pi * np.arange(RAYS) / RAYS
    (cx, cy), radii = disc.centre_xy, _radii(disc, angles)
    shares = np.linspace(*RAY_REACH, STEPS)
    px = cx + np.outer(np.cos(angles) * radii, shares)
    py = cy + np.outer(np.sin(angles) * radii, shares)
    along = cv2.remap(maps, px.astype(np.float32), py.astype(np.float32), cv2.INTER_LINEAR)
    step_px = np.maximum(radii * (shares[1] - shares[0]), 1e-3)
    steps = np.abs(np.diff(along, axis=1)).max(axis=2) / step_px[:, None]
    peaks = _strong_peaks(steps)
    middles = (shares[1:] + shares[:-1]) / 2
    wanted = _largest_ring(peaks, middles, near) if disc.support == 0 else 1.0
    off = np.where(peaks, np.abs(middles / wanted - 1), np.inf)
    at = off.argmin(axis=1)
    seen = off[np.arange(RAYS), at] < near
    points = np.stack([(px[:, 1:] + px[:, :-1]) / 2, (py[:, 1:] + py[:, :-1]) / 2], axis=2)
    return _ellipse(points[np.arange(RAYS), at], seen)


def _strong_peaks(steps: npt.NDArray[np.floating]) -> npt.NDArray[np.bool_]:
    """(n, m) the local maxima of each ray that are strong."""
    padded = np.pad(steps, ((0, 0), (1, 1)))
    peaks = (steps >= padded[:, :-2]) & (steps >= padded[:, 2:])
    strong = (steps >= STRONG_SHARE * steps.max(axis=1, keepdims=True)) & (steps >= MIN_EDGE)
    return np.asarray(peaks & strong)


def _largest_ring(peaks: npt.NDArray[np.bool_], middles: npt.NDArray[np.floating], near: float) -> float:
    """Of the circles on which nearly as many rays as possible have an edge, the largest; in radii."""
    near_to = np.abs(middles[:, None] / middles[None] - 1) < near / 2
    counts = (peaks.astype(np.float32) @ near_to.astype(np.float32) > 0).sum(axis=0)
    return float(middles[np.flatnonzero(counts >= RING_SHARE * counts.max())[-1]])


def _ellipse(points: npt.NDArray[np.floating], seen: npt.NDArray[np.bool_]) -> Disc | None:
    """The ellipse through the points that are seen, (n, 2) px, as far as they are on one."""
    kept = seen
    disc: Disc | None = None
    for share in (2 * ON_SHARE, ON_SHARE):
        if kept.sum() < RAYS // 3:
            return None
        (cx, cy), (a, b), degrees = cv2.fitEllipseAMS(points[kept].astype(np.float32))
        if not (math.isfinite(a + b + cx + cy) and min(a, b) > 4):
            return None
        disc = Disc((cx, cy), (a, b), math.radians(degrees), 0.0)
        away = points - (cx, cy)
        off = np.hypot(*away.T) / _radii(disc, np.arctan2(away[:, 1], away[:, 0])) - 1
        kept = seen & (np.abs(off) < share)
    assert disc is not None
    return replace(disc, support=max(float(kept.mean()), 1e-3))


def _radii(disc: Disc, angles: npt.NDArray[np.floating]) -> npt.NDArray[np.floating]:
    """(n,) distance of the ellipse from its centre in these directions, px."""
    (a, b), turned = disc.diameters_wh, angles - disc.angle
    return np.asarray(a * b / 2 / np.hypot(b * np.cos(turned), a * np.sin(turned)))


def _separate(discs: list[Disc]) -> list[Disc]:
    """The discs without those that are parts of better or larger ones."""
    kept: list[Disc] = []
    for disc in sorted(discs, key=lambda d: -d.support * d.diameter**0.5):
        if all(math.dist(disc.centre_xy, other.centre_xy) > 0.55 * other.diameter for other in kept):
            kept.append(disc)
    return kept
