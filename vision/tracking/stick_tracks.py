"""Stick tracks: what became of every stick between two settled trays. Plain values, no arrays."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from vision.readings import SeenStick


class StickOutcome(StrEnum):
    """How a stick came to lie in its place, since the tray last settled."""

    UNMOVED = "lay"
    """It lay there already, or was hidden there. It may be read with another face now."""
    MOVED = "moved"
    """It was on the tray already: pushed, turned, or shifted together with the others. No throw."""
    THROWN = "thrown"
    """It came with a throw: the sticks had left the tray, or their places, and came back to others."""
    UNCLEAR = "unclear"
    """Thrown or only moved: the observations fit both. A person is asked."""
    UNOBSERVED = "found"
    """Its arrival was not observed: the camera had only just started, or the tray was not visible."""


@dataclass(frozen=True)
class StickTrack:
    """A stick on a settled tray, and how it came to lie there.

    id: constant until it is thrown; a stick that is thrown or found has a new one.
    """

    id: int
    seen: SeenStick
    outcome: StickOutcome


@dataclass(frozen=True)
class StickTracks:
    """Every stick of a settled tray, in the order of the reading's sticks."""

    sticks: tuple[StickTrack, ...] = ()


NO_STICK_TRACKS = StickTracks()
"""No stick lies on the tray, or sticks are not watched."""
