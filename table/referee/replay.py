"""A recorded evening, replayed: the same events give the same effects."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from contextlib import suppress

from table.common.errors import BrehonError, UnreadableAnswer
from table.referee.effects import Effect
from table.referee.events import Event, event_from_json
from table.referee.state import State
from table.referee.step import step
from table.rules.answers import quoted


def replayed(events: Iterable[Event]) -> Iterator[tuple[Event, State, tuple[Effect, ...]]]:
    """Each event, the state after it, and its effects.

    A refused action is refused again, without a change.
    """
    state = State()
    for event in events:
        effects: tuple[Effect, ...] = ()
        with suppress(BrehonError):
            state, effects = step(state, event)
        yield event, state, effects


def event_to_line(event: Event) -> str:
    """The event as a line of a recording, without the line end."""
    return json.dumps(event.to_json(), ensure_ascii=False, separators=(",", ":"))


def events_from_lines(lines: Iterable[str]) -> Iterator[Event]:
    """The events of a recording; raises UnreadableAnswer with the number of an invalid line."""
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            yield event_from_json(json.loads(line))
        except (json.JSONDecodeError, RecursionError) as error:
            raise UnreadableAnswer(f"line {number} of the recording is no JSON: {quoted(line)}") from error
        except UnreadableAnswer as error:
            raise UnreadableAnswer(f"line {number} of the recording: {error}") from error
