"""The margins of rest and motion to the thresholds that separate them, on recordings and simulated throws.

The simulated throws cover cameras and dice without recordings: five to sixty frames a second, small and
large dice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass, replace
from itertools import chain, islice
from pathlib import Path
from typing import Any

from table.benchmark.nets import load_reader
from vision.cameras.simulated import SimulatedCamera
from vision.dice_reader import DiceReader
from vision.frames import Frame
from vision.settling.margins import margins
from vision.settling.motion import NOISE_LEVELS
from vision.settling.settle import RESTING_SIDES_S, ROLLING_SIDES_S, SETTLE_S
from vision.simulation import Scene

SIZE_WH, SEED = (640, 480), 3
FPS = (5.0, 10.0, 30.0, 60.0)
DICE_MM = (9.0, 25.0)
"""Sides of the smallest and the largest common dice: 24 px and 73 px in the simulated pictures."""

COLOURS, THROWS = ("white", "red", "green"), 2
NOISE_SIGMA = 5.0
"""Noise of the simulated camera, grey levels: that of a webcam in the evening."""

REST_S = 1.5
"""Rest of the simulated dice before and after a throw."""


@dataclass(frozen=True)
class Source:
    """A recording to measure.

    trouble: called after the last frame; one sentence on what is wrong with the frames, or "".
    """

    name: str
    frames: Iterable[Frame]
    trouble: Callable[[], str] = str


def margin_figures(recorded: Iterable[Source], models: Path | None) -> dict[str, Any]:
    """The output of `brehon bench --margins --json`: the thresholds, and the margins by recording.

    Simulated recordings come last.
    """
    reader = load_reader(models)
    found = [_figures(source, reader) for source in chain(recorded, _simulated())]
    bounds = {"rest": RESTING_SIDES_S, "roll": ROLLING_SIDES_S, "rest_s": SETTLE_S, "noise": NOISE_LEVELS}
    return {"bounds": bounds, "recordings": found}


def _figures(source: Source, reader: DiceReader) -> dict[str, Any]:
    found = asdict(margins(source.frames, reader))
    return {"recording": source.name, **found, "trouble": source.trouble()}


def _simulated() -> Iterator[Source]:
    for fps in FPS:
        for die_mm in DICE_MM:
            yield Source(f"simulated, {fps:g} fps, dice of {die_mm:g} mm", simulated_throws(fps, die_mm))


def simulated_throws(fps: float, die_mm: float) -> Iterator[Frame]:
    """Frames of a simulated tray on which a hand throws, with rests in between."""
    scene = replace(Scene(), die_mm=die_mm, noise_sigma=NOISE_SIGMA)
    camera = SimulatedCamera(SIZE_WH, fps, SEED, paced=False, scene=scene)
    frames = camera.frames()
    yield from islice(frames, round(REST_S * fps))
    for _ in range(THROWS):
        camera.throw(COLOURS)
        yield next(frames)
        while not camera.resting:
            yield next(frames)
        yield from islice(frames, round(REST_S * fps))
