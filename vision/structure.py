"""How much structure a picture has, at a fine and at a coarse scale, without the camera's noise.

Theory of operation. A second difference along a row answers to edges of its own scale: the fine one to what a lens out of focus
loses first, the coarse one to pips, dice and the tray's border. Noise answers too, and in the dark it answers loudest. It is another
in every frame, the structure of a tray is the same: so the mean product of two frames' answers at equal places is the structure
alone. Where something moves the two differ as well; there the frame's own energy stands in, less what noise may have of it.
"""

from __future__ import annotations

from dataclasses import astuple, dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frames import Picture

Grey = NDArray[np.float32]

ROWS = 96
"""Rows looked at, of however many there are: seven cross a die of 60 px in 960 rows. Costs 0.1 ms where all cost 1.2."""

FINE_SHARE = 1 / 400
"""Reach of the fine second difference, share of the picture's width: 3 px of 1280. It answers most to periods of 4 times its reach.
Readings fall off from a blur of 0.003 of the width, which leaves a fifth of them; finer structure many a good lens does not show."""

COARSE = 4
"""Reach of the coarse second difference, in reaches of the fine one: answers most to periods of 4 % of the width, a die or its pips."""

GRID_WH = (16, 12)
"""Blocks that the picture is told by: one is about a die wide."""

SPARE_NOISE = 3.0
"""Times the median noise that a moving block's own energy is held for noise: bright places have more of it than dark ones."""

NOISE_REACH = 2.0
"""Neighbours along a row whose answers share their noise, for the uncertainty of a block's mean: each pixel goes into three answers."""


@dataclass(frozen=True, eq=False)
class Rows:
    """Every so manieth row of a picture, green only, (rows, width) float32, and what the two differences answer there."""

    grey: Grey
    fine: Grey
    coarse: Grey

    @classmethod
    def of(cls, picture: Picture) -> Rows:
        grey = picture[:: max(len(picture) // ROWS, 1), :, 1].astype(np.float32)
        reach = max(round(FINE_SHARE * grey.shape[1]), 1)
        return cls(grey, second_difference(grey, reach), second_difference(grey, COARSE * reach))


@dataclass(frozen=True, eq=False)
class Structure:
    """What two looks at a tray, shortly after each other, have in common, by blocks of GRID_WH.

    level: mean brightness of the later one, grey levels. fine, coarse: energy of the structure, grey levels squared.
    All (GRID_WH[1], GRID_WH[0]) float32. fine_doubt, coarse_doubt: what noise may make of a block's energy, one sigma.
    """

    level: Grey
    fine: Grey
    coarse: Grey
    fine_doubt: float = 0.0
    coarse_doubt: float = 0.0

    @classmethod
    def between(cls, before: Rows, now: Rows) -> Structure:
        fine, fine_doubt = common_energy(before.fine, now.fine)
        coarse, coarse_doubt = common_energy(before.coarse, now.coarse)
        return cls(blocks(now.grey), fine, coarse, fine_doubt, coarse_doubt)

    @property
    def sharpness(self) -> float:
        """Fine against coarse structure of the whole picture, as amplitudes; 0 where there is none."""
        return float(np.sqrt(max(float(self.fine.mean()), 0.0) / max(float(self.coarse.mean()), 1e-6)))

    @property
    def contrast(self) -> float:
        """Coarse structure of the whole picture, grey levels rms."""
        return float(np.sqrt(max(float(self.coarse.mean()), 0.0)))

    def smoothed(self, before: Structure, share: float) -> Structure:
        """So much of what was before in it."""
        values = zip(astuple(before), astuple(self), strict=True)
        return Structure(*(share * was + (1 - share) * now for was, now in values))


def second_difference(grey: Grey, reach_px: int) -> Grey:
    """2 g(x) - g(x - reach) - g(x + reach) along the rows, mirrored at their ends; of grey's shape."""
    kernel = np.zeros((1, 2 * reach_px + 1), np.float32)
    kernel[0, [0, reach_px, -1]] = -1, 2, -1
    return np.asarray(cv2.filter2D(grey, -1, kernel), np.float32)


def common_energy(before: Grey, now: Grey) -> tuple[Grey, float]:
    """Energy by blocks of what two frames' answers have in common, and one sigma of what noise makes of it.

    Where there is none, noise has it a little over 0 or under, so that the mean of many blocks is right.
    """
    common, own = blocks(before * now), blocks(now * now)
    noise = max(float(np.median(own - common)), 0.0)
    values_each = now.size / own.size / NOISE_REACH
    return np.maximum(common, own - SPARE_NOISE * noise), noise / np.sqrt(values_each)


def blocks(values: Grey) -> Grey:
    """Means over blocks, (GRID_WH[1], GRID_WH[0]) float32."""
    return np.asarray(cv2.resize(values, GRID_WH, interpolation=cv2.INTER_AREA), np.float32)
