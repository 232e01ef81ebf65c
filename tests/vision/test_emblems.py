"""Dice with emblems get the faces that people gave them, whichever way round they lie."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from tests.vision.emblems import EMBLEMS, OneDieReader, drawn
from vision.reading.emblems import (
    MIN_ALIKE,
    NO_EMBLEMS,
    EmblemReader,
    Emblems,
    descriptor,
    likeness_of,
    sample_count,
)
from vision.readings import SeenDie

FACES = {"tower": 6, "arrow": 1}
"""What the two emblems stand for; the moon is never taught."""
TAUGHT_DEGREES = (10, 95, 215)


class Household:
    """A reader, and how often its emblems were saved."""

    def __init__(self) -> None:
        self.lying, self.saved = OneDieReader(), list[Emblems]()
        self.reader = EmblemReader(self.lying, NO_EMBLEMS, self.saved.append)

    def reads(self, emblem: str, degrees: float, seed: int = 1) -> SeenDie:
        picture, self.lying.lying = drawn(emblem, degrees, seed)
        (die,) = self.reader.read(picture).dice
        return die

    def names(self, emblem: str, degrees: float, face: int, seed: int = 1) -> int:
        picture, self.lying.lying = drawn(emblem, degrees, seed)
        return self.reader.learn(picture, [(self.lying.lying.box_xywh, face)])


@pytest.fixture
def household() -> Household:
    taught = Household()
    for emblem, face in FACES.items():
        for seed, degrees in enumerate(TAUGHT_DEGREES):
            taught.names(emblem, degrees, face, seed)
    return taught


@pytest.mark.parametrize("emblem", FACES)
@pytest.mark.parametrize("degrees", range(0, 360, 30))
def test_a_taught_emblem_is_sure_at_any_angle(household: Household, emblem: str, degrees: int) -> None:
    die = household.reads(emblem, degrees + 5, seed=degrees + 40)
    assert (die.face, die.sure) == (FACES[emblem], True)
    assert die.likely[0] == (FACES[emblem], die.confidence)
    assert sum(share for _, share in die.likely) == pytest.approx(1.0)


def test_an_emblem_that_nobody_named_is_still_asked_about(household: Household) -> None:
    for degrees in range(0, 360, 30):
        assert not household.reads("moon", degrees, seed=degrees).sure


def test_one_answer_is_not_enough() -> None:
    """It may have been a blurred die with pips."""
    new = Household()
    assert new.names("tower", 10, 6) == 1
    assert not new.reads("tower", 30).sure
    for n in range(1, MIN_ALIKE):
        new.names("tower", 10 + 60 * n, 6, seed=n + 5)
    assert new.reads("tower", 30).sure


def test_an_emblem_that_is_known_is_not_learned_again(household: Household) -> None:
    before = sample_count(household.reader.emblems)
    saved = len(household.saved)
    assert household.names("tower", 12, 6, seed=30) == 0
    assert sample_count(household.reader.emblems) == before
    assert len(household.saved) == saved


def test_an_emblem_that_stands_for_two_faces_is_asked_about(household: Household) -> None:
    """Somebody named it wrongly: neither face is sure then."""
    for seed, degrees in enumerate(TAUGHT_DEGREES):
        household.names("tower", degrees, 2, seed)
    assert not household.reads("tower", 100, seed=9).sure


@pytest.mark.parametrize(
    "change", [{"sure": True}, {"confidence": 0.93}, {"cut_off": True}, {"stacked": True}]
)
def test_dice_that_the_nets_know_or_that_are_hidden_keep_their_reading(
    household: Household, change: dict[str, bool | float]
) -> None:
    picture, die = drawn("tower", 20, 3)
    seen = replace(die, **change)  # type: ignore[arg-type]
    assert household.reader.emblems.named(picture, seen) == seen


def test_stored_emblems_name_as_before(household: Household) -> None:
    again = Emblems.from_json(json.loads(json.dumps(household.reader.emblems.to_json())))
    for emblem, face in FACES.items():
        picture, die = drawn(emblem, 44, 8)
        assert again.named(picture, die).face == face


@pytest.mark.parametrize(
    "data", [[1, 2], {"7": [[0.0]]}, {"6": [[0.0, 1.0]]}, {"6": [[float("nan")] * 1008]}, {"6": 3}]
)
def test_unreadable_emblems_are_refused(data: object) -> None:
    with pytest.raises(ValueError, match="expected"):
        Emblems.from_json(data)


def test_a_die_at_the_pictures_edge_has_a_descriptor() -> None:
    picture, die = drawn("arrow", 0)
    for at in ((-30.0, -30.0), (150.0, 140.0), (-400.0, 20.0)):
        row = descriptor(picture, replace(die, box_xywh=(*at, 60.0, 60.0)))
        assert np.isfinite(row).all()


def test_turned_emblems_are_alike_and_different_ones_are_not() -> None:
    rows = {emblem: descriptor(*drawn(emblem, 0)) for emblem in EMBLEMS}
    turned = descriptor(*drawn("tower", 90, 2))
    assert likeness_of(rows["tower"][None], turned[None])[0] > 0.8
    assert likeness_of(rows["moon"][None], turned[None])[0] < 0.7
