"""Every game can be played by one person with a mouse on the simulated tray: real camera, reader and page."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from table.commands.run import start_match
from table.commands.wiring import RunningTable
from table.games import GAMES
from tests.at_work import page_of, table_at_work
from tests.mouse import Mouse
from tests.page.browsing import KIOSK, chromium
from vision.cameras.simulated import SimulatedCamera

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = [pytest.mark.browser, pytest.mark.slow]

ANSWERS = 4
"""Number of prompts that are answered in each game: with two players, each kind of prompt of most games."""

CAMERA_WH, CAMERA_FPS = (640, 480), 15.0
"""A small camera leaves the computer free for the page."""

IN_CUPS = ("mia", "liars_dice", "bricrius_bluff", "ho_han")


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as opened:
        yield opened


def played(browser: Browser, table: RunningTable, game: str, answers: int) -> Mouse:
    """The person with the mouse, after so many answers in this game."""
    start_match(table, game, "Ann:green,Ben:red", [])
    with page_of(table) as url:
        page = browser.new_page(viewport={"width": KIOSK[0], "height": KIOSK[1]})
        errors: list[str] = []
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.goto(url)
        page.locator("#tray-state").wait_for()
        mouse = Mouse(page, random.Random(1))
        mouse.plays(answers)
        page.close()
    assert errors == []
    return mouse


@pytest.mark.parametrize("game", [game for game in GAMES if game != "high_rollin"])
def test_a_mouse_alone_plays_every_game(tmp_path: Path, browser: Browser, game: str) -> None:
    with table_at_work(tmp_path, SimulatedCamera(CAMERA_WH, CAMERA_FPS, seed=1)) as table:
        mouse = played(browser, table, game, ANSWERS)
        match = table.snapshot.match
        assert match is not None
        assert match.broken is None
        assert sum(mouse.kinds.values()) >= ANSWERS or match.phase == "over"
        typed = [thrown for thrown in match.throws if thrown.typed]
        assert typed == [], "the camera reads every throw"
        if game in IN_CUPS:
            assert mouse.kinds["hidden"]


def test_a_mouse_builds_towers_that_the_camera_reads(tmp_path: Path, browser: Browser) -> None:
    with table_at_work(tmp_path, SimulatedCamera(CAMERA_WH, CAMERA_FPS, seed=2)) as table:
        mouse = played(browser, table, "high_rollin", 11)
        assert mouse.kinds["choose"]
        now, hand = table.snapshot, table.hand
        assert now.match is not None
        assert hand is not None
        heights = [sum(die.base == base for die in hand.lay()) for base in hand.bases]
        assert max(heights) > 1
