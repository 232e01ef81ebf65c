"""Fits the logistic regression of what is a stick (vision/reading/stick_throw.py) to a pair of nets:

    python -m models.training.stick_odds --models runs/new runs/stick_tables

Prints its four constants. The folders have a labels.jsonl, as models.evaluation.sticks reads it, and show
nothing that a net was trained on. What the two nets propose is a stick where one is labelled; what touches
one to be ignored is left out.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from models import WEIGHTS
from models.evaluation.sticks import belongs, labelled
from vision.picture_files import load
from vision.reading.stick_classifier import StickClassifier
from vision.reading.stick_detector import StickDetector
from vision.reading.stick_reader import CLASSIFIER_FILE, DETECTOR_FILE, Candidate, candidates
from vision.reading.stick_throw import likenesses, log_odds
from vision.readings import SeenStick
from vision.turned_box import box_of_quad, shared_area

RIDGE = 1e-3
"""Weight of the squared constants in the loss, which keeps them finite where everything can be told apart."""
NEWTON_STEPS = 50
NAMES = ("BIAS", "DETECTOR_WEIGHT", "CLASSIFIER_WEIGHT", "LIKENESS_WEIGHT")

Floats = NDArray[np.float64]


def rows_of(found: Sequence[Candidate]) -> Floats:
    """(n, 4): 1, the log odds of the two nets, and the likeness to the others."""
    alike = likenesses([c.box for c in found], [c.score for c in found])
    odds = [(log_odds(c.detector), log_odds(1 - c.prediction.none)) for c in found]
    return np.array([(1.0, *pair, like) for pair, like in zip(odds, alike, strict=True)]).reshape(-1, 4)


def examples(models: Path, folders: Sequence[Path]) -> Iterator[tuple[Floats, bool]]:
    """The row (4,) of each thing that the nets in `models` propose, and whether it is a stick."""
    detector = StickDetector(models / DETECTOR_FILE)
    classifier = StickClassifier(models / CLASSIFIER_FILE)
    for path, labels in (pair for folder in folders for pair in labelled(folder)):
        picture = load(path).picture
        found = candidates(picture, detector, classifier)
        for candidate, row in zip(found, rows_of(found), strict=True):
            seen = SeenStick("round", candidate.box.quad, 0.0, sure=False)
            ignored = [box_of_quad(tuple(label["quad"])) for label in labels if label.get("ignore")]
            if not any(shared_area(seen.quad, box.quad) > 0 for box in ignored):
                yield row, any(belongs(seen, label) for label in labels)


def logistic_regression(rows: Floats, truth: NDArray[np.bool_]) -> Floats:
    """The most likely constants (k,) for rows (n, k) and whether each is true (n,), by Newton's method."""
    constants = np.zeros(rows.shape[1])
    for _ in range(NEWTON_STEPS):
        chance = 1 / (1 + np.exp(-np.clip(rows @ constants, -30, 30)))
        slope = rows.T @ (truth - chance) - RIDGE * constants
        curve = (rows * (chance * (1 - chance))[:, None]).T @ rows + RIDGE * np.eye(len(constants))
        constants = constants + np.linalg.solve(curve, slope)
    return constants


def main(argv: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folders", type=Path, nargs="+")
    parser.add_argument("--models", type=Path, default=WEIGHTS, help="folder of weights")
    args = parser.parse_args(argv)
    cv2.setNumThreads(1)
    rows, truth = zip(*examples(args.models, args.folders), strict=True)
    constants = logistic_regression(np.stack(rows), np.array(truth))
    print(f"{sum(truth)} sticks among {len(truth)} proposals")
    print(", ".join(NAMES), "=", ", ".join(f"{value:.2f}" for value in constants))


if __name__ == "__main__":
    main()
