"""The set-up over HTTP: health, lights and buttons, the address for phones, and undoing."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
import pytest

from table.page.addresses import addresses_for_phones
from table.page.app import create_app
from table.page.looks import BURST
from table.page.qr import qr_rows
from tests.page.conftest import Guest, SitDown
from tests.page.fake_table import FakeTable

PHONE = {"REMOTE_ADDR": "192.168.1.20"}
FLOOR = [[0.1, 0.1], [0.9, 0.1], [0.9, 0.9], [0.1, 0.9]]


@pytest.fixture
def guest(sit_down: SitDown) -> Guest:
    return sit_down()


def tries(guest: Guest, body: Any, **environ: str) -> tuple[int, dict[str, Any]]:
    answer = guest.http.post("/api/lights", json=body, environ_overrides=environ)
    return answer.status_code, answer.get_json()


# -- health --------------------------------------------------------------------------------------------------


def test_the_health_is_told_in_plain_words_with_the_limits(guest: Guest) -> None:
    health = guest.http.get("/api/health").get_json()
    assert [f["name"] for f in health["findings"]][:1] == ["camera"]
    assert all(f.keys() == {"name", "ok", "says", "figures"} for f in health["findings"])
    assert health["picture"]["least_sharpness"] > 0


def test_a_picture_with_trouble_is_not_well(guest: Guest) -> None:
    guest.table.shows = np.full((600, 800, 3), 255, np.uint8)
    health = guest.http.get("/api/health").get_json()
    glare = next(f for f in health["findings"] if f["name"] == "glare")
    assert (health["ok"], glare["ok"], health["picture"]["glare"]) == (False, False, 1.0)


# -- lights and buttons --------------------------------------------------------------------------------------


def test_lights_and_buttons_are_told(guest: Guest) -> None:
    assert guest.http.get("/api/lights").get_json()["present"] is False
    guest.table.pins.connects(4)
    guest.table.pins.presses("confirm")
    told = guest.http.get("/api/lights").get_json()
    assert (told["seats"], told["may_try"]) == (4, True)
    assert told["buttons"] == [
        {"name": "confirm", "presses": 1, "held": False},
        {"name": "read_again", "presses": 0, "held": False},
    ]


def test_the_tables_own_screen_tries_lights(guest: Guest) -> None:
    guest.table.pins.connects(4)
    assert tries(guest, {"seat": 3})[0] == 200
    assert tries(guest, {"seat": None})[0] == 200
    assert guest.table.pins.lit == [3, None]


def test_a_phone_cannot_switch_lights_before_a_press_at_the_table(guest: Guest) -> None:
    guest.table.pins.connects(4)
    status, reply = tries(guest, {"seat": 0}, **PHONE)
    assert (status, guest.table.pins.lit) == (422, [])
    assert reply["error"].startswith("Press a button at the table first")
    guest.table.pins.presses("read_again")
    assert tries(guest, {"seat": 0}, **PHONE)[0] == 200


@pytest.mark.parametrize("body", [{}, {"seat": "1"}, {"seat": True}, {"seat": 1.5}])
def test_a_light_that_is_not_named_is_refused(guest: Guest, body: Any) -> None:
    guest.table.pins.connects(4)
    assert tries(guest, body)[0] == 400
    assert guest.table.pins.lit == []


def test_lights_are_not_switched_at_will(guest: Guest) -> None:
    guest.table.pins.connects(4)
    statuses = [tries(guest, {"seat": 0})[0] for _ in range(BURST + 2)]
    assert statuses[:BURST] == [200] * BURST
    assert statuses[-1] == 429


# -- the address ---------------------------------------------------------------------------------------------


def test_a_phone_reads_the_address_from_the_qr_code(guest: Guest) -> None:
    told = guest.http.get("/api/address", base_url="http://192.168.1.7:8000").get_json()["addresses"]
    assert told[0]["url"] == "http://192.168.1.7:8000/"
    code = np.array([[c == "0" for c in row] for row in told[0]["qr"]], np.uint8) * 255
    picture = cv2.copyMakeBorder(np.kron(code, np.ones((8, 8), np.uint8)), 32, 32, 32, 32, 0, value=255)
    assert cv2.QRCodeDetector().detectAndDecode(picture)[0] == "http://192.168.1.7:8000/"


@pytest.mark.parametrize("name", ["a", "raspberrypi.local", "the-long-name-of-a-table.home.arpa"])
def test_qr_codes_are_square_and_begin_with_their_finder(name: str) -> None:
    rows = qr_rows(f"http://{name}:8000/")
    assert {len(row) for row in rows} == {len(rows)}
    assert rows[0].startswith("11111110")
    assert (len(rows) - 17) % 4 == 0


def test_addresses_that_only_this_computer_knows_are_not_offered(tmp_path: Any) -> None:
    assert addresses_for_phones("127.0.0.1", 8000, "localhost:8000") == []
    client = create_app(FakeTable(tmp_path), "127.0.0.1").test_client()
    assert client.get("/api/address").get_json() == {"addresses": []}
    anywhere = addresses_for_phones("0.0.0.0", 8000, "localhost:8000")
    assert not any("localhost:" in url or "127." in url for url in anywhere)
    assert anywhere[-1].endswith(":8000/")
    assert addresses_for_phones("192.168.1.7", 80, "table:80") == ["http://192.168.1.7:80/"]
    assert addresses_for_phones("::", 80, "[fe80::7]:80")[0] == "http://[fe80::7]:80/"


# -- undoing -------------------------------------------------------------------------------------------------


def test_the_place_of_the_tray_is_undone(guest: Guest) -> None:
    assert guest.posts("place", {"corners": FLOOR})[1]["undo"] == 1
    guest.http.delete("/api/place")
    status, reply = guest.posts("place/undo", {})
    assert (status, reply["undo"], reply["place"]["corners"]) == (200, 1, FLOOR)
    reply = guest.posts("place/undo", {})[1]
    assert (reply["undo"], reply["place"], reply["asked"]) == (0, None, False)
    status, reply = guest.posts("place/undo", {})
    assert status == 422
    assert "nothing to undo" in reply["error"]


def test_a_forgotten_colour_comes_back(guest: Guest) -> None:
    guest.table.colours.lays("blue", "#203054")
    guest.posts("colours", {"name": "navy", "plays_as": "blue"})
    guest.http.delete("/api/colours/navy")
    assert [c["name"] for c in guest.posts("colours/undo", {})[1]["colours"]] == ["navy"]
    assert guest.posts("colours/undo", {})[1]["colours"] == []


def test_a_learned_side_is_undone(guest: Guest) -> None:
    guest.posts("sticks", {"face": "dog"})
    faces = guest.posts("sticks/undo", {})[1]["faces"]
    assert all(face["samples"] == 0 for face in faces)
    assert guest.posts("sticks/undo", {})[0] == 422


def test_undoing_cannot_make_the_table_read_at_will(guest: Guest) -> None:
    statuses = [guest.posts("place/undo", {})[0] for _ in range(BURST + 2)]
    assert statuses[-1] == 429
