"""The measured nets, those of Brehon or of a given folder, and the reference net to compare them with."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from models import WEIGHTS
from table.common.errors import BrehonError

if TYPE_CHECKING:
    from vision.reading.reader import Reader

REFERENCE_NET_FILE = "reference_net.onnx"


class ModelsMissing(BrehonError, OSError):
    """Nets that are missing or unusable."""


def load_reader(folder: Path | None) -> Reader:
    """A Reader with the nets of this folder; None: those of Brehon.

    ModelsMissing: they are missing or unusable.
    """
    from vision.reading.reader import Reader

    try:
        return Reader(folder or WEIGHTS)
    except OSError as error:
        raise ModelsMissing(
            f"the net {error.filename} cannot be opened ({error.strerror}); {_remedy(folder)}"
        ) from None
    except Exception as error:  # onnxruntime's own error, for a file that is no net
        raise ModelsMissing(
            f"the nets of {folder or 'Brehon'} cannot be used ({error}); {_remedy(folder)}"
        ) from None


def _remedy(folder: Path | None) -> str:
    return "name a folder that holds Brehon's nets with --models" if folder else "install Brehon again"


def reference_net(threads: int) -> Callable[[], object]:
    """A function that runs the reference net on fixed noise, with onnxruntime's default optimisations."""
    import numpy as np

    from vision.reading.nets import runtime

    onnxruntime = runtime()
    file = WEIGHTS / REFERENCE_NET_FILE
    if not file.exists():
        raise ModelsMissing(f"{file} is missing; install Brehon again")
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    session = onnxruntime.InferenceSession(file.read_bytes(), options, providers=["CPUExecutionProvider"])
    (wanted,) = session.get_inputs()
    picture = np.random.default_rng(0).random(wanted.shape, np.float32)
    return lambda: session.run(None, {wanted.name: picture})
