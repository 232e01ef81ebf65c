"""The events of the pipeline and of the capture loop, also when readings are unsure and cameras fail."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np

from table.common.errors import CameraUnavailable
from table.common.tray import TrayState
from tests.vision.sticks import DrawnStickReader, drawn
from tests.vision.test_stick_tracker import FIRST
from vision.cameras.awaited import AwaitedCamera
from vision.cameras.picture_folder import PictureFolder
from vision.cameras.simulated import SimulatedCamera
from vision.capture import BACKOFF_S, IDLE_SKIP_S, CaptureLoop, Latency
from vision.events import (
    CameraLost,
    CameraRestored,
    Ended,
    Previewed,
    ReadFailed,
    Settled,
    StateChanged,
    TrayEvent,
)
from vision.frames import Frame, Picture
from vision.pipeline import EARLY_SHARE, Pipeline
from vision.reading.reader import Reader
from vision.reading.readings_at_rest import MAX_READINGS
from vision.readings import Reading, SeenDie
from vision.settling.settle import SETTLE_S
from vision.simulation import random_tray

SMALL = (320, 240)


def die(face: int, x: float = 0, colour: str = "red") -> SeenDie:
    return SeenDie(face, colour, (x, 0, 20, 20), 0.99, True)


def reading(*dice: SeenDie) -> Reading:
    return Reading(SMALL, dice)


class ScriptedReader:
    """A reader that returns these readings one after another, then the last one repeatedly, and counts."""

    def __init__(self, *readings: Reading | Exception) -> None:
        self.readings, self.read_count = list(readings) or [reading()], 0

    def read(self, picture: Picture) -> Reading:
        self.read_count += 1
        now = self.readings.pop(0) if len(self.readings) > 1 else self.readings[0]
        if isinstance(now, Exception):
            raise now
        return now


class ScriptedCamera:
    """A camera that delivers these pictures at 30 frames a second, and then ends or fails."""

    name = "test pictures"

    def __init__(self, pictures: list[Picture], fails: Exception | None = None) -> None:
        self.pictures, self.fails, self.closed = pictures, fails, 0

    def frames(self) -> Iterator[Frame]:
        for n, picture in enumerate(self.pictures):
            yield Frame(picture, n / 30)
        if self.fails:
            raise self.fails

    def close(self) -> None:
        self.closed += 1


NOISE = np.random.default_rng(7)


def still(n: int) -> list[Picture]:
    """Pictures of a still table with a bright border. They differ in noise, because a camera with equal
    pictures is frozen; and a camera that shows nothing but noise is covered."""
    table = np.full((240, 320, 3), 90.0)
    table[4:-4, [4, 5, -6, -5]] = table[[4, 5, -6, -5], 4:-4] = 150.0
    return [np.clip(table + NOISE.normal(0, 4, table.shape), 0, 255).astype(np.uint8) for _ in range(n)]


def with_motion(n: int) -> list[Picture]:
    pictures = still(n)
    for k, picture in enumerate(pictures):
        cv2.rectangle(picture, (60 + 15 * k, 100), (80 + 15 * k, 120), (230, 230, 230), -1)
    return pictures


def with_hand(n: int) -> list[Picture]:
    pictures = still(n)
    for picture in pictures:
        cv2.rectangle(picture, (0, 150), (250, 239), (120, 150, 210), -1)
    return pictures


def events_of(reader: ScriptedReader, pictures: list[Picture]) -> list[TrayEvent]:
    pipeline = Pipeline(reader)
    return [event for n, picture in enumerate(pictures) for event in pipeline.process(Frame(picture, n / 30))]


TRACKED_READINGS = 2
"""Readings of a still table in the first half of the settling time, while it is tracked."""


def after_tracking(*readings: Reading | Exception) -> ScriptedReader:
    """A reader that returns these readings after those for tracking, which equal the first."""
    return ScriptedReader(*[readings[0]] * TRACKED_READINGS, *readings)


HAND, ROLLING, SETTLING, READING = TrayState.HAND, TrayState.ROLLING, TrayState.SETTLING, TrayState.READING


def kinds(events: list[TrayEvent]) -> list[object]:
    """The state of each StateChanged, and the type of any other event but previews."""
    shown = [event for event in events if not isinstance(event, Previewed)]
    return [event.state if isinstance(event, StateChanged) else type(event) for event in shown]


def settled(events: list[TrayEvent]) -> list[Settled]:
    return [event for event in events if isinstance(event, Settled)]


# --- the pipeline -------------------------------------------------------------------------------------------


def test_a_still_table_is_read_at_the_start() -> None:
    events = events_of(ScriptedReader(reading(die(5))), still(15))
    assert kinds(events) == [SETTLING, READING, Settled]
    assert settled(events)[0].reading.faces == (5,)


def test_an_empty_table_is_reported_too() -> None:
    (event,) = settled(events_of(ScriptedReader(), still(15)))
    assert event.reading.dice == ()
    assert event.reading.sure


def test_every_motion_is_reported_once_and_followed_by_one_reading() -> None:
    events = events_of(ScriptedReader(reading(die(5))), [*still(15), *with_motion(8), *still(15)])
    assert kinds(events) == [SETTLING, READING, Settled, ROLLING, SETTLING, READING, Settled]


def test_a_tray_at_rest_is_usually_read_twice() -> None:
    reader = ScriptedReader(reading(die(5)))
    (event,) = settled(events_of(reader, still(30)))
    assert reader.read_count == TRACKED_READINGS + 2
    assert 230 <= event.latency_ms < 330


def test_a_reading_is_reported_when_two_in_a_row_agree() -> None:
    (event,) = settled(
        events_of(after_tracking(reading(die(5)), reading(die(6)), reading(die(6))), still(20))
    )
    assert event.reading == reading(die(6))


def test_readings_that_never_agree_are_reported_as_unsure() -> None:
    reader = after_tracking(*[reading(die(k % 2 + 1), die(4, 50)) for k in range(12)])
    (event,) = settled(events_of(reader, still(40)))
    assert [d.sure for d in event.reading.dice] == [False, True]
    assert reader.read_count == TRACKED_READINGS + MAX_READINGS


def test_one_or_two_unsure_readings_do_not_make_the_result_unsure() -> None:
    unsure_die, sure_die = replace(die(5), confidence=0.93, sure=False), replace(die(5), confidence=0.999)
    reader = after_tracking(reading(unsure_die), reading(sure_die), reading(unsure_die), reading(sure_die))
    (event,) = settled(events_of(reader, still(40)))
    assert event.reading.sure
    assert reader.read_count == TRACKED_READINGS + 5


def test_a_reading_that_stays_unsure_is_reported_after_a_few_attempts() -> None:
    reader = ScriptedReader(reading(replace(die(5), confidence=0.93, sure=False)))
    (event,) = settled(events_of(reader, still(40)))
    assert not event.reading.sure
    assert reader.read_count == TRACKED_READINGS + MAX_READINGS


def test_an_unsure_reading_is_repeated_while_the_dice_settle() -> None:
    """A leaning die takes at most two frames longer than a flat one."""
    leaning = ScriptedReader(reading(die(4), replace(die(5, 50), cocked=True)))
    ((flat,), (unsure,)) = (
        settled(events_of(reader, still(40))) for reader in (ScriptedReader(reading(die(4))), leaning)
    )
    assert unsure.reading.dice[1].cocked
    assert unsure.frame.at_s - flat.frame.at_s <= 2 / 30 + 1e-6


def test_an_unsure_reading_is_not_repeated_before_rest_while_something_creeps() -> None:
    """A patch that moves one px a frame is slow, but not motionless. One early reading of it is enough."""
    pictures = still(30)
    for k, picture in enumerate(pictures):
        cv2.rectangle(picture, (60 + k, 100), (80 + k, 120), (230, 230, 230), -1)
    leaning = ScriptedReader(reading(replace(die(5), cocked=True)))
    pipeline = Pipeline(leaning)
    for n, picture in enumerate(pictures):
        if any(READING in kinds([event]) for event in pipeline.process(Frame(picture, n / 30))):
            break
    assert leaning.read_count == TRACKED_READINGS + 1


def test_a_failure_of_the_reader_is_reported_and_the_pipeline_continues() -> None:
    events = events_of(
        after_tracking(ValueError("no"), ValueError("no"), reading(die(2))),
        [*still(15), *with_motion(8), *still(15)],
    )
    assert kinds(events) == [SETTLING, READING, ReadFailed, ROLLING, SETTLING, READING, Settled]


def test_dice_that_move_on_before_they_are_read_twice_are_not_reported() -> None:
    changing = ScriptedReader(*[reading(die(k % 6 + 1)) for k in range(30)])
    events = events_of(changing, [*still(10), *with_motion(4)])
    assert settled(events) == []


def test_a_simulated_game_is_followed_from_throw_to_throw() -> None:
    camera = SimulatedCamera(seed=5, paced=False)
    pipeline, events = Pipeline(Reader()), []
    for n, frame in enumerate(itertools.islice(camera.frames(), 260)):
        if n == 15:
            camera.throw(["red", "green", "blue"])
        if n == 110:
            camera.throw(["red", "green"], leaving=[2])
        events += list(pipeline.process(frame))
    first, second, *_, last = settled(events)
    assert first.reading.dice == ()
    assert len(second.reading.dice) == 3
    assert sorted(last.reading.faces) == sorted(d.face for d in camera.answer_key())
    assert any(HAND in kinds([event]) for event in events)


# --- the thread ---------------------------------------------------------------------------------------------


def captured(
    camera: ScriptedCamera,
    reader: ScriptedReader | None = None,
    reopen: Callable[[], ScriptedCamera] | None = None,
) -> list[TrayEvent]:
    events: list[TrayEvent] = []
    CaptureLoop(camera, reader or ScriptedReader(), events.append, reopen=reopen, pause=lambda s: False).run()
    return events


def reopening(*attempts: ScriptedCamera | Exception) -> Callable[[], ScriptedCamera]:
    """A function that returns or raises these, one at each call."""
    left = iter(attempts)

    def reopen() -> ScriptedCamera:
        attempt = next(left)
        if isinstance(attempt, Exception):
            raise attempt
        return attempt

    return reopen


def test_the_end_of_a_video_is_reported() -> None:
    assert kinds(captured(ScriptedCamera(still(15)))) == [SETTLING, READING, Settled, Ended]


def test_a_lost_camera_is_reported_once_and_is_final_without_a_way_to_reopen() -> None:
    assert kinds(captured(ScriptedCamera(still(2), CameraUnavailable("unplugged")))) == [SETTLING, CameraLost]


def test_a_lost_camera_is_reopened_with_growing_pauses() -> None:
    pauses: list[float] = []

    def pause(seconds: float) -> bool:
        pauses.append(seconds)
        return False

    reopen = reopening(CameraUnavailable("no"), CameraUnavailable("no"), ScriptedCamera(still(15)))
    events: list[TrayEvent] = []
    lost = ScriptedCamera(still(2), CameraUnavailable("unplugged"))
    CaptureLoop(lost, ScriptedReader(), events.append, reopen=reopen, pause=pause).run()
    assert kinds(events) == [SETTLING, CameraLost, CameraRestored, SETTLING, READING, Settled, Ended]
    assert pauses == [BACKOFF_S[0], BACKOFF_S[1], BACKOFF_S[1]]
    assert max(BACKOFF_S) <= 1, "a camera that is plugged in again has to work within three seconds"
    assert lost.closed == 1


def test_dice_seen_by_a_camera_that_was_plugged_in_again_have_new_numbers() -> None:
    """The referee still knows those that lay there before, by their numbers."""
    lost = ScriptedCamera(still(15), CameraUnavailable("unplugged"))
    seen = ScriptedReader(reading(die(5), die(3, 40)))
    events = captured(lost, seen, reopening(ScriptedCamera(still(15))))
    before, after = ({t.id for t in e.tracks.dice} for e in events if isinstance(e, Settled))
    assert len(before) == len(after) == 2
    assert not before & after


def test_any_error_of_a_driver_is_a_lost_camera_too() -> None:
    events = captured(
        ScriptedCamera(still(2), RuntimeError("buffer 7")), reopen=lambda: ScriptedCamera(still(15))
    )
    assert kinds(events) == [SETTLING, CameraLost, CameraRestored, SETTLING, READING, Settled, Ended]
    assert "RuntimeError: buffer 7" in str(next(e.error for e in events if isinstance(e, CameraLost)))


def test_a_camera_that_fails_to_close_and_to_open_is_tried_again() -> None:
    class StuckCamera(ScriptedCamera):
        def close(self) -> None:
            raise RuntimeError("the device is gone")

    reopen = reopening(OSError("no such device"), ScriptedCamera(still(15)))

    events: list[TrayEvent] = []
    stuck = StuckCamera(still(2), CameraUnavailable("unplugged"))
    CaptureLoop(stuck, ScriptedReader(), events.append, reopen=reopen, pause=lambda s: False).run()
    assert kinds(events) == [SETTLING, CameraLost, CameraRestored, SETTLING, READING, Settled, Ended]


def test_a_table_waits_for_its_first_camera() -> None:
    camera = AwaitedCamera()
    events: list[TrayEvent] = []
    CaptureLoop(
        camera,
        ScriptedReader(),
        events.append,
        reopen=lambda: ScriptedCamera(still(15)),
        pause=lambda s: False,
    ).run()
    assert kinds(events) == [CameraLost, CameraRestored, SETTLING, READING, Settled, Ended]
    assert "plug" in str(next(e.error for e in events if isinstance(e, CameraLost)))


def test_waiting_for_a_camera_ends_when_the_loop_is_stopped() -> None:
    events: list[TrayEvent] = []
    camera = ScriptedCamera([], CameraUnavailable("unplugged"))
    CaptureLoop(camera, ScriptedReader(), events.append, reopen=lambda: camera, pause=lambda s: True).run()
    assert kinds(events) == [CameraLost]


def test_the_newest_frame_is_a_jpeg_encoded_once() -> None:
    pictures = still(3)
    loop = CaptureLoop(ScriptedCamera(pictures), ScriptedReader(), lambda event: None)
    assert loop.latest_jpeg() is None
    loop.run()
    jpeg = loop.latest_jpeg()
    assert jpeg is not None
    assert loop.latest_jpeg() is jpeg
    shown = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR)
    assert shown is not None
    assert np.abs(shown.astype(int) - pictures[-1]).mean() < 6


class SkippingCamera(ScriptedCamera):
    """A camera that can skip frames.

    For each skip it records the number of frames before, the time to skip, and the page's picture.
    """

    def __init__(self, pictures: list[Picture]) -> None:
        super().__init__(pictures)
        self.frame_count, self.skips = 0, list[tuple[int, float]]()
        self.shown: list[bytes | None] = []
        self.loop: CaptureLoop | None = None

    def frames(self) -> Iterator[Frame]:
        for self.frame_count, frame in enumerate(super().frames(), 1):
            yield frame

    def skip_frames(self, seconds: float) -> None:
        assert self.loop
        self.skips.append((self.frame_count, seconds))
        self.shown.append(self.loop.latest_jpeg())


def captured_by_skipping_camera(pictures: list[Picture]) -> SkippingCamera:
    camera = SkippingCamera(pictures)
    camera.loop = CaptureLoop(camera, ScriptedReader(reading(die(5))), lambda event: None)
    camera.loop.run()
    return camera


def test_the_camera_skips_time_between_the_frames_of_an_idle_tray() -> None:
    skips = captured_by_skipping_camera(still(60)).skips
    first = skips[0][0]
    assert 30 < first < 50  # a second after it was read
    assert skips == [(n, IDLE_SKIP_S) for n in range(first, 61)]


def test_the_camera_skips_nothing_while_something_moves_or_is_read() -> None:
    moves_at, reads_by = 61, 61 + 8 + 15
    skips = [n for n, _ in captured_by_skipping_camera([*still(60), *with_motion(8), *still(60)]).skips]
    assert [n for n in skips if moves_at <= n <= reads_by] == []
    assert skips[-1] == 128


def test_the_page_gets_one_picture_a_second_of_an_idle_tray() -> None:
    shown = captured_by_skipping_camera(still(120)).shown
    assert len(shown) > 60
    assert len({id(jpeg) for jpeg in shown}) == -(-len(shown) // 30)


def test_the_number_of_the_picture_grows_only_when_the_tray_looks_different() -> None:
    def number_after(pictures: list[Picture]) -> int:
        loop = captured_by_skipping_camera(pictures).loop
        assert loop
        assert loop.picture_number
        return loop.picture_number

    idle = number_after(still(120))
    assert number_after(still(240)) == idle, "noise makes no new picture"
    assert number_after([*still(120), *with_motion(8), *still(112)]) >= idle + 8


def test_the_page_gets_the_newest_picture_when_something_moves() -> None:
    pictures = [*still(60), *with_motion(8)]
    loop = captured_by_skipping_camera(pictures).loop
    assert loop
    jpeg = loop.latest_jpeg()
    assert jpeg is not None
    picture = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR)
    assert picture is not None
    assert np.abs(picture.astype(int) - pictures[-1]).mean() < 6


def test_dice_are_previewed_before_they_are_reported() -> None:
    events = events_of(ScriptedReader(reading(die(3))), still(25))
    (preview,) = (event for event in events if isinstance(event, Previewed))
    assert preview.reading.faces == (3,)
    assert preview.at_s < EARLY_SHARE * SETTLE_S, "two readings of dice that are tracked suffice"
    assert kinds(events[events.index(preview) :]) == [READING, Settled]


def test_reading_again_reports_the_tray_again() -> None:
    events: list[TrayEvent] = []
    loop: list[CaptureLoop] = []

    def on_event(event: TrayEvent) -> None:
        events.append(event)
        if len(settled(events)) == 1 and isinstance(event, Settled):
            loop[0].read_again()

    loop.append(CaptureLoop(ScriptedCamera(still(25)), ScriptedReader(reading(die(3))), on_event))
    assert loop[0].latency == Latency()
    loop[0].run()
    assert kinds(events) == [SETTLING, READING, Settled, Settled, Ended]
    assert loop[0].latency.readings == 2
    assert settled(events)[1].latency_ms < 100


def test_the_thread_ends_on_stop_and_closes_the_camera() -> None:
    camera = SimulatedCamera(SMALL, seed=1, paced=False)
    events: list[TrayEvent] = []
    loop = CaptureLoop(camera, ScriptedReader(), events.append)
    loop.start()
    while loop.latest_jpeg() is None:
        pass
    loop.stop()
    loop.stop()
    loop.join(5)
    assert not loop._thread.is_alive()
    assert not any(isinstance(event, Ended | CameraLost) for event in events)


def test_every_picture_of_a_folder_settles_once(tmp_path: Path) -> None:
    rng = np.random.default_rng(3)
    for n in range(4):
        cv2.imwrite(str(tmp_path / f"{n}.png"), random_tray(rng, 4, size_wh=SMALL)[0])
    frames = PictureFolder(tmp_path, speed=None).frames()
    pipeline = Pipeline(ScriptedReader(), stills=True)
    events = [event for frame in frames for event in pipeline.process(frame)]
    assert len(settled(events)) == 4


def test_a_throw_is_reported_when_a_hand_comes_while_a_die_may_tip() -> None:
    """Two dice touch and face different ways, so one of them may lean and has a second to tip. The hand comes
    after half of it."""
    flat, askew = replace(die(5), normal_xy=(0.0, 0.0)), replace(die(2, 24), normal_xy=(0.8, 0.0))
    events = events_of(ScriptedReader(reading(flat, askew)), [*still(22), *with_hand(4)])
    assert kinds(events)[-2:] == [Settled, HAND]
    assert settled(events)[0].reading.faces == (5, 2)
    assert settled(events_of(ScriptedReader(reading(flat, askew)), still(22))) == []


def test_an_unsure_reading_is_not_reported_when_a_hand_comes() -> None:
    changing = ScriptedReader(*[reading(die(k % 6 + 1)) for k in range(30)])
    assert settled(events_of(changing, [*still(8), *with_hand(4)])) == []


def test_the_capture_loop_watches_sticks_as_soon_as_it_is_told() -> None:
    reader, settled = DrawnStickReader(), list[Settled]()
    camera = ScriptedCamera([drawn(FIRST, n) for n in range(40)])
    loop = CaptureLoop(camera, reader, lambda e: settled.append(e) if isinstance(e, Settled) else None)
    loop.watch_sticks(True)
    loop.run()
    assert [len(event.stick_tracks.sticks) for event in settled] == [4]
