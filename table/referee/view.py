"""The view of a state for the page, the lights and the phones."""

from __future__ import annotations

from dataclasses import replace

from table.common.tray import TrayState
from table.referee.snapshot import Snapshot, TrayDie, TrayView
from table.referee.state import State
from table.referee.tray import LyingDie, ids
from table.referee.verdicts import Again, Ask, Doubt
from table.rules.answers import Answer, Chosen


def snapshot_of(state: State) -> Snapshot:
    """The table as it stands; the desk fills in `seq`, `run` and `camera`."""
    match = state.match.view() if state.match else None
    return Snapshot(number=state.number, match=match, tray=_tray(state), can_confirm=_name(state.confirms))


def _tray(state: State) -> TrayView:
    message = _message(state)
    return TrayView(
        state=_tray_state(state),
        message=message,
        rule=state.rule if message == state.message else "",
        size_wh=state.size_wh,
        dice=tuple(_shown(state, d) for d in _in_view(state)),
        throw_at=state.throw_at,
        short=state.short,
        free_throws=state.free_throws,
    )


def _tray_state(state: State) -> TrayState:
    """The state to show; HAND, for a hand that rests over the tray, only if there is nothing else to show."""
    quiet = state.said in (TrayState.WAITING, TrayState.EMPTY)
    return state.eyes.state or (TrayState.HAND if state.eyes.hand_rests and quiet else state.said)


def _message(state: State) -> str:
    """The message to show: camera trouble first; the ruling appears again when the camera sees the tray."""
    said, seen, now = state.message, state.eyes.message, state.eyes.state
    return (seen or said) if now is not None and (now.blind or now is TrayState.WAITING) else said


def _in_view(state: State) -> tuple[LyingDie, ...]:
    """The dice that are seen, and the lifted or covered dice that a person still has to answer for."""
    return (*state.tray.lying, *(d for d in (*state.tray.covered, *state.tray.lifted) if d.id in _asked_or_doubted(state)))


def _asked_or_doubted(state: State) -> tuple[int, ...]:
    ruling = state.deed.ruling
    return ruling.doubted if isinstance(ruling, Doubt) else ruling.asked if isinstance(ruling, Ask) else ()


def _shown(state: State, die: LyingDie) -> TrayDie:
    seen, ruling, asked = replace(die.seen, face=die.face, cocked=die.leans), state.deed.ruling, state.asks_about
    if die.id in asked:
        return TrayDie(seen, "asked", asked.index(die.id))
    if isinstance(ruling, Again) and die.id in ruling.bad:
        return TrayDie(seen, "asked")
    if isinstance(ruling, Doubt) and die.id in ruling.doubted:
        return TrayDie(seen, "doubted", ruling.doubted.index(die.id))
    if isinstance(ruling, Ask | Again | Doubt):
        return TrayDie(seen, "thrown" if die.open or _stands(state, die) else "still")
    if die.id in state.last:
        return TrayDie(seen, "thrown", state.last.index(die.id))
    return TrayDie(seen, "still")


def _stands(state: State, die: LyingDie) -> bool:
    after = state.deed.after
    return after is not None and die.id in after.good and set(after.good) <= set(ids(state.tray.here))


def _name(answer: Answer | None) -> str | None:
    return answer.option if isinstance(answer, Chosen) else "keep" if answer else None
