"""Where sticks lie, from their turned boxes."""

from __future__ import annotations

import math

import pytest

from tests.vision.sticks import LENGTH, WIDTH, stick
from vision.boxes import centre_distance
from vision.readings import SeenStick
from vision.stick_places import LINKS, axis_rad, length_px, link_boxes, same_place, width_px


@pytest.mark.parametrize("degrees", [0, 30, 90, 135, 179])
def test_a_turned_box_has_a_length_a_width_and_an_axis(degrees: int) -> None:
    seen = stick("round", 200, 100, degrees)
    assert (length_px(seen), width_px(seen)) == (pytest.approx(LENGTH), pytest.approx(WIDTH))
    assert math.degrees(axis_rad(seen)) == pytest.approx(degrees)


def test_corners_may_begin_anywhere() -> None:
    a, b, c, d = stick("round", 200, 100, 30).quad
    turned = SeenStick("round", (b, c, d, a), 0.99, True)
    assert math.degrees(axis_rad(turned)) == pytest.approx(30)


@pytest.mark.parametrize("degrees", [0, 45, 90])
def test_a_place_is_narrow_across_the_stick_and_longer_along_it(degrees: int) -> None:
    here = stick("dog", 200, 100, degrees)
    cos, sin = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    along, across = (9 * cos, 9 * sin), (-9 * sin, 9 * cos)
    assert same_place(here, stick("cow", 200 + along[0], 100 + along[1], degrees))
    assert not same_place(here, stick("dog", 200 + across[0], 100 + across[1], degrees))


def test_a_place_has_a_direction_but_no_sense() -> None:
    here = stick("dog", 200, 100, 2)
    assert same_place(here, stick("dog", 200, 100, 182))
    assert same_place(here, stick("dog", 200, 100, 178))
    assert not same_place(here, stick("dog", 200, 100, 20))


def test_link_boxes_cover_a_slanting_stick_and_little_else() -> None:
    seen = stick("dog", 200, 100, 45)
    boxes = link_boxes(seen)
    assert len(boxes) == LINKS
    reach = max(centre_distance(a, b) for a in boxes for b in boxes)
    assert reach == pytest.approx(LENGTH * (LINKS - 1) / LINKS)
    assert sum(w * h for _, _, w, h in boxes) < 0.4 * math.prod(seen.box_xywh[2:])
