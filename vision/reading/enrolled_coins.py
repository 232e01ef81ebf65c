"""The coins of a household, shown to the table once, which stand for throwing sticks.

Each side is laid up once, in a few turns. Of each coin the table keeps its size and a descriptor of the side
that is up (vision.reading.coin_sides). A disc of that size is then heads or tails, whichever its nearest
samples are. It is sure if they are near enough, and the other side's are far enough away.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from table.common.errors import CannotLearn
from vision.dice_reader import DiceReader, StickWatcher, WrappedReader
from vision.frames import Picture
from vision.reading.coin_finder import Disc, find_discs
from vision.reading.coin_sides import ANGLES, FIELDS, RINGS, descriptor, likenesses, probes
from vision.reading.enrolled_sticks import LearnableSticks
from vision.reading.taught_samples import with_samples
from vision.readings import Quad, Reading, SeenStick
from vision.stick_places import same_place
from vision.turned_box import TurnedBox, shared_area

Floats = npt.NDArray[np.float32]

COIN_FACES = ("heads", "tails")
"""The sides of a coin."""
NEAREST = 2
"""A side's likeness is the mean of so many of its nearest samples."""
SURE_LEAD = 0.07
"""Least lead in likeness of a sure side over the other."""
SURE_LIKENESS = 0.34
"""Least likeness of a sure side. Discs whose border was found at a shadow have less, and where they had a
lead, it was the wrong side's. models/README.md has the figures that these limits give."""
SURE_SUPPORT = 0.75
"""Least share of a sure coin's border that shows."""
MIN_LIKENESS = 0.22
"""A disc that is less like both sides is no coin of this household."""
SOFTNESS = 0.02
"""Lead at which the odds of a side rise to e."""
MAX_UNSURE = 0.9
"""Greatest confidence of a coin that is not sure."""
SIZE_RANGE = (0.8, 1.25)
"""Diameters of discs that may be coins, in those of the smallest and the largest taught coin: some lie nearer
to the camera, and a shadow may seem to belong to one."""
COVERED_SHARE = 0.03
"""Two coins lie on one another if their boxes share more than this of the smaller one."""
STRANGE_LEAD = 0.15
"""A side is not learned if it is so much more like the other one."""
MAX_SAMPLES = 32
"""Descriptors that are kept of each side: four coins in eight turns. The oldest go first."""
STORED_SCALE = 2000.0
"""Descriptors of length 1 are stored as whole numbers, times this."""
LENGTH = ANGLES * len(RINGS) * FIELDS


