"""`brehon bench`: what reading and waiting cost on this machine, beside a net of YOLO11n's size; or, with --rules, what the rules cost;
or, with --margins, how surely rest is told from motion.

The measurements are table.benchmark's.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from table.benchmark.cores import allowed_cores
from table.benchmark.figures import rules_figures, table_figures
from table.commands.bench_text import margin_lines, rules_lines, table_lines
from table.commands.printing import print_json
from table.commands.watch import frames_of, opened
from table.common.errors import UnreadableAnswer
from table.recording.recordings import recording_in

if TYPE_CHECKING:
    from table.benchmark.margins import Source

LEAST_S, MOST_S = 0.5, 600.0
"""Of --seconds."""


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
        from table.benchmark.margins import margin_figures

        found, told = margin_figures(_recordings(args.margins), args.models), margin_lines
    elif args.rules:
        found, told = rules_figures(args.seconds, args.cores), rules_lines
    else:
        found, told = table_figures(args.seconds, args.cores, args.camera, args.models), table_lines
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


def _recordings(paths: Sequence[Path]) -> Iterator[Source]:
    """The recordings at these paths, in turn."""
    for path in paths:
        yield from _recording(path)


def _recording(path: Path) -> Iterator[Source]:
    """A video, or a folder that `brehon run --record` kept; open until the next one is asked for."""
    from table.benchmark.margins import Source

    recording = recording_in(path)
    if recording is not None:
        yield Source(path.name, recording.frames())
        return
    with closing(opened([path], None)) as footage:
        yield Source(path.name, frames_of(footage), lambda: footage.trouble)
