"""What the page needs of the table; the composition root provides it."""

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
        """It has done all it was told to, and every die lies still."""
        ...

    def lay(self) -> Sequence[Lain]: ...

    def throw(self, colours: Sequence[str], leaving: Sequence[int] = ()) -> None: ...


class Colours(Protocol):
    """The household's own dice colours, and the teaching of them."""

    def listed(self) -> dict[str, Any]:
        """{"colours": [{"name", "plays_as", "swatch": "#rrggbb", "samples"}], "telling": whether dice are told apart by them}."""
        ...

    def lying(self) -> dict[str, Any]:
        """What could be learned now: {"size", "boxes", "swatches", "colour", "plays_as"}; reads the tray anew."""
        ...

    def learn(self, name: str, plays_as: str | None) -> None:
        """Learns what lies in the tray; raises BrehonError."""
        ...

    def forget(self, name: str) -> None:
        """Raises LookupError where there is none of that name."""
        ...


class Replays(Protocol):
    """The seconds before each throw and each foul."""

    def clip(self, at: int, foul: bool = False) -> bytes | None:
        """Of the throw `at` of the match that is on, or of the newest foul before it: JPEG pictures in a row, each with its time
        (vision/motion_jpeg.py); None where there is none."""
        ...

    def listed(self) -> dict[str, list[int]]:
        """{"throws": [at, ...], "fouls": [at, ...]}: what there are clips of."""


class TrayPlace(Protocol):
    """Where the tray lies in the picture, and the setting of it."""

    def told(self) -> dict[str, Any]:
        """{"size": of the picture, "place": {"corners", "strip", "size_mm"} or None for the whole picture, "by": who set it,
        "asked": whether anybody ever did, "drift": "none", "followed" or "lost"}."""
        ...

    def found(self) -> dict[str, Any] | None:
        """Where the tray seems to be: {"corners", "strip", "size_mm", "by": "mat" or "picture"}; None where nothing is sure enough."""
        ...

    def set(self, data: dict[str, Any]) -> None:
        """Sets {"corners", "strip", "size_mm"}; raises BrehonError."""
        ...

    def use_mat(self) -> None:
        """Sets the mat that lies there; raises BrehonError."""
        ...

    def unset(self) -> None:
        """The whole picture is the tray; raises BrehonError."""
        ...


class TableForPage(Protocol):
    """A running table. Everything may be called from any thread."""

    @property
    def snapshot(self) -> Snapshot:
        """The newest."""
        ...

    @property
    def hand(self) -> Hand | None:
        """Only where the tray is simulated."""
        ...

    @property
    def colours(self) -> Colours: ...

    @property
    def replays(self) -> Replays: ...

    @property
    def place(self) -> TrayPlace: ...

    @property
    def closed(self) -> bool:
        """The table has stopped; streams end."""
        ...

    def do(self, action: Action, timeout_s: float = 5.0) -> Snapshot:
        """The snapshot after the action; raises BrehonError."""
        ...

    def wait_after(self, seq: int, timeout_s: float) -> Snapshot:
        """The newest snapshot, once it is newer than `seq` or the time is up."""
        ...

    def tray_jpeg(self) -> bytes | None:
        """The newest picture of the tray."""
        ...

    def throw_jpeg(self, at: int) -> bytes | None:
        """The picture behind a throw of the match that is on."""
        ...

    def throw_seen(self, at: int) -> Mapping[str, Any] | None:
        """What was read in that picture: {"size": [w, h], "dice": [...]}."""
        ...
