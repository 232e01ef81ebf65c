"""Detecting dice: scales, the input of the net, the heatmap and non-maximum suppression."""

from __future__ import annotations

import numpy as np
import pytest

from vision.reading.detector import (
    MAX_SIDE,
    PHOTO_SIDE,
    SMALL_DIE_PX,
    Detection,
    SpaceToDepth,
    decode_heatmap,
    downscaled,
    may_miss_small_dice,
    non_max_suppression,
    zoomed_side,
)

WIDE = np.zeros((960, 1280, 3), np.uint8)


def detection(side_as_seen: float, score: float = 0.9) -> Detection:
    side = side_as_seen * 1280 / PHOTO_SIDE
    return Detection((0, 0, side, side), score)


@pytest.mark.parametrize(
    ("detections", "small"),
    [
        ([detection(SMALL_DIE_PX + 5), detection(80)], False),  # of a good size
        ([detection(SMALL_DIE_PX - 5), detection(60)], True),
        ([detection(SMALL_DIE_PX - 5, score=0.31), detection(60)], False),  # its score is too low
        ([], True),
    ],
)
def test_small_or_missing_dice_need_a_larger_scale(detections: list[Detection], small: bool) -> None:
    assert may_miss_small_dice(detections, WIDE, PHOTO_SIDE) == small


def test_the_scale_grows_until_a_picture_has_no_more_pixels() -> None:
    assert zoomed_side(WIDE, PHOTO_SIDE) == 2 * PHOTO_SIDE
    assert zoomed_side(WIDE, 2 * PHOTO_SIDE) == 0
    assert zoomed_side(np.zeros((432, PHOTO_SIDE, 3), np.uint8), PHOTO_SIDE) == 0
    assert zoomed_side(np.zeros((3000, 4000, 3), np.uint8), 2 * PHOTO_SIDE) == MAX_SIDE
    assert zoomed_side(np.zeros((3000, 4000, 3), np.uint8), MAX_SIDE) == 0


def test_a_large_picture_is_always_searched_at_a_second_scale() -> None:
    large = np.zeros((3000, 4000, 3), np.uint8)
    tray = [Detection((1000, 500, 2000, 2000), 0.9)]
    assert may_miss_small_dice(tray, large, PHOTO_SIDE)
    assert not may_miss_small_dice(tray, large, 2 * PHOTO_SIDE)


def test_pixels_are_laid_out_for_the_net_patch_by_patch() -> None:
    picture = np.random.default_rng(1).integers(0, 256, (90, 128, 3), np.uint8)
    layout = SpaceToDepth()
    layout(np.full((480, 640, 3), 7, np.uint8))  # the buffer's previous content
    patches = layout(picture)
    assert patches.shape == (1, 24, 32, 48)
    assert patches.dtype == np.uint8
    assert (patches[0, 5, 9] == picture[20:24, 36:40].ravel()).all()
    assert (patches[0, 0, 31] == picture[:4, 124:].ravel()).all()
    assert (patches[0, 22, 3] == [*picture[88:, 12:16].ravel(), *[114] * 24]).all()
    assert (patches[0, 23] == 114).all()


def test_a_part_of_a_larger_picture_is_laid_out_like_a_picture_of_its_own() -> None:
    picture = np.random.default_rng(1).integers(0, 256, (200, 300, 3), np.uint8)
    part = picture[10:106, 20:148]
    assert (SpaceToDepth()(part) == SpaceToDepth()(part.copy())).all()


@pytest.mark.parametrize(("row", "col"), [(6, 10), (6, 11), (7, 10), (7, 11), (0, 0), (15, 23)])
def test_a_peak_of_the_heatmap_is_decoded_to_a_box(row: int, col: int) -> None:
    """Each output position has four cells of 4 px. The centre of the box is at (0.25, 0.75) of its cell."""
    output = np.full((20, 8, 12), -9, np.float32)
    cell = output.reshape(5, 4, 8, 12)[:, 2 * (row % 2) + col % 2, row // 2, col // 2]
    cell[:] = (2.0, 0.25, 0.75, np.log(20 / 32), np.log(24 / 32))
    (one,) = decode_heatmap(output)
    x, y, w, h = one.box_xywh
    assert (x + w / 2, y + h / 2, w, h) == pytest.approx(((col + 0.25) * 4, (row + 0.75) * 4, 20, 24))
    assert one.score == pytest.approx(1 / (1 + np.exp(-2.0)))


def test_downscaling_keeps_the_shape_and_gives_the_scale() -> None:
    small, scale = downscaled(WIDE, PHOTO_SIDE)
    assert small.shape == (PHOTO_SIDE * 3 // 4, PHOTO_SIDE, 3)
    assert scale == PHOTO_SIDE / 1280


def test_non_max_suppression_keeps_a_die_on_a_board_and_drops_a_pip() -> None:
    board, die = Detection((1000, 1000, 900, 900), 0.98), Detection((1400, 1380, 68, 68), 0.9)
    pip = Detection((1370, 1370, 180, 180), 0.8)
    assert non_max_suppression([board, die, pip]) == [board, die]
