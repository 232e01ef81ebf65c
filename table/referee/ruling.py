"""Ruling: the open dice are judged, and the verdict is shown, asked about, or written."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial

from table.common.tray import TrayState
from table.referee import fouls
from table.referee.awaited_throw import throw_of
from table.referee.effects import Accepted, Append, Asked, Effect, Ruled
from table.referee.evidence import throw_to_json
from table.referee.hands import foul_of_hands, matters_to_game, turned_dice
from table.referee.interpretations import BY_HAND, Interpretation, as_interpreted
from table.referee.judge import judge
from table.referee.state import State, StepResult, ThrowAttempt, ThrowWrite
from table.referee.tray import LyingDie, ids
from table.referee.verdicts import AskFaces, Doubt, NoThrow, Pending, Rethrow, UnderArm, Valid, Void
from table.rules import words
from table.rules.answers import Answer
from table.rules.match import Event as MatchEvent
from table.rules.match import Match
from table.rules.prompts import Roll

FREE_THROWS_KEPT = 50
"""Number of throws made without a game that are shown; they are not logged."""

ROLLED_BEFORE_TAP = "Out of turn: the dice were rolling already when somebody tapped, so this throw is void."


def judge_open_dice(state: State) -> StepResult:
    """The state and the effects after the open dice are judged."""
    after = state.attempt.after
    complete = after is not None and not after.missing
    if not (state.tray.open or complete):  # the die in question is no die
        return show(replace(state, attempt=state.attempt.previous)), ()
    interpretation, verdict = judge(state.match, state.tray, state.tray_context)
    if not isinstance(verdict, Doubt):
        state = replace(state, tray=as_interpreted(state.tray, interpretation))
    if state.attempt.decided_while_rolling and not isinstance(verdict, NoThrow):
        prompt_text = state.prompt.text if state.prompt else ""
        verdict = Void(TrayState.OUT_OF_TURN, f"{ROLLED_BEFORE_TAP} {prompt_text}".rstrip())
    match verdict:
        case Valid(choices):
            return _count(state, interpretation, choices)
        case NoThrow():
            handled = ids(interpretation.handled)
            tray = state.tray.map_dice(lambda d: d.closed() if d.id in handled else d)
            return show(replace(state, tray=tray, attempt=replace(state.attempt, ruling=verdict))), ()
        case _:
            tipped = (*state.attempt.tipped, *_knocked_faces(state, interpretation))
            return ask(replace(state, attempt=replace(state.attempt, tipped=tipped)), verdict)


def ask(state: State, ruling: Pending) -> StepResult:
    """The state that waits for a person. The snapshot number grows, so that a tap belongs to this ruling."""
    before = state.attempt.ruling
    new = ruling != before
    told = isinstance(ruling, Void) and ruling.less_than(before)
    if isinstance(ruling, Void):
        state = replace(state, tray=state.tray.void())
    state = replace(state, number=state.number + new, attempt=replace(state.attempt, ruling=ruling))
    return show(state), (announcement_of(ruling),) if new and not told else ()


def announcement_of(ruling: Pending) -> Effect:
    match ruling:
        case Void(_, message, foul):
            return Ruled("foul" if foul else "void", rule_of(ruling), message)
        case Rethrow(_, message, foul=foul):
            return Ruled("foul" if foul else "note", rule_of(ruling), message)
        case AskFaces() | Doubt() | UnderArm():
            return Asked(ruling.message)
        case _:
            return Ruled("note", "", ruling.message)


def rule_of(ruling: Pending) -> str:
    """The number of the shared rule of this ruling; "" for a question, or for trouble with the log."""
    match ruling:
        case Void(rule=number):
            return number
        case Rethrow(foul=foul):
            return foul.rule if foul else "G4"
        case AskFaces(foul=foul) | Doubt(foul=foul):
            return foul.rule if foul else ""
        case _:
            return ""


def rule_of_notes(notes: Iterable[Ruled]) -> str:
    """The first rule number among these notes, or ""."""
    return next((note.rule for note in notes if note.rule), "")


def show(state: State, message: str = "", rule: str = "") -> State:
    """The state with the message of a pending ruling; otherwise with `message`. rule: that of `message`."""
    ruling = state.ruling
    if isinstance(ruling, Pending):
        return replace(state, tray_state=ruling.state, message=ruling.message, rule=rule_of(ruling))
    something = state.prompt or state.tray.lying or state.sticks.lying
    waiting = TrayState.WAITING if something else TrayState.EMPTY
    tray_state = TrayState.ACCEPTED if isinstance(ruling, Valid) else waiting
    trouble = state.trouble if state.match_state is None else ""
    return replace(state, tray_state=tray_state, message=trouble or message, rule="" if trouble else rule)


def decide_all(state: State) -> State:
    """The state in which no die on the tray waits for a verdict."""
    return replace(state, tray=state.tray.decided(), attempt=ThrowAttempt())


def judge_again(state: State) -> StepResult:
    """The state after the match changed under the dice.

    A waiting throw is judged anew, because its meaning may differ now; other dice are decided. A die that was
    turned by hand has to be put back as long as it matters to the game.
    """
    ruling = state.attempt.ruling
    if isinstance(ruling, Void) and ruling.foul is fouls.TURNED:
        state = replace(state, tray=state.tray.map_dice(partial(_unless_it_matters, state)))
        if state.tray.open:
            return judge_open_dice(state)
    if isinstance(ruling, Doubt) and not ruling.thrown:
        state = replace(state, tray=state.tray.doubt_resolved(ruling.in_question, thrown=False))
    if isinstance(ruling, Pending) and not isinstance(ruling, Void) and state.tray.open:
        return judge_open_dice(state)
    return show(replace(decide_all(state), attempt=_still_waiting(state))), ()


def _still_waiting(state: State) -> ThrowAttempt:
    """The attempt before a void one, if its dice that stood, with the missing ones, are what is awaited."""
    previous, prompt = state.attempt.previous, state.prompt
    match state.attempt.ruling, previous.ruling:
        case Void(), Rethrow(good=good, missing=missing) if isinstance(prompt, Roll):
            return previous if len(good) + missing == prompt.count else ThrowAttempt()
        case _:
            return ThrowAttempt()


def _unless_it_matters(state: State, die: LyingDie) -> LyingDie:
    """A turned die, as it lies now if its earlier face no longer matters to the game."""
    if die.came not in BY_HAND or die.was is None:
        return die
    if matters_to_game(state.match, state.last_throw_ids, die.was):
        return die
    return replace(die.closed(), seen=die.seen, face=die.face, face_fixed=False)


# -- a throw that counts -------------------------------------------------------------------------------------


def _count(state: State, interpretation: Interpretation, choices: tuple[Answer, ...]) -> StepResult:
    notes = _notes_on_hands(state, interpretation)
    match = state.match
    if match is None or match.prompt is None:
        return _count_free(state, interpretation.thrown)
    events = events_of(match, (*choices, throw_of(interpretation.thrown)))
    seen = (match.at + len(choices), throw_to_json(interpretation.thrown, state.size_wh))
    return replace(state, pending_write=ThrowWrite(events, interpretation.thrown, notes)), (
        Append(events, seen, pictured=True),
    )


def _count_free(state: State, thrown: Sequence[LyingDie]) -> StepResult:
    faces = tuple(d.face for d in thrown)
    free = (*state.free_throws, faces)[-FREE_THROWS_KEPT:]
    state = after_throw(replace(state, free_throws=free), thrown, None)
    accepted = Accepted(None, None, faces, tuple(d.colour for d in throw_of(thrown).dice))
    return show(state, f"Read: {words.listed(faces)}."), (accepted,)


def after_throw(
    state: State, thrown: Sequence[LyingDie], at: int | None, beside: Sequence[int] = ()
) -> State:
    """The state after a throw counts, logged as `at`. beside: faces of the dice that lie aside."""
    tray = state.tray.after_throw(beside)
    return replace(
        state,
        tray=tray,
        last_throw_ids=ids(thrown),
        throw_at=at,
        thrown_unseen=False,
        attempt=ThrowAttempt(ruling=Valid()),
    )


def events_of(match: Match, answers: Sequence[Answer]) -> tuple[MatchEvent, ...]:
    """The events of these answers, in order; only several answers have to be tried on a fork."""
    if len(answers) == 1:
        return (match.answered(answers[0]),)
    fork, events = match.fork(), list[MatchEvent]()
    for answer in answers:
        events.append(fork.answered(answer))
        fork = fork.after(events[-1])
    return tuple(events)


def _notes_on_hands(state: State, interpretation: Interpretation) -> tuple[Ruled, ...]:
    """The notes about dice that a hand turned, and about dice that the throw knocked over."""
    turned = turned_dice(state.match, interpretation)
    foul = foul_of_hands(fouls.TURNED, turned) if turned else None
    over = knocked_over_note((*_knocked_faces(state, interpretation), *state.attempt.tipped))
    return (*([Ruled("foul", foul.rule, foul.message)] if foul else []), *over)


def _knocked_faces(state: State, interpretation: Interpretation) -> tuple[int, ...]:
    """Counted faces of dice of the game that the throw knocked over."""
    return tuple(
        d.face
        for d in interpretation.not_thrown
        if d.face_fixed and matters_to_game(state.match, state.last_throw_ids, d)
    )


def knocked_over_note(faces: Iterable[int]) -> tuple[Ruled, ...]:
    """The note about dice that were knocked over, or tipped over by themselves.

    faces: the faces they count as. It is no foul.
    """
    over = tuple(faces)
    if not over:
        return ()
    dice, were, it = words.listed(over), words.was_or_were(len(over)), words.it_or_them(len(over))
    back = "as it lay" if len(over) == 1 else "as they lay"
    return (Ruled("note", "G6", f"The {dice} {were} knocked over: put {it} back {back}."),)
