"""The score sheet: every score with its reason."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

START_ROW = 0
"""The row above the first turn or round: what each player begins with."""


@dataclass(frozen=True)
class Line:
    """One entry on the sheet. at: the number of answers before it.

    box: its row on the paper sheet, an id of the game's form, or "".
    value: the text for that row if it is not the points: an attempt (only the best counts), a rank, a sum,
    the 0 with which the next game of a match begins.
    row: the number of the turn or round in which it stands, START_ROW, or None if it has a box.
    since: the number of the first answer that it can count.
    told: whether a ruling of the same moment, or a line before, says already what it does.
    """

    at: int
    player: str
    points: int
    reason: str
    box: str = ""
    value: str | None = None
    row: int | None = None
    since: int = 0
    told: bool = False

    @property
    def row_text(self) -> str:
        """The head of its row: "3", "Start", or "" for a line with a box."""
        return "" if self.row is None else "Start" if self.row == START_ROW else str(self.row)

    def to_json(self) -> dict[str, Any]:
        fields: dict[str, Any] = {"at": self.at, "points": self.points, "reason": self.reason}
        return (
            fields
            | ({"box": self.box} if self.box else {})
            | ({} if self.row is None else {"row": self.row})
            | ({} if self.value is None else {"value": self.value})
            | ({"told": True} if self.told else {})
        )


def running_totals(lines: Sequence[Line]) -> list[int | None]:
    """The player's total after the last line in each row, of a sheet without boxes, which fill in any order.

    None for other lines, and where it says nothing new: in a row without points, after a lone first line, and
    where the reason is "with 106".
    """
    found: list[int | None] = [None] * len(lines)
    if any(line.box for line in lines):
        return found
    totals, rows = Counter[str](), Counter[tuple[str, int | None]]()
    last = {(line.player, line.row): i for i, line in enumerate(lines)}
    for i, line in enumerate(lines):
        place = line.player, line.row
        totals[line.player] += line.points
        rows[place] += line.points
        total = totals[line.player]
        said = str(line.points), line.value, line.reason.removeprefix("with ")
        if last[place] == i and rows[place] and str(total) not in said:
            found[i] = total
    return found


@dataclass(frozen=True)
class RowNote:
    """What all players did in a round, such as their bids: a line below its row. row: as in Line."""

    row: int
    text: str

    def to_json(self) -> dict[str, Any]:
        return {"row": self.row, "text": self.text}


@dataclass(frozen=True)
class Row:
    """A row of a game's paper sheet. box: the id that lines use for it; "" for a heading."""

    text: str
    box: str = ""

    @property
    def heading(self) -> bool:
        return not self.box


@dataclass(frozen=True)
class Blank:
    """A place to write on a card. label: the words before it. box: as in Row.

    best: the box with the best of several attempts, of which this is one; "" if all count.
    """

    label: str
    box: str
    best: str = ""


@dataclass(frozen=True)
class CardLine:
    """A line of a card, which is one player's paper sheet. event: the words at its start, or ""."""

    event: str
    blanks: tuple[Blank, ...]


@dataclass(frozen=True)
class Tally:
    """A blank sheet with a row for each match, for a game that people play without writing down its turns.

    how: what the boxes stand for, in sentences for people. boxes: of each player, to cross out.
    sides: what the players of a match are, such as "Nickels" and "Pennies", if that is new in each match.
    numbered: whether the boxes have numbers, and room to write in. amount: what else a player has, in a word.
    before, after: the heads of what is written of each match, before it and when it is over.
    """

    how: str
    boxes: int
    sides: tuple[str, ...] = ()
    numbered: bool = False
    amount: str = ""
    before: str = ""
    after: tuple[str, ...] = ("Winner",)


