"""Floods from a computer in the house: the table's own screen stays served, and nothing fills the disk."""

from __future__ import annotations

import json
import select
import socket
import tempfile
import threading
from collections.abc import Iterator
from contextlib import ExitStack, closing, suppress
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from flask import send_file

from table.page.app import create_app
from table.page.server import MAX_BYTES, MAX_WAITING_BYTES, Limits, PageServer
from table.page.threads import THREADS, THREADS_OTHER, SharedThreads
from tests.page.fake_table import FakeTable
from tests.page.serving import TIMEOUT_S, Listener, Served, served

HALF_A_REQUEST = b"GET /api/snapshot HTTP/1.1\r\nHost: localhost\r\n"

HURRIED = Limits(own=8, other=4, others=8, request_s=0.2, idle_s=0.4, stalled_s=0.4, check_s=0.05)
"""Limits that a test reaches at once."""

GIGABYTE = 1_000_000_000

LARGE = b"x" * (MAX_WAITING_BYTES + 1_000_000)
"""An answer that does not fit what may wait for a slow reader."""

MANY_CLIPS = b"GET /api/throws/0/clip HTTP/1.1\r\nHost: localhost\r\n\r\n" * 25


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Served]:
    with served(FakeTable(tmp_path, "pig", "Ann", "Ben", start="Ann")) as running:
        yield running


@pytest.fixture
def hurried(tmp_path: Path) -> Iterator[Served]:
    with served(FakeTable(tmp_path, "pig", "Ann", "Ben", start="Ann"), HURRIED) as running:
        yield running


# -- bodies --------------------------------------------------------------------------------------------------


