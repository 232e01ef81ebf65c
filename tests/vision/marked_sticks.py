"""Drawn sticks with marks of a household's own, for enrolment."""

from __future__ import annotations

import math
from collections.abc import Mapping

import cv2
import numpy as np

from tests.vision.sticks import SIZE, stick
from vision.frames import Picture
from vision.reading.enrolled_sticks import NOTHING_ENROLLED, EnrolledSticks, descriptor
from vision.readings import SeenStick

FACES: Mapping[str, tuple[tuple[int, int, int], tuple[tuple[float, float, float, float], ...]]] = {
    "round": ((70, 105, 150), ()),
    "dog": ((120, 165, 205), ((0.2, -0.4, 0.2, 0.4), (0.3, -0.4, 0.3, 0.4), (0.75, -0.3, 0.85, 0.3))),
    "deer": ((120, 165, 205), ((0.1, -0.4, 0.35, 0.4), (0.35, -0.4, 0.1, 0.4), (0.6, 0.0, 0.9, 0.0))),
    "cow": ((120, 165, 205), tuple((x, -0.1, x, 0.45) for x in (0.3, 0.4, 0.5, 0.6, 0.7))),
    "horse": ((120, 165, 205), ((0.1, 0.3, 0.9, -0.3), (0.5, -0.4, 0.5, 0.4))),
    "white": ((235, 238, 240), ()),
    "black": ((28, 26, 30), ()),
}
"""Colour of the wood, and lines from (along, across) to (along, across): shares of length and width."""

LENGTH, WIDTH = 150.0, 20.0


def marked(
    face: str, degrees: float, seed: int, light: float = 1.0, x: float = 300, y: float = 220
) -> tuple[Picture, SeenStick]:
    """A picture with one stick of this face, and where a detector finds it, a little beside its place."""
    rng = np.random.default_rng(seed)
    picture = np.full((SIZE[1], SIZE[0], 3), (70, 95, 60), np.float32)
    body, lines = FACES[face]
    angle = math.radians(degrees)
    place = np.array([[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]])

    def at(along: float, across: float) -> tuple[int, int]:
        px, py = place @ ((along - 0.5) * LENGTH, across * WIDTH) + (x, y)
        return round(px), round(py)

    corners = [at(0, -0.5), at(1, -0.5), at(1, 0.5), at(0, 0.5)]
    cv2.fillPoly(picture, [np.array(corners, np.int32)], body)
    for x0, y0, x1, y1 in lines:
        cv2.line(picture, at(x0, y0), at(x1, y1), (25, 30, 40), 2, cv2.LINE_AA)
    lit = cv2.GaussianBlur(picture, (3, 3), 0) * light + rng.normal(0, 4, picture.shape)
    jitter_x, jitter_y = rng.normal(0, 1.0, 2)
    found = stick(face, x + jitter_x, y + jitter_y, degrees + rng.normal(0, 1) + 180 * rng.integers(2))
    quad = _sized(found, x + jitter_x, y + jitter_y)
    return np.clip(lit, 0, 255).astype(np.uint8), quad


def _sized(seen: SeenStick, x: float, y: float) -> SeenStick:
    """The stick with LENGTH and WIDTH, and a face that the nets would give to any marks: none for certain."""
    (ax, ay), (bx, by), *_ = seen.quad
    angle = math.atan2(by - ay, bx - ax)
    cos, sin = math.cos(angle), math.sin(angle)
    a, b, c, d = (
        (x + u * LENGTH / 2 * cos - v * WIDTH / 2 * sin, y + u * LENGTH / 2 * sin + v * WIDTH / 2 * cos)
        for u, v in ((-1, -1), (1, -1), (1, 1), (-1, 1))
    )
    return SeenStick("dog", (a, b, c, d), 0.4, False)


TURNS = (0, 50, 95, 140)
"""The positions in which each side is shown, degrees."""


def enrolled(*faces: str) -> EnrolledSticks:
    sticks = NOTHING_ENROLLED
    for face in faces:
        sticks = sticks.with_face(face, [descriptor(*marked(face, turn, turn)) for turn in TURNS])
    return sticks
