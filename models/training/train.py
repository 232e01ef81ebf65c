"""Trains a net from scratch, or resumes a stopped run:

    python -m models.rendering.scenes --out runs/renders --count 8000 --photos PHOTOS
    python -m models.rendering.scenes --out runs/simulated --count 1500 --simulated
    python -m models.training.train detector --photos PHOTOS --out runs/detector
    python -m models.training.export --detector runs/detector --photos PHOTOS
    python -m models.training.hard_negatives --photos PHOTOS --out runs/false_positives.json
    python -m models.training.train classifier --photos PHOTOS --out runs/classifier
    python -m models.training.train normal --of runs/classifier --out runs/normal
    python -m models.training.export --classifier runs/normal --photos PHOTOS
    python -m models.evaluation.evaluate --photos PHOTOS

PHOTOS is a folder with labels.jsonl; only photographs marked `"train": true` are opened, without the
fifth of them that is held out of training. A share of the rendered and simulated pictures is held out too;
the seed and the file name select them. OUT/history.jsonl holds the loss during training, and the loss and
accuracy on the held-out pictures (models/training/run.py describes the lines).
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from pathlib import Path

import cv2
import torch
from torch.utils.data import DataLoader

from models.training import device
from models.training.data import (
    CLASSIFIER_SHARES,
    NORMAL_SHARES,
    NORMAL_TILTED_OR_STACKED_SHARE,
    TILTED_OR_STACKED_SHARE,
    Batches,
    ClassifierBatches,
    CropSet,
    DetectorBatches,
    Example,
    crop_set,
    examples_in,
    normal_set,
    photo_examples,
    split,
)  # fmt: skip
from models.training.losses import CLASSIFIER, COLOURS, DETECTOR, NORMALS, Accuracy, Objective
from models.training.nets import (
    COLOUR_ROWS,
    FLOAT_FILE,
    NORMAL,
    ClassifierNet,
    DetectorNet,
    load_float_classifier,
)
from models.training.run import Batch, Record, Run, TrainConfig, load_averaged_net

PIECES, CROPS = 24, 256
"""Samples per step: pieces of pictures for the detector, crops for the classifier and its parts."""
RECORD_STEPS, SAVE_STEPS = 50, 200
"""Steps between two records of the history, and between two validations, each followed by a checkpoint."""
VALIDATION_BATCHES = 8
"""Batches of the held-out pictures, the same in every validation: 2,048 crops or 192 pieces of pictures."""


def train(
    run: Run,
    batches: Batches,
    objective: Objective,
    validation: Sequence[Batch] = (),
    record_steps: int = RECORD_STEPS,
    save_steps: int = SAVE_STEPS,
    workers: int = 1,
) -> None:
    """Trains until the last step.

    record_steps: steps between two records. save_steps: a multiple of them, after which the net is validated
    on these batches and the run is saved. workers: number of processes that make the batches.
    """
    pinned = run.device.type == "cuda"
    loader = DataLoader(batches, batch_size=None, num_workers=workers, prefetch_factor=4, pin_memory=pinned)
    began, total, first = time.monotonic(), torch.zeros((), device=run.device), run.step
    for batch in islice(loader, max(0, run.config.steps - run.step)):
        lr = run.lr
        total += run.train_on(batch, objective.loss)
        last = run.step == run.config.steps
        if run.step % record_steps == 0 or last:
            record = Record(run.step, float(total) / (run.step - first), lr)
            if run.step % save_steps == 0 or last:
                record = validate(run, record, objective, validation)
            run.history.append(record)
            print(f"{record} {time.monotonic() - began:.0f} s", flush=True)
            total.zero_()
            first = run.step
        if run.step % save_steps == 0 or last:
            run.save()


def validate(run: Run, record: Record, objective: Objective, validation: Sequence[Batch]) -> Record:
    """The record with the loss and the accuracy of the averaged weights on these batches."""
    if not validation:
        return record
    loss, accuracy = 0.0, Accuracy()
    with torch.no_grad():
        for pictures, targets in validation:
            out, wanted = run.output(run.average, pictures), run.on_device(targets)
            loss += float(objective.loss(out, wanted)) / len(validation)
            accuracy += objective.accuracy(out, wanted)
    return replace(record, validation_loss=loss, validation_accuracy=accuracy.share)


def arguments() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("net", choices=sorted(TRAINERS))
    parser.add_argument(
        "--of",
        type=Path,
        help="the net to start from: a run, or for the classifier a folder with classifier.npz",
    )
    parser.add_argument("--renders", type=Path, nargs="+", default=[Path("runs/renders")])
    parser.add_argument("--oblique", type=Path, help="folder of models.rendering.scenes --oblique")
    parser.add_argument("--simulated", type=Path, default=Path("runs/simulated"))
    parser.add_argument(
        "--photos", type=Path, help="folder with labels.jsonl (default: train on renders only)"
    )
    parser.add_argument(
        "--false-positives",
        type=Path,
        default=Path("runs/false_positives.json"),
        help="file from models.training.hard_negatives, used if it exists",
    )
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--steps", type=int, default=TrainConfig.steps)
    parser.add_argument("--batch", type=int, help="batch size (default: 256 crops, or 24 pieces of pictures)")
    parser.add_argument("--lr", type=float, default=TrainConfig.lr)
    parser.add_argument("--seed", type=int, default=TrainConfig.seed)
    parser.add_argument(
        "--held-out",
        type=float,
        default=TrainConfig.held_out,
        help="share of the pictures to validate on (default: %(default)s)",
    )
    parser.add_argument(
        "--workers", type=int, default=1, help="processes that make the batches (default: %(default)s)"
    )
    device.add_argument(parser)
    parser.add_argument(
        "--threads", type=int, default=2, help="1 is faster than 2 if other programs sometimes use a core"
    )
    return parser


def main() -> None:
    args = arguments().parse_args()
    try:
        _train(args)
    except (ValueError, OSError) as wrong:
        raise SystemExit(f"models.training.train: {wrong}") from wrong


def _train(args: argparse.Namespace) -> None:
    if args.net in (NORMAL, "colours") and not args.of:
        raise ValueError(
            f"--of: expected the run of the classifier for {args.net}, got none; give its folder"
        )
    torch.set_num_threads(args.threads)
    cv2.setNumThreads(1)  # before the loader forks: a forked pool of OpenCV threads deadlocks
    batch = args.batch or (PIECES if args.net == "detector" else CROPS)
    config = TrainConfig(args.steps, batch, args.lr, seed=args.seed, held_out=args.held_out)
    torch.manual_seed(config.seed)
    pictures = pictures_of(args)
    training, held_out = len(pictures.training), len(pictures.held_out)
    print(f"{training} pictures to train on, {held_out} to validate on", flush=True)
    TRAINERS[args.net](args, config, pictures)


@dataclass(frozen=True)
class Pictures:
    training: list[Example]
    held_out: list[Example]


def pictures_of(args: argparse.Namespace) -> Pictures:
    """The training set and the held-out pictures.

    Photographs have their own held-out fifth. They are not used for normals, which they do not have.
    """
    photos = None if args.net == NORMAL else args.photos
    rendered = examples_in(args.renders, args.simulated, None, args.oblique)
    training, held_out = split(rendered, args.held_out, args.seed)
    if photos:
        training += photo_examples(photos)
        held_out += photo_examples(photos, held_out=True) if args.held_out else []
    return Pictures(training, held_out)


def train_detector(args: argparse.Namespace, config: TrainConfig, pictures: Pictures) -> None:
    net = load_averaged_net(DetectorNet(), args.of) if args.of else DetectorNet()
    run = Run(net, config, args.out, device=device.device_named(args.device))
    held_out = DetectorBatches(pictures.held_out, config.batch, config.seed, 0)
    training = DetectorBatches(pictures.training, config.batch, config.seed, run.step)
    validation = fixed_batches(held_out) if pictures.held_out else []
    train(run, training, DETECTOR, validation, workers=args.workers)


def train_classifier(args: argparse.Namespace, config: TrainConfig, pictures: Pictures) -> None:
    run = Run(
        load_classifier(args.of) if args.of else ClassifierNet(),
        config,
        args.out,
        device=device.device_named(args.device),
    )
    run.net.get_submodule(NORMAL).requires_grad_(False)  # otherwise weight decay would shrink its weights
    false_positives = json.loads(args.false_positives.read_text()) if args.false_positives.exists() else {}
    crops_of = partial(crop_set, false_positives=false_positives)
    train_on_crops(run, pictures, crops_of, CLASSIFIER, workers=args.workers)


def train_normal(args: argparse.Namespace, config: TrainConfig, pictures: Pictures) -> None:
    run = Run(load_classifier(args.of), config, args.out, NORMAL, device.device_named(args.device))
    shares, tilted_share = NORMAL_SHARES, NORMAL_TILTED_OR_STACKED_SHARE
    train_on_crops(run, pictures, normal_set, NORMALS, shares, tilted_share, args.workers)


def train_colours(args: argparse.Namespace, config: TrainConfig, pictures: Pictures) -> None:
    config = replace(config, weight_decay=0.0)  # the rows of the faces must not change
    run = Run(load_classifier(args.of), config, args.out, COLOUR_ROWS, device.device_named(args.device))
    train_on_crops(run, pictures, crop_set, COLOURS, workers=args.workers)


TRAINERS = {
    "detector": train_detector,
    "classifier": train_classifier,
    NORMAL: train_normal,
    "colours": train_colours,
}

CropsOf = Callable[[list[Example], Path], CropSet]
"""Cuts the crops out of the examples and stores them in a file."""


def train_on_crops(
    run: Run,
    pictures: Pictures,
    crops_of: CropsOf,
    objective: Objective,
    shares: Mapping[str, float] = CLASSIFIER_SHARES,
    tilted_or_stacked_share: float = TILTED_OR_STACKED_SHARE,
    workers: int = 1,
) -> None:
    """Trains the classifier or a part of it. shares: weight of each kind of example among a batch's crops.

    workers: as for `train`.
    """

    def batches(examples: list[Example], prefix: str, start: int) -> ClassifierBatches:
        sets = crop_sets(examples, run.out, prefix, crops_of)
        return ClassifierBatches(
            sets, run.config.batch, run.config.seed, start, shares, tilted_or_stacked_share
        )

    validation = fixed_batches(batches(pictures.held_out, "held_out_", 0)) if pictures.held_out else []
    train(run, batches(pictures.training, "", run.step), objective, validation, workers=workers)


def fixed_batches(batches: Batches) -> list[Batch]:
    """The batches of every validation."""
    return list(islice(batches, VALIDATION_BATCHES))


def load_classifier(folder: Path) -> ClassifierNet:
    """The classifier of this folder: from its classifier.npz if there is one, else from its run."""
    return (
        load_float_classifier(folder)[0]
        if (folder / FLOAT_FILE).exists()
        else load_averaged_net(ClassifierNet(), folder)
    )


def crop_sets(examples: list[Example], out: Path, prefix: str, crops_of: CropsOf) -> dict[str, CropSet]:
    """A crop set for each kind of example, with the crops in files in `out`."""
    began = time.monotonic()
    sets: dict[str, CropSet] = {}
    for kind in sorted({e.kind for e in examples}):
        sets[kind] = crops_of([e for e in examples if e.kind == kind], out / f"{prefix}{kind}.npy")
    sizes = {f"{prefix}{kind}": len(crops) for kind, crops in sets.items()}
    print(sizes, f"{time.monotonic() - began:.0f} s", flush=True)
    return sets


if __name__ == "__main__":
    main()
