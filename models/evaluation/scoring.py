"""What a reading is worth against the truth: matching, counts, confusions, and how far the eyes' own confidence can be believed.

A die is matched to the seen one with the most overlap if they share MIN_OVERLAP of their union, or the seen one's centre lies in its
box. Dice marked `ignore`, and emblems, count neither for nor against. Nothing here looks inside a Reader: a Reading is all it knows.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, fields
from itertools import pairwise
from typing import Protocol

import numpy as np

from vision.frames import Box, Picture
from vision.reading import Reading, SeenDie

MIN_OVERLAP = 0.4
Z_95 = 1.959964
"""Of the normal distribution: 95 % lie within so many standard deviations."""
CONFIDENCE_EDGES = (0.0, 0.5, 0.7, 0.85, 0.95, 0.97, 0.99, 1.0)
"""Where the reliability tables are cut: finer towards 1, because what is believed unasked lies there."""


class DiceReader(Protocol):
    """What is measured: the eyes, or a baseline of theirs."""

    def read(self, picture: Picture) -> Reading: ...


@dataclass(frozen=True)
class Truth:
    """A die that lies in a picture. face None: not known; colour None: not known; leans None: not known. named False: it leans so that
    people would name its face differently; nobody asks for it, but it has to be seen, and not surely as another."""

    box_xywh: Box
    face: int | None
    colour: str | None
    ignore: bool = False
    symbol: bool = False
    leans: bool | None = None
    named: bool = True

    @property
    def scored(self) -> bool:
        return bool(self.face) and self.named and not self.ignore and not self.symbol


Match = tuple[Truth, SeenDie | None]
"""A die that lies there, and the seen one that is it."""


@dataclass(frozen=True, eq=False)
class Case:
    """A picture with its truth. view: "top" or "oblique". show: gives the picture, (h, w, 3) uint8; the same one every time."""

    source: str
    name: str
    view: str
    truth: tuple[Truth, ...]
    show: Callable[[], Picture]


@dataclass(frozen=True, eq=False)
class Marked:
    """A case, what was read of it, and how the two go together.

    matches: each die that is not ignored, with the seen one that is it (None: missed). false: seen where no die is.
    """

    case: Case
    reading: Reading
    matches: tuple[Match, ...]
    false: tuple[SeenDie, ...]

    @property
    def pairs(self) -> tuple[Match, ...]:
        """Those that are scored."""
        return tuple((t, s) for t, s in self.matches if t.scored)

    @property
    def unnamed(self) -> tuple[Match, ...]:
        """Those that nobody would name."""
        return tuple((t, s) for t, s in self.matches if not t.named)

    @property
    def emblems(self) -> tuple[SeenDie, ...]:
        """Seen where an emblem is."""
        return tuple(s for t, s in self.matches if t.symbol and s is not None)

    @property
    def lying(self) -> tuple[tuple[Truth, SeenDie], ...]:
        """Those that are seen, and of which it is known whether they lean."""
        return tuple((t, s) for t, s in self.matches if t.leans is not None and s is not None)

    @property
    def throw(self) -> bool:
        """True when there is a die to be read."""
        return bool(self.pairs)

    @property
    def whole(self) -> bool:
        """True when every face is right, none is missed and nothing is seen where no die is."""
        right = all(s is not None and s.face == t.face for t, s in self.pairs)
        return right and not self.false and not any(s is None or misled(t, s) for t, s in self.unnamed)

    @property
    def accepted(self) -> bool:
        """True when dice were seen and nobody is asked about any: a table takes such a reading as the throw."""
        return self.reading.sure and bool(self.reading.dice)


def misled(t: Truth, s: SeenDie) -> bool:
    """Whether this die that nobody would name was surely taken for a flat one of another face."""
    return s.sure and not s.cocked and s.face != t.face


def marked(case: Case, reading: Reading) -> Marked:
    """The case with this reading of it."""
    matches, false = matched(case.truth, reading)
    return Marked(case, reading, tuple((t, s) for t, s in matches if not t.ignore), tuple(false))


def matched(truth: Sequence[Truth], reading: Reading) -> tuple[list[Match], list[SeenDie]]:
    """Each true die with the seen one that fits it best, and the seen ones that fit none (ignored dice take theirs along)."""
    fits = sorted(((_fit(t, s), i, j) for i, t in enumerate(truth) for j, s in enumerate(reading.dice) if _fit(t, s) > 0), reverse=True)
    by_truth: dict[int, int] = {}
    for _, i, j in fits:
        if i not in by_truth and j not in by_truth.values():
            by_truth[i] = j
    extra = [s for j, s in enumerate(reading.dice) if j not in by_truth.values()]
    false = [s for s in extra if not any(t.ignore and _fit(t, s) > 0 for t in truth)]
    return [(t, reading.dice[by_truth[i]] if i in by_truth else None) for i, t in enumerate(truth)], false


def _fit(t: Truth, s: SeenDie) -> float:
    """0 = no match; above it, the more the better."""
    share = iou(t.box_xywh, s.box_xywh)
    x, y, w, h = t.box_xywh
    inside = x <= s.centre_xy[0] <= x + w and y <= s.centre_xy[1] <= y + h
    return share + 1e-6 if share >= MIN_OVERLAP or inside else 0.0


def iou(a: Box, b: Box) -> float:
    """Share of two boxes' union that both cover, 0-1."""
    w = min(a[0] + a[2], b[0] + b[2]) - max(a[0], b[0])
    h = min(a[1] + a[3], b[1] + b[3]) - max(a[1], b[1])
    both = max(w, 0.0) * max(h, 0.0)
    return both / max(a[2] * a[3] + b[2] * b[3] - both, 1e-9)


