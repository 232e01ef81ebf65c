"""Training runs: they are interrupted and resumed, validated, and refused where they cannot resume."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch", reason="training needs the train extra")

import torch
from torch import nn

from models.training import export
from models.training.data import (
    Batches,
    ClassifierTargets,
    Example,
    TrainingSample,
    detector_target,
    face_targets,
    split,
    stack_samples,
)
from models.training.device import DeviceMissing, device_named
from models.training.losses import CLASSIFIER, DETECTOR, Accuracy, detector_accuracy, face_accuracy
from models.training.nets import (
    CELL_OUTPUTS,
    COLOUR_LOGITS,
    FACE_LOGITS,
    NORMAL_LOG_ERROR,
    NORMAL_XY,
    ClassifierNet,
    ClassifierOutput,
)
from models.training.run import (
    CHECKPOINT,
    HISTORY,
    CheckpointUnusable,
    Run,
    TrainConfig,
    load_averaged_net,
    ramped_ema,
    read_checkpoint,
)
from models.training.train import fixed_batches, main, train
from vision.reading.classifier import FACES, NORMAL, OUTPUTS

RECORD_STEPS, SAVE_STEPS = 10, 40
CONFIG = TrainConfig(steps=SAVE_STEPS + 3, batch=16, lr=1e-2, warmup=10)
SECOND_CONFIG = replace(CONFIG, steps=9)


@pytest.fixture(autouse=True)
def one_thread() -> Iterator[None]:
    """Several threads would only wait for each other in a net this small."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)


class SmallNet(nn.Module):
    """A classifier of crops of 8 x 8 px with a layer of each kind that the real one has."""

    def __init__(self) -> None:
        super().__init__()
        layers = (nn.Conv2d(3, 4, 3, 2, 1), nn.BatchNorm2d(4), nn.ReLU(), nn.Dropout(0.25), nn.Flatten())
        self.features = nn.Sequential(*layers)
        self.answers = nn.Linear(4 * 16, OUTPUTS)

    def forward(self, crops: torch.Tensor) -> ClassifierOutput:
        return ClassifierOutput(self.answers(self.features(crops)), torch.zeros(len(crops), 1, 16, 16))


class BrightOrDark(Batches):
    """Crops that show face 1 if they are bright, and face 2 if they are dark."""

    stream = 9

    def samples(self, rng: np.random.Generator) -> list[TrainingSample]:
        return [self.sample(int(face), rng) for face in rng.integers(1, 3, self.batch)]

    def sample(self, face: int, rng: np.random.Generator) -> TrainingSample:
        level = 160 if face == 1 else 60
        crop = rng.integers(level, level + 40, (3, 8, 8)).astype(np.uint8)
        unknown = np.full(2, np.nan, np.float32)
        no_pips = np.zeros((16, 16), np.float32)
        return crop, ClassifierTargets(face_targets(face), np.array(-1), unknown, no_pips, np.array(False))


def small_run(out: Path, config: TrainConfig = CONFIG) -> Run:
    torch.manual_seed(config.seed)
    return Run(SmallNet(), config, out)


def train_small(run: Run, stop_after: int | None = None) -> None:
    batches: Batches = BrightOrDark(run.config.batch, run.config.seed, run.step)
    if stop_after is not None:
        batches = InterruptedBatches(batches, stop_after)
    validation = fixed_batches(BrightOrDark(run.config.batch, 5, 0))
    train(run, batches, CLASSIFIER, validation, RECORD_STEPS, SAVE_STEPS)


class InterruptedBatches(Batches):
    """This many batches of another set. Then they interrupt the run."""

    def __init__(self, batches: Batches, count: int) -> None:
        super().__init__(batches.batch, batches.seed, batches.start)
        self.batches, self.count = batches, count

    def __iter__(self) -> Iterator[tuple[torch.Tensor, ClassifierTargets[torch.Tensor]]]:
        for n, batch in enumerate(self.batches):
            if n == self.count:
                raise InterruptedError
            yield batch


