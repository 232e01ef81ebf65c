"""The model card has every figure, and explains its terms."""

from __future__ import annotations

import re

from models import WEIGHTS
from models.evaluation import model_card
from models.evaluation.results import NEW
from tests.models.example_scores import example_figures


def test_a_share_is_never_rounded_up_to_100_percent() -> None:
    assert model_card.percent(9999, 10000) == "99.9"
    assert model_card.percent(509, 518) == "98.3"
    assert model_card.percent(7, 7) == "100.0"
    assert model_card.percent(0, 0) == "-"


def test_the_card_has_a_row_for_every_target_and_every_table() -> None:
    text = model_card.section(example_figures(), "reliability.svg")
    assert text.startswith("## How well they read\n")
    assert text.count("not met") + text.count(" met |") >= 9
    wanted, measured = (
        "| dice found and right (top views) | at least 99.5 % |",
        " 50.0 % (2 of 4) | 15.0 to 85.0 % |",
    )
    assert f"{wanted}{measured} **not met** | - | 0.0 % (0 of 1) |" in text
    assert "| Ben/rig | 1 | 1 | 0.0 | 0.0 | 0 | 1 | 0 | 0.0 | 0.0 | 0 | 0.0 | 1 | - |" in text
    assert "| blob baseline: all |" in text
    assert "| classifier.onnx | abababababab | 1500 |" in text
    assert "the tray from seeds 7 to 9" in text
    assert "![Share of dice read right, by confidence](reliability.svg)" in text
    assert "- Ben/rig: 1 of 1 dice missed." in text
    for line in (line for line in text.splitlines() if line.startswith("|--")):
        header = text.splitlines()[text.splitlines().index(line) - 1]
        assert header.count("|") == line.count("|")


def test_the_card_has_a_row_on_detection_faces_and_calibration() -> None:
    assert f"| {NEW} | 4 | 75.0 | 75.0 | 66.7 | 29.5 |" in model_card.section(example_figures())


def test_the_readme_has_the_introduction_and_the_glossary_of_the_card() -> None:
    readme = (WEIGHTS / "README.md").read_text(encoding="utf-8")
    assert f"{model_card.EXPLAINED}\n\n{model_card.glossary_table()}\n" in readme


def test_all_rows_of_a_table_have_the_same_number_of_columns() -> None:
    for table_text in re.findall(r"(?:^\|.*\n)+", model_card.section(example_figures(), with_ms=True), re.M):
        assert len({row.count("|") for row in table_text.splitlines()}) == 1, table_text
