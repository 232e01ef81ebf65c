"""Region of the tray: where it lies in the picture. Dice outside it are detected, but never read as a throw.

Positions are shares of the picture, so that a region fits the same camera at any resolution. A homography
maps the millimetres of the throwing zone to the picture, and gives the scale anywhere on the tray.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from table.common.errors import BrehonError
from vision.tray.quads import (
    Floats,
    Quad,
    Size,
    area,
    in_px,
    is_convex,
    moved,
    quad,
    signed_distance_px,
    visible_area,
)

VERSION = 1
"""Version of the JSON form. A file with a later version is refused."""
DIE_MM = 16.0
"""Side of a common die, mm."""
DIE_SHARE = 1 / 13
"""Side of a common die as a share of the mean side of a tray of unknown size. Trays have 170 to 250 mm."""
RIM_MARGIN_SHARE = 0.15
"""Minimum distance of a die's centre from the zone's edge, as a share of the die's side, for the die to be
inside.

A die that touches the wall has its centre at half its side. From 43 cm above its upper half appears farther
out, which leaves 0.3 in the tray's corners.
"""
MIN_AREA = 0.02
"""Minimum area of a throwing zone, as a share of the picture. In a smaller one dice are under 20 px at
1280 x 960."""
MIN_STRIP_AREA = 0.002
"""Minimum area of a strip: one row of three dice beside the smallest throwing zone."""
MIN_VISIBLE_SHARE = 0.5
"""Minimum share of a zone that lies in the picture. Below 1, the region can follow a bumped camera."""
MAX_OUTSIDE_SHARE = 0.5
"""Maximum distance of a corner outside the picture's border, as a share of the picture."""
MIN_MM, MAX_MM = 30.0, 2000.0
"""Bounds of a tray's side, mm: two dice side by side, and a table."""


class RegionUnusable(BrehonError, ValueError):
    """The corners are crossed, too small or outside the picture, or a file contains no region."""


class Zone(StrEnum):
    """The part of the tray that a die lies in."""

    THROWING = "throwing"
    ASIDE = "aside"
    OUTSIDE = "outside"


@dataclass(frozen=True)
class Marker:
    """A detected marker: its number, and its corners in the marker's own order."""

    id: int
    corners: Quad


