"""Measures the colour of a die's body, and how the light on the tray changed; both from pixels.

Theory of operation. A die in a picture consists of its body, pips, glare and sides in other light. Most
pixels belong to the top of the body. So the shortest interval is taken that holds BODY_PX_SHARE of the
lightnesses around the die's centre. The mean of its pixels is the body's colour: pips, glare and shaded sides
are outside. It is the mean and not the median, because in a dim picture a body spans only a few grey levels
and noise carries the fractions.

A lamp, a camera's white balance and its exposure each multiply the three channels. They do so in the
picture's own values too, which are light to the power of a gamma. The tray itself stays the same in every
light, whether its felt is green or not. So the ratio of its colours after and before, cell by cell, is what
the light does to the dice as well. Bright cells have more weight than dark ones: a channel absorbed by
the cloth gives no information about the lamp there; the wooden rim does. Medians ignore what moved, such as
dice and hands.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.boxes import Box
from vision.frames import Picture

Floats = NDArray[np.floating[Any]]

BODY_RADIUS_SHARE = 0.36
"""Pixels within this share of a box's shorter side of its centre are used. A die turned by 45 degrees fills
its box that far."""
BODY_PX_SHARE = 0.4
"""Share of these pixels that is the body. Large pips cover up to a third, glare and a side as many."""
MIN_PX = 24
"""Minimum number of pixels from which a colour is measured."""
LUMA_BGR = np.array([0.114, 0.587, 0.299], np.float32)
"""Weight of each channel in lightness; ITU-R BT.601."""

GRID_WH = (16, 12)
"""Cells of the tray that are compared."""
CELL_PX = 4
"""Sides of a cell in the shrunk picture, px."""
DIE_MARGIN = 1.4
"""The tray is masked within this multiple of a die's box, because of the die's shadow."""
SMOOTHING_CELLS = 2
"""Cells each way around a cell whose median is its brightness."""
CLIPPED_LEVEL, DARK_LEVEL = 248.0, 6.0
"""Grey levels outside which a channel gives no information about the amount of light."""
MAX_LOCAL_GAIN = 2.0
"""Maximum local gain: a lamp beside the tray makes one end of it brighter than its middle by this factor."""
MIN_CELLS = 12
"""Minimum number of cells that are valid both times."""

BRIGHT_LEVEL = 160
"""Grey level to which the brightest part of a dim tray is scaled for a swatch."""
BGR_TO_XYZ = np.array([[0.1805, 0.3576, 0.4124], [0.0722, 0.7152, 0.2126], [0.9505, 0.1192, 0.0193]])
WHITE_XYZ = np.array([0.9505, 1.0, 1.089])
"""Linear sRGB to XYZ, and its white (D65); IEC 61966-2-1."""


def lab(bgr: Floats) -> Floats:
    """(..., 3) sRGB as BGR 0-255 in CIE L*a*b*: L 0-100, a and b about -100 to 100.

    Values above 255 give L above 100.
    """
    encoded = np.maximum(np.asarray(bgr, np.float64), 0) / 255
    linear = np.where(encoded <= 0.04045, encoded / 12.92, ((encoded + 0.055) / 1.055) ** 2.4)
    x, y, z = np.moveaxis(_cube_root(linear @ BGR_TO_XYZ.T / WHITE_XYZ), -1, 0)
    return np.stack([116 * y - 16, 500 * (x - y), 200 * (y - z)], axis=-1)


def _cube_root(share: Floats) -> Floats:
    """The cube root, with CIE's straight line near zero."""
    return np.asarray(np.where(share > 0.008856, np.cbrt(share), 7.787 * share + 16 / 116))


# --- the die --------------------------------------------------------------------------------------


def body_bgr(picture: Picture, box: Box) -> Floats | None:
    """The colour (3,) of the die in this box, without pips and glare, BGR 0-255; None in too small a box."""
    x, y, w, h = box
    cx, cy, radius = x + w / 2, y + h / 2, BODY_RADIUS_SHARE * min(w, h)
    left, top = max(int(cx - radius), 0), max(int(cy - radius), 0)
    region = picture[top : max(int(cy + radius) + 1, top), left : max(int(cx + radius) + 1, left)]
    rows, cols = np.mgrid[: region.shape[0], : region.shape[1]]
    return dominant_bgr(region[np.hypot(cols + left + 0.5 - cx, rows + top + 0.5 - cy) <= radius])


