"""Reads picture files: rotated by EXIF, grey, transparent, 16-bit, huge, damaged or no pictures at all.

The size is read from the file's first bytes before anything is decoded: a few kilobytes can
decode to gigabytes.
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
from vision.reading.enrolled_coins import NO_COINS, EnrolledCoins, with_coins
from vision.reading.enrolled_sticks import NOTHING_ENROLLED, EnrolledSticks
from vision.reading.reader import Reader
from vision.readings import Reading, SeenDie, SeenStick
from vision.stderr_capture import captured_stderr

MIN_SIDE_PX = 16
"""Minimum side: a die of under 10 px has no pips to count."""
FULL_SIZE_PX = 25_000_000
"""Pixels (75 MB decoded); a larger picture is decoded at a half, a quarter or an eighth of its width."""
MAX_PX = 200_000_000
"""Maximum number of pixels. A PNG is decoded whole before it is shrunk, and a 2 GB Raspberry Pi can
spare 600 MB."""
MAX_ALPHA_PX = MAX_PX * 3 // 8
"""Maximum number of pixels with transparency, which is decoded to four channels of up to 16 bits."""
MAX_BYTES = 200_000_000
"""Maximum size of a file. A larger one is refused unread."""
MAX_STRAY_BYTES = 16
"""A whole JPEG may have so many useless bytes before a marker: webcams leave up to 8 (opencv issue 9477),
damage usually leaves dozens."""
BACKGROUND_GREY = 128
"""Mid grey, 0-255, behind transparent pixels: both white and black dice stay visible on it."""

_DECODE_FLAGS = {
    1: cv2.IMREAD_COLOR,
    2: cv2.IMREAD_REDUCED_COLOR_2,
    4: cv2.IMREAD_REDUCED_COLOR_4,
    8: cv2.IMREAD_REDUCED_COLOR_8,
}


@dataclass(frozen=True, eq=False)
class PictureFile:
    """picture: BGR after EXIF rotation, `shrink` times smaller than in the file. size_wh: in the file, px."""

    picture: Picture
    size_wh: tuple[int, int]
    shrink: int = 1


def load(path: Path) -> PictureFile:
    """The picture in this file. PictureUnreadable, in one sentence: missing, damaged, too small or large."""
    data = _bytes_of(path)
    w, h = _stated_size(path, data)
    if min(w, h) < MIN_SIDE_PX:
        raise PictureUnreadable(f"{path} is {w} x {h} px; width and height must be at least {MIN_SIDE_PX} px")
    max_px = MAX_ALPHA_PX if _has_alpha(data) else MAX_PX
    if w * h > max_px:
        raise PictureUnreadable(
            f"{path} has {w * h / 1e6:.0f} megapixels; the limit is {max_px / 1e6:.0f}, so shrink it first"
        )
    return _decoded_file(path, data, (w, h))


def read_file(
    reader: Reader,
    path: Path,
    own_sticks: EnrolledSticks = NOTHING_ENROLLED,
    own_coins: EnrolledCoins = NO_COINS,
) -> Reading:
    """The reading of this file's picture; boxes in px of the whole rotated picture. Raises as `load`.

    own_sticks: sides of sticks that a household has taught its table. own_coins: the same of coins, which are
    then read in place of sticks.
    """
    file = load(path)
    reading = own_sticks.apply(file.picture, reader.read(file.picture, thorough=True))
    if own_coins.active:
        reading = with_coins(reading, own_coins.read(file.picture))
    if file.shrink == 1:
        return reading
    scale = file.size_wh[0] / file.picture.shape[1], file.size_wh[1] / file.picture.shape[0]
    dice = tuple(_upscaled(die, scale) for die in reading.dice)
    sticks = tuple(_upscaled_stick(stick, scale) for stick in reading.sticks)
    return replace(reading, size_wh=file.size_wh, dice=dice, sticks=sticks)


def _upscaled(die: SeenDie, scale: tuple[float, float]) -> SeenDie:
    (kx, ky), (x, y, w, h) = scale, die.box_xywh
    return replace(die, box_xywh=(x * kx, y * ky, w * kx, h * ky))


def _upscaled_stick(stick: SeenStick, scale: tuple[float, float]) -> SeenStick:
    a, b, c, d = ((x * scale[0], y * scale[1]) for x, y in stick.quad)
    return replace(stick, quad=(a, b, c, d))


def _bytes_of(path: Path) -> bytes:
    try:
        status = path.stat()
        is_plain_file = stat.S_ISREG(status.st_mode) and status.st_size <= MAX_BYTES
        data = path.read_bytes() if is_plain_file else b""
    except FileNotFoundError:
        raise PictureUnreadable(f"there is no file {path}") from None
    except (OSError, ValueError) as error:
        raise PictureUnreadable(
            f"{path} cannot be opened: {getattr(error, 'strerror', None) or error}"
        ) from None
    if stat.S_ISDIR(status.st_mode):
        raise PictureUnreadable(f"{path} is a folder; give the pictures in it, such as {path}/*.jpg")
    if not stat.S_ISREG(status.st_mode):
        raise PictureUnreadable(f"{path} is not a file")
    if not is_plain_file:
        raise PictureUnreadable(f"{path} is larger than {MAX_BYTES / 1e6:.0f} MB; shrink it first")
    if not data:
        raise PictureUnreadable(f"{path} is empty")
    return data


def _decoded_file(path: Path, data: bytes, stated_wh: tuple[int, int]) -> PictureFile:
    shrink = next((t for t in _DECODE_FLAGS if stated_wh[0] * stated_wh[1] / t**2 <= FULL_SIZE_PX), 8)
    try:
        with captured_stderr() as messages:
            picture = (
                _decoded_with_alpha(data, shrink)
                if _has_alpha(data)
                else _decoded(data, _DECODE_FLAGS[shrink])
            )
    except (cv2.error, MemoryError):
        picture = None
    if _pixels_lost(messages) or _cut_short(data, messages):
        raise PictureUnreadable(f"{path} is damaged or incomplete; copy it again, or take the picture again")
    if picture is None:
        raise PictureUnreadable(
            f"{path} cannot be decoded: it is damaged or has an unusual format;"
            " copy it again, or save it as JPEG"
        )
    ph, pw = picture.shape[:2]
    turned = (pw > ph) != (stated_wh[0] > stated_wh[1]) if pw != ph else _orientation(data) >= 5
    return PictureFile(picture, stated_wh[::-1] if turned else stated_wh, shrink)


def _decoded(data: bytes, flags: int) -> NDArray[Any] | None:
    """The decoded picture. A missing end mark is added, so that the decoder itself reports missing pixels."""
    if data[:2] == _JPEG_START and not data.endswith(_JPEG_END):
        data += _JPEG_END
    return cv2.imdecode(np.frombuffer(data, np.uint8), flags)


def _decoded_with_alpha(data: bytes, shrink: int) -> Picture | None:
    """A picture with transparency, blended with plain grey. OpenCV decodes alpha only at full size and,
    except from TIFF, not rotated."""
    raw = _decoded(data, cv2.IMREAD_UNCHANGED)
    if raw is None or raw.shape[2:] != (4,):
        return _decoded(data, _DECODE_FLAGS[shrink])
    if shrink > 1:
        raw = cv2.resize(raw, (raw.shape[1] // shrink, raw.shape[0] // shrink), interpolation=cv2.INTER_AREA)
    if raw.dtype == np.uint16:
        raw = np.right_shift(raw, 8).astype(np.uint8)
    alpha = np.asarray(raw[..., 3], np.uint16)
    background = BACKGROUND_GREY * (255 - alpha) + 127
    blended = np.dstack(
        [((raw[..., channel] * alpha + background) // 255).astype(np.uint8) for channel in range(3)]
    )
    return blended if data[:4] in _TIFF_STARTS else _turned(blended, _orientation(data))


def _turned(picture: Picture, orientation: int) -> Picture:
    if orientation >= 5:
        picture = np.asarray(cv2.transpose(picture), np.uint8)
    flips = {2: 1, 3: -1, 4: 0, 6: 1, 7: -1, 8: 0}
    return np.asarray(cv2.flip(picture, flips[orientation]), np.uint8) if orientation in flips else picture


# --- the decoders' messages ---------------------------------------------------------------------------------

_LOST_PIXELS = re.compile(
    r"premature end|bad (Huffman|arithmetic) code|instead of RST|inconsistent progression|TIFF_Error",
    re.IGNORECASE,
)
_STRAY_BYTES = re.compile(r"(\d+) extraneous bytes before marker 0x(?:c4|d[0-9a])")
"""Stray bytes before markers within or after the pixel data; before those of the header they do no harm."""


def _pixels_lost(messages: list[str] | None) -> bool:
    """Whether a decoder reported missing or wrong pixels; libjpeg reports only its first problem."""
    stray_bytes = [int(match[1]) for line in messages or () if (match := _STRAY_BYTES.search(line))]
    return max(stray_bytes, default=0) > MAX_STRAY_BYTES or any(
        _LOST_PIXELS.search(line) for line in messages or ()
    )


def _cut_short(data: bytes, messages: list[str] | None) -> bool:
    """Whether a PNG lacks its last chunk, or a JPEG its end mark while the decoder's messages are unknown."""
    if data[:2] == _JPEG_START:
        return messages is None and data.rfind(_JPEG_END) < _jpeg_frame(data)[1]
    return data[:8] == _PNG_START and b"IEND" not in _png_chunks(data)


