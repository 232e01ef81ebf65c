"""python -m tests.scenarios.handling: minutes of handling on the simulated tray, and the pipeline's verdicts.

A clumsy hand throws, and between the throws it pushes, tidies, knocks, turns and lays down dice, covers the
tray, leans on the table and bumps the camera, with simulated physics. The camera's log holds the ground
truth. The dice reported as thrown are compared with it, act by act: a die too many is a throw that nobody
made, one too few is a missed one, another face is misread.
"""

from __future__ import annotations

import argparse
from collections import Counter, deque
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import cache
from itertools import chain, repeat
from pathlib import Path

import numpy as np

from tests.footage import write_video
from vision.cameras.simulated import SimulatedCamera
from vision.events import Settled
from vision.frames import Picture
from vision.pipeline import Pipeline
from vision.reading.reader import Reader
from vision.simulation.playing import ActImpossible
from vision.tracking.tracks import Track, TrackOutcome

REST_S = 1.2
"""Rest after each act, at least. A resting arm takes longer by itself."""

LONGEST_REST_S = 4.0
"""The table is given this long to read the tray before the next act, so that a report belongs to its act."""

ACTS = (
    "slide", "slide", "tidy", "knock", "flick", "turn", "lay_down",
    "cover", "rest_sleeve", "reach_across", "bump",
)  # fmt: skip
"""Acts between throws."""


@dataclass
class Tally:
    """The results of handling. wrong: (seed, act, dice thrown, dice reported) of every error."""

    seconds: float = 0.0
    counts: Counter[str] = field(default_factory=Counter)
    wrong: list[tuple[int, str, tuple[int, ...], tuple[int, ...]]] = field(default_factory=list)

    def add(self, seed: int, act: str, thrown: list[int], reported: list[Track]) -> bool:
        """Adds the result of an act, and returns whether it is right: an unsure die is asked about, and may
        show any face."""
        dice = [track.seen for track in reported if track.outcome is TrackOutcome.THROWN]
        unsure = sum(not die.sure or die.cocked for die in dice)
        sure = Counter(die.face for die in dice if die.sure and not die.cocked)
        missed = (Counter(thrown) - sure).total()
        false = (sure - Counter(thrown)).total()
        asked = min(unsure, missed)
        missed, false = missed - asked, false + unsure - asked
        misread = min(missed, false)
        self.counts.update(
            acts=1,
            thrown=len(thrown),
            missed=missed - misread,
            false=false - misread,
            misread=misread,
            unsure=unsure,
            unclear=sum(track.outcome is TrackOutcome.UNCLEAR for track in reported),
        )
        if missed or false:
            self.wrong.append((seed, act, tuple(sorted(thrown)), tuple(sorted(die.face for die in dice))))
        return not missed and not false

    def add_all(self, other: Tally) -> None:
        """Adds the results of other hands."""
        self.seconds += other.seconds
        self.counts.update(other.counts)
        self.wrong += other.wrong


def run_hand(
    seed: int,
    acts: int,
    tally: Tally,
    reader: Reader,
    fps: float = 30.0,
    save_wrong: Path | None = None,
    dice: int = 0,
) -> None:
    """Runs this many acts of one clumsy hand.

    save_wrong: a folder for videos of acts that end wrong. dice: if not 0, all acts are throws of so many
    dice of one colour, which the hand picks up before.
    """
    rng = np.random.default_rng(seed)
    camera = SimulatedCamera((640, 480), fps=fps, seed=seed, paced=False)
    camera.set_person(float(rng.uniform(-1, 1)), int(rng.integers(5)), int(rng.integers(6)))
    table = _WatchedTable(camera, Pipeline(reader), fps)
    table.watch_until_rest()
    for n in range(acts):
        act = "throw" if dice or n % 3 == 0 else str(rng.choice(ACTS))
        acts_before = len(camera.answer_log())
        if dice:
            camera.throw(["red"] * dice)
        elif not _start_act(camera, act, rng):
            continue
        settled = table.watch_until_rest()
        completed = camera.answer_log()[acts_before:]
        thrown = [
            outcome.after.face
            for d in completed
            for outcome in d.dice
            if outcome.outcome == TrackOutcome.THROWN and outcome.after
        ]
        reported = [track for event in settled for track in event.tracks.dice]
        if not tally.add(seed, act, thrown, reported) and save_wrong:
            table.save_last_two(save_wrong / f"{seed}_{n}_{act}.mkv")
    tally.seconds += table.seconds


