"""Events that reach the referee: from the vision pipeline, from people, and from the log after a write.

An evening is the list of these, as JSON lines. Replayed (table/referee/replay.py), it gives the same rulings.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from table.common.errors import UnreadableAnswer
from table.common.tray import TrayState
from table.log.events import event_from_json as match_event_from_json
from table.log.events import event_to_json as match_event_to_json
from table.referee.actions import Action
from table.referee.recorded import (
    Json,
    action_from_json,
    action_to_json,
    reading_from_json,
    reading_to_json,
    stick_tracks_from_json,
    stick_tracks_to_json,
    tracks_from_json,
    tracks_to_json,
)
from table.rules.answers import quoted
from table.rules.game import Seat
from table.rules.match import Event as MatchEvent
from vision.readings import Reading
from vision.tracking.stick_tracks import NO_STICK_TRACKS, StickTracks
from vision.tracking.tracks import Tracks


@dataclass(frozen=True)
class ResumedMatch:
    """A match resumed from the log.

    seen: its newest throw as {"at": ..., "reading": ...}, None if no throw was seen.
    """

    game: str
    seats: tuple[Seat, ...]
    raw_settings: Mapping[str, str]
    events: tuple[MatchEvent, ...] = ()
    seen: Mapping[str, Any] | None = None

    def to_json(self) -> Json:
        return {
            "game": self.game,
            "seats": [s.to_json() for s in self.seats],
            "given": dict(self.raw_settings),
            "events": [list(match_event_to_json(e)) for e in self.events],
            "seen": dict(self.seen) if self.seen is not None else None,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> ResumedMatch:
        seats = tuple(map(Seat.from_json, data["seats"]))
        events = tuple(match_event_from_json(kind, body) for kind, body in data["events"])
        return cls(data["game"], seats, data["given"], events, data["seen"])


@dataclass(frozen=True)
class Opened:
    """The table begins.

    number: of the first snapshot. trouble: a sentence shown until a game starts. match: None if there is
    none.
    """

    number: int = 0
    trouble: str = ""
    match: ResumedMatch | None = None

    def to_json(self) -> Json:
        match = self.match.to_json() if self.match else None
        return {"opened": {"number": self.number, "trouble": self.trouble, "match": match}}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Opened:
        match = ResumedMatch.from_json(data["match"]) if data["match"] else None
        return cls(data["number"], data["trouble"], match)


@dataclass(frozen=True)
class TrayChanged:
    """The new state of the tray, or why it cannot be watched. message: a sentence for people, or ""."""

    state: TrayState
    message: str = ""

    def to_json(self) -> Json:
        return {"changed": {"state": self.state.value, "message": self.message}}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> TrayChanged:
        return cls(TrayState(data["state"]), data["message"])


@dataclass(frozen=True)
class TrayPreviewed:
    """The dice as they seem to lie while the tray comes to rest: to be shown, not to be judged."""

    reading: Reading

    def to_json(self) -> Json:
        return {"previewed": reading_to_json(self.reading)}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> TrayPreviewed:
        return cls(reading_from_json(data))


@dataclass(frozen=True)
class TrayRead:
    """The tray came to rest and was read.

    tracks: how each die came to its place. hand_rests: a hand rests over the tray, beside the dice that were
    read. stick_tracks: how each stick came to its place.
    """

    reading: Reading
    tracks: Tracks
    hand_rests: bool = False
    stick_tracks: StickTracks = NO_STICK_TRACKS

    def to_json(self) -> Json:
        fields: Json = {"reading": reading_to_json(self.reading), "tracks": tracks_to_json(self.tracks)}
        if self.stick_tracks.sticks:
            fields["stick_tracks"] = stick_tracks_to_json(self.stick_tracks)
        return {"read": {**fields, "hand_rests": True} if self.hand_rests else fields}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> TrayRead:
        return cls(
            reading_from_json(data["reading"]),
            tracks_from_json(data["tracks"]),
            data.get("hand_rests", False),
            stick_tracks_from_json(data.get("stick_tracks", ())),
        )


@dataclass(frozen=True)
class Acted:
    """A person tapped the page or pressed a button."""

    action: Action

    def to_json(self) -> Json:
        return {"acted": action_to_json(self.action)}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Acted:
        return cls(action_from_json(data))


@dataclass(frozen=True)
class Logged:
    """The last write is in the log."""

    def to_json(self) -> Json:
        return {"logged": {}}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Logged:
        return cls()


@dataclass(frozen=True)
class NotLogged:
    """The last write failed; `why` is a sentence."""

    why: str

    def to_json(self) -> Json:
        return {"not_logged": {"why": self.why}}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> NotLogged:
        return cls(data["why"])


Event = Opened | TrayChanged | TrayPreviewed | TrayRead | Acted | Logged | NotLogged

READERS: Mapping[str, Callable[[Mapping[str, Any]], Event]] = {
    "opened": Opened.from_json,
    "changed": TrayChanged.from_json,
    "previewed": TrayPreviewed.from_json,
    "read": TrayRead.from_json,
    "acted": Acted.from_json,
    "logged": Logged.from_json,
    "not_logged": NotLogged.from_json,
}
"""The function that reads each kind of event from its JSON."""


def event_from_json(data: Any) -> Event:
    """The event of one recorded line; raises UnreadableAnswer with what was expected and what came."""
    if not isinstance(data, Mapping) or len(data) != 1 or not set(data) <= set(READERS):
        raise UnreadableAnswer(
            f"a recorded event is an object with one of {', '.join(READERS)}; got {quoted(data)}"
        )
    ((kind, body),) = data.items()
    try:
        return READERS[kind](body)
    except (LookupError, TypeError, AttributeError, ValueError) as error:
        raise UnreadableAnswer(
            f"the recorded event {quoted(data)} is not whole ({type(error).__name__}: {error})"
        ) from error
