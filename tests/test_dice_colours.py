"""A table learns the colours of its players' dice by day, and recognises them by lamplight."""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from models.evaluation.palette_accuracy import PLAYS_AS, STYLES
from table.commands.wiring import RunningTable
from table.setup.colours import PALETTE_NAME
from tests.at_work import page_of, table_at_work, wait_until
from tests.page.browsing import PHONE, Screen, chromium
from vision.cameras.simulated import SimulatedCamera
from vision.simulation import Scene
from vision.simulation.scene import by_lamplight

STYLES_BY_COLOUR = {PLAYS_AS[name]: style for name, style in STYLES.items()}
DAY = Scene(exposure=0.85)


def colour_camera(scene: Scene = DAY, seed: int = 4) -> SimulatedCamera:
    """A camera over a tray. Its yellow dice look ivory, and its blue ones look navy."""
    return SimulatedCamera(seed=seed, paced=False, scene=scene, looks=STYLES_BY_COLOUR)


def throw(table: RunningTable, camera: SimulatedCamera, *names: str) -> list[str]:
    """Throws dice with these names. Returns the colour that the table reads of each, ordered as by `lay`."""
    before = len(table.snapshot.tray.free_throws)
    camera.throw([PLAYS_AS[n] for n in names])
    now = wait_until(
        table,
        lambda s: (
            len(s.tray.free_throws) > before or (s.tray.state == "UNSURE" and len(s.tray.dice) == len(names))
        ),
    )
    dice = now.tray.dice
    return [
        min(dice, key=lambda d: abs(d.seen.centre_xy[0] - x.x) + abs(d.seen.centre_xy[1] - x.y)).seen.colour
        for x in camera.lay()
    ]


def teach(table: RunningTable, camera: SimulatedCamera, *names: str) -> None:
    for name in names:
        throw(table, camera, *[name] * 3)
        table.colours.learn(name, PLAYS_AS[name])


def test_colours_learned_by_day_are_recognised_by_lamplight_and_after_a_restart(tmp_path: Path) -> None:
    names = ("white", "ivory", "navy", "black")
    camera = colour_camera()
    with table_at_work(tmp_path, camera) as table:
        teach(table, camera, *names)
        camera.relight(by_lamplight(DAY, np.random.default_rng(1)))
        assert throw(table, camera, *names, *names) == [PLAYS_AS[n] for n in (*names, *names)]
    second_camera = colour_camera(by_lamplight(DAY, np.random.default_rng(2)), seed=5)
    with table_at_work(tmp_path, second_camera) as table:
        assert [c["name"] for c in table.colours.to_json()["colours"]] == list(names)
        assert throw(table, second_camera, *names, *names) == [PLAYS_AS[n] for n in (*names, *names)]


def test_a_damaged_file_is_moved_aside_with_a_message(tmp_path: Path) -> None:
    (tmp_path / PALETTE_NAME).write_text('{"tray": 7}')
    with table_at_work(tmp_path, colour_camera()) as table:
        assert table.colours.to_json() == {"colours": [], "telling": False, "undo": 0}
        assert "The dice colours were damaged: they were put aside as" in table.snapshot.tray.message
    (moved_file,) = tmp_path.glob(f"{PALETTE_NAME}.damaged-*")
    assert moved_file.read_text() == '{"tray": 7}'


def test_a_colour_that_cannot_be_written_is_not_learned(tmp_path: Path) -> None:
    camera = colour_camera()
    with table_at_work(tmp_path, camera) as table, page_of(table) as address:
        throw(table, camera, "white", "white")
        (tmp_path / f"{PALETTE_NAME}.new").mkdir()
        request = urllib.request.Request(
            f"{address}api/colours", b'{"name": "white"}', {"Content-Type": "application/json"}
        )
        with pytest.raises(urllib.error.HTTPError) as refusal:
            urllib.request.urlopen(request)
        with refusal.value as response:
            assert (response.status, "cannot be written" in json.load(response)["error"]) == (503, True)
        assert table.colours.to_json()["colours"] == []


@pytest.fixture
def phone() -> Iterator[Screen]:
    with chromium() as browser:
        screen = Screen(browser.new_page(viewport={"width": PHONE[0], "height": PHONE[1]}))
        screen.page.set_default_timeout(30_000)
        yield screen
        assert screen.console_errors == []


@pytest.mark.browser
def test_two_clans_teach_their_dice_on_the_page(tmp_path: Path, phone: Screen) -> None:
    camera = colour_camera()
    with table_at_work(tmp_path, camera) as table, page_of(table) as address:
        phone.opens(address)
        phone.taps("#new-game")
        phone.taps("#dice-colours")
        for colour_name, name in (("Ann's ivory", "ivory"), ("Ben's white", "white")):
            throw(table, camera, *[name] * 4)
            phone.sees("#lying", "4 dice lie in the tray.")
            phone.page.fill("[name=colour-name]", colour_name)
            phone.page.select_option("[name=plays-as]", PLAYS_AS[name])
            phone.taps("#learn")
            phone.sees("#taught li", colour_name)
        phone.sees("#taught-hint", "The table recognises your dice")
        _teach_the_same_dice_again(phone)
        camera.relight(by_lamplight(DAY, np.random.default_rng(3)))
        assert throw(table, camera, "ivory", "white", "ivory", "white") == ["yellow", "white"] * 2


def _teach_the_same_dice_again(phone: Screen) -> None:
    """The page refuses to learn the white dice on the tray under another name."""
    phone.page.fill("[name=colour-name]", "Cú's bone")
    phone.page.select_option("[name=plays-as]", "pink")
    phone.taps("#learn")
    phone.sees("#notice", "Cú's bone and Ben's white look too similar")
    phone.expected_error("422")
