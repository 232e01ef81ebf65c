"""Who may use the table: anybody on its network under any of its names, and no page of another site."""

from __future__ import annotations

import socket

import pytest

from table.page.assets import FOLDER, assets_in
from tests.page.conftest import Guest

OWN = (
    "localhost:8000",
    "127.0.0.1:8000",
    "192.168.178.20",
    "[::1]:8000",
    "[fe80::1]",
    "brehon",
    "brehon:8000",
    "Brehon.local:8000",
    "brehon.local.",
    "brehon.lan",
    "brehon.home.arpa",
    socket.gethostname(),
)


@pytest.mark.parametrize("host", OWN)
def test_the_table_accepts_its_own_host_names(pig: Guest, host: str) -> None:
    assert pig.http.get("/api/snapshot", headers={"Host": host}).status_code == 200


@pytest.mark.parametrize(
    "host",
    [
        "brehon.fritz.box",
        "evil.example",
        "brehon.local.evil.example",
        f"{socket.gethostname()}.evil.example:8000",
        "local.evil",
    ],
)
def test_other_host_names_are_refused(pig: Guest, host: str) -> None:
    """Another site may point its own name at the table; browsers then treat both as one (DNS rebinding)."""
    answer = pig.http.get("/api/snapshot", headers={"Host": host})
    assert answer.status_code == 403
    assert "match" not in answer.get_data(as_text=True)
    assert host in answer.get_json()["error"]


@pytest.mark.parametrize("origin", ["http://evil.example", "http://localhost:9000", "null"])
def test_requests_from_another_site_are_refused(pig: Guest, origin: str) -> None:
    answer = pig.http.post("/api/read_again", json={}, headers={"Host": "localhost:8000", "Origin": origin})
    assert (answer.status_code, pig.table.done) == (403, [])


def test_requests_from_its_own_page_are_accepted(pig: Guest) -> None:
    headers = {"Host": "brehon.local:8000", "Origin": "http://brehon.local:8000"}
    assert pig.http.post("/api/read_again", json={}, headers=headers).status_code == 200


@pytest.mark.parametrize(
    "kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"]
)
def test_the_content_types_of_html_forms_are_refused(pig: Guest, kind: str) -> None:
    answer = pig.http.post("/api/read_again", data=b"{}", content_type=kind)
    assert (answer.status_code, pig.table.done) == (400, [])
    assert "application/json" in answer.get_json()["error"]


@pytest.mark.parametrize("path", ["/", "/api/snapshot", assets_in(FOLDER).url("page.js"), "/nowhere"])
def test_every_response_has_the_security_headers(pig: Guest, path: str) -> None:
    with pig.http.get(path) as answer:
        headers = answer.headers
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "no-referrer"


@pytest.mark.parametrize("path", ["/", assets_in(FOLDER).url("icon.svg"), "/nowhere"])
def test_every_document_has_a_content_policy(pig: Guest, path: str) -> None:
    with pig.http.get(path) as answer:
        policy = answer.headers["Content-Security-Policy"]
    assert "default-src 'self'" in policy
    assert "unsafe" not in policy


def test_the_page_loads_nothing_from_outside(pig: Guest) -> None:
    page = pig.http.get("/").get_data(as_text=True)
    assert "//" not in page.replace("<!doctype html>", "")
    assert '<script type="module" src=' in page
    assert "onclick" not in page


def test_an_unknown_address_outside_the_api_answers_with_html(pig: Guest) -> None:
    answer = pig.http.get("/nowhere")
    assert (answer.status_code, answer.mimetype) == (404, "text/html")
