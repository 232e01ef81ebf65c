"""Sticks on a settled tray: which of them are a throw, and what becomes of it.

The judge of dice (table/referee/judge.py) compares many readings of one tray. Sticks need less: they are all
thrown together, and nothing is kept from one throw to the next.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from table.common.errors import IllegalAnswer
from table.common.tray import TrayState
from table.referee import fouls
from table.referee.effects import Append, Ruled
from table.referee.events import TrayRead
from table.referee.evidence import sticks_to_json
from table.referee.ruling import announcement_of, events_of, show
from table.referee.state import Activity, State, StepResult, StickWrite
from table.referee.sticks import (
    NO_THROW,
    LyingStick,
    SticksOnTray,
    answer_of,
    doubt_about,
    fell_over,
    judge_sticks,
    without_things,
)
from table.referee.verdicts import (
    AskFaces,
    Doubt,
    NoThrow,
    Pending,
    Unlogged,
    Valid,
    Verdict,
    Void,
    with_foul,
)
from table.rules import words
from table.rules.entered_prompts import StickThrow
from vision.tracking.stick_tracks import StickOutcome, StickTrack

THROWN_BEFORE_TAP = "Out of turn: the sticks were thrown already when somebody tapped, so this throw is void."
FELL_OVER = (
    "A stick of the throw fell over after it was counted: it showed {was}, now {now}."
    " If it had not come to rest, correct the throw."
)
UNSEEN_STICKS = "Nobody saw these sticks thrown, so they do not count. Pick them up and throw them."


def sticks_read(before: State, state: State, event: TrayRead) -> StepResult:
    """The state and the effects after the sticks of a settled tray were read.

    before: the state before the reading. state: after its dice.
    """
    if not state.throws_sticks:
        return state, ()
    again = _thrown_again(state.sticks, event.stick_tracks.sticks)
    no_sticks = state.sticks.no_sticks - again
    tracks = [t for t in event.stick_tracks.sticks if t.id not in no_sticks]
    thrown = [_new_stick(t) for t in tracks if t.outcome is StickOutcome.THROWN or t.id in again]
    unclear = [_new_stick(t) for t in tracks if t.outcome is StickOutcome.UNCLEAR]
    unseen = before.pipeline.activity is Activity.BLIND
    state = replace(state, sticks=_with_tracks(replace(state.sticks, no_sticks=no_sticks), tracks, unseen))
    if thrown or unclear:
        return _came(before, state, thrown, unclear)
    if (text := _fall_of_counted(before.sticks, tracks)) is not None:
        state = _ruled(replace(state, sticks=replace(state.sticks, untouched=False)), NO_THROW)
        return show(state, text), (Ruled("note", "", text),)
    return _nothing_came(before, state, tracks)


def _fall_of_counted(sticks: SticksOnTray, tracks: Collection[StickTrack]) -> str | None:
    """The sentence about a stick of the last throw that fell over with no hand there; None: none did."""
    if not sticks.untouched:
        return None
    counted = {s.id: s for s in sticks.lying if s.id in sticks.counted}
    fallen = ((counted[t.id], t.seen) for t in tracks if t.id in counted and fell_over(counted[t.id], t.seen))
    return next((FELL_OVER.format(was=stick.face, now=seen.face) for stick, seen in fallen), None)


def enter_stick_faces(state: State, faces: tuple[str | None, ...]) -> StepResult:
    """Takes the faces that a person gives for unsure sticks; None: it is no stick."""
    asked, prompt = state.sticks.asked, state.prompt
    if not asked or not isinstance(prompt, StickThrow):
        raise IllegalAnswer("No stick is being asked about now.")
    if len(faces) != len(asked):
        expected, came = words.number(len(asked)).capitalize(), words.number(len(faces))
        raise IllegalAnswer(f"{expected} sticks asked about; {came} came.")
    entered = {stick: face for stick, face in zip(asked, faces, strict=True) if face is not None}
    sticks = state.sticks.with_faces(entered).without([s for s in asked if s not in entered])
    if len(sticks.thrown) > len(prompt.sticks):
        expected, seen = words.number(len(prompt.sticks)).capitalize(), words.number(len(sticks.thrown))
        raise IllegalAnswer(
            f"{expected} {prompt.noun}s are expected, and with these answers {seen} lie there. "
            f"Say what is no {prompt.noun}, or throw only those of the game."
        )
    if len(sticks.thrown) == len(prompt.sticks) and (why := prompt.why_not(answer_of(prompt, sticks.thrown))):
        raise IllegalAnswer(why)
    return judge_throw_of_sticks(replace(state, sticks=sticks))


def resolve_stick_doubt(state: State, thrown: bool) -> StepResult:
    """Takes a person's answer: whether the sticks in question were thrown."""
    surely, unclear = _surely_and_unclear(state.sticks)
    doubt = state.sticks.ruling
    assert isinstance(doubt, Doubt)
    told = [s for s in unclear if s.id in doubt.doubted]
    rest = [s for s in unclear if s not in told]
    if doubt.settles:
        return _judge_with_unclear(state, (*surely, *(told if thrown else rest)), ())
    return _judge_with_unclear(state, (*surely, *told) if thrown else surely, rest)


