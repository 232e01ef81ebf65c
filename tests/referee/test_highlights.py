"""What people tell about a match afterwards."""

from __future__ import annotations

from datetime import timedelta

import pytest

from table.referee.highlights import highlights
from tests.games.night import Night


def told(night: Night, minutes: float | None = None) -> list[tuple[str, ...]]:
    length = None if minutes is None else timedelta(minutes=minutes)
    return [
        tuple(filter(None, (each.title, each.value, each.player)))
        for each in highlights(night.match.view(), length)
    ]


def pig_in_turns(*turns: tuple[int, ...]) -> Night:
    """A game of Pig: the throws of each turn, which is held unless the last one is a 1."""
    pig = Night("pig", "Ann", "Ben", start="Ann")
    for throws in turns:
        for n, face in enumerate(throws):
            if n:
                pig.chooses("roll")
            pig.throws(face)
        if throws[-1] != 1:
            pig.chooses("hold")
    return pig


SIXES = (6,) * 6


def test_a_match_that_goes_on_has_none() -> None:
    assert told(pig_in_turns(SIXES), minutes=3) == []


def test_the_best_turn_the_comeback_and_the_longest_run_are_told() -> None:
    pig = pig_in_turns(SIXES, (1,), SIXES, (6, 6), (2,), (6,) * 9, (1,), (6,) * 6)
    assert pig.match.view().scores == {"Ann": 74, "Ben": 102}
    assert told(pig) == [
        ("Most at once", "54", "Ben"),
        ("From behind", "60", "Ben"),
        ("Throws in a row", "9", "Ben"),
        ("Throws", "32"),
    ]


def test_somebody_who_always_led_did_not_come_from_behind() -> None:
    pig = pig_in_turns(SIXES, (1,), SIXES, (2,), SIXES)
    assert [each[0] for each in told(pig)] == ["Most at once", "Throws in a row", "Throws"]


def test_the_most_dice_alike_are_told() -> None:
    night = Night("midnight", "Ann", "Ben", start="Ann")
    for faces in ((1, 4, 2, 2, 5, 6), (3, 3, 3, 3, 1, 4)):
        night.throws(*faces).keeps(*faces)
    assert ("Most alike", "four 3s", "Ben") in told(night)


@pytest.mark.parametrize(
    ("minutes", "expected"), [(0.2, ("Minutes", "1")), (34.4, ("Minutes", "34")), (150, ("Hours", "2.5"))]
)
def test_the_length_is_told_if_it_is_known(minutes: float, expected: tuple[str, str]) -> None:
    assert told(pig_in_turns(SIXES, (1,), SIXES, (2,), SIXES), minutes)[-1] == expected
