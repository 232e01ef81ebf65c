"""Compares two folders of weights on the same pictures, each rendered and loaded once:

    python -m models.evaluation.compare --before models --after runs/new --photos PHOTOS --renders runs/check

For photographs of new rigs by view, for these corrupted, for photographs of seen rigs and for rendered
tables, the table gives both results with their 95 % intervals: dice read right, throws wholly right, throws
accepted as sure, dice and throws that are sure and wrong, and colours. Throws with emblems do not count as
sure or unsure. models/README.md explains the terms.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np

from models import WEIGHTS
from models.evaluation.corruptions import corruptions
from models.evaluation.datasets import RENDERED, photographs, renders
from models.evaluation.scoring import LabelledPicture, ScoredPicture, Tally, score_picture, wilson
from vision.frames import Picture
from vision.reading.reader import Reader

COLUMNS = (
    "pictures", "weights", "dice right", "throws right", "throws sure", "dice sure and wrong",
    "throws sure and wrong", "colours right",
)  # fmt: skip
Scores = dict[str, tuple[list[ScoredPicture], list[ScoredPicture]]]
"""By set of pictures, the scores with the weights before and after."""


NamedPictures = Iterator[tuple[str, LabelledPicture]]
"""Pictures, each with the name of its set."""


def labelled_sets(photos: Path | None, tables: Path | None, every: int) -> NamedPictures:
    """All pictures, each with the name of its set. every: corrupt only every n-th photograph; 0 = none."""
    if photos is not None:
        for n, labelled in enumerate(photographs(photos, train=False)):
            yield f"new rigs, {labelled.view} views", labelled
            if every and n % every == 0:
                named = list(corruptions(labelled))[1:]  # the first is the unchanged picture
                yield from (("new rigs, corrupted", corrupted) for _, corrupted in named)
        yield from (("seen rigs, held back", labelled) for labelled in photographs(photos, train=True))
    if tables is not None:
        yield from ((RENDERED, labelled) for labelled in renders(tables, RENDERED))


def compare(readers: tuple[Reader, Reader], sets: NamedPictures) -> Scores:
    """The scores of both readers on all pictures."""
    scores: Scores = {}
    for name, labelled in sets:
        picture = labelled.load_picture()
        kept = replace(labelled, load_picture=no_picture)  # a corrupted picture may be large
        for reader, scored in zip(readers, scores.setdefault(name, ([], [])), strict=True):
            scored.append(score_picture(kept, reader.read(picture, thorough=True)))
    return scores


def no_picture() -> Picture:
    """Stands for a picture that is not needed any more."""
    return np.zeros((1, 1, 3), np.uint8)


def cells(scored_pictures: Sequence[ScoredPicture]) -> list[str]:
    """Shares with their intervals, and counts, in the order of COLUMNS."""
    t = Tally.of(scored_pictures)
    plain = Tally.of(s for s in scored_pictures if not any(die.symbol for die in s.labelled.truth))
    return [
        share(t.right, t.dice),
        share(t.throws_whole, t.throws),
        share(plain.throws_sure, plain.throws),
        str(t.sure_wrong),
        share(t.throws_sure_wrong, t.throws),
        share(t.colour_right, t.colour_known),
    ]


def share(part: int, whole: int) -> str:
    if not whole:
        return "-"
    low, high = (100 * bound for bound in wilson(part, whole))
    return f"{100 * part / whole:.1f} % ({part} of {whole}; {low:.1f} to {high:.1f})"


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--before", type=Path, default=WEIGHTS, help="folder of the weights to compare with")
    parser.add_argument("--after", type=Path, required=True, help="folder of the other weights")
    parser.add_argument("--photos", type=Path, help="folder of photographs with labels.jsonl")
    parser.add_argument("--renders", type=Path, help="folder of rendered tables that training does not use")
    parser.add_argument(
        "--every", type=int, default=1, help="corrupt only every n-th photograph; 0: none (default: all)"
    )
    args = parser.parse_args()
    cv2.setNumThreads(1)
    readers = (Reader(args.before), Reader(args.after))
    scores = compare(readers, labelled_sets(args.photos, args.renders, args.every))
    print("| " + " | ".join(COLUMNS) + " |\n" + "|---" * len(COLUMNS) + "|")
    for name, both in scores.items():
        for when, scored_pictures in zip(("before", "after"), both, strict=True):
            print("| " + " | ".join([name, when, *cells(scored_pictures)]) + " |")


if __name__ == "__main__":
    main()
