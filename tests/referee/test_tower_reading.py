"""What the camera makes of one tower: where its dice are expected, and what became of it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from table.referee.tower_reading import known_towers
from table.referee.towers import LEVEL_GROWTH, TowerSeen, followed, read_tower
from table.rules.answers import Die
from vision.boxes import Box
from vision.readings import SeenDie

SIZE_WH = (800, 600)
COLOURS = ("blue", "green", "red", "yellow")
RED3, BLUE3, GREEN3 = Die(3, "red"), Die(3, "blue"), Die(3, "green")


def seen(die: Die, box: Box = (300.0, 200.0, 41.0, 41.0)) -> SeenDie:
    return SeenDie(die.face, str(die.colour), box, 0.999, True, likely=((die.face, 0.999),))


def test_a_higher_die_is_expected_larger_and_farther_from_the_middle_of_the_picture() -> None:
    tower = TowerSeen((RED3,), (seen(RED3),))
    (x, y), side = tower.place(3, SIZE_WH)
    growth = LEVEL_GROWTH**2
    assert (x, y) == pytest.approx((400 - 79.5 * growth, 300 - 79.5 * growth))
    assert side == pytest.approx(41 * growth)


def test_a_die_on_a_tower_that_the_game_knows_of_is_no_new_placement() -> None:
    """The dice that may have been put there include the one that the game has on the tower already."""
    tower = TowerSeen((RED3,), (seen(RED3),))
    (x, y), side = tower.place(2, SIZE_WH)
    top = seen(BLUE3, (x - side / 2, y - side / 2, side, side))
    reading = read_tower(tower, (RED3, BLUE3), [top], {BLUE3: 1.0, GREEN3: 1.0}, 1.0, COLOURS, SIZE_WH)
    assert [(c.kind, c.dice) for c in reading.conditions if c.dice == (RED3, BLUE3)] == [
        ("ahead", (RED3, BLUE3))
    ]
    assert (reading.best.kind, reading.sure) == ("ahead", True)


def test_a_tower_that_was_pushed_as_a_whole_is_followed_with_its_lower_dice() -> None:
    tower = TowerSeen((RED3, GREEN3, BLUE3), (seen(RED3), None, seen(BLUE3, (290.0, 190.0, 44.0, 44.0))))
    pushed = seen(BLUE3, (340.0, 170.0, 44.0, 44.0))
    after = followed(tower, [seen(RED3, (500.0, 400.0, 40.0, 40.0)), pushed], COLOURS)
    assert after == replace(tower, levels=(seen(RED3, (350.0, 180.0, 41.0, 41.0)), None, pushed))


def test_a_tower_keeps_its_place_although_the_game_has_other_dice_on_it_than_were_seen() -> None:
    base, top = seen(RED3), seen(BLUE3, (290.0, 190.0, 44.0, 44.0))
    tower = TowerSeen((RED3, BLUE3), (base, top))
    assert known_towers((tower,), ((RED3, BLUE3, GREEN3),)) == (tower,)
    assert known_towers((tower,), ((RED3, GREEN3),)) == (TowerSeen((RED3, GREEN3), (base, top)),)
    lower = TowerSeen((RED3, GREEN3, BLUE3), (None, None, top))
    assert known_towers((lower,), ((RED3, RED3),)) == (TowerSeen((RED3, RED3), (None, top)),)


def test_towers_on_other_bases_are_not_those_that_were_seen() -> None:
    assert known_towers((TowerSeen((RED3,), (seen(RED3),)),), ((BLUE3,),)) is None
    assert known_towers((), ((BLUE3,),)) is None
