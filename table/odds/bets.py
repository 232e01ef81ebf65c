"""Bets on dice: what a stake on each of them brings."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction

from table.odds.throws import Dice, throws
from table.rules.prompts import Odds

STAKE = 100
"""Units, so that what a bet brings can be told from nothing at a glance."""


def of_stakes(dice: int, bets: Iterable[tuple[str, str]], gain: Callable[[Dice, str], int]) -> tuple[Odds, ...]:
    """What STAKE units bring on each of the bets, (id, in words), on average. gain: per unit, -1 where the bet is lost."""
    return tuple(Odds(f"{STAKE} units on {text} bring, on average", STAKE * mean(dice, bet, gain), points=True) for bet, text in bets)


def mean(dice: int, bet: str, gain: Callable[[Dice, str], int]) -> Fraction:
    """What a unit on the bet gains on average when so many dice are thrown."""
    return sum((p * gain(thrown, bet) for thrown, p in throws(dice)), Fraction(0))
