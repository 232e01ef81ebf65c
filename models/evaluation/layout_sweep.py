"""Confidence per face over the range of die designs: `python -m models.evaluation.layout_sweep`.

The program renders single plain dice in top view, with layouts sampled evenly over the bins of LAYOUTS,
far beyond usual designs. The face classifier reads each die in its ground-truth box. For every bin of every
range, the table gives per face the mean confidence in the true face, then the percentage of dice that are
unsure or wrong. A bin that stands out shows a gap in the training pictures.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path

import cv2
import numpy as np

from models import WEIGHTS
from models.rendering.dice import TOUCHING, Pips, random_make
from models.rendering.pip_visibility import has_visible_pips
from models.rendering.scenes import render_single_die
from vision.reading.classifier import THOROUGH_VIEW_ROUNDS, FaceClassifier
from vision.reading.reader import CLASSIFIER_FILE
from vision.readings import CONFIDENCE_THRESHOLD

LAYOUTS: Mapping[str, tuple[float, ...]] = {
    "pitch, sides": (0.15, 0.18, 0.21, 0.24, 0.27, 0.3, 0.33),
    "lines of a six, of the pitch": (0.5, 0.6, 0.7, 0.8, 0.9, 1.0),
    "pip radius, of touching": (0.3, 0.45, 0.6, 0.75, 0.9, 1.0),
    "lone pip, of the others": (0.5, 0.75, 1.0, 1.5, 2.0),
    "corner radius, sides": (0.0, 0.08, 0.16, 0.24, 0.32),
    "side of the die, px": (16, 24, 32, 48, 72, 120),
}
"""Bin edges of each range."""
MIN_RADIUS, MIN_LONE, MAX_RADIUS, MAX_REACH = 0.035, 0.03, 0.135, 0.47
"""Minimum radius of a pip and of a lone pip, maximum radius, maximum reach from the face's centre, sides."""
SEED = 71


@dataclass(frozen=True)
class SweptDie:
    """One die: its layout (one number per entry of LAYOUTS), true face, read face, the confidence in
    the read face, and `confidence`, that in the true face."""

    layout: tuple[float, ...]
    face: int
    read: int
    read_confidence: float
    confidence: float

    @property
    def sure(self) -> bool:
        return self.read == self.face and self.confidence >= CONFIDENCE_THRESHOLD


def evaluate_layouts(reader: FaceClassifier, count: int) -> Iterator[SweptDie]:
    """The results for `count` evenly sampled dice, without those whose pips a person could not count."""
    for seed in range(count):
        rng = np.random.default_rng((SEED, seed))
        layout = tuple(random_in_bins(bounds, rng) for bounds in LAYOUTS.values())
        pitch, squeeze, fullness, alone, corner, die_px = layout
        radius = max(MIN_RADIUS, min(fullness * TOUCHING * pitch, MAX_RADIUS, MAX_REACH - pitch))
        pips = Pips(radius, pitch, squeeze, max(alone, MIN_LONE / radius), {}, ())
        plain = replace(
            random_make(rng),
            pattern="plain",
            inked={},
            emblem_face=None,
            engraved=False,
            disc=0.0,
            unevenness=0.0,
        )
        make = replace(plain, pips=pips, corner=max(corner, 0.01), ball=0.9)
        picture, truth = render_single_die(rng, make, die_px)
        if not has_visible_pips(picture, np.array(truth.pips_xy), truth.pip_px):
            continue
        prediction = reader.classify(picture, [truth.box_xywh], THOROUGH_VIEW_ROUNDS)[0]
        yield SweptDie(
            layout,
            truth.face,
            int(prediction.faces.argmax()) + 1,
            float(prediction.faces.max()),
            float(prediction.faces[truth.face - 1]),
        )


def random_in_bins(bounds: Sequence[float], rng: np.random.Generator) -> float:
    """A random number from the range; each bin has the same probability."""
    at = int(rng.integers(len(bounds) - 1))
    return float(rng.uniform(bounds[at], bounds[at + 1]))


def cell(swept_dice: Sequence[SweptDie]) -> str:
    """Mean confidence, and the percentage of dice that are not both sure and right."""
    if not swept_dice:
        return "-"
    mean = np.mean([r.confidence for r in swept_dice])
    return f"{mean:.3f} {100 * np.mean([not r.sure for r in swept_dice]):.0f}"


def row(name: str, swept_dice: Sequence[SweptDie]) -> str:
    cells = [cell([r for r in swept_dice if r.face == face]) for face in range(1, 7)]
    return f"| {name} | {len(swept_dice)} | {' | '.join(cells)} | {cell(swept_dice)} |"


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--models", type=Path, default=WEIGHTS, help="folder of the weights (default: those of Brehon)"
    )
    parser.add_argument("--count", type=int, default=3000, help="dice to render (default: %(default)s)")
    args = parser.parse_args()
    cv2.setNumThreads(1)
    swept_dice = list(evaluate_layouts(FaceClassifier(args.models / CLASSIFIER_FILE), args.count))
    print("| | dice | 1 | 2 | 3 | 4 | 5 | 6 | all |\n|---|---|---|---|---|---|---|---|---|")
    for at, (name, bounds) in enumerate(LAYOUTS.items()):
        for low, high in pairwise(bounds):
            print(row(f"{name}: {low:g} to {high:g}", [r for r in swept_dice if low <= r.layout[at] < high]))
    print(row("all", swept_dice))
    wrong = [r for r in swept_dice if r.read != r.face]
    surely = sum(r.read_confidence >= CONFIDENCE_THRESHOLD for r in wrong)
    print(f"\n{len(wrong)} of {len(swept_dice)} are wrong, {surely} of them sure")


if __name__ == "__main__":
    main()
