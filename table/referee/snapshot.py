"""Snapshot: the whole table at one moment, frozen; the page, the lights and the phones show it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from table.common.tray import TrayState
from table.rules import words
from table.rules.answers import Sticks, Throw, answer_to_json
from table.rules.match import Answered, MatchView
from table.rules.prompts import did
from table.rules.sheet import running_totals
from vision.boxes import Box
from vision.readings import SeenDie, SeenStick

NO_FACE = 0
"""The face of a die that the view does not tell."""

STAYS, THROWN_NEXT = "stays", "thrown"
"""What the awaited throw does with a die that lies on the tray."""


@dataclass(frozen=True)
class TrayDie:
    """A die seen on the tray; `seen.face` is the face that it counts as, NO_FACE if that is not told.

    part: "thrown" (in the last throw), "still" (it lay there before), "asked" (a person has to say its face),
    "doubted" (a person has to say whether it was thrown), or "coming" (as it seems to lie; nothing is ruled
    yet). Asked and doubted dice may have been picked up.
    index: its place in the throw `throw_at`, or among the dice in question; None for a "still" die.
    next: STAYS if it was set aside from the awaited throw, THROWN_NEXT if it is picked up for it; "" if
    neither is known.
    void: whether it came in a throw that did not count, so that nobody has set it aside.
    """

    seen: SeenDie
    part: str
    index: int | None = None
    next: str = ""
    void: bool = False


@dataclass(frozen=True)
class Alike:
    """Dice that show one face, of which `stays` stay for the awaited throw and the others are thrown."""

    face: int
    stays: int


def faceless(die: TrayDie) -> TrayDie:
    """The die without a word of what it shows."""
    return replace(die, seen=replace(die.seen, face=NO_FACE, confidence=0.0, likely=()))


@dataclass(frozen=True)
class TrayStick:
    """A stick seen on the tray.

    face: it shows in this game, or is likeliest to show. part, index: as for TrayDie.
    likely: the faces that a person may mean, likeliest first; empty unless it is asked about.
    """

    seen: SeenStick
    face: str
    part: str
    index: int | None = None
    likely: tuple[str, ...] = ()


@dataclass(frozen=True)
class TrayView:
    """The tray as last read.

    size_wh: of the picture that the boxes belong to, px. message: one sentence for people, or "".
    rule: the number of the shared rule of that ruling, or "".
    throw_at: the `at` of the logged throw of the "thrown" dice or sticks, for a correction; None if there is
    none.
    short: True if a throw with too few dice lies there, and "a die fell off" may be tapped.
    free_throws: the throws read while no game is on, newest last.
    hidden: whether dice lie under cups, so that this view tells nothing of them (table/referee/secrecy.py).
    towers: the box of the highest die that was seen in each tower, by number; empty while none is known.
    under_arm: whether a throw with too few dice waits because something rests over the tray, and "nothing is
    under it" may be tapped.
    fall: whether people are asked whether dice fell from towers, and "nothing fell" may be tapped.
    fallen_from: the numbers of the towers from which dice seem to have fallen, while people say which fell.
    placed: the option of the placement that was likely made, while people are asked about it; "" if none is.
    some: whether people may say that only some of the "doubted" dice or sticks were thrown.
    alike: the dice without `next` of which some stay; None if there are none, or they show several faces.
    again: how many dice of a throw are thrown again alone, such as "two dice"; "" if none.
    followed: whether the camera was moved, and the dice were found where they lie now: the game goes on.
    """

    state: TrayState = TrayState.EMPTY
    message: str = ""
    rule: str = ""
    size_wh: tuple[int, int] = (0, 0)
    dice: tuple[TrayDie, ...] = ()
    throw_at: int | None = None
    short: bool = False
    under_arm: bool = False
    fall: bool = False
    fallen_from: tuple[int, ...] = ()
    placed: str = ""
    some: bool = False
    free_throws: tuple[tuple[int, ...], ...] = ()
    sticks: tuple[TrayStick, ...] = ()
    hidden: bool = False
    towers: tuple[Box, ...] = ()
    alike: Alike | None = None
    again: str = ""
    followed: bool = False

    @property
    def blind(self) -> bool:
        """Whether the tray is not watched, and a person has to do something about the camera."""
        return self.state.blind and not self.followed


@dataclass(frozen=True)
class Snapshot:
    """The table at one moment.

    seq: grows with every snapshot; a stream resumes from it.
    run: constant while the table runs; after a restart seq counts from 1 again.
    number: grows with every decision; an action names the number it answers, and is refused if that is past.
    can_confirm: the option that the hold/confirm button takes now, None if it does nothing.
    hidden_since: the number of the prompt since which dice are secret, None if none are. No picture that was
    taken since then may be shown.
    can_type: whether the awaited throw may be typed, because the camera cannot tell it.
    match_id: the log's number of the match, None if there is none.
    """

    seq: int = 0
    run: str = ""
    number: int = 0
    match: MatchView | None = None
    tray: TrayView = field(default_factory=TrayView)
    camera: str = ""
    can_confirm: str | None = None
    hidden_since: int | None = None
    can_type: bool = False
    match_id: int | None = None

    def to_json(self) -> dict[str, Any]:
        """The snapshot as JSON, as /api/snapshot gives it."""
        return {
            "seq": self.seq,
            "run": self.run,
            "number": self.number,
            "camera": self.camera,
            "can_confirm": self.can_confirm,
            "hidden_since": self.hidden_since,
            "can_type": self.can_type,
            "match": {"id": self.match_id, **match_to_json(self.match)} if self.match else None,
            "tray": tray_to_json(self.tray),
        }


def tray_to_json(tray: TrayView) -> dict[str, Any]:
    return {
        "state": tray.state.value,
        "busy": tray.state.busy,
        "blind": tray.blind,
        "message": tray.message,
        "rule": tray.rule,
        "size": list(tray.size_wh),
        "dice": [
            {
                **d.seen.to_json(),
                "part": d.part,
                "index": d.index,
                "next": d.next,
                "likely": [f for f, _ in d.seen.likely],
                **({"void": True} if d.void else {}),
            }
            for d in tray.dice
        ],
        "sticks": [
            {**s.seen.to_json(), "face": s.face, "part": s.part, "index": s.index, "likely": list(s.likely)}
            for s in tray.sticks
        ],
        "throw_at": tray.throw_at,
        "short": tray.short,
        "under_arm": tray.under_arm,
        "fall": tray.fall,
        "fallen_from": list(tray.fallen_from),
        "placed": tray.placed,
        "some": tray.some,
        "free_throws": [list(t) for t in tray.free_throws],
        "hidden": tray.hidden,
        "towers": [list(box) for box in tray.towers],
        "alike": {"face": tray.alike.face, "stays": tray.alike.stays} if tray.alike else None,
        "again": tray.again,
    }


def match_to_json(match: MatchView) -> dict[str, Any]:
    return {
        "game": match.game,
        "title": match.title,
        "players": [s.to_json() for s in match.seats],
        "seat_order": list(match.seat_order),
        "settings": dict(match.settings),
        "at": match.at,
        "recent_at": match.recent_at,
        "phase": match.phase,
        "prompt": match.prompt.shown() if match.prompt else None,
        "scores": dict(match.scores),
        "scores_count": list(match.scores_count) if match.scores_count else None,
        "games_won": dict(match.games_won),
        "unusual": list(match.unusual),
        "odds": [o.to_json() for o in match.prompt.odds] if match.prompt else [],
        "board": match.board.to_json() if match.board else None,
        "lifted": [die.to_json() for die in match.lifted],
        "programme": match.programme.to_json() if match.programme else None,
        "sheet": _sheet_to_json(match),
        "row_notes": [note.to_json() for note in match.row_notes],
        "rulings": [
            {"at": r.at, "text": r.text, **{flag: True for flag in ("remark", "task") if getattr(r, flag)}}
            for r in match.rulings
        ],
        "so_far": match.so_far,
        "winners": list(match.outcome.winners) if match.outcome else [],
        "prizes": dict(match.outcome.prizes) if match.outcome else {},
        "outcome": match.outcome.reason if match.outcome else None,
        "next_first": match.outcome.next_first if match.outcome else None,
        "rematch": _who_begins_rematch(match),
        "carried": match.outcome.carried if match.outcome else 0,
        "broken": match.broken,
        "throws": [_throw_to_json(t) for t in match.throws],
        "can_take_back": match.can_take_back,
        "accounted": match.outcome is not None and bool(match.played),
    }


def _who_begins_rematch(match: MatchView) -> str:
    """Who begins the next match of these players, and why.

    "" while the match is on, if a throw decides, and for one player.
    """
    if not match.outcome or len(match.seats) < 2:
        return ""
    if match.outcome.next_first:
        return f"{match.outcome.next_first} begins: {match.outcome.why_first}."
    start = match.settings.get("start")
    return f"{start} begins, as it is set." if start in [seat.name for seat in match.seats] else ""


def _sheet_to_json(match: MatchView) -> list[dict[str, Any]]:
    """The lines of the sheet; "typed" is there only if a throw that a line counts was typed.

    "sum" is the player's total after the line, where table.rules.sheet.running_totals has one.
    """
    typed = lines_with_typed_throws(match)
    return [
        {"player": line.player, **line.to_json()}
        | ({} if total is None else {"sum": total})
        | ({"typed": True} if i in typed else {})
        for i, (line, total) in enumerate(zip(match.sheet, running_totals(match.sheet), strict=True))
    ]


def lines_with_typed_throws(match: MatchView) -> frozenset[int]:
    """The places on the sheet of the lines that count a typed throw.

    It is one of their turn, made since the lines before, by the player of the line. If that player has no
    line there, all lines count it: players reveal the dice of others. A turn without a line has no mark.
    """
    typed = [(throw.at, throw.prompt["player"]) for throw in match.throws if throw.typed]
    found = set[int]()
    for at in sorted({line.at for line in match.sheet}):
        lines = [i for i, line in enumerate(match.sheet) if line.at == at]
        since = min(match.sheet[i].since for i in lines)
        throwers = {player for thrown_at, player in typed if since <= thrown_at < at}
        own = [i for i in lines if match.sheet[i].player in throwers]
        found |= set(own or lines if throwers else [])
    return frozenset(found)


def _throw_to_json(throw: Answered) -> dict[str, Any]:
    """A throw with its `at`; sticks also have the faces "of" each stick, which a correction offers.

    "did" is what the player did, such as "threw", and "text" says it with the faces. "typed" is there only
    if a person typed it.
    """
    fields = {"at": throw.at, "player": throw.prompt["player"], "did": _did(throw), "text": throw_text(throw)}
    fields |= answer_to_json(throw.answer)
    fields |= {"typed": True} if throw.typed else {}
    return fields | ({"of": throw.prompt["sticks"]} if "sticks" in throw.prompt else {})


def throw_text(throw: Answered) -> str:
    """'Ann threw 3 and 4.', or what else she did with the dice or sticks; ', typed' if a person typed it."""
    answer = throw.answer
    faces = answer.faces if isinstance(answer, Throw | Sticks) else ()
    typed = ", typed" if throw.typed else ""
    return f"{throw.prompt['player']} {_did(throw)} {words.listed(faces)}{typed}."


def _did(throw: Answered) -> str:
    return did(throw.prompt.get("for", ""))
