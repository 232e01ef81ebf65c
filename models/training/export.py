"""Exports trained nets as the weights that ship:

    python -m models.training.export --classifier runs/classifier --detector runs/detector --photos PHOTOS

The export uses the averaged weights and folds in the batch norms. A temperature divides the face logits. It
is fitted for calibrated probabilities on pictures outside the training set. All layers but the first and the
last become 8-bit: activations 0..255 per tensor, weights -64..64 per channel
(models/training/quantisation.py), ranges from training pictures. This takes a third of the time and a quarter
of the size.

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
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from torch import Tensor, nn

from models import WEIGHTS
from models.training.data import (
    CROP_STORED,
    STORED_SPAN,
    CropSet,
    Example,
    crop_set,
    examples_in,
    photo_examples,
    rendered_examples,
)
from models.training.nets import (
    COLOUR_ROWS,
    FACE_LOGITS,
    FLOAT_FILE,
    NORMAL,
    ClassifierNet,
    DetectorNet,
    load_float_classifier,
)
from models.training.quantisation import LAYERS, limit_weights
from models.training.run import CheckpointUnusable, load_averaged_net, read_checkpoint
from vision.reading.classifier import CROP_PX, OUTPUTS, VIEWS, crop_square, normalised
from vision.reading.detector import LONG_SIDE, PATCH_BYTES, SpaceToDepth, downscaled
from vision.reading.nets import runtime
from vision.reading.reader import CLASSIFIER_FILE, DETECTOR_FILE

if TYPE_CHECKING:
    import onnx

RANGE_PICTURES, RANGE_CROPS = 160, 2048
"""Numbers of training pictures and crops that calibrate the ranges of the 8-bit layers."""


class TemperatureScaled(nn.Module):
    """The classifier without its pip output, with the face logits divided by a temperature."""

    def __init__(self, net: ClassifierNet, temperature: float) -> None:
        super().__init__()
        self.net = net
        scale = torch.ones(OUTPUTS)
        scale[FACE_LOGITS] = 1 / temperature
        self.register_buffer("scale", scale)

    def forward(self, crops: Tensor) -> Tensor:
        return self.net(crops).answers * self.scale


class PatchDetector(nn.Module):
    """The detector on patches (1, 48, H/4, W/4), -1..1, as vision.reading.detector lays them out.

    Its first layer is 1 x 1.
    """

    def __init__(self, net: DetectorNet) -> None:
        super().__init__()
        self.net, first = copy.deepcopy(net), net.to4[0]
        ordered = first.weight.data.permute(0, 2, 3, 1)  # row, column, channel of a patch
        ordered = ordered.reshape(len(first.weight), -1, 1, 1)
        self.net.to4[0] = nn.Conv2d(ordered.shape[1], ordered.shape[0], 1, bias=False)
        self.net.to4[0].weight.data = ordered

    def forward(self, patches: Tensor) -> Tensor:
        return self.net(patches)


def views_of(stored: np.ndarray) -> np.ndarray:
    """The views (views, 3, 64, 64) float32 of a stored crop (112, 112, 3), cut as the reader cuts them."""
    middle = CROP_STORED / 2
    sides = ((turn, CROP_STORED * span / STORED_SPAN) for turn, span in VIEWS)
    cuts = [crop_square(stored, middle, middle, side, CROP_PX, turn) for turn, side in sides]
    return normalised(np.stack(cuts).transpose(0, 3, 1, 2))


def view_logits(net: nn.Module, crops: np.ndarray) -> Tensor:
    """Face logits (n, views, 7) of stored crops (n, 112, 112, 3), in the reader's views."""
    with torch.no_grad():
        return torch.stack([net(torch.from_numpy(views_of(c))).faces for c in crops])


def fit_temperature(logits: Tensor, faces: Tensor) -> float:
    """The temperature of least cross-entropy of the mean probabilities, by grid search. faces: (n,) 0-6."""
    grid, crops = torch.linspace(0.4, 4, 73), torch.arange(len(faces))
    probabilities = ((logits / t).softmax(2).mean(1)[crops, faces] for t in grid)
    losses = [-probability.clamp(min=1e-9).log().mean() for probability in probabilities]
    return float(grid[int(torch.stack(losses).argmin())])


def held_out_temperature(net: nn.Module, photos: Path | None, renders: Path | None) -> float:
    """The temperature fitted on held-out photographs of known rigs and on held-out renders.

    One of the two folders is required.
    """
    examples = photo_examples(photos, held_out=True) if photos else []
    examples += rendered_examples(renders) if renders else []
    stored = crop_set(examples)
    known = stored.face > 0
    logits = view_logits(net, stored.crops[known])
    faces = torch.from_numpy(stored.face[known] - 1)
    right = float((logits.softmax(2).mean(1).argmax(1) == faces).float().mean())
    temperature = fit_temperature(logits, faces)
    print(f"held out: {int(known.sum())} crops, {100 * right:.2f} % right, temperature {temperature:.2f}")
    return temperature


