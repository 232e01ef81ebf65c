"""Player actions: each is checked, and then an answer is written or a question is settled.

An action that is not possible raises a BrehonError with a sentence; the state does not change then.
"""

from __future__ import annotations

from dataclasses import replace

from table import games
from table.common.errors import IllegalAnswer, StaleAction, WouldDrop
from table.referee import actions
from table.referee.effects import Append, Begin, Close, Reread
from table.referee.events import Acted
from table.referee.evidence import seen_of
from table.referee.judge import throws_choose
from table.referee.played import Played
from table.referee.ruling import events_of, rule
from table.referee.state import Amending, Beginning, Choosing, Ending, State, Stepped, Typing
from table.referee.tray import LyingDie
from table.referee.verdicts import Again, Ask, Doubt, Unlogged
from table.rules import words
from table.rules.answers import Answer, Die, Throw, Thrown
from table.rules.match import Corrected, Match, TakenBack

ROLLING_NOW = "The dice are rolling, and to throw is a choice too. Wait until they lie still."


def acted(state: State, event: Acted) -> Stepped:
    """The state and the effects after this action; raises a BrehonError if it is not possible."""
    number = getattr(event.action, "number", None)
    if number is not None and number != state.number:
        raise StaleAction("Somebody was quicker: the table has moved on. Look again, then choose again.")
    match event.action:
        case actions.Start() as action:
            return _start(state, action)
        case actions.Give(answer=Throw() as answer):
            return _throw_by_hand(state, answer)
        case actions.Give(answer=answer):
            return _choose(state, answer)
        case actions.TakeBack():
            return _amend(state, _on_table(state).taken_back())
        case actions.Correct() as action:
            return _correct(state, action)
        case actions.Settle(faces=faces):
            return _settle(state, faces)
        case actions.Tell(thrown=thrown):
            return _tell(state, thrown)
        case actions.FellOff():
            return _fell_off(state)
        case actions.End():
            _on_table(state)
            return replace(state, writing=Ending()), (Close("ended by a player"),)
        case actions.Confirm():
            return _confirm(state)
        case actions.ReadAgain():
            return state, (Reread(),)


def _start(state: State, action: actions.Start) -> Stepped:
    match = Match(games.game(action.game), action.seats, action.given)
    playing = Played(match.game.name, action.seats, action.given, (), [match])
    return replace(state, writing=Beginning(playing)), (Begin(match.game.name, action.seats, action.given),)


def _choose(state: State, answer: Answer) -> Stepped:
    match, ruling = _on_table(state), state.deed.ruling
    if isinstance(ruling, Again | Unlogged | Ask):
        raise IllegalAnswer(f"A throw was made that is not settled yet. {ruling.message}")
    if throws_choose(match.prompt):
        _check_that_nothing_rolls(state)
    events = events_of(match, (answer,))
    return replace(state, writing=Choosing(events)), (Append(events),)


def _throw_by_hand(state: State, answer: Throw) -> Stepped:
    match = _on_table(state)
    events = events_of(match, (answer,))
    return replace(state, writing=Typing(events)), (Append(events, (match.at, seen_of((), state.size_wh))),)


def _amend(state: State, event: TakenBack | Corrected) -> Stepped:
    return replace(state, writing=Amending(event)), (Append((event,)),)


def _correct(state: State, action: actions.Correct) -> Stepped:
    match = _on_table(state)
    told = _with_colours(match, action.at, action.answer)
    event = match.corrected(action.at, told)
    if not action.anyway:
        _check_that_nothing_drops(match.dropped_by(event))
    return _amend(state, event)


def _settle(state: State, faces: tuple[int | None, ...]) -> Stepped:
    """Takes the faces that a person gives for unsure dice and for dice that seem to lean; None: there is no
    die, or the die does lean."""
    asked = state.asks_about
    if not asked:
        raise IllegalAnswer("No die is being asked about now.")
    _check_that_nothing_rolls(state)
    if len(faces) != len(asked):
        raise IllegalAnswer(f"{words.dice(len(asked)).capitalize()} asked about; {words.number(len(faces))} came.")
    told = {die: face for die, face in zip(asked, faces, strict=True) if face is not None}
    none = [die for die in asked if die not in told]
    if isinstance(state.deed.ruling, Again):
        _check_that_they_may_show(state, told)
        return rule(replace(state, tray=state.tray.count_as(told).lie_flat(told)))
    return rule(replace(state, tray=state.tray.count_as(told).not_thrown(none)))


def _check_that_they_may_show(state: State, told: dict[int, int]) -> None:
    """Raises IllegalAnswer if a face given for a leaning die is not in its possible faces."""
    for die in state.tray.lying:
        if die.id in told and told[die.id] not in die.possible:
            raise IllegalAnswer(_cannot_show(die, told[die.id]))


def _cannot_show(die: LyingDie, face: int) -> str:
    return f"That die can show {words.listed(sorted(die.possible), 'or')} as it lies, not {face}. If it leans, throw it again alone."


def _tell(state: State, thrown: bool) -> Stepped:
    """Takes a person's answer: whether the doubted dice were thrown."""
    ruling = state.deed.ruling
    if not isinstance(ruling, Doubt):
        raise IllegalAnswer("Nobody asks whether dice were thrown now.")
    _check_that_nothing_rolls(state)
    return rule(replace(state, tray=state.tray.doubts_ended(ruling.doubted, thrown)))


def _fell_off(state: State) -> Stepped:
    """Treats a throw with too few dice as a whole throw, of which some dice fell off the tray."""
    if not state.short:
        raise IllegalAnswer("No throw with too few dice lies on the tray now.")
    _check_that_nothing_rolls(state)
    return rule(replace(state, deed=replace(state.deed, fell_off=True)))


def _confirm(state: State) -> Stepped:
    answer = state.confirms
    if answer is None:
        raise IllegalAnswer("There is nothing to confirm now.")
    return _choose(state, answer)


def _check_that_nothing_rolls(state: State) -> None:
    if state.eyes.rolling:
        raise IllegalAnswer(ROLLING_NOW)


def _on_table(state: State) -> Match:
    if state.match is None:
        raise IllegalAnswer("No game is on. Start one first.")
    return state.match


def _with_colours(match: Match, at: int, answer: Thrown) -> Thrown:
    """The correction; if it gives only faces, it keeps the colours that were seen."""
    was = match.answers[at].answer if 0 <= at < match.at else None
    if not isinstance(was, Throw) or not isinstance(answer, Throw) or len(was.dice) != len(answer.dice):
        return answer
    return Throw(tuple(Die(d.face, d.colour or w.colour) for d, w in zip(answer.dice, was.dice, strict=True)))


def _check_that_nothing_drops(drops: int) -> None:
    """Raises WouldDrop if later answers do not fit the corrected throw; drops: how many."""
    if drops:
        answers, have = ("answer", "has") if drops == 1 else ("answers", "have")
        raise WouldDrop(f"{words.number(drops).capitalize()} later {answers} would no longer fit and {have} to be given again.", drops)
