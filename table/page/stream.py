"""Server-Sent Events: every snapshot, as soon as it exists."""

from __future__ import annotations

import json
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Iterator

from flask import Blueprint, Response, current_app, request
from flask.typing import ResponseReturnValue

from table.page.addresses import is_own
from table.page.api import picture_number, refusal, snapshot_json
from table.page.ports import TableForPage
from table.referee.snapshot import Snapshot

MAX_STREAMS = 16
"""Streams of all screens together. Each holds a thread of the server. Further pages poll every second
instead."""

MAX_STREAMS_EACH = 4
"""Streams of one phone or laptop: one for each tab with the page."""

ROOM_FOR_OWN = 4
"""Streams that are kept for the table's own screen."""

OWN_STREAMS = MAX_STREAMS - ROOM_FOR_OWN
"""Streams that the table's own computer may have, and that all others may have together."""

KEEP_ALIVE_S = 2.5
"""Interval of "alive" events. A page detects a lost network or a frozen table within eight seconds."""

CHECK_S = 0.5
"""Interval at which a waiting stream checks for a lost browser or a stopping server."""

PICTURE_S = 0.15
"""Shortest time between two "picture" events. About six pictures a second look smooth, and are easy on
a phone."""

RETRY_MS = 1000
"""Time after which a browser that lost the stream reconnects."""

blueprint = Blueprint("stream", __name__, url_prefix="/api")


class StreamSlots:
    """The streams of one app: how many more may start, and whether all must end."""

    def __init__(self, keep_alive_s: float = KEEP_ALIVE_S, check_s: float = CHECK_S) -> None:
        self.keep_alive_s = keep_alive_s
        self.check_s = check_s
        self.ending = threading.Event()
        self._lock = threading.Lock()
        self._open: Counter[str] = Counter()

    def take(self, address: str) -> bool:
        """Takes a place for a screen at this address, until leave(). False if there is none for it."""
        with self._lock:
            most = OWN_STREAMS if is_own(address) else MAX_STREAMS_EACH
            others = sum(n for each, n in self._open.items() if not is_own(each))
            full = self._open.total() >= MAX_STREAMS or self._open[address] >= most
            if full or (not is_own(address) and others >= OWN_STREAMS):
                return False
            self._open[address] += 1
            return True

    def leave(self, address: str) -> None:
        with self._lock:
            self._open[address] -= 1
            self._open += Counter()  # forgets addresses without a stream


@blueprint.get("/events")
def events() -> ResponseReturnValue:
    """The current snapshot and every later one: event "snapshot", with its seq as id and its JSON as data;
    event "picture" with the number of the tray's picture, or null, if only that has changed; event "alive"
    every 2.5 seconds."""
    if request.method == "HEAD":
        return _events(())
    slots: StreamSlots = current_app.extensions["stream_slots"]
    address = request.remote_addr or ""
    if not slots.take(address):
        return refusal("Too many screens are connected already; use /api/snapshot instead.", 503)
    gone = request.environ.get("waitress.client_disconnected", lambda: False)
    return _events(_Stream(current_app.extensions["table"], slots, address, gone))


def _events(stream: Iterable[str]) -> Response:
    return Response(stream, mimetype="text/event-stream", headers={"Cache-Control": "no-store"})


class _Stream(Iterator[str]):
    """The stream of one screen. It is a class, because an unstarted generator would not release its place."""

    def __init__(
        self, table: TableForPage, slots: StreamSlots, address: str, gone: Callable[[], bool]
    ) -> None:
        """gone: whether the browser has disconnected."""
        self._table = table
        self._slots = slots
        self._address = address
        self._gone = gone
        self._seq = -1
        self._picture: int | None = None
        self._open = True
        self._greeted = False

    def __next__(self) -> str:
        if not self._greeted:
            self._greeted = True
            return f"retry: {RETRY_MS}\n\n"
        now, picture = self._next()
        if now.seq > self._seq:
            self._seq, self._picture = now.seq, picture
            told = {**snapshot_json(self._table, now), "picture": picture}
            return f"id: {now.seq}\nevent: snapshot\ndata: {json.dumps(told)}\n\n"
        if picture != self._picture:
            self._picture = picture
            return f"event: picture\ndata: {json.dumps(picture)}\n\n"
        return f"event: alive\ndata: {self._seq}\n\n"

    def _next(self) -> tuple[Snapshot, int | None]:
        """The newest snapshot and picture, once one is unsent or "alive" is due; StopIteration at the end."""
        wait_s = min(self._slots.check_s, PICTURE_S)
        for _ in range(max(1, round(self._slots.keep_alive_s / wait_s))):
            if self._is_over():
                raise StopIteration
            now = self._table.wait_after(self._seq, wait_s)
            picture = picture_number(self._table, now)
            if now.seq > self._seq or picture != self._picture:
                break
        return now, picture

    def _is_over(self) -> bool:
        return not self._open or self._table.closed or self._slots.ending.is_set() or self._gone()

    def close(self) -> None:
        if self._open:
            self._open = False
            self._slots.leave(self._address)
