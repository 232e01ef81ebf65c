"""The colour of a die's body, and what the light did to the tray since it was looked at before; both from pixels.

Theory of operation. A die in a picture is body, pips, glare and sides that are lit otherwise; its body's top is what most of its pixels
agree on. So of the lightnesses around its middle the shortest range that holds a good part of them is taken, and the mean of the
pixels in it is the body's colour: pips, glare and shaded sides lie outside. The mean and not the median, because in a dim picture a
body is a few grey levels, and noise is what carries the rest.

A lamp, a camera's white balance and its exposure each multiply the three channels, and do so in the picture's own values too, which
are light to the power of a gamma. The tray stays the same under every light, green felt or not: how it looks now, divided by how it
looked then, place by place, is what the light does to the dice as well. Bright places count more than dark ones, for a channel that a
cloth swallows tells nothing of the lamp, and the wooden rim does. What moved, dice and hands, is outvoted.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frames import Box, Picture

Floats = NDArray[np.floating[Any]]

REACH_SHARE = 0.36
"""Of a box's shorter side: pixels within this of its middle are looked at. A die turned by 45 degrees fills its box's middle so far."""
AGREED_SHARE = 0.4
"""Of the pixels: as many must agree for the body. Six large pips cover up to a third of that disc, glare and a side as much again."""
MIN_PX = 24
"""Pixels that a colour is taken from, at least."""
LUMA_BGR = np.array([0.114, 0.587, 0.299], np.float32)
"""How much each channel counts for lightness; ITU-R BT.601."""

GRID_WH = (16, 12)
"""Places of the tray that are compared."""
FINE = 4
"""Px each way of a place, once the picture is shrunk to be looked at."""
AROUND_DICE = 1.4
"""Of a die's box: no part of the tray is looked at within so much of it, for its shadow's sake."""
NEIGHBOURS = 2
"""Places each way that tell how bright the light is at one."""
CLIPPED, UNSEEN = 248.0, 6.0
"""Grey levels: a channel above or below tells nothing of how much light there was."""
MAX_LOCAL = 2.0
"""A lamp beside the tray makes one end of it so much brighter than its middle."""
MIN_PLACES = 12
"""That have to be seen both times."""

BRIGHT = 160
"""Grey level to which the brightest of a dim tray are brought for a swatch."""
BGR_TO_XYZ = np.array([[0.1805, 0.3576, 0.4124], [0.0722, 0.7152, 0.2126], [0.9505, 0.1192, 0.0193]])
WHITE_XYZ = np.array([0.9505, 1.0, 1.089])
"""Linear sRGB, and its white (D65); IEC 61966-2-1."""


def lab(bgr: Floats) -> Floats:
    """(..., 3) BGR 0-255, taken as sRGB, as CIE L*a*b*: L 0-100, a and b about -100 to 100. Brighter than 255 goes on beyond 100."""
    shown = np.maximum(np.asarray(bgr, np.float64), 0) / 255
    light = np.where(shown <= 0.04045, shown / 12.92, ((shown + 0.055) / 1.055) ** 2.4)
    x, y, z = np.moveaxis(_cube_root(light @ BGR_TO_XYZ.T / WHITE_XYZ), -1, 0)
    return np.stack([116 * y - 16, 500 * (x - y), 200 * (y - z)], axis=-1)


def _cube_root(share: Floats) -> Floats:
    """The cube root, and CIE's straight line where that is too steep."""
    return np.asarray(np.where(share > 0.008856, np.cbrt(share), 7.787 * share + 16 / 116))


# --- the die ------------------------------------------------------------------------------------------------------------


def body_bgr(picture: Picture, box: Box) -> Floats | None:
    """The colour (3,) of the die in this box without its pips and glare, BGR 0-255; None where the box is too small to tell."""
    x, y, w, h = box
    cx, cy, reach = x + w / 2, y + h / 2, REACH_SHARE * min(w, h)
    left, top = max(int(cx - reach), 0), max(int(cy - reach), 0)
    part = picture[top : max(int(cy + reach) + 1, top), left : max(int(cx + reach) + 1, left)]
    rows, cols = np.mgrid[: part.shape[0], : part.shape[1]]
    return agreed(part[np.hypot(cols + left + 0.5 - cx, rows + top + 0.5 - cy) <= reach])


