"""TrayLocaliser: tracks the tray through pictures, so that a bumped camera or a moved tray is noticed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import cv2
import numpy as np

from vision.frames import Picture
from vision.tray.mat import find_markers
from vision.tray.quads import Floats, in_px, in_shares
from vision.tray.reference_view import Alignment, ReferenceView
from vision.tray.region import Marker, RegionUnusable, TrayRegion

MIN_DRIFT = 0.004
"""Minimum shift of a tray corner that is reported, as a share of the picture's width or height.

This is less than half the margin of a die on the rim, and ten times the difference between pictures of a
camera at rest.
"""
LOST_PICTURES = 2
"""Number of consecutive pictures without a match that make the drift LOST: under 3 s at one a second."""
MIN_MARKERS = 2
"""Minimum number of detected markers from which the homography is estimated."""
SEARCH_MARGIN_SHARE = 0.75
"""Margin round each expected marker that is searched first, as a share of its side. A bump moves it less."""
RANSAC_SHARE = 0.003
"""RANSAC inlier threshold of a marker's corner, as a share of the picture's width."""


class Drift(StrEnum):
    """How the view of the tray changed since the last picture."""

    NONE = "none"
    """The tray has not moved in the picture, or has too little detail, or fewer than LOST_PICTURES
    consecutive pictures were without a match."""
    TRACKED = "followed"
    """The camera or the tray moved since the last picture, and the new region is known."""
    LOST = "lost"
    """The camera or the tray moved, and the new region is not known."""


@dataclass(frozen=True)
class Localisation:
    """The tray's region in one picture. region: the last known one where the drift is LOST."""

    drift: Drift
    region: TrayRegion


class TrayLocaliser:
    """Tracks a region through pictures of a tray at rest. One picture a second is enough.

    The homography comes from the mat's markers where the region has them and they are detected. Otherwise it
    comes from the surroundings of the tray in `reference`, the view when the region was set. With neither,
    the first picture becomes the reference. Every picture is compared with that first view, so that errors do
    not add up.
    """

    def __init__(self, region: TrayRegion, reference: ReferenceView | None = None) -> None:
        self.region = region
        self._initial_region = region
        self._alignment = None if reference is None else Alignment(reference, region)
        self._homography = np.eye(3)
        self._misses = 0

    def locate(self, picture: Picture) -> Localisation:
        """The tray's region in this picture, (h, w, 3) uint8."""
        homography = self._homography_by_markers(picture) if self._initial_region.markers else None
        if homography is None:
            homography = self._homography_by_reference(picture)
        if homography is None:
            return self._not_found()
        try:
            region = self._initial_region.moved_by(homography)
        except RegionUnusable:
            return self._not_found()
        self._misses = 0
        if _corner_shift(region, self.region) < MIN_DRIFT:
            return Localisation(Drift.NONE, self.region)
        self.region, self._homography = region, homography
        return Localisation(Drift.TRACKED, region)

    def _not_found(self) -> Localisation:
        self._misses += 1
        return Localisation(Drift.LOST if self._misses >= LOST_PICTURES else Drift.NONE, self.region)

    def _homography_by_markers(self, picture: Picture) -> Floats | None:
        """The (3, 3) homography, in shares, from the initial markers to the detected ones.

        None with fewer than MIN_MARKERS.
        """
        size_wh = (picture.shape[1], picture.shape[0])
        markers = _markers_near(picture, self.region.markers)
        if len(markers) < MIN_MARKERS:
            markers = {marker.id: marker for marker in find_markers(picture)}
        known = [marker for marker in self._initial_region.markers if marker.id in markers]
        pairs = [(marker, markers[marker.id]) for marker in known]
        if len(pairs) < MIN_MARKERS:
            return None
        before, after = (np.concatenate([in_px(pair[i].corners, size_wh) for pair in pairs]) for i in (0, 1))
        homography, inliers = cv2.findHomography(before, after, cv2.RANSAC, RANSAC_SHARE * size_wh[0])
        if homography is None or inliers.sum() < 4 * MIN_MARKERS:
            return None
        return in_shares(np.asarray(homography, np.float64), size_wh)

    def _homography_by_reference(self, picture: Picture) -> Floats | None:
        """The same homography from the tray's surroundings; the last one if they have too little detail."""
        if self._alignment is None and self._initial_region.markers:
            return None
        if self._alignment is None:
            self._alignment = Alignment(ReferenceView.of(picture), self._initial_region)
        if not self._alignment.has_shape_of(picture):
            return None
        if not self._alignment.is_usable:
            return self._homography
        return self._alignment.estimate(picture, self._homography)


def _markers_near(picture: Picture, expected: Sequence[Marker]) -> dict[int, Marker]:
    """The markers detected near where they are expected, by number. Other parts are not searched."""
    size = np.array((picture.shape[1], picture.shape[0]), np.float64)
    markers = {}
    for marker in expected:
        corners = in_px(marker.corners, (picture.shape[1], picture.shape[0]))
        margin = SEARCH_MARGIN_SHARE * np.linalg.norm(corners[1] - corners[0])
        x0, y0 = np.maximum(corners.min(axis=0) - margin, 0).astype(int)
        x1, y1 = np.minimum(corners.max(axis=0) + margin, size).astype(int)
        if min(x1 - x0, y1 - y0) < 8:
            continue
        part = np.array((x1 - x0, y1 - y0), np.float64)
        for found in find_markers(np.ascontiguousarray(picture[y0:y1, x0:x1])):
            if found.id == marker.id:
                a, b, c, d = (tuple((np.array(corner) * part + (x0, y0)) / size) for corner in found.corners)
                markers[found.id] = Marker(found.id, (a, b, c, d))
    return markers


def _corner_shift(a: TrayRegion, b: TrayRegion) -> float:
    """The largest shift of a corner between two regions, as a share of the picture's width or height."""
    return float(np.abs(np.array(a.corners) - np.array(b.corners)).max())
