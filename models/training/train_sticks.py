"""Trains the two nets for throwing sticks, and exports them:

    python -m models.training.train_sticks detector --data runs/stick_data --out runs/stick_detector
    python -m models.training.train_sticks classifier --data runs/stick_data --out runs/stick_classifier
    python -m models.training.train_sticks export --data runs/stick_data --detector runs/stick_detector \\
        --classifier runs/stick_classifier --out models

A run resumes where it was stopped (models/training/run.py). The first parts of the data are held out. A
temperature, fitted to held-out crops, divides the classifier's logits, for calibrated probabilities. Both
nets become 8-bit, as those for dice do (models/training/export.py).
"""

from __future__ import annotations

import argparse
import math
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import torch
from torch import Tensor, nn
from torch.utils.data import DataLoader, Dataset

from models.training import device
from models.training.export import RANGE_CROPS, RANGE_PICTURES, export
from models.training.losses import Accuracy
from models.training.nets import scale_pixels
from models.training.restored import restored
from models.training.run import CHECKPOINT, Record, Run, TrainConfig, load_averaged_net
from models.training.stick_data import (
    PICTURE_WH,
    UNKNOWN,
    ClassifierTargets,
    DetectorTargets,
    Part,
    classifier_batch,
    detector_batch,
    parts_in,
)
from models.training.stick_nets import StickClassifierNet, StickDetectorNet
from vision.reading.stick_classifier import ANIMALS, CHANNELS, CLASSES, CROP_WH, FACES
from vision.reading.stick_detector import ANGLES, CELL_OUTPUTS
from vision.reading.stick_reader import CLASSIFIER_FILE, DETECTOR_FILE

HELD_OUT_PARTS = 4
"""Number of parts, the first ones, that no net is trained on."""
REPORT_STEPS = 100
"""A line of the history and a checkpoint come after this many steps."""
NEW_PARTS_S = 30.0
"""How often a look for new parts is taken, s."""
VALIDATION_BATCHES = 8
RESTORING_BATCHES = 8
"""Batches of 64 that the statistics of a restored net come from."""
DETECTOR_BATCH, CLASSIFIER_BATCH = 16, 64
DETECTOR_STEPS, CLASSIFIER_STEPS = 9000, 4500
LEARNING_RATE = 2.5e-3
BOX_WEIGHT = 1.0
CORRECTION_WEIGHTS = (6.0, 1.0, 0.4, 2.5, 1.2)
"""Weights of boxes, and of each correction, in the losses; heatmap and faces have the weight 1. The weight of
a correction makes up for its unit: middles are off by few hundredths of a length, angles by half a unit."""
ROUND, BLACK = FACES.index("round"), FACES.index("black")
OF_ANIMALS = [FACES.index(face) for face in ANIMALS]


def detector_loss(out: Tensor, targets: DetectorTargets) -> Tensor:
    """CornerNet's focal loss of the heatmaps, plus L1 loss of the boxes."""
    cells = out.float().unflatten(1, (ANGLES, CELL_OUTPUTS))
    score = cells[:, :, 0].sigmoid().clamp(1e-5, 1 - 1e-5)
    centre = (targets.heat == 1).float()
    positive = centre * (1 - score) ** 2 * score.log()
    negative = (1 - centre) * (1 - targets.heat) ** 4 * score**2 * (1 - score).log()
    focal = -(positive + negative).sum() / centre.sum().clamp(min=1)
    error = (cells[:, :, 1:] - targets.box).abs() * targets.known[:, :, None]
    return focal + BOX_WEIGHT * error.sum() / targets.known.sum().clamp(min=1)


def classifier_loss(out: Tensor, targets: ClassifierTargets) -> Tensor:
    """Cross-entropy of the classes, plus smooth L1 loss of the corrections.

    A dark back is right as black and as round. Letters of no animal are each animal's equally.
    """
    chances = out[:, :CLASSES].float().log_softmax(1)
    either = torch.logaddexp(chances[:, ROUND], chances[:, BLACK])
    unknown = chances[:, OF_ANIMALS].mean(1)
    known = chances.gather(1, targets.face.clamp(max=CLASSES - 1)[:, None])[:, 0]
    likelihood = torch.where(targets.dark & (targets.face != BLACK), either, known)
    likelihood = torch.where(targets.face == UNKNOWN, unknown, likelihood)
    is_stick = ((targets.face < CLASSES - 1) | (targets.face == UNKNOWN)).float()
    error = nn.functional.smooth_l1_loss(
        out[:, CLASSES:].float(), targets.corrections, reduction="none", beta=0.05
    )
    error = (error * error.new_tensor(CORRECTION_WEIGHTS)).sum(1)
    correction = (error * is_stick).sum() / is_stick.sum().clamp(min=1)
    return correction - likelihood.mean()


