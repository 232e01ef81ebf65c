"""What the referee makes of what the eyes say, told by its snapshots before and after."""

from __future__ import annotations

from typing import Any

from table.referee.referee import Referee
from table.referee.snapshot import BLIND, Snapshot, TrayState
from table.rules import words
from table.rules.answers import Throw
from table.rules.match import new_rulings
from vision.events import AtRest, Blind, Ended, Found, Hand, Lost, Moving, ReadFailed, Settled, Settling, Sighted, TrayEvent

FOULS = (TrayState.WRONG_DICE, TrayState.OUT_OF_TURN, TrayState.COCKED, TrayState.STACKED, TrayState.OFF_THE_TRAY)

STATES = {Moving: TrayState.ROLLING, Hand: TrayState.HAND, Settling: TrayState.SETTLING, AtRest: TrayState.READING}


def eyes_say(referee: Referee, event: TrayEvent) -> list[dict[str, Any]]:
    """Tells the referee; what came of it, as `brehon watch` prints it."""
    before = referee.snapshot()
    match event:
        case Settled(reading=reading):
            referee.see_reading(reading)
        case Moving() | Settling() | AtRest() | Hand():
            referee.see_state(STATES[type(event)])
        case Blind(trouble=trouble):
            referee.see_state(TrayState[trouble.name])
        case Sighted() | ReadFailed():
            referee.see_state(TrayState.WAITING)
        case Lost(error):
            referee.see_state(TrayState.NO_CAMERA, words.sentence(f"{error}"))
        case Found() | Ended():
            pass
    return _came(before, referee.snapshot())


def _came(before: Snapshot, now: Snapshot) -> list[dict[str, Any]]:
    told = [*_accepted(before, now)]
    if now.match is not None:
        rulings = new_rulings(now.match.rulings, before.match.rulings if before.match else ())
        told += [{"ruling": {"kind": "score", "rule": "", "text": r.text}} for r in rulings]
    if now.tray.message and now.tray.message != before.tray.message and now.tray.state not in BLIND:
        if now.tray.state == TrayState.UNSURE:
            told.append({"asked": now.tray.message})
        elif now.tray.state in FOULS:
            told.append({"ruling": {"kind": "foul", "rule": "", "text": now.tray.message}})
    return told


def _accepted(before: Snapshot, now: Snapshot) -> list[dict[str, Any]]:
    if now.match is None or before.match is None:
        new = now.tray.free_throws[len(before.tray.free_throws) :]
        colours = [d.seen.colour for d in now.tray.dice if d.part == "thrown"]
        return [{"accepted": {"at": None, "player": None, "faces": list(t), "colours": colours}} for t in new]
    return [
        {"accepted": {"at": t.at, "player": t.prompt["player"], "faces": list(t.answer.faces), "colours": _colours(t.answer)}}
        for t in now.match.throws[len(before.match.throws) :]
        if isinstance(t.answer, Throw)
    ]


def _colours(throw: Throw) -> list[str | None]:
    return [die.colour for die in throw.dice]
