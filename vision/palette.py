"""A household's own dice colours: what was learned of each from dice in the tray, and which of them a die has.

Every colour is kept as it looks in one light: that in which the tray was when the first was learned. A die seen in another light is
turned into that one by what the light did to the tray (see vision.colour), and is of the colour that it is nearest to. Distances are
in CIE Lab, with lightness counting less: how bright a die's top is depends on where the lamp hangs, its hue hardly does. Games know
nothing of all this: each colour plays as one of COLOURS.
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
from vision.colour import BRIGHT, CLIPPED, GRID_WH, LUMA_BGR, Floats, Light, body_bgr, lab, light_between, tray_tones
from vision.frames import Box, Picture
from vision.reading import PLAIN_BGR, Reading, SeenDie

LIT_OTHERWISE = 18.0
"""Steps of lightness, L*: a lamp that moves makes a top face as much lighter or darker, and it is no other colour for that."""
LIGHTNESS_COUNTS = 0.6
"""A step of lightness beyond that against one of hue or chroma."""
MAX_SHADE = 2.0
"""A die in half the light is compared as if it lay in full light; one that is darker yet is of another colour."""
SHEENS = (-60.0, -40.0, -20.0, 0.0, 20.0, 40.0, 60.0)
"""Grey levels that a lamp mirrored in polished dice may add to all channels, more or less than when they were learned."""
SHEEN_COUNTS = 0.1
"""A grey level of sheen against a step of hue or chroma."""
MIN_MATT = 0.25
"""Of what is seen of a die at least so much is its body."""
ALIKE_BELOW = 4.0
"""Two colours nearer than this are not learned side by side. How far one die strays as the light changes: models/colours.py."""
STRANGE_FROM = 24.0
"""A die farther than this from all that was learned is none of it, and is called what the eyes call it."""
DOUBT_BELOW = 0.15
"""A die is surely of the nearest colour when the next is farther by this share of how far the two colours are apart."""
ONE_COLOUR = 20.0
"""Dice of one colour, lying in the tray together, are this near to their middle, even one in which the lamp is mirrored."""
MAX_TINT = 3.0
"""From noon to a candle a camera's blue changes by less than this against its green; more is another tray than the one learned."""
DARK_BELOW = 12.0
"""Grey levels: a tray that is darker than this in most places has too little light."""
SAME_SAMPLE = 1.0
"""Samples nearer than this are one."""
MAX_SAMPLES = 32
"""Of a colour; the oldest go first. Ten throws in as many lights."""
MIN_TWO = 2
"""Colours from which dice are told apart by them; with one there is nothing to tell."""
NAME_LENGTH = 24


@dataclass(frozen=True, eq=False)
class Bodies:
    """Bodies of dice in the palette's light.

    bgr: (n, 3), 255 = as bright as the camera shows in that light. at_least: (n, 3) True where the camera was at its end when it saw
    them, so that the channel is as bright as this or brighter.
    """

    bgr: Floats
    at_least: NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.bgr)

    @property
    def middle(self) -> Floats:
        """(3,) their median."""
        return np.asarray(np.median(self.bgr, axis=0))

    def plus(self, others: Bodies) -> Bodies:
        return Bodies(np.concatenate([self.bgr, others.bgr]), np.concatenate([self.at_least, others.at_least]))

    def only(self, which: Sequence[int]) -> Bodies:
        return Bodies(self.bgr[list(which)], self.at_least[list(which)])


@dataclass(frozen=True, eq=False)
class HouseColour:
    """One colour of the household's dice.

    name: what people call it. plays_as: what games call it, one of COLOURS. samples: of its dice.
    """

    name: str
    plays_as: str
    samples: Bodies


@dataclass(frozen=True)
class Match:
    """What a die is: one of the palette's colours, None for none of them. sure: False where two would fit nearly as well."""

    colour: HouseColour | None
    sure: bool = True


@dataclass(frozen=True, eq=False)
class Sample:
    """One look at dice of one colour in the tray: each one's body (3,) BGR 0-255 and where it lies, x and y as shares of the picture;
    and the tray around them (vision.colour.tray_tones)."""

    dice: tuple[tuple[Floats, tuple[float, float]], ...]
    tray: Floats


