"""A whole game of Pig in a browser, on the simulated tray."""

from __future__ import annotations

import json
import math
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.at_work import HURRY, hurried_clock, page_of, table_at_work
from tests.page.browsing import KIOSK, OFFERED, Screen, chromium
from vision.cameras.simulated import SimulatedCamera
from vision.simulation.felt import felt_for
from vision.simulation.scene import Scene

CAMERA_WH, CAMERA_FPS = (640, 480), 15.0 * HURRY
"""A small camera leaves the computer free for the page."""

SHORT_GAME_SEED = 38
"""The game ends after 26 throws, where Ann holds at 52 and to win, and Ben after every throw."""

MAX_THROWS = 30
"""After a throw that was not counted the dice are others, and the game may last five times as long."""
MAX_ASKED = 4
"""Throws of the game about which the table may ask, or which it may not count."""
NOT_COUNTED_S = 4.0
"""Time after which a throw that was offered again, and is not counted, is not going to be."""

PAGE_TIMEOUT_MS = 30_000
ACCEPT_TIMEOUT_MS = 20_000
"""Longest wait for a throw to come to rest and to be accepted."""

sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
pytestmark = pytest.mark.browser


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    # Laying another felt as the game starts would disable the button for a moment, as it is clicked.
    scene = Scene(felt_bgr=felt_for(("green", "red")))
    camera = SimulatedCamera(CAMERA_WH, CAMERA_FPS, seed=SHORT_GAME_SEED, clock=hurried_clock, scene=scene)
    with table_at_work(tmp_path, camera) as table, page_of(table) as address:
        yield address


@pytest.fixture
def page(address: str) -> Iterator[Any]:
    """The page on the table's own screen. The test fails on any error or warning in the browser's console."""
    with chromium() as browser:
        screen = Screen(browser.new_page(viewport={"width": KIOSK[0], "height": KIOSK[1]}))
        screen.page.set_default_timeout(PAGE_TIMEOUT_MS)
        screen.opens(address)
        yield screen.page
    assert screen.console_errors == []


def test_a_whole_game_of_pig(page: Any, address: str) -> None:
    _start_pig(page)
    _throw(page, address)
    _correct_and_correct_back(page, address)
    _take_back(page, address)
    page.reload()
    sync_api.expect(page.locator("#turn")).to_have_attribute(
        "data-player", _match(address)["prompt"]["player"]
    )
    asked, match = 0, _match(address)
    while match["phase"] != "over" and len(match["throws"]) < MAX_THROWS:
        if match["prompt"]["kind"] == "choose" and _holds(match):
            _hold(page, address)
        else:
            asked += _throw(page, address)
        match = _match(address)
    assert asked <= MAX_ASKED
    if match["phase"] != "over" and asked:
        pytest.skip(
            f"the computer is busy: {asked} throws were not counted at once, and the game became long"
        )
    _assert_game_over(page, address)


def _start_pig(page: Any) -> None:
    page.click("#new-game")
    page.check("input[value=pig]")
    page.fill("input[name=player-0]", "Ann")
    page.fill("input[name=player-1]", "Ben")
    page.select_option("select[name=start]", "Ann")
    page.click("#start")
    sync_api.expect(page.locator("#prompt")).to_have_text("Throw one die.")


def _throw(page: Any, address: str) -> int:
    """Lets the simulated hand throw, or throw again, and waits until the throw is accepted. Returns how often
    the table asked whether the die was thrown, or did not count it: a slow machine skips pictures."""
    counted, doubt, asked = len(_match(address)["throws"]), page.locator("#was-thrown"), 0
    offered_s = math.inf

    def counts() -> bool:
        nonlocal asked, offered_s
        if len(_match(address)["throws"]) > counted:
            return True
        offered_s = min(offered_s, time.monotonic()) if page.locator(OFFERED).is_visible() else math.inf
        if doubt.is_visible():
            asked += 1
            doubt.click()
        elif time.monotonic() - offered_s > NOT_COUNTED_S:
            asked, offered_s = asked + 1, math.inf
            page.click("#throw")
        return False

    page.click("#throw")
    _wait_until(page, counts)
    sync_api.expect(page.locator("#tray-state[data-state=ACCEPTED]")).to_be_visible(timeout=ACCEPT_TIMEOUT_MS)
    return asked


def _hold(page: Any, address: str) -> None:
    at = _match(address)["at"]
    page.click("[data-option=hold]")
    _wait_until(page, lambda: _match(address)["at"] > at)


def _holds(match: dict[str, Any]) -> bool:
    """The choice of the player: Ann holds at 52 and to win, Ben after every throw."""
    player = match["prompt"]["player"]
    total = int(match["prompt"]["options"][0]["text"].removeprefix("Hold "))
    return total >= (1 if player == "Ben" else 52) or match["scores"][player] + total >= 100


def _correct_and_correct_back(page: Any, address: str) -> None:
    seen = _match(address)["throws"][-1]["roll"][0]["face"]
    other = 3 if seen != 3 else 4
    for face in (other, seen):
        page.click("g.mark.thrown")
        page.click(f"#face-dialog [data-say='{face}']")
        sync_api.expect(page.locator("#prompt")).to_have_text(f"Hold {face} or throw again?")
    assert [r["text"] for r in _match(address)["rulings"]] == [
        f"Ann's throw is corrected from {seen} to {other}.",
        f"Ann's throw is corrected from {other} to {seen}.",
    ]


def _take_back(page: Any, address: str) -> None:
    page.click("[data-option=hold]")
    sync_api.expect(page.locator("#turn")).to_have_attribute("data-player", "Ben")
    page.click("#take-back")
    sync_api.expect(page.locator("#turn")).to_have_attribute("data-player", "Ann")
    assert _match(address)["scores"] == {"Ann": 0, "Ben": 0}


def _assert_game_over(page: Any, address: str) -> None:
    match = _match(address)
    assert match["phase"] == "over"
    (winner,) = match["winners"]
    assert match["scores"][winner] >= 100
    sync_api.expect(page.locator("#prompt")).to_have_text(match["outcome"])
    page.click("#tab-sheet")
    sync_api.expect(page.locator("#sheet tfoot")).to_contain_text(str(match["scores"][winner]))
    assert page.locator("#sheet tbody tr").count() >= 2


def _match(address: str) -> dict[str, Any]:
    with urllib.request.urlopen(f"{address}api/snapshot") as answer:
        match: dict[str, Any] = json.load(answer)["match"]
    return match


def _wait_until(page: Any, holds: Callable[[], bool]) -> None:
    for _ in range(400):
        if holds():
            return
        page.wait_for_timeout(50)
    tray = page.locator("#tray-state").inner_text(), page.locator("#turn").inner_text()
    raise AssertionError(f"the expected change did not come within 20 seconds: {tray}")
