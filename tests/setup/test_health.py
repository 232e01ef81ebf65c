"""The health of a running table, and the lights that are tried at it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from table.common.errors import IllegalAnswer
from table.common.tray import TrayState
from table.setup.findings import disk_finding, picture_findings, size_in_words
from table.setup.history import MAX_CHANGES, History
from table.setup.lights import OPEN_AFTER_PRESS_S, LightsSetup
from tests.at_work import table_at_work, wait_until
from tests.page.fake_table import FakePins, FakeTable
from tests.vision.corruptions import Sensor
from vision.cameras.simulated import SimulatedCamera
from vision.frames import Frame
from vision.health.picture_monitor import INTERVAL_S, PictureMonitor
from vision.simulation import Scene, random_tray

QUIET = replace(Scene(), noise_sigma=0.0)
TRAY = random_tray(np.random.default_rng(1), 5, size_wh=(400, 300), scene=replace(Scene(), noise_sigma=0.0))[
    0
]


def says(table: FakeTable) -> dict[str, tuple[bool | None, str]]:
    return {f["name"]: (f["ok"], f["says"]) for f in table.health.to_json()["findings"]}


# -- findings ------------------------------------------------------------------------------------------------


def test_a_new_table_lists_what_is_optional(tmp_path: Path) -> None:
    found = says(FakeTable(tmp_path))
    assert found["camera"] == (True, "The camera gives pictures: test tray.")
    for name, start in (
        ("tray", "The tray is not set"),
        ("colours", "The table reads the usual dice"),
        ("sticks", "The table reads the usual sticks"),
        ("lights", "The table has no lights"),
    ):
        ok, sentence = found[name]
        assert ok is None
        assert sentence.startswith(start)


def test_what_was_set_up_is_told(tmp_path: Path) -> None:
    table = FakeTable(tmp_path)
    table.place.set({"corners": [[0.1, 0.1], [0.9, 0.1], [0.9, 0.9], [0.1, 0.9]]})
    table.sticks.samples = {"dog": 2, "round": 4}
    table.pins.connects(4)
    found = says(table)
    assert found["tray"] == (True, "The corners of the tray are set: dice beside it do not count.")
    assert found["sticks"] == (True, "The table knows your own sticks: 2 sides taught.")
    assert found["lights"] == (True, "Lights and buttons are connected.")


def test_one_taught_colour_alone_is_not_enough(tmp_path: Path) -> None:
    table = FakeTable(tmp_path)
    table.colours.lays("blue", "#203054")
    table.colours.learn("navy", "blue")
    assert says(table)["colours"][1].startswith("Only one colour is taught")


@pytest.mark.parametrize("state", [s for s in TrayState if s.blind])
def test_a_camera_that_sees_nothing_is_wrong_and_says_what_to_do(tmp_path: Path, state: TrayState) -> None:
    table = FakeTable(tmp_path)
    table.moves(state)
    health = table.health.to_json()
    camera = health["findings"][0]
    assert (health["ok"], camera["ok"], health["picture"]) == (False, False, None)
    assert ": " in camera["says"]


def test_no_measure_of_the_picture_is_told_while_dice_are_secret(tmp_path: Path) -> None:
    table = FakeTable(tmp_path)
    assert table.health.to_json()["picture"] is not None
    table.evening.starts("mia", "Ann:green", "Ben:red", start="Ann")
    table.moves(TrayState.WAITING)
    assert table.snapshot.hidden_since is not None
    health = table.health.to_json()
    assert health["picture"] is None
    assert not {"light", "glare", "focus"} & {f["name"] for f in health["findings"]}


def test_a_full_disk_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert disk_finding(tmp_path).ok
    monkeypatch.setattr("table.setup.findings.MIN_FREE_MB", 10**9)
    finding = disk_finding(tmp_path)
    assert finding.ok is False
    assert finding.plain.endswith("make room, or the next evening cannot be saved.")


@pytest.mark.parametrize(
    ("mb", "words"), [(250, "250 MB"), (1023, "1023 MB"), (1536, "1.5 GB"), (40_565, "40 GB")]
)
def test_the_room_on_a_disk_is_said_in_units_that_people_read(mb: int, words: str) -> None:
    assert size_in_words(mb) == words


# -- the picture ---------------------------------------------------------------------------------------------


def monitor_of(picture: np.ndarray) -> PictureMonitor:
    sensor, monitor = Sensor(2.0), PictureMonitor()
    for n in range(4):
        monitor.on_frame(Frame(sensor(picture), n / 30))
    return monitor


def plain_of(picture: np.ndarray) -> dict[str, str]:
    quality = monitor_of(picture).quality()
    assert quality is not None
    return {f.name: f.plain for f in picture_findings(quality) if not f.ok or f.name == "glare"}


def test_glare_is_found_where_it_is() -> None:
    glaring = TRAY.copy()
    glaring[200:, 300:] = 255
    assert plain_of(TRAY) == {"glare": "No lamp glares in the tray."}
    assert plain_of(glaring)["glare"].startswith("There is a little glare at the lower right.")
    glaring[150:, 150:] = 255
    assert plain_of(glaring)["glare"].startswith("The picture is too bright at the ")


def test_requests_that_follow_at_once_share_one_measurement() -> None:
    now = [0.0]
    monitor = PictureMonitor(clock=lambda: now[0])
    assert monitor.quality() is None
    now[0] += INTERVAL_S
    monitor.on_frame(Frame(TRAY, 0.0))
    first = monitor.quality()
    assert first is not None
    monitor.on_frame(Frame(TRAY // 2, 0.1))
    assert monitor.quality() is first
    now[0] += INTERVAL_S
    assert monitor.quality() != first


def test_a_picture_of_another_size_is_measured_alone() -> None:
    monitor = monitor_of(TRAY)
    monitor.on_frame(Frame(TRAY[:150], 1.0))
    quality = monitor.quality()
    assert quality is not None
    assert quality.size_wh == (400, 150)


def test_a_table_at_work_measures_its_camera(tmp_path: Path) -> None:
    camera = SimulatedCamera(seed=1)
    with table_at_work(tmp_path, camera) as table:
        wait_until(table, lambda now: table.picture is not None)
        health = table.health.to_json()
        assert health["picture"]["sharpness"] > health["picture"]["least_sharpness"]
        assert health["ok"], health["findings"]


# -- undoing -------------------------------------------------------------------------------------------------


def test_changes_are_undone_one_after_another() -> None:
    history, now = History[int](), list[int]()
    for n in range(MAX_CHANGES + 2):
        history.changed(n)
    assert len(history) == MAX_CHANGES
    for _ in range(2):
        history.undo(now.append)
    assert now == [MAX_CHANGES + 1, MAX_CHANGES]


def test_an_undo_that_fails_can_be_tried_again() -> None:
    history = History[str]()
    history.changed("before")

    def full_disk(_: str) -> None:
        raise OSError("the disk is full")

    with pytest.raises(OSError, match="disk is full"):
        history.undo(full_disk)
    now = list[str]()
    history.undo(now.append)
    assert now == ["before"]
    with pytest.raises(IllegalAnswer, match="nothing to undo"):
        history.undo(now.append)


# -- lights --------------------------------------------------------------------------------------------------


@pytest.fixture
def pins() -> FakePins:
    fake = FakePins()
    fake.connects(4)
    return fake


def later(seconds: float) -> Callable[[], float]:
    import time

    return lambda: time.monotonic() + seconds


def test_the_tables_own_screen_may_try_its_lights(pins: FakePins) -> None:
    LightsSetup(pins).try_light(2, own=True)
    assert pins.lit == [2]


def test_another_screen_may_try_them_after_a_press_at_the_table(pins: FakePins) -> None:
    lights = LightsSetup(pins)
    assert not lights.to_json(own=False)["may_try"]
    with pytest.raises(IllegalAnswer, match="Press a button at the table first"):
        lights.try_light(0, own=False)
    pins.presses("read_again")
    lights.try_light(None, own=False)
    assert lights.to_json(own=False)["may_try"]
    assert pins.lit == [None]
    with pytest.raises(IllegalAnswer, match="Press a button"):
        LightsSetup(pins, later(OPEN_AFTER_PRESS_S)).try_light(0, own=False)