@dataclass(frozen=True, eq=False)
class Palette:
    """All that was learned. tray: how it looked when the first colour was learned (vision.colour.tray_tones), None before."""

    tray: Floats | None = None
    colours: tuple[HouseColour, ...] = ()

    # -- telling

    def applied(self, picture: Picture, reading: Reading) -> Reading:
        """The reading with every die that has a colour of this household named by what that colour plays as; one that lies between
        two of them is not sure. Nothing changes before two colours were learned, nor where the tray is not the one that was learned."""
        if len(self.colours) < MIN_TWO or not reading.dice:
            return reading
        boxes = [die.box_xywh for die in reading.dice]
        light = self.light_on(tray_tones(picture, boxes))
        if light is None:
            return reading
        seen = {n: (body, _share(box, picture)) for n, box in enumerate(boxes) if (body := body_bgr(picture, box)) is not None}
        matches = dict(zip(seen, self.matches(_undone(light, tuple(seen.values()))), strict=True)) if seen else {}
        return replace(reading, dice=tuple(_renamed(die, matches.get(n, Match(None))) for n, die in enumerate(reading.dice)))

    def light_on(self, tray: Floats) -> Light | None:
        """What the light does to the tray now, against when the first colour was learned; None where it is dark, or another tray."""
        light = None if self.tray is None else light_between(self.tray, tray)
        if light is None or np.abs(np.log(light.gain / light.gain[1])).max() > math.log(MAX_TINT):
            return None
        return light

    def matches(self, dice: Bodies) -> list[Match]:
        """The colour of each of these dice."""
        if not self.colours:
            return [Match(None)] * len(dice)
        return [self._match(away) for away in nearest(dice, self.colours)]

    def _match(self, away: Floats) -> Match:
        """The colour of a die that is so far from each of the colours."""
        first = int(away.argmin())
        if away[first] >= STRANGE_FROM:
            return Match(None)
        clear = away - away[first] >= DOUBT_BELOW * self._apart[first]
        return Match(self.colours[first], bool(np.delete(clear, first).all()))

    @cached_property
    def _apart(self) -> Floats:
        """(n, n) how far every two colours are apart where they come nearest; slow with many samples, so once a palette."""
        return np.array([nearest(colour.samples, self.colours).min(axis=0) for colour in self.colours])

    # -- learning

    def learned(self, name: str, plays_as: str, looks: Sequence[Sample]) -> Palette:
        """With the dice of these looks learned as this colour, added to what was known of it. CannotLearn, in a sentence, where that
        is no use: too dark, dice of several colours, a colour or a name too like another's."""
        name = checked_name(name)
        if plays_as not in COLOURS:
            raise CannotLearn(f"Dice play as {', '.join(COLOURS[:-1])} or {COLOURS[-1]}; got {plays_as!r}.")
        known = next((c for c in self.colours if c.name.casefold() == name.casefold()), None)
        rest = tuple(c for c in self.colours if c is not known)
        if taken := next((c for c in rest if c.plays_as == plays_as), None):
            raise CannotLearn(f"{taken.name} plays as {plays_as} already: let {name} play as another colour.")
        taught = self if self.colours else replace(self, tray=_first_light([look.tray for look in looks]))
        samples = taught._samples(name, looks)
        _check_unlike(HouseColour(name, plays_as, samples), rest)
        colour = HouseColour(name, plays_as, thinned(known.samples.plus(samples)) if known else samples)
        at = self.colours.index(known) if known else len(rest)
        return replace(taught, colours=(*rest[:at], colour, *rest[at:]))

    def _samples(self, name: str, looks: Sequence[Sample]) -> Bodies:
        """The dice in the palette's light; CannotLearn where they are not of one colour, or the light cannot be told."""
        lights = [self.light_on(look.tray) for look in looks]
        parts = [_undone(light, look.dice) for light, look in zip(lights, looks, strict=True) if light]
        if len(parts) < len(looks):
            raise CannotLearn(TOO_DARK if any(_dark(look.tray) for look in looks) else OTHER_TRAY)
        bodies = reduce(Bodies.plus, parts)
        middle = Bodies(bodies.middle[None], np.zeros((1, 3), bool))
        if unlike(middle, bodies).max() > ONE_COLOUR:
            raise CannotLearn(f"The dice in the tray are not all of one colour: leave only those of {name}.")
        return thinned(bodies)

    def forgotten(self, name: str) -> Palette:
        """Without that colour; the tray is forgotten with the last. LookupError where there is none of that name."""
        left = tuple(c for c in self.colours if c.name.casefold() != name.casefold())
        if len(left) == len(self.colours):
            raise LookupError(name)
        return replace(self, colours=left) if left else Palette()

    def suggested(self, colour: str, body: Sequence[float] | Floats) -> str | None:
        """What dice of this body that the eyes call `colour` may play as: that, or the nearest name that is free; None: none is."""
        free = [name for name in COLOURS if all(c.plays_as != name for c in self.colours)]
        if colour in free or not free:
            return colour if free else None
        return min(free, key=lambda name: float(unlike(_plain(body), _plain(PLAIN_BGR[name]))[0, 0]))

    # -- keeping

    def to_json(self) -> dict[str, Any]:
        """As plain values, for a file."""
        rows = [{"name": c.name, "plays_as": c.plays_as, "samples": _bodies_json(c.samples)} for c in self.colours]
        tray = None if self.tray is None else [[None if np.isnan(t).any() else _rounded(t) for t in row] for row in self.tray]
        return {"tray": tray, "colours": rows}

    @staticmethod
    def from_json(data: Any) -> Palette:
        """What to_json gave; ValueError for anything else."""
        try:
            colours = tuple(_house_colour(row) for row in data["colours"])
            tray = None if data["tray"] is None else _tray(data["tray"])
        except (KeyError, TypeError) as error:
            raise ValueError(f"no palette: {error!r}") from error
        if len({c.plays_as for c in colours}) < len(colours) or len({c.name.casefold() for c in colours}) < len(colours):
            raise ValueError("no palette: two colours with one name")
        if (tray is None) != (not colours):
            raise ValueError("no palette: a tray belongs to colours, and colours to a tray")
        return Palette(tray, colours)


