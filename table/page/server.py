"""The web server of the page: waitress, with limits that keep the table's own screen served during a flood.

Any computer in the house may open connections, and send as much or as little as it likes. So a request has a
largest size and a longest time, and is refused by its first bytes, before anything of it is stored. Each
address has a number of connections. Beyond it the oldest connection of that address that has no request in
work is closed for the new one. The table's own computer has more of them, and nobody else can use these up.
The same holds for the threads: see table/page/threads.py.
"""

from __future__ import annotations

import json
import socket
import struct
import time
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from flask import Flask
from waitress import wasyncore
from waitress.adjustments import Adjustments
from waitress.channel import HTTPChannel
from waitress.server import TcpWSGIServer
from waitress.task import ErrorTask

from table.page import stream
from table.page.addresses import is_own
from table.page.threads import THREADS, SharedThreads

MAX_BYTES = 64 * 1024
"""Upper limit of a request, bytes. The largest real one, a new game with ten players, is under 2 kB."""

MAX_HEADER_BYTES = 16 * 1024
"""Upper limit of the head of a request, bytes. A browser's is about 1 kB."""

MAX_WAITING_BYTES = 4 * 1024 * 1024
"""Upper limit of an answer's bytes that wait for a slow reader. A replay has some 2 MB."""

AT_ONCE = struct.pack("ii", 1, 0)
"""SO_LINGER of a connection that is cut: what is unsent is forgotten. Otherwise the system would keep it, and
try on."""

TOO_LARGE = f"This request is too large; the limit is {MAX_BYTES // 1024} kB."

UNREADABLE = "This request cannot be read."


@dataclass(frozen=True)
class Limits:
    """Limits of connections and of their times.

    own: connections of this computer. other: of every other address; a browser opens six, and a phone has
    few tabs. others: of all other addresses together. request_s: from the first byte of a request, or from
    the connection, until the request is whole. idle_s: without a request. stalled_s: while the reader of an
    answer takes nothing. check_s: interval of the checks.
    """

    own: int = 256
    other: int = 32
    others: int = 256
    request_s: float = 10.0
    idle_s: float = 60.0
    stalled_s: float = 20.0
    check_s: float = 2.0


class PageServer:
    """The web server. It listens once constructed; raises OSError if it cannot."""

    def __init__(self, app: Flask, host: str, port: int, limits: Limits | None = None) -> None:
        """port: 0 selects a free one."""
        self._slots: stream.StreamSlots = app.extensions["stream_slots"]
        self._sockets: dict[int, object] = {}
        limits = limits or Limits()
        settings = Adjustments(
            host=host,
            port=port,
            threads=THREADS,
            ident="brehon",
            channel_request_lookahead=1,  # detects a browser that disconnects while its stream runs
            clear_untrusted_proxy_headers=True,
            max_request_body_size=MAX_BYTES,
            max_request_header_size=MAX_HEADER_BYTES,
            outbuf_high_watermark=MAX_WAITING_BYTES,
            connection_limit=limits.own
            + limits.others
            + THREADS,  # never reached: _Server closes connections
            cleanup_interval=limits.check_s,
        )
        self._tasks = SharedThreads()
        self._servers = [
            _Server(limits, app, self._sockets, dispatcher=self._tasks, adj=settings, sockinfo=address)
            for address in settings.listen
        ]

    @property
    def port(self) -> int:
        """The port that it listens on."""
        return int(self._servers[0].effective_port)

    def run(self) -> None:
        """Serves until stop() or KeyboardInterrupt, then ends the streams in under a second."""
        try:
            while not self._slots.ending.is_set():
                wasyncore.loop(timeout=self._slots.check_s, use_poll=True, map=self._sockets, count=1)
        finally:
            self._slots.ending.set()
            self._tasks.shutdown()
            wasyncore.close_all(self._sockets)

    def stop(self) -> None:
        """Ends run(). Any thread may call it."""
        self._slots.ending.set()


def serve(app: Flask, host: str, port: int) -> None:
    """Serves until interrupted, then returns."""
    with suppress(KeyboardInterrupt):
        PageServer(app, host, port).run()


