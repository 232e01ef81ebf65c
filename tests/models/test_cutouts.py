"""Dice are cut out of a drawn photograph by their outline, and keep their pips in any colour."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from models.labels import DieLabel
from models.rendering.cutout import Cutout, cutout
from models.rendering.cutouts import DIE_PX, SIZE_WH, CutoutSource, cut_roughly, cutouts, recoloured, table

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


def die(**changes: object) -> DieLabel:
    label = {"box_xywh": BOX, "face": 2, "colour": "white", "ignore": False, "symbol": False} | changes
    return DieLabel(**label)  # type: ignore[arg-type]


def cut_from(picture: np.ndarray) -> Cutout:
    die_cutout = cutout(picture, die(), True)
    assert die_cutout is not None
    return die_cutout


def test_the_outline_of_a_cutout_matches_the_die() -> None:
    die_cutout = cut_from(photograph())
    assert (die_cutout.face, die_cutout.colour, die_cutout.side) == (2, "white", 80)
    x, y, w, h = cv2.boundingRect((die_cutout.cover > 127).astype(np.uint8))
    assert abs(w - 80) <= 4
    assert abs(h - 80) <= 4
    assert abs(x + w / 2 - len(die_cutout.cover) / 2) <= 3
    assert abs(y + h / 2 - len(die_cutout.cover) / 2) <= 3


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
def test_dice_that_are_unlabelled_hidden_small_or_at_the_border_give_no_cutout(label: DieLabel) -> None:
    assert cutout(photograph(), label, True) is None


def test_pips_stay_visible_in_other_colours() -> None:
    die_cutout = cut_from(photograph())
    contrasts = []
    for seed in range(40):
        shown, _ = recoloured(die_cutout, np.random.default_rng(seed))
        offset = np.array(shown.shape[:2]) / 2 - (BOX[1] + 40, BOX[0] + 40)
        y, x = (np.array(PIPS[0][::-1]) + offset).astype(int)
        body, pip = shown[y + 20, x - 5].astype(int), shown[y, x].astype(int)
        contrasts.append(int(np.abs(body - pip).max()))
    assert min(contrasts) >= 14
    assert np.median(contrasts) > 60


def test_a_rough_mask_is_about_as_large_as_the_die() -> None:
    die_cutout = cut_from(photograph())
    whole = (die_cutout.cover > 127).sum()
    rough = [
        (cut_roughly(die_cutout.cover, die_cutout.side, np.random.default_rng(seed)) > 0.5).sum() / whole
        for seed in range(40)
    ]
    assert 0.7 < min(rough) < 0.97
    assert 1.02 < max(rough) < 1.2


def test_the_truth_of_a_table_has_boxes_in_the_picture() -> None:
    sources = {"somebody": CutoutSource([cut_from(photograph())])}
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


def test_dice_are_cut_only_from_photographs_for_training(tmp_path: Path) -> None:
    lines = []
    for n in range(12):
        cv2.imwrite(str(tmp_path / f"{n}.png"), photograph())
        label = {"box": list(BOX), "face": 2, "colour": "white"}
        lines.append(
            {
                "file": f"{n}.png",
                "source": "yes" if n < 8 else "no",
                "view": "top",
                "train": n < 8,
                "dice": [label],
            }
        )
    (tmp_path / "labels.jsonl").write_text("\n".join(json.dumps(line | {"licence": "MIT"}) for line in lines))
    found = cutouts(tmp_path)
    assert set(found) == {"yes"}
    assert 1 <= len(found["yes"].cutouts) <= 8
    assert not found["yes"].bare_dice
