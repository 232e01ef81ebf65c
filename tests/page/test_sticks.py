"""Showing the table its sticks: over the API, and on the page."""

from __future__ import annotations

import pytest

from tests.page.browsing import CUT, FITS, SMALL, OpenScreen
from tests.page.conftest import Guest, ServeTable, SitDown
from tests.vision.sticks import stick


@pytest.fixture
def guest(sit_down: SitDown) -> Guest:
    client = sit_down()
    client.table.sticks.in_tray = [stick("round", 200, 200), stick("round", 400, 300, 60)]
    return client


def test_the_sticks_in_the_tray_are_listed_on_request(guest: Guest) -> None:
    reply = guest.http.get("/api/sticks?lying=1").get_json()
    assert len(reply["lying"]["sticks"]) == 2
    assert reply["telling"] is False
    assert {row["samples"] for row in reply["faces"]} == {0}
    assert "lying" not in guest.http.get("/api/sticks").get_json()


def test_a_side_can_be_learned_and_forgotten(guest: Guest) -> None:
    status, reply = guest.posts("sticks", {"face": "dog"})
    assert status == 200
    assert [row for row in reply["faces"] if row["samples"]] == [{"face": "dog", "samples": 2}]
    answer = guest.http.delete("/api/sticks/dog")
    assert (answer.status_code, guest.table.sticks.samples) == (200, {})


def test_a_side_that_cannot_be_learned_is_refused_with_the_reason(guest: Guest) -> None:
    guest.table.sticks.refuses = "The sticks moved: keep your hands out of the tray and try again."
    status, reply = guest.posts("sticks", {"face": "dog"})
    assert (status, reply["error"]) == (422, guest.table.sticks.refuses)


def test_an_unreadable_side_is_refused(guest: Guest) -> None:
    assert guest.posts("sticks", {})[0] == 400


def test_an_unknown_side_cannot_be_forgotten(guest: Guest) -> None:
    answer = guest.http.delete("/api/sticks/horse")
    assert (answer.status_code, answer.get_json()["error"]) == (
        404,
        "The table has not learned the side 'horse'.",
    )


@pytest.mark.browser
def test_sides_are_shown_one_after_another(serve: ServeTable, screen: OpenScreen) -> None:
    server = serve()
    server.table.sticks.in_tray = [stick("round", 200, 200)]
    kiosk = screen(server)
    kiosk.taps("#new-game")
    kiosk.taps("#own-sticks")
    kiosk.sees("#lying", "One stick is seen in the tray.")
    kiosk.sees_count(".stick-mark", 1)
    for side in ("round", "dog"):
        kiosk.taps(f"[data-side={side}]")
        kiosk.taps("#learn")
        kiosk.sees("#lying", f"{side} is learned.")
    kiosk.sees("#taught-hint", "The table knows your sticks")
    assert server.table.sticks.samples == {"round": 2, "dog": 2}
    assert kiosk.evaluates(FITS) == [True, True]
    assert kiosk.evaluates(CUT) == []
    assert kiosk.evaluates(SMALL) == []
    kiosk.taps("#forget")
    kiosk.sees("#taught-hint", "Show at least two sides")
    assert server.table.sticks.samples == {"round": 2}


@pytest.mark.browser
def test_nothing_is_learned_from_an_empty_tray(serve: ServeTable, screen: OpenScreen) -> None:
    kiosk = screen(serve())
    kiosk.taps("#new-game")
    kiosk.taps("#own-sticks")
    kiosk.sees("#lying", "Lay one or more sticks in the tray")
    kiosk.sees("#learn:disabled")
