"""What the page gives to print: the kit and the blank sheet of each game."""

from __future__ import annotations

from pathlib import Path

import pytest

from table.__main__ import main
from table.page.looks import BURST
from tests.page.conftest import Guest, SitDown
from tests.page.fake_table import FakeTable
from tests.page.serving import served


@pytest.fixture
def guest(sit_down: SitDown) -> Guest:
    return sit_down()


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_the_page_gives_the_same_kit_as_the_command(guest: Guest, tmp_path: Path, paper: str) -> None:
    out = tmp_path / "kit.pdf"
    assert main(["print", "pig", "--paper", paper, "--out", str(out)]) == 0
    answer = guest.http.get(f"/api/games/pig/kit.pdf?paper={paper}")
    assert (answer.status_code, answer.mimetype) == (200, "application/pdf")
    assert answer.headers["Content-Disposition"] == f'attachment; filename="brehon-pig-{paper}.pdf"'
    assert answer.data == out.read_bytes()


def test_the_page_gives_a_blank_sheet_on_a4_by_default(guest: Guest, tmp_path: Path) -> None:
    out = tmp_path / "sheet.pdf"
    assert main(["export", "--blank", "highland", "--out", str(out)]) == 0
    answer = guest.http.get("/api/games/highland/sheet.pdf")
    assert answer.headers["Content-Disposition"] == 'attachment; filename="brehon-highland-sheet-a4.pdf"'
    assert answer.data == out.read_bytes()


@pytest.mark.parametrize(
    ("path", "status", "why"),
    [
        ("chess/kit.pdf", 404, "There is no game with the name 'chess'; GET /api/games lists them."),
        ("chess/sheet.pdf", 404, "There is no game with the name 'chess'; GET /api/games lists them."),
        ("pig/kit.pdf?paper=a3", 400, "“paper” is a4 or letter, not 'a3'."),
        ("pig/board.pdf", 404, "There is nothing at this address; GET /api lists all addresses."),
    ],
)
def test_what_cannot_be_printed_is_refused(guest: Guest, path: str, status: int, why: str) -> None:
    answer = guest.http.get(f"/api/games/{path}")
    assert (answer.status_code, answer.get_json()["error"]) == (status, why)


def test_kits_are_not_made_without_end(guest: Guest) -> None:
    statuses = [guest.http.get("/api/games/pig/kit.pdf").status_code for _ in range(10 * BURST)]
    assert (statuses[0], statuses[-1]) == (200, 429)


@pytest.mark.browser
def test_the_rules_and_the_sheet_link_to_what_can_be_printed(tmp_path: Path, browser) -> None:
    with served(FakeTable(tmp_path, "sigily", "Ann", "Ben", start="Ann")) as server:
        page = browser.new_page(viewport={"width": 390, "height": 844})
        page.goto(server.url)
        for tab in ("#tab-rules", "#tab-sheet"):
            page.locator(tab).click()
            link = page.get_by_role("link", name="Print this game, Letter")
            box = link.bounding_box()
            assert box is not None
            assert min(box["width"], box["height"]) >= 44
            with page.expect_download() as download:
                link.click()
            assert download.value.suggested_filename == "brehon-sigily-letter.pdf"
            assert download.value.path().read_bytes().startswith(b"%PDF")
            assert page.get_by_role("link", name="Blank sheet, A4").is_visible()
        page.close()
