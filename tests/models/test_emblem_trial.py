"""An evening with emblems: the first ones are asked about, the later ones are named."""

from __future__ import annotations

from models.evaluation.emblem_trial import Shot, evening
from models.labels import DieLabel
from tests.vision.emblems import SIZE_WH, drawn
from vision.readings import Reading


def shot(emblem: str, degrees: float, seed: int) -> Shot:
    picture, die = drawn(emblem, degrees, seed)
    label = DieLabel(die.box_xywh, None, "blue", False, symbol=True)
    return Shot(picture, Reading(SIZE_WH, (die,)), (label,))


def test_after_two_answers_an_emblem_is_named() -> None:
    asked = evening([shot("tower", 35.0 * n, n) for n in range(8)], emblem_face=6)
    assert (asked.emblems, asked.late_emblems) == (8, 4)
    assert (asked.named, asked.late_named) == (6, 4)
    assert (asked.wrong, asked.pips_named) == (0, 0)


def test_a_die_that_is_named_as_another_face_counts_as_wrong() -> None:
    """The same drawing stands for 6 three times, and for its own face 2 in the end."""
    last = shot("tower", 20, 9)
    pips = Shot(
        last.picture, last.reading, (DieLabel(last.truth[0].box_xywh, 2, "blue", False, symbol=False),)
    )
    asked = evening([*(shot("tower", 50.0 * n, n) for n in range(3)), pips], emblem_face=6)
    assert asked.wrong == 1
