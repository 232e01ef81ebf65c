"""The place of the tray at a running table: stored beside the log, or named on the command line."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from table.__main__ import main
from table.commands.wiring import running_table
from table.common.errors import LogUnusable
from table.defaults import CALIBRATION_NAME
from table.setup.place import open_calibration
from tests.at_work import table_at_work, wait_until
from tests.vision.mats import laid_mat
from vision.cameras.simulated import SimulatedCamera
from vision.frames import Picture
from vision.simulation import Scene
from vision.simulation.still_picture import random_tray
from vision.tray.calibration import Calibration, SetBy, StoredCalibration
from vision.tray.drift import Drift
from vision.tray.mat import SHEETS
from vision.tray.quads import Quad
from vision.tray.region import RegionUnusable, TrayRegion, load_region

CORNERS: Quad = ((0.1, 0.1), (0.9, 0.1), (0.9, 0.9), (0.1, 0.9))
DRAWN = {"corners": [list(corner) for corner in CORNERS]}

FLOOR: Quad = ((0.18, 0.21), (0.82, 0.21), (0.84, 0.8), (0.16, 0.8))
"""Corners of the floor of the simulated tray below, inside its rim."""


def tray(seed: int = 1) -> Picture:
    return random_tray(np.random.default_rng(seed), 3, size_wh=(640, 480), scene=Scene(fill=0.8))[0]


def mat() -> Picture:
    return laid_mat(SHEETS["a4"], (800, 600), 640)[0]


# -- storing -------------------------------------------------------------------------------------------------


def test_the_place_is_kept_for_the_next_start(tmp_path: Path) -> None:
    path = tmp_path / CALIBRATION_NAME
    calibration, trouble = open_calibration(path)
    assert (calibration.region, calibration.is_set, trouble) == (None, False, "")
    calibration.set(TrayRegion(CORNERS), tray())
    again, _ = open_calibration(path)
    assert (again.region, again.by, again.is_set) == (TrayRegion(CORNERS), SetBy.HAND, True)
    assert load_region(path) == TrayRegion(CORNERS)
    result = again.update(tray(2))
    assert result is not None
    assert result.drift == Drift.NONE


def test_a_camera_moved_between_two_starts_is_noticed(tmp_path: Path) -> None:
    calibration, _ = open_calibration(tmp_path / CALIBRATION_NAME)
    calibration.set(TrayRegion(FLOOR), tray())
    again, _ = open_calibration(tmp_path / CALIBRATION_NAME)
    bumped = np.roll(tray(3), (12, 9), axis=(1, 0))
    result = again.update(np.asarray(bumped, np.uint8))
    assert result is not None
    assert result.drift == Drift.TRACKED
    assert again.region is not None
    assert again.region.corners[0] == (
        pytest.approx(0.18 + 12 / 640, abs=0.003),
        pytest.approx(0.21 + 9 / 480, abs=0.003),
    )
    # The file keeps the view that later pictures are compared with.
    assert load_region(tmp_path / CALIBRATION_NAME) == TrayRegion(FLOOR)


def test_a_damaged_file_is_put_aside_and_reported(tmp_path: Path) -> None:
    (tmp_path / CALIBRATION_NAME).write_text('{"corners": 7}')
    calibration, trouble = open_calibration(tmp_path / CALIBRATION_NAME)
    assert (calibration.region, calibration.is_set) == (None, False)
    assert trouble.startswith("The place of the tray was damaged: it was put aside as")
    (aside,) = tmp_path.glob(f"{CALIBRATION_NAME}.damaged-*")
    assert aside.read_text() == '{"corners": 7}'


def test_a_write_error_keeps_the_old_place(tmp_path: Path) -> None:
    calibration, _ = open_calibration(tmp_path / CALIBRATION_NAME)
    calibration.set(TrayRegion(CORNERS), tray())
    (tmp_path / f"{CALIBRATION_NAME}.new").mkdir()
    with pytest.raises(LogUnusable, match="cannot be written"):
        calibration.unset()
    assert calibration.region == TrayRegion(CORNERS)


@pytest.mark.parametrize(
    "stored", [StoredCalibration(None), StoredCalibration(TrayRegion(CORNERS), None, SetBy.MAT)]
)
def test_a_stored_calibration_survives_json(stored: StoredCalibration) -> None:
    back = StoredCalibration.from_json(json.loads(json.dumps(stored.to_json())))
    assert (back.region, back.by) == (stored.region, stored.by)


# -- a mat that the camera finds by itself -------------------------------------------------------------------


def test_a_mat_is_used_once_it_was_seen_twice() -> None:
    calibration = Calibration()
    assert [calibration.update(mat()), calibration.region] == [None, None]
    result = calibration.update(mat())
    assert result is not None
    assert result.drift == Drift.NONE
    assert (calibration.by, calibration.region) == (SetBy.MAT, result.region)


def test_a_mat_does_not_replace_the_whole_picture_that_people_chose(tmp_path: Path) -> None:
    calibration, _ = open_calibration(tmp_path / CALIBRATION_NAME)
    calibration.unset()
    again, _ = open_calibration(tmp_path / CALIBRATION_NAME)
    for known in (calibration, again):
        assert [known.update(mat()) for _ in range(3)] == [None] * 3
        assert known.region is None


def test_a_mat_does_not_replace_corners_set_by_hand() -> None:
    calibration = Calibration()
    calibration.set(TrayRegion(CORNERS), mat())
    assert [result.region for _ in range(3) if (result := calibration.update(mat()))] == [
        TrayRegion(CORNERS)
    ] * 3


# -- at the table --------------------------------------------------------------------------------------------


def test_the_page_sets_the_tray_of_a_running_table(tmp_path: Path) -> None:
    with table_at_work(tmp_path, SimulatedCamera((640, 480), seed=1, paced=False)) as table:
        wait_until(table, lambda now: table.capture.latest_frame is not None)
        assert table.place.to_json()["place"] is None
        table.place.set(DRAWN)
        assert table.place.to_json()["size"] == [640, 480]
    assert load_region(tmp_path / CALIBRATION_NAME) == TrayRegion(CORNERS)


def test_a_file_named_on_the_command_line_is_used(tmp_path: Path) -> None:
    mine = tmp_path / "mine.json"
    mine.write_text(json.dumps(DRAWN))
    with running_table(
        tmp_path / "data", lambda: SimulatedCamera((320, 240), seed=1), calibration=mine
    ) as table:
        assert table.place.to_json()["place"] == {**DRAWN, "strip": None, "size_mm": None}


def test_an_unusable_file_is_refused_with_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    mine = tmp_path / "mine.json"
    mine.write_text('{"corners": [[0, 0], [1, 1], [1, 0], [0, 1]]}')
    line = ["run", "--camera", "simulated", "--data", str(tmp_path / "data")]
    line += ["--host", "127.0.0.1", "--port", "18761", "--no-browser"]
    assert main([*line, "--calibration", str(mine)]) == 1
    assert capsys.readouterr().err.startswith(
        f"brehon: the calibration {mine} cannot be used: the corners of the tray are crossed"
    )
    assert main([*line, "--calibration", str(tmp_path / "none.json")]) == 1
    assert "cannot be read (No such file or directory)" in capsys.readouterr().err
    assert mine.exists()


def test_a_named_file_with_a_damaged_picture_is_refused(tmp_path: Path) -> None:
    mine = tmp_path / "mine.json"
    mine.write_text(json.dumps({**DRAWN, "look": {"jpeg": "AAAA"}}))
    with pytest.raises(RegionUnusable, match="set the tray again"):
        open_calibration(mine, named_by_user=True)
