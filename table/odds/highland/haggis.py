"""Haggis Hurl: three in a row among eight dice, and a hurl that may be thrown once more."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from functools import cache
from itertools import pairwise

from table.odds.throws import Dice, throws
from table.rules import words
from table.rules.answers import FACES
from table.rules.prompts import Odds

DICE, HURL = 8, 4

Score = Callable[[Dice, Dice, int], int]
"""The points of a run-up, a hurl and a burst point."""


def of_run_up() -> Iterable[Odds]:
    yield Odds("no three in a row, a foul", 1 - straight())


@cache
def straight(dice: int = DICE) -> Fraction:
    """The chance of three in a row among this many dice."""
    return sum((p for throw, p in throws(dice) if _in_a_row(throw)), Fraction(0))


def _in_a_row(throw: Dice) -> bool:
    faces = sorted(set(throw))
    return any(
        b - a == c - b == 1 for (a, b), (_, c) in zip(pairwise(faces), pairwise(faces[1:]), strict=False)
    )


def of_straights(found: tuple[Dice, ...], score: Score) -> Iterable[Odds]:
    for run_up in found:
        yield Odds(f"{words.hyphenated(run_up)}: points on average", attempt(run_up, score), points=True)


@cache
def attempt(run_up: Dice, score: Score) -> Fraction:
    """Mean points with this run-up. The player hurls again if that is worth more."""
    return sum((with_burst(run_up, burst, score) for burst in FACES), Fraction(0)) / 6


@cache
def mean(found_in: Callable[[Dice], tuple[Dice, ...]], score: Score) -> Fraction:
    """Mean points of an attempt with the best play. found_in: the run-ups in a throw."""
    return sum((p * best_run_up(found_in(dice), score) for dice, p in throws(DICE)), Fraction(0))


def best_run_up(found: tuple[Dice, ...], score: Score) -> Fraction:
    """Mean points with the best of these run-ups, 0 without one."""
    return max((attempt(run_up, score) for run_up in found), default=Fraction(0))


@cache
def with_burst(run_up: Dice, burst: int, score: Score) -> Fraction:
    again = hurl_again(run_up, burst, score)
    return sum(
        (p * max(Fraction(score(run_up, hurl, burst)), again) for hurl, p in throws(HURL)), Fraction(0)
    )


@cache
def hurl_again(run_up: Dice, burst: int, score: Score) -> Fraction:
    """Mean points of the attempt if the four dice are thrown once and stand."""
    return sum((p * score(run_up, hurl, burst) for hurl, p in throws(HURL)), Fraction(0))


def of_hurl(run_up: Dice, hurl: Dice, burst: int, score: Score) -> Iterable[Odds]:
    now = score(run_up, hurl, burst)
    better = sum((p for new, p in throws(HURL) if score(run_up, new, burst) > now), Fraction(0))
    yield Odds("hurled again: points on average", hurl_again(run_up, burst, score), points=True)
    yield Odds(f"hurled again: more than {words.points(now)}", better)
