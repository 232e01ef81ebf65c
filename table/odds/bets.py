"""Bets on dice: the return of a stake on each bet."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction

from table.odds.throws import Dice, throws
from table.rules.prompts import Odds

Gain = Callable[[Dice, str], int | Fraction]
"""The gain per unit staked on the bet of this id, when the dice show these faces: -1 if the bet is lost."""

STAKE = 100
"""Points; enough that the return of a bet visibly differs from zero."""


def of_stakes(dice: int, bets: Iterable[tuple[str, str]], gain: Gain) -> tuple[Odds, ...]:
    """The mean return of STAKE points on each of the bets, (id, in words)."""
    return tuple(
        Odds(f"{STAKE} points on {text} bring, on average", STAKE * mean(dice, bet, gain), points=True)
        for bet, text in bets
    )


def mean(dice: int, bet: str, gain: Gain) -> Fraction:
    """Mean gain of a unit on the bet when this many dice are thrown."""
    return sum((p * gain(thrown, bet) for thrown, p in throws(dice)), Fraction(0))


def of_winning(dice: int, bets: Iterable[tuple[str, str]], gain: Gain) -> tuple[Odds, ...]:
    """The chance that each of the bets, (id, in words), wins."""
    return tuple(
        Odds(text, sum((p for thrown, p in throws(dice) if gain(thrown, bet) >= 0), Fraction(0)))
        for bet, text in bets
    )
