"""Draws a reading on its picture, for people to look at."""

from __future__ import annotations

import cv2
import numpy as np

from vision.frames import Picture
from vision.readings import Reading, SeenDie, SeenStick

SURE_BGR, ASK_BGR = (60, 200, 60), (40, 90, 240)
"""Green: sure; orange-red: unsure or cocked."""
INK_BGR = (255, 255, 255)


def draw(picture: Picture, reading: Reading) -> Picture:
    """A copy of the picture with each die's box, face and confidence in percent ("?" unsure, "/" cocked).

    Sticks have their turned box, face and confidence ("x": it crosses another).

    picture may be smaller than the reading's size_wh, as a huge file is read shrunk: boxes are scaled to it.
    """
    drawn = picture.copy()
    scale = picture.shape[1] / reading.size_wh[0]
    for die in reading.dice:
        _mark(drawn, die, scale)
    for stick in reading.sticks:
        _mark_stick(drawn, stick, scale)
    return drawn


def caption(die: SeenDie) -> str:
    """The shortest text for a die: `5 99`, `3? 61`, `4/ 98`."""
    return f"{die.face}{'/' if die.cocked else ''}{'' if die.sure else '?'} {int(die.confidence * 100)}"


def stick_caption(stick: SeenStick) -> str:
    """The shortest text for a stick: `dog 99`, `round? 61`, `deerx 98`."""
    marks = ("x" if stick.crossed else "") + ("" if stick.sure else "?")
    return f"{stick.face}{marks} {int(stick.confidence * 100)}"


def _mark(drawn: Picture, die: SeenDie, scale: float) -> None:
    x, y, w, h = (round(v * scale) for v in die.box_xywh)
    colour = SURE_BGR if die.sure and not die.cocked else ASK_BGR
    cv2.rectangle(drawn, (x, y), (x + w, y + h), colour, _thickness(drawn))
    _write(drawn, caption(die), (x, y), colour)


def _mark_stick(drawn: Picture, stick: SeenStick, scale: float) -> None:
    corners = np.rint(np.array(stick.quad) * scale).astype(np.int32)
    colour = SURE_BGR if stick.sure else ASK_BGR
    cv2.polylines(drawn, [corners], True, colour, _thickness(drawn), cv2.LINE_AA)
    x, y = corners[corners[:, 1].argmin()].tolist()
    _write(drawn, stick_caption(stick), (x, y), colour)


def _thickness(drawn: Picture) -> int:
    """Of lines, px."""
    return int(max(1, round(min(drawn.shape[:2]) / 400)))


def _write(drawn: Picture, text: str, at: tuple[int, int], colour: tuple[int, int, int]) -> None:
    """Writes the text on a label whose lower left corner is here, or below the upper border."""
    (x, y), thickness = at, _thickness(drawn)
    font_scale = max(0.35, min(drawn.shape[:2]) / 1400)
    (tw, th), below = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, font_scale, thickness)
    top = max(y - th - below - 2, 0)
    cv2.rectangle(drawn, (x, top), (x + tw + 4, top + th + below + 2), colour, -1)
    where = (x + 2, top + th + 1)
    cv2.putText(drawn, text, where, cv2.FONT_HERSHEY_SIMPLEX, font_scale, INK_BGR, thickness, cv2.LINE_AA)


def as_png(picture: Picture) -> bytes:
    """The picture as a PNG file's bytes."""
    return np.asarray(cv2.imencode(".png", picture)[1]).tobytes()
