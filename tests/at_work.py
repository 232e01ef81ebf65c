"""A whole table in this process: a simulated or recorded camera, the real pipeline, and the real page."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from table.commands.wiring import RunningTable, running_table
from table.page.app import create_app
from table.page.server import PageServer
from table.referee.snapshot import Snapshot
from vision.frames import Camera

TIMEOUT_S = 30.0
"""Longest wait for a change that takes a second or two on an idle computer."""


HURRY = 2.0
"""How many times as fast as a clock time passes for a hurried camera."""


def hurried_clock() -> float:
    """A clock for a camera that nobody looks at: seconds that pass HURRY times as fast as real ones.

    Ask the camera for HURRY times as many frames a second, since it waits for the next one by the real clock.
    """
    return HURRY * time.monotonic()


@contextmanager
def table_at_work(folder: Path, camera: Camera) -> Iterator[RunningTable]:
    """A table with this camera and its data in the folder, until the block ends."""
    with running_table(folder, lambda: camera) as table:
        yield table


@contextmanager
def page_of(table: RunningTable) -> Iterator[str]:
    """The address of the table's page, served until the block ends."""
    server = PageServer(create_app(table), "127.0.0.1", 0)
    server_thread = threading.Thread(target=server.run, name="page", daemon=True)
    server_thread.start()
    try:
        yield f"http://127.0.0.1:{server.port}/"
    finally:
        server.stop()
        server_thread.join(TIMEOUT_S)


def wait_until(table: RunningTable, holds: Callable[[Snapshot], bool]) -> Snapshot:
    """The first snapshot for which `holds` is true. Fails after TIMEOUT_S without a change."""
    now = table.snapshot
    while not holds(now):
        later = table.wait_after(now.seq, TIMEOUT_S)
        assert later.seq > now.seq, (
            f"no change came: {now.tray.state} {now.tray.message} {now.match and now.match.prompt}"
        )
        now = later
    return now
