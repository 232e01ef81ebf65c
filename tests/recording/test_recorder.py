"""Recordings of the table: what they contain, what they leave out, what ends them, and playing them again."""

from __future__ import annotations

import errno
import itertools
import json
import logging
import re
import threading
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

import numpy as np
import pytest

from table.__main__ import main
from table.commands.wiring import running_table
from table.common.errors import IllegalAnswer, LogUnusable
from table.common.tray import TrayState
from table.log.store import Log
from table.recording.observed_referee import ObservedReferee
from table.recording.recorder import LEAD_IN, QUEUED, WAITING_S, Recorder, RecordingFailed
from table.recording.recordings import recording_in
from table.referee.actions import Start, SubmitAnswer
from table.referee.events import Opened, TrayChanged, TrayRead
from table.referee.tray_events import to_tray_changed
from table.rules.answers import Chosen, Throw
from table.rules.game import Seat
from table.rules.prompts import Choose
from tests.at_work import wait_until
from vision.cameras.simulated import SimulatedCamera
from vision.events import Settled
from vision.frames import Frame
from vision.pipeline import Pipeline
from vision.reading.reader import Reader

SEATS = (Seat("Ann", "green"), Seat("Ben", "red"))
ROLLING = TrayChanged(TrayState.ROLLING)


def frame(at_s: float, grey: int = 90) -> Frame:
    return Frame(np.full((48, 64, 3), grey, np.uint8), at_s)


def make_recording(root: Path, frames: list[Frame], waits: bool = False, **how: Any) -> Recorder:
    recorder = Recorder(root, "test camera", **how)
    recorder.record_event((Opened(),))
    feed(recorder, frames, waits)
    recorder.close()
    return recorder


def feed(recorder: Recorder, frames: Iterable[Frame], waits: bool = False) -> None:
    """Gives the recorder the frames no faster than it writes them."""
    for each in frames:
        recorder.record_frame(each, waits)
        while recorder.queued > QUEUED // 3:
            threading.Event().wait(0.001)


def times(folder: Path) -> list[float]:
    recording = recording_in(folder)
    assert recording is not None
    return [each.at_s for each in recording.frames()]


def event_lines(folder: Path) -> list[dict[str, Any]]:
    (file,) = folder.glob("*/events.jsonl")
    return [json.loads(line) for line in file.read_text().splitlines()]


# -- playing again -------------------------------------------------------------------------------------------


class TwoThrows(NamedTuple):
    """A recording of two throws of Pig, and their faces."""

    folder: Path
    faces: list[tuple[int, ...]]


@pytest.fixture(scope="module")
def two_throws(tmp_path_factory: pytest.TempPathFactory) -> TwoThrows:
    """Ann and Ben throw one die each. Ann holds after her throw if she may."""
    folder = tmp_path_factory.mktemp("evening")
    camera, pipeline = SimulatedCamera((640, 480), seed=8, paced=False), Pipeline(Reader())
    recorder, referee = (
        Recorder(folder / "recordings", camera.name),
        ObservedReferee(Log(folder / "brehon.sqlite3"), pipeline.read_again),
    )
    recorder.record_event(referee.opening)
    referee.listeners.append(recorder.record_event)
    frames = camera.frames()
    _play(itertools.islice(frames, 30), pipeline, referee, recorder)
    referee.act(Start(referee.snapshot().number, "pig", SEATS, {"start": "Ann"}))
    for colour in ("green", "red"):
        now = referee.snapshot()
        if now.match and isinstance(now.match.prompt, Choose):
            referee.act(SubmitAnswer(now.number, Chosen("hold")))
        camera.throw([colour])
        _play(itertools.islice(frames, 120), pipeline, referee, recorder)
    recorder.close()
    match = referee.snapshot().match
    assert match is not None
    thrown = [t.answer.faces for t in match.throws if isinstance(t.answer, Throw)]
    assert len(thrown) == 2
    return TwoThrows(folder / "recordings", thrown)


def _play(frames: Iterable[Frame], pipeline: Pipeline, referee: ObservedReferee, recorder: Recorder) -> None:
    """Runs the table in this thread, so that it sees every frame even on a busy computer."""
    for each in frames:
        feed(recorder, [each], pipeline.idle)
        for event in pipeline.process(each):
            referee.handle(
                TrayRead(event.reading, event.tracks)
                if isinstance(event, Settled)
                else to_tray_changed(event)
            )