# --- the bytes of a file ------------------------------------------------------------------------------------

_JPEG_START, _JPEG_END = b"\xff\xd8", b"\xff\xd9"
_PNG_START = b"\x89PNG\r\n\x1a\n"
_TIFF_STARTS = (b"II*\0", b"MM\0*")
_EXIF = re.compile(rb"(?:Exif\0\0|eXIf|EXIF....)(?=II\*\0|MM\0\*)", re.DOTALL)
"""The bytes before the EXIF data, itself a small TIFF: in a JPEG, in a PNG, in a WebP."""


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
        raise PictureUnreadable(f"{path} is damaged: its size cannot be read") from None
    raise PictureUnreadable(f"{path} is not a picture that Brehon can read; use JPEG, PNG, WebP, BMP or TIFF")


_JPEG_FRAME_MARKERS = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}


def _jpeg_frame(data: bytes) -> tuple[tuple[int, int], int]:
    """Width and height, and the position of the frame's header. Skips stray bytes, as libjpeg does."""
    at = 2
    while True:
        at = data.index(b"\xff", at)
        if data[at + 1] in (0x00, 0xFF):
            at += 1
            continue
        marker, length = data[at + 1], struct.unpack(">H", data[at + 2 : at + 4])[0]
        if marker in _JPEG_FRAME_MARKERS:
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
    """The first value of each entry of a TIFF or of EXIF data, where it fits into the entry."""
    order = "<" if data[:2] == b"II" else ">"
    (at,) = struct.unpack(order + "I", data[4:8])
    (count,) = struct.unpack(order + "H", data[at : at + 2])
    tags: dict[int, int] = {}
    for entry in range(at + 2, at + 2 + 12 * count, 12):
        tag, kind = struct.unpack(order + "HH", data[entry : entry + 4])
        (value,) = struct.unpack(
            order + ("H" if kind == 3 else "I"), data[entry + 8 : entry + (10 if kind == 3 else 12)]
        )
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
    """Whether a PNG, WebP or TIFF has transparency. In a BMP the fourth byte mostly has another meaning."""
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
    """The EXIF orientation, 1 to 8; 1 if there is none."""
    match = _EXIF.search(data)
    exif = data if data[:4] in _TIFF_STARTS else data[match.end() :] if match else b""
    try:
        orientation = _tiff_tags(exif).get(274, 1)
    except struct.error:
        return 1
    return orientation if 1 <= orientation <= 8 else 1
