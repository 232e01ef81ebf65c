"""Measures a camera's picture for people who set one up: light, noise, sharpness, bands of lamps."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

import cv2
import numpy as np

from table.common.tray import TrayState
from vision.frames import Frame
from vision.health.camera_health import Health
from vision.health.structure import Grey, Rows, Structure

DURATION_S = 4.0
"""Duration of the measurement, s. Exposure and focus adjust first, and are held from the second second on."""

MEASURED_S = 1.2
"""Duration at the end of it whose frames are measured, s."""

MAX_FRAMES = 240
"""Maximum number of frames, for a source without a clock of its own."""

BLACK_LEVEL, WHITE_LEVEL = 2, 253
"""Grey levels at or below which a pixel is too dark, and at or above which it is too bright, for detail."""

GLARE_GRID_WH = (6, 4)
"""Parts of the picture of which the one with the most glare is found; one is about three dice wide."""

MIN_GLARE_SHARE = 0.05
"""Least overexposed share of such a part. The white highlights of polished dice stay below it."""

BAND_DIFFERENCE = 1.22
"""Difference of two frames' row means, in amplitudes of the bands, rms: at 100 Hz and 30 frames a second the
bands move by a third."""


@dataclass(frozen=True)
class ImageQuality:
    """The measurements of a camera's picture.

    size_wh: px.
    fps: frames a second.
    level: mean brightness, grey levels.
    overexposed_share, underexposed_share: of the picture, 0-1.
    noise: standard deviation of a pixel, grey levels.
    sharpness: ratio of fine to coarse structure, see vision.health.structure.
    banding: amplitude of the bands that lamps draw along the rows, share of the brightness, 0-1.
    trouble: why the picture cannot be used; None: it can.
    glare_xy: shares of the picture's width and height: where it is overexposed most; None: nowhere.
    """

    size_wh: tuple[int, int]
    fps: float
    level: float
    overexposed_share: float
    underexposed_share: float
    noise: float
    sharpness: float
    banding: float
    trouble: TrayState | None = None
    glare_xy: tuple[float, float] | None = None


def measure_image_quality(frames: Iterator[Frame]) -> ImageQuality | None:
    """The measurements of DURATION_S of these frames; None if there are none. Nothing should move."""
    health, taken = Health(), list[Frame]()
    trouble = None
    for frame in frames:
        trouble = health.update(frame, at_rest=True)
        taken.append(frame)
        if frame.at_s - taken[0].at_s >= DURATION_S or len(taken) >= MAX_FRAMES:
            break
    last_frames = [frame for frame in taken if frame.at_s >= taken[-1].at_s - MEASURED_S]
    return measured(last_frames, trouble) if last_frames else None


def measured(frames: Sequence[Frame], trouble: TrayState | None = None) -> ImageQuality:
    """The measurements of these frames, which follow one another; at least one."""
    last = frames[-1]
    rows = [Rows.of(frame.picture) for frame in frames]
    grey = rows[-1].grey
    duration_s = last.at_s - frames[0].at_s
    pairs = list(pairwise(rows)) or [(rows[-1], rows[-1])]
    return ImageQuality(
        size_wh=last.size_wh,
        fps=(len(frames) - 1) / duration_s if duration_s > 0 else 0.0,
        level=float(grey.mean()),
        overexposed_share=float((grey >= WHITE_LEVEL).mean()),
        underexposed_share=float((grey <= BLACK_LEVEL).mean()),
        noise=median(_noise(*pair) for pair in pairs),
        sharpness=median(Structure.between(*pair).sharpness for pair in pairs),
        banding=median(_bands(*pair) for pair in pairs),
        trouble=trouble,
        glare_xy=_glare_xy(grey),
    )


def _glare_xy(grey: Grey) -> tuple[float, float] | None:
    """The middle of the overexposed pixels round the part of the picture with the most of them, as in
    ImageQuality."""
    glares = (grey >= WHITE_LEVEL).astype(np.float32)
    shares = cv2.resize(glares, GLARE_GRID_WH, interpolation=cv2.INTER_AREA)
    if shares.max() < MIN_GLARE_SHARE:
        return None
    row, column = (int(n) for n in np.unravel_index(int(shares.argmax()), shares.shape))
    parts_wh, (h, w) = np.array(GLARE_GRID_WH), glares.shape
    left, top = np.maximum(np.array([column - 1, row - 1]), 0) / parts_wh * (w, h)
    right, bottom = np.minimum(np.array([column + 2, row + 2]), parts_wh) / parts_wh * (w, h)
    y, x = np.nonzero(glares[int(top) : int(bottom), int(left) : int(right)])
    return float(x.mean() + int(left)) / w, float(y.mean() + int(top)) / h


def _noise(before: Rows, after: Rows) -> float:
    """Sigma of a pixel's noise, grey levels: of two frames' difference without the change of whole rows."""
    change = after.grey - before.grey
    change -= change.mean(axis=1, keepdims=True)
    return float(np.sqrt(np.mean(change * change) / 2))


def _bands(before: Rows, after: Rows) -> float:
    """Amplitude of the bands along the rows, share of the brightness, minus the part due to noise."""
    before_means, after_means = before.grey.mean(axis=1), after.grey.mean(axis=1)
    ratio = (after_means + 1) / (before_means + 1)
    noise = 2 * _noise(before, after) ** 2 / after.grey.shape[1] / float(after.grey.mean() + 1) ** 2
    return float(np.sqrt(max(float(np.var(ratio)) - noise, 0.0))) / BAND_DIFFERENCE
