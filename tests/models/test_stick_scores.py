"""Scores of read sticks."""

from __future__ import annotations

from typing import Any

from models.evaluation.sticks import StickScore, score_of
from vision.readings import SeenStick
from vision.turned_box import TurnedBox

PLACES = [TurnedBox((100.0 + 90 * n, 200.0), 0.3 * n, 120, 12) for n in range(4)]


def seen(n: int, face: str, sure: bool = True) -> SeenStick:
    return SeenStick(face, PLACES[n].quad, 0.99 if sure else 0.5, sure)


def labels(*faces: str) -> list[dict[str, Any]]:
    return [{"face": face, "quad": box.quad} for face, box in zip(faces, PLACES, strict=False)]


def test_a_throw_of_four_is_right_if_each_stick_is() -> None:
    truth = labels("dog", "round", "cow", "horse")
    right = [seen(0, "dog"), seen(1, "black"), seen(2, "cow", sure=False), seen(3, "horse")]
    assert score_of(right, truth) == StickScore(4, 4, 3, 0, 0, 0, 1, 1)


def test_wrong_missed_and_false_sticks_are_counted() -> None:
    truth = labels("dog", "round", "cow", "horse")
    wrong = [seen(0, "deer"), seen(2, "cow"), seen(3, "cow", sure=False)]
    assert score_of(wrong, truth) == StickScore(4, 1, 2, 1, 1, 0, 1, 0)
    assert score_of([seen(1, "white")], []) == StickScore(false=1, sure_wrong=1)


def test_an_ignored_stick_counts_neither_way() -> None:
    truth = labels("dog", "round")
    truth[1]["ignore"] = True
    assert score_of([seen(0, "dog"), seen(1, "cow")], truth) == StickScore(1, 1, 1, 0, 0, 0)
    assert score_of([seen(0, "dog")], truth) == StickScore(1, 1, 1, 0, 0, 0)
    (x, y), box = PLACES[1].centre_xy, PLACES[1]
    (ux, uy) = box.axis
    half = TurnedBox((x + 36 * ux, y + 36 * uy), box.angle, 48, 12)
    part = SeenStick("white", half.quad, 0.99, True)
    assert score_of([seen(0, "dog"), part], truth) == StickScore(1, 1, 1, 0, 0, 0)


def test_sticks_side_by_side_are_paired_with_their_own_labels() -> None:
    beside = [TurnedBox((200.0, 200.0 + 14 * n), 0.0, 120, 12) for n in range(3)]
    truth = [
        {"face": face, "quad": box.quad} for face, box in zip(("dog", "round", "cow"), beside, strict=True)
    ]
    read = [
        SeenStick(str(label["face"]), box.quad, 0.99, True) for label, box in zip(truth, beside, strict=True)
    ]
    assert score_of(read[::-1], truth) == StickScore(3, 3, 3)
    assert score_of(read[1:], truth) == StickScore(3, 2, 2, missed=1)
