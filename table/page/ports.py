"""What the page needs from the table. The composition root provides it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from table.hand import ClumsyHand, Lain
from table.referee.actions import Action
from table.referee.snapshot import Snapshot


class Hand(ClumsyHand, Protocol):
    """The hand of a simulated tray."""

    @property
    def resting(self) -> bool:
        """Whether all its actions are done and every die lies still."""
        ...

    def lay(self) -> Sequence[Lain]: ...

    def throw(self, colours: Sequence[str], leaving: Sequence[int] = ()) -> None: ...


class Colours(Protocol):
    """The household's own dice colours, and how to teach them."""

    def listed(self) -> dict[str, Any]:
        """{"colours": [{"name", "plays_as", "swatch": "#rrggbb", "samples"}], "telling": whether they are in
        use}."""
        ...

    def lying(self) -> dict[str, Any]:
        """What can be learned now: {"size", "boxes", "swatches", "colour", "plays_as"}. Reads the tray."""
        ...

    def learn(self, name: str, plays_as: str | None) -> None:
        """Learns the dice in the tray; raises BrehonError."""
        ...

    def forget(self, name: str) -> None:
        """Raises LookupError if no colour has that name."""
        ...


class Replays(Protocol):
    """Clips of the seconds before each throw and each foul."""

    def clip(self, at: int, foul: bool = False) -> bytes | None:
        """The clip of the throw `at` of the current match, or of the newest foul before it; else None.
        JPEG pictures in sequence, each with its time (vision/motion_jpeg.py)."""
        ...

    def listed(self) -> dict[str, list[int]]:
        """{"throws": [at, ...], "fouls": [at, ...]} that have clips."""


class TrayPlace(Protocol):
    """The place of the tray in the picture, and how to set it."""

    def told(self) -> dict[str, Any]:
        """{"size": of the picture, "place": {"corners", "strip", "size_mm"} or None for the whole picture,
        "by": who set it, "asked": whether it is set, "drift": "none", "followed" or "lost"}."""
        ...

    def found(self) -> dict[str, Any] | None:
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


class TableForPage(Protocol):
    """A running table. Everything may be called from any thread."""

    @property
    def snapshot(self) -> Snapshot:
        """The newest snapshot."""
        ...

    @property
    def hand(self) -> Hand | None:
        """The hand of a simulated tray; else None."""
        ...

    @property
    def colours(self) -> Colours: ...

    @property
    def replays(self) -> Replays: ...

    @property
    def place(self) -> TrayPlace: ...

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

    def tray_jpeg(self) -> bytes | None:
        """The newest picture of the tray."""
        ...

    def throw_jpeg(self, at: int) -> bytes | None:
        """The picture behind a throw of the current match."""
        ...

    def throw_seen(self, at: int) -> Mapping[str, Any] | None:
        """The reading of that picture: {"size": [w, h], "dice": [...]}."""
        ...
