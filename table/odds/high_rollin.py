"""High Rollin': the chance that the next dice can be stacked on the current towers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import prod

from table.rules import words
from table.rules.answers import FACES, Die
from table.rules.prompts import Odds

Fits = Callable[[Die, Die], bool]
"""Whether a die may go on the top die of a tower."""


def of_throw(colours: Sequence[str], tops: Sequence[Die], fits: Fits) -> tuple[Odds, ...]:
    """The chance that at least one die of a throw of these colours fits a top."""
    none = prod((1 - of_a_die(colour, tops, fits) for colour in colours), start=Fraction(1))
    which = f"at least one of the {words.number(len(colours))} dice" if len(colours) > 1 else "the die"
    return (Odds(f"{which} can be stacked", 1 - none),)


def of_colours(colours: Sequence[str], tops: Sequence[Die], fits: Fits) -> tuple[Odds, ...]:
    """The chance for one die of each colour."""
    return tuple(Odds(f"a {colour} die can be stacked", of_a_die(colour, tops, fits)) for colour in colours)


def of_a_die(colour: str, tops: Sequence[Die], fits: Fits) -> Fraction:
    return Fraction(sum(any(fits(Die(face, colour), top) for top in tops) for face in FACES), len(FACES))
