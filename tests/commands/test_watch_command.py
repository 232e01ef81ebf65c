"""`brehon watch`: what it prints of a filmed throw, and what it says of recordings that cannot be watched."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import pytest

from table.__main__ import main
from tests.footage import FPS, throws_filmed, written
from vision.frames import Picture

Film = tuple[list[Picture], list[list[int]]]
Lines = Callable[..., list[dict[str, Any]]]


@pytest.fixture(scope="module")
def film() -> Film:
    """Two throws: one green die, then two red ones."""
    return throws_filmed(["green"], ["red", "red"])


@pytest.fixture
def lines(capsys: pytest.CaptureFixture[str]) -> Lines:
    def of(*line: str | Path, status: int = 0) -> list[dict[str, Any]]:
        assert main(["watch", *map(str, line), "--json"]) == status
        return [json.loads(said) for said in capsys.readouterr().out.splitlines()]

    return of


def only(what: str, lines: list[dict[str, Any]]) -> list[Any]:
    return [line[what] for line in lines if what in line]


def test_throws_are_accepted_as_free_without_a_game(film: Film, lines: Lines, tmp_path: Path) -> None:
    pictures, faces = film
    said = lines(written(tmp_path / "throws.avi", pictures))
    accepted = only("accepted", said)
    assert [sorted(a["faces"]) for a in accepted] == [sorted(f) for f in faces]
    assert [a["colours"] for a in accepted] == [["green"], ["red", "red"]]
    assert {(a["at"], a["player"]) for a in accepted} == {(None, None)}
    assert only("ruling", said) == only("asked", said) == []


def test_what_the_tray_does_is_told_in_the_pages_words(film: Film, lines: Lines, tmp_path: Path) -> None:
    said = lines(written(tmp_path / "throws.avi", film[0]))
    states = only("state", said)
    assert states[0] == "EMPTY"
    assert [a for a, b in itertools.pairwise(states) if a == b] == []
    assert states.count("ACCEPTED") == 2
    at_rest = states.index("ACCEPTED")
    assert states[at_rest - 2 : at_rest] == ["SETTLING", "READING"]


def test_lines_are_in_the_recordings_seconds(film: Film, lines: Lines, tmp_path: Path) -> None:
    said = lines(written(tmp_path / "throws.avi", film[0], fps=15))
    times = [line["t"] for line in said]
    assert times == sorted(times)
    assert said[-1] == {"t": pytest.approx((len(film[0]) - 1) / 15, abs=0.001), "ended": True}


def test_a_reading_is_told_as_read_tells_it(film: Film, lines: Lines, tmp_path: Path) -> None:
    reading = only("reading", lines(written(tmp_path / "throws.avi", film[0])))[1]
    assert reading.keys() >= {"size", "sure", "ms", "dice", "sticks"}
    (die,) = reading["dice"]
    assert die.keys() >= {"face", "colour", "box", "confidence", "sure", "cocked"}


def test_with_a_game_throws_are_its_players(film: Film, lines: Lines, tmp_path: Path) -> None:
    video = written(tmp_path / "throws.avi", film[0])
    said = lines(video, "--game", "pig", "--players", "Cú,Ben", "--set", "start=Cú")
    (accepted,) = only("accepted", said)
    assert accepted == {"at": 0, "player": "Cú", "faces": film[1][0], "colours": ["green"]}
    assert [r["kind"] for r in only("ruling", said)][-1] in ("foul", "void")


def test_the_same_recording_gives_the_same_lines(film: Film, lines: Lines, tmp_path: Path) -> None:
    video = written(tmp_path / "throws.avi", film[0][:80])
    first, second = (_timeless(lines(video)) for _ in range(2))
    assert first == second


def test_people_are_told_in_words(film: Film, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["watch", str(written(tmp_path / "throws.avi", film[0]))]) == 0
    said = capsys.readouterr().out
    assert f"threw {film[1][0][0]}\n" in said
    assert f"read green {film[1][0][0]}\n" in said
    assert said.splitlines()[-1].endswith("the recording ends")


# --- where the tray lies --------------------------------------------------------------------------------------------------


def calibration(path: Path, left: float, right: float) -> Path:
    corners = [[left, 0.0], [right, 0.0], [right, 1.0], [left, 1.0]]
    path.write_text(json.dumps({"version": 1, "corners": corners, "strip": None, "size_mm": None, "markers": []}))
    return path


def test_dice_outside_the_calibrated_tray_are_not_thrown(film: Film, lines: Lines, tmp_path: Path) -> None:
    video = written(tmp_path / "throws.avi", film[0])
    lying = only("reading", lines(video))[1]["dice"][0]
    middle = (lying["box"][0] + lying["box"][2] / 2) / film[0][0].shape[1]
    beside = (0.0, middle - 0.12) if middle > 0.5 else (middle + 0.12, 1.0)
    within = (0.0, 1.0)
    for (left, right), expected in ((within, film[1][:1]), (beside, [])):
        place = calibration(tmp_path / "calibration.json", left, right)
        accepted = only("accepted", lines(video, "--calibration", place))
        assert [a["faces"] for a in accepted if a["colours"] == ["green"]] == expected


# --- where recordings end -------------------------------------------------------------------------------------------------


def test_dice_that_just_came_to_rest_when_the_recording_ends_are_read(film: Film, lines: Lines, tmp_path: Path) -> None:
    rest = _first_rest(lines(written(tmp_path / "all.avi", film[0])))
    cut = film[0][: round((rest + 0.14) * FPS)]
    said = lines(written(tmp_path / "cut.avi", cut))
    assert [a["faces"] for a in only("accepted", said)] == film[1][:1]
    assert max(line["t"] for line in said) == pytest.approx((len(cut) - 1) / FPS, abs=0.001)


def test_dice_that_still_roll_when_the_recording_ends_are_not(film: Film, lines: Lines, tmp_path: Path) -> None:
    rest = _first_rest(lines(written(tmp_path / "all.avi", film[0])))
    said = lines(written(tmp_path / "cut.avi", film[0][: round((rest + 0.02) * FPS)]))
    assert only("accepted", said) == []


def test_a_recording_that_breaks_off_is_ruled_up_to_there(
    film: Film, lines: Lines, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    whole = written(tmp_path / "whole.avi", film[0]).read_bytes()
    broken = tmp_path / "broken.avi"
    broken.write_bytes(whole[: round(0.6 * len(whole))])
    assert main(["watch", str(broken), "--json"]) == 1
    out, err = capsys.readouterr()
    said = [json.loads(line) for line in out.splitlines()]
    assert [a["faces"] for a in only("accepted", said)] == film[1][:1]
    assert said[-1]["ended"] is True
    assert err.startswith(f"brehon: {broken} breaks off after ")


# --- pictures in a row ----------------------------------------------------------------------------------------------------


def test_a_folder_of_pictures_is_a_recording_with_fps(film: Film, lines: Lines, tmp_path: Path) -> None:
    for n, picture in enumerate(film[0][:110]):
        cv2.imwrite(str(tmp_path / f"frame{n}.jpg"), picture)
    for recording in ([tmp_path], [tmp_path / f"frame{n}.jpg" for n in range(110)]):
        said = lines(*recording, "--fps", "30")
        assert [a["faces"] for a in only("accepted", said)] == film[1][:1]
        assert said[-1]["t"] == pytest.approx(109 / 30, abs=0.001)


def test_a_spoiled_picture_is_passed_over_and_said(
    film: Film, lines: Lines, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for n, picture in enumerate(film[0][:110]):
        cv2.imwrite(str(tmp_path / f"frame{n:03}.jpg"), picture)
    (tmp_path / "frame100.jpg").write_bytes(b"\xff\xd8 no more")
    assert main(["watch", str(tmp_path), "--fps", "30", "--json"]) == 1
    out, err = capsys.readouterr()
    assert [a["faces"] for a in only("accepted", [json.loads(line) for line in out.splitlines()])] == film[1][:1]
    assert err.startswith("brehon: 1 of 110 pictures could not be read; the first: ")


# --- what cannot be watched -----------------------------------------------------------------------------------------------


def refusal(capsys: pytest.CaptureFixture[str], *line: str | Path) -> str:
    assert main(["watch", *map(str, line)]) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    return err


def test_what_is_no_recording_is_one_sentence(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert "there is no video" in refusal(capsys, tmp_path / "missing.mp4")
    for name, data in {"empty.mp4": b"", "notes.mp4": b"no video\n" * 40}.items():
        (tmp_path / name).write_bytes(data)
        assert f"{name} cannot be opened as a video" in refusal(capsys, tmp_path / name)
    (tmp_path / "folder").mkdir()
    assert "there are no pictures in" in refusal(capsys, tmp_path / "folder", "--fps", "10")


def test_a_video_that_lost_its_index_is_one_sentence(film: Film, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    whole = written(tmp_path / "whole.mp4", film[0][:40], codec="mp4v").read_bytes()
    (tmp_path / "cut.mp4").write_bytes(whole[: len(whole) // 2])
    assert "cut.mp4 cannot be opened as a video" in refusal(capsys, tmp_path / "cut.mp4")


def test_a_video_without_a_picture_is_one_sentence(film: Film, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    whole = written(tmp_path / "whole.avi", film[0][:5]).read_bytes()
    (tmp_path / "head.avi").write_bytes(whole[: whole.index(b"movi") + 64])
    assert "head.avi" in refusal(capsys, tmp_path / "head.avi")


@pytest.mark.parametrize(
    ("line", "why"),
    [
        (["throw.avi", "--players", "Ann,Ben"], "--players and --set need a game"),
        (["throw.avi", "--game", "chess"], "there is no game “chess”"),
        (["throw.avi", "--fps", "10"], "--fps is for pictures"),
        (["throw.avi", "throw.avi"], "pictures have no times"),
        (["throw.avi", "throw.avi", "--fps", "10"], "give one video at a time"),
        (["throw.avi", "--calibration", "missing.json"], "the calibration missing.json cannot be read"),
        (["throw.avi", "--calibration", "throw.avi"], "the calibration throw.avi is not JSON"),
        (["a.jpg"], "give the number of pictures a second, such as --fps 10"),
        (["a.jpg", "b.jpg", "--fps", "0"], "--fps must be more than 0"),
    ],
)
def test_a_line_that_means_nothing_is_one_sentence(
    line: list[str], why: str, film: Film, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    written(tmp_path / "throw.avi", film[0][:5])
    assert why in refusal(capsys, *line)


def _first_rest(said: list[dict[str, Any]]) -> float:
    """When the dice of the first throw were slow, s."""
    accepted = next(i for i, line in enumerate(said) if line.get("state") == "ACCEPTED")
    return float(next(line["t"] for line in reversed(said[:accepted]) if line.get("state") == "SETTLING"))


def _timeless(said: list[dict[str, Any]]) -> list[dict[str, Any]]:
    for line in said:
        line.get("reading", {}).pop("ms", None)
    return said
