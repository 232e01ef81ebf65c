"""What a browser has to load: little, compressed, and nothing twice."""

from __future__ import annotations

import gzip
import json
import re
import shutil
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from werkzeug.wrappers import Response

from table.games import GAMES
from table.page.assets import FOLDER, Assets
from tests.page.browsing import OpenScreen
from tests.page.conftest import Guest, ServeTable

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext

FIRST_LOAD_BYTES = 150_000
"""Upper limit of the first load of the page, with all heads and without the picture of the tray."""

HEAVIEST = {
    "pig": ("Ann:green", "Ben:red"),
    "high_rollin": ("Ann:green", "Ben:red"),
    "sigily": ("Ann:green", "Ben:red", "Cat:blue", "Dan:yellow"),
    "highland": ("Ann:green", "Ben:red"),
}
"""Games whose page is among the largest, and a small one, with their players."""

ONLY_WHEN_OPENED = (
    "newgame.js",
    "dialog.js",
    "keyboard.js",
    "emblems.js",
    "sheet.js",
    "rules.js",
    "replay.js",
    "setup.js",
    "day.js",
    "arrows.js",
    "bets.js",
    "picks.js",
    "lifted.js",
    "tones.js",
    "voices.js",
)
"""Modules that the first view does without."""


PAGE = Assets(FOLDER)


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
    assert listed[0].keys() == {
        "name",
        "title",
        "aim",
        "players",
        "minutes",
        "two_colours",
        "sticks",
        "coached",
    }


def test_each_game_has_an_address_with_its_details(pig: Guest) -> None:
    everything = pig.http.get("/api/games?details=1").get_json()
    for game in everything["games"]:
        assert pig.http.get(f"/api/games/{game['name']}").get_json() == game
    assert pig.http.get("/api/rules").get_json() == {"shared": everything["shared"]}
    refused = pig.http.get("/api/games/chess")
    assert refused.status_code == 404
    assert "no game with the name 'chess'" in refused.get_json()["error"]


@pytest.mark.parametrize("path", ["/", PAGE.url("page.css"), PAGE.url("page.js"), "/api/games?details=1"])
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
    first = got(pig, PAGE.url("page.js"), **taken)
    again = got(pig, PAGE.url("page.js"), **taken, **{"If-None-Match": first.headers["ETag"]})
    assert (again.status_code, again.data) == (304, b"")


def test_pictures_and_short_answers_are_sent_as_they_are(pig: Guest) -> None:
    pig.table.throws(4)
    for path in ("/api/tray.jpg", PAGE.url("icon.svg"), "/api/colours"):
        assert "Content-Encoding" not in got(pig, path, **{"Accept-Encoding": "gzip"}).headers


def test_a_file_of_the_page_may_be_kept_for_ever_and_the_page_itself_never(pig: Guest) -> None:
    assert pig.http.get("/").headers["Cache-Control"] == "no-store"
    for name in ("page.js", "vendor/kaffeesatz-bold.woff2", "setup.css"):
        kept = got(pig, PAGE.url(name)).headers["Cache-Control"]
        assert kept == "public, max-age=31536000, immutable"


def test_the_page_names_all_modules_of_its_first_view_at_once(pig: Guest) -> None:
    named = set(re.findall(r'(?:src|href)="([^"]+)"', pig.http.get("/").get_data(as_text=True)))
    imported = {PAGE.url(name) for name in PAGE.modules("page.js")}
    assert len(imported) > 30
    assert imported < named
    assert not {PAGE.url(name) for name in ONLY_WHEN_OPENED} & named
    for name in PAGE.modules("page.js"):
        for other in re.findall(r' from "\./([^"]+\.js)"', (FOLDER / name).read_text("utf-8")):
            assert PAGE.url(other) in named, f"{name} imports it"


@pytest.mark.parametrize(
    ("sheet", "rule"),
    [
        ("sheet.css", ".sheet td"),
        ("setup.css", ".taught"),
        ("ending.css", ".poster"),
        ("newgame.css", ".titles"),
        ("keyboard.css", ".keyboard"),
    ],
)
def test_the_styles_of_a_view_come_with_it(pig: Guest, sheet: str, rule: str) -> None:
    named = re.findall(r'href="([^"]+\.css)"', pig.http.get("/").get_data(as_text=True))
    assert named
    assert PAGE.url(sheet) not in named
    assert not [address for address in named if rule in got(pig, address).get_data(as_text=True)]
    assert rule in got(pig, PAGE.url(sheet)).get_data(as_text=True)


def test_each_change_of_a_file_gives_all_files_new_addresses(tmp_path: Path) -> None:
    copy = shutil.copytree(FOLDER, tmp_path / "static")
    assert Assets(copy).version == PAGE.version
    (copy / "dice.js").write_text((copy / "dice.js").read_text("utf-8") + "\n", "utf-8")
    assert Assets(copy).version != PAGE.version
    (copy / "dice.js").rename(copy / "die.js")
    assert Assets(copy).get("dice.js") is None


