"""python -m tests.scenarios: runs scenarios by seed and prints the verdict on each, or shows one."""

from __future__ import annotations

import argparse
import time
from concurrent.futures import ProcessPoolExecutor
from functools import lru_cache
from pathlib import Path

import cv2

from tests.scenarios.clips import clips, run_clip
from tests.scenarios.kinds import KINDS
from tests.scenarios.making import make_scenario
from tests.scenarios.running import log_lines, reports_of, run, sheet, summary_line, table, write_scenario
from tests.scenarios.truth import Result, Verdict
from tests.scenarios.whole import run_whole
from vision.reading.reader import Reader


@lru_cache(maxsize=1)
def _reader() -> Reader:
    return Reader()


def _use_one_thread() -> None:
    """Limits OpenCV to one thread per process."""
    cv2.setNumThreads(1)


def _run(job: tuple[int, str | None, bool, bool, Path | None]) -> Result:
    """The verdict on one scenario. A wrong one is written to the folder as a video and an event log."""
    seed, kind, drawn, whole, folder = job
    if whole:
        result, lines = run_whole(seed, kind, drawn)
    else:
        result, events = run(_reader(), seed, kind, drawn)
        lines = list(log_lines(result, events))
    if folder and result.verdict is not Verdict.RIGHT:
        folder.mkdir(parents=True, exist_ok=True)
        write_scenario(make_scenario(seed, kind, drawn)[0], folder / f"{seed}.mp4")
        (folder / f"{seed}.jsonl").write_text("\n".join(lines) + "\n")
    return result


def _seeds(words: str) -> list[int]:
    """The seeds in words such as "0-299" or "3,7,12-20"."""
    seeds: list[int] = []
    for word in words.split(","):
        first, _, last = word.partition("-")
        seeds += range(int(first), int(last or first) + 1)
    return seeds


def _argument_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.scenarios", description=__doc__)
    parser.add_argument("--seeds", type=_seeds, default=_seeds("0-299"), help="such as 0-299, or 3,7,12-20")
    parser.add_argument(
        "--kind", choices=list(KINDS), help="use this kind with every seed, instead of the seed's own"
    )
    parser.add_argument("--drawn", action="store_true", help="use no photographs")
    parser.add_argument(
        "--whole", action="store_true", help="run “brehon watch” with its game, instead of the pipeline alone"
    )
    parser.add_argument("--jobs", type=int, default=1, help="number of processes")
    parser.add_argument(
        "--save-bad", type=Path, metavar="DIR", help="write a video and an event log of each wrong one"
    )
    parser.add_argument(
        "--show", nargs=2, metavar=("SEED", "OUT.mp4"), help="write this one as a video and exit"
    )
    parser.add_argument(
        "--sheet", nargs=2, metavar=("SEED", "OUT.png"), help="write 24 frames of this one and exit"
    )
    parser.add_argument(
        "--log", type=int, metavar="SEED", help="print the truth and every event of this one and exit"
    )
    parser.add_argument("--clips", action="store_true", help="run the real clips and exit")
    return parser


def main() -> None:
    options = _argument_parser().parse_args()
    _use_one_thread()
    if options.show:
        stage, _ = make_scenario(int(options.show[0]), options.kind, options.drawn)
        write_scenario(stage, Path(options.show[1]))
    elif options.sheet:
        stage, truth = make_scenario(int(options.sheet[0]), options.kind, options.drawn)
        cv2.imwrite(options.sheet[1], sheet(list(stage.frames())))
        print(truth)
    elif options.log is not None:
        result, events = run(_reader(), options.log, options.kind, options.drawn)
        print("\n".join(log_lines(result, events)))
    elif options.clips:
        _run_clips()
    else:
        _run_all(options)


def _run_clips() -> None:
    for clip in clips():
        result, events = run_clip(_reader(), clip)
        reports = "; ".join(f"{report.at_s:.1f} {report.thrown}" for report in reports_of(events))
        print(summary_line(result) if result else f"{clip.file.name}: {reports}")


def _run_all(options: argparse.Namespace) -> None:
    jobs = [(seed, options.kind, options.drawn, options.whole, options.save_bad) for seed in options.seeds]
    began, results = time.perf_counter(), []
    with ProcessPoolExecutor(options.jobs, initializer=_use_one_thread) as pool:
        for result in pool.map(_run, jobs) if options.jobs > 1 else map(_run, jobs):
            results.append(result)
            print(summary_line(result), flush=True)
    print(table(results))
    print(f"{len(results)} scenarios in {time.perf_counter() - began:.0f} s")


if __name__ == "__main__":
    main()
