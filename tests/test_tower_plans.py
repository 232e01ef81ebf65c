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
from table.rules.prompts import Choose, DiceGroup, Option, Prompt, Roll
from table.rules.towers import Placement, Tower
from table.simulated_towers import SPOTS_MM, place_by_hand, prepare_towers, show_fallen, tower_places
from tests.games.night import Night
from vision.cameras.simulated import ActImpossible, SimulatedCamera
from vision.readings import SeenDie
from vision.simulation import SimDie
from vision.simulation.view import Floats

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

    def now(self, *options: Option, prompt: Prompt | None = None, tops: bool = True) -> Snapshot:
        """The snapshot at this prompt, or while one of these options is to be chosen.

        tops: whether the dice on towers are among those that were read.
        """
        side = 40.0
        dice = tuple(
            TrayDie(
                SeenDie(true.face, true.colour, (at.x - side / 2, at.y - side / 2, side, side), 1.0, True),
                "still",
            )
            for at, true in zip(self.hand.lay(), self.hand.answer_key(), strict=True)
            if tops or not at.level
        )
        match: MatchView = replace(
            Night("pig", "Ann", "Ben").match.view(),
            towers=self.towers,
            prompt=prompt or Choose("Ann", "?", options),
        )
        return Snapshot(match=match, tray=TrayView(dice=dice, size_wh=(640, 480)))


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
    assert _corners(table) == pytest.approx(np.array(SPOTS_MM), abs=1.0)
    assert tower_places(table.now(), table.hand) == (0, 1, 2, 3)


def _corners(table: TowersAtTable) -> Floats:
    """(4, 2) mm: where the bases stand, in the order of the towers."""
    at = {die.id: die.floor_mm for die in table.hand.lay()}
    return np.array([at[base] for base in table.hand.bases], np.float32)


def test_the_bases_stand_in_a_square_clockwise_from_the_far_left() -> None:
    """As the page says it: an inch or two apart."""
    (x1, y1), (x2, y2), (x3, y3), (x4, y4) = SPOTS_MM
    assert x1 == x4 < x2 == x3
    assert y1 == y2 > y3 == y4
    assert 25.4 < x2 - x1 - 16 == y2 - y3 - 16 < 50.8


def test_a_base_that_a_fall_turned_over_is_laid_right_again(table: TowersAtTable) -> None:
    prepare_towers(table.now(), table.hand)
    before = table.hand.bases
    table.towers = ((Die(6, "red"),), *BASES[1:])
    prepare_towers(table.now(), table.hand)
    assert [die.face for die in table.hand.answer_key()] == [3, 4, 5, 6]
    assert table.hand.bases[1:] == before[1:]
    assert table.hand.bases[0] == table.hand.lay()[-1].id
    assert _corners(table)[0] == pytest.approx(SPOTS_MM[0], abs=1.0)


def test_a_placement_is_made_by_the_hand(table: TowersAtTable) -> None:
    prepare_towers(table.now(), table.hand)
    table.hand.lay_down(LOOSE.face, str(LOOSE.colour), (0.0, -40.0))
    place = Placement(LOOSE, 2)
    assert place_by_hand(table.now(Option(place.id, "on green", places=place)), table.hand, place.id)
    on_tower = table.hand.lay()[-1]
    assert (on_tower.level, on_tower.base) == (1, table.hand.bases[1])


def test_a_die_that_stands_where_the_table_asks_about_it_is_not_placed_again(table: TowersAtTable) -> None:
    prepare_towers(table.now(), table.hand)
    table.hand.lay_down(LOOSE.face, str(LOOSE.colour), (0.0, -40.0))
    here, there = (Placement(LOOSE, tower) for tower in (2, 3))
    options = [Option(place.id, "on a tower", places=place) for place in (here, there)]
    assert place_by_hand(table.now(*options), table.hand, here.id)
    asked = replace(table.now(*options), tray=TrayView(TrayState.UNSURE))
    stands = table.hand.lay()
    assert not place_by_hand(asked, table.hand, here.id), "the tap is the answer"
    assert table.hand.lay() == stands
    assert place_by_hand(asked, table.hand, there.id), "another tower is not where it stands"


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