def ask_about_one_stick(state: State) -> StepResult:
    """Takes a person's answer that only some of the sticks in question were thrown."""
    assert isinstance(state.prompt, StickThrow)
    surely, unclear = _surely_and_unclear(state.sticks)
    return _rule(state, doubt_about(state.prompt, surely, unclear, one=True))


def _surely_and_unclear(sticks: SticksOnTray) -> tuple[tuple[LyingStick, ...], tuple[LyingStick, ...]]:
    """The sticks of the throw in question: those surely thrown, and those that perhaps were."""
    in_question = sticks.ruling.in_question if isinstance(sticks.ruling, Doubt) else ()
    return (
        tuple(s for s in sticks.thrown if s.id not in in_question),
        tuple(s for s in sticks.thrown if s.id in in_question),
    )


def _judge_with_unclear(
    state: State, surely: Sequence[LyingStick], unclear: Sequence[LyingStick]
) -> StepResult:
    """Judges the throw of the sure sticks; if one is missing, the unclear ones are asked about first."""
    prompt = state.prompt
    if isinstance(prompt, StickThrow) and len(surely) >= len(prompt.sticks):
        unclear = ()  # what is left over is a thing beside the throw
    sticks = replace(state.sticks, thrown=(*surely, *unclear))
    state = _ruled(replace(state, sticks=sticks), NO_THROW)
    if unclear and isinstance(prompt, StickThrow):
        return _rule(state, doubt_about(prompt, surely, unclear))
    return judge_throw_of_sticks(state) if surely else (show(state), ())


def judge_throw_of_sticks(state: State) -> StepResult:
    """The state and the effects after the throw in question is judged by the prompt."""
    prompt = state.prompt
    if not isinstance(prompt, StickThrow):
        return show(_ruled(state, NO_THROW)), ()
    thrown = without_things(prompt, state.sticks.thrown)
    state = replace(state, sticks=replace(state.sticks, thrown=thrown))
    verdict = judge_sticks(prompt, thrown, state.sticks.not_thrown)
    return _count(state, prompt) if isinstance(verdict, Valid) else _rule(state, verdict)


def judge_sticks_again(state: State) -> StepResult:
    """The state after the match changed while sticks lay there: a whole throw may still be the answer."""
    if state.sticks.stands:
        return judge_throw_of_sticks(state)
    if isinstance(state.sticks.ruling, NoThrow):
        return state, ()
    return show(_ruled(state, NO_THROW)), ()


def ask_about_sticks(state: State, ruling: Pending) -> StepResult:
    """The state that waits for a person, with a new snapshot number if the ruling is new."""
    new = ruling != state.sticks.ruling
    state = _ruled(replace(state, number=state.number + new), ruling)
    return show(state), (announcement_of(ruling),) if new else ()


# -- what lies there now -------------------------------------------------------------------------------------


def _thrown_again(sticks: SticksOnTray, tracks: Collection[StickTrack]) -> frozenset[int]:
    """The ids of things that lie in another place now, while a stick of the throw is missing: people said
    that they are no sticks because they stood on their edge, and threw them alone."""
    if not isinstance(sticks.ruling, Void):
        return frozenset()
    return sticks.no_sticks & {t.id for t in tracks if t.outcome is StickOutcome.MOVED}


def _with_tracks(sticks: SticksOnTray, tracks: Collection[StickTrack], unseen: bool) -> SticksOnTray:
    """The sticks as they lie now. A stick that was surely not thrown is the one that lay there before.

    unseen: for a while nobody saw them, so a face in question is not taken from this reading.
    """
    known = {s.id: s for s in (*sticks.lying, *sticks.thrown)}
    seen_again = LyingStick.uncovered if isinstance(sticks.ruling, Void) else LyingStick.read_again
    now_is = LyingStick.lying_at if unseen else seen_again
    lay = {t.id for t in tracks if t.id in known and t.outcome is not StickOutcome.UNCLEAR}
    lying = tuple(now_is(known[t.id], t.seen) if t.id in lay else _new_stick(t) for t in tracks)
    now = {s.id: s for s in lying}
    return replace(sticks, lying=lying, thrown=tuple(now.get(s.id, s) for s in sticks.thrown))


