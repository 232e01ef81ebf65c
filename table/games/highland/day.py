"""The day of the Games: what each event receives, and the bonus pips that each player has left."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from functools import partial

from table.common.errors import BrehonError
from table.games.highland.drawn import programme
from table.odds.highland.day import DayRules
from table.rules import words
from table.rules.best_play import BestPlay, advised
from table.rules.board import Board
from table.rules.game import Table
from table.rules.prompts import Coach, Odds

ATTEMPTS = 3
"""Attempts in each event that has them. In the events over a bar, these are the attempts at one height."""

MAX_SHOWN_PIPS = 6
"""The most pips that the bonus die can show (H-11)."""


class Pips:
    """The bonus pips of each player.

    They are a number on the sheet, and a die can show up to six of them (H-11).
    """

    def __init__(self, table: Table) -> None:
        self._table = table
        self._left = dict.fromkeys(table.players, 0)

    def left(self, player: str) -> int:
        return self._left[player]

    def shown(self, player: str) -> int:
        """The face that the bonus die shows, 0 if it is put away."""
        return min(self._left[player], MAX_SHOWN_PIPS)

    def award(self, player: str, pips: int) -> None:
        self._left[player] += pips

    def spend(self, player: str, pips: int, what: str, on_a_die: bool = False) -> None:
        """Takes pips away and announces `what` they do.

        on_a_die: a die on the table shows the pips that are left. Raises BrehonError if `pips` is below 1 or
        above the player's pips.
        """
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
    """What an event receives: the table, the bonus pips, and the rules by which the coach counts pips.

    at_break: each player's place at the last break, in words, until that player goes on.
    """

    def __init__(self, table: Table, rules: DayRules) -> None:
        self.table = table
        self.pips = Pips(table)
        self.rules = rules
        self.at_break: dict[str, str] = {}

    def show(self, bar: Board | None = None, begun: bool = True) -> None:
        """Draws the day on the page. bar: of the event that is on, if it has one. begun: see programme()."""
        self.table.programme = partial(programme, self.table, bar, begun)

    def advised(
        self, odds: Callable[[], Iterable[Odds]] | None, best_play: Callable[[], BestPlay]
    ) -> Coach | None:
        """A coach with these odds. For a lone player it knows best play too."""
        return advised(odds, best_play() if self.rules.alone else None)

    def update_so_far(self, event: str, *parts: str) -> None:
        """Sets what the page shows of the current event: its name and its progress.

        Without parts it shows nothing.
        """
        self.table.so_far = ": ".join((event, ", ".join(parts))) if parts else ""


async def best_of(
    day: Day,
    player: str,
    event: str,
    box: str,
    attempt: Callable[[Day, str, int, int], Awaitable[tuple[int, str]]],
) -> int:
    """The best points of three attempts, written on the sheet.

    attempt: gives the points of the nth attempt and the reason for the sheet. It receives the best before it.
    """
    points: list[int] = []
    for n in range(1, ATTEMPTS + 1):
        value, reason = await attempt(day, player, n, max(points, default=0))
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
