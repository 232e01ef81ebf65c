"""Reads and writes sequences of JPEG pictures with their times: the format of recordings and replays.

Theory of operation. A picture starts with the two bytes of every JPEG and a comment segment of fixed length,
which holds the picture's time and total size. So a reader goes from picture to picture without an index. A
file that ends in the middle of a picture, after a power cut, loses only that one. Apart from the comments it
is plain Motion JPEG, which most players show.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import BinaryIO

import cv2
import numpy as np

from vision.frames import Picture

ENDING = ".mjpeg"
"""Ending of such files' names."""

MEDIA_TYPE = "video/x-motion-jpeg"

TIME_DIGITS = 6
"""Decimals of the time in seconds."""

MAX_BYTES = 64_000_000
"""Maximum size of a picture, bytes; a header that states more is invalid."""

_START = b"\xff\xd8\xff\xfe\x00\x25"
"""Start of image, comment segment, and the segment's length: the two bytes of the length and 35 of text."""

_HEADER = re.compile(rb"brehon (\d{10}\.\d{6}) (\d{10})")
_HEADER_BYTES = len(_START) + 35


def encoded(picture: Picture, quality: int) -> bytes:
    """The picture as a JPEG of this quality, 0-100."""
    done, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])
    if not done:
        raise ValueError(f"a picture of shape {picture.shape} could not be encoded as JPEG")
    return data.tobytes()


def decoded(jpeg: bytes) -> Picture:
    """The picture in this JPEG; ValueError if it cannot be decoded."""
    picture = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR)
    if picture is None:
        raise ValueError(f"{len(jpeg)} bytes are no JPEG that can be decoded")
    return np.asarray(picture, np.uint8)


def stamped(jpeg: bytes, at_s: float) -> bytes:
    """The JPEG with its time, s, not negative; to be written after the previous picture."""
    size = len(jpeg) - 2 + _HEADER_BYTES
    return _START + b"brehon %017.6f %010d" % (at_s, size) + jpeg[2:]


def pictures_in(file: BinaryIO) -> Iterator[tuple[float, bytes]]:
    """(at_s, JPEG) of every complete picture in order; ends before the first incomplete one."""
    while True:
        header = file.read(_HEADER_BYTES)
        match = _HEADER.fullmatch(header[len(_START) :])
        if not header.startswith(_START) or match is None:
            return
        at_s, size = float(match[1]), int(match[2])
        if not _HEADER_BYTES < size <= MAX_BYTES:
            return
        rest = file.read(size - _HEADER_BYTES)
        if len(rest) < size - _HEADER_BYTES:
            return
        yield at_s, header + rest
