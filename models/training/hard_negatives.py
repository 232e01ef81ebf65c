"""Collects the detector's false positives in training pictures, as hard negatives for the classifier.

    python -m models.training.hard_negatives --photos PHOTOS --out runs/false_positives.json

Writes {picture: [[cx, cy, side], ...]}; models.training.train reads the file if it exists.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import cv2

from models import WEIGHTS
from models.training.data import Example, Square, examples_in
from vision.boxes import iou
from vision.reading.detector import DieDetector

MAX_IOU = 0.25
"""IoU with every die below which a detection is a false positive: clutter, one pip, or two dice in a box."""


def false_positives(detector: DieDetector, example: Example) -> list[Square]:
    """Squares (cx, cy, side) px of detections that hold no die; low scores are included."""
    found = next(detector.detect_multiscale(example.picture()))
    return [
        (x + w / 2, y + h / 2, max(w, h))
        for x, y, w, h in (f.box_xywh for f in found)
        if all(iou((x, y, w, h), d.box) < MAX_IOU for d in example.dice)
        and not any(d.ignore and iou((x, y, w, h), d.box) > 0 for d in example.dice)
    ]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--detector", type=Path, default=WEIGHTS / "detector.onnx")
    parser.add_argument("--renders", type=Path, nargs="+", default=[Path("runs/renders")])
    parser.add_argument("--simulated", type=Path, default=Path("runs/simulated"))
    parser.add_argument("--photos", type=Path)
    parser.add_argument(
        "--most", type=int, default=2500, help="upper limit of pictures of each kind (default: %(default)s)"
    )
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args()
    cv2.setNumThreads(1)
    detector, mined = DieDetector(args.detector), {}
    by_kind: dict[str, int] = {}
    for example in examples_in(args.renders, args.simulated, args.photos):
        by_kind[example.kind] = by_kind.get(example.kind, 0) + 1
        if by_kind[example.kind] <= args.most and (squares := false_positives(detector, example)):
            mined[str(example.path)] = squares
    args.out.write_text(json.dumps(mined))
    print(
        f"{sum(map(len, mined.values()))} false positives in {len(mined)} of {sum(by_kind.values())} pictures"
    )


if __name__ == "__main__":
    main()
