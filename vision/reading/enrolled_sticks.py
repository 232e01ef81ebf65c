"""The sticks of a household, shown to the table once, and the faces of sticks named by them.

A household may draw, burn or carry any marks on its sticks. Each side is laid up once, in a few turned
positions. Of each the table keeps a descriptor: gradients on a grid along the stick, and its colour relative
to the tray around it. A stick is then named by the nearest of these, either way round. It is sure if the
nearest other face is far enough away.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from table.common.errors import CannotLearn
from vision.dice_reader import DiceReader, WrappedReader
from vision.frames import Picture
from vision.reading.taught_samples import with_samples
from vision.readings import Reading, SeenStick
from vision.stick_places import length_px, same_place

Floats = npt.NDArray[np.float32]

CROP_WH = (192, 24)
"""Width and height of a rectified stick, px: 2 px per mm of a stick of 100 x 12 mm."""
MARGIN_SHARE = 0.2
"""Share of the stick's width that is left out at each edge, where the tray or a shadow shows."""
CELLS = (24, 3)
"""Cells of the grid along the stick and across it."""
DIRECTIONS = 4
"""Directions of gradients that are told apart: 0, 45, 90 and 135 degrees."""
PLAIN_CONTRAST = 0.04
"""Mean gradient of a face without marks, as a share of its brightness a px: grain and sensor noise. The
descriptor of a face with marks gets nearly unit length, that of a plain face stays short."""
COLOUR_WEIGHT = 0.3
"""Weight of the squared difference of colours, in natural logarithms of brightness, in a squared distance. A
white and a black side differ by 2.5 in each channel, the same side in a dimmer room by 0.1."""
DARK_LEVELS = 16.0
"""Added to brightnesses, grey levels, so that noise and glare on a black side do not count."""
MAX_DISTANCE = 0.12
"""Squared distance above which a stick is unlike an enrolled face. Of 280 drawn sticks with seven faces, in
other positions and with 0.7 to 1.3 of the light, 275 lie nearer to their own face. Of 140 whose face was not
enrolled, none lies nearer to another. tests/vision/test_enrolled_sticks.py draws such sticks."""
SURE_RATIO = 0.6
"""A face is sure if its squared distance is less than this share of that of the nearest other face."""
SOFTNESS = 0.06
"""Squared distance at which the chance of a face falls to 1/e."""
MAX_SAMPLES = 12
"""Descriptors that are kept of each face; the oldest go first."""
MIN_FACES = 2
"""Sticks are named by the enrolled ones from so many faces on."""


@dataclass(frozen=True, eq=False)
class EnrolledSticks:
    """Descriptors of each face. samples: by face, (n, d) float32 each."""

    samples: Mapping[str, Floats]

    @property
    def active(self) -> bool:
        """Whether there are enough faces to tell apart."""
        return len(self.samples) >= MIN_FACES

    def with_face(self, face: str, descriptors: Sequence[Floats]) -> EnrolledSticks:
        """These faces with more samples of one of them."""
        return EnrolledSticks(with_samples(self.samples, face, np.stack(descriptors), MAX_SAMPLES))

    def without_face(self, face: str) -> EnrolledSticks:
        """These faces without one of them; raises KeyError if it is not enrolled."""
        if face not in self.samples:
            raise KeyError(face)
        return EnrolledSticks({name: rows for name, rows in self.samples.items() if name != face})

    def apply(self, picture: Picture, reading: Reading) -> Reading:
        """The reading with its sticks named by the enrolled faces; unchanged below MIN_FACES."""
        if not self.active or not reading.sticks:
            return reading
        return replace(reading, sticks=tuple(self.named(picture, stick) for stick in reading.sticks))

    def named(self, picture: Picture, stick: SeenStick) -> SeenStick:
        """The stick with the nearest enrolled face; a stick unlike all of them keeps its own reading."""
        ranked = sorted(self.distances(picture, stick).items(), key=lambda pair: pair[1])
        (face, nearest), (_, second) = ranked[:2]
        if nearest > MAX_DISTANCE:
            return stick
        chances = {name: math.exp((nearest - distance) / SOFTNESS) for name, distance in ranked}
        total = sum(chances.values())
        likely = tuple((name, chance / total) for name, chance in chances.items())
        return replace(
            stick, face=face, confidence=likely[0][1], sure=nearest < SURE_RATIO * second, likely=likely
        )

    def distances(self, picture: Picture, stick: SeenStick) -> dict[str, float]:
        """Squared distance of the stick to the nearest sample of each face, either way round."""
        both = np.stack([descriptor(picture, stick), descriptor(picture, _turned(stick))])
        return {
            face: float(((both[:, None] - rows[None]) ** 2).sum(axis=2).min())
            for face, rows in self.samples.items()
        }

    def to_json(self) -> dict[str, list[list[float]]]:
        """The samples by face, as a file keeps them."""
        return {face: np.round(rows, 4).astype(float).tolist() for face, rows in self.samples.items()}

    @classmethod
    def from_json(cls, data: Any) -> EnrolledSticks:
        """The faces in this JSON; raises ValueError if it does not have this form."""
        if not isinstance(data, Mapping):
            raise ValueError(f"expected faces with their samples; got {type(data).__name__}")
        samples = {str(face): np.asarray(rows, np.float32) for face, rows in data.items()}
        for face, rows in samples.items():
            if rows.ndim != 2 or rows.shape[1] != DESCRIPTOR_LENGTH or not np.isfinite(rows).all():
                raise ValueError(f"the samples of {face} have the shape {rows.shape}")
        return cls(samples)


