"""What comes of an event: what is told to the world, and what the shell has to do (table/referee/referee.py).

The JSON of those that are told is what `brehon watch` prints, beside the time.
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
    """A throw counts. at, player: of the match's answer; None for a free throw. colours: in the faces' order, None where not known."""

    at: int | None
    player: str | None
    faces: tuple[int, ...]
    colours: tuple[str | None, ...]

    def to_json(self) -> Json:
        told = {"at": self.at, "player": self.player, "faces": list(self.faces), "colours": list(self.colours)}
        return {"accepted": told}


@dataclass(frozen=True)
class Ruled:
    """A sentence of the referee.

    kind: "foul" of hands; "void", a throw that does not count without anybody's foul; "score", what the game itself says of an answer;
    "note", what was seen and costs nobody anything. rule: of the shared rules, "G4" to "G11", or "".
    """

    kind: Literal["foul", "void", "score", "note"]
    rule: str
    text: str

    def to_json(self) -> Json:
        return {"ruling": {"kind": self.kind, "rule": self.rule, "text": self.text}}


@dataclass(frozen=True)
class Asked:
    """A person is asked; nothing is accepted or lost before they answer, or do what answers it."""

    text: str

    def to_json(self) -> Json:
        return {"asked": self.text}


Told = Accepted | Ruled | Asked
"""Effects that the world is told of."""


@dataclass(frozen=True)
class Append:
    """Have these events written to the match's log, in one commit; Logged or NotLogged follows.

    seen: (at, reading) of a throw, kept beside the last event; None where nothing was thrown. pictured: the picture is kept with it.
    """

    events: tuple[MatchEvent, ...]
    seen: tuple[int, Mapping[str, Any]] | None = None
    pictured: bool = False

    def to_json(self) -> Json:
        seen = {"at": self.seen[0], "reading": dict(self.seen[1])} if self.seen else None
        return {"append": {"events": [list(match_event_to_json(e)) for e in self.events], "seen": seen}}


@dataclass(frozen=True)
class Begin:
    """Have a match begun in the log, in place of the one that is on."""

    game: str
    seats: Sequence[Seat]
    given: Mapping[str, str]

    def to_json(self) -> Json:
        return {"begin": {"game": self.game, "seats": [s.to_json() for s in self.seats], "given": dict(self.given)}}


@dataclass(frozen=True)
class Close:
    """Have the match that is on ended in the log."""

    why: str

    def to_json(self) -> Json:
        return {"close": self.why}


@dataclass(frozen=True)
class Reread:
    """Have the tray read once more."""

    def to_json(self) -> Json:
        return {"reread": {}}


@dataclass(frozen=True)
class Refused:
    """What was asked for was not done, because it could not be written."""

    why: str

    def to_json(self) -> Json:
        return {"refused": self.why}


Write = Append | Begin | Close
"""Effects that Logged or NotLogged follows."""

Effect = Told | Write | Reread | Refused
