"""Teaches the classifier this table's own dice, from what people corrected:

    python -m models.training.tune --data ~/.local/share/brehon

Trains on the dice of the log that were misread or asked about, among as many dice of the simulated tray and of rendered tables, so
that nothing is forgotten. The new weights are used only if they win: on pictures kept back from training they must misread fewer dice,
or as few and be sure of more. No other dice of the table may they misread more often, of other tables' at most half a percent, and
nothing more often surely. Then they are put into DATA/weights, where the table finds them when it starts; to go back, remove that
folder. Needs the `train` extra.
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
from table.common.errors import BrehonError
from table.defaults import LOG_NAME, WEIGHTS_NAME, data_folder
from vision.classifier import THOROUGH_VIEW_ROUNDS, FaceClassifier
from vision.reader import CLASSIFIER_FILE, DETECTOR_FILE, is_current, note_origin
from vision.reading import CONFIDENCE_THRESHOLD

if TYPE_CHECKING:
    from models.training.nets import ClassifierNet as Net

MIN_CORRECTIONS = 12
"""Dice in error below which there is nothing to judge by."""
STEPS, OTHERS = 300, 150
"""Steps of training, and how many simulated and rendered pictures each it trains among."""


class TooFewCorrections(BrehonError, ValueError):
    """The log holds too little to learn from."""


@dataclass(frozen=True)
class Score:
    """Of some dice, how many were read wrong, were sure and wrong, and were sure."""

    dice: int = 0
    wrong: int = 0
    sure_wrong: int = 0
    sure: int = 0

    def __str__(self) -> str:
        return f"{self.dice} dice: {self.wrong} wrong, {self.sure_wrong} of them sure; {self.sure} sure"


SHARES = (1.0, 0.6, 0.3)
"""How far towards the new weights the table may go, tried in this order."""
BATCH = 64
"""Crops a step."""
OWN_SETS = 2
"""The first sets of those that are judged are of the table's own dice: there nothing may get worse."""
LUCK = 0.005
"""Of the dice of other tables so many more may be read wrong, never surely: which of the hardest are read right is luck."""


def improves(old: Sequence[Score], new: Sequence[Score]) -> bool:
    """Whether weights with the new scores may take the place of those with the old. The scores are of the lessons kept back, of the
    table's other throws, and of other tables."""
    worse = any(
        n.sure_wrong > o.sure_wrong or n.wrong > o.wrong + (LUCK * o.dice if at >= OWN_SETS else 0)
        for at, (o, n) in enumerate(zip(old, new, strict=True))
    )
    return not worse and (new[0].wrong < old[0].wrong or new[0].sure > old[0].sure)


def score(reader: FaceClassifier, pictures: Sequence[CorrectedPicture]) -> Score:
    """How these dice are read where they are known to lie."""
    wrong = sure_wrong = sure = dice = 0
    for taught_picture in pictures:
        looks = reader.classify(taught_picture.picture, [d.box_xywh for d in taught_picture.dice], THOROUGH_VIEW_ROUNDS)
        for die, look in zip(taught_picture.dice, looks, strict=True):
            believed, missed = float(look.faces.max()) >= CONFIDENCE_THRESHOLD, int(look.faces.argmax()) + 1 != die.face
            dice, wrong, sure, sure_wrong = dice + 1, wrong + missed, sure + believed, sure_wrong + (missed and believed)
    return Score(dice, wrong, sure_wrong, sure)


def simulated(count: int, seed: int) -> list[CorrectedPicture]:
    """Pictures of the simulated tray, as if from a log."""
    from vision.simulation import random_tray

    pictures = []
    for n in range(count):
        rng = np.random.default_rng((seed, n))
        picture, trues = random_tray(rng, int(rng.integers(1, 9)), size_wh=(800, 600))
        dice = tuple(CorrectedDie(t.box_xywh, t.face, True, t.face) for t in trues)
        pictures.append(CorrectedPicture(f"simulated {n}", picture, dice))
    return pictures