def test_files_that_change_under_a_running_table_are_not_sent(tmp_path: Path) -> None:
    copy = shutil.copytree(FOLDER, tmp_path / "static")
    loaded = Assets(copy)
    (copy / "dice.js").write_text("broken", "utf-8")
    sent = loaded.get("dice.js")
    assert sent is not None
    assert sent.content == (FOLDER / "dice.js").read_bytes()


@pytest.mark.parametrize(
    "address", ["/static/page.js", "/static/0123456789ab/page.js", PAGE.url("page.js") + "x"]
)
def test_a_file_of_another_version_is_not_there(pig: Guest, address: str) -> None:
    assert got(pig, address).status_code == 404


SETTLING_MS = 400
"""Time in which the page asks for everything that it wants at its start."""


class Visits:
    """What a browser loads of the table: {address: bytes on the wire}."""

    def __init__(self, context: BrowserContext) -> None:
        self._context = context

    def loads(self, url: str, opens: str = "", shows: str = "") -> dict[str, float]:
        """Opens the page in a new tab, and waits for the picture of the tray.

        opens: a button to tap then, which shows this.
        """
        page, addresses = self._context.new_page(), dict[str, str]()
        sizes, streamed = dict[str, float](), Counter[str]()
        network = self._context.new_cdp_session(page)
        network.send("Network.enable")
        network.on("Network.responseReceived", lambda e: addresses.update(sent_anew(e)))
        network.on(
            "Network.dataReceived", lambda e: streamed.update({e["requestId"]: e["encodedDataLength"]})
        )
        network.on("Network.loadingFinished", lambda e: sizes.update({e["requestId"]: bytes_of(e)}))
        page.goto(url)
        page.locator(".tray img").wait_for()
        if opens:
            page.locator(opens).click()
            page.locator(shows).wait_for()
        page.wait_for_timeout(SETTLING_MS)  # what is loaded without being waited for
        page.close()
        return {
            address: sizes.get(i, streamed[i])
            for i, address in addresses.items()
            if "tray.jpg" not in address
        }


def bytes_of(event: dict[str, Any]) -> float:
    """The bytes of a whole answer on the wire."""
    return float(event["encodedDataLength"])


def sent_anew(event: dict[str, Any]) -> dict[str, str]:
    """{number of the request: address} of a response, unless it comes from the browser's own store."""
    kept = event["response"]["fromDiskCache"] or event["response"].get("fromPrefetchCache", False)
    return {} if kept else {event["requestId"]: event["response"]["url"]}


@pytest.mark.browser
@pytest.mark.parametrize("game", HEAVIEST)
def test_the_first_load_is_light_and_a_second_visit_loads_hardly_anything(
    serve: ServeTable, browser: Browser, game: str
) -> None:
    """Counted by the browser itself, as bytes on the wire, with those of the event stream."""
    server = serve(game, *HEAVIEST[game])
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    visits = Visits(context)
    first = visits.loads(server.url)
    second = visits.loads(server.url)
    context.close()
    assert len(first) > 10
    assert sum(first.values()) < FIRST_LOAD_BYTES, json.dumps(first, indent=1)
    assert not [address for address in first if f"/api/games/{game}" in address], "only when they are wanted"
    assert not [address for address in second if "/static/" in address]
    assert len(second) < 8
    assert sum(second.values()) < 10_000, json.dumps(second, indent=1)


@pytest.mark.browser
def test_a_view_is_loaded_when_it_is_opened(serve: ServeTable, browser: Browser) -> None:
    server = serve("sigily", *HEAVIEST["sigily"])
    context = browser.new_context()
    visits = Visits(context)
    visits.loads(server.url)
    opened = visits.loads(server.url, "#tab-new", "main.new form")
    again = visits.loads(server.url, "#tab-new", "main.new form")
    context.close()
    assert PAGE.url("newgame.js") in {address.removeprefix(server.url.rstrip("/")) for address in opened}
    assert not [address for address in again if "/static/" in address]


@pytest.mark.browser
def test_an_open_page_loads_itself_anew_after_an_upgrade(
    serve: ServeTable, screen: OpenScreen, tmp_path: Path
) -> None:
    server = serve("pig", "Ann:green", "Ben:red", start="Ann")
    kiosk = screen(server)
    shown = kiosk.evaluates("document.querySelector('script').src")
    copy = shutil.copytree(FOLDER, tmp_path / "static")
    (copy / "setup.js").write_text((copy / "setup.js").read_text("utf-8") + "\n", "utf-8")
    server.stop()
    server.static = copy
    server.table.restarts_numbering()
    server.start()
    server.table.throws(3)
    kiosk.page.wait_for_function("shown => document.querySelector('script').src !== shown", arg=shown)
    kiosk.sees(".who", "Ann")
    kiosk.expected_error("ERR_")
