"""What a browser has to load: little, compressed, and nothing twice."""

from __future__ import annotations

import gzip
import json
from typing import Any

import pytest
from werkzeug.wrappers import Response

from table.games import GAMES
from tests.page.conftest import Guest, ServeTable

FIRST_LOAD_BYTES = 150_000
"""Upper limit of the first load of the page, with all heads and without the picture of the tray."""


def got(guest: Guest, path: str, **headers: str) -> Response:
    """The whole answer; its file is closed."""
    with guest.http.get(path, headers=headers) as answer:
        answer.get_data()
    return answer


def test_the_list_of_games_is_small(pig: Guest) -> None:
    answer = pig.http.get("/api/games")
    assert len(answer.data) < 8_000
    listed = answer.get_json()["games"]
    assert [game["name"] for game in listed] == list(GAMES)
    assert listed[0].keys() == {"name", "title", "aim", "players", "minutes", "two_colours"}


def test_each_game_has_an_address_with_its_details(pig: Guest) -> None:
    everything = pig.http.get("/api/games?details=1").get_json()
    for game in everything["games"]:
        assert pig.http.get(f"/api/games/{game['name']}").get_json() == game
    assert pig.http.get("/api/rules").get_json() == {"shared": everything["shared"]}
    refused = pig.http.get("/api/games/chess")
    assert refused.status_code == 404
    assert "no game with the name 'chess'" in refused.get_json()["error"]


@pytest.mark.parametrize("path", ["/", "/static/page.css", "/static/page.js", "/api/games?details=1"])
def test_texts_are_compressed_for_browsers_that_take_it(pig: Guest, path: str) -> None:
    plain = got(pig, path)
    small = got(pig, path, **{"Accept-Encoding": "gzip, br"})
    assert (plain.headers.get("Content-Encoding"), small.headers["Content-Encoding"]) == (None, "gzip")
    assert gzip.decompress(small.data) == plain.data
    assert plain.headers["Vary"] == small.headers["Vary"] == "Accept-Encoding"
    assert int(small.headers["Content-Length"]) == len(small.data)
    assert len(small.data) < max(600, 0.45 * len(plain.data))


def test_a_compressed_file_is_not_sent_again(pig: Guest) -> None:
    taken = {"Accept-Encoding": "gzip"}
    first = got(pig, "/static/page.js", **taken)
    again = got(pig, "/static/page.js", **taken, **{"If-None-Match": first.headers["ETag"]})
    assert (again.status_code, again.data) == (304, b"")


def test_pictures_and_short_answers_are_sent_as_they_are(pig: Guest) -> None:
    pig.table.throws(4)
    for path in ("/api/tray.jpg", "/static/icon.svg", "/api/colours"):
        assert "Content-Encoding" not in got(pig, path, **{"Accept-Encoding": "gzip"}).headers


@pytest.mark.browser
def test_the_first_load_is_light(serve: ServeTable, browser: Any) -> None:
    """Counted by the browser itself, as bytes on the wire."""
    server = serve("pig", "Ann", "Ben", start="Ann")
    context = browser.new_context()
    page, sizes, addresses = context.new_page(), dict[str, float](), dict[str, str]()
    network = context.new_cdp_session(page)
    network.send("Network.enable")
    network.on("Network.responseReceived", lambda e: addresses.update({e["requestId"]: e["response"]["url"]}))
    network.on("Network.loadingFinished", lambda e: sizes.update({e["requestId"]: e["encodedDataLength"]}))
    page.goto(server.url)
    page.locator(".tray img").wait_for()
    page.locator("#tab-new").click()
    page.locator("main.new form").wait_for()
    context.close()
    loaded = {addresses[i]: size for i, size in sizes.items() if "tray.jpg" not in addresses[i]}
    assert any("/api/games" in address for address in loaded), "the games are part of the first load"
    assert len(loaded) > 10
    assert sum(loaded.values()) < FIRST_LOAD_BYTES, json.dumps(loaded, indent=1)
