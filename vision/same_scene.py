"""Whether a tray shows what it showed before, but for noise and light: for what nobody could watch in between.

Theory of operation. The logarithm makes a change of light an offset, and a slow one over the picture; taking away the mean around each
pixel leaves what lies there, in the light's own units. What is left must agree, where a pixel may have gone by one in any direction:
a camera on a lamp sways. A pip that is not where it was differs by more than any noise.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frames import Picture

Grey = NDArray[np.float32]

SCENE_W = 400
"""Width that the pictures are shrunk to, px: a die of 20 px in 640 keeps 12, and its pips 2."""

SMOOTH_PX = 0.8
"""Sigma of the blur on it: takes what noise the shrinking left."""

DARK_LEVELS = 8.0
"""Added before the logarithm, grey levels, so that noise in the dark does not become large."""

AROUND = 1 / 8
"""Side of the square that the mean is taken over, share of the width: larger than most dice, smaller than the glow of a lamp."""

DIFFERS = 0.35
"""Difference of logarithms that is another thing: 40 % of the light. A pip on its die makes 1 and more, a soft shadow 0.2."""

LEAST_SHARE = 3e-5
"""Share of the picture that must differ: 4 px of 400 x 300, most of a small die's pip."""


def same_scene(before: Picture, after: Picture) -> bool:
    """True when both pictures show the same things in the same places, faces and all; light and noise may differ.

    False, too, for pictures of different sizes, and where shadows fall elsewhere: what cannot be told apart counts as changed.
    """
    if before.shape != after.shape:
        return False
    was, now = _alike_lit(_small(before), _small(after))
    was, now = _things(was), _things(now)
    apart = np.maximum(_beyond(was, now), _beyond(now, was)) > DIFFERS
    return float(apart.mean()) < LEAST_SHARE


def _small(picture: Picture) -> Grey:
    """(h, SCENE_W) float32 grey, a little blurred."""
    h = max(round(SCENE_W * picture.shape[0] / picture.shape[1]), 1)
    small = cv2.resize(picture, (SCENE_W, h), interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.GaussianBlur(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY).astype(np.float32), (0, 0), SMOOTH_PX), np.float32)


def _alike_lit(was: Grey, now: Grey) -> tuple[Grey, Grey]:
    """Both by as much light, place by place: by the lesser of what they had."""
    more = (_around(now) + 1) / (_around(was) + 1)
    return np.asarray(was * np.minimum(more, 1), np.float32), np.asarray(now / np.maximum(more, 1), np.float32)


def _things(grey: Grey) -> Grey:
    """What lies there whatever the light: the logarithm of brightness, less its mean around."""
    light = np.asarray(np.log(grey + DARK_LEVELS), np.float32)
    return light - _around(light)


def _around(values: Grey) -> Grey:
    """The mean around each pixel."""
    side = round(AROUND * SCENE_W) | 1
    return np.asarray(cv2.blur(values, (side, side)), np.float32)


def _beyond(near: Grey, there: Grey) -> Grey:
    """How far `there` is from all that `near` has within a pixel of it."""
    square = np.ones((3, 3), np.uint8)
    return np.asarray(np.maximum(there - cv2.dilate(near, square), cv2.erode(near, square) - there), np.float32)
