"""Server-Sent Events: every snapshot, as soon as there is one."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator

from flask import Blueprint, Response, current_app
from flask.typing import ResponseReturnValue

from table.page.api import refusal, snapshot_json
from table.page.ports import TableForPage

MOST_STREAMS = 12
"""A kiosk and eleven phones. Each stream holds a thread of the server; beyond that a page asks every second instead."""

KEEP_ALIVE_S = 5.0
"""Between signs of life: soon enough that a phone which went away frees its place within seconds."""

RETRY_MS = 1000
"""After which a browser that lost the stream asks for it again."""

blueprint = Blueprint("stream", __name__, url_prefix="/api")
_places = threading.BoundedSemaphore(MOST_STREAMS)


@blueprint.get("/events")
def events() -> ResponseReturnValue:
    """The snapshot now, and every later one: event "snapshot", id its seq, data its JSON."""
    if not _places.acquire(blocking=False):
        return refusal(f"{MOST_STREAMS} screens are watching already; this one has to ask /api/snapshot instead.", 503)
    response = Response(_Stream(current_app.extensions["table"]), mimetype="text/event-stream")
    response.headers["Cache-Control"] = "no-store"
    return response


class _Stream(Iterator[str]):
    """One screen's stream. A class, because a generator that was never started would not give its place back."""

    def __init__(self, table: TableForPage) -> None:
        self._table = table
        self._seq = -1
        self._open = True
        self._greeted = False

    def __next__(self) -> str:
        if not self._open or self._table.closed:
            raise StopIteration
        if not self._greeted:
            self._greeted = True
            return f"retry: {RETRY_MS}\n\n"
        now = self._table.wait_after(self._seq, KEEP_ALIVE_S)
        if now.seq <= self._seq:
            return ": still here\n\n"
        self._seq = now.seq
        return f"id: {now.seq}\nevent: snapshot\ndata: {json.dumps(snapshot_json(self._table, now))}\n\n"

    def close(self) -> None:
        if self._open:
            self._open = False
            _places.release()
