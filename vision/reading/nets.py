"""Runs an ONNX net as a function from array to array."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

MAX_THREADS = 4
"""A Raspberry Pi has four cores; at this net size more threads only wait for each other."""
LOG_ERRORS_ONLY = 3


def cores() -> int:
    """Number of cores this process may run on."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def runtime() -> Any:
    """onnxruntime with its telemetry off; the only place that loads it.

    Since version 1.29 it reports every session over the network, unless it is disabled before the import.
    """
    os.environ["ORT_DISABLE_TELEMETRY"] = "1"
    import onnxruntime

    return onnxruntime


def scaled(pixels: NDArray[np.float32]) -> NDArray[np.float32]:
    """The grey levels, 0 to 255, as the nets take them, -1 to 1; in place."""
    pixels *= np.float32(1 / 128)
    pixels -= np.float32(1)
    return pixels


class Net:
    """Runs an ONNX net with one input and one output on the CPU. The same input always gives the same output.

    in_floats: computes the 8-bit layers in floats, as onnxruntime does without optimisation. It is several
        times slower, and the output does not depend on the CPU.
    """

    def __init__(self, model: Path, in_floats: bool = False) -> None:
        onnxruntime = runtime()
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = min(MAX_THREADS, cores())
        options.log_severity_level = LOG_ERRORS_ONLY
        if in_floats:
            options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
        # The cores are left to the camera between frames.
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        self._session = onnxruntime.InferenceSession(
            model.read_bytes(), options, providers=["CPUExecutionProvider"]
        )
        self._input = self._session.get_inputs()[0].name

    def __call__(self, batch: NDArray[np.float32] | NDArray[np.uint8]) -> NDArray[np.float32]:
        (output,) = self._session.run(None, {self._input: batch})
        return np.asarray(output, np.float32)
