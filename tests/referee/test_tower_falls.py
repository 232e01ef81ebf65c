"""Which dice fell: the tops that are left and the new dice on the tray have to agree."""

from __future__ import annotations

from collections import Counter

from table.referee.tower_falls import NewDie, read_fall
from table.referee.towers import Condition, TowerReading, TowerSeen
from table.rules.answers import Die
from vision.readings import SeenDie

RED3, BLUE3, GREEN6, RED6 = Die(3, "red"), Die(3, "blue"), Die(6, "green"), Die(6, "red")


def seen(die: Die, sure: bool = True) -> SeenDie:
    return SeenDie(die.face, str(die.colour), (100.0, 100.0, 40.0, 40.0), 0.99, sure)


def reading(dice: tuple[Die, ...], *conditions: tuple[str, int, float], hidden: bool = False) -> TowerReading:
    """A tower of these dice. conditions: (kind, number of dice that stand, chance), the likeliest first."""
    of = tuple(Condition(kind, dice[:height], chance) for kind, height, chance in conditions)
    top = None if hidden else seen(of[0].dice[-1])
    return TowerReading(TowerSeen(dice, (None,) * (len(dice) - 1) + (seen(dice[-1]),)), top, of)


def new(*dice: Die, sure: bool = True, from_tower: bool = False) -> list[NewDie]:
    return [NewDie(seen(die, sure), die, from_tower) for die in dice]


STANDING = reading((GREEN6, RED6), ("same", 2, 0.999))
SAME_LOOKS = reading((RED3, BLUE3, RED3), ("same", 3, 0.6), ("lower", 1, 0.399))
"""Red 3, blue 3 and red 3: a red 3 is on top whether two dice fell or none."""


def test_new_dice_decide_between_two_levels_that_look_alike() -> None:
    fall = read_fall(
        [SAME_LOOKS, reading((GREEN6, RED6), ("lower", 1, 0.99))], new(BLUE3, RED6, RED6), Counter()
    )
    assert fall is not None
    assert fall.fall.lowest == ("t1.2", "t2.2")
    assert fall.fall.dice == (BLUE3, RED3, RED6)
    assert [r.now.height for r in fall.towers] == [1, 1]


def test_the_likelier_of_two_ways_to_lose_a_die_is_told_without_a_question() -> None:
    one = reading((GREEN6, BLUE3), ("lower", 1, 0.95), ("same", 2, 0.05))
    other = reading((RED6, BLUE3), ("same", 2, 0.95), ("lower", 1, 0.05))
    fall = read_fall([one, other], new(BLUE3), Counter())
    assert fall is not None
    assert (fall.fall.lowest, fall.fall.dice) == (("t1.2",), (BLUE3,))


def test_dice_that_left_the_tray_leave_it_open_which_fell() -> None:
    """Two dice fell by the tops, and one lies on the tray."""
    fall = read_fall([reading((RED3, BLUE3, RED3), ("lower", 1, 0.99)), STANDING], new(BLUE3), Counter())
    assert fall is not None
    assert (fall.fall.lowest, fall.fall.lying, fall.fall.answers) == ((), (), ())
    assert fall.fall.question == "Did dice fall from tower 1?"


def test_while_a_top_is_hidden_it_is_open_which_dice_fell() -> None:
    hidden = reading((GREEN6, RED6), ("same", 2, 0.9), hidden=True)
    fall = read_fall([reading((RED3, BLUE3), ("lower", 1, 0.99)), hidden], new(BLUE3), Counter())
    assert fall is not None
    assert fall.fall.lowest == ()
    assert fall.fall.towers == (1, 2)


def test_a_die_that_is_not_read_surely_has_no_face_yet() -> None:
    fall = read_fall([reading((RED3, BLUE3), ("lower", 1, 0.99))], new(BLUE3, sure=False), Counter())
    assert fall is not None
    assert fall.fall.lowest == ("t1.2",)
    assert fall.fall.lying == ()


def test_a_fallen_die_of_a_thrown_colour_is_known_if_it_was_seen_to_fall() -> None:
    towers = [reading((RED3, BLUE3), ("lower", 1, 0.99))]
    dice = [*new(Die(1, "blue")), *new(Die(5, "blue"), from_tower=True)]
    fall = read_fall(towers, dice, Counter(blue=1))
    assert fall is not None
    assert [d.die for d in fall.fall.lying] == [Die(5, "blue")]


def test_where_fallen_dice_look_like_thrown_ones_some_are_taken_for_thrown() -> None:
    """Two blue dice and a red one were thrown, and knocked a blue and a red one down."""
    towers = [reading((GREEN6, RED3, BLUE3), ("lower", 1, 0.99))]
    dice = new(Die(1, "blue"), Die(2, "blue"), Die(5, "blue"), Die(6, "red"), Die(4, "red"))
    fall = read_fall(towers, dice, Counter(blue=2, red=1))
    assert fall is not None
    assert fall.fall.lowest == ("t1.2",)
    assert fall.fall.lying == (), "which faces the fallen dice show is open"
    assert Counter(d.die.colour for d in fall.fallen) == Counter(blue=1, red=1)


def test_a_throw_whose_dice_do_not_all_lie_there_is_no_fall() -> None:
    towers = [reading((GREEN6, BLUE3), ("other", 2, 0.9))]
    assert read_fall(towers, new(BLUE3), Counter(red=1)) is None
    assert read_fall(towers, new(BLUE3, RED3), Counter(red=1)) is not None


def test_dice_that_fall_before_a_throw_are_none_of_it() -> None:
    towers = [reading((GREEN6, RED3, BLUE3), ("lower", 1, 0.99)), STANDING]
    fall = read_fall(towers, new(BLUE3, RED6), Counter(blue=2, red=1))
    assert fall is not None
    assert fall.fall.lowest == ("t1.2",)
    assert [d.die for d in fall.fallen] == [RED6, BLUE3]
    assert fall.fall.before_throw == "Dice seem to have fallen from tower 1: throw, and then say what fell."


def test_nothing_fell_while_all_towers_stand() -> None:
    assert read_fall([STANDING, SAME_LOOKS], [], Counter()) is None
    assert read_fall([STANDING], new(BLUE3), Counter()) is None
