"""Sticks whose upper side is bleached by overexposure, so that no letters can be seen on it.

A camera that exposes for a dark mat turns pale wood, and the ink on it, into plain white.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from vision.frames import Picture
from vision.reading.stick_classifier import FACES
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
SAMPLES_WH = (48, 8)
"""Number of pixels that are looked at along and across: enough for a share, and faster than a crop."""
BACK = FACES.index("round")
FLATS_AND_BACK = np.array([face not in ("white", "black") for face in FACES])
"""(7,): a bare back, and the sides that look like one when their letters are bleached."""


def is_bleached(picture: Picture, box: TurnedBox) -> bool:
    """Whether most of the side in this box is overexposed."""
    along = np.linspace(-0.5, 0.5, SAMPLES_WH[0]) * INNER_ALONG * box.length
    across = np.linspace(-0.5, 0.5, SAMPLES_WH[1]) * INNER_ACROSS * box.width
    (cx, cy), (ux, uy) = box.centre_xy, box.axis
    x = cx + along * ux - across[:, None] * uy
    y = cy + along * uy + across[:, None] * ux
    inside = np.clip(np.rint(x), 0, picture.shape[1] - 1), np.clip(np.rint(y), 0, picture.shape[0] - 1)
    some = picture[inside[1].astype(int), inside[0].astype(int)]
    return float((some >= BLEACHED_LEVEL).all(axis=2).mean()) >= BLEACHED_SHARE


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
