"""Measures what learning from corrections gains on real dice:

    python -m models.training.fine_tune_trial --photos PHOTOS --source fudw

The photographs of one rig that was not in the training set serve as a table's log. The ground truth corrects
every face that was misread or unsure; an emblem counts as the number it stands for. The trial trains and
validates as models.training.fine_tune does with a log, and keeps no weights.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path

import cv2

from models import WEIGHTS
from models.evaluation.datasets import photographs
from models.evaluation.scoring import LabelledPicture, matched
from models.training.corrections import CorrectedDie, CorrectedPicture
from models.training.fine_tune import OTHERS, STEPS, TooFewCorrections, fine_tune_and_validate
from vision.reading.reader import CLASSIFIER_FILE, Reader


def corrected_photographs(reader: Reader, rig: Iterable[LabelledPicture]) -> Iterator[CorrectedPicture]:
    """Yields the pictures as from a log with every face corrected; undetected dice are left out."""
    for labelled in rig:
        picture = labelled.load_picture()
        matches, _ = matched(labelled.truth, reader.read(picture, thorough=True))
        found = ((t, s) for t, s in matches if s is not None and not t.ignore)
        dice = tuple(CorrectedDie(s.box_xywh, s.face, s.sure, t.face) for t, s in found if t.face)
        if dice:
            yield CorrectedPicture(labelled.name, picture, dice)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--photos", type=Path, required=True, help="folder with labels.jsonl")
    parser.add_argument("--source", required=True, help="part of the rig's name")
    parser.add_argument(
        "--models",
        type=Path,
        default=WEIGHTS,
        help="folder of the first weights (default: those of Brehon)",
    )
    parser.add_argument(
        "--none-seen",
        action="store_true",
        help="the weights were trained on no photographs, so any rig can be used",
    )
    parser.add_argument("--steps", type=int, default=STEPS, help="training steps (default: %(default)s)")
    parser.add_argument(
        "--others",
        type=int,
        default=OTHERS,
        help="number of simulated and of rendered pictures, for training and for validation",
    )
    args = parser.parse_args()
    cv2.setNumThreads(1)
    known = photographs(args.photos, True, args.source, whole=True) if args.none_seen else ()
    pictures = list(
        corrected_photographs(Reader(args.models), chain(photographs(args.photos, False, args.source), known))
    )
    with tempfile.TemporaryDirectory() as new_weights:
        try:
            used = args.models / CLASSIFIER_FILE
            is_better = fine_tune_and_validate(
                pictures, args.models, used, Path(new_weights), args.steps, args.others
            )
        except TooFewCorrections as error:
            parser.error(str(error))
    print("The new weights are better." if is_better else "The new weights are not better.")


if __name__ == "__main__":
    main()
