"""The closer look at what came to lie there, with masks of our own and with the real reader."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import pytest

from vision.cameras.simulated import SimulatedCamera
from vision.events import Settled
from vision.frames import Picture
from vision.pipeline import Pipeline
from vision.reading.overlooked import places_to_look_at, with_closer_look
from vision.reading.reader import Reader
from vision.readings import Reading, SeenDie
from vision.settling.motion import SMALL_W, Mask
from vision.simulation import SimDie, render_still

SIZE = (800, 600)
DIE_PX = 9.0
"""Side of a die in the small picture, which is a fifth of SIZE."""


def changed(*places_xywh: tuple[int, int, int, int]) -> Mask:
    """What differs: these places, px of the small picture."""
    mask = np.zeros((120, SMALL_W), bool)
    for x, y, w, h in places_xywh:
        mask[y : y + h, x : x + w] = True
    return mask


def die_at(x: float, y: float, face: int = 3, sure: bool = True) -> SeenDie:
    return SeenDie(face, "white", (x, y, 45.0, 45.0), 0.99 if sure else 0.5, sure)


def test_what_is_as_large_as_a_die_and_no_sure_die_is_looked_at() -> None:
    mask = changed((20, 20, 10, 10), (60, 20, 9, 9), (90, 80, 60, 30), (20, 80, 2, 30), (60, 80, 10, 12))
    dice = (die_at(100, 100), die_at(300, 100, sure=False))
    places = places_to_look_at(mask, None, Reading(SIZE, dice), DIE_PX)
    assert places == [(300.0, 400.0, 50.0, 60.0), (300.0, 100.0, 45.0, 45.0)]


def test_no_hand_is_looked_at_and_nothing_where_the_tray_before_is_not_known() -> None:
    mask = changed((20, 20, 10, 10))
    assert places_to_look_at(mask, mask, Reading(SIZE, ()), DIE_PX) == []
    assert places_to_look_at(None, None, Reading(SIZE, ()), DIE_PX) == []


@pytest.fixture(scope="module")
def reader() -> Reader:
    return Reader()


@pytest.fixture(scope="module")
def rendered() -> Picture:
    return render_still([SimDie(5, "red", -70, 30), SimDie(2, "white", 60, -20)], np.random.default_rng(4))


def test_a_closer_look_finds_a_die_that_was_not_read(reader: Reader, rendered: Picture) -> None:
    whole = reader.read(rendered)
    assert sorted(whole.faces) == [2, 5]
    for missing in whole.dice:
        without = replace(whole, dice=tuple(d for d in whole.dice if d is not missing))
        found = with_closer_look(reader, rendered, without, [missing.box_xywh], missing.side)
        assert [d.face for d in found.dice] == [*(d.face for d in without.dice), missing.face]
        assert found.dice[-1].distance_px(missing) < 0.1 * missing.side


@pytest.mark.parametrize(("other_face", "sure"), [(0, True), (1, False)])
def test_a_closer_look_makes_a_die_sure_only_with_the_same_face(
    reader: Reader, rendered: Picture, other_face: int, sure: bool
) -> None:
    first, *rest = reader.read(rendered).dice
    doubted = replace(first, face=first.face + other_face, sure=False)
    reading = Reading(SIZE, (doubted, *rest))
    looked = with_closer_look(reader, rendered, reading, [first.box_xywh], first.side)
    assert [(d.face, d.sure) for d in looked.dice] == [
        (doubted.face, sure),
        *((d.face, d.sure) for d in rest),
    ]


class ShortSightedReader:
    """Reads as the nets do, but overlooks red dice in pictures of the whole tray."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader

    def read(self, picture: Picture) -> Reading:
        reading = self._reader.read(picture)
        if reading.size_wh != SIZE:
            return reading
        return replace(reading, dice=tuple(d for d in reading.dice if d.colour != "red"))


def test_a_die_that_the_detector_overlooks_is_part_of_the_throw(reader: Reader) -> None:
    camera, pipeline = SimulatedCamera(SIZE, seed=3, paced=False), Pipeline(ShortSightedReader(reader))
    camera.throw(["white", "red", "green"])
    settled = [
        event
        for frame in itertools.islice(camera.frames(), 120)
        for event in pipeline.process(frame)
        if isinstance(event, Settled)
    ]
    thrown = sorted((t.seen.face, t.seen.colour) for t in settled[-1].tracks.dice if t.outcome == "thrown")
    assert thrown == sorted((die.face, die.colour) for die in camera.answer_key())
