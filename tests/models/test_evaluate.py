"""The evaluation command, from its options to its files."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from models import WEIGHTS
from models.evaluation import speed
from models.evaluation.datasets import TRAYS, photographs, simulated
from models.evaluation.evaluate import Selection, evaluate_clip, lines_of_failures, main, readings
from models.evaluation.results import NEW, TRAY
from tests.models.example_scores import ConstantReader, example_figures, photo_folder


def test_pictures_with_an_error_and_no_question_are_listed() -> None:
    assert sorted(lines_of_failures(example_figures())) == [
        "errors that no person is asked about, or sure and wrong, in Ann/rig: sure.jpg",
        "errors that no person is asked about, or sure and wrong, in Ben/rig: missed.jpg",
    ]


def test_the_baseline_reads_the_same_pictures() -> None:
    nets, baseline = ConstantReader(), ConstantReader()
    list(readings(nets, simulated(2, TRAYS[0]), baseline))
    assert [p.shape for p in nets.shown] == [(600, 800, 3)] * 2
    assert all(a is b for a, b in zip(nets.shown, baseline.shown, strict=True))


def test_weights_trained_on_no_photograph_are_evaluated_on_every_rig(tmp_path: Path) -> None:
    folder = photo_folder(tmp_path)
    assert [c.name for c in photographs(folder, train=True, whole=True)] == ["three.png"]
    groups = Selection(photos=folder, none_seen=True).groups()
    assert [(name, [c.name for c in pictures]) for name, pictures in groups] == [
        (NEW, ["one.png", "two.png"]),
        (NEW, ["three.png"]),
    ]


def test_a_missing_clip_has_no_frames(tmp_path: Path) -> None:
    assert evaluate_clip(ConstantReader(), tmp_path).frames == 0


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (["--photos", "nowhere"], "expected a folder with labels.jsonl"),
        (["--renders", "nowhere"], "expected tables of models.rendering.scenes"),
        (["--models", "nowhere"], "expected a folder with the nets' .onnx files"),
        (["--source", "nobody"], "simulated: as played"),
        (["--simulated", "-1"], "0 or more, got -1"),
    ],
)
def test_wrong_options_are_refused(options: list[str], why: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(options)
    assert ended.value.code == 2
    assert why in capsys.readouterr().err


def test_one_command_prints_the_card_and_writes_json_diagram_and_sheet(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    photos, out = photo_folder(tmp_path), tmp_path / "out"
    out.mkdir()
    inputs = ["--photos", str(photos), "--simulated", "2"]
    outputs = ["--json", str(out / "f.json"), "--diagram", str(out / "r.svg"), "--worst", str(out / "w.png")]
    main([*inputs, *outputs, "--card"])
    text = capsys.readouterr().out
    assert text.startswith("## How well they read")
    assert "(r.svg)" in text
    results = json.loads((out / "f.json").read_text())
    assert results["groups"][TRAY]["all"]["pictures"] == 6
    assert results["groups"][NEW]["all"]["dice"] == 1
    assert results["groups"][TRAY]["baseline"]["all"]["pictures"] == 6
    assert set(results["origin"]["weights"]) == {p.name for p in speed.weight_files(WEIGHTS)}
    assert (out / "w.png").stat().st_size > 0
    assert ET.parse(out / "r.svg").getroot().tag.endswith("svg")
