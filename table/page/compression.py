"""Compressed answers: text and JSON shrink to a third, which a phone at the far end of the house notices.

The stream of snapshots is not compressed, because a compressor holds events back.
"""

from __future__ import annotations

import gzip

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
"""For files, which are compressed once."""


def compress(response: Response) -> Response:
    """The answer, compressed if the browser takes that and if it is worth it."""
    if response.mimetype not in COMPRESSED_TYPES or response.headers.get("Content-Encoding"):
        return response
    response.vary.add("Accept-Encoding")
    if response.status_code != 200 or not request.accept_encodings["gzip"]:
        return response
    small = compressed(response.get_data())
    if small is None:
        return response
    response.set_data(small)
    response.headers["Content-Encoding"] = "gzip"
    etag, _ = response.get_etag()
    if etag:
        response.set_etag(etag, weak=True)  # it names the content, whatever its encoding
    return response


def compressed(plain: bytes, best: bool = False) -> bytes | None:
    """The compressed bytes; None if they are few. best: take the time to make them as few as possible."""
    if len(plain) < LEAST_BYTES:
        return None
    return gzip.compress(plain, BEST if best else LEVEL, mtime=0)
