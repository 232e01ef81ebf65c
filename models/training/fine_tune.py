"""Fine-tunes the classifier on a table's own dice, from players' corrections:

    python -m models.training.fine_tune --data ~/.local/share/brehon

Half of each batch is dice of throws with a misread or unsure die. The other half is dice of the simulated
tray, of rendered tables and of other throws, against forgetting. The new weights are installed only if they
pass validation on held-out pictures. On corrected pictures they must misread fewer dice, or no more and be
sure of more. They must not misread more of the table's other dice. Of other tables' dice they may misread at
most half a percent more. In no set may more dice be sure and wrong. The table loads them from DATA/weights
when it starts; remove that folder to go back. Needs the `train` extra.
"""

from __future__ import annotations

import argparse
import copy
import shutil
import sys
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import cv2
import numpy as np

from models import WEIGHTS
from models.training.corrections import CorrectedDie, CorrectedPicture, corrected_pictures
from models.training.device import add_argument, device_named
from table.common.errors import BrehonError
from table.defaults import LOG_NAME, WEIGHTS_NAME, data_folder
from vision.reading.classifier import THOROUGH_VIEW_ROUNDS, FaceClassifier
from vision.reading.reader import CLASSIFIER_FILE, DETECTOR_FILE, is_current, note_origin
from vision.readings import CONFIDENCE_THRESHOLD

if TYPE_CHECKING:
    from torch import Tensor

    from models.training.nets import ClassifierNet as Net

MIN_CORRECTIONS = 12
"""Fewest misread or unsure dice in the log for training and validation."""
STEPS, OTHERS = 300, 150
"""Training steps, and the number of simulated and of rendered pictures in the training set."""


class TooFewCorrections(BrehonError, ValueError):
    """The log has too few corrections to train and validate on."""


@dataclass(frozen=True)
class Score:
    """Counts of dice: all, misread, misread while sure, and sure."""

    dice: int = 0
    wrong: int = 0
    sure_wrong: int = 0
    sure: int = 0

    def __str__(self) -> str:
        return f"{self.dice} dice: {self.wrong} wrong, {self.sure_wrong} of them sure; {self.sure} sure"


SHARES = (1.0, 0.6, 0.3)
"""Interpolation shares from the start weights (0) to the new (1), tried in this order."""
BATCH = 64
"""Crops per step."""
LR, MAX_GRADIENT_NORM = 2e-4, 5.0
"""Learning rate of the first step, which falls linearly to 0, and the limit of a gradient's norm."""
OWN_SETS = 2
"""Number of validation sets, from the first, with the table's own dice; none of these may get worse."""
FORGETTING_TOLERANCE = 0.005
"""Share of other tables' dice that may additionally be misread, never while sure.

The hardest dice vary by chance.
"""


def improves(old: Sequence[Score], new: Sequence[Score]) -> bool:
    """True if weights with the new scores may replace those with the old.

    Scores: of held-out corrected pictures, of the table's other throws, and of other tables.
    """
    worse = any(
        n.sure_wrong > o.sure_wrong
        or n.wrong > o.wrong + (FORGETTING_TOLERANCE * o.dice if at >= OWN_SETS else 0)
        for at, (o, n) in enumerate(zip(old, new, strict=True))
    )
    return not worse and (new[0].wrong < old[0].wrong or new[0].sure > old[0].sure)


def score(reader: FaceClassifier, pictures: Sequence[CorrectedPicture]) -> Score:
    """The classifier's score on these dice, in their known boxes."""
    wrong = sure_wrong = sure = dice = 0
    for corrected in pictures:
        boxes = [d.box_xywh for d in corrected.dice]
        predictions = reader.classify(corrected.picture, boxes, THOROUGH_VIEW_ROUNDS)
        for die, prediction in zip(corrected.dice, predictions, strict=True):
            is_sure = float(prediction.faces.max()) >= CONFIDENCE_THRESHOLD
            missed = int(prediction.faces.argmax()) + 1 != die.face
            dice, wrong, sure = dice + 1, wrong + missed, sure + is_sure
            sure_wrong += missed and is_sure
    return Score(dice, wrong, sure_wrong, sure)


