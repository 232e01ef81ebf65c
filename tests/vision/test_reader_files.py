"""Picture files as people have them, and `brehon read` over them."""

from __future__ import annotations

import argparse
import json
import struct
import zlib
from pathlib import Path

import cv2
import numpy as np
import pytest

from table.commands import read
from table.errors import BrehonError, PictureUnreadable
from vision.frames import Picture
from vision.overlay import caption, draw
from vision.pictures import load, read_file
from vision.reader import Reader
from vision.reading import Reading, SeenDie
from vision.simulation import SimDie, render_still


@pytest.fixture(scope="module")
def tray() -> Picture:
    dice = [SimDie(5, "red", -60, 40, 0.2), SimDie(2, "green", 50, -30, 0.9)]
    return render_still(dice, np.random.default_rng(1), (800, 600))


@pytest.fixture(scope="module")
def reader() -> Reader:
    return Reader()


def jpeg(picture: Picture) -> bytes:
    return np.asarray(cv2.imencode(".jpg", picture)[1]).tobytes()


def png_stating(width: int, height: int) -> bytes:
    """A PNG whose header states this size and whose data is nothing: what a bomb looks like before it goes off."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(b"\0" * 99)) + chunk(b"IEND", b"")


def turned_by_exif(data: bytes, orientation: int) -> bytes:
    """A JPEG with an EXIF note that says how to turn it."""
    entry = struct.pack(">HHIHH", 0x0112, 3, 1, orientation, 0)
    exif = b"Exif\0\0MM\0*" + struct.pack(">I", 8) + struct.pack(">H", 1) + entry + struct.pack(">I", 0)
    return data[:2] + b"\xff\xe1" + struct.pack(">H", len(exif) + 2) + exif + data[2:]


BROKEN = {
    "empty.jpg": (b"", "is empty"),
    "notes.jpg": (b"Ann threw a five.\n" * 40, "no picture"),
    "damaged.png": (b"\x89PNG\r\n\x1a\n" + b"x" * 400 + b"IEND", "damaged|megapixels"),
    "short.jpg": (b"\xff\xd8\xff", "damaged"),
    "dot.png": (np.asarray(cv2.imencode(".png", np.zeros((1, 1, 3), np.uint8))[1]).tobytes(), "1 x 1 px"),
    "bomb.png": (png_stating(60_000, 60_000), "megapixels"),
    "hollow.png": (png_stating(640, 480), ""),
}


@pytest.mark.parametrize("name", BROKEN)
def test_what_is_no_picture_is_refused_in_one_sentence(tmp_path: Path, name: str, capfd: pytest.CaptureFixture[str]) -> None:
    data, word = BROKEN[name]
    path = tmp_path / name
    path.write_bytes(data)
    if name == "hollow.png":
        refused = _refusal_or_none(path)
    else:
        with pytest.raises(PictureUnreadable, match=word) as caught:
            load(path)
        refused = str(caught.value)
    assert refused is None or (str(path) in refused and "\n" not in refused)
    assert capfd.readouterr().err == ""


def _refusal_or_none(path: Path) -> str | None:
    """Some builds of the PNG library give what there is of a damaged picture, others refuse it."""
    try:
        load(path)
    except PictureUnreadable as error:
        return str(error)
    return None


def test_a_missing_file_and_a_folder_are_refused(tmp_path: Path) -> None:
    with pytest.raises(PictureUnreadable, match="no file"):
        load(tmp_path / "gone.jpg")
    with pytest.raises(PictureUnreadable, match="is a folder"):
        load(tmp_path)


def test_a_jpeg_cut_short_is_refused(tmp_path: Path, tray: Picture, capfd: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "half.jpg"
    path.write_bytes(jpeg(tray)[:-4000])
    with pytest.raises(PictureUnreadable, match="cut short"):
        load(path)
    assert capfd.readouterr().err == ""


TURNS = {3: cv2.ROTATE_180, 6: cv2.ROTATE_90_CLOCKWISE, 8: cv2.ROTATE_90_COUNTERCLOCKWISE}


@pytest.mark.parametrize(("orientation", "turn"), TURNS.items())
def test_boxes_are_of_the_picture_as_exif_turns_it(tmp_path: Path, tray: Picture, reader: Reader, orientation: int, turn: int) -> None:
    path = tmp_path / "turned.jpg"
    path.write_bytes(turned_by_exif(jpeg(tray), orientation))
    upright = np.asarray(cv2.rotate(cv2.imdecode(np.frombuffer(jpeg(tray), np.uint8), cv2.IMREAD_COLOR), turn), np.uint8)
    found, wanted = read_file(reader, path), reader.read(upright, thorough=True)
    assert found.size_wh == wanted.size_wh == (upright.shape[1], upright.shape[0])
    assert found.dice == wanted.dice
    assert sorted(found.faces) == [2, 5]


def test_grey_transparent_and_sixteen_bit_pictures_are_read(tmp_path: Path, tray: Picture, reader: Reader) -> None:
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


def test_a_huge_photograph_is_read_shrunk_with_boxes_of_the_whole(tmp_path: Path, tray: Picture, reader: Reader) -> None:
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


def test_the_overlay_marks_dice_and_leaves_the_picture_alone(tray: Picture) -> None:
    kept = tray.copy()
    unsure = SeenDie(3, "white", (700.0, 5.0, 90.0, 90.0), 0.61, sure=False, cocked=True)
    shown = draw(tray, Reading((800, 600), (unsure,)))
    assert caption(unsure) == "3/? 61"
    assert np.array_equal(tray, kept)
    assert not np.array_equal(shown, tray)


# --- the command --------------------------------------------------------------------------------------------------------


def brehon_read(*args: str) -> int:
    parser = argparse.ArgumentParser()
    read.add_parser(parser.add_subparsers())
    parsed = parser.parse_args(["read", *args])
    status: int = parsed.run(parsed)
    return status


@pytest.fixture
def picture(tmp_path: Path, tray: Picture) -> Path:
    path = tmp_path / "a.png"
    cv2.imwrite(str(path), tray)
    return path


def test_json_has_one_object_a_line_in_the_documented_shape(picture: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert brehon_read("--json", str(picture), str(picture)) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert len(lines) == 2
    assert list(lines[0]) == ["file", "size", "sure", "ms", "dice", "sticks"]
    assert lines[0]["file"] == str(picture)
    assert lines[0]["size"] == [800, 600]
    assert [(d["face"], d["colour"], d["sure"]) for d in lines[0]["dice"]] == [(5, "red", True), (2, "green", True)]
    assert list(lines[0]["dice"][0]) == ["face", "colour", "box", "confidence", "sure", "cocked", "stacked", "cut_off"]


def test_a_broken_file_is_named_and_the_others_are_read(tmp_path: Path, picture: Path, capfd: pytest.CaptureFixture[str]) -> None:
    broken = tmp_path / "b.jpg"
    broken.write_text("no picture")
    assert brehon_read("--json", str(broken), str(picture)) == 1
    out, err = capfd.readouterr()
    first, second = (json.loads(line) for line in out.splitlines())
    assert list(first) == ["file", "error"]
    assert len(second["dice"]) == 2
    assert err == ""


def test_people_get_a_line_a_picture(picture: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert brehon_read(str(picture)) == 0
    assert capsys.readouterr().out == f"{picture}: red 5, green 2\n"


def test_a_profile_names_the_clans(tmp_path: Path, picture: Path, capsys: pytest.CaptureFixture[str]) -> None:
    profile = tmp_path / "clans.json"
    profile.write_text('{"colours": {"green": "MacLeod"}}')
    assert brehon_read("--json", "--profile", str(profile), str(picture)) == 0
    assert [d["colour"] for d in json.loads(capsys.readouterr().out)["dice"]] == ["red", "MacLeod"]


@pytest.mark.parametrize("text", ["green: MacLeod", "[]", '{"colours": {"tartan": "MacLeod"}}', '{"colours": {"green": 3}}'])
def test_a_profile_that_cannot_be_used_is_refused_in_one_sentence(tmp_path: Path, picture: Path, text: str) -> None:
    profile = tmp_path / "clans.json"
    profile.write_text(text)
    with pytest.raises(BrehonError, match="the profile"):
        brehon_read("--profile", str(profile), str(picture))


def test_overlays_are_written_where_asked(tmp_path: Path, picture: Path) -> None:
    assert brehon_read("--overlay", str(tmp_path / "seen"), str(picture)) == 0
    shown = cv2.imread(str(tmp_path / "seen" / "a.png"))
    assert shown is not None
    assert shown.shape == (600, 800, 3)
