"""Decides what became of dice that were tracked from where they lay, and on which of them another landed."""

from __future__ import annotations

import math
from collections.abc import Container, Iterator, Sequence
from itertools import pairwise

from vision.readings import SeenDie
from vision.tracking.identities import MIN_GROWTH
from vision.tracking.likeness import (
    MAX_SIDE_APART,
    may_be_same,
    may_have_same_face,
    may_look_alike,
    may_still_show,
    sides_apart,
)
from vision.tracking.tracklets import (
    MAX_LINK_S,
    MIN_FAR_PATH,
    MIN_FREE_PATH,
    MIN_STEP_SIDES,
    RETHROW_S,
    SAME_SPOT_SIDES,
    TURNED_WITHIN_SIDES,
    Observation,
    Tracklet,
    before_it_left,
    changed_freely,
    free_sides,
    lies_quickly_after,
    may_go_on_as,
    path_sides,
    step_sides,
    touched_on_its_way,
    was_in_hand,
)
from vision.tracking.tracks import Track, TrackOutcome
from vision.tracking.tumbling import (
    MIN_KNOCKED_PATH,
    MIN_TUMBLE_EVIDENCE,
    evidence_of,
    roll_evidence,
    toppled_s,
    tumble_evidence,
    tumbled_freely,
)

MAX_LANDING_SIDES = 1.2
"""A moving die that was expected within this distance of another, in sides, and is not detected again, landed
on it."""

MIN_LEANING = 3
"""A die leans on another if both are detected in their places this often."""

MAX_CLIMB_SIDES = 0.9
"""A die that has nearly stopped and is not detected again, as near as this to another, in sides, climbed onto
it: side by side they would be further apart."""

MAX_ROLL_OVER_S, MAX_ROLL_OVER_SIDES = 0.45, 2.5
"""A die that rolls over one beside its goal is not told from it for less than this time and distance."""


def track_of_followed(tracklet: Tracklet, others_lie: bool, ids: Iterator[int]) -> Track:
    """The track of a die that was tracked from where it lay. others_lie: other dice lie as they lay."""
    assert tracklet.track is not None
    was, seen = tracklet.track.seen, tracklet.last.seen
    first = tracklet.observations[0].seen
    distance = sides_apart(first, seen)
    same_face = may_have_same_face(was, seen) or _may_show_it_in_part(was, tracklet)
    tumbles, free = tumble_evidence(tracklet), free_sides(tracklet)
    went_away = any(sides_apart(first, o.seen) >= MIN_FREE_PATH for o in tracklet.observations)
    if (
        tracklet.ever_touched
        and was_in_hand(tracklet)
        and free >= MIN_FREE_PATH
        and tumbles >= (2 if same_face else 1) * MIN_TUMBLE_EVIDENCE  # one face may be a misread smear
    ):
        return Track(next(ids), seen, TrackOutcome.THROWN, lifted=True)  # out of the hand that took it
    if same_face:
        min_path = MIN_FAR_PATH if touched_on_its_way(tracklet) else MIN_KNOCKED_PATH
        rolls = went_away and roll_evidence(tracklet) >= 2 * MIN_TUMBLE_EVIDENCE and free >= min_path
        if rolls and not _is_flicked(tracklet, others_lie):
            return Track(next(ids), seen, TrackOutcome.THROWN, was)
        if distance > SAME_SPOT_SIDES:
            return Track(tracklet.track.id, seen, TrackOutcome.MOVED, was)
        return Track(tracklet.track.id, seen, TrackOutcome.UNMOVED, was, lifted=_was_gone(tracklet))
    tumbled = free >= MIN_FAR_PATH and tumbles >= MIN_TUMBLE_EVIDENCE
    rolls = was.sure and went_away and tumbled  # else its face was misread
    if rolls and not _is_flicked(tracklet, others_lie):
        return Track(next(ids), seen, TrackOutcome.THROWN, was)
    if toppled_s(tracklet) is not None:
        return Track(tracklet.track.id, seen, TrackOutcome.TIPPED, was)
    if tracklet.ever_touched and not (tumbled_freely(tracklet) or changed_freely(tracklet)):
        return Track(tracklet.track.id, seen, TrackOutcome.TURNED, was)
    if distance <= SAME_SPOT_SIDES and path_sides(tracklet) < TURNED_WITHIN_SIDES / 2 and not tumbles:
        outcome = TrackOutcome.UNCLEAR if _may_lie_on(was, tracklet) else TrackOutcome.UNMOVED
        return Track(tracklet.track.id, seen, outcome, was)
    return Track(tracklet.track.id, seen, TrackOutcome.TIPPED, was)


