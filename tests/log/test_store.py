"""The log: events are only added, a write is complete or absent, and an unusable log is explained."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from table.common.errors import LogDamaged, LogUnusable
from table.log.store import Evidence, Log, archived_matches, throw_jpeg
from table.rules.answers import Chosen, Die, Kept, Throw
from table.rules.game import Seat
from table.rules.match import Answered, Corrected, TakenBack

SEATS = (Seat("Ann", "green"), Seat("Ben"))
EVENTS = (
    Answered(0, {"kind": "roll", "text": "Ann: throw."}, Throw((Die(3), Die(4, "green")))),
    Answered(1, {"kind": "choose"}, Chosen("hold")),
    Answered(2, {"kind": "keep"}, Kept((1, 5))),
    TakenBack(2),
    Corrected(0, Throw.of(4, 4)),
    Corrected(0, Throw.of(4, 5), keeps=True),
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "data" / "brehon.sqlite3"


def test_written_events_are_read_back(path: Path) -> None:
    log = Log(path)
    match = log.start("pig", SEATS, {"start": "Ann"})
    log.append(match, EVENTS)
    log.close()
    again = Log(path).current()
    assert again is not None
    assert (again.game, again.seats, again.raw_settings, again.events) == (
        "pig",
        SEATS,
        {"start": "Ann"},
        EVENTS,
    )


def test_the_last_match_started_is_the_current_one(path: Path) -> None:
    log = Log(path)
    assert log.current() is None
    first = log.append(log.start("pig", SEATS, {}), EVENTS[:1])
    log.start("midnight", SEATS, {}, ending=first)
    current = log.current()
    assert current is not None
    assert current.game == "midnight"
    log.end(current, "ended by a player")
    assert log.current() is None


def test_a_match_that_another_replaced_keeps_the_reason_and_its_last_moment(path: Path) -> None:
    times = iter(("10:00", "10:01", "10:02", "10:03", "10:04"))
    log = Log(path, lambda: next(times))
    replaced = log.append(log.start("pig", SEATS, {}), EVENTS[:1])
    log.start("midnight", SEATS, {}, ending=replaced)
    assert [(m.logged.game, m.started_at, m.last_at, m.ended) for m in archived_matches(path)] == [
        ("pig", "10:00", "10:02", "another match was started"),
        ("midnight", "10:03", "10:03", ""),
    ]


def test_the_folders_of_a_log_are_made(tmp_path: Path) -> None:
    Log(tmp_path / "a" / "b" / "log.sqlite3").close()
    assert (tmp_path / "a" / "b" / "log.sqlite3").exists()


def test_events_of_one_append_are_written_together_or_not_at_all(path: Path) -> None:
    log = Log(path)
    match = log.start("pig", SEATS, {})
    with pytest.raises(LogUnusable):
        log.append(match, EVENTS[:2], Evidence(0, {}, object()))  # type: ignore[arg-type]
    current = log.current()
    assert current is not None
    assert current.events == ()


def test_two_programs_cannot_write_the_same_event(path: Path) -> None:
    one, other = Log(path), Log(path)
    match = one.start("pig", SEATS, {})
    one.append(match, EVENTS[:1])
    with pytest.raises(LogUnusable, match="another program has written to the log"):
        other.append(match, EVENTS[:1])


def test_events_can_neither_be_changed_nor_deleted(path: Path) -> None:
    log = Log(path)
    log.append(log.start("pig", SEATS, {}), EVENTS)
    db = sqlite3.connect(path)
    for sql in ("UPDATE event SET body = '{}'", "DELETE FROM event"):
        with pytest.raises(sqlite3.IntegrityError, match="events are only added"):
            db.execute(sql)
    db.close()


def test_every_commit_waits_for_the_disk(path: Path) -> None:
    log = Log(path)
    full, wal = 2, "wal"
    assert log._db.execute("PRAGMA synchronous").fetchone()[0] == full
    assert log._db.execute("PRAGMA journal_mode").fetchone()[0] == wal


def test_a_picture_is_stored_with_its_throw(path: Path) -> None:
    log = Log(path)
    match = log.start("pig", SEATS, {})
    log.append(match, EVENTS[:1], Evidence(0, {"dice": []}, b"jpeg"))
    assert throw_jpeg(path, match.id, 0) == b"jpeg"
    assert throw_jpeg(path, match.id, 7) is None
    evidence = log.last_evidence(match)
    assert evidence is not None
    assert evidence.reading == {"dice": []}


def test_a_log_of_a_newer_brehon_is_refused(path: Path) -> None:
    Log(path).close()
    db = sqlite3.connect(path)
    db.execute("PRAGMA user_version = 99")
    db.close()
    with pytest.raises(LogUnusable) as refusal:
        Log(path)
    assert str(refusal.value) == (
        "the log was written by a newer Brehon (version 99, this one knows 1); update Brehon"
    )


def test_a_file_that_is_not_a_log_is_named_in_the_error(path: Path) -> None:
    path.parent.mkdir()
    path.write_text("shopping list " * 100)
    with pytest.raises(LogDamaged, match=r"brehon\.sqlite3 is damaged \(file is not a database\)"):
        Log(path)


def test_a_folder_that_cannot_be_created_is_named_in_the_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(LogUnusable, match="check that the disk is writable"):
        Log(tmp_path / "file" / "brehon.sqlite3")
