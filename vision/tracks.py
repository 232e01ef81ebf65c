"""Tracks: what became of every die between two settled trays. The result type of following dice; plain values, no arrays.

A reading says what lies on the tray. Tracks say how it came to lie there: which dice lay all the time, which slid, which were lifted,
and which were seen to come down and tumble. Only the last of these is a throw.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from vision.reading import SeenDie


class Fate(StrEnum):
    """How a die came to lie where it lies, since the tray was last settled."""

    LAY = "lay"
    """It lay there already, with the same face up; a hand or a thing may have covered it meanwhile."""
    MOVED = "moved"
    """It was on the tray already and kept its face: pushed, knocked, tidied, or shifted in the picture with the camera. No throw."""
    THROWN = "thrown"
    """It came down freely and tumbled: from a hand, from outside the picture, or across the tray (then `was` tells from where)."""
    LAID = "laid"
    """A hand put it there: it was lifted, or new, and never moved without the hand. It may show the face it showed before."""
    TURNED = "turned"
    """It lies where it lay, or near, shows another face, and never moved without the hand."""
    TIPPED = "tipped"
    """It lies where it lay, or near, and shows another face, with no hand at it: it tipped over, or another die knocked it over."""
    UNCLEAR = "unclear"
    """Thrown, or only moved: what was seen fits both. It shows the face it showed before; a person is asked."""
    FOUND = "found"
    """Nobody saw how it came there: the table has only just begun to look, or could not see for a while."""


class Leaving(StrEnum):
    """How a die went out of sight."""

    LIFTED = "lifted"
    """Its place is seen, and it is not there."""
    COVERED = "covered"
    """Something lies over its place; it is expected back."""
    ROLLED_OUT = "rolled out"
    """It was seen to leave the tray, or the picture, on its own."""
    UNSEEN = "unseen"
    """It left while nobody could see."""


@dataclass(frozen=True)
class Track:
    """A die that lies on a settled tray, and how it came to lie there.

    id: the same as long as the die was followed; a die that is thrown, laid down or found has a new one.
    seen: the die as it is read now. was: the die as it lay on the settled tray before, None for one that was not there.
    lifted: it, or a die that it may be, was seen to be lifted before it came to lie here.
    aside: it lies in the set-aside strip of the tray.
    """

    id: int
    seen: SeenDie
    fate: Fate
    was: SeenDie | None = None
    lifted: bool = False
    aside: bool = False


@dataclass(frozen=True)
class Gone:
    """A die that lay on the settled tray before, and is not seen on this one. was: as it lay."""

    id: int
    was: SeenDie
    how: Leaving


@dataclass(frozen=True)
class Tracks:
    """Every die of a settled tray, and what became of those that are no longer seen.

    dice: in the order of the reading's dice, those in the tray only. gone: since the settled tray before.
    outside: dice seen beside the tray, where it is known where the tray lies.
    camera_moved: the whole picture shifted, and the dice with it.
    """

    dice: tuple[Track, ...] = ()
    gone: tuple[Gone, ...] = ()
    outside: tuple[SeenDie, ...] = ()
    camera_moved: bool = False
