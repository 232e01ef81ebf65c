"""The figures of the benchmark, combined from its measurements, and their limits."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from table.benchmark.cores import can_pin
from table.benchmark.isolation import measure_in_subprocess
from table.benchmark.nets import load_reader
from table.benchmark.rules import RESUMED
from table.benchmark.trays import DICE, SEED, SIZE_WH, draw

MAX_RATIO = 0.2
"""Upper limit of the time from frame to Reading, relative to the reference net."""
MAX_MB = 200
"""Upper limit of the peak memory of a process that loads the nets and reads, MB."""
MAX_FOLLOWING_SHARE = 0.6
"""Upper limit of the share of a core that following dice takes; the page and the camera need the rest."""


def table_figures(seconds: float, cores: int, camera: str, models: Path | None) -> dict[str, Any]:
    """The output of `brehon bench --json`: the cost of reading, waiting and following throws.

    camera: the camera that the waiting table watches.
    """
    cost = reading_cost(seconds, cores, models)
    common = {
        "cores": cores,
        "models": str(models) if models else None,
        "size_wh": SIZE_WH,
        "seed": SEED,
        "seconds": seconds,
    }
    waiting = measure_in_subprocess("waiting", camera=camera, **common)
    following = measure_in_subprocess("following", **common)
    return {
        **cost,
        "waiting": waiting,
        "following": following,
        "met": {
            "fifth": cost["ratio"] < MAX_RATIO,
            "memory": cost["peak_mb"] < MAX_MB,
            "following": following["share"] < MAX_FOLLOWING_SHARE,
        },
    }


def reading_cost(seconds: float, cores: int = 1, models: Path | None = None) -> dict[str, Any]:
    """Time and memory that reading takes, measured for this many seconds."""
    load_reader(models)  # a net that is missing is named before the trays are drawn, which takes seconds
    with tempfile.TemporaryDirectory(prefix="brehon-bench-") as folder:
        draw(Path(folder))
        common = {"cores": cores, "models": str(models) if models else None, "trays": folder}
        reading = measure_in_subprocess("reading", seconds=seconds, **common)
        memory = measure_in_subprocess("memory", **common)
    return {
        "cores": cores,
        "pinned": can_pin(),
        "picture": {"size": list(SIZE_WH), "dice": DICE},
        **reading,
        **memory,
    }


def rules_figures(seconds: float, cores: int = 1) -> dict[str, Any]:
    """The output of `brehon bench --rules --json`: figures by game.

    Each game is played for an equal share of the seconds.
    """
    with tempfile.TemporaryDirectory(prefix="brehon-bench-") as folder:
        played = measure_in_subprocess("playing", cores=cores, folder=folder, seconds=seconds, seed=SEED)
        resumed = measure_in_subprocess("resuming", cores=cores, folder=folder)
    coached = measure_in_subprocess("coaching", cores=cores, seed=SEED)
    games = {name: {**cost, "resume_ms": resumed[name]} for name, cost in played.items()}
    for name, cost in coached.items():
        games[name]["best_play"] = cost
    return {"cores": cores, "resumed_answers": RESUMED, "games": games}
