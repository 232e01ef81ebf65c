"""Tells printed figures, which look like dice only while something moves, and lamps that blink, from dice."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from vision.readings import SeenDie
from vision.tracking.likeness import sides_apart
from vision.tracking.tracklets import SAME_SPOT_SIDES, Tracklet, first_at_rest, path_sides

PRINTED_S = 0.5
"""A detection that is never sure and stays for this time, but not until the tray is at rest, is no die."""

MIN_FLASHES = 2
"""A die that is detected, missing and detected again this often, where it always lies, is a lamp."""


def may_be_printed(tracklet: Tracklet) -> bool:
    """Whether a new detection was never surely a die, and never moved, but for what seemed to be under a
    hand."""
    return tracklet.track is None and _stays_unsure(tracklet)


def seems_printed(tracklet: Tracklet, at_s: float) -> bool:
    """Whether a detection that is missing on the tray at rest was never surely a die, stayed in its place,
    and was seen a moment before this time, s."""
    first, last = first_at_rest(tracklet), tracklet.last
    stayed = last.at_s - first.at_s >= PRINTED_S and _stays_unsure(tracklet)
    return stayed and not tracklet.covered and at_s - last.at_s < PRINTED_S


def blinks(tracklet: Tracklet, others: Sequence[Tracklet]) -> bool:
    """Whether a detection that was never surely a die came to the same place and went twice, with no hand
    over it: a lamp that blinks."""
    if not _came_and_went(tracklet):
        return False
    return any(
        other is not tracklet
        and sides_apart(other.last.seen, tracklet.last.seen) <= SAME_SPOT_SIDES
        and _came_and_went(other)
        for other in others
    )


def flashes(tracklet: Tracklet, others: Sequence[Tracklet]) -> bool:
    """Whether a new detection came to the same place and went MIN_FLASHES times, with no hand over it, and
    never moved: a lamp that blinks, although it was read as a die meanwhile.

    others: tracklets that ended.
    """
    if not _stays_untouched(tracklet):
        return False
    same = [
        other
        for other in others
        if sides_apart(other.last.seen, tracklet.last.seen) <= SAME_SPOT_SIDES and _stays_untouched(other)
    ]
    return tracklet.times_gone + sum(other.times_gone + 1 for other in same) >= MIN_FLASHES


def _stays_untouched(tracklet: Tracklet) -> bool:
    return tracklet.track is None and not tracklet.ever_touched and path_sides(tracklet) == 0


def _came_and_went(tracklet: Tracklet) -> bool:
    seen_twice = len(tracklet.observations) > 1
    return seen_twice and tracklet.missing and not tracklet.ever_touched and may_be_printed(tracklet)


def lay_unsure_at_start(tracklet: Tracklet) -> bool:
    """Whether a detection was there when the tray was first observed, and stayed in its place for PRINTED_S
    without ever being surely a die: a printed figure, or a lamp."""
    stayed = tracklet.last.at_s - tracklet.observations[0].at_s >= PRINTED_S
    return tracklet.unseen and stayed and may_be_printed(tracklet)


def shows_printed(tracklet: Tracklet, figure: SeenDie) -> bool:
    """Whether an unsure detection shows a printed figure that was detected before."""
    unmoved = not tracklet.last.seen.sure and _is_still(tracklet)
    return unmoved and sides_apart(tracklet.last.seen, figure) <= SAME_SPOT_SIDES


def _stays_unsure(tracklet: Tracklet) -> bool:
    return not any(o.seen.sure for o in tracklet.observations) and _is_still(tracklet)


def _is_still(tracklet: Tracklet) -> bool:
    """Whether it never moved, but for what seemed to be under a hand."""
    came = tracklet.observations.index(first_at_rest(tracklet))
    still = replace(tracklet, observations=tracklet.observations[came:])
    return path_sides(still) == 0 and all(o.touched for o in tracklet.observations[:came])