class _Refusal(ErrorTask):  # type: ignore[misc]
    """The answer to a request that cannot be read, as JSON with a sentence like other refusals."""

    def execute(self) -> None:
        error = self.request.error
        sentence = TOO_LARGE if error.code == 413 else UNREADABLE
        body = json.dumps({"error": sentence}).encode()
        self.status = f"{error.code} {error.reason}"
        self.response_headers.append(("Content-Type", "application/json"))
        self.set_close_on_finish()
        self.content_length = len(body)
        self.write(body)


class _Connection(HTTPChannel):  # type: ignore[misc]
    """One connection. It knows since when a request is incomplete, and since when nobody reads the answer."""

    error_task_class = _Refusal

    def __init__(self, server: _Server, sock: socket.socket, addr: Any, adj: Adjustments, map: Any) -> None:  # noqa: A002
        super().__init__(server, sock, addr, adj, map=map)
        self.address = str(addr[0])
        self._incomplete_since: float | None = self.creation_time
        self._unread_since: float | None = None

    def received(self, data: bytes) -> bool:
        whole: bool = super().received(data)
        if self.request is None:
            self._incomplete_since = None
        elif self._incomplete_since is None:
            self._incomplete_since = time.time()
        return whole

    def close(self) -> None:
        """Closes the connection and the files that it still sends; wasyncore leaves these open."""
        self.handle_close()

    @property
    def in_work(self) -> bool:
        """Whether a request is being answered."""
        return bool(self.requests)

    def cut(self) -> None:
        """Closes the connection, whether or not the other side ever takes what waits for it.

        A thread that waits for room to write goes on, and finds the connection closed. Only the thread of the
        sockets may call this.
        """
        if self.total_outbufs_len:
            with suppress(OSError):
                self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, AT_ONCE)
        self.handle_close()

    def is_overdue(self, now: float, limits: Limits) -> bool:
        """Whether the other side takes too long to send a request, to read an answer, or to ask again."""
        if self.total_outbufs_len:
            self._unread_since = max(self._unread_since or now, self.last_activity)
            return now - self._unread_since > limits.stalled_s
        self._unread_since = None
        if self.in_work:
            return False
        if self._incomplete_since is not None:
            return now - self._incomplete_since > limits.request_s
        return bool(now - self.last_activity > limits.idle_s)


class _Server(TcpWSGIServer):  # type: ignore[misc]
    """A listening socket that closes connections by the limits."""

    def __init__(self, limits: Limits, app: Flask, sockets: dict[int, object], **settings: Any) -> None:
        self._limits = limits
        super().__init__(app, sockets, **settings)

    def handle_accept(self) -> None:
        with suppress(OSError):  # the other side has gone already
            accepted = self.accept()
            if accepted is None:
                return
            sock, address = accepted
            if self._has_room(address[0]):
                self.set_socket_options(sock)
                _Connection(self, sock, address, self.adj, self._map)
            else:
                sock.close()

    def maintenance(self, now: float) -> None:
        for connection in self._connections():
            if connection.is_overdue(now, self._limits):
                connection.cut()  # will_close would wait until the socket takes something

    def _has_room(self, address: str) -> bool:
        """Whether a connection from this address may be opened; another one may be closed for it."""
        limits = self._limits
        same = [c for c in self._connections() if c.address == address]
        if is_own(address):
            return len(same) < limits.own or _close_oldest(same)
        if len(same) >= limits.other:
            return _close_oldest(same)
        others = [c for c in self._connections() if not is_own(c.address)]
        return len(others) < limits.others or _close_oldest(others)

    def _connections(self) -> list[_Connection]:
        return [each for each in self._map.values() if isinstance(each, _Connection)]


def _close_oldest(connections: Iterable[_Connection]) -> bool:
    """Closes the oldest connection that has no request in work. False if all have one."""
    oldest = min((c for c in connections if not c.in_work), key=lambda c: c.last_activity, default=None)
    if oldest is not None:
        oldest.handle_close()
    return oldest is not None
