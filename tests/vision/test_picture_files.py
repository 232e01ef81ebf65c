"""Reading picture files: odd, damaged and huge ones."""

from __future__ import annotations

import os
import struct
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from table.common.errors import PictureUnreadable
from vision.frames import Picture
from vision.picture_files import BACKGROUND_GREY, load, read_file
from vision.reading.overlay import draw
from vision.reading.reader import Reader
from vision.simulation import SimDie, render_still


@pytest.fixture(scope="module")
def tray() -> Picture:
    dice = [SimDie(5, "red", -60, 40, 0.2), SimDie(2, "green", 50, -30, 0.9)]
    return render_still(dice, np.random.default_rng(1), (800, 600))


@pytest.fixture(scope="module")
def reader() -> Reader:
    return Reader()


def encoded(ending: str, picture: NDArray[Any], *options: int) -> bytes:
    return np.asarray(cv2.imencode(ending, picture, options)[1]).tobytes()


def jpeg(picture: Picture) -> bytes:
    return encoded(".jpg", picture)


def chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png_stating(width: int, height: int) -> bytes:
    """A PNG whose header states this size and whose data is empty, like a decompression bomb."""
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", header)
        + chunk(b"IDAT", zlib.compress(b"\0" * 99))
        + chunk(b"IEND", b"")
    )


def exif_orientation(orientation: int) -> bytes:
    entry = struct.pack(">HHIHH", 0x0112, 3, 1, orientation, 0)
    return b"MM\0*" + struct.pack(">I", 8) + struct.pack(">H", 1) + entry + struct.pack(">I", 0)


def turned_by_exif(data: bytes, orientation: int) -> bytes:
    """A JPEG with this EXIF orientation."""
    exif = b"Exif\0\0" + exif_orientation(orientation)
    return data[:2] + b"\xff\xe1" + struct.pack(">H", len(exif) + 2) + exif + data[2:]