def _was_gone(tracklet: Tracklet) -> bool:
    """Whether it was missing, with no hand at its place, for long enough to be taken and thrown again."""
    gaps_s = (b.at_s - a.at_s for a, b in pairwise(tracklet.observations))
    return tracklet.times_gone > 0 and max(gaps_s, default=0.0) > RETHROW_S


def _may_show_it_in_part(was: SeenDie, tracklet: Tracklet) -> bool:
    """Whether a die was not surely read since it left its place, and may still show its face: a finger that
    is not detected hides a part of it, and pushes it."""
    since = tracklet.observations[len(before_it_left(tracklet)) :]
    in_part = bool(since) and not any(o.seen.sure for o in since)
    return in_part and may_still_show(was, tracklet.last.seen)


def _may_lie_on(was: SeenDie, tracklet: Tracklet) -> bool:
    """Whether another die may have landed on the one that was, too fast to be detected, and lies there: both
    are sure, and this one looks larger."""
    seen = tracklet.last.seen
    return was.sure and seen.sure and seen.side > MIN_GROWTH * was.side and not tracklet.ever_touched


def _is_flicked(tracklet: Tracklet, others_lie: bool) -> bool:
    """Whether a finger was at a die that lay there as it left its place, or other dice lie as they lay, so
    that nothing shook the tray, and it lies still again so soon that no hand can have taken and thrown it."""
    lay = before_it_left(tracklet)
    left = tracklet.observations[len(lay) : len(lay) + 1]
    by_hand = others_lie or any(o.touched for o in (*lay, *left))
    return by_hand and lies_quickly_after(tracklet, lay[-1].at_s)


def dice_landed_on(tracklets: Sequence[Tracklet], others: Sequence[Tracklet]) -> Container[int]:
    """The ids, as by id(), of the tracklets of dice that lay on the tray and on which another landed.

    Those that look replaced at the end come first. One that looked so only for a moment, as the other
    landed, may have the same die on it with the same face, unless that die landed on another one, or went on.
    """
    followed = [c for c in tracklets if c.track is not None]
    came = [c for c in tracklets if c.track is None]
    remaining = [
        c for c in others if not any(_shows_side_of(new, c) or _shows_side_of(c, new) for new in came)
    ]
    landed = set[int]()
    for at_end in (True, False):
        if not at_end:
            remaining = [c for c in remaining if not any(_goes_on_as(c, new) for new in tracklets)]
        for tracklet in followed:
            beside = [c for c in followed if c is not tracklet]
            on_top = (
                o
                for o in remaining
                if _replaced_by(tracklet, o, at_end) and _landed_on(tracklet, o, others, beside)
            )
            if id(tracklet) not in landed and (other := next(on_top, None)) is not None:
                remaining.remove(other)
                landed.add(id(tracklet))
    return landed


def _shows_side_of(tracklet: Tracklet, other: Tracklet) -> bool:
    """Whether a new detection is the side of a die that is detected as well, and goes on as that die: it came
    within that one's box, or it came from nowhere beside one that leaned on another, and tipped over."""
    first = tracklet.observations[0]
    beside = next((o for o in other.observations if o.at_s == first.at_s), None)
    if tracklet.track is not None or beside is None:
        return False
    apart = sides_apart(beside.seen, first.seen)
    return apart <= MAX_SIDE_APART or (apart <= MAX_CLIMB_SIDES and free_sides(tracklet) < MIN_FREE_PATH)


def _goes_on_as(other: Tracklet, new: Tracklet) -> bool:
    """Whether the die that is not detected any more is soon detected again on its way."""
    return may_go_on_as(other, new) and _ended_at(other, new)


def _replaced_by(tracklet: Tracklet, other: Tracklet, at_end: bool) -> bool:
    """Whether a die looks replaced at the end, or else at any time after the other was last detected."""
    assert tracklet.track is not None
    since = [o.seen for o in _since(tracklet, other)]
    return any(_looks_replaced(tracklet.track.seen, seen) for seen in (since[-1:] if at_end else since))