def class_accuracy(out: Tensor, targets: ClassifierTargets) -> Accuracy:
    """Crops of a known class whose class is the most probable one; black and round count as one."""
    merged = torch.arange(CLASSES)
    merged[BLACK] = ROUND
    known = targets.face < CLASSES
    right = merged[out[:, :CLASSES].argmax(1)] == merged[targets.face.clamp(max=CLASSES - 1)]
    return Accuracy(int(right[known].sum()), int(known.sum()))


def peak_accuracy(out: Tensor, targets: DetectorTargets) -> Accuracy:
    """F1 score of peaks above one half, at whichever angle, within one cell of a stick's middle."""
    score = out.float().unflatten(1, (ANGLES, CELL_OUTPUTS))[:, :, 0].sigmoid().amax(1)
    centre = (targets.heat == 1).float().amax(1)
    wide = nn.functional.max_pool2d(torch.stack([score, centre], 1), 3, 1, 1)
    peaks = (score >= 0.5) & (score == wide[:, 0])
    found, false = (centre > 0) & (wide[:, 0] >= 0.5), peaks & (wide[:, 1] == 0)
    twice = 2 * int(found.sum())
    return Accuracy(twice, twice + int(false.sum()) + int(((centre > 0) & ~found).sum()))


FILES = {"detector": DETECTOR_FILE, "classifier": CLASSIFIER_FILE}
KINDS: dict[str, tuple[Any, Any, Any, Any]] = {
    "detector": (StickDetectorNet, detector_batch, detector_loss, peak_accuracy),
    "classifier": (StickClassifierNet, classifier_batch, classifier_loss, class_accuracy),
}
"""What each kind of net is trained with: the net, its batches, its loss and its accuracy."""


class Batches(Dataset[Any]):
    """The batch of each step, from the parts that are in the folder by then."""

    def __init__(self, batch_of: Callable[..., Any], data: Path, config: TrainConfig) -> None:
        self._batch_of, self._data, self._config = batch_of, data, config
        self._parts, self._looked = list[Part](), -math.inf

    def __getitem__(self, step: int) -> Any:
        if time.monotonic() - self._looked > NEW_PARTS_S:
            self._parts, self._looked = parts_in(self._data)[HELD_OUT_PARTS:], time.monotonic()
        return self._batch_of(
            np.random.default_rng((self._config.seed, step)), self._parts, self._config.batch
        )


def train(
    kind: str,
    config: TrainConfig,
    data: Path,
    out: Path,
    on: torch.device,
    start: Path | None = None,
    workers: int = 0,
) -> None:
    """Trains the net of this kind to the end of its schedule; start: whose net it begins with (--of).

    workers: number of processes that make batches; 0 = they are made between the steps.
    """
    net_type, batch_of, loss_of, accuracy_of = KINDS[kind]
    torch.manual_seed(config.seed)
    net = started_from(kind, start, data) if start else net_type()
    run = Run(net, config, out, device=on)
    held_out = [
        batch_of(np.random.default_rng((3, n)), parts_in(data)[:HELD_OUT_PARTS], config.batch)
        for n in range(VALIDATION_BATCHES)
    ]
    losses, began = list[Tensor](), time.monotonic()
    batches = Batches(batch_of, data, config)
    todo = range(run.step, config.steps)
    for batch in DataLoader(batches, batch_size=None, sampler=todo, num_workers=workers):
        losses.append(run.train_on(batch, loss_of))
        if run.step % REPORT_STEPS == 0 or run.step == config.steps:
            with torch.no_grad():
                results = [(run.output(run.average, x).cpu(), y) for x, y in held_out]
            loss = float(torch.stack([loss_of(out_, y) for out_, y in results]).mean())
            accuracy = sum((accuracy_of(out_, y) for out_, y in results), Accuracy()).share
            run.history.append(Record(run.step, float(torch.stack(losses).mean()), run.lr, loss, accuracy))
            print(f"{time.monotonic() - began:.0f} s {run.history[-1]}", flush=True)
            losses.clear()
            run.save()


def started_from(kind: str, folder: Path, data: Path) -> nn.Module:
    """The net of the run in this folder, or of the 8-bit weights in it."""
    net_type, batch_of, _, _ = KINDS[kind]
    if (folder / CHECKPOINT).exists():
        return load_averaged_net(net_type(), folder)
    parts = parts_in(data)[HELD_OUT_PARTS:]
    batches = (batch_of(np.random.default_rng((9, n)), parts, 64)[0] for n in range(RESTORING_BATCHES))
    return restored(net_type(), folder / FILES[kind], (scale_pixels(batch.float()) for batch in batches))


# --- export -------------------------------------------------------------------------------------------------


