"""Dice that were kept, after their throw is corrected."""

from __future__ import annotations

import pytest

from table.common.errors import IllegalAnswer
from table.rules.answers import Die, Kept, Throw
from table.rules.following import as_thrown, kept_after

Dice = tuple[int, ...]


def after(kept: Dice, was: Dice, now: Dice) -> Dice:
    return kept_after(Kept(kept), was, Throw.of(*was), Throw.of(*now)).faces


@pytest.mark.parametrize(
    ("kept", "was", "now", "expected"),
    [
        ((1,), (1, 2, 6, 3, 4, 6), (5, 1, 2, 3, 4, 6), (1,)),
        ((6,), (1, 4, 6, 3, 2, 2), (6, 4, 1, 3, 2, 5), (6,)),
        ((6, 6), (6, 6, 2), (2, 6, 5), (6, 5)),
        ((4, 1, 4), (1, 4, 4, 2), (2, 3, 1, 4), (3, 1, 4)),
    ],
)
def test_the_order_of_a_correction_says_nothing(kept: Dice, was: Dice, now: Dice, expected: Dice) -> None:
    assert sorted(after(kept, was, now)) == sorted(expected)


@pytest.mark.parametrize(
    ("kept", "was", "now", "expected"),
    [
        ((2, 3), (2, 3, 6), (4, 5, 6), (4, 5)),  # both were kept, whichever was which
        ((6,), (2, 3, 6), (4, 5, 6), (6,)),
        ((2, 6), (2, 3, 6), (4, 4, 6), (4, 6)),  # the 2 is a 4, whichever that is
        ((2, 2), (2, 2, 2), (5, 5, 5), (5, 5)),  # two of three dice, and all three show a 5
    ],
)
def test_several_misread_dice_stay_kept_if_each_pairing_keeps_the_same(
    kept: Dice, was: Dice, now: Dice, expected: Dice
) -> None:
    assert after(kept, was, now) == expected


@pytest.mark.parametrize(
    ("kept", "was", "now"),
    [
        ((2, 6), (2, 3, 6), (4, 5, 6)),  # the 2 is a 4 or a 5
        ((2,), (2, 2, 6), (2, 5, 6)),  # the 5 may be the 2 that was kept, or the other one
        ((2, 2), (2, 2, 2), (5, 4, 5)),
    ],
)
def test_the_answer_stays_as_it_is_if_it_cannot_be_told_which_dice_were_kept(
    kept: Dice, was: Dice, now: Dice
) -> None:
    assert after(kept, was, now) == kept


def test_a_die_kept_from_an_earlier_throw_may_be_the_one_that_was_kept_again() -> None:
    kept = kept_after(Kept((2,)), (2, 2, 6), Throw.of(2, 6), Throw.of(5, 6))
    assert kept == Kept((2,))


def test_only_dice_of_one_colour_are_taken_for_one_another() -> None:
    was = Throw((Die(1, "white"), Die(6, "green")))
    now = Throw((Die(1, "green"), Die(6, "white")))
    assert kept_after(Kept((1,)), (1, 6), was, now) == Kept((6,))
    coloured = Throw((Die(6, "green"), Die(1, "red")))
    assert kept_after(Kept((1,)), (1, 6), was, coloured) == Kept((1,)), "the colours were misread too"


# -- which die is which --------------------------------------------------------------------------------------


def coloured(*dice: tuple[str | None, int]) -> Throw:
    return Throw(tuple(Die(face, colour) for colour, face in dice))


THROWN = coloured(("red", 3), ("green", 5), ("green", 2))


@pytest.mark.parametrize(
    ("faces", "expected"),
    [
        ((4, 5, 2), coloured(("red", 4), ("green", 5), ("green", 2))),
        ((5, 5, 2), coloured(("red", 5), ("green", 5), ("green", 2))),
        ((1, 4, 6), coloured(("red", 1), ("green", 4), ("green", 6))),
        ((3, 2, 4), coloured(("red", 3), ("green", 2), ("green", 4))),
    ],
)
def test_corrected_faces_keep_the_colours_of_their_dice(faces: Dice, expected: Throw) -> None:
    assert as_thrown(THROWN, Throw.of(*faces)) == expected


def test_of_two_like_dice_the_one_in_the_place_of_the_new_face_is_corrected() -> None:
    assert as_thrown(Throw.of(5, 5, 2), Throw.of(6, 5, 2)) == Throw.of(6, 5, 2)
    assert as_thrown(Throw.of(5, 5, 2), Throw.of(5, 6, 2)) == Throw.of(5, 6, 2)


@pytest.mark.parametrize("faces", [(5, 4, 2), (5, 3, 2), (2, 3, 5)])
def test_faces_in_another_order_do_not_tell_the_colours(faces: Dice) -> None:
    with pytest.raises(IllegalAnswer, match="in the order of the throw, 3, 5 and 2, or each die with its"):
        as_thrown(THROWN, Throw.of(*faces))


def test_dice_with_colours_may_come_in_any_order() -> None:
    now = coloured(("green", 2), ("green", 4), ("red", 3))
    assert as_thrown(THROWN, now) == coloured(("red", 3), ("green", 4), ("green", 2))


def test_dice_of_other_colours_and_throws_of_other_sizes_stay_as_they_are_given() -> None:
    blue = coloured(("blue", 2), ("green", 5), ("red", 3))
    assert as_thrown(THROWN, blue) == blue
    assert as_thrown(THROWN, Throw.of(5, 3)) == Throw.of(5, 3)
