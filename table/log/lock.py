"""One table per folder: two tables on one log would take each other's throws."""

from __future__ import annotations

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from table.common.errors import LogUnusable


@contextmanager
def locked_folder(data: Path) -> Iterator[None]:
    """Locks the folder and makes it if missing; raises LogUnusable if another table holds the lock."""
    try:
        data.mkdir(parents=True, exist_ok=True)
        lock = (data / "lock").open("w")
    except OSError as error:
        raise LogUnusable(
            f"the folder {data} cannot be written ({error.strerror}); give another with --data"
        ) from error
    with lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise LogUnusable(
                f"another table is running on {data}; stop it, or give another folder with --data"
            ) from None
        yield
