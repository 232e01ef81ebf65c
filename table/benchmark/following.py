"""The cost of following dice through a throw."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

from table.benchmark.nets import load_reader
from table.common.colours import COLOURS
from table.common.errors import CameraUnavailable
from vision.cameras.simulated import SimulatedCamera
from vision.events import Settled
from vision.pipeline import Pipeline

FOLLOWED_FPS = 10.0
"""Frame rate that a Pi has time for while dice roll, frames a second."""

DICE = 6

MAX_THROWS = 40
"""Upper limit of followed throws, on a machine of any speed."""

LEAD_IN, RUN_OUT = 10, 6
"""Frames before the hand moves, and frames after the dice lie still until they are read."""


def following_figures(
    size_wh: tuple[int, int], models: Path | None, seed: int, seconds: float
) -> dict[str, Any]:
    """CPU time of the vision pipeline while a hand takes and throws six dice.

    The unit is ms per second of movement at FOLLOWED_FPS.
    """
    camera = SimulatedCamera(size_wh, fps=FOLLOWED_FPS, seed=seed, paced=False)
    frames, reader = camera.frames(), load_reader(models)
    spent, filmed_s, throws = 0.0, 0.0, 0
    while spent < seconds and throws < MAX_THROWS:
        pipeline, throws = Pipeline(reader), throws + 1
        shown = [next(frames) for _ in range(LEAD_IN)]
        camera.throw(COLOURS[:DICE])
        while not camera.resting:
            shown.append(next(frames))
        shown += [next(frames) for _ in range(RUN_OUT)]
        began = time.process_time()
        settled = sum(isinstance(event, Settled) for frame in shown for event in pipeline.process(frame))
        spent, filmed_s = spent + time.process_time() - began, filmed_s + len(shown) / FOLLOWED_FPS
        if settled < 2:
            raise CameraUnavailable(
                "a simulated throw was not read;"
                " the weights named with --models cannot read the simulated dice"
            )
    cost = {"cpu_ms_a_second": round(1000 * spent / filmed_s, 3), "share": round(spent / filmed_s, 5)}
    return {"fps": FOLLOWED_FPS, "throws": throws, **cost}
