"""The colours of thrown dice, where a game needs them and the camera has not seen all of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from table.rules import words
from table.rules.answers import Die, Throw
from table.rules.game import Table
from table.rules.prompts import DiceGroup


def coloured(table: Table, groups: Sequence[DiceGroup], thrown: Throw) -> list[Die]:
    """The dice with their colours, in the order of the groups, and of their faces within a group.

    Dice of unseen colours get the missing ones, in group order. If other colours could matter, a ruling says
    which die was taken for which.
    """
    dice = with_colours(groups, thrown)
    guessed = [new for new, seen in zip(dice, thrown.dice, strict=True) if not seen.colour]
    if len({d.colour for d in guessed}) > 1 and len({d.face for d in guessed}) > 1:
        table.rule(
            f"Not every colour was seen: taken as {words.listed(map(named, guessed))}. "
            "If that is wrong, correct the throw."
        )
    colours = [g.colour for g in groups]
    return sorted(dice, key=lambda d: (colours.index(d.colour), d.face))


def with_colours(groups: Sequence[DiceGroup], thrown: Throw) -> list[Die]:
    """The dice in the order of the throw. Those of unseen colours get the missing ones, in group order."""
    missing = Counter({g.colour: g.count for g in groups}) - Counter(
        d.colour for d in thrown.dice if d.colour
    )
    unseen = iter(missing.elements())
    return [d if d.colour else Die(d.face, next(unseen)) for d in thrown.dice]


def named(die: Die) -> str:
    """'red 5'."""
    return f"{die.colour} {die.face}"
