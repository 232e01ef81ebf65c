"""Requests that no page sends: each gets a sentence, and none crashes the server."""

from __future__ import annotations

import json

import pytest

from tests.page.conftest import Guest, SitDown

HUGE = 10**30


@pytest.mark.parametrize(
    ("method", "path", "status", "said"),
    [
        ("GET", "/api/nothing", 404, "GET /api lists"),
        ("GET", "/api/", 404, "GET /api lists"),
        ("GET", f"/api/throws/{HUGE}.jpg", 404, f"no picture of throw {HUGE}"),
        ("GET", f"/api/throws/{HUGE}", 404, f"no picture of throw {HUGE}"),
        ("GET", f"/api/matches/1/throws/{HUGE}.jpg", 404, f"no picture of throw {HUGE} of match 1"),
        ("GET", f"/api/matches/1/throws/{HUGE}", 404, f"no picture of throw {HUGE} of match 1"),
        ("GET", f"/api/throws/{HUGE}/clip", 404, f"no replay of throw {HUGE}"),
        ("GET", "/api/throws/-1.jpg", 404, "GET /api lists"),
        ("GET", "/api/answer", 405, "GET /api lists"),
        ("PUT", "/api/snapshot", 405, "GET /api lists"),
        ("DELETE", "/api/snapshot", 405, "GET /api lists"),
    ],
)
def test_an_invalid_request_gets_advice_and_the_snapshot(
    pig: Guest, method: str, path: str, status: int, said: str
) -> None:
    answer = pig.http.open(path, method=method)
    assert answer.status_code == status
    assert said in answer.get_json()["error"]
    assert answer.get_json()["snapshot"] == pig.snapshot()


def test_a_wrong_method_is_answered_with_the_allowed_one(pig: Guest) -> None:
    assert "POST" in pig.http.get("/api/answer").headers["Allow"]


def test_a_body_over_64_kb_is_refused_with_one_sentence(pig: Guest) -> None:
    answer = pig.http.post("/api/answer", data=b" " * 70_000, content_type="application/json")
    assert answer.status_code == 413
    assert answer.get_json()["error"] == "This request is too large; the limit is 64 kB."


@pytest.mark.parametrize("body", [{"number": HUGE, "choose": "hold"}, {"number": -1, "choose": "hold"}])
def test_an_unknown_snapshot_number_is_stale(pig: Guest, body: dict[str, object]) -> None:
    status, reply = pig.posts("answer", body)
    assert (status, reply["snapshot"]["number"]) == (409, pig.table.snapshot.number)


@pytest.mark.parametrize("at", [HUGE, -1, 0, 7])
def test_an_unknown_throw_cannot_be_corrected(pig: Guest, at: int) -> None:
    status, reply = pig.does("correct", at=at, roll=[1])
    assert status in (400, 422)
    assert reply["error"]


@pytest.mark.parametrize(
    ("what", "body"),
    [
        ("answer", {"keep": [1]}),
        ("answer", {"choose": "hold"}),
        ("answer", {"roll": [1, 2]}),
        ("take_back", {}),
        ("settle", {"faces": [1]}),
        ("tell_apart", {}),
        ("fell_off", {}),
        ("nothing_under_arm", {}),
        ("nothing_fell", {}),
    ],
)
def test_an_unexpected_action_is_refused(pig: Guest, what: str, body: dict[str, object]) -> None:
    status, reply = pig.does(what, **body)
    assert (status, reply["snapshot"]["match"]["at"]) == (422, 0)


@pytest.mark.parametrize(
    ("what", "body"),
    [("answer", {"choose": "hold"}), ("take_back", {}), ("correct", {"at": 0, "roll": [1]}), ("end", {})],
)
def test_without_a_game_an_action_is_refused_with_advice(
    sit_down: SitDown, what: str, body: dict[str, object]
) -> None:
    status, reply = sit_down().does(what, **body)
    assert (status, reply["error"]) == (422, "No game is on. Start one first.")


@pytest.mark.parametrize("name", ["A\nnn", "A\x00nn", "A\x1b[31mnn", "A\u2028nn", "\ud800"])
def test_a_name_with_control_characters_is_refused(sit_down: SitDown, name: str) -> None:
    status, reply = sit_down().does("start", game="pig", players=[{"name": name}, {"name": "Ben"}])
    assert (status, reply["snapshot"]["match"]) == (400, None)
    assert "one line of text" in reply["error"]


@pytest.mark.parametrize(
    "name", ["Gráinne", "Ωμέγα", "李雷", "عمر", "🐺👨‍👩‍👧", "<b>&\"Bob'</b>", "__proto__", "constructor"]
)
def test_a_name_in_any_script_is_accepted(sit_down: SitDown, name: str) -> None:
    guest = sit_down()
    status, now = guest.does(
        "start", game="pig", players=[{"name": name}, {"name": "Ben"}], settings={"start": name}
    )
    assert (status, now["match"]["prompt"]["player"]) == (200, name)
    assert guest.snapshot() == json.loads(json.dumps(now)) == now


def test_names_are_normalised(sit_down: SitDown) -> None:
    seats = [{"name": "Gra\u0301inne\u200b"}, {"name": "\u202eBen\ufeff"}]
    _, now = sit_down().does("start", game="pig", players=seats, settings={"start": "Gra\u0301inne"})
    assert [p["name"] for p in now["match"]["players"]] == ["Gr\u00e1inne", "Ben"]
    assert now["match"]["prompt"]["player"] == "Gr\u00e1inne"


def test_names_that_differ_only_in_capital_letters_are_refused(sit_down: SitDown) -> None:
    status, reply = sit_down().does("start", game="pig", players=[{"name": "Ann"}, {"name": "ann"}])
    assert (status, reply["error"]) == (
        400,
        "Ann and ann differ only in their capitals; give one of them another name.",
    )


def test_a_long_name_is_cut_between_letters(sit_down: SitDown) -> None:
    _, now = sit_down().does(
        "start", game="pig", players=[{"name": "Gráinne of the Far West, who"}, {"name": "Ben"}]
    )
    assert now["match"]["players"][0]["name"] == "Gráinne of the Far West,"


def test_an_unexpected_error_is_reported_and_the_table_goes_on(pig: Guest) -> None:
    pig.table.trouble = ZeroDivisionError("an error that nobody foresaw")
    status, reply = pig.does("read_again")
    assert (status, reply["error"]) == (
        500,
        "The table had an error. Everything accepted so far is saved. Check the table, then try again.",
    )
    pig.table.trouble = None
    assert pig.does("read_again")[0] == 200


@pytest.mark.parametrize(
    "host",
    ["", ".", "[", "[::1", "]", ":", "a b", "évil", "user@evil.example", "evil.example/..", "1.2.3.4.5"],
)
def test_an_invalid_host_is_refused(pig: Guest, host: str) -> None:
    answer = pig.http.get("/api/nothing", headers={"Host": host})
    assert answer.status_code in (400, 403)
    assert answer.get_json()["error"]