def test_a_resumed_run_ends_like_an_uninterrupted_one(tmp_path: Path) -> None:
    uninterrupted = small_run(tmp_path / "whole")
    train_small(uninterrupted)
    with pytest.raises(InterruptedError):
        train_small(small_run(tmp_path / "stopped"), stop_after=SAVE_STEPS + 1)
    resumed = small_run(tmp_path / "stopped")
    assert resumed.step == SAVE_STEPS
    train_small(resumed)
    assert resumed.step == CONFIG.steps
    assert resumed.history == uninterrupted.history
    for first, second in ((resumed.net, uninterrupted.net), (resumed.average, uninterrupted.average)):
        pairs = zip(first.state_dict().values(), second.state_dict().values(), strict=True)
        assert all(torch.equal(a, b) for a, b in pairs)


def test_the_history_has_loss_and_accuracy_and_is_in_the_checkpoint(tmp_path: Path) -> None:
    run = small_run(tmp_path)
    train_small(run)
    lines = [json.loads(line) for line in (tmp_path / HISTORY).read_text().splitlines()]
    assert [line["step"] for line in lines] == [
        *range(RECORD_STEPS, SAVE_STEPS + 1, RECORD_STEPS),
        CONFIG.steps,
    ]
    assert [line["validation_loss"] is not None for line in lines] == [False, False, False, True, True]
    assert lines[-1].keys() == {"step", "loss", "lr", "validation_loss", "validation_accuracy"}
    assert lines[-2]["loss"] < lines[0]["loss"]
    assert lines[-1]["validation_accuracy"] > 0.9
    assert read_checkpoint(tmp_path)["history"] == lines


def test_the_averaged_weights_of_a_run_can_be_read(tmp_path: Path) -> None:
    run = small_run(tmp_path)
    for step in range(3):
        run.train_on(next(iter(BrightOrDark(4, 1, step))), CLASSIFIER.loss)
    run.save()
    net = load_averaged_net(SmallNet(), tmp_path)
    assert not net.training
    assert torch.equal(net.answers.bias, run.average.module.answers.bias)
    assert not torch.equal(net.answers.bias, run.net.answers.bias)
    assert not torch.equal(net.features[1].running_mean, run.net.features[1].running_mean)


def test_the_average_of_a_short_run_forgets_the_first_weights() -> None:
    average = torch.zeros(1)
    for count in range(1, 100):
        ramped_ema(0.998)([average], [torch.ones(1)], torch.tensor(count))
    assert float(average) > 0.99


