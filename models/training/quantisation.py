"""Rounds the weights of an 8-bit net to 7 bits, so that every CPU computes the same answers.

x86 CPUs without VNNI multiply activations (0 to 255) by weights and add two adjacent products in 16 bits. The
sum saturates above 32767, and the net's output changes. Weights up to 64 prevent this: 2 * 255 * 64 = 32640.

Rounding every weight to the nearest 7-bit step costs accuracy. So a layer's weights are rounded input by
input. The weights of the remaining inputs compensate the error, as far as the inputs correlate on real
pictures (GPTQ: Frantar et al., "Accurate Post-Training Quantization for Generative Pre-trained Transformers",
2022). The bias compensates the mean of the remaining error.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import helper, numpy_helper

from vision.reading.nets import runtime

MAX_WEIGHT = 64
"""Largest absolute value of a weight that cannot saturate."""
LAYERS = ("Conv", "Gemm", "MatMul")
"""Operators with weights."""
WINDOWS = 250
"""Windows sampled from each of a convolution's input tensors."""
DAMPING = 0.01
"""Share of the mean second moment added to the diagonal, so that inputs that are mostly 0 can be inverted."""

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Layer:
    """An operator with 8-bit weights, and the graph names of its constants; bias: empty if not in 8 bit."""

    node: onnx.NodeProto
    weight: str
    scales: str
    bias: str = ""
    bias_scales: str = ""

    @property
    def input(self) -> str:
        """The name of its input tensor."""
        return str(self.node.input[0])

    @property
    def transposed(self) -> bool:
        """True if the weights are (inputs, outputs) instead of (outputs, inputs)."""
        return self.node.op_type != "Conv" and not any(
            a.name == "transB" and a.i for a in self.node.attribute
        )


@dataclass
class InputMoments:
    """Statistics of a layer's inputs: their mean (k,) and their uncentred second moments (k, k)."""

    mean: Floats
    second_moments: Floats


def quantised_layers(graph: onnx.GraphProto) -> list[Layer]:
    """All operators of the graph with 8-bit weights."""
    constants = {i.name for i in graph.initializer}
    stored = {
        n.output[0]: n for n in graph.node if n.op_type == "DequantizeLinear" and n.input[0] in constants
    }
    found = []
    for node in graph.node:
        if node.op_type in LAYERS and node.input[1] in stored:
            weight = stored[node.input[1]]
            bias = stored.get(node.input[2]) if len(node.input) > 2 else None
            found.append(Layer(node, *weight.input[:2], *(bias.input[:2] if bias else ())))
    return found


def largest_weight(model: Path) -> int:
    """The largest absolute value of the 8-bit weights of the net in this file."""
    graph = onnx.load(str(model)).graph
    values = _constants(graph)
    return max(int(np.abs(values[layer.weight].astype(int)).max()) for layer in quantised_layers(graph))


def limit_weights(model: Path, inputs: Sequence[NDArray[Any]]) -> None:
    """Rewrites the 8-bit net in this file so that no weight exceeds MAX_WEIGHT. inputs: calibration data."""
    net = onnx.load(str(model))
    layers = quantised_layers(net.graph)
    values = _constants(net.graph)
    moments = input_moments(net, layers, values, inputs)
    for layer in layers:
        _quantise_layer(layer, values, moments[layer.input, layer.weight])
    for constant in net.graph.initializer:
        constant.CopyFrom(numpy_helper.from_array(np.array(values[constant.name], order="C"), constant.name))
    onnx.checker.check_model(net)
    onnx.save(net, str(model))


def _constants(graph: onnx.GraphProto) -> dict[str, NDArray[Any]]:
    return {i.name: numpy_helper.to_array(i) for i in graph.initializer}


def _quantise_layer(layer: Layer, values: dict[str, NDArray[Any]], moments: InputMoments) -> None:
    """Replaces the layer's weights, its bias and their scales in `values`."""
    stored = values[layer.weight].T if layer.transposed else values[layer.weight]
    old_scales = values[layer.scales].astype(np.float64)
    bias_scales = values.get(layer.bias_scales, np.zeros(0)).astype(np.float64)
    scale_factor = 2.0 if np.abs(stored.astype(int)).max() > MAX_WEIGHT else 1.0
    scales = np.broadcast_to(old_scales * scale_factor, (len(stored),))
    weights = stored.reshape(len(stored), -1) * np.broadcast_to(old_scales, (len(stored),))[:, None]
    integers = quantise_weights(weights, scales, moments.second_moments)
    reshaped = integers.astype(np.int8).reshape(stored.shape)
    values[layer.weight] = reshaped.T if layer.transposed else reshaped
    values[layer.scales] = (old_scales * scale_factor).astype(np.float32)
    if layer.bias:
        bias = values[layer.bias] * bias_scales + (weights - integers * scales[:, None]) @ moments.mean
        values[layer.bias_scales] = (bias_scales * scale_factor).astype(np.float32)
        values[layer.bias] = np.rint(bias / (bias_scales * scale_factor)).astype(np.int32)


