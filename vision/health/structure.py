"""Measures how much structure a picture has, at a fine and at a coarse scale, without the camera's noise.

Theory of operation. A second difference along a row responds to edges of its own scale: the fine one to what
a lens out of focus loses first, the coarse one to pips, dice and the tray's border. Noise responds too, most
of all in the dark. Noise differs in every frame, the tray's structure does not: so the mean product of two
frames' responses at the same places is the structure alone. Where something moves the responses differ as
well; there the frame's own energy is used, minus the share that may be noise.
"""

from __future__ import annotations

from dataclasses import astuple, dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frames import Picture

Grey = NDArray[np.float32]

ROWS = 96
"""Rows that are sampled: seven cross a die of 60 px in 960 rows. They cost 0.1 ms, all rows cost 1.2 ms."""

FINE_SHARE = 1 / 400
"""Reach of the fine second difference, share of the picture's width: 3 px of 1280. The response is largest
for periods of 4 times the reach. It falls from a blur of 0.003 of the width on, which leaves a fifth of it;
many good lenses do not show finer structure."""

COARSE_RATIO = 4
"""Reach of the coarse second difference, in reaches of the fine one. The response is largest for periods of
4 % of the width, a die or its pips."""

GRID_WH = (16, 12)
"""Blocks of the picture; one is about a die wide."""

NOISE_FACTOR = 3.0
"""Factor of the median noise that a moving block may have: bright places have more noise than dark ones."""

NOISE_CORRELATION = 2.0
"""Neighbouring responses in a row that share their noise, for the uncertainty of a block's mean: each pixel
is part of three responses."""


@dataclass(frozen=True, eq=False)
class Rows:
    """Evenly spaced rows of a picture, green only, (rows, width) float32, the two responses to them, and the
    brightest colour channel by blocks of GRID_WH: red felt has hardly any green."""

    grey: Grey
    fine: Grey
    coarse: Grey
    brightest: Grey

    @classmethod
    def of(cls, picture: Picture) -> Rows:
        rows = picture[:: max(len(picture) // ROWS, 1)]
        grey = rows[..., 1].astype(np.float32)
        reach = max(round(FINE_SHARE * grey.shape[1]), 1)
        fine, coarse = second_difference(grey, reach), second_difference(grey, COARSE_RATIO * reach)
        return cls(grey, fine, coarse, blocks(np.ascontiguousarray(rows)).max(axis=2))


@dataclass(frozen=True, eq=False)
class Structure:
    """The structure that two frames of a tray shortly after each other have in common, by blocks of GRID_WH.

    level: mean brightness of the later one, grey levels. brightest: that of its brightest colour channel.
    fine, coarse: energy of the structure, grey levels squared. All (GRID_WH[1], GRID_WH[0]).
    fine_sigma, coarse_sigma: standard deviation of a block's energy due to noise.
    """

    level: Grey
    brightest: Grey
    fine: Grey
    coarse: Grey
    fine_sigma: float = 0.0
    coarse_sigma: float = 0.0

    @classmethod
    def between(cls, before: Rows, after: Rows) -> Structure:
        fine, fine_sigma = common_energy(before.fine, after.fine)
        coarse, coarse_sigma = common_energy(before.coarse, after.coarse)
        return cls(blocks(after.grey), after.brightest, fine, coarse, fine_sigma, coarse_sigma)

    @property
    def sharpness(self) -> float:
        """Ratio of fine to coarse structure of the whole picture, as amplitudes; 0 if there is none."""
        return float(np.sqrt(max(float(self.fine.mean()), 0.0) / max(float(self.coarse.mean()), 1e-6)))

    @property
    def contrast(self) -> float:
        """Coarse structure of the whole picture, grey levels rms."""
        return float(np.sqrt(max(float(self.coarse.mean()), 0.0)))

    def smoothed(self, before: Structure, share: float) -> Structure:
        """The exponential moving average: this share of `before`, the rest of this one."""
        values = zip(astuple(before), astuple(self), strict=True)
        return Structure(*(share * old + (1 - share) * new for old, new in values))


def second_difference(grey: Grey, reach_px: int) -> Grey:
    """2 g(x) - g(x - reach) - g(x + reach) along the rows, mirrored at their ends; of grey's shape."""
    kernel = np.zeros((1, 2 * reach_px + 1), np.float32)
    kernel[0, [0, reach_px, -1]] = -1, 2, -1
    return np.asarray(cv2.filter2D(grey, -1, kernel), np.float32)


def common_energy(before: Grey, after: Grey) -> tuple[Grey, float]:
    """The energy by blocks that two frames' responses have in common, and its sigma due to noise.

    Without structure it scatters around 0, positive and negative, so that the mean of many blocks is right.
    """
    common, frame_energy = blocks(before * after), blocks(after * after)
    noise = max(float(np.median(frame_energy - common)), 0.0)
    values_per_block = after.size / frame_energy.size / NOISE_CORRELATION
    return np.maximum(common, frame_energy - NOISE_FACTOR * noise), noise / np.sqrt(values_per_block)


def blocks(values: Grey | Picture) -> Grey:
    """Means over blocks, (GRID_WH[1], GRID_WH[0]) float32; with the channels, if there are any, as a third
    axis."""
    return np.asarray(cv2.resize(values, GRID_WH, interpolation=cv2.INTER_AREA), np.float32)
