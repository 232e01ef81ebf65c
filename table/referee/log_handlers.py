"""The results of writes: the match and the state change only after a write is logged or has failed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from table.referee.effects import Accepted, Effect, Refused, Ruled
from table.referee.events import Logged, NotLogged
from table.referee.ruling import after_throw, ask, decide_all, judge_again, rule_of_notes, show
from table.referee.state import (
    AmendmentWrite,
    ChoiceWrite,
    EndWrite,
    PlacementWrite,
    StartWrite,
    State,
    StepResult,
    StickWrite,
    ThrowWrite,
    TypedThrowWrite,
)
from table.referee.stick_handlers import ask_about_sticks, judge_sticks_again
from table.referee.sticks import SticksOnTray
from table.referee.tower_handlers import fallen_dice_shown
from table.referee.tray_update import face_counts
from table.referee.verdicts import AskFaces, Unlogged, Valid
from table.rules import words
from table.rules.answers import Answer, Sticks, Throw, Thrown
from table.rules.match import Answered, Corrected, new_rulings
from table.rules.match import Event as MatchEvent
from vision.tracking.tracks import TrackOutcome


def write_logged(state: State, event: Logged) -> StepResult:
    """The state and the effects after the waiting write is in the log."""
    write, state = state.pending_write, replace(state, pending_write=None)
    match write:
        case ThrowWrite():
            return _thrown(state, write)
        case StickWrite(events):
            return _sticks_thrown(state, events)
        case ChoiceWrite(events, towers) | PlacementWrite(events, towers):
            return _chosen(replace(state, towers=towers), events)
        case TypedThrowWrite(events):
            return _typed(state, events)
        case AmendmentWrite(event=amended):
            return _amended(state, amended)
        case StartWrite(match_state):
            return _forget_dice(replace(state, match_state=match_state, trouble="", free_throws=())), ()
        case EndWrite():
            return _forget_dice(replace(state, match_state=None)), ()
        case None:
            return state, ()


def write_failed(state: State, event: NotLogged) -> StepResult:
    """The state after a failed write.

    The next reading tries a throw or a placement again; anything else did not happen.
    """
    write, state = state.pending_write, replace(state, pending_write=None)
    if isinstance(write, PlacementWrite):
        text = f"{words.sentence(event.why)} The placement counts once the tray is read again."
        return show(state, text), (Ruled("note", "", text),)
    if not isinstance(write, ThrowWrite | StickWrite):
        return state, (Refused(event.why),)
    trouble = Unlogged(f"{words.sentence(event.why)} The throw counts once the tray is read again.")
    return ask_about_sticks(state, trouble) if isinstance(write, StickWrite) else ask(state, trouble)


def _chosen(state: State, events: Sequence[MatchEvent]) -> StepResult:
    """The state after a choice; the throw of fallen dice can follow it."""
    state, effects = _apply_events(replace(state, revealed=False), events)
    state, more = _judge_all_again(replace(state, pipeline=state.pipeline.after_decision))
    state, fallen = fallen_dice_shown(state)
    return state, (*_accepted(events), *effects, *more, *fallen)


def _thrown(state: State, write: ThrowWrite) -> StepResult:
    state, rulings = _apply_throw(state, write.events)
    (accepted,) = _accepted(write.events[-1:])
    state = after_throw(state, write.thrown, accepted.at, _set_aside_at(write.events[-1]))
    state = replace(state, revealed=state.match is not None and state.match.hidden_since == state.match.at)
    shown = show(state, " ".join(n.text for n in write.notes), rule_of_notes(write.notes))
    return shown, (accepted, *write.notes, *rulings)


def _sticks_thrown(state: State, events: Sequence[MatchEvent]) -> StepResult:
    state, rulings = _apply_events(state, events)
    (accepted,) = _accepted(events)
    counted = tuple(s.id for s in state.sticks.thrown)
    sticks = state.sticks.with_faces(dict(zip(counted, accepted.sticks, strict=True)))
    sticks = replace(sticks, thrown=(), counted=counted, untouched=True, ruling=Valid())
    state = replace(state, sticks=sticks, last_throw_ids=(), throw_at=accepted.at, thrown_unseen=False)
    return show(state), (accepted, *rulings)


def _typed(state: State, events: Sequence[MatchEvent]) -> StepResult:
    """The state after a typed throw. Dice in question are those of the throw, if they can be, so that players
    can leave some of them."""
    (accepted,) = _accepted(events)
    faces = _faces_of_typed(state, accepted)
    state, rulings = _apply_throw(state, events)
    state = _forget_dice(state)
    if faces:
        state = replace(state, tray=state.tray.with_faces(faces))
        thrown = [d for d in state.tray.lying if d.id in faces]
        state = show(after_throw(state, thrown, accepted.at, _set_aside_at(events[-1])))
    return state, (accepted, *rulings)


def _set_aside_at(thrown: MatchEvent) -> Sequence[int]:
    """The faces of the dice that lay aside at this throw."""
    return thrown.prompt.get("beside", ()) if isinstance(thrown, Answered) else ()


def _faces_of_typed(state: State, accepted: Accepted) -> dict[int, int]:
    """The faces of the dice in question, by id, if the typed throw says which die shows what; else none."""
    if not (isinstance(state.attempt.ruling, AskFaces) and state.attempt.ruling.whole):
        return {}
    dice = [d for d in state.tray.lying if d.came is TrackOutcome.THROWN]
    sure, unsure = [d for d in dice if d.sure], [d for d in dice if not d.sure]
    rest = Counter(accepted.faces)
    rest.subtract(face_counts(sure))
    others = [face for face, count in rest.items() if count > 0]
    if min(rest.values(), default=0) < 0 or rest.total() != len(unsure) or len(others) > 1:
        return {}
    return {d.id: d.face for d in sure} | {d.id: others[0] for d in unsure}


def _judge_all_again(state: State) -> StepResult:
    """The state after the match changed under the dice and the sticks."""
    state, effects = judge_again(state)
    return _prepend(effects, judge_sticks_again(state))


def _accepted(events: Sequence[MatchEvent]) -> tuple[Accepted, ...]:
    """The throws among the events, of dice or sticks."""
    answered = [e for e in events if isinstance(e, Answered) and isinstance(e.answer, Thrown)]
    return tuple(_accepted_throw(e.at, e.prompt["player"], e.answer) for e in answered)


def _accepted_throw(at: int, player: str, answer: Answer) -> Accepted:
    if isinstance(answer, Sticks):
        return Accepted(at, player, (), (), answer.faces)
    assert isinstance(answer, Throw)
    return Accepted(at, player, answer.faces, tuple(d.colour for d in answer.dice))


def _amended(state: State, event: MatchEvent) -> StepResult:
    asked, pipeline, showed_fallen = state.prompt, state.pipeline, state.tray_context.fell
    state, rulings = _apply_events(state, (event,))
    if showed_fallen and not state.tray_context.fell:  # what was shown is no throw
        state = decide_all(state)
    if state.prompt != asked:
        state = replace(state, pipeline=pipeline.after_decision)
    if isinstance(event, Corrected) and isinstance(event.answer, Throw) and event.at == state.throw_at:
        state = replace(
            state,
            tray=state.tray.with_faces(dict(zip(state.last_throw_ids, event.answer.faces, strict=True))),
        )
    if isinstance(event, Corrected) and isinstance(event.answer, Sticks) and event.at == state.throw_at:
        faces = dict(zip(state.sticks.counted, event.answer.faces, strict=True))
        state = replace(state, sticks=state.sticks.with_faces(faces))
    if state.throw_at is not None and state.match is not None and state.throw_at >= state.match.at:
        state = _forget_throw(state)
    return _prepend(rulings, _judge_all_again(state))


def _apply_throw(state: State, events: Sequence[MatchEvent]) -> StepResult:
    """As _apply_events, after a throw. Once it is told what fallen dice show, their fall is over."""
    if state.tray_context.fell:
        state = replace(state, towers=replace(state.towers, fall=None))
    return _apply_events(state, events)


def _apply_events(state: State, events: Sequence[MatchEvent]) -> StepResult:
    """The state after the match has taken the events, and the game's rulings on them."""
    assert state.match_state is not None
    before = state.match_state.match.rulings
    match_state = state.match_state.after(*events)
    new = new_rulings(match_state.match.rulings, before)
    rulings = tuple(Ruled("note" if r.remark else "score", "", r.text) for r in new)
    return replace(state, match_state=match_state, number=state.number + 1), rulings


def _forget_dice(state: State) -> State:
    """The state after a decision that does not concern the dice on the tray."""
    state = decide_all(
        _forget_throw(replace(state, pipeline=state.pipeline.after_decision, number=state.number + 1))
    )
    return show(replace(state, sticks=SticksOnTray(state.sticks.lying, no_sticks=state.sticks.no_sticks)))


def _forget_throw(state: State) -> State:
    """The state in which no die on the tray belongs to a throw of the match."""
    return replace(state, last_throw_ids=(), throw_at=None, sticks=replace(state.sticks, counted=()))


def _prepend(effects: tuple[Effect, ...], then: StepResult) -> StepResult:
    state, more = then
    return state, (*effects, *more)
