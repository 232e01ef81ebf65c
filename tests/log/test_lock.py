"""A data folder is used by one table at a time."""

from __future__ import annotations

from pathlib import Path

import pytest

from table.common.errors import LogUnusable
from table.log.lock import alone_in


def test_a_folder_is_locked_by_one_table_at_a_time(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "table"
    with alone_in(folder):
        with pytest.raises(LogUnusable, match=r"^another table is running on .*; stop it, or give another"), alone_in(folder):
            pass
        with alone_in(tmp_path / "other"):
            pass
    with alone_in(folder):
        assert folder.is_dir()


def test_a_folder_that_cannot_be_created_is_reported(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(LogUnusable, match=r"cannot be written .*; give another with --data"), alone_in(tmp_path / "file" / "table"):
        pass
