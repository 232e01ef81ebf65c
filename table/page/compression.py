"""Compressed answers: text and JSON shrink to a third, which a phone at the far end of the house notices.

Static files are compressed once and kept. The stream of snapshots is not compressed, because a compressor
holds events back.
"""

from __future__ import annotations

import gzip
import threading
from collections import OrderedDict
from collections.abc import Iterable
from contextlib import closing
from typing import cast

from flask import Response, request

COMPRESSED_TYPES = (
    "application/javascript",
    "application/json",
    "image/svg+xml",
    "text/css",
    "text/html",
    "text/javascript",
)
"""Types of content that shrink. Pictures and fonts are compressed already."""

LEAST_BYTES = 500
"""Shorter answers fit one packet as they are, bytes."""

LEVEL = 6
"""For answers that are made anew: gzip's own default. The highest level takes much longer for little."""

BEST = 9
"""For static files, which are compressed once."""

KEPT = 100
"""Number of static files that are kept compressed; the page has about 40."""


class Compressor:
    """Compresses the answers of one app. Safe to use from any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._kept: OrderedDict[tuple[str, str | None], bytes] = OrderedDict()

    def compress(self, response: Response) -> Response:
        """The answer, compressed if the browser takes that and if it is worth it."""
        if response.mimetype not in COMPRESSED_TYPES or response.headers.get("Content-Encoding"):
            return response
        response.vary.add("Accept-Encoding")
        if response.status_code != 200 or not request.accept_encodings["gzip"]:
            return response
        small = self._file(response) if response.direct_passthrough else _compressed(response.get_data())
        if small is None:
            return response
        response.set_data(small)
        response.headers["Content-Encoding"] = "gzip"
        etag, _ = response.get_etag()
        if etag:
            response.set_etag(etag, weak=True)  # it names the content, whatever its encoding
        return response

    def _file(self, response: Response) -> bytes | None:
        """The compressed static file, from the last time if it is the same; None if it is short."""
        if (response.content_length or 0) < LEAST_BYTES:
            return None
        key = (request.path, response.get_etag()[0])
        with self._lock, closing(response.response) as file:  # type: ignore[type-var]
            if key not in self._kept:
                self._kept[key] = gzip.compress(b"".join(cast(Iterable[bytes], file)), BEST, mtime=0)
            self._kept.move_to_end(key)
            while len(self._kept) > KEPT:
                self._kept.popitem(last=False)
            response.direct_passthrough = False
            return self._kept[key]


def _compressed(plain: bytes) -> bytes | None:
    """The compressed bytes; None if they are few."""
    return None if len(plain) < LEAST_BYTES else gzip.compress(plain, LEVEL, mtime=0)
