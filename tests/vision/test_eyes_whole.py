"""The eyes as a whole: camera, settling and the real reader, on thrown dice whose faces only the frames show."""

from __future__ import annotations

import itertools
import json
from pathlib import Path

import pytest

from vision.cameras.simulated import SimulatedCamera
from vision.cameras.video import VideoFile
from vision.events import Settled
from vision.eyes import Eyes
from vision.frames import Camera
from vision.reader import Reader

CLIPS = Path(__file__).parents[2].parent / "shared" / "photos" / "clips"


@pytest.fixture(scope="module")
def reader() -> Reader:
    return Reader()


def settled(camera: Camera, reader: Reader, frames: int) -> list[Settled]:
    eyes = Eyes(reader)
    events = (event for frame in itertools.islice(camera.frames(), frames) for event in eyes.see(frame))
    return [event for event in events if isinstance(event, Settled)]


@pytest.mark.parametrize("seed", range(3))
def test_a_simulated_throw_is_read_as_it_lies(reader: Reader, seed: int) -> None:
    camera = SimulatedCamera(seed=seed, paced=False)
    camera.throw(["red", "green", "blue", "white", "black"][: seed + 3])
    reading = settled(camera, reader, 120)[-1].reading
    assert reading.sure
    seen = sorted((die.face, die.colour) for die in reading.dice)
    assert seen == sorted((die.face, die.colour) for die in camera.answer_key())


def test_wetzlers_six_throws_are_read(reader: Reader) -> None:
    path = CLIPS / "RobertWetzler_dice_video_1.mp4"
    if not path.exists():
        pytest.skip(f"{path.name} is not at {CLIPS}")
    entries = [json.loads(line) for line in (CLIPS / "index.jsonl").read_text().splitlines()]
    (values,) = (e["final_values"] for e in entries if e["file"] == path.name)
    readings = [event.reading for event in settled(VideoFile(path, speed=None), reader, 1000)]
    assert [sorted(r.faces) for r in readings] == [sorted(v) for v in values]
