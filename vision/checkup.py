"""A camera's picture in figures, for people who set one up: light, noise, sharpness, and the bands that lamps draw."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

import numpy as np

from vision.events import Trouble
from vision.frames import Frame
from vision.health import Health
from vision.structure import Rows, Structure

LOOKED_AT_S = 4.0
"""Frames are taken for so long: exposure and focus find themselves first, and are held from the second second on."""

JUDGED_S = 1.2
"""What counts are the frames of the last so many seconds."""

MAX_FRAMES = 240
"""More are not taken: a source without a clock of its own must end."""

BLACK, WHITE = 2, 253
"""A pixel at most so dark, or at least so bright, grey levels, has nothing left to show."""

SHIFTED = 1.22
"""Row means of two frames differ by so many times the bands' amplitude, rms: 100 Hz at 30 frames a second moves them by a third."""


@dataclass(frozen=True)
class Checkup:
    """A camera's picture in figures.

    size_wh: px. fps: frames a second. level: mean brightness, grey levels. burnt, black: share of the picture, 0-1.
    noise: sigma of a pixel, grey levels. sharpness: fine against coarse structure, see vision.structure.
    bands: amplitude of the bands that lamps draw along the rows, share of the brightness, 0-1.
    trouble: what keeps the table from seeing, None where nothing does.
    """

    size_wh: tuple[int, int]
    fps: float
    level: float
    burnt: float
    black: float
    noise: float
    sharpness: float
    bands: float
    trouble: Trouble | None = None


def examined(frames: Iterator[Frame]) -> Checkup | None:
    """What LOOKED_AT_S of these frames say of the camera; None where none came. Nothing should move before it meanwhile."""
    health, taken = Health(), list[Frame]()
    trouble = None
    for frame in frames:
        trouble = health.update(frame, at_rest=True)
        taken.append(frame)
        if frame.at_s - taken[0].at_s >= LOOKED_AT_S or len(taken) >= MAX_FRAMES:
            break
    late = [frame for frame in taken if frame.at_s >= taken[-1].at_s - JUDGED_S]
    return _judged(late, trouble) if late else None


def _judged(frames: Sequence[Frame], trouble: Trouble | None) -> Checkup:
    last = frames[-1]
    rows = [Rows.of(frame.picture) for frame in frames]
    grey = rows[-1].grey
    took_s = last.at_s - frames[0].at_s
    pairs = list(pairwise(rows)) or [(rows[-1], rows[-1])]
    return Checkup(
        size_wh=last.size_wh,
        fps=(len(frames) - 1) / took_s if took_s > 0 else 0.0,
        level=float(grey.mean()),
        burnt=float((grey >= WHITE).mean()),
        black=float((grey <= BLACK).mean()),
        noise=median(_noise(*pair) for pair in pairs),
        sharpness=median(Structure.between(*pair).sharpness for pair in pairs),
        bands=median(_bands(*pair) for pair in pairs),
        trouble=trouble,
    )


def _noise(before: Rows, now: Rows) -> float:
    """Sigma of a pixel's noise, grey levels: of two frames' difference, without what whole rows have in common."""
    change = now.grey - before.grey
    change -= change.mean(axis=1, keepdims=True)
    return float(np.sqrt(np.mean(change * change) / 2))


def _bands(before: Rows, now: Rows) -> float:
    """Amplitude of the bands along the rows, share of the brightness, less what noise makes of it."""
    was, now_ = before.grey.mean(axis=1), now.grey.mean(axis=1)
    ratio = (now_ + 1) / (was + 1)
    noise = 2 * _noise(before, now) ** 2 / now.grey.shape[1] / float(now.grey.mean() + 1) ** 2
    return float(np.sqrt(max(float(np.var(ratio)) - noise, 0.0))) / SHIFTED
