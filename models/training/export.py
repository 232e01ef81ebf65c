"""Exports trained nets as the weights that ship:

    python -m models.training.export --classifier runs/classifier --detector runs/detector --photos PHOTOS

The export uses the averaged weights and folds in the batch norms. A temperature divides the face logits. It
is fitted for calibrated probabilities on pictures outside the training set. All layers but the first and the
last become 8-bit: activations 0..255 per tensor, weights -64..64 per channel (models/training/rounding.py),
ranges from training pictures. This takes a third of the time and a quarter of the size.

The classifier's first layer stays in floats, as its three channels would be slower in 8 bit. The detector's
first layer is 8-bit and takes patches of 48 bytes as the camera gives them. The last layers and all that
follows stay in floats: logits reach 25, and 256 steps of 0.2 would limit a direction to 11 degrees.
"""

from __future__ import annotations

import argparse
import copy
import logging
import tempfile
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import torch
from torch import Tensor, nn

from models import WEIGHTS
from models.training.data import CROP_STORED, STORED_SPAN, CropSet, Example, crop_set, examples_in, photo_examples, rendered_examples
from models.training.nets import COLOUR_ROWS, FLOAT_FILE, NORMAL, ClassifierNet, DetectorNet, averaged_net
from models.training.rounding import LAYERS, limit_weights
from vision.classifier import CROP_PX, OUTPUTS, VIEWS, crop_square, normalised
from vision.detector import LONG_SIDE, PATCH_BYTES, SpaceToDepth, downscaled
from vision.nets import runtime

if TYPE_CHECKING:
    import onnx

RANGE_PICTURES, RANGE_CROPS = 160, 2048
"""Numbers of training pictures and crops that calibrate the ranges of the 8-bit layers."""


class TemperatureScaled(nn.Module):
    """The classifier without its pip output, with the face logits divided by a temperature."""

    def __init__(self, net: ClassifierNet, temperature: float) -> None:
        super().__init__()
        self.net = net
        self.register_buffer("scale", torch.cat([torch.full((7,), 1 / temperature), torch.ones(OUTPUTS - 7)]))

    def forward(self, crops: Tensor) -> Tensor:
        return self.net(crops)[0] * self.scale


class PatchDetector(nn.Module):
    """The detector on patches (1, 48, H/4, W/4), -1..1, laid out by vision.detector. Its first layer is 1 x 1."""

    def __init__(self, net: DetectorNet) -> None:
        super().__init__()
        self.net, first = copy.deepcopy(net), net.to4[0]
        ordered = first.weight.data.permute(0, 2, 3, 1).reshape(len(first.weight), -1, 1, 1)  # row, column, channel of a patch
        self.net.to4[0] = nn.Conv2d(ordered.shape[1], ordered.shape[0], 1, bias=False)
        self.net.to4[0].weight.data = ordered

    def forward(self, patches: Tensor) -> Tensor:
        return self.net(patches)


def views_of(stored: np.ndarray) -> np.ndarray:
    """The views (views, 3, 64, 64) float32 of a stored crop (112, 112, 3), cut as the reader cuts them."""
    middle = CROP_STORED / 2
    cuts = [crop_square(stored, middle, middle, CROP_STORED * span / STORED_SPAN, CROP_PX, turn) for turn, span in VIEWS]
    return normalised(np.stack(cuts).transpose(0, 3, 1, 2))


def view_logits(net: nn.Module, crops: np.ndarray) -> Tensor:
    """Face logits (n, views, 7) of stored crops (n, 112, 112, 3), in the reader's views."""
    with torch.no_grad():
        return torch.stack([net(torch.from_numpy(views_of(c)))[0][:, :7] for c in crops])


def fitted_temperature(logits: Tensor, faces: Tensor) -> float:
    """The temperature of least cross-entropy of the mean probabilities, by grid search. faces: (n,) 0-6."""
    grid = torch.linspace(0.4, 4, 73)
    losses = [-(logits / t).softmax(2).mean(1).clamp(min=1e-9)[torch.arange(len(faces)), faces].log().mean() for t in grid]
    return float(grid[int(torch.stack(losses).argmin())])


