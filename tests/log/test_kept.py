"""A small file beside the log: whole or not at all, and never lost."""

from __future__ import annotations

from pathlib import Path

import pytest

from table.common.errors import LogUnusable
from table.log.kept import keep, kept, put_aside


def test_what_is_kept_comes_back(tmp_path: Path) -> None:
    keep(tmp_path / "a.json", {"Gráinne": [1.5, None]})
    assert kept(tmp_path / "a.json") == {"Gráinne": [1.5, None]}
    assert [p.name for p in tmp_path.iterdir()] == ["a.json"]


def test_where_nothing_was_kept_there_is_nothing(tmp_path: Path) -> None:
    assert kept(tmp_path / "a.json") is None


def test_a_damaged_file_is_put_aside_and_not_lost(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text('{"half')
    with pytest.raises(ValueError, match="Unterminated"):
        kept(tmp_path / "a.json")
    aside = put_aside(tmp_path / "a.json")
    assert aside.read_text() == '{"half'
    assert not (tmp_path / "a.json").exists()


def test_a_disk_that_refuses_says_so_and_leaves_the_old_file(tmp_path: Path) -> None:
    keep(tmp_path / "a.json", 1)
    (tmp_path / "a.json.new").mkdir()
    with pytest.raises(LogUnusable, match=r"a\.json cannot be written .*--data"):
        keep(tmp_path / "a.json", 2)
    assert kept(tmp_path / "a.json") == 1
