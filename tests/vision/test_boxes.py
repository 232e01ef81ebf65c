"""Boxes: overlap, distance, clipping, and dice that the picture's border cuts."""

from __future__ import annotations

import pytest

from vision.boxes import (
    Box,
    centre_distance,
    clipped,
    grown,
    intersection,
    iou,
    is_truncated,
    pixels_of,
    scaled,
    touches_border,
)


def test_iou_is_intersection_over_union() -> None:
    assert iou((0, 0, 2, 2), (1, 0, 2, 2)) == pytest.approx(1 / 3)
    assert iou((0, 0, 2, 2), (2, 0, 2, 2)) == 0


def test_boxes_side_by_side_share_no_area() -> None:
    assert intersection((0, 0, 2, 2), (1, 1, 4, 4)) == 1
    assert intersection((0, 0, 2, 2), (5, 5, 2, 2)) == 0


def test_the_distance_is_that_of_the_centres() -> None:
    assert centre_distance((0, 0, 2, 2), (2, 2, 4, 6)) == 5


def test_a_scaled_box_keeps_its_place_in_the_picture() -> None:
    assert scaled((10, 20, 30, 40), 0.5) == (5, 10, 15, 20)


@pytest.mark.parametrize(
    ("box", "expected"),
    [
        ((10, 20, 30, 40), (10, 20, 30, 40)),
        ((-10, -20, 30, 40), (0, 0, 20, 20)),
        ((790, 590, 30, 40), (790, 590, 10, 10)),
        ((900, 700, 30, 40), (799, 599, 1, 1)),
    ],
)
def test_a_box_is_clipped_to_the_picture_and_never_empty(box: Box, expected: Box) -> None:
    assert clipped(box, (800, 600)) == expected


@pytest.mark.parametrize(
    ("box", "touches"),
    [
        ((1, 1, 50, 50), False),
        ((0.5, 1, 50, 50), True),
        ((100, 100, 699.5, 50), True),
        ((100, 100, 50, 499), False),
    ],
)
def test_a_box_within_half_a_pixel_of_the_border_touches_it(box: Box, touches: bool) -> None:
    assert touches_border(box, (800, 600)) == touches


@pytest.mark.parametrize(
    ("box", "truncated"),
    [
        ((100, 100, 50, 50), False),
        ((0, 100, 30, 50), True),  # at the left
        ((0, 100, 49, 50), False),  # whole, just inside
        ((770, 100, 30, 50), True),  # at the right
        ((100, 0, 50, 30), True),  # above
        ((100, 575, 50, 25), True),  # below
        ((0, 100, 50, 30), False),  # low, but not across the border: a slanted view
        ((0, 0, 40, 40), True),  # at a corner, equally cut on both sides
        ((770, 570, 30, 30), True),
        ((100, 0, 600, 600), False),  # a die that fills the picture
    ],
)
def test_a_die_that_the_border_cuts_is_truncated(box: Box, truncated: bool) -> None:
    assert is_truncated(box, (800, 600)) == truncated


def test_a_grown_box_keeps_its_centre() -> None:
    assert grown((10, 20, 40, 20), 1.5) == (0, 15, 60, 30)


def test_the_pixels_of_a_box_end_at_the_border() -> None:
    assert pixels_of((-4.4, 2.6, 10, 5)) == (slice(3, 8), slice(0, 6))
    assert pixels_of((-20, -20, 10, 10)) == (slice(0, 0), slice(0, 0))
