"""Playback of a recording: its pictures through today's vision pipeline and referee, or its events through
the referee only.

The first shows how this Brehon rules on the recorded pictures, with taps at their recorded times. A tap
applies to the table as it then stands. If it answers another question than before, it is refused, and the
refusal is a line. The second is exact: the referee is a function of its events, so any difference comes
from changed rules.
"""

from __future__ import annotations

import heapq
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from table.common.errors import BrehonError, LogUnusable
from table.common.tray import TrayState
from table.recording.recordings import Noted, Recording
from table.recording.watching import Line, Watching, reading_json, seconds, told
from table.referee.actions import Action
from table.referee.effects import Refused, Told, Write
from table.referee.events import Acted, Event, Logged, TrayChanged, TrayRead
from table.referee.state import State
from table.referee.step import step
from table.referee.view import snapshot_of
from vision.frames import Frame
from vision.pipeline import Pipeline


def played_again(recording: Recording, watching: Watching, eyes: Callable[[], Pipeline]) -> Iterator[Line]:
    """The lines of `brehon watch` for the recording's pictures. eyes: makes a new pipeline when the camera
    was opened again.

    If the first pictures are gone, the recorded events bring the referee up to date.
    """
    people = _People(watching)
    begun = False
    for at_s, _, what in heapq.merge(_frames(recording), _notes(recording), key=lambda each: each[:2]):
        if isinstance(what, Frame):
            begun = True
            yield from watching.see(what)
            yield from people.act(at_s)
        elif not what.events:
            watching.eyes = eyes()
        elif isinstance(what.events[0], Acted):
            yield from people.come(what.events[0].action, at_s) if not what.refused else ()
        else:
            event = what.events[0]
            people.saw_reading = isinstance(event, TrayRead)
            if not begun or (isinstance(event, TrayChanged) and event.state == TrayState.NO_CAMERA):
                yield from watching.hear(event, at_s)
    yield from watching.end()


class _People:
    """The players' taps. A tap made after a reading waits until the dice are read again, perhaps some frames later."""

    def __init__(self, watching: Watching) -> None:
        self._watching = watching
        self._waiting: deque[Action] = deque()
        self.saw_reading = False

    def come(self, action: Action, at_s: float) -> Iterator[Line]:
        """The lines of an action at its time, or later, once the dice are read again."""
        self._waiting.append(action)
        if not (self.saw_reading and self._watching.settling):
            yield from self.act(at_s, come=True)

    def act(self, at_s: float, come: bool = False) -> Iterator[Line]:
        """The lines of the waiting actions, as soon as nothing is coming to rest."""
        while self._waiting and (come or not self._watching.settling):
            yield from self._watching.do(self._waiting.popleft(), at_s)


def _frames(recording: Recording) -> Iterator[tuple[float, int, Frame | Noted]]:
    return ((frame.at_s, 0, frame) for frame in recording.frames())


def _notes(recording: Recording) -> Iterator[tuple[float, int, Frame | Noted]]:
    return ((note.at_s, 1, note) for note in recording.notes)


def ruled_again(recording: Recording) -> Iterator[Line]:
    """The same lines for its events, plus {"t", "differs": {"was", "is"}} after each event with another
    result.

    "same" in the last line says whether all results are unchanged.
    """
    state, _, _ = _stepped(State(), (recording.opened,))
    same, shown, at_s = True, None, 0.0
    for note in (note for note in recording.notes if note.events):
        at_s = note.at_s
        if isinstance(note.events[0], TrayRead):
            yield {"t": seconds(at_s), "reading": reading_json(note.events[0].reading, note.events[0].tracks)}
        state, effects, refused = _stepped(state, note.events)
        now = snapshot_of(state).tray.state
        if now != shown:
            shown = now
            yield {"t": seconds(at_s), "state": now.value}
        yield from told(effects, at_s)
        was, is_ = _outcome(note.effects, note.refused), _outcome([e.to_json() for e in effects], refused)
        if was != is_:
            same = False
            yield {"t": seconds(at_s), "differs": {"was": was, "is": is_}}
    yield {"t": seconds(at_s), "ended": True, "same": same}


def _stepped(state: State, events: Sequence[Event]) -> tuple[State, list[Told], str]:
    """The state after the event, the Told effects, and the sentence of a refusal, which changes nothing.

    A recorded write gets its recorded result; any other write succeeds.
    """
    event, *answers = events
    left, effects = deque(answers), list[Told]()

    def steps(state: State, event: Event) -> State:
        state, came = step(state, event)
        for effect in came:
            if isinstance(effect, Told):
                effects.append(effect)
            elif isinstance(effect, Write):
                state = steps(state, left.popleft() if left else Logged())
            elif isinstance(effect, Refused):
                raise LogUnusable(effect.why)
        return state

    try:
        return steps(state, event), effects, ""
    except BrehonError as error:
        return state, [], f"{error}"


def _outcome(effects: Iterable[Any], refused: str) -> list[Any]:
    return [*effects, *([{"refused": refused}] if refused else [])]
