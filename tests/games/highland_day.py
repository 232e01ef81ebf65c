"""Days and single events of the Highland Dice Games for tests, with one method for each event."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Iterator
from dataclasses import replace
from typing import Any, Self

from table.commands.seats import seats_from_text
from table.games.highland import HIGHLAND, coach_rules
from table.games.highland.day import Day
from table.rules.game import Outcome, Table
from table.rules.match import Match
from tests.games.night import Night

Event = Callable[[Day, str], Coroutine[Any, Any, int]]


class EventNight(Night):
    """One event alone, for each player in turn. Each player starts with `pips` bonus pips."""

    def __init__(self, event: Event, *seats: str, pips: int = 0, **settings: object) -> None:
        async def play(table: Table) -> Outcome:
            self.day = Day(table, coach_rules(table))
            for player in table.players:
                self.day.pips.award(player, pips)
            for player in table.players:
                await event(self.day, player)
            return Outcome(table.players, "The event is over.")

        given = {k: str(v) for k, v in settings.items()}
        self.match = Match(replace(HIGHLAND, play=play), seats_from_text(",".join(seats or ("Ann",))), given)

    @property
    def pips(self) -> int:
        """The pips that Ann has left."""
        return self.day.pips.left("Ann")

    def value(self, box: str, player: str = "Ann") -> str:
        """The value of a box on the sheet."""
        (line,) = [line for line in self.match.view().sheet if (line.box, line.player) == (box, player)]
        return str(line.points) if line.value is None else line.value

    def reason(self, box: str) -> str:
        (line,) = [line for line in self.match.view().sheet if line.box == box]
        return line.reason


class GamesDay(EventNight):
    """A whole day."""

    def __init__(self, *seats: str, **settings: object) -> None:
        seats = seats or ("Ann",)
        first = {"start": seats[0].partition(":")[0]} if len(seats) > 1 else {}
        self.match = Match(
            HIGHLAND, seats_from_text(",".join(seats)), {k: str(v) for k, v in (first | settings).items()}
        )

    # -- one method for each event ---------------------------------------------------------------------------

    def runs(self, points: int) -> Self:
        """A Farmer's Dash with this number of points and no rerolls."""
        low = four(4 if points > 14 else 24 if points < -6 else 10)
        high = four(sum(low) + points)
        self.throws(*low).keeps(*low).throws(*high).keeps(*high)
        return self

    def hurls(self, *attempts: int) -> Self:
        """Three attempts of 0 (a foul) or 10 to 26 points: run-up 1-2-3, burst point 6, no 6 in the hurl."""
        for points in attempts:
            if not points:
                self.throws(1, 1, 2, 2, 4, 4, 5, 5)
            else:
                self.throws(1, 2, 3, 3, 1, 1, 2, 2).throws(6).throws(*four(points - 6, most=5)).chooses(
                    "keep"
                )
        return self

    def swings(self, *attempts: int) -> Self:
        """Three attempts of 0 (two 1s), of 8 to 20 points with one colour, or of 40 with both."""
        for points in attempts:
            if points == 40:
                self.throws(5, 5, 5, 5).keeps(5, 5, 5, 5).chooses("throw").throws(5, 5, 5, 5).keeps(
                    5, 5, 5, 5
                )
            else:
                dice = four(points, least=2, most=5) if points else (1, 1, 5, 4)
                self.throws(*dice).keeps(*dice).chooses("score")
        return self

    def tosses(self, feet: int, pips: int = 0) -> Self:
        """Clears one height with this number of pips and then stops."""
        number = (feet - 6) // 2
        self.chooses(str(feet)).chooses("throw").throws(*two(number + 1 - pips))
        if pips:
            self.chooses("spend")
        self.chooses("concede")
        return self

    def puts(self, *attempts: int) -> Self:
        """Three attempts of one pair (3 to 11 points) or of two pairs with nearly the same sum."""
        for points in attempts:
            if points <= 11:
                self.throws(*unequal_pair(points)).chooses("stop")
            else:
                self.throws(*unequal_pair(points // 2)).chooses("throw").throws(
                    *unequal_pair(points - points // 2)
                ).chooses("stop")
        return self

    def flips(self, *apart: int) -> Self:
        """Three tosses of the caber at these distances from a clock of 9, without pips."""
        for off in apart:
            self.throws(*four(9)).throws(*four(9 + off))
            if off and self.awaits == "number":
                self.enters(0)
        return self

    def pulls(self, *totals: int) -> Self:
        """The sides of a Tug of War, one after the other, without rerolls."""
        for total in totals:
            self.throws(*four(total)).keeps(*four(total))
        return self


def four(total: int, least: int = 1, most: int = 6) -> tuple[int, ...]:
    """Four dice with this total."""
    return tuple(spread(total, 4, least, most))


def two(total: int) -> tuple[int, ...]:
    return tuple(spread(total, 2, 1, 6))


def unequal_pair(total: int) -> tuple[int, int]:
    """A pair with this total that is not doubles."""
    low = max(1, total - 6)
    assert low != total - low
    return low, total - low


def spread(total: int, dice: int, least: int, most: int) -> Iterator[int]:
    for left in range(dice - 1, -1, -1):
        face = min(most, total - left * least)
        assert least <= face
        yield face
        total -= face
    assert total == 0