def temperature_of(net: nn.Module, photos: Path | None, renders: Path | None) -> float:
    """The temperature fitted on held-out photographs of known rigs and on held-out renders; one is required."""
    examples = (photo_examples(photos, held_out=True) if photos else []) + (rendered_examples(renders) if renders else [])
    stored = crop_set(examples)
    known = stored.face > 0
    logits = view_logits(net, stored.crops[known])
    faces = torch.from_numpy(stored.face[known] - 1)
    right = float((logits.softmax(2).mean(1).argmax(1) == faces).float().mean())
    temperature = fitted_temperature(logits, faces)
    print(f"held out: {int(known.sum())} crops, {100 * right:.2f} % right, temperature {temperature:.2f}")
    return temperature


def export(
    net: nn.Module, example: Tensor, target: Path, free: dict[int, str], inputs: Iterator[np.ndarray], of_bytes: bool = False
) -> None:
    """Writes the net in 8 bit. inputs: calibration data. of_bytes: input as bytes, channels last, 0..255 = -1..1."""
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        whole = Path(folder) / "whole.onnx"
        torch.onnx.export(
            net, (example,), str(whole), input_names=["pictures"], output_names=["answers"],
            dynamic_axes={"pictures": free}, opset_version=17, dynamo=False,
        )  # fmt: skip
        in_8_bit(whole, target, inputs, of_bytes)
    print(f"{target}: {target.stat().st_size / 1e6:.2f} MB")


def write_floats(net: nn.Module, temperature: float, target: Path) -> None:
    """Writes the net's weights as 16-bit floats, for further training by models.training.tune."""
    arrays = {k: v.numpy().astype(np.float16) for k, v in net.state_dict().items() if v.is_floating_point()}
    np.savez_compressed(target, temperature=np.float32(temperature), **arrays)
    print(f"{target}: {target.stat().st_size / 1e6:.2f} MB")


def last_nodes(graph: onnx.GraphProto) -> list[str]:
    """Names of the last layers with weights before the outputs, and of all nodes after them."""
    makers = {name: node for node in graph.node for name in node.output}
    open_, last = [o.name for o in graph.output], []
    while open_:
        maker = makers.get(open_.pop())
        if maker is None:
            continue
        last.append(maker.name)
        if maker.op_type not in LAYERS:
            open_ += maker.input
    return last


def in_8_bit(whole: Path, target: Path, inputs: Iterator[np.ndarray], of_bytes: bool) -> None:
    import onnx

    runtime()  # must be first, before a part of it is loaded
    from onnxruntime.quantization import CalibrationDataReader, QuantFormat, QuantType, quantize_static
    from onnxruntime.quantization.shape_inference import quant_pre_process

    seen = list(inputs)
    left = iter(seen)

    class Inputs(CalibrationDataReader):  # type: ignore[misc]
        def get_next(self) -> dict[str, np.ndarray] | None:
            one = next(left, None)
            return None if one is None else {"pictures": one}

    logging.disable(logging.WARNING)
    ready = whole.with_name("ready.onnx")
    quant_pre_process(str(whole), str(ready), skip_symbolic_shape=True)
    graph = onnx.load(str(ready)).graph
    not_quantised = last_nodes(graph)
    if not of_bytes:
        first = next(n for n in graph.node if n.op_type in LAYERS)
        not_quantised += [first.name, *(n.name for n in graph.node if n.op_type == "Relu" and n.input[0] in first.output)]
    quantize_static(
        str(ready), str(target), Inputs(), quant_format=QuantFormat.QDQ, per_channel=True,
        activation_type=QuantType.QUInt8, weight_type=QuantType.QInt8, nodes_to_exclude=not_quantised,
    )  # fmt: skip
    logging.disable(logging.NOTSET)
    limit_weights(target, seen)
    if of_bytes:
        take_bytes(target)


