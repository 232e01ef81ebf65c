"""The whole pipeline with the real reader: simulated throws, throws of a clip, and faults of the camera."""

from __future__ import annotations

import itertools
import json
import math
from dataclasses import replace

import numpy as np
import pytest

from table.common.tray import TrayState
from tests.shared_files import CLIPS, shared_file
from vision.cameras.simulated import SimulatedCamera
from vision.cameras.video import VideoFile
from vision.events import Settled, StateChanged
from vision.frames import Camera
from vision.pipeline import Pipeline
from vision.reading.reader import Reader
from vision.simulation.faults import Fault
from vision.tracking.tracker import Tracker

FPS, MAX_DELAY_S = 30, 2.7  # 3 s on the page
"""Frame rate of the simulated camera, and the maximum delay until its trouble is reported."""

TROUBLES = {
    Fault.DARK: TrayState.DARK,
    Fault.COVERED: TrayState.COVERED,
    Fault.FROZEN: TrayState.FROZEN,
    Fault.REPEATING: TrayState.FROZEN,
    Fault.BLURRED: TrayState.BLURRED,
}


@pytest.fixture(scope="module")
def reader() -> Reader:
    return Reader()


def settled(camera: Camera, reader: Reader, frames: int) -> list[Settled]:
    pipeline = Pipeline(reader)
    events = (
        event for frame in itertools.islice(camera.frames(), frames) for event in pipeline.process(frame)
    )
    return [event for event in events if isinstance(event, Settled)]


@pytest.mark.parametrize("seed", range(3))
def test_a_simulated_throw_is_read_right(reader: Reader, seed: int) -> None:
    camera = SimulatedCamera(seed=seed, paced=False)
    camera.throw(["red", "green", "blue", "white", "black"][: seed + 3])
    reading = settled(camera, reader, 120)[-1].reading
    assert reading.sure
    seen = sorted((die.face, die.colour) for die in reading.dice)
    assert seen == sorted((die.face, die.colour) for die in camera.answer_key())


@pytest.mark.parametrize("has_key_frame", [False, True])
def test_a_die_that_rolls_on_while_the_camera_holds_a_picture_is_read_where_it_stops(
    reader: Reader, has_key_frame: bool
) -> None:
    """A busy computer repeats a frame for a third of a second. has_key_frame: a codec codes one anew."""
    camera, pipeline = SimulatedCamera(seed=0, paced=False), Pipeline(reader)
    coming = camera.frames()
    frames = list(itertools.islice(coming, 40))
    camera.throw(["red"])
    frames += itertools.islice(coming, 60)
    frames[59:69] = [replace(frame, picture=frames[59].picture) for frame in frames[59:69]]
    if has_key_frame:
        coded = frames[67].picture + np.random.default_rng(0).integers(-5, 6, frames[67].picture.shape)
        frames[67:68] = [replace(frames[67], picture=np.clip(coded, 0, 255).astype(np.uint8))]
    events = [event for frame in frames for event in pipeline.process(frame)]
    (thrown,) = (e for e in events if isinstance(e, Settled) and e.reading.dice)
    (lying,) = camera.lay()
    assert math.dist(thrown.reading.dice[0].centre_xy, (lying.x, lying.y)) < 5


def test_no_throw_can_be_missed_any_more_once_a_frozen_camera_is_live_again(
    reader: Reader, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whether a die that comes into sight late, as another rolls off it, was thrown depends on that."""
    camera, pipeline, gaps_s = SimulatedCamera(seed=5, paced=False), Pipeline(reader), list[float]()
    coming = camera.frames()
    frames = list(itertools.islice(coming, 5 * FPS))
    held = [replace(frame, picture=frames[FPS].picture) for frame in frames[FPS : 4 * FPS]]
    frames[FPS : 4 * FPS] = held
    now_s = 0.0
    monkeypatch.setattr(Tracker, "mark_gap", lambda _: gaps_s.append(now_s))
    reported = set[TrayState]()
    for frame in frames:
        now_s = frame.at_s
        reported |= {e.state for e in pipeline.process(frame) if isinstance(e, StateChanged)}
    assert TrayState.FROZEN in reported
    assert gaps_s, "while the picture was held"
    assert max(gaps_s) - held[-1].at_s < 0.3


@pytest.mark.parametrize("fault", [Fault.FROZEN, Fault.REPEATING])
def test_a_camera_that_freezes_with_a_hand_in_the_picture_is_said_to_be_frozen_until_it_is_live(
    reader: Reader, fault: Fault
) -> None:
    camera, pipeline = SimulatedCamera(seed=5, paced=False), Pipeline(reader)
    frames = camera.frames()
    camera.throw(["green"] * 3)
    for _ in range(5 * FPS):
        list(pipeline.process(next(frames)))
    camera.throw(["green"] * 3)
    came = [e for f in itertools.islice(frames, 21) for e in pipeline.process(f)]
    assert isinstance(came[-1], StateChanged)
    assert came[-1].state is TrayState.HAND
    camera.fault(fault, 4.0)
    start_s = (first := next(frames)).at_s
    came = [e for f in (first, *itertools.islice(frames, 3 * FPS)) for e in pipeline.process(f)]
    last = [e for e in came if isinstance(e, StateChanged)][-1]
    assert last.state is TrayState.FROZEN
    assert last.at_s - start_s <= MAX_DELAY_S
    after = [e for f in itertools.islice(frames, 3 * FPS) for e in pipeline.process(f)]
    assert any(isinstance(e, StateChanged) and not e.state.blind for e in after)


def test_every_throw_of_a_clip_is_read(reader: Reader) -> None:
    clip = shared_file(CLIPS / "RobertWetzler_dice_video_1.mp4")
    entries = [json.loads(line) for line in (CLIPS / "index.jsonl").read_text().splitlines()]
    (values,) = (e["final_values"] for e in entries if e["file"] == clip.name)
    readings = [event.reading for event in settled(VideoFile(clip, speed=None), reader, 1000)]
    assert [sorted(r.faces) for r in readings] == [sorted(v) for v in values]


@pytest.mark.parametrize("fault", TROUBLES)
def test_every_fault_of_the_simulated_camera_is_reported_in_time(reader: Reader, fault: Fault) -> None:
    """A sudden fault may look like a hand for a moment. A blurred lens leaves the sensor's noise sharp."""
    camera, pipeline = SimulatedCamera(seed=5, paced=False), Pipeline(reader)
    camera.throw(["green"])
    frames = camera.frames()
    for _ in range(5 * FPS):
        list(pipeline.process(next(frames)))
    camera.fault(fault, 60.0)
    start_s = (first := next(frames)).at_s
    faulty_frames = [first, *(next(frames) for _ in range(round(MAX_DELAY_S * FPS)))]
    blind_states = [
        event
        for frame in faulty_frames
        for event in pipeline.process(frame)
        if isinstance(event, StateChanged) and event.state.blind
    ]
    assert [event.state for event in blind_states] == [TROUBLES[fault]]
    assert blind_states[0].at_s - start_s <= MAX_DELAY_S