def simulated_pictures(count: int, seed: int) -> list[CorrectedPicture]:
    """Pictures of the simulated tray, in the form of a log's pictures."""
    from vision.simulation import random_tray

    pictures = []
    for n in range(count):
        rng = np.random.default_rng((seed, n))
        picture, trues = random_tray(rng, int(rng.integers(1, 9)), size_wh=(800, 600))
        dice = tuple(CorrectedDie(t.box_xywh, t.face, True, t.face) for t in trues)
        pictures.append(CorrectedPicture(f"simulated {n}", picture, dice))
    return pictures


def rendered_pictures(count: int, seed: int) -> list[CorrectedPicture]:
    """Rendered tables in the form of a log's pictures, with the readable dice only."""
    from models.rendering.scenes import rendered as render
    from models.training.data import is_blank, rendered_die

    pictures = []
    for n in range(count):
        picture, truths = render(np.random.default_rng((seed, n)), [])
        dice = [rendered_die(asdict(t)) for t in truths]
        clear = tuple(
            CorrectedDie(d.box, d.face, True, d.face) for d in dice if d.face and not is_blank(picture, d)
        )
        pictures.append(CorrectedPicture(f"rendered {n}", picture, clear))
    return pictures


StoredCrops = tuple[np.ndarray, np.ndarray, np.ndarray]
"""Crops (n, 112, 112, 3) of dice, their faces 1-6 and their sides in px."""


def stored_crops(pictures: Sequence[CorrectedPicture]) -> StoredCrops:
    """The crops of all dice."""
    from models.training.data import CROP_STORED, STORED_SPAN
    from vision.reading.classifier import crop_square

    rows = [
        (
            crop_square(p.picture, x + w / 2, y + h / 2, max(w, h) * STORED_SPAN, CROP_STORED),
            d.face,
            max(w, h),
        )
        for p in pictures
        for d in p.dice
        for x, y, w, h in [d.box_xywh]
    ]
    crops, faces, sides = zip(*rows, strict=True)
    return np.stack(crops), np.array(faces), np.array(sides, np.float32)


def interpolate_weights(start: Net, end: Net, share: float) -> Net:
    """The net interpolated from `start` (share 0) to `end` (1).

    It keeps more of the start's abilities than `end`.
    """
    between = copy.deepcopy(end)
    for name, weight in between.state_dict().items():
        if weight.is_floating_point():
            weight.copy_(start.state_dict()[name].lerp(weight, share))
    return between


def fine_tune_classifier(
    start: Net,
    corrections: Sequence[CorrectedPicture],
    others: Sequence[CorrectedPicture],
    steps: int,
    seed: int = 1,
    device: str | None = None,
) -> Net:
    """The classifier fine-tuned: half on the corrections, half on the others with its old outputs as targets.

    device: the name of torch's device; None = `device_named` chooses. DeviceMissing: there is no such device.
    """
    import torch
    from torch.optim.lr_scheduler import LinearLR

    torch.manual_seed(seed)
    torch_device = device_named(device)
    before: Net = start.to(torch_device)
    net: Net = _trainable_copy(start).to(torch_device)
    optimiser = torch.optim.AdamW(net.parameters(), LR, weight_decay=0.02)
    schedule = LinearLR(optimiser, 1.0, 0.0, steps)
    sets, rng = (stored_crops(corrections), stored_crops(others)), np.random.default_rng(seed)
    for step in range(1, steps + 1):
        crops, faces = (torch.from_numpy(a).to(torch_device) for a in _batch(sets, rng))
        loss = _loss(before, net, crops, faces)
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), MAX_GRADIENT_NORM)
        optimiser.step()
        schedule.step()
        if step % 50 == 0:
            print(f"step {step} of {steps}, loss {float(loss.detach()):.3f}", flush=True)
    start.cpu()
    net.cpu().eval()
    return net


