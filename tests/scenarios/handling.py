"""python -m tests.scenarios.handling: minutes of handling on the simulated tray, and the pipeline's verdicts.

A clumsy hand throws, and between the throws it pushes, tidies, knocks, turns and lays down dice, covers the
tray, leans on the table and bumps the camera, with simulated physics. The camera's log holds the ground
truth. The dice reported as thrown are compared with it, act by act.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from vision.cameras.simulated import SimulatedCamera
from vision.events import Settled
from vision.frames import Frame
from vision.pipeline import Pipeline
from vision.reading.reader import Reader
from vision.simulation.playing import ActImpossible
from vision.tracking.tracks import TrackOutcome

REST_S = 1.2
"""Rest after each act, until the tray is read. A resting arm takes longer by itself."""

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

    def add(self, seed: int, act: str, thrown: list[int], reported: list[int], questions: int) -> None:
        missed, false_faces = Counter(thrown) - Counter(reported), Counter(reported) - Counter(thrown)
        self.counts.update(
            {
                "acts": 1,
                "thrown": len(thrown),
                "missed": missed.total(),
                "false": false_faces.total(),
                "questions": questions,
            }
        )
        if missed or false_faces:
            self.wrong.append((seed, act, tuple(sorted(thrown)), tuple(sorted(reported))))


def run_hand(seed: int, acts: int, tally: Tally, reader: Reader, fps: float = 30.0) -> None:
    """Runs this many acts of one clumsy hand."""
    rng = np.random.default_rng(seed)
    camera = SimulatedCamera((640, 480), fps=fps, seed=seed, paced=False)
    camera.set_person(float(rng.uniform(-1, 1)), int(rng.integers(5)), int(rng.integers(6)))
    frames, pipeline = camera.frames(), Pipeline(reader)
    _reported(pipeline, _until_rest(camera, frames, fps))
    for n in range(acts):
        act = "throw" if n % 3 == 0 else str(rng.choice(ACTS))
        acts_before = len(camera.answer_log())
        if not _start_act(camera, act, rng):
            continue
        seen = list(_until_rest(camera, frames, fps))
        reported = _reported(pipeline, iter(seen))
        completed = camera.answer_log()[acts_before:]
        thrown = [
            outcome.after.face
            for d in completed
            for outcome in d.dice
            if outcome.outcome == TrackOutcome.THROWN and outcome.after
        ]
        tally.seconds += len(seen) / fps
        tally.add(seed, act, thrown, reported[0], reported[1])


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


def _until_rest(camera: SimulatedCamera, frames: Iterator[Frame], fps: float) -> Iterator[Frame]:
    resting_frames = 0
    while resting_frames < REST_S * fps:
        yield next(frames)
        resting_frames = resting_frames + 1 if camera.resting else 0


def _reported(pipeline: Pipeline, frames: Iterator[Frame]) -> tuple[list[int], int]:
    """The faces reported as thrown, and the number of dice with an unclear outcome."""
    settled = [event for frame in frames for event in pipeline.process(frame) if isinstance(event, Settled)]
    tracks = [track for event in settled for track in event.tracks.dice]
    return [t.seen.face for t in tracks if t.outcome is TrackOutcome.THROWN], sum(
        t.outcome is TrackOutcome.UNCLEAR for t in tracks
    )


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.scenarios.handling", description=__doc__)
    parser.add_argument(
        "--hands", type=int, default=20, help="number of hands, each with its own seed (default: %(default)s)"
    )
    parser.add_argument(
        "--acts", type=int, default=30, help="acts of each, every third a throw (default: %(default)s)"
    )
    parser.add_argument("--first", type=int, default=0, help="the first seed (default: %(default)s)")
    options = parser.parse_args()
    tally, reader = Tally(), Reader()
    for seed in range(options.first, options.first + options.hands):
        run_hand(seed, options.acts, tally, reader, fps=(30.0, 10.0, 15.0)[seed % 3])
        print(f"{tally.seconds / 60:5.1f} minutes  {dict(tally.counts)}", flush=True)
    for seed, act, thrown, reported in tally.wrong:
        print(f"hand {seed}: {act}: thrown {thrown}, reported {reported}")


if __name__ == "__main__":
    main()
