"""A real browser that shows a served page: Debian's chromium, driven by playwright."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, ConsoleMessage, FloatRect, Locator, Page
    from playwright.sync_api import Error as BrowserError

CHROMIUM = Path("/usr/bin/chromium")
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
TIMEOUT_MS = 10_000
"""Longest wait for anything on the page. Only a failing test waits that long."""

KIOSK, LAPTOP, PHONE, TELEVISION = (800, 480), (1280, 800), (390, 844), (1920, 1080)
SCREENS = {"kiosk": KIOSK, "laptop": LAPTOP, "phone": PHONE}

OVERFLOWS = """[document.scrollingElement, document.querySelector('main')]
    .map(e => e.scrollWidth > innerWidth)"""
"""Script: whether the page and its main part are wider than the screen."""

FITS = "(e => [e.scrollWidth <= innerWidth, e.scrollHeight <= innerHeight])(document.documentElement)"
"""Script: whether the page fits the width and the height of the screen."""

SMALL = """[...document.querySelectorAll('button, select, input, a')].map(e => [e, e.getBoundingClientRect()])
    .filter(([e, r]) => r.width && e.type !== 'radio' && (r.height < 47.5 || r.width < 44))
    .map(([e]) => e.outerHTML)"""
"""Script: the controls that are too small for a finger."""

CUT = """[...document.querySelectorAll('.side, .turn, .scores, .tools, .head, .answering')]
    .filter(e => e.scrollWidth > e.clientWidth + 1 || e.scrollHeight > e.clientHeight + 1)
    .map(e => e.className)"""
"""Script: the parts of the page whose content is cut off."""

OUT_OF_SIGHT = """[...document.querySelectorAll('.choices button')]
    .map(e => [e, ...[e, e.closest('.side')].map(b => b.getBoundingClientRect())])
    .filter(([, r, side]) => r.bottom > side.bottom + 1 || r.top < side.top - 1).map(([e]) => e.innerText)"""
"""Script: the choices that are scrolled out of sight."""

WAITS, OFFERED = "#throw[aria-disabled]", "#throw:not([aria-disabled])"
"""The button that throws, while it does nothing and while it does. It keeps the focus all the time."""

SETTLED = (
    "seq => Number(document.querySelector('.app')?.dataset.seq) >= seq && document.fonts.status === 'loaded'"
)
"""Script: whether the page shows the snapshot with this number, in its own type."""


def module(name: str) -> str:
    """Script: the module with this name, as the page itself has loaded it."""
    return f"import(new URL('{name}', document.querySelector('script[type=module]').src))"


OpenScreen = Callable[..., "Screen"]


@contextmanager
def chromium() -> Iterator[Browser]:
    """The browser. Skips the test with a reason if there is none."""
    sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    if not CHROMIUM.exists():
        pytest.skip(f"{CHROMIUM} is not there")
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(CHROMIUM), args=list(FLAGS))
        yield browser
        browser.close()


def box_of(locator: Locator) -> FloatRect:
    """Left edge, top edge, width and height of a visible element, in px of the screen."""
    box = locator.bounding_box()
    assert box is not None
    return box


class Screen:
    """One screen at the table, with the actions of a person: it sees texts and taps buttons."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.console_errors: list[str] = []
        page.set_default_timeout(TIMEOUT_MS)
        page.on("console", self._console)
        page.on("pageerror", self._page_error)

    def opens(self, url: str) -> Screen:
        self.page.goto(url)
        self.sees("#tray-state")
        return self

    def sees(self, selector: str, text: str | None = None) -> None:
        """Waits until the element is visible and contains the text."""
        found = self.page.locator(selector)
        (found if text is None else found.filter(has_text=text)).first.wait_for()

    def sees_no(self, selector: str) -> None:
        """Waits until the element is gone."""
        self.page.locator(selector).first.wait_for(state="detached")

    def sees_count(self, found: str | Locator, count: int) -> None:
        """Waits until there are exactly this many elements. found: a selector, or what the page locates."""
        from playwright.sync_api import expect

        locator = self.page.locator(found) if isinstance(found, str) else found
        expect(locator).to_have_count(count, timeout=TIMEOUT_MS)

    def taps(self, selector: str) -> None:
        """Taps the element. Opens the menu of the tools first if the element is in there."""
        found = self.page.locator(selector).first
        found.wait_for(state="attached")
        if self.page.locator("#more-tools:not([data-open])").locator(selector).count() and found.is_hidden():
            self.page.locator("#more").click()
        found.click()

    def reads(self, selector: str) -> str:
        return self.page.locator(selector).first.inner_text()

    def counts(self, selector: str) -> int:
        return self.page.locator(selector).count()

    def box(self, selector: str) -> FloatRect:
        """Left edge, top edge, width and height of the element, in px of the screen."""
        return box_of(self.page.locator(selector).first)

    def evaluates(self, script: str) -> Any:
        """The result of a script in the page."""
        return self.page.evaluate(script)

    def expected_error(self, status: str) -> None:
        """Forgets the console errors about responses with this status."""
        self.console_errors = [error for error in self.console_errors if status not in error]

    def leaves(self) -> Page:
        """The page, which this screen no longer listens to."""
        self.page.remove_listener("console", self._console)
        self.page.remove_listener("pageerror", self._page_error)
        return self.page

    def _console(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self.console_errors.append(message.text)

    def _page_error(self, error: BrowserError) -> None:
        self.console_errors.append(str(error))


class Screens:
    """Screens for one test after another. They are used again: to open one takes as long as a test."""

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._idle: list[Page] = []

    @contextmanager
    def one(self, size: tuple[int, int], fresh: bool = False) -> Iterator[Screen]:
        """A screen of this size that remembers nothing. fresh: it is new, and not used again."""
        page = self._idle.pop(0) if self._idle and not fresh else self._new_page()
        page.set_viewport_size({"width": size[0], "height": size[1]})
        screen = Screen(page)
        try:
            yield screen
        except BaseException:
            page.context.close()
            raise
        screen.leaves()
        if fresh or page.is_closed():
            page.context.close()
        else:
            self._put_back(page)

    def _new_page(self) -> Page:
        return self._browser.new_context(has_touch=True).new_page()

    def _put_back(self, page: Page) -> None:
        page.unroute_all(behavior="ignoreErrors")
        page.emulate_media(media="null", color_scheme="null", reduced_motion="null")
        page.evaluate("localStorage.clear(); sessionStorage.clear()")
        page.goto("about:blank")
        self._idle.insert(0, page)