def take_bytes(target: Path) -> None:
    """Rewrites the net in this file to take bytes, channels last, instead of quantising floats first."""
    import onnx
    from onnx import TensorProto, helper, numpy_helper

    model = onnx.load(str(target))
    graph, taken = model.graph, model.graph.input[0]
    first = next(n for n in graph.node if n.op_type == "QuantizeLinear" and n.input[0] == taken.name)
    for name, value in ((first.input[1], np.float32(1 / 128)), (first.input[2], np.uint8(128))):
        next(i for i in graph.initializer if i.name == name).CopyFrom(numpy_helper.from_array(np.array(value), name))
    dims = [d.dim_value or d.dim_param for d in taken.type.tensor_type.shape.dim]
    taken.CopyFrom(helper.make_tensor_value_info(taken.name, TensorProto.UINT8, [dims[0], dims[2], dims[3], dims[1]]))
    first.CopyFrom(helper.make_node("Transpose", [taken.name], [first.output[0]], perm=[0, 3, 1, 2]))
    onnx.save(model, str(target))


def detector_inputs(examples: list[Example]) -> Iterator[np.ndarray]:
    layout = SpaceToDepth()
    for n in np.random.default_rng(3).permutation(len(examples))[:RANGE_PICTURES]:
        yield normalised(layout(downscaled(examples[int(n)].picture(), LONG_SIDE)[0])).transpose(0, 3, 1, 2)


def classifier_inputs(stored: CropSet) -> Iterator[np.ndarray]:
    for n in np.random.default_rng(3).permutation(len(stored))[: RANGE_CROPS // len(VIEWS)]:
        yield views_of(stored.crops[int(n)])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--classifier", type=Path)
    parser.add_argument("--detector", type=Path)
    parser.add_argument(
        "--photos", type=Path, help="folder with labels.jsonl; leave it out for nets that were trained on no photographs"
    )
    parser.add_argument("--renders", type=Path, nargs="+", default=[Path("runs/renders")])
    parser.add_argument("--simulated", type=Path, default=Path("runs/simulated"))
    parser.add_argument("--check", type=Path, help="folder of rendered tables that were not used in training")
    parser.add_argument(
        "--temperature", type=float, help="use this value instead of fitting it; with a higher one the table asks more often"
    )
    parser.add_argument("--out", type=Path, default=WEIGHTS)
    args = parser.parse_args()
    if args.classifier and not (args.photos or args.check or args.temperature):
        parser.error("--classifier: expected --photos or --check, to fit the temperature on their dice, or --temperature")
    if args.classifier and torch.load(args.classifier / "last.pt", weights_only=True).get("part") not in (NORMAL, COLOUR_ROWS):
        parser.error(
            f"--classifier: expected a run of `python -m models.training.train normal` or `colours`, {args.classifier} has none"
        )
    torch.set_num_threads(2)
    examples = examples_in(args.renders, args.simulated, args.photos)
    if args.classifier:
        net = averaged_net(ClassifierNet(), args.classifier)
        temperature = args.temperature or temperature_of(net, args.photos, args.check)
        write_floats(net, temperature, args.out / FLOAT_FILE)
        tempered = TemperatureScaled(net, temperature).eval()
        some = np.random.default_rng(4).permutation(len(examples))[:RANGE_PICTURES]
        crops = classifier_inputs(crop_set([examples[int(n)] for n in some]))
        export(tempered, torch.zeros(2, 3, CROP_PX, CROP_PX), args.out / "classifier.onnx", {0: "n"}, crops)
    if args.detector:
        patched = PatchDetector(averaged_net(DetectorNet(), args.detector)).eval()
        example = torch.zeros(1, PATCH_BYTES, 120, 160)
        export(patched, example, args.out / "detector.onnx", {2: "h", 3: "w"}, detector_inputs(examples), of_bytes=True)


if __name__ == "__main__":
    main()
