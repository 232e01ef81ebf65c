"""A sleeve that rests over the tray: it is shown as HAND as long as it is there, and dice beside it are
read."""

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
from vision.settling.settle import HAND_PATIENCE_S, SLEEVE_PATIENCE_S, SettleDetector
from vision.simulation import SimDie
from vision.simulation.things import Thing
from vision.tracking.tracks import TrackOutcome

SIZE, FPS = (480, 360), 10
DICE = (SimDie(1, "red", -60, 30, 0.2), SimDie(2, "white", -10, -30, 0.9), SimDie(3, "blue", 30, 25, 2.0))


def at_rest(camera: SimulatedCamera, frames: Iterator[Frame], seconds: float) -> Iterator[Frame]:
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
    yield from at_rest(camera, frames, 2)


def with_sleeve(picture: Picture, stirs_px: float = 0.0) -> Picture:
    """The picture with a blue sleeve over its lower right corner."""
    h, w = picture.shape[:2]
    corners = np.array([(w + 40, 0.62 * h), (0.8 * w, 0.8 * h), (0.9 * w, h + 40), (w + 40, h + 40)]) + np.array((stirs_px, 0))
    worn = cv2.fillConvexPoly(picture.copy(), np.rint(corners).astype(np.int32), (120, 60, 50), cv2.LINE_AA)
    return np.asarray(worn, np.uint8)


def lines_of(frames: Iterator[Frame]) -> list[dict[str, Any]]:
    """The output lines of `brehon watch`."""
    pipeline = Pipeline(Reader())
    with temporary_referee(Opened(), pipeline.read_again) as referee:
        return list(output_lines(frames, pipeline, referee))


def states(lines: list[dict[str, Any]], since_s: float, until_s: float) -> list[str]:
    return [line["state"] for line in lines if "state" in line and since_s <= line["t"] < until_s]


@pytest.mark.parametrize("side", [0.0, 1.5])
def test_a_sleeve_shows_a_hand_until_it_goes(side: float) -> None:
    lines = lines_of(sleeve_filmed(HAND_PATIENCE_S + 3, side))
    going = HAND_PATIENCE_S + 4
    shown = states(lines, 1.7, going)
    assert set(shown) <= {"ROLLING", "HAND", "READING"}
    assert shown[-1] == "HAND"
    assert states(lines, going, 99)[-1] == "WAITING"
    assert len([line for line in lines if "reading" in line]) == 3
    assert not [line for line in lines if "accepted" in line]


def test_throws_beside_a_sleeve_are_read_and_accepted() -> None:
    camera = SimulatedCamera(SIZE, FPS, 3, paced=False)
    frames = camera.frames()
    film, faces = list(islice(frames, 15)), []
    for _ in range(3):
        camera.throw(["white", "red"])
        film += at_rest(camera, frames, 1.5)
        faces.append(sorted(die.face for die in camera.answer_key()))
    worn = (Frame(with_sleeve(f.picture), f.at_s) if f.at_s > 1 else f for f in film)
    lines = lines_of(worn)
    assert [sorted(line["accepted"]["faces"]) for line in lines if "accepted" in line] == faces
    assert "WAITING" not in states(lines, 1.1, 99)


def test_dice_keep_their_tracks_when_a_sleeve_goes_after_many_throws() -> None:
    """The sleeve came longer ago than backgrounds are kept."""
    camera = SimulatedCamera(SIZE, FPS, 3, paced=False)
    frames = camera.frames()
    film = list(islice(frames, 15))
    for _ in range(6):
        camera.throw(["white", "red"])
        film += at_rest(camera, frames, 1.5)
    goes_s = film[-1].at_s
    film += islice(frames, 3 * FPS)
    pipeline = Pipeline(Reader())
    worn = (Frame(with_sleeve(f.picture), f.at_s) if 1 < f.at_s <= goes_s else f for f in film)
    settled = [(f.at_s, event) for f in worn for event in pipeline.process(f) if isinstance(event, Settled)]
    assert [event.hand_rests for at_s, event in settled if at_s > 1][-2:] == [True, False]
    last_s, last = settled[-1]
    assert goes_s < last_s < goes_s + 1
    assert {track.outcome for track in last.tracks.dice} == {TrackOutcome.LAY}


def test_a_box_put_down_in_the_tray_becomes_part_of_the_table() -> None:
    camera = SimulatedCamera(SIZE, FPS, 1, paced=False, lying=DICE[:1])
    frames = camera.frames()
    film = list(islice(frames, 15))
    camera.put_down(Thing("phone", 40.0, 0.0, np.pi / 2))
    film += at_rest(camera, frames, HAND_PATIENCE_S + 3)
    assert states(lines_of(iter(film)), 0, 99)[-1] == "WAITING"


@pytest.mark.parametrize("gain", [0.6, 1.5])
def test_light_that_falls_in_over_the_rim_is_no_sleeve(gain: float) -> None:
    camera = SimulatedCamera(SIZE, FPS, 1, paced=False, lying=DICE)
    film = list(islice(camera.frames(), 60))

    def lit(frame: Frame) -> Frame:
        if frame.at_s < 1.5:
            return frame
        light = np.ones((*frame.picture.shape[:2], 1), np.float32)
        light[200:, :200] = gain
        return Frame(np.clip(frame.picture * light, 0, 255).astype(np.uint8), frame.at_s)

    pipeline = Pipeline(Reader())
    settled = [event for frame in film for event in pipeline.process(lit(frame)) if isinstance(event, Settled)]
    assert len(settled) > 1
    assert not any(event.hand_rests for event in settled)


def test_a_sleeve_that_lies_there_from_the_start_and_goes_leaves_no_sleeve() -> None:
    film = [frame for frame in sleeve_filmed(3) if frame.at_s > 2.5]
    pipeline = Pipeline(Reader())
    frames = [Frame(frame.picture, n / FPS) for n, frame in enumerate(film)]
    settled = [event for frame in frames for event in pipeline.process(frame) if isinstance(event, Settled)]
    assert len(settled) > 1
    assert not settled[-1].hand_rests


def test_a_sleeve_that_never_moves_becomes_part_of_the_table() -> None:
    picture = next(SimulatedCamera(SIZE, FPS, 1, paced=False, lying=DICE).frames()).picture
    settle = SettleDetector()
    rng = np.random.default_rng(1)

    def see(picture: Picture, since_s: float, seconds: float, stirs: bool = False) -> None:
        for n in range(round(2 * seconds)):
            worn = with_sleeve(picture, 4.0 * (n % 20 == 0)) if stirs else picture
            noisy = np.clip(worn + rng.normal(0, 1.5, worn.shape), 0, 255).astype(np.uint8)
            settle.update(Frame(noisy, since_s + n / 2))

    see(picture, 0, 3)
    see(with_sleeve(picture), 3, HAND_PATIENCE_S + 3)
    assert settle.hand_rests
    see(picture, 20, SLEEVE_PATIENCE_S, stirs=True)
    assert settle.hand_rests
    see(with_sleeve(picture), 20 + SLEEVE_PATIENCE_S, SLEEVE_PATIENCE_S + 12)
    assert not settle.hand_rests
