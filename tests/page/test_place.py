"""Setting the tray over the API: where it is, where it seems to be, and the sentences of refusals."""

from __future__ import annotations

import numpy as np
import pytest

from tests.page.conftest import Guest, SitDown
from tests.referee.evening import SIZE
from tests.vision.mats import laid_mat
from vision.simulation import Scene
from vision.simulation.still_picture import random_tray
from vision.tray.mat import SHEETS

CORNERS = [[0.1, 0.2], [0.9, 0.2], [0.9, 0.8], [0.1, 0.8]]
STRIP = [[0.8, 0.2], [0.9, 0.2], [0.9, 0.8], [0.8, 0.8]]


@pytest.fixture
def guest(sit_down: SitDown) -> Guest:
    return sit_down()


def test_at_first_the_whole_picture_is_the_tray(guest: Guest) -> None:
    reply = guest.http.get("/api/place").get_json()
    assert reply == {
        "size": list(SIZE),
        "place": None,
        "by": None,
        "asked": False,
        "drift": "none",
        "undo": 0,
    }


def test_corners_can_be_set_and_cleared(guest: Guest) -> None:
    status, reply = guest.posts("place", {"corners": CORNERS, "strip": STRIP, "size_mm": [240, 180]})
    assert (status, reply["place"]) == (200, {"corners": CORNERS, "strip": STRIP, "size_mm": [240.0, 180.0]})
    assert (reply["by"], reply["asked"], guest.table.looked_again) == ("hand", True, 1)
    answer = guest.http.delete("/api/place")
    assert (answer.status_code, answer.get_json()["place"], answer.get_json()["asked"]) == (200, None, True)
    assert guest.table.looked_again == 2


def test_a_mat_is_found_and_set(guest: Guest) -> None:
    guest.table.shows = laid_mat(SHEETS["a4"], (800, 600), 700)[0]
    found = guest.http.get("/api/place?find=1").get_json()["found"]
    assert found["by"] == "mat"
    status, reply = guest.posts("place", {"mat": True})
    assert (status, reply["by"], reply["place"]["size_mm"]) == (200, "mat", [220.0, 194.0])
    assert reply["place"]["corners"] == found["corners"]


def test_a_suggested_tray_is_not_set(guest: Guest) -> None:
    guest.table.shows = random_tray(np.random.default_rng(1), 3, size_wh=(640, 480), scene=Scene(fill=0.9))[0]
    reply = guest.http.get("/api/place?find=1").get_json()
    assert (reply["found"]["by"], reply["found"]["strip"], reply["place"]) == ("picture", None, None)


def test_without_a_visible_tray_nothing_is_suggested(guest: Guest) -> None:
    assert guest.http.get("/api/place?find=1").get_json()["found"] is None


def test_a_missing_mat_or_camera_is_refused_with_advice(guest: Guest) -> None:
    status, reply = guest.posts("place", {"mat": True})
    assert (status, reply["error"][:23]) == (422, "No mat is to be seen. L")
    guest.table.blind = True
    status, reply = guest.posts("place", {"corners": CORNERS})
    assert (status, reply["error"]) == (
        422,
        "There is no picture of the tray yet: see that the camera is plugged in.",
    )
    assert guest.http.get("/api/place?find=1").get_json()["found"] is None


def test_crossed_corners_are_refused_and_the_old_place_stays(guest: Guest) -> None:
    guest.posts("place", {"corners": CORNERS})
    status, reply = guest.posts("place", {"corners": [CORNERS[0], CORNERS[2], CORNERS[1], CORNERS[3]]})
    assert (status, "crossed" in reply["error"], reply["snapshot"]) == (422, True, guest.snapshot())
    assert guest.http.get("/api/place").get_json()["place"]["corners"] == CORNERS


@pytest.mark.parametrize(
    "body",
    [
        {}, [], {"mat": False}, {"corners": None}, {"corners": [[0, 0]]}, {"strip": STRIP},
        {"corners": CORNERS, "colour": "red"}, {"corners": CORNERS, "mat": True},
        {"corners": CORNERS, "size_mm": "large"}, {"corners": CORNERS, "strip": 3},
    ],
)  # fmt: skip
def test_an_invalid_body_is_refused(guest: Guest, body: object) -> None:
    status, reply = guest.posts("place", body)
    assert status in (400, 422)
    assert reply["error"]
    assert guest.http.get("/api/place").get_json()["place"] is None


def test_another_site_cannot_clear_the_place(guest: Guest) -> None:
    guest.posts("place", {"corners": CORNERS})
    answer = guest.http.delete(
        "/api/place", headers={"Host": "localhost:8000", "Origin": "http://evil.example"}
    )
    assert (answer.status_code, guest.table.calibration.region is None) == (403, False)


def test_the_api_lists_the_addresses_of_the_place(guest: Guest) -> None:
    listed = {(a["method"], a["path"]) for a in guest.http.get("/api").get_json()}
    assert {("GET", "/api/place"), ("POST", "/api/place"), ("DELETE", "/api/place")} <= listed
