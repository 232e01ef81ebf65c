"""The sheet of the worst errors."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from models.evaluation import error_sheet
from tests.models.example_scores import example_group, score, true


def test_the_worst_pictures_come_first_and_right_ones_are_left_out() -> None:
    assert [t.scored.labelled.name for t in error_sheet.worst_failures(example_group())] == [
        "sure.jpg",
        "missed.jpg",
        "false.jpg",
        "unsure.jpg",
    ]
    assert [t.description for t in error_sheet.worst_failures(example_group())] == [
        "2 read as 5",
        "3 missed",
        "4? without a die",
        "6 not sure",
    ]


def test_one_source_does_not_fill_the_sheet() -> None:
    group = [score([true(3, 0)], source="Ann/rig", name=f"{n}.jpg") for n in range(30)] + [
        score([true(3, 0)], source="Ben/rig")
    ]
    ranked = error_sheet.worst_failures(group)
    assert len(ranked) == error_sheet.MAX_TILES
    assert "Ben/rig" in {t.scored.labelled.source for t in ranked}


def test_a_tile_shows_the_truth_on_the_left_and_the_reading_on_the_right(tmp_path: Path) -> None:
    assert error_sheet.write_sheet(tmp_path / "error_sheet.png", example_group()) == 4
    sheet = cv2.imread(str(tmp_path / "error_sheet.png"))
    assert sheet is not None
    w, h = error_sheet.TILE_WH
    assert sheet.shape == (h, error_sheet.COLUMNS * w, 3)
    left, right = (
        sheet[: error_sheet.PANEL_PX, : error_sheet.PANEL_PX],
        sheet[: error_sheet.PANEL_PX, error_sheet.PANEL_PX + 2 : 2 * error_sheet.PANEL_PX + 2],
    )
    assert (left == error_sheet.TRUTH_BGR).all(axis=2).any()
    assert not (right == error_sheet.TRUTH_BGR).all(axis=2).any()
    assert not np.array_equal(left, right)


def test_a_sheet_without_errors_is_one_empty_tile() -> None:
    assert error_sheet.sheet([]).shape == (error_sheet.TILE_WH[1], error_sheet.TILE_WH[0], 3)


def test_a_sheet_that_cannot_be_written_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="cannot be written"):
        error_sheet.write_sheet(tmp_path / "no folder" / "error_sheet.png", example_group())
