"""`brehon bench`: measures the speed of reading, waiting and the rules on this computer.

It compares reading with a net of YOLO11n's size. With --rules it measures the rules, and with --margins the
margins between rest and motion. The measurements are in table.benchmark.
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
from table.commands.watch import frames_in, open_footage
from table.common.errors import UnreadableAnswer
from table.recording.recordings import recording_in

if TYPE_CHECKING:
    from table.benchmark.margins import Source

MIN_S, MAX_S = 0.5, 600.0
"""Range of --seconds."""


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser(
        "bench",
        help="measure the speed of reading, waiting and the rules on this computer",
        description="Reads simulated trays of six dice (1280x960), in turn with a net of YOLO11n's size"
        " (640x640). Prints the time of each stage in ms, frames per second, the ratio of the two times,"
        " the memory, and the load of a table that waits for a throw."
        " Other programs that run at the same time make every figure worse, except the ratio."
        " --rules: play every game at random instead, and replay a log of 2,000 answers, as after a restart."
        " --margins: watch recordings and simulated throws instead, and print how close dice at rest come"
        " to the limit for motion, and moving dice to the limit for rest.",
    )
    instead = parser.add_mutually_exclusive_group()
    instead.add_argument(
        "--rules", action="store_true", help="measure the games instead: how fast they play and resume"
    )
    what = "measure rest and motion instead, on these videos or recordings and on simulated throws"
    instead.add_argument("--margins", type=Path, nargs="*", metavar="VIDEO", help=what)
    parser.add_argument(
        "--seconds",
        type=float,
        default=10.0,
        metavar="N",
        help="seconds for each measurement (default: %(default)g)",
    )
    parser.add_argument(
        "--cores", type=int, default=1, metavar="N", help="cores to use (default: %(default)s)"
    )
    parser.add_argument(
        "--camera",
        default="simulated",
        help="camera of the waiting table, as for “brehon run” (default: %(default)s)",
    )
    parser.add_argument(
        "--models", type=Path, metavar="DIR", help="folder with the nets (default: those of Brehon)"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object, for scripts")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """The exit status: 0 even if a target is not met, because the figures also depend on the computer."""
    check(args.seconds, args.cores)
    if args.margins is not None:
        from table.benchmark.margins import margin_figures

        figures, to_lines = margin_figures(_recordings(args.margins), args.models), margin_lines
    elif args.rules:
        figures, to_lines = rules_figures(args.seconds, args.cores), rules_lines
    else:
        figures, to_lines = table_figures(args.seconds, args.cores, args.camera, args.models), table_lines
    if args.json:
        print_json(figures)
    else:
        print("\n".join(to_lines(figures)), flush=True)
    return 0


def check(seconds: float, cores: int) -> None:
    """Raises UnreadableAnswer if a number is out of range."""
    if not MIN_S <= seconds <= MAX_S:
        raise UnreadableAnswer(f"--seconds must be from {MIN_S:g} to {MAX_S:g}; got {seconds:g}")
    if not 1 <= cores <= len(allowed_cores()):
        raise UnreadableAnswer(
            f"--cores must be from 1 to {len(allowed_cores())}, the cores that this process may use;"
            f" got {cores}"
        )


def _recordings(paths: Sequence[Path]) -> Iterator[Source]:
    """The recordings at these paths, one after the other."""
    for path in paths:
        yield from _recording(path)


def _recording(path: Path) -> Iterator[Source]:
    """A video, or a folder from `brehon run --record`. It is open until the next one is requested."""
    from table.benchmark.margins import Source

    recording = recording_in(path)
    if recording is not None:
        yield Source(path.name, recording.frames())
        return
    with closing(open_footage([path], None)) as footage:
        yield Source(path.name, frames_in(footage), lambda: footage.trouble)
