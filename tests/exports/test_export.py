"""Exported score sheets: on the command line, and by the page's API."""

from __future__ import annotations

import csv
import io
import json
import os
import shutil
import subprocess
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from table.__main__ import main
from table.common.tray import TrayState
from table.exports.archive import NICENESS
from table.exports.csv_text import csv_of
from table.exports.played import PlayedMatch
from table.games import game
from table.page.looks import BURST
from table.referee.actions import SubmitAnswer
from table.rules.answers import Bid, Throw
from tests.page.conftest import Guest
from tests.page.fake_table import FakeTable
from tests.page.serving import served
from tests.page.situations import situations
from tests.paper.pages import letter_sizes


@pytest.fixture
def played(tmp_path: Path) -> FakeTable:
    """A table with a match of Pig that is over, and one of Highland that goes on. A throw was typed."""
    table = FakeTable(tmp_path, "pig", "Ann:green", "=Ben:red", start="Ann")
    evening = table.evening
    evening.throws(1)
    evening.loses_sight()
    evening.does(SubmitAnswer(evening.now.number, Throw.of(6)))
    evening.settle()
    for _ in range(16):
        evening.chooses("roll")
        evening.throws(6)
    evening.chooses("hold")
    assert evening.match.outcome is not None
    evening.starts("highland", "Ann", "Ben", start="Ann")
    evening.throws(6)
    table.moves(TrayState.WAITING)
    return table


def export(folder: Path, capsys: pytest.CaptureFixture[str], *options: str) -> tuple[int, str, str]:
    status = main(["export", "--data", str(folder), *options])
    output = capsys.readouterr()
    return status, output.out, output.err


def rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def test_a_match_is_exported_as_csv(
    played: FakeTable, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status, text, _ = export(tmp_path, capsys, "1")
    assert status == 0
    (ann, ben) = rows(text)
    assert (ann["game"], ann["player"], ann["points"]) == ("Pig", "Ann", "0")
    assert ann["reason"] == "1: the 1 takes the turn"
    assert (ben["points"], ben["typed"], ben["score"], ben["won"]) == ("102", "yes", "102", "yes")
    assert (ann["typed"], ann["score"], ann["won"], ann["ended"]) == ("", "0", "", "")
    assert (ann["entry"], ben["entry"]) == ("1", "1"), "the first turn of each"


def test_every_export_has_the_bids_of_a_round(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = FakeTable(tmp_path, "liars_dice", "Ann", "Ben", start="Ann")
    evening = table.evening
    for option in ("ready", "ready"):
        evening.chooses(option)
    evening.does(SubmitAnswer(evening.now.number, Bid(4, 3)))
    evening.chooses("call")
    evening.throws(3, 3, 3, 3, 2)
    evening.throws(5, 5, 6, 6, 2)
    said = "Ann bid four 3s; Ben called it a lie: four dice count"
    assert [row["row_note"] for row in rows(export(tmp_path, capsys, "1")[1])] == ["", "", said]
    (told,) = map(json.loads, export(tmp_path, capsys, "1", "--format", "json")[1].splitlines())
    assert told["row_notes"] == [{"row": 1, "text": said}]
    out = tmp_path / "sheet.pdf"
    assert export(tmp_path, capsys, "1", "--out", str(out))[0] == 0
    assert said in pdf_text(out)


def test_the_bids_of_the_round_that_is_on_are_exported(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = FakeTable(tmp_path, "liars_dice", "Ann", "Ben", start="Ann")
    evening = table.evening
    for option in ("ready", "ready"):
        evening.chooses(option)
    evening.does(SubmitAnswer(evening.now.number, Bid(2, 3)))
    evening.does(SubmitAnswer(evening.now.number, Bid(3, 3)))
    said = "Ann bid two 3s, Ben three 3s"
    *before, bids = rows(export(tmp_path, capsys, "1")[1])
    assert [row["row_note"] for row in before] == ["", ""]
    assert (bids["player"], bids["entry"], bids["points"], bids["row_note"]) == ("", "1", "", said)
    out = tmp_path / "sheet.pdf"
    assert export(tmp_path, capsys, "1", "--out", str(out))[0] == 0
    assert said in pdf_text(out)


def test_a_match_with_an_empty_sheet_has_a_row_too(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    FakeTable(tmp_path, "pig", "Ann", "Ben", start="Ann")
    (row,) = rows(export(tmp_path, capsys, "--all")[1])
    assert (row["match"], row["game"], row["player"], row["points"]) == ("1", "Pig", "", "")


def test_a_name_is_no_formula_in_a_spreadsheet(
    played: FakeTable, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _, text, _ = export(tmp_path, capsys, "1")
    assert rows(text)[1]["player"] == "'=Ben"


def test_the_newest_match_is_the_default_and_all_come_in_order(
    played: FakeTable, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _, text, _ = export(tmp_path, capsys, "--format", "json")
    (newest,) = map(json.loads, text.splitlines())
    assert (newest["match"], newest["game"], newest["phase"]) == (2, "highland", "play")
    _, text, _ = export(tmp_path, capsys, "--all", "--format", "json")
    first, second = map(json.loads, text.splitlines())
    assert second == newest
    assert (first["winners"], first["scores"]) == (["=Ben"], {"Ann": 0, "=Ben": 102})
    assert [throw.get("typed", False) for throw in first["throws"]] == [False, True] + [False] * 16
    assert "odds" not in first


def test_the_matches_are_listed_newest_first(
    played: FakeTable, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _, text, _ = export(tmp_path, capsys, "--list")
    assert [line.split()[0] for line in text.splitlines()] == ["2", "1"]
    assert text.splitlines()[1].endswith("pig                  Ann, =Ben")


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_a_pdf_has_the_sheet_and_is_never_written_over(
    played: FakeTable, tmp_path: Path, capsys: pytest.CaptureFixture[str], paper: str
) -> None:
    out = tmp_path / "sheet.pdf"
    status, said, _ = export(tmp_path, capsys, "1", "--out", str(out), "--paper", paper)
    assert (status, said) == (0, f"{out} is written.\n")
    text = pdf_text(out)
    for expected in ("Pig", "=Ben holds 102 and wins", "Who begins: Ann", "102*", "Total", "was typed"):
        assert expected in text, text
    status, _, error = export(tmp_path, capsys, "1", "--out", str(out))
    assert (status, error) == (
        1,
        f"brehon: {out} exists already; move it, or give another name with --out\n",
    )


def test_the_pdf_of_a_paper_game_has_the_lines_of_its_sheet(
    played: FakeTable, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "all.pdf"
    assert export(tmp_path, capsys, "--all", "--out", str(out))[0] == 0
    text = pdf_text(out)
    assert "Haggis Hurl" in text
    assert "Final scoring" in text
    assert text.count("\f") >= 2, "each match begins a page"


def test_a_minus_is_a_sign_for_people_and_a_hyphen_for_scripts(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = FakeTable(tmp_path, "cee_lo", "Ann", "Ben", start="Ann", stake="2")
    table.evening.throws(1, 2, 3)
    assert table.evening.match.scores["Ann"] < 0
    out = tmp_path / "sheet.pdf"
    assert export(tmp_path, capsys, "--out", str(out))[0] == 0
    text = pdf_text(out)
    assert "−2" in text
    assert " -2" not in text
    assert rows(export(tmp_path, capsys)[1])[0]["points"] == "-2"
    told = json.loads(export(tmp_path, capsys, "--format", "json")[1])
    assert told["scores"] == {"Ann": -2, "Ben": 2}


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ({}, " · the usual settings"),
        ({"home": "on"}, " · Home quadrant: On"),
        ({"magic": "on", "fireball": "off"}, " · Magic: On; Magic: Fireball: Off"),
    ],
)
def test_the_pdf_tells_only_the_settings_that_are_not_the_usual_ones(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], settings: dict[str, Any], told: str
) -> None:
    """Two players always have four chariots, which is no setting of theirs."""
    FakeTable(tmp_path, "sigily", "Ann", "Ben", **settings)
    out = tmp_path / "sheet.pdf"
    assert export(tmp_path, capsys, "--out", str(out))[0] == 0
    head = next(line for line in pdf_text(out).splitlines() if "match 1" in line)
    assert head.endswith(told)


def test_the_pdf_lists_throws_and_rulings_oldest_first_in_9_points(
    played: FakeTable, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "sheet.pdf"
    assert export(tmp_path, capsys, "1", "--out", str(out))[0] == 0
    listed = pdf_text(out).partition("Throws and rulings")[2]
    assert listed.index("Ann threw 1.") < listed.index("Ann threw a 1") < listed.index("Ben threw 6, typed.")
    assert min(letter_sizes(out)) >= 9


def test_names_in_any_script_come_into_the_pdf(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    FakeTable(tmp_path, "pig", "Gráinne", "李雷", "<b>&Bob</b>", start="Gráinne")
    out = tmp_path / "sheet.pdf"
    assert export(tmp_path, capsys, "--out", str(out))[0] == 0
    text = pdf_text(out)
    assert "Gráinne" in text
    assert "<b>&Bob</b>" in text


@pytest.mark.parametrize(
    ("options", "expected", "why"),
    [
        (["9"], 2, "there is no match 9; the newest is match 2"),
        (["--out", "no such folder/a.csv"], 1, "cannot be written"),
        (["--out", "x.docx"], 2, "is written as csv, json or pdf, not as .docx; change the ending, or give"),
        (["--all", "--out", "sheets.pfd"], 2, "not as .pfd"),
        (["--players", "4"], 2, "--players is for a blank sheet; give --blank GAME too"),
        (["--blank", "pig", "--out", "x.docx"], 2, "a blank sheet is a PDF, not .docx"),
    ],
)
def test_what_cannot_be_exported_is_said(
    played: FakeTable,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    options: list[str],
    expected: int,
    why: str,
) -> None:
    status, _, error = export(tmp_path, capsys, *options)
    assert status == expected
    assert why in error


def test_any_ending_is_taken_with_a_format(
    played: FakeTable, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "sheet.txt"
    assert export(tmp_path, capsys, "1", "--format", "csv", "--out", str(out))[0] == 0
    assert out.read_text().startswith("match,started")


def test_a_folder_without_a_log_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, _, error = export(tmp_path, capsys)
    assert status == 1
    assert "there is no log at" in error
    assert list(tmp_path.iterdir()) == []


def test_a_match_that_cannot_be_replayed_does_not_stop_the_others(
    played: FakeTable, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    played.evening.log._db.execute("UPDATE match SET game = 'chess' WHERE id = 1")
    status, text, error = export(tmp_path, capsys, "--all", "--format", "json")
    assert (status, [json.loads(line)["match"] for line in text.splitlines()]) == (1, [2])
    assert "match 1 cannot be exported" in error


# -- by the page ---------------------------------------------------------------------------------------------


def test_the_page_gives_the_same_files(
    played: FakeTable, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    guest = Guest(played)
    listed = guest.http.get("/api/matches").get_json()["matches"]
    assert [(each["match"], each["game"]) for each in listed] == [(2, "highland"), (1, "pig")]
    assert listed[1]["players"] == ["Ann", "=Ben"]
    answer = guest.http.get("/api/matches/1.csv")
    assert answer.headers["Content-Disposition"] == 'attachment; filename="brehon-match-1.csv"'
    assert answer.mimetype == "text/csv"
    assert rows(answer.get_data(as_text=True)) == rows(export(tmp_path, capsys, "1")[1])
    assert guest.http.get("/api/matches/last.pdf").data.startswith(b"%PDF")
    assert guest.http.get("/api/matches/all.json").data.count(b"\n") == 2


def test_a_file_of_all_matches_is_made_by_a_process_that_gives_way(
    played: FakeTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A hundred pages take a Pi a minute, and its memory."""
    here = os.getpid()
    monkeypatch.setattr("table.exports.archive._file_of_all", _made_by)
    pid, niceness = Guest(played).http.get("/api/matches/all.pdf").get_data(as_text=True).split()
    assert int(pid) != here
    assert int(niceness) >= min(19, os.nice(0) + NICENESS)


def _made_by(log: Path, kind: str, paper: str) -> bytes:
    return f"{os.getpid()} {os.nice(0)}".encode()


def test_each_entry_has_its_part_of_the_paper_sheet_and_none_is_a_formula() -> None:
    day = next(each for each in situations("highland") if each.kind == "over")
    now = datetime.now(UTC)
    lines = rows(csv_of([PlayedMatch(1, game("highland"), day.match, now, now, "")]))
    entries = {(row["part"], row["entry"]) for row in lines}
    assert {
        ("Farmer's Dash", "Farmer's Dash"),
        ("Farmer's Dash", "1st set"),
        ("Haggis Hurl", "Att #2"),
    } < entries
    assert {("Hammer Throw", "Att #2"), ("Shot Put", "Att #2")} < entries, "which attempt it was"
    assert not any(row["entry"].startswith(("=", "+", "'", "OR")) for row in lines)


@pytest.mark.parametrize(
    ("path", "status", "why"),
    [
        ("9.pdf", 404, "there is no match 9"),
        ("9", 404, "there is no match 9; the newest is match 2"),
        (f"{10**30}", 404, ""),
        ("1.doc", 400, "A sheet comes as csv, json or pdf"),
        ("first.csv", 400, "A match has a number"),
        (f"{10**30}.csv", 400, "A match has a number"),
    ],
)
def test_a_sheet_that_is_not_there_is_refused(played: FakeTable, path: str, status: int, why: str) -> None:
    answer = Guest(played).http.get(f"/api/matches/{path}")
    assert answer.status_code == status
    assert why in answer.get_json()["error"]


def test_a_played_match_is_told_as_the_last_one_is(played: FakeTable) -> None:
    http = Guest(played).http
    told = http.get("/api/matches/1").get_json()["match"]
    assert (told["id"], told["game"], told["title"]) == (1, "pig", "Pig")
    listed = http.get("/api/matches").get_json()["matches"][1]
    assert (listed["title"], listed["started"]) == ("Pig", told["started"])


def test_before_the_first_match_there_is_none(tmp_path: Path) -> None:
    answer = Guest(FakeTable(tmp_path, "")).http.get("/api/matches/3")
    assert answer.status_code == 404
    assert answer.get_json()["error"] == "there is no match 3; no match was played yet"


def test_sheets_are_not_made_without_end(played: FakeTable) -> None:
    guest = Guest(played)
    statuses = [guest.http.get("/api/matches/1.json").status_code for _ in range(10 * BURST)]
    assert 200 in statuses
    assert statuses[-1] == 429


@pytest.mark.browser
def test_the_sheet_on_the_page_links_to_its_files(played: FakeTable, browser) -> None:
    with served(played) as server:
        page = browser.new_page()
        page.goto(server.url)
        page.locator("#tab-sheet").click()
        with page.expect_download() as download:
            page.get_by_role("link", name="PDF").click()
        assert download.value.suggested_filename == "brehon-match-2.pdf"
        assert download.value.path().read_bytes().startswith(b"%PDF")
        page.close()


def pdf_text(path: Path) -> str:
    """The text of a PDF, as pdftotext of poppler reads it."""
    assert path.read_bytes().startswith(b"%PDF")
    if shutil.which("pdftotext") is None:
        pytest.skip("pdftotext is not installed (package poppler-utils)")
    done = subprocess.run(["pdftotext", "-layout", str(path), "-"], capture_output=True, check=True)
    return done.stdout.decode()
