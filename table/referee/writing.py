"""The results of writes: the match and the state change only after a write is logged or has failed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from table.referee.effects import Accepted, Effect, Refused, Ruled
from table.referee.events import Logged, NotLogged
from table.referee.ruling import after_throw, ask, let_lie, look_anew, rule_of_notes, show
from table.referee.state import Amending, Beginning, Choosing, Ending, State, Stepped, Throwing, Typing
from table.referee.verdicts import Unlogged
from table.rules import words
from table.rules.answers import Throw
from table.rules.match import Answered, Corrected, new_rulings
from table.rules.match import Event as MatchEvent


def logged(state: State, event: Logged) -> Stepped:
    """The state and the effects after the waiting write is in the log."""
    waited, state = state.writing, replace(state, writing=None)
    match waited:
        case Throwing():
            return _thrown(state, waited)
        case Choosing(events):
            state, told = _happen(state, events)
            return _and(told, look_anew(replace(state, eyes=state.eyes.overtaken)))
        case Typing(events):
            state, told = _happen(state, events)
            return _decided(state), (*_accepted(events), *told)
        case Amending(event=amended):
            return _amended(state, amended)
        case Beginning(playing):
            return _decided(replace(state, playing=playing, trouble="", free_throws=())), ()
        case Ending():
            return _decided(replace(state, playing=None)), ()
        case None:
            return state, ()


def not_logged(state: State, event: NotLogged) -> Stepped:
    """The state after a failed write. The next reading tries a throw again; anything else did not happen."""
    waited, state = state.writing, replace(state, writing=None)
    if not isinstance(waited, Throwing):
        return state, (Refused(event.why),)
    return ask(state, Unlogged(f"{words.sentence(event.why)} The throw counts once the tray is read again."))


def _thrown(state: State, waited: Throwing) -> Stepped:
    state, told = _happen(state, waited.events)
    (accepted,) = _accepted(waited.events[-1:])
    thrown = waited.events[-1]
    beside = thrown.prompt.get("beside", ()) if isinstance(thrown, Answered) else ()
    state = after_throw(state, waited.thrown, accepted.at, beside)
    said = show(state, " ".join(n.text for n in waited.notes), rule_of_notes(waited.notes))
    return said, (accepted, *waited.notes, *told)


def _accepted(events: Sequence[MatchEvent]) -> tuple[Accepted, ...]:
    """The throws among the events."""
    return tuple(
        Accepted(e.at, e.prompt["player"], e.answer.faces, tuple(d.colour for d in e.answer.dice))
        for e in events
        if isinstance(e, Answered) and isinstance(e.answer, Throw)
    )


def _amended(state: State, event: MatchEvent) -> Stepped:
    asked, rolled = state.prompt, state.eyes
    state, told = _happen(state, (event,))
    if state.prompt != asked:
        state = replace(state, eyes=rolled.overtaken)
    if isinstance(event, Corrected) and isinstance(event.answer, Throw) and event.at == state.throw_at:
        state = replace(state, tray=state.tray.count_as(dict(zip(state.last, event.answer.faces, strict=True))))
    if state.throw_at is not None and state.match is not None and state.throw_at >= state.match.at:
        state = _forget_throw(state)
    return _and(told, look_anew(state))


def _happen(state: State, events: Sequence[MatchEvent]) -> Stepped:
    """The state after the match has taken the events, and the game's rulings on them."""
    assert state.playing is not None
    before = state.playing.match.rulings
    playing = state.playing.after(*events)
    said = new_rulings(playing.match.rulings, before)
    told = tuple(Ruled("note" if r.remark else "score", "", r.text) for r in said)
    return replace(state, playing=playing, number=state.number + 1), told


def _decided(state: State) -> State:
    """The state after a decision that does not concern the dice on the tray."""
    state = let_lie(_forget_throw(replace(state, eyes=state.eyes.overtaken, number=state.number + 1)))
    return show(state)


def _forget_throw(state: State) -> State:
    """The state in which no die on the tray belongs to a throw of the match."""
    return replace(state, last=(), throw_at=None)


def _and(told: tuple[Effect, ...], then: Stepped) -> Stepped:
    state, more = then
    return state, (*told, *more)
