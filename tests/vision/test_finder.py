"""Finding: what is looked at again, how pictures are laid out for the net, and what counts as cut off."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.faces import LOOKS, ROUNDS, FaceReader
from vision.finder import PHOTO_SIDE, SMALL_PX, Found, Layout, other_sizes, shrunk
from vision.reader import FACES_FILE, Reader, is_cut, shipped
from vision.simulation import SimDie, render_truth

WIDE = np.zeros((960, 1280, 3), np.uint8)


def found(side_as_seen: float, chance: float = 0.9) -> Found:
    side = side_as_seen * 1280 / PHOTO_SIDE
    return Found((0, 0, side, side), chance)


def test_dice_of_a_good_size_are_looked_at_once_more_from_afar() -> None:
    assert other_sizes([found(SMALL_PX + 5), found(80)], WIDE) == [PHOTO_SIDE // 2]


@pytest.mark.parametrize(
    ("seen", "again"),
    [
        ([found(SMALL_PX - 5), found(60)], [PHOTO_SIDE // 2, 2 * PHOTO_SIDE]),
        ([found(SMALL_PX - 5, chance=0.31), found(60)], [PHOTO_SIDE // 2]),  # what is doubtful tells nothing about size
        ([], [PHOTO_SIDE // 2, 2 * PHOTO_SIDE]),
    ],
)
def test_small_dice_are_looked_at_closer(seen: list[Found], again: list[int]) -> None:
    assert other_sizes(seen, WIDE) == again


def test_a_picture_is_never_blown_up_to_look_closer() -> None:
    assert other_sizes([found(5)], np.zeros((432, PHOTO_SIDE, 3), np.uint8)) == [PHOTO_SIDE // 2]


def test_pixels_are_laid_out_for_the_net() -> None:
    picture = np.random.default_rng(1).integers(0, 256, (90, 128, 3), np.uint8)
    layout = Layout()
    layout(np.full((480, 640, 3), 7, np.uint8))  # what lay there before
    laid = layout(picture)
    assert laid.shape == (1, 3, 96, 128)
    assert laid.dtype == np.float32
    assert np.allclose(laid[0, :, :90].transpose(1, 2, 0), picture / 128 - 1)
    assert np.allclose(laid[0, :, 90:], 114 / 128 - 1)


def test_shrinking_keeps_the_shape_and_tells_the_scale() -> None:
    small, scale = shrunk(WIDE, PHOTO_SIDE)
    assert small.shape == (PHOTO_SIDE * 3 // 4, PHOTO_SIDE, 3)
    assert scale == PHOTO_SIDE / 1280


@pytest.mark.parametrize(
    ("box", "cut"),
    [
        ((100, 100, 50, 50), False),
        ((0, 100, 30, 50), True),  # at the left
        ((0, 100, 49, 50), False),  # whole, just inside
        ((770, 100, 30, 50), True),  # at the right
        ((100, 0, 50, 30), True),  # above
        ((100, 575, 50, 25), True),  # below
        ((0, 100, 50, 30), False),  # low, but not across the border: a slanted view
    ],
)
def test_a_die_that_the_border_cuts_is_told(box: tuple[float, float, float, float], cut: bool) -> None:
    assert is_cut(box, (800, 600)) == cut


def test_a_die_at_the_border_is_read_but_not_believed() -> None:
    picture, (true,) = render_truth([SimDie(5, "red", 0, 0)], np.random.default_rng(3), (800, 600))
    x, _, w, _ = true.box_xywh
    whole, cut = Reader().read(picture), Reader().read(np.ascontiguousarray(picture[:, : int(x + 0.6 * w)]))
    assert [(d.cut_off, d.sure) for d in whole.dice] == [(False, True)]
    assert [(d.cut_off, d.sure) for d in cut.dice] == [(True, False)]


def test_dice_that_fill_the_picture_or_are_tiny_in_it_are_read_from_a_photograph() -> None:
    picture, (true,) = render_truth([SimDie(5, "red", 0, 0)], np.random.default_rng(3), (1280, 960))
    x, y, w, h = (int(v) for v in true.box_xywh)
    close = cv2.resize(picture[y - h // 3 : y + h + h // 3, x - w // 3 : x + w + w // 3], (1280, 1280), interpolation=cv2.INTER_CUBIC)
    far = cv2.copyMakeBorder(picture, 480, 480, 640, 640, cv2.BORDER_REPLICATE)
    for photograph in (close, far):
        assert Reader().read(photograph, thorough=True).faces == (5,)


def test_a_die_that_is_clear_is_looked_at_no_more_than_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    picture, (true,) = render_truth([SimDie(4, "blue", 0, 0)], np.random.default_rng(4), (1280, 960))
    reader, counts = FaceReader(shipped() / FACES_FILE), []
    run = reader._net
    monkeypatch.setattr(reader, "_net", lambda crops: (counts.append(len(crops)), run(crops))[1])
    (look,) = reader.look(picture, [true.box_xywh])
    assert counts == [ROUNDS[0]]
    assert look.settled
    assert int(look.faces.argmax()) + 1 == 4
    five, _ = render_truth([SimDie(5, "blue", 0, 0)], np.random.default_rng(4), (1280, 960))
    counts.clear()
    (look,) = reader.look(cv2.addWeighted(picture, 0.8, five, 0.2, 0), [true.box_xywh])
    assert sum(counts) == ROUNDS[-1] == len(LOOKS)
    assert not look.settled
