"""Scores of readings against the ground truth: matching, counts, confusion matrices and calibration.

Each true die is matched to the detection with the highest IoU, if the IoU is at least MIN_OVERLAP or the
detection's centre lies in the true box. Dice marked `ignore` and emblems are not scored. The module depends
only on Reading, not on a Reader's internals.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, fields
from itertools import pairwise
from typing import Protocol

import numpy as np

from vision.boxes import Box, iou
from vision.frames import Picture
from vision.readings import Reading, SeenDie

MIN_OVERLAP = 0.4
Z_95 = 1.959964
"""95 % of a normal distribution lie within this many standard deviations of the mean."""
CONFIDENCE_EDGES = (0.0, 0.5, 0.7, 0.85, 0.95, 0.97, 0.99, 1.0)
"""Bin edges of the reliability tables; finer towards 1, because the sure dice lie there."""


class DiceReader(Protocol):
    """A reader to evaluate: the nets or a baseline."""

    def read(self, picture: Picture) -> Reading: ...


@dataclass(frozen=True)
class Truth:
    """The ground truth of one die. face, colour, leans: None if not known. named False: its tilt makes the
    face ambiguous. Its face is not scored, but it must be detected, and must not be read as another face with
    sure=True unless reported as cocked."""

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
"""A true die and its detection; None if it is missed."""


@dataclass(frozen=True, eq=False)
class Case:
    """A picture with its ground truth. view: "top" or "oblique".

    load_picture: returns the same (h, w, 3) uint8 on every call.
    """

    source: str
    name: str
    view: str
    truth: tuple[Truth, ...]
    load_picture: Callable[[], Picture]


@dataclass(frozen=True, eq=False)
class ScoredCase:
    """A case, its reading, and the matches between them.

    matches: each die that is not ignored, with its detection (None: missed). false: false positives.
    """

    case: Case
    reading: Reading
    matches: tuple[Match, ...]
    false: tuple[SeenDie, ...]

    @property
    def pairs(self) -> tuple[Match, ...]:
        """The matches of scored dice."""
        return tuple((t, s) for t, s in self.matches if t.scored)

    @property
    def unnamed(self) -> tuple[Match, ...]:
        """The matches of dice with an ambiguous face."""
        return tuple((t, s) for t, s in self.matches if not t.named)

    @property
    def emblems(self) -> tuple[SeenDie, ...]:
        """The detections of emblems."""
        return tuple(s for t, s in self.matches if t.symbol and s is not None)

    @property
    def lying(self) -> tuple[tuple[Truth, SeenDie], ...]:
        """The detected dice of which the ground truth says whether they are tilted."""
        return tuple((t, s) for t, s in self.matches if t.leans is not None and s is not None)

    @property
    def has_scored_dice(self) -> bool:
        """True when the picture has a scored die."""
        return bool(self.pairs)

    @property
    def whole(self) -> bool:
        """True when every face is right, no die is missed and there are no false positives."""
        right = all(s is not None and s.face == t.face for t, s in self.pairs)
        return right and not self.false and not any(s is None or is_sure_misread(t, s) for t, s in self.unnamed)

    @property
    def accepted(self) -> bool:
        """True when a die is detected and no person is asked about any: a table accepts the reading as the throw."""
        return self.reading.sure and bool(self.reading.dice)


def is_sure_misread(t: Truth, s: SeenDie) -> bool:
    """Whether a die with an ambiguous face is read as sure and flat with another face."""
    return s.sure and not s.cocked and s.face != t.face


def score_case(case: Case, reading: Reading) -> ScoredCase:
    """The case scored with this reading."""
    matches, false = matched(case.truth, reading)
    return ScoredCase(case, reading, tuple((t, s) for t, s in matches if not t.ignore), tuple(false))


def matched(truth: Sequence[Truth], reading: Reading) -> tuple[list[Match], list[SeenDie]]:
    """Each true die with its best detection or None, and the false positives, without detections of ignored dice."""
    scores = [(_match_score(t, s), i, j) for i, t in enumerate(truth) for j, s in enumerate(reading.dice)]
    by_truth: dict[int, int] = {}
    for score, i, j in sorted(scores, reverse=True):
        if score > 0 and i not in by_truth and j not in by_truth.values():
            by_truth[i] = j
    extra = [s for j, s in enumerate(reading.dice) if j not in by_truth.values()]
    false = [s for s in extra if not any(t.ignore and _match_score(t, s) > 0 for t in truth)]
    return [(t, reading.dice[by_truth[i]] if i in by_truth else None) for i, t in enumerate(truth)], false


def _match_score(t: Truth, s: SeenDie) -> float:
    """The quality of a match, 0 = no match; higher is better."""
    share = iou(t.box_xywh, s.box_xywh)
    x, y, w, h = t.box_xywh
    inside = x <= s.centre_xy[0] <= x + w and y <= s.centre_xy[1] <= y + h
    return share + 1e-6 if share >= MIN_OVERLAP or inside else 0.0


@dataclass
class Tally:
    """Counts over pictures; the help of models.evaluation.evaluate defines them. Dice with an ambiguous face
    count in missed, sure_wrong and the tilt counts, not in dice or right.

    blind: throws without any detection, so no person is asked and nothing is accepted. emblems_sure: emblems
    read as a sure face. leaning, flat: dice known to be tilted or flat; leaning_called_cocked, flat_called_cocked:
    those reported as cocked.
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
    leaning_called_cocked: int = 0
    flat: int = 0
    flat_called_cocked: int = 0
    ms: list[float] = field(default_factory=list)

    @classmethod
    def of(cls, scored_cases: Iterable[ScoredCase]) -> Tally:
        tally = cls()
        for m in scored_cases:
            tally._add_dice(m)
            tally._add_picture(m)
        return tally

    def _add_dice(self, m: ScoredCase) -> None:
        found = [(t, s) for t, s in m.pairs if s is not None]
        self.dice += len(m.pairs)
        self.right += sum(s.face == t.face for t, s in found)
        self.sure += sum(s.sure for _, s in found)
        self.sure_wrong += sum(s.sure and s.face != t.face for t, s in found) + sum(s.sure for s in m.false)
        self.sure_wrong += sum(s is not None and is_sure_misread(t, s) for t, s in m.unnamed)
        self.missed += len(m.pairs) - len(found) + sum(s is None for _, s in m.unnamed)
        self.false += len(m.false)
        self.coloured += sum(t.colour is not None for t, _ in found)
        self.colour_right += sum(s.colour == t.colour for t, s in found)
        self.emblems_sure += sum(s.sure for s in m.emblems)
        self.leaning += sum(bool(t.leans) for t, _ in m.lying)
        self.leaning_called_cocked += sum(bool(t.leans) and s.cocked for t, s in m.lying)
        self.flat += sum(not t.leans for t, _ in m.lying)
        self.flat_called_cocked += sum(not t.leans and s.cocked for t, s in m.lying)

    def _add_picture(self, m: ScoredCase) -> None:
        self.pictures += 1
        self.ms.append(m.reading.ms)
        self.asked += not m.reading.sure
        self.silent += not m.whole and m.reading.sure
        if m.has_scored_dice:
            self.throws += 1
            self.throws_whole += m.whole
            self.throws_sure += m.accepted
            self.throws_sure_wrong += m.accepted and not m.whole
            self.blind += not m.reading.dice
        if not m.case.truth:
            self.empty += 1
            self.seen_on_empty += len(m.reading.dice)

    def counts(self) -> dict[str, int]:
        """All counts by name, without the times."""
        return {f.name: getattr(self, f.name) for f in fields(self) if f.name != "ms"}

    @property
    def median_ms(self) -> float:
        """Median time of a reading, ms; 0 without readings."""
        return float(np.median(self.ms)) if self.ms else 0.0