def options_for(*towers: int) -> list[Option]:
    """The options to put the loose die on one of these towers."""
    places = [Placement(LOOSE, tower) for tower in towers]
    return [Option(p.id, f"on tower {p.tower}", places=p) for p in places]


TOPS = pytest.mark.parametrize("tops", [True, False], ids=["tops read", "tops not read"])


@TOPS
def test_a_die_that_was_taken_back_goes_from_its_tower_to_the_next(table: TowersAtTable, tops: bool) -> None:
    test_a_die_that_the_game_placed_without_a_choice_is_put_there(table)
    table.towers = BASES
    options = options_for(1, 3)
    assert place_by_hand(table.now(*options, tops=tops), table.hand, options[1].id)
    on_tower = table.hand.lay()[-1]
    assert (on_tower.level, on_tower.base) == (1, table.hand.bases[2])
    assert len(table.hand.lay()) == 5


@TOPS
def test_a_die_that_was_taken_back_is_laid_beside_the_towers_before_another_is_placed(
    table: TowersAtTable, tops: bool
) -> None:
    """It was taken away, where it had not been read on its tower. Later too few dice were thrown."""
    test_a_die_that_the_game_placed_without_a_choice_is_put_there(table)
    table.hand.lay_down(6, "red", (0.0, -40.0))
    table.towers = BASES
    other = Placement(Die(6, "red"), 1)
    options = (*options_for(1), Option(other.id, "red on red", places=other))
    assert place_by_hand(table.now(*options, tops=tops), table.hand, other.id)
    lies = [(die.face, die.colour) for die in table.hand.answer_key()]
    assert len(lies) == 6
    assert (LOOSE.face, LOOSE.colour) in lies
    standing = [die.colour for die in table.hand.lay() if die.level]
    assert standing == ["red"]


def test_a_die_that_was_taken_back_is_laid_beside_one_that_looks_like_it(table: TowersAtTable) -> None:
    test_a_die_that_the_game_placed_without_a_choice_is_put_there(table)
    for twin_or_other in (LOOSE, Die(6, "red")):
        table.hand.lay_down(twin_or_other.face, str(twin_or_other.colour))
    table.towers = BASES
    other = Placement(Die(6, "red"), 1)
    options = (*options_for(1), Option(other.id, "red on red", places=other))
    assert place_by_hand(table.now(*options, tops=False), table.hand, other.id)
    lies = [(die.face, die.colour) for die in table.hand.answer_key()]
    assert lies.count((LOOSE.face, str(LOOSE.colour))) == 2


def test_two_dice_of_a_colour_that_were_taken_back_are_both_laid_beside_the_towers(
    table: TowersAtTable,
) -> None:
    prepare_towers(table.now(), table.hand)
    taken = LOOSE, replace(LOOSE, face=6)
    for tower, die in enumerate(taken):
        table.hand.lay_down(die.face, str(die.colour), (0.0, -40.0))
        base = [each.id for each in table.hand.lay()].index(table.hand.bases[tower])
        table.hand.put_on(len(table.hand.lay()) - 1, base)
    table.hand.lay_down(6, "red")
    other = Placement(Die(6, "red"), 1)
    places = [Placement(die, 1) for die in taken]
    options = [Option(p.id, "on red", places=p) for p in (*places, other)]
    assert place_by_hand(table.now(*options, tops=False), table.hand, other.id)
    lies = {(die.face, die.colour) for die in table.hand.answer_key()}
    assert {(die.face, die.colour) for die in taken} <= lies