@dataclass(frozen=True)
class TrayRegion:
    """Where the tray lies in the picture.

    corners: of the throwing zone.
    strip: corners of the set-aside strip, None without one; it has priority where the two overlap.
    size_mm: length of the zone's edge from the first corner to the second, and from the second to the third;
        None where unknown.
    markers: of the printed mat when the region was set; empty without a mat.

    Raises RegionUnusable for unusable corners; the message tells people what to do.
    """

    corners: Quad
    strip: Quad | None = None
    size_mm: tuple[float, float] | None = None
    markers: tuple[Marker, ...] = ()

    def __post_init__(self) -> None:
        _check_quad(self.corners, "the tray", MIN_AREA)
        if self.strip is not None:
            _check_quad(self.strip, "the set-aside strip", MIN_STRIP_AREA)
        if self.size_mm is not None and not all(MIN_MM <= side <= MAX_MM for side in self.size_mm):
            got = " x ".join(f"{side:g}" for side in self.size_mm)
            raise RegionUnusable(f"a tray is {MIN_MM:g} to {MAX_MM:g} mm wide and deep; got {got} mm")

    # -- zones

    def zone_at(self, xy: tuple[float, float], size_wh: Size, side_px: float | None = None) -> Zone:
        """The zone of a die with this centre, px of a picture of `size_wh`.

        side_px: the die's side; None assumes a common die. A die on the rim is outside. A die on the line
            between throwing zone and strip is in the zone that contains its centre.
        """
        margin = RIM_MARGIN_SHARE * (side_px or self.die_px_at(xy, size_wh))
        throwing = signed_distance_px(self.corners, xy, size_wh)
        aside = -math.inf if self.strip is None else signed_distance_px(self.strip, xy, size_wh)
        on_line = min(throwing, aside) > -margin and min(throwing, aside) <= 0
        if max(throwing, aside) < (0 if on_line else margin):
            return Zone.OUTSIDE
        return Zone.ASIDE if aside >= 0 else Zone.THROWING

    def mask(self, size_wh: Size, grow_px: int = 0) -> NDArray[np.uint8]:
        """(h, w) uint8 mask: 255 in the throwing zone and the strip, 0 elsewhere.

        grow_px: dilates the mask on all sides; a negative value erodes it.
        """
        mask = np.zeros((size_wh[1], size_wh[0]), np.uint8)
        for corners in self.quads:
            one = np.zeros_like(mask)
            outline = [np.rint(in_px(corners, size_wh)).astype(np.int32)]
            cv2.fillPoly(one, outline, 255)
            if grow_px:
                cv2.polylines(one, outline, True, 255 if grow_px > 0 else 0, 2 * abs(grow_px) + 1)
            mask |= one
        return mask

    @property
    def quads(self) -> tuple[Quad, ...]:
        """The throwing zone, and the strip where there is one."""
        return (self.corners,) if self.strip is None else (self.corners, self.strip)

    # -- scale

    def px_per_mm_at(self, xy: tuple[float, float], size_wh: Size) -> float | None:
        """Scale of the tray's floor at this point, px per mm; None where the tray's size is unknown."""
        if self.size_mm is None:
            return None
        return _px_per_mm(self._to_mm, xy, size_wh)

    def die_px_at(self, xy: tuple[float, float], size_wh: Size, die_mm: float = DIE_MM) -> float:
        """Side of a die at this point, px; of a common die in a common tray if the size is unknown."""
        px_per_mm = self.px_per_mm_at(xy, size_wh)
        return (
            DIE_SHARE * math.sqrt(area(in_px(self.corners, size_wh)))
            if px_per_mm is None
            else px_per_mm * die_mm
        )

    @cached_property
    def _to_mm(self) -> Floats:
        """(3, 3) homography from shares of the picture to mm from the throwing zone's first corner."""
        w, h = self.size_mm or (1.0, 1.0)
        floor = np.array([(0, 0), (w, 0), (w, h), (0, h)], np.float32)
        return np.asarray(cv2.getPerspectiveTransform(np.array(self.corners, np.float32), floor), np.float64)

    # -- another view

    def moved_by(self, homography: Floats) -> TrayRegion:
        """The region under this (3, 3) homography from shares of the old picture to shares of the new one.

        vision.tray.quads.in_shares converts a homography in px. Raises RegionUnusable where the tray left the
        picture.
        """
        markers = tuple(replace(m, corners=moved(m.corners, homography)) for m in self.markers)
        strip = None if self.strip is None else moved(self.strip, homography)
        return replace(self, corners=moved(self.corners, homography), strip=strip, markers=markers)

    # -- as JSON

    def to_json(self) -> dict[str, Any]:
        """The region as calibration.json stores it."""
        return {
            "version": VERSION,
            "corners": _rounded(self.corners),
            "strip": None if self.strip is None else _rounded(self.strip),
            "size_mm": None if self.size_mm is None else list(self.size_mm),
            "markers": [{"id": m.id, "corners": _rounded(m.corners)} for m in self.markers],
        }

    @staticmethod
    def from_json(data: Any) -> TrayRegion:
        """The region from the output of to_json; raises RegionUnusable for anything else.

        Unknown keys are ignored.
        """
        if isinstance(data, dict) and data.get("whole_picture") is True:
            raise RegionUnusable(
                "it says that the whole picture is the tray; leave out the file, or set the tray on the page"
            )
        if not isinstance(data, dict) or "corners" not in data:
            raise RegionUnusable(
                "the place of the tray is an object with four “corners”,"
                ' such as {"corners": [[0.1, 0.1], ...]}'
            )
        version = data.get("version", VERSION)
        if type(version) is not int or version > VERSION:
            raise RegionUnusable(
                f"it has version {version!r}, but this Brehon knows versions up to {VERSION}; update Brehon"
            )
        strip, size = data.get("strip"), data.get("size_mm")
        return TrayRegion(
            quad_from_json(data["corners"], "corners"),
            None if strip is None else quad_from_json(strip, "strip"),
            None if size is None else _size_from_json(size),
            tuple(_markers_from_json(data.get("markers", []))),
        )


