"""Bets on dice: what a stake on each of them brings."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction

from table.odds.throws import Dice, throws
from table.rules.prompts import Odds

Gain = Callable[[Dice, str], int | Fraction]
"""What a bet, by its id, gains for each unit staked when these dice have fallen: -1 where it is lost."""

STAKE = 100
"""Units, so that what a bet brings can be told from nothing at a glance."""


def of_stakes(dice: int, bets: Iterable[tuple[str, str]], gain: Gain) -> tuple[Odds, ...]:
    """What STAKE units bring on each of the bets, (id, in words), on average."""
    return tuple(Odds(f"{STAKE} units on {text} bring, on average", STAKE * mean(dice, bet, gain), points=True) for bet, text in bets)


def mean(dice: int, bet: str, gain: Gain) -> Fraction:
    """What a unit on the bet gains on average when so many dice are thrown."""
    return sum((p * gain(thrown, bet) for thrown, p in throws(dice)), Fraction(0))


def of_winning(dice: int, bets: Iterable[tuple[str, str]], gain: Gain) -> tuple[Odds, ...]:
    """How likely each of the bets, (id, in words), is to win."""
    return tuple(Odds(text, sum((p for thrown, p in throws(dice) if gain(thrown, bet) >= 0), Fraction(0))) for bet, text in bets)
