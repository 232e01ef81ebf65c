"""Float nets that compute what shipped 8-bit ones do, to train these further.

The export merges each batch normalisation into the convolution before it. Training needs it back: here it
gets the statistics of the convolution's output over given inputs, and the scale and shift that leave the
output as it was. What rounding to 8 bits cost, training repairs within some hundred steps.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from pathlib import Path
from typing import TypeVar

import numpy as np
import onnx
import torch
from onnx import numpy_helper
from torch import Tensor, nn

from models.training.quantisation import LAYERS

AnyNet = TypeVar("AnyNet", bound=nn.Module)
Constants = dict[str, np.ndarray]
WRAPPER = "net"
"""Name of the trained net within a module that scales its output, as models.training.export writes it."""


def restored(net: AnyNet, model: Path, inputs: Iterable[Tensor]) -> AnyNet:
    """The net with the weights of the 8-bit net in this file, in evaluation mode.

    inputs: float batches, as the net takes them, for the statistics of the batch normalisations.
    ValueError: the file has a layer that the net lacks.
    """
    net.eval()
    normalised = _normalised(net)
    for name, (weight, bias) in layers_of(model).items():
        layer = dict(net.named_modules()).get(name)
        if not isinstance(layer, nn.Conv2d | nn.Linear) or layer.weight.shape != weight.shape:
            raise ValueError(f"expected the layers of {type(net).__name__} in {model}, found {name}")
        layer.weight.data = torch.from_numpy(weight)
        norm = normalised.get(name)
        if norm is not None:
            norm.running_mean, norm.running_var = torch.zeros(len(bias)), torch.ones(len(bias)) - norm.eps
            norm.weight.data, norm.bias.data = torch.ones(len(bias)), torch.from_numpy(bias)
        elif layer.bias is not None:
            layer.bias.data = torch.from_numpy(bias)
    _take_statistics(net, list(normalised.values()), inputs)
    return net


def layers_of(model: Path) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """Weights and bias, float32, of the layers of the 8-bit net in this file, by their modules' names."""
    graph = onnx.load(str(model)).graph
    values: Constants = {i.name: numpy_helper.to_array(i) for i in graph.initializer}
    for node in graph.node:
        if node.op_type == "DequantizeLinear" and node.input[0] in values:
            values[node.output[0]] = _dequantised(*(values[name] for name in node.input[:2]))
    return {
        _module_of(node.name): (np.array(values[node.input[1]]), np.array(values[node.input[2]]))
        for node in graph.node
        if node.op_type in LAYERS
    }


def _dequantised(stored: np.ndarray, scales: np.ndarray) -> np.ndarray:
    """Symmetrically quantised integers (n, ...) as floats; scales: one, or one for each of the n outputs."""
    shape = (-1,) + (1,) * (stored.ndim - 1)
    return np.asarray(stored.astype(np.float32) * scales.reshape(shape), np.float32)


def _module_of(node: str) -> str:
    """/net/to8/to8.1/first/first.0/Conv -> to8.1.first.0: each part may begin with the one before it."""
    parts: list[str] = []
    for part in node.strip("/").split("/")[:-1]:
        if parts and part.startswith(f"{parts[-1]}."):
            parts.pop()
        parts.append(part)
    return ".".join(parts).removeprefix(f"{WRAPPER}.")


def _normalised(net: nn.Module) -> dict[str, nn.BatchNorm2d]:
    """The batch normalisation behind each convolution, by the convolution's name."""
    modules = [(name, m) for name, m in net.named_modules() if isinstance(m, nn.Conv2d | nn.BatchNorm2d)]
    pairs = pairwise(modules)
    return {name: after for (name, _), (_, after) in pairs if isinstance(after, nn.BatchNorm2d)}


def _take_statistics(net: nn.Module, norms: list[nn.BatchNorm2d], inputs: Iterable[Tensor]) -> None:
    """Gives the normalisations, which only shift yet, their inputs' mean and variance.

    The net's output stays as it is.
    """
    sums = {norm: [torch.zeros(norm.num_features) for _ in range(2)] for norm in norms}
    counts = dict.fromkeys(norms, 0)

    def note(norm: nn.Module, args: tuple[Tensor, ...]) -> None:
        assert isinstance(norm, nn.BatchNorm2d)
        (x,) = args
        counts[norm] += x.numel() // norm.num_features
        for total, power in zip(sums[norm], (1, 2), strict=True):
            total += (x**power).sum((0, 2, 3))

    hooks = [norm.register_forward_pre_hook(note) for norm in norms]
    with torch.no_grad():
        for batch in inputs:
            net(batch)
    for hook in hooks:
        hook.remove()
    for norm in norms:
        mean, square = (total / counts[norm] for total in sums[norm])
        variance = (square - mean**2).clamp(min=1e-6)
        norm.running_mean, norm.running_var = mean, variance
        norm.bias.data = norm.bias.data + mean
        norm.weight.data = (variance + norm.eps).sqrt()
