"""The whole pipeline on clips of real dice: which throws it reports."""

from __future__ import annotations

import itertools

import cv2
import numpy as np
import pytest

from table.common.tray import TrayState
from tests.shared_files import CLIPS, shared_file
from vision.events import Settled, StateChanged, TrayEvent
from vision.frames import Frame
from vision.pipeline import Pipeline
from vision.reading.reader import Reader
from vision.tracking.tracks import TrackOutcome


def events_of(name: str, step: int = 1) -> list[tuple[int, TrayEvent]]:
    """The events of a clip, each with the number of its frame. step: every step-th frame is processed."""
    video = cv2.VideoCapture(str(shared_file(CLIPS / name)))
    fps, pipeline, events = video.get(cv2.CAP_PROP_FPS), Pipeline(Reader()), []
    for n in itertools.count():
        got, picture = video.read()
        if not got:
            break
        if n % step:
            continue
        events += [(n, event) for event in pipeline.process(Frame(np.asarray(picture, np.uint8), n / fps))]
    if not events:
        pytest.skip(f"this OpenCV cannot decode {name}")
    return events


def throws(events: list[tuple[int, TrayEvent]]) -> list[tuple[int, list[int]]]:
    """(frame, faces ascending) of every settled tray with dice that were thrown."""
    settled = [(n, event) for n, event in events if isinstance(event, Settled)]
    faces = [
        (n, sorted(t.seen.face for t in event.tracks.dice if t.outcome is TrackOutcome.THROWN))
        for n, event in settled
    ]
    return [(n, thrown) for n, thrown in faces if thrown]


def test_every_throw_of_a_clip_is_reported_once_and_dice_of_the_first_frame_are_no_throw() -> None:
    """No hand is in the picture: the dice hop up and come down. Some show their earlier face again."""
    events = events_of("RobertWetzler_dice_video_1.mp4")
    thrown = throws(events)
    assert [faces for _, faces in thrown] == [[3, 5], [1, 5], [1, 2], [2, 4], [1, 1]]
    at_rest = [(39, 60), (72, 88), (106, 120), (151, 165), (184, 197)]
    assert all(first <= n <= last for (n, _), (first, last) in zip(thrown, at_rest, strict=True))


def test_throws_by_hand_among_flickering_labels_are_throws() -> None:
    """The webcam repeats each picture for four or five frames, so a throw has few pictures, also of every
    second frame. Somebody drew boxes around the dice. They change with the dice and look like hands."""
    events = events_of("Epanemu_results_1.mp4", step=2)
    assert 3 <= len(throws(events)) <= 12


def test_a_hand_that_throws_thirteen_dice_is_a_hand_and_no_throw() -> None:
    events = events_of("gruzdev-as_6.gif")
    assert any(
        isinstance(event, StateChanged) and event.state is TrayState.HAND and 12 <= n <= 24
        for n, event in events
    )
    assert not [n for n, _ in throws(events) if n < 40]