def _new_stick(track: StickTrack) -> LyingStick:
    return LyingStick(track.id, track.seen)


def _came(before: State, state: State, thrown: list[LyingStick], unclear: list[LyingStick]) -> StepResult:
    """Sticks came to lie there: surely thrown, or perhaps only moved."""
    prompt = state.prompt
    if isinstance(state.sticks.ruling, Unlogged):
        return judge_throw_of_sticks(state)
    if state.sticks.stands:
        return _thrown_in_doubt(state) if thrown else (state, ())
    if not isinstance(prompt, StickThrow):
        return _rule(state, _not_awaited(state, thrown))
    if before.pipeline.activity.decided_while_rolling:
        return _rule(state, _void(f"{THROWN_BEFORE_TAP} {prompt.text}"))
    surely = (*_of_same_throw(state.sticks), *thrown)
    return _judge_with_unclear(state, surely, unclear)


def _of_same_throw(sticks: SticksOnTray) -> tuple[LyingStick, ...]:
    """The sticks of a throw with too few, if they lie there still: the missing ones are thrown alone."""
    here = {s.id for s in sticks.lying}
    too_few = isinstance(sticks.ruling, Void) and all(s.id in here for s in sticks.thrown)
    return sticks.thrown if too_few else ()


def _not_awaited(state: State, thrown: list[LyingStick]) -> Verdict:
    """The verdict on sticks that came while no throw of sticks was awaited."""
    match, prompt = state.match, state.prompt
    if match is None or prompt is None or len([s for s in thrown if s.seen.sure]) < 2:
        return NO_THROW
    foul = fouls.TOO_MANY if match.thrower == prompt.player else fouls.OUT_OF_TURN
    return _void(foul.text(prompt=prompt.text), foul)


def _void(message: str, foul: fouls.Foul = fouls.OUT_OF_TURN) -> Void:
    return Void(TrayState.OUT_OF_TURN, message, foul, foul.rule)


def _thrown_in_doubt(state: State) -> StepResult:
    """Sticks were thrown again before people said what the first throw shows: the first throw stands."""
    ruling, foul = state.sticks.ruling, fouls.IN_DOUBT
    assert isinstance(ruling, AskFaces)
    state, asked = ask_about_sticks(state, with_foul(ruling, foul))
    return state, (Ruled("foul", foul.rule, foul.text()), *asked)


def _nothing_came(before: State, state: State, tracks: Collection[StickTrack]) -> StepResult:
    """No throw: sticks lie as they lay, were pushed, picked up, or came unseen."""
    ruling = state.sticks.ruling
    if isinstance(ruling, Pending):
        return _still_pending(state, ruling)
    if isinstance(ruling, Valid) and before.pipeline.activity is not Activity.STILL:
        state = show(_ruled(state, NO_THROW))
    found = any(t.outcome is StickOutcome.UNOBSERVED for t in tracks)
    if found and isinstance(state.prompt, StickThrow):
        return show(_ruled(state, NO_THROW), UNSEEN_STICKS), (Ruled("note", "", UNSEEN_STICKS),)
    return state, ()


def _still_pending(state: State, ruling: Pending) -> StepResult:
    """The tray was read again while a person has to do or say something about a throw."""
    here = {s.id for s in state.sticks.lying}
    if state.sticks.stands:
        all_here = isinstance(ruling, Unlogged) or here >= set(state.sticks.asked)
        return judge_throw_of_sticks(state) if all_here else (state, ())
    left = tuple(s for s in state.sticks.thrown if s.id in here)
    if not (here if ruling.state is TrayState.OUT_OF_TURN else left):
        return show(_ruled(state, NO_THROW)), ()  # they were picked up
    if isinstance(ruling, AskFaces):
        return judge_throw_of_sticks(replace(state, sticks=replace(state.sticks, thrown=left)))
    return state, ()


# -- rulings -------------------------------------------------------------------------------------------------


def _rule(state: State, verdict: Verdict) -> StepResult:
    if isinstance(verdict, Pending):
        return ask_about_sticks(state, verdict)
    return show(_ruled(state, verdict)), ()


def _ruled(state: State, verdict: Verdict) -> State:
    return replace(state, sticks=replace(state.sticks, ruling=verdict))


def _count(state: State, prompt: StickThrow) -> StepResult:
    """The throw counts once it is in the log."""
    match, thrown = state.match, state.sticks.thrown
    assert match is not None
    events = events_of(match, (answer_of(prompt, thrown),))
    seen = (match.at, sticks_to_json([s.seen for s in thrown], state.size_wh))
    return replace(state, pending_write=StickWrite(events)), (Append(events, seen, pictured=True),)
