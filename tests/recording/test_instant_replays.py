"""Instant replays of a table: the clip of each throw and foul, and how many clips are kept."""

from __future__ import annotations

import io
import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pytest

from table.commands.wiring import running_table
from table.common.tray import TrayState
from table.recording.instant_replays import ClipName, ClipStore, Replays
from table.referee.actions import End, RereadTray, Start, SubmitAnswer
from table.referee.effects import Accepted, Asked, Effect, Ruled
from table.referee.events import Acted, TrayRead
from table.rules.answers import Chosen
from table.rules.game import Seat
from tests.at_work import wait_until
from vision.cameras.simulated import SimulatedCamera
from vision.events import Settled, StateChanged
from vision.frames import Frame
from vision.motion_jpeg import pictures_in
from vision.readings import Reading
from vision.tracking.tracks import Tracks

MATCH = 7
ACCEPTED = Accepted(3, "Ann", (5,), ("green",))
FOUL = Ruled("foul", "G5", "Two dice came to rest, one expected.")


@pytest.fixture
def shelf(tmp_path: Path) -> Iterator[ClipStore]:
    made = ClipStore(tmp_path / "clips")
    yield made
    made.close()


@dataclass
class FakeTray:
    """A tray that feeds Replays: dice move and are read, and the referee rules."""

    replays: Replays
    now_s: float = 0.0
    read: list[Reading] = field(default_factory=list)

    def waits(self, seconds: float) -> None:
        self._films(seconds, waits=True)

    def moves(self, seconds: float, hand: bool = False) -> None:
        """Something moves for this many seconds, and the tray is read."""
        self.replays.on_tray_event(StateChanged(self.now_s, TrayState.HAND if hand else TrayState.ROLLING))
        self._films(seconds, waits=False)
        self.reads()

    def reads(self) -> None:
        self.read.append(Reading((64, 48)))
        self.replays.on_tray_event(Settled(self.read[-1], self._frame()))

    def rules(self, *effects: Effect) -> None:
        self.replays.on_referee_events((TrayRead(self.read[-1], Tracks()),), effects, "")

    def _films(self, seconds: float, waits: bool) -> None:
        until = self.now_s + seconds
        while self.now_s < until - 1e-6:
            self.replays.on_frame(self._frame(), waits)
            self.now_s += 0.1

    def _frame(self) -> Frame:
        return Frame(np.full((48, 64, 3), 90, np.uint8), self.now_s)


@pytest.fixture
def tray(shelf: ClipStore) -> FakeTray:
    return FakeTray(Replays(shelf, lambda: MATCH, lambda: 5))


def seconds(clip: bytes | None) -> float:
    assert clip
    return [at_s for at_s, _ in pictures_in(io.BytesIO(clip))][-1]


def test_a_clip_runs_from_two_seconds_before_motion_until_rest(tray: FakeTray) -> None:
    tray.waits(5)
    tray.moves(1.5)
    tray.rules(ACCEPTED)
    assert seconds(tray.replays.clip(3)) == pytest.approx(3.5, abs=0.6)
    assert tray.replays.to_json() == {"throws": [3], "fouls": []}


def test_a_foul_and_the_throw_after_it_have_separate_clips(tray: FakeTray) -> None:
    tray.moves(1)
    tray.rules(FOUL)
    tray.waits(4)
    tray.moves(3)
    tray.rules(Accepted(5, "Ann", (5,), ("green",)))
    assert tray.replays.to_json() == {"throws": [5], "fouls": [5]}
    assert seconds(tray.replays.clip(5, foul=True)) < 1.1
    assert seconds(tray.replays.clip(5)) > 3


def test_the_clip_of_an_unsure_throw_shows_the_throw(tray: FakeTray) -> None:
    tray.waits(3)
    tray.moves(4)
    tray.rules(Asked("What does the die show?"))
    tray.waits(12)
    tray.moves(0.5, hand=True)
    tray.rules()
    tray.replays.on_referee_events((Acted(RereadTray()),), (ACCEPTED,), "")
    assert seconds(tray.replays.clip(3)) == pytest.approx(6, abs=0.6)


