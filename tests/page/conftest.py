"""A client of the page over a fake table, and browsers before a served one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from flask.testing import FlaskClient

from table.games import GAMES
from table.page.app import create_app
from tests.page.browsing import KIOSK, Opens, Screen, chromium
from tests.page.fake_table import FakeTable
from tests.page.serving import Served, served
from tests.page.prompt_games import TELLING

if TYPE_CHECKING:
    from playwright.sync_api import Browser


class Guest:
    """Somebody at the page: asks and does, and answers with (status, JSON)."""

    def __init__(self, table: FakeTable) -> None:
        self.table = table
        self.http: FlaskClient = create_app(table).test_client()

    def looks(self) -> dict[str, Any]:
        answer: dict[str, Any] = self.http.get("/api/snapshot").get_json()
        return answer

    def does(self, what: str, **body: Any) -> tuple[int, dict[str, Any]]:
        """Posts the body with the number that is on screen, unless it brings its own."""
        return self.posts(what, {"number": self.table.snapshot.number, **body})

    def posts(self, what: str, body: Any) -> tuple[int, dict[str, Any]]:
        answer = self.http.post(f"/api/{what}", json=body)
        return answer.status_code, answer.get_json()


Seats = Callable[..., Guest]


@pytest.fixture
def sit_down(tmp_path: Path) -> Seats:
    """sit_down("pig", "Ann:green", "Ben:red", start="Ann"): a guest at a table with that game on."""
    return lambda game="", *players, **given: Guest(FakeTable(tmp_path, game, *players, **given))


@pytest.fixture
def pig(sit_down: Seats) -> Guest:
    return sit_down("pig", "Ann:green", "Ben:red", start="Ann")


@pytest.fixture
def telling(monkeypatch: pytest.MonkeyPatch) -> None:
    """The small games that ask for one thing each are in the registry too."""
    for game in TELLING:
        monkeypatch.setitem(GAMES, game.name, game)


# -- in a browser ------------------------------------------------------------------------------------------------------

Serves = Callable[..., Served]


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    with chromium() as opened:
        yield opened


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Serves]:
    """serve("pig", "Ann:green", "Ben:red", start="Ann"): a served table with that game on; server.table is the fake."""
    with ExitStack() as stack:
        yield lambda game="", *players, **given: stack.enter_context(served(FakeTable(tmp_path, game, *players, **given)))


@pytest.fixture
def screen(browser: Browser) -> Iterator[Opens]:
    """screen(server, size): a screen that looks at it. Whatever any of them complained of in its console fails the test."""
    with ExitStack() as stack:
        opened: list[Screen] = []

        def at(server: Served, size: tuple[int, int] = KIOSK) -> Screen:
            context = stack.enter_context(browser.new_context(viewport={"width": size[0], "height": size[1]}, has_touch=True))
            opened.append(Screen(context.new_page()))
            return opened[-1].looks_at(server.url)

        yield at
        assert [trouble for s in opened for trouble in s.troubles] == []
