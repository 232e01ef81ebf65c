"""Teaching dice over the API: what is in the tray, learning, forgetting, and the sentences of refusals."""

from __future__ import annotations

import pytest

from tests.page.conftest import Guest, SitDown


@pytest.fixture
def guest(sit_down: SitDown) -> Guest:
    client = sit_down()
    client.table.colours.lays("blue", "#203054", 3)
    return client


def test_no_colours_are_taught_at_first(guest: Guest) -> None:
    assert guest.http.get("/api/colours").get_json() == {"colours": [], "telling": False, "undo": 0}


def test_the_dice_in_the_tray_are_listed_on_request(guest: Guest) -> None:
    lying = guest.http.get("/api/colours?lying=1").get_json()["lying"]
    assert (lying["colour"], lying["plays_as"], len(lying["boxes"]), lying["swatches"][0]) == (
        "blue",
        "blue",
        3,
        "#203054",
    )


def test_a_colour_can_be_learned_and_forgotten(guest: Guest) -> None:
    status, reply = guest.posts("colours", {"name": " Ann's navy\u200b ", "plays_as": "purple"})
    assert (status, reply["colours"]) == (
        200,
        [{"name": "Ann's navy", "plays_as": "purple", "swatch": "#203054", "samples": 1}],
    )
    answer = guest.http.delete("/api/colours/Ann's navy")
    assert (answer.status_code, answer.get_json()) == (200, {"colours": [], "telling": False, "undo": 2})


def test_the_table_chooses_plays_as_by_default(guest: Guest) -> None:
    assert guest.posts("colours", {"name": "navy"})[1]["colours"][0]["plays_as"] == "blue"


def test_a_colour_that_cannot_be_learned_is_refused_with_the_reason(guest: Guest) -> None:
    guest.table.colours.refuses = (
        "navy and black look too alike to tell apart: try brighter light, or take other dice for one of them."
    )
    status, reply = guest.posts("colours", {"name": "navy"})
    assert (status, reply["error"]) == (422, guest.table.colours.refuses)
    assert reply["snapshot"] == guest.snapshot()


def test_an_unknown_colour_cannot_be_forgotten(guest: Guest) -> None:
    answer = guest.http.delete("/api/colours/mauve")
    assert (answer.status_code, answer.get_json()["error"]) == (
        404,
        "The table has not learned a colour with the name 'mauve'.",
    )


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"name": 7},
        {"name": None},
        {"name": "navy", "plays_as": 3},
        {"name": "navy", "plays_as": ["blue"]},
        [],
    ],
)
def test_an_invalid_body_is_refused(guest: Guest, body: object) -> None:
    status, reply = guest.posts("colours", body)
    assert status == 400
    assert reply["error"]


def test_another_site_cannot_forget_a_colour(guest: Guest) -> None:
    guest.posts("colours", {"name": "navy"})
    answer = guest.http.delete(
        "/api/colours/navy", headers={"Host": "localhost:8000", "Origin": "http://evil.example"}
    )
    assert (answer.status_code, len(guest.table.colours.taught)) == (403, 1)


def test_the_api_lists_the_addresses_of_colours(guest: Guest) -> None:
    listed = {(a["method"], a["path"]) for a in guest.http.get("/api").get_json()}
    assert {("GET", "/api/colours"), ("POST", "/api/colours"), ("DELETE", "/api/colours/<name>")} <= listed
