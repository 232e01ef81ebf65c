"""The table put together: what reaches people when its camera is not there."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from table.commands.wiring import RunningTable, running_table
from table.common.tray import TrayState
from table.referee.snapshot import Snapshot
from vision.cameras.awaited import AwaitedCamera
from vision.cameras.simulated import SimulatedCamera
from vision.frames import Camera


def once(table: RunningTable, there: Callable[[Snapshot], bool]) -> Snapshot:
    """The first snapshot that is as awaited; fails after 20 s."""
    seen = table.snapshot
    for _ in range(200):
        if there(seen):
            return seen
        seen = table.wait_after(seen.seq, 0.1)
    raise AssertionError(seen)


def test_a_table_without_a_camera_says_so_and_takes_the_one_that_is_plugged_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plugged_in: list[Camera] = []

    def first_real_camera() -> Camera:
        plugged_in.append(SimulatedCamera((320, 240), seed=1))
        return plugged_in[0]

    monkeypatch.setattr("vision.cameras.choosing.first_real_camera", first_real_camera)
    with running_table(tmp_path, AwaitedCamera) as table:
        waiting = once(table, lambda now: now.tray.state == TrayState.NO_CAMERA)
        assert waiting.tray.message.startswith("No camera was found: plug in a webcam")
        assert waiting.camera == AwaitedCamera.name
        there = once(table, lambda now: now.camera == SimulatedCamera.name and now.tray.state == TrayState.EMPTY)
        assert there.tray.message == ""
        assert len(plugged_in) == 1