TOO_DARK = "It is too dark to learn a colour: give the tray more light."
OTHER_TRAY = "The tray looks unlike the one in which the first colour was learned: put that back, or forget all colours and begin anew."


def sampled(picture: Picture, boxes: Sequence[Box]) -> Sample:
    """The dice in these boxes; CannotLearn where there are none that can be seen well."""
    if not boxes:
        raise CannotLearn("No dice are seen in the tray: put dice of one colour there.")
    seen = tuple((body, _share(box, picture)) for box in boxes if (body := body_bgr(picture, box)) is not None)
    if not seen:
        raise CannotLearn("The dice are too small in the picture: bring the camera nearer.")
    return Sample(seen, tray_tones(picture, boxes))


def _renamed(die: SeenDie, match: Match) -> SeenDie:
    return die if match.colour is None else replace(die, colour=match.colour.plays_as, sure=die.sure and match.sure)


def _undone(light: Light, dice: Sequence[tuple[Floats, tuple[float, float]]]) -> Bodies:
    """Dice as in Sample.dice, in the palette's light."""
    bgr = np.array([light.undone(body, middle) for body, middle in dice])
    return Bodies(bgr, np.array([body for body, _ in dice]) >= CLIPPED)


def _plain(bgr: Sequence[float] | Floats) -> Bodies:
    return Bodies(np.array([bgr], float), np.zeros((1, 3), bool))


def _share(box: Box, picture: Picture) -> tuple[float, float]:
    """The middle of a box, as shares of the picture."""
    x, y, w, h = box
    return (x + w / 2) / picture.shape[1], (y + h / 2) / picture.shape[0]


def _first_light(trays: Sequence[Floats]) -> Floats:
    """The tray in the palette's light: what all looks saw of it, made brighter where it was dim, so that colours are not all nearly
    black in it; not a number where no look saw the tray."""
    seen = np.array([~np.isnan(t) for t in trays]).sum(axis=0)
    mean = np.where(seen > 0, np.nansum(np.array(trays), axis=0) / np.maximum(seen, 1), np.nan)
    return np.asarray(mean * max(1.0, BRIGHT / max(float(np.nanpercentile(mean.max(axis=2), 97)), 1.0)))


def _dark(tray: Floats) -> bool:
    return bool(np.nanmedian(tray.max(axis=2)) < DARK_BELOW)


def _check_unlike(new: HouseColour, others: Sequence[HouseColour]) -> None:
    for other in others:
        if min(between(new, other), between(other, new)) < ALIKE_BELOW:
            glaring = new.samples.at_least.any() or other.samples.at_least.any()
            light = "less light on the tray, in which they do not glare," if glaring else "brighter light,"
            alike = f"{new.name} and {other.name} look too alike to tell apart"
            raise CannotLearn(f"{alike}: try {light} or take other dice for one of them.")


def thinned(bodies: Bodies) -> Bodies:
    """Without near doubles, and at most MAX_SAMPLES, the newest."""
    kept: list[int] = []
    for i in range(len(bodies)):
        if not kept or unlike(bodies.only([i]), bodies.only(kept)).min() >= SAME_SAMPLE:
            kept.append(i)
    return bodies.only(kept[-MAX_SAMPLES:])


def between(one: HouseColour, other: HouseColour) -> float:
    """How far two colours are apart where they come nearest."""
    return float(nearest(one.samples, [other]).min())


