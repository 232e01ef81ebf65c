"""A referee that reports each event and its result, for recordings and replays."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from table.common.errors import BrehonError
from table.log.store import Log
from table.referee.actions import Action
from table.referee.effects import Announcement, Append, Effect, LogWrite
from table.referee.events import Event
from table.referee.referee import Referee

Listener = Callable[[Sequence[Event], Iterable[Effect], str], None]
"""Receives the event with its follow-up events (the result of each write), all effects, and the refusal's
sentence, else "". It runs in the referee's thread, so it must be fast."""
ThrowListener = Callable[[Append, bytes], None]
"""Receives what was written to the log for a throw, and the throw's picture. It must be fast too."""


class ObservedReferee(Referee):
    """A referee that passes each of its events to `listeners`, and each logged throw to `throw_listeners`.

    opening: the events with which it began.
    """

    def __init__(
        self,
        log: Log,
        read_again: Callable[[], None] = lambda: None,
        first_number: int = 0,
        trouble: str = "",
    ) -> None:
        self.listeners: list[Listener] = []
        self.throw_listeners: list[ThrowListener] = []
        self._events: list[Event] = []
        super().__init__(log, read_again, first_number, trouble, record=self._events.append)
        self.opening = tuple(self._events)

    def handle(self, event: Event, jpeg: bytes | None = None) -> tuple[Announcement, ...]:
        self._events.clear()
        effects = super().handle(event, jpeg)
        self._notify(effects)
        return effects

    def act(self, action: Action) -> tuple[Announcement, ...]:
        self._events.clear()
        try:
            effects = super().act(action)
        except BrehonError as error:
            self._notify(refused=f"{error}")
            raise
        self._notify(effects)
        return effects

    def _write(self, effect: LogWrite) -> None:
        super()._write(effect)
        if isinstance(effect, Append) and effect.pictured and self._jpeg is not None:
            for listener in self.throw_listeners:
                listener(effect, self._jpeg)

    def _notify(self, effects: Iterable[Effect] = (), refused: str = "") -> None:
        events = tuple(self._events)
        for listener in self.listeners:
            listener(events, effects, refused)