@dataclass(frozen=True, eq=False)
class EnrolledCoins:
    """Coins by the side that was up. samples: (n, ANGLES, rings, FIELDS) each. diameters: (n,) each, as
    shares of the picture's width."""

    samples: Mapping[str, Floats]
    diameters: Mapping[str, Floats]

    @property
    def active(self) -> bool:
        """Whether both sides were shown."""
        return all(len(self.samples.get(face, ())) for face in COIN_FACES)

    def with_coins(self, face: str, picture: Picture, discs: Sequence[Disc]) -> EnrolledCoins:
        """These coins, and those of a picture that lie with this side up."""
        width = picture.shape[1]
        rows = np.stack([descriptor(picture, disc) for disc in discs])
        sizes = np.array([disc.diameter / width for disc in discs], np.float32)
        return EnrolledCoins(
            with_samples(self.samples, face, rows, MAX_SAMPLES),
            with_samples(self.diameters, face, sizes, MAX_SAMPLES),
        )

    def without_face(self, face: str) -> EnrolledCoins:
        """These coins without one side; raises KeyError if it was not learned."""
        if face not in self.samples:
            raise KeyError(face)
        samples, diameters = (
            {name: rows for name, rows in each.items() if name != face}
            for each in (self.samples, self.diameters)
        )
        return EnrolledCoins(samples, diameters)

    def read(self, picture: Picture) -> tuple[SeenStick, ...]:
        """The coins in a picture, (h, w, 3) uint8 BGR, from the top left.

        None before both sides were shown.
        """
        if not self.active:
            return ()
        sizes = np.concatenate(list(self.diameters.values())) * picture.shape[1]
        low, high = (float(np.quantile(sizes, q)) * r for q, r in zip((0.1, 0.9), SIZE_RANGE, strict=True))
        discs = find_discs(picture, (low, high))
        coins = [coin for disc in discs if (coin := self._coin(picture, disc)) is not None]
        return tuple(_marked(coin, coins) for coin in coins)

    def likeness(self, picture: Picture, disc: Disc) -> dict[str, float]:
        """The likeness of a disc to each side that was shown, -1 to 1."""
        of = probes(picture, disc)
        return {
            face: float(np.sort(likenesses(rows, of))[-NEAREST:].mean())
            for face, rows in self.samples.items()
        }

    def _coin(self, picture: Picture, disc: Disc) -> SeenStick | None:
        """The disc as a coin; None if it is like neither side."""
        (face, best), (other, second) = sorted(
            self.likeness(picture, disc).items(), key=lambda pair: -pair[1]
        )
        if best < MIN_LIKENESS:
            return None
        lead = best - second
        chance = 1 / (1 + math.exp(-lead / SOFTNESS))
        sure = lead >= SURE_LEAD and best >= SURE_LIKENESS and disc.support >= SURE_SUPPORT
        sure = sure and not _is_cut(disc, picture)
        coin = SeenStick(face, quad_of(disc), chance, sure, likely=((face, chance), (other, 1 - chance)))
        return coin if sure else replace(coin, confidence=min(chance, MAX_UNSURE))

    def to_json(self) -> dict[str, Any]:
        """The coins by side, as a file keeps them."""
        return {
            face: {
                "diameters": np.round(self.diameters[face], 5).astype(float).tolist(),
                "edges": np.round(rows * STORED_SCALE).astype(int).reshape(len(rows), -1).tolist(),
            }
            for face, rows in self.samples.items()
        }

    @classmethod
    def from_json(cls, data: Any) -> EnrolledCoins:
        """The coins in this JSON; raises ValueError if it does not have this form."""
        if not isinstance(data, Mapping) or not set(data) <= set(COIN_FACES):
            raise ValueError(f"expected heads and tails; got {str(data)[:40]}")
        samples, diameters = dict[str, Floats](), dict[str, Floats]()
        for face, side in data.items():
            if not isinstance(side, Mapping) or not {"edges", "diameters"} <= set(side):
                raise ValueError(f'expected "edges" and "diameters" of {face}')
            rows, sizes = np.asarray(side["edges"], np.float32), np.asarray(side["diameters"], np.float32)
            if rows.ndim != 2 or rows.shape[1] != LENGTH or sizes.shape != rows.shape[:1]:
                raise ValueError(f"the samples of {face} have the shape {rows.shape}")
            if not (np.isfinite(rows).all() and np.isfinite(sizes).all()):
                raise ValueError(f"the samples of {face} are not all numbers")
            lengths = np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-6)
            samples[face] = (rows / lengths).reshape(-1, ANGLES, len(RINGS), FIELDS)
            diameters[face] = sizes
        return cls(samples, diameters)


NO_COINS = EnrolledCoins({}, {})
"""No coin has been shown to the table."""


def quad_of(disc: Disc) -> Quad:
    """The corners of the upright box around a disc."""
    (x, y), (w, h) = disc.centre_xy, disc.box_wh
    left, top, right, bottom = x - w / 2, y - h / 2, x + w / 2, y + h / 2
    return (left, top), (right, top), (right, bottom), (left, bottom)


