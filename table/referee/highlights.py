"""What people tell about a match afterwards: the most points at once, a comeback, the luckiest throw.

Everything is read off the sheet and the throws, so it is true of a match from the log too.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import timedelta
from itertools import groupby
from operator import itemgetter
from typing import Any

from table.rules import words
from table.rules.answers import Throw
from table.rules.match import Answered, MatchView
from table.rules.prompts import PLACED, REVEAL
from table.rules.sheet import START_ROW, Line

FEWEST_ALIKE = 3
"""Dice with the same face that make a throw worth telling."""
FEWEST_IN_A_ROW = 3
"""Throws of one player, one after another, that are worth telling."""

FEWEST_ROUNDS = 3
"""Rounds that a match must have for a comeback."""
LEAST_GAP, LEAST_SHARE = 2, 0.25
"""The smallest gap that is a comeback: in points, and as a share of the highest score of the match."""

MINUTES_TOLD = 120
"""Minutes from which the length is told in hours."""

NOT_OF_A_TURN = frozenset({"start", "base", *PLACED})
"""The purposes of throws that are no part of a turn: for who begins, for the bases of towers, and of dice
that are not thrown at all, because they are lifted, pushed out, or fell."""


@dataclass(frozen=True)
class Highlight:
    """title: what it is. value: how much. text: how, or "".

    player: who did it; None for all together, and for what several share, whom the text names. shared: these.
    """

    title: str
    value: str
    player: str | None = None
    text: str = ""
    shared: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        told = {"title": self.title, "value": self.value, "player": self.player, "text": self.text}
        return told | {"shared": list(self.shared)}


def highlights(match: MatchView, length: timedelta | None = None) -> tuple[Highlight, ...]:
    """The highlights of a match that is over: of players first, then of all together. Empty for any other.

    What several players share has no player; its text names them.
    length: from its beginning to its last event; None if it is not known.
    """
    if match.outcome is None:
        return ()
    return (*_most_points(match), *_comeback(match), *_most_alike(match), *_most_in_a_row(match),
            *_counts(match, length))  # fmt: skip


def _of_players(title: str, value: str, players: Iterable[str], text: str = "") -> Highlight:
    """The highlight of the player, or of several who share it."""
    names = list(dict.fromkeys(players))
    if len(names) == 1:
        return Highlight(title, value, names[0], text)
    return Highlight(title, value, None, words.listed(names), tuple(names))


def _most_points(match: MatchView) -> Iterator[Highlight]:
    gains = [line for line in match.sheet if line.points > 1 and line.row != START_ROW]
    most = max((line.points for line in gains), default=0)
    best = [line for line in gains if line.points == most]
    if best:
        yield _of_players("Most at once", f"{most:,}", (line.player for line in best), best[0].reason)


def _comeback(match: MatchView) -> Iterator[Highlight]:
    """How far the only winner was behind after a round, if the highest score wins."""
    winners = match.outcome.winners if match.outcome else ()
    if len(winners) != 1 or match.scores[winners[0]] < max(match.scores.values()):
        return
    rounds = list(_scores_after_rounds(match))
    if len(rounds) < FEWEST_ROUNDS:
        return
    gap = max(max(scores.values()) - scores[winners[0]] for scores in rounds)
    highest = max(max(scores.values()) for scores in rounds)
    if gap >= max(LEAST_GAP, LEAST_SHARE * highest):
        yield Highlight("Came back from", f"{gap:,} behind", winners[0])


def _scores_after_rounds(match: MatchView) -> Iterator[dict[str, int]]:
    """The scores after each row of the sheet but the start: each player had as many turns."""
    rows: dict[int, list[Line]] = {}
    for line in match.sheet:
        if line.row is not None:
            rows.setdefault(line.row, []).append(line)
    scores = dict.fromkeys(match.scores, 0)
    for row in sorted(rows):
        for line in rows[row]:
            scores[line.player] += line.points
        if row != START_ROW:
            yield dict(scores)


def _throws_of_turns(match: MatchView) -> list[Answered]:
    return [throw for throw in match.throws if throw.prompt.get("for") not in NOT_OF_A_TURN]


def _most_alike(match: MatchView) -> Iterator[Highlight]:
    alike = [
        (count, face, throw.prompt["player"])
        for throw in _throws_of_turns(match)
        if isinstance(throw.answer, Throw)
        for face, count in Counter(throw.answer.faces).items()
    ]
    most, best, _ = max(alike, key=lambda each: each[:2], default=(0, 0, ""))
    if most >= FEWEST_ALIKE:
        players = (player for count, face, player in alike if (count, face) == (most, best))
        yield _of_players("Most alike", f"{words.number(most)} {best}s", players)


def _most_in_a_row(match: MatchView) -> Iterator[Highlight]:
    """The longest run of throws of a player in one turn or round: who begins the next one may throw again.

    On a sheet with boxes, such as a card, a turn is what fills one box: an event with all its attempts.
    What half of the players share is no news: where the rules allow three throws, almost all have three.
    """
    written = [line for line in match.sheet if not _is_note_in_box(line)]
    lines = sorted((line.at, line.row or START_ROW, line.box) for line in written)

    def turn_of(throw: Answered) -> tuple[str, int, str]:
        """The player, and the row or the box of the first line that is written after the throw."""
        after = bisect_right(lines, throw.at, key=itemgetter(0))
        row, box = lines[after][1:] if after < len(lines) else (START_ROW, "")
        return throw.prompt["player"], row, box

    runs = [(len(list(run)), player) for (player, *_), run in groupby(_throws_of_turns(match), turn_of)]
    most = max((length for length, _ in runs), default=0)
    players = list(dict.fromkeys(player for length, player in runs if length == most))
    few = len(players) == 1 < len(match.seats) or 2 * len(players) < len(match.seats)
    if most >= FEWEST_IN_A_ROW and few:
        yield _of_players("Throws in a row", str(most), players)


def _is_note_in_box(line: Line) -> bool:
    """Whether it stands in a box without points: an attempt, of which only the best counts, or a sum."""
    return line.box != "" and line.value is not None


def _counts(match: MatchView, length: timedelta | None) -> Iterator[Highlight]:
    under_cups = any(throw.prompt.get("for") == REVEAL for throw in match.throws)
    count = 0 if under_cups else len(_throws_of_turns(match))  # most throws under cups are never seen
    if count:
        others = count < len(match.throws)  # the sheet lists those for lots and bases as well
        yield Highlight("Throws in turns" if others else "Throws", f"{count:,}")
    if length is not None:
        minutes = max(1, round(length.total_seconds() / 60))
        hours = Highlight("Hours", f"{minutes / 60:.1f}")
        yield Highlight("Minutes", str(minutes)) if minutes < MINUTES_TOLD else hours