class Calibrated(nn.Module):
    """The classifier with its logits divided by a temperature."""

    def __init__(self, net: StickClassifierNet, temperature: float) -> None:
        super().__init__()
        self.net = net
        scale = torch.ones(CLASSES + 5)
        scale[:CLASSES] = 1 / temperature
        self.register_buffer("scale", scale)

    def forward(self, crops: Tensor) -> Tensor:
        return self.net(crops) * self.scale


def fit_temperature(net: StickClassifierNet, parts: list[Part]) -> float:
    """The temperature of least loss on the crops of these parts, by grid search."""
    batches = [classifier_batch(np.random.default_rng((5, n)), parts, 256) for n in range(8)]
    with torch.no_grad():
        outputs = [(net(x.float() / 128 - 1), y) for x, y in batches]

    def loss(temperature: float) -> float:
        scaled = [(torch.cat([o[:, :CLASSES] / temperature, o[:, CLASSES:]], 1), y) for o, y in outputs]
        return float(torch.stack([classifier_loss(o, y) for o, y in scaled]).mean())

    return float(min(np.linspace(0.5, 3, 51).tolist(), key=loss))


def detector_inputs(parts: Sequence[Part]) -> Iterator[np.ndarray]:
    """Pictures (1, 3, 304, 400) float32 that calibrate the ranges of the 8-bit layers."""
    for n in range(RANGE_PICTURES):
        pictures, _ = detector_batch(np.random.default_rng((7, n)), parts, 1)
        yield pictures.numpy().astype(np.float32) / 128 - 1


def classifier_inputs(parts: Sequence[Part]) -> Iterator[np.ndarray]:
    """Crops (64, 5, 32, 256) float32, for the same."""
    for n in range(RANGE_CROPS // CLASSIFIER_BATCH):
        crops, _ = classifier_batch(np.random.default_rng((7, n)), parts, CLASSIFIER_BATCH)
        yield crops.numpy().astype(np.float32) / 128 - 1


def export_nets(data: Path, detector: Path | None, classifier: Path | None, out: Path) -> None:
    """Writes the nets of these runs as the reader loads them."""
    held_out, parts = parts_in(data)[:HELD_OUT_PARTS], parts_in(data)[HELD_OUT_PARTS:]
    out.mkdir(parents=True, exist_ok=True)
    if detector:
        found = load_averaged_net(StickDetectorNet(), detector)
        picture = torch.zeros(1, 3, PICTURE_WH[1], PICTURE_WH[0])
        export(found, picture, out / DETECTOR_FILE, {2: "h", 3: "w"}, detector_inputs(parts))
    if classifier:
        faces = load_averaged_net(StickClassifierNet(), classifier)
        temperature = fit_temperature(faces, held_out)
        print(f"temperature {temperature:.2f}")
        crops = torch.zeros(2, CHANNELS, CROP_WH[1], CROP_WH[0])
        calibrated = Calibrated(faces, temperature).eval()
        export(calibrated, crops, out / CLASSIFIER_FILE, {0: "n"}, classifier_inputs(parts))


def arguments() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("what", choices=[*KINDS, "export"])
    parser.add_argument("--data", type=Path, required=True, help="folder of models.training.stick_data")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--detector", type=Path, help="the detector's run, for export")
    parser.add_argument("--classifier", type=Path, help="the classifier's run, for export")
    parser.add_argument(
        "--steps", type=int, help=f"default: {DETECTOR_STEPS}, or {CLASSIFIER_STEPS} for the classifier"
    )
    parser.add_argument(
        "--of", type=Path, help="a run of this net, or a folder with its 8-bit weights, to train it further"
    )
    parser.add_argument("--lr", type=float, default=LEARNING_RATE, help="default: %(default)g")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--batch", type=int, help=f"default: {DETECTOR_BATCH}, or {CLASSIFIER_BATCH} for the classifier"
    )
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--workers", type=int, default=0, help="processes that make the batches")
    device.add_argument(parser)
    return parser


def main() -> None:
    args = arguments().parse_args()
    torch.set_num_threads(args.threads)
    cv2.setNumThreads(1)
    if args.what == "export":
        if not (args.detector or args.classifier):
            raise SystemExit("models.training.train_sticks: export needs --detector or --classifier")
        export_nets(args.data, args.detector, args.classifier, args.out)
        return
    is_detector = args.what == "detector"
    steps = args.steps or (DETECTOR_STEPS if is_detector else CLASSIFIER_STEPS)
    batch = args.batch or (DETECTOR_BATCH if is_detector else CLASSIFIER_BATCH)
    config = TrainConfig(steps, batch, args.lr, seed=args.seed)
    on = device.device_named(args.device)
    train(args.what, config, args.data, args.out, on, args.of, args.workers)


if __name__ == "__main__":
    main()
