"""`brehon watch`: the lines of filmed throws, and the refusal of recordings that cannot be watched."""

from __future__ import annotations

import io
import itertools
import json
from collections.abc import Callable
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

import cv2
import pytest

from table.__main__ import main
from tests.footage import FPS, Footage, footage_of, write_video

WatchJson = Callable[..., list[dict[str, Any]]]


@pytest.fixture(scope="module")
def footage() -> Footage:
    """The frames and faces of two throws: one green die, then two red ones."""
    return footage_of(["green"], ["red", "red"])


@pytest.fixture(scope="module")
def video(footage: Footage, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The recording of both throws."""
    return write_video(tmp_path_factory.mktemp("video") / "throws.avi", footage.pictures)


@pytest.fixture(scope="module")
def printed(video: Path) -> list[dict[str, Any]]:
    """The lines that `brehon watch --json` prints of the recording, without a game."""
    with redirect_stdout(io.StringIO()) as out:
        assert main(["watch", str(video), "--json"]) == 0
    return _printed_lines(out.getvalue())


@pytest.fixture
def watch_json(capsys: pytest.CaptureFixture[str]) -> WatchJson:
    """Runs `brehon watch --json` with these arguments and returns the lines it prints."""

    def run(*args: str | Path) -> list[dict[str, Any]]:
        assert main(["watch", *map(str, args), "--json"]) == 0
        return _printed_lines(capsys.readouterr().out)

    return run


def _printed_lines(output: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in output.splitlines()]


def values_of(key: str, printed_lines: list[dict[str, Any]]) -> list[Any]:
    """The values of this key, from the lines that have it."""
    return [line[key] for line in printed_lines if key in line]


def test_throws_without_a_game_belong_to_nobody(footage: Footage, printed: list[dict[str, Any]]) -> None:
    accepted = values_of("accepted", printed)
    assert [sorted(a["faces"]) for a in accepted] == [sorted(f) for f in footage.faces]
    assert [a["colours"] for a in accepted] == [["green"], ["red", "red"]]
    assert {(a["at"], a["player"]) for a in accepted} == {(None, None)}
    assert values_of("ruling", printed) == values_of("asked", printed) == []


def test_states_of_the_tray_have_the_names_of_the_page(printed: list[dict[str, Any]]) -> None:
    states = values_of("state", printed)
    assert states[0] == "EMPTY"
    assert [a for a, b in itertools.pairwise(states) if a == b] == []
    assert states.count("ACCEPTED") == 2
    at_rest = states.index("ACCEPTED")
    assert states[at_rest - 2 : at_rest] == ["SETTLING", "READING"]


def test_times_are_seconds_of_the_recording(footage: Footage, watch_json: WatchJson, tmp_path: Path) -> None:
    printed = watch_json(write_video(tmp_path / "throws.avi", footage.pictures, fps=15))
    times = [line["t"] for line in printed]
    assert times == sorted(times)
    assert printed[-1] == {"t": pytest.approx((len(footage.pictures) - 1) / 15, abs=0.001), "ended": True}


def test_a_reading_has_the_keys_of_brehon_read(printed: list[dict[str, Any]]) -> None:
    reading = values_of("reading", printed)[1]
    assert reading.keys() >= {"size", "sure", "ms", "dice", "sticks"}
    (die,) = reading["dice"]
    assert die.keys() >= {"face", "colour", "box", "confidence", "sure", "cocked"}


def test_with_a_game_throws_belong_to_its_players(
    footage: Footage, video: Path, watch_json: WatchJson
) -> None:
    printed = watch_json(video, "--game", "pig", "--players", "Cú,Ben", "--set", "start=Cú")
    (accepted,) = values_of("accepted", printed)
    assert accepted == {"at": 0, "player": "Cú", "faces": footage.faces[0], "colours": ["green"]}
    assert [r["kind"] for r in values_of("ruling", printed)][-1] in ("foul", "void")


def test_the_same_recording_gives_the_same_lines(
    video: Path, printed: list[dict[str, Any]], watch_json: WatchJson
) -> None:
    assert _without_reading_time(watch_json(video)) == _without_reading_time(printed)


def test_without_json_events_are_printed_as_text(
    footage: Footage, video: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["watch", str(video)]) == 0
    printed = capsys.readouterr().out
    assert f"threw {footage.faces[0][0]}\n" in printed
    assert f"read green {footage.faces[0][0]}\n" in printed
    assert printed.splitlines()[-1].endswith("the recording ends")


# --- the place of the tray ----------------------------------------------------------------------------------


def calibration(path: Path, left: float, right: float) -> Path:
    corners = [[left, 0.0], [right, 0.0], [right, 1.0], [left, 1.0]]
    path.write_text(
        json.dumps({"version": 1, "corners": corners, "strip": None, "size_mm": None, "markers": []})
    )
    return path


def test_dice_outside_the_calibrated_tray_are_no_throw(
    footage: Footage, video: Path, printed: list[dict[str, Any]], watch_json: WatchJson, tmp_path: Path
) -> None:
    green_die = values_of("reading", printed)[1]["dice"][0]
    middle = (green_die["box"][0] + green_die["box"][2] / 2) / footage.pictures[0].shape[1]
    away_from_die = (0.0, middle - 0.12) if middle > 0.5 else (middle + 0.12, 1.0)
    whole_picture = (0.0, 1.0)
    expected_faces = {whole_picture: footage.faces[:1], away_from_die: []}
    for (left, right), expected in expected_faces.items():
        file = calibration(tmp_path / "calibration.json", left, right)
        accepted = values_of("accepted", watch_json(video, "--calibration", file))
        assert [a["faces"] for a in accepted if a["colours"] == ["green"]] == expected


# --- the end of a recording ---------------------------------------------------------------------------------


def test_dice_at_rest_in_the_last_frames_are_read(
    footage: Footage, printed: list[dict[str, Any]], watch_json: WatchJson, tmp_path: Path
) -> None:
    cut = footage.pictures[: round((_first_settling_s(printed) + 0.14) * FPS)]
    of_cut = watch_json(write_video(tmp_path / "cut.avi", cut))
    assert [a["faces"] for a in values_of("accepted", of_cut)] == footage.faces[:1]
    assert max(line["t"] for line in of_cut) == pytest.approx((len(cut) - 1) / FPS, abs=0.001)


def test_dice_that_roll_in_the_last_frames_are_not_read(
    footage: Footage, printed: list[dict[str, Any]], watch_json: WatchJson, tmp_path: Path
) -> None:
    cut = footage.pictures[: round((_first_settling_s(printed) + 0.02) * FPS)]
    assert values_of("accepted", watch_json(write_video(tmp_path / "cut.avi", cut))) == []


def test_a_truncated_recording_is_ruled_up_to_its_last_frame(
    footage: Footage, watch_json: WatchJson, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    whole = write_video(tmp_path / "whole.avi", footage.pictures).read_bytes()
    broken = tmp_path / "broken.avi"
    broken.write_bytes(whole[: round(0.6 * len(whole))])
    assert main(["watch", str(broken), "--json"]) == 1
    out, err = capsys.readouterr()
    printed = _printed_lines(out)
    assert [a["faces"] for a in values_of("accepted", printed)] == footage.faces[:1]
    assert printed[-1]["ended"] is True
    assert err.startswith(f"brehon: {broken} breaks off after ")


# --- a sequence of pictures ---------------------------------------------------------------------------------


def test_a_folder_of_pictures_is_a_recording_with_fps(
    footage: Footage, watch_json: WatchJson, tmp_path: Path
) -> None:
    for n, picture in enumerate(footage.pictures[:110]):
        cv2.imwrite(str(tmp_path / f"frame{n}.jpg"), picture)
    for recording in ([tmp_path], [tmp_path / f"frame{n}.jpg" for n in range(110)]):
        printed = watch_json(*recording, "--fps", "30")
        assert [a["faces"] for a in values_of("accepted", printed)] == footage.faces[:1]
        assert printed[-1]["t"] == pytest.approx(109 / 30, abs=0.001)


def test_a_damaged_picture_is_skipped_and_reported(
    footage: Footage, watch_json: WatchJson, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for n, picture in enumerate(footage.pictures[:110]):
        cv2.imwrite(str(tmp_path / f"frame{n:03}.jpg"), picture)
    (tmp_path / "frame100.jpg").write_bytes(b"\xff\xd8 no more")
    assert main(["watch", str(tmp_path), "--fps", "30", "--json"]) == 1
    out, err = capsys.readouterr()
    assert [a["faces"] for a in values_of("accepted", _printed_lines(out))] == footage.faces[:1]
    assert err.startswith("brehon: 1 of 110 pictures could not be read; the first: ")


# --- what is refused ----------------------------------------------------------------------------------------


def refusal(capsys: pytest.CaptureFixture[str], *line: str | Path, status: int = 1) -> str:
    assert main(["watch", *map(str, line)]) == status
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    return err


def test_files_that_are_no_recording_are_refused(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert "there is no video" in refusal(capsys, tmp_path / "missing.mp4")
    for name, data in {"empty.mp4": b"", "notes.mp4": b"no video\n" * 40}.items():
        (tmp_path / name).write_bytes(data)
        assert f"{name} cannot be opened as a video" in refusal(capsys, tmp_path / name)
    (tmp_path / "folder").mkdir()
    assert "there are no pictures in" in refusal(capsys, tmp_path / "folder", "--fps", "10")


def test_a_video_without_its_index_is_refused(
    footage: Footage, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    whole = write_video(tmp_path / "whole.mp4", footage.pictures[:40], codec="mp4v").read_bytes()
    (tmp_path / "cut.mp4").write_bytes(whole[: len(whole) // 2])
    assert "cut.mp4 cannot be opened as a video" in refusal(capsys, tmp_path / "cut.mp4")


def test_a_video_without_a_picture_is_refused(
    footage: Footage, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    whole = write_video(tmp_path / "whole.avi", footage.pictures[:5]).read_bytes()
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
def test_options_that_do_not_fit_together_are_refused(
    line: list[str],
    why: str,
    footage: Footage,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    write_video(tmp_path / "throw.avi", footage.pictures[:5])
    assert why in refusal(capsys, *line, status=1 if "calibration" in why else 2)


def _first_settling_s(printed: list[dict[str, Any]]) -> float:
    """The time at which the dice of the first throw are slow, s."""
    accepted = next(i for i, line in enumerate(printed) if line.get("state") == "ACCEPTED")
    return float(next(line["t"] for line in reversed(printed[:accepted]) if line.get("state") == "SETTLING"))


def _without_reading_time(printed: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [
        {**line, "reading": {key: value for key, value in line["reading"].items() if key != "ms"}}
        if "reading" in line
        else line
        for line in printed
    ]
