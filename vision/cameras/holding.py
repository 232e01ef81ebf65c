"""Decides when a camera's exposure, colours and focus are held, and when they are automatic.

A hand in the picture must not change how bright the dice are, so the controls are held. After a lamp is
switched they have to adapt: once the picture is much brighter or darker they become automatic, and are held
again later. Some webcams jump to another exposure when it is held: their controls stay automatic.
"""

from __future__ import annotations

from enum import Enum

import numpy as np

from vision.frames import Picture

SETTLING_S = 1.5
"""Time for which exposure, white balance and focus are automatic before they are held, s."""

LIGHT_CHANGE_FACTOR = 1.8
"""The controls adapt if the picture becomes brighter or darker by this factor. A hand over half a tray
changes it less, a lamp more."""

LIGHT_CHANGE_S = 1.0
"""Minimum duration of that change, s. An arm passes faster."""

JUMP_FACTOR = 1.3
"""A camera whose picture changes by this factor within JUMP_S does not keep its exposure."""

JUMP_S = 0.7
"""Time after which a change of the controls shows in the picture, s. It takes up to half a second."""

SAMPLE_COLUMNS = 64
"""Columns, and rows at the same spacing, of the pixels whose brightness is measured."""


class ControlMode(Enum):
    """What a camera does with its exposure, colours and focus."""

    HELD = "keep them as they are"
    AUTOMATIC = "let them adapt"


class ControlHold:
    """Decides from frames when the controls change mode. It has no clock: times are those of the frames."""

    def __init__(self) -> None:
        self._held_level: float | None = None
        self._since_s = 0.0
        self._changed_s: float | None = None
        self._jumps = False

    def update(self, picture: Picture, at_s: float) -> ControlMode | None:
        """The mode to set now; None: no change."""
        level = brightness(picture)
        if self._held_level is None:
            return self._hold_controls(level, at_s)
        factor = max(level / self._held_level, self._held_level / level)
        if at_s - self._since_s <= JUMP_S:
            self._jumps = factor > JUMP_FACTOR
            return self._adapt(at_s) if self._jumps else None
        if factor <= LIGHT_CHANGE_FACTOR:
            self._changed_s = None
            return None
        self._changed_s = at_s if self._changed_s is None else self._changed_s
        return self._adapt(at_s) if at_s - self._changed_s >= LIGHT_CHANGE_S else None

    def _hold_controls(self, level: float, at_s: float) -> ControlMode | None:
        if self._jumps or at_s - self._since_s < SETTLING_S:
            return None
        self._held_level, self._since_s, self._changed_s = level, at_s, None
        return ControlMode.HELD

    def _adapt(self, at_s: float) -> ControlMode:
        self._held_level, self._since_s = None, at_s
        return ControlMode.AUTOMATIC


def brightness(picture: Picture) -> float:
    """Mean green of a sample of pixels, grey levels; at least 1, as it is used as a divisor."""
    step = max(picture.shape[1] // SAMPLE_COLUMNS, 1)
    return max(float(np.mean(picture[::step, ::step, 1])), 1.0)
