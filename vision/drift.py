"""Follower: whether the camera still looks at the tray as it did when the tray was set, and where the tray is now."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import cv2
import numpy as np

from vision.frames import Picture
from vision.mat import find_markers
from vision.place import Marker, Place, PlaceUnusable
from vision.quads import Floats, in_px, in_shares
from vision.reference_view import Alignment, ReferenceView

MIN_DRIFT = 0.004
"""How far a corner of the tray moves before it is told, as a share of the picture's width: under half the margin of a die on the rim,
and ten times what the same camera's pictures differ by."""
LOST_LOOKS = 2
"""Pictures in a row in which nothing is found again before the camera counts as moved. Called once a second that is within 3 s."""
MIN_MARKERS = 2
"""Markers that have to be seen for a place to be followed by them."""
ROUND_SHARE = 0.75
"""Of a marker's side, all round: where it is looked for first. A bump moves it less."""
FIT_SHARE = 0.003
"""Outlier bound of a marker's corner, as a share of the picture's width."""


class Drift(StrEnum):
    """What became of the view since the tray was set."""

    NONE = "none"
    """The tray lies in the picture where it lay, or nothing in the picture tells of it."""
    FOLLOWED = "followed"
    """The camera or the tray was moved since the last look, and it is known where the tray is now."""
    LOST = "lost"
    """The camera or the tray was moved, and it is not known where the tray is now."""


@dataclass(frozen=True)
class Localisation:
    """What a look at the table told. place: of the tray now; where the drift is LOST, as it was last known."""

    drift: Drift
    place: Place


class TrayLocaliser:
    """Follows a place through pictures of a tray at rest; not every frame, one a second will do.

    By the mat's markers where the place has them and they are seen, else by what lies round the tray in `look`, the view when the
    place was set; with neither, the first picture becomes the look. Every picture is compared with that first view, so that errors
    do not add up.
    """

    def __init__(self, place: Place, look: ReferenceView | None = None) -> None:
        self.place = place
        self._set = place
        self._alignment = None if look is None else Alignment(look, place)
        self._moved = np.eye(3)
        self._missed = 0

    def see(self, picture: Picture) -> Localisation:
        """Looks for the tray in this picture, (h, w, 3) uint8."""
        moved = self._by_markers(picture) if self._set.markers else None
        if moved is None:
            moved = self._by_look(picture)
        if moved is None:
            return self._not_found()
        try:
            place = self._set.moved_by(moved)
        except PlaceUnusable:
            return self._not_found()
        self._missed = 0
        if _apart(place, self.place) < MIN_DRIFT:
            return Localisation(Drift.NONE, self.place)
        self.place, self._moved = place, moved
        return Localisation(Drift.FOLLOWED, place)

    def _not_found(self) -> Localisation:
        self._missed += 1
        return Localisation(Drift.LOST if self._missed >= LOST_LOOKS else Drift.NONE, self.place)

    def _by_markers(self, picture: Picture) -> Floats | None:
        """From where the markers were when the tray was set to where they are, in shares; None with fewer than MIN_MARKERS."""
        size_wh = (picture.shape[1], picture.shape[0])
        seen = _seen_near(picture, self.place.markers)
        if len(seen) < MIN_MARKERS:
            seen = {marker.id: marker for marker in find_markers(picture)}
        both = [(marker, seen[marker.id]) for marker in self._set.markers if marker.id in seen]
        if len(both) < MIN_MARKERS:
            return None
        before, after = (np.concatenate([in_px(pair[i].corners, size_wh) for pair in both]) for i in (0, 1))
        found, agree = cv2.findHomography(before, after, cv2.RANSAC, FIT_SHARE * size_wh[0])
        if found is None or agree.sum() < 4 * MIN_MARKERS:
            return None
        return in_shares(np.asarray(found, np.float64), size_wh)

    def _by_look(self, picture: Picture) -> Floats | None:
        """The same from all that lies round the tray; no movement where that tells nothing."""
        if self._alignment is None and self._set.markers:
            return None
        if self._alignment is None:
            self._alignment = Alignment(ReferenceView.of(picture), self._set)
        if not self._alignment.fits(picture):
            return None
        return self._alignment.moved(picture, self._moved) if self._alignment.tells else self._moved


def _seen_near(picture: Picture, expected: Sequence[Marker]) -> dict[int, Marker]:
    """The markers that are where they are expected, by number: only these parts of the picture are searched."""
    size = np.array((picture.shape[1], picture.shape[0]), np.float64)
    seen = {}
    for marker in expected:
        corners = in_px(marker.corners, (picture.shape[1], picture.shape[0]))
        reach = ROUND_SHARE * np.linalg.norm(corners[1] - corners[0])
        x0, y0 = np.maximum(corners.min(axis=0) - reach, 0).astype(int)
        x1, y1 = np.minimum(corners.max(axis=0) + reach, size).astype(int)
        if min(x1 - x0, y1 - y0) < 8:
            continue
        part = np.array((x1 - x0, y1 - y0), np.float64)
        for found in find_markers(np.ascontiguousarray(picture[y0:y1, x0:x1])):
            if found.id == marker.id:
                a, b, c, d = (tuple((np.array(corner) * part + (x0, y0)) / size) for corner in found.corners)
                seen[found.id] = Marker(found.id, (a, b, c, d))
    return seen


def _apart(one: Place, other: Place) -> float:
    """How far the corner that differs most lies apart, as a share of the picture's width or height."""
    return float(np.abs(np.array(one.corners) - np.array(other.corners)).max())
