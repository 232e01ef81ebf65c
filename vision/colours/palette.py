"""The learned dice colours of one table: learns them from dice in the tray, and matches dice to them.

Every colour is stored as it looks in the reference light: that on the tray when the first colour was learned.
A die in another light is converted to the reference light by the change of the tray's colours (see
vision.colours.colour) and matched to the nearest colour. Distances are in CIE Lab with less weight on
lightness: the brightness of a die's top depends on where the lamp hangs, its hue hardly does. Games do not
know these colours: each of them plays as one of COLOURS.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, reduce
from typing import Any

import numpy as np
from numpy.typing import NDArray

from table.common.colours import COLOURS
from table.common.errors import CannotLearn
from vision.boxes import Box
from vision.colours.colour import (
    BRIGHT_LEVEL,
    CLIPPED_LEVEL,
    GRID_WH,
    LUMA_BGR,
    Floats,
    LightChange,
    body_bgr,
    lab,
    light_change,
    tray_tones,
)
from vision.frames import Picture
from vision.readings import PLAIN_BGR, Reading, SeenDie

LIGHTNESS_TOLERANCE = 18.0
"""Ignored difference of lightness, L*: moving a lamp makes a top face this much lighter or darker."""
LIGHTNESS_WEIGHT = 0.6
"""Weight of a step of lightness beyond that, relative to one of hue or chroma."""
MAX_SHADE = 2.0
"""Maximum factor of brightness (shade) between a die and a sample of its colour."""
SHEENS = (-60.0, -40.0, -20.0, 0.0, 20.0, 40.0, 60.0)
"""Assumed specular offsets, grey levels, of the reflection of a lamp in polished dice, in all channels."""
SHEEN_WEIGHT = 0.1
"""Weight of a grey level of sheen, relative to a step of hue or chroma."""
MIN_MATT_SHARE = 0.25
"""Minimum share of a die's brightness that is its body and not sheen."""
MIN_COLOUR_DISTANCE = 4.0
"""Colours nearer than this cannot both be learned. models/evaluation/palette_accuracy.py measures how light
changes a die."""
MAX_MATCH_DISTANCE = 24.0
"""A die farther than this from all samples has none of the colours and keeps the classifier's colour."""
MIN_MARGIN_SHARE = 0.15
"""A match is sure if the second colour is farther by this share of the distance between both colours."""
MAX_SPREAD = 20.0
"""Dice of one colour in the tray are nearer than this to their median, even one that mirrors the lamp."""
MAX_TINT = 3.0
"""From noon to candlelight blue changes by less than this against green; more means another tray."""
DARK_TRAY_LEVEL = 12.0
"""Grey levels: a tray whose median is darker than this has too little light."""
SAME_SAMPLE_DISTANCE = 1.0
"""Samples nearer than this count as one."""
MAX_SAMPLES = 32
"""Maximum number of samples of a colour: ten throws in ten lights. The oldest are dropped."""
MIN_COLOURS = 2
"""Minimum number of colours with which dice are matched."""
NAME_LENGTH = 24


@dataclass(frozen=True, eq=False)
class BodyColours:
    """Body colours of dice in the reference light.

    bgr: (n, 3), 255 is as bright as the camera shows in that light.
    at_least: (n, 3) True where the channel was clipped, so that its value is a lower bound.
    """

    bgr: Floats
    at_least: NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.bgr)

    @property
    def median(self) -> Floats:
        """(3,) the median of each channel."""
        return np.asarray(np.median(self.bgr, axis=0))

    def plus(self, others: BodyColours) -> BodyColours:
        return BodyColours(
            np.concatenate([self.bgr, others.bgr]), np.concatenate([self.at_least, others.at_least])
        )

    def only(self, which: Sequence[int]) -> BodyColours:
        return BodyColours(self.bgr[list(which)], self.at_least[list(which)])


@dataclass(frozen=True, eq=False)
class LearnedColour:
    """One learned colour.

    name: what people call it. plays_as: what games call it, one of COLOURS. samples: bodies of its dice.
    """

    name: str
    plays_as: str
    samples: BodyColours