BROKEN = {
    "empty.jpg": (b"", "is empty"),
    "notes.jpg": (b"Ann threw a five.\n" * 40, "not a picture"),
    "damaged.png": (b"\x89PNG\r\n\x1a\n" + b"x" * 400 + b"IEND", "damaged|megapixels"),
    "odd.tif": (encoded(".tif", np.zeros((20, 20, 3), np.float32)), "unusual format"),
    "short.jpg": (b"\xff\xd8\xff", "damaged"),
    "dot.png": (encoded(".png", np.zeros((1, 1, 3), np.uint8)), "1 x 1 px"),
    "stub.png": (png_stating(640, 480)[:25], "damaged"),
    "bomb.png": (png_stating(60_000, 60_000), "megapixels"),
    "hollow.png": (png_stating(640, 480), "damaged"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_file_that_is_no_picture_is_refused_in_one_sentence(
    tmp_path: Path, name: str, capfd: pytest.CaptureFixture[str]
) -> None:
    data, word = BROKEN[name]
    path = tmp_path / name
    path.write_bytes(data)
    with pytest.raises(PictureUnreadable, match=word) as caught:
        load(path)
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)
    assert capfd.readouterr().err == ""


def test_a_missing_file_and_a_folder_are_refused(tmp_path: Path) -> None:
    with pytest.raises(PictureUnreadable, match="no file"):
        load(tmp_path / "gone.jpg")
    with pytest.raises(PictureUnreadable, match="is a folder"):
        load(tmp_path)


END = b"\xff\xd9"


def zeroed(data: bytes, first: int, last: int) -> bytes:
    return data[:first] + bytes(last - first) + data[last:]


DAMAGE: dict[str, Callable[[bytes], bytes]] = {
    "cut": lambda data: data[:-4000],
    "cut in half and ended": lambda data: data[: len(data) // 2] + END,
    "zero to the end": lambda data: zeroed(data, len(data) // 2, len(data) - 2),
    "zero in the middle": lambda data: zeroed(data, len(data) // 2, len(data) // 2 + 3000),
}
JPEGS = {
    "plain": (),
    "progressive": (cv2.IMWRITE_JPEG_PROGRESSIVE, 1),
    "optimised": (cv2.IMWRITE_JPEG_OPTIMIZE, 1),
    "with restarts": (cv2.IMWRITE_JPEG_RST_INTERVAL, 8),
}


@pytest.mark.parametrize("kind", JPEGS)
@pytest.mark.parametrize("damage", DAMAGE)
def test_a_damaged_jpeg_is_refused(
    tmp_path: Path, tray: Picture, kind: str, damage: str, capfd: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "damaged.jpg"
    path.write_bytes(DAMAGE[damage](encoded(".jpg", tray, *JPEGS[kind])))
    with pytest.raises(PictureUnreadable, match="is damaged or incomplete; copy it again"):
        load(path)
    assert capfd.readouterr().err == ""


def test_a_damaged_tiff_is_refused(tmp_path: Path, tray: Picture) -> None:
    path = tmp_path / "damaged.tif"
    path.write_bytes(zeroed(encoded(".tif", tray), 9000, 12000))
    with pytest.raises(PictureUnreadable, match="is damaged"):
        load(path)


ODD: dict[str, Callable[[bytes], bytes]] = {
    "no end mark": lambda data: data[:-2],
    "half an end mark": lambda data: data[:-1],
    "more after the end": lambda data: data + b"hello" * 100,
    "stray bytes before the end": lambda data: data[:-2] + bytes(8) + END,
    "stray bytes in the header": lambda data: data.replace(b"\xff\xdb", bytes(100) + b"\xff\xdb", 1),
}


@pytest.mark.parametrize("odd", ODD)
def test_a_jpeg_that_is_odd_but_whole_is_read(
    tmp_path: Path, tray: Picture, odd: str, capfd: pytest.CaptureFixture[str]
) -> None:
    plain, path = tmp_path / "plain.jpg", tmp_path / "odd.jpg"
    plain.write_bytes(jpeg(tray))
    path.write_bytes(ODD[odd](jpeg(tray)))
    assert np.array_equal(load(path).picture, load(plain).picture)
    assert capfd.readouterr().err == ""


def test_a_png_may_have_bytes_after_its_end_and_is_damaged_without_its_last_chunk(
    tmp_path: Path, tray: Picture
) -> None:
    path, data = tmp_path / "a.png", encoded(".png", tray)
    path.write_bytes(data + bytes(500))
    assert np.array_equal(load(path).picture, tray)
    path.write_bytes(data[:-12] + b"IEND")
    with pytest.raises(PictureUnreadable, match="incomplete"):
        load(path)


def test_without_standard_error_the_end_mark_decides(tmp_path: Path, tray: Picture) -> None:
    whole, cut = tmp_path / "whole.jpg", tmp_path / "cut.jpg"
    whole.write_bytes(jpeg(tray))
    cut.write_bytes(jpeg(tray)[:-4000])
    saved = os.dup(2)
    os.close(2)
    try:
        shape = load(whole).picture.shape
        with pytest.raises(PictureUnreadable, match="incomplete"):
            load(cut)
    finally:
        os.dup2(saved, 2)
        os.close(saved)
    assert shape == tray.shape


TURNS: dict[int, Callable[[Picture], Picture]] = {
    2: lambda picture: picture[:, ::-1],
    3: lambda picture: picture[::-1, ::-1],
    4: lambda picture: picture[::-1],
    5: lambda picture: picture.swapaxes(0, 1),
    6: lambda picture: np.rot90(picture, -1),
    7: lambda picture: picture[::-1, ::-1].swapaxes(0, 1),
    8: lambda picture: np.rot90(picture),
}


@pytest.mark.parametrize("orientation", TURNS)
def test_boxes_are_of_the_picture_after_exif_rotation(
    tmp_path: Path, tray: Picture, reader: Reader, orientation: int
) -> None:
    path = tmp_path / "turned.jpg"
    path.write_bytes(turned_by_exif(jpeg(tray), orientation))
    stored = np.asarray(cv2.imdecode(np.frombuffer(jpeg(tray), np.uint8), cv2.IMREAD_COLOR), np.uint8)
    upright = np.ascontiguousarray(TURNS[orientation](stored))
    found, wanted = read_file(reader, path), reader.read(upright, thorough=True)
    assert found.size_wh == wanted.size_wh == (upright.shape[1], upright.shape[0])
    assert found.dice == wanted.dice
    assert sorted(found.faces) == [2, 5]


def test_grey_transparent_and_sixteen_bit_pictures_are_read(
    tmp_path: Path, tray: Picture, reader: Reader
) -> None:
    kinds = {
        "grey.png": cv2.cvtColor(tray, cv2.COLOR_BGR2GRAY),
        "clear.png": cv2.cvtColor(tray, cv2.COLOR_BGR2BGRA),
        "deep.png": tray.astype(np.uint16) * 257,
        "plain.bmp": tray,
        "plain.webp": tray,
        "plain.tif": tray,
    }
    for name, picture in kinds.items():
        cv2.imwrite(str(tmp_path / name), picture)
        assert sorted(read_file(reader, tmp_path / name).faces) == [2, 5], name


TRANSPARENT: dict[str, Callable[[Picture], bytes]] = {
    "clear.png": lambda picture: encoded(".png", picture),
    "deep.png": lambda picture: encoded(".png", picture.astype(np.uint16) * 257),
    "clear.tif": lambda picture: encoded(".tif", picture),
    "clear.webp": lambda picture: encoded(".webp", picture, cv2.IMWRITE_WEBP_QUALITY, 101),
}


@pytest.mark.parametrize("name", TRANSPARENT)
def test_a_transparent_die_is_not_detected(tmp_path: Path, tray: Picture, reader: Reader, name: str) -> None:
    path, picture = tmp_path / name, cv2.cvtColor(tray, cv2.COLOR_BGR2BGRA)
    picture[:, :400, 3] = 0
    picture[0, 799] = (200, 100, 0, 51)
    path.write_bytes(TRANSPARENT[name](np.asarray(picture, np.uint8)))
    seen = load(path).picture
    assert (seen[:, :400] == BACKGROUND_GREY).all()
    assert np.array_equal(seen[1:, 400:], tray[1:, 400:])
    assert seen[0, 799].tolist() == [142, 122, 102]
    assert reader.read(tray).faces == (5, 2)
    assert read_file(reader, path).faces == (2,)


def test_a_colour_of_a_palette_can_be_transparent(tmp_path: Path) -> None:
    rows = b"".join(b"\0" + bytes([0, 1] * 10) for _ in range(20))
    header = chunk(b"IHDR", struct.pack(">IIBBBBB", 20, 20, 8, 3, 0, 0, 0)) + chunk(
        b"PLTE", bytes([10, 20, 30, 40, 50, 60])
    )
    path = tmp_path / "palette.png"
    path.write_bytes(
        b"\x89PNG\r\n\x1a\n"
        + header
        + chunk(b"tRNS", b"\0")
        + chunk(b"IDAT", zlib.compress(rows))
        + chunk(b"IEND", b"")
    )
    assert load(path).picture[0, :2].tolist() == [[BACKGROUND_GREY] * 3, [60, 50, 40]]


@pytest.mark.parametrize("orientation", TURNS)
def test_a_transparent_picture_is_rotated_by_exif_too(
    tmp_path: Path, tray: Picture, orientation: int
) -> None:
    path, data = tmp_path / "turned.png", encoded(".png", cv2.cvtColor(tray, cv2.COLOR_BGR2BGRA))
    path.write_bytes(data[:33] + chunk(b"eXIf", exif_orientation(orientation)) + data[33:])
    file = load(path)
    assert np.array_equal(file.picture, TURNS[orientation](tray))
    assert file.size_wh == (file.picture.shape[1], file.picture.shape[0])


def test_a_large_transparent_picture_is_shrunk_and_a_huge_one_refused(tmp_path: Path) -> None:
    path = tmp_path / "large.png"
    path.write_bytes(encoded(".png", np.zeros((5000, 6001, 4), np.uint8)))
    file = load(path)
    assert (file.size_wh, file.picture.shape) == ((6001, 5000), (2500, 3000, 3))
    assert (file.picture == BACKGROUND_GREY).all()
    path.write_bytes(
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 10_000, 8_000, 16, 6, 0, 0, 0))
    )
    with pytest.raises(PictureUnreadable, match="80 megapixels; the limit is 75"):
        load(path)


@pytest.mark.parametrize(
    ("orientation", "size_wh"), [(1, (5002, 5001)), (3, (5002, 5001)), (6, (5001, 5002)), (9, (5002, 5001))]
)
def test_a_large_picture_that_is_square_after_shrinking_keeps_its_size(
    tmp_path: Path, orientation: int, size_wh: tuple[int, int]
) -> None:
    path = tmp_path / "square.jpg"
    path.write_bytes(turned_by_exif(jpeg(np.full((5001, 5002, 3), 90, np.uint8)), orientation))
    file = load(path)
    assert (file.size_wh, file.picture.shape) == (size_wh, (2501, 2501, 3))


def test_a_huge_photograph_is_shrunk_and_its_boxes_are_px_of_the_whole(
    tmp_path: Path, tray: Picture, reader: Reader
) -> None:
    path = tmp_path / "huge.jpg"
    cv2.imwrite(str(path), cv2.resize(tray, (8800, 6600)))
    reading = read_file(reader, path)
    assert reading.size_wh == (8800, 6600)
    assert sorted(reading.faces) == [2, 5]
    small = reader.read(tray)
    for big, plain in zip(reading.dice, small.dice, strict=True):
        assert big.box_xywh[0] == pytest.approx(plain.box_xywh[0] * 11, abs=60)
    shown = draw(load(path).picture, reading)
    assert shown.shape[1] <= 8800
