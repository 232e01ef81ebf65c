"""Opens the log of a table, and starts a new one if the old one is unusable."""

from __future__ import annotations

from contextlib import closing, suppress
from pathlib import Path

from table.common.errors import LogDamaged
from table.log.json_file import set_damaged_file_aside
from table.log.store import Log


def open_log(path: Path) -> tuple[Log, str]:
    """The log at this path, and a sentence for people if it is new because the old one was damaged; else "".

    The damaged file stays beside it under another name. Raises LogUnusable if the disk refuses.
    """
    try:
        with (
            closing(Log(path)) as log,
            suppress(ValueError, LookupError, TypeError),
        ):  # one bad row affects no other match
            log.current()
    except LogDamaged:
        aside = set_damaged_file_aside(path, ("", "-wal", "-shm"))
        return Log(path), f"The log was damaged: it was put aside as {aside}, and a new one was begun."
    return Log(path), ""
