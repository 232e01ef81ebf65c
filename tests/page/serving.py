"""A real web server for a fake table, for tests that need one."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from http.client import HTTPConnection, HTTPResponse
from typing import Any

from table.page.app import create_app
from table.page.assets import FOLDER
from table.page.server import Limits, PageServer
from table.page.stream import StreamSlots
from table.referee.actions import Start

TIMEOUT_S = 10.0
"""Longest wait for anything. Only a failing test waits that long."""


class Served:
    """A table that is being served. `stop` and `start` act like a plug that is pulled and put back.

    static: the folder with the page's files, from the next start.
    """

    def __init__(self, table: Any, port: int = 0, limits: Limits | None = None) -> None:
        """table: a TableForPage. port: 0 takes a free port. limits: of connections, if not the usual ones."""
        self.table = table
        self.port = port
        self.static = FOLDER
        self._limits = limits
        self.start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/"

    def start(self) -> None:
        app = create_app(self.table, static=self.static)
        app.extensions["stream_slots"] = StreamSlots(keep_alive_s=0.5, check_s=0.05)
        self._server = PageServer(app, "127.0.0.1", self.port, self._limits)
        self.port = self._server.port
        self._thread = threading.Thread(target=self._server.run, name="page server")
        self._thread.start()

    def stop(self) -> None:
        self._server.stop()
        self._thread.join(TIMEOUT_S)
        assert not self._thread.is_alive(), "the server did not stop"

    @property
    def started(self) -> Start:
        """The match that the last action of the page started."""
        action = self.table.done[-1]
        assert isinstance(action, Start)
        return action

    def connection(self, address: str = "127.0.0.1") -> HTTPConnection:
        """A connection from this address. Linux has all addresses of 127.0.0.0/8."""
        return HTTPConnection("127.0.0.1", self.port, timeout=TIMEOUT_S, source_address=(address, 0))


@contextmanager
def served(table: Any, limits: Limits | None = None, port: int = 0) -> Iterator[Served]:
    running = Served(table, port, limits)
    try:
        yield running
    finally:
        running.stop()


class Listener:
    """One event stream. `next()` returns (event, its JSON, its id)."""

    def __init__(self, server: Served, address: str = "127.0.0.1") -> None:
        """address: of the browser."""
        self._connection = server.connection(address)
        self._connection.request("GET", "/api/events")
        self.answer: HTTPResponse = self._connection.getresponse()

    def next(self, *wanted: str) -> tuple[str, Any, str]:
        """The next event, without "picture" events unless these are wanted."""
        while True:
            fields = self._fields()
            if fields.get("event") in (wanted or ("snapshot", "alive")):
                return fields["event"], json.loads(fields["data"]), fields.get("id", "")

    def ended(self) -> bool:
        """Whether the server ends the stream. Reads the rest of it."""
        return self.answer.read() is not None

    def close(self) -> None:
        self.answer.close()
        self._connection.close()

    def _fields(self) -> dict[str, str]:
        fields: dict[str, str] = {}
        while line := self._line():
            name, _, value = line.partition(": ")
            fields[name] = value
        return fields

    def _line(self) -> str:
        line = self.answer.readline()
        if not line:
            raise ConnectionError("the stream has ended")
        return line.decode().rstrip("\n")


def gets_a_stream(server: Served) -> bool:
    """Whether a stream becomes free within TIMEOUT_S. Tries again and again, as a browser does."""
    until = time.monotonic() + TIMEOUT_S
    while time.monotonic() < until:
        with closing(Listener(server)) as screen:
            if screen.answer.status == 200:
                return True
    return False
