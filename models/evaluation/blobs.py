"""A baseline without learning: it detects round blobs as pips, clusters them into dice and counts the pips.

Theory of operation. Most dice readers that use only OpenCV work this way; this one is made with care. The
picture is downscaled to LONG_SIDE px. SimpleBlobDetector finds round blobs, dark on light and light on dark,
small and large. Pips in a picture have one size, so blobs far from the median size are removed.
Single-linkage clustering joins pips closer than LINK_DIAMETERS into one die. Where two clusters overlap, the
one with more pips is kept. The method has no confidence estimate: only a die of over six pips is unsure.

The thresholds were chosen on the trainable photographs and the simulated tray, as the nets were.
"""

from __future__ import annotations

import colorsys
import time
from dataclasses import dataclass

import cv2
import numpy as np

from vision.boxes import iou
from vision.frames import Picture
from vision.readings import Reading, SeenDie

LONG_SIDE = 960
"""Long side of the picture that is searched, px."""
BANDS_PX = ((4.0, 12.0), (8.0, 24.0), (16.0, 48.0))
"""Pip diameters that one detector finds, px of the downscaled picture. Each band is narrower than the ratio
of a die to its pips: SimpleBlobDetector merges nested blobs, so a die blob would absorb its pips."""
MIN_ROUND, MIN_INERTIA, MIN_CONVEX = 0.7, 0.45, 0.8
"""Minimum circularity, axis ratio and convexity of a blob. A pip with a tilt of 40 degrees has an inertia of
0.59."""
SAME_SIZE = 1.6
"""Maximum ratio of a pip's diameter to the median diameter in the picture, and of the median to it."""
APART_DIAMETERS = 1.0
"""Closer blobs are duplicates of one pip. The pips of a 6 are at least 1.2 diameters apart."""
LINK_DIAMETERS = 3.6
"""Maximum distance between the centres of two linked pips, in diameters. Neighbours on a 5 are 1.8 apart and
the pips of a 2 are 3.5 apart. Pips of two touching dice may be only 2.5 apart."""
DIE_DIAMETERS = 5.0
"""Side of a die, in pip diameters."""
NMS_IOU = 0.2
"""Minimum IoU of two clusters of one die. A centre in the other cluster's box also makes them one die."""


@dataclass(frozen=True)
class Cluster:
    """The pips of one die: (n, 3) float64 [x, y, diameter] px of the downscaled picture."""

    pips: np.ndarray

    @property
    def box_xywh(self) -> tuple[float, float, float, float]:
        """A square around the pips, at least as large as a die with pips of this size."""
        side = max(
            DIE_DIAMETERS * float(np.median(self.pips[:, 2])),
            *(float(v) for v in np.ptp(self.pips[:, :2], axis=0)),
        )
        x, y = ((self.pips[:, k].min() + self.pips[:, k].max() - side) / 2 for k in (0, 1))
        return float(x), float(y), side, side


class BlobReader:
    """A reader with the interface of vision.reading.reader.Reader that detects blobs."""

    def __init__(self) -> None:
        self._detectors = [_detector(colour, *band) for colour in (0, 255) for band in BANDS_PX]

    def read(self, picture: Picture) -> Reading:
        """The dice in the picture, (h, w, 3) uint8 BGR."""
        began = time.perf_counter()
        h, w = picture.shape[:2]
        scale = min(1.0, LONG_SIDE / max(h, w))
        small = np.asarray(
            cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8
        )
        grey = cv2.cvtColor(small, cv2.COLOR_BGR2GRAY)
        clusters = [c for detector in self._detectors for c in cluster_pips(_pips(detector, grey))]
        dice = [_seen(c, small, scale) for c in non_max_suppression(clusters)]
        return Reading((w, h), tuple(dice), (), (time.perf_counter() - began) * 1000)


def _detector(blob_colour: int, min_px: float, max_px: float) -> cv2.SimpleBlobDetector:
    """A detector of round blobs of these diameters, darker (0) or lighter (255) than what surrounds them."""
    params = cv2.SimpleBlobDetector.Params()
    params.minThreshold, params.maxThreshold, params.thresholdStep = 20, 240, 10
    params.minRepeatability, params.minDistBetweenBlobs = 3, min_px
    params.filterByColor, params.blobColor = True, blob_colour
    params.filterByArea = True
    params.minArea, params.maxArea = np.pi / 4 * min_px**2, np.pi / 4 * max_px**2
    params.filterByCircularity, params.minCircularity = True, MIN_ROUND
    params.filterByInertia, params.minInertiaRatio = True, MIN_INERTIA
    params.filterByConvexity, params.minConvexity = True, MIN_CONVEX
    return cv2.SimpleBlobDetector.create(params)