def test_the_learning_rate_rises_and_falls_to_0(tmp_path: Path) -> None:
    run, rates = small_run(tmp_path), []
    batch = next(iter(BrightOrDark(4, 1, 0)))
    for _ in range(CONFIG.steps):
        rates.append(run.lr)
        run.train_on(batch, CLASSIFIER.loss)
    assert rates[:10] == pytest.approx([CONFIG.lr * n / 10 for n in range(1, 11)])
    assert rates[10:] == sorted(rates[10:], reverse=True)
    assert rates[10 + (CONFIG.steps - 10) // 2] == pytest.approx(CONFIG.lr / 2, rel=0.1)
    assert run.lr == pytest.approx(0, abs=1e-9)


def test_a_run_resumes_only_with_its_own_settings(tmp_path: Path) -> None:
    small_run(tmp_path).save()
    with pytest.raises(CheckpointUnusable, match=r"\{'steps': 43\}, got \{'steps': 9\}"):
        small_run(tmp_path, SECOND_CONFIG)


def test_checkpoints_of_another_format_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    old = {"net": {}, "average": {}, "optimiser": {}, "step": 200, "part": "normal"}
    torch.save(old, tmp_path / CHECKPOINT)
    with pytest.raises(CheckpointUnusable, match="format 1 of another version of Brehon"):
        small_run(tmp_path)
    monkeypatch.setattr("sys.argv", ["export", "--classifier", str(tmp_path), "--temperature", "1"])
    with pytest.raises(SystemExit):
        export.main()
    assert "expected a checkpoint of format 2" in capsys.readouterr().err


def test_a_damaged_checkpoint_is_refused(tmp_path: Path) -> None:
    (tmp_path / CHECKPOINT).write_bytes(b"not a checkpoint")
    with pytest.raises(CheckpointUnusable, match="torch cannot read"):
        small_run(tmp_path)


def test_a_missing_device_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert device_named("cpu") == torch.device("cpu")
    assert device_named(None).type == ("cuda" if torch.cuda.is_available() else "cpu")
    with pytest.raises(DeviceMissing, match="expected a device that torch finds, got 'cuda:99'"):
        device_named("cuda:99")
    monkeypatch.setattr(
        "sys.argv",
        [
            "train",
            "detector",
            *(f"--{name}={tmp_path}" for name in ("out", "renders", "simulated")),
            "--device",
            "tpu",
        ],
    )
    with pytest.raises(SystemExit, match="got 'tpu'"):
        main()


def test_held_out_pictures_depend_on_seed_and_name() -> None:
    examples = [Example(Path(f"{n:06d}.jpg"), (), "render") for n in range(2000)]
    training, held_out = split(examples, 0.1, 1)
    assert len(training) + len(held_out) == 2000
    assert 150 < len(held_out) < 250
    assert split(examples[:500], 0.1, 1)[1] == [e for e in held_out if e in examples[:500]]
    assert split(examples, 0.1, 2)[1] != held_out
    assert split(examples, 0.0, 1) == (examples, [])


def test_a_missing_picture_is_an_error_with_its_path(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"expected a picture at .*lost\.jpg, found none"):
        Example(tmp_path / "lost.jpg", (), "render").picture()


def test_the_parts_of_an_output_are_those_that_the_reader_uses() -> None:
    assert (slice(0, FACES + 1), slice(FACES + 1, NORMAL)) == (FACE_LOGITS, COLOUR_LOGITS)
    assert (slice(NORMAL, NORMAL + 2), OUTPUTS - 1) == (NORMAL_XY, NORMAL_LOG_ERROR)
    out = ClassifierNet().eval()(torch.zeros(2, 3, 64, 64))
    assert torch.equal(torch.cat([out.faces, out.colours_and_normal], 1), out.answers)
    assert torch.equal(torch.cat([out.normal_xy, out.normal_log_error[:, None]], 1), out.answers[:, NORMAL:])


def detector_output(boxes: np.ndarray, score: float) -> torch.Tensor:
    """The detector's output (1, 20, 8, 8) for perfect boxes and this score at their centres."""
    targets = detector_target(boxes, np.zeros(len(boxes), bool), 64)
    logit = np.where(targets.heat == 1, np.log(score / (1 - score)), -9.0)
    cells = torch.from_numpy(np.concatenate([logit[None], targets.box]).astype(np.float32))[None]
    assert cells.shape == (1, CELL_OUTPUTS, 16, 16)
    return nn.functional.pixel_unshuffle(cells, 2)


def test_the_accuracy_of_the_detector_counts_found_missed_and_false_dice() -> None:
    dice = np.array([(4, 4, 16, 16), (36, 40, 16, 12)], np.float32)
    target = detector_target(dice, np.array([False, False]), 64)
    _, targets = stack_samples([(np.zeros((3, 64, 64), np.uint8), target)])
    assert detector_accuracy(detector_output(dice, 0.9), targets) == Accuracy(4, 4)
    assert detector_accuracy(detector_output(dice[:1], 0.9), targets) == Accuracy(2, 3)
    assert detector_accuracy(detector_output(dice, 0.4), targets) == Accuracy(0, 2)
    with_false_positive = np.concatenate([dice, [(40, 4, 16, 16)]]).astype(np.float32)
    assert detector_accuracy(detector_output(with_false_positive, 0.9), targets) == Accuracy(4, 5)
    sure, unsure = (float(DETECTOR.loss(detector_output(dice, score), targets)) for score in (0.99, 0.5))
    assert sure < unsure


def test_unknown_faces_do_not_count_as_wrong() -> None:
    faces = torch.from_numpy(np.stack([face_targets(face) for face in (3, 7, 0)]))
    targets = ClassifierTargets(faces, *[torch.zeros(3)] * 4)
    answers = torch.zeros(3, OUTPUTS)
    answers[:, 2] = 5.0
    assert face_accuracy(ClassifierOutput(answers, torch.zeros(3)), targets) == Accuracy(1, 2)
    assert Accuracy().share is None