def rendered(count: int, seed: int) -> list[CorrectedPicture]:
    """Rendered tables, as if from a log; only dice that can be read."""
    from models.rendering.scenes import rendered as render
    from models.training.data import is_blank, rendered_die

    pictures = []
    for n in range(count):
        picture, truths = render(np.random.default_rng((seed, n)), [])
        dice = [rendered_die(asdict(t)) for t in truths]
        clear = tuple(CorrectedDie(d.box, d.face, True, d.face) for d in dice if d.face and not is_blank(picture, d))
        pictures.append(CorrectedPicture(f"rendered {n}", picture, clear))
    return pictures


def stored(pictures: Sequence[CorrectedPicture]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """All dice as crops to train on (n, 112, 112, 3), their faces 1-6 and sides px."""
    from models.training.data import CROP_STORED, STORED_SPAN
    from vision.classifier import crop_square

    rows = [
        (crop_square(p.picture, x + w / 2, y + h / 2, max(w, h) * STORED_SPAN, CROP_STORED), d.face, max(w, h))
        for p in pictures
        for d in p.dice
        for x, y, w, h in [d.box_xywh]
    ]
    crops, faces, sides = zip(*rows, strict=True)
    return np.stack(crops), np.array(faces), np.array(sides, np.float32)


def part_way(start: Net, end: Net, share: float) -> Net:
    """The net whose weights lie so far on the way from the one to the other: it keeps more of what the first can do than the second."""
    between = copy.deepcopy(end)
    for name, weight in between.state_dict().items():
        if weight.is_floating_point():
            weight.copy_(start.state_dict()[name].lerp(weight, share))
    return between


def fine_tuned(start: Net, lessons: Sequence[CorrectedPicture], others: Sequence[CorrectedPicture], steps: int, seed: int = 1) -> Net:
    """This classifier trained further: half on the lessons; half on the others, of which it is to say what it said."""
    import torch
    from torch import nn

    from models.training.data import classifier_sample, face_targets
    from models.training.nets import scaled

    torch.manual_seed(seed)
    before, net = start, copy.deepcopy(start).train()
    for layer in net.modules():
        if isinstance(layer, nn.BatchNorm2d):
            layer.eval()  # a few hundred dice are too few to take averages anew
    optimiser = torch.optim.AdamW(net.parameters(), 2e-4, weight_decay=0.02)
    sets, rng = (stored(lessons), stored(others)), np.random.default_rng(seed)
    unknown = np.full((6, 2), np.nan, np.float32)
    for step in range(steps):
        rows = []
        for n in range(BATCH):
            crops, faces, sides = sets[n % 2]
            i = int(rng.integers(len(crops)))
            rows.append((classifier_sample(crops[i], unknown, float(sides[i]), rng)[0], face_targets(int(faces[i]))))
        pictures, told = (torch.from_numpy(np.stack(column)) for column in zip(*rows, strict=True))
        with torch.no_grad():
            answered = before(scaled(pictures.float()))[0]
        is_lesson = torch.arange(BATCH)[:, None] % 2 == 0
        wanted = torch.where(is_lesson, told, answered[:, :7].softmax(1))  # of other dice it keeps its doubts too
        answers = net(scaled(pictures.float()))[0]
        loss = -(wanted * answers[:, :7].log_softmax(1)).sum(1).mean()
        loss = loss + nn.functional.smooth_l1_loss(answers[:, 7:], answered[:, 7:], beta=0.1)  # colours and leans stay as they were
        for group in optimiser.param_groups:
            group["lr"] = 2e-4 * (1 - step / steps)
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        optimiser.step()
        if (step + 1) % 50 == 0:
            print(f"step {step + 1} of {steps}, loss {float(loss.detach()):.3f}", flush=True)
    return net.eval()


def write(net: Net, temperature: float, ranges: Sequence[CorrectedPicture], folder: Path) -> None:
    """The weights as the table reads them, into this folder."""
    import torch

    from models.training.export import TemperatureScaled, export, views_of
    from vision.classifier import CROP_PX

    crops = stored(ranges)[0]
    shutil.copy(WEIGHTS / DETECTOR_FILE, folder / DETECTOR_FILE)
    inputs = (views_of(c) for c in crops[:400])
    whole = TemperatureScaled(net, temperature).eval()
    export(whole, torch.zeros(2, 3, CROP_PX, CROP_PX), folder / CLASSIFIER_FILE, {0: "n"}, inputs)
    note_origin(folder)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, help="folder of the table's log (default: ~/.local/share/brehon)")
    parser.add_argument("--steps", type=int, default=STEPS, help="of training (default: %(default)s, minutes on a laptop)")
    parser.add_argument("--others", type=int, default=OTHERS, help="simulated and rendered pictures each to train among and judge by")
    args = parser.parse_args()
    try:
        if args.others < 1:
            parser.error(f"--others: expected at least 1 picture of other tables, got {args.others}")
        return learn(data_folder(args.data), args.steps, args.others)
    except BrehonError as error:
        print(f"tune: {error}", file=sys.stderr)
        return 1


