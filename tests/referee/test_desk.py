"""The desk: one thread with one queue owns the referee, and other threads see frozen snapshots."""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from table.common.errors import IllegalAnswer, StaleAction
from table.common.tray import TrayState
from table.log.store import Log
from table.referee.actions import Confirm, Start, SubmitAnswer
from table.referee.desk import Desk, TableBusy
from table.referee.events import TrayChanged
from table.referee.referee import Referee
from table.referee.snapshot import Snapshot
from table.rules.answers import Chosen, Throw
from table.rules.game import Seat

SEATS = (Seat("Ann"), Seat("Ben"))


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    desk = Desk(Referee(Log(tmp_path / "log.sqlite3")), camera="a test")
    desk.start()
    yield desk
    desk.stop()


def _start(desk: Desk) -> Snapshot:
    return desk.do(Start(desk.snapshot.number, "pig", SEATS, {"start": "Ann"}))


def test_an_action_returns_the_snapshot_after_it(desk: Desk) -> None:
    now = _start(desk)
    assert now.match is not None
    assert now.match.title == "Pig"
    assert desk.snapshot == now
    assert now.camera == "a test"


def test_a_refusal_is_raised_in_the_calling_thread(desk: Desk) -> None:
    with pytest.raises(IllegalAnswer, match="nothing to confirm"):
        desk.do(Confirm())


def test_snapshots_are_numbered_and_can_be_awaited(desk: Desk) -> None:
    before = desk.snapshot.seq
    threading.Timer(0.05, desk.handle, [TrayChanged(TrayState.ROLLING)]).start()
    now = desk.wait_after(before, timeout_s=5)
    assert now.seq == before + 1
    assert now.tray.state == TrayState.ROLLING
    assert desk.wait_after(now.seq, timeout_s=0.01) == now


def test_an_event_that_changes_nothing_makes_no_snapshot(desk: Desk) -> None:
    desk.handle(TrayChanged(TrayState.ROLLING))
    seq = desk.wait_after(1, timeout_s=5).seq
    desk.handle(TrayChanged(TrayState.ROLLING))
    _start(desk)
    assert desk.snapshot.seq == seq + 1


def test_only_one_of_many_simultaneous_taps_is_accepted(desk: Desk) -> None:
    now = desk.do(SubmitAnswer(_start(desk).number, Throw.of(5)))
    results: list[str] = []

    def tap() -> None:
        try:
            desk.do(SubmitAnswer(now.number, Chosen("hold")))
            results.append("accepted")
        except StaleAction:
            results.append("refused")

    people = [threading.Thread(target=tap) for _ in range(8)]
    for person in people:
        person.start()
    for person in people:
        person.join()
    assert sorted(results) == ["accepted"] + ["refused"] * 7


def test_an_exception_in_a_listener_stops_nothing(desk: Desk, caplog: pytest.LogCaptureFixture) -> None:
    seen: list[Snapshot] = []

    def lamp(snapshot: Snapshot) -> None:
        raise OSError("the lamp broke")

    desk.subscribe(lamp)
    desk.subscribe(seen.append)
    with caplog.at_level(logging.CRITICAL):
        _start(desk)
    assert seen[-1].match is not None


def test_a_busy_table_is_reported(tmp_path: Path) -> None:
    idle = Desk(Referee(Log(tmp_path / "idle.sqlite3")))
    with pytest.raises(TableBusy, match="Try again"):
        idle.do(Confirm(), timeout_s=0.01)


def test_an_action_that_was_not_answered_is_not_done_later(tmp_path: Path) -> None:
    desk = Desk(Referee(Log(tmp_path / "log.sqlite3")))
    with pytest.raises(TableBusy):
        desk.do(Start(desk.snapshot.number, "pig", SEATS, {"start": "Ann"}), timeout_s=0.05)
    desk.start()
    desk.stop()
    assert desk.snapshot.match is None


def test_stopping_waits_for_the_work_that_was_queued_before(tmp_path: Path) -> None:
    desk, done = Desk(Referee(Log(tmp_path / "log.sqlite3"))), threading.Event()

    def slow(snapshot: Snapshot) -> None:
        threading.Event().wait(0.1)
        done.set()

    desk.start()
    desk.subscribe(slow)
    desk.stop()
    assert done.is_set()


def test_stopping_wakes_waiting_threads(tmp_path: Path) -> None:
    desk = Desk(Referee(Log(tmp_path / "log.sqlite3")))
    desk.start()
    threading.Timer(0.05, desk.stop).start()
    desk.wait_after(desk.snapshot.seq, timeout_s=30)
    assert desk.closed
