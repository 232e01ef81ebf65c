"""The closer look at what lies there, with masks of our own and with the real reader."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np
import pytest

from vision.cameras.simulated import SimulatedCamera
from vision.closer_look import MAX_LOOKS, MAX_PLACES, CloserLook, changed_places, merged
from vision.events import Settled
from vision.frames import Picture
from vision.pipeline import Pipeline
from vision.reading.reader import Reader
from vision.readings import Reading, SeenDie
from vision.settling.motion import SMALL_W, Mask
from vision.simulation import SimDie, render_still
from vision.tracking.tracks import TrackOutcome

SIZE = (800, 600)
DIE_PX = 9.0
"""Side of a die in the small picture, which is a fifth of SIZE."""


def changed(*places_xywh: tuple[int, int, int, int]) -> Mask:
    """What differs: these places, px of the small picture."""
    mask = np.zeros((120, SMALL_W), bool)
    for x, y, w, h in places_xywh:
        mask[y : y + h, x : x + w] = True
    return mask


def die_at(x: float, y: float, face: int = 3, sure: bool = True, side: float = 45.0) -> SeenDie:
    return SeenDie(face, "white", (x, y, side, side), 0.99 if sure else 0.5, sure)


def test_what_is_as_large_as_a_die_and_no_sure_die_is_looked_at() -> None:
    """A sure die's shadow is not, and neither are edges and large things."""
    mask = changed((18, 19, 12, 12), (60, 20, 9, 9), (90, 80, 60, 30), (20, 80, 2, 30), (60, 80, 10, 12))
    dice = (die_at(100, 100), die_at(300, 100, sure=False))
    places = changed_places(mask, None, Reading(SIZE, dice), DIE_PX)
    assert places == [(300.0, 400.0, 50.0, 60.0), (300.0, 100.0, 45.0, 45.0)]


def test_no_hand_is_looked_at_and_nothing_where_the_tray_before_is_not_known() -> None:
    mask = changed((20, 20, 10, 10))
    assert changed_places(mask, mask, Reading(SIZE, ()), DIE_PX) == []
    assert changed_places(None, None, Reading(SIZE, ()), DIE_PX) == []


def test_what_is_found_is_not_sure_and_what_overlaps_another_die_is_a_part_of_it() -> None:
    lying, missing = die_at(100, 100), die_at(300, 100)
    found = [die_at(500, 100), die_at(302, 101), die_at(118, 118, side=30)]
    result = merged(Reading(SIZE, (lying,)), found, [missing])
    assert [(die.box_xywh[0], die.sure) for die in result.dice] == [(100, True), (500, False), (302, True)]


@pytest.mark.parametrize(("face", "confidence"), [(3, 0.99), (4, 0.5)])
def test_a_closer_look_clears_an_unsure_die_only_with_the_same_face(face: int, confidence: float) -> None:
    reading = Reading(SIZE, (die_at(100, 100, face, sure=False),))
    (die,) = merged(reading, [die_at(101, 101)], []).dice
    assert (die.face, die.confidence, die.sure) == (face, confidence, False)


# -- with the nets -----------------------------------------------------------


@pytest.fixture(scope="module")
def reader() -> Reader:
    return Reader()


@pytest.fixture(scope="module")
def rendered() -> Picture:
    return render_still([SimDie(5, "red", -70, 30), SimDie(2, "white", 60, -20)], np.random.default_rng(4))


class CountingReader:
    """Counts the pictures that it reads."""

    def __init__(self, reader: Reader) -> None:
        self._reader, self.count = reader, 0

    def read(self, picture: Picture) -> Reading:
        self.count += 1
        return self._reader.read(picture)


def mask_over(die: SeenDie) -> Mask:
    x, y, w, h = (round(v / 5) for v in die.box_xywh)
    return changed((x, y, w, h))