def test_a_throw_without_a_match_and_a_tidied_tray_have_no_clip(tray: FakeTray) -> None:
    tray.moves(1)
    tray.rules(Accepted(None, None, (5,), (None,)))
    tray.moves(1, hand=True)
    tray.rules(Ruled("note", "", "The 5 was moved."))
    assert tray.replays.to_json() == {"throws": [], "fouls": []}
    assert tray.replays.clip(3) is None


def test_a_reading_without_motion_keeps_the_clip_before_it(tray: FakeTray) -> None:
    tray.moves(3)
    tray.rules()
    tray.reads()
    tray.rules(ACCEPTED)
    assert seconds(tray.replays.clip(3)) > 2


# -- clips on disk -------------------------------------------------------------------------------------------


def test_clips_survive_a_restart(tmp_path: Path) -> None:
    shelf = ClipStore(tmp_path / "clips")
    for name in (ClipName(1, 0), ClipName(1, 0, True), ClipName(2, 4)):
        shelf.put(name, name.file.encode())
    shelf.close()
    again = ClipStore(tmp_path / "clips")
    assert again.names(1) == (ClipName(1, 0), ClipName(1, 0, True))
    assert again.get(ClipName(2, 4)) == b"2-4.mjpeg"
    assert again.get(ClipName(2, 5)) is None
    again.close()


def test_the_oldest_clips_are_deleted_first(tmp_path: Path) -> None:
    for n, name in enumerate((ClipName(2, 0), ClipName(1, 1), ClipName(1, 2))):
        shelf = ClipStore(tmp_path, max_bytes=250)
        shelf.put(name, bytes(100))
        shelf.close()
        os.utime(tmp_path / name.file, (1000 + n, 1000 + n))
    assert sorted(p.name for p in tmp_path.iterdir()) == ["1-1.mjpeg", "1-2.mjpeg"]


def test_a_write_error_loses_only_the_clip(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "clips").write_text("no folder")
    shelf = ClipStore(tmp_path / "clips")
    shelf.put(ClipName(1, 0), b"clip")
    shelf.close()
    assert "a replay could not be kept" in caplog.text
    assert shelf.get(ClipName(1, 0)) is None


# -- a whole table -------------------------------------------------------------------------------------------


def test_a_table_keeps_a_replay_of_every_throw(tmp_path: Path) -> None:
    camera = SimulatedCamera((320, 240), seed=2, paced=False)
    with running_table(tmp_path, lambda: camera) as table:
        wait_until(table, lambda now: now.tray.state == TrayState.EMPTY)
        table.do(Start(table.snapshot.number, "pig", (Seat("Ann"), Seat("Ben")), {"start": "Ann"}))
        camera.throw(["green"])
        wait_until(table, lambda now: now.match is not None and now.match.at == 1)
        assert table.replays.to_json()["throws"] == [0]
        assert seconds(table.replays.clip(0)) > 0.5
        table.do(End(table.snapshot.number))
        assert table.replays.clip(0) is None
    assert [p.name for p in (tmp_path / "clips").iterdir()] == ["1-0.mjpeg"]


def test_nothing_is_recorded_while_dice_go_under_a_cup(tmp_path: Path) -> None:
    camera = SimulatedCamera((320, 240), seed=2, paced=False)
    with running_table(tmp_path, lambda: camera) as table:
        table.do(Start(table.snapshot.number, "mia", (Seat("Ann"), Seat("Ben")), {"start": "Ann"}))
        now = wait_until(table, lambda now: now.match is not None and now.match.prompt is not None)
        assert now.match is not None
        assert now.match.prompt is not None
        assert now.match.prompt.kind == "hidden"
        camera.throw(["green", "green"])
        now = wait_until(table, lambda now: now.tray.state is TrayState.OUT_OF_TURN)
        assert now.tray.dice == (), "dice under a cup are told to nobody"
        assert table.replays.to_json() == {"throws": [], "fouls": []}
        assert table.replays._ring.cut(0, 1e6) == b""
        table.do(SubmitAnswer(table.snapshot.number, Chosen("ready")))
