"""The view of a state for the page, the lights and the phones."""

from __future__ import annotations

from dataclasses import replace

from table.common.tray import TrayState
from table.referee import fouls
from table.referee.awaited_dice import alike, with_awaited
from table.referee.interpretations import standing_dice
from table.referee.secrecy import hidden_since, without_secrets
from table.referee.snapshot import Snapshot, TrayDie, TrayStick, TrayView, faceless
from table.referee.state import State
from table.referee.sticks import LyingStick, face_of, likely_faces
from table.referee.tray import LyingDie
from table.referee.typed_throws import may_type
from table.referee.verdicts import AskFaces, Doubt, Pending, Rethrow, UnderArm, Void
from table.rules import words
from table.rules.answers import Answer, Chosen
from table.rules.entered_prompts import Pick, StickThrow
from table.rules.prompts import Roll
from vision.readings import Reading


def snapshot_of(state: State) -> Snapshot:
    """The table as it stands; the desk fills in `seq`, `run` and `camera`."""
    state = _with_notice_of_towers(state)
    match = state.match.view() if state.match else None
    if match is not None:
        match = replace(match, prompt=state.towers.prompt_shown(match.prompt))
    since, tray = hidden_since(state), _tray(state)
    return Snapshot(
        number=state.number,
        match=match,
        tray=tray if since is None else without_secrets(tray, state),
        can_confirm=_option_id(state.confirm_answer),
        hidden_since=since,
        can_type=may_type(state),
    )


def _with_notice_of_towers(state: State) -> State:
    """The state with the question or the foul about towers, if no throw waits for an answer."""
    towers = state.match.towers if state.match else ()
    notice = None if isinstance(state.attempt.ruling, Pending) else state.towers.notice(state.prompt, towers)
    return replace(state, tray_state=notice[0], message=notice[1], rule="") if notice else state


def _tray(state: State) -> TrayView:
    message, preview = _message(state), state.pipeline.preview
    dice = _lying(state) if preview is None else _coming(preview)
    return TrayView(
        state=_tray_state(state),
        message=message,
        rule=state.rule if message == state.message else "",
        size_wh=preview.size_wh if preview else state.size_wh,
        dice=with_awaited(state.prompt, dice) if _as_they_should(state) else dice,
        throw_at=None if state.thrown_unseen else state.throw_at,
        short=state.short,
        under_arm=isinstance(state.ruling, UnderArm),
        fall=not isinstance(state.attempt.ruling, Pending) and state.towers.asks_about_fall(state.prompt),
        fallen_from=state.towers.fall.towers if state.towers.fall and isinstance(state.prompt, Pick) else (),
        placed=_placed(state),
        some=isinstance(state.ruling, Doubt) and state.ruling.some,
        free_throws=state.free_throws,
        sticks=tuple(_tray_stick(state, s) for s in _sticks_in_view(state)),
        towers=state.towers.boxes if state.match and state.match.towers else (),
        alike=alike(state.prompt, dice) if _as_they_should(state) else None,
        again=_thrown_again(state),
        followed=_is_followed(state),
    )


def _placed(state: State) -> str:
    """The option of the placement that people are asked about, the likeliest one; "" if none is."""
    asked = [] if isinstance(state.attempt.ruling, Pending) else state.towers.asked_placements(state.prompt)
    return asked[0].id if asked else ""


def _thrown_again(state: State) -> str:
    """How many dice are thrown again alone, in words; "" if none, or if they are only laid flat or shown."""
    ruling, prompt = state.attempt.ruling, state.prompt
    if isinstance(ruling, Void) and ruling.foul is fouls.STANDING:
        ruling = state.attempt.after or ruling  # the same dice are asked for again
    placed = isinstance(prompt, Roll) and prompt.placed
    return words.dice(ruling.missing) if isinstance(ruling, Rethrow) and ruling.missing and not placed else ""


def _as_they_should(state: State) -> bool:
    """Whether the dice are known, and lie as they should. After a foul they do not."""
    lie_there = state.tray_state in (TrayState.WAITING, TrayState.ACCEPTED) or _is_followed(state)
    return state.pipeline.preview is None and lie_there


def _is_followed(state: State) -> bool:
    """Whether the referee says that the camera was moved, and the pipeline does not say that it lost the
    tray."""
    return state.tray_state is TrayState.MOVED and state.pipeline.state is None


