"""Rendered tables as cases: what no one could read in the picture is not asked for."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np

from models.cases import renders


def die(x: int, **other: object) -> dict:
    told = {
        "box_xywh": [x, 20, 60, 60], "face": 2, "colour": "white", "cocked": False, "readable": True, "seen": 1.0, "lean_deg": 0.0,
        "pips_xy": [[x + 20, 40], [x + 40, 60]], "pip_px": 5.0,
    }  # fmt: skip
    return told | other


def test_dice_that_nobody_could_read_are_not_asked_for(tmp_path: Path) -> None:
    picture = np.full((100, 500, 3), 220, np.uint8)
    for x in (10, 110, 210, 410):
        for px, py in die(x)["pips_xy"]:
            cv2.circle(picture, (px, py), 5, (20, 20, 20), -1)
    cv2.imwrite(str(tmp_path / "000001.jpg"), picture)
    dice = [die(10), die(110, seen=0.3), die(210, readable=False), die(310), die(410, colour="", lean_deg=30.0), die(420, seen=0.0)]
    (tmp_path / "000001.json").write_text(json.dumps(dice))
    (case,) = renders(tmp_path, "tables")
    assert case.source == "tables"
    assert [t.scored for t in case.truth] == [True, False, False, False, True]  # the fourth has no pips in the picture
    assert [t.leans for t in case.truth] == [False, False, False, False, True]
    assert [t.colour for t in case.truth] == ["white", "white", "white", "white", None]
    assert case.show().shape == (100, 500, 3)