def nearest(ones: Bodies, colours: Sequence[HouseColour]) -> Floats:
    """(ones, colours) how far each of the ones is from what is nearest to it of each colour."""
    starts = np.cumsum([0, *(len(c.samples) for c in colours[:-1])])
    return np.minimum.reduceat(unlike(ones, reduce(Bodies.plus, (c.samples for c in colours))), starts, axis=1)


def unlike(ones: Bodies, others: Bodies) -> Floats:
    """(ones, others) how far each is from each: what no shade and no sheen explains of hue and chroma, with LIGHTNESS_COUNTS of what
    differs in lightness and SHEEN_COUNTS of the sheen. A channel at the camera's end differs only from a brighter one."""
    lightness = np.abs(lab(ones.bgr)[:, None, 0] - lab(others.bgr)[:, 0])
    sheens = np.array(SHEENS)[:, None, None]
    ways = np.hypot(_hues_apart(ones, others, sheens), SHEEN_COUNTS * sheens)
    return np.asarray(np.hypot(LIGHTNESS_COUNTS * np.maximum(lightness - LIT_OTHERWISE, 0), ways.min(axis=0)))


def _hues_apart(ones: Bodies, others: Bodies, sheens: Floats) -> Floats:
    """(sheens, ones, others) difference of hue and chroma, both made equally bright, where the ones have so many grey levels more sheen
    than the others; sheens: (sheens, 1, 1)."""
    ends, others_ends = ones.at_least[:, None], others.at_least  # (ones, 1, 3), (others, 3)
    known = np.where(ends | others_ends, 0, LUMA_BGR)  # (ones, others, 3)
    matt = np.maximum(ones.bgr - sheens, ones.bgr * MIN_MATT)[:, :, None]  # (sheens, ones, 1, 3)
    shade = (others.bgr * known).sum(axis=-1) / np.maximum((matt * known).sum(axis=-1), 1e-3)
    ours = matt * np.clip(shade, 1 / MAX_SHADE, MAX_SHADE)[..., None]  # (sheens, ones, others, 3)
    brighter = np.maximum(ours, others.bgr)
    ours, theirs = lab(np.stack([np.where(ends, brighter, ours), np.where(others_ends, brighter, others.bgr)]))
    return np.asarray(np.sqrt(((ours - theirs)[..., 1:] ** 2).sum(axis=-1)))


def checked_name(name: str) -> str:
    """The name on one line, in NAME_LENGTH letters; CannotLearn where nothing is left of it."""
    shown = " ".join("".join(letter if letter.isprintable() else " " for letter in name).split())[:NAME_LENGTH].strip()
    if not shown:
        raise CannotLearn("A colour needs a name, such as Ann's navy.")
    return shown


def swatch(bgr: Sequence[float] | Floats) -> str:
    """The colour as a page writes it, #rrggbb."""
    blue, green, red = (round(min(max(v, 0), 255)) for v in bgr)
    return f"#{red:02x}{green:02x}{blue:02x}"


def _rounded(bgr: Sequence[float] | Floats) -> list[float]:
    return [round(float(v), 2) for v in bgr]


def _bodies_json(bodies: Bodies) -> list[dict[str, list[Any]]]:
    pairs = zip(bodies.bgr, bodies.at_least, strict=True)
    return [{"bgr": _rounded(bgr), "at_least": [bool(v) for v in at_least]} for bgr, at_least in pairs]


def _house_colour(row: Mapping[str, Any]) -> HouseColour:
    name, plays_as, samples = row["name"], row["plays_as"], row["samples"]
    if not isinstance(name, str) or name != checked_name(name) or plays_as not in COLOURS or not samples:
        raise ValueError(f"no colour of a palette: {row!r}")
    bgr, at_least = [_checked_bgr(s["bgr"]) for s in samples], [[v is True for v in s["at_least"]] for s in samples]
    if any(len(flags) != 3 for flags in at_least):
        raise ValueError(f"no colour of a palette: {row!r}")
    return HouseColour(name, plays_as, Bodies(np.array(bgr), np.array(at_least)))


def _checked_bgr(values: Any) -> list[float]:
    if not isinstance(values, list) or len(values) != 3 or not all(type(v) in (int, float) and 0 <= v < math.inf for v in values):
        raise ValueError(f"no colour: {values!r}")
    return [float(v) for v in values]


def _tray(rows: Any) -> Floats:
    cols, count = GRID_WH
    if len(rows) != count or any(len(row) != cols for row in rows):
        raise ValueError(f"no tray: {cols} x {count} places expected")
    return np.array([[[math.nan] * 3 if tone is None else _checked_bgr(tone) for tone in row] for row in rows])
