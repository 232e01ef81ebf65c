"""The cost of a reading."""

from __future__ import annotations

import numpy as np
import pytest

from models import WEIGHTS
from models.evaluation import speed


def test_time_and_memory_of_reading_are_measured() -> None:
    unrelated = np.ones(80_000_000)  # memory of this process does not count
    cost = speed.measure_cost(WEIGHTS, seconds=0.5)
    assert cost.readings > 0
    assert cost.reader_ms > 0
    assert 40 < cost.peak_mb < unrelated.nbytes / 2**20
    assert cost.ratio == pytest.approx(cost.reader_ms / cost.reference_ms)
