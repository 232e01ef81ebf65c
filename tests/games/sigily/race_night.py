"""Races of Sigily for tests. A race starts in the middle, with the chariots of an example.

The turns are the game's own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Self

from table.games import game
from table.games.sigily.meeting import Meeting
from table.games.sigily.play import opened, raced
from table.games.sigily.race import Unit
from table.games.sigily.topology import (
    ALL_COINS,
    GREEN,
    PLACES,
    RING,
    Place,
)
from table.rules.game import Outcome, Seat, Table
from table.rules.match import Match
from tests.games.night import Night

LOWEST_ANIMALS = {
    "aon": ("dog",),
    "dha": ("dog", "deer"),
    "tri": ("dog", "deer", "cow"),
    "ceither": ("dog", "deer", "cow", "horse"),
    "coig": (),
}


def faces(name: str, *animals: str) -> tuple[str, ...]:
    """The faces of the four sticks that show these animals, or the lowest animals of this throw."""
    flat = animals or LOWEST_ANIMALS[name]
    return (*flat, *["round"] * (4 - len(flat)))


class RaceNight(Night):
    """A race in progress. The first player is to move.

    The players drive for Connaught, Ulster, Leinster and Munster in this order.

    units: (player, chariots, place, coins) with the chariots from the top; "Cal 1" is a chariot of a partner.
    loose: coins on these places. Other sigils gain or lose coins, so that there are 52.
    entered: the gates by which units in the fairy land entered, by place.
    progress: the progress of units on these places, where it is not the distance from the start.
    finished: the number of chariots that a player has at home.
    stored: the coins that a player has at home.
    barred: a gate that is closed to the top chariot on a place.
    """

    def __init__(
        self,
        players: Sequence[str] = ("Ann", "Ben"),
        units: Sequence[tuple[str, Sequence[int | str], Place, int]] = (),
        loose: Mapping[Place, int] | None = None,
        entered: Mapping[Place, int] | None = None,
        progress: Mapping[Place, int] | None = None,
        finished: Mapping[str, int] | None = None,
        stored: Mapping[str, int] | None = None,
        barred: Mapping[Place, int] | None = None,
        **settings: object,
    ) -> None:
        def prepared(table: Table) -> Meeting:
            meeting = opened(table, table.players)
            self.race, self.meeting = meeting.race, meeting
            for player, n in (finished or {}).items():
                for _ in range(n):
                    meeting.race.home[player].append(meeting.race.off[player].pop())
            for player, coins in (stored or {}).items():
                meeting.race.stored[player] = coins
            for owner, chariots, place, coins in units:
                self._stand(
                    owner, chariots, place, coins, (entered or {}).get(place), (progress or {}).get(place)
                )
            for place, gate in (barred or {}).items():
                self.unit(place).chariots[0].barred.add(gate)
            self._balance(loose or {})
            meeting.settle("as the example has it")
            return meeting

        async def play(table: Table) -> Outcome:
            return await raced(prepared(table))

        given = {k: str(v) for k, v in settings.items()}
        self.match = Match(replace(game("sigily"), play=play), [Seat(p) for p in players], given)
        assert self.match.broken is None, self.match.broken

    def _stand(
        self,
        owner: str,
        chariots: Sequence[int | str],
        place: Place,
        coins: int,
        entered: int | None,
        progress: int | None,
    ) -> None:
        race, stack = self.race, []
        for chariot in chariots:
            whose, number = (
                (owner, chariot)
                if isinstance(chariot, int)
                else (chariot.split()[0], int(chariot.split()[1]))
            )
            found = next(c for c in race.off[whose] if c.number == number)
            race.off[whose].remove(found)
            ring = place if isinstance(place, int) else entered
            assert isinstance(ring, int)
            found.progress = (ring - race.start_of(whose)) % RING if progress is None else progress
            stack.append(found)
        unit = Unit(stack, place, coins)
        unit.entered_by = entered
        race.units.append(unit)

    def _balance(self, loose: Mapping[Place, int]) -> None:
        treasure = self.race.treasure.loose
        treasure.update(loose)
        under = sum(u.coins for u in self.race.units) + sum(self.race.stored.values())
        over = sum(treasure.values()) + under - ALL_COINS
        others = [p for p in (*range(RING - 1, -1, -1), *GREEN) if p not in loose]
        for place in others:
            taken = min(max(over, 0), treasure[place])
            treasure[place] -= taken
            over -= taken
        if over < 0:
            treasure[others[0]] -= over

    # -- throws and results ----------------------------------------------------------------------------------

    def tosses(self, *names: str) -> Self:
        """Throws of the sticks by their names, such as "aon", one after the other."""
        for name in names:
            self.throws_sticks(*faces(name))
        return self

    def shows(self, *animals: str) -> Self:
        """A throw by the animals that it shows."""
        self.throws_sticks(*faces("", *animals) if animals else ("round",) * 4)
        return self

    def unit(self, place: Place) -> Unit:
        (unit,) = self.race.at(place)
        return unit

    def units_at(self, place: Place) -> list[tuple[str, list[int], int]]:
        """(owner, chariots from the top, coins) of the units on a place."""
        return [(u.owner, [c.number for c in u.chariots], u.coins) for u in self.race.at(place)]

    def coins_at(self, place: Place) -> int:
        return self.race.treasure.loose[place]


def one_coin_except(*empty: Place) -> dict[Place, int]:
    """One coin on every sigil except these, which are empty. Sigil 23 has the rest."""
    return {p: 0 if p in empty else 1 for p in PLACES if p != 23}


def teams(units: Sequence[tuple[str, Sequence[int | str], Place, int]], **more: Any) -> RaceNight:
    return RaceNight(("Ann", "Ben", "Cal", "Dee"), units, teams="on", **more)


def magic(
    *units: tuple[str, Sequence[int | str], Place, int], players: Sequence[str] = ("Ann", "Ben"), **more: Any
) -> RaceNight:
    return RaceNight(players, units, magic="on", **more)


def fireball(**more: Any) -> RaceNight:
    return magic(("Ann", [1], 8, 5), ("Ben", [1], 10, 3), loose={10: 0, 8: 0}, **more).chooses("fireball")


def refusal_reason(night: RaceNight, option: str) -> str:
    """The reason of a refused choice, without the options."""
    return night.refuses_choice(option).split(": choose ")[0]
