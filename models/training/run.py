"""A training run: the net, its average, the optimiser, the schedule and the history, saved together.

OUT/last.pt is the checkpoint. OUT/history.jsonl holds a line for each `Record`, which the checkpoint has too.
A resumed run continues as if it had not been stopped: the batches and the random numbers of a step depend on
the seed and the step alone. Checkpoints of an older format are refused.
"""

from __future__ import annotations

import json
import pickle
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, TypeVar

import torch
from torch import Tensor, nn
from torch.optim.lr_scheduler import CosineAnnealingLR, LinearLR, SequentialLR
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn

from models.training.device import computes_bfloat16
from models.training.nets import scale_pixels
from table.common.errors import BrehonError

CHECKPOINT, HISTORY = "last.pt", "history.jsonl"
FORMAT = 2
"""Format of the checkpoint. Format 1 had no number, no history, and another average and schedule."""
MAX_GRADIENT_NORM = 5.0
EMA_RAMP_STEPS = 20
"""The average of a short run would otherwise hold on to its first weights."""
AnyNet = TypeVar("AnyNet", bound=nn.Module)
Batch = tuple[Tensor, Any]
"""Pictures (B, 3, H, W) uint8, and their targets: a NamedTuple of tensors."""


class CheckpointUnusable(BrehonError, ValueError):
    """The checkpoint cannot be read, or belongs to another run."""


@dataclass(frozen=True)
class TrainConfig:
    """Settings of a run. The learning rate rises over `warmup` steps, then falls to 0 along a cosine.

    ema: share of the old average that each step keeps.
    held_out: share of the rendered and simulated pictures to validate on: about 270 of 13,300 tables.
    A resumed run has the settings it began with.
    """

    steps: int = 4000
    batch: int = 256
    lr: float = 2e-3
    weight_decay: float = 0.02
    warmup: int = 150
    ema: float = 0.998
    seed: int = 1
    held_out: float = 0.02


@dataclass(frozen=True)
class Record:
    """A line of history.jsonl. step: steps done. loss: mean of the training loss since the line before.

    lr: learning rate of the last step. validation_loss, validation_accuracy: of the averaged weights on
    held-out pictures; None where not measured. models.training.losses defines loss and accuracy.
    """

    step: int
    loss: float
    lr: float
    validation_loss: float | None = None
    validation_accuracy: float | None = None

    def __str__(self) -> str:
        line = f"step {self.step} loss {self.loss:.4f} lr {self.lr:.2e}"
        if self.validation_loss is not None:
            line += f" validation loss {self.validation_loss:.4f}"
        if self.validation_accuracy is not None:
            line += f" accuracy {self.validation_accuracy:.4f}"
        return line


def read_checkpoint(folder: Path) -> dict[str, Any]:
    """The checkpoint of the run in this folder, on the CPU.

    FileNotFoundError: there is none. CheckpointUnusable: it is damaged, or its format is not FORMAT.
    """
    path = folder / CHECKPOINT
    try:
        saved = torch.load(path, map_location="cpu", weights_only=True)
    except (pickle.UnpicklingError, RuntimeError, EOFError) as wrong:
        message = f"expected a checkpoint at {path}, found a file that torch cannot read; remove it"
        raise CheckpointUnusable(message) from wrong
    found = saved.get("format", 1)
    if found != FORMAT:
        raise CheckpointUnusable(
            f"expected a checkpoint of format {FORMAT} at {path}, found format {found} of another version"
            " of Brehon; use that version with it, or train again in another folder"
        )
    return dict(saved)


def load_averaged_net(net: AnyNet, folder: Path) -> AnyNet:
    """The net with the averaged weights of the run in this folder, in evaluation mode."""
    average = AveragedModel(net)
    average.load_state_dict(read_checkpoint(folder)["average"])
    net.load_state_dict(average.module.state_dict())
    net.eval()
    return net


def ramped_ema(decay: float) -> Callable[[Sequence[Tensor], Sequence[Tensor], Tensor], None]:
    """torch's exponential moving average of n nets, with a decay of n / (n + 20), at most `decay`."""

    def update(averaged: Sequence[Tensor], current: Sequence[Tensor], count: Tensor) -> None:
        n = int(count) + 1
        get_ema_multi_avg_fn(min(decay, n / (n + EMA_RAMP_STEPS)))(averaged, current, count)

    return update


def learning_rate_schedule(optimiser: torch.optim.Optimizer, config: TrainConfig) -> SequentialLR:
    """Linear from lr / warmup to lr, then a cosine to 0 at the last step."""
    rise = LinearLR(optimiser, 1 / config.warmup, 1.0, config.warmup - 1)
    fall = CosineAnnealingLR(optimiser, max(1, config.steps - config.warmup))
    return SequentialLR(optimiser, [rise, fall], [config.warmup])


