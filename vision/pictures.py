"""Picture files as people have them: turned by their EXIF note, grey, transparent, 16-bit, huge, broken or no pictures at all.

The size stands in a file's first bytes, so it is read there before anything is unpacked: a few kilobytes can unpack to gigabytes.
"""

from __future__ import annotations

import re
import stat
import struct
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from table.common.errors import PictureUnreadable
from vision.frames import Picture
from vision.quiet import quiet
from vision.reader import Reader
from vision.reading import Reading, SeenDie

SMALLEST_PX = 16
"""Neither side may be smaller: a die of under 10 px has no pips to count."""
COMFORTABLE_PX = 25_000_000
"""Pixels (75 MB unpacked); what is larger is unpacked at a half, a quarter or an eighth of its width."""
MAX_PX = 200_000_000
"""Pixels; more is refused. A PNG is unpacked whole before it is shrunk, and 600 MB is what a 2 GB Raspberry Pi can spare."""
MAX_CLEAR_PX = MAX_PX * 3 // 8
"""The same where there is transparency, which is unpacked with four channels of up to 16 bits."""
MAX_BYTES = 200_000_000
"""A larger file is refused unread."""
STRAY_BYTES = 16
"""A whole JPEG may have so many bytes of no use before a marker: webcams leave up to 8 (opencv issue 9477), damage usually dozens."""
UNDERLAY = 128
"""Mid grey, 0-255, lies under what is transparent: neither white nor black dice vanish on it."""

_REDUCED = {1: cv2.IMREAD_COLOR, 2: cv2.IMREAD_REDUCED_COLOR_2, 4: cv2.IMREAD_REDUCED_COLOR_4, 8: cv2.IMREAD_REDUCED_COLOR_8}


@dataclass(frozen=True, eq=False)
class PictureFile:
    """picture: after EXIF rotation, blue-green-red. size_wh: of the whole picture, px; picture is `times` smaller each way."""

    picture: Picture
    size_wh: tuple[int, int]
    times: int = 1


def load(path: Path) -> PictureFile:
    """The picture in this file. PictureUnreadable, in one sentence: no file, no picture, damaged, too small, too large."""
    data = _bytes_of(path)
    w, h = _stated_size(path, data)
    if min(w, h) < SMALLEST_PX:
        raise PictureUnreadable(f"{path} is {w} x {h} px; a picture of dice has at least {SMALLEST_PX} px each way")
    most = MAX_CLEAR_PX if _has_alpha(data) else MAX_PX
    if w * h > most:
        raise PictureUnreadable(f"{path} has {w * h / 1e6:.0f} megapixels; at most {most / 1e6:.0f} are read, so shrink it first")
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
    try:
        there = path.stat()
        plain = stat.S_ISREG(there.st_mode) and there.st_size <= MAX_BYTES
        data = path.read_bytes() if plain else b""
    except FileNotFoundError:
        raise PictureUnreadable(f"there is no file {path}") from None
    except (OSError, ValueError) as error:
        raise PictureUnreadable(f"{path} cannot be opened: {getattr(error, 'strerror', None) or error}") from None
    if stat.S_ISDIR(there.st_mode):
        raise PictureUnreadable(f"{path} is a folder; give the pictures in it, as in {path}/*.jpg")
    if not stat.S_ISREG(there.st_mode):
        raise PictureUnreadable(f"{path} is not a file")
    if not plain:
        raise PictureUnreadable(f"{path} is larger than {MAX_BYTES / 1e6:.0f} MB; shrink it first")
    if not data:
        raise PictureUnreadable(f"{path} is empty")
    return data


def _unpacked(path: Path, data: bytes, stated: tuple[int, int]) -> PictureFile:
    times = next((t for t in _REDUCED if stated[0] * stated[1] / t**2 <= COMFORTABLE_PX), 8)
    try:
        with quiet() as said:
            picture = _decoded_clear(data, times) if _has_alpha(data) else _decoded(data, _REDUCED[times])
    except (cv2.error, MemoryError):
        picture = None
    if _pixels_lost(said) or _cut_short(data, said):
        raise PictureUnreadable(f"{path} is damaged or cut short; copy it again from where it came, or take it again")
    if picture is None:
        raise PictureUnreadable(f"{path} cannot be unpacked: it is damaged or of an unusual kind; copy it again, or save it as JPEG")
    ph, pw = picture.shape[:2]
    turned = (pw > ph) != (stated[0] > stated[1]) if pw != ph else _orientation(data) >= 5
    return PictureFile(picture, stated[::-1] if turned else stated, times)


def _decoded(data: bytes, flags: int) -> NDArray[Any] | None:
    """An end mark too many does no harm; with one, the decoder itself says whether pixels are missing from a JPEG that has none."""
    if data[:2] == _JPEG_START and not data.endswith(_JPEG_END):
        data += _JPEG_END
    return cv2.imdecode(np.frombuffer(data, np.uint8), flags)


