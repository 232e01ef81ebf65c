"""Descriptors by the face that they stand for, as a person taught them to the table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

Face = TypeVar("Face", int, str)
Rows = TypeVar("Rows", bound=npt.NDArray[Any])


def with_samples(samples: Mapping[Face, Rows], face: Face, new: Rows, most: int) -> dict[Face, Rows]:
    """The samples with new ones of a face, (n, ...); of that face the newest `most` are kept."""
    before = samples.get(face)
    rows = new if before is None else np.concatenate([before, new])
    return {**samples, face: rows[-most:]}  # type: ignore[dict-item]
