"""Dice that fell from towers: which ones, and what they show where they lie.

The tops that are left and the dice that are new on the tray have to agree: the colours of the new dice are
those of the dice that fell, and of the dice that were thrown. That decides where a top alone could be at two
levels of its tower.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import product

from table.referee.towers import Condition, TowerReading
from table.rules import words
from table.rules.answers import Answer, Die, Picked, Throw
from table.rules.towers import level_id
from vision.readings import SeenDie

POSSIBLE_SHARE = 0.05
"""Lowest chance of a condition that is compared with the new dice, as a share of the likeliest one's. A top
whose look two levels of its tower have has 0.1 for the less likely one; one with another face has 0.03."""

FALL_CHANCE = 0.98
"""Lowest chance of the conditions of all towers by which it is told which dice fell."""


@dataclass(frozen=True)
class NewDie:
    """A die that came to lie on the tray.

    die: its face and its colour in the game. from_tower: it was seen to come from a tower. track: its number
    in the vision pipeline.
    """

    seen: SeenDie
    die: Die
    from_tower: bool = False
    track: int = -1

    @property
    def plain(self) -> bool:
        """Whether what it shows is sure."""
        return self.seen.sure and not self.seen.cocked and not self.seen.stacked


@dataclass(frozen=True)
class Fall:
    """Dice that fell from towers.

    towers: their numbers. dice: as they stood, and lowest: the id of the lowest one of each tower; both are
    empty if it is not sure which fell. lying: the same dice as they lie now; empty if some were not read
    surely. there: the dice on the tray that fell, read surely or not, as far as they are told from thrown
    ones.
    """

    towers: tuple[int, ...]
    dice: tuple[Die, ...] = ()
    lowest: tuple[str, ...] = ()
    lying: tuple[NewDie, ...] = ()
    there: tuple[NewDie, ...] = field(default=(), compare=False)

    @property
    def question(self) -> str:
        """'Did the red 4 and the blue 2 fall from tower 2? They show red 3 and blue 6 now.'"""
        dice = words.listed(f"the {d.colour} {d.face}" for d in self.dice) if self.dice else "dice"
        tower = "tower" if len(self.towers) == 1 else "towers"
        question = f"Did {dice} fall from {tower} {words.listed(self.towers)}?"
        if not self.lying:
            return question
        they = "It shows" if len(self.lying) == 1 else "They show"
        shown = words.listed(f"{d.die.colour} {d.die.face}" for d in self.lying)
        return f"{question} {they} {shown} now."

    @property
    def before_throw(self) -> str:
        """The sentence on dice that fell before a throw."""
        tower = "tower" if len(self.towers) == 1 else "towers"
        where = f"{tower} {words.listed(self.towers)}"
        return f"Dice seem to have fallen from {where}: throw, and then say what fell."

    @property
    def confirmation(self) -> str:
        """The text of the option that confirms it."""
        return f"Yes, {words.dice(len(self.dice))} fell" if self.dice else "Yes, something fell"

    @property
    def answers(self) -> tuple[Answer, ...]:
        """The answers after "something fell", as far as they were seen: which dice, and their faces."""
        picked = (Picked(self.lowest),) if self.lowest else ()
        thrown = Throw(tuple(d.die for d in self.lying))
        return (*picked, thrown) if self.lying else picked


@dataclass(frozen=True)
class FallSeen:
    """A fall in one reading. towers: as they are after it. fallen: the dice, if they are known."""

    fall: Fall
    towers: tuple[TowerReading, ...]
    fallen: tuple[NewDie, ...] = ()


def read_fall(towers: Sequence[TowerReading], new: Sequence[NewDie], thrown: Counter[str]) -> FallSeen | None:
    """The fall in this reading; None if there is none. thrown: number of awaited dice of each colour.

    Where it cannot be told which dice were thrown and which fell, some are taken for thrown: a fall ends the
    turn, so that nothing depends on what was thrown. If all new dice are just those that are gone from the
    towers, nothing was thrown yet.
    """
    changed = tuple(i for i, r in enumerate(towers, start=1) if _may_be_lower(r))
    extra = _more_than_thrown(new, thrown)
    if not any(r.best.kind == "lower" for r in towers) and not (changed and extra):
        return None
    colours = Counter(str(d.die.colour) for d in new)
    conditions = _agreeing(towers, colours - thrown, len(new) - thrown.total())
    if conditions is None and thrown and (conditions := _agreeing(towers, colours, len(new))):
        thrown = Counter()
    if conditions is None:
        plain = any(r.sure and r.best.kind == "lower" for r in towers) or extra
        there = tuple(d for d in extra if d.from_tower or not thrown[str(d.die.colour)])
        return FallSeen(Fall(changed, there=there), tuple(towers), extra) if plain else None
    pairs = zip(towers, conditions, strict=True)
    known = tuple(replace(r, conditions=(replace(c, chance=1.0),)) for r, c in pairs)
    fell = [(i, r) for i, r in enumerate(known, start=1) if r.best.kind == "lower"]
    dice = tuple(die for _, r in fell for die in r.tower.dice[len(r.best.dice) :])
    lowest = tuple(level_id(i, len(r.best.dice) + 1) for i, r in fell)
    fallen = _fallen(new, dice, thrown)
    sure = all(d.plain for d in fallen)
    fall = Fall(tuple(i for i, _ in fell), dice, lowest, fallen if sure else (), fallen)
    return FallSeen(fall, known, fallen or extra)


def _more_than_thrown(new: Sequence[NewDie], thrown: Counter[str]) -> tuple[NewDie, ...]:
    """The new dice that are more than the thrown ones of their colour; those that were seen to come from a
    tower are never taken for thrown without need. Empty if not all thrown dice lie there."""
    extra: list[NewDie] = []
    for colour in sorted({*thrown, *(str(d.die.colour) for d in new)}):
        alike = [d for d in new if d.die.colour == colour]
        if len(alike) < thrown[colour]:
            return ()
        extra += sorted(alike, key=lambda d: (d.from_tower, not d.seen.sure))[thrown[colour] :]
    return tuple(extra)


def _may_be_lower(reading: TowerReading) -> bool:
    """Whether dice may have fallen from this tower: its top is not visible, or is another one."""
    if reading.top is None:
        return reading.tower.height > 1
    return reading.best.kind in ("lower", "other")


def _agreeing(
    towers: Sequence[TowerReading], colours: Counter[str], count: int
) -> tuple[Condition, ...] | None:
    """The conditions of all towers that agree with the new dice.

    None if several do, if none does, or if a top is hidden. colours, count: of the new dice that were not
    thrown.
    """
    if any(r.top is None for r in towers):
        return None
    possible = [[c for c in r.conditions if c.chance >= POSSIBLE_SHARE * r.best.chance] for r in towers]
    weights = {
        way: math.prod(c.chance for c in way)
        for way in product(*possible)
        if colours.total() == count and _fallen_colours(towers, way) == colours
    }
    best = max(weights, key=lambda way: weights[way], default=None)
    if best is None or weights[best] < FALL_CHANCE * sum(weights.values()):
        return None
    kinds = {c.kind for c in best}
    return best if "lower" in kinds and not kinds & {"other", "placed"} else None


def _fallen_colours(towers: Sequence[TowerReading], conditions: Sequence[Condition]) -> Counter[str]:
    return Counter(
        str(die.colour)
        for r, c in zip(towers, conditions, strict=True)
        if c.kind == "lower"
        for die in r.tower.dice[len(c.dice) :]
    )


def _fallen(new: Sequence[NewDie], fell: Sequence[Die], thrown: Counter[str]) -> tuple[NewDie, ...]:
    """The new dice that fell; empty if they cannot be told from thrown ones of their colour."""
    fallen: list[NewDie] = []
    for colour, count in Counter(str(die.colour) for die in fell).items():
        alike = [d for d in new if d.die.colour == colour and (d.from_tower or not thrown[colour])]
        if len(alike) != count:
            return ()
        fallen += alike
    return tuple(fallen)
