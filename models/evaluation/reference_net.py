"""Makes reference_net.onnx, a net of YOLO11n's size to compare with.

    python -m models.evaluation.reference_net

YOLO11n is the usual choice for object detection in camera pictures. The reference net has its layers, 2.6 M
weights and 6.5 GFLOP at 640 x 640 px (Ultralytics' yolo11.yaml at scale n, 80 classes), but detects nothing.
All weights of a layer are one number. A ConstantOfShape node generates them, so the file has some tens of kB.
onnxruntime folds these nodes into weights when it loads the net, and multiplies by them as by any others.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from models import WEIGHTS

SIDE = 640
"""Width and height of the input, px; the output maps have strides of 8, 16 and 32."""
CLASSES, BINS = 80, 16
"""Class scores per cell, and bins of the distribution whose mean gives each of a box's four sides."""
CELLS = sum((SIDE // stride) ** 2 for stride in (8, 16, 32))
BIAS = 0.1
"""Bias that keeps the activations well above the smallest floats, which are slow."""
WEIGHT_STEP = 1e-4
"""Relative step of the weights from node to node: onnxruntime would run identical convolutions only once."""

NEAREST = {"mode": "nearest", "coordinate_transformation_mode": "asymmetric", "nearest_mode": "floor"}
"""Attributes of Resize: nearest neighbour."""
OPSET, IR_VERSION = 17, 8
"""Versions old enough for every onnxruntime that Brehon runs with."""


class Graph:
    """An ONNX graph builder. Each method adds nodes and returns the name of their output.

    x is the name of the input. Channel counts are arguments.
    """

    def __init__(self) -> None:
        self.nodes: list[onnx.NodeProto] = []
        self.constants: dict[str, onnx.TensorProto] = {}

    def op(self, kind: str, *inputs: str, outputs: int = 1, **attributes: Any) -> list[str]:
        names = [f"{kind}{len(self.nodes)}" + (f".{k}" if outputs > 1 else "") for k in range(outputs)]
        self.nodes.append(helper.make_node(kind, list(inputs), names, **attributes))
        return names

    def add(self, kind: str, *inputs: str, **attributes: Any) -> str:
        return self.op(kind, *inputs, **attributes)[0]

    def numbers(self, *values: int) -> str:
        """The name of a constant (n,) int64; equal constants are stored once."""
        name = "n" + "_".join(map(str, values))
        self.constants.setdefault(name, numpy_helper.from_array(np.array(values, np.int64), name))
        return name

    def filled(self, shape: Sequence[int], value: float) -> str:
        """A weight of this shape filled with `value`; it takes no space in the file."""
        return self.add(
            "ConstantOfShape",
            self.numbers(*shape),
            value=helper.make_tensor("v", TensorProto.FLOAT, [1], [value]),
        )

    def conv(
        self, x: str, in_channels: int, out_channels: int, kernel: int = 1, stride: int = 1, groups: int = 1
    ) -> str:
        """A convolution without activation."""
        fan_in = in_channels // groups * kernel**2
        scale = 1 + len(self.nodes) * WEIGHT_STEP
        weights = self.filled((out_channels, in_channels // groups, kernel, kernel), scale / fan_in)
        biases = self.filled((out_channels,), BIAS * scale)
        shape: dict[str, Any] = {
            "kernel_shape": [kernel] * 2,
            "strides": [stride] * 2,
            "pads": [kernel // 2] * 4,
        }
        return self.add("Conv", x, weights, biases, **shape, group=groups)

    def block(
        self, x: str, in_channels: int, out_channels: int, kernel: int = 1, stride: int = 1, groups: int = 1
    ) -> str:
        """A convolution followed by SiLU."""
        y = self.conv(x, in_channels, out_channels, kernel, stride, groups)
        return self.add("Mul", y, self.add("Sigmoid", y))

    def joined(self, *xs: str) -> str:
        return self.add("Concat", *xs, axis=1)

    def split(self, x: str, *channels: int, axis: int = 1) -> list[str]:
        return self.op("Split", x, self.numbers(*channels), outputs=len(channels), axis=axis)

    def bottleneck(self, x: str, channels: int, expansion: float = 0.5) -> str:
        inner = int(channels * expansion)
        return self.add("Add", x, self.block(self.block(x, channels, inner, 3), inner, channels, 3))

    def c3k(self, x: str, channels: int) -> str:
        half = channels // 2
        y = self.block(x, channels, half)
        for _ in range(2):
            y = self.bottleneck(y, half, 1.0)
        return self.block(self.joined(y, self.block(x, channels, half)), 2 * half, channels)

    def c3k2(self, x: str, in_channels: int, out_channels: int, deep: bool, expansion: float = 0.5) -> str:
        inner = int(out_channels * expansion)
        first_part, last = self.split(self.block(x, in_channels, 2 * inner), inner, inner)
        more = self.c3k(last, inner) if deep else self.bottleneck(last, inner)
        return self.block(self.joined(first_part, last, more), 3 * inner, out_channels)

    def sppf(self, x: str, channels: int) -> str:
        pooled = [self.block(x, channels, channels // 2)]
        for _ in range(3):
            pooled.append(self.add("MaxPool", pooled[-1], kernel_shape=[5, 5], strides=[1, 1], pads=[2] * 4))
        return self.block(self.joined(*pooled), 2 * channels, channels)

    def attention(self, x: str, channels: int, cells: int, heads: int = 2) -> str:
        """x + self-attention over all cells of a map of side x side = cells."""
        value_size, key_size, side = channels // heads, channels // heads // 2, int(cells**0.5)
        shape = self.numbers(1, heads, value_size + 2 * key_size, cells)
        flat = self.add("Reshape", self.conv(x, channels, 2 * channels), shape)
        q, k, v = self.split(flat, key_size, key_size, value_size, axis=2)
        scores = self.add("MatMul", self.add("Transpose", q, perm=[0, 1, 3, 2]), k)
        weights = self.add("Softmax", self.add("Mul", scores, self.scalar(key_size**-0.5)), axis=-1)
        context = self.add("MatMul", v, self.add("Transpose", weights, perm=[0, 1, 3, 2]))
        as_map = self.numbers(1, channels, side, side)
        position = self.conv(self.add("Reshape", v, as_map), channels, channels, 3, groups=channels)
        attended = self.add("Add", self.add("Reshape", context, as_map), position)
        return self.add("Add", x, self.conv(attended, channels, channels))

    def c2psa(self, x: str, channels: int, cells: int) -> str:
        half = channels // 2
        first_part, y = self.split(self.block(x, channels, channels), half, half)
        y = self.attention(y, half, cells)
        y = self.add("Add", y, self.conv(self.block(y, half, channels), channels, half))
        return self.block(self.joined(first_part, y), channels, channels)

    def upsample(self, x: str) -> str:
        """x upsampled to twice its width and height by nearest neighbour."""
        name = "twice"
        self.constants.setdefault(name, numpy_helper.from_array(np.array([1, 1, 2, 2], np.float32), name))
        return self.add("Resize", x, "", name, **NEAREST)

    def scalar(self, value: float) -> str:
        name = f"scalar{value:.6g}"
        self.constants.setdefault(name, numpy_helper.from_array(np.array(value, np.float32), name))
        return name

    def head(self, x: str, channels: int) -> str:
        """The output of one map, (1, 4 * BINS + CLASSES, cells)."""
        box = self.conv(self.block(self.block(x, channels, 64, 3), 64, 64, 3), 64, 4 * BINS)
        y = self.block(self.block(x, channels, channels, 3, groups=channels), channels, CLASSES)
        y = self.block(self.block(y, CLASSES, CLASSES, 3, groups=CLASSES), CLASSES, CLASSES)
        both = self.joined(box, self.conv(y, CLASSES, CLASSES))
        return self.add("Reshape", both, self.numbers(1, 4 * BINS + CLASSES, -1))

    def output(self, heads: Sequence[str]) -> str:
        """The net's output, (1, 4 + CLASSES, CELLS): sides as the mean of their bins, and class scores."""
        box, classes = self.split(self.add("Concat", *heads, axis=2), 4 * BINS, CLASSES)
        bins = self.add("Softmax", self.add("Reshape", box, self.numbers(1, 4, BINS, CELLS)), axis=2)
        name = "bin_positions"
        self.constants[name] = numpy_helper.from_array(
            np.arange(BINS, dtype=np.float32).reshape(1, 1, BINS, 1), name
        )
        sides = self.add("ReduceSum", self.add("Mul", bins, name), self.numbers(2), keepdims=0)
        return self.joined(sides, self.add("Sigmoid", classes))


def reference_net() -> onnx.ModelProto:
    """The net: pictures (1, 3, 640, 640) float32 -> outputs (1, 84, 8400) float32."""
    g = Graph()
    x = g.block(g.block("pictures", 3, 16, 3, 2), 16, 32, 3, 2)
    x = g.block(g.c3k2(x, 32, 64, deep=False, expansion=0.25), 64, 64, 3, 2)
    eighth = g.c3k2(x, 64, 128, deep=False, expansion=0.25)
    sixteenth = g.c3k2(g.block(eighth, 128, 128, 3, 2), 128, 128, deep=True)
    x = g.c3k2(g.block(sixteenth, 128, 256, 3, 2), 256, 256, deep=True)
    last = g.c2psa(g.sppf(x, 256), 256, (SIDE // 32) ** 2)

    up = g.c3k2(g.joined(g.upsample(last), sixteenth), 384, 128, deep=False)
    small = g.c3k2(g.joined(g.upsample(up), eighth), 256, 64, deep=False)
    middle = g.c3k2(g.joined(g.block(small, 64, 64, 3, 2), up), 192, 128, deep=False)
    large = g.c3k2(g.joined(g.block(middle, 128, 128, 3, 2), last), 384, 256, deep=True)
    output = g.output([g.head(small, 64), g.head(middle, 128), g.head(large, 256)])

    pictures = helper.make_tensor_value_info("pictures", TensorProto.FLOAT, [1, 3, SIDE, SIDE])
    output_info = helper.make_tensor_value_info(output, TensorProto.FLOAT, [1, 4 + CLASSES, CELLS])
    graph = helper.make_graph(g.nodes, "reference_net", [pictures], [output_info], list(g.constants.values()))
    return helper.make_model(
        graph, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=IR_VERSION, producer_name="brehon"
    )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--out", type=Path, default=WEIGHTS / "reference_net.onnx")
    target = parser.parse_args().out
    model = reference_net()
    onnx.checker.check_model(model, full_check=True)
    target.write_bytes(model.SerializeToString())
    print(f"{target}: {target.stat().st_size / 1e3:.0f} kB")


if __name__ == "__main__":
    main()
