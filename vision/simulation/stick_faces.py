"""The sides of throwing sticks: Ogham letters on wood, plain wood, and paint, as textures.

Ogham is written along the stick from its foot. Its letters are groups of strokes on a stem: to the right of
it, to the left, slanting across it, or short notches on it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frames import Picture
from vision.simulation.scene import BGR

OGHAM: dict[str, tuple[str, int]] = {
    "B": ("right", 1), "L": ("right", 2), "F": ("right", 3), "S": ("right", 4), "N": ("right", 5),
    "H": ("left", 1), "D": ("left", 2), "T": ("left", 3), "C": ("left", 4), "Q": ("left", 5),
    "M": ("across", 1), "G": ("across", 2), "Z": ("across", 4), "R": ("across", 5),
    "A": ("notch", 1), "O": ("notch", 2), "U": ("notch", 3), "E": ("notch", 4), "I": ("notch", 5),
}  # fmt: skip
"""Where the strokes of a letter are, seen from the foot, and how many there are."""

WORDS: dict[str, str] = {"dog": "CU", "deer": "FIADH", "cow": "TARBH", "horse": "EACH"}
"""The Irish name of each animal, as it is written on its stick."""

DRAWN_PX_MM = 16.0
"""Resolution at which sides are drawn, before they are reduced to the picture's scale."""

WRITTEN_SHARE, MAX_PITCH_MM = 0.78, 5.6
"""Share of the stick's length that the letters take at most, and the largest distance of their strokes."""
LETTER_GAP = 1.1
"""Gap between two letters beside the usual distance of strokes, in such distances."""
STROKE_SHARE, NOTCH_SHARE = 0.36, 0.13
"""Length of a stroke on one side of the stem, and of half a notch, as shares of the stick's width."""
SLANT = 0.35
"""Shift of the ends of a stroke across the stem, in its half lengths."""
STEM_BEYOND = 1.0
"""Length of the stem beyond the first and the last stroke, in distances of strokes."""
STROKE_MM, STEM_MM = 1.25, 0.9
"""Width of a stroke, and of the stem."""
GRAIN = 0.075
"""Standard deviation of the wood's brightness, as a share."""
PAINT_GRAIN = 0.012
"""Standard deviation of the brightness of paint, as a share."""

Segment = tuple[float, float, float, float]
"""x and y of both ends, mm. x runs from the middle towards the head, y to the left as seen from the foot."""


@dataclass(frozen=True)
class StickStyle:
    """The look and the size of a stick.

    flat_bgr, back_bgr, ink_bgr: colours of the wood or paint of the flat side and of the back, and of the
        letters.
    round_back: whether the back is round; otherwise it is flat too, and the long edges are bevelled.
    painted: whether both sides are painted, without the grain of the wood.
    gloss: 0 matt ... 1 polished.
    """

    flat_bgr: BGR
    back_bgr: BGR
    ink_bgr: BGR = (30, 36, 46)
    round_back: bool = True
    painted: bool = False
    gloss: float = 0.12
    length_mm: float = 100.0
    width_mm: float = 12.0
    thickness_mm: float = 5.0


def strokes(word: str, length_mm: float, width_mm: float) -> tuple[Segment, ...]:
    """The strokes of a word on a stick of this size, from the foot to the head, without the stem."""
    places = list(_stroke_places(word))
    pitch = min(length_mm * WRITTEN_SHARE / (places[-1][1] + 2 * STEM_BEYOND), MAX_PITCH_MM)
    middle = places[-1][1] / 2
    return tuple(_stroke(kind, (place - middle) * pitch, width_mm) for kind, place in places)


def _stroke_places(word: str) -> Iterator[tuple[str, float]]:
    """The kind of each stroke, and its place along the stem in distances of strokes, 0 for the first."""
    place = 0.0
    for letter in word:
        kind, count = OGHAM[letter]
        for _ in range(count):
            yield kind, place
            place += 1
        place += LETTER_GAP


def _stroke(kind: str, x: float, width_mm: float) -> Segment:
    long, notch = STROKE_SHARE * width_mm, NOTCH_SHARE * width_mm
    ends = {
        "right": (x, 0.0, x, -long),
        "left": (x, 0.0, x, long),
        "across": (x - SLANT * long, -long, x + SLANT * long, long),
        "notch": (x, -notch, x, notch),
    }
    return ends[kind]


@lru_cache(maxsize=64)
def side_texture(look: StickStyle, face: str, px_per_mm: float) -> Picture:
    """(h, w, 3) uint8: the side of a stick with its foot on the left, as seen from above it.

    face: "round" or "black" for the back, an animal or "white" for the flat side. px_per_mm: scale of the
    texture. The array is cached and read-only.
    """
    back = face in ("round", "black")
    drawn = _wood(look, look.back_bgr if back else look.flat_bgr, seed=sum(map(ord, face)))
    if face in WORDS:
        drawn = _inked(drawn, look, WORDS[face])
    size = (round(look.length_mm * px_per_mm), round(look.width_mm * px_per_mm))
    small = cv2.resize(drawn, size, interpolation=cv2.INTER_AREA)
    texture = np.asarray(np.rint(np.clip(small, 0, 255)), np.uint8)
    texture.setflags(write=False)
    return texture


def _wood(look: StickStyle, bgr: BGR, seed: int) -> NDArray[np.float32]:
    """(h, w, 3) the side without letters: wood with its grain along the stick, or paint."""
    rng = np.random.default_rng(seed)
    w, h = round(look.length_mm * DRAWN_PX_MM), round(look.width_mm * DRAWN_PX_MM)
    grain = np.zeros((h, w), np.float32)
    for rows, columns, share in ((7, 4, 0.7), (26, 7, 0.6), (60, 40, 0.5)):
        noise = rng.standard_normal((rows, columns), np.float32)
        grain += share * cv2.resize(noise, (w, h), interpolation=cv2.INTER_CUBIC)
    strength = PAINT_GRAIN if look.painted else GRAIN
    return np.asarray(np.array(bgr, np.float32) * (1 + strength * grain)[..., None], np.float32)


def _inked(side: NDArray[np.float32], look: StickStyle, word: str) -> NDArray[np.float32]:
    """The side with the strokes of a word and their stem."""
    written = strokes(word, look.length_mm, look.width_mm)
    ink = np.zeros(side.shape[:2], np.uint8)
    for segment in written:
        _draw(ink, look, segment, STROKE_MM)
    beyond = STEM_BEYOND * _pitch_mm(written)
    (first, *_), (last, *_) = written[0], written[-1]
    _draw(ink, look, (first - beyond, 0.0, last + beyond, 0.0), STEM_MM)
    share = (ink.astype(np.float32) / 255)[..., None]
    return np.asarray(side + (np.array(look.ink_bgr, np.float32) - side) * share, np.float32)


def _pitch_mm(written: tuple[Segment, ...]) -> float:
    """The smallest distance between two strokes."""
    middles = [(x0 + x1) / 2 for x0, _, x1, _ in written]
    return min(b - a for a, b in pairwise(middles))


def _draw(ink: NDArray[np.uint8], look: StickStyle, segment: Segment, wide_mm: float) -> None:
    x0, y0, x1, y1 = segment
    ends = [
        (round((x + look.length_mm / 2) * DRAWN_PX_MM), round((look.width_mm / 2 - y) * DRAWN_PX_MM))
        for x, y in ((x0, y0), (x1, y1))
    ]
    cv2.line(ink, ends[0], ends[1], (255,), round(wide_mm * DRAWN_PX_MM), cv2.LINE_AA)
