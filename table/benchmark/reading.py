"""The cost of a reading, stage by stage, compared with a net of YOLO11n's size."""

from __future__ import annotations

import time
from pathlib import Path
from statistics import median
from typing import Any

from table.benchmark.nets import load_reader, reference_net
from table.benchmark.stopwatch import Stopwatch
from table.benchmark.trays import pictures_in
from vision.reading.classifier import FaceClassifier
from vision.reading.detector import DieDetector
from vision.reading.nets import Net

WARM_ROUNDS, MIN_ROUNDS = 2, 3
"""Uncounted rounds, in which the nets allocate their memory; and the minimum of counted rounds on a slow
machine."""


def reading_figures(trays: Path, models: Path | None, seconds: float, cores: int) -> dict[str, Any]:
    """Stages of a reading and the reference net, ms: medians over rounds; each round runs both once.

    had_share: the share of its cores that this process got during the rounds.
    """
    pictures, run_reference_net, reader = list(pictures_in(trays)), reference_net(cores), load_reader(models)
    watch = Stopwatch(time.thread_time if cores == 1 else time.perf_counter)
    for owner, method, name in (
        (DieDetector, "detect", "detect"),
        (FaceClassifier, "classify", "classify"),
        (Net, "__call__", "net"),
    ):
        watch.wrap(owner, method, name)
    rounds: list[dict[str, float]] = []
    began, cpu = time.perf_counter(), time.process_time()
    ends_at = began + seconds
    while len(rounds) < WARM_ROUNDS + MIN_ROUNDS or time.perf_counter() < ends_at:
        with watch.timing("reference net"):
            run_reference_net()
        with watch.timing("read"):
            reader.read(pictures[len(rounds) % len(pictures)])
        rounds.append(watch.taken_ms())
    had = (time.process_time() - cpu) / (time.perf_counter() - began) / cores
    return {"had_share": round(had, 3), **_summary(rounds[WARM_ROUNDS:])}


def _summary(rounds: list[dict[str, float]]) -> dict[str, Any]:
    """The stages of the round with the median reading, and the median time of the reference net."""
    typical = sorted(rounds, key=lambda r: r["read"])[len(rounds) // 2]
    detect, classify = typical.get("read/detect", 0.0), typical.get("read/classify", 0.0)
    detector_net, classifier_net = typical.get("read/detect/net", 0.0), typical.get("read/classify/net", 0.0)
    stages = {
        "detector_shrink": detect - detector_net,
        "detector_net": detector_net,
        "cutting": classify - classifier_net,
        "classifier_net": classifier_net,
        "rest": typical["read"] - detect - classify,
    }
    total, reference_ms = typical["read"], median(r["reference net"] for r in rounds)
    return {
        "rounds": len(rounds),
        "stages_ms": {stage: round(ms, 4) for stage, ms in stages.items()},
        "total_ms": round(total, 4),
        "frames_a_second": round(1000 / total, 2),
        "yardstick_ms": round(reference_ms, 4),
        "ratio": round(total / reference_ms, 4),
    }