def by_source(scored_cases: Iterable[ScoredCase]) -> dict[str, list[ScoredCase]]:
    """The scored readings grouped by source, sorted by name."""
    sources: dict[str, list[ScoredCase]] = {}
    for m in scored_cases:
        sources.setdefault(m.case.source, []).append(m)
    return dict(sorted(sources.items()))


def wilson(part: int, whole: int) -> tuple[float, float]:
    """The 95 % confidence interval of the share `part` / `whole`, 0-1 (Wilson 1927); (0, 1) if whole is 0."""
    if not whole:
        return 0.0, 1.0
    share, z2 = part / whole, Z_95**2
    middle = (share + z2 / (2 * whole)) / (1 + z2 / whole)
    reach = Z_95 / (1 + z2 / whole) * math.sqrt(share * (1 - share) / whole + z2 / (4 * whole**2))
    return (0.0 if part == 0 else middle - reach), (1.0 if part == whole else middle + reach)


NO_DIE, EMBLEM, MISSED = "no die", "emblem", "missed"


def face_confusion(scored_cases: Iterable[ScoredCase]) -> Counter[tuple[str, str, bool]]:
    """Counts by truth ("1"-"6", NO_DIE, EMBLEM), reading ("1"-"6", MISSED) and sure."""
    counts: Counter[tuple[str, str, bool]] = Counter()
    for m in scored_cases:
        counts.update((str(t.face), str(s.face) if s else MISSED, bool(s and s.sure)) for t, s in m.pairs)
        counts.update((NO_DIE, str(s.face), s.sure) for s in m.false)
        counts.update((EMBLEM, str(s.face), s.sure) for s in m.emblems)
    return counts


def colour_confusion(scored_cases: Iterable[ScoredCase]) -> Counter[tuple[str, str]]:
    """Counts of wrong colours by (true colour, read colour)."""
    seen = [(t, s) for m in scored_cases for t, s in m.pairs if s is not None and t.colour]
    return Counter((str(t.colour), s.colour) for t, s in seen if s.colour != t.colour)


@dataclass(frozen=True)
class Bin:
    """The dice with confidence from `low` to `high`: their number, mean confidence 0-1 and number right."""

    low: float
    high: float
    dice: int
    mean: float
    right: int


def reliability(scored_cases: Iterable[ScoredCase]) -> list[Bin]:
    """The non-empty confidence bins. A false positive counts as wrong: confidence includes that a die is there."""
    read = [(s.confidence, s.face == t.face) for m in scored_cases for t, s in m.pairs if s is not None]
    read += [(s.confidence, False) for m in scored_cases for s in m.false]
    bins = []
    for low, high in pairwise(CONFIDENCE_EDGES):
        part = [r for r in read if low <= r[0] < high or r[0] == high == 1]
        if part:
            bins.append(Bin(low, high, len(part), sum(c for c, _ in part) / len(part), sum(right for _, right in part)))
    return bins
