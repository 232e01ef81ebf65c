"""Picture files as people have them: turned by their EXIF note, grey, transparent, 16-bit, huge, broken or no pictures at all.

The size stands in a file's first bytes, so it is read there before anything is unpacked: a few kilobytes can unpack to gigabytes.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np

from table.errors import PictureUnreadable
from vision.frames import Picture
from vision.quiet import quiet
from vision.reader import Reader
from vision.reading import Reading, SeenDie

SMALLEST_PX = 16
"""Neither side may be smaller: a die of under 10 px has no pips to count."""
COMFORTABLE_PX = 25_000_000
"""Pixels (75 MB unpacked); what is larger is unpacked at a half, a quarter or an eighth of its width."""
MOST_PX = 200_000_000
"""Pixels; more is refused. A PNG is unpacked whole before it is shrunk, and 600 MB is what a 2 GB Raspberry Pi can spare."""
MOST_BYTES = 200_000_000
"""A larger file is refused unread."""

_REDUCED = {1: cv2.IMREAD_COLOR, 2: cv2.IMREAD_REDUCED_COLOR_2, 4: cv2.IMREAD_REDUCED_COLOR_4, 8: cv2.IMREAD_REDUCED_COLOR_8}


@dataclass(frozen=True, eq=False)
class PictureFile:
    """picture: after EXIF rotation, blue-green-red. size_wh: of the whole picture, px; picture is `times` smaller each way."""

    picture: Picture
    size_wh: tuple[int, int]
    times: int = 1


def load(path: Path) -> PictureFile:
    """The picture in this file. PictureUnreadable, in one sentence: no file, no picture, cut short, too small, too large."""
    data = _bytes_of(path)
    w, h = _stated_size(path, data)
    if min(w, h) < SMALLEST_PX:
        raise PictureUnreadable(f"{path} is {w} x {h} px; a picture of dice has at least {SMALLEST_PX} px each way")
    if w * h > MOST_PX:
        raise PictureUnreadable(f"{path} has {w * h / 1e6:.0f} megapixels; at most {MOST_PX / 1e6:.0f} are read, so shrink it first")
    if _cut_short(data):
        raise PictureUnreadable(f"{path} is cut short: its end is missing; copy it again from where it came")
    return _unpacked(path, data, (w, h))


def read_file(reader: Reader, path: Path) -> Reading:
    """What lies in the picture of this file; boxes in px of the whole picture after EXIF rotation. PictureUnreadable as `load`."""
    file = load(path)
    reading = reader.read(file.picture, thorough=True)
    if file.times == 1:
        return reading
    return replace(reading, size_wh=file.size_wh, dice=tuple(_grown(die, file) for die in reading.dice))


def _grown(die: SeenDie, file: PictureFile) -> SeenDie:
    kx, ky = file.size_wh[0] / file.picture.shape[1], file.size_wh[1] / file.picture.shape[0]
    x, y, w, h = die.box_xywh
    return replace(die, box_xywh=(x * kx, y * ky, w * kx, h * ky))


def _bytes_of(path: Path) -> bytes:
    if path.is_dir():
        raise PictureUnreadable(f"{path} is a folder; give the pictures in it, as in {path}/*.jpg")
    if path.exists() and not path.is_file():
        raise PictureUnreadable(f"{path} is not a file")
    try:
        if path.stat().st_size > MOST_BYTES:
            raise PictureUnreadable(f"{path} is larger than {MOST_BYTES / 1e6:.0f} MB; shrink it first")
        data = path.read_bytes()
    except FileNotFoundError:
        raise PictureUnreadable(f"there is no file {path}") from None
    except (OSError, ValueError) as error:
        raise PictureUnreadable(f"{path} cannot be opened: {getattr(error, 'strerror', None) or error}") from None
    if not data:
        raise PictureUnreadable(f"{path} is empty")
    return data


def _unpacked(path: Path, data: bytes, stated: tuple[int, int]) -> PictureFile:
    times = next((t for t in _REDUCED if stated[0] * stated[1] / t**2 <= COMFORTABLE_PX), 8)
    try:
        with quiet():
            picture = cv2.imdecode(np.frombuffer(data, np.uint8), _REDUCED[times])
    except (cv2.error, MemoryError):
        picture = None
    if picture is None:
        raise PictureUnreadable(f"{path} is damaged: it begins like a picture but cannot be unpacked")
    turned = (picture.shape[1] > picture.shape[0]) != (stated[0] > stated[1]) and stated[0] != stated[1]
    return PictureFile(np.asarray(picture, np.uint8), stated[::-1] if turned else stated, times)


# --- sizes, from the first bytes ----------------------------------------------------------------------------------------


def _stated_size(path: Path, data: bytes) -> tuple[int, int]:
    """Width and height as the file states them, before EXIF rotation."""
    try:
        if data[:2] == b"\xff\xd8":
            return _jpeg_frame(data)[0]
        if data[:8] == b"\x89PNG\r\n\x1a\n":
            w, h = struct.unpack(">II", data[16:24])
            return int(w), int(h)
        if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
            return _webp_size(data)
        if data[:2] == b"BM":
            w, h = struct.unpack("<ii", data[18:26])
            return int(w), abs(int(h))
        if data[:4] in (b"II*\0", b"MM\0*"):
            return _tiff_size(data)
    except (struct.error, IndexError, KeyError):
        raise PictureUnreadable(f"{path} is damaged: its size cannot be told") from None
    raise PictureUnreadable(f"{path} is no picture that can be read; JPEG, PNG, WebP, BMP and TIFF can")


_JPEG_FRAMES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}


def _jpeg_frame(data: bytes) -> tuple[tuple[int, int], int]:
    """Width and height, and where the frame's header lies."""
    at = 2
    while True:
        while data[at] == 0xFF and data[at + 1] == 0xFF:
            at += 1
        marker, length = data[at + 1], struct.unpack(">H", data[at + 2 : at + 4])[0]
        if data[at] != 0xFF or length < 2:
            raise KeyError("no marker where one must be")
        if marker in _JPEG_FRAMES:
            h, w = struct.unpack(">HH", data[at + 5 : at + 9])
            return (int(w), int(h)), at
        at += 2 + length


def _webp_size(data: bytes) -> tuple[int, int]:
    kind = data[12:16]
    if kind == b"VP8X":
        return int.from_bytes(data[24:27], "little") + 1, int.from_bytes(data[27:30], "little") + 1
    if kind == b"VP8L":
        bits = int.from_bytes(data[21:25], "little")
        return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
    w, h = struct.unpack("<HH", data[26:30])
    return int(w) & 0x3FFF, int(h) & 0x3FFF


def _tiff_size(data: bytes) -> tuple[int, int]:
    order = "<" if data[:2] == b"II" else ">"
    (at,) = struct.unpack(order + "I", data[4:8])
    (count,) = struct.unpack(order + "H", data[at : at + 2])
    sides: dict[int, int] = {}
    for entry in range(at + 2, at + 2 + 12 * count, 12):
        tag, kind = struct.unpack(order + "HH", data[entry : entry + 4])
        (value,) = struct.unpack(order + ("H" if kind == 3 else "I"), data[entry + 8 : entry + (10 if kind == 3 else 12)])
        sides[int(tag)] = int(value)
    return sides[256], sides[257]


def _cut_short(data: bytes) -> bool:
    """True for a JPEG without its end mark after the picture began, and for a PNG without its last chunk."""
    if data[:2] == b"\xff\xd8":
        return data.rfind(b"\xff\xd9") < _jpeg_frame(data)[1]
    return data[:4] == b"\x89PNG" and b"IEND" not in data[-64:]
