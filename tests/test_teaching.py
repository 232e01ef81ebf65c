"""A household teaches the table its dice, on the page and on a simulated tray, and plays on by lamplight."""

from __future__ import annotations

import json
import shutil
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
from tests.page.browsing import CHROMIUM, PHONE, Screen, chromium
from vision.cameras.simulated import SimulatedCamera
from vision.simulation import Scene
from vision.simulation.scene import by_lamplight

LOOKS = {PLAYS_AS[name]: look for name, look in STYLES.items()}
DAY = Scene(exposure=0.85)


def camera(scene: Scene = DAY, seed: int = 4) -> SimulatedCamera:
    """A tray on which ivory dice are those that are thrown as yellow ones, and navy as blue."""
    return SimulatedCamera(seed=seed, paced=False, scene=scene, looks=LOOKS)


def throws(table: RunningTable, cam: SimulatedCamera, *names: str) -> list[str]:
    """Dice of the house are thrown; what the table says that each plays as, in the order of `lay`."""
    before = len(table.snapshot.tray.free_throws)
    cam.throw([PLAYS_AS[n] for n in names])
    now = wait_until(table, lambda s: len(s.tray.free_throws) > before or (s.tray.state == "UNSURE" and len(s.tray.dice) == len(names)))
    dice = now.tray.dice
    return [min(dice, key=lambda d: abs(d.seen.centre_xy[0] - x.x) + abs(d.seen.centre_xy[1] - x.y)).seen.colour for x in cam.lay()]


def teaches(table: RunningTable, cam: SimulatedCamera, *names: str) -> None:
    for name in names:
        throws(table, cam, *[name] * 3)
        table.colours.learn(name, PLAYS_AS[name])


def test_taught_by_day_told_apart_by_lamplight_and_after_a_restart(tmp_path: Path) -> None:
    four = ("white", "ivory", "navy", "black")
    cam = camera()
    with table_at_work(tmp_path, cam) as table:
        teaches(table, cam, *four)
        cam.relight(by_lamplight(DAY, np.random.default_rng(1)))
        for _ in range(3):
            assert throws(table, cam, *four, *four) == [PLAYS_AS[n] for n in (*four, *four)]
    again = camera(by_lamplight(DAY, np.random.default_rng(2)), seed=5)
    with table_at_work(tmp_path, again) as table:
        assert [c["name"] for c in table.colours.to_json()["colours"]] == list(four)
        assert throws(table, again, *four, *four) == [PLAYS_AS[n] for n in (*four, *four)]


def test_a_damaged_file_is_put_aside_and_people_are_told(tmp_path: Path) -> None:
    (tmp_path / PALETTE_NAME).write_text('{"tray": 7}')
    with table_at_work(tmp_path, camera()) as table:
        assert table.colours.to_json() == {"colours": [], "telling": False}
        assert "The dice colours were damaged: they were put aside as" in table.snapshot.tray.message
    (aside,) = tmp_path.glob(f"{PALETTE_NAME}.damaged-*")
    assert aside.read_text() == '{"tray": 7}'


def test_a_disk_that_refuses_leaves_what_was_known(tmp_path: Path) -> None:
    cam = camera()
    with table_at_work(tmp_path, cam) as table, page_of(table) as address:
        throws(table, cam, "white", "white")
        (tmp_path / f"{PALETTE_NAME}.new").mkdir()
        asked = urllib.request.Request(f"{address}api/colours", b'{"name": "white"}', {"Content-Type": "application/json"})
        with pytest.raises(urllib.error.HTTPError) as refused:
            urllib.request.urlopen(asked)
        with refused.value as answer:
            assert (answer.status, "cannot be written" in json.load(answer)["error"]) == (503, True)
        assert table.colours.to_json()["colours"] == []


@pytest.fixture
def phone() -> Iterator[Screen]:
    if shutil.which(str(CHROMIUM)) is None:
        pytest.skip(f"{CHROMIUM} is missing: sudo apt-get install -y chromium")
    with chromium() as browser:
        page = browser.new_page(viewport={"width": PHONE[0], "height": PHONE[1]})
        looking = Screen(page)
        page.set_default_timeout(30_000)
        yield looking
        assert looking.console_errors == []


@pytest.mark.browser
def test_two_clans_teach_their_dice_at_the_page(tmp_path: Path, phone: Screen) -> None:
    cam = camera()
    with table_at_work(tmp_path, cam) as table, page_of(table) as address:
        phone.opens(address)
        phone.taps("#tab-new")
        phone.taps("#dice-colours")
        for clan, name in (("Ann's ivory", "ivory"), ("Ben's white", "white")):
            throws(table, cam, *[name] * 4)
            phone.sees("#lying", "4 dice lie in the tray.")
            phone.page.fill("[name=colour-name]", clan)
            phone.page.select_option("[name=plays-as]", PLAYS_AS[name])
            phone.taps("#learn")
            phone.sees("#taught li", clan)
        phone.sees("#taught-hint", "The table recognises your dice")
        _same_dice_again(phone)
        cam.relight(by_lamplight(DAY, np.random.default_rng(3)))
        assert throws(table, cam, "ivory", "white", "ivory", "white") == ["yellow", "white"] * 2


def _same_dice_again(phone: Screen) -> None:
    """The white dice that lie there are refused under another name."""
    phone.page.fill("[name=colour-name]", "Cú's bone")
    phone.page.select_option("[name=plays-as]", "pink")
    phone.taps("#learn")
    phone.sees("#notice", "Cú's bone and Ben's white look too similar")
    phone.expected_error("422")
