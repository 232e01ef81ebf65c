"""The page with a real desk: many clients send at once, one thread decides."""

from __future__ import annotations

import json
import socket
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from table.page.api import snapshot_json
from table.page.stream import OWN_STREAMS
from tests.page.desk_table import JPEG, DeskTable, desk_at_work
from tests.page.serving import TIMEOUT_S, Listener, Served, gets_a_stream, served


@pytest.fixture
def table(tmp_path: Path) -> Iterator[DeskTable]:
    with desk_at_work(tmp_path, "pig", "Ann:green", "Ben:red", start="Ann") as at_work:
        yield at_work


@pytest.fixture
def server(table: DeskTable) -> Iterator[Served]:
    with served(table) as running:
        yield running


def _post(server: Served, what: str, body: object) -> tuple[int, dict[str, object]]:
    with closing(server.connection()) as asking:
        asking.request("POST", f"/api/{what}", json.dumps(body), {"Content-Type": "application/json"})
        answer = asking.getresponse()
        return answer.status, json.loads(answer.read())


def test_a_throw_reaches_every_screen(table: DeskTable, server: Served) -> None:
    with closing(Listener(server)) as kiosk, closing(Listener(server)) as phone:
        for screen in (kiosk, phone):
            screen.next()
        table.throws(4)
        seen = [_accepted(kiosk), _accepted(phone)]
    assert seen[0] == seen[1] == snapshot_json(table, table.snapshot)


def _accepted(screen: Listener) -> object:
    while True:
        _, now, _ = screen.next()
        if isinstance(now, dict) and now["tray"]["state"] == "ACCEPTED":
            return now


def test_one_of_many_simultaneous_answers_counts(table: DeskTable, server: Served) -> None:
    table.throws(4)
    now = table.wait_after(table.snapshot.seq, 0.0)
    while now.tray.state != "ACCEPTED":
        now = table.wait_after(now.seq, 5.0)
    with ThreadPoolExecutor(6) as people:
        answers = list(
            people.map(lambda _: _post(server, "answer", {"number": now.number, "choose": "hold"}), range(6))
        )
    assert Counter(status for status, _ in answers) == {200: 1, 409: 5}
    assert table.snapshot.match is not None
    assert table.snapshot.match.scores["Ann"] == 4


def test_pictures_are_served_while_screens_watch(table: DeskTable, server: Served) -> None:
    with ExitStack() as stack:
        for _ in range(OWN_STREAMS):
            stack.enter_context(closing(Listener(server))).next()
        with closing(server.connection()) as asking:
            asking.request("GET", "/api/tray.jpg")
            assert asking.getresponse().read() == JPEG


def test_screens_that_never_read_block_nobody_and_free_their_streams(
    table: DeskTable, server: Served
) -> None:
    silent = [socket.create_connection(("127.0.0.1", server.port), TIMEOUT_S) for _ in range(OWN_STREAMS)]
    for connection in silent:
        connection.sendall(b"GET /api/events HTTP/1.1\r\nHost: localhost\r\n\r\n")
    for face in (4, 5, 2, 3) * 5:
        table.throws(face)
    assert _post(server, "read_again", {})[0] == 200
    for connection in silent:
        connection.close()
    assert gets_a_stream(server)


def test_streams_end_with_the_table(table: DeskTable, server: Served) -> None:
    with closing(Listener(server)) as screen:
        screen.next()
        table.desk.stop()
        assert screen.ended()
