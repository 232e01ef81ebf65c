"""A match as a value: what began it, and its events.

A match is a coroutine, and stepping one uses it up; the referee's state holds values only. So a state holds the events, which are the
truth, and beside them the coroutine that has run over them, as a cache: it belongs to the newest value alone. Whoever asks an older
value has it run over its events once more. That costs time and changes nothing, and an evening, which only goes forward, never pays
for it: forking before each answer would run every answer of the match again, a second in a long one on a Pi.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from table import games
from table.rules.game import Seat
from table.rules.match import Event, Match, replay


@dataclass(frozen=True)
class Played:
    """A match and what has happened in it. `_running` holds its coroutine, or nothing; it is no part of the value."""

    game: str
    seats: tuple[Seat, ...]
    given: Mapping[str, str]
    events: tuple[Event, ...] = ()
    _running: list[Match] = field(default_factory=list, compare=False, repr=False)

    @property
    def match(self) -> Match:
        """To look at and to fork, never to step; raises ReplayDiverged where the events do not fit the rules."""
        if not self._running:
            self._running.append(replay(games.game(self.game), self.seats, self.given, self.events))
        return self._running[0]

    def after(self, *events: Event) -> Played:
        """The match once these have happened; raises ReplayDiverged where one does not fit."""
        match = self.match
        self._running.clear()
        for event in events:
            match = match.after(event)
        return Played(self.game, self.seats, self.given, (*self.events, *events), [match])
