"""Training data: labels that follow rotated, shifted and mirrored crops, losses, and trained parts."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("torch", reason="training needs the train extra")

from dataclasses import replace
from itertools import islice
from pathlib import Path

import cv2
import torch
from torch.utils.data import DataLoader

from models.rendering import camera_effects
from models.rendering.pip_visibility import pip_contrast
from models.training.data import (
    CROP_STORED,
    PIP_CELLS,
    UPRIGHT_DEG,
    ClassifierBatches,
    ClassifierTargets,
    Die,
    Example,
    classifier_sample,
    crop_set,
    face_targets,
    is_blank,
    normal_set,
    pip_heat,
    rendered_die,
)
from models.training.device import has_bfloat16
from models.training.export import write_floats
from models.training.losses import colour_loss, normal_loss
from models.training.nets import COLOUR_ROWS, FLOAT_FILE, NORMAL, ClassifierNet, ClassifierOutput
from models.training.run import Run, TrainConfig
from models.training.train import load_classifier, main
from models.training.weight_averaging import mean_weights

PIPS = np.array([(40, 40), (72, 40), (40, 72), (72, 72), (np.nan, np.nan), (np.nan, np.nan)], np.float32)


def crop() -> np.ndarray:
    """White spots where the pips are, on grey."""
    picture = np.full((CROP_STORED, CROP_STORED, 3), 90, np.uint8)
    for x, y in PIPS[:4]:
        picture[int(y) - 3 : int(y) + 3, int(x) - 3 : int(x) + 3] = 250
    return picture


def test_pips_move_with_the_crop() -> None:
    for seed in range(40):
        seen, moved, _ = classifier_sample(crop(), PIPS, 64.0, np.random.default_rng(seed))
        grey = seen.mean(axis=0)
        spots = [grey[int(y), int(x)] for x, y in moved[:4] if 2 <= x < 62 and 2 <= y < 62]
        assert np.isnan(moved[4:]).all()
        assert min(spots) > np.median(grey) + 15, seed


def test_oblique_crops_stay_upright() -> None:
    turns = np.array([turn_of(seed, UPRIGHT_DEG) for seed in range(200)])
    assert turns.min() < -UPRIGHT_DEG / 2
    assert turns.max() > UPRIGHT_DEG / 2
    assert np.abs(turns).max() <= UPRIGHT_DEG + 0.01
    assert np.abs([turn_of(seed, 180.0) for seed in range(40)]).max() > 90


def turn_of(seed: int, most_deg: float) -> float:
    """By how many degrees the direction upwards was turned, -180 to 180."""
    turn = classifier_sample(crop(), PIPS, 64.0, np.random.default_rng(seed), most_deg)[2]
    x, y = turn @ (0, -1)
    return float(np.degrees(np.arctan2(x, -y)))


def test_several_processes_make_the_same_batches_in_the_same_order(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "table.png"), crop())
    crops = crop_set([Example(tmp_path / "table.png", (rendered_die_with(),), "render")])
    batches = ClassifierBatches({"render": crops}, 4, seed=1, start=3)

    def made_by(workers: int) -> list[np.ndarray]:
        loader = DataLoader(batches, batch_size=None, num_workers=workers)
        return [pictures.numpy() for pictures, _ in islice(loader, 5)]

    alone, shared = made_by(0), made_by(2)
    assert all(np.array_equal(a, b) for a, b in zip(alone, shared, strict=True))
    assert not np.array_equal(alone[0], alone[1])


def test_relighting_changes_only_colour_and_brightness() -> None:
    grey = np.full((20, 30, 3), 100, np.uint8)
    grey[:10] = 50
    casts, levels = [], []
    for seed in range(60):
        lit = camera_effects.relit(grey, np.random.default_rng(seed))
        assert lit.shape == grey.shape
        assert lit.dtype == np.uint8
        assert (lit[:10] == lit[0, 0]).all()
        assert (lit[10:] == lit[-1, -1]).all()
        assert (lit[-1, -1] >= lit[0, 0]).all()
        casts.append(lit[-1, -1, 2] / lit[-1, -1, 0])
        levels.append(lit[-1, -1].mean())
    assert min(casts) < 0.6 < 1.6 < max(casts)
    assert min(levels) < 50 < 130 < max(levels)


def test_the_heatmap_has_a_peak_on_every_pip() -> None:
    heat = pip_heat(np.array([(10.0, 22.0), (50.0, 34.0), *[(np.nan, np.nan)] * 4]))
    assert heat.shape == (PIP_CELLS, PIP_CELLS)
    assert {tuple(int(v) for v in spot) for spot in np.argwhere(heat > 0.9)} == {(5, 2), (8, 12)}
    assert not pip_heat(np.full((6, 2), np.nan)).any()


def test_face_targets_of_a_face_of_no_die_and_of_an_unknown_face() -> None:
    assert face_targets(3).tolist() == [0, 0, 1, 0, 0, 0, 0]
    assert face_targets(7)[6] == 1
    assert face_targets(0).tolist() == pytest.approx([1 / 6] * 6 + [0])


def rendered_die_with(**other: object) -> Die:
    label = {
        "box_xywh": (30, 30, 52, 52), "face": 4, "colour": "grey",
        "cocked": False, "readable": True, "seen": 1.0, "lean_deg": 0.0,
        "pips_xy": PIPS[:4].tolist(), "pip_px": 3.0, "normal_xy": (0.1, 0.2),
    }  # fmt: skip
    return rendered_die(label | other)


def test_a_rendered_die_has_labels_only_for_what_is_visible() -> None:
    flat, leans, emblem, hidden = (
        rendered_die_with(),
        rendered_die_with(lean_deg=38.0),
        rendered_die_with(readable=False),
        rendered_die_with(seen=0.4),
    )
    assert [d.face for d in (flat, leans, emblem, hidden)] == [4, 0, 0, 0]
    assert [d.normal_xy for d in (flat, leans, emblem, hidden)] == [(0.1, 0.2), None, None, None]
    assert [d.ignore for d in (flat, leans, emblem, hidden)] == [False] * 4
    assert rendered_die_with(seen=0.2).ignore


@pytest.mark.parametrize("lean_deg", [0.0, 38.0])
def test_a_die_without_visible_pips_is_blank_also_if_it_leans(lean_deg: float) -> None:
    assert is_blank(np.full_like(crop(), 255), rendered_die_with(lean_deg=lean_deg))
    assert not is_blank(crop(), rendered_die_with(lean_deg=lean_deg))


def test_pips_that_are_not_visible_have_no_contrast() -> None:
    assert pip_contrast(crop(), PIPS[:4], 4.0) > 100
    assert pip_contrast(np.full_like(crop(), 255), PIPS[:4], 4.0) == 0


def test_only_dice_with_a_known_normal_are_in_the_set_of_normals(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "table.png"), crop())
    known = rendered_die_with()
    unknown = (
        replace(known, normal_xy=None),
        replace(known, ignore=True),
        replace(known, box=(30, 30, 6, 6)),
    )
    dataset = normal_set(
        [Example(tmp_path / "table.png", (known, *unknown), "render")], tmp_path / "crops.npy"
    )
    assert len(dataset) == 1
    assert known.normal_xy is not None
    np.testing.assert_allclose(dataset.normal, [known.normal_xy])


def outputs_for(normal: list[float]) -> ClassifierOutput:
    """The outputs of a classifier that gives two dice this normal and log error."""
    return ClassifierOutput(torch.tensor([[0.0] * 18 + normal] * 2), torch.zeros(2, 1, 16, 16))


def targets(
    normal_xy: torch.Tensor | None = None, colour: torch.Tensor | None = None
) -> ClassifierTargets[torch.Tensor]:
    """Targets with these normals or colours and nothing else."""
    nothing = torch.zeros(0)
    return ClassifierTargets(
        nothing,
        nothing if colour is None else colour,
        nothing if normal_xy is None else normal_xy,
        nothing,
        nothing,
    )


def loss_of(*normal: float) -> float:
    """The loss of this output, for a die with the normal (0.3, -0.1) and a die with an unknown normal."""
    truth = torch.tensor([(0.3, -0.1), (np.nan, np.nan)])
    return float(normal_loss(outputs_for([*normal]), targets(normal_xy=truth)))


def test_the_loss_of_a_normal_falls_with_its_error_and_with_a_right_error_estimate() -> None:
    assert (
        loss_of(0.3, -0.1, -2.0)
        < loss_of(0.25, -0.1, -2.0)
        < loss_of(0.1, -0.1, -2.0)
        < loss_of(-0.3, 0.1, -2.0)
    )
    by_error = [loss_of(0.4, -0.1, log_error) for log_error in np.log([0.01, 0.03, 0.05, 0.1, 0.5])]
    assert by_error.index(min(by_error)) == 2  # half the distance is the likeliest spread in two directions


def test_training_a_part_changes_no_other_weights(tmp_path: Path) -> None:
    torch.manual_seed(1)
    net = ClassifierNet()
    run = Run(net, TrainConfig(steps=2), tmp_path, NORMAL)
    before = {name: weight.clone() for name, weight in net.state_dict().items()}
    net.eval()
    net.normal.train()
    run.take_step(net(torch.rand(4, 3, 64, 64))[0].square().sum())
    changed = {
        name.split(".")[0]
        for name, weight in net.state_dict().items()
        if not torch.equal(weight, before[name])
    }
    assert changed == {"normal"}
    averaged = run.average.module.state_dict()
    assert all(
        torch.equal(weight, before[name])
        for name, weight in averaged.items()
        if not name.startswith("normal")
    )


def test_training_colours_changes_no_output_for_faces_and_normals(tmp_path: Path) -> None:
    torch.manual_seed(1)
    net = ClassifierNet().eval()
    crops = torch.rand(8, 3, 64, 64) * 2 - 1
    run = Run(net, TrainConfig(steps=2, weight_decay=0.0), tmp_path, COLOUR_ROWS)
    before = net(crops)[0].detach().clone()
    for _ in range(2):
        run.take_step(colour_loss(run.net(crops), targets(colour=torch.arange(8) - 1)))
    after = run.net.eval()(crops)[0]
    assert torch.equal(after[:, :7], before[:, :7])
    assert torch.equal(after[:, 18:], before[:, 18:])
    assert not torch.equal(after[:, 7:18], before[:, 7:18])


def test_the_mean_of_nets_is_the_mean_of_their_weights() -> None:
    nets = [ClassifierNet() for _ in range(3)]
    mean_bias = torch.stack([net.out.bias for net in nets]).mean(0)
    assert torch.allclose(mean_weights(nets).out.bias, mean_bias, atol=1e-6)


def test_a_classifier_starts_with_the_stored_weights(tmp_path: Path) -> None:
    net = ClassifierNet().eval()
    write_floats(net, 0.7, tmp_path / FLOAT_FILE)
    restored = load_classifier(tmp_path)
    crops = torch.rand(4, 3, 64, 64) * 2 - 1
    assert torch.allclose(restored(crops)[0], net(crops)[0], atol=0.02)


def test_training_of_a_part_resumes_only_with_the_same_net_and_part(tmp_path: Path) -> None:
    torch.manual_seed(1)
    net = ClassifierNet()
    run = Run(net, TrainConfig(steps=2), tmp_path, NORMAL)
    net.eval()
    run.take_step(net(torch.rand(4, 3, 64, 64))[0].square().sum())
    run.save()
    restored = ClassifierNet()
    restored.load_state_dict(
        {**restored.state_dict(), **{k: v for k, v in net.state_dict().items() if not k.startswith(NORMAL)}}
    )
    assert Run(restored, TrainConfig(steps=2), tmp_path, NORMAL).step == 1
    assert all(
        torch.equal(a, b)
        for a, b in zip(restored.state_dict().values(), net.state_dict().values(), strict=True)
    )
    for other, part in ((ClassifierNet(), NORMAL), (restored, "")):
        with pytest.raises(ValueError, match="expected a run of this net"):
            Run(other, TrainConfig(steps=2), tmp_path, part)


def test_pictures_without_a_known_normal_are_refused(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "table.png"), crop())
    with pytest.raises(ValueError, match="none in 1 pictures"):
        normal_set(
            [Example(tmp_path / "table.png", (replace(rendered_die_with(), normal_xy=None),), "photo")]
        )


def test_training_without_its_inputs_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = str(tmp_path)
    ask = ["models.training.train", NORMAL, "--out", folder, "--renders", folder, "--simulated", folder]
    for more, sentence in (
        ([], "--of: expected the run"),
        (["--of", str(tmp_path / "none")], "none/last.pt"),
    ):
        monkeypatch.setattr("sys.argv", [*ask, *more])
        with pytest.raises(SystemExit, match=sentence):
            main()


def test_bfloat16_is_used_where_the_cpu_has_it() -> None:
    assert has_bfloat16("flags : avx2 avx512f avx512_bf16 amx_tile")
    assert has_bfloat16("Features : fp asimd bf16")
    assert not has_bfloat16("flags : avx2 avx512f avx512_vnni")
    assert not has_bfloat16("")
