"""A reader that knows the household's dice: it reads as any does, and names what it was taught. It is also where teaching happens."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import mode

import numpy as np

from table.common.errors import CannotLearn
from vision.colour import body_bgr
from vision.frames import Picture
from vision.palette import MIN_TWO, Palette, sampled, swatch
from vision.pipeline import DiceReader
from vision.reading import Reading, SeenDie

Keeps = Callable[[Palette], None]


@dataclass(frozen=True)
class TrayReading:
    """The dice that could be taught now: their boxes x, y, w, h px of a picture of size_wh, their swatches #rrggbb, and the name that
    most of them have by the eyes alone, None with no dice."""

    size_wh: tuple[int, int]
    boxes: tuple[tuple[float, float, float, float], ...] = ()
    swatches: tuple[str, ...] = ()
    colour: str | None = None
    plays_as: str | None = None


class Household:
    """Reads with `reader` and the palette. Everything may be called from any thread; teaching is done one at a time.

    keep: called with a new palette before it holds; what it raises is raised, and the old one stays.
    """

    def __init__(self, reader: DiceReader, palette: Palette, keep: Keeps) -> None:
        self._reader, self._keep = reader, keep
        self._teaching = threading.Lock()
        self.palette = palette

    def read(self, picture: Picture) -> Reading:
        """What lies in the picture, in the household's colours."""
        return self.palette.applied(picture, self._reader.read(picture))

    def lying(self, picture: Picture) -> TrayReading:
        """What could be learned from this picture."""
        reading = self._reader.read(picture)
        seen = [(die, body) for die in reading.dice if (body := body_bgr(picture, die.box_xywh)) is not None]
        if not seen:
            return TrayReading(reading.size_wh)
        colour = mode(die.colour for die, _ in seen)
        body = np.median([body for _, body in seen], axis=0)
        boxes, swatches = tuple(die.box_xywh for die, _ in seen), tuple(swatch(body) for _, body in seen)
        return TrayReading(reading.size_wh, boxes, swatches, colour, self.palette.suggested(colour, body))

    def learn(self, name: str, plays_as: str | None, pictures: Sequence[Picture]) -> None:
        """Learns the dice that lie still in these pictures; plays_as None: what fits best and is free. Raises CannotLearn."""
        first, last = self._reader.read(pictures[0]), self._reader.read(pictures[-1])
        if not _same_places(first.dice, last.dice):
            raise CannotLearn("The dice moved while they were looked at: take your hands out of the tray and try again.")
        looks = [sampled(picture, [die.box_xywh for die in first.dice]) for picture in pictures]
        with self._teaching:
            plays_as = plays_as or self._suggested(name, pictures[0])
            self._take(self.palette.learned(name, plays_as, looks))

    def forget(self, name: str) -> None:
        """LookupError where there is none of that name."""
        with self._teaching:
            self._take(self.palette.forgotten(name))

    @property
    def telling(self) -> bool:
        """Whether dice are told apart by what was learned: from two colours on."""
        return len(self.palette.colours) >= MIN_TWO

    def _suggested(self, name: str, picture: Picture) -> str:
        known = next((c for c in self.palette.colours if c.name.casefold() == name.strip().casefold()), None)
        free = known.plays_as if known else self.lying(picture).plays_as
        if free is None:
            raise CannotLearn("Every colour that games know is taken: forget one first.")
        return free

    def _take(self, palette: Palette) -> None:
        self._keep(palette)
        self.palette = palette


def _same_places(before: Sequence[SeenDie], after: Sequence[SeenDie]) -> bool:
    """Whether the same number of dice lie where they lay."""
    if len(before) != len(after):
        return False
    return all(min(_away(die, other) for other in after) < die.side / 4 for die in before)


def _away(one: SeenDie, other: SeenDie) -> float:
    (ax, ay), (bx, by) = one.centre_xy, other.centre_xy
    return float(np.hypot(ax - bx, ay - by))