def dominant_bgr(pixels: NDArray[np.uint8]) -> Floats | None:
    """The mean (3,) of the densest BODY_PX_SHARE of these (n, 3) pixels; None if there are too few."""
    if len(pixels) < MIN_PX:
        return None
    values = pixels.astype(np.float32)
    lightness = values @ LUMA_BGR
    order = np.argsort(lightness, kind="stable")
    rising, count = lightness[order], max(MIN_PX, int(BODY_PX_SHARE * len(order)))
    first = int(np.argmin(rising[count - 1 :] - rising[: len(rising) - count + 1]))
    return np.asarray(values[order[first : first + count]].mean(axis=0), np.float64)


# --- the light ------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class LightChange:
    """How the light on the tray changed.

    gain: (3,) factor of each channel. local: (rows, columns of GRID_WH) factor of each cell on top of that.
    """

    gain: Floats
    local: Floats

    def reverted(self, body: Floats, centre_xy: tuple[float, float]) -> Floats:
        """The colour (3,) of a body without the change. centre_xy: its place, shares of the picture, 0-1."""
        col, row = (min(max(int(share * n), 0), n - 1) for share, n in zip(centre_xy, GRID_WH, strict=True))
        return np.asarray(body / self.gain / self.local[row, col])


def tray_tones(picture: Picture, boxes: Sequence[Box]) -> Floats:
    """The tray's colours: (rows, columns of GRID_WH, 3) mean BGR of each cell, NaN where dice lie."""
    h, w = picture.shape[:2]
    cols, rows = GRID_WH
    small = cv2.resize(picture, (cols * CELL_PX, rows * CELL_PX), interpolation=cv2.INTER_AREA).astype(
        np.float64
    )
    for box in boxes:
        _mask_die(small, box, cols * CELL_PX / w, rows * CELL_PX / h)
    return np.asarray(small.reshape(rows, CELL_PX, cols, CELL_PX, 3).mean(axis=(1, 3)))


def _mask_die(small: Floats, box: Box, kx: float, ky: float) -> None:
    """Sets the pixels around this die to NaN, in place; kx, ky: px of `small` per px of the box."""
    x, y, w, h = box
    cx, cy = (x + w / 2) * kx, (y + h / 2) * ky
    half_w, half_h = w / 2 * DIE_MARGIN * kx, h / 2 * DIE_MARGIN * ky
    rows = slice(max(int(cy - half_h), 0), max(int(np.ceil(cy + half_h)), 0))
    small[rows, max(int(cx - half_w), 0) : max(int(np.ceil(cx + half_w)), 0)] = np.nan


def light_change(before: Floats, after: Floats) -> LightChange | None:
    """The change of light between two results of tray_tones; None if too few cells are valid in both."""
    valid = (np.fmax(before, after) < CLIPPED_LEVEL) & (np.minimum(before, after) > DARK_LEVEL)
    if valid.sum(axis=(0, 1)).min() < MIN_CELLS:
        return None
    ratio = np.where(valid, after, np.nan) / np.where(valid, before, 1)
    weights = before**2  # the same noise changes the ratio less where the cell is brighter
    channels = [(ratio[..., c], weights[..., c], valid[..., c]) for c in range(3)]
    gain = np.array([_weighted_median(ratios[mask], weight[mask]) for ratios, weight, mask in channels])
    local = _smoothed(_brightness(ratio / gain, np.where(valid, weights, 0)))
    return LightChange(gain, np.clip(local, 1 / MAX_LOCAL_GAIN, MAX_LOCAL_GAIN))


def _brightness(change: Floats, weight: Floats) -> Floats:
    """(rows, columns) mean change of a cell over its channels; NaN where none is valid."""
    total = weight.sum(axis=2)
    mean = np.nansum(change * weight, axis=2) / np.maximum(total, 1e-9)
    return np.asarray(np.where(total > 0, mean, np.nan))


def _smoothed(values: Floats) -> Floats:
    """(rows, columns) the median of the valid cells around each cell; 1 where there is none."""
    n = SMOOTHING_CELLS
    padded = np.pad(values, n, constant_values=np.nan)
    neighbourhoods = np.lib.stride_tricks.sliding_window_view(padded, (2 * n + 1, 2 * n + 1))
    sorted_values = np.sort(neighbourhoods.reshape(*values.shape, -1), axis=-1)  # NaNs come last
    count = (~np.isnan(sorted_values)).sum(axis=-1)
    median_indices = np.stack([np.maximum(count - 1, 0) // 2, count // 2], axis=-1)
    medians = np.take_along_axis(sorted_values, median_indices, axis=-1).mean(axis=-1)
    return np.asarray(np.where(count > 0, medians, 1.0))


def _weighted_median(values: Floats, weights: Floats) -> float:
    order = np.argsort(values, kind="stable")
    cumulative = np.cumsum(weights[order])
    return float(values[order][np.searchsorted(cumulative, cumulative[-1] / 2)])
