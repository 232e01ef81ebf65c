"""A first evening, as people have it: a browser, a tray, and a whole game of Pig."""

from __future__ import annotations

import json
import shutil
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.at_work import page_of, table_at_work
from vision.cameras.simulated import SimulatedCamera

CHROMIUM = "/usr/bin/chromium"
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]

SHORT_GAME = 38
"""A seed with which Ann, holding at 52 and at 100, and Ben, holding at once, are done in 26 throws."""

MOST_STEPS = 150

sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(shutil.which(CHROMIUM) is None, reason=f"{CHROMIUM} is missing: sudo apt-get install -y chromium"),
]


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    with table_at_work(tmp_path, SimulatedCamera(seed=SHORT_GAME)) as table, page_of(table) as address:
        yield address


@pytest.fixture
def page(address: str) -> Iterator[Any]:
    """The kiosk's page; the test fails on anything that the browser complains of."""
    complaints: list[str] = []
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        page = browser.new_page(viewport={"width": 800, "height": 480})
        page.on("console", lambda m: complaints.append(m.text) if m.type in ("error", "warning") else None)
        page.on("pageerror", lambda e: complaints.append(str(e)))
        page.goto(address)
        yield page
        browser.close()
    assert complaints == []


def test_a_whole_game_of_pig(page: Any, address: str) -> None:
    _starts_pig(page)
    _throws(page, address)
    _corrects_and_corrects_back(page, address)
    _takes_back(page, address)
    page.reload()
    sync_api.expect(page.locator("#turn")).to_have_attribute("data-player", _match(address)["prompt"]["player"])
    for _ in range(MOST_STEPS):
        match = _match(address)
        if match["phase"] == "over":
            break
        if match["prompt"]["kind"] == "roll":
            _throws(page, address)
        else:
            _chooses(page, address, _choice(match))
    _game_is_over(page, address)


def _starts_pig(page: Any) -> None:
    page.click("#new-game")
    page.check("input[value=pig]")
    page.fill("input[name=player-0]", "Ann")
    page.fill("input[name=player-1]", "Ben")
    page.select_option("select[name=start]", "Ann")
    page.click("#start")
    sync_api.expect(page.locator("#prompt")).to_have_text("Throw one die.")


def _throws(page: Any, address: str) -> None:
    """One throw of the simulated hand, until it is accepted."""
    at = _match(address)["at"]
    page.click("#throw")
    sync_api.expect(page.locator("#tray-state[data-state=ACCEPTED]")).to_be_visible(timeout=20_000)
    _until(page, lambda: _match(address)["at"] > at)


def _chooses(page: Any, address: str, option: str) -> None:
    at = _match(address)["at"]
    page.click(f"[data-option={option}]")
    _until(page, lambda: _match(address)["at"] > at)


def _choice(match: dict[str, Any]) -> str:
    """Ann holds at 52 and to win, Ben at once."""
    player = match["prompt"]["player"]
    total = int(match["prompt"]["options"][0]["text"].removeprefix("Hold "))
    wanted = 1 if player == "Ben" else 52
    return "hold" if total >= wanted or match["scores"][player] + total >= 100 else "roll"


def _corrects_and_corrects_back(page: Any, address: str) -> None:
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


def _takes_back(page: Any, address: str) -> None:
    page.click("[data-option=hold]")
    sync_api.expect(page.locator("#turn")).to_have_attribute("data-player", "Ben")
    page.click("#take-back")
    sync_api.expect(page.locator("#turn")).to_have_attribute("data-player", "Ann")
    assert _match(address)["scores"] == {"Ann": 0, "Ben": 0}


def _game_is_over(page: Any, address: str) -> None:
    match = _match(address)
    assert match["phase"] == "over"
    (winner,) = match["winners"]
    assert match["scores"][winner] >= 100
    sync_api.expect(page.locator("#prompt")).to_have_text(match["outcome"])
    page.click("#tab-sheet")
    rows = page.locator("#sheet tbody tr")
    assert rows.count() >= 2
    sync_api.expect(page.locator("#sheet tfoot")).to_contain_text(str(match["scores"][winner]))


def _match(address: str) -> dict[str, Any]:
    with urllib.request.urlopen(f"{address}api/snapshot") as answer:
        match: dict[str, Any] = json.load(answer)["match"]
    return match


def _until(page: Any, true: Any) -> None:
    for _ in range(400):
        if true():
            return
        page.wait_for_timeout(50)
    raise AssertionError("it did not come to that in 20 seconds")
