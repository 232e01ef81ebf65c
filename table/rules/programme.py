"""The programme of a match that is played in several events: which are over, which is on, and who leads them.

The page draws it. The rules do not read it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from table.rules.board import Board


@dataclass(frozen=True)
class Event:
    """One event. id: the box of its result on the sheet. session: the part of the day, such as "Morning".

    best, leaders: the best result so far and who has it; None and empty if nobody has one. Once the event is
    over, they have won it.
    """

    id: str
    title: str
    session: str
    state: Literal["over", "on", "ahead"]
    best: int | None = None
    leaders: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        return {
            "id": self.id, "title": self.title, "session": self.session, "state": self.state,
            "best": self.best, "leaders": list(self.leaders),
        }  # fmt: skip


@dataclass(frozen=True)
class Programme:
    """The events in their order. bar: the picture of an event over a bar while it is on."""

    events: tuple[Event, ...]
    bar: Board | None = None

    def to_json(self) -> dict[str, Any]:
        return {
            "events": [event.to_json() for event in self.events],
            "bar": self.bar.to_json() if self.bar else None,
        }
