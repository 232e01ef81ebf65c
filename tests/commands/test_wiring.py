"""A whole table without a camera: its message, and its start once a camera is plugged in."""

from __future__ import annotations

from pathlib import Path

import pytest

from table.commands.wiring import running_table, sticks_are_thrown
from table.common.tray import TrayState
from tests.at_work import wait_until
from tests.referee.evening import Evening
from vision.cameras.awaited import AwaitedCamera
from vision.cameras.simulated import SimulatedCamera
from vision.frames import Camera


def test_a_table_without_a_camera_uses_the_one_that_is_plugged_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plugged_in: list[Camera] = []

    def first_real_camera() -> Camera:
        plugged_in.append(SimulatedCamera((320, 240), seed=1))
        return plugged_in[0]

    monkeypatch.setattr("vision.cameras.choosing.first_real_camera", first_real_camera)
    with running_table(tmp_path, AwaitedCamera) as table:
        without_camera = wait_until(table, lambda now: now.tray.state == TrayState.NO_CAMERA)
        assert without_camera.tray.message.startswith("No camera was found: plug in a webcam")
        assert without_camera.camera == AwaitedCamera.name
        with_camera = wait_until(
            table, lambda now: now.camera == SimulatedCamera.name and now.tray.state == TrayState.EMPTY
        )
        assert with_camera.tray.message == ""
        assert len(plugged_in) == 1


def test_sticks_are_watched_in_games_of_sticks_alone(tmp_path: Path) -> None:
    watched = [
        sticks_are_thrown(Evening(tmp_path / str(n), game, "Ann", "Ben").now)
        for n, game in enumerate(("", "pig", "sigily", "down_the_danube"))
    ]
    assert watched == [False, False, True, True]
