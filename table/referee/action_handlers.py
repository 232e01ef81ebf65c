"""Player actions: each is checked, and then an answer is written or a question is settled.

An action that is not possible raises a BrehonError with a sentence; the state does not change then.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from table import games
from table.common.errors import IllegalAnswer, StaleAction, WouldDropAnswers
from table.referee import actions
from table.referee.effects import Append, Begin, Close, Reread
from table.referee.events import Acted
from table.referee.evidence import throw_to_json
from table.referee.hands import throw_can_choose
from table.referee.match_state import MatchState
from table.referee.ruling import events_of, judge_open_dice
from table.referee.state import (
    AmendmentWrite,
    ChoiceWrite,
    EndWrite,
    StartWrite,
    State,
    StepResult,
    TypedThrowWrite,
)
from table.referee.stick_handlers import ask_about_one_stick, enter_stick_faces, resolve_stick_doubt
from table.referee.tower_handlers import with_fall
from table.referee.tray import LyingDie
from table.referee.typed_throws import check_may_type
from table.referee.verdicts import AskFaces, Doubt, Rethrow, UnderArm, Unlogged
from table.rules import words
from table.rules.answers import Answer, Sticks, Throw, Thrown
from table.rules.match import Answered, Corrected, Match, TakenBack, dropped_text

ROLLING_NOW = "The dice are rolling, and to throw is a choice too. Wait until they lie still."


def apply_action(state: State, event: Acted) -> StepResult:
    """The state and the effects after this action; raises a BrehonError if it is not possible."""
    number = getattr(event.action, "number", None)
    if number is not None and number != state.number:
        raise StaleAction("Somebody was quicker: the table has moved on. Look again, then choose again.")
    match event.action:
        case actions.Start() as action:
            return _start(state, action)
        case actions.SubmitAnswer(answer=Throw() | Sticks() as answer):
            return _enter_throw(state, answer)
        case actions.SubmitAnswer(answer=answer):
            return _submit_answer(state, answer)
        case actions.TakeBack():
            return _take_back(state)
        case actions.Correct() as action:
            return _correct(state, action)
        case actions.EnterFaces(faces=faces):
            return _enter_faces(state, faces)
        case actions.EnterStickFaces(faces=stick_faces):
            _check_not_rolling(state)
            return enter_stick_faces(state, stick_faces)
        case actions.ResolveDoubt(thrown=thrown):
            return _resolve_doubt(state, thrown)
        case actions.TellApart():
            return _tell_apart(state)
        case actions.FellOff():
            return _fell_off(state)
        case actions.NothingUnderArm():
            return _nothing_under_arm(state)
        case actions.NothingFell():
            return _nothing_fell(state)
        case actions.End():
            _current_match(state)
            return replace(state, pending_write=EndWrite()), (Close("ended by a player"),)
        case actions.Confirm():
            return _confirm(state)
        case actions.RereadTray():
            return state, (Reread(),)


def _start(state: State, action: actions.Start) -> StepResult:
    match = Match(games.game(action.game), action.seats, action.raw_settings)
    match_state = MatchState(match.game.name, action.seats, action.raw_settings, (), [match])
    return replace(state, pending_write=StartWrite(match_state)), (
        Begin(match.game.name, action.seats, action.raw_settings),
    )


def _submit_answer(state: State, answer: Answer) -> StepResult:
    match, ruling = _current_match(state), state.ruling
    if isinstance(ruling, Rethrow | Unlogged | AskFaces):
        raise IllegalAnswer(f"A throw was made that is not settled yet. {ruling.message}")
    if throw_can_choose(match.prompt):
        _check_not_rolling(state)
    answers = with_fall(state, answer)
    events = events_of(match, answers)
    write = ChoiceWrite(events, state.towers.after(match.prompt, *answers))
    return replace(state, pending_write=write), (Append(events, _seen_fall(state, answers)),)


def _seen_fall(state: State, answers: Sequence[Answer]) -> tuple[int, Mapping[str, Any]] | None:
    """The `at` and the reading of fallen dice, if these answers end with them."""
    fall = state.towers.fall
    if fall is None or not isinstance(answers[-1], Throw):
        return None
    reading = {"size": list(state.size_wh), "dice": [d.seen.to_json() for d in fall.lying]}
    return _current_match(state).at + len(answers) - 1, reading


def _enter_throw(state: State, answer: Thrown) -> StepResult:
    match = _current_match(state)
    check_may_type(state)
    events = (replace(match.answered(answer), typed=True),)
    return replace(state, pending_write=TypedThrowWrite(events)), (
        Append(events, (match.at, throw_to_json((), state.size_wh))),
    )


def _amend(state: State, event: TakenBack | Corrected) -> StepResult:
    return replace(state, pending_write=AmendmentWrite(event)), (Append((event,)),)


def _take_back(state: State) -> StepResult:
    """Takes the last choice back, unless the next player has thrown: that throw would become another's."""
    match, ruling = _current_match(state), state.ruling
    event = match.taken_back()
    chose, thrower = match.answers[-1].prompt["player"], match.prompt.player if match.prompt else None
    if isinstance(ruling, Rethrow | Unlogged | AskFaces | Doubt | UnderArm) and thrower not in (chose, None):
        raise IllegalAnswer(f"{thrower} has thrown already. {ruling.message}")
    return _amend(state, event)