class EnrolledCoinReader(WrappedReader):
    """Reads with `reader`, and reads coins in place of sticks where the game asks for them. Thread-safe.

    sticks: whether sticks, or the coins in place of them, are read. coins: whether the game is played with
    coins; before both sides were shown, sticks are read all the same.
    save: called with new coins before they are used; if it raises, the error is passed on and the old ones
    stay.
    """

    def __init__(
        self, reader: DiceReader, enrolled: EnrolledCoins, save: Callable[[EnrolledCoins], None]
    ) -> None:
        super().__init__(reader)
        self._save = save
        self._learning = threading.Lock()
        self.enrolled, self._watched, self._coins = enrolled, False, False

    @property
    def sticks(self) -> bool:
        return self._watched

    @sticks.setter
    def sticks(self, on: bool) -> None:
        self._watched = on

    @property
    def coins(self) -> bool:
        return self._coins

    @coins.setter
    def coins(self, on: bool) -> None:
        self._coins = on

    @property
    def reads_coins(self) -> bool:
        """Whether coins are read now, and no sticks."""
        return self._watched and self._coins and self.enrolled.active

    def read(self, picture: Picture) -> Reading:
        """The reading of the picture; its sticks are coins where the game is played with coins."""
        coins = self.reads_coins
        if isinstance(self._reader, StickWatcher):
            self._reader.sticks = self._watched and not coins
        reading = self._reader.read(picture)
        return with_coins(reading, self.enrolled.read(picture)) if coins else reading

    def learnable(self, picture: Picture) -> LearnableSticks:
        """The discs in this picture that could be coins."""
        return LearnableSticks(
            (picture.shape[1], picture.shape[0]),
            tuple(SeenStick("coin", quad_of(disc), disc.support, False) for disc in find_discs(picture)),
        )

    def learn(self, face: str, pictures: Sequence[Picture]) -> None:
        """Learns the side that lies up on the coins in these pictures; CannotLearn."""
        discs = find_discs(pictures[0])
        if not discs:
            raise CannotLearn("No coin is seen in the tray: lay one there with this side up, and try again.")
        first, last = self.learnable(pictures[0]).sticks, self.learnable(pictures[-1]).sticks
        if len(first) != len(last) or not all(any(same_place(a, b) for b in last) for a in first):
            raise CannotLearn("The coins moved: keep your hands out of the tray and try again.")
        with self._learning:
            self._check_side(face, pictures[0], discs)
            self._replace(self.enrolled.with_coins(face, pictures[0], discs))

    def _check_side(self, face: str, picture: Picture, discs: Sequence[Disc]) -> None:
        """Raises CannotLearn if a coin shows the other side."""
        other = next(name for name in COIN_FACES if name != face)
        if not self.enrolled.active:
            return
        for disc in discs:
            alike = self.enrolled.likeness(picture, disc)
            if alike[other] - alike[face] > STRANGE_LEAD:
                raise CannotLearn(
                    f"One of these coins shows the {other} that the table knows:"
                    f" turn it over, or forget {other}."
                )

    def forget(self, face: str) -> None:
        """Forgets this side; KeyError if it was not learned."""
        with self._learning:
            self._replace(self.enrolled.without_face(face))

    def put_back(self, enrolled: EnrolledCoins) -> None:
        """Uses these coins, which were used before."""
        with self._learning:
            self._replace(enrolled)

    def _replace(self, enrolled: EnrolledCoins) -> None:
        self._save(enrolled)
        self.enrolled = enrolled


def with_coins(reading: Reading, coins: Sequence[SeenStick]) -> Reading:
    """The reading with these coins as its sticks, and without dice that are the middles of coins."""
    quads = [TurnedBox(coin.centre_xy, 0.0, *coin.box_xywh[2:]) for coin in coins]
    dice = tuple(die for die in reading.dice if not any(_within(die.centre_xy, box) for box in quads))
    return replace(reading, dice=dice, sticks=tuple(coins))


def _within(point: tuple[float, float], box: TurnedBox) -> bool:
    return math.dist(point, box.centre_xy) < box.width / 2


def _is_cut(disc: Disc, picture: Picture) -> bool:
    """Whether the picture's border cuts the disc."""
    h, w = picture.shape[:2]
    (x, y), r = disc.centre_xy, disc.diameter / 2
    return not (r <= x <= w - 1 - r and r <= y <= h - 1 - r)


def _marked(coin: SeenStick, coins: Sequence[SeenStick]) -> SeenStick:
    """The coin, with a mark if it lies on another or under it; then it is not sure."""
    area = coin.box_xywh[2] * coin.box_xywh[3]
    if all(other is coin or shared_area(coin.quad, other.quad) < COVERED_SHARE * area for other in coins):
        return coin
    return replace(coin, crossed=True, sure=False, confidence=min(coin.confidence, MAX_UNSURE))
