"""When a camera's exposure, colours and focus are held, and when they are let find themselves anew.

A hand in the picture must not change how bright the dice are: so they are held. A lamp that is switched must be survived: so they are
let go when the picture has become much brighter or darker, and held again. Some webcams jump to another exposure the moment it is
held: those are left alone from then on.
"""

from __future__ import annotations

from enum import Enum

import numpy as np

from vision.frames import Picture

FINDING_S = 1.5
"""Exposure, white balance and focus find themselves for so long before they are held."""

RELIT = 1.8
"""Times brighter or darker than held that the picture must be. A hand over half a tray makes less; a lamp makes more."""

RELIT_S = 1.0
"""... and for so long: an arm passes in less."""

JUMP = 1.3
"""Times brighter or darker within JUMP_S of being held: the camera does not keep what it had."""

JUMP_S = 0.7
"""Controls take up to half a second to show in the picture."""

ACROSS = 64
"""So many pixels across, and as close to one another down, the brightness is taken from."""


class Wish(Enum):
    """What a camera is to do with its exposure, colours and focus."""

    HOLD = "keep them as they are"
    FIND = "find them by itself"


class Holding:
    """Feeds on frames, says when to hold and when to find; keeps no clock."""

    def __init__(self) -> None:
        self._held: float | None = None
        self._since_s = 0.0
        self._relit_s: float | None = None
        self._useless = False

    def see(self, picture: Picture, at_s: float) -> Wish | None:
        """What is to be done now; None: nothing new."""
        level = brightness(picture)
        if self._held is None:
            return self._hold(level, at_s)
        factor = max(level / self._held, self._held / level)
        if at_s - self._since_s <= JUMP_S:
            self._useless = factor > JUMP
            return self._find(at_s) if self._useless else None
        self._relit_s = None if factor <= RELIT else at_s if self._relit_s is None else self._relit_s
        return self._find(at_s) if self._relit_s is not None and at_s - self._relit_s >= RELIT_S else None

    def _hold(self, level: float, at_s: float) -> Wish | None:
        if self._useless or at_s - self._since_s < FINDING_S:
            return None
        self._held, self._since_s, self._relit_s = level, at_s, None
        return Wish.HOLD

    def _find(self, at_s: float) -> Wish:
        self._held, self._since_s = None, at_s
        return Wish.FIND


def brightness(picture: Picture) -> float:
    """Mean green of a few pixels, grey levels; 1 at least, so that it can be divided by."""
    step = max(picture.shape[1] // ACROSS, 1)
    return max(float(np.mean(picture[::step, ::step, 1])), 1.0)
