"""The state of a round of High Rollin' (towers and piles), and the rules for stacking."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from table.games.colours import named
from table.rules.answers import Die
from table.rules.towers import level_id

TOWERS = range(4)
DEALT = {2: 4, 3: 3, 4: 2}
"""Dice of each colour in a player's first pile, by the number of players."""

HIGH = 4
"""A fallen die with this face or higher counts double and goes to the pile of the player who made it fall."""


# -- stacking, penalties and points: pure functions ----------------------------------------------------------


def fits(die: Die, top: Die) -> bool:
    """Whether the die may be stacked on that top: another colour and the same face; a 1 matches any face."""
    return die.colour != top.colour and (die.face == top.face or 1 in (die.face, top.face))


def placements(dice: Sequence[Die], tops: Sequence[Die]) -> list[tuple[Die, int]]:
    """Every pair of a die and a tower that it fits on, without repeats, in the order of the dice."""
    return [(die, tower) for die in dict.fromkeys(dice) for tower, top in enumerate(tops) if fits(die, top)]


def foul(dice: Sequence[Die], tops: Sequence[Die], option: str) -> str | None:
    """The reason why an option such as "red5>2" is no legal placement while some dice fit.

    None if the option names no placement.
    """
    if option in ("end", "again"):
        return "Stack all dice that fit before you end the turn or throw again"
    tower = next((t for t in TOWERS if option.endswith(f">{t + 1}")), None)
    if tower is None:
        return None
    die, top = next((d for d in dice if option == f"{d.colour}{d.face}>{tower + 1}"), None), tops[tower]
    if die is None:
        return f"No such die is left to stack on tower {tower + 1}"
    return f"{misfit(die, top)}, and tower {tower + 1} shows {named(top)}"


def misfit(die: Die, top: Die) -> str:
    """The reason why a die does not fit on a top."""
    if die.colour == top.colour:
        return f"No {die.colour} die goes on a {top.colour} one"
    return f"A {die.face} does not go on a {top.face}"


def taken(highest_face: int, height: int) -> int:
    """The number of dice that a penalty takes off a tower; its base stays."""
    return min(highest_face, height - 1)


def fall_points(faces: Iterable[int]) -> int:
    """The points that every other player gets for fallen dice."""
    return sum(2 if face >= HIGH else 1 for face in faces)


def dealt(players: Sequence[str], colours: Sequence[str]) -> dict[str, Counter[str]]:
    """Each player's pile at the start of a round. Four players get a die more each, of different colours."""
    piles = {player: Counter(dict.fromkeys(colours, DEALT[len(players)])) for player in players}
    if len(players) == len(colours):
        for player, colour in zip(players, colours, strict=True):
            piles[player][colour] += 1
    return piles


# -- the state of a round ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Stacked:
    """A die in a tower above its base, or one that was carried off; tower and level count from 1."""

    tower: int
    level: int
    die: Die

    @property
    def id(self) -> str:
        return level_id(self.tower, self.level)


@dataclass
class Round:
    """The places of all dice of a round: in a tower, a pile or the hand, being carried, or out of the round.

    towers: dice from the base to the top. piles: dice by colour. hand: colours of this turn's unstacked dice.
    out: colours of the dice that left the round.
    """

    colours: tuple[str, ...]
    towers: list[list[Die]]
    piles: dict[str, Counter[str]]
    hand: list[str] = field(default_factory=list)
    out: list[str] = field(default_factory=list)

    @property
    def tops(self) -> list[Die]:
        return [tower[-1] for tower in self.towers]

    @property
    def heights(self) -> list[int]:
        return [len(tower) for tower in self.towers]

    @property
    def highest(self) -> list[int]:
        """The highest towers: one, or several of the same height."""
        return [tower for tower in TOWERS if self.heights[tower] == max(self.heights)]

    @property
    def stacked(self) -> list[Stacked]:
        """All dice that can fall: those above the bases, from the lowest up in each tower."""
        return [Stacked(t + 1, i + 1, die) for t in TOWERS for i, die in enumerate(self.towers[t]) if i]

    def left(self, player: str) -> int:
        """The number of dice in the player's pile."""
        return self.piles[player].total()

    def take(self, player: str, colours: Iterable[str]) -> None:
        self.hand = self.by_colour(colours)
        self.piles[player] -= Counter(self.hand)

    def place(self, die: Die, tower: int) -> None:
        assert die.colour is not None
        self.hand.remove(die.colour)
        self.towers[tower].append(die)

    def put_back_hand(self, player: str) -> None:
        self.piles[player].update(self.hand)
        self.hand = []

    def carry_off(self, tower: int, count: int) -> list[Stacked]:
        """Takes that many dice off the top of the tower, and returns them from the lowest up."""
        carried = [s for s in self.stacked if s.tower == tower + 1][-count:]
        del self.towers[tower][-count:]
        return carried

    def remove(self, fallen: Iterable[Stacked]) -> None:
        """Takes the fallen dice out of their towers."""
        for s in sorted(fallen, key=lambda s: -s.level):
            del self.towers[s.tower - 1][s.level - 1]

    def by_colour(self, colours: Iterable[str]) -> list[str]:
        """The same colours, in the order of the round's colours."""
        return sorted(colours, key=self.colours.index)


def with_those_above(fallen: Iterable[str], standing: Sequence[Stacked]) -> list[Stacked]:
    """The dice with these ids, and all dice that stood on them, which must have fallen too."""
    lowest: dict[int, int] = {}
    for s in standing:
        if s.id in fallen:
            lowest[s.tower] = min(s.level, lowest.get(s.tower, s.level))
    return [s for s in standing if s.tower in lowest and s.level >= lowest[s.tower]]


def grouped(colours: Sequence[str]) -> Iterator[tuple[str, int]]:
    """(colour, count) for each colour, in the order in which the colours come."""
    yield from Counter(colours).items()
