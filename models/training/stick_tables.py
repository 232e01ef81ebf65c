"""Writes rendered tables with sticks to measure on, and to fit what is a stick (models.training.stick_odds):

    python -m models.training.stick_tables --out runs/stick_tables --count 300 --photos PHOTOS

The folder gets a labels.jsonl, as models.evaluation.sticks reads it. The pictures are as hard as those of
models.training.stick_data, from seeds that it does not use. Letters that name no animal are to be ignored,
and so are sticks that the border cuts.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from models.rendering.simulated_sticks import as_in_the_demo, simulated
from models.rendering.stick_scenes import StickLabel, rendered, stock
from models.training.photos import trainable
from models.training.stick_data import GROUNDS, photo_cutouts, photographs
from vision.frames import Picture

SEED = 557
SEEN_WHOLE = 0.99
"""A stick of which less is within the picture is ignored."""


def label_of(label: StickLabel) -> dict[str, Any]:
    """The label as a line of labels.jsonl has it."""
    quad = [[round(x, 1), round(y, 1)] for x, y in label.quad]
    entry: dict[str, Any] = {"face": label.face, "quad": quad}
    if not label.face or label.seen < SEEN_WHOLE:
        entry["ignore"] = True
    return entry


def write(
    out: Path,
    count: int,
    photos: Path | None,
    throw: Callable[[np.random.Generator], tuple[Picture, list[StickLabel]]] | None = None,
) -> None:
    """Writes this number of pictures and their labels.jsonl. throw: makes each; None: hard tables."""
    out.mkdir(parents=True, exist_ok=True)
    pictures = photographs(trainable(photos)) if photos else []
    stock_ = stock(np.random.default_rng(SEED), GROUNDS, pictures, photo_cutouts(photos))
    lines = []
    for n in range(count):
        rng = np.random.default_rng((n, SEED))
        picture, labels = throw(rng) if throw else rendered(rng, stock_)
        name = f"{n:05d}.png"
        cv2.imwrite(str(out / name), picture)
        sticks = [label_of(label) for label in labels if label.face != "none"]
        lines.append(json.dumps({"file": name, "sticks": sticks}) + "\n")
    (out / "labels.jsonl").write_text("".join(lines), encoding="utf-8")


def main(argv: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--photos", type=Path, help="folder of photographs of dice, without sticks")
    kind = parser.add_mutually_exclusive_group()
    kind.add_argument("--simulated", action="store_true", help="throws on the simulated tray, of all looks")
    kind.add_argument("--demo", action="store_true", help="throws as the demo shows them")
    args = parser.parse_args(argv)
    cv2.setNumThreads(1)
    throw = simulated if args.simulated else as_in_the_demo if args.demo else None
    write(args.out, args.count, args.photos, throw)


if __name__ == "__main__":
    main()
