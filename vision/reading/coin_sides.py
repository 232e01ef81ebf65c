"""What a side of a coin looks like, however it is turned and wherever the lamp stands.

Metal shines where its relief mirrors a lamp, so a coin's brightness says little about its relief. The
direction of its edges says more: an edge may be light or dark, and is an edge. A descriptor therefore has, on
rings around the middle of the coin, the strength and the direction of edges, without their sign and relative
to the ring. A turned coin has the same rings, turned. Two descriptors are compared in all turns at once, by a
circular correlation.
"""

from __future__ import annotations

import math

import cv2
import numpy as np
import numpy.typing as npt

from vision.frames import Picture
from vision.reading.coin_finder import Disc

Floats = npt.NDArray[np.float32]

CROP_PX = 96
"""Width of a coin's upright picture, px."""
CROP_RADIUS = CROP_PX / 2 / 1.1
"""Radius of the coin in it, px."""
ANGLES = 72
"""Angles of a ring, all around."""
RINGS = np.linspace(0.08, 0.88, 16)
"""Radii of the rings, in radii of the coin: its rim lies beyond them."""
FIELDS = 3
"""Strength of edges, and two parts of their direction."""
SCALES = (0.87, 0.93, 1.0, 1.06)
"""Sizes that are tried: a shadow beside a coin makes it seem up to 15 % larger."""
EDGE_SIGMA, LEVEL_SIGMA, CONTRAST_SIGMA, FIELD_SIGMA = 1.0, 8.0, 10.0, 1.6
"""Standard deviations of blurs, px of the crop: before edges are taken; of the brightness and of the contrast
that are divided out, because lamps light a part of a coin; and of the fields."""
LEAST_CONTRAST = 1.0
"""Contrast that counts as noise, grey levels."""


def upright(picture: Picture, disc: Disc, scale: float = 1.0) -> Picture:
    """(CROP_PX, CROP_PX, 3): the coin as seen from above, in its own turn. scale: of its diameter."""
    cos, sin = math.cos(disc.angle), math.sin(disc.angle)
    turn = np.array([[cos, -sin], [sin, cos]])
    axes = np.array(disc.diameters_wh) / 2 * scale / CROP_RADIUS
    place = turn @ np.diag(axes) @ turn.T
    shrink = float(axes.max())
    left, top = (max(int(c - disc.diameter), 0) for c in disc.centre_xy)
    part = picture[top : top + int(2 * disc.diameter) + 2, left : left + int(2 * disc.diameter) + 2]
    if shrink > 1.2:
        part = np.asarray(cv2.GaussianBlur(part, (0, 0), 0.4 * shrink), np.uint8)
    offset = np.array(disc.centre_xy) - (left, top) - place @ np.full(2, (CROP_PX - 1) / 2)
    transform = np.hstack([place, offset[:, None]]).astype(np.float32)
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    crop = cv2.warpAffine(part, transform, (CROP_PX, CROP_PX), flags=flags, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(crop, np.uint8)


def descriptor(picture: Picture, disc: Disc, scale: float = 1.0) -> Floats:
    """(ANGLES, rings, FIELDS) float32 of length 1: the edges of the side of the coin that is up."""
    grey = cv2.cvtColor(upright(picture, disc, scale), cv2.COLOR_BGR2GRAY).astype(np.float32)
    fields = cv2.remap(_edge_fields(grey), *_PLACES, cv2.INTER_LINEAR)
    fields = fields - fields.mean(axis=0, keepdims=True)  # rings that every coin has
    weighted = fields * np.sqrt(RINGS)[None, :, None]
    return np.asarray(weighted / max(float(np.linalg.norm(weighted)), 1e-6), np.float32)


def probes(picture: Picture, disc: Disc) -> Floats:
    """(n, ANGLES, rings, FIELDS): descriptors of the coin at SCALES."""
    return np.stack([descriptor(picture, disc, scale) for scale in SCALES])


def likenesses(samples: Floats, of: Floats) -> Floats:
    """(n,): the largest correlation of each sample with any probe in any turn, -1 to 1."""
    spectra = np.conj(np.fft.rfft(samples, axis=1)), np.fft.rfft(of, axis=1)
    turned = np.einsum("sarf,parf->spa", *spectra, optimize=True)
    return np.asarray(np.fft.irfft(turned, n=ANGLES, axis=2).max(axis=(1, 2)), np.float32)


def _edge_fields(grey: Floats) -> Floats:
    """(CROP_PX, CROP_PX, FIELDS): strength of the edges, and their direction against the ring's."""
    smooth = cv2.GaussianBlur(grey, (0, 0), EDGE_SIGMA)
    level = smooth - cv2.GaussianBlur(smooth, (0, 0), LEVEL_SIGMA)
    contrast = np.sqrt(cv2.GaussianBlur(level * level, (0, 0), CONTRAST_SIGMA) + LEAST_CONTRAST)
    even = np.asarray(level / contrast, np.float32)
    dx, dy = cv2.Sobel(even, cv2.CV_32F, 1, 0), cv2.Sobel(even, cv2.CV_32F, 0, 1)
    size, twice = np.hypot(dx, dy), 2 * (np.arctan2(dy, dx) - _AROUND)
    fields = np.stack([0.7 * size, size * np.cos(twice), size * np.sin(twice)], axis=2)
    return np.asarray(cv2.GaussianBlur(fields.astype(np.float32), (0, 0), FIELD_SIGMA), np.float32)


def _ring_places() -> tuple[Floats, Floats]:
    """x and y in the crop, (ANGLES, rings) each, px."""
    angles = 2 * np.pi * np.arange(ANGLES)[:, None] / ANGLES
    middle, radii = (CROP_PX - 1) / 2, RINGS * CROP_RADIUS
    return (
        (middle + np.cos(angles) * radii).astype(np.float32),
        (middle + np.sin(angles) * radii).astype(np.float32),
    )


_PLACES = _ring_places()
_ROWS, _COLUMNS = np.mgrid[:CROP_PX, :CROP_PX] - (CROP_PX - 1) / 2
_AROUND = np.arctan2(_ROWS, _COLUMNS).astype(np.float32)
"""Direction of each px of the crop from its middle, radians."""
