"""Emblems that a household's dice show in place of a face, recognised once a person said what they stand for.

Theory of operation. The nets know pips only. A die that shows an emblem is unsure, and a person names its
face. The table keeps a descriptor of that die: brightness on rings around the middle of its upper face, which
is rectified by the face's normal. A die may lie any way round, and a turned die has the same rings, turned.
So two descriptors are compared in all turns at once, by a circular correlation. A later die that the nets do
not know, and that is like the emblems of one face only, is sure and gets that face.

On 11 photographs with 49 emblems among 263 dice, read in three random orders with an answer to each question,
two thirds of the emblems are named without a question, and four of five after five photographs. None of the
named dice is wrong. On 30 photographs without emblems, one of 50 unsure dice is named, rightly.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from vision.boxes import Box, iou
from vision.dice_reader import DiceReader, WrappedReader
from vision.frames import Picture
from vision.reading.taught_samples import with_samples
from vision.readings import Reading, SeenDie

Floats = npt.NDArray[np.float64]

ANGLES = 72
"""Angles of a ring, all around."""
RINGS = np.linspace(0.09, 0.4, 14)
"""Radii of the rings, in sides of the die: rounder edges and other faces begin beyond them."""
SCALES = (0.68, 0.74, 0.8, 0.87)
"""Side of the die as a share of its box's mean side. A box is up to 1.41 times the side of a turned die."""
TAUGHT_SCALE = 0.77
OFFSETS_UV = ((0.0, 0.0), (0.06, 0.0), (-0.06, 0.0), (0.0, 0.06), (0.0, -0.06))
"""Offsets of the face's middle that are tried, in sides: boxes are not exact."""
SMOOTHING_SIDES = 0.018
"""Standard deviation of the blur before sampling, in sides of the die."""
MAX_SLANT = 0.9
"""Largest sine of a face's angle to the viewing direction that is rectified."""
MIN_LIKENESS = 0.7
"""Least correlation with an emblem that counts as the same."""
MIN_ALIKE = 2
"""Least number of taught dice of a face that a die must be like: one may have been blurred pips."""
MIN_LEAD = 0.08
"""Least lead in correlation over the emblems of other faces."""
MAX_NET_CONFIDENCE = 0.9
"""A die is taught, and named by an emblem, only while the nets are less sure of its pips than this."""
TAUGHT_CONFIDENCE = 0.97
"""Confidence of a die that is named by an emblem."""
MIN_IOU = 0.5
"""Least overlap of a die with the box that was taught."""
MAX_SAMPLES = 24
"""Descriptors that are kept of each face; the oldest go first."""
STORED_MAX = 100
"""Descriptors are stored as whole numbers up to this size."""


@dataclass(frozen=True, eq=False)
class Emblems:
    """The emblems of a household by the face that they stand for: (n, ANGLES, rings) each."""

    samples: Mapping[int, Floats]

    def with_sample(self, face: int, sample: Floats) -> Emblems:
        """These emblems and one more sample of a face."""
        return Emblems(with_samples(self.samples, face, sample[None], MAX_SAMPLES))

    def apply(self, picture: Picture, reading: Reading) -> Reading:
        """The reading, with the faces of dice that show one of these emblems."""
        if not self.samples or all(die.sure for die in reading.dice):
            return reading
        return replace(reading, dice=tuple(self.named(picture, die) for die in reading.dice))

    def named(self, picture: Picture, die: SeenDie) -> SeenDie:
        """The die with the face of the emblem that it shows; unchanged if it shows none of these."""
        if not self.samples or not is_teachable(die):
            return die
        probes = [descriptor(picture, die, scale, uv) for scale in SCALES for uv in OFFSETS_UV]
        likeness = {face: likeness_of(rows, np.stack(probes)) for face, rows in self.samples.items()}
        face, alike = max(likeness.items(), key=lambda pair: float(pair[1].max()))
        others = max((float(row.max()) for other, row in likeness.items() if other != face), default=-1.0)
        if (alike >= MIN_LIKENESS).sum() < MIN_ALIKE or alike.max() - others < MIN_LEAD:
            return die
        rest = [(other, share) for other, share in die.likely if other != face]
        total = sum(share for _, share in rest) or 1.0
        likely = [(other, share / total * (1 - TAUGHT_CONFIDENCE)) for other, share in rest]
        return replace(
            die,
            face=face,
            confidence=TAUGHT_CONFIDENCE,
            sure=True,
            likely=((face, TAUGHT_CONFIDENCE), *likely),
        )

    def to_json(self) -> dict[str, list[list[int]]]:
        """The samples by face, as a file keeps them."""
        scale = {
            face: STORED_MAX / max(float(np.abs(rows).max()), 1e-6) for face, rows in self.samples.items()
        }
        return {
            str(face): np.round(rows * scale[face]).astype(int).reshape(len(rows), -1).tolist()
            for face, rows in self.samples.items()
        }

    @classmethod
    def from_json(cls, data: Any) -> Emblems:
        """The emblems in this JSON; raises ValueError if it does not have this form."""
        if not isinstance(data, Mapping):
            raise ValueError(f"expected faces with their samples; got {type(data).__name__}")
        samples = {}
        for name, rows in data.items():
            if name not in {"1", "2", "3", "4", "5", "6"}:
                raise ValueError(f"expected faces from 1 to 6; got {name!r}")
            stored = np.asarray(rows, np.float64)
            if stored.ndim != 2 or stored.shape[1] != ANGLES * len(RINGS) or not np.isfinite(stored).all():
                raise ValueError(
                    f"expected samples of {ANGLES * len(RINGS)} numbers for {name}; got {stored.shape}"
                )
            samples[int(name)] = _of_length_1(stored.reshape(-1, ANGLES, len(RINGS)))
        return cls(samples)


