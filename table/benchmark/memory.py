"""The memory of a process that only loads the nets and reads, and the loading time."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import Any

from table.benchmark.nets import load_reader
from table.benchmark.trays import pictures_in


def memory_figures(trays: Path, models: Path | None) -> dict[str, Any]:
    """Peak memory, MB; loading times of the libraries and of the nets, ms.

    vision/ must not be loaded before.
    """
    began = time.perf_counter()
    import vision.reading.reader  # noqa: F401
    from vision.reading.nets import runtime

    runtime()
    imported = time.perf_counter()
    reader = load_reader(models)
    ready = time.perf_counter()
    for picture in pictures_in(trays):
        reader.read(picture)
    return {
        "peak_mb": round(peak_mb(), 1),
        "import_ms": round(1000 * (imported - began), 1),
        "load_ms": round(1000 * (ready - imported), 1),
    }


def peak_mb() -> float:
    """The peak memory of this process, MB of 2**20 bytes.

    Linux's own count is used where it exists: ru_maxrss starts from the memory of the parent process.
    """
    status = Path("/proc/self/status")
    if status.exists():
        (line,) = (line for line in status.read_text().splitlines() if line.startswith("VmHWM:"))
        return int(line.split()[1]) / 2**10
    import resource

    unit = 1 if sys.platform == "darwin" else 2**10
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 2**20
