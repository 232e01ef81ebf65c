"""A net in a file, as a function from array to array."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

MOST_THREADS = 4
"""A Raspberry Pi has four cores; more threads than that only wait for each other at this size."""
LOG_ERRORS_ONLY = 3


def cores() -> int:
    """Cores this process may run on."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class Net:
    """Runs an ONNX net with one input and one output, on the CPU. Gives the same answer for the same input every time."""

    def __init__(self, model: Path) -> None:
        import onnxruntime

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = min(MOST_THREADS, cores())
        options.log_severity_level = LOG_ERRORS_ONLY
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")  # leave the cores to the camera between frames
        self._session = onnxruntime.InferenceSession(model.read_bytes(), options, providers=["CPUExecutionProvider"])
        self._input = self._session.get_inputs()[0].name

    def __call__(self, batch: NDArray[np.float32] | NDArray[np.uint8]) -> NDArray[np.float32]:
        (answer,) = self._session.run(None, {self._input: batch})
        return np.asarray(answer, np.float32)
