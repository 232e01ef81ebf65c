"""The simulated hand's towers: where it puts the bases, what it builds, and what it leaves in a throw."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
import pytest

from table.common.tray import TrayState
from table.referee.snapshot import Snapshot, TrayDie, TrayView
from table.rules.answers import Die
from table.rules.match import MatchView
from table.rules.prompts import Choose, Option
from table.rules.towers import Placement, Tower
from table.simulated_towers import place_by_hand, prepare_towers, tower_places
from tests.games.night import Night
from vision.cameras.simulated import SimulatedCamera
from vision.readings import SeenDie
from vision.simulation import SimDie

COLOURS = ("red", "green", "blue", "yellow")
BASES: tuple[Tower, ...] = tuple(
    (Die(face, colour),) for face, colour in zip((2, 3, 4, 5), COLOURS, strict=True)
)
LOOSE = Die(3, "white")


@dataclass
class TowersAtTable:
    """A simulated tray with four bases and a loose white 3, and the snapshot of a match about it."""

    hand: SimulatedCamera
    towers: tuple[Tower, ...] = BASES

    def now(self, *options: Option) -> Snapshot:
        """The snapshot while one of these options is to be chosen."""
        side = 40.0
        dice = tuple(
            TrayDie(
                SeenDie(true.face, true.colour, (at.x - side / 2, at.y - side / 2, side, side), 1.0, True),
                "still",
            )
            for at, true in zip(self.hand.lay(), self.hand.answer_key(), strict=True)
        )
        match: MatchView = replace(
            Night("pig", "Ann", "Ben").match.view(), towers=self.towers, prompt=Choose("Ann", "?", options)
        )
        return Snapshot(match=match, tray=TrayView(dice=dice))


@pytest.fixture
def table() -> TowersAtTable:
    close = [SimDie(tower[0].face, str(tower[0].colour), 20.0 * n, 5.0) for n, tower in enumerate(BASES)]
    lying = [*close, SimDie(LOOSE.face, str(LOOSE.colour), 0.0, -60.0)]
    return TowersAtTable(SimulatedCamera(seed=1, paced=False, lying=lying))


def test_bases_are_put_apart_and_other_dice_are_taken_away(table: TowersAtTable) -> None:
    prepare_towers(table.now(), table.hand)
    lay = table.hand.lay()
    assert sorted(die.colour for die in lay) == sorted(COLOURS)
    assert [next(die.colour for die in lay if die.id == base) for base in table.hand.bases] == list(COLOURS)
    apart = [np.hypot(*np.subtract(a.floor_mm, b.floor_mm)) for a, b in combinations(lay, 2)]
    assert min(apart) > 2 * 16
    assert tower_places(table.now(), table.hand) == (0, 1, 2, 3)


def test_a_placement_is_made_by_the_hand(table: TowersAtTable) -> None:
    prepare_towers(table.now(), table.hand)
    table.hand.lay_down(LOOSE.face, str(LOOSE.colour), (0.0, -40.0))
    place = Placement(LOOSE, 2)
    assert place_by_hand(table.now(Option(place.id, "on green", places=place)), table.hand, place.id)
    on_tower = table.hand.lay()[-1]
    assert (on_tower.level, on_tower.base) == (1, table.hand.bases[1])


def test_an_option_without_a_placement_or_without_its_die_is_left_to_a_tap(table: TowersAtTable) -> None:
    prepare_towers(table.now(), table.hand)
    missing = Placement(Die(6, "white"), 1)
    options = Option("end", "End the turn"), Option(missing.id, "on red", places=missing)
    assert not place_by_hand(table.now(*options), table.hand, "end")
    assert not place_by_hand(table.now(*options), table.hand, missing.id)


def test_a_die_that_the_game_placed_without_a_choice_is_put_there(table: TowersAtTable) -> None:
    prepare_towers(table.now(), table.hand)
    table.hand.lay_down(LOOSE.face, str(LOOSE.colour), (0.0, -40.0))
    table.towers = ((*BASES[0], LOOSE), *BASES[1:])
    prepare_towers(table.now(), table.hand)
    assert table.hand.lay()[-1].base == table.hand.bases[0]


def test_what_the_game_took_off_a_tower_is_taken_off(table: TowersAtTable) -> None:
    test_a_die_that_the_game_placed_without_a_choice_is_put_there(table)
    table.towers = BASES
    prepare_towers(table.now(), table.hand)
    assert [die.level for die in table.hand.lay()] == [0, 0, 0, 0]


@pytest.mark.parametrize("other", [replace(LOOSE, face=6), replace(LOOSE, colour="red")])
def test_a_top_that_the_game_has_with_another_face_or_colour_is_taken_off_after_a_void_throw(
    table: TowersAtTable, other: Die
) -> None:
    test_a_die_that_the_game_placed_without_a_choice_is_put_there(table)
    now = table.now()
    void = replace(now, tray=TrayView(TrayState.WRONG_DICE, dice=now.tray.dice[-1:]))
    prepare_towers(void, table.hand)
    assert [die.level for die in table.hand.lay()] == [0, 0, 0, 0, 1]
    table.towers = ((*BASES[0], other), *BASES[1:])
    prepare_towers(replace(void, match=table.now().match), table.hand)
    assert [die.level for die in table.hand.lay()] == [0, 0, 0, 0]


def test_a_top_that_a_void_throw_counted_is_taken_away_with_it(table: TowersAtTable) -> None:
    test_a_die_that_the_game_placed_without_a_choice_is_put_there(table)
    now = table.now()
    on_top = replace(now.tray.dice[-1], part="thrown")
    dice = (*now.tray.dice[:-1], on_top)
    void = TrayView(TrayState.WRONG_DICE, dice=dice)
    assert tower_places(replace(now, tray=void), table.hand) == (0, 1, 2, 3)
    lies = replace(void, state=TrayState.ACCEPTED)
    assert tower_places(replace(now, tray=lies), table.hand) == (0, 1, 2, 3, 4)


def test_a_game_without_towers_has_no_bases(table: TowersAtTable) -> None:
    prepare_towers(table.now(), table.hand)
    table.towers = ()
    prepare_towers(table.now(), table.hand)
    assert (table.hand.bases, tower_places(table.now(), table.hand)) == ((), ())