def agreed(pixels: NDArray[np.uint8]) -> Floats | None:
    """What most of these (n, 3) pixels agree on, (3,); None where they are too few."""
    if len(pixels) < MIN_PX:
        return None
    values = pixels.astype(np.float32)
    light = values @ LUMA_BGR
    order = np.argsort(light, kind="stable")
    rising, count = light[order], max(MIN_PX, int(AGREED_SHARE * len(order)))
    first = int(np.argmin(rising[count - 1 :] - rising[: len(rising) - count + 1]))
    return np.asarray(values[order[first : first + count]].mean(axis=0), np.float64)


# --- the light ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Light:
    """What the light does to the tray now, against what it did then.

    gain: (3,) by what every channel is multiplied. local: (rows, columns of GRID_WH) how much more or less than that at each place.
    """

    gain: Floats
    local: Floats

    def undone(self, body: Floats, middle_xy: tuple[float, float]) -> Floats:
        """The colour (3,) of a body as it was in the other light; middle_xy: where it lies, shares of the picture, 0-1."""
        col, row = (min(max(int(share * n), 0), n - 1) for share, n in zip(middle_xy, GRID_WH, strict=True))
        return np.asarray(body / self.gain / self.local[row, col])


def tray_tones(picture: Picture, boxes: Sequence[Box]) -> Floats:
    """How the tray looks, place by place: (rows, columns of GRID_WH, 3) mean BGR, not a number where dice lie."""
    h, w = picture.shape[:2]
    cols, rows = GRID_WH
    small = cv2.resize(picture, (cols * FINE, rows * FINE), interpolation=cv2.INTER_AREA).astype(np.float64)
    for box in boxes:
        _strike_out(small, box, cols * FINE / w, rows * FINE / h)
    return np.asarray(small.reshape(rows, FINE, cols, FINE, 3).mean(axis=(1, 3)))


def _strike_out(small: Floats, box: Box, kx: float, ky: float) -> None:
    """Makes what lies around this die no number, in place; kx, ky: px of `small` a px of the box."""
    x, y, w, h = box
    cx, cy, half_w, half_h = (x + w / 2) * kx, (y + h / 2) * ky, w / 2 * AROUND_DICE * kx, h / 2 * AROUND_DICE * ky
    rows = slice(max(int(cy - half_h), 0), max(int(np.ceil(cy + half_h)), 0))
    small[rows, max(int(cx - half_w), 0) : max(int(np.ceil(cx + half_w)), 0)] = np.nan


def light_between(then: Floats, now: Floats) -> Light | None:
    """What changed from one look of tray_tones to another; None where too little of the tray is seen in both."""
    seen = (np.fmax(then, now) < CLIPPED) & (np.minimum(then, now) > UNSEEN)
    if seen.sum(axis=(0, 1)).min() < MIN_PLACES:
        return None
    ratio = np.where(seen, now, np.nan) / np.where(seen, then, 1)
    trust = then**2  # noise of so many grey levels spoils a ratio the less, the brighter the place
    gain = np.array([_weighted_median(ratio[..., c][seen[..., c]], trust[..., c][seen[..., c]]) for c in range(3)])
    local = _smoothed(_brightness(ratio / gain, np.where(seen, trust, 0)))
    return Light(gain, np.clip(local, 1 / MAX_LOCAL, MAX_LOCAL))


def _brightness(change: Floats, weight: Floats) -> Floats:
    """(rows, columns) mean change of a place over its channels; not a number where none is seen."""
    total = weight.sum(axis=2)
    mean = np.nansum(change * weight, axis=2) / np.maximum(total, 1e-9)
    return np.asarray(np.where(total > 0, mean, np.nan))


def _smoothed(field: Floats) -> Floats:
    """(rows, columns) the median of what is seen around each place; 1 where nothing is."""
    n = NEIGHBOURS
    around = np.lib.stride_tricks.sliding_window_view(np.pad(field, n, constant_values=np.nan), (2 * n + 1, 2 * n + 1))
    rising = np.sort(around.reshape(*field.shape, -1), axis=-1)  # what is not seen stands last
    count = (~np.isnan(rising)).sum(axis=-1)
    middle = np.stack([np.maximum(count - 1, 0) // 2, count // 2], axis=-1)
    return np.asarray(np.where(count > 0, np.take_along_axis(rising, middle, axis=-1).mean(axis=-1), 1.0))


def _weighted_median(values: Floats, weights: Floats) -> float:
    order = np.argsort(values, kind="stable")
    heard = np.cumsum(weights[order])
    return float(values[order][np.searchsorted(heard, heard[-1] / 2)])