@dataclass
class Tally:
    """Counts over some pictures; what each means stands in models.evaluation.evaluate's help. Dice that nobody would
    name count as missed or sure and wrong where they were, and in nothing else.

    blind: throws of which no die at all was seen, so that nobody is asked and nothing is accepted.
    emblems_sure: emblems believed to be a face. leaning, flat: dice known to lean or not; of them those called cocked.
    """

    pictures: int = 0
    dice: int = 0
    right: int = 0
    sure: int = 0
    sure_wrong: int = 0
    missed: int = 0
    false: int = 0
    throws: int = 0
    throws_whole: int = 0
    throws_sure: int = 0
    throws_sure_wrong: int = 0
    blind: int = 0
    asked: int = 0
    silent: int = 0
    coloured: int = 0
    colour_right: int = 0
    empty: int = 0
    seen_on_empty: int = 0
    emblems_sure: int = 0
    leaning: int = 0
    leaning_told: int = 0
    flat: int = 0
    flat_called_cocked: int = 0
    ms: list[float] = field(default_factory=list)

    @classmethod
    def of(cls, all_marked: Iterable[Marked]) -> Tally:
        tally = cls()
        for m in all_marked:
            tally._add_dice(m)
            tally._add_picture(m)
        return tally

    def _add_dice(self, m: Marked) -> None:
        found = [(t, s) for t, s in m.pairs if s is not None]
        self.dice += len(m.pairs)
        self.right += sum(s.face == t.face for t, s in found)
        self.sure += sum(s.sure for _, s in found)
        self.sure_wrong += sum(s.sure and s.face != t.face for t, s in found) + sum(s.sure for s in m.false)
        self.sure_wrong += sum(s is not None and misled(t, s) for t, s in m.unnamed)
        self.missed += len(m.pairs) - len(found) + sum(s is None for _, s in m.unnamed)
        self.false += len(m.false)
        self.coloured += sum(t.colour is not None for t, _ in found)
        self.colour_right += sum(s.colour == t.colour for t, s in found)
        self.emblems_sure += sum(s.sure for s in m.emblems)
        self.leaning += sum(bool(t.leans) for t, _ in m.lying)
        self.leaning_told += sum(bool(t.leans) and s.cocked for t, s in m.lying)
        self.flat += sum(not t.leans for t, _ in m.lying)
        self.flat_called_cocked += sum(not t.leans and s.cocked for t, s in m.lying)

    def _add_picture(self, m: Marked) -> None:
        self.pictures += 1
        self.ms.append(m.reading.ms)
        self.asked += not m.reading.sure
        self.silent += not m.whole and m.reading.sure
        if m.throw:
            self.throws += 1
            self.throws_whole += m.whole
            self.throws_sure += m.accepted
            self.throws_sure_wrong += m.accepted and not m.whole
            self.blind += not m.reading.dice
        if not m.case.truth:
            self.empty += 1
            self.seen_on_empty += len(m.reading.dice)

    def counts(self) -> dict[str, int]:
        """Everything counted, by name, without the times."""
        return {f.name: getattr(self, f.name) for f in fields(self) if f.name != "ms"}

    @property
    def median_ms(self) -> float:
        """0 where nothing was read."""
        return float(np.median(self.ms)) if self.ms else 0.0


