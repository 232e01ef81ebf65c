"""Renders rigid solids, such as dice and sticks: patches with motion blur, and soft shadows.

Theory of operation. A solid traces the pixels inside its outline and gives their colours and coverage
(`Solid.trace`). The result is a patch that is blended onto the picture, from low to high. A solid that
rotated during the exposure is the mean of a few subframes; its movement is a linear blur.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import ClassVar, Self

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frames import Picture
from vision.simulation.scene import Scene
from vision.simulation.view import Floats, View

SOFT_PX = 6.0
"""Sigma above which a shadow is drawn at a quarter of its size, because the blur hides detail."""

BAND_PX = 32
"""Height of the bands in which patches are blended."""

MAX_SUBFRAMES = 3
"""Most subframes of a solid that rotates during the exposure."""


@dataclass(frozen=True, eq=False)
class Solid(ABC):
    """A rigid body in space.

    centre: (3,) mm.
    rotation: (3, 3) solid to tray.
    blur_px: movement in the picture during the exposure.
    at_opening: the same solid when the shutter opened, None for one that hardly rotated since.
    """

    degrees_per_subframe: ClassVar[float]
    """Rotation during the exposure for which one subframe is rendered."""
    min_spin_deg: ClassVar[float]
    """Minimum rotation during the exposure that is rendered as motion blur."""

    centre: Floats
    rotation: Floats
    blur_px: tuple[float, float] = field(default=(0.0, 0.0), kw_only=True)
    at_opening: Self | None = field(default=None, kw_only=True)

    @property
    @abstractmethod
    def thickness_mm(self) -> float:
        """Height at which it no longer has a contact shadow."""

    @property
    @abstractmethod
    def min_distance_mm(self) -> float:
        """Minimum distance from the lens. A nearer solid is not drawn."""

    @abstractmethod
    def corners(self, scale: float = 1.0) -> Floats:
        """(n, 3) mm: corners whose convex hull contains the solid, scaled about its centre."""

    @abstractmethod
    def trace(
        self, view: View, scene: Scene, xs: NDArray[np.intp], ys: NDArray[np.intp]
    ) -> tuple[Floats, Floats]:
        """Colour (n, 3) and coverage (n,) at these pixels, which may lie outside the picture."""


@dataclass(frozen=True, eq=False)
class Patch:
    """A rendered solid.

    left, top: px, its position in the picture; it may extend beyond the border.
    bgr: (h, w, 3) float32, 0-255, premultiplied by alpha.
    alpha: (h, w) float32, 0-1.
    """

    left: int
    top: int
    bgr: Floats
    alpha: Floats

    def box_xywh(self) -> tuple[float, float, float, float]:
        """The bounding box of the solid, px. It may extend beyond the picture's border."""
        ys, xs = np.nonzero(self.alpha > 0.5)
        x, y = int(xs.min()), int(ys.min())
        return float(self.left + x), float(self.top + y), float(xs.max() - x + 1), float(ys.max() - y + 1)


def draw_solids(canvas: Picture, view: View, scene: Scene, solids: Sequence[Solid]) -> list[Patch | None]:
    """Draws all shadows, then the solids from low to high, in place; gives each one's patch or None."""
    for solid in solids:
        draw_shadow(canvas, view, scene, solid)
    patches: list[Patch | None] = [None] * len(solids)
    for i in sorted(range(len(solids)), key=lambda i: float(solids[i].centre[2])):
        patches[i] = render_solid(view, scene, solids[i])
        paste(canvas, patches[i])
    return patches


def paste(canvas: Picture, patch: Patch | None) -> None:
    """Alpha-blends a patch onto the canvas, in place."""
    overlap = patch and _overlap(canvas.shape[1], canvas.shape[0], patch)
    if not overlap or not patch:
        return
    (x0, y0, x1, y1), inner = overlap
    alpha, bgr, under = patch.alpha[inner], patch.bgr[inner], canvas[y0:y1, x0:x1]
    for band in _bands(alpha):
        under[band] = under[band] * (1 - alpha[band][..., None]) + bgr[band]


def _bands(mask: Floats) -> Iterator[tuple[slice, slice]]:
    """The parts of a mask (h, w) that are not 0, in bands of rows: little of the box around a long stick."""
    for top in range(0, len(mask), BAND_PX):
        columns = np.flatnonzero(mask[top : top + BAND_PX].any(axis=0))
        if len(columns):
            yield slice(top, top + BAND_PX), slice(columns[0], columns[-1] + 1)


