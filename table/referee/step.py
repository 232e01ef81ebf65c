"""The referee as a step: a state and an event give the next state and effects. Input and output are values.

This module does not write, read or measure time. The match does not take a throw that counts, or a choice, at
once. The step leaves it in `state.pending_write` and returns an effect to write it. The caller writes it and
returns the result as the event Logged or NotLogged. So an answer is on the disk before the rules see it, and
a full disk is an event like others. The list of all events is the whole evening: it gives the same states and
effects wherever it is run.
"""

from __future__ import annotations

from dataclasses import replace

from table.common.errors import BrehonError
from table.referee.action_handlers import apply_action
from table.referee.events import (
    Acted,
    Event,
    Logged,
    NotLogged,
    Opened,
    ResumedMatch,
    TrayChanged,
    TrayPreviewed,
    TrayRead,
)
from table.referee.evidence import tray_from_json
from table.referee.log_handlers import write_failed, write_logged
from table.referee.match_state import MatchState
from table.referee.ruling import show
from table.referee.state import State, StepResult
from table.referee.tray import ids
from table.referee.vision_handlers import tray_changed, tray_previewed, tray_read


def step(state: State, event: Event) -> StepResult:
    """The state after the event, and the effects. Raises BrehonError for an action that is not possible."""
    match event:
        case Opened():
            return opened(event), ()
        case TrayChanged():
            return tray_changed(state, event)
        case TrayPreviewed():
            return tray_previewed(state, event)
        case TrayRead():
            return tray_read(state, event)
        case Acted():
            return apply_action(state, event)
        case Logged():
            return write_logged(state, event)
        case NotLogged():
            return write_failed(state, event)


def opened(event: Opened) -> State:
    """The state of a table that begins. If the match in the log cannot be resumed, the state says why."""
    state = State(number=event.number, trouble=event.trouble)
    if event.match is not None:
        try:
            state = _resumed(state, event.match)
        except Exception as error:  # any content of an old or damaged log: the table continues
            state = replace(state, trouble=resume_error_text(error))
    return show(state)


def resume_error_text(error: Exception) -> str:
    """The sentence for people about a match in the log that cannot be resumed."""
    why = (
        f"{error}"
        if isinstance(error, BrehonError)
        else f"the log does not hold what it should ({type(error).__name__})"
    )
    return f"The last match cannot be taken up: {why}. It is kept in the log; start a new game."


def _resumed(state: State, match: ResumedMatch) -> State:
    match_state = MatchState(match.game, match.seats, match.raw_settings, match.events)
    tray, at = tray_from_json(match.seen, match_state.match)
    return replace(state, match_state=match_state, tray=tray, throw_at=at, last_throw_ids=ids(tray.lying))