@pytest.fixture
def spool(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder where the server would store a large body."""
    folder = tmp_path / "spool"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


def test_an_upload_of_a_gigabyte_is_refused_before_anything_is_stored(server: Served, spool: Path) -> None:
    with opened(server) as phone:
        head = f"Content-Length: {GIGABYTE}\r\nContent-Type: application/json\r\n\r\n"
        phone.sendall(b"POST /api/answer HTTP/1.1\r\nHost: localhost\r\n" + head.encode())
        uploaded = uploads(phone, b" " * 65_536)
    assert uploaded < 20_000_000, "what the sockets of both sides hold"
    assert list(spool.iterdir()) == []
    assert serves(server)


def test_a_body_without_a_length_is_cut_off(server: Served, spool: Path) -> None:
    with opened(server) as phone:
        phone.sendall(b"POST /api/answer HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n")
        assert uploads(phone, b"10000\r\n" + b" " * 65_536 + b"\r\n") < 20_000_000
    assert list(spool.iterdir()) == []
    assert serves(server)


def test_a_body_that_is_too_large_gets_a_sentence(server: Served) -> None:
    asking = server.connection()
    with closing(asking):
        asking.request("POST", "/api/answer", b" " * MAX_BYTES, {"Content-Type": "application/json"})
        answer = asking.getresponse()
        assert answer.status == 413
        assert json.load(answer) == {"error": "This request is too large; the limit is 64 kB."}


def test_a_head_without_end_is_refused(server: Served) -> None:
    with opened(server) as phone:
        phone.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n")
        assert uploads(phone, b"X-Filler: " + b"x" * 1000 + b"\r\n") < 20_000_000
    assert serves(server)


# -- connections ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("address", ["127.0.0.1", "127.0.0.2"])
@pytest.mark.parametrize("sent", [b"", HALF_A_REQUEST])
def test_half_open_requests_leave_the_page_usable(server: Served, address: str, sent: bytes) -> None:
    with ExitStack() as stack:
        for _ in range(400):
            flood = stack.enter_context(opened(server, address))
            flood.sendall(sent)
        assert serves(server)
        assert serves(server, "127.0.0.3")
        assert listens(server)


@pytest.mark.parametrize("address", ["127.0.0.1", "127.0.0.2"])
def test_two_hundred_streams_leave_the_page_usable(server: Served, address: str) -> None:
    with ExitStack() as stack:
        for _ in range(200):
            flood = stack.enter_context(opened(server, address))
            flood.sendall(b"GET /api/events HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert serves(server)
        assert serves(server, "127.0.0.3")
        with closing(Listener(server, "127.0.0.3")) as phone:
            assert phone.next()[0] == "snapshot"


def test_half_a_request_is_closed_after_its_time(hurried: Served) -> None:
    for sent in (b"", HALF_A_REQUEST, b"POST /api/answer HTTP/1.1\r\nContent-Length: 50\r\n\r\n{"):
        with opened(hurried) as phone:
            phone.sendall(sent)
            assert is_closed(phone)


def test_a_request_that_drips_is_closed_too(hurried: Served) -> None:
    """Each byte is news, but the request does not get whole."""
    with opened(hurried) as phone:
        phone.sendall(HALF_A_REQUEST)
        phone.settimeout(0.05)
        for _ in range(round(TIMEOUT_S / 0.05)):
            with suppress(TimeoutError):
                try:
                    phone.sendall(b"x")
                    if phone.recv(1000) == b"":
                        return
                except ConnectionError:
                    return
    pytest.fail("a request that drips is never closed")


def test_an_answer_that_nobody_reads_is_given_up(hurried: Served) -> None:
    hurried.table.replays.clips = {(0, False): b"x" * 30_000_000}
    hurried.table.throws(4)
    with opened(hurried, receives=4096) as phone, closing(Listener(hurried)) as screen:
        phone.sendall(b"GET /api/throws/0/clip HTTP/1.1\r\nHost: localhost\r\n\r\n")
        for _ in range(3):
            screen.next("alive")
        received = 0
        with suppress(ConnectionError):
            while piece := phone.recv(65_536):
                received += len(piece)
    assert received < 30_000_000


def test_a_connection_whose_reader_never_reads_is_closed(hurried: Served) -> None:
    """Its socket never has room again, so the server would wait for ever to write."""
    hurried.table.replays.clips = {(0, False): LARGE}
    hurried.table.throws(4)
    with opened(hurried, receives=4096) as phone:
        phone.sendall(MANY_CLIPS)
        gone = select.poll()
        gone.register(phone, 0)  # tells of a lost connection alone, and reads nothing
        assert gone.poll(1000 * TIMEOUT_S), "a reader that takes nothing keeps its connection"


@pytest.mark.parametrize("addresses", [["127.0.0.2"], [f"127.0.0.{n}" for n in range(2, 7)]])
def test_readers_that_never_read_leave_the_page_usable(server: Served, addresses: list[str]) -> None:
    server.table.replays.clips = {(0, False): LARGE}
    server.table.throws(4)
    with ExitStack() as stack:
        for n in range(THREADS + 8):
            flood = stack.enter_context(opened(server, addresses[n % len(addresses)], receives=4096))
            flood.sendall(MANY_CLIPS)
        for _ in range(3):
            assert serves(server)
            assert listens(server)
        if len(addresses) == 1:
            assert serves(server, "127.0.0.99"), "a phone at another address"
    assert listens(server)  # the server has noticed that they are gone, and need not wait for their threads


@dataclass
class LongWork:
    """A request of the table's own computer whose answer takes until `ends`."""

    ends: threading.Event
    address: str = "127.0.0.1"
    connected: bool = True

    def service(self) -> None:
        self.ends.wait(TIMEOUT_S)

    def cancel(self) -> None:
        self.connected = False


def test_a_flood_does_not_fill_the_log(caplog: pytest.LogCaptureFixture) -> None:
    work = LongWork(threading.Event())
    threads = SharedThreads()
    for _ in range(3 * THREADS):
        threads.add_task(work)
    work.ends.set()
    threads.shutdown(cancel_pending=False)
    assert caplog.messages == []


def test_the_threads_of_readers_that_never_read_are_free_again(tmp_path: Path) -> None:
    roomy = replace(HURRIED, other=2 * THREADS_OTHER)
    with served(FakeTable(tmp_path, "pig", "Ann", "Ben", start="Ann"), roomy) as server, ExitStack() as stack:
        server.table.replays.clips = {(0, False): LARGE}
        server.table.throws(4)
        for _ in range(THREADS_OTHER + 1):
            flood = stack.enter_context(opened(server, "127.0.0.2", receives=4096))
            flood.sendall(MANY_CLIPS)
        assert serves(server, "127.0.0.2")


def test_a_file_that_nobody_reads_is_closed_with_the_server(tmp_path: Path) -> None:
    app = create_app(FakeTable(tmp_path))
    large = (tmp_path / "large").open("w+b")
    large.truncate(30_000_000)
    app.add_url_rule("/large", view_func=lambda: send_file(large, "application/octet-stream"))
    server = PageServer(app, "127.0.0.1", 0)
    serving = threading.Thread(target=server.run)
    serving.start()
    with socket.create_connection(("127.0.0.1", server.port), TIMEOUT_S) as phone:
        phone.sendall(b"GET /large HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert phone.recv(1000).startswith(b"HTTP/1.1 200")
        server.stop()
        serving.join(TIMEOUT_S)
    assert large.closed


def test_a_stream_is_not_taken_for_an_idle_connection(hurried: Served) -> None:
    with closing(Listener(hurried)) as screen:
        screen.next()
        for _ in range(3):
            assert screen.next()[0] == "alive"


def test_an_address_has_so_many_connections_and_keeps_the_newest(hurried: Served) -> None:
    with ExitStack() as stack:
        flood = [stack.enter_context(opened(hurried, "127.0.0.2")) for _ in range(HURRIED.other + 1)]
        assert is_closed(flood[0])
        assert serves(hurried, "127.0.0.2")


def test_all_others_together_leave_room_for_the_tables_own_screen(tmp_path: Path) -> None:
    patient = Limits(own=8, other=4, others=8)
    with served(FakeTable(tmp_path), patient) as server, ExitStack() as stack:
        mine = stack.enter_context(closing(Listener(server)))
        for n in range(2, 30):
            for _ in range(patient.other):
                stack.enter_context(opened(server, f"127.0.0.{n}"))
        assert mine.next()[0] == "snapshot"
        assert serves(server)


# -- helpers -------------------------------------------------------------------------------------------------


def opened(server: Served, address: str = "127.0.0.1", receives: int = 0) -> socket.socket:
    """A connection to the page from this address. receives: the size of its receive buffer, bytes."""
    phone = socket.socket()
    if receives:
        phone.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receives)
    phone.settimeout(TIMEOUT_S)
    phone.bind((address, 0))
    phone.connect(("127.0.0.1", server.port))
    return phone


def uploads(phone: socket.socket, piece: bytes) -> int:
    """The bytes that can be sent, piece by piece, until the server closes the connection."""
    sent = 0
    with suppress(ConnectionError):
        while sent < GIGABYTE:
            phone.sendall(piece)
            sent += len(piece)
    return sent


def is_closed(phone: socket.socket) -> bool:
    """Whether the server closes the connection without an answer within TIMEOUT_S."""
    try:
        return phone.recv(1000) == b""
    except ConnectionError:
        return True
    except TimeoutError:
        return False


def serves(server: Served, address: str = "127.0.0.1") -> bool:
    """Whether a browser at this address gets the page and the snapshot."""
    asking = server.connection(address)
    with closing(asking):
        for path in ("/", "/api/snapshot"):
            asking.request("GET", path)
            answer = asking.getresponse()
            if answer.status != 200 or not answer.read():
                return False
    return True


def listens(server: Served) -> bool:
    """Whether the table's own screen gets its stream."""
    with closing(Listener(server)) as screen:
        return bool(screen.next()[0] == "snapshot")
