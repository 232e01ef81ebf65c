"""The figures of the benchmark, put together from its measurements; and what is wanted of them."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from table.benchmark.apart import measured_apart
from table.benchmark.cores import can_pin
from table.benchmark.rules import RESUMED
from table.benchmark.trays import DICE, SEED, SIZE_WH, draw

A_FIFTH = 0.2
"""Most that frame to Reading may take, in yardsticks."""
MOST_MB = 200
"""Most memory that a process which loads the nets and reads may ever hold, MB."""
FOLLOWING_SHARE = 0.6
"""Share of a core that following dice through a throw may take: the page and the camera need the rest."""


def table_figures(seconds: float, cores: int, camera: str, models: Path | None) -> dict[str, Any]:
    """What `brehon bench --json` prints: the cost of reading, of waiting before this camera, and of following throws."""
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
    """What reading takes in time and memory; measured for so many seconds."""
    with tempfile.TemporaryDirectory(prefix="brehon-bench-") as folder:
        draw(Path(folder))
        common = {"cores": cores, "models": str(models) if models else None, "trays": folder}
        reading = measured_apart("reading", seconds=seconds, **common)
        memory = measured_apart("memory", **common)
    return {"cores": cores, "pinned": can_pin(), "picture": {"size": list(SIZE_WH), "dice": DICE}, **reading, **memory}


def rules_figures(seconds: float, cores: int = 1) -> dict[str, Any]:
    """What `brehon bench --rules --json` prints: the games by name, each played for its share of the seconds."""
    with tempfile.TemporaryDirectory(prefix="brehon-bench-") as folder:
        played = measured_apart("playing", cores=cores, folder=folder, seconds=seconds, seed=SEED)
        resumed = measured_apart("resuming", cores=cores, folder=folder)
    games = {name: {**cost, "resume_ms": resumed[name]} for name, cost in played.items()}
    return {"cores": cores, "resumed_answers": RESUMED, "games": games}