NO_EMBLEMS = Emblems({})


def is_teachable(die: SeenDie) -> bool:
    """Whether a person is asked about this die because the nets do not know what it shows."""
    return not die.sure and not die.cut_off and not die.stacked and die.confidence < MAX_NET_CONFIDENCE


def descriptor(
    picture: Picture, die: SeenDie, scale: float = TAUGHT_SCALE, uv: tuple[float, float] = (0.0, 0.0)
) -> Floats:
    """(ANGLES, rings): brightness around the middle of the die's upper face, of mean 0 and length 1.

    scale: the die's side as a share of its box's. uv: offset of the face's middle, in sides: along its slant
    and across.
    """
    side, (nx, ny) = die.side * scale, die.normal_xy or (0.0, 0.0)
    slant = min(float(np.hypot(nx, ny)), MAX_SLANT)
    along = np.array([nx, ny]) / slant if slant > 0.02 else np.array([0.0, 1.0])
    across = np.array([-along[1], along[0]])
    angles = 2 * np.pi * np.arange(ANGLES) / ANGLES - np.arctan2(along[1], along[0])
    u, v = np.cos(angles)[:, None] * RINGS + uv[0], np.sin(angles)[:, None] * RINGS + uv[1]
    offsets = u[..., None] * np.sqrt(1 - slant**2) * along + v[..., None] * across
    places = np.array(die.centre_xy) + side * (np.array([nx, ny]) / 2 + offsets)
    (row,) = _unit(_sampled(picture, places, SMOOTHING_SIDES * side)[None])
    return np.asarray(row)


def _sampled(picture: Picture, places: Floats, sigma: float) -> Floats:
    """(ANGLES, rings) grey levels at these places, (ANGLES, rings, 2) px, of the blurred picture."""
    left, top = (max(0, int(v) - 8) for v in places.min(axis=(0, 1)))
    right, bottom = (int(v) + 9 for v in places.max(axis=(0, 1)))
    part = picture[top : max(bottom, top + 2), left : max(right, left + 2)]
    if part.size == 0:
        return np.zeros(places.shape[:2])
    grey = cv2.cvtColor(np.ascontiguousarray(part), cv2.COLOR_BGR2GRAY).astype(np.float32)
    grey = np.asarray(cv2.GaussianBlur(grey, (0, 0), max(sigma, 0.3)), np.float32)
    x, y = np.moveaxis(places - (left + 0.5, top + 0.5), -1, 0).astype(np.float32)
    sampled = cv2.remap(grey, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(sampled, np.float64)


def _unit(rows: Floats) -> Floats:
    """(n, ANGLES, rings): each row with mean 0 over the face's area and with length 1."""
    mean = (rows * RINGS).sum(axis=(1, 2), keepdims=True) / (RINGS.sum() * ANGLES)
    return _of_length_1((rows - mean) * np.sqrt(RINGS))


def _of_length_1(rows: Floats) -> Floats:
    length = np.sqrt((rows**2).sum(axis=(1, 2), keepdims=True))
    return np.asarray(rows / np.maximum(length, 1e-6))


def likeness_of(samples: Floats, probes: Floats) -> Floats:
    """(n,): the largest correlation of each sample with any probe in any turn; (n, ANGLES, rings) each."""
    spectra = np.conj(np.fft.rfft(samples, axis=1))[:, None] * np.fft.rfft(probes, axis=1)[None]
    return np.asarray(np.fft.irfft(spectra.sum(axis=3), n=ANGLES, axis=2).max(axis=(1, 2)))


class EmblemReader(WrappedReader):
    """Reads with `reader`, and names dice by the emblems that people named. Thread-safe.

    save: called with new emblems before they are used; if it raises, the error is passed on and the old ones
    stay.
    """

    def __init__(self, reader: DiceReader, emblems: Emblems, save: Callable[[Emblems], None]) -> None:
        super().__init__(reader)
        self._save = save
        self._learning = threading.Lock()
        self.emblems = emblems

    def read(self, picture: Picture) -> Reading:
        """The reading of the picture, with dice named by their emblems."""
        return self.emblems.apply(picture, self._reader.read(picture))

    def learn(self, picture: Picture, named: Iterable[tuple[Box, int]]) -> int:
        """Learns the dice in these boxes, px, that nothing known says yet; returns how many.

        named: boxes, and the faces that people gave the dice in them.
        """
        dice = self._reader.read(picture).dice
        with self._learning:
            emblems, before = self.emblems, sample_count(self.emblems)
            for box, face in named:
                emblems = _with_die(emblems, picture, dice, box, face)
            learned = sample_count(emblems) - before
            if emblems is not self.emblems:
                self._save(emblems)
                self.emblems = emblems
        return learned


def sample_count(emblems: Emblems) -> int:
    return sum(len(rows) for rows in emblems.samples.values())


def _with_die(emblems: Emblems, picture: Picture, dice: Sequence[SeenDie], box: Box, face: int) -> Emblems:
    """The emblems with the die in this box, if it is unsure to the nets and not named by them already."""
    die = max(dice, key=lambda d: iou(d.box_xywh, box), default=None)
    if die is None or iou(die.box_xywh, box) < MIN_IOU or not is_teachable(die):
        return emblems
    named = emblems.named(picture, die)
    return (
        emblems if named.sure and named.face == face else emblems.with_sample(face, descriptor(picture, die))
    )