NOTHING_ENROLLED = EnrolledSticks({})
"""No stick has been shown to the table."""

DESCRIPTOR_LENGTH = CELLS[0] * CELLS[1] * DIRECTIONS + 3


def descriptor(picture: Picture, stick: SeenStick) -> Floats:
    """(DESCRIPTOR_LENGTH,) float32: gradients on a grid along the stick, then its colour against the tray."""
    crop = rectified(picture, stick)
    grey = cv2.cvtColor(crop, cv2.COLOR_BGR2GRAY).astype(np.float32)
    return np.concatenate([_gradients(grey), _colour(picture, stick, crop)]).astype(np.float32)


def rectified(picture: Picture, stick: SeenStick) -> Picture:
    """The stick as an upright picture, (h, w, 3), its long side along x, without its edges."""
    w, h = CROP_WH
    along = np.array(_long_side_first(stick), np.float32)
    inset = MARGIN_SHARE * h
    target = np.array(
        [[-inset, -inset], [w + inset, -inset], [w + inset, h + inset], [-inset, h + inset]], np.float32
    )
    transform = cv2.getPerspectiveTransform(along, target)
    return np.asarray(cv2.warpPerspective(picture, transform, CROP_WH, flags=cv2.INTER_AREA), np.uint8)


def _gradients(grey: Floats) -> Floats:
    """Gradients of each direction in each cell, smoothed over neighbouring cells; of at most unit length."""
    blurred = cv2.GaussianBlur(grey, (3, 3), 0)
    relative = np.asarray(blurred / (float(grey.mean()) + DARK_LEVELS), np.float32)
    dx, dy = (cv2.Sobel(relative, cv2.CV_32F, 1 - n, n, ksize=3, scale=1 / 8) for n in (0, 1))
    size, angle = np.hypot(dx, dy), np.arctan2(dy, dx) % np.pi
    cells = []
    for n in range(DIRECTIONS):
        off = np.abs((angle - n * np.pi / DIRECTIONS + np.pi / 2) % np.pi - np.pi / 2)
        share = np.clip(1 - off * DIRECTIONS / np.pi, 0, None)
        cells.append(cv2.resize(size * share, CELLS, interpolation=cv2.INTER_AREA))
    grid = np.stack([cv2.GaussianBlur(each, (5, 1), 0.8) for each in cells])
    norm = float(np.sqrt((grid**2).sum()))
    plain = PLAIN_CONTRAST * math.sqrt(grid.size) / DIRECTIONS
    return np.asarray(grid.ravel() / (norm + plain), np.float32)


