"""What the page needs from the table. The composition root provides it."""

from __future__ import annotations

from typing import Any, Protocol

from table.exports.archive import Archive
from table.referee.actions import Action
from table.referee.snapshot import Snapshot
from table.simulated_hand import SimulatedHand


class DiceColours(Protocol):
    """The household's own dice colours, and how to teach them."""

    def to_json(self) -> dict[str, Any]:
        """{"colours": [{"name", "plays_as", "swatch": "#rrggbb", "samples"}], "telling": whether they are in
        use, "undo": number of changes that can be undone}."""
        ...

    def learnable_to_json(self) -> dict[str, Any]:
        """What can be learned now: {"size", "boxes", "swatches", "colour", "plays_as"}. Reads the tray."""
        ...

    def learn(self, name: str, plays_as: str | None) -> None:
        """Learns the dice in the tray; raises BrehonError."""
        ...

    def forget(self, name: str) -> None:
        """Raises LookupError if no colour has that name."""
        ...

    def undo(self) -> None:
        """Undoes the last change since the table was started; raises IllegalAnswer if there is none."""
        ...


class OwnSticks(Protocol):
    """The household's own sticks, or coins, and how to show them to the table."""

    def to_json(self) -> dict[str, Any]:
        """{"faces": [{"face", "samples": number of them}], "telling": whether they are in use, "undo": number
        of changes that can be undone}."""
        ...

    def learnable_to_json(self) -> dict[str, Any]:
        """The sticks in the tray now: {"size", "sticks"}, as `brehon read` has them. Reads the tray."""
        ...

    def learn(self, face: str) -> None:
        """Learns the side that lies up on the sticks in the tray; raises BrehonError."""
        ...

    def forget(self, face: str) -> None:
        """Raises LookupError if that side was not learned."""
        ...

    def undo(self) -> None:
        """Undoes the last change since the table was started; raises IllegalAnswer if there is none."""
        ...


class Replays(Protocol):
    """Clips of the seconds before each throw and each foul."""

    def clip(self, at: int, foul: bool = False) -> bytes | None:
        """The clip of the throw `at` of the current match, or of the newest foul before it; else None.
        JPEG pictures in sequence, each with its time (vision/motion_jpeg.py)."""
        ...

    def to_json(self) -> dict[str, list[int]]:
        """{"throws": [at, ...], "fouls": [at, ...]} that have clips."""


class TrayPlace(Protocol):
    """The place of the tray in the picture, and how to set it."""

    def to_json(self) -> dict[str, Any]:
        """{"size": of the picture, "place": {"corners", "strip", "size_mm"} or None for the whole picture,
        "by": who set it, "asked": whether it is set, "drift": "none", "followed" or "lost",
        "undo": number of changes that can be undone}."""
        ...

    def suggestion(self) -> dict[str, Any] | None:
        """The likely place: {"corners", "strip", "size_mm", "by": "mat" or "picture"}; None if unsure."""
        ...

    def set(self, data: dict[str, Any]) -> None:
        """Sets {"corners", "strip", "size_mm"}; raises BrehonError."""
        ...

    def use_mat(self) -> None:
        """Sets the place of the mat in the picture; raises BrehonError."""
        ...

    def unset(self) -> None:
        """Makes the whole picture the tray; raises BrehonError."""
        ...

    def undo(self) -> None:
        """Undoes the last change since the table was started; raises IllegalAnswer if there is none."""
        ...


class TableHealth(Protocol):
    """What is well at the table, and what is wrong."""

    def to_json(self) -> dict[str, Any]:
        """{"ok", "findings": [{"name", "ok": None for an optional part that is absent, "says", "figures"}],
        "picture": what was measured in it, or None}. It runs no net."""
        ...


class TableLights(Protocol):
    """The table's lights and buttons, to try them. own: whether the table's own screen asks."""

    def to_json(self, own: bool) -> dict[str, Any]:
        """{"present", "reason", "seats": number of seat lights, "buttons": [{"name", "presses", "held"}],
        "may_try": whether this screen may try the lights now}."""
        ...

    def try_light(self, seat: int | None, own: bool) -> None:
        """Lights one seat's light for two seconds, or the status light (None); raises IllegalAnswer."""
        ...


class TableForPage(Protocol):
    """A running table. Everything may be called from any thread."""

    @property
    def snapshot(self) -> Snapshot:
        """The newest snapshot."""
        ...

    @property
    def hand(self) -> SimulatedHand | None:
        """The hand of a simulated tray; else None."""
        ...

    @property
    def colours(self) -> DiceColours: ...

    @property
    def sticks(self) -> OwnSticks: ...

    @property
    def coins(self) -> OwnSticks: ...

    @property
    def replays(self) -> Replays: ...

    @property
    def place(self) -> TrayPlace: ...

    @property
    def health(self) -> TableHealth: ...

    @property
    def lights(self) -> TableLights: ...

    @property
    def archive(self) -> Archive:
        """The played matches."""
        ...

    @property
    def closed(self) -> bool:
        """Whether the table has stopped; streams then end."""
        ...

    def do(self, action: Action, timeout_s: float = 5.0) -> Snapshot:
        """The snapshot after the action; raises BrehonError."""
        ...

    def wait_after(self, seq: int, timeout_s: float) -> Snapshot:
        """The newest snapshot, once it is newer than `seq` or after the timeout."""
        ...

    @property
    def picture(self) -> int | None:
        """The number of the tray's picture, a new one if the tray looks different; None without a picture."""
        ...

    def tray_jpeg(self) -> bytes | None:
        """The newest picture of the tray."""
        ...
