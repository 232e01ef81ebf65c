"""A referee that reports each event and its result, for recordings and replays."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from table.common.errors import BrehonError
from table.log.store import Log
from table.referee.actions import Action
from table.referee.effects import Effect, Told
from table.referee.events import Event
from table.referee.referee import Referee

Listener = Callable[[Sequence[Event], Iterable[Effect], str], None]
"""Receives the event with its follow-up events (the result of each write), all effects, and the refusal's
sentence, else "". It runs in the referee's thread, so it must be fast."""


class NotedReferee(Referee):
    """A referee that passes each of its events to `listeners`. opening: the events with which it began."""

    def __init__(self, log: Log, read_again: Callable[[], None] = lambda: None, first_number: int = 0, trouble: str = "") -> None:
        self.listeners: list[Listener] = []
        self._heard: list[Event] = []
        super().__init__(log, read_again, first_number, trouble, record=self._heard.append)
        self.opening = tuple(self._heard)

    def see(self, event: Event, jpeg: bytes | None = None) -> tuple[Told, ...]:
        self._heard.clear()
        effects = super().see(event, jpeg)
        self._note(effects)
        return effects

    def act(self, action: Action) -> tuple[Told, ...]:
        self._heard.clear()
        try:
            effects = super().act(action)
        except BrehonError as error:
            self._note(refused=f"{error}")
            raise
        self._note(effects)
        return effects

    def _note(self, effects: Iterable[Effect] = (), refused: str = "") -> None:
        heard = tuple(self._heard)
        for listener in self.listeners:
            listener(heard, effects, refused)