@dataclass(frozen=True)
class ColourMatch:
    """The colour of a die; None: none of the palette. sure: False if a second colour is about as near."""

    colour: LearnedColour | None
    sure: bool = True


@dataclass(frozen=True, eq=False)
class Sample:
    """Dice of one colour in the tray in one frame.

    dice: each body (3,) BGR 0-255 and its centre, x and y as shares of the picture.
    tray: see vision.colours.colour.tray_tones.
    """

    dice: tuple[tuple[Floats, tuple[float, float]], ...]
    tray: Floats


@dataclass(frozen=True, eq=False)
class Palette:
    """All learned colours.

    tray: vision.colours.colour.tray_tones in the reference light; None before the first colour.
    """

    tray: Floats | None = None
    colours: tuple[LearnedColour, ...] = ()

    # -- matching

    def apply(self, picture: Picture, reading: Reading) -> Reading:
        """The reading with the learned colours: a matched die has the name that its colour plays as.

        A die between two colours is not sure. Nothing changes below MIN_COLOURS or on another tray.
        """
        if len(self.colours) < MIN_COLOURS or not reading.dice:
            return reading
        boxes = [die.box_xywh for die in reading.dice]
        change = self.light_change_of(tray_tones(picture, boxes))
        if change is None:
            return reading
        measured = {n: _measured(picture, box) for n, box in enumerate(boxes)}
        bodies = {n: body for n, body in measured.items() if body is not None}
        matched = self.match(_reverted(change, tuple(bodies.values()))) if bodies else []
        matches = dict(zip(bodies, matched, strict=True))
        dice = (_renamed(die, matches.get(n, ColourMatch(None))) for n, die in enumerate(reading.dice))
        return replace(reading, dice=tuple(dice))

    def light_change_of(self, tray: Floats) -> LightChange | None:
        """The change of light since the first colour was learned; None if it is dark or another tray."""
        change = None if self.tray is None else light_change(self.tray, tray)
        if change is None or np.abs(np.log(change.gain / change.gain[1])).max() > math.log(MAX_TINT):
            return None
        return change

    def match(self, dice: BodyColours) -> list[ColourMatch]:
        """The colour of each of these dice."""
        if not self.colours:
            return [ColourMatch(None)] * len(dice)
        return [self._match(distances) for distances in nearest_distances(dice, self.colours)]

    def _match(self, distances: Floats) -> ColourMatch:
        """The colour of a die with these distances to the colours."""
        best = int(distances.argmin())
        if distances[best] >= MAX_MATCH_DISTANCE:
            return ColourMatch(None)
        clear = distances - distances[best] >= MIN_MARGIN_SHARE * self._colour_distances[best]
        return ColourMatch(self.colours[best], bool(np.delete(clear, best).all()))

    @cached_property
    def _colour_distances(self) -> Floats:
        """(n, n) the smallest distances between colours; cached, because it is slow with many samples."""
        return np.array(
            [nearest_distances(colour.samples, self.colours).min(axis=0) for colour in self.colours]
        )

    # -- learning

    def with_colour(self, name: str, plays_as: str, samples: Sequence[Sample]) -> Palette:
        """The palette with these samples added to this colour.

        CannotLearn, in a sentence: too dark, dice of several colours, a colour or a name too
        much like another.
        """
        name = checked_name(name)
        if plays_as not in COLOURS:
            raise CannotLearn(f"Dice play as {', '.join(COLOURS[:-1])} or {COLOURS[-1]}; got {plays_as!r}.")
        known = next((c for c in self.colours if c.name.casefold() == name.casefold()), None)
        rest = tuple(c for c in self.colours if c is not known)
        if taken := next((c for c in rest if c.plays_as == plays_as), None):
            raise CannotLearn(f"{taken.name} already plays as {plays_as}: let {name} play as another colour.")
        palette = (
            self if self.colours else replace(self, tray=_reference_tray([sample.tray for sample in samples]))
        )
        bodies = palette._bodies(name, samples)
        _check_distance(LearnedColour(name, plays_as, bodies), rest)
        colour = LearnedColour(name, plays_as, deduplicated(known.samples.plus(bodies)) if known else bodies)
        at = self.colours.index(known) if known else len(rest)
        return replace(palette, colours=(*rest[:at], colour, *rest[at:]))

    def _bodies(self, name: str, samples: Sequence[Sample]) -> BodyColours:
        """The dice in the reference light; CannotLearn if they differ in colour or the light is unknown."""
        changes = [self.light_change_of(sample.tray) for sample in samples]
        reverted = [
            _reverted(change, sample.dice) for change, sample in zip(changes, samples, strict=True) if change
        ]
        if len(reverted) < len(samples):
            raise CannotLearn(TOO_DARK if any(_is_dark(sample.tray) for sample in samples) else OTHER_TRAY)
        bodies = reduce(BodyColours.plus, reverted)
        median = BodyColours(bodies.median[None], np.zeros((1, 3), bool))
        if distances_between(median, bodies).max() > MAX_SPREAD:
            raise CannotLearn(f"The dice in the tray are not all of one colour: leave only those of {name}.")
        return deduplicated(bodies)

    def without_colour(self, name: str) -> Palette:
        """The palette without that colour; the last one takes the tray with it. LookupError if unknown."""
        left = tuple(c for c in self.colours if c.name.casefold() != name.casefold())
        if len(left) == len(self.colours):
            raise LookupError(name)
        return replace(self, colours=left) if left else Palette()

    def suggest_plays_as(self, colour: str, body: Sequence[float] | Floats) -> str | None:
        """The colour that dice of this body play as: `colour` or the nearest free one; None: none is free."""
        free = [name for name in COLOURS if all(c.plays_as != name for c in self.colours)]
        if colour in free or not free:
            return colour if free else None
        return min(
            free, key=lambda name: float(distances_between(_single(body), _single(PLAIN_BGR[name]))[0, 0])
        )

    # -- storing

    def to_json(self) -> dict[str, Any]:
        """The palette as plain values, for a file."""
        rows = [
            {"name": c.name, "plays_as": c.plays_as, "samples": _bodies_json(c.samples)} for c in self.colours
        ]
        tray = (
            None
            if self.tray is None
            else [[None if np.isnan(t).any() else _rounded(t) for t in row] for row in self.tray]
        )
        return {"tray": tray, "colours": rows}

    @staticmethod
    def from_json(data: Any) -> Palette:
        """The palette from the values of to_json; ValueError for anything else."""
        try:
            colours = tuple(_learned_colour_from_json(row) for row in data["colours"])
            tray = None if data["tray"] is None else _tray_from_json(data["tray"])
        except (KeyError, TypeError) as error:
            raise ValueError(f"no palette: {error!r}") from error
        if len({c.plays_as for c in colours}) < len(colours) or len(
            {c.name.casefold() for c in colours}
        ) < len(colours):
            raise ValueError("no palette: two colours with one name")
        if (tray is None) != (not colours):
            raise ValueError("no palette: expected a tray and colours, or neither")
        return Palette(tray, colours)


