"""A sleeve that rests over the tray is shown as a hand while it is there, and dice beside it are read."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

import cv2
import numpy as np
import pytest

from table.commands.watch import temporary_referee
from table.recording.offline_table import output_lines
from table.referee.events import Opened
from vision.cameras.simulated import SimulatedCamera
from vision.events import Settled
from vision.frames import Frame, Picture
from vision.pipeline import Pipeline
from vision.reading.reader import Reader
from vision.settling.hands import SLEEVE_PATIENCE_S
from vision.settling.settle import HAND_PATIENCE_S, SettleDetector
from vision.simulation import SimDie
from vision.simulation.things import Thing
from vision.tracking.tracks import TrackOutcome

SIZE, FPS = (480, 360), 10
DICE = (SimDie(1, "red", -60, 30, 0.2), SimDie(2, "white", -10, -30, 0.9), SimDie(3, "blue", 30, 25, 2.0))


def frames_until_rest(camera: SimulatedCamera, frames: Iterator[Frame], seconds: float) -> Iterator[Frame]:
    """The frames until the hand has finished, and this many seconds more."""
    yield next(frames)
    while not camera.resting:
        yield next(frames)
    yield from islice(frames, round(seconds * FPS))


def sleeve_filmed(seconds: float, side: float = 0.0, seed: int = 1) -> Iterator[Frame]:
    camera = SimulatedCamera(SIZE, FPS, seed, paced=False, lying=DICE)
    camera.set_person(side, skin=1, sleeve=2)
    frames = camera.frames()
    yield from islice(frames, 15)
    camera.rest_sleeve(seconds)
    yield from frames_until_rest(camera, frames, 2)


def with_sleeve(picture: Picture, moves_px: float = 0.0) -> Picture:
    """The picture with a blue sleeve over its lower right corner."""
    h, w = picture.shape[:2]
    corners = np.array(
        [(w + 40, 0.62 * h), (0.8 * w, 0.8 * h), (0.9 * w, h + 40), (w + 40, h + 40)]
    ) + np.array((moves_px, 0))
    covered = cv2.fillConvexPoly(
        picture.copy(), np.rint(corners).astype(np.int32), (120, 60, 50), cv2.LINE_AA
    )
    return np.asarray(covered, np.uint8)


def watch_lines(frames: Iterator[Frame]) -> list[dict[str, Any]]:
    """The output lines of `brehon watch`."""
    pipeline = Pipeline(Reader())
    with temporary_referee(Opened(), pipeline.read_again) as referee:
        return list(output_lines(frames, pipeline, referee))


def states_between(lines: list[dict[str, Any]], since_s: float, until_s: float) -> list[str]:
    return [line["state"] for line in lines if "state" in line and since_s <= line["t"] < until_s]


@pytest.mark.parametrize("side", [0.0, 1.5])
def test_a_resting_sleeve_is_shown_as_a_hand_until_it_leaves(side: float) -> None:
    lines = watch_lines(sleeve_filmed(HAND_PATIENCE_S + 3, side))
    leaves_s = HAND_PATIENCE_S + 4
    shown = states_between(lines, 1.7, leaves_s)
    assert set(shown) <= {"ROLLING", "HAND", "READING"}
    assert shown[-1] == "HAND"
    assert states_between(lines, leaves_s, 99)[-1] == "WAITING"
    assert len([line for line in lines if "reading" in line]) == 3
    assert not [line for line in lines if "accepted" in line]


def test_throws_beside_a_sleeve_are_read_and_accepted() -> None:
    camera = SimulatedCamera(SIZE, FPS, 3, paced=False)
    frames = camera.frames()
    recorded, faces = list(islice(frames, 15)), []
    for _ in range(3):
        camera.throw(["white", "red"])
        recorded += frames_until_rest(camera, frames, 1.5)
        faces.append(sorted(die.face for die in camera.answer_key()))
    covered = (Frame(with_sleeve(f.picture), f.at_s) if f.at_s > 1 else f for f in recorded)
    lines = watch_lines(covered)
    assert [sorted(line["accepted"]["faces"]) for line in lines if "accepted" in line] == faces
    assert "WAITING" not in states_between(lines, 1.1, 99)


def test_dice_keep_their_tracks_when_a_sleeve_leaves_after_many_throws() -> None:
    """The sleeve came so long ago that no stored background is older."""
    camera = SimulatedCamera(SIZE, FPS, 3, paced=False)
    frames = camera.frames()
    recorded = list(islice(frames, 15))
    for _ in range(6):
        camera.throw(["white", "red"])
        recorded += frames_until_rest(camera, frames, 1.5)
    leaves_s = recorded[-1].at_s
    recorded += islice(frames, 3 * FPS)
    pipeline = Pipeline(Reader())
    covered = (Frame(with_sleeve(f.picture), f.at_s) if 1 < f.at_s <= leaves_s else f for f in recorded)
    settled = [
        (f.at_s, event) for f in covered for event in pipeline.process(f) if isinstance(event, Settled)
    ]
    assert [event.hand_rests for at_s, event in settled if at_s > 1][-2:] == [True, False]
    last_s, last = settled[-1]
    assert leaves_s < last_s < leaves_s + 1
    assert {track.outcome for track in last.tracks.dice} == {TrackOutcome.UNMOVED}


def test_a_box_put_down_in_the_tray_becomes_part_of_the_table() -> None:
    camera = SimulatedCamera(SIZE, FPS, 1, paced=False, lying=DICE[:1])
    frames = camera.frames()
    recorded = list(islice(frames, 15))
    camera.put_down(Thing("phone", 40.0, 0.0, np.pi / 2))
    recorded += frames_until_rest(camera, frames, HAND_PATIENCE_S + 3)
    assert states_between(watch_lines(iter(recorded)), 0, 99)[-1] == "WAITING"


@pytest.mark.parametrize("gain", [0.6, 1.5])
def test_light_from_over_the_rim_is_no_sleeve(gain: float) -> None:
    camera = SimulatedCamera(SIZE, FPS, 1, paced=False, lying=DICE)
    recorded = list(islice(camera.frames(), 60))

    def lit(frame: Frame) -> Frame:
        if frame.at_s < 1.5:
            return frame
        light = np.ones((*frame.picture.shape[:2], 1), np.float32)
        light[200:, :200] = gain
        return Frame(np.clip(frame.picture * light, 0, 255).astype(np.uint8), frame.at_s)

    pipeline = Pipeline(Reader())
    settled = [
        event for frame in recorded for event in pipeline.process(lit(frame)) if isinstance(event, Settled)
    ]
    assert len(settled) > 1
    assert not any(event.hand_rests for event in settled)


def test_a_sleeve_in_view_from_the_start_no_longer_rests_after_it_left() -> None:
    recorded = [frame for frame in sleeve_filmed(3) if frame.at_s > 2.5]
    pipeline = Pipeline(Reader())
    frames = [Frame(frame.picture, n / FPS) for n, frame in enumerate(recorded)]
    settled = [event for frame in frames for event in pipeline.process(frame) if isinstance(event, Settled)]
    assert len(settled) > 1
    assert not settled[-1].hand_rests


def test_a_sleeve_that_never_moves_becomes_part_of_the_table() -> None:
    picture = next(SimulatedCamera(SIZE, FPS, 1, paced=False, lying=DICE).frames()).picture
    settle = SettleDetector()
    rng = np.random.default_rng(1)

    def process(picture: Picture, since_s: float, seconds: float, moves: bool = False) -> None:
        for n in range(round(2 * seconds)):
            covered = with_sleeve(picture, 4.0 * (n % 20 == 0)) if moves else picture
            noisy = np.clip(covered + rng.normal(0, 1.5, covered.shape), 0, 255).astype(np.uint8)
            settle.update(Frame(noisy, since_s + n / 2))

    process(picture, 0, 3)
    process(with_sleeve(picture), 3, HAND_PATIENCE_S + 3)
    assert settle.hand_rests
    process(picture, 20, SLEEVE_PATIENCE_S, moves=True)
    assert settle.hand_rests
    process(with_sleeve(picture), 20 + SLEEVE_PATIENCE_S, SLEEVE_PATIENCE_S + 12)
    assert not settle.hand_rests