def _trainable_copy(start: Net) -> Net:
    """A copy in training mode but for its batch norms: a few hundred dice are too few for new averages."""
    from torch import nn

    net: Net = copy.deepcopy(start).train()
    for layer in net.modules():
        if isinstance(layer, nn.BatchNorm2d):
            layer.eval()
    return net


def _batch(sets: Sequence[StoredCrops], rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Crops (BATCH, 3, 64, 64) uint8, in turn from each of the sets, and face targets (BATCH, 7) float32."""
    from models.training.data import MAX_PIPS, classifier_sample, face_targets

    unknown_pips = np.full((MAX_PIPS, 2), np.nan, np.float32)
    pictures, targets = [], []
    for n in range(BATCH):
        crops, faces, sides = sets[n % len(sets)]
        i = int(rng.integers(len(crops)))
        pictures.append(classifier_sample(crops[i], unknown_pips, float(sides[i]), rng)[0])
        targets.append(face_targets(int(faces[i])))
    return np.stack(pictures), np.stack(targets)


def _loss(before: Net, net: Net, crops: Tensor, faces: Tensor) -> Tensor:
    """Cross-entropy with `faces` for every other crop, with the old probabilities for the rest.

    All crops keep their old colours and normals.
    """
    import torch
    from torch import nn

    from models.training.nets import scale_pixels

    pictures = scale_pixels(crops.float())
    with torch.no_grad():
        old = before(pictures)
    new = net(pictures)
    is_correction = torch.arange(len(crops), device=crops.device)[:, None] % 2 == 0
    wanted = torch.where(is_correction, faces, old.faces.softmax(1))
    loss = -(wanted * new.faces.log_softmax(1)).sum(1).mean()
    return loss + nn.functional.smooth_l1_loss(new.colours_and_normal, old.colours_and_normal, beta=0.1)


def write_weights(
    net: Net, temperature: float, calibration: Sequence[CorrectedPicture], folder: Path
) -> None:
    """Writes the weights into this folder, in the form that the table loads."""
    import torch

    from models.training.export import TemperatureScaled, export, views_of
    from vision.reading.classifier import CROP_PX

    crops = stored_crops(calibration)[0]
    shutil.copy(WEIGHTS / DETECTOR_FILE, folder / DETECTOR_FILE)
    inputs = (views_of(c) for c in crops[:400])
    whole = TemperatureScaled(net, temperature).eval()
    export(whole, torch.zeros(2, 3, CROP_PX, CROP_PX), folder / CLASSIFIER_FILE, {0: "n"}, inputs)
    note_origin(folder)


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--data", type=Path, help="folder of the table's log (default: ~/.local/share/brehon)"
    )
    parser.add_argument(
        "--steps", type=int, default=STEPS, help="training steps (default: %(default)s, minutes on a laptop)"
    )
    parser.add_argument(
        "--others",
        type=int,
        default=OTHERS,
        help="number of simulated and of rendered pictures, for training and for validation",
    )
    add_argument(parser)
    args = parser.parse_args()
    try:
        if args.others < 1:
            parser.error(f"--others: expected at least 1 picture of other tables, got {args.others}")
        return fine_tune_on_log(data_folder(args.data), args.steps, args.others, args.device)
    except BrehonError as error:
        print(f"tune: {error}", file=sys.stderr)
        return 1


def fine_tune_on_log(data: Path, steps: int, others: int, device: str | None = None) -> int:
    """Exit status: 0 = the new weights are installed, 2 = validation fails and the old ones stay."""
    pictures = list(corrected_pictures(data / LOG_NAME))
    cv2.setNumThreads(1)
    with tempfile.TemporaryDirectory() as folder:
        new_weights = Path(folder)
        if not fine_tune_and_validate(
            pictures, WEIGHTS, classifier_in_use(data), new_weights, steps, others, device
        ):
            print("The new weights are not better. The table keeps the weights that it has.")
            return 2
        install_weights(new_weights, data / WEIGHTS_NAME)
    print(
        "The new weights are better. The table uses them from its next start."
        f" To go back, remove {data / WEIGHTS_NAME}"
    )
    return 0


def fine_tune_and_validate(
    pictures: Sequence[CorrectedPicture],
    base: Path,
    used: Path,
    new_weights: Path,
    steps: int,
    others: int,
    device: str | None = None,
) -> bool:
    """True if fine-tuning produces weights that pass validation; the folder `made` then holds them.

    Trains the classifier of the folder `base` on these pictures. Compares it on the held-out ones with the
    classifier in the file `used`. Weights far from the start may forget more, so interpolated ones are tried
    next.

    device: as for `fine_tuned`. TooFewCorrections: the log has too few to train or validate on.
    """
    corrections = enough_corrections(pictures)
    own = (p for p in pictures if not p.is_correction and not p.held_out)
    other_pictures = [*simulated_pictures(others, 11), *rendered_pictures(others, 12), *own]
    from models.training.nets import load_float_classifier  # torch: only where there is something to learn

    start, temperature = load_float_classifier(base)
    net = fine_tune_classifier(
        start, [p for p in corrections if not p.held_out], other_pictures, steps, device=device
    )
    sets = validation_sets(pictures, others)
    before = _scores("before", used, sets)
    for share in SHARES:
        write_weights(interpolate_weights(start, net, share), temperature, other_pictures, new_weights)
        after = _scores(f"{100 * share:.0f} % of the way", new_weights / CLASSIFIER_FILE, sets)
        if improves(before, after):
            return True
    return False


def enough_corrections(pictures: Sequence[CorrectedPicture]) -> list[CorrectedPicture]:
    """The pictures with a misread or unsure die. TooFewCorrections: too few to train or validate on."""
    corrections = [p for p in pictures if p.is_correction]
    in_error = sum(d.is_correction for p in corrections for d in p.dice)
    held_out = sum(p.held_out for p in corrections)
    if in_error < MIN_CORRECTIONS or not 0 < held_out < len(corrections):
        raise TooFewCorrections(
            f"the log has {in_error} dice that were corrected or asked about; learning needs at least"
            f" {MIN_CORRECTIONS}, in several throws, because some are for validation;"
            " play on, and correct each misread die"
        )
    print(
        f"{len(pictures)} pictures; {in_error} dice in {len(corrections)} of them"
        " were corrected or asked about"
    )
    return corrections


def validation_sets(
    pictures: Sequence[CorrectedPicture],
    others: int,
) -> dict[str, Sequence[CorrectedPicture]]:
    """The held-out pictures by name, the OWN_SETS of the table first.

    others: number of pictures of each other set.
    """
    return {
        "corrected, held out": [p for p in pictures if p.is_correction and p.held_out],
        "uncorrected throws of the log": [p for p in pictures if not p.is_correction and p.held_out],
        "simulated tray": simulated_pictures(others, 21),
        "rendered tables": rendered_pictures(others, 22),
    }


def _scores(name: str, weights: Path, sets: Mapping[str, Sequence[CorrectedPicture]]) -> list[Score]:
    reader = FaceClassifier(weights)
    scores = [score(reader, of) for of in sets.values()]
    for title, one in zip(sets, scores, strict=True):
        print(f"{title}, {name}: {one}", flush=True)
    return scores


def classifier_in_use(data: Path) -> Path:
    """The classifier file in use: the table's own, unless an update has replaced its base weights."""
    own = data / WEIGHTS_NAME
    with suppress(OSError, ValueError, LookupError):
        if is_current(own):
            return own / CLASSIFIER_FILE
    return WEIGHTS / CLASSIFIER_FILE


def install_weights(new_weights: Path, target: Path) -> None:
    """Replaces the folder `target` by the new weights, completely or not at all."""
    fresh, old = target.with_name(target.name + ".new"), target.with_name(target.name + ".old")
    for folder in (fresh, old):
        shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(new_weights, fresh)
    if target.exists():
        target.rename(old)
    fresh.rename(target)
    shutil.rmtree(old, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