def _overlap(w: int, h: int, patch: Patch) -> tuple[tuple[int, int, int, int], tuple[slice, slice]] | None:
    ph, pw = patch.alpha.shape
    x0, y0 = max(patch.left, 0), max(patch.top, 0)
    x1, y1 = min(patch.left + pw, w), min(patch.top + ph, h)
    if x0 >= x1 or y0 >= y1:
        return None
    return (x0, y0, x1, y1), (slice(y0 - patch.top, y1 - patch.top), slice(x0 - patch.left, x1 - patch.left))


# --- one solid ----------------------------------------------------------------------------------------------


def render_solid(view: View, scene: Scene, solid: Solid) -> Patch | None:
    """The solid as a patch; None when it is out of the picture or too close to the lens."""
    if solid.centre[2] > view.position[2] - solid.min_distance_mm:
        return None
    if solid.at_opening is not None:
        return _render_tumbling(view, scene, solid, solid.at_opening)
    outline = view.project(solid.corners())
    margin = 3 + int(np.ceil(max(abs(v) for v in solid.blur_px) / 2))
    left, top = np.floor(outline.min(axis=0)).astype(int) - margin
    right, bottom = np.ceil(outline.max(axis=0)).astype(int) + margin + 1
    w, h = view.size_wh
    if right <= 0 or bottom <= 0 or left >= w or top >= h:
        return None
    mask = _hull_mask(outline - (left, top), int(right - left), int(bottom - top))
    ys, xs = np.nonzero(mask)
    colour, cover = solid.trace(view, scene, xs + int(left), ys + int(top))
    patch = np.zeros((*mask.shape, 4), np.float32)
    patch[ys, xs, :3] = colour * cover[:, None]
    patch[ys, xs, 3] = cover
    patch = _motion_blurred(patch, solid.blur_px)
    return Patch(int(left), int(top), patch[..., :3], patch[..., 3])


def _render_tumbling(view: View, scene: Scene, solid: Solid, at_opening: Solid) -> Patch | None:
    """A solid that rotated during the exposure: the mean of a few subframes.

    They are rendered at half resolution, because the blur hides detail.
    """
    turned_deg = _degrees_between(at_opening, solid)
    subframes = int(np.clip(np.ceil(turned_deg / solid.degrees_per_subframe), 2, MAX_SUBFRAMES))
    blur_px = (solid.blur_px[0] / subframes / 2, solid.blur_px[1] / subframes / 2)
    patches = [
        render_solid(
            _half_resolution(view), scene, _interpolated(at_opening, solid, (n + 0.5) / subframes, blur_px)
        )
        for n in range(subframes)
    ]
    visible = [p for p in patches if p]
    return _enlarged_mean(visible, subframes) if visible else None


def _enlarged_mean(visible: Sequence[Patch], subframes: int) -> Patch:
    """The mean of so many subframes, of which these are visible, at twice their size."""
    left, top = min(p.left for p in visible), min(p.top for p in visible)
    w = max(p.left + p.alpha.shape[1] for p in visible) - left
    h = max(p.top + p.alpha.shape[0] for p in visible) - top
    total = np.zeros((h, w, 4), np.float32)
    for p in visible:
        part = total[
            p.top - top : p.top - top + p.alpha.shape[0], p.left - left : p.left - left + p.alpha.shape[1]
        ]
        part[..., :3] += p.bgr / subframes
        part[..., 3] += p.alpha / subframes
    large = np.asarray(cv2.resize(total, (2 * w, 2 * h), interpolation=cv2.INTER_LINEAR), np.float32)
    return Patch(2 * left, 2 * top, large[..., :3], large[..., 3])


def _degrees_between(a: Solid, b: Solid) -> float:
    return float(
        np.degrees(2 * np.arcsin(min(float(np.linalg.norm(a.rotation - b.rotation)) / np.sqrt(8), 1.0)))
    )


def _interpolated(a: Solid, b: Solid, share: float, blur_px: tuple[float, float]) -> Solid:
    """The solid at this share of the way from a to b.

    They differ by a few degrees, so the mean of their axes is projected onto the nearest rotation (SVD).
    """
    u, _, v = np.linalg.svd(a.rotation + (b.rotation - a.rotation) * share)
    centre = np.asarray(a.centre + (b.centre - a.centre) * share, np.float32)
    return replace(b, centre=centre, rotation=np.asarray(u @ v, np.float32), blur_px=blur_px, at_opening=None)