def by_source(all_marked: Iterable[Marked]) -> dict[str, list[Marked]]:
    """The same, source by source in the order of their names."""
    sources: dict[str, list[Marked]] = {}
    for m in all_marked:
        sources.setdefault(m.case.source, []).append(m)
    return dict(sorted(sources.items()))


def wilson(part: int, whole: int) -> tuple[float, float]:
    """The 95 % interval of a share of which `part` of `whole` were seen, 0-1 (Wilson 1927); all of 0-1 where nothing was seen."""
    if not whole:
        return 0.0, 1.0
    share, z2 = part / whole, Z_95**2
    middle = (share + z2 / (2 * whole)) / (1 + z2 / whole)
    reach = Z_95 / (1 + z2 / whole) * math.sqrt(share * (1 - share) / whole + z2 / (4 * whole**2))
    return (0.0 if part == 0 else middle - reach), (1.0 if part == whole else middle + reach)


NO_DIE, EMBLEM, MISSED = "no die", "emblem", "missed"


def face_confusion(all_marked: Iterable[Marked]) -> Counter[tuple[str, str, bool]]:
    """How often what lies there ("1"-"6", NO_DIE, EMBLEM) was read so ("1"-"6", MISSED), and whether it was sure."""
    counts: Counter[tuple[str, str, bool]] = Counter()
    for m in all_marked:
        counts.update((str(t.face), str(s.face) if s else MISSED, bool(s and s.sure)) for t, s in m.pairs)
        counts.update((NO_DIE, str(s.face), s.sure) for s in m.false)
        counts.update((EMBLEM, str(s.face), s.sure) for s in m.emblems)
    return counts


def colour_confusion(all_marked: Iterable[Marked]) -> Counter[tuple[str, str]]:
    """How often a die of one colour was read as of another."""
    seen = [(t, s) for m in all_marked for t, s in m.pairs if s is not None and t.colour]
    return Counter((str(t.colour), s.colour) for t, s in seen if s.colour != t.colour)


@dataclass(frozen=True)
class Bin:
    """The dice read with a confidence from `low` to `high`: how many, their mean confidence 0-1, how many were right."""

    low: float
    high: float
    dice: int
    mean: float
    right: int


def reliability(all_marked: Iterable[Marked]) -> list[Bin]:
    """Bins of confidence that are not empty. A die seen where none is counts as wrong; confidence says that it is one, too."""
    read = [(s.confidence, s.face == t.face) for m in all_marked for t, s in m.pairs if s is not None]
    read += [(s.confidence, False) for m in all_marked for s in m.false]
    bins = []
    for low, high in pairwise(CONFIDENCE_EDGES):
        part = [r for r in read if low <= r[0] < high or r[0] == high == 1]
        if part:
            bins.append(Bin(low, high, len(part), sum(c for c, _ in part) / len(part), sum(right for _, right in part)))
    return bins
