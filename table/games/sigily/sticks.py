"""The Ogham sticks: what a throw counts, and which of two throws of a fight is the higher."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from table.rules.telling import COINS, OGHAM

STICKS = {"ogham": OGHAM, "coins": COINS}
NAMES = {1: "aon", 2: "dha", 3: "tri", 4: "ceither", 5: "coig"}
ANIMALS = ("none", "dog", "deer", "cow", "horse")
"""From the lowest to the highest; a coin shows none (S-27), and neither does a coig (S-11)."""

IS_MATH_SIN = 4
"""From a ceither on everyone cries that, and the throw brings a free one."""


@dataclass(frozen=True)
class Toss:
    """A throw of the four sticks. value: 1 to 5. animal: the highest on a flat side, by its place in ANIMALS."""

    value: int
    animal: int = 0

    def __str__(self) -> str:
        return NAMES[self.value]

    @property
    def in_full(self) -> str:
        return f"{self} ({ANIMALS[self.animal]})" if self.animal else str(self)


def toss(faces: Sequence[str]) -> Toss:
    """Flat sides up count; four round sides are a coig. A stick that stands on its end is told by its animal: it counts as flat."""
    flat = [face for face in faces if face != "round"]
    return Toss(len(flat) or 5, max((ANIMALS.index(face) for face in flat if face in ANIMALS), default=0))


def higher(attacker: Toss, defender: Toss, plus: int) -> int:
    """Above 0 where the attacker wins, below where the defender does, 0 where they throw again.

    plus: 1 where the attacker has the point more, -1 where the defender has it, as in a quadrant of their own.
    """
    by_count = attacker.value - defender.value + plus
    return by_count or attacker.animal - defender.animal  # S-11
