"""What reading costs: time against a net of YOLO11n's size on the same core, and the most memory a fresh process takes.

Both are measured in processes of their own, which this file also is: `python -m models.speed pace|memory FOLDER MODELS [YARDSTICK]`
prints one line of JSON. FOLDER holds the pictures to read.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from statistics import median
from typing import Any

PICTURES, DICE, SIZE_WH = 20, 6, (1280, 960)
SEED = 5_900_000
"""Of the first picture; training renders from lower ones, and models.cases counts up from 5,000,000."""
ROUNDS = 3
"""How often each picture is read: 60 readings and 60 runs of the yardstick, in turn."""
YARDSTICK = "yardstick.onnx"
YARDSTICK_SIDE = 640


@dataclass(frozen=True)
class Cost:
    """What was measured on this machine.

    reader_ms, yardstick_ms: medians on one core, the latter None where there is no yardstick. peak_mb: 1e6 bytes, all of the process.
    """

    reader_ms: float
    yardstick_ms: float | None
    peak_mb: float
    readings: int

    @property
    def ratio(self) -> float | None:
        """How many times as long as the yardstick a reading takes."""
        return self.reader_ms / self.yardstick_ms if self.yardstick_ms else None


def default_models() -> Path:
    """The folder of the weights that ship."""
    return Path(str(resources.files("models")))


def weight_files(folder: Path) -> list[Path]:
    """The nets in the folder that the eyes read with."""
    return sorted(path for path in folder.glob("*.onnx") if path.name != YARDSTICK)


def measured(models: Path, rounds: int = ROUNDS) -> Cost:
    """What reading with the weights in this folder costs on this machine. RuntimeError: a process of the measurement failed."""
    yardstick = default_models() / YARDSTICK
    with tempfile.TemporaryDirectory() as name:
        _render(Path(name))
        pace = _child("pace", name, str(models), str(yardstick) if yardstick.exists() else "", str(rounds))
        memory = _child("memory", name, str(models))
    return Cost(pace["reader_ms"], pace["yardstick_ms"], memory["peak_mb"], pace["readings"])


def _render(folder: Path) -> None:
    """Writes PICTURES pictures of DICE dice of the simulated tray."""
    import cv2
    import numpy as np

    from vision.simulation import Scene, random_tray

    for n in range(PICTURES):
        picture, _ = random_tray(np.random.default_rng(SEED + n), DICE, size_wh=SIZE_WH, scene=Scene())
        cv2.imwrite(str(folder / f"{n:03d}.png"), picture)


def _child(*args: str) -> dict[str, Any]:
    done = subprocess.run([sys.executable, "-m", "models.speed", *args], capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"measuring the {args[0]} ended with status {done.returncode}: {done.stderr.strip()[-300:]}")
    return dict(json.loads(done.stdout))


def pace(folder: Path, models: Path, yardstick: Path | None, rounds: int) -> dict[str, Any]:
    """Median ms of a reading and of a run of the yardstick, one after the other on one core."""
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    import cv2

    from vision.pictures import load
    from vision.reader import Reader

    cv2.setNumThreads(1)
    reader, run = Reader(models), _yardstick(yardstick) if yardstick else None
    pictures = [load(path).picture for path in sorted(folder.glob("*.png"))]
    reader_ms, yardstick_ms = [], []
    for n in range(-1, rounds):
        for picture in pictures if n >= 0 else pictures[:2]:  # the first ones only warm up
            took = _ms(lambda picture=picture: reader.read(picture))
            other = _ms(run) if run else None
            if n >= 0:
                reader_ms.append(took)
                yardstick_ms.append(other)
    against = median(ms for ms in yardstick_ms if ms is not None) if run else None
    return {"reader_ms": median(reader_ms), "yardstick_ms": against, "readings": len(reader_ms)}


def _yardstick(path: Path) -> Callable[[], object]:
    """One run of the net on one thread, with a picture in it already."""
    import numpy as np
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    picture = np.random.default_rng(SEED).random((1, 3, YARDSTICK_SIDE, YARDSTICK_SIDE), np.float32)
    name = session.get_inputs()[0].name
    return lambda: session.run(None, {name: picture})


def _ms(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return (time.perf_counter() - began) * 1000


def memory(folder: Path, models: Path) -> dict[str, Any]:
    """The most this process had in memory, having read every picture of the folder as `brehon read` does."""
    from vision.pictures import read_file
    from vision.reader import Reader

    reader = Reader(models)
    for path in sorted(folder.glob("*.png")):
        read_file(reader, path)
    return {"peak_mb": peak_mb()}


def peak_mb() -> float:
    """The most memory this process ever had, 1e6 bytes.

    From /proc, because getrusage's ru_maxrss of a process also counts what the one that started it had.
    """
    status = Path("/proc/self/status").read_text()
    (kib,) = (line.split()[1] for line in status.splitlines() if line.startswith("VmHWM"))
    return int(kib) * 1024 / 1e6


def main() -> None:
    what, folder, models, *more = sys.argv[1:]
    if what == "pace":
        told = pace(Path(folder), Path(models), Path(more[0]) if more[0] else None, int(more[1]))
    else:
        told = memory(Path(folder), Path(models))
    print(json.dumps(told))


if __name__ == "__main__":
    main()