def _start_act(camera: SimulatedCamera, act: str, rng: np.random.Generator) -> bool:
    """Starts an act; False where the hand cannot carry it out."""
    lying = len(camera.lay())
    try:
        if act == "throw":
            leaving = [i for i in range(lying) if rng.random() < 0.4]
            camera.throw(["white", "red", "blue", "green"][: int(rng.integers(1, 5))], leaving)
        elif act in ("slide", "knock", "flick", "turn"):
            getattr(camera, act)(int(rng.integers(lying)))
        elif act == "lay_down":
            camera.lay_down(int(rng.integers(1, 7)), "white")
        else:
            getattr(camera, act)()
    except (ActImpossible, ValueError):
        return False
    return True


class _WatchedTable:
    """A simulated tray and the pipeline that watches it."""

    def __init__(self, camera: SimulatedCamera, pipeline: Pipeline, fps: float) -> None:
        self._camera, self._frames, self._pipeline, self._fps = camera, camera.frames(), pipeline, fps
        self._n_frames = 0
        self._pictures = deque[list[Picture]](maxlen=2)

    @property
    def seconds(self) -> float:
        return self._n_frames / self._fps

    def watch_until_rest(self) -> list[Settled]:
        """Watches until the hand rests and the tray was read, and returns what the pipeline reported."""
        settled: list[Settled] = []
        pictures: list[Picture] = []
        self._pictures.append(pictures)
        resting_frames, read = 0, False
        while resting_frames < REST_S * self._fps or (
            not read and resting_frames < LONGEST_REST_S * self._fps
        ):
            frame = next(self._frames)
            events = self._pipeline.process(frame)
            pictures.append(frame.picture)
            self._n_frames += 1
            resting_frames = resting_frames + 1 if self._camera.resting else 0
            reports = [event for event in events if isinstance(event, Settled)]
            settled += reports
            read = resting_frames > 0 and (read or bool(reports))
        return settled

    def save_last_two(self, path: Path) -> None:
        """Writes the last two acts as a lossless video."""
        path.parent.mkdir(parents=True, exist_ok=True)
        write_video(path, chain.from_iterable(self._pictures), self._fps, "FFV1")


def _tally_of(seed: int, acts: int, save_wrong: Path | None, fps: float | None, dice: int) -> Tally:
    tally = Tally()
    run_hand(seed, acts, tally, _reader(), fps or (30.0, 10.0, 15.0)[seed % 3], save_wrong, dice)
    return tally


@cache
def _reader() -> Reader:
    """One reader for each process."""
    return Reader()


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.scenarios.handling", description=__doc__)
    parser.add_argument(
        "--hands", type=int, default=20, help="number of hands, each with its own seed (default: %(default)s)"
    )
    parser.add_argument(
        "--acts", type=int, default=30, help="acts of each, every third a throw (default: %(default)s)"
    )
    parser.add_argument("--first", type=int, default=0, help="the first seed (default: %(default)s)")
    parser.add_argument("--jobs", type=int, default=1, help="processes side by side (default: %(default)s)")
    parser.add_argument("--fps", type=float, help="frames a second (default: 30, 10 or 15 by the seed)")
    parser.add_argument(
        "--throws", type=int, default=0, metavar="DICE",
        help="only throws, each of so many dice of one colour (default: throws and other acts)",
    )  # fmt: skip
    parser.add_argument(
        "--save-wrong", type=Path, metavar="DIR", help="write a video of each wrong act and the one before"
    )
    options = parser.parse_args()
    seeds = range(options.first, options.first + options.hands)
    total = Tally()
    with ProcessPoolExecutor(options.jobs) as pool:
        every = (repeat(o) for o in (options.acts, options.save_wrong, options.fps, options.throws))
        for tally in pool.map(_tally_of, seeds, *every):
            total.add_all(tally)
            print(f"{total.seconds / 60:5.1f} minutes  {dict(total.counts)}", flush=True)
    for seed, act, thrown, reported in total.wrong:
        print(f"hand {seed}: {act}: thrown {thrown}, reported {reported}")


if __name__ == "__main__":
    main()
