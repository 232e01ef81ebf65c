"""Tells which dice in a photograph may show another face than the upper one.

Theory of operation. The classifier reads the face that is turned most towards the camera. Seen from above
that is the upper face. Seen from low down it is a side, and nothing in the crop of the die tells. The face's
normal does. People hold a camera upright, so the normals of upper faces point upwards in a photograph, and
those of the sides in front point downwards. The upper faces of all dice have the same normal; their sides
seldom do. A die whose face may be a side is not sure: a person is asked.

Directions are in the camera's axes, as in vision.reading.ground_plane. The focal length is unknown: a face is
doubtful only if it is for all of PHOTO_FOCALS.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from vision.reading.ground_plane import FOCALS, INCOMPATIBLE_DEG, Normals
from vision.readings import SeenDie

PHOTO_FOCALS = tuple(focal for focal in FOCALS if focal >= 0.75)
"""Focal lengths of cameras for photographs, as shares of the picture's long side."""
FROM_ABOVE_DEG = 16.0
"""A face that is turned from the camera's axis by less than this, plus its normal's error, is the upper one:
if it were a side, the camera would look over the table at less than this angle."""
UPWARDS_DEG = 108.0
"""Largest angle in the picture between upwards and the normal of an upper face: a camera may lie on its side.
The sides that an upright camera sees point further down. With these limits, of 35 dice that were sure and
wrong in 120 rendered photographs from 55 to 65 degrees, 5 stay so. Of 1,096 sure dice in photographs, which
the limits were chosen on, 3 are no longer sure.
"""
AGREEING_SHARE = 0.5
"""Share of the other dice that must have about the same normal as an upper face."""


def without_doubtful(dice: Sequence[SeenDie], size_wh: tuple[int, int]) -> list[SeenDie]:
    """The dice of a photograph; those that may show a side as their face are not sure."""
    doubtful = may_show_sides(dice, size_wh)
    return [replace(d, sure=False) if doubt else d for d, doubt in zip(dice, doubtful, strict=True)]


def may_show_sides(dice: Sequence[SeenDie], size_wh: tuple[int, int]) -> list[bool]:
    """Which of the dice of a photograph may show a side as their face; none without a normal."""
    known = [i for i, die in enumerate(dice) if die.normal_xy]
    if not known:
        return [False] * len(dice)
    normals = Normals.of([dice[i] for i in known], size_wh)
    errors_deg = np.degrees([dice[i].normal_error for i in known])
    doubtful = {i for i, doubt in zip(known, may_be_sides(normals, errors_deg), strict=True) if doubt}
    return [i in doubtful for i in range(len(dice))]


def may_be_sides(normals: Normals, errors_deg: NDArray[np.float64]) -> NDArray[np.bool_]:
    """(n,): which of these faces may be sides, for every focal length. errors_deg: (n,) of the normals."""
    camera_normals = normals.in_camera_axes(PHOTO_FOCALS)  # (f, n, 3)
    x, y, z = np.moveaxis(camera_normals, -1, 0)
    from_above = np.degrees(np.arccos(np.clip(-z, -1, 1))) <= FROM_ABOVE_DEG + errors_deg
    agreeing = agreeing_dice(camera_normals, errors_deg)
    upwards = np.degrees(np.abs(np.arctan2(x, -y))) <= UPWARDS_DEG
    agreed = agreeing >= AGREEING_SHARE * (len(errors_deg) - 1)
    return np.asarray(~((from_above | upwards) & agreed).any(axis=0))


def agreeing_dice(camera_normals: NDArray[np.float64], errors_deg: NDArray[np.float64]) -> NDArray[np.int64]:
    """(f, n): for each die the number of others that may lie on the same plane, for each focal length."""
    cosines = camera_normals @ camera_normals.transpose(0, 2, 1)
    angles_deg = np.degrees(np.arccos(np.clip(cosines, -1, 1)))
    same = angles_deg <= INCOMPATIBLE_DEG + errors_deg[:, None] + errors_deg
    return np.asarray(same.sum(axis=2) - 1)
