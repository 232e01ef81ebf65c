"""Simulated towers, read by the nets: a few tables of those that `python -m tests.scenarios.towers` plays."""

from __future__ import annotations

from functools import lru_cache
from random import Random

import pytest

from tests.scenarios.towers import Playing, Seen, places, play, random_position, table_of, unstacked
from vision.reading.reader import Reader


@lru_cache(maxsize=1)
def reader() -> Reader:
    return Reader()


@pytest.mark.slow
@pytest.mark.parametrize("seed", [0, 3])
def test_every_placement_on_these_tables_is_the_answer(seed: int) -> None:
    seen = play(reader(), seed, "placements")
    assert seen
    assert {s.verdict for s in seen} == {"right"}


@pytest.mark.slow
def test_a_die_on_a_wrong_tower_is_a_foul() -> None:
    seen = Playing(reader(), 6).places_wrongly()
    assert seen is not None
    assert seen.verdict == "right", seen


@pytest.mark.slow
def test_the_dice_of_a_fall_and_their_faces_are_offered() -> None:
    (fall,) = play(reader(), 0, "falls")
    assert fall.verdict == "right", fall


@pytest.mark.parametrize("seed", range(4))
def test_a_random_position_awaits_a_placement_of_one_of_its_loose_dice(seed: int) -> None:
    match = random_position(Random(seed))
    assert {o.places.die for o in places(match) if o.places} <= set(unstacked(match))


def test_the_table_counts_the_verdicts_of_each_act() -> None:
    seen = [Seen(0, "placement", "right"), Seen(0, "placement", "asked"), Seen(1, "fall", "right")]
    assert table_of(seen).splitlines() == [
        "placement: 2, 50.0% right; right 1, asked 1",
        "fall: 1, 100.0% right; right 1",
    ]
