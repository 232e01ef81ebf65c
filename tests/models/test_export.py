"""An exported net has the outputs of the trained one."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch", reason="training needs the train extra")
pytest.importorskip("onnx", reason="training needs the train extra")

import onnx
import torch

from models.training.export import (
    PatchDetector,
    TemperatureScaled,
    export,
    load_finished_classifier,
    write_floats,
)
from models.training.nets import ClassifierNet, DetectorNet, scale_pixels
from vision.reading.classifier import CROP_PX, OUTPUTS, normalised
from vision.reading.detector import PATCH_BYTES, SpaceToDepth
from vision.reading.nets import Net


def test_the_exported_8_bit_detector_agrees_with_the_trained_one(tmp_path: Path) -> None:
    torch.manual_seed(1)
    net = DetectorNet().eval()
    for module in net.modules():  # as after training: no layer's output vanishes
        if isinstance(module, torch.nn.BatchNorm2d):
            module.weight.data.uniform_(0.8, 1.6)
            module.bias.data.uniform_(-0.3, 0.3)
    rng = np.random.default_rng(2)
    coarse = torch.from_numpy(rng.uniform(0, 255, (8, 3, 6, 8))).float()
    pictures = torch.nn.functional.interpolate(coarse, (96, 128), mode="bicubic").clamp(0, 255).round().byte()
    patches = [SpaceToDepth()(np.ascontiguousarray(p.numpy().transpose(1, 2, 0))).copy() for p in pictures]
    with torch.no_grad():
        trained = np.concatenate([net(scale_pixels(p[None].float())) for p in pictures])
    patched = PatchDetector(net).eval()
    ranges = (normalised(p).transpose(0, 3, 1, 2) for p in patches)
    export(
        patched,
        torch.zeros(1, PATCH_BYTES, 24, 32),
        tmp_path / "detector.onnx",
        {2: "h", 3: "w"},
        ranges,
        takes_bytes=True,
    )
    exported = np.concatenate([Net(tmp_path / "detector.onnx")(p) for p in patches])
    assert exported.shape == trained.shape == (8, 20, 12, 16)
    assert np.corrcoef(exported.ravel(), trained.ravel())[0, 1] > 0.98
    error = np.abs(exported - trained).mean(axis=(0, 2, 3)) / trained.std(axis=(0, 2, 3))
    assert error.max() < 0.3


def test_the_last_layers_of_both_heads_of_the_classifier_stay_floats(tmp_path: Path) -> None:
    torch.manual_seed(1)
    net = TemperatureScaled(ClassifierNet(), 0.5).eval()
    crops = (
        np.random.default_rng(n).uniform(-1, 1, (4, 3, CROP_PX, CROP_PX)).astype(np.float32) for n in range(4)
    )
    export(net, torch.zeros(2, 3, CROP_PX, CROP_PX), tmp_path / "classifier.onnx", {0: "n"}, crops)
    exported = onnx.load(str(tmp_path / "classifier.onnx")).graph
    floats = {
        tuple(w.dims)
        for w in exported.initializer
        if w.data_type == onnx.TensorProto.FLOAT and len(w.dims) > 1
    }
    assert {(OUTPUTS - 3, 192), (3, 96)} <= floats
    assert (192, 32 * 64 + 128 + 256) not in floats
    assert Net(tmp_path / "classifier.onnx")(np.zeros((3, 3, CROP_PX, CROP_PX), np.float32)).shape == (
        3,
        OUTPUTS,
    )


def test_averaged_weights_can_be_exported(tmp_path: Path) -> None:
    """They are in a file, not in a run, and their nets had a trained normal head."""
    torch.manual_seed(2)
    net = ClassifierNet()
    write_floats(net, 0.5, tmp_path / "classifier.npz")
    loaded = load_finished_classifier(tmp_path)
    assert not loaded.training
    assert torch.allclose(loaded.out.weight, net.out.weight, atol=1e-3)
