"""Cee Lo: the hand of a player who throws until there is one."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from typing import Any, Protocol

from table.odds.throws import Dice, throws
from table.rules.prompts import Odds

DICE = 3


class Ranked(Protocol):
    """A hand. A better hand compares greater."""

    def __lt__(self, other: Any, /) -> bool: ...


HandOf = Callable[[Dice], Ranked | None]


def of_a_hand(hand_of: HandOf, to_beat: Ranked | None) -> tuple[Odds, ...]:
    """The odds of the final hand against the best so far. hand_of: the hand of a throw, None if none."""
    now = Odds("a hand with this throw", 1 - no_hand(hand_of))
    if to_beat is None:
        return (now,)
    chances = hands(hand_of)
    better = sum((p for hand, p in chances.items() if to_beat < hand), Fraction(0))
    return (
        now,
        Odds("a better hand in the end", better),
        Odds("the same hand in the end", chances.get(to_beat, Fraction(0))),
    )


@cache
def hands(hand_of: HandOf) -> dict[Ranked, Fraction]:
    """The chance of each hand as the final hand of a player."""
    chances: dict[Ranked, Fraction] = {}
    for dice, p in throws(DICE):
        hand = hand_of(dice)
        if hand is not None:
            chances[hand] = chances.get(hand, Fraction(0)) + p / (1 - no_hand(hand_of))
    return chances


@cache
def no_hand(hand_of: HandOf) -> Fraction:
    """Chance that a throw is no hand and is repeated."""
    return sum((p for dice, p in throws(DICE) if hand_of(dice) is None), Fraction(0))