class Run:
    """The run in the folder `out`: a new one, or the one that was stopped there."""

    def __init__(
        self,
        net: nn.Module,
        config: TrainConfig,
        out: Path,
        part: str = "",
        device: torch.device | None = None,
    ) -> None:
        """part: name of the submodule that is trained while the rest is frozen; empty = the whole net.

        device: default = the CPU. CheckpointUnusable: `out` holds a run of another net, part or config.
        """
        self.config, self.out, self.part, self.device = config, out, part, device or torch.device("cpu")
        self.net = net.to(self.device, memory_format=torch.channels_last)
        self.trained_part = self.net.get_submodule(part)
        self.net.requires_grad_(False)
        self.trained_part.requires_grad_(True)
        self.average = AveragedModel(self.net, multi_avg_fn=ramped_ema(config.ema), use_buffers=True).eval()
        parameters = self.trained_part.parameters()
        self.optimiser = torch.optim.AdamW(parameters, config.lr, weight_decay=config.weight_decay)
        self.schedule = learning_rate_schedule(self.optimiser, config)
        self.autocast = computes_bfloat16(self.device)
        self.step, self.history = 0, list[Record]()
        out.mkdir(parents=True, exist_ok=True)
        if (out / CHECKPOINT).exists():
            self._load(read_checkpoint(out))

    def _load(self, saved: dict[str, Any]) -> None:
        self._check_same_run(saved)
        self.net.load_state_dict(saved["net"])
        self.average.load_state_dict(saved["average"])
        self.optimiser.load_state_dict(saved["optimiser"])
        self.schedule.load_state_dict(saved["schedule"])
        self.step, self.history = saved["step"], [Record(**record) for record in saved["history"]]

    def _check_same_run(self, saved: dict[str, Any]) -> None:
        now = {name: weight.cpu() for name, weight in self.net.state_dict().items()}
        frozen = [name for name in now if self.part and not name.startswith(f"{self.part}.")]
        same_net = saved["part"] == self.part and saved["net"].keys() == now.keys()
        if not same_net or not all(torch.equal(saved["net"][name], now[name]) for name in frozen):
            raise CheckpointUnusable(
                f"--out: expected a run of this net, {self.out} has one of another net; give another folder"
            )
        started_with, config = saved["config"], asdict(self.config)
        if started_with != config:
            names = [name for name in config if started_with.get(name) != config[name]]
            expected, got = ({name: some.get(name) for name in names} for some in (started_with, config))
            raise CheckpointUnusable(
                f"--out: expected the settings that the run in {self.out} began with, {expected}, got {got};"
                " give another folder"
            )

    def save(self) -> None:
        """Writes the checkpoint and the history, each completely or not at all."""
        history = [asdict(record) for record in self.history]
        state = {
            "format": FORMAT, "part": self.part, "config": asdict(self.config), "step": self.step,
            "history": history, "net": self.net.state_dict(), "average": self.average.state_dict(),
            "optimiser": self.optimiser.state_dict(), "schedule": self.schedule.state_dict(),
        }  # fmt: skip
        torch.save(state, self.out / "next.pt")
        (self.out / "next.pt").replace(self.out / CHECKPOINT)
        (self.out / "next.jsonl").write_text("".join(json.dumps(record) + "\n" for record in history))
        (self.out / "next.jsonl").replace(self.out / HISTORY)

    @property
    def lr(self) -> float:
        """Learning rate of the next step."""
        return float(self.optimiser.param_groups[0]["lr"])

    def output(self, net: nn.Module, pictures: Tensor) -> Any:
        """The output of the net for pictures (B, 3, H, W) uint8, in bfloat16 where the device computes it."""
        inputs = scale_pixels(pictures.to(self.device, non_blocking=True).float())
        inputs = inputs.contiguous(memory_format=torch.channels_last)
        with torch.autocast(self.device.type, dtype=torch.bfloat16, enabled=self.autocast):
            return net(inputs)

    def on_device(self, targets: Any) -> Any:
        """The same targets on the run's device."""
        return type(targets)(*(target.to(self.device, non_blocking=True) for target in targets))

    def train_on(self, batch: Batch, loss_of: Callable[[Any, Any], Tensor]) -> Tensor:
        """Takes one optimiser step on this batch and returns its loss."""
        pictures, targets = batch
        torch.manual_seed((self.config.seed << 32) + self.step)  # for dropout
        self.net.eval()
        self.trained_part.train()
        loss = loss_of(self.output(self.net, pictures), self.on_device(targets))
        self.take_step(loss)
        return loss.detach()

    def take_step(self, loss: Tensor) -> None:
        """Takes one optimiser step down the gradient of this loss."""
        self.optimiser.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(self.trained_part.parameters(), MAX_GRADIENT_NORM)
        self.optimiser.step()
        self.schedule.step()
        self.average.update_parameters(self.net)
        self.step += 1
