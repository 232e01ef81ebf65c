"""A data folder is used by one table at a time."""

from __future__ import annotations

from pathlib import Path

import pytest

from table.common.errors import LogUnusable
from table.log.lock import locked_folder


def test_a_folder_is_locked_by_one_table_at_a_time(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "table"
    with locked_folder(folder):
        with (
            pytest.raises(LogUnusable, match=r"^another table is running on .*; stop it, or give another"),
            locked_folder(folder),
        ):
            pass
        with locked_folder(tmp_path / "other"):
            pass
    with locked_folder(folder):
        assert folder.is_dir()


def test_a_folder_that_cannot_be_created_is_reported(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with (
        pytest.raises(LogUnusable, match=r"cannot be written .*; give another with --data"),
        locked_folder(tmp_path / "file" / "table"),
    ):
        pass
