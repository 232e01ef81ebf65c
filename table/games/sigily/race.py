"""The race itself: chariots, units, coins, curses, winds and frosts.

It prompts for nothing and throws nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from table.common.errors import BrehonError
from table.games.sigily.topology import (
    ALL_COINS,
    GATES,
    RING,
    Place,
    clockwise,
    gate_of_entry,
    name,
    quadrant,
)
from table.games.sigily.treasure import Treasure
from table.rules import words

PROVINCES = ("Connaught", "Ulster", "Leinster", "Munster")
"""In the order of play."""

HOME = {"Connaught": 12, "Ulster": 18, "Leinster": 0, "Munster": 6}
"""The gate before each province's quadrant (S-2).

With territorial starts it is also the start of the province.
"""

ROUNDS_OF_WIND = 3
MAX_FROZEN = 2
"""Turns running that a player can lose to frost."""


class CoinsDoNotAddUp(BrehonError, RuntimeError):
    """Coins or chariots came in or went out, which no rule allows (S-36). This is a bug."""


@dataclass(frozen=True)
class AgreedRules:
    """The rules agreed on before play.

    veil_takes_all: a veil that stays shut takes every free throw of the turn, not only that of a ceither or a
    coig (S-7). spells: those that may be cast. cards: the number of question cards, None without that rule.
    """

    teams: bool = False
    home: bool = False
    stacks: bool = False
    territorial: bool = False
    veil_takes_all: bool = True
    spells: tuple[str, ...] = ()
    cards: int | None = None


@dataclass(eq=False)
class Chariot:
    """One chariot.

    progress: steps past its owner's start, 0 or less after backward moves. barred: gates by which it may not
    enter. entered_by: the gate by which it came into the fairy land, None outside it. sun_wise: it went
    backwards out of its home quadrant and may not go backwards any more.
    """

    owner: str
    number: int
    progress: int = 0
    barred: set[int] = field(default_factory=set)
    entered_by: int | None = None
    sun_wise: bool = False


@dataclass(eq=False)
class Unit:
    """Chariots that move and die as one, the top one first."""

    chariots: list[Chariot]
    place: Place
    coins: int = 0
    skin: bool = False

    @property
    def owner(self) -> str:
        """The player of the top chariot, who moves the unit and spends its coins (S-12)."""
        return self.chariots[0].owner

    @property
    def id(self) -> str:
        return str(self.chariots[0].number)

    @property
    def barred(self) -> set[int]:
        return set().union(*(c.barred for c in self.chariots))

    @property
    def entered_by(self) -> int | None:
        """The gate by which the top chariot came into the fairy land, None outside it."""
        return self.chariots[0].entered_by

    @entered_by.setter
    def entered_by(self, gate: int | None) -> None:
        for chariot in self.chariots:
            chariot.entered_by = gate

    @property
    def gates_behind(self) -> frozenset[int]:
        """The gates by which its chariots came into the fairy land, where it does not come out (S-37).

        If those are all four, it is only the gate of the top chariot. Empty outside the fairy land.
        """
        gates = frozenset(c.entered_by for c in self.chariots if c.entered_by is not None)
        return gates if len(gates) < len(GATES) else gates & {self.entered_by}

    def __str__(self) -> str:
        stack = "" if len(self.chariots) == 1 else f" with {words.number(len(self.chariots) - 1)} below"
        return f"{self.owner}'s chariot {self.id}{stack}"


@dataclass(frozen=True)
class Wind:
    """A wind that blows. kind: "speed" or "sloth"."""

    kind: str
    caster: str
    rounds: int = ROUNDS_OF_WIND


class Race:
    """What stands and lies where. players: in the order of play. start: the sigil of the holiday."""

    def __init__(self, players: Sequence[str], start: int, chariots: int, agreed: AgreedRules) -> None:
        self.players = tuple(players)
        self.start = start
        self.agreed = agreed
        self.treasure = Treasure(start)
        self.units: list[Unit] = []
        """In the order in which they arrived where they are."""
        self.off = {p: [Chariot(p, n) for n in range(1, chariots + 1)] for p in self.players}
        self.home: dict[str, list[Chariot]] = {p: [] for p in self.players}
        self.stored = dict.fromkeys(self.players, 0)
        """Coins of the chariots that are home, by player."""
        self.curses: list[int] = []
        self.winds: list[Wind] = []
        self.frost_ahead = dict.fromkeys(self.players, 0)
        self.frost_running = dict.fromkeys(self.players, 0)
        self.done: list[str] = []
        """Players whose chariots are all home, first to last."""
        self.chariots = chariots
        """The number that each player has."""

    # -- players ---------------------------------------------------------------------------------------------

    def province(self, player: str) -> str:
        return PROVINCES[self.players.index(player)]

    def start_of(self, player: str) -> int:
        return HOME[self.province(player)] if self.agreed.territorial else self.start

    def partner(self, player: str) -> str | None:
        """The player's partner, or None. Only four players can agree on teams (S-28)."""
        return self.players[(self.players.index(player) + 2) % 4] if self.agreed.teams else None

    def friends(self, a: str, b: str) -> bool:
        return b in (a, self.partner(a))

    def at_home(self, player: str, place: Place) -> bool:
        """Whether the home rule is on and the place is a sigil of the player's quadrant."""
        return self.agreed.home and quadrant(place) == HOME[self.province(player)]

    # -- positions -------------------------------------------------------------------------------------------

    def units_of(self, player: str) -> list[Unit]:
        """The units that the player moves, by number."""
        return sorted((u for u in self.units if u.owner == player), key=lambda u: u.chariots[0].number)

    def has_something_to_move(self, player: str) -> bool:
        """False if all chariots of the player are home or travel below a partner's."""
        return bool(self.units_of(player) or self.off[player])

    def unit_with(self, chariots: Sequence[Chariot]) -> Unit | None:
        """The unit with those of these chariots that are on the board; None if none of them is."""
        return next((u for u in self.units if any(c in u.chariots for c in chariots)), None)

    def at(self, place: Place) -> list[Unit]:
        return [u for u in self.units if u.place == place]

    def coins_of(self, player: str) -> int:
        return self.stored[player] + sum(u.coins for u in self.units if u.owner == player)

    @property
    def over(self) -> bool:
        """Whether only one player has chariots that are not home."""
        return len(self.done) >= len(self.players) - 1

    def check(self) -> None:
        """Raises CoinsDoNotAddUp if coins or chariots are wrong (S-36).

        There must be 52 coins, no pile below 0, and every chariot in one place.
        """
        piles = [*self.treasure.loose.values(), *(u.coins for u in self.units), *self.stored.values()]
        if sum(piles) != ALL_COINS or min(piles) < 0:
            raise CoinsDoNotAddUp(
                f"{sum(piles)} coins are on the table, the least pile is {min(piles)}; there are {ALL_COINS}"
            )
        chariots = [c for u in self.units for c in u.chariots] + [
            c for p in self.players for c in self.off[p] + self.home[p]
        ]
        if len(chariots) != len(set(chariots)) or len(chariots) != self.chariots * len(self.players):
            raise CoinsDoNotAddUp(f"{len(chariots)} chariots are counted; there are {self.chariots} a player")

    # -- changes ---------------------------------------------------------------------------------------------

    def introduce(self, chariot: Chariot, place: Place) -> Unit:
        self.off[chariot.owner].remove(chariot)
        unit = Unit([chariot], place)
        self.units.append(unit)
        return unit

    def place(self, unit: Unit, place: Place) -> None:
        """Puts the unit there, as the last to arrive. The move ends its stone skin."""
        self.units.remove(unit)
        self.units.append(unit)
        unit.place, unit.skin = place, False

    def take_off(self, unit: Unit, chariots: Sequence[Chariot]) -> None:
        """Takes these chariots of the unit off the board, to be introduced again.

        The unit's coins do not go with them.
        """
        for chariot in chariots:
            unit.chariots.remove(chariot)
            chariot.progress, chariot.entered_by, chariot.sun_wise = 0, None, False
            self.off[chariot.owner].append(chariot)
            self.off[chariot.owner].sort(key=lambda c: c.number)
        if not unit.chariots:
            self.units.remove(unit)

    def fuse(self, arriving: Unit, standing: Unit) -> None:
        """Makes two units one.

        The arriving chariots go on top, but below a partner's in that partner's quadrant (home rule).
        """
        below = arriving.owner != standing.owner and self.at_home(standing.owner, standing.place)
        self.units.remove(standing)
        order = (standing, arriving) if below else (arriving, standing)
        arriving.chariots = [c for u in order for c in u.chariots]
        arriving.coins += standing.coins
        arriving.skin = arriving.skin or standing.skin

    def send_to_gate(self, unit: Unit) -> int:
        """The gate by which the top chariot came in, where the unit is put back and barred for good.

        A unit that did not come in by a gate stays on its gate and is barred there too (S-9).
        """
        gate = gate_of_entry(unit.place, unit.entered_by)
        if unit.entered_by is not None:
            self.place(unit, gate)  # S-21: this ends a stone skin; a unit that stays keeps it
        for chariot in unit.chariots:
            chariot.barred.add(gate)
            distance = clockwise(self.start_of(chariot.owner), gate) % RING
            if (chariot.progress - distance) % RING:
                chariot.progress = distance  # a unit carried to its own start has made no circuit
        unit.entered_by = None
        return gate

    def pay(self, unit: Unit, coins: int) -> None:
        """Moves coins of the unit to the jackpot."""
        unit.coins -= coins
        self.treasure.to_jackpot(coins)

    def finish(self, unit: Unit, arrived: Sequence[Chariot]) -> dict[str, int]:
        """The coins that each player brings home with these chariots of the unit.

        Players share the unit's coins equally, the odd one to the top (S-12). A share stays with the unit
        while another chariot of that player does (S-38). Every chariot that arrived goes to its own marker.
        """
        owners = list(dict.fromkeys(c.owner for c in unit.chariots))
        half, odd = divmod(unit.coins, len(owners))
        unit.chariots = [c for c in unit.chariots if c not in arrived]
        staying = {c.owner for c in unit.chariots}
        shares = {o: half + (odd if i == 0 else 0) for i, o in enumerate(owners) if o not in staying}
        unit.coins -= sum(shares.values())
        if not unit.chariots:
            self.units.remove(unit)
        for chariot in arrived:
            self.home[chariot.owner].append(chariot)
        for owner, coins in shares.items():
            self.stored[owner] += coins
            if len(self.home[owner]) == self.chariots:
                self.done.append(owner)
        return shares

    # -- winds and frozen turns ------------------------------------------------------------------------------

    def turn_begins(self, player: str) -> None:
        """Ages the player's winds by one round, and ends those without rounds left (S-18)."""
        older = [Wind(w.kind, w.caster, w.rounds - (w.caster == player)) for w in self.winds]
        self.winds = [w for w in older if w.rounds]

    def blows(self, kind: str) -> int:
        return sum(w.kind == kind for w in self.winds)

    def wind_for(self, player: str) -> int:
        """Steps added to a forward move on the ring, below 0 if it is slowed. All winds add up (S-34)."""
        fast = sum(w.kind == "speed" and self.friends(player, w.caster) for w in self.winds)
        slow = sum(w.kind == "sloth" and not self.friends(player, w.caster) for w in self.winds)
        return fast - slow

    def can_freeze(self, player: str) -> bool:
        return self.frost_ahead[player] + self.frost_running[player] < MAX_FROZEN

    def thaw(self, player: str) -> bool:
        """Whether the player loses this turn to frost. Call it once when the turn begins."""
        frozen = self.frost_ahead[player] > 0
        self.frost_ahead[player] -= frozen
        self.frost_running[player] = self.frost_running[player] + 1 if frozen else 0
        return frozen

    def quadrant_cursed(self, place: Place) -> bool:
        return quadrant(place) in map(quadrant, self.curses)


def names_of(chariots: Sequence[Chariot]) -> str:
    """The chariots by owner, such as “Ann's chariots 1 and 2 and Cal's chariot 1”."""
    owners = dict.fromkeys(c.owner for c in chariots)
    return words.listed(_names_of_owner(o, [c.number for c in chariots if c.owner == o]) for o in owners)


def _names_of_owner(owner: str, numbers: Sequence[int]) -> str:
    return f"{owner}'s chariot{'s' * (len(numbers) > 1)} {words.listed(map(str, numbers))}"


def where(unit: Unit) -> str:
    return name(unit.place)


def on_gate(unit: Unit) -> bool:
    return unit.place in GATES
