"""Ship, Captain, Crew: the chance of a full crew in time, and the mean cargo."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache

from table.odds.throws import Dice, throws
from table.rules.prompts import Odds

Board = Callable[[Sequence[int], Sequence[int]], tuple[Dice, Dice]]
"""The game's own boarding rule: (crew set aside, dice thrown) to (crew, the other dice)."""

DICE = 5
CREW = 3


def of_the_crew(left: int, aside: Dice, board: Board) -> tuple[Odds, ...]:
    """The odds of a turn with this many throws left and this crew aboard.

    The mean cargo assumes that the cargo is thrown again while that pays.
    """
    home = Odds("brought home, on average", brought_home(left, aside, board), points=True)
    return (
        (home,)
        if len(aside) == CREW
        else (Odds("a full crew in the throws left", crew_within(left, aside, board)), home)
    )


def of_the_cargo(cargo: int, left: int) -> tuple[Odds, ...]:
    """The odds of throwing a cargo again with this many throws left."""
    higher = sum((p for dice, p in throws(DICE - CREW) if sum(dice) > cargo), Fraction(0))
    return (
        Odds("a higher cargo with the next throw", higher),
        Odds("cargo by throwing again, on average", cargo_of(left), points=True),
    )


@cache
def crew_within(left: int, aside: Dice, board: Board) -> Fraction:
    """Chance of a full crew in this many throws."""
    if len(aside) == CREW:
        return Fraction(1)
    if not left:
        return Fraction(0)
    return sum(
        (p * crew_within(left - 1, board(aside, dice)[0], board) for dice, p in throws(DICE - len(aside))),
        Fraction(0),
    )


@cache
def brought_home(left: int, aside: Dice, board: Board) -> Fraction:
    """Mean cargo of a turn with this many throws left, if the cargo is thrown again while that pays.

    The cargo is 0 without a full crew.
    """
    if len(aside) == CREW:
        return cargo_of(left)
    if not left:
        return Fraction(0)
    mean = Fraction(0)
    for dice, p in throws(DICE - len(aside)):
        crew, cargo = board(aside, dice)
        on = brought_home(left - 1, crew, board)
        mean += p * (max(Fraction(sum(cargo)), on) if len(crew) == CREW else on)
    return mean


@cache
def cargo_of(left: int) -> Fraction:
    """Mean cargo of throwing both dice, and again while throws are left and it pays; 0 with no throw left."""
    if not left:
        return Fraction(0)
    return sum(
        (p * max(Fraction(sum(dice)), cargo_of(left - 1)) for dice, p in throws(DICE - CREW)), Fraction(0)
    )
