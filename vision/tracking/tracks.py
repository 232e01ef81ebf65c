"""Tracks: what became of every die between two settled trays. Plain values, no arrays.

A reading says what lies on the tray. Tracks say how it came to lie there: which dice lay all the time, which
slid, which were lifted, and which were seen to come down and tumble. Only the last of these is a throw.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from vision.readings import SeenDie


class TrackOutcome(StrEnum):
    """How a die came to lie in its place, since the tray last settled."""

    UNMOVED = "lay"
    """It lay there already, with the same face up. A hand or an object may have covered it meanwhile."""
    MOVED = "moved"
    """It was on the tray already and kept its face: pushed, knocked, tidied, or shifted in the picture with
    the camera. No throw."""
    THROWN = "thrown"
    """It came down freely and tumbled: from a hand, from outside the picture, or across the tray (then `was`
    gives the place)."""
    PLACED = "laid"
    """A hand put it there: it was lifted, or new, and never moved without the hand. It may show
    its earlier face."""
    TURNED = "turned"
    """It lies where it lay, or near, shows another face, and never moved without the hand."""
    TIPPED = "tipped"
    """It lies where it lay, or near, and shows another face, without a hand. It tipped over, or another die
    knocked it over."""
    UNCLEAR = "unclear"
    """Thrown or only moved: the observations fit both. It shows its earlier face. A person is asked."""
    UNOBSERVED = "found"
    """Its arrival was not observed: the camera had only just started, or the tray was not
    visible for a while."""


class LossReason(StrEnum):
    """How a die left the view."""

    LIFTED = "lifted"
    """Its place is visible and empty."""
    COVERED = "covered"
    """Something lies over its place. The die is expected back."""
    ROLLED_OUT = "rolled out"
    """It left the tray, or the picture, without a hand."""
    UNSEEN = "unseen"
    """It left while the tray was not visible."""


@dataclass(frozen=True)
class Track:
    """A die on a settled tray, and how it came to lie there.

    id: constant as long as the die was tracked; a die that is thrown, laid down or found has a new one. seen:
    the die as it is read now. was: the die as it lay on the settled tray before; None if it was not there.
    lifted: it, or a die that it may be, was seen to be lifted before it came to lie here. aside: it lies in
    the set-aside strip of the tray.
    """

    id: int
    seen: SeenDie
    outcome: TrackOutcome
    was: SeenDie | None = None
    lifted: bool = False
    aside: bool = False


@dataclass(frozen=True)
class LostTrack:
    """A die that lay on the previous settled tray and is not detected on this one. was: the die as it lay.
    last_seen_s: when it was last detected, s; None: not known."""

    id: int
    was: SeenDie
    reason: LossReason
    last_seen_s: float | None = None


@dataclass(frozen=True)
class Tracks:
    """Every die of a settled tray, and what became of those that are no longer detected.

    dice: in the order of the reading's dice, those in the tray only. lost: since the previous settled tray.
    outside: dice detected beside the tray, where its place is known. camera_moved: the whole picture shifted,
    and the dice with it. rolled_off: dice that came with the thrown ones and rolled out of the picture, as
    they were last detected.
    """

    dice: tuple[Track, ...] = ()
    lost: tuple[LostTrack, ...] = ()
    outside: tuple[SeenDie, ...] = ()
    camera_moved: bool = False
    rolled_off: tuple[SeenDie, ...] = ()