def watch(capsys: pytest.CaptureFixture[str], *options: str | Path) -> tuple[int, list[dict[str, Any]]]:
    status = main(["watch", *map(str, options), "--json"])
    return status, [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_playing_the_events_again_gives_the_same_rulings(
    two_throws: TwoThrows, capsys: pytest.CaptureFixture[str]
) -> None:
    status, output = watch(capsys, two_throws.folder, "--events")
    assert (status, output[-1]["same"]) == (0, True)
    assert [tuple(line["accepted"]["faces"]) for line in output if "accepted" in line] == two_throws.faces


def test_playing_the_pictures_again_gives_the_same_throws(
    two_throws: TwoThrows, capsys: pytest.CaptureFixture[str]
) -> None:
    status, output = watch(capsys, two_throws.folder)
    assert status == 0
    accepted = [line["accepted"] for line in output if "accepted" in line]
    assert [tuple(a["faces"]) for a in accepted] == two_throws.faces
    assert [a["player"] for a in accepted] == ["Ann", "Ben"]
    assert [line for line in output if "refused" in line] == []


def test_a_ruling_that_differs_is_shown(
    two_throws: TwoThrows, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """The test changes a player in the recording. An update with other rules would have the same effect."""
    recording = recording_in(two_throws.folder)
    assert recording is not None
    events = (recording.folder / "events.jsonl").read_text("utf-8")
    assert '"player": "Ben"' in events
    (tmp_path / "recording.json").write_bytes((recording.folder / "recording.json").read_bytes())
    (tmp_path / "events.jsonl").write_text(events.replace('"player": "Ben"', '"player": "Bea"'), "utf-8")
    status, output = watch(capsys, tmp_path, "--events")
    assert (status, output[-1]["same"]) == (1, False)
    (differs,) = [line["differs"] for line in output if "differs" in line]
    assert "Bea" in str(differs["was"])
    assert "Ben" in str(differs["is"])


@pytest.mark.parametrize("option", ["--game=pig", "--fps=10"])
def test_game_and_fps_are_refused_for_a_recording(
    two_throws: TwoThrows, option: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["watch", str(two_throws.folder), option]) == 2
    assert "leave out --game and --fps" in capsys.readouterr().err


def test_events_are_refused_for_a_video(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["watch", str(tmp_path / "a.mp4"), "--events"]) == 2
    assert "--events needs a folder" in capsys.readouterr().err


def test_a_recording_continues_the_match_from_the_log(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The recorded table continued a match from its log. The recording alone is enough to play it again."""
    data = tmp_path / "data"
    for record in (None, tmp_path / "recordings"):
        camera = SimulatedCamera((320, 240), seed=1, paced=False)
        camera.fault("dark", 1e6)  # throws can be typed
        with running_table(data, lambda camera=camera: camera, record) as table:  # type: ignore[misc]
            if record is None:
                table.do(Start(table.snapshot.number, "pig", SEATS, {"start": "Ann"}))
            wait_until(table, lambda snapshot: snapshot.tray.state is TrayState.DARK)
            table.do(SubmitAnswer(table.snapshot.number, Throw.of(4)))
            table.do(SubmitAnswer(table.snapshot.number, Chosen("roll" if record is None else "hold")))
    status, output = watch(capsys, tmp_path / "recordings", "--events")
    assert (status, output[-1]["same"]) == (0, True)
    assert [line["accepted"]["at"] for line in output if "accepted" in line] == [2]


# -- what is recorded ----------------------------------------------------------------------------------------


def test_pictures_are_recorded_with_times_and_versions(tmp_path: Path) -> None:
    recorder = make_recording(tmp_path, [frame(n / 30) for n in range(40)])
    assert times(tmp_path) == pytest.approx([n / 30 for n in range(40)], abs=1e-6)
    head = json.loads((recorder.folder / "recording.json").read_text())
    assert head["camera"] == "test camera"
    assert head["made_by"].keys() == {"brehon", "python", "opencv", "numpy", "onnxruntime", "system"}


def test_files_of_settings_are_copied_into_the_recording(tmp_path: Path) -> None:
    (tmp_path / "club.json").write_text("{}")
    recorder = Recorder(
        tmp_path / "recordings",
        settings_files={"calibration.json": tmp_path / "club.json", "palette.json": tmp_path / "none"},
    )
    recorder.close()
    assert (recorder.folder / "calibration.json").read_text() == "{}"
    assert not (recorder.folder / "palette.json").exists()


def test_a_waiting_tray_keeps_few_pictures_and_those_just_before_motion(tmp_path: Path) -> None:
    recorder = Recorder(tmp_path)
    recorder.record_event((Opened(),))
    feed(recorder, (frame(n / 10) for n in range(100)), waits=True)
    feed(recorder, [frame(10.0)])
    recorder.close()
    kept = times(tmp_path)
    assert kept[:4] == pytest.approx([0, WAITING_S, 2 * WAITING_S, 3 * WAITING_S])
    assert kept[-5:] == pytest.approx([9.6, 9.7, 9.8, 9.9, 10.0])
    assert len(kept) <= 100 / 10 / WAITING_S + LEAD_IN + 1


def test_times_go_on_when_the_camera_is_opened_again(tmp_path: Path) -> None:
    make_recording(tmp_path, [frame(5.0), frame(5.1), frame(0.0), frame(0.1)])
    assert times(tmp_path) == pytest.approx([5.0, 5.1, 6.1, 6.2])
    recording = recording_in(tmp_path)
    assert recording is not None
    assert [note.events for note in recording.lines] == [()]


def test_a_folder_holds_many_recordings_and_the_newest_is_watched(tmp_path: Path) -> None:
    first, second = (make_recording(tmp_path, [frame(n)]) for n in (1.0, 2.0))
    assert first.folder != second.folder
    assert times(tmp_path) == [2.0]
    assert times(first.folder) == [1.0]


def test_the_oldest_pictures_are_deleted_when_there_are_too_many(tmp_path: Path) -> None:
    noise = np.random.default_rng(1).integers(0, 255, (48, 64, 3), np.uint8)
    frames = [Frame(noise, n / 30) for n in range(60)]
    one = make_recording(tmp_path / "one", frames[:1])
    size = next(one.folder.glob("frames-*")).stat().st_size
    earlier = make_recording(tmp_path / "all", frames[:4], segment_bytes=2 * size)
    make_recording(tmp_path / "all", frames, segment_bytes=4 * size, max_bytes=20 * size)
    kept = times(tmp_path / "all")
    assert sum(p.stat().st_size for p in (tmp_path / "all").glob("*/frames-*")) <= 20 * size
    assert kept == pytest.approx([n / 30 for n in range(60)][-len(kept) :], abs=1e-6)
    assert len(kept) >= 12
    assert not earlier.folder.exists()


def test_a_recording_that_breaks_off_still_plays(tmp_path: Path) -> None:
    recorder = make_recording(tmp_path, [frame(n / 30) for n in range(10)])
    for name in ("frames-00001.mjpeg", "events.jsonl"):
        file = recorder.folder / name
        file.write_bytes(file.read_bytes() + file.read_bytes()[: file.stat().st_size // 3])
    assert len(times(tmp_path)) in (12, 13)


# -- what goes wrong -----------------------------------------------------------------------------------------


def test_a_slow_disk_drops_frames_without_blocking_and_says_so(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    writing, may_write = threading.Event(), threading.Event()

    def slow(path: Path) -> BinaryIO:
        if path.suffix == ".mjpeg":
            writing.set()
            may_write.wait()
        return path.open("ab")

    recorder = Recorder(tmp_path, open_=slow)
    recorder.record_event((Opened(),))
    recorder.record_frame(frame(0.0), waits=False)
    writing.wait()
    for n in range(1, 3 * QUEUED):
        recorder.record_frame(frame(n / 30), waits=False)
    may_write.set()
    while recorder.queued:
        threading.Event().wait(0.001)
    recorder.record_frame(frame(100.0), waits=False)
    recorder.close()
    kept = times(tmp_path)
    assert kept[-1] == 100.0
    assert len(kept) - 1 == QUEUED + 1, "the frame that is being written, and those in the queue"
    assert {"t": 100.0, "dropped": 3 * QUEUED - (len(kept) - 1)} in event_lines(tmp_path)
    assert "the recording cannot keep up" in caplog.text


def test_a_full_disk_ends_only_the_recording(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    def full(path: Path) -> BinaryIO:
        return Path("/dev/full").open("ab") if path.suffix == ".mjpeg" else path.open("ab")

    with caplog.at_level(logging.WARNING):
        recorder = make_recording(tmp_path, [frame(n / 30) for n in range(30)], open_=full)
    assert recorder.trouble == (
        f"The recording in {recorder.folder} ends (No space left on device). The table goes on without it."
    )
    assert [r.message for r in caplog.records] == [recorder.trouble]
    recorder.record_frame(frame(9.0), waits=False)
    recorder.record_event((ROLLING,))


def test_an_unplugged_drive_ends_the_recording(tmp_path: Path) -> None:
    def gone(path: Path) -> BinaryIO:
        if path.suffix == ".mjpeg":
            raise OSError(errno.EIO, "Input/output error")
        return path.open("ab")

    assert "(Input/output error)" in make_recording(tmp_path, [frame(0.0)], open_=gone).trouble


def test_a_folder_that_cannot_be_written_is_refused_at_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(RecordingFailed, match=r"cannot be recorded to \(.*\); give another folder"):
        Recorder(tmp_path / "file")
    run = ["run", "--camera", "simulated", "--data", str(tmp_path / "data")]
    run += ["--host", "127.0.0.1", "--port", "18099", "--no-browser"]
    assert main([*run, "--record", str(tmp_path / "file")]) == 1
    assert capsys.readouterr().err.count("cannot be recorded to") == 1


Damage = Callable[[Path], object]


@pytest.mark.parametrize(
    ("damage", "reason"),
    [
        (lambda at: (at / "recording.json").write_text("{"), "damaged; it should be JSON"),
        (lambda at: (at / "recording.json").write_text('{"format": 99}'), "update Brehon"),
        (lambda at: (at / "events.jsonl").unlink(), "cannot be read"),
        (lambda at: (at / "events.jsonl").write_text(""), "has no beginning"),
        (
            lambda at: (at / "events.jsonl").write_text('{"t": 1, "events": [{"danced": {}}]}\n'),
            "line 1 of .* is damaged",
        ),
    ],
)
def test_a_damaged_recording_is_refused_with_one_sentence(
    damage: Damage, reason: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    recorder = make_recording(tmp_path, [frame(0.0)])
    damage(recorder.folder)
    assert main(["watch", str(tmp_path)]) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert re.search(reason, err)
    assert err.count("\n") == 1


def test_refused_actions_are_recorded_with_the_reason(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    camera = SimulatedCamera((320, 240), paced=False)
    with (
        running_table(tmp_path / "data", lambda: camera, tmp_path / "recordings") as table,
        pytest.raises(IllegalAnswer, match="No game is on"),
    ):
        table.do(SubmitAnswer(table.snapshot.number, Chosen("hold")))
    assert [line["refused"] for line in event_lines(tmp_path / "recordings") if "refused" in line] == [
        "No game is on. Start one first."
    ]
    status, output = watch(capsys, tmp_path / "recordings", "--events")
    assert (status, output[-1]["same"]) == (0, True)


def test_a_throw_that_was_not_logged_plays_again_as_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The events contain the result of each write, so a full disk plays again as a full disk."""
    data = tmp_path / "data"
    log, recorder = Log(data / "brehon.sqlite3"), Recorder(tmp_path / "recordings")
    referee = ObservedReferee(log)
    recorder.record_event(referee.opening)
    referee.listeners.append(recorder.record_event)
    referee.act(Start(0, "pig", SEATS, {"start": "Ann"}))
    log.close()
    with pytest.raises(LogUnusable):
        referee.act(SubmitAnswer(referee.snapshot().number, Throw.of(4)))
    recorder.close()
    assert "not_logged" in str(event_lines(tmp_path / "recordings")[-1]["events"])
    status, output = watch(capsys, tmp_path / "recordings", "--events")
    assert (status, output[-1]["same"]) == (0, True)
