"""A small file beside the log is written completely or not at all, and is never lost."""

from __future__ import annotations

import inspect
import os
from pathlib import Path

import pytest

from table.common.errors import LogUnusable
from table.log.json_file import read_json, set_damaged_file_aside, write_json


def test_a_saved_value_is_read_back(tmp_path: Path) -> None:
    write_json(tmp_path / "a.json", {"Gráinne": [1.5, None]})
    assert read_json(tmp_path / "a.json") == {"Gráinne": [1.5, None]}
    assert [p.name for p in tmp_path.iterdir()] == ["a.json"]


def test_a_missing_file_is_read_as_none(tmp_path: Path) -> None:
    assert read_json(tmp_path / "a.json") is None


def test_a_damaged_file_is_moved_aside_unchanged(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text('{"half')
    with pytest.raises(ValueError, match="Unterminated"):
        read_json(tmp_path / "a.json")
    aside = set_damaged_file_aside(tmp_path / "a.json")
    assert aside.read_text() == '{"half'
    assert not (tmp_path / "a.json").exists()


def test_all_files_of_a_damaged_log_are_moved_aside_also_where_one_is_missing(tmp_path: Path) -> None:
    (tmp_path / "log").write_text("damaged")
    (tmp_path / "log-shm").write_text("of it")
    aside = set_damaged_file_aside(tmp_path / "log", ("", "-wal", "-shm"))
    assert sorted(p.name for p in tmp_path.iterdir()) == [aside.name, f"{aside.name}-shm"]


class Disk:
    """Records what the two files contained at each wait for the disk."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.synced: list[tuple[str, str]] = []

    def sync(self, descriptor: int) -> None:
        os.fsync(descriptor)
        size = os.fstat(descriptor).st_size
        written = self.path.with_name(f"{self.path.name}.new").read_text("utf-8")
        assert len(written.encode()) == size
        self.synced.append((self.path.read_text("utf-8"), written))


def test_a_value_is_on_the_disk_before_it_replaces_the_old_one(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    write_json(path, 1)
    disk = Disk(path)
    write_json(path, [2, 3], disk.sync)
    assert disk.synced == [("1", "[2, 3]")]
    assert read_json(path) == [2, 3]


def test_a_disk_that_fails_at_the_last_moment_keeps_the_old_file(tmp_path: Path) -> None:
    def broken(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    write_json(tmp_path / "a.json", 1)
    with pytest.raises(LogUnusable, match="No space left on device"):
        write_json(tmp_path / "a.json", 2, broken)
    assert read_json(tmp_path / "a.json") == 1


def test_a_written_file_waits_for_the_disk_by_itself() -> None:
    assert inspect.signature(write_json).parameters["sync"].default is os.fsync


def test_a_failed_write_is_reported_and_keeps_the_old_file(tmp_path: Path) -> None:
    write_json(tmp_path / "a.json", 1)
    (tmp_path / "a.json.new").mkdir()
    with pytest.raises(LogUnusable, match=r"a\.json cannot be written .*--data"):
        write_json(tmp_path / "a.json", 2)
    assert read_json(tmp_path / "a.json") == 1
