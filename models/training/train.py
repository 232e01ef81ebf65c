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
fifth of them that is held out.
"""

from __future__ import annotations

import argparse
import copy
import json
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import torch
from torch import Tensor, nn
from torch.utils.data import DataLoader, IterableDataset

from models.training.data import (
    NORMAL_ODD_SHARE,
    NORMAL_SHARES,
    ClassifierBatches,
    CropSet,
    DetectorBatches,
    Example,
    crop_set,
    examples_in,
    normal_set,
)  # fmt: skip
from models.training.nets import COLOUR_ROWS, FLOAT_FILE, NORMAL, ClassifierNet, DetectorNet, averaged_net, net_in, scaled

COLOUR_WEIGHT = 0.3
PIP_WEIGHT = 3.0
BOX_WEIGHT = 1.0


@dataclass
class TrainConfig:
    """Settings of a run. The learning rate rises over `warmup` steps, then falls to 0 along a cosine.

    ema: share of the old average that each step keeps.
    """

    steps: int = 4000
    batch: int = 256
    lr: float = 2e-3
    weight_decay: float = 0.02
    warmup: int = 150
    ema: float = 0.998
    seed: int = 1
    save_every: int = 200


LOG_ERROR_RANGE = (-4.5, 1.0)
"""Logarithms of the smallest and the largest expected error of a normal in the loss."""


def classifier_loss(
    out: tuple[Tensor, Tensor], faces: Tensor, colour: Tensor, normal: Tensor, heat: Tensor, pips_known: Tensor
) -> Tensor:
    """Cross-entropy of faces, and of colours and pips where known; the normal has its own `normal_loss`."""
    answers, pips = out[0].float(), out[1].float()
    loss = -(faces * answers[:, :7].log_softmax(1)).sum(1).mean()
    if bool((colour >= 0).any()):
        loss = loss + COLOUR_WEIGHT * nn.functional.cross_entropy(answers[:, 7:18], colour, ignore_index=-1)
    if bool(pips_known.any()):
        weight = 1 + 4 * heat[pips_known]
        miss = nn.functional.binary_cross_entropy_with_logits(pips[pips_known, 0], heat[pips_known], weight)
        loss = loss + PIP_WEIGHT * miss
    return loss


def colour_loss(out: tuple[Tensor, Tensor], faces: Tensor, colour: Tensor, normal: Tensor, heat: Tensor, pips_known: Tensor) -> Tensor:
    """Cross-entropy of the colours where they are known, and of nothing else."""
    return nn.functional.cross_entropy(out[0].float()[:, 7:18], colour, ignore_index=-1)


def normal_loss(out: tuple[Tensor, Tensor], faces: Tensor, colour: Tensor, normal: Tensor, heat: Tensor, pips_known: Tensor) -> Tensor:
    """Negative log-likelihood of the known true normals. The likelihood falls as exp(-distance / error)."""
    known = ~normal[:, 0].isnan()  # true for at least one
    answers = out[0].float()[known, 18:]
    away = ((answers[:, :2] - normal[known]).pow(2).sum(1) + 1e-4).sqrt()
    log_error = answers[:, 2].clamp(*LOG_ERROR_RANGE)
    return (away * (-log_error).exp() + 2 * log_error).mean()


def detector_loss(out: Tensor, target: Tensor) -> Tensor:
    """Focal loss of the heatmap (CornerNet's: false peaks near a centre cost less), plus L1 loss of the boxes."""
    out = nn.functional.pixel_shuffle(out.float(), 2)  # (B, 5, H/4, W/4)
    heat, weight, box, there = target[:, 0], target[:, 1], target[:, 2:6], target[:, 6]
    chance = out[:, 0].sigmoid().clamp(1e-5, 1 - 1e-5)
    centre = (heat == 1).float()
    hit = centre * (1 - chance) ** 2 * chance.log()
    miss = (1 - centre) * (1 - heat) ** 4 * chance**2 * (1 - chance).log()
    focal = -((hit + miss) * weight).sum() / centre.sum().clamp(min=1)
    off = ((out[:, 1:5] - box).abs() * there[:, None]).sum() / there.sum().clamp(min=1)
    return focal + BOX_WEIGHT * off


class Run:
    """A training run: net, averaged net, optimiser and step, saved together."""

    def __init__(self, net: nn.Module, config: TrainConfig, out: Path, part: str = "") -> None:
        """Resumes the run in `out` if there is one.

        part: name of the submodule that is trained while the rest is frozen; empty = the whole net.
        ValueError: `out` holds a run of another part, or its frozen weights differ.
        """
        self.part = part
        self.learning = net.get_submodule(part)
        net.requires_grad_(False)
        self.learning.requires_grad_(True)
        self.net, self.config, self.out = net.to(memory_format=torch.channels_last), config, out
        self.average = copy.deepcopy(net)
        self.optimiser = torch.optim.AdamW(self.learning.parameters(), config.lr, weight_decay=config.weight_decay)
        self.step = 0
        out.mkdir(parents=True, exist_ok=True)
        if (out / "last.pt").exists():
            self._load()

    def _load(self) -> None:
        saved = torch.load(self.out / "last.pt", weights_only=True)
        rest = [name for name in saved["net"] if self.part and not name.startswith(f"{self.part}.")]
        now = self.net.state_dict()
        if saved.get("part", "") != self.part or not all(torch.equal(saved["net"][name], now[name]) for name in rest):
            raise ValueError(f"--out: expected a run of this net, {self.out} has one of another net; give another folder")
        self.net.load_state_dict(saved["net"])
        self.average.load_state_dict(saved["average"])
        self.optimiser.load_state_dict(saved["optimiser"])
        self.step = saved["step"]

    def save(self) -> None:
        state = {
            "net": self.net.state_dict(), "average": self.average.state_dict(),
            "optimiser": self.optimiser.state_dict(), "step": self.step, "part": self.part,
        }  # fmt: skip
        torch.save(state, self.out / "next.pt")
        (self.out / "next.pt").replace(self.out / "last.pt")

    def learn(self, loss: Tensor) -> None:
        for group in self.optimiser.param_groups:
            group["lr"] = self.config.lr * self._slope()
        self.optimiser.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(self.learning.parameters(), 5.0)
        self.optimiser.step()
        self.step += 1
        keep = min(self.config.ema, self.step / (self.step + 20))
        with torch.no_grad():
            for old, new in zip(self.average.state_dict().values(), self.net.state_dict().values(), strict=True):
                if old.is_floating_point():
                    old.lerp_(new, 1 - keep)
                else:
                    old.copy_(new)

    def _slope(self) -> float:
        if self.step < self.config.warmup:
            return (self.step + 1) / self.config.warmup
        done = (self.step - self.config.warmup) / max(1, self.config.steps - self.config.warmup)
        return float(0.5 + 0.5 * torch.cos(torch.tensor(min(done, 1.0) * 3.14159)))


CPU_INFO = Path("/proc/cpuinfo")


def has_bfloat16(cpu_info: str) -> bool:
    """True if the CPU computes in bfloat16, from the text of /proc/cpuinfo.

    Without hardware support, torch's emulation takes three times as long as floats.
    """
    return bool({"amx_bf16", "avx512_bf16", "bf16"} & set(cpu_info.split()))


def train(run: Run, batches: IterableDataset, loss_of: object) -> None:
    loader = iter(DataLoader(batches, batch_size=None, num_workers=1, prefetch_factor=4))
    run.net.eval()
    run.learning.train()
    began, total, halves = time.time(), 0.0, has_bfloat16(CPU_INFO.read_text() if CPU_INFO.exists() else "")
    while run.step < run.config.steps:
        pictures, *targets = next(loader)
        with torch.autocast("cpu", dtype=torch.bfloat16, enabled=halves):
            out = run.net(scaled(pictures.float()).contiguous(memory_format=torch.channels_last))
        loss = loss_of(out, *targets)  # type: ignore[operator]
        run.learn(loss)
        total += float(loss.detach())
        if run.step % 50 == 0:
            print(f"step {run.step} loss {total / 50:.4f} {time.time() - began:.0f} s", flush=True)
            total = 0.0
        if run.step % run.config.save_every == 0 or run.step == run.config.steps:
            run.save()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("net", choices=["classifier", NORMAL, "colours", "detector"])
    parser.add_argument("--of", type=Path, help="the classifier to start from: a run, or a folder with classifier.npz")
    parser.add_argument("--renders", type=Path, nargs="+", default=[Path("runs/renders")])
    parser.add_argument("--simulated", type=Path, default=Path("runs/simulated"))
    parser.add_argument("--photos", type=Path, help="folder with labels.jsonl (default: train on renders only)")
    parser.add_argument(
        "--false-positives",
        type=Path,
        default=Path("runs/false_positives.json"),
        help="file from models.training.hard_negatives, used if it exists",
    )
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--steps", type=int, default=4000)
    parser.add_argument("--batch", type=int, help="batch size (default: 256 crops, or 24 pieces of pictures)")
    parser.add_argument("--lr", type=float, default=2e-3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=2, help="1 is faster than 2 if other programs sometimes use a core")
    args = parser.parse_args()
    try:
        _train(args)
    except (ValueError, OSError) as wrong:
        raise SystemExit(f"models.training.train: {wrong}") from wrong


def _train(args: argparse.Namespace) -> None:
    if args.net in (NORMAL, "colours") and not args.of:
        raise ValueError(f"--of: expected the run of the classifier for {args.net}, got none; give its folder")
    torch.set_num_threads(args.threads)
    cv2.setNumThreads(1)  # before the loader forks: a forked pool of OpenCV threads deadlocks
    config = TrainConfig(steps=args.steps, batch=args.batch or (24 if args.net == "detector" else 256), lr=args.lr, seed=args.seed)
    torch.manual_seed(config.seed)
    photos = None if args.net == NORMAL else args.photos  # photographs have no ground truth for normals
    examples = examples_in(args.renders, args.simulated, photos)
    print(f"{len(examples)} pictures", flush=True)
    if args.net == "detector":
        run = Run(DetectorNet(), config, args.out)
        train(run, DetectorBatches(examples, config.batch, config.seed, run.step), detector_loss)
    elif args.net == "classifier":
        run = Run(begun(args.of) if args.of else ClassifierNet(), config, args.out)
        run.net.get_submodule(NORMAL).requires_grad_(False)  # otherwise weight decay would shrink its weights
        false_positives = json.loads(args.false_positives.read_text()) if args.false_positives.exists() else {}
        sets = sets_of(examples, args.out, lambda some, store: crop_set(some, store, false_positives))
        train(run, ClassifierBatches(sets, config.batch, config.seed, run.step), classifier_loss)
    elif args.net == "colours":
        still = replace(config, weight_decay=0.0)  # the rows of the faces must not change
        run = Run(begun(args.of), still, args.out, COLOUR_ROWS)
        train(run, ClassifierBatches(sets_of(examples, args.out, crop_set), config.batch, config.seed, run.step), colour_loss)
    else:
        run = Run(begun(args.of), config, args.out, NORMAL)
        sets = sets_of(examples, args.out, normal_set)
        train(run, ClassifierBatches(sets, config.batch, config.seed, run.step, NORMAL_SHARES, NORMAL_ODD_SHARE), normal_loss)


def begun(folder: Path) -> ClassifierNet:
    """The classifier of this folder: from its classifier.npz if there is one, else from its run."""
    return net_in(folder)[0] if (folder / FLOAT_FILE).exists() else averaged_net(ClassifierNet(), folder)


def sets_of(examples: list[Example], out: Path, set_of: Callable[[list[Example], Path], CropSet]) -> dict[str, CropSet]:
    """A crop set for each kind of example, with the crops in files in `out`."""
    began = time.time()
    sets = {kind: set_of([e for e in examples if e.kind == kind], out / f"{kind}.npy") for kind in sorted({e.kind for e in examples})}
    print({kind: len(s) for kind, s in sets.items()}, f"{time.time() - began:.0f} s", flush=True)
    return sets


if __name__ == "__main__":
    main()
