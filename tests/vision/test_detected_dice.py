"""The boxes and the size of the dice that were detected last."""

from __future__ import annotations

import pytest

from tests.vision.sticks import stick
from vision.boxes import Box
from vision.readings import SeenDie
from vision.settling.detected_dice import MIN_DIE_PX, DetectedDice
from vision.settling.motion import SMALL_W
from vision.stick_places import LINKS

SIZE_WH = (SMALL_W * 5, SMALL_W * 4)
"""Five px of the picture are one px of the small picture."""


def die(box: Box, sure: bool = True) -> SeenDie:
    return SeenDie(3, "white", box, 0.99, sure)


def detected(*dice: SeenDie, at_rest: bool = True) -> DetectedDice:
    result = DetectedDice()
    result.update(dice, SIZE_WH, at_rest)
    return result


def test_boxes_are_px_of_the_small_picture() -> None:
    assert detected(die((100, 50, 40, 45))).boxes == (pytest.approx((20, 10, 8, 9)),)


def test_the_size_is_the_median_of_sure_dice() -> None:
    dice = [die((0, 0, side, side)) for side in (40, 50, 100)]
    assert detected(*dice, die((0, 0, 400, 400), sure=False)).die_px == pytest.approx(10)


def test_a_size_read_at_rest_is_not_changed_by_dice_in_motion() -> None:
    dice = detected(die((0, 0, 40, 40)))
    dice.update([die((0, 0, 60, 60))], SIZE_WH, at_rest=False)
    assert dice.die_px == pytest.approx(8)
    dice.update([die((0, 0, 60, 60))], SIZE_WH, at_rest=True)
    assert dice.die_px == pytest.approx(12)


def test_a_size_has_a_minimum() -> None:
    dice = DetectedDice()
    dice.set_die_px(1.0)
    assert dice.die_px == MIN_DIE_PX


def test_a_die_of_the_tray_at_rest_that_is_no_longer_detected_is_missing() -> None:
    dice = detected(die((0, 0, 40, 40)), die((200, 0, 40, 40)))
    assert not dice.any_missing
    dice.update([die((0, 0, 40, 40))], SIZE_WH, at_rest=False)
    assert dice.any_missing


def test_a_die_is_unmoved_within_a_quarter_of_its_side() -> None:
    dice = detected(die((100, 100, 40, 40)), die((300, 100, 40, 40)))
    dice.update([die((108, 100, 40, 40)), die((312, 100, 40, 40))], SIZE_WH, at_rest=False)
    assert dice.unmoved_boxes() == [dice.boxes[0]]


def test_the_mask_covers_the_boxes_with_a_margin_and_the_recent_mask_those_before() -> None:
    dice = detected(die((100, 100, 50, 50)))  # (20, 20, 10, 10) in the small picture
    dice.update([die((500, 100, 50, 50))], SIZE_WH, at_rest=False)
    mask, recent_mask = dice.mask((128, SMALL_W)), dice.recent_mask((128, SMALL_W))
    assert mask[18, 98]
    assert not mask[18, 95]
    assert not mask[25, 25]
    assert recent_mask[25, 25]
    assert recent_mask[25, 105]


def test_a_stick_has_a_row_of_boxes_and_no_say_in_the_size() -> None:
    dice = detected(die((0, 0, 40, 40)))
    dice.update([], SIZE_WH, at_rest=True, sticks=[stick("round", 200, 100, 45)])
    assert len(dice.rest_boxes) == LINKS
    assert dice.die_px == pytest.approx(8)
