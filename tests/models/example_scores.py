"""Scored example pictures, and readers and photographs to evaluate."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from models.evaluation import speed
from models.evaluation.results import NEW, Clip, Figures, Origin
from models.evaluation.scoring import (
    LabelledPicture,
    ScoredPicture,
    score_picture,
)
from models.labels import DieLabel
from vision.frames import Picture
from vision.readings import Reading, SeenDie

SIZE_WH = (400, 300)
ORIGIN = Origin(
    "python -m models.evaluation.evaluate",
    {"classifier.onnx": ("ab" * 32, 1_500_000)},
    {"labels.jsonl": "cd" * 32},
    {"the tray": (7, 3)},
)


def seen(face: int, x: float, sure: bool = True, colour: str = "white", cocked: bool = False) -> SeenDie:
    return SeenDie(face, colour, (x, 100, 40, 40), 0.99 if sure else 0.6, sure, cocked)


def true(face: int | None, x: float, **more: Any) -> DieLabel:
    return DieLabel((x, 100, 40, 40), face, "white", **more)


def table(shade: int) -> Picture:
    return np.full((SIZE_WH[1], SIZE_WH[0], 3), shade, np.uint8)


def score(
    truth: list[DieLabel], *dice: SeenDie, source: str = "Ann/rig", name: str = "a.jpg", view: str = "top"
) -> ScoredPicture:
    return score_picture(
        LabelledPicture(source, name, view, tuple(truth), partial(table, 90)), Reading(SIZE_WH, dice, ms=5.0)
    )


class ConstantReader:
    """A reader that returns the same dice for every picture, and records the pictures."""

    def __init__(self, *dice: SeenDie) -> None:
        self.dice, self.shown = dice, list[Picture]()

    def read(self, picture: Picture) -> Reading:
        self.shown.append(picture)
        return Reading((picture.shape[1], picture.shape[0]), self.dice)


def example_group() -> list[ScoredPicture]:
    return [
        score([true(1, 0)], seen(1, 0), name="good.jpg"),
        score([true(2, 60)], seen(5, 60), name="sure.jpg"),
        score([true(3, 120)], name="missed.jpg", source="Ben/rig"),
        score([], seen(4, 180, sure=False), name="false.jpg"),
        score([true(6, 0)], seen(6, 0, sure=False), name="unsure.jpg"),
    ]


def example_figures() -> Figures:
    baseline = [score([true(1, 0)])]
    return Figures(
        ORIGIN,
        {NEW: example_group()},
        {NEW: baseline},
        Clip("c.mp4", 9, 8, 7, 1, ()),
        speed.Cost(10.0, 80.0, 150.0, 60),
    )


def photo_folder(tmp_path: Path) -> Path:
    """Two photographs that are not for training, and one that is."""
    lines = []
    for name, train in (("one.png", False), ("two.png", False), ("three.png", True)):
        cv2.imwrite(str(tmp_path / name), table(100))
        dice = [{"box": [0, 100, 40, 40], "face": 1, "colour": "ivory"}] if name == "one.png" else []
        source = "Cal/other" if name == "two.png" else "Ann/rig"
        lines.append(
            {"file": name, "source": source, "licence": "none", "view": "top", "train": train, "dice": dice}
        )
    (tmp_path / "labels.jsonl").write_text("\n".join(map(json.dumps, lines)))
    return tmp_path