def _pips(detector: cv2.SimpleBlobDetector, grey: np.ndarray) -> np.ndarray:
    """(n, 3) float64 [x, y, diameter] px: the blobs near the median size, without duplicates."""
    blobs = np.array([(*k.pt, k.size) for k in detector.detect(grey)], np.float64).reshape(-1, 3)
    usual = np.median(blobs[:, 2]) if len(blobs) else 0.0
    kept: list[np.ndarray] = []
    for blob in blobs[(blobs[:, 2] <= usual * SAME_SIZE) & (blobs[:, 2] >= usual / SAME_SIZE)]:
        if not any(_within(APART_DIAMETERS, blob, other) for other in kept):
            kept.append(blob)
    return np.array(kept).reshape(-1, 3)


def cluster_pips(pips: np.ndarray) -> list[Cluster]:
    """The clusters of (n, 3) pips by single linkage: pips within LINK_DIAMETERS share a cluster."""
    left, clusters = list(range(len(pips))), []
    while left:
        group, edge = [], [left.pop(0)]
        while edge:
            here = edge.pop()
            group.append(here)
            near = [i for i in left if _within(LINK_DIAMETERS, pips[here], pips[i])]
            edge += near
            left = [i for i in left if i not in near]
        clusters.append(Cluster(pips[sorted(group)]))
    return clusters


def _within(diameters: float, a: np.ndarray, b: np.ndarray) -> bool:
    return bool(np.hypot(*(a[:2] - b[:2])) <= diameters * (a[2] + b[2]) / 2)


def non_max_suppression(clusters: list[Cluster]) -> list[Cluster]:
    """The clusters after non-maximum suppression: more pips win, then larger pips."""
    kept: list[Cluster] = []
    for c in sorted(clusters, key=lambda c: (-len(c.pips), -float(np.median(c.pips[:, 2])))):
        if not any(_same_die(c, other) for other in kept):
            kept.append(c)
    return kept


def _same_die(a: Cluster, b: Cluster) -> bool:
    return iou(a.box_xywh, b.box_xywh) >= NMS_IOU or _middle_in(a, b) or _middle_in(b, a)


def _middle_in(a: Cluster, b: Cluster) -> bool:
    (ax, ay, aw, ah), (bx, by, bw, bh) = a.box_xywh, b.box_xywh
    return bx <= ax + aw / 2 <= bx + bw and by <= ay + ah / 2 <= by + bh


def _seen(cluster: Cluster, small: Picture, scale: float) -> SeenDie:
    x, y, w, h = (v / scale for v in cluster.box_xywh)
    count = len(cluster.pips)
    sure = count <= 6
    return SeenDie(min(count, 6), _colour(cluster, small), (x, y, w, h), 1.0 if sure else 0.5, sure)


def _colour(cluster: Cluster, small: Picture) -> str:
    """The name of the median colour between the pips."""
    x, y, w, h = cluster.box_xywh
    left, top = max(int(x + w / 4), 0), max(int(y + h / 4), 0)
    body = small[top : max(int(y + h * 3 / 4), top + 1), left : max(int(x + w * 3 / 4), left + 1)].copy()
    bare = np.full(body.shape[:2], 255, np.uint8)
    for px, py, diameter in cluster.pips:
        cv2.circle(bare, (round(px - left), round(py - top)), round(0.7 * diameter), 0, -1)
    shown = body[bare > 0] if bare.any() else body.reshape(-1, 3)
    return colour_name(*(float(v) for v in np.median(shown, axis=0)))


HUES = (
    (18, "red"),
    (42, "orange"),
    (68, "yellow"),
    (165, "green"),
    (255, "blue"),
    (300, "purple"),
    (340, "pink"),
    (361, "red"),
)
"""Upper hue bound of each colour, degrees."""


def colour_name(blue: float, green: float, red: float) -> str:
    """The body colour, one of COLOURS, that a person would name for these channel values, 0-255 each."""
    hue, saturation, value = colorsys.rgb_to_hsv(red / 255, green / 255, blue / 255)
    if value < 0.22:
        return "black"
    if saturation < 0.22:
        return "white" if value > 0.6 else "grey"
    name = next(name for upper_deg, name in HUES if hue * 360 < upper_deg)
    return "brown" if name == "orange" and value < 0.5 else name
