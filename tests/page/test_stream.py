"""The event stream: the current snapshot, every change, keep-alive events, and an end."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import numpy as np
import pytest

from table.page.stream import MAX_STREAMS_EACH, OWN_STREAMS, ROOM_FOR_OWN
from tests.page.fake_table import FakeTable
from tests.page.serving import Listener, Served, gets_a_stream, served


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Served]:
    with served(FakeTable(tmp_path, "pig", "Ann", "Ben", start="Ann")) as running:
        yield running


def test_a_stream_sends_the_current_snapshot_and_every_change(server: Served) -> None:
    with closing(Listener(server)) as screen:
        assert screen.answer.getheader("Content-Type", "").startswith("text/event-stream")
        event, now, first = screen.next()
        assert (event, now["match"]["prompt"]["player"]) == ("snapshot", "Ann")
        server.table.throws(4)
        event, now, second = screen.next()
        assert (event, now["match"]["prompt"]["kind"]) == ("snapshot", "choose")
        assert int(second) > int(first)


def test_asking_about_the_stream_opens_none(server: Served) -> None:
    with socket.create_connection(("127.0.0.1", server.port), timeout=5) as connection:
        asked = f"HEAD /api/events HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nConnection: close\r\n\r\n"
        connection.sendall(asked.encode())
        with connection.makefile("rb") as answer:
            head, body = answer.read().split(b"\r\n\r\n")
    assert b"text/event-stream" in head
    assert body == b""


def test_two_screens_see_the_same(server: Served) -> None:
    with closing(Listener(server)) as kiosk, closing(Listener(server)) as phone:
        kiosk.next()
        phone.next()
        server.table.throws(4)
        assert kiosk.next() == phone.next()


def test_a_quiet_table_sends_keep_alive_events(server: Served) -> None:
    with closing(Listener(server)) as screen:
        screen.next()
        assert screen.next()[0] == "alive"


def test_a_stream_tells_when_the_picture_has_changed(server: Served) -> None:
    with closing(Listener(server)) as screen:
        _, now, _ = screen.next()
        server.table.shows = np.zeros((600, 800, 3), np.uint8)
        event, number, _ = screen.next("picture")
        assert (event, number) == ("picture", server.table.picture)
        assert number != now["picture"]
        server.table.blind = True
        assert screen.next("picture")[:2] == ("picture", None)


def test_one_screen_too_many_is_refused_until_another_leaves(server: Served) -> None:
    with ExitStack() as stack:
        screens = [stack.enter_context(closing(Listener(server))) for _ in range(OWN_STREAMS)]
        with closing(Listener(server)) as refused:
            assert refused.answer.status == 503
            assert b"screens are connected already" in refused.answer.read()
        screens[0].close()
        assert gets_a_stream(server)


def test_one_phone_cannot_take_the_streams_of_the_others(server: Served) -> None:
    with ExitStack() as stack:

        def status(address: str) -> int:
            return stack.enter_context(closing(Listener(server, address))).answer.status

        greedy = [status("127.0.0.2") for _ in range(20)]
        assert greedy == [200] * MAX_STREAMS_EACH + [503] * (20 - MAX_STREAMS_EACH)
        assert status("127.0.0.3") == 200


def test_streams_are_kept_for_the_tables_own_screen(server: Served) -> None:
    with ExitStack() as stack:

        def status(address: str) -> int:
            return stack.enter_context(closing(Listener(server, address))).answer.status

        phones = [status(f"127.0.0.{n}") for n in range(2, 8) for _ in range(MAX_STREAMS_EACH)]
        assert phones.count(200) == OWN_STREAMS
        assert [status("127.0.0.1") for _ in range(ROOM_FOR_OWN)] == [200] * ROOM_FOR_OWN


def test_full_streams_do_not_block_other_requests(server: Served) -> None:
    with ExitStack() as stack:
        for _ in range(OWN_STREAMS):
            stack.enter_context(closing(Listener(server)))
        asking = server.connection()
        asking.request("GET", "/api/snapshot")
        assert asking.getresponse().status == 200
        asking.close()


def test_streams_end_when_the_server_stops(tmp_path: Path) -> None:
    with served(FakeTable(tmp_path)) as server, closing(Listener(server)) as screen:
        screen.next()
        server.stop()
        assert screen.ended()


def test_streams_end_when_the_table_closes(server: Served) -> None:
    with closing(Listener(server)) as screen:
        screen.next()
        server.table.close()
        assert screen.ended()
