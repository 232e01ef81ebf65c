"""Opens the log that a table works with, and begins a new one where the old cannot be used."""

from __future__ import annotations

from contextlib import closing, suppress
from pathlib import Path

from table.common.errors import LogDamaged
from table.log.kept import put_aside
from table.log.store import Log


def open_log(path: Path) -> tuple[Log, str]:
    """The log at this path, and a sentence for people where it is a new one because the old was damaged; else "".

    The damaged file is kept beside it under another name. Raises LogUnusable where the disk refuses.
    """
    try:
        with closing(Log(path)) as log, suppress(ValueError, LookupError, TypeError):  # one bad row spoils no other match
            log.current()
    except LogDamaged:
        aside = put_aside(path, ("", "-wal", "-shm"))
        return Log(path), f"The log was damaged: it was put aside as {aside}, and a new one was begun."
    return Log(path), ""
