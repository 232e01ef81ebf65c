"""A reader that names dice by the colours of a palette, and learns these colours."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import mode

import numpy as np

from table.common.errors import CannotLearn
from vision.colours.colour import body_bgr
from vision.colours.palette import MIN_COLOURS, Palette, sampled, swatch
from vision.dice_reader import DiceReader, WrappedReader
from vision.frames import Picture
from vision.readings import Reading, SeenDie

SavePalette = Callable[[Palette], None]


@dataclass(frozen=True)
class LearnableDice:
    """The dice that could be learned now.

    boxes: x, y, w, h px of a picture of size_wh.
    swatches: #rrggbb of each.
    colour: the classifier's, of most of them; None: no dice.
    plays_as: the suggested name; None: none is free.
    """

    size_wh: tuple[int, int]
    boxes: tuple[tuple[float, float, float, float], ...] = ()
    swatches: tuple[str, ...] = ()
    colour: str | None = None
    plays_as: str | None = None


class PaletteReader(WrappedReader):
    """Reads with `reader` and the palette. Thread-safe; learning is done one colour at a time.

    save: called with a new palette before it is used; if it raises, the error is passed on and the
        old palette stays.
    """

    def __init__(self, reader: DiceReader, palette: Palette, save: SavePalette) -> None:
        super().__init__(reader)
        self._save = save
        self._learning = threading.Lock()
        self.palette = palette

    def read(self, picture: Picture) -> Reading:
        """The reading of the picture, in the palette's colours."""
        return self.palette.apply(picture, self._reader.read(picture))

    def learnable(self, picture: Picture) -> LearnableDice:
        """The dice of this picture that could be learned."""
        reading = self._reader.read(picture)
        dice = [(die, body) for die in reading.dice if (body := body_bgr(picture, die.box_xywh)) is not None]
        if not dice:
            return LearnableDice(reading.size_wh)
        colour = mode(die.colour for die, _ in dice)
        body = np.median([body for _, body in dice], axis=0)
        boxes = tuple(die.box_xywh for die, _ in dice)
        swatches = tuple(swatch(body) for _, body in dice)
        return LearnableDice(
            reading.size_wh, boxes, swatches, colour, self.palette.suggest_plays_as(colour, body)
        )

    def learn(self, name: str, plays_as: str | None, pictures: Sequence[Picture]) -> None:
        """Learns the dice lying still in these pictures; CannotLearn. plays_as None: the best free name."""
        first, last = self._reader.read(pictures[0]), self._reader.read(pictures[-1])
        if not _same_places(first.dice, last.dice):
            raise CannotLearn("The dice moved: keep your hands out of the tray and try again.")
        samples = [sampled(picture, [die.box_xywh for die in first.dice]) for picture in pictures]
        with self._learning:
            plays_as = plays_as or self._choose_plays_as(name, pictures[0])
            self._replace_palette(self.palette.with_colour(name, plays_as, samples))

    def forget(self, name: str) -> None:
        """Forgets this colour; LookupError if there is none of that name."""
        with self._learning:
            self._replace_palette(self.palette.without_colour(name))

    def put_back(self, palette: Palette) -> None:
        """Uses this palette, which was used before."""
        with self._learning:
            self._replace_palette(palette)

    @property
    def is_active(self) -> bool:
        """Whether dice are matched to the learned colours: from two colours on."""
        return len(self.palette.colours) >= MIN_COLOURS

    def _choose_plays_as(self, name: str, picture: Picture) -> str:
        known = next((c for c in self.palette.colours if c.name.casefold() == name.strip().casefold()), None)
        free_name = known.plays_as if known else self.learnable(picture).plays_as
        if free_name is None:
            raise CannotLearn("All colours of the games are in use: forget one first.")
        return free_name

    def _replace_palette(self, palette: Palette) -> None:
        self._save(palette)
        self.palette = palette


def _same_places(before: Sequence[SeenDie], after: Sequence[SeenDie]) -> bool:
    """Whether the same number of dice lie in the same places."""
    if len(before) != len(after):
        return False
    return all(min(die.distance_px(other) for other in after) < die.side / 4 for die in before)