def _since(tracklet: Tracklet, other: Tracklet) -> Iterator[Observation]:
    """The observations of a die since the other one was last detected."""
    return (o for o in tracklet.observations if o.at_s > other.last.at_s)


def _looks_replaced(was: SeenDie, seen: SeenDie) -> bool:
    """Whether the die that is detected here may lie on the one that was, or is just landing on it: it shows
    another face or colour, looks larger, or lies a little beside it."""
    return (
        not may_be_same(was, seen)
        or seen.side > MIN_GROWTH * was.side
        or sides_apart(was, seen) > MIN_STEP_SIDES
    )


def _landed_on(
    tracklet: Tracklet, other: Tracklet, others: Sequence[Tracklet], beside: Sequence[Tracklet]
) -> bool:
    """Whether a tumbling die came to the place of this one, which no hand touched meanwhile, and is not
    detected any more: it lies on top. others: all tracklets that ended; some are of other sides of that die.
    beside: the other dice that lay on the tray."""
    if other.track is not None or other.last.touched:
        return False
    if _took_its_colour(tracklet, other):
        return _ended_at(other, tracklet)
    if not other.is_moving and sides_apart(other.last.seen, tracklet.last.seen) > MAX_CLIMB_SIDES:
        return False
    if _leans_on(other, tracklet):
        return False
    way = free_sides(other)
    if other.hand_since_s is None and not other.ever_touched:
        way += next((step_sides(other.last, o) for o in _since(tracklet, other)), 0.0)
    if way < MIN_FREE_PATH:
        return False  # a hand moved it
    if any(o.touched for o in tracklet.observations if o.at_s >= other.observations[0].at_s):
        return False
    sides = (other, *(c for c in others if _shows_side_of(other, c)))
    shown = (o for c in sides for o in c.observations if not o.touched)
    tumbles = sum(evidence_of(o, tracklet.last.seen) for o in shown)
    return tumbles >= MIN_TUMBLE_EVIDENCE and (
        _ended_at(other, tracklet) or _rolled_over_others_to(tracklet, other, beside)
    )


def _leans_on(other: Tracklet, tracklet: Tracklet) -> bool:
    """Whether a die came to rest beside this one, and both were detected there: it leans on it, and is not
    told any more from the sides that it shows."""
    assert tracklet.track is not None
    shown_s = {o.at_s for o in tracklet.observations if may_be_same(tracklet.track.seen, o.seen)}
    rests = [o for o in other.observations if step_sides(o, other.last) <= SAME_SPOT_SIDES]
    return sum(o.at_s in shown_s for o in rests) >= MIN_LEANING and not other.is_moving


def _took_its_colour(tracklet: Tracklet, other: Tracklet) -> bool:
    """Whether this die surely has the other one's colour now, and surely had another, with no hand at it."""
    assert tracklet.track is not None
    was, seen, came = tracklet.track.seen, tracklet.last.seen, other.last.seen
    surely = was.sure and seen.sure and came.sure and not tracklet.ever_touched
    return surely and may_look_alike(came, seen) and not may_look_alike(was, seen)


def _ended_at(other: Tracklet, tracklet: Tracklet) -> bool:
    """Whether the other die was last seen on its way to this one's place."""
    after = next(_since(tracklet, other), None)
    if after is None or after.at_s - other.last.at_s >= MAX_LINK_S:
        return False
    distance_px = math.dist(after.seen.centre_xy, other.expected_at(after.at_s))
    return distance_px <= MAX_LANDING_SIDES * after.seen.side


def _rolled_over_others_to(tracklet: Tracklet, other: Tracklet, beside: Sequence[Tracklet]) -> bool:
    """Whether the other die may have rolled on over dice beside this one, where it is not told from them:
    this one has changed and is larger since. It was last detected near this one, or came to one near it."""
    assert tracklet.track is not None
    was, seen = tracklet.track.seen, tracklet.last.seen
    first = next((o for o in _since(tracklet, other) if _looks_replaced(was, o.seen)), None)
    if first is None or seen.side <= MIN_GROWTH * was.side:
        return False
    if first.at_s - other.last.at_s >= MAX_ROLL_OVER_S:
        return False
    rolled_over = (c for c in beside if _replaced_by(c, other, at_end=False) and _ended_at(other, c))
    places = (other.last.seen, *(c.observations[0].seen for c in rolled_over))
    return any(sides_apart(place, was) <= MAX_ROLL_OVER_SIDES for place in places)
