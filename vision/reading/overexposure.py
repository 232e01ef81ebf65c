"""Sticks whose upper side is bleached by overexposure, so that no letters can be seen on it.

A camera that exposes for a dark mat turns pale wood, and the ink on it, into plain white.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frames import Picture
from vision.reading.stick_classifier import CROP_WH, FACES, SPAN_ACROSS, SPAN_ALONG, level_crop
from vision.readings import SeenStick
from vision.turned_box import TurnedBox

BLEACHED_LEVEL = 250
"""A pixel is bleached if all its channels have at least this grey level, 0-255: sensors and JPEG leave some
noise below 255."""
BLEACHED_SHARE = 0.5
"""Share of such pixels from which a side is bleached. Sticks by Blender on which nobody sees letters or grain
have 0.6 to 1.0; sides with legible letters in glare have up to 0.36."""
INNER_ALONG, INNER_ACROSS = 0.9, 0.7
"""The part of the box that counts, in lengths and widths of the stick: its edges may be mat or shadow."""
BACK = FACES.index("round")
FLATS_AND_BACK = np.array([face not in ("white", "black") for face in FACES])
"""(7,): a bare back, and the sides that look like one when their letters are bleached."""


def is_bleached(picture: Picture, box: TurnedBox) -> bool:
    """Whether most of the side in this box is overexposed."""
    w, h = CROP_WH
    half_w = round(w * INNER_ALONG / SPAN_ALONG / 2)
    half_h = round(h * INNER_ACROSS / SPAN_ACROSS / 2)
    inner = level_crop(picture, box)[h // 2 - half_h : h // 2 + half_h, w // 2 - half_w : w // 2 + half_w]
    bleached = cv2.inRange(inner, (BLEACHED_LEVEL,) * 3, (255,) * 3)
    return float(cv2.countNonZero(bleached)) >= BLEACHED_SHARE * bleached.size


def with_hidden_sides(faces: NDArray[np.float64], bleached: Sequence[bool]) -> NDArray[np.float64]:
    """(n, 7) probabilities of the faces of n sticks -> the same, with those of bleached backs shared out.

    What looks like a bare back may bear any animal. Letters that the net still saw keep their probability.
    """
    share = np.where(FLATS_AND_BACK, faces[:, BACK, None] / FLATS_AND_BACK.sum(), 0.0)
    shared = np.where(np.arange(len(FACES)) == BACK, 0.0, faces) + share
    return np.where(np.array(bleached)[:, None], shared, faces)


def unsure_where_bleached(sticks: Sequence[SeenStick], bleached: Sequence[bool]) -> list[SeenStick]:
    """The sticks; bleached white ones are unsure, unless another one shows that this set has white sides."""
    white = any(
        stick.sure and stick.face == "white" and not b for stick, b in zip(sticks, bleached, strict=True)
    )
    return [
        replace(stick, sure=stick.sure and (white or not b))
        for stick, b in zip(sticks, bleached, strict=True)
    ]