TOO_DARK = "It is too dark to learn a colour: give the tray more light."
OTHER_TRAY = (
    "The tray looks different from the one with the first colour:"
    " put that tray back, or forget all colours and start again."
)


def sampled(picture: Picture, boxes: Sequence[Box]) -> Sample:
    """The dice in these boxes; CannotLearn if none can be seen well."""
    if not boxes:
        raise CannotLearn("There are no dice in the tray: put dice of one colour there.")
    dice = tuple(die for box in boxes if (die := _measured(picture, box)) is not None)
    if not dice:
        raise CannotLearn("The dice are too small in the picture: move the camera closer.")
    return Sample(dice, tray_tones(picture, boxes))


def _measured(picture: Picture, box: Box) -> tuple[Floats, tuple[float, float]] | None:
    """The body and the centre of the die in this box, as in Sample.dice; None if the box is too small."""
    body = body_bgr(picture, box)
    return None if body is None else (body, _centre_share(box, picture))


def _renamed(die: SeenDie, match: ColourMatch) -> SeenDie:
    return (
        die
        if match.colour is None
        else replace(die, colour=match.colour.plays_as, sure=die.sure and match.sure)
    )


def _reverted(change: LightChange, dice: Sequence[tuple[Floats, tuple[float, float]]]) -> BodyColours:
    """Dice as in Sample.dice, converted to the reference light."""
    bgr = np.array([change.reverted(body, centre_xy) for body, centre_xy in dice])
    return BodyColours(bgr, np.array([body for body, _ in dice]) >= CLIPPED_LEVEL)


