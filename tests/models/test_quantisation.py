"""Weights of 7 bits: 16-bit sums saturate on no CPU, and the outputs of the net hardly change."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

from models.training.quantisation import MAX_WEIGHT, largest_weight, limit_weights, quantise_weights
from vision.reading.nets import Net

WEIGHTS = Path(__file__).parents[2] / "models"
LARGEST_ACTIVATION, LARGEST_SUM = 255, 2**15 - 1


def test_two_products_of_the_largest_weight_fit_into_16_bits() -> None:
    assert 2 * LARGEST_ACTIVATION * MAX_WEIGHT <= LARGEST_SUM


@pytest.mark.parametrize(
    "net", ["detector.onnx", "classifier.onnx", "stick_detector.onnx", "stick_classifier.onnx"]
)
def test_no_weight_that_ships_can_saturate(net: str) -> None:
    assert largest_weight(WEIGHTS / net) <= MAX_WEIGHT


def test_rounding_errors_of_correlated_inputs_cancel_each_other() -> None:
    rng = np.random.default_rng(1)
    inputs = rng.normal(0, 1, (4000, 3)) @ rng.normal(0, 1, (3, 24)) + rng.normal(0, 0.1, (4000, 24))
    weights = rng.normal(0, 1, (8, 24))
    scales = np.abs(weights).max(axis=1) / MAX_WEIGHT
    rounded_weights = quantise_weights(weights, scales, inputs.T @ inputs / len(inputs))
    nearest_weights = np.rint(weights / scales[:, None])
    assert np.array_equal(rounded_weights, np.rint(rounded_weights))
    assert np.abs(rounded_weights).max() <= MAX_WEIGHT

    def error(integers: np.ndarray) -> float:
        return float((((weights - integers * scales[:, None]) @ inputs.T) ** 2).mean())

    assert error(rounded_weights) < 0.3 * error(nearest_weights)


def test_a_net_with_limited_weights_has_nearly_the_same_outputs(tmp_path: Path) -> None:
    target, rng = tmp_path / "net.onnx", np.random.default_rng(2)
    net_of_8_bit(target, rng)
    pictures = [rng.normal(0, 0.4, (1, 4, 12, 12)).astype(np.float32) for _ in range(40)]
    before = np.concatenate([Net(target, in_floats=True)(p) for p in pictures[:8]])
    assert largest_weight(target) == 127
    limit_weights(target, pictures)
    after = np.concatenate([Net(target, in_floats=True)(p) for p in pictures[:8]])
    assert largest_weight(target) == MAX_WEIGHT
    assert np.abs(after - before).mean() < 0.02 * before.std()
    limit_weights(target, pictures)
    again = np.concatenate([Net(target, in_floats=True)(p) for p in pictures[:8]])
    assert np.abs(again - after).mean() < 0.01 * before.std(), "small weights are not rounded again"


def net_of_8_bit(target: Path, rng: np.random.Generator) -> None:
    """Writes a convolution of 3 x 3 with stride 2, 8 filters and a bias, in 8 bit, on 4 channels."""
    weights = rng.integers(-126, 127, (8, 4, 3, 3)).astype(np.int8)
    weights[:, 0, 0, 0] = 127
    scales = rng.uniform(0.001, 0.004, 8).astype(np.float32)
    scale = np.float32(1 / 64)
    constants = {
        "x_scale": scale, "x_zero": np.uint8(128),
        "w": weights, "w_scale": scales, "w_zero": np.zeros(8, np.int8),
        "b": rng.integers(-900, 900, 8).astype(np.int32),
        "b_scale": scales * scale, "b_zero": np.zeros(8, np.int32),
    }  # fmt: skip
    nodes = [
        helper.make_node("QuantizeLinear", ["pictures", "x_scale", "x_zero"], ["x8"]),
        helper.make_node("DequantizeLinear", ["x8", "x_scale", "x_zero"], ["x"]),
        helper.make_node("DequantizeLinear", ["w", "w_scale", "w_zero"], ["weights"], axis=0),
        helper.make_node("DequantizeLinear", ["b", "b_scale", "b_zero"], ["bias"], axis=0),
        helper.make_node(
            "Conv",
            ["x", "weights", "bias"],
            ["answers"],
            strides=[2, 2],
            pads=[1, 1, 1, 1],
            kernel_shape=[3, 3],
        ),
    ]
    graph = helper.make_graph(
        nodes, "net",
        [helper.make_tensor_value_info("pictures", TensorProto.FLOAT, [1, 4, 12, 12])],
        [helper.make_tensor_value_info("answers", TensorProto.FLOAT, [1, 8, 6, 6])],
        [numpy_helper.from_array(np.asarray(value), name) for name, value in constants.items()],
    )  # fmt: skip
    onnx.save(
        helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8), str(target)
    )