def learn(data: Path, steps: int, others: int) -> int:
    """0 when new weights were put in place, 2 when they did not win and the old ones stay."""
    pictures = list(corrected_pictures(data / LOG_NAME))
    cv2.setNumThreads(1)
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder)
        if not fine_tuned_and_validated(pictures, WEIGHTS, in_use(data), made, steps, others):
            print("The new weights did not win; the table goes on with those it has.")
            return 2
        put(made, data / WEIGHTS_NAME)
    print(f"The new weights won. The table takes them when it starts again; to go back, remove {data / WEIGHTS_NAME}")
    return 0


def fine_tuned_and_validated(pictures: Sequence[CorrectedPicture], base: Path, used: Path, made: Path, steps: int, others: int) -> bool:
    """Trains the classifier of the folder `base` on these pictures and judges by what was kept back, against the one in the file
    `used`. True: the folder `made` holds weights that win. The further they went, the more of anything else they may have forgotten:
    where the new ones do not win, those part of the way may.

    TooFewLessons: there is too little to learn from or to judge by.
    """
    from models.training.nets import net_in

    lessons = [p for p in pictures if p.lesson]
    in_error = sum(d.lesson for p in lessons for d in p.dice)
    kept = [p for p in lessons if p.kept]
    if in_error < MIN_CORRECTIONS or not kept or len(kept) == len(lessons):
        raise TooFewCorrections(
            f"the log has {in_error} dice that were corrected or asked about, and learning takes at least {MIN_CORRECTIONS}, in throws"
            " to learn from and others to judge by; play on, and correct what is misread"
        )
    print(f"{len(pictures)} pictures; {in_error} dice in {len(lessons)} of them were corrected or asked about")
    among = [*simulated(others, 11), *rendered(others, 12), *(p for p in pictures if not p.lesson and not p.kept)]
    start, temperature = net_in(base)
    net = fine_tuned(start, [p for p in lessons if not p.kept], among, steps)
    sets = {
        "corrected, kept back": kept,
        "uncorrected throws of the log": [p for p in pictures if not p.lesson and p.kept],
        "simulated tray": simulated(others, 21),
        "rendered tables": rendered(others, 22),
    }
    before = _scores("before", used, sets)
    for share in SHARES:
        write(part_way(start, net, share), temperature, among, made)
        after = _scores(f"{100 * share:.0f} % of the way", made / CLASSIFIER_FILE, sets)
        if improves(before, after):
            return True
    return False


def _scores(name: str, weights: Path, sets: Mapping[str, Sequence[CorrectedPicture]]) -> list[Score]:
    reader = FaceClassifier(weights)
    scores = [score(reader, of) for of in sets.values()]
    for title, one in zip(sets, scores, strict=True):
        print(f"{title}, {name}: {one}", flush=True)
    return scores


def in_use(data: Path) -> Path:
    """The classifier that the table uses now: its own, unless an update has replaced what that was made from."""
    own = data / WEIGHTS_NAME
    with suppress(OSError, ValueError, LookupError):
        if is_current(own):
            return own / CLASSIFIER_FILE
    return WEIGHTS / CLASSIFIER_FILE


def put(made: Path, target: Path) -> None:
    """Puts the weights in the place of what is there, whole or not at all."""
    fresh, old = target.with_name(target.name + ".new"), target.with_name(target.name + ".old")
    for folder in (fresh, old):
        shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(made, fresh)
    if target.exists():
        target.rename(old)
    fresh.rename(target)
    shutil.rmtree(old, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