def export(
    net: nn.Module,
    example: Tensor,
    target: Path,
    dynamic_axes: dict[int, str],
    inputs: Iterator[np.ndarray],
    takes_bytes: bool = False,
) -> None:
    """Writes the net in 8 bit.

    example: an input. dynamic_axes: names of its dimensions that may vary. inputs: calibration data.
    takes_bytes: input as bytes, channels last, 0..255 = -1..1.
    """
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        float_model = Path(folder) / "whole.onnx"
        torch.onnx.export(
            net, (example,), str(float_model), input_names=["pictures"], output_names=["answers"],
            dynamic_axes={"pictures": dynamic_axes}, opset_version=17, dynamo=False,
        )  # fmt: skip
        quantise(float_model, target, inputs, takes_bytes)
    print(f"{target}: {target.stat().st_size / 1e6:.2f} MB")


def write_floats(net: nn.Module, temperature: float, target: Path) -> None:
    """Writes the net's weights as 16-bit floats, for further training by models.training.fine_tune."""
    arrays = {k: v.numpy().astype(np.float16) for k, v in net.state_dict().items() if v.is_floating_point()}
    np.savez_compressed(target, temperature=np.float32(temperature), **arrays)
    print(f"{target}: {target.stat().st_size / 1e6:.2f} MB")


def last_nodes(graph: onnx.GraphProto) -> list[str]:
    """Names of the last layers with weights before the outputs, and of all nodes after them."""
    producers = {name: node for node in graph.node for name in node.output}
    pending, last = [o.name for o in graph.output], []
    while pending:
        producer = producers.get(pending.pop())
        if producer is None:
            continue
        last.append(producer.name)
        if producer.op_type not in LAYERS:
            pending += producer.input
    return last


def float_nodes(graph: onnx.GraphProto, first_too: bool) -> list[str]:
    """Names of the nodes that stay in floats: the last, and with `first_too` the first layer and its ReLU."""
    names = last_nodes(graph)
    if first_too:
        first = next(n for n in graph.node if n.op_type in LAYERS)
        names += [
            first.name,
            *(n.name for n in graph.node if n.op_type == "Relu" and n.input[0] in first.output),
        ]
    return names


def calibration_reader(inputs: Sequence[np.ndarray]) -> Any:
    """These inputs as onnxruntime's calibration takes them."""
    from onnxruntime.quantization import CalibrationDataReader

    class Inputs(CalibrationDataReader):
        def __init__(self) -> None:
            self.left = iter(inputs)

        def get_next(self) -> dict[str, np.ndarray] | None:
            one = next(self.left, None)
            return None if one is None else {"pictures": one}

    return Inputs()


@contextmanager
def _without_warnings() -> Iterator[None]:
    """Silences the warnings that onnxruntime logs while it quantises."""
    logging.disable(logging.WARNING)
    try:
        yield
    finally:
        logging.disable(logging.NOTSET)


def quantise(float_model: Path, target: Path, inputs: Iterator[np.ndarray], takes_bytes: bool) -> None:
    """Writes the float net in the file `float_model` in 8 bit. inputs, takes_bytes: as for `export`."""
    import onnx

    runtime()  # must be first, before a part of it is loaded
    from onnxruntime.quantization import QuantFormat, QuantType, quantize_static
    from onnxruntime.quantization.shape_inference import quant_pre_process

    calibration = list(inputs)
    ready = float_model.with_name("ready.onnx")
    with _without_warnings():
        quant_pre_process(str(float_model), str(ready), skip_symbolic_shape=True)
        quantize_static(
            str(ready), str(target), calibration_reader(calibration), quant_format=QuantFormat.QDQ,
            per_channel=True, activation_type=QuantType.QUInt8, weight_type=QuantType.QInt8,
            nodes_to_exclude=float_nodes(onnx.load(str(ready)).graph, first_too=not takes_bytes),
        )  # fmt: skip
    limit_weights(target, calibration)
    if takes_bytes:
        take_bytes(target)


