"""A whole table at work in this process: simulated or filmed dice, the real eyes, the real page on a free port."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from table.commands.wiring import RunningTable, running_table
from table.page.app import PageServer, create_app
from table.referee.snapshot import Snapshot
from vision.frames import Camera

SHARED = Path(__file__).parents[2] / "shared"

PATIENCE_S = 30.0
"""How long a test waits for something that takes a second or two on an idle machine."""


@contextmanager
def table_at_work(folder: Path, camera: Camera) -> Iterator[RunningTable]:
    with running_table(folder, lambda: camera) as table:
        yield table


@contextmanager
def page_of(table: RunningTable) -> Iterator[str]:
    """The address of the table's page, served until the block ends."""
    server = PageServer(create_app(table), "127.0.0.1", 0)
    thread = threading.Thread(target=server.run, name="page", daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.port}/"
    finally:
        server.stop()
        thread.join(PATIENCE_S)


def wait_until(table: RunningTable, true: Callable[[Snapshot], bool]) -> Snapshot:
    """The first snapshot of which that is true."""
    now = table.snapshot
    while not true(now):
        later = table.wait_after(now.seq, PATIENCE_S)
        assert later.seq > now.seq, f"nothing more happened: {now.tray.state} {now.tray.message} {now.match and now.match.prompt}"
        now = later
    return now


def shared(path: str) -> Path:
    """A file beside the project; skips the test where it is not there."""
    found = SHARED / path
    if not found.exists():
        pytest.skip(f"{found} is not there")
    return found
