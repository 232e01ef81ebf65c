"""`brehon mat`: its pages are true to scale, their markers are found, and no die is detected on them."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from table.__main__ import main
from tests.paper.pages import PX_PER_MM, needs_poppler, photographed, printed
from vision.frames import Picture
from vision.reading.reader import Reader
from vision.tray.mat import CARD_MARKER_MM, CARDS, SCALE_BAR_MM, SHEETS, find_markers, region_from_markers
from vision.tray.quads import in_px

KINDS = {"mat": (), "corners": ("--corners",), "plain": ("--plain",)}


def printed_page(folder: Path, *options: str) -> Picture:
    """The page as printed, at PX_PER_MM."""
    file = folder / "print.pdf"
    assert main(["mat", *options, "--out", str(file)]) == 0
    return printed(file)


@needs_poppler
@pytest.mark.parametrize("paper", SHEETS)
def test_the_mat_is_true_to_scale(tmp_path: Path, paper: str) -> None:
    sheet, page = SHEETS[paper], printed_page(tmp_path, "--paper", paper)
    assert (page.shape[1] / PX_PER_MM, page.shape[0] / PX_PER_MM) == pytest.approx(sheet.paper_mm, abs=0.2)
    seen = {
        marker.id: in_px(marker.corners, (page.shape[1], page.shape[0])) / PX_PER_MM
        for marker in find_markers(page)
    }
    assert seen.keys() == {marker.id for marker in sheet.markers}
    for marker in sheet.markers:
        assert seen[marker.id] == pytest.approx(marker.corners_mm, abs=0.15)


@needs_poppler
def test_the_scale_bar_is_as_long_as_its_label_says(tmp_path: Path) -> None:
    page, (x, y) = printed_page(tmp_path), SHEETS["a4"].bar_at_mm
    grey = cv2.cvtColor(page, cv2.COLOR_BGR2GRAY)
    column = grey[:, round(x * PX_PER_MM) - 2 : round(x * PX_PER_MM) + 3].min(axis=1)
    dark = np.flatnonzero(
        column[round((y - 5) * PX_PER_MM) : round((y + SCALE_BAR_MM + 5) * PX_PER_MM)] < 160
    )
    length_mm = (dark[-1] - dark[0]) / PX_PER_MM
    assert length_mm == pytest.approx(SCALE_BAR_MM, abs=0.6)  # the ends are as thick as the line


@needs_poppler
def test_the_cards_are_printed_at_the_size_that_the_calibration_expects(tmp_path: Path) -> None:
    page = printed_page(tmp_path, "--corners")
    seen = find_markers(page)
    assert [marker.id for marker in seen] == sorted(CARDS)
    for marker in seen:
        corners = in_px(marker.corners, (page.shape[1], page.shape[0])) / PX_PER_MM
        assert np.linalg.norm(np.roll(corners, 1, axis=0) - corners, axis=1) == pytest.approx(
            CARD_MARKER_MM, abs=0.2
        )


@needs_poppler
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("paper", SHEETS)
def test_no_die_is_detected_on_a_printed_page(tmp_path: Path, kind: str, paper: str) -> None:
    page, reader, rng = (
        printed_page(tmp_path, "--paper", paper, *KINDS[kind]),
        Reader(),
        np.random.default_rng(1),
    )
    for size_wh, turn in (((640, 480), 0), ((800, 600), 180), ((1280, 960), 3), ((1280, 960), 90)):
        picture = photographed(page, size_wh, turn, rng)
        assert reader.read(picture).dice == (), (size_wh, turn)
        if kind != "corners":
            assert region_from_markers(picture) is not None


# -- the command ---------------------------------------------------------------------------------------------


def test_the_command_says_how_to_print_the_mat(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["mat", "--paper", "letter"]) == 0
    said = capsys.readouterr().out
    assert "brehon-mat-letter.pdf is written. Print it at full size (100 %" in said
    assert (tmp_path / "brehon-mat-letter.pdf").read_bytes().startswith(b"%PDF-")


def test_an_existing_file_is_not_overwritten(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    own_file = tmp_path / "mine.pdf"
    own_file.write_text("my own")
    assert main(["mat", "--out", str(own_file)]) == 1
    assert (
        capsys.readouterr().err
        == f"brehon: {own_file} exists already; move it, or give another name with --out\n"
    )
    assert own_file.read_text() == "my own"


def test_a_missing_folder_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    missing = tmp_path / "nowhere" / "mat.pdf"
    assert main(["mat", "--corners", "--out", str(missing)]) == 1
    assert capsys.readouterr().err == (
        f"brehon: {missing} cannot be written (No such file or directory); give another name with --out\n"
    )


def test_the_same_mat_gives_the_same_file(tmp_path: Path) -> None:
    for name in ("one.pdf", "two.pdf"):
        main(["mat", "--out", str(tmp_path / name)])
    assert (tmp_path / "one.pdf").read_bytes() == (tmp_path / "two.pdf").read_bytes()
