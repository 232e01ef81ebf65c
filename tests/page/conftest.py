"""An HTTP client for a fake table, and browsers that show a served one."""

from __future__ import annotations

import json
import socket
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from itertools import chain, repeat
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from flask.testing import FlaskClient

from table.games import GAMES
from table.page.app import create_app
from tests.page.browsing import KIOSK, OpenScreen, Screen, Screens, chromium
from tests.page.fake_table import FakeTable
from tests.page.prompt_games import PROMPT_GAMES
from tests.page.serving import Served, served

if TYPE_CHECKING:
    from playwright.sync_api import Browser


class Guest:
    """An HTTP client of the page. Actions return (status, JSON)."""

    def __init__(self, table: FakeTable) -> None:
        self.table = table
        self.http: FlaskClient = create_app(table).test_client()

    def snapshot(self) -> dict[str, Any]:
        answer: dict[str, Any] = self.http.get("/api/snapshot").get_json()
        return answer

    def does(self, what: str, **body: Any) -> tuple[int, dict[str, Any]]:
        """Posts an action with the number of the current snapshot, unless the body has a number."""
        return self.posts(what, {"number": self.table.snapshot.number, **body})

    def posts(self, what: str, body: Any) -> tuple[int, dict[str, Any]]:
        text = json.dumps(body)  # with every other letter escaped, as a script may send it
        answer = self.http.post(f"/api/{what}", data=text, content_type="application/json")
        return answer.status_code, answer.get_json()


SitDown = Callable[..., Guest]


@pytest.fixture
def sit_down(tmp_path: Path) -> SitDown:
    """sit_down("pig", "Ann:green", "Ben:red", start="Ann"): a guest at a table with that game."""
    return lambda game="", *players, **settings: Guest(FakeTable(tmp_path, game, *players, **settings))


@pytest.fixture
def pig(sit_down: SitDown) -> Guest:
    return sit_down("pig", "Ann:green", "Ben:red", start="Ann")


@pytest.fixture
def prompt_games(monkeypatch: pytest.MonkeyPatch) -> None:
    """Adds the small games that ask for one kind of prompt each to the registry."""
    for game in PROMPT_GAMES:
        monkeypatch.setitem(GAMES, game.name, game)


# -- in a browser --------------------------------------------------------------------------------------------

ServeTable = Callable[..., Served]


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    with chromium() as opened:
        yield opened


@pytest.fixture(scope="package")
def screens(browser: Browser) -> Screens:
    return Screens(browser)


@pytest.fixture(scope="package")
def port() -> int:
    """A port for every table that is the first of its test, so that browsers know the page already."""
    with closing(socket.socket()) as any_port:
        any_port.bind(("127.0.0.1", 0))
        return int(any_port.getsockname()[1])


@pytest.fixture
def serve(tmp_path: Path, port: int) -> Iterator[ServeTable]:
    """serve("pig", "Ann:green", "Ben:red", start="Ann"): a served table with that game.

    server.table is the fake.
    """
    with ExitStack() as stack:
        ports = chain([port], repeat(0))
        yield lambda game="", *players, **settings: stack.enter_context(
            served(FakeTable(tmp_path, game, *players, **settings), port=next(ports))
        )


@pytest.fixture
def pig_table(serve: ServeTable) -> Served:
    """A served table with Pig."""
    return serve("pig", "Ann:green", "Ben:red", start="Ann")


@pytest.fixture
def screen(screens: Screens) -> Iterator[OpenScreen]:
    """screen(server, size): a screen that shows the page. A console error or warning fails the test.

    fresh=True: a screen for this test alone, because the test changes its scripts or its clock.
    """
    with ExitStack() as stack:
        opened: list[Screen] = []

        def at(server: Served, size: tuple[int, int] = KIOSK, fresh: bool = False) -> Screen:
            opened.append(stack.enter_context(screens.one(size, fresh)))
            return opened[-1].opens(server.url)

        yield at
        assert [error for s in opened for error in s.console_errors] == []
