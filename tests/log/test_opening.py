"""A damaged log is moved aside, and the table goes on with a new one."""

from __future__ import annotations

from pathlib import Path

import pytest

from table.common.errors import LogUnusable
from table.log.opening import open_log
from table.log.store import Log
from table.rules.answers import Throw
from table.rules.game import Seat
from table.rules.match import Answered


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A log with one match of a hundred throws."""
    path = tmp_path / "brehon.sqlite3"
    log = Log(path)
    match = log.start("pig", (Seat("Ann"), Seat("Ben")), {})
    for at in range(100):
        match = log.append(match, [Answered(at, {"kind": "roll", "text": "x" * 200}, Throw.of(3))])
    log.close()
    return path


def test_a_sound_log_is_opened_without_a_message(path: Path) -> None:
    log, trouble = open_log(path)
    assert trouble == ""
    assert log.current() is not None


@pytest.mark.parametrize("start", [0, 4096], ids=["no database", "damaged pages"])
def test_a_damaged_log_is_moved_aside_and_a_new_one_is_started(path: Path, start: int) -> None:
    whole = path.read_bytes()
    damaged = whole[:start] + b"\xa5" * (len(whole) - start)
    path.write_bytes(damaged)
    log, trouble = open_log(path)
    assert log.current() is None
    log.start("midnight", (Seat("Ann"), Seat("Ben")), {})
    (aside,) = path.parent.glob("brehon.sqlite3.damaged-*")
    assert aside.read_bytes() == damaged
    assert str(aside) in trouble


def test_a_damaged_log_that_cannot_be_moved_is_reported(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path.write_bytes(b"not a database" * 1000)

    def refuse(self: Path, target: Path) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "rename", refuse)
    with pytest.raises(LogUnusable, match="damaged and cannot be put aside"):
        open_log(path)
