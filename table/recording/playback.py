"""Playback of a recording: its pictures through vision and referee, or its events through the referee.

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
from table.recording.offline_table import Line, OfflineTable, effects_to_lines, reading_json, seconds
from table.recording.recordings import RecordedLine, Recording
from table.referee.actions import Action
from table.referee.effects import Announcement, LogWrite, Refused
from table.referee.events import Acted, Event, Logged, TrayChanged, TrayRead
from table.referee.state import State
from table.referee.step import step
from table.referee.view import snapshot_of
from vision.frames import Frame
from vision.pipeline import Pipeline


def replay_frames(
    recording: Recording, table: OfflineTable, new_pipeline: Callable[[], Pipeline]
) -> Iterator[Line]:
    """The lines of `brehon watch` for the recording's pictures.

    new_pipeline: called when the camera was opened again.

    If the first pictures are gone, the recorded events bring the referee up to date.
    """
    players = _Players(table)
    begun = False
    for at_s, _, item in heapq.merge(_frames(recording), _lines(recording), key=lambda each: each[:2]):
        if isinstance(item, Frame):
            begun = True
            yield from table.process(item)
            yield from players.run_queue(at_s)
        elif not item.events:
            table.pipeline = new_pipeline()
        elif isinstance(item.events[0], Acted):
            yield from players.act(item.events[0].action, at_s) if not item.refused else ()
        else:
            event = item.events[0]
            players.saw_reading = isinstance(event, TrayRead)
            if not begun or (isinstance(event, TrayChanged) and event.state == TrayState.NO_CAMERA):
                yield from table.handle(event, at_s)
    yield from table.end()


class _Players:
    """The players' taps.

    A tap made after a reading waits until the dice are read again, perhaps some frames later.
    """

    def __init__(self, table: OfflineTable) -> None:
        self._table = table
        self._queue: deque[Action] = deque()
        self.saw_reading = False

    def act(self, action: Action, at_s: float) -> Iterator[Line]:
        """The lines of an action at its time, or later, once the dice are read again."""
        self._queue.append(action)
        if not (self.saw_reading and self._table.settling):
            yield from self.run_queue(at_s, at_once=True)

    def run_queue(self, at_s: float, at_once: bool = False) -> Iterator[Line]:
        """The lines of the waiting actions, as soon as nothing is coming to rest."""
        while self._queue and (at_once or not self._table.settling):
            yield from self._table.do(self._queue.popleft(), at_s)


def _frames(recording: Recording) -> Iterator[tuple[float, int, Frame | RecordedLine]]:
    return ((frame.at_s, 0, frame) for frame in recording.frames())


def _lines(recording: Recording) -> Iterator[tuple[float, int, Frame | RecordedLine]]:
    return ((line.at_s, 1, line) for line in recording.lines)


def replay_events(recording: Recording) -> Iterator[Line]:
    """The same lines for the recording's events.

    After each event with another result there is a line {"t", "differs": {"was", "is"}}.

    "same" in the last line says whether all results are unchanged.
    """
    state, _, _ = _step_all(State(), (recording.opened,))
    same, last_state, at_s = True, None, 0.0
    for line in (note for note in recording.lines if note.events):
        at_s = line.at_s
        if isinstance(line.events[0], TrayRead):
            yield {"t": seconds(at_s), "reading": reading_json(line.events[0])}
        state, effects, refused = _step_all(state, line.events)
        now = snapshot_of(state).tray.state
        if now != last_state:
            last_state = now
            yield {"t": seconds(at_s), "state": now.value}
        yield from effects_to_lines(effects, at_s)
        was, is_ = _outcome(line.effects, line.refused), _outcome([e.to_json() for e in effects], refused)
        if was != is_:
            same = False
            yield {"t": seconds(at_s), "differs": {"was": was, "is": is_}}
    yield {"t": seconds(at_s), "ended": True, "same": same}


def _step_all(state: State, events: Sequence[Event]) -> tuple[State, list[Announcement], str]:
    """The state after the event, the announcements, and the sentence of a refusal, which changes nothing.

    A recorded write gets its recorded result; any other write succeeds.
    """
    event, *answers = events
    results, effects = deque(answers), list[Announcement]()

    def steps(state: State, event: Event) -> State:
        state, new_effects = step(state, event)
        for effect in new_effects:
            if isinstance(effect, Announcement):
                effects.append(effect)
            elif isinstance(effect, LogWrite):
                state = steps(state, results.popleft() if results else Logged())
            elif isinstance(effect, Refused):
                raise LogUnusable(effect.why)
        return state

    try:
        return steps(state, event), effects, ""
    except BrehonError as error:
        return state, [], f"{error}"


def _outcome(effects: Iterable[Any], refused: str) -> list[Any]:
    return [*effects, *([{"refused": refused}] if refused else [])]
