"""`brehon bench`: what reading and waiting cost on this machine, beside a net of YOLO11n's size; or, with --rules, what the rules cost;
or, with --margins, how surely rest is told from motion.

Each measurement of costs runs in an interpreter of its own (table/commands/measuring.py), kept to the cores that are asked for.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from table.commands import bench_margins, bench_rules
from table.commands.measuring import allowed_cores
from table.commands.printing import print_json
from table.errors import BrehonError, UnreadableAnswer

A_FIFTH = 0.2
"""Most that frame to Reading may take, in yardsticks."""
MOST_MB = 200
"""Most memory that a process which loads the nets and reads may ever hold, MB."""

SIZE_WH, DICE, TRAYS = (1280, 960), 6, 12
"""What is read: so many simulated trays, as a Raspberry Pi's camera would give them."""
SEED = 11

MOSTLY = 0.95
"""Share of its core that a measurement has to have had to be believed."""

LEAST_S, MOST_S = 0.5, 600.0
SPARE_S = 120.0
"""What a measurement may take beyond its seconds: loading, and a tray that has to come to rest first."""


class BenchFailed(BrehonError, RuntimeError):
    """A measurement that could not be made."""


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser(
        "bench",
        help="measure what reading, waiting and the rules cost on this machine",
        description="Reads simulated trays of six dice, 1280x960, in turn with a net of YOLO11n's size at 640x640, and tells the stages"
        " in ms, frames a second, the ratio of the two, memory, and what a table costs that waits with nothing new before it."
        " Other programs at work make every figure worse but the ratio. With --rules every game is played by chance instead, and"
        " a log of 2,000 answers is played over, as after a restart. With --margins recordings and simulated throws are watched,"
        " and told is how near dice at rest came to being taken for moving, and moving ones for resting.",
    )
    instead = parser.add_mutually_exclusive_group()
    instead.add_argument("--rules", action="store_true", help="measure the games instead: how fast they play, and how soon they resume")
    what = "measure instead how surely rest is told from motion, on these videos or recordings and on simulated throws"
    instead.add_argument("--margins", type=Path, nargs="*", metavar="VIDEO", help=what)
    parser.add_argument(
        "--seconds", type=float, default=10.0, metavar="N", help="of reading, and of waiting; or of play (default: %(default)g)"
    )
    parser.add_argument("--cores", type=int, default=1, metavar="N", help="cores to use (default: %(default)s)")
    parser.add_argument("--camera", default="simulated", help="the table waits before it; as for “brehon run” (default: %(default)s)")
    parser.add_argument("--models", type=Path, metavar="DIR", help="folder of the nets to read with (default: those of Brehon)")
    parser.add_argument("--json", action="store_true", help="one JSON object, for scripts")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Measures and prints; 0 whether or not the targets are met, for they say as much about the machine."""
    check(args.seconds, args.cores)
    if args.margins is not None:
        found, told = bench_margins.measured(args.margins, args.models), bench_margins.lines
    elif args.rules:
        found, told = rules_figures(args.seconds, args.cores), bench_rules.lines
    else:
        found, told = figures(args.seconds, args.cores, args.camera, args.models), lines
    if args.json:
        print_json(found)
    else:
        print("\n".join(told(found)), flush=True)
    return 0


def check(seconds: float, cores: int) -> None:
    """UnreadableAnswer: numbers that cannot be measured by."""
    if not LEAST_S <= seconds <= MOST_S:
        raise UnreadableAnswer(f"--seconds is from {LEAST_S:g} to {MOST_S:g}; got {seconds:g}")
    if not 1 <= cores <= len(allowed_cores()):
        raise UnreadableAnswer(f"--cores is from 1 to {len(allowed_cores())}, the cores that this process may use; got {cores}")


def figures(seconds: float, cores: int, camera: str, models: Path | None) -> dict[str, Any]:
    """What `--json` prints."""
    cost = reading_cost(seconds, cores, models)
    common = {"cores": cores, "models": str(models) if models else None}
    waiting = _measured("waiting", {**common, "camera": camera, "size": SIZE_WH, "seed": SEED, "seconds": seconds})
    following = _measured("following", {**common, "size": SIZE_WH, "seed": SEED, "seconds": seconds})
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
    common = {"cores": cores, "models": str(models) if models else None}
    with tempfile.TemporaryDirectory(prefix="brehon-bench-") as folder:
        _draw(Path(folder))
        reading = _measured("reading", {**common, "trays": folder, "seconds": seconds})
        memory = _measured("memory", {**common, "trays": folder})
    return {"cores": cores, "pinned": reading.pop("pinned"), "picture": {"size": list(SIZE_WH), "dice": DICE}, **reading, **memory}


def rules_figures(seconds: float, cores: int = 1) -> dict[str, Any]:
    """What `--rules --json` prints: the games by name, each played for its share of the seconds."""
    with tempfile.TemporaryDirectory(prefix="brehon-bench-") as folder:
        order = {"cores": cores, "folder": folder, "seconds": seconds, "seed": SEED}
        played = _measured("playing", order)
        resumed = _measured("resuming", order)
    return {
        "cores": cores,
        "resumed_answers": bench_rules.RESUMED,
        "games": {name: {**cost, "resume_ms": resumed[name]} for name, cost in played.items()},
    }


def _draw(folder: Path) -> None:
    """Writes the trays, a file each, (h, w, 3) uint8."""
    import numpy as np

    from vision.simulation import random_tray

    rng = np.random.default_rng(SEED)
    for n in range(TRAYS):
        np.save(folder / f"{n:02}.npy", random_tray(rng, DICE, size_wh=SIZE_WH)[0])


def _measured(what: str, order: Mapping[str, Any]) -> dict[str, Any]:
    """What the measuring process answers. BenchFailed: it says why it cannot, or breaks."""
    command = [sys.executable, "-m", "table.commands.measuring", what, json.dumps(order)]
    patience_s = order.get("seconds", 0) + SPARE_S
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=patience_s)
    except subprocess.TimeoutExpired:
        raise BenchFailed(f"measuring {what} did not end within {patience_s:.0f} s; stop what else runs here and try again") from None
    if done.returncode:
        last = done.stderr.strip().rpartition("\n")[2]
        raise BenchFailed(f"measuring {what} broke with status {done.returncode}: {last or 'it said nothing'}")
    answer: dict[str, Any] = json.loads(done.stdout)
    if "error" in answer:
        raise BenchFailed(answer["error"])
    return answer


def lines(found: Mapping[str, Any]) -> Iterator[str]:
    """For people."""
    cores, stages, waiting = found["cores"], found["stages_ms"], found["waiting"]
    w, h = found["picture"]["size"]
    yield f"{cores} core{'s' * (cores > 1)}, {w}x{h} pictures of {found['picture']['dice']} dice; medians of {found['rounds']} rounds"
    if not found["pinned"]:
        yield "This system cannot keep a process to some of its cores: the nets' threads are as many, but OpenCV may use more."
    if cores == 1 and found["had_share"] < MOSTLY:
        yield f"Other programs took {1 - found['had_share']:.0%} of this core meanwhile, and of its caches: times are too long."
    yield ""
    for stage, ms in stages.items():
        yield _row(STAGES[stage], ms, "ms")
    yield _row("frame to reading", found["total_ms"], "ms", f"{found['frames_a_second']:.0f} frames a second")
    yield _row("yardstick", found["yardstick_ms"], "ms", "a net of YOLO11n's size at 640x640, run in turn with the reading")
    yield _row("ratio", found["ratio"], "", f"under {A_FIFTH} is wanted: {_met(found['met']['fifth'])}", digits=3)
    yield _row("peak memory", found["peak_mb"], "MB", f"under {MOST_MB} MB is wanted: {_met(found['met']['memory'])}", digits=0)
    yield _row("loading the nets", found["load_ms"], "ms", f"after {found['import_ms']:.0f} ms for the libraries")
    yield ""
    share, frames = f"{waiting['share']:.2%} of a core", f"{waiting['frames_a_second']:.0f} frames a second"
    yield _row("a table that waits", waiting["cpu_ms_a_second"], "ms a second", f"{share}, {frames} of {waiting['camera']}")
    if waiting["drawing_ms_a_second"] is not None:
        yield _row("of it, drawing them", waiting["drawing_ms_a_second"], "ms a second", "which a real camera does by itself")
    following, wanted = found["following"], f"under {FOLLOWING_SHARE:.0%} is wanted: {_met(found['met']['following'])}"
    share = f"{following['share']:.1%} of a core at {following['fps']:.0f} frames a second; {wanted}"
    yield _row("dice that roll", following["cpu_ms_a_second"], "ms a second", share)


FOLLOWING_SHARE = 0.6
"""Share of a core that following dice through a throw may take: the page and the camera need the rest."""

STAGES = {
    "finder_shrink": "finder: shrink, peaks",
    "finder_net": "finder: net",
    "cutting": "faces: cutting",
    "face_net": "faces: net",
    "rest": "the rest",
}


def _row(what: str, value: float, unit: str, remark: str = "", digits: int = 1) -> str:
    return f"  {what:22} {value:8.{digits}f} {unit:12} {remark}".rstrip()


def _met(met: bool) -> str:
    return "met" if met else "not met"
