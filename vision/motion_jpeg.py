"""JPEG pictures in a row, each with its time: what recordings and replays are kept in.

Theory of operation. A picture starts with the two bytes of every JPEG, and then has a comment segment of fixed length that says when
it was taken and how long it is as a whole. So a reader goes from picture to picture without an index, and a file that ends in the
middle of one, after a plug was pulled, loses that one alone. All the rest is plain Motion JPEG, which most players show as it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import BinaryIO

import cv2
import numpy as np

from vision.frames import Picture

ENDING = ".mjpeg"
"""Of the names of such files."""

MEDIA_TYPE = "video/x-motion-jpeg"

TIME_DIGITS = 6
"""Of a second that are kept."""

MAX_BYTES = 64_000_000
"""Of one picture; a header that states more is no header."""

_START = b"\xff\xd8\xff\xfe\x00\x25"
"""Start of image, comment segment, and its length: the two bytes of the length and 35 of text."""

_HEADER = re.compile(rb"brehon (\d{10}\.\d{6}) (\d{10})")
_HEADER_BYTES = len(_START) + 35


def encoded(picture: Picture, quality: int) -> bytes:
    """The picture as a JPEG of this quality, 0-100."""
    done, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])
    if not done:
        raise ValueError(f"a picture of shape {picture.shape} could not be encoded as JPEG")
    return data.tobytes()


def decoded(jpeg: bytes) -> Picture:
    """The picture in this JPEG; raises ValueError where there is none."""
    picture = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR)
    if picture is None:
        raise ValueError(f"{len(jpeg)} bytes are no JPEG that can be decoded")
    return np.asarray(picture, np.uint8)


def stamped(jpeg: bytes, at_s: float) -> bytes:
    """The JPEG with its time, s, not negative; to be written after the one before."""
    size = len(jpeg) - 2 + _HEADER_BYTES
    return _START + b"brehon %017.6f %010d" % (at_s, size) + jpeg[2:]


def pictures_in(file: BinaryIO) -> Iterator[tuple[float, bytes]]:
    """(at_s, JPEG) of every picture that is there whole, in order; ends before the first that is not."""
    while True:
        head = file.read(_HEADER_BYTES)
        found = _HEADER.fullmatch(head[len(_START) :])
        if not head.startswith(_START) or found is None:
            return
        at_s, size = float(found[1]), int(found[2])
        if not _HEADER_BYTES < size <= MAX_BYTES:
            return
        rest = file.read(size - _HEADER_BYTES)
        if len(rest) < size - _HEADER_BYTES:
            return
        yield at_s, head + rest
