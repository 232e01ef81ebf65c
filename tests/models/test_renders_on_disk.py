"""Rendered pictures on disk."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np

from models.rendering.render_files import RenderedDieLabel, arguments, write


def test_pictures_are_written_once_and_two_processes_share_the_work(tmp_path: Path) -> None:
    rendered_seeds: list[int] = []

    def picture_of_seed(seed: int) -> tuple[np.ndarray, list[RenderedDieLabel]]:
        rendered_seeds.append(seed)
        return np.full((20, 30, 3), 10 * seed, np.uint8), [
            RenderedDieLabel((1, 2, 3, 4), seed, "red", False, True, 1.0)
        ]

    parser = arguments("tables", count=7)
    for start in ("0", "1", "0"):  # the last has nothing to do
        write(parser.parse_args(["--out", str(tmp_path), "--start", start, "--step", "2"]), picture_of_seed)
    assert rendered_seeds == [0, 2, 4, 6, 1, 3, 5]
    assert sorted(p.name for p in tmp_path.iterdir())[:2] == ["000000.jpg", "000000.json"]
    (truth,) = json.loads((tmp_path / "000005.json").read_text())
    assert (truth["face"], truth["box_xywh"], truth["normal_xy"]) == (5, [1, 2, 3, 4], None)
    picture = cv2.imread(str(tmp_path / "000005.jpg"))
    assert picture is not None
    assert abs(int(picture[5, 5, 0]) - 50) < 3
