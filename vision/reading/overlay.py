"""Draws a reading on its picture, for people to look at."""

from __future__ import annotations

import cv2
import numpy as np

from vision.frames import Picture
from vision.readings import Reading, SeenDie

SURE_BGR, ASK_BGR = (60, 200, 60), (40, 90, 240)
"""Green: sure; orange-red: unsure or cocked."""
INK_BGR = (255, 255, 255)


def draw(picture: Picture, reading: Reading) -> Picture:
    """A copy of the picture with each die's box, face and confidence in percent ("?" unsure, "/" cocked).

    picture may be smaller than the reading's size_wh, as a huge file is read shrunk: boxes are scaled to it.
    """
    drawn = picture.copy()
    scale = picture.shape[1] / reading.size_wh[0]
    for die in reading.dice:
        _mark(drawn, die, scale)
    return drawn


def caption(die: SeenDie) -> str:
    """The shortest text for a die: `5 99`, `3? 61`, `4/ 98`."""
    return f"{die.face}{'/' if die.cocked else ''}{'' if die.sure else '?'} {int(die.confidence * 100)}"


def _mark(drawn: Picture, die: SeenDie, scale: float) -> None:
    x, y, w, h = (round(v * scale) for v in die.box_xywh)
    colour = SURE_BGR if die.sure and not die.cocked else ASK_BGR
    thickness = max(1, round(min(drawn.shape[:2]) / 400))
    cv2.rectangle(drawn, (x, y), (x + w, y + h), colour, thickness)
    font_scale = max(0.35, min(drawn.shape[:2]) / 1400)
    (tw, th), below = cv2.getTextSize(caption(die), cv2.FONT_HERSHEY_SIMPLEX, font_scale, thickness)
    top = max(y - th - below - 2, 0)
    cv2.rectangle(drawn, (x, top), (x + tw + 4, top + th + below + 2), colour, -1)
    cv2.putText(
        drawn,
        caption(die),
        (x + 2, top + th + 1),
        cv2.FONT_HERSHEY_SIMPLEX,
        font_scale,
        INK_BGR,
        thickness,
        cv2.LINE_AA,
    )


def as_png(picture: Picture) -> bytes:
    """The picture as a PNG file's bytes."""
    return np.asarray(cv2.imencode(".png", picture)[1]).tobytes()
