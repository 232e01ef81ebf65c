"""What reading costs: time against a net of YOLO11n's size on the same core, and the most memory a fresh process takes."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from table.benchmark.figures import reading_cost
from table.benchmark.nets import YARDSTICK_FILE

SECONDS = 10.0


@dataclass(frozen=True)
class Cost:
    """What was measured on this machine: medians on one core, ms; peak_mb: MB of 2**20 bytes, all of the process."""

    reader_ms: float
    yardstick_ms: float
    peak_mb: float
    readings: int

    @property
    def ratio(self) -> float:
        """How many times as long as the yardstick a reading takes."""
        return self.reader_ms / self.yardstick_ms


def weight_files(folder: Path) -> list[Path]:
    """What ships of the nets in the folder that the eyes read with, and learn from."""
    return sorted(path for path in (*folder.glob("*.onnx"), *folder.glob("*.npz")) if path.name != YARDSTICK_FILE)


def measured(models: Path, seconds: float = SECONDS) -> Cost:
    """What reading with the weights in this folder costs on this machine, as `brehon bench` measures it; BrehonError: it cannot."""
    cost = reading_cost(seconds, models=models)
    return Cost(cost["total_ms"], cost["yardstick_ms"], cost["peak_mb"], cost["rounds"])
