"""Showing the table its sticks, and coins in place of them: over the API, and on the page."""

from __future__ import annotations

import pytest

from tests.page.browsing import CUT, FITS, KIOSK, LAPTOP, PHONE, SMALL, OpenScreen
from tests.page.conftest import Guest, ServeTable, SitDown
from tests.vision.sticks import coin, stick


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


def test_sides_of_coins_are_learned_apart_from_those_of_sticks(guest: Guest) -> None:
    guest.table.coins.in_tray = [coin(200, 200)]
    assert len(guest.http.get("/api/coins?lying=1").get_json()["lying"]["sticks"]) == 1
    status, reply = guest.posts("coins", {"face": "heads"})
    assert status == 200
    assert reply["faces"] == [{"face": "heads", "samples": 2}, {"face": "tails", "samples": 0}]
    assert guest.table.sticks.samples == {}
    assert guest.posts("coins/undo", {})[1]["faces"][0]["samples"] == 0
    assert guest.http.delete("/api/coins/heads").status_code == 404
    assert guest.posts("coins", {"face": 1})[0] == 400


@pytest.mark.browser
def test_sides_are_shown_one_after_another(serve: ServeTable, screen: OpenScreen) -> None:
    server = serve()
    server.table.sticks.in_tray = [stick("round", 200, 200)]
    kiosk = screen(server)
    kiosk.taps("#new-game")
    kiosk.taps("input[value=sigily]")
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
    kiosk.taps("input[value=sigily]")
    kiosk.taps("#own-sticks")
    kiosk.sees("#lying", "Lay one or more sticks in the tray")
    kiosk.sees("#learn:disabled")


@pytest.mark.browser
@pytest.mark.parametrize("size", [KIOSK, LAPTOP, PHONE])
def test_coins_are_shown_heads_and_tails(
    serve: ServeTable, screen: OpenScreen, size: tuple[int, int]
) -> None:
    server = serve()
    server.table.coins.in_tray = [coin(150 + 90 * n, 200) for n in range(4)]
    looking = screen(server, size)
    looking.taps("#new-game")
    looking.taps("input[value=sigily]")
    looking.taps("#own-sticks")
    looking.taps("#show-coins")
    looking.sees("#lying", "4 coins are seen in the tray.")
    looking.sees("#taught-hint", "Show heads and tails")
    for side in ("heads", "tails"):
        looking.taps(f"[data-side={side}]")
        looking.taps("#learn")
        looking.sees("#lying", f"{side} is learned.")
    looking.sees("#taught-hint", "The table knows your coins")
    assert server.table.coins.samples == {"heads": 2, "tails": 2}
    assert server.table.sticks.samples == {}
    assert looking.evaluates(FITS)[0]
    assert looking.evaluates(CUT) == []
    assert looking.evaluates(SMALL) == []


@pytest.mark.browser
def test_a_refusal_to_learn_coins_is_shown(serve: ServeTable, screen: OpenScreen) -> None:
    server = serve()
    server.table.coins.in_tray = [coin(150, 200)]
    server.table.coins.refuses = "The coins moved: keep your hands out of the tray and try again."
    kiosk = screen(server)
    kiosk.taps("#new-game")
    kiosk.taps("input[value=sigily]")
    kiosk.taps("#own-sticks")
    kiosk.taps("#show-coins")
    kiosk.sees("#lying", "One coin is seen in the tray.")
    kiosk.taps("#learn")
    kiosk.sees("#notice", "The coins moved")


@pytest.mark.browser
def test_a_game_with_coins_shows_coins_first(serve: ServeTable, screen: OpenScreen) -> None:
    kiosk = screen(serve("sigily", "Ann:green", "Ben:red", sticks="coins"))
    kiosk.taps("#tab-new")
    kiosk.taps("#own-sticks")
    kiosk.sees("#lying", "Lay one or more coins in the tray")
