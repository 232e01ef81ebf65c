"""A real browser in front of a served page: Debian's chromium, driven by playwright."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

CHROMIUM = Path("/usr/bin/chromium")
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
PATIENCE_MS = 10_000
"""Longest wait for anything on the page; only a failing test waits that long."""

KIOSK, LAPTOP, PHONE = (800, 480), (1280, 800), (390, 844)
SCREENS = {"kiosk": KIOSK, "laptop": LAPTOP, "phone": PHONE}

Opens = Callable[..., "Screen"]


@contextmanager
def chromium() -> Iterator[Browser]:
    """The browser; skips the test, saying why, where there is none."""
    sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    if not CHROMIUM.exists():
        pytest.skip(f"{CHROMIUM} is not there")
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(CHROMIUM), args=list(FLAGS))
        yield browser
        browser.close()


class Screen:
    """One screen at the table, in the words of those who look at it and tap on it."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.troubles: list[str] = []
        page.set_default_timeout(PATIENCE_MS)
        page.on("console", lambda said: self.troubles.append(said.text) if said.type in ("error", "warning") else None)
        page.on("pageerror", lambda error: self.troubles.append(str(error)))

    def looks_at(self, url: str) -> Screen:
        self.page.goto(url)
        self.sees("#tray-state")
        return self

    def sees(self, selector: str, text: str | None = None) -> None:
        """Waits until it is there, with that text somewhere in it."""
        found = self.page.locator(selector)
        (found if text is None else found.filter(has_text=text)).first.wait_for()

    def sees_no(self, selector: str) -> None:
        self.page.locator(selector).first.wait_for(state="detached")

    def sees_count(self, selector: str, count: int) -> None:
        """Waits until there are exactly so many."""
        from playwright.sync_api import expect

        expect(self.page.locator(selector)).to_have_count(count, timeout=PATIENCE_MS)

    def taps(self, selector: str) -> None:
        self.page.locator(selector).first.click()

    def reads(self, selector: str) -> str:
        return self.page.locator(selector).first.inner_text()

    def counts(self, selector: str) -> int:
        return self.page.locator(selector).count()

    def asks(self, script: str) -> Any:
        return self.page.evaluate(script)
