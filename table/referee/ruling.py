"""Ruling: the open dice are judged, and the verdict is shown, asked about, or written."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from table.common.tray import TrayState
from table.referee import fouls
from table.referee.effects import Accepted, Append, Asked, Effect, Ruled
from table.referee.evidence import seen_of
from table.referee.judge import foul_of_hands, judge, matters, throw_of, turned_dice
from table.referee.sights import Sight, as_seen, sights_of
from table.referee.state import Deed, State, Stepped, Throwing
from table.referee.tray import LyingDie, ids
from table.referee.verdicts import Again, Ask, Counts, Doubt, Nothing, Pending, Void
from table.rules import words
from table.rules.answers import Answer
from table.rules.match import Event as MatchEvent
from table.rules.match import Match

FREE_THROWS_KEPT = 50
"""Number of throws made without a game that are shown; they are not logged."""

OVERTAKEN = "Out of turn: the dice were rolling already when somebody tapped, so this throw is void."


def rule(state: State) -> Stepped:
    """The state and the effects after the open dice are judged."""
    if not state.tray.open:  # the die in question is no die
        return show(replace(state, deed=state.deed.undone)), ()
    sight, verdict = judge(state.match, sights_of(state.tray, state.setting))
    if not isinstance(verdict, Doubt):
        state = replace(state, tray=as_seen(state.tray, sight))
    if state.deed.overtaken and not isinstance(verdict, Nothing):
        asked = state.prompt.text if state.prompt else ""
        verdict = Void(TrayState.OUT_OF_TURN, f"{OVERTAKEN} {asked}".rstrip())
    match verdict:
        case Counts(choices):
            return _count(state, sight, choices)
        case Nothing():
            handled = ids(sight.handled)
            tray = state.tray.changed(lambda d: d.closed() if d.id in handled else d)
            return show(replace(state, tray=tray, deed=replace(state.deed, ruling=verdict))), ()
        case _:
            tipped = (*state.deed.tipped, *_knocked(state, sight))
            return ask(replace(state, deed=replace(state.deed, tipped=tipped)), verdict)


def ask(state: State, ruling: Pending) -> Stepped:
    """The state that waits for a person. The snapshot number grows, so that a tap belongs to this ruling."""
    new = ruling != state.deed.ruling
    state = replace(state, number=state.number + new, deed=replace(state.deed, ruling=ruling))
    return show(state), (told(ruling),) if new else ()


def told(ruling: Pending) -> Effect:
    match ruling:
        case Void(_, message, foul):
            return Ruled("foul" if foul else "void", rule_of(ruling), message)
        case Again(_, message, foul=foul):
            return Ruled("foul" if foul else "note", rule_of(ruling), message)
        case Ask() | Doubt():
            return Asked(ruling.message)
        case _:
            return Ruled("note", "", ruling.message)


def rule_of(ruling: Pending) -> str:
    """The number of the shared rule of this ruling; "" for a question, or for trouble with the log."""
    match ruling:
        case Void(rule=number):
            return number
        case Again(foul=foul):
            return foul.rule if foul else "G4"
        case Ask(message) | Doubt(message) if message.startswith(fouls.IN_DOUBT.said()):
            return fouls.IN_DOUBT.rule
        case _:
            return ""


def rule_of_notes(notes: Iterable[Ruled]) -> str:
    """The first rule number among these notes, or ""."""
    return next((note.rule for note in notes if note.rule), "")


def show(state: State, message: str = "", by: str = "") -> State:
    """The state with the message of a pending ruling; otherwise with `message`. by: the rule of `message`."""
    ruling = state.deed.ruling
    if isinstance(ruling, Pending):
        return replace(state, said=ruling.state, message=ruling.message, rule=rule_of(ruling))
    waiting = TrayState.WAITING if state.prompt or state.tray.lying else TrayState.EMPTY
    said = TrayState.ACCEPTED if isinstance(ruling, Counts) else waiting
    trouble = state.trouble if state.playing is None else ""
    return replace(state, said=said, message=trouble or message, rule="" if trouble else by)


def let_lie(state: State) -> State:
    """The state in which no die on the tray waits for a verdict."""
    return replace(state, tray=state.tray.decided(), deed=Deed())


def look_anew(state: State) -> Stepped:
    """The state after the match changed under the dice. A waiting throw is judged anew, because its meaning
    may differ now; other dice are decided."""
    ruling = state.deed.ruling
    if isinstance(ruling, Doubt) and not ruling.thrown:
        state = replace(state, tray=state.tray.doubts_ended(ruling.doubted, thrown=False))
    if isinstance(ruling, Pending) and not isinstance(ruling, Void) and state.tray.open:
        return rule(state)
    return show(let_lie(state)), ()


# -- a throw that counts -------------------------------------------------------------------------------------------------------


def _count(state: State, sight: Sight, choices: tuple[Answer, ...]) -> Stepped:
    notes = _notes(state, sight)
    match = state.match
    if match is None or match.prompt is None:
        return _count_free(state, sight.thrown)
    events = events_of(match, (*choices, throw_of(sight.thrown)))
    seen = (match.at + len(choices), seen_of(sight.thrown, state.size_wh))
    return replace(state, writing=Throwing(events, sight.thrown, notes)), (Append(events, seen, pictured=True),)


def _count_free(state: State, thrown: Sequence[LyingDie]) -> Stepped:
    faces = tuple(d.face for d in thrown)
    free = (*state.free_throws, faces)[-FREE_THROWS_KEPT:]
    state = after_throw(replace(state, free_throws=free), thrown, None)
    accepted = Accepted(None, None, faces, tuple(d.colour for d in throw_of(thrown).dice))
    return show(state, f"Read: {words.listed(faces)}."), (accepted,)


def after_throw(state: State, thrown: Sequence[LyingDie], at: int | None, beside: Sequence[int] = ()) -> State:
    """The state after a throw counts, logged as `at`. beside: faces of the dice that lie aside."""
    tray = state.tray.thrown_counted(beside)
    return replace(state, tray=tray, last=ids(thrown), throw_at=at, deed=Deed(ruling=Counts()))


def events_of(match: Match, answers: Sequence[Answer]) -> tuple[MatchEvent, ...]:
    """The events of these answers, in order; only several answers have to be tried on a fork."""
    if len(answers) == 1:
        return (match.answered(answers[0]),)
    trying, events = match.fork(), list[MatchEvent]()
    for answer in answers:
        events.append(trying.answered(answer))
        trying = trying.after(events[-1])
    return tuple(events)


def _notes(state: State, sight: Sight) -> tuple[Ruled, ...]:
    """The notes about dice that a hand turned, and about dice that the throw knocked over."""
    turned = turned_dice(state.match, sight)
    foul = foul_of_hands(fouls.TURNED, turned) if turned else None
    over = knocked_over((*_knocked(state, sight), *state.deed.tipped))
    return (*([Ruled("foul", foul.rule, foul.message)] if foul else []), *over)


def _knocked(state: State, sight: Sight) -> tuple[int, ...]:
    """Counted faces of dice of the game that the throw knocked over."""
    return tuple(d.face for d in sight.not_thrown if d.told and matters(state.match, state.last, d))


def knocked_over(faces: Iterable[int]) -> tuple[Ruled, ...]:
    """The note about dice that were knocked over, or tipped over by themselves, by counted face. It is no
    foul."""
    over = tuple(faces)
    if not over:
        return ()
    dice, were, it = words.listed(over), "was" if len(over) == 1 else "were", "it" if len(over) == 1 else "them"
    back = "as it lay" if len(over) == 1 else "as they lay"
    return (Ruled("note", "G6", f"The {dice} {were} knocked over: put {it} back {back}."),)
