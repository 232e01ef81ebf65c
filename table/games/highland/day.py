"""The day of the Games: whose bonus pips are left, and what every event is given."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from table.common.errors import BrehonError
from table.rules import words
from table.rules.game import Table

ATTEMPTS = 3
"""In every event that has any: at a height three, then the next or out."""

SHOWN_AT_MOST = 6
"""Pips that the bonus die can show (H-11)."""


class Pips:
    """The bonus pips of each player: a number on the sheet, of which a die may show up to six (H-11)."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._left = dict.fromkeys(table.players, 0)

    def left(self, player: str) -> int:
        return self._left[player]

    def shown(self, player: str) -> int:
        """What the bonus die shows; 0 where it is put away."""
        return min(self._left[player], SHOWN_AT_MOST)

    def award(self, player: str, pips: int) -> None:
        self._left[player] += pips

    def spend(self, player: str, pips: int, what: str, on_a_die: bool = False) -> None:
        """Takes pips away and says so, with `what` they do; on_a_die: a die that shows what is left lies on the table."""
        if not 0 < pips <= self._left[player]:
            raise BrehonError(f"{player} has {self._left[player]} pips and cannot spend {pips}")
        self._left[player] -= pips
        self._table.rule(f"{player} spends {counted(pips)}: {what}. {self._what_is_left(player, on_a_die)}")

    def _what_is_left(self, player: str, on_a_die: bool) -> str:
        left = self._left[player]
        if not left:
            return "No pips are left; put the bonus die away." if on_a_die else "No pips are left."
        if on_a_die:
            return f"{left} left: the bonus die shows {self.shown(player)}."
        return f"{left} left."


def counted(pips: int) -> str:
    """'1 pip', '3 pips'."""
    return f"{pips} pip" if pips == 1 else f"{pips} pips"


class Day:
    """What an event is given: the table, and the pips."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.pips = Pips(table)

    def say_so_far(self, event: str, *parts: str) -> None:
        """What the page shows of the event that is on: its name, and what it has come to; no parts, nothing."""
        self.table.so_far = ": ".join((event, ", ".join(parts))) if parts else ""


async def best_of(day: Day, player: str, event: str, box: str, attempt: Callable[[Day, str, int], Awaitable[tuple[int, str]]]) -> int:
    """Three attempts, written on the sheet, of which the best is scored. attempt: what the nth came to, and how."""
    points: list[int] = []
    for n in range(1, ATTEMPTS + 1):
        value, reason = await attempt(day, player, n)
        day.table.sheet.note(player, value, reason, f"{box}_{n}")
        points.append(value)
    day.table.sheet.score(player, max(points), f"{event}: best of {words.listed(points)}", box)
    return max(points)


def ordinal(n: int) -> str:
    """'1st', '2nd', '11th'."""
    ending = "th" if n % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(n % 10, "th")
    return f"{n}{ending}"


def set_of(dice: tuple[int, ...]) -> str:
    """'5, 3, 2, 6 = 16'."""
    return f"{', '.join(map(str, dice))} = {sum(dice)}"
