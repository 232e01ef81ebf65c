"""A client of the page over a fake table."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from table.page.app import create_app
from tests.page.fake_table import FakeTable


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
