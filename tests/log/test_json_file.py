"""A small file beside the log is written completely or not at all, and is never lost."""

from __future__ import annotations

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


def test_a_failed_write_is_reported_and_keeps_the_old_file(tmp_path: Path) -> None:
    write_json(tmp_path / "a.json", 1)
    (tmp_path / "a.json.new").mkdir()
    with pytest.raises(LogUnusable, match=r"a\.json cannot be written .*--data"):
        write_json(tmp_path / "a.json", 2)
    assert read_json(tmp_path / "a.json") == 1
