"""Effects of an event: the announced ones, and those that the shell (table/referee/referee.py) carries out.

`brehon watch` prints the JSON of the announced effects, with the time.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from table.log.events import event_to_json as match_event_to_json
from table.rules.game import Seat
from table.rules.match import Event as MatchEvent

Json = dict[str, Any]


@dataclass(frozen=True)
class Accepted:
    """A throw counts.

    at, player: of the match's answer, None for a free throw. faces: of dice. colours: in the order of the
    faces, None if unknown. sticks: what looks up on each stick; empty for a throw of dice.
    """

    at: int | None
    player: str | None
    faces: tuple[int, ...]
    colours: tuple[str | None, ...]
    sticks: tuple[str, ...] = ()

    def to_json(self) -> Json:
        fields: Json = {
            "at": self.at,
            "player": self.player,
            "faces": list(self.faces),
            "colours": list(self.colours),
        }
        return {"accepted": fields | ({"sticks": list(self.sticks)} if self.sticks else {})}


@dataclass(frozen=True)
class Ruled:
    """A sentence of the referee.

    kind: "foul", a foul of hands; "void", a throw that does not count, without a foul; "score", the game's
    own sentence on an answer; "note", an observation without a penalty. rule: number of the shared
    rule, a key of `fouls.RULES`, or "".
    """

    kind: Literal["foul", "void", "score", "note"]
    rule: str
    text: str

    def to_json(self) -> Json:
        return {"ruling": {"kind": self.kind, "rule": self.rule, "text": self.text}}


@dataclass(frozen=True)
class Asked:
    """A question to a person. Nothing is accepted or lost before an answer, or an act that answers it."""

    text: str

    def to_json(self) -> Json:
        return {"asked": self.text}


Announcement = Accepted | Ruled | Asked
"""Effects that are announced."""


@dataclass(frozen=True)
class Append:
    """Write these events to the match's log, in one commit; Logged or NotLogged follows.

    seen: (at, reading) of a throw, stored with the last event; None if nothing was thrown. pictured: the
    picture is stored too.
    """

    events: tuple[MatchEvent, ...]
    seen: tuple[int, Mapping[str, Any]] | None = None
    pictured: bool = False

    def to_json(self) -> Json:
        seen = {"at": self.seen[0], "reading": dict(self.seen[1])} if self.seen else None
        return {"append": {"events": [list(match_event_to_json(e)) for e in self.events], "seen": seen}}


@dataclass(frozen=True)
class Begin:
    """Begin a match in the log; it replaces the current match."""

    game: str
    seats: Sequence[Seat]
    raw_settings: Mapping[str, str]

    def to_json(self) -> Json:
        return {
            "begin": {
                "game": self.game,
                "seats": [s.to_json() for s in self.seats],
                "given": dict(self.raw_settings),
            }
        }


@dataclass(frozen=True)
class Close:
    """End the current match in the log."""

    why: str

    def to_json(self) -> Json:
        return {"close": self.why}


@dataclass(frozen=True)
class Reread:
    """Read the tray once more."""

    def to_json(self) -> Json:
        return {"reread": {}}


@dataclass(frozen=True)
class Refused:
    """A request was not carried out, because it could not be written."""

    why: str

    def to_json(self) -> Json:
        return {"refused": self.why}


LogWrite = Append | Begin | Close
"""Effects that are followed by Logged or NotLogged."""

Effect = Announcement | LogWrite | Reread | Refused
