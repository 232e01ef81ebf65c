"""How often a household is asked about emblems, if it answers every question:

    python -m models.evaluation.emblem_trial --photos PHOTOS --source fudw --face 6

The photographs of one rig stand for the throws of an evening, in several random orders. After each one a
person names the faces of its unsure dice, and vision.reading.emblems learns them. The emblem of the
photographs stands for the face `--face`. The result: emblems seen, those named without a question, both for
the second half of the evening, dice with pips that were named too, and named dice that are wrong.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from models import WEIGHTS
from models.evaluation.datasets import photographs
from models.labels import DieLabel
from vision.boxes import iou
from vision.frames import Picture
from vision.reading.emblems import NO_EMBLEMS, EmblemReader
from vision.reading.reader import Reader
from vision.readings import Reading, SeenDie

MIN_IOU = 0.4
"""Least overlap of a detection with its die."""


@dataclass(frozen=True, eq=False)
class Shot:
    """A photograph, its reading, and its labelled dice."""

    picture: Picture
    reading: Reading
    truth: tuple[DieLabel, ...]


@dataclass(frozen=True)
class Asked:
    """Counts: emblems, those named without a question, both of the second half, dice with pips that were
    named, and named dice that are wrong."""

    emblems: int = 0
    named: int = 0
    late_emblems: int = 0
    late_named: int = 0
    pips_named: int = 0
    wrong: int = 0


class ReadBefore:
    """A reader that gives the reading of the photograph that is set now."""

    def __init__(self) -> None:
        self.reading = Reading((0, 0))

    def read(self, picture: Picture) -> Reading:
        return self.reading


def evening(shots: Sequence[Shot], emblem_face: int) -> Asked:
    """What a household is asked that throws these dice in this order and answers every question."""
    before, asked = ReadBefore(), Asked()
    reader = EmblemReader(before, NO_EMBLEMS, lambda emblems: None)
    for n, shot in enumerate(shots):
        before.reading, answers = shot.reading, []
        for was, die in zip(shot.reading.dice, reader.read(shot.picture).dice, strict=True):
            label = labelled(die, shot.truth)
            face = None if label is None else emblem_face if label.symbol else label.face
            if label is None or face is None:
                continue
            asked = counted(asked, label, face, was, die, late=2 * n >= len(shots))
            if not die.sure:
                answers.append((die.box_xywh, face))
        reader.learn(shot.picture, answers)
    return asked


def counted(asked: Asked, label: DieLabel, face: int, was: SeenDie, die: SeenDie, late: bool) -> Asked:
    """The counts with one more die, as it was read before and after emblems were named."""
    named = die.sure and not was.sure
    emblem = label.symbol
    return Asked(
        asked.emblems + emblem,
        asked.named + (emblem and named and die.face == face),
        asked.late_emblems + (emblem and late),
        asked.late_named + (emblem and late and named and die.face == face),
        asked.pips_named + (named and not emblem and die.face == face),
        asked.wrong + (named and die.face != face),
    )


def labelled(die: SeenDie, truth: Sequence[DieLabel]) -> DieLabel | None:
    return next((t for t in truth if iou(t.box_xywh, die.box_xywh) > MIN_IOU), None)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--photos", type=Path, required=True, help="folder of photographs with labels.jsonl")
    parser.add_argument("--source", default="fudw", help="part of the rig's name (default: %(default)s)")
    parser.add_argument(
        "--face", type=int, default=6, help="what the emblem stands for (default: %(default)s)"
    )
    parser.add_argument("--orders", type=int, default=3, help="number of evenings (default: %(default)s)")
    parser.add_argument("--models", type=Path, default=WEIGHTS, help="folder of the weights")
    args = parser.parse_args()
    cv2.setNumThreads(1)
    reader, shots = Reader(args.models), []
    for train in (False, True):
        for photo in photographs(args.photos, train, args.source, whole=True):
            picture = photo.load_picture()
            shots.append(Shot(picture, reader.read(picture, thorough=True), photo.truth))
    for seed in range(args.orders):
        order = np.random.default_rng(seed).permutation(len(shots))
        print(evening([shots[int(n)] for n in order], args.face), flush=True)


if __name__ == "__main__":
    main()
