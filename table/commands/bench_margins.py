"""`brehon bench --margins`: how far rest and motion lie from the bounds that tell them apart, on recordings and simulated throws.

The simulated throws stand for cameras and dice that nobody recorded: from five to sixty frames a second, small dice and large ones.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import asdict, replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from table.commands.measuring import loaded
from table.commands.recordings import recording_in
from table.commands.watch import frames_of, opened

if TYPE_CHECKING:
    from vision.frames import Frame
    from vision.margins import Margins
    from vision.pipeline import DiceReader

SIZE_WH, SEED = (640, 480), 3
FPS = (5.0, 10.0, 30.0, 60.0)
DICE_MM = (9.0, 25.0)
"""Sides of the smallest dice that are common, and of the largest: 24 px and 73 px of the simulated pictures."""

COLOURS, THROWS = ("white", "red", "green"), 2
NOISE_SIGMA = 5.0
"""Of the simulated camera, grey levels: a webcam in the evening."""

REST_S = 1.5
"""How long simulated dice lie before a throw and after it."""

BOUNDLESS = 99.0
"""A margin over this is told as that: nothing moved at all."""

NAME_W = 34
"""Columns of a recording's name."""


def measured(paths: Sequence[Path], models: Path | None) -> dict[str, Any]:
    """What `--margins --json` prints: the bounds, and the margins of each recording, the named ones first."""
    from vision.margins import margins
    from vision.motion import NOISE_LEVELS
    from vision.settle import RESTING_SIDES_S, ROLLING_SIDES_S, SETTLE_S

    reader = loaded(str(models) if models else None)
    found: list[dict[str, Any]] = []
    for path in paths:
        trouble: list[str] = []
        of_path = margins(_recorded(path, trouble), reader)
        found.append({"recording": path.name, **asdict(of_path), "trouble": "".join(trouble)})
    found += [{"recording": name, **asdict(of_throw), "trouble": ""} for name, of_throw in _simulated(reader)]
    bounds = {"rest": RESTING_SIDES_S, "roll": ROLLING_SIDES_S, "rest_s": SETTLE_S, "noise": NOISE_LEVELS}
    return {"bounds": bounds, "recordings": found}


def _recorded(path: Path, trouble: list[str]) -> Iterator[Frame]:
    """The frames of a video, or of a folder that `brehon run --record` kept. trouble: gets what is wrong where they break off."""
    recording = recording_in(path)
    if recording is not None:
        yield from recording.frames()
        return
    with closing(opened([path], None)) as footage:
        yield from frames_of(footage)
        trouble.append(footage.trouble)


def _simulated(reader: DiceReader) -> Iterator[tuple[str, Margins]]:
    from vision.margins import margins

    for fps in FPS:
        for die_mm in DICE_MM:
            yield f"simulated, {fps:g} fps, dice of {die_mm:g} mm", margins(thrown(fps, die_mm), reader)


def thrown(fps: float, die_mm: float) -> Iterator[Frame]:
    """Frames of a simulated tray on which a hand throws, with rests between."""
    from vision.cameras.simulated import SimulatedCamera
    from vision.simulation import Scene

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


def lines(found: Mapping[str, Any]) -> Iterator[str]:
    """For people."""
    bounds = found["bounds"]
    yield f"Rest is under {bounds['rest']:g} sides of a die a second for {bounds['rest_s']:g} s, motion is over {bounds['roll']:g}."
    yield "Told is what came nearest to each bound, how many times nearer it could have come, and in brackets out of how many."
    yield "  noise  of the picture, grey levels"
    yield "  rest   the fastest look at dice that lay"
    yield "  roll   the fastest look at a throw, of the slowest throw"
    yield f"  lull   the fastest look at the calmest {bounds['rest_s']:g} s of a throw, which must not seem to be rest"
    yield ""
    yield f"  {'recording':{NAME_W}} {'looks/s':>8} {'die px':>6} {'noise':>13} {'rest':>18} {'roll':>18} {'lull':>18}"
    for one in found["recordings"]:
        yield from _rows(one)


def _rows(one: Mapping[str, Any]) -> Iterator[str]:
    name = one["recording"]
    name = name if len(name) <= NAME_W else f"{name[: NAME_W - 3]}..."
    a_second, die = (f"{value:.0f}" if value else "-" for value in (one["looks_a_second"], one["die_px"]))
    noise = f"{one['noise']['value']:.1f} {_times(one['noise'])}" if one["noise"] else "-"
    told = " ".join(f"{_told(one[what]):>18}" for what in ("rest", "roll", "lull"))
    yield f"  {name:{NAME_W}} {a_second:>8} {die:>6} {noise:>13} {told}"
    yield from (f"  {'':{NAME_W}} {remark}" for remark in _remarks(one))


def _remarks(one: Mapping[str, Any]) -> Iterable[str]:
    """What the columns do not say."""
    if one["disturbed"]:
        rests = "1 rest was" if one["disturbed"] == 1 else f"{one['disturbed']} rests were"
        yield f"{rests} disturbed: dice that were left alone seemed to move; something else in the picture changes"
    if one["restless"]:
        calmest = one["restless"]
        yield f"it ends without rest: its calmest spell has {calmest['value']:.1f}, {calmest['times']:.1f} times as fast as rest"
    if one["trouble"]:
        yield one["trouble"]


def _told(margin: Mapping[str, Any] | None) -> str:
    return f"{margin['value']:.1f} {_times(margin)} ({margin['of']})" if margin else "-"


def _times(margin: Mapping[str, Any]) -> str:
    return f"x{margin['times']:.1f}" if margin["times"] < BOUNDLESS else f">x{BOUNDLESS:.0f}"
