"""Contrast test: whether the pips of a rendered die are distinguishable despite glare, darkness or blur."""

from __future__ import annotations

import numpy as np

MIN_CONTRAST = 14.0
"""Minimum contrast of countable pips to the body around them, 0-255 in the strongest channel. People cannot
see less either."""


def pip_contrast(picture: np.ndarray, pips: np.ndarray, pip_px: float) -> float:
    """The contrast of the pips (n, 2) px of radius pip_px to the ring around each: median over the pips of
    the strongest channel, 0-255."""
    differences = []
    h, w = picture.shape[:2]
    for x, y in pips:
        reach = int(np.ceil(2 * pip_px)) + 1
        x0, y0 = max(int(x) - reach, 0), max(int(y) - reach, 0)
        part = picture[y0 : min(int(y) + reach + 1, h), x0 : min(int(x) + reach + 1, w)].astype(np.float32)
        v, u = np.mgrid[: part.shape[0], : part.shape[1]]
        away = np.hypot(u + x0 + 0.5 - x, v + y0 + 0.5 - y) / max(pip_px, 0.8)
        inside, ring = part[away < 0.75], part[(away > 1.25) & (away < 1.9)]
        if len(inside) and len(ring):
            differences.append(float(np.abs(inside.mean(axis=0) - np.median(ring, axis=0)).max()))
    return float(np.median(differences)) if differences else 0.0


def has_visible_pips(picture: np.ndarray, pips: np.ndarray, pip_px: float) -> bool:
    """Whether a person can count these pips."""
    return pip_contrast(picture, pips, pip_px) >= MIN_CONTRAST
