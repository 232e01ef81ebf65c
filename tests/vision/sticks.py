"""Sticks for tests: read ones, drawn ones, and a reader that finds the drawn ones."""

from __future__ import annotations

import math
from collections.abc import Sequence

import cv2
import numpy as np

from vision.frames import Picture
from vision.readings import Reading, SeenStick

LENGTH, WIDTH = 100.0, 14.0
SIZE = (640, 480)
BGR = {"white": (240, 240, 240), "black": (20, 20, 20), "round": (70, 110, 160)}
"""Colours of drawn sticks on the green felt."""

FELT = (60, 110, 60)
MIN_STICK_PX = 400
"""Minimum area of a drawn stick that the test's reader finds, px."""


def stick(
    face: str, x: float, y: float, degrees: float = 0.0, sure: bool = True, length: float = LENGTH
) -> SeenStick:
    """A stick that was read, with its centre at (x, y) px."""
    cos, sin = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    a, b, c, d = (
        (x + u * length / 2 * cos - v * WIDTH / 2 * sin, y + u * length / 2 * sin + v * WIDTH / 2 * cos)
        for u, v in ((-1, -1), (1, -1), (1, 1), (-1, 1))
    )
    return SeenStick(face, (a, b, c, d), 0.99 if sure else 0.6, sure)


def drawn(sticks: Sequence[SeenStick], seed: int = 0, size_wh: tuple[int, int] = SIZE) -> Picture:
    """A green felt with these sticks and a little noise."""
    picture = np.full((size_wh[1], size_wh[0], 3), FELT, np.uint8)
    for each in sticks:
        cv2.fillPoly(picture, [np.round(each.quad).astype(np.int32)], BGR[each.face])
    noise = np.random.default_rng(seed).normal(0, 2, picture.shape)
    return np.clip(picture + noise, 0, 255).astype(np.uint8)


class DrawnStickReader:
    """Finds drawn sticks while `sticks` is set. `asked` records what it was set to at each reading."""

    def __init__(self) -> None:
        self.sticks = False
        self.asked: list[bool] = []

    def read(self, picture: Picture) -> Reading:
        self.asked.append(self.sticks)
        size_wh = (picture.shape[1], picture.shape[0])
        return Reading(size_wh, sticks=tuple(_found(picture)) if self.sticks else ())


def _found(picture: Picture) -> list[SeenStick]:
    found = []
    for face, bgr in BGR.items():
        near = cv2.inRange(picture, np.array(bgr) - 15.0, np.array(bgr) + 15.0)
        contours, _ = cv2.findContours(near, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
        for contour in contours:
            if cv2.contourArea(contour) >= MIN_STICK_PX:
                a, b, c, d = ((float(x), float(y)) for x, y in cv2.boxPoints(cv2.minAreaRect(contour)))
                found.append(SeenStick(face, (a, b, c, d), 0.99, True))
    return sorted(found, key=lambda s: s.centre_xy)


def coin(x: float, y: float, diameter: float = 60.0, face: str = "heads", sure: bool = True) -> SeenStick:
    """A coin with its centre there, px."""
    r = diameter / 2
    quad = ((x - r, y - r), (x + r, y - r), (x + r, y + r), (x - r, y + r))
    return SeenStick(face, quad, 0.99 if sure else 0.7, sure)
