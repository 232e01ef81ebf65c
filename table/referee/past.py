"""The match before, for "same again" and for its sheet."""

from __future__ import annotations

from pathlib import Path

from table.common.errors import BrehonError
from table.games import game
from table.log.store import last_match
from table.rules.match import MatchView, replay


def last_match_view(path: Path) -> MatchView | None:
    """The newest match of the log at `path`; None if there is none, or if today's rules do not fit it."""
    logged = last_match(path)
    if logged is None:
        return None
    try:
        return replay(game(logged.game), logged.seats, logged.raw_settings, logged.events).view()
    except BrehonError:
        return None
