"""The Ogham sticks: the value of a throw, and which of two throws in a fight is higher."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from table.rules.entered_prompts import COINS, OGHAM

STICKS = {"ogham": OGHAM, "coins": COINS}
NAMES = {1: "aon", 2: "dha", 3: "tri", 4: "ceither", 5: "coig"}
ANIMALS = ("none", "dog", "deer", "cow", "horse")
"""From the lowest to the highest. A coin shows none (S-27), and neither does a coig (S-11)."""

IS_MATH_SIN = 4
"""The lowest throw that gives a free one. Everyone cries “Is math sin!” at it."""


@dataclass(frozen=True)
class Toss:
    """A throw of the four sticks.

    value: 1 to 5. animal: the highest on a flat side, by its index in ANIMALS.
    """

    value: int
    animal: int = 0

    def __str__(self) -> str:
        return NAMES[self.value]

    @property
    def in_full(self) -> str:
        return f"{self} ({ANIMALS[self.animal]})" if self.animal else str(self)


def toss(faces: Sequence[str]) -> Toss:
    """The throw that these faces make.

    Flat sides up count; four round sides are a coig. A stick that stands on its end is given by its animal
    and counts as flat.
    """
    flat = [face for face in faces if face != "round"]
    return Toss(len(flat) or 5, max((ANIMALS.index(face) for face in flat if face in ANIMALS), default=0))


def higher(attacker: Toss, defender: Toss, plus: int) -> int:
    """Above 0 if the attacker wins, below 0 if the defender wins, 0 if both throw again.

    plus: 1 if the attacker counts one more, -1 if the defender does, as in its own quadrant.
    """
    by_count = attacker.value - defender.value + plus
    return by_count or attacker.animal - defender.animal  # S-11
