"""The cost of a reading: time relative to the reference net's, and peak memory of a new process."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from table.benchmark.figures import reading_cost
from table.benchmark.nets import REFERENCE_NET_FILE

SECONDS = 10.0


@dataclass(frozen=True)
class Cost:
    """The cost on this computer.

    reader_ms, reference_ms: median times on one core. peak_mb: of the whole process, MB of 2**20 bytes.
    """

    reader_ms: float
    reference_ms: float
    peak_mb: float
    readings: int

    @property
    def ratio(self) -> float:
        """Time of a reading divided by time of the reference net."""
        return self.reader_ms / self.reference_ms


def weight_files(folder: Path) -> list[Path]:
    """The model files in the folder that ship for reading and learning; the reference net is excluded."""
    return sorted(
        path for path in (*folder.glob("*.onnx"), *folder.glob("*.npz")) if path.name != REFERENCE_NET_FILE
    )


def measure_cost(models: Path, seconds: float = SECONDS) -> Cost:
    """The cost of reading with the weights in this folder, as in `brehon bench`.

    BrehonError: the measurement fails.
    """
    cost = reading_cost(seconds, models=models)
    return Cost(cost["total_ms"], cost["yardstick_ms"], cost["peak_mb"], cost["rounds"])