def take_bytes(target: Path) -> None:
    """Rewrites the net in this file to take bytes, channels last, instead of quantising floats first."""
    import onnx
    from onnx import TensorProto, helper, numpy_helper

    model = onnx.load(str(target))
    graph, taken = model.graph, model.graph.input[0]
    first = next(n for n in graph.node if n.op_type == "QuantizeLinear" and n.input[0] == taken.name)
    for name, value in ((first.input[1], np.float32(1 / 128)), (first.input[2], np.uint8(128))):
        constant = next(i for i in graph.initializer if i.name == name)
        constant.CopyFrom(numpy_helper.from_array(np.array(value), name))
    dims = [d.dim_value or d.dim_param for d in taken.type.tensor_type.shape.dim]
    channels_last = [dims[0], dims[2], dims[3], dims[1]]
    taken.CopyFrom(helper.make_tensor_value_info(taken.name, TensorProto.UINT8, channels_last))
    first.CopyFrom(helper.make_node("Transpose", [taken.name], [first.output[0]], perm=[0, 3, 1, 2]))
    onnx.save(model, str(target))


def detector_inputs(examples: list[Example]) -> Iterator[np.ndarray]:
    layout = SpaceToDepth()
    for n in np.random.default_rng(3).permutation(len(examples))[:RANGE_PICTURES]:
        yield normalised(layout(downscaled(examples[int(n)].picture(), LONG_SIDE)[0])).transpose(0, 3, 1, 2)


def classifier_inputs(stored: CropSet) -> Iterator[np.ndarray]:
    for n in np.random.default_rng(3).permutation(len(stored))[: RANGE_CROPS // len(VIEWS)]:
        yield views_of(stored.crops[int(n)])


def arguments() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--classifier", type=Path)
    parser.add_argument("--detector", type=Path)
    parser.add_argument(
        "--photos",
        type=Path,
        help="folder with labels.jsonl; leave it out for nets that were trained on no photographs",
    )
    parser.add_argument("--renders", type=Path, nargs="+", default=[Path("runs/renders")])
    parser.add_argument("--simulated", type=Path, default=Path("runs/simulated"))
    parser.add_argument("--check", type=Path, help="folder of rendered tables that were not used in training")
    parser.add_argument(
        "--temperature",
        type=float,
        help="use this value instead of fitting it; with a higher one the table asks more often",
    )
    parser.add_argument("--out", type=Path, default=WEIGHTS)
    return parser


def main() -> None:
    parser = arguments()
    args = parser.parse_args()
    if args.classifier and not (args.photos or args.check or args.temperature):
        parser.error(
            "--classifier: expected --photos or --check, to fit the temperature on their dice,"
            " or --temperature"
        )
    torch.set_num_threads(2)
    try:
        classifier = load_finished_classifier(args.classifier) if args.classifier else None
        detector = load_averaged_net(DetectorNet(), args.detector) if args.detector else None
    except (CheckpointUnusable, FileNotFoundError) as wrong:
        parser.error(str(wrong))
    examples = examples_in(args.renders, args.simulated, args.photos)
    if classifier:
        temperature = args.temperature or held_out_temperature(classifier, args.photos, args.check)
        export_classifier(classifier, temperature, examples, args.out)
    if detector:
        export_detector(detector, examples, args.out)


def load_finished_classifier(folder: Path) -> ClassifierNet:
    """The averaged classifier of this run, or that of a folder with classifier.npz.

    CheckpointUnusable: the run did not train the normal or the colours.
    """
    if (folder / FLOAT_FILE).exists():
        return load_float_classifier(folder)[0]
    if read_checkpoint(folder)["part"] not in (NORMAL, COLOUR_ROWS):
        raise CheckpointUnusable(
            "--classifier: expected a run of `python -m models.training.train normal` or `colours`,"
            f" {folder} has none"
        )
    return load_averaged_net(ClassifierNet(), folder)


def export_classifier(net: ClassifierNet, temperature: float, examples: list[Example], out: Path) -> None:
    """Writes classifier.npz and classifier.onnx into the folder `out`."""
    write_floats(net, temperature, out / FLOAT_FILE)
    some = np.random.default_rng(4).permutation(len(examples))[:RANGE_PICTURES]
    crops = classifier_inputs(crop_set([examples[int(n)] for n in some]))
    example = torch.zeros(2, 3, CROP_PX, CROP_PX)
    export(TemperatureScaled(net, temperature).eval(), example, out / CLASSIFIER_FILE, {0: "n"}, crops)


def export_detector(net: DetectorNet, examples: list[Example], out: Path) -> None:
    """Writes detector.onnx into the folder `out`."""
    example = torch.zeros(1, PATCH_BYTES, 120, 160)
    inputs = detector_inputs(examples)
    export(
        PatchDetector(net).eval(), example, out / DETECTOR_FILE, {2: "h", 3: "w"}, inputs, takes_bytes=True
    )


if __name__ == "__main__":
    main()