def load_region(path: Path) -> TrayRegion:
    """The region in this file; raises RegionUnusable with its name if it is unreadable or has none."""
    try:
        return TrayRegion.from_json(json.loads(path.read_text("utf-8")))
    except OSError as error:
        raise RegionUnusable(
            f"the calibration {path} cannot be read ({error.strerror or error}); check its name"
        ) from error
    except RegionUnusable as error:
        raise RegionUnusable(f"the calibration {path} cannot be used: {error}") from error
    except (ValueError, RecursionError) as error:
        reason = (
            f"the calibration {path} is not JSON;"
            " set the tray on the page, which keeps one as calibration.json"
        )
        raise RegionUnusable(reason) from error


def quad_from_json(data: Any, name: str) -> Quad:
    """The quad from four [x, y] pairs; raises RegionUnusable with the name for anything else."""
    if isinstance(data, list) and len(data) == 4 and all(_is_point(point) for point in data):
        return quad(data)
    raise RegionUnusable(
        f"“{name}” is a list of four corners in order, each [x, y] in shares of the picture,"
        " such as [0.1, 0.9]"
    )


def _is_point(data: Any) -> bool:
    return (
        isinstance(data, list)
        and len(data) == 2
        and all(type(v) in (int, float) and abs(v) < MAX_MM * 10 for v in data)
    )


def _size_from_json(data: Any) -> tuple[float, float]:
    if not _is_point(data):
        raise RegionUnusable("“size_mm” is the tray's width and depth in mm, such as [240, 180], or null")
    return float(data[0]), float(data[1])


def _markers_from_json(rows: Any) -> Iterable[Marker]:
    if not isinstance(rows, list):
        raise RegionUnusable("“markers” is a list of the printed markers in the picture, such as []")
    for row in rows:
        if not isinstance(row, dict) or type(row.get("id")) is not int:
            raise RegionUnusable('each of “markers” is an object such as {"id": 3, "corners": [[...], ...]}')
        yield Marker(row["id"], quad_from_json(row.get("corners"), "corners"))


def _rounded(corners: Quad) -> list[list[float]]:
    """The corners, rounded to under a hundredth of a px in any picture."""
    return [[round(x, 6), round(y, 6)] for x, y in corners]


def _check_quad(corners: Quad, name: str, min_area: float) -> None:
    points = np.array(corners, np.float64)
    if points.shape != (4, 2) or not np.isfinite(points).all():
        raise RegionUnusable(f"{name} needs four corners of two numbers each; got {corners!r}")
    if points.min() < -MAX_OUTSIDE_SHARE or points.max() > 1 + MAX_OUTSIDE_SHARE:
        raise RegionUnusable(f"a corner of {name} is far outside the picture; move all four corners into it")
    if not is_convex(corners):
        raise RegionUnusable(
            f"the corners of {name} are crossed, or three lie in a line; set them in order around its edge"
        )
    total, visible = area(points), visible_area(corners)
    if total < min_area:
        raise RegionUnusable(
            f"{name} would be only {total:.2%} of the picture;"
            " move its corners apart, or move the camera closer"
        )
    if visible < MIN_VISIBLE_SHARE * total:
        raise RegionUnusable(
            f"only {visible / total:.0%} of {name} is in the picture;"
            " move its corners into it, or turn the camera"
        )


def _px_per_mm(to_mm: Floats, xy: tuple[float, float], size_wh: Size) -> float:
    """Scale at a point, px per mm: the inverse root of the area that a px covers, mm² (Jacobian)."""
    x, y = xy[0] / size_wh[0], xy[1] / size_wh[1]
    w = float(to_mm[2] @ (x, y, 1.0))
    mm2_per_share2 = abs(float(np.linalg.det(to_mm)) / w**3) if w else math.inf
    return math.sqrt(size_wh[0] * size_wh[1] / mm2_per_share2)
