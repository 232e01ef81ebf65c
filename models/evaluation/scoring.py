"""Scores of readings against the ground truth: matching, counts, confusion matrices and calibration.

Each true die is matched to the detection with the highest IoU, if the IoU is at least MIN_IOU or the
detection's centre lies in the true box. Dice marked `ignore` and emblems are not scored. The module depends
only on Reading, not on a Reader's internals.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, fields
from itertools import pairwise

import numpy as np

from models.labels import DieLabel
from vision.boxes import iou
from vision.frames import Picture
from vision.readings import Reading, SeenDie

MIN_IOU = 0.4
"""Minimum IoU of a true die and its detection."""
Z_95 = 1.959964
"""95 % of a normal distribution lie within this many standard deviations of the mean."""
CONFIDENCE_EDGES = (0.0, 0.5, 0.7, 0.85, 0.95, 0.97, 0.99, 1.0)
"""Bin edges of the reliability tables; finer towards 1, because the sure dice lie there."""


Match = tuple[DieLabel, SeenDie | None]
"""A true die and its detection; None if it is missed."""


@dataclass(frozen=True, eq=False)
class LabelledPicture:
    """A picture with its ground truth. view: "top" or "oblique".

    load_picture: returns the same (h, w, 3) uint8 on every call.
    """

    source: str
    name: str
    view: str
    truth: tuple[DieLabel, ...]
    load_picture: Callable[[], Picture]


@dataclass(frozen=True, eq=False)
class ScoredPicture:
    """A labelled picture, its reading, and the matches between them.

    matches: each die that is not ignored, with its detection (None: missed).
    false_positives: detections without a die.
    """

    labelled: LabelledPicture
    reading: Reading
    matches: tuple[Match, ...]
    false_positives: tuple[SeenDie, ...]

    @property
    def pairs(self) -> tuple[Match, ...]:
        """The matches of scored dice."""
        return tuple((t, s) for t, s in self.matches if t.scored)

    @property
    def ambiguous(self) -> tuple[Match, ...]:
        """The matches of dice with an ambiguous face."""
        return tuple((t, s) for t, s in self.matches if not t.definite)

    @property
    def emblems(self) -> tuple[SeenDie, ...]:
        """The detections of emblems."""
        return tuple(s for t, s in self.matches if t.symbol and s is not None)

    @property
    def tilt_known(self) -> tuple[tuple[DieLabel, SeenDie], ...]:
        """The detected dice of which the ground truth says whether they are tilted."""
        return tuple((t, s) for t, s in self.matches if t.tilted is not None and s is not None)

    @property
    def has_scored_dice(self) -> bool:
        """True when the picture has a scored die."""
        return bool(self.pairs)

    @property
    def all_correct(self) -> bool:
        """True when every face is right, no die is missed and there are no false positives."""
        right = all(s is not None and s.face == t.face for t, s in self.pairs)
        return (
            right
            and not self.false_positives
            and not any(s is None or is_sure_misread(t, s) for t, s in self.ambiguous)
        )

    @property
    def auto_accepted(self) -> bool:
        """True when a die is detected and no person is asked about any: a table accepts such a reading."""
        return self.reading.sure and bool(self.reading.dice)


def is_sure_misread(t: DieLabel, s: SeenDie) -> bool:
    """Whether a die with an ambiguous face is read as sure and flat with another face."""
    return s.sure and not s.cocked and s.face != t.face


def score_picture(labelled: LabelledPicture, reading: Reading) -> ScoredPicture:
    """The picture scored with this reading."""
    matches, false = matched(labelled.truth, reading)
    return ScoredPicture(labelled, reading, tuple((t, s) for t, s in matches if not t.ignore), tuple(false))


def matched(truth: Sequence[DieLabel], reading: Reading) -> tuple[list[Match], list[SeenDie]]:
    """Each true die with its best detection or None, and the false positives.

    Detections of ignored dice are left out.
    """
    scores = [(_match_score(t, s), i, j) for i, t in enumerate(truth) for j, s in enumerate(reading.dice)]
    by_truth: dict[int, int] = {}
    for score, i, j in sorted(scores, reverse=True):
        if score > 0 and i not in by_truth and j not in by_truth.values():
            by_truth[i] = j
    extra = [s for j, s in enumerate(reading.dice) if j not in by_truth.values()]
    false = [s for s in extra if not any(t.ignore and _match_score(t, s) > 0 for t in truth)]
    return [(t, reading.dice[by_truth[i]] if i in by_truth else None) for i, t in enumerate(truth)], false


def _match_score(t: DieLabel, s: SeenDie) -> float:
    """The quality of a match, 0 = no match; higher is better."""
    share = iou(t.box_xywh, s.box_xywh)
    x, y, w, h = t.box_xywh
    inside = x <= s.centre_xy[0] <= x + w and y <= s.centre_xy[1] <= y + h
    return share + 1e-6 if share >= MIN_IOU or inside else 0.0


@dataclass
class Tally:
    """Counts over pictures; the help of models.evaluation.evaluate defines them.

    dice: scored dice. true_positives: those that are detected. false_positives: detections without a die.
    Dice with an ambiguous face count in missed, sure_wrong and the tilt counts, not in dice, right or
    true_positives.
    undetected_throws: throws without any detection, so no person is asked and nothing is accepted.
    unflagged_errors: pictures not wholly right in which no person is asked. asked: pictures in which one is.
    colour_known: detected dice whose true colour is known.
    empty_pictures: pictures without dice. detections_on_empty: the detections in them.
    emblems_sure: emblems read as a sure face.
    tilted, flat: dice known to be tilted or flat. tilted_called_cocked, flat_called_cocked: those reported as
    cocked.
    """

    pictures: int = 0
    dice: int = 0
    true_positives: int = 0
    false_positives: int = 0
    right: int = 0
    sure: int = 0
    sure_wrong: int = 0
    missed: int = 0
    throws: int = 0
    throws_whole: int = 0
    throws_sure: int = 0
    throws_sure_wrong: int = 0
    undetected_throws: int = 0
    asked: int = 0
    unflagged_errors: int = 0
    colour_known: int = 0
    colour_right: int = 0
    empty_pictures: int = 0
    detections_on_empty: int = 0
    emblems_sure: int = 0
    tilted: int = 0
    tilted_called_cocked: int = 0
    flat: int = 0
    flat_called_cocked: int = 0
    ms: list[float] = field(default_factory=list)

    @classmethod
    def of(cls, scored_pictures: Iterable[ScoredPicture]) -> Tally:
        tally = cls()
        for scored in scored_pictures:
            tally._add_dice(scored)
            tally._add_picture(scored)
        return tally

    def _add_dice(self, scored: ScoredPicture) -> None:
        found = [(t, s) for t, s in scored.pairs if s is not None]
        self.dice += len(scored.pairs)
        self.true_positives += len(found)
        self.false_positives += len(scored.false_positives)
        self.right += sum(s.face == t.face for t, s in found)
        self.sure += sum(s.sure for _, s in found)
        self.sure_wrong += sum(s.sure and s.face != t.face for t, s in found) + sum(
            s.sure for s in scored.false_positives
        )
        self.sure_wrong += sum(s is not None and is_sure_misread(t, s) for t, s in scored.ambiguous)
        self.missed += len(scored.pairs) - len(found) + sum(s is None for _, s in scored.ambiguous)
        self.colour_known += sum(t.colour is not None for t, _ in found)
        self.colour_right += sum(s.colour == t.colour for t, s in found)
        self.emblems_sure += sum(s.sure for s in scored.emblems)
        self.tilted += sum(bool(t.tilted) for t, _ in scored.tilt_known)
        self.tilted_called_cocked += sum(bool(t.tilted) and s.cocked for t, s in scored.tilt_known)
        self.flat += sum(not t.tilted for t, _ in scored.tilt_known)
        self.flat_called_cocked += sum(not t.tilted and s.cocked for t, s in scored.tilt_known)

    def _add_picture(self, scored: ScoredPicture) -> None:
        self.pictures += 1
        self.ms.append(scored.reading.ms)
        self.asked += not scored.reading.sure
        self.unflagged_errors += not scored.all_correct and scored.reading.sure
        if scored.has_scored_dice:
            self.throws += 1
            self.throws_whole += scored.all_correct
            self.throws_sure += scored.auto_accepted
            self.throws_sure_wrong += scored.auto_accepted and not scored.all_correct
            self.undetected_throws += not scored.reading.dice
        if not scored.labelled.truth:
            self.empty_pictures += 1
            self.detections_on_empty += len(scored.reading.dice)

    def counts(self) -> dict[str, int]:
        """All counts by name, without the times."""
        return {f.name: getattr(self, f.name) for f in fields(self) if f.name != "ms"}

    @property
    def recall(self) -> float | None:
        """Share of the scored dice that are detected, 0-1; None without dice."""
        return _share(self.true_positives, self.dice)

    @property
    def precision(self) -> float | None:
        """Share of the detections that are dice, 0-1; None without detections. Emblems and ambiguous dice are
        left out."""
        return _share(self.true_positives, self.true_positives + self.false_positives)

    @property
    def face_accuracy(self) -> float | None:
        """Share of the detected dice with the right face, 0-1; None without detected dice."""
        return _share(self.right, self.true_positives)

    @property
    def median_ms(self) -> float:
        """Median time of a reading, ms; 0 without readings."""
        return float(np.median(self.ms)) if self.ms else 0.0


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None


def by_source(scored_pictures: Iterable[ScoredPicture]) -> dict[str, list[ScoredPicture]]:
    """The scored readings grouped by source, sorted by name."""
    sources: dict[str, list[ScoredPicture]] = {}
    for scored in scored_pictures:
        sources.setdefault(scored.labelled.source, []).append(scored)
    return dict(sorted(sources.items()))


def wilson(part: int, whole: int) -> tuple[float, float]:
    """The 95 % confidence interval of the share `part` / `whole`, 0-1 (Wilson 1927); (0, 1) if whole is 0."""
    if not whole:
        return 0.0, 1.0
    share, z2 = part / whole, Z_95**2
    middle = (share + z2 / (2 * whole)) / (1 + z2 / whole)
    reach = Z_95 / (1 + z2 / whole) * math.sqrt(share * (1 - share) / whole + z2 / (4 * whole**2))
    return (0.0 if part == 0 else middle - reach), (1.0 if part == whole else middle + reach)


BACKGROUND, EMBLEM, MISSED = "background", "emblem", "missed"
"""Rows and columns of the confusion matrix beside the faces. BACKGROUND: there is no die."""


def face_confusion(scored_pictures: Iterable[ScoredPicture]) -> Counter[tuple[str, str, bool]]:
    """Counts by truth ("1"-"6", BACKGROUND, EMBLEM), reading ("1"-"6", MISSED) and sure."""
    counts: Counter[tuple[str, str, bool]] = Counter()
    for scored in scored_pictures:
        counts.update(
            (str(t.face), str(s.face) if s else MISSED, bool(s and s.sure)) for t, s in scored.pairs
        )
        counts.update((BACKGROUND, str(s.face), s.sure) for s in scored.false_positives)
        counts.update((EMBLEM, str(s.face), s.sure) for s in scored.emblems)
    return counts


def colour_confusion(scored_pictures: Iterable[ScoredPicture]) -> Counter[tuple[str, str]]:
    """Counts of wrong colours by (true colour, read colour)."""
    seen = [(t, s) for scored in scored_pictures for t, s in scored.pairs if s is not None and t.colour]
    return Counter((str(t.colour), s.colour) for t, s in seen if s.colour != t.colour)


@dataclass(frozen=True)
class Bin:
    """The dice with confidence from `low` to `high`: their number, mean confidence 0-1 and number right."""

    low: float
    high: float
    dice: int
    mean: float
    right: int


def reliability(scored_pictures: Iterable[ScoredPicture]) -> list[Bin]:
    """The non-empty confidence bins. A false positive counts as wrong."""
    read = [
        (s.confidence, s.face == t.face)
        for scored in scored_pictures
        for t, s in scored.pairs
        if s is not None
    ]
    read += [(s.confidence, False) for scored in scored_pictures for s in scored.false_positives]
    bins = []
    for low, high in pairwise(CONFIDENCE_EDGES):
        part = [r for r in read if low <= r[0] < high or r[0] == high == 1]
        if part:
            bins.append(
                Bin(
                    low, high, len(part), sum(c for c, _ in part) / len(part), sum(right for _, right in part)
                )
            )
    return bins


def expected_calibration_error(bins: Iterable[Bin]) -> float | None:
    """The mean difference of confidence and accuracy over the bins, 0-1, weighted by their dice; None without
    dice."""
    bins = list(bins)
    dice = sum(b.dice for b in bins)
    return sum(abs(b.mean * b.dice - b.right) for b in bins) / dice if dice else None
