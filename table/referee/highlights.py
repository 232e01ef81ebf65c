"""What people tell about a match afterwards: the most points at once, a comeback, the luckiest throw.

Everything is read off the sheet and the throws, so it is true of a match from the log too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from itertools import groupby
from typing import Any

from table.rules import words
from table.rules.answers import Throw
from table.rules.match import MatchView
from table.rules.sheet import START_ROW, Line

FEWEST_ALIKE = 3
"""Dice with the same face that make a throw worth telling."""
FEWEST_ROUNDS = 3
"""Rounds that a match must have for a comeback."""
FEWEST_IN_A_ROW = 3
"""Throws of one player, one after another, that are worth telling."""

MINUTES_TOLD = 120
"""Minutes from which the length is told in hours."""

NOT_OF_A_TURN = ("start", "base", "reveal")
"""The purposes of throws that no player makes in a turn: for who begins, for the towers, from under a cup."""


@dataclass(frozen=True)
class Highlight:
    """title: what it is. value: how much. player: who did it, None for all together. text: how, or ""."""

    title: str
    value: str
    player: str | None = None
    text: str = ""

    def to_json(self) -> dict[str, Any]:
        return {"title": self.title, "value": self.value, "player": self.player, "text": self.text}


def highlights(match: MatchView, length: timedelta | None = None) -> tuple[Highlight, ...]:
    """The highlights of a match that is over, what its players did first; empty for any other match.

    length: from its beginning to its last event; None if it is not known.
    """
    if match.outcome is None:
        return ()
    return (*_most_points(match), *_comeback(match), *_most_alike(match), *_most_in_a_row(match),
            *_counts(match, length))  # fmt: skip


def _most_points(match: MatchView) -> Iterator[Highlight]:
    gains = [line for line in match.sheet if line.points > 1 and line.row != START_ROW]
    if gains:
        best = max(gains, key=lambda line: line.points)  # the first of several
        yield Highlight("Most at once", f"{best.points:,}", best.player, best.reason)


def _comeback(match: MatchView) -> Iterator[Highlight]:
    """How far the only winner was behind after a round, if the highest score wins."""
    winners = match.outcome.winners if match.outcome else ()
    if len(winners) != 1 or match.scores[winners[0]] < max(match.scores.values()):
        return
    behind = list(_behind(match, winners[0]))
    if len(behind) >= FEWEST_ROUNDS and max(behind) > 0:
        yield Highlight("From behind", f"{max(behind):,}", winners[0])


def _behind(match: MatchView, player: str) -> Iterator[int]:
    """By how much the player was behind the leader after each row of the sheet: each had as many turns."""
    totals = dict.fromkeys(match.scores, 0)
    in_rows = sorted((line for line in match.sheet if line.row is not None), key=_row)
    for _, lines in groupby(in_rows, key=_row):
        for line in lines:
            totals[line.player] += line.points
        yield max(totals.values()) - totals[player]


def _row(line: Line) -> int:
    return line.row or START_ROW


def _most_alike(match: MatchView) -> Iterator[Highlight]:
    alike = [
        (count, face, throw.prompt["player"])
        for throw in match.throws
        if isinstance(throw.answer, Throw) and throw.prompt.get("for") != "start"
        for face, count in Counter(throw.answer.faces).most_common(1)
    ]
    most, face, player = max(alike, key=lambda each: each[:2], default=(0, 0, ""))
    if most >= FEWEST_ALIKE:
        yield Highlight("Most alike", f"{words.number(most)} {face}s", player)


def _most_in_a_row(match: MatchView) -> Iterator[Highlight]:
    thrown = [t.prompt["player"] for t in match.throws if t.prompt.get("for") not in NOT_OF_A_TURN]
    runs = [(len(list(run)), player) for player, run in groupby(thrown)]
    most, player = max(runs, key=lambda run: run[0], default=(0, ""))
    if most >= FEWEST_IN_A_ROW and len(match.seats) > 1:
        yield Highlight("Throws in a row", str(most), player)


def _counts(match: MatchView, length: timedelta | None) -> Iterator[Highlight]:
    yield Highlight("Throws", f"{len(match.throws):,}")
    if length is not None:
        minutes = max(1, round(length.total_seconds() / 60))
        hours = Highlight("Hours", f"{minutes / 60:.1f}")
        yield Highlight("Minutes", str(minutes)) if minutes < MINUTES_TOLD else hours
