"""Float nets from the shipped 8-bit ones: they compute the same, also as training sees them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

pytest.importorskip("torch", reason="training needs the train extra")
pytest.importorskip("onnx", reason="training needs the train extra")

import torch

from models import WEIGHTS
from models.training.restored import layers_of, restored
from models.training.stick_nets import StickClassifierNet, StickDetectorNet
from vision.reading.nets import Net
from vision.reading.stick_classifier import CHANNELS, CROP_WH
from vision.reading.stick_reader import CLASSIFIER_FILE, DETECTOR_FILE

NETS: dict[str, tuple[Any, str, tuple[int, ...]]] = {
    "detector": (StickDetectorNet, DETECTOR_FILE, (3, 96, 128)),
    "classifier": (StickClassifierNet, CLASSIFIER_FILE, (CHANNELS, CROP_WH[1], CROP_WH[0])),
}


def smooth_inputs(count: int, shape: tuple[int, ...], seed: int) -> NDArray[Any]:
    """(count, *shape) float32, -1 to 1: noise of several sizes, as pictures have."""
    rng = np.random.default_rng(seed)
    channels, h, w = shape
    total = np.zeros((count, *shape), np.float32)
    for size in (2, 8, 32):
        coarse = rng.uniform(-0.4, 0.4, (count, channels, -(-h // size), -(-w // size)))
        total += np.kron(coarse, np.ones((1, 1, size, size)))[:, :, :h, :w].astype(np.float32)
    return np.clip(total, -1, 1)


@pytest.mark.parametrize("kind", NETS)
def test_it_computes_what_the_8_bit_net_does(kind: str) -> None:
    net_type, file, shape = NETS[kind]
    seen = [torch.from_numpy(smooth_inputs(16, shape, seed)) for seed in range(4)]
    net = restored(net_type(), WEIGHTS / file, seen)
    one = smooth_inputs(1, shape, 9)
    with torch.no_grad():
        floats = net(torch.from_numpy(one)).numpy().ravel()
    assert np.corrcoef(floats, np.asarray(Net(WEIGHTS / file)(one)).ravel())[0, 1] > 0.99


@pytest.mark.parametrize("kind", NETS)
def test_its_statistics_are_those_of_the_inputs(kind: str) -> None:
    net_type, file, shape = NETS[kind]
    batch = torch.from_numpy(smooth_inputs(64, shape, 1))
    net = restored(net_type(), WEIGHTS / file, [batch])
    torch.manual_seed(1)
    with torch.no_grad():
        expected = net(batch)
        for module in net.modules():
            module.train(isinstance(module, torch.nn.BatchNorm2d))
        trained = net(batch)
    assert torch.allclose(trained, expected, atol=0.05)


def test_a_file_of_another_net_is_refused() -> None:
    with pytest.raises(ValueError, match=r"expected the layers of StickDetectorNet in .*, found"):
        restored(StickDetectorNet(), WEIGHTS / CLASSIFIER_FILE, [])


def test_layers_have_the_names_of_their_modules() -> None:
    names = {name for name, m in StickDetectorNet().named_modules() if isinstance(m, torch.nn.Conv2d)}
    assert set(layers_of(WEIGHTS / DETECTOR_FILE)) == names