@lru_cache(maxsize=4)
def _half_resolution(view: View) -> View:
    """The same camera at half resolution."""
    w, h = view.size_wh
    vignette = np.ascontiguousarray(view.vignette[: h // 2 * 2 : 2, : w // 2 * 2 : 2])
    half = replace(view, size_wh=(w // 2, h // 2), focal_px=view.focal_px / 2, vignette=vignette)
    return replace(half, aim_px=(view.aim_px[0] / 2, view.aim_px[1] / 2))


def _hull_mask(outline: Floats, w: int, h: int) -> NDArray[np.uint8]:
    """(h, w) uint8 mask of the pixels inside the outline of these corners, dilated by one."""
    hull = cv2.convexHull(np.asarray(outline, np.float32)).round().astype(np.int32)
    mask = np.zeros((h, w), np.uint8)
    cv2.fillConvexPoly(mask, hull, (255,))
    cv2.polylines(mask, [hull], True, (255,), 3)
    return mask


def camera_gain(view: View, scene: Scene, xs: NDArray[np.intp], ys: NDArray[np.intp]) -> Floats:
    """(n,) brightness of the camera at these pixels: its vignette and exposure."""
    w, h = view.size_wh
    return np.asarray(
        view.vignette[np.clip(ys, 0, h - 1), np.clip(xs, 0, w - 1)] * np.float32(scene.exposure)
    )


def _motion_blurred(patch: Floats, blur_px: tuple[float, float]) -> Floats:
    """The patch with linear motion blur."""
    length = float(np.hypot(*blur_px))
    if length < 1.5:
        return patch
    size = int(np.ceil(length)) | 1
    line = np.zeros((size, size), np.float32)
    middle = (size - 1) / 2
    dx, dy = blur_px[0] / length * middle, blur_px[1] / length * middle
    cv2.line(
        line, _rounded(middle - dx, middle - dy), _rounded(middle + dx, middle + dy), (1.0,), 1, cv2.LINE_AA
    )
    return np.asarray(cv2.filter2D(patch, -1, line / line.sum(), borderType=cv2.BORDER_CONSTANT), np.float32)


def _rounded(x: float, y: float) -> tuple[int, int]:
    return round(x), round(y)


# --- shadows ------------------------------------------------------------------------------------------------


def draw_shadow(canvas: Picture, view: View, scene: Scene, solid: Solid) -> None:
    """Draws the contact shadow of a solid, and its soft shadow from the main light, in place."""
    height_mm = max(0.0, float(solid.corners()[:, 2].min()))
    share = scene.key / (scene.key + scene.ambient)
    _darken(
        canvas, view, _projected_corners(solid, scene.to_light, 0.92), 0.75 * share, 1.1 + 0.12 * height_mm
    )
    if height_mm < solid.thickness_mm:
        fade = 1 - height_mm / solid.thickness_mm
        _darken(canvas, view, _projected_corners(solid, (0, 0, 1), 1.06), 0.6 * fade * (1 - 0.5 * share), 1.8)


def _projected_corners(solid: Solid, towards: tuple[float, float, float], scale: float) -> Floats:
    """(n, 3) mm: the corners projected along the light onto the floor."""
    corners = solid.corners(scale)
    down = np.array(towards, np.float32) / towards[2]
    return np.asarray(corners - corners[:, 2:] * down, np.float32)


def _darken(canvas: Picture, view: View, outline_mm: Floats, depth: float, soft_mm: float) -> None:
    outline = view.project(outline_mm)
    sigma = soft_mm * view.px_per_mm()
    margin = int(3 * sigma) + 2
    left, top = np.floor(outline.min(axis=0)).astype(int) - margin
    right, bottom = np.ceil(outline.max(axis=0)).astype(int) + margin
    h, w = canvas.shape[:2]
    x0, y0, x1, y1 = max(left, 0), max(top, 0), min(right, w), min(bottom, h)
    if x0 >= x1 or y0 >= y1:
        return
    blurred = _blurred_hull(outline - (left, top), int(right - left), int(bottom - top), depth, sigma)
    shade, under = blurred[y0 - top : y1 - top, x0 - left : x1 - left], canvas[y0:y1, x0:x1]
    for band in _bands(shade):
        under[band] = under[band] * (1 - shade[band][..., None])


def _blurred_hull(outline: Floats, w: int, h: int, depth: float, sigma: float) -> Floats:
    """(h, w) `depth` inside the convex hull of the outline (n, 2) px, with a soft edge of this sigma, px."""
    factor = 4 if sigma > SOFT_PX else 1
    small = (-(-w // factor), -(-h // factor))
    mask = np.zeros(small[::-1], np.float32)
    hull = cv2.convexHull(np.asarray(outline * (16 / factor), np.float32)).round().astype(np.int32)
    cv2.fillConvexPoly(mask, hull, (depth,), cv2.LINE_8, 4)
    blurred = cv2.GaussianBlur(mask, (0, 0), sigma / factor)
    if factor > 1:
        enlarged = cv2.resize(blurred, (small[0] * factor, small[1] * factor), interpolation=cv2.INTER_LINEAR)
        blurred = enlarged[:h, :w]
    return np.asarray(blurred, np.float32)
