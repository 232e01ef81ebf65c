"""Reading: the dice and sticks on the tray at one moment, as plain values without arrays."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from vision.boxes import Box, centre, centre_distance, intersection

PLAIN_BGR: dict[str, tuple[float, float, float]] = {
    "white": (238, 244, 246),
    "black": (40, 37, 36),
    "grey": (142, 139, 136),
    "red": (44, 36, 196),
    "orange": (26, 118, 240),
    "yellow": (52, 208, 246),
    "green": (66, 138, 40),
    "blue": (184, 84, 28),
    "purple": (142, 46, 108),
    "pink": (178, 132, 240),
    "brown": (42, 68, 112),
}
"""BGR, 0-255: the centre of each body colour under neutral light."""

CONFIDENCE_THRESHOLD = 0.95
"""Lowest confidence of a sure die; below it a person is asked. Chosen on rendered tables that training
never saw and that are harder than any real one: of 1,097 dice above it 6 were misread or no dice, of 103
between 0.7 and 0.95, 17. models/README.md has the figures for new rigs."""


Point = tuple[float, float]
Face = TypeVar("Face", bound=Hashable)


@dataclass(frozen=True)
class SeenDie:
    """One die at rest.

    face: 1-6, the upper face.
    colour: one of table.common.colours.COLOURS.
    box_xywh: left, top, width, height of the whole visible die, px of the picture that was read.
    confidence: 0-1, calibrated probability that this is a die and `face` is right.
    sure: False if a person is to be asked.
    cocked: True if it leans and no face is level.
    stacked: True if it lies on another die, or under one.
    cut_off: True if the picture's border cuts it, so that its face may be hidden.
    likely: all faces with their probability, likeliest first; what a correction offers.
    normal_xy: the upper face's normal to the right and downwards, -1 to 1 each (see
        vision.reading.ground_plane); None: unknown.
    normal_error: the error of normal_xy, in the same units.
    """

    face: int
    colour: str
    box_xywh: Box
    confidence: float
    sure: bool
    cocked: bool = False
    likely: tuple[tuple[int, float], ...] = ()
    stacked: bool = False
    cut_off: bool = False
    normal_xy: tuple[float, float] | None = None
    normal_error: float = 0.0

    @property
    def centre_xy(self) -> tuple[float, float]:
        return centre(self.box_xywh)

    @property
    def side(self) -> float:
        """Mean of width and height, px."""
        return (self.box_xywh[2] + self.box_xywh[3]) / 2

    def distance_px(self, other: SeenDie) -> float:
        """Distance of the centres, px."""
        return centre_distance(self.box_xywh, other.box_xywh)

    def to_json(self) -> dict[str, Any]:
        """The die as `brehon read --json` prints it."""
        return {
            "face": self.face,
            "colour": self.colour,
            "box": [round(v, 1) for v in self.box_xywh],
            "confidence": round(self.confidence, 4),
            "sure": self.sure,
            "cocked": self.cocked,
            "stacked": self.stacked,
            "cut_off": self.cut_off,
        }


STACKED_SHARE = 0.45
"""One die lies on the other if they share more than this of the smaller box. Upright boxes around two turned
dice that only touch share up to a third."""


def on_one_another(a: SeenDie, b: SeenDie) -> bool:
    """Whether one of two dice lies on the other, judged by their boxes."""
    (*_, aw, ah), (*_, bw, bh) = a.box_xywh, b.box_xywh
    return intersection(a.box_xywh, b.box_xywh) > STACKED_SHARE * min(aw * ah, bw * bh)


def face_probabilities(
    face: Face, confidence: float, likely: Sequence[tuple[Face, float]]
) -> dict[Face, float]:
    """Probability of each face of a die or stick, in sum the probability that there is one.

    face, confidence, likely: as in SeenDie and SeenStick.
    """
    if not likely:
        return {face: confidence}
    scale = confidence / max(dict(likely).get(face, 1.0), 1e-9)
    return {each: probability * scale for each, probability in likely}


Quad = tuple[Point, Point, Point, Point]
"""The corners of a turned box, in order round it, px."""


@dataclass(frozen=True)
class SeenStick:
    """One throwing stick at rest.

    face: the side that is up: round, dog, deer, cow, horse, white or black; of a coin, heads or tails.
    quad: the corners of its turned box: along one long side, and back along the other.
    confidence: 0-1, calibrated probability that this is a stick and `face` is right.
    sure: False if a person is to be asked.
    crossed: True if it lies across another stick, or under one.
    likely: all faces with their probability, likeliest first; what a correction offers.
    """

    face: str
    quad: Quad
    confidence: float
    sure: bool
    crossed: bool = False
    likely: tuple[tuple[str, float], ...] = ()

    @property
    def box_xywh(self) -> Box:
        """The upright box around it: left, top, width, height, px."""
        xs, ys = zip(*self.quad, strict=True)
        return min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys)

    @property
    def centre_xy(self) -> Point:
        return centre(self.box_xywh)

    def to_json(self) -> dict[str, Any]:
        """The stick as `brehon read --json` prints it."""
        return {
            "face": self.face,
            "box": [round(v, 1) for v in self.box_xywh],
            "quad": [[round(v, 1) for v in corner] for corner in self.quad],
            "confidence": round(self.confidence, 4),
            "sure": self.sure,
            "crossed": self.crossed,
        }


@dataclass(frozen=True)
class Reading:
    """The dice and sticks on the tray in one picture.

    size_wh: width, height of the picture, px.
    dice: in reading order: by row from the top, then from the left.
    ms: duration of the reading, milliseconds.
    """

    size_wh: tuple[int, int]
    dice: tuple[SeenDie, ...] = ()
    sticks: tuple[SeenStick, ...] = ()
    ms: float = 0.0

    @property
    def sure(self) -> bool:
        """Whether every die and stick is sure and no die is cocked."""
        return all(d.sure and not d.cocked for d in self.dice) and all(s.sure for s in self.sticks)

    @property
    def faces(self) -> tuple[int, ...]:
        return tuple(d.face for d in self.dice)

    def to_json(self) -> Mapping[str, Any]:
        """The reading as `brehon read --json` prints it, without the file's name."""
        return {
            "size": list(self.size_wh),
            "sure": self.sure,
            "ms": round(self.ms, 1),
            "dice": [d.to_json() for d in self.dice],
            "sticks": [s.to_json() for s in self.sticks],
        }
