"""One measurement in this interpreter: `python -m table.benchmark WHAT ORDER`.

ORDER is a JSON object: "cores", and the arguments of the measurement. The output is one JSON object: the
figures, or {"error": "..."} if something is missing. The process is pinned to its cores before the
libraries load, because they count the cores then.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from table.benchmark.cores import pin
from table.common.errors import BrehonError


def folder_of(models: str | None) -> Path | None:
    return Path(models) if models else None


def reading(trays: str, models: str | None, seconds: float, cores: int) -> dict[str, Any]:
    from table.benchmark.reading import reading_figures

    return reading_figures(Path(trays), folder_of(models), seconds, cores)


def memory(trays: str, models: str | None, cores: int) -> dict[str, Any]:
    from table.benchmark.memory import memory_figures

    return memory_figures(Path(trays), folder_of(models))


def waiting(
    camera: str, size_wh: list[int], models: str | None, seed: int, seconds: float, cores: int
) -> dict[str, Any]:
    from table.benchmark.waiting import open_bench_camera, waiting_figures

    width, height = size_wh
    return waiting_figures(open_bench_camera(camera, (width, height), seed), folder_of(models), seconds)


def following(
    size_wh: list[int], models: str | None, seed: int, seconds: float, cores: int
) -> dict[str, Any]:
    from table.benchmark.following import following_figures

    width, height = size_wh
    return following_figures((width, height), folder_of(models), seed, seconds)


def playing(folder: str, seed: int, seconds: float, cores: int) -> dict[str, Any]:
    from table.benchmark.rules import playing_figures

    return playing_figures(Path(folder), seconds, seed)


def resuming(folder: str, cores: int) -> dict[str, Any]:
    from table.benchmark.rules import resuming_figures

    return resuming_figures(Path(folder))


def coaching(seed: int, cores: int) -> dict[str, Any]:
    from table.benchmark.rules import coaching_figures

    return coaching_figures(seed)


MEASUREMENTS = {f.__name__: f for f in (reading, memory, waiting, following, playing, resuming, coaching)}


def main(what: str, order: str) -> None:
    arguments = json.loads(order)
    pin(arguments["cores"])
    try:
        found = MEASUREMENTS[what](**arguments)
    except BrehonError as error:
        found = {"error": str(error)}
    print(json.dumps(found))


if __name__ == "__main__":
    main(*sys.argv[1:])
