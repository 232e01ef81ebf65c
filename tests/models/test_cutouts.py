"""Dice are cut out of photographs with their outline, and keep their pips in any colour. Needs no photograph: a die is drawn."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from models.rendering.cutouts import DIE_PX, SIZE_WH, Cutout, cut_roughly, cutout, cutouts, recoloured, table
from models.training.photos import LabelledDie

BOX = (60.0, 50.0, 80.0, 80.0)
PIPS = [(80, 70), (120, 110)]


def photograph() -> np.ndarray:
    """A white die with a black 2 on green cloth."""
    rng = np.random.default_rng(1)
    picture = np.clip(np.array([40, 110, 50]) + rng.normal(0, 4, (200, 220, 1)), 0, 255).astype(np.uint8)
    cv2.rectangle(picture, (60, 50), (139, 129), (235, 235, 235), -1)
    for pip in PIPS:
        cv2.circle(picture, pip, 8, (20, 20, 20), -1, cv2.LINE_AA)
    return picture


def die(**changes: object) -> LabelledDie:
    label = {"box_xywh": BOX, "face": 2, "colour": "white", "ignore": False, "symbol": False} | changes
    return LabelledDie(**label)  # type: ignore[arg-type]


def cut_from(picture: np.ndarray) -> Cutout:
    cut = cutout(picture, die(), True)
    assert cut is not None
    return cut


def test_the_outline_is_the_dies() -> None:
    cut = cut_from(photograph())
    assert (cut.face, cut.colour, cut.side) == (2, "white", 80)
    x, y, w, h = cv2.boundingRect((cut.cover > 127).astype(np.uint8))
    assert abs(w - 80) <= 4
    assert abs(h - 80) <= 4
    assert abs(x + w / 2 - len(cut.cover) / 2) <= 3
    assert abs(y + h / 2 - len(cut.cover) / 2) <= 3


@pytest.mark.parametrize(
    "label",
    [
        die(ignore=True),
        die(symbol=True, face=None),
        die(face=None),
        die(box_xywh=(60.0, 50.0, 80.0, 40.0)),  # partly hidden
        die(box_xywh=(60.0, 50.0, 20.0, 20.0)),  # too small
        die(box_xywh=(2.0, 50.0, 80.0, 80.0)),  # at the border
    ],
)
def test_what_cannot_be_cut_out_is_left(label: LabelledDie) -> None:
    assert cutout(photograph(), label, True) is None


def test_pips_stay_pips_in_other_colours() -> None:
    cut = cut_from(photograph())
    differences = []
    for seed in range(40):
        shown, _ = recoloured(cut, np.random.default_rng(seed))
        off = np.array(shown.shape[:2]) / 2 - (BOX[1] + 40, BOX[0] + 40)
        y, x = (np.array(PIPS[0][::-1]) + off).astype(int)
        body, pip = shown[y + 20, x - 5].astype(int), shown[y, x].astype(int)
        differences.append(int(np.abs(body - pip).max()))
    assert min(differences) >= 14
    assert np.median(differences) > 60


def test_a_rough_mask_is_about_as_large_as_the_die() -> None:
    cut = cut_from(photograph())
    whole = (cut.cover > 127).sum()
    rough = [(cut_roughly(cut.cover, cut.side, np.random.default_rng(seed)) > 0.5).sum() / whole for seed in range(40)]
    assert 0.7 < min(rough) < 0.97
    assert 1.02 < max(rough) < 1.2


def test_a_table_says_where_its_dice_lie() -> None:
    sources = {"somebody": [cut_from(photograph())]}
    for seed in range(6):
        picture, truths = table(np.random.default_rng(seed), sources, [])
        assert picture.shape == (SIZE_WH[1], SIZE_WH[0], 3)
        assert truths
        for t in truths:
            x, y, w, h = t.box_xywh
            assert 0.6 * DIE_PX[0] < min(w, h) <= max(w, h) < 1.6 * DIE_PX[1]
            assert 0 <= x < x + w <= SIZE_WH[0]
            assert 0 <= y < y + h <= SIZE_WH[1]
            assert t.face == 2
            assert not t.pips_xy


def test_only_photographs_that_may_train_are_cut(tmp_path: Path) -> None:
    lines = []
    for n in range(12):
        cv2.imwrite(str(tmp_path / f"{n}.png"), photograph())
        label = {"box": list(BOX), "face": 2, "colour": "white"}
        lines.append({"file": f"{n}.png", "source": "yes" if n < 8 else "no", "view": "top", "train": n < 8, "dice": [label]})
    (tmp_path / "labels.jsonl").write_text("\n".join(json.dumps(line | {"licence": "MIT"}) for line in lines))
    found = cutouts(tmp_path)
    assert set(found) == {"yes"}
    assert 1 <= len(found["yes"]) <= 8
