"""`brehon read`: its lines, its JSON, its overlays and its refusals."""

from __future__ import annotations

import argparse
import json
import os
import shutil
from pathlib import Path

import cv2
import numpy as np
import pytest

from table.commands import read
from table.common.errors import BrehonError, PictureUnreadable
from tests.vision.marked_sticks import FACES, enrolled, marked
from tests.vision.test_enrolled_coins import laid
from vision.frames import Picture
from vision.picture_files import load
from vision.reading.coin_finder import find_discs
from vision.reading.enrolled_coins import COIN_FACES, NO_COINS
from vision.readings import Reading
from vision.simulation import SimDie, render_still


@pytest.fixture(scope="module")
def tray() -> Picture:
    dice = [SimDie(5, "red", -60, 40, 0.2), SimDie(2, "green", 50, -30, 0.9)]
    return render_still(dice, np.random.default_rng(1), (800, 600))


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


def test_json_has_one_object_per_line_with_the_documented_keys(
    picture: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert brehon_read("--json", str(picture), str(picture)) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert len(lines) == 2
    assert list(lines[0]) == ["file", "size", "sure", "ms", "dice", "sticks"]
    assert lines[0]["file"] == str(picture)
    assert lines[0]["size"] == [800, 600]
    assert [(d["face"], d["colour"], d["sure"]) for d in lines[0]["dice"]] == [
        (5, "red", True),
        (2, "green", True),
    ]
    assert list(lines[0]["dice"][0]) == [
        "face",
        "colour",
        "box",
        "confidence",
        "sure",
        "cocked",
        "stacked",
        "cut_off",
    ]


def test_a_broken_file_is_named_and_the_others_are_read(
    tmp_path: Path, picture: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    broken = tmp_path / "b.jpg"
    broken.write_text("no picture")
    assert brehon_read("--json", str(broken), str(picture)) == 1
    out, err = capfd.readouterr()
    first, second = (json.loads(line) for line in out.splitlines())
    assert list(first) == ["file", "error"]
    assert len(second["dice"]) == 2
    assert err == ""


@pytest.mark.parametrize("name", ["x" * 300 + ".jpg", "loop.jpg", "a\0b.jpg"])
def test_a_path_that_cannot_be_resolved_is_named_and_the_others_are_read(
    tmp_path: Path, picture: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "loop.jpg").symlink_to("loop.jpg")
    assert brehon_read("--json", str(tmp_path / name), str(picture)) == 1
    first, second = (json.loads(line) for line in capsys.readouterr().out.splitlines())
    assert first["error"].startswith(f"{first['file']} cannot be opened: ")
    assert len(second["dice"]) == 2


@pytest.mark.skipif(os.geteuid() == 0, reason="no folder is closed to root")
def test_a_folder_without_permission_is_reported(tmp_path: Path) -> None:
    closed = tmp_path / "closed"
    closed.mkdir(0)
    try:
        with pytest.raises(PictureUnreadable, match="cannot be opened: Permission denied"):
            load(closed / "a.jpg")
    finally:
        closed.chmod(0o700)


def test_without_json_each_picture_gets_one_line(picture: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert brehon_read(str(picture)) == 0
    assert capsys.readouterr().out == f"{picture}: red 5, green 2\n"


def test_a_profile_names_the_clans(tmp_path: Path, picture: Path, capsys: pytest.CaptureFixture[str]) -> None:
    profile = tmp_path / "clans.json"
    profile.write_text('{"colours": {"green": "MacLeod"}}')
    assert brehon_read("--json", "--profile", str(profile), str(picture)) == 0
    assert [d["colour"] for d in json.loads(capsys.readouterr().out)["dice"]] == ["red", "MacLeod"]


@pytest.mark.parametrize(
    "text", ["green: MacLeod", "[]", '{"colours": {"tartan": "MacLeod"}}', '{"colours": {"green": 3}}']
)
def test_a_profile_that_cannot_be_used_is_refused_in_one_sentence(
    tmp_path: Path, picture: Path, text: str
) -> None:
    profile = tmp_path / "clans.json"
    profile.write_text(text)
    with pytest.raises(BrehonError, match="the profile"):
        brehon_read("--profile", str(profile), str(picture))


def test_a_table_s_own_sticks_are_named_as_it_was_taught(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    picture, taught = tmp_path / "stick.png", tmp_path / "sticks.json"
    cv2.imwrite(str(picture), marked("horse", 10, 5)[0])
    taught.write_text(json.dumps(enrolled(*FACES).to_json()))
    brehon_read("--json", "--sticks", str(taught), str(picture))
    (stick,) = json.loads(capsys.readouterr().out)["sticks"]
    assert (stick["face"], stick["sure"]) == ("horse", True)
    brehon_read("--json", str(picture))
    (stick,) = json.loads(capsys.readouterr().out)["sticks"]
    assert not stick["sure"]


@pytest.mark.parametrize("text", [None, "horse", "[]", '{"horse": [[1, 2]]}'])
def test_a_file_of_sticks_that_cannot_be_used_is_refused_in_one_sentence(
    tmp_path: Path, picture: Path, text: str | None
) -> None:
    taught = tmp_path / "sticks.json"
    if text is not None:
        taught.write_text(text)
    with pytest.raises(BrehonError, match="the file of sticks"):
        brehon_read("--sticks", str(taught), str(picture))


def test_coins_are_read_only_where_the_option_asks_for_them(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    coins, taught = NO_COINS, tmp_path / "coins.json"
    for seed in range(2):
        for face in COIN_FACES:
            shown = laid([face] * 4, seed)
            coins = coins.with_coins(face, shown, find_discs(shown))
    taught.write_text(json.dumps(coins.to_json()))
    picture = tmp_path / "coins.png"
    cv2.imwrite(str(picture), laid(["heads", "heads", "tails", "tails"], 9))
    brehon_read("--json", "--coins", str(taught), str(picture))
    faces = sorted(stick["face"] for stick in json.loads(capsys.readouterr().out)["sticks"])
    assert faces == ["heads", "heads", "tails", "tails"]
    brehon_read("--json", str(picture))
    assert json.loads(capsys.readouterr().out)["sticks"] == []


@pytest.mark.parametrize("text", [None, "heads", "[]", "{}", '{"heads": [[1, 2]]}'])
def test_a_file_of_coins_that_cannot_be_used_is_refused_in_one_sentence(
    tmp_path: Path, picture: Path, text: str | None
) -> None:
    taught = tmp_path / "coins.json"
    if text is not None:
        taught.write_text(text)
    with pytest.raises(BrehonError, match="the file of coins"):
        brehon_read("--coins", str(taught), str(picture))


def test_overlays_are_written_where_asked(tmp_path: Path, picture: Path) -> None:
    assert brehon_read("--overlay", str(tmp_path / "seen"), str(picture)) == 0
    shown = cv2.imread(str(tmp_path / "seen" / "a.png.seen.png"))
    assert shown is not None
    assert shown.shape == (600, 800, 3)


def test_an_overlay_replaces_no_photograph_and_only_overlays_of_an_earlier_run(
    tmp_path: Path, picture: Path
) -> None:
    photograph = tmp_path / "a.jpg"
    decoded = cv2.imread(str(picture))
    assert decoded is not None
    cv2.imwrite(str(photograph), decoded)
    (tmp_path / "a.jpg.seen.png").symlink_to(picture)
    before = picture.read_bytes(), photograph.read_bytes()
    for _ in range(2):
        assert brehon_read("--overlay", str(tmp_path), str(photograph)) == 0
    assert (picture.read_bytes(), photograph.read_bytes()) == before
    assert sorted(p.name for p in tmp_path.iterdir()) == ["a.jpg", "a.jpg.seen.png", "a.png"]


def test_overlays_of_one_run_are_numbered_where_pictures_share_a_name(tmp_path: Path, picture: Path) -> None:
    overlays = read.Overlays(tmp_path / "seen")
    for folder, name in [("x", "1.png"), ("y", "1.png"), ("x", "1.png-2"), ("y", "1.PNG")]:
        (tmp_path / folder).mkdir(exist_ok=True)
        photograph = tmp_path / folder / name
        shutil.copy(picture, photograph)
        overlays.write(photograph, Reading((800, 600), ()))
    names = ["1.PNG-3.seen.png", "1.png-2-2.seen.png", "1.png-2.seen.png", "1.png.seen.png"]
    assert sorted(p.name for p in (tmp_path / "seen").iterdir()) == names


def test_an_overlay_that_cannot_be_written_is_named_and_the_others_are_read(
    tmp_path: Path, picture: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "seen" / "a.png.seen.png").mkdir(parents=True)
    assert brehon_read("--overlay", str(tmp_path / "seen"), str(picture), str(picture)) == 1
    first, second = capsys.readouterr().out.splitlines()
    assert first.startswith(f"{picture}: {tmp_path}/seen/a.png.seen.png cannot be written (")
    assert second == f"{picture}: red 5, green 2"


def test_a_folder_for_overlays_that_cannot_be_made_is_named(picture: Path) -> None:
    with pytest.raises(
        BrehonError, match=r"the folder .*a.png cannot be made \(File exists\); give another with --overlay"
    ):
        brehon_read("--overlay", str(picture), str(picture))