def quantise_weights(weights: Floats, scales: Floats, second_moments: Floats) -> Floats:
    """Weights (n, k) as integers up to MAX_WEIGHT, in units of `scales` (n,).

    second_moments: of the inputs, uncentred, (k, k).
    """
    k = len(second_moments)
    order = np.argsort(
        -np.diag(second_moments)
    )  # the strongest inputs first, while all others can compensate
    damped = second_moments[np.ix_(order, order)] + DAMPING * np.trace(second_moments) / k * np.eye(k)
    upper = np.linalg.cholesky(np.linalg.inv(damped)).T
    remaining, integers = weights[:, order], np.empty_like(weights)
    for i in range(k):
        integers[:, i] = np.clip(np.rint(remaining[:, i] / scales), -MAX_WEIGHT, MAX_WEIGHT)
        error = (remaining[:, i] - integers[:, i] * scales) / upper[i, i]
        remaining[:, i + 1 :] -= np.outer(error, upper[i, i + 1 :])
    return integers[:, np.argsort(order)]


def input_moments(
    net: onnx.ModelProto,
    layers: Sequence[Layer],
    values: Mapping[str, NDArray[Any]],
    inputs: Sequence[NDArray[Any]],
    seed: int = 1,
) -> dict[tuple[str, str], InputMoments]:
    """Input statistics of each layer over these net inputs, by the names of the layer's input and weights."""
    rng = np.random.default_rng(seed)
    moments: dict[tuple[str, str], InputMoments] = {}
    for n, activations in enumerate(_activations(net, [layer.input for layer in layers], inputs)):
        for layer in layers:
            shape = values[layer.weight].shape
            rows = _rows(layer.node, activations[layer.input], shape, rng).astype(np.float64)
            mean, products = rows.mean(axis=0), rows.T @ rows / len(rows)
            running = moments.setdefault((layer.input, layer.weight), InputMoments(mean * 0, products * 0))
            running.mean += (mean - running.mean) / (n + 1)
            running.second_moments += (products - running.second_moments) / (n + 1)
    return moments


def _activations(
    net: onnx.ModelProto,
    names: Sequence[str],
    inputs: Sequence[NDArray[Any]],
) -> Iterator[dict[str, NDArray[Any]]]:
    """Yields the tensors of these names for each input of the net, computed in floats."""
    onnxruntime, outputs = runtime(), sorted(set(names))
    probe = copy.deepcopy(net)
    probe.graph.output.extend(
        helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, None) for name in outputs
    )
    options = onnxruntime.SessionOptions()
    # Optimisation would lose the names.
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    session = onnxruntime.InferenceSession(
        probe.SerializeToString(), options, providers=["CPUExecutionProvider"]
    )
    input_name = session.get_inputs()[0].name
    for one in inputs:
        yield dict(zip(outputs, session.run(outputs, {input_name: one}), strict=True))


def _rows(
    node: onnx.NodeProto,
    activations: NDArray[Any],
    shape: tuple[int, ...],
    rng: np.random.Generator,
) -> NDArray[Any]:
    """Input rows (n, k) of this layer, one per output position: all, or WINDOWS samples of a convolution."""
    if node.op_type != "Conv":
        return activations.reshape(len(activations), -1)
    attributes_by_name = {a.name: list(a.ints) for a in node.attribute}
    stride_y, stride_x = attributes_by_name.get("strides", [1, 1])
    top, left, bottom, right = attributes_by_name.get("pads", [0] * 4)
    padded = np.pad(activations, ((0, 0), (0, 0), (top, bottom), (left, right)))
    windows = np.lib.stride_tricks.sliding_window_view(padded, shape[2:], (2, 3))
    windows = windows[:, :, ::stride_y, ::stride_x]
    batch, _, h, w = windows.shape[:4]
    sampled = (
        rng.integers(batch, size=WINDOWS),
        rng.integers(h, size=WINDOWS),
        rng.integers(w, size=WINDOWS),
    )
    return np.asarray(windows[sampled[0], :, sampled[1], sampled[2]]).reshape(WINDOWS, -1)
