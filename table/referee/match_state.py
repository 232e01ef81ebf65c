"""A match as a value: its start and its events.

A match is a coroutine, and a step uses it up; the referee's state holds only values. A state therefore holds
the events, which define the match, and a cache: the coroutine that has run over them. Only the newest value
has the coroutine. An older value runs it over its events again when its match is requested. That costs time
and changes nothing, and never happens in an evening, which only goes forward. To fork before each answer
would run every answer of the match again: a second in a long match on a Pi.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from table import games
from table.rules.game import Seat
from table.rules.match import Event, Match, replay


@dataclass(frozen=True)
class MatchState:
    """A match and its events. `_running` holds its coroutine or nothing; it is not part of the value."""

    game: str
    seats: tuple[Seat, ...]
    raw_settings: Mapping[str, str]
    events: tuple[Event, ...] = ()
    _running: list[Match] = field(default_factory=list, compare=False, repr=False)

    @property
    def match(self) -> Match:
        """The match, to read and fork, never to step.

        Raises ReplayDiverged if an event does not fit the rules.
        """
        if not self._running:
            self._running.append(replay(games.game(self.game), self.seats, self.raw_settings, self.events))
        return self._running[0]

    def after(self, *events: Event) -> MatchState:
        """The match after these events; raises ReplayDiverged if one does not fit."""
        match = self.match
        self._running.clear()
        for event in events:
            match = match.after(event)
        return MatchState(self.game, self.seats, self.raw_settings, (*self.events, *events), [match])
