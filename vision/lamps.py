"""Leaves lamps that blink out of the readings: a bright disc with its halo is easily read as a die that shows
a 1. A die comes and goes with a hand, or rolls; only a lamp does so in one place, while nothing around it
changes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from vision.boxes import clipped, grown, pixels_of
from vision.frames import Picture
from vision.readings import Reading, SeenDie
from vision.tracking.likeness import sides_apart

SAME_PLACE_SIDES = 0.2
"""Two detections of one lamp are at most this far apart, in sides."""

MIN_SWITCHED, STEADY_S = 3, 1.0
"""What came or went this often, each time within STEADY_S, is a lamp. A lamp that blinks once a second is on
or off for less. A die that was taken for one is a die again after this time."""

MIN_CHANGE, MAX_SHARE_AROUND, MAX_SHARE_ON_ONE_SIDE = 25.0, 0.15, 0.3
"""Change of the mean colour within a lamp as it is switched, at least, grey levels, and that on most sides of
it, and on each, at most, as shares of it: a halo may reach over one. A die that the detector misses does not
change; a hand that hides one changes both."""

MAX_CHANGE_BETWEEN = 4.0
"""With a hand beside it, a lamp has the same mean colour each time to this, grey levels. A hand as dark as
the table, which hides a die, lies otherwise each time."""

INNER, OUTER = 0.5, 1.8
"""Parts of a detection that tell the colour within and around it, as multiples of its box."""

Levels = NDArray[np.float64]


@dataclass
class _Place:
    """Where a die was detected.

    inside, around: mean colours in the last picture, see _levels. since_s: when it last came or went.
    hand: whether a hand was at it in that picture. lit: whether it is detected. times_switched: how often it
    came or went as a lamp does. before: the mean colours within it as it last came, and as it last went.
    """

    seen: SeenDie
    inside: Levels
    around: Levels
    since_s: float
    hand: bool = False
    lit: bool = True
    times_switched: int = 0
    before: dict[bool, Levels] = field(default_factory=dict)

    def shows(self, die: SeenDie) -> bool:
        """Whether this die is detected here."""
        alike = (die.face, die.colour) == (self.seen.face, self.seen.colour)
        return alike and sides_apart(die, self.seen) <= SAME_PLACE_SIDES

    def update(self, lit: bool, picture: Picture, at_s: float, hand: bool) -> None:
        """Takes whether the die is detected in this picture. hand: whether a hand is at it."""
        inside, around = _levels(picture, self.seen)
        if lit != self.lit:
            change = float(np.abs(inside - self.inside).max())
            beside = np.abs(around - self.around).max(axis=1)
            switched = change >= MIN_CHANGE and float(beside.max()) <= MAX_SHARE_ON_ONE_SIDE * change
            switched &= float(np.median(beside)) <= MAX_SHARE_AROUND * change
            if hand or self.hand:
                between = np.abs(inside - self.before.get(lit, inside))
                switched &= float(between.max()) <= MAX_CHANGE_BETWEEN
            self.before[lit] = inside
            self.times_switched = self.times_switched + 1 if switched else 0
            self.since_s, self.lit = at_s, lit
        self.inside, self.around, self.hand = inside, around, hand

    @property
    def is_lamp(self) -> bool:
        return self.times_switched >= MIN_SWITCHED


class BlinkingLamps:
    """The places of the last detections. It has no clock: times are those of the frames."""

    def __init__(self) -> None:
        self._places: list[_Place] = []

    def learn(
        self, reading: Reading, picture: Picture, at_s: float, hand_at: Callable[[SeenDie], bool]
    ) -> None:
        """Takes the reading of a picture; times must not go back. hand_at: whether a hand is at a die."""
        self._places = [place for place in self._places if at_s - place.since_s <= STEADY_S]
        unknown = list(reading.dice)
        for place in self._places:
            same = next((die for die in unknown if place.shows(die)), None)
            if same is not None:
                unknown.remove(same)
            place.update(same is not None, picture, at_s, hand_at(place.seen))
        self._places += [_Place(die, *_levels(picture, die), at_s, hand_at(die)) for die in unknown]

    def without(self, reading: Reading) -> Reading:
        """The reading without lamps."""
        lamps = [place for place in self._places if place.is_lamp]
        if not lamps:
            return reading
        dice = tuple(die for die in reading.dice if not any(lamp.shows(die) for lamp in lamps))
        return replace(reading, dice=dice)


def _levels(picture: Picture, die: SeenDie) -> tuple[Levels, Levels]:
    """The mean colours within a die, (3,), and along the four sides of the box around it, (4, 3)."""
    size_wh = picture.shape[1], picture.shape[0]
    inner, outer = (picture[pixels_of(clipped(grown(die.box_xywh, n), size_wh))] for n in (INNER, OUTER))
    edges = (outer[0], outer[-1], outer[:, 0], outer[:, -1])
    return inner[::2, ::2].mean(axis=(0, 1)), np.array([edge.mean(axis=0) for edge in edges])