def _single(bgr: Sequence[float] | Floats) -> BodyColours:
    return BodyColours(np.array([bgr], float), np.zeros((1, 3), bool))


def _centre_share(box: Box, picture: Picture) -> tuple[float, float]:
    """The centre of a box, as shares of the picture."""
    x, y, w, h = box
    return (x + w / 2) / picture.shape[1], (y + h / 2) / picture.shape[0]


def _reference_tray(trays: Sequence[Floats]) -> Floats:
    """The tray in the reference light: the mean of the frames, brightened if dim, so that colours are not all
    nearly black in it; NaN where no frame shows the tray."""
    counts = np.array([~np.isnan(t) for t in trays]).sum(axis=0)
    mean = np.where(counts > 0, np.nansum(np.array(trays), axis=0) / np.maximum(counts, 1), np.nan)
    return np.asarray(mean * max(1.0, BRIGHT_LEVEL / max(float(np.nanpercentile(mean.max(axis=2), 97)), 1.0)))


def _is_dark(tray: Floats) -> bool:
    return bool(np.nanmedian(tray.max(axis=2)) < DARK_TRAY_LEVEL)


def _check_distance(new: LearnedColour, others: Sequence[LearnedColour]) -> None:
    for other in others:
        if min(colour_distance(new, other), colour_distance(other, new)) < MIN_COLOUR_DISTANCE:
            glaring = new.samples.at_least.any() or other.samples.at_least.any()
            light = "less light, so that they do not glare," if glaring else "brighter light,"
            alike = f"{new.name} and {other.name} look too similar"
            raise CannotLearn(f"{alike}: try {light} or use other dice for one of them.")


def deduplicated(bodies: BodyColours) -> BodyColours:
    """The bodies without near duplicates; at most MAX_SAMPLES, the newest."""
    kept: list[int] = []
    for i in range(len(bodies)):
        if not kept or distances_between(bodies.only([i]), bodies.only(kept)).min() >= SAME_SAMPLE_DISTANCE:
            kept.append(i)
    return bodies.only(kept[-MAX_SAMPLES:])


def colour_distance(one: LearnedColour, other: LearnedColour) -> float:
    """The smallest distance between two colours."""
    return float(nearest_distances(one.samples, [other]).min())


def nearest_distances(bodies: BodyColours, colours: Sequence[LearnedColour]) -> Floats:
    """(bodies, colours) the distance of each body from the nearest sample of each colour."""
    starts = np.cumsum([0, *(len(c.samples) for c in colours[:-1])])
    samples = reduce(BodyColours.plus, (c.samples for c in colours))
    return np.minimum.reduceat(distances_between(bodies, samples), starts, axis=1)


def distances_between(bodies: BodyColours, others: BodyColours) -> Floats:
    """(bodies, others) the distance of each body from each other one.

    It is the smallest difference of hue and chroma over all brightness factors (shade) and specular offsets
    (sheen), with LIGHTNESS_WEIGHT of the difference of lightness and SHEEN_WEIGHT of the sheen. A clipped
    channel differs only from a brighter one.
    """
    lightness_distances = np.abs(lab(bodies.bgr)[:, None, 0] - lab(others.bgr)[:, 0])
    sheens = np.array(SHEENS)[:, None, None]
    hue_distances = np.hypot(_hue_distances(bodies, others, sheens), SHEEN_WEIGHT * sheens)
    excess = np.maximum(lightness_distances - LIGHTNESS_TOLERANCE, 0)
    return np.asarray(np.hypot(LIGHTNESS_WEIGHT * excess, hue_distances.min(axis=0)))