def _decoded_clear(data: bytes, times: int) -> Picture | None:
    """A picture with transparency, laid over plain grey; OpenCV gives alpha only whole and, except from TIFF, not turned."""
    raw = _decoded(data, cv2.IMREAD_UNCHANGED)
    if raw is None or raw.shape[2:] != (4,):
        return _decoded(data, _REDUCED[times])
    if times > 1:
        raw = cv2.resize(raw, (raw.shape[1] // times, raw.shape[0] // times), interpolation=cv2.INTER_AREA)
    if raw.dtype == np.uint16:
        raw = np.right_shift(raw, 8).astype(np.uint8)
    alpha = np.asarray(raw[..., 3], np.uint16)
    under = UNDERLAY * (255 - alpha) + 127
    laid = np.dstack([((raw[..., channel] * alpha + under) // 255).astype(np.uint8) for channel in range(3)])
    return laid if data[:4] in _TIFF_STARTS else _turned(laid, _orientation(data))


def _turned(picture: Picture, orientation: int) -> Picture:
    if orientation >= 5:
        picture = np.asarray(cv2.transpose(picture), np.uint8)
    flips = {2: 1, 3: -1, 4: 0, 6: 1, 7: -1, 8: 0}
    return np.asarray(cv2.flip(picture, flips[orientation]), np.uint8) if orientation in flips else picture


# --- what the decoders say ----------------------------------------------------------------------------------------------

_LOST = re.compile(r"premature end|bad (Huffman|arithmetic) code|instead of RST|inconsistent progression|TIFF_Error", re.IGNORECASE)
_STRAY = re.compile(r"(\d+) extraneous bytes before marker 0x(?:c4|d[0-9a])")
"""Before the markers within or after the picture's data; what is stray before those of the header costs no pixel."""


def _pixels_lost(said: list[str] | None) -> bool:
    """True where a decoder complained of missing or wrong data, not of something beside it; libjpeg tells its first complaint only."""
    stray = [int(found[1]) for line in said or () if (found := _STRAY.search(line))]
    return max(stray, default=0) > STRAY_BYTES or any(_LOST.search(line) for line in said or ())


def _cut_short(data: bytes, said: list[str] | None) -> bool:
    """True for a PNG without its last chunk, and for a JPEG without its end mark if what the decoder said of it could not be caught."""
    if data[:2] == _JPEG_START:
        return said is None and data.rfind(_JPEG_END) < _jpeg_frame(data)[1]
    return data[:8] == _PNG_START and b"IEND" not in _png_chunks(data)


# --- what the bytes state -----------------------------------------------------------------------------------------------

_JPEG_START, _JPEG_END = b"\xff\xd8", b"\xff\xd9"
_PNG_START = b"\x89PNG\r\n\x1a\n"
_TIFF_STARTS = (b"II*\0", b"MM\0*")
_EXIF = re.compile(rb"(?:Exif\0\0|eXIf|EXIF....)(?=II\*\0|MM\0\*)", re.DOTALL)
"""What stands before the note, itself a small TIFF: in a JPEG, in a PNG, in a WebP."""


def _stated_size(path: Path, data: bytes) -> tuple[int, int]:
    """Width and height as the file states them, before EXIF rotation."""
    try:
        if data[:2] == _JPEG_START:
            return _jpeg_frame(data)[0]
        if data[:8] == _PNG_START:
            w, h = struct.unpack(">II", data[16:24])
            return int(w), int(h)
        if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
            return _webp_size(data)
        if data[:2] == b"BM":
            w, h = struct.unpack("<ii", data[18:26])
            return int(w), abs(int(h))
        if data[:4] in _TIFF_STARTS:
            tags = _tiff_tags(data)
            return tags[256], tags[257]
    except (struct.error, LookupError, ValueError):
        raise PictureUnreadable(f"{path} is damaged: its size cannot be told") from None
    raise PictureUnreadable(f"{path} is no picture that can be read; JPEG, PNG, WebP, BMP and TIFF can")


_JPEG_FRAMES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}


def _jpeg_frame(data: bytes) -> tuple[tuple[int, int], int]:
    """Width and height, and where the frame's header lies. Stray bytes between segments are passed over, as libjpeg does."""
    at = 2
    while True:
        at = data.index(b"\xff", at)
        if data[at + 1] in (0x00, 0xFF):
            at += 1
            continue
        marker, length = data[at + 1], struct.unpack(">H", data[at + 2 : at + 4])[0]
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


def _tiff_tags(data: bytes) -> dict[int, int]:
    """The first value of each entry of a TIFF or EXIF note, where it fits into the entry."""
    order = "<" if data[:2] == b"II" else ">"
    (at,) = struct.unpack(order + "I", data[4:8])
    (count,) = struct.unpack(order + "H", data[at : at + 2])
    tags: dict[int, int] = {}
    for entry in range(at + 2, at + 2 + 12 * count, 12):
        tag, kind = struct.unpack(order + "HH", data[entry : entry + 4])
        (value,) = struct.unpack(order + ("H" if kind == 3 else "I"), data[entry + 8 : entry + (10 if kind == 3 else 12)])
        tags[int(tag)] = int(value)
    return tags


def _png_chunks(data: bytes) -> set[bytes]:
    """The kinds of chunks up to the last one."""
    kinds, at = set[bytes](), 8
    while at + 8 <= len(data) and b"IEND" not in kinds:
        length, kind = struct.unpack(">I4s", data[at : at + 8])
        kinds.add(kind)
        at += 12 + length
    return kinds


def _has_alpha(data: bytes) -> bool:
    """True for a PNG, WebP or TIFF with transparency. The fourth byte of a BMP is mostly not meant so."""
    if data[:8] == _PNG_START:
        return data[25:26] in (b"\4", b"\6") or b"tRNS" in _png_chunks(data)
    if data[:4] == b"RIFF":
        at = {b"VP8X": 20, b"VP8L": 24}.get(data[12:16], len(data))
        return bool(int.from_bytes(data[at : at + 1], "little") & 0x10)
    if data[:4] in _TIFF_STARTS:
        tags = _tiff_tags(data)
        return tags.get(262) == 2 and tags.get(277) == 4  # RGB in four samples a pixel
    return False


def _orientation(data: bytes) -> int:
    """How the picture is turned, 1 to 8 as in EXIF; 1 where that is not said."""
    found = _EXIF.search(data)
    note = data if data[:4] in _TIFF_STARTS else data[found.end() :] if found else b""
    try:
        orientation = _tiff_tags(note).get(274, 1)
    except struct.error:
        return 1
    return orientation if 1 <= orientation <= 8 else 1
