"""Two folders of weights are compared on the same pictures, and equal weights score equally."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

import cv2
import numpy as np
import pytest

from models import WEIGHTS
from models.evaluation.compare import COLUMNS, cells, compare, labelled_sets, share
from models.evaluation.datasets import RENDERED
from models.rendering.scenes import render_oblique
from vision.reading.reader import Reader


def test_equal_weights_give_equal_scores(tmp_path: Path) -> None:
    for seed in range(2):
        picture, truths = render_oblique(np.random.default_rng(seed), 10)
        cv2.imwrite(str(tmp_path / f"{seed}.jpg"), picture)
        (tmp_path / f"{seed}.json").write_text(json.dumps([asdict(t) for t in truths]))
    reader = Reader(WEIGHTS)
    scores = compare((reader, reader), labelled_sets(None, tmp_path, 1))
    before, after = scores[RENDERED]
    assert len(before) == len(after) == 2
    assert cells(before) == cells(after)
    assert len(cells(before)) == len(COLUMNS) - 2
    assert cells(before)[0] != "-"


def test_photographs_are_sorted_by_view_and_corrupted_ones_are_apart(tmp_path: Path) -> None:
    line = (
        '{"file": "a.png", "source": "somebody", "licence": "MIT", "view": "oblique", "train": false,'
        ' "dice": [{"box": [20, 20, 40, 40], "face": 3, "colour": "red"}]}'
    )
    (tmp_path / "labels.jsonl").write_text(line)
    cv2.imwrite(str(tmp_path / "a.png"), np.full((80, 100, 3), 120, np.uint8))
    names = [name for name, _ in labelled_sets(tmp_path, None, 1)]
    assert names[0] == "new rigs, oblique views"
    assert names.count("new rigs, corrupted") == len(names) - 1 >= 10
    assert [name for name, _ in labelled_sets(tmp_path, None, 0)] == ["new rigs, oblique views"]


@pytest.mark.parametrize(("part", "whole", "text"), [(3, 4, "75.0 % (3 of 4; 30.1 to 95.4)"), (0, 0, "-")])
def test_a_share_has_its_interval(part: int, whole: int, text: str) -> None:
    assert share(part, whole) == text
