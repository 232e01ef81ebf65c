"""Spoiled pictures still show the dice where their truth says they lie."""

from __future__ import annotations

import numpy as np

from models.evaluation.corruptions import COARSE_PX, CORRUPTIONS, DISTANT_DIE_PX, DISTANT_WH, corruptions, row
from models.evaluation.scoring import Case, Tally, Truth, score_case
from vision.reader import Reader
from vision.simulation import SimDie, render_truth


def tray() -> Case:
    dice = [SimDie(2, "white", -60, -30), SimDie(5, "red", 10, 35, 0.6), SimDie(6, "blue", 55, -20, 1.1)]
    picture, trues = render_truth(dice, np.random.default_rng(1), (1280, 960))
    truth = tuple(Truth(t.box_xywh, t.face, t.colour) for t in trues)
    return Case("simulated", "tray", "top", truth, lambda: picture)


def test_every_way_shows_the_dice_where_they_are_said_to_be() -> None:
    case, reader = tray(), Reader()
    seen = {name: (worse, score_case(worse, reader.read(worse.load_picture(), thorough=True))) for name, worse in corruptions(case)}
    assert set(CORRUPTIONS) < set(seen)
    for name, (worse, m) in seen.items():
        assert len(m.pairs) == 3, name
        assert all(s is not None and s.face == t.face for t, s in m.pairs), name
        assert all(abs(s.side / max(t.box_xywh[2:]) - 1) < 0.35 for t, s in m.pairs if s), name
        assert Tally.of([m]).right == 3
        if name != "as it is":
            assert not np.array_equal(worse.load_picture(), case.load_picture())
    from_far = seen[f"dice of {DISTANT_DIE_PX} px in 4000 x 3000"][0]
    assert from_far.load_picture().shape == (*DISTANT_WH[::-1], 3)
    assert {round(max(t.box_xywh[2:]) / DISTANT_DIE_PX, 1) for t in from_far.truth} <= {0.9, 1.0, 1.1}
    coarse = seen[f"dice of {COARSE_PX} px"][0]
    assert {round(max(t.box_xywh[2:]) / COARSE_PX, 1) for t in coarse.truth} <= {0.9, 1.0, 1.1}


def test_what_is_missed_or_false_is_counted() -> None:
    case, reader = tray(), Reader()
    without = Case("simulated", "tray", "top", case.truth[:2], case.load_picture)
    reading = reader.read(case.load_picture())
    m = score_case(without, reading)
    t = Tally.of([m])
    assert (t.dice, t.right, t.missed, t.false, t.sure_wrong) == (2, 2, 0, 1, 1)
    assert (t.throws, t.throws_whole, t.throws_sure, t.throws_sure_wrong) == (1, 0, 1, 1)
    assert row("so", [m]) == "| so | 2 | 100.0% | 0 | 1 | 1 | 0 | 0.0% | 100.0% | 1 |"
