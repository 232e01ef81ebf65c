"""Corrupted pictures show the dice where their ground truth says."""

from __future__ import annotations

import numpy as np

from models.evaluation.corruptions import COARSE_PX, CORRUPTIONS, DISTANT_DIE_PX, DISTANT_WH, corruptions, row
from models.evaluation.scoring import LabelledPicture, Tally, score_picture
from models.labels import DieLabel
from vision.reading.reader import Reader
from vision.simulation import SimDie, render_truth


def tray() -> LabelledPicture:
    dice = [SimDie(2, "white", -60, -30), SimDie(5, "red", 10, 35, 0.6), SimDie(6, "blue", 55, -20, 1.1)]
    picture, trues = render_truth(dice, np.random.default_rng(1), (1280, 960))
    truth = tuple(DieLabel(t.box_xywh, t.face, t.colour) for t in trues)
    return LabelledPicture("simulated", "tray", "top", truth, lambda: picture)


def test_every_corruption_shows_the_dice_in_their_boxes() -> None:
    labelled, reader = tray(), Reader()
    scored_pictures = {}
    for name, corrupted in corruptions(labelled):
        reading = reader.read(corrupted.load_picture(), thorough=True)
        scored_pictures[name] = (corrupted, score_picture(corrupted, reading))
    assert set(CORRUPTIONS) < set(scored_pictures)
    for name, (corrupted, scored) in scored_pictures.items():
        assert len(scored.pairs) == 3, name
        assert all(s is not None and s.face == t.face for t, s in scored.pairs), name
        assert all(abs(s.side / max(t.box_xywh[2:]) - 1) < 0.35 for t, s in scored.pairs if s), name
        assert Tally.of([scored]).right == 3
        if name != "as it is":
            assert not np.array_equal(corrupted.load_picture(), labelled.load_picture())
    from_far = scored_pictures[f"dice of {DISTANT_DIE_PX} px in 4000 x 3000"][0]
    assert from_far.load_picture().shape == (*DISTANT_WH[::-1], 3)
    assert {round(max(t.box_xywh[2:]) / DISTANT_DIE_PX, 1) for t in from_far.truth} <= {0.9, 1.0, 1.1}
    coarse = scored_pictures[f"dice of {COARSE_PX} px"][0]
    assert {round(max(t.box_xywh[2:]) / COARSE_PX, 1) for t in coarse.truth} <= {0.9, 1.0, 1.1}


def test_missed_and_false_dice_are_counted() -> None:
    labelled, reader = tray(), Reader()
    with_two_dice = LabelledPicture("simulated", "tray", "top", labelled.truth[:2], labelled.load_picture)
    reading = reader.read(labelled.load_picture())
    scored = score_picture(with_two_dice, reading)
    t = Tally.of([scored])
    assert (t.dice, t.right, t.missed, t.false_positives, t.sure_wrong) == (2, 2, 0, 1, 1)
    assert (t.throws, t.throws_whole, t.throws_sure, t.throws_sure_wrong) == (1, 0, 1, 1)
    assert row("so", [scored]) == "| so | 2 | 100.0% | 0 | 1 | 1 | 0 | 0.0% | 100.0% | 1 |"
