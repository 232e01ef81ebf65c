"""The results of models.evaluation.evaluate as one value, compared with the targets, and as JSON."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from models.evaluation.scoring import (
    ScoredPicture,
    Tally,
    by_source,
    colour_confusion,
    expected_calibration_error,
    face_confusion,
    reliability,
    wilson,
)
from models.evaluation.speed import Cost
from table.benchmark.figures import MAX_MB, MAX_RATIO

NEW, SEEN = "New rigs (never trained on)", "Seen rigs (the held-back fifth)"
TABLES, BLENDER, TRAY = "Rendered tables", "Tables rendered by Blender", "Simulated tray"
"""The groups of evaluation pictures, with NEW and SEEN."""


@dataclass(frozen=True)
class Origin:
    """The inputs of a run.

    weights: file to (sha256, bytes). data: name to sha256. seeds: name to first seed and count.
    """

    command: str
    weights: Mapping[str, tuple[str, int]]
    data: Mapping[str, str]
    seeds: Mapping[str, tuple[int, int]]

    @property
    def weights_mb(self) -> float:
        return sum(size for _, size in self.weights.values()) / 1e6


@dataclass(frozen=True)
class Clip:
    """Counts of the clip's settled frames: right, right and sure, sure and wrong. bad: the wrong readings."""

    name: str
    frames: int
    right: int
    right_sure: int
    sure_wrong: int
    bad: tuple[str, ...]


@dataclass
class Figures:
    """The scored readings of the nets and the baseline by group of pictures, the clip and the cost."""

    origin: Origin
    nets: dict[str, list[ScoredPicture]] = field(default_factory=dict)
    baseline: dict[str, list[ScoredPicture]] = field(default_factory=dict)
    clip: Clip | None = None
    cost: Cost | None = None


def sha256(paths: Iterable[Path]) -> str:
    """The hex digest of the files' concatenated bytes."""
    total = hashlib.sha256()
    for path in paths:
        total.update(path.read_bytes())
    return total.hexdigest()


# --- the targets --------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Target:
    """A limit for a share in some views: `part` divided by `whole` of a tally.

    limit: 0-1, a minimum or a maximum.
    """

    name: str
    limit: float
    at_least: bool
    views: str
    part: Callable[[Tally], int]
    whole: Callable[[Tally], int]

    @property
    def wanted(self) -> str:
        return f"{'at least' if self.at_least else 'at most'} {100 * self.limit:g} %"

    def met(self, tally: Tally) -> bool | None:
        """Whether the tally meets the limit; None if `whole` is 0."""
        part, whole = self.part(tally), self.whole(tally)
        if not whole:
            return None
        return part >= self.limit * whole if self.at_least else part <= self.limit * whole


TOP, ALL = "top", "all"
TARGETS = (
    Target("dice found and right", 0.995, True, TOP, lambda t: t.right, lambda t: t.dice),
    Target(
        "throws wholly right, no false positives",
        0.97,
        True,
        ALL,
        lambda t: t.throws_whole,
        lambda t: t.throws,
    ),
    Target("throws accepted as sure", 0.90, True, ALL, lambda t: t.throws_sure, lambda t: t.throws),
    Target("throws sure and wrong", 0.003, False, ALL, lambda t: t.throws_sure_wrong, lambda t: t.throws),
    Target(
        "body colour right, of dice found",
        0.98,
        True,
        ALL,
        lambda t: t.colour_right,
        lambda t: t.colour_known,
    ),
)
"""Targets on photographs of new rigs."""
MAX_WEIGHTS_MB = 5.0


def tally_of_view(scored_pictures: Iterable[ScoredPicture], view: str) -> Tally:
    """The tally of the pictures with this view: "top", "oblique" or "all"."""
    return Tally.of(scored for scored in scored_pictures if view in (ALL, scored.labelled.view))


def target_results(figures: Figures) -> list[dict[str, Any]]:
    """Every target as {name, wanted, measured, met (None: not measured)}.

    Shares also have their counts, interval and views, and the counts of the baseline.
    """
    new, baseline = figures.nets.get(NEW, []), figures.baseline.get(NEW, [])
    return [_share(t, new, baseline) for t in TARGETS] + [_on_empty(new, baseline)] + _costs(figures)