def test_a_closer_look_finds_a_die_that_was_not_read_and_looks_twice(
    reader: Reader, rendered: Picture
) -> None:
    whole = reader.read(rendered)
    assert sorted(whole.faces) == [2, 5]
    for missing in whole.dice:
        counting = CountingReader(reader)
        look, rest = CloserLook(counting), tuple(d for d in whole.dice if d is not missing)
        for _ in range(5):
            found = look.improved(replace(whole, dice=rest), rendered, mask_over(missing), None, DIE_PX)
            assert [d.face for d in found.dice] == [*(d.face for d in rest), missing.face]
            assert found.dice[-1].distance_px(missing) < 0.1 * missing.side
        assert counting.count == MAX_LOOKS
        look.start()
        look.improved(replace(whole, dice=rest), rendered, mask_over(missing), None, DIE_PX)
        assert counting.count == MAX_LOOKS + 1


def test_few_places_are_looked_at(reader: Reader, rendered: Picture) -> None:
    counting = CountingReader(reader)
    mask = changed(*((20 * n, 60, 9, 9) for n in range(1, 7)))
    CloserLook(counting).improved(Reading(SIZE, ()), rendered, mask, None, DIE_PX)
    assert counting.count == MAX_PLACES


@pytest.mark.parametrize("taken", [False, True])
def test_a_die_that_is_missing_is_looked_for_where_the_picture_shows_it_still(
    reader: Reader, rendered: Picture, taken: bool
) -> None:
    counting = CountingReader(reader)
    look, whole = CloserLook(counting), reader.read(rendered)
    look.remember(whole.dice, rendered)
    first, *rest = whole.dice
    now = render_still([SimDie(2, "white", 60, -20)], np.random.default_rng(5)) if taken else rendered
    found = look.improved(replace(whole, dice=tuple(rest)), now, None, None, DIE_PX)
    kept = () if taken and first.face == 5 else (first.face,)
    assert [d.face for d in found.dice] == [*(d.face for d in rest), *kept]
    assert all(d.sure for d in found.dice)


def test_dice_of_a_larger_picture_are_not_looked_for_outside_a_smaller_one(
    reader: Reader, rendered: Picture
) -> None:
    look = CloserLook(reader)
    look.remember([die_at(700, 500), die_at(20, 20)], rendered)
    small = Reading((400, 300), ())
    assert look.improved(small, rendered[:300, :400].copy(), None, None, DIE_PX).dice == ()


class ShortSightedReader:
    """Reads as the nets do, but overlooks red dice in pictures of the whole tray."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader

    def read(self, picture: Picture) -> Reading:
        reading = self._reader.read(picture)
        if reading.size_wh != SIZE:
            return reading
        return replace(reading, dice=tuple(d for d in reading.dice if d.colour != "red"))


class Table:
    """A simulated tray, and what a pipeline with a short-sighted reader reports."""

    def __init__(self, reader: Reader) -> None:
        self.camera = SimulatedCamera(SIZE, seed=11, paced=False)
        self._pipeline, self._frames = Pipeline(ShortSightedReader(reader)), self.camera.frames()

    def does(self, act: Callable[[SimulatedCamera], None], seconds: float) -> list[Settled]:
        act(self.camera)
        return list(self._watch(round(30 * seconds)))

    def _watch(self, frames: int) -> Iterator[Settled]:
        for _ in range(frames):
            for event in self._pipeline.process(next(self._frames)):
                if isinstance(event, Settled):
                    yield event


def test_a_die_that_the_detector_overlooks_is_thrown_with_the_others_and_stays(reader: Reader) -> None:
    table = Table(reader)
    settled = table.does(lambda camera: camera.throw(["white", "red", "green", "blue"]), 4.0)
    thrown = {t.seen.colour for t in settled[-1].tracks.dice if t.outcome is TrackOutcome.THROWN}
    assert thrown == {"white", "red", "green", "blue"}
    assert all(t.seen.sure for t in settled[-1].tracks.dice)
    lay = [n for n, die in enumerate(table.camera.answer_key()) if die.colour in ("white", "red")]
    for act in (
        lambda camera: camera.reach_across(),
        lambda camera: camera.throw(["green", "blue"], leaving=lay),
    ):
        settled = table.does(act, 8.0)
        outcomes = {t.seen.colour: t.outcome for t in settled[-1].tracks.dice}
        assert outcomes["red"] is outcomes["white"] is TrackOutcome.UNMOVED
    assert outcomes["green"] is outcomes["blue"] is TrackOutcome.THROWN