def test_fallen_dice_are_shown_as_they_lie(table: TowersAtTable) -> None:
    """The others are taken away: a red 6 is no die that fell, and of two white ones one was thrown."""
    prepare_towers(table.now(), table.hand)
    for die, at_mm in (
        (Die(6, "red"), (-40.0, -40.0)),
        (LOOSE, (0.0, -40.0)),
        (Die(1, "white"), (40.0, -40.0)),
    ):
        table.hand.lay_down(die.face, str(die.colour), at_mm)
    fell = Roll("Ann", "?", (DiceGroup(1, "white"),), purpose="fell")
    now = table.now(prompt=fell)
    dice = tuple(
        replace(d, part="thrown", index=0) if d.seen.face == LOOSE.face and d.seen.colour == "white" else d
        for d in now.tray.dice
    )
    assert show_fallen(replace(now, tray=replace(now.tray, dice=dice)), table.hand)
    white = [die.face for die in table.hand.answer_key() if die.colour == "white"]
    assert white == [1]
    missing = Roll("Ann", "?", (DiceGroup(2, "white"),), purpose="fell")
    assert not show_fallen(table.now(prompt=missing), table.hand)


def test_of_two_fallen_dice_the_one_that_was_not_counted_is_shown(table: TowersAtTable) -> None:
    """The message asks for it: “slide the other onto the tray beside it”."""
    prepare_towers(table.now(), table.hand)
    table.hand.lay_down(6, "red", (-40.0, -40.0))
    table.hand.lay_down(1, "white", (40.0, -40.0))
    fell = Roll("Ann", "?", (DiceGroup(1, "red"), DiceGroup(1, "white")), purpose="fell")
    now = table.now(prompt=fell)
    before = table.hand.lay()
    dice = tuple(replace(d, part="thrown") if d.seen.face == 6 else d for d in now.tray.dice)
    assert show_fallen(replace(now, tray=replace(now.tray, dice=dice)), table.hand)
    after = table.hand.lay()
    assert [die.colour for die in before if die not in after] == ["white"]
    assert [die.colour for die in after if die not in before] == ["white"], "it lies elsewhere"
    assert [die.face for die in table.hand.answer_key() if die.colour == "white"] == [1], "as it lay"


def test_a_fallen_die_that_leans_is_slid(table: TowersAtTable) -> None:
    """Its face is not known yet."""
    prepare_towers(table.now(), table.hand)
    table.hand.lay_down(1, "white", (40.0, -40.0))
    now = table.now(prompt=Roll("Ann", "?", (DiceGroup(1, "white"),), purpose="fell"))
    before = table.hand.lay()[-1]
    leaning = tuple(replace(d, seen=replace(d.seen, cocked=d.seen.colour == "white")) for d in now.tray.dice)
    assert show_fallen(replace(now, tray=replace(now.tray, dice=leaning)), table.hand)
    after = table.hand.lay()[-1]
    assert after.id == before.id
    assert after.floor_mm != before.floor_mm


def test_a_fallen_die_beside_the_picture_is_laid_on_the_tray(table: TowersAtTable) -> None:
    """It was slid there from far away, through the towers."""
    prepare_towers(table.now(), table.hand)
    table.hand.lay_down(1, "white", (40.0, -40.0))
    now = table.now(prompt=Roll("Ann", "?", (DiceGroup(1, "white"),), purpose="fell"), tops=False)
    seen = tuple(die for die in now.tray.dice if die.seen.colour != "white")
    out = replace(now.tray, dice=seen, size_wh=(1, 1))
    before = table.hand.lay()[-1]
    assert show_fallen(replace(now, tray=out), table.hand)
    after = table.hand.lay()[-1]
    assert (after.colour, table.hand.answer_key()[-1].face) == ("white", 1)
    assert after.id != before.id


def test_dice_in_towers_leave_room_for_a_throw() -> None:
    lying = tuple(SimDie(3, "white", 0.0, 60.0, raised_mm=16.0 * n) for n in range(22))
    camera = SimulatedCamera(seed=1, paced=False, lying=lying)
    camera.throw(["red"] * 5, leaving=range(22))
    with pytest.raises(ActImpossible, match="too many"):
        camera.throw(["red"] * 25, leaving=range(22))


def test_a_game_without_towers_has_no_bases(table: TowersAtTable) -> None:
    prepare_towers(table.now(), table.hand)
    table.towers = ()
    prepare_towers(table.now(), table.hand)
    assert (table.hand.bases, tower_places(table.now(), table.hand)) == ((), ())