def _share(target: Target, new: Sequence[ScoredPicture], baseline: Sequence[ScoredPicture]) -> dict[str, Any]:
    tally = tally_of_view(new, target.views)
    part, whole = target.part(tally), target.whole(tally)
    return {
        "name": target.name, "wanted": target.wanted, "views": target.views,
        "measured": part / whole if whole else None, "part": part, "whole": whole,
        "interval_95": wilson(part, whole), "met": target.met(tally),
        **{view: _counted(target, tally_of_view(new, view)) for view in ("top", "oblique")},
        "baseline": _counted(target, tally_of_view(baseline, target.views)),
    }  # fmt: skip


def _counted(target: Target, tally: Tally) -> tuple[int, int]:
    return target.part(tally), target.whole(tally)


def _on_empty(new: Sequence[ScoredPicture], baseline: Sequence[ScoredPicture]) -> dict[str, Any]:
    ours, theirs = Tally.of(new), Tally.of(baseline)
    return {
        "name": "detections on empty backgrounds",
        "wanted": "0",
        "views": ALL,
        "measured": ours.detections_on_empty,
        "pictures": ours.empty_pictures,
        "met": ours.detections_on_empty == 0 if ours.empty_pictures else None,
        "baseline": (theirs.detections_on_empty, theirs.empty_pictures),
    }


def _costs(figures: Figures) -> list[dict[str, Any]]:
    cost, weights_mb = figures.cost, figures.origin.weights_mb
    ratio, peak_mb = (cost.ratio, cost.peak_mb) if cost else (None, None)
    return [
        _below("time of a reading, relative to a net of YOLO11n's size", MAX_RATIO, "", ratio),
        _below("peak memory of a reading process", MAX_MB, " MB", peak_mb),
        _below("size of all model files", MAX_WEIGHTS_MB, " MB", weights_mb),
    ]


def _below(name: str, limit: float, unit: str, measured: float | None) -> dict[str, Any]:
    met = None if measured is None else measured < limit
    return {"name": name, "wanted": f"under {limit:g}{unit}", "unit": unit, "measured": measured, "met": met}


# --- as JSON ------------------------------------------------------------------------------------------------


def as_json(figures: Figures) -> dict[str, Any]:
    """All results as values that json can write."""
    return {
        "origin": asdict(figures.origin),
        "targets": target_results(figures),
        "groups": {
            name: _group(group, figures.baseline.get(name, [])) for name, group in figures.nets.items()
        },
        "clip": asdict(figures.clip) if figures.clip else None,
        "cost": asdict(figures.cost) | {"ratio": figures.cost.ratio} if figures.cost else None,
    }


def _group(group: list[ScoredPicture], baseline: list[ScoredPicture]) -> dict[str, Any]:
    return {
        "all": _counts(group),
        "sources": {source: _counts(part) for source, part in by_source(group).items()},
        "baseline": {
            "all": _counts(baseline),
            "sources": {source: _counts(part) for source, part in by_source(baseline).items()},
        },
        "faces": [
            {"truth": t, "read": r, "sure": s, "count": n}
            for (t, r, s), n in sorted(face_confusion(group).items())
        ],
        "colours": [
            {"truth": t, "read": r, "count": n} for (t, r), n in sorted(colour_confusion(group).items())
        ],
        "reliability": [asdict(b) for b in reliability(group)],
        "expected_calibration_error": expected_calibration_error(reliability(group)),
        "not_whole": [
            f"{scored.labelled.source} {scored.labelled.name}" for scored in group if not scored.all_correct
        ],
    }


def _counts(part: list[ScoredPicture]) -> dict[str, Any]:
    tally = Tally.of(part)
    shares = {"recall": tally.recall, "precision": tally.precision, "face_accuracy": tally.face_accuracy}
    return tally.counts() | shares | {"median_ms": round(tally.median_ms, 1)}
