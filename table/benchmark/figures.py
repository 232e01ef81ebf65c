"""The figures of the benchmark, combined from its measurements, and their limits."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from table.benchmark.apart import measured_apart
from table.benchmark.cores import can_pin
from table.benchmark.rules import RESUMED
from table.benchmark.trays import DICE, SEED, SIZE_WH, draw

A_FIFTH = 0.2
"""Upper limit of the time from frame to Reading, in yardsticks."""
MOST_MB = 200
"""Upper limit of the peak memory of a process that loads the nets and reads, MB."""
FOLLOWING_SHARE = 0.6
"""Upper limit of the share of a core that following dice takes; the page and the camera need the rest."""


def table_figures(seconds: float, cores: int, camera: str, models: Path | None) -> dict[str, Any]:
    """The output of `brehon bench --json`: the cost of reading, of waiting with this camera, and of following
    throws."""
    cost = reading_cost(seconds, cores, models)
    common = {"cores": cores, "models": str(models) if models else None, "size_wh": SIZE_WH, "seed": SEED, "seconds": seconds}
    waiting = measured_apart("waiting", camera=camera, **common)
    following = measured_apart("following", **common)
    return {
        **cost,
        "waiting": waiting,
        "following": following,
        "met": {
            "fifth": cost["ratio"] < A_FIFTH,
            "memory": cost["peak_mb"] < MOST_MB,
            "following": following["share"] < FOLLOWING_SHARE,
        },
    }


def reading_cost(seconds: float, cores: int = 1, models: Path | None = None) -> dict[str, Any]:
    """Time and memory that reading takes, measured for this many seconds."""
    with tempfile.TemporaryDirectory(prefix="brehon-bench-") as folder:
        draw(Path(folder))
        common = {"cores": cores, "models": str(models) if models else None, "trays": folder}
        reading = measured_apart("reading", seconds=seconds, **common)
        memory = measured_apart("memory", **common)
    return {"cores": cores, "pinned": can_pin(), "picture": {"size": list(SIZE_WH), "dice": DICE}, **reading, **memory}


def rules_figures(seconds: float, cores: int = 1) -> dict[str, Any]:
    """The output of `brehon bench --rules --json`: figures by game; each game is played for an equal share of
    the seconds."""
    with tempfile.TemporaryDirectory(prefix="brehon-bench-") as folder:
        played = measured_apart("playing", cores=cores, folder=folder, seconds=seconds, seed=SEED)
        resumed = measured_apart("resuming", cores=cores, folder=folder)
    games = {name: {**cost, "resume_ms": resumed[name]} for name, cost in played.items()}
    return {"cores": cores, "resumed_answers": RESUMED, "games": games}
