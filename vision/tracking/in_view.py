"""Tells which dice were seen to arrive, and which were seen to vanish or to leave the picture."""

from __future__ import annotations

from collections.abc import Sequence

from vision.readings import SeenDie
from vision.tracking.likeness import MAX_SIZE_CHANGE, sides_apart
from vision.tracking.together import MAX_HIT_SIDES
from vision.tracking.tracklets import (
    IN_HAND_S,
    MAX_LINK_S,
    MAX_LINK_SIDES,
    MIN_FREE_PATH,
    MIN_STEP_SIDES,
    MIN_THROWN_PATH,
    Tracklet,
    free_sides,
    may_go_on_as,
    step_sides,
)
from vision.tracking.tumbling import tumbled_freely

ONE_THROW_S = 1.0
"""Dice of one throw come into sight within this time."""


def thrown_in_view(tracklets: Sequence[Tracklet]) -> bool:
    """Whether all of these dice were seen coming freely, or as one of the others rolled off them, and at
    least one of them tumbling: they were thrown, wherever they lay before."""
    arriving = [c for c in tracklets if _seen_arriving(c)]
    others = [c for c in tracklets if c not in arriving]
    came = all(any(_came_out_from_under(c, other) for other in arriving) for c in others)
    return came and any(tumbled_freely(c) for c in arriving)


def _came_out_from_under(tracklet: Tracklet, other: Tracklet) -> bool:
    """Whether a die that no hand was at came into sight when the other had just rolled over its place. One of
    which it is not known whether it lay there came into sight in motion, and after the other."""
    first = tracklet.observations[0]
    recent = (o for o in other.observations if 0 <= first.at_s - o.at_s <= MAX_LINK_S)
    over = any(sides_apart(o.seen, first.seen) <= MAX_HIT_SIDES for o in recent)
    no_hand = tracklet.hand_since_s is None and not tracklet.ever_touched
    came_later = first.at_s > other.observations[0].at_s and not _lay_at_first(tracklet)
    return over and no_hand and (came_later or not tracklet.unseen)


def vanished_in_view(tracklet: Tracklet) -> bool:
    """Whether a new die that came tumbling freely was nearly at rest when it was last detected, with no hand
    at it: it leans on another die, and shows two faces."""
    gone = tracklet.missing and not tracklet.covered and not tracklet.last.touched
    return gone and tracklet.track is None and not tracklet.is_moving and tumbled_freely(tracklet)


def left_picture(
    ended: Sequence[Tracklet],
    current: Sequence[Tracklet],
    thrown: Sequence[Tracklet],
    size_wh: tuple[int, int],
) -> tuple[SeenDie, ...]:
    """The new dice that came with the thrown ones and rolled out of the picture, as they were last detected.
    ended: tracklets that are detected no more; current: the others. size_wh: of the picture, px."""
    return tuple(
        c.last.seen
        for c in ended
        if c.track is None
        and c.rolled_out
        and free_sides(c) >= MIN_FREE_PATH
        and _leaves_picture(c, size_wh)
        and any(_is_of_one_throw(c, other) for other in thrown)
        and not any(_goes_on(c, later) for later in (*current, *ended))
    )


def _leaves_picture(tracklet: Tracklet, size_wh: tuple[int, int]) -> bool:
    """Whether it is out of the picture if it goes on as it went."""
    x, y = tracklet.expected_at(tracklet.last.at_s + IN_HAND_S)
    return not (0 <= x < size_wh[0] and 0 <= y < size_wh[1])


def _is_of_one_throw(tracklet: Tracklet, thrown: Tracklet) -> bool:
    """Whether it came at about the same time, and is about as large."""
    apart_s = abs(tracklet.observations[0].at_s - thrown.observations[0].at_s)
    change = tracklet.last.seen.side / thrown.last.seen.side
    return apart_s <= ONE_THROW_S and 1 / MAX_SIZE_CHANGE < change < MAX_SIZE_CHANGE


def _goes_on(tracklet: Tracklet, later: Tracklet) -> bool:
    """Whether it is soon detected again, as after it hit the rim of the tray."""
    if not may_go_on_as(tracklet, later):
        return False
    first = later.observations[0]
    return first.at_s - tracklet.last.at_s < IN_HAND_S and step_sides(tracklet.last, first) <= MAX_LINK_SIDES


def _seen_arriving(tracklet: Tracklet) -> bool:
    """Whether it moved freely from its first observation on: none knocked it, and no hand flicked it."""
    min_sides = MIN_THROWN_PATH if tracklet.ever_touched else MIN_FREE_PATH
    return not _lay_at_first(tracklet) and free_sides(tracklet) >= min_sides


def _lay_at_first(tracklet: Tracklet) -> bool:
    """Whether it was still as it came into sight."""
    return len(tracklet.observations) < 2 or step_sides(*tracklet.observations[:2]) <= MIN_STEP_SIDES