class Sheet:
    """The sheet of a running match, for the page and for print. The game writes it.

    A line stands in the row of the turn or round that began last. A game in which each turn writes one line
    need not say where its turns begin: the first line of each player stands in row 1, the next in row 2.
    A line counts the answers from number `since` on that precede it: those after the lines before and after
    its turn or round began. So a typed throw is marked at the line that it gave.
    """

    def __init__(self, players: Sequence[str]) -> None:
        self._totals = dict.fromkeys(players, 0)
        self._lines: list[Line] = []
        self._notes: dict[int, str] = {}
        self._row: int | None = None
        self._rounds, self._turns = 0, dict.fromkeys(players, 0)
        self._since = 0
        self.at = 0

    def begin_start(self) -> None:
        """The next lines say what each player begins with."""
        self._begin(START_ROW)

    def begin_round(self) -> None:
        """A round begins; the lines of all players stand in its row."""
        self._rounds += 1
        self._begin(self._rounds)

    def begin_turn(self, player: str) -> None:
        """The player's next turn begins; all lines that it gives, also to others, stand in its row."""
        self._turns[player] += 1
        self._begin(self._turns[player])

    def _begin(self, row: int) -> None:
        self._row = row
        self.begin_counting()

    def begin_counting(self) -> None:
        """No line counts the throws before this moment, such as those for who begins."""
        self._since = self.at

    @property
    def lines(self) -> tuple[Line, ...]:
        return tuple(self._lines)

    @property
    def row_notes(self) -> tuple[RowNote, ...]:
        return tuple(RowNote(row, text) for row, text in self._notes.items())

    @property
    def totals(self) -> dict[str, int]:
        """Points by player, in seat order."""
        return dict(self._totals)

    @property
    def leaders(self) -> tuple[str, ...]:
        """The players with the highest total, in seat order."""
        best = max(self._totals.values())
        return tuple(player for player, total in self._totals.items() if total == best)

    def score(self, player: str, points: int, reason: str, box: str = "", told: bool = False) -> None:
        """Writes a line and adds its points. A turn without points is written with 0. told: as in Line."""
        self._write(player, points, reason, box, told=told)
        self._totals[player] += points

    def settle(self, player: str, points: int, reason: str) -> None:
        """Adds points to the player's last line, such as a stake, and gives it a new reason.

        Raises ValueError if the player has no line.
        """
        place = self._last_of(player)
        if place is None:
            raise ValueError(f"{player} has no line to settle")
        line = self._lines[place]
        # From now on the points stand in the row: the text of a note says nothing of them.
        self._lines[place] = replace(line, at=self.at, points=line.points + points, reason=reason, value=None)
        self._totals[player] += points

    def score_under(self, heading: str, player: str, points: int, reason: str) -> None:
        """Writes a line, or adds to the player's last line if that has the same heading in the same round."""
        last = self._lines[place] if (place := self._last_of(player)) is not None else None
        if last and last.row == self._row and last.reason.startswith(f"{heading}: "):
            self.settle(player, points, f"{last.reason}; {reason}")
        else:
            self.score(player, points, f"{heading}: {reason}")

    def _last_of(self, player: str) -> int | None:
        """The index of the player's last line, None if there is none."""
        return max((i for i, line in enumerate(self._lines) if line.player == player), default=None)

    def note(self, player: str, value: object, reason: str, box: str = "", told: bool = False) -> None:
        """Writes a line without points: an attempt that may not count, a rank, a sum. told: as in Line."""
        self._write(player, 0, reason, box, str(value), told)

    def begin_again(self, reason: str) -> None:
        """Takes all players back to 0 points for the next game of a match. A ruling tells it as well.

        The lines stand below all turns of the game before, and the next turns in the rows after them.
        """
        if turns := max(self._turns.values()):
            self._row, self._turns = turns, dict.fromkeys(self._turns, turns)
        for player, total in self._totals.items():
            self._write(player, -total, f"{reason}, after {total}", value="0", told=True)
            self._totals[player] = 0

    def note_row(self, text: str) -> None:
        """Writes on below the row of the round that is on. Raises ValueError if no round has begun."""
        if self._row is None:
            raise ValueError(f"no round has begun for the note “{text}”")
        self._notes[self._row] = self._notes.get(self._row, "") + text

    def _write(
        self,
        player: str,
        points: int,
        reason: str,
        box: str = "",
        value: str | None = None,
        told: bool = False,
    ) -> None:
        last = self._lines[-1].at if self._lines else 0
        if last < self.at:  # the lines before have counted the throws before them
            self._since = max(self._since, last)
        row = None if box else self._next_row_of(player) if self._row is None else self._row
        self._lines.append(Line(self.at, player, points, reason, box, value, row, self._since, told))

    def _next_row_of(self, player: str) -> int:
        return 1 + sum(line.player == player and not line.box for line in self._lines)

    def total(self, player: str) -> int:
        return self._totals[player]
