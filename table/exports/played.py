"""A played match: the log of a match, run through its rules once more."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from table import games
from table.common.errors import BrehonError, Misused
from table.log.store import ArchivedMatch, archived_matches, newest_match_id
from table.referee.snapshot import match_to_json
from table.rules.game import Game
from table.rules.match import MatchView, replay

TOLD = (
    "game", "title", "players", "seat_order", "settings", "phase", "scores", "winners", "outcome", "sheet",
    "row_notes", "throws", "rulings",
)  # fmt: skip
"""What an export has of a match, as snapshots have it. The prompt and the odds are of no use afterwards."""


class NotExported(BrehonError, ValueError):
    """A match that cannot be exported."""


class NoSuchMatch(NotExported, Misused):
    """The log has no match with this number."""


@dataclass(frozen=True)
class PlayedMatch:
    """A match with its sheet. number: in the log. started, last: local times. ended: as in ArchivedMatch."""

    number: int
    game: Game
    view: MatchView
    started: datetime
    last: datetime
    ended: str

    def to_json(self) -> dict[str, Any]:
        """The match as JSON: its number and times, and what a snapshot has of it."""
        told = match_to_json(self.view)
        return {"match": self.number, **self.times, **{key: told[key] for key in TOLD}}

    @property
    def times(self) -> dict[str, str | None]:
        """When it started, when its last event came, and why it was ended before its end, as JSON."""
        return {"started": _iso(self.started), "last": _iso(self.last), "ended": self.ended or None}


def played_matches(log: Path, number: int | None = None) -> Iterator[PlayedMatch | NotExported]:
    """The matches in the log, oldest first, or only this one.

    A match that today's rules refuse is a NotExported.
    """
    for archived in archived_matches(log, number):
        try:
            yield _played(archived)
        except BrehonError as error:
            yield NotExported(f"match {archived.logged.id} cannot be exported: {error}")


def played_match(log: Path, number: int | None = None) -> PlayedMatch:
    """The match with this number, or the newest one; raises NotExported."""
    wanted = newest_match_id(log) if number is None else number
    if wanted is None:
        raise NotExported("no match was played yet")
    match next(iter(played_matches(log, wanted)), None):
        case None:
            newest = newest_match_id(log)
            known = "no match was played yet" if newest is None else f"the newest is match {newest}"
            raise NoSuchMatch(f"there is no match {wanted}; {known}")
        case NotExported() as refused:
            raise refused
        case found:
            return found


def list_to_json(log: Path) -> list[dict[str, Any]]:
    """The matches in the log, newest first, without their sheets: {"match", "game", "title", "started",
    "players"}; the title is the game's name if there is no such game any more."""
    listed = [
        {
            "match": each.logged.id,
            "game": each.logged.game,
            "title": _title(each.logged.game),
            "started": _iso(_local(each.started_at)),
            "players": [seat.name for seat in each.logged.seats],
        }
        for each in archived_matches(log)
    ]
    return listed[::-1]


def _played(archived: ArchivedMatch) -> PlayedMatch:
    logged = archived.logged
    game = games.game(logged.game)
    view = replay(game, logged.seats, logged.raw_settings, logged.events).view()
    return PlayedMatch(
        logged.id, game, view, _local(archived.started_at), _local(archived.last_at), archived.ended
    )


def _title(game: str) -> str:
    try:
        return games.game(game).title
    except BrehonError:
        return game


def _local(utc: str) -> datetime:
    return datetime.fromisoformat(utc).astimezone()


def _iso(time: datetime) -> str:
    return time.isoformat(timespec="seconds")