def _colour(picture: Picture, stick: SeenStick, crop: Picture) -> Floats:
    """Colour of the stick relative to the tray around it, as weighted logarithms of B, G and R."""
    stick_bgr = np.median(crop.reshape(-1, 3), axis=0)
    ratio = np.log((stick_bgr + DARK_LEVELS) / (_tray_bgr(picture, stick) + DARK_LEVELS))
    return np.asarray(math.sqrt(COLOUR_WEIGHT / 3) * ratio, np.float32)


def _tray_bgr(picture: Picture, stick: SeenStick) -> Floats:
    """Median colour beside the long sides of the stick."""
    a, b, c, d = (np.array(corner) for corner in _long_side_first(stick))
    rows = []
    for begin, end, outwards in ((a, b, a - d), (d, c, d - a)):
        for share in np.linspace(0.1, 0.9, 17):
            rows.append(begin + share * (end - begin) + 0.5 * outwards)
    x, y = np.round(np.array(rows)).astype(int).T
    height, width = picture.shape[:2]
    return np.asarray(
        np.median(picture[np.clip(y, 0, height - 1), np.clip(x, 0, width - 1)], axis=0), np.float32
    )


def _long_side_first(stick: SeenStick) -> tuple[tuple[float, float], ...]:
    """The corners, beginning along a long side, in an order that does not mirror the stick."""
    a, b, c, d = stick.quad
    corners = (a, b, c, d) if math.isclose(math.dist(a, b), length_px(stick)) else (b, c, d, a)
    (x0, y0), (x1, y1), (x2, y2) = corners[:3]
    clockwise = (x1 - x0) * (y2 - y1) - (y1 - y0) * (x2 - x1) > 0
    return corners if clockwise else (corners[1], corners[0], corners[3], corners[2])


def _turned(stick: SeenStick) -> SeenStick:
    """The same stick, read from its other end."""
    a, b, c, d = stick.quad
    return replace(stick, quad=(c, d, a, b))


@dataclass(frozen=True)
class LearnableSticks:
    """The sticks that could be enrolled now. size_wh: of the picture, px."""

    size_wh: tuple[int, int]
    sticks: tuple[SeenStick, ...] = ()


class EnrolledStickReader(WrappedReader):
    """Reads with `reader`, and names its sticks by the enrolled ones. Thread-safe; learns one face at a time.

    save: called with new faces before they are used; if it raises, the error is passed on and the old ones
    stay.
    """

    def __init__(
        self, reader: DiceReader, enrolled: EnrolledSticks, save: Callable[[EnrolledSticks], None]
    ) -> None:
        super().__init__(reader)
        self._save = save
        self._learning = threading.Lock()
        self.enrolled = enrolled

    def read(self, picture: Picture) -> Reading:
        """The reading of the picture, with sticks named by their enrolled faces."""
        return self.enrolled.apply(picture, self._reader.read(picture))

    def learnable(self, picture: Picture) -> LearnableSticks:
        """The sticks of this picture, whether sticks are watched now or not."""
        watched = self.sticks
        self.sticks = True
        try:
            reading = self._reader.read(picture)
        finally:
            self.sticks = watched
        return LearnableSticks(reading.size_wh, reading.sticks)

    def learn(self, face: str, pictures: Sequence[Picture]) -> None:
        """Learns the side that lies up on the sticks in these pictures; CannotLearn."""
        first, last = self.learnable(pictures[0]).sticks, self.learnable(pictures[-1]).sticks
        if not first:
            raise CannotLearn("No stick is seen in the tray: lay one there with this side up, and try again.")
        if len(first) != len(last) or not all(any(same_place(a, b) for b in last) for a in first):
            raise CannotLearn("The sticks moved: keep your hands out of the tray and try again.")
        samples = [descriptor(picture, stick) for picture in (pictures[0], pictures[-1]) for stick in first]
        with self._learning:
            self._replace(self.enrolled.with_face(face, samples))

    def forget(self, face: str) -> None:
        """Forgets this side; KeyError if it was not learned."""
        with self._learning:
            self._replace(self.enrolled.without_face(face))

    def put_back(self, enrolled: EnrolledSticks) -> None:
        """Uses these sticks, which were used before."""
        with self._learning:
            self._replace(enrolled)

    def _replace(self, enrolled: EnrolledSticks) -> None:
        self._save(enrolled)
        self.enrolled = enrolled