def _correct(state: State, action: actions.Correct) -> StepResult:
    match = _current_match(state)
    event = match.corrected(action.at, action.answer)
    if not action.anyway:
        _check_nothing_dropped(match.dropped_by(event))
    return _amend(state, event)


def _enter_faces(state: State, faces: tuple[actions.EnteredFace, ...]) -> StepResult:
    """Takes the faces that a person gives for unsure dice and for dice that seem to lean: see EnterFaces."""
    asked = state.asked_dice
    if not asked:
        raise IllegalAnswer("No die is being asked about now.")
    _check_not_rolling(state)
    if len(faces) != len(asked):
        raise IllegalAnswer(
            f"{words.dice(len(asked)).capitalize()} asked about; {words.number(len(faces))} came."
        )
    answers = dict(zip(asked, faces, strict=True))
    entered = {die: face for die, face in answers.items() if isinstance(face, int)}
    none = [die for die, face in answers.items() if face is None]
    leaning = [die for die, face in answers.items() if face == actions.LEANS]
    if isinstance(state.attempt.ruling, Rethrow):
        _check_possible_faces(state, entered)
        tray = state.tray.with_faces(entered).with_lean(entered, leans=False)
        return judge_open_dice(replace(state, tray=tray))
    tray = state.tray.with_faces(entered).with_lean(leaning, leans=True).not_thrown(none)
    return judge_open_dice(replace(state, tray=tray))


def _check_possible_faces(state: State, entered: dict[int, int]) -> None:
    """Raises IllegalAnswer if a face given for a leaning die is not in its possible faces."""
    for die in state.tray.lying:
        if die.id in entered and entered[die.id] not in die.possible:
            raise IllegalAnswer(_impossible_face_text(die, entered[die.id]))


def _impossible_face_text(die: LyingDie, face: int) -> str:
    return (
        f"That die can show {words.listed(sorted(die.possible), 'or')} as it lies, not {face}."
        " If it leans, throw it again alone."
    )


def _resolve_doubt(state: State, thrown: bool) -> StepResult:
    """Takes a person's answer: whether the doubted dice were thrown."""
    ruling = state.ruling
    if not isinstance(ruling, Doubt):
        raise IllegalAnswer("Nobody asks whether dice were thrown now.")
    _check_not_rolling(state)
    if ruling is state.sticks.ruling:
        return resolve_stick_doubt(state, thrown)
    tray = state.tray.doubt_resolved(ruling.doubted, thrown)
    if ruling.settles:
        tray = tray.doubt_resolved(ruling.others, not thrown)
    return judge_open_dice(replace(state, tray=tray, attempt=replace(state.attempt, told_apart=False)))


def _tell_apart(state: State) -> StepResult:
    """Takes a person's answer that only some of the doubted dice were thrown."""
    ruling = state.ruling
    if not (isinstance(ruling, Doubt) and ruling.some):
        raise IllegalAnswer("Nobody asks which of several were thrown now.")
    _check_not_rolling(state)
    if ruling is state.sticks.ruling:
        return ask_about_one_stick(state)
    return judge_open_dice(replace(state, attempt=replace(state.attempt, told_apart=True)))


def _fell_off(state: State) -> StepResult:
    """Treats a throw with too few dice as a whole throw, of which some dice fell off the tray."""
    if not state.short:
        raise IllegalAnswer("No throw with too few dice lies on the tray now.")
    _check_not_rolling(state)
    return judge_open_dice(replace(state, attempt=replace(state.attempt, fell_off=True)))


def _nothing_under_arm(state: State) -> StepResult:
    """Judges a throw with too few dice although something rests over the tray."""
    if not isinstance(state.attempt.ruling, UnderArm):
        raise IllegalAnswer("Nobody asks what lies under an arm now.")
    _check_not_rolling(state)
    return judge_open_dice(replace(state, attempt=replace(state.attempt, nothing_under_arm=True)))


def _nothing_fell(state: State) -> StepResult:
    """Takes the towers as the game has them, with the dice on top that are seen there."""
    if state.match is None or state.towers.fall is None:
        raise IllegalAnswer("Nobody asks whether dice fell now.")
    return replace(state, towers=state.towers.standing(state.match.towers)), ()


def _confirm(state: State) -> StepResult:
    answer = state.confirm_answer
    if answer is None:
        raise IllegalAnswer("There is nothing to confirm now.")
    return _submit_answer(state, answer)


def _check_not_rolling(state: State) -> None:
    if state.pipeline.rolling:
        raise IllegalAnswer(ROLLING_NOW)


def _current_match(state: State) -> Match:
    if state.match is None:
        raise IllegalAnswer("No game is on. Start one first.")
    return state.match


def _check_nothing_dropped(dropped: Sequence[Answered]) -> None:
    """Raises WouldDropAnswers if later answers do not fit the corrected throw; dropped: these."""
    if dropped:
        count = len(dropped)
        answers, have = ("answer", "has") if count == 1 else ("answers", "have")
        raise WouldDropAnswers(
            f"{words.number(count).capitalize()} later {answers} would no longer fit"
            f" and {have} to be given again: {dropped_text(dropped)}.",
            count,
        )
