"""What the eyes saw, drawn on the picture, for people to look at."""

from __future__ import annotations

import cv2
import numpy as np

from vision.frames import Picture
from vision.reading import Reading, SeenDie

SURE_BGR, ASK_BGR = (60, 200, 60), (40, 90, 240)
"""Green: read; orange-red: a person is asked, or the die leans."""
INK_BGR = (255, 255, 255)


def draw(picture: Picture, reading: Reading) -> Picture:
    """A copy of the picture with a box around each die, its face and its confidence in percent ("?" unsure, "/" cocked).

    picture may be smaller than the reading's size_wh (a huge file read shrunk): boxes are scaled to it.
    """
    shown = picture.copy()
    scale = picture.shape[1] / reading.size_wh[0]
    for die in reading.dice:
        _mark(shown, die, scale)
    return shown


def caption(die: SeenDie) -> str:
    """As short as can be: `5 99`, `3? 61`, `4/ 98`."""
    return f"{die.face}{'/' if die.cocked else ''}{'' if die.sure else '?'} {int(die.confidence * 100)}"


def _mark(shown: Picture, die: SeenDie, scale: float) -> None:
    x, y, w, h = (round(v * scale) for v in die.box_xywh)
    colour = SURE_BGR if die.sure and not die.cocked else ASK_BGR
    thick = max(1, round(min(shown.shape[:2]) / 400))
    cv2.rectangle(shown, (x, y), (x + w, y + h), colour, thick)
    size = max(0.35, min(shown.shape[:2]) / 1400)
    (tw, th), below = cv2.getTextSize(caption(die), cv2.FONT_HERSHEY_SIMPLEX, size, thick)
    top = max(y - th - below - 2, 0)
    cv2.rectangle(shown, (x, top), (x + tw + 4, top + th + below + 2), colour, -1)
    cv2.putText(shown, caption(die), (x + 2, top + th + 1), cv2.FONT_HERSHEY_SIMPLEX, size, INK_BGR, thick, cv2.LINE_AA)


def as_png(picture: Picture) -> bytes:
    """The picture as a PNG file's bytes."""
    return np.asarray(cv2.imencode(".png", picture)[1]).tobytes()
