"""The referee as a step: a state and an event give the next state and effects. Input and output are values.

This module does not write, read or measure time. The match does not take a throw that counts, or a choice, at
once. The step leaves it in `state.writing` and returns an effect to write it. The caller writes it and
returns the result as the event Logged or NotLogged. So an answer is on the disk before the rules see it, and
a full disk is an event like others. The list of all events is the whole evening: it gives the same states and
effects wherever it is run.
"""

from __future__ import annotations

from dataclasses import replace

from table.common.errors import BrehonError
from table.referee.acting import acted
from table.referee.events import Acted, Event, Logged, NotLogged, Opened, TakenUp, TrayChanged, TrayRead
from table.referee.evidence import tray_of
from table.referee.looking import changed, read
from table.referee.played import Played
from table.referee.ruling import show
from table.referee.state import State, Stepped
from table.referee.tray import ids
from table.referee.writing import logged, not_logged


def step(state: State, event: Event) -> Stepped:
    """The state after the event, and the effects. Raises BrehonError for an action that is not possible."""
    match event:
        case Opened():
            return opened(event), ()
        case TrayChanged():
            return changed(state, event)
        case TrayRead():
            return read(state, event)
        case Acted():
            return acted(state, event)
        case Logged():
            return logged(state, event)
        case NotLogged():
            return not_logged(state, event)


def opened(event: Opened) -> State:
    """The state of a table that begins. If the match in the log cannot be resumed, the state says why."""
    state = State(number=event.number, trouble=event.trouble)
    if event.match is not None:
        try:
            state = _taken_up(state, event.match)
        except Exception as error:  # any content of an old or damaged log: the table continues
            state = replace(state, trouble=cannot_be_taken_up(error))
    return show(state)


def cannot_be_taken_up(error: Exception) -> str:
    """The sentence for people about a match in the log that cannot be resumed."""
    why = f"{error}" if isinstance(error, BrehonError) else f"the log does not hold what it should ({type(error).__name__})"
    return f"The last match cannot be taken up: {why}. It is kept in the log; start a new game."


def _taken_up(state: State, match: TakenUp) -> State:
    playing = Played(match.game, match.seats, match.given, match.events)
    tray, at = tray_of(match.seen, playing.match)
    return replace(state, playing=playing, tray=tray, throw_at=at, last=ids(tray.lying))