def _hue_distances(bodies: BodyColours, others: BodyColours, sheens: Floats) -> Floats:
    """(sheens, bodies, others) difference of hue and chroma at equal brightness, for each
    specular offset. sheens: (sheens, 1, 1), grey levels that the bodies have more than the others."""
    clipped, others_clipped = bodies.at_least[:, None], others.at_least  # (bodies, 1, 3), (others, 3)
    weights = np.where(clipped | others_clipped, 0, LUMA_BGR)  # (bodies, others, 3)
    matt = np.maximum(bodies.bgr - sheens, bodies.bgr * MIN_MATT_SHARE)[:, :, None]  # (sheens, bodies, 1, 3)
    shade = (others.bgr * weights).sum(axis=-1) / np.maximum((matt * weights).sum(axis=-1), 1e-3)
    lit = matt * np.clip(shade, 1 / MAX_SHADE, MAX_SHADE)[..., None]  # (sheens, bodies, others, 3)
    brighter = np.maximum(lit, others.bgr)
    pairs = np.stack([np.where(clipped, brighter, lit), np.where(others_clipped, brighter, others.bgr)])
    bodies_lab, others_lab = lab(pairs)
    return np.asarray(np.sqrt(((bodies_lab - others_lab)[..., 1:] ** 2).sum(axis=-1)))


def checked_name(name: str) -> str:
    """The name on one line, in NAME_LENGTH letters; CannotLearn if nothing is left of it."""
    printable = "".join(letter if letter.isprintable() else " " for letter in name)
    shown = " ".join(printable.split())[:NAME_LENGTH].strip()
    if not shown:
        raise CannotLearn("A colour needs a name, such as Ann's navy.")
    return shown


def swatch(bgr: Sequence[float] | Floats) -> str:
    """The colour as a page writes it, #rrggbb."""
    blue, green, red = (round(min(max(v, 0), 255)) for v in bgr)
    return f"#{red:02x}{green:02x}{blue:02x}"


def _rounded(bgr: Sequence[float] | Floats) -> list[float]:
    return [round(float(v), 2) for v in bgr]


def _bodies_json(bodies: BodyColours) -> list[dict[str, list[Any]]]:
    pairs = zip(bodies.bgr, bodies.at_least, strict=True)
    return [{"bgr": _rounded(bgr), "at_least": [bool(v) for v in at_least]} for bgr, at_least in pairs]


def _learned_colour_from_json(row: Mapping[str, Any]) -> LearnedColour:
    name, plays_as, samples = row["name"], row["plays_as"], row["samples"]
    if not isinstance(name, str) or name != checked_name(name) or plays_as not in COLOURS or not samples:
        raise ValueError(f"no colour of a palette: {row!r}")
    bgr = [_checked_bgr(s["bgr"]) for s in samples]
    at_least = [[v is True for v in s["at_least"]] for s in samples]
    if any(len(flags) != 3 for flags in at_least):
        raise ValueError(f"no colour of a palette: {row!r}")
    return LearnedColour(name, plays_as, BodyColours(np.array(bgr), np.array(at_least)))


def _checked_bgr(values: Any) -> list[float]:
    if (
        not isinstance(values, list)
        or len(values) != 3
        or not all(type(v) in (int, float) and 0 <= v < math.inf for v in values)
    ):
        raise ValueError(f"no colour: {values!r}")
    return [float(v) for v in values]


def _tray_from_json(rows: Any) -> Floats:
    cols, count = GRID_WH
    if len(rows) != count or any(len(row) != cols for row in rows):
        raise ValueError(f"no tray: {cols} x {count} places expected")
    return np.array(
        [[[math.nan] * 3 if tone is None else _checked_bgr(tone) for tone in row] for row in rows]
    )
