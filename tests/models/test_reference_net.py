"""The reference net: a small file with the weights and the work of YOLO11n."""

from __future__ import annotations

import json
from collections.abc import Iterator
from math import prod
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from models import WEIGHTS
from vision.reading.nets import runtime

onnxruntime = runtime()
FILE = WEIGHTS / "reference_net.onnx"
LEVELS = onnxruntime.GraphOptimizationLevel


def run_with_profile(folder: Path, level: Any) -> tuple[np.ndarray[Any, Any], list[dict[str, Any]]]:
    """The output for noise, and the nodes that onnxruntime ran for it, from its profile."""
    options = onnxruntime.SessionOptions()
    options.enable_profiling, options.profile_file_prefix = True, str(folder / "profile")
    options.intra_op_num_threads, options.graph_optimization_level = 1, level
    session = onnxruntime.InferenceSession(FILE.read_bytes(), options, providers=["CPUExecutionProvider"])
    (output,) = session.run(None, {"pictures": np.random.default_rng(0).random((1, 3, 640, 640), np.float32)})
    events = json.loads(Path(session.end_profiling()).read_text())
    return output, [e["args"] for e in events if e["cat"] == "Node" and "op_name" in e["args"]]


@pytest.fixture(scope="module")
def as_written(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    """The nodes as the file has them."""
    return run_with_profile(tmp_path_factory.mktemp("written"), LEVELS.ORT_DISABLE_ALL)[1]


@pytest.fixture(scope="module")
def as_run(tmp_path_factory: pytest.TempPathFactory) -> tuple[np.ndarray[Any, Any], list[dict[str, Any]]]:
    """The output and the nodes of a session like that of `brehon bench`."""
    return run_with_profile(tmp_path_factory.mktemp("run"), LEVELS.ORT_ENABLE_ALL)


def shapes(args: dict[str, Any], which: str) -> list[list[int]]:
    return [shape for tensor in args[f"{which}_type_shape"] for shape in tensor.values()]


def convolutions(nodes: list[dict[str, Any]]) -> Iterator[tuple[list[int], list[int], list[int]]]:
    """The shapes of each convolution: (weights, biases, output)."""
    for args in nodes:
        if args["op_name"] == "Conv":
            _, weights, biases = shapes(args, "input")
            yield weights, biases, shapes(args, "output")[0]


def test_the_file_is_small() -> None:
    assert FILE.stat().st_size < 60_000


def test_it_has_the_weights_and_the_work_of_yolo11n(as_written: list[dict[str, Any]]) -> None:
    """Ultralytics gives 2.6 M weights and 6.5 GFLOP (two per multiplication) for yolo11n at 640 x 640."""
    weights = sum(prod(w) + prod(b) for w, b, _ in convolutions(as_written))
    macs = sum(prod(output) * prod(w[1:]) for w, _, output in convolutions(as_written))
    macs += sum(
        prod(shapes(n, "output")[0]) * shapes(n, "input")[0][-1]
        for n in as_written
        if n["op_name"] == "MatMul"
    )
    assert weights == pytest.approx(2.6e6, rel=0.02)
    assert 2 * macs == pytest.approx(6.5e9, rel=0.03)


def test_weights_are_made_when_the_net_is_loaded_and_every_layer_runs(
    as_written: list[dict[str, Any]], as_run: tuple[np.ndarray[Any, Any], list[dict[str, Any]]]
) -> None:
    ops = [args["op_name"] for args in as_run[1]]
    assert "ConstantOfShape" not in ops
    assert ops.count("Conv") == len(list(convolutions(as_written))) == 87


def test_its_outputs_are_finite_and_not_denormal(
    as_run: tuple[np.ndarray[Any, Any], list[dict[str, Any]]],
) -> None:
    """A processor is slow with numbers that are too small."""
    output = as_run[0]
    assert output.shape == (1, 84, 8400)
    assert np.isfinite(output).all()
    assert np.abs(output).min() > 1e-3
    assert np.abs(output).max() < 1e3


def test_the_file_is_what_its_script_writes() -> None:
    pytest.importorskip("onnx", reason="onnx is needed for making nets alone")
    from models.evaluation.reference_net import reference_net

    assert reference_net().SerializeToString() == FILE.read_bytes()
