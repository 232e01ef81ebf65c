"""A referee whose every event is heard of, with what came of it: for what keeps recordings and replays."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from table.errors import BrehonError
from table.log.store import Log
from table.referee.actions import Action
from table.referee.effects import Effect, Told
from table.referee.events import Acted, Event
from table.referee.referee import Referee

Listener = Callable[[Event, Iterable[Effect], str], None]
"""Gets the event, what came of it, and the sentence where it was refused, else ""; in the referee's thread, so it must be quick."""


class NotedReferee(Referee):
    """A referee that tells `listeners` of everything that it is told."""

    def __init__(self, log: Log, read_again: Callable[[], None] = lambda: None, first_number: int = 0, trouble: str = "") -> None:
        super().__init__(log, read_again, first_number, trouble)
        self.listeners: list[Listener] = []

    def see(self, event: Event, jpeg: bytes | None = None) -> tuple[Told, ...]:
        effects = super().see(event, jpeg)
        self._note(event, effects)
        return effects

    def act(self, action: Action) -> tuple[Told, ...]:
        try:
            effects = super().act(action)
        except BrehonError as error:
            self._note(Acted(action), refused=f"{error}")
            raise
        self._note(Acted(action), effects)
        return effects

    def _note(self, event: Event, effects: Iterable[Effect] = (), refused: str = "") -> None:
        for listener in self.listeners:
            listener(event, effects, refused)