def _tray_state(state: State) -> TrayState:
    """The state to show; HAND, for a hand that rests over the tray, only if there is nothing else to show."""
    nothing_to_show = state.tray_state in (TrayState.WAITING, TrayState.EMPTY)
    return state.pipeline.state or (
        TrayState.HAND if state.pipeline.hand_rests and nothing_to_show else state.tray_state
    )


def _message(state: State) -> str:
    """The message to show: camera trouble first; the ruling appears again when the camera sees the tray."""
    ruling_text, camera_text, now = state.message, state.pipeline.message, state.pipeline.state
    return (
        (camera_text or ruling_text)
        if now is not None and (now.blind or now is TrayState.WAITING)
        else ruling_text
    )


def _in_view(state: State) -> tuple[LyingDie, ...]:
    """The dice that are seen, and the lifted or covered dice that a person still has to answer for."""
    return (
        *state.tray.lying,
        *(d for d in (*state.tray.covered, *state.tray.lifted) if d.id in _asked_or_doubted(state)),
    )


def _lying(state: State) -> tuple[TrayDie, ...]:
    """The dice as the referee knows them."""
    return tuple(_tray_die(state, d) for d in _in_view(state))


def _coming(preview: Reading) -> tuple[TrayDie, ...]:
    """The dice as they lie now. Of one that leans or is not read surely, nobody knows what it will show."""
    dice = (TrayDie(seen, "coming") for seen in preview.dice)
    return tuple(d if d.seen.sure and not d.seen.cocked else faceless(d) for d in dice)


def _asked_or_doubted(state: State) -> tuple[int, ...]:
    ruling = state.attempt.ruling
    return (
        ruling.doubted if isinstance(ruling, Doubt) else ruling.asked if isinstance(ruling, AskFaces) else ()
    )


def _tray_die(state: State, die: LyingDie) -> TrayDie:
    seen = replace(die.seen, face=die.face, cocked=die.leans)
    ruling = state.attempt.ruling
    asked = state.asked_dice
    if die.id in asked:
        return TrayDie(seen, "asked", asked.index(die.id))
    if isinstance(ruling, Rethrow) and die.id in ruling.bad:
        return TrayDie(seen, "asked")
    if isinstance(ruling, Doubt) and die.id in ruling.doubted:
        return TrayDie(seen, "doubted", ruling.doubted.index(die.id))
    if isinstance(ruling, AskFaces | Rethrow | Doubt | UnderArm):
        return TrayDie(seen, "thrown" if die.open or _belongs_to_throw(state, die) else "still")
    if die.id in state.last_throw_ids and not state.thrown_unseen:
        return TrayDie(seen, "thrown", state.last_throw_ids.index(die.id))
    return TrayDie(seen, "still", void=die.void)


def _belongs_to_throw(state: State, die: LyingDie) -> bool:
    return die in standing_dice(state.tray.all_dice, state.attempt.after, state.tray_context.placed)


def _sticks_in_view(state: State) -> tuple[LyingStick, ...]:
    """The sticks that are seen, and those in question that were picked up."""
    sticks = state.sticks
    here = {s.id for s in sticks.lying}
    return (*sticks.lying, *(s for s in sticks.thrown if s.id in sticks.asked and s.id not in here))


def _tray_stick(state: State, stick: LyingStick) -> TrayStick:
    sticks, prompt = state.sticks, state.prompt
    face = stick.face or stick.seen.face
    if isinstance(prompt, StickThrow):
        likely = tuple(f for f, _ in likely_faces(prompt, stick.seen))
        face = face_of(prompt, stick) or next(iter(likely), face)
        if stick.id in sticks.asked:
            return TrayStick(stick.seen, face, "asked", sticks.asked.index(stick.id), likely)
    if isinstance(sticks.ruling, Doubt) and stick.id in sticks.ruling.doubted:
        return TrayStick(stick.seen, face, "doubted", sticks.ruling.doubted.index(stick.id))
    if stick.id in (s.id for s in sticks.thrown):
        return TrayStick(stick.seen, face, "thrown")
    if stick.id in sticks.counted:
        return TrayStick(stick.seen, face, "thrown", sticks.counted.index(stick.id))
    return TrayStick(stick.seen, face, "still")


def _option_id(answer: Answer | None) -> str | None:
    return answer.option if isinstance(answer, Chosen) else "keep" if answer else None
