"""Decides the outcome of each die's track from its tracklet.

A throw is a die that moved freely, with no hand at it, and tumbled: it was read with another face on the way,
or its upper face was seen to tilt away from its direction at rest. A die that slides keeps both. A die that
shows its earlier face and was not seen to tumble was moved, however far, unless it was out of sight meanwhile
and came back freely: then it may be either.

decide_outcomes works in this order, because later steps use the results of earlier ones:
    1. mark dice that creep as touched by a hand;
    2. repair identity swaps between tracklets (changes `track` of the tracklets);
    3. decide the dice on which another landed, and those that were tracked from where they lay;
    4. decide the new dice, the best tumble evidence first, then the sure ones: each may take one of the lost
       dice;
    5. resolve exchanges of dice that hands moved;
    6. mark dice UNCLEAR or THROWN that came into sight together, when a hand or a cup left;
    7. mark dice UNCLEAR that nobody saw coming, or that may have shot out from under a finger;
    8. mark dice TIPPED that a finger knocked over as it flicked another;
    9. extend throws to dice that may have been thrown and came at the same time;
    10. mark dice UNCLEAR that a hand may have hidden as they rolled under it;
    11. extend throws to dice that rolled under a hand;
    12. mark dice that other thrown dice knocked across the tray.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Container, Iterator, Sequence
from dataclasses import replace
from itertools import chain, pairwise

from vision.readings import SeenDie
from vision.tracking.identities import repair_swaps, resolve_exchanges
from vision.tracking.likeness import (
    may_be_same,
    may_be_same_body,
    may_have_same_face,
    may_look_alike,
    sides_apart,
)
from vision.tracking.tracklets import (
    IN_HAND_S,
    LAY_STILL_S,
    MAX_FLICKED_SIDES,
    MAX_LINK_S,
    MAX_LINK_SIDES,
    MIN_STEP_SIDES,
    RETHROW_S,
    SAME_SPOT_SIDES,
    Tracklet,
    at_rest_since,
    first_at_rest,
    free_sides,
    hand_rested_at,
    hand_stayed_at,
    held_observations,
    may_be_held_at_first,
    path_sides,
    placed_under_hand,
    rolled_to_hand,
    step_sides,
    stood_undetected,
    touch_creeping,
    was_in_hand,
)
from vision.tracking.tracks import LostTrack, Track, TrackOutcome
from vision.tracking.tumbling import (
    MIN_TUMBLE_EVIDENCE,
    evidence_of,
    may_have_fallen_out,
    roll_evidence,
    spins,
    toppled_s,
    tumble_evidence,
    tumbled_freely,
)

TURNED_WITHIN_SIDES = 1.3
"""A die that tips over onto another face lies at most this far off, in sides. A die turned by hand is put
down within the same distance."""

MIN_FREE_PATH = 0.5
"""A die that went this far with no hand at it, in sides, came freely."""

MIN_FAR_PATH = 2.0
"""A die that went this far freely, in sides, did not merely tip over."""

MIN_THROWN_PATH = 1.3
"""A die that goes this far freely after a hand was at it, in sides, did not only slide on."""

FINGER_S, MAX_PUSHED_SIDES = 1.0, 2.0
"""A finger that pushes a die hides it for less than FINGER_S, and lets go of it within MAX_PUSHED_SIDES."""

MIN_PUSHED_SIDES = 1.0
"""A hand that pushes a die at least this far, in sides, is not about to throw another."""

MAX_UNSEEN_SIDES = 3.5
"""A die that lies still within RETHROW_S of when it was hidden, and this near to its place, in sides, was
pushed while something hid it."""

QUICK_S = 0.75
"""A die that lies still again sooner than this after it was last detected at rest was in no hand: to take it,
to throw it and to roll out takes longer."""

MAX_LANDING_SIDES = 1.2
"""A moving die that was expected within this distance of another, in sides, and is not detected again, landed
on it."""

MAX_CLIMB_SIDES = 0.9
"""A die that has nearly stopped and is not detected again, as near as this to another, in sides, climbed onto
it: side by side they would be further apart."""

MAX_ROLL_OVER_S, MAX_ROLL_OVER_SIDES = 0.45, 2.5
"""A die that rolls over one beside its goal is not told from it for less than this time and distance."""

MAX_HIT_SIDES, MIN_HIT_PATH = 1.5, 0.3
"""The centres of two dice that hit each other are at most this far apart, in sides: corner to corner. The one
that is hit slides at least this far. A die that is laid down beside it moves it less."""

MAX_SIZE_CHANGE = 1.5
"""Limit of the ratio between the sides of one die at rest in two places of the tray."""

MIN_GROWTH = 1.05
"""Minimum growth of the box of a die that has another on it: that one is nearer to the camera, and stands out
beside it."""

HIDING_HAND_SHARE = 0.45
"""A hand over a larger share of the picture is so near to the lens that dice may be changed behind it."""

UNCOVERED_TOGETHER_S = 0.3
"""Dice that come into sight within this time lay there together."""

MAX_UNDER_HAND_SIDES = 5.0
"""A die that rolls under a hand comes to rest this near to where it was last detected, in sides."""

MIN_FALLEN_TOGETHER = 2
"""Dice that tumble freely out of a hand: one alone may have been knocked by what the hand does."""

PRINTED_S = 0.5
"""A detection that is never sure and stays for this time, but not until the tray is at rest, is no die."""

MIN_ARRIVAL_PATH, ARRIVAL_S = 0.2, 0.3
"""A die that goes this far freely as it comes into sight, in sides, within this time, was not laid down."""

MIN_SHIFT_STEPS, MIN_SHIFT_PATH, MAX_SHIFT_ERROR_SIDES = 2, 1.0, 0.5
"""A camera that is pushed by at least MIN_SHIFT_PATH, in sides, shifts all dice alike: in at least
MIN_SHIFT_STEPS steps, each to within MAX_SHIFT_ERROR_SIDES, and the whole way too. Boxes that the border of
the picture cuts are off by so much."""

MIN_SHUFFLED, MANY_SHUFFLED = 3, 4
"""Number of dice from which the same faces as before are no chance. Three thrown dice show them again once in
36 times at most, four once in 54."""

MAX_CHANCE = 0.002
"""A throw that shows the same faces again no more often than this is no throw."""

HIDDEN_TOGETHER_S = 0.4
"""Dice that a hand hid at the same time for at least this long may have fallen under it."""

THROWN_TOGETHER_S = 0.6
"""A die that may have been thrown is part of a throw if it comes to rest, or into sight, within this time of
a thrown die. A hand that stays over dice hides when they come to rest."""

THROWN_UNDER_HAND_S = 2.5
"""A die that may have been thrown is also part of a throw if it comes into sight within this time of it, at a
place where a hand stayed all the while: the hand hid it."""


def decide_outcomes(
    tracklets: Sequence[Tracklet],
    others: Sequence[Tracklet],
    earlier_lost: Sequence[LostTrack],
    ids: Iterator[int],
    max_hand_share: float = 0.0,
    printed: Sequence[SeenDie] = (),
) -> list[Track]:
    """The tracks of the dice at the ends of these tracklets, in the same order.

    others: tracklets that ended, among them those of dice that lay on the tray before. earlier_lost: dice
    lifted before the last settled tray. max_hand_share: the largest share of the picture that a hand, or
    something like it, covered meanwhile. printed: figures that were taken for dice in motion, not at rest.
    """
    for tracklet in (*tracklets, *others):
        touch_creeping(tracklet)
    repair_swaps(tracklets, others)
    lost = [c for c in others if c.track is not None]
    tracks: list[Track | None] = []
    landed = _landed(tracklets, others)
    for tracklet in tracklets:
        if id(tracklet) in landed:
            tracks.append(Track(next(ids), tracklet.last.seen, TrackOutcome.THROWN, lifted=True))
        else:
            tracks.append(_track_of_followed(tracklet, ids) if tracklet.track is not None else None)
    new = [i for i, track in enumerate(tracks) if track is None]
    shuffled = _are_shuffled([tracklets[i] for i in new], lost)
    all_moved = not any(c.from_rest and _lies_as_it_lay(c) for c in tracklets)
    for i in sorted(new, key=lambda i: (-tumble_evidence(tracklets[i]), not tracklets[i].last.seen.sure)):
        shown = any(_shows_printed(tracklets[i], figure) for figure in printed)
        if shown or (all_moved and any(_shifts_with(tracklets[i], other) for other in tracklets)):
            tracks[i] = Track(next(ids), tracklets[i].last.seen, TrackOutcome.UNOBSERVED)
        else:
            tracks[i] = _track_of_new(tracklets[i], lost, earlier_lost, ids, max_hand_share, shuffled)
    touched = [c.track for c in lost if c.track is not None and c.ever_touched]
    decided = resolve_exchanges([t for t in tracks if t is not None], touched, ids)
    known = not any(c.ever_touched for c in lost)
    decided = _mark_arrived_together(tracklets, decided, known)
    taken_before = {g.id for g in earlier_lost}
    decided = _doubt_unseen(tracklets, decided, others)
    decided = _doubt_shot_out(tracklets, decided, others)
    decided = _tip_flicked(tracklets, decided)
    decided = _extend_throws(tracklets, decided, known, taken_before)
    decided = _mark_uncovered(tracklets, decided)
    decided = _extend_throws_under_hand(tracklets, decided, others)
    return _mark_knocked_over(tracklets, decided, others)


def _track_of_followed(tracklet: Tracklet, ids: Iterator[int]) -> Track:
    """The track of a die that was tracked from where it lay."""
    assert tracklet.track is not None
    was, seen = tracklet.track.seen, tracklet.last.seen
    first = tracklet.observations[0].seen
    distance, same_face = sides_apart(first, seen), may_have_same_face(was, seen)
    tumbles, free = tumble_evidence(tracklet), free_sides(tracklet)
    if (
        tracklet.ever_touched
        and was_in_hand(tracklet)
        and free >= MIN_FREE_PATH
        and tumbles >= (2 if same_face else 1) * MIN_TUMBLE_EVIDENCE  # one face may be a misread smear
    ):
        return Track(next(ids), seen, TrackOutcome.THROWN, lifted=True)  # out of the hand that took it
    if same_face:
        min_path = MIN_FAR_PATH if tracklet.ever_touched else MIN_FREE_PATH
        rolls = roll_evidence(tracklet) >= 2 * MIN_TUMBLE_EVIDENCE and free >= min_path
        if rolls and not _is_flicked(tracklet):
            return Track(next(ids), seen, TrackOutcome.THROWN, was)
        outcome = TrackOutcome.UNMOVED if distance <= SAME_SPOT_SIDES else TrackOutcome.MOVED
        return Track(tracklet.track.id, seen, outcome, was)
    rolls = was.sure and free >= MIN_FAR_PATH and tumbles >= MIN_TUMBLE_EVIDENCE  # else its face was misread
    if rolls and not _is_flicked(tracklet):
        return Track(next(ids), seen, TrackOutcome.THROWN, was)
    if toppled_s(tracklet) is not None:
        return Track(tracklet.track.id, seen, TrackOutcome.TIPPED, was)
    if tracklet.ever_touched and not tumbled_freely(tracklet):
        return Track(tracklet.track.id, seen, TrackOutcome.TURNED, was)
    if distance <= SAME_SPOT_SIDES and path_sides(tracklet) < TURNED_WITHIN_SIDES / 2 and not tumbles:
        return Track(tracklet.track.id, seen, TrackOutcome.UNMOVED, was)
    return Track(tracklet.track.id, seen, TrackOutcome.TIPPED, was)


def _is_flicked(tracklet: Tracklet) -> bool:
    """Whether a finger was at a die that lay there as it left its place, and it lies still again so soon that
    no hand can have taken and thrown it."""
    observations = tracklet.observations
    away = (
        n for n, o in enumerate(observations) if sides_apart(observations[0].seen, o.seen) > SAME_SPOT_SIDES
    )
    left = next(away, len(observations) - 1)
    by_hand = any(o.touched for o in observations[: left + 1])
    return by_hand and at_rest_since(tracklet) - observations[left - 1].at_s < QUICK_S


def _landed(tracklets: Sequence[Tracklet], others: Sequence[Tracklet]) -> Container[int]:
    """The ids, as by id(), of the tracklets of dice that lay on the tray and on which another landed.

    Those that look replaced at the end come first. One that looked so only for a moment, as the other
    landed, may have the same die on it with the same face, unless that die landed on another one.
    """
    followed = [c for c in tracklets if c.track is not None]
    remaining = [c for c in others if not any(_shows_side_of(new, c) for new in tracklets)]
    landed = set[int]()
    for at_end in (True, False):
        for tracklet in followed:
            on_top = (o for o in remaining if _replaced_by(tracklet, o, at_end) and _landed_on(tracklet, o))
            if id(tracklet) not in landed and (other := next(on_top, None)) is not None:
                remaining.remove(other)
                landed.add(id(tracklet))
    return landed


def _shows_side_of(tracklet: Tracklet, other: Tracklet) -> bool:
    """Whether a new detection came from nowhere beside a die that had arrived, and is still there when that
    one is not: it leaned on another, showed two faces, and tipped over."""
    first = tracklet.observations[0]
    beside = next((o for o in other.observations if o.at_s == first.at_s), None)
    if tracklet.track is not None or beside is None or free_sides(tracklet) >= MIN_FREE_PATH:
        return False
    return sides_apart(beside.seen, first.seen) <= MAX_CLIMB_SIDES


def _replaced_by(tracklet: Tracklet, other: Tracklet, at_end: bool) -> bool:
    """Whether a die looks replaced at the end, or else at any time after the other was last detected."""
    assert tracklet.track is not None
    since = [o.seen for o in tracklet.observations if o.at_s > other.last.at_s]
    return any(_looks_replaced(tracklet.track.seen, seen) for seen in (since[-1:] if at_end else since))


def _looks_replaced(was: SeenDie, seen: SeenDie) -> bool:
    """Whether the die that is detected here may lie on the one that was, or is just landing on it: it shows
    another face or colour, looks larger, or lies a little beside it."""
    return (
        not may_be_same(was, seen)
        or seen.side > MIN_GROWTH * was.side
        or sides_apart(was, seen) > MIN_STEP_SIDES
    )


def _landed_on(tracklet: Tracklet, other: Tracklet) -> bool:
    """Whether a tumbling die came to the place of this one, which no hand touched meanwhile, and is not
    detected any more: it lies on top."""
    if other.track is not None or other.last.touched:
        return False
    if _took_its_colour(tracklet, other):
        return _ended_at(other, tracklet)
    if not other.is_moving and sides_apart(other.last.seen, tracklet.last.seen) > MAX_CLIMB_SIDES:
        return False
    if free_sides(other) < MIN_FREE_PATH:
        return False  # a hand moved it
    if any(o.touched for o in tracklet.observations if o.at_s >= other.observations[0].at_s):
        return False
    tumbles = sum(evidence_of(o, tracklet.last.seen) for o in other.observations if not o.touched)
    return tumbles >= MIN_TUMBLE_EVIDENCE and (
        _ended_at(other, tracklet) or _rolled_over_others_to(tracklet, other)
    )


def _took_its_colour(tracklet: Tracklet, other: Tracklet) -> bool:
    """Whether this die surely has the other one's colour now, and surely had another, with no hand at it."""
    assert tracklet.track is not None
    was, seen, came = tracklet.track.seen, tracklet.last.seen, other.last.seen
    surely = was.sure and seen.sure and came.sure and not tracklet.ever_touched
    return surely and may_look_alike(came, seen) and not may_look_alike(was, seen)


def _ended_at(other: Tracklet, tracklet: Tracklet) -> bool:
    """Whether the other die was last seen on its way to this one's place."""
    after = next((o for o in tracklet.observations if o.at_s > other.last.at_s), None)
    if after is None or after.at_s - other.last.at_s >= MAX_LINK_S:
        return False
    distance_px = math.dist(after.seen.centre_xy, other.expected_at(after.at_s))
    return distance_px <= MAX_LANDING_SIDES * after.seen.side


def _rolled_over_others_to(tracklet: Tracklet, other: Tracklet) -> bool:
    """Whether the other die may have rolled on over dice beside this one, where it is not told from them:
    this one has changed and is larger since."""
    assert tracklet.track is not None
    was, seen = tracklet.track.seen, tracklet.last.seen
    changed = (
        o for o in tracklet.observations if o.at_s > other.last.at_s and not may_have_same_face(was, o.seen)
    )
    first = next(changed, None)
    if first is None or seen.side <= MIN_GROWTH * was.side:
        return False
    in_time = first.at_s - other.last.at_s < MAX_ROLL_OVER_S
    return in_time and sides_apart(other.last.seen, was) <= MAX_ROLL_OVER_SIDES


def _track_of_new(
    tracklet: Tracklet,
    lost: list[Tracklet],
    earlier_lost: Sequence[LostTrack],
    ids: Iterator[int],
    max_hand_share: float,
    shuffled: bool,
) -> Track:
    """The track of a die that appeared since the tray last settled. Removes it from `lost` if it is in it.

    shuffled: the new dice are the lost ones, see _are_shuffled.
    """
    seen = tracklet.last.seen
    old = _lost_die(tracklet, lost)
    if old is not None and (shuffled or not _surely_thrown(tracklet, old)):
        lost.remove(old)
        return _track_of_moved(tracklet, old, shuffled)
    free = free_sides(tracklet)
    tumbled = _tumbled(tracklet) and not _only_hidden(tracklet)
    moved_freely = free >= MIN_FREE_PATH
    here = [g for g in earlier_lost if sides_apart(g.was, seen) <= SAME_SPOT_SIDES]
    returned = next((g for g in here if may_be_same(g.was, seen)), None)
    if returned is not None and not tumbled and not moved_freely:
        return Track(returned.id, seen, TrackOutcome.UNMOVED, returned.was)  # it was only hidden
    appeared = not tumbled and path_sides(tracklet) == 0  # its arrival was not observed
    nudged = next((g for g in earlier_lost if appeared and _is_nudged(g.was, seen)), None)
    if nudged is not None:
        return Track(nudged.id, seen, TrackOutcome.MOVED, nudged.was)  # under the finger that hid it
    pushed = next((g for g in earlier_lost if _is_pushed_on(tracklet, g.was)), None)
    if pushed is not None:
        return Track(pushed.id, seen, TrackOutcome.MOVED, pushed.was)
    hidden = appeared and max_hand_share > HIDING_HAND_SHARE
    if hidden or _arrived_unseen(tracklet, tumbled):
        return Track(next(ids), seen, TrackOutcome.UNOBSERVED)
    before = _predecessor(tracklet, lost)
    if before is not None:
        lost.remove(before)
        return _track_of_knocked(tracklet, before, tumbled, ids)
    placed = any(c.track and sides_apart(c.track.seen, seen) <= SAME_SPOT_SIDES for c in lost)
    if tumbled or moved_freely or not (placed or placed_under_hand(tracklet)):
        put_back = appeared and any(may_be_same(g.was, seen) for g in earlier_lost)
        return Track(next(ids), seen, TrackOutcome.UNCLEAR if put_back else TrackOutcome.THROWN, lifted=True)
    return _track_of_placed(tracklet, lost, earlier_lost, ids)


def _is_pushed_on(tracklet: Tracklet, was: SeenDie) -> bool:
    """Whether a die that was hidden is in sight again near its place, with its face, as soon as something
    moves, and goes on from there without any sign of a tumble: a fingertip that is not detected pushes it."""
    first = tracklet.observations[0].seen
    near = may_be_same(was, first) and sides_apart(was, first) <= MAX_PUSHED_SIDES
    rolls = tumble_evidence(tracklet) > 0 or spins(tracklet)
    return tracklet.unseen and near and may_be_same(was, tracklet.last.seen) and not rolls


def _is_nudged(was: SeenDie, seen: SeenDie) -> bool:
    """Whether a die that was hidden may be the one that is there again, a little beside its place."""
    return may_be_same(was, seen) and sides_apart(was, seen) <= TURNED_WITHIN_SIDES


def thrown_in_view(tracklets: Sequence[Tracklet]) -> bool:
    """Whether all of these dice were seen coming freely, and at least one of them tumbling: they were thrown,
    wherever they lay before."""
    return all(_seen_arriving(c) for c in tracklets) and any(tumbled_freely(c) for c in tracklets)


def _seen_arriving(tracklet: Tracklet) -> bool:
    """Whether it moved freely from its first observation on: none knocked it, and no hand flicked it."""
    steps = [step_sides(a, b) for a, b in pairwise(tracklet.observations)]
    lay = not steps or steps[0] <= MIN_STEP_SIDES
    return not lay and free_sides(tracklet) >= (MIN_THROWN_PATH if tracklet.ever_touched else MIN_FREE_PATH)


def vanished_in_view(tracklet: Tracklet) -> bool:
    """Whether a new die that came tumbling freely was nearly at rest when it was last detected, with no hand
    at it: it leans on another die, and shows two faces."""
    gone = tracklet.missing and not tracklet.covered and not tracklet.last.touched
    return gone and tracklet.track is None and not tracklet.is_moving and tumbled_freely(tracklet)


def may_be_printed(tracklet: Tracklet) -> bool:
    """Whether a new detection was never surely a die, and never moved, but for what seemed to be under a
    hand."""
    return tracklet.track is None and _stays_unsure(tracklet)


def _stays_unsure(tracklet: Tracklet) -> bool:
    return not any(o.seen.sure for o in tracklet.observations) and _is_still(tracklet)


def _is_still(tracklet: Tracklet) -> bool:
    """Whether it never moved, but for what seemed to be under a hand."""
    came = tracklet.observations.index(first_at_rest(tracklet))
    still = replace(tracklet, observations=tracklet.observations[came:])
    return path_sides(still) == 0 and all(o.touched for o in tracklet.observations[:came])


def seems_printed(tracklet: Tracklet, at_s: float) -> bool:
    """Whether a detection that is missing on the tray at rest was never surely a die, stayed in its place,
    and was seen a moment before this time, s."""
    first, last = first_at_rest(tracklet), tracklet.last
    stayed = last.at_s - first.at_s >= PRINTED_S and _stays_unsure(tracklet)
    return stayed and not tracklet.covered and at_s - last.at_s < PRINTED_S


def _shows_printed(tracklet: Tracklet, figure: SeenDie) -> bool:
    """Whether an unsure detection shows a printed figure that was detected before."""
    unmoved = not tracklet.last.seen.sure and _is_still(tracklet)
    return unmoved and sides_apart(tracklet.last.seen, figure) <= SAME_SPOT_SIDES


def _lies_as_it_lay(tracklet: Tracklet) -> bool:
    return sides_apart(tracklet.observations[0].seen, tracklet.last.seen) <= SAME_SPOT_SIDES


def _shifts_with(tracklet: Tracklet, other: Tracklet) -> bool:
    """Whether a new die went all its way side by side with one that lay there, and no hand was at either: a
    pushed camera brought it into the picture."""
    if not other.from_rest or tracklet.ever_touched or other.ever_touched:
        return False
    first = tracklet.observations[0].seen
    if first.sure and not first.cut_off:
        return False  # it did not come in over the border
    if sides_apart(other.observations[0].seen, other.last.seen) < MIN_SHIFT_PATH:
        return False
    theirs = {o.at_s: o.seen for o in other.observations}
    both = [(o.seen, theirs[o.at_s]) for o in tracklet.observations if o.at_s in theirs]
    steps = [(a, b) for a, b in pairwise(both) if sides_apart(a[0], b[0]) > MIN_STEP_SIDES]
    if len(steps) < MIN_SHIFT_STEPS:
        return False
    if whole := [pair for pair in both if not pair[0].cut_off]:
        steps.append((whole[0], whole[-1]))
    apart = [math.dist(_step_xy(a[0], b[0]), _step_xy(a[1], b[1])) for a, b in steps]
    return max(apart) <= MAX_SHIFT_ERROR_SIDES * tracklet.last.seen.side


def _step_xy(a: SeenDie, b: SeenDie) -> tuple[float, float]:
    return b.centre_xy[0] - a.centre_xy[0], b.centre_xy[1] - a.centre_xy[1]


def _arrived_unseen(tracklet: Tracklet, tumbled: bool) -> bool:
    """Whether it came while the tray was not observed. A die that stays where it was first detected lay there
    before, although a hand comes near it. One that came far was observed."""
    if not tracklet.unseen or tumbled:
        return False
    if tracklet.observations[0].seen.cut_off and free_sides(tracklet) >= MIN_THROWN_PATH:
        return False  # it came in over the border
    stayed = first_at_rest(tracklet) is tracklet.observations[0]
    return stayed or (path_sides(tracklet) < MIN_FAR_PATH and not tracklet.ever_touched)


def _lost_die(tracklet: Tracklet, lost: Sequence[Tracklet]) -> Tracklet | None:
    """The lost die that this one may be, or None. A die of its colour is preferred, then the nearest. One
    that was still in its place when this one appeared is another."""
    seen = tracklet.last.seen
    shown = (o.at_s for o in tracklet.observations if o.seen.sure and may_be_same(o.seen, seen))
    appeared_s = next(shown, tracklet.last.at_s)
    candidates = [
        c
        for c in lost
        if c.track
        and may_be_same(c.track.seen, seen)
        and _is_as_large(c, seen)
        and not (c.last.at_s > appeared_s and path_sides(c) == 0)
    ]
    return min(
        candidates,
        key=lambda c: (c.last.seen.colour != seen.colour, sides_apart(c.last.seen, seen)),
        default=None,
    )


def _track_of_placed(
    tracklet: Tracklet, lost: list[Tracklet], earlier_lost: Sequence[LostTrack], ids: Iterator[int]
) -> Track:
    """The track of a die that a hand put down: one that lay there with another face, or another die.

    If the hand stays with it, it may as well have rolled to a hand that rests there. If it was larger and
    went on from beside the hand, it may as well have fallen out of it.
    """
    seen = tracklet.last.seen
    alike = [c for c in lost if c.track and may_be_same_body(c.track.seen, seen)]
    near = [c for c in alike if c.track and sides_apart(c.track.seen, seen) <= TURNED_WITHIN_SIDES]
    turned = min(near, key=lambda c: sides_apart(c.last.seen, seen), default=None)
    if turned is not None and turned.track is not None:
        lost.remove(turned)
        return Track(turned.track.id, seen, TrackOutcome.TURNED, turned.track.seen)
    lifted = any(may_have_same_face(g.was, seen) for g in earlier_lost)
    doubted = hand_stayed_at(tracklet) or may_have_fallen_out(tracklet)
    outcome = TrackOutcome.UNCLEAR if doubted else TrackOutcome.PLACED
    return Track(next(ids), seen, outcome, lifted=lifted)


def _mark_arrived_together(tracklets: Sequence[Tracklet], tracks: list[Track], known: bool) -> list[Track]:
    """The tracks, with PLACED dice made UNCLEAR or THROWN that came into sight together, or that a hand hid
    at the same time, and with them one that the hand seems to have turned but that tumbled still. Dice that
    are there when a hand or a cup goes away may have been thrown under it. If one of them still moved, and
    none of the others can be a die that lay there, they were thrown.

    known: no die that a hand touched is missing.
    """
    pairs = list(zip(tracklets, tracks, strict=True))
    hidden = [(c, t.outcome) for c, t in pairs if c.track is None and free_sides(c) < MIN_FREE_PATH]
    placed = [c for c, outcome in hidden if outcome is TrackOutcome.PLACED]
    placed = placed if any(c.last.seen.sure for c in placed) else []  # a domino, or a printed thing
    turned = [c for c, outcome in hidden if outcome is TrackOutcome.TURNED and _tumbled(c)] if placed else []
    came = [*placed, *turned]
    together = [c for c in came if any(_hidden_together(c, other) for other in came if other is not c)]
    moved = known and any(free_sides(c) >= MIN_ARRIVAL_PATH for c in together)
    outcome = TrackOutcome.THROWN if moved else TrackOutcome.UNCLEAR
    arrived = {id(c) for c in together}
    return [
        replace(t, outcome=outcome, lifted=moved or t.lifted) if id(c) in arrived else t for c, t in pairs
    ]


def _hidden_together(one: Tracklet, other: Tracklet) -> bool:
    """Whether the same hand hid both until they came into sight, or both came into sight at the same time."""
    first, second = sorted((one, other), key=lambda c: c.observations[0].at_s)
    first_s, second_s = first.observations[0].at_s, second.observations[0].at_s
    if second_s - first_s <= UNCOVERED_TOGETHER_S:
        return True
    if first.hand_since_s is None or second.hand_since_s is None:
        return False
    return first_s - max(first.hand_since_s, second.hand_since_s) >= HIDDEN_TOGETHER_S


def _track_of_knocked(tracklet: Tracklet, before: Tracklet, tumbled: bool, ids: Iterator[int]) -> Track:
    """The track of a die that was another tracklet a moment before, and shows another face."""
    assert before.track is not None
    was, seen, path = before.track.seen, tracklet.last.seen, free_sides(tracklet)
    far = tumble_evidence(tracklet) >= 2 * MIN_TUMBLE_EVIDENCE and path >= MIN_FAR_PATH
    if far and before.ever_touched and not _lay_just_before(before, tracklet):
        return Track(next(ids), seen, TrackOutcome.THROWN, lifted=True)  # out of the hand that took it
    whole_path = path + sides_apart(before.last.seen, tracklet.observations[0].seen)
    if tumbled and not before.ever_touched and whole_path >= MIN_FAR_PATH:
        return Track(next(ids), seen, TrackOutcome.THROWN, was)
    by_hand = before.ever_touched and path < MIN_FREE_PATH and sides_apart(was, seen) <= TURNED_WITHIN_SIDES
    return Track(before.track.id, seen, TrackOutcome.TURNED if by_hand else TrackOutcome.TIPPED, was)


def _predecessor(tracklet: Tracklet, lost: Sequence[Tracklet]) -> Tracklet | None:
    """The tracklet that this die had a moment before it appeared: its last observation is so recent and so
    near that no hand can have taken and thrown it meanwhile. None if there is none."""
    first, end = tracklet.observations[0], tracklet.last.seen
    alike = [c for c in lost if may_be_same_body(c.last.seen, end) and _is_as_large(c, end)]
    near = [c for c in alike if sides_apart(c.last.seen, first.seen) <= _max_link_sides(c, tracklet)]
    return min(near, key=lambda c: sides_apart(c.last.seen, first.seen), default=None)


def _is_as_large(lost: Tracklet, seen: SeenDie) -> bool:
    """Whether a die has about the size at rest of the lost one; a figure taken for a die has not."""
    assert lost.track is not None
    return 1 / MAX_SIZE_CHANGE < seen.side / lost.track.seen.side < MAX_SIZE_CHANGE


def _max_link_sides(before: Tracklet, tracklet: Tracklet) -> float:
    """The maximum distance, in sides, at which `tracklet` continues `before` after the time between them. A
    die that fingers turn is out of sight for longer, but stays where it is."""
    gap_s = tracklet.observations[0].at_s - before.last.at_s
    if _lay_just_before(before, tracklet):
        away = not tracklet.observations[0].touched or at_rest_since(tracklet) - before.last.at_s < QUICK_S
        flicked = before.ever_touched and gap_s < IN_HAND_S and away
        return MAX_FLICKED_SIDES if flicked else MAX_LINK_SIDES
    if 0 <= gap_s < MAX_LINK_S:
        return MAX_LINK_SIDES
    turning = 0 <= gap_s < IN_HAND_S and path_sides(tracklet) < MIN_FREE_PATH
    return TURNED_WITHIN_SIDES if turning else -1.0


def _lay_just_before(before: Tracklet, tracklet: Tracklet) -> bool:
    """Whether the die of `before` lay still so shortly before `tracklet` appeared, or came to rest, that no
    hand can have taken and thrown it meanwhile. A finger flicked it, or another die hit it."""
    first_s, last_s = tracklet.observations[0].at_s, before.last.at_s
    taken_away = before.lifted_s is not None and before.lifted_s < first_s
    lies_again = not before.covered and at_rest_since(tracklet) - last_s < QUICK_S
    soon = first_s - last_s < IN_HAND_S or lies_again
    lay_still = path_sides(before) <= SAME_SPOT_SIDES
    return first_s >= last_s and soon and lay_still and not taken_away


def _goes_on(before: Tracklet, tracklet: Tracklet) -> bool:
    """Whether the die of `before` is there again at once, near the place where it was last detected, with the
    same face: frames were lost, or a finger hid it, as it was pushed."""
    first, last = tracklet.observations[0], before.last
    soon = 0 <= first.at_s - last.at_s < MAX_LINK_S
    return soon and step_sides(last, first) <= MAX_PUSHED_SIDES and may_be_same(last.seen, first.seen)


def _are_shuffled(new: Sequence[Tracklet], lost: Sequence[Tracklet]) -> bool:
    """Whether the new dice are those that a hand took, at other places: together they show what the lost
    ones showed, and none was seen to move freely, or, of MANY_SHUFFLED, to tumble freely. Where that is
    hardly chance, it does not matter what was seen under the hand."""
    if not len(new) == len(lost) >= MIN_SHUFFLED:
        return False
    came_freely = any(free_sides(c) >= MIN_ARRIVAL_PATH for c in new)
    thrown = came_freely and (len(new) < MANY_SHUFFLED or any(tumbled_freely(c) for c in new))
    if thrown and _chance_of_same_faces([c.last.seen for c in new]) > MAX_CHANCE:
        return False
    remaining = list(lost)
    for tracklet in new:
        if (match := _lost_die(tracklet, remaining)) is None:
            return False
        remaining.remove(match)
    return all(c.last.seen.sure for c in new) and all(c.ever_touched for c in lost)


def _chance_of_same_faces(dice: Sequence[SeenDie]) -> float:
    """The probability that these dice, thrown again, show the same faces in the same colours."""
    faces = Counter((d.colour, d.face) for d in dice)
    ways = math.prod(math.factorial(n) for n in Counter(d.colour for d in dice).values())
    same = math.prod(math.factorial(n) for n in faces.values())
    return float(ways / same / 6 ** len(dice))


def _surely_thrown(tracklet: Tracklet, old: Tracklet) -> bool:
    """Whether a die with the face of a lost one was thrown nevertheless."""
    if _lay_just_before(old, tracklet) or _goes_on(old, tracklet):
        return False
    tumbles, path = tumble_evidence(tracklet), _arrival_sides(tracklet)
    lifted = tracklet.observations[0].at_s - old.last.at_s > IN_HAND_S
    if tumbles >= (2 if lifted else 3) * MIN_TUMBLE_EVIDENCE:
        return True
    if tumbles >= MIN_TUMBLE_EVIDENCE and path >= MIN_FAR_PATH:
        return True
    if path < MIN_FREE_PATH and sides_apart(old.observations[0].seen, tracklet.last.seen) <= SAME_SPOT_SIDES:
        return False
    pushed_since = tumbles == 0 and path < MIN_FREE_PATH <= path_sides(tracklet) - path
    if pushed_since or _pushed_by_finger(tracklet, old):
        return False
    return old.lifted_before(tracklet) and (path >= MIN_FREE_PATH or not placed_under_hand(tracklet))


def _track_of_moved(tracklet: Tracklet, old: Tracklet, shuffled: bool) -> Track:
    """The track of a die that shows the face of a lost one and was probably not thrown: UNMOVED, MOVED or
    UNCLEAR."""
    assert old.track is not None
    was, seen = old.track.seen, tracklet.last.seen
    if sides_apart(old.observations[0].seen, seen) <= SAME_SPOT_SIDES:
        return Track(old.track.id, seen, TrackOutcome.UNMOVED, was)
    gap_s = tracklet.observations[0].at_s - old.last.at_s
    carried = old.ever_touched and path_sides(old) >= MIN_FREE_PATH
    came_from_hand = carried or gap_s > IN_HAND_S
    rolls_in = old.lifted_before(tracklet) and _rolls_in(tracklet)
    moved_freely = (rolls_in or _arrival_sides(tracklet) >= MIN_FREE_PATH) and came_from_hand
    moved_freely &= not _pushed_by_finger(tracklet, old)
    outcome = TrackOutcome.UNCLEAR if moved_freely and not shuffled else TrackOutcome.MOVED
    return Track(old.track.id, seen, outcome, was, lifted=old.lifted_before(tracklet))


def _arrival_sides(tracklet: Tracklet) -> float:
    """Length of its path with no hand at it, sides, until it first lay still for LAY_STILL_S. All of it, if
    the die was seen to tumble."""
    if tumble_evidence(tracklet) > 0:
        return free_sides(tracklet)
    arrived = len(tracklet.observations)
    still_since = tracklet.observations[0]
    for n, observation in enumerate(tracklet.observations):
        if step_sides(still_since, observation) > MIN_STEP_SIDES:
            still_since = observation
        elif observation.at_s - still_since.at_s >= LAY_STILL_S:
            arrived = n + 1
            break
    return free_sides(replace(tracklet, observations=tracklet.observations[:arrived]))


def _rolls_in(tracklet: Tracklet) -> bool:
    """Whether it still moves freely as it comes into sight."""
    until_s = tracklet.observations[0].at_s + ARRIVAL_S
    arriving = [o for o in tracklet.observations if o.at_s <= until_s]
    return free_sides(replace(tracklet, observations=arriving)) >= MIN_ARRIVAL_PATH


def _pushed_by_finger(tracklet: Tracklet, old: Tracklet) -> bool:
    """Whether a finger may have hidden the lost die for a moment and pushed it: it comes into sight near its
    place, and lies still or slides on without tumbling."""
    first = tracklet.observations[0]
    far, gap_s = sides_apart(old.last.seen, first.seen), first.at_s - old.last.at_s
    if tumble_evidence(tracklet) > 0:
        return False
    if path_sides(tracklet) == 0:
        return far <= MAX_UNSEEN_SIDES and gap_s < RETHROW_S
    return far <= MAX_PUSHED_SIDES and free_sides(tracklet) < MIN_FAR_PATH and gap_s < FINGER_S


def _extend_throws(
    tracklets: Sequence[Tracklet], tracks: list[Track], known: bool, taken_before: Container[int]
) -> list[Track]:
    """The tracks, with dice that may have been thrown made THROWN, if one that surely was thrown came to rest
    at about the same time, or, for dice that did not lie here before, one that was hit. A die that only seems
    to have been turned under the hand becomes UNCLEAR: the thrown one may have knocked it over.

    known: no die that a hand touched is missing, so that a die that seems to be new is new. taken_before:
    the ids of dice whose places were empty when the tray last settled.
    """
    pairs = list(zip(tracklets, tracks, strict=True))
    thrown = [c for c, t in pairs if t.outcome is TrackOutcome.THROWN]
    knocked = _tumbled_over(tracklets, tracks)
    hit = [c for c, t in pairs if t.outcome in (TrackOutcome.MOVED, TrackOutcome.TIPPED)]
    with_new = [*thrown, *knocked] if known else thrown
    return [
        replace(t, outcome=TrackOutcome.UNCLEAR)
        if _may_be_knocked(c, t) and _came_with_others(c, thrown)
        else replace(t, outcome=TrackOutcome.THROWN, was=None, lifted=True)
        if (_may_be_thrown(c, t) and _came_with_others(c, thrown if t.was else with_new))
        or (_came_back(t, taken_before) and _came_with_others(c, thrown))
        or _fell_out_with(c, t, thrown)
        or (known and t.outcome is TrackOutcome.PLACED and any(_hit(c, other) for other in hit))
        else t
        for c, t in pairs
    ]


def _doubt_unseen(
    tracklets: Sequence[Tracklet], tracks: list[Track], others: Sequence[Tracklet]
) -> list[Track]:
    """The tracks, with a new die made UNCLEAR that came alone, and was neither seen to roll nor to tumble: a
    fingertip may have held it, or hid it for a moment as it flicked others, or pushed one with this face. So
    is one that hardly rolled, and may have slipped out from between fingers.

    others: tracklets that ended.
    """
    pairs = list(zip(tracklets, tracks, strict=True))
    thrown = [c for c, t in pairs if t.outcome is TrackOutcome.THROWN]
    gone = _gone(others, tracks)
    unseen = [
        c
        for c in thrown
        if c.track is None
        and not _tumbled(c)
        and (path_sides(c) < MIN_ARRIVAL_PATH or any(_may_have_slipped_out(c, old) for old in gone))
    ]
    lone = {id(c) for c in unseen if not _came_with_others(c, thrown)}
    return [_as_doubted(c, t, gone) if id(c) in lone else t for c, t in pairs]


def _as_doubted(tracklet: Tracklet, track: Track, gone: Sequence[Tracklet]) -> Track:
    """The track of a lone die that nobody saw coming: UNCLEAR if it may be one of those that are gone, was
    held, or can hardly have rolled to its place."""
    same = (old for old in gone if _shows_the_same(tracklet, old))
    slipped = (old for old in gone if _may_have_slipped_out(tracklet, old))
    if (old := next(chain(same, slipped), None)) is not None:
        return _unclear(track, old)
    too_soon = any(_is_back_too_soon(tracklet, old, QUICK_S) for old in gone)
    doubted = too_soon or may_be_held_at_first(tracklet) or stood_undetected(tracklet)
    doubted |= tracklet.crossed_tray is False  # a fingertip at the border laid it down
    return replace(track, outcome=TrackOutcome.UNCLEAR) if doubted else track


def _shows_the_same(tracklet: Tracklet, old: Tracklet) -> bool:
    """Whether a new die shows what one showed that a hand touched, and that is gone."""
    return old.ever_touched and old.track is not None and may_be_same(old.track.seen, tracklet.last.seen)


def _may_have_slipped_out(tracklet: Tracklet, old: Tracklet) -> bool:
    """Whether a new die that hardly rolled may be one that slipped out from between fingers: the hand stayed
    at that one's place until this one came into sight, not far off."""
    near = sides_apart(old.last.seen, tracklet.last.seen) <= MAX_UNSEEN_SIDES
    alike = may_be_same_body(old.last.seen, tracklet.last.seen)
    return near and alike and free_sides(tracklet) < MIN_FREE_PATH and _hidden_until(old, tracklet)


def _tumbled(tracklet: Tracklet) -> bool:
    return tumble_evidence(tracklet) >= MIN_TUMBLE_EVIDENCE or spins(tracklet)


def _only_hidden(tracklet: Tracklet) -> bool:
    """Whether what seemed to be a tumble was hardly more than a fingertip that hid a part of the die."""
    held = held_observations(tracklet)
    free = [o for o in tracklet.observations if o not in held]
    return bool(held) and tumble_evidence(replace(tracklet, observations=free)) < MIN_TUMBLE_EVIDENCE


def _doubt_shot_out(
    tracklets: Sequence[Tracklet], tracks: list[Track], others: Sequence[Tracklet]
) -> list[Track]:
    """The tracks, with THROWN dice made UNCLEAR that a finger may have squeezed against others until they
    shot out: it hid such a die a moment before, and pushed another one until then.

    others: tracklets that ended.
    """
    remaining, doubted = _gone(others, tracks), list[Track]()
    for tracklet, track in zip(tracklets, tracks, strict=True):
        old = _shot_out_die(tracklet, remaining, tracklets) if track.outcome is TrackOutcome.THROWN else None
        if old is not None:
            remaining.remove(old)
        doubted.append(track if old is None else _unclear(track, old))
    return doubted


def _hidden_until(old: Tracklet, tracklet: Tracklet) -> bool:
    """Whether a hand was at the place of a die that lay there until this one came into sight."""
    first_s = tracklet.observations[0].at_s
    return old.ever_touched and (old.absent_since is None or old.absent_since >= first_s)


def _gone(others: Sequence[Tracklet], tracks: Sequence[Track]) -> list[Tracklet]:
    """Of tracklets that ended, those of dice that lay here and are none of these tracks."""
    found = {t.id for t in tracks}
    return [c for c in others if c.track is not None and c.track.id not in found]


def _unclear(track: Track, old: Tracklet) -> Track:
    """The track of a die that was thrown, or is the one of `old`, and was moved."""
    assert old.track is not None
    return replace(track, id=old.track.id, outcome=TrackOutcome.UNCLEAR, was=old.track.seen)


def _shot_out_die(
    tracklet: Tracklet, gone: Sequence[Tracklet], tracklets: Sequence[Tracklet]
) -> Tracklet | None:
    """The die that a finger may have made shoot out, and that is this new one then; None if there is none."""
    first_s = tracklet.observations[0].at_s
    pushes = any(_was_pushed_until(other, first_s) for other in tracklets if other is not tracklet)
    if tracklet.from_rest or not pushes:
        return None
    return next((old for old in gone if _is_back_too_soon(tracklet, old)), None)


def _is_back_too_soon(tracklet: Tracklet, old: Tracklet, max_s: float = RETHROW_S) -> bool:
    """Whether a new die may be one that a hand hid so shortly before it lay still that it can hardly have
    been taken and thrown."""
    alike = may_be_same_body(old.last.seen, tracklet.last.seen)
    return alike and old.ever_touched and at_rest_since(tracklet) - old.last.at_s < max_s


def _was_pushed_until(tracklet: Tracklet, at_s: float) -> bool:
    """Whether a hand pushed a die that lay here, at least MIN_PUSHED_SIDES in the IN_HAND_S before this time,
    s."""
    if not tracklet.from_rest:
        return False
    steps = ((a, b) for a, b in pairwise(tracklet.observations) if a.touched and b.touched)
    recent = (step_sides(a, b) for a, b in steps if at_s - IN_HAND_S <= b.at_s <= at_s)
    return sum(step for step in recent if step > MIN_STEP_SIDES) >= MIN_PUSHED_SIDES


def _tip_flicked(tracklets: Sequence[Tracklet], tracks: list[Track]) -> list[Track]:
    """The tracks, with TURNED dice made TIPPED if nothing was thrown, and another die tumbled across the tray
    at the same time: the finger that flicked that one knocked these over."""
    if any(t.outcome is TrackOutcome.THROWN for t in tracks):
        return tracks
    flicked = _tumbled_over(tracklets, tracks)
    return [
        replace(t, outcome=TrackOutcome.TIPPED)
        if t.outcome is TrackOutcome.TURNED and _came_with_others(c, flicked)
        else t
        for c, t in zip(tracklets, tracks, strict=True)
    ]


def _tumbled_over(tracklets: Sequence[Tracklet], tracks: Sequence[Track]) -> list[Tracklet]:
    """The dice that lay here, were hit or flicked, and tumbled across the tray."""
    pairs = zip(tracklets, tracks, strict=True)
    return [c for c, t in pairs if t.outcome is TrackOutcome.TIPPED and tumbled_freely(c)]


def _hit(tracklet: Tracklet, other: Tracklet) -> bool:
    """Whether a new die hit the other as it came into sight: that one then slid off, or fell over, with no
    hand at it."""
    if tracklet.from_rest:
        return False
    first = tracklet.observations[0]
    before = next((o for o in reversed(other.observations) if o.at_s <= first.at_s), None)
    if before is None or sides_apart(before.seen, first.seen) > MAX_HIT_SIDES:
        return False
    fell_s = toppled_s(other)
    if fell_s is not None:
        return abs(fell_s - first.at_s) < MAX_LINK_S
    free = ((a, b) for a, b in pairwise(other.observations) if not b.touched)
    starts_s = [a.at_s for a, b in free if step_sides(a, b) > MIN_STEP_SIDES]
    slid = sides_apart(before.seen, other.last.seen) >= MIN_HIT_PATH
    return slid and any(abs(at_s - first.at_s) < MAX_LINK_S for at_s in starts_s)


def _may_be_knocked(tracklet: Tracklet, track: Track) -> bool:
    """Whether a die that seems to have been turned came into sight at its place, and lay still."""
    turned = tracklet.track is None and track.outcome is TrackOutcome.TURNED
    return turned and path_sides(tracklet) < MIN_ARRIVAL_PATH


def _may_be_thrown(tracklet: Tracklet, track: Track) -> bool:
    """Whether the observations also fit a die that was thrown with others."""
    new = tracklet.track is None and track.outcome in (TrackOutcome.PLACED, TrackOutcome.TURNED)
    came = not tracklet.unseen or free_sides(tracklet) >= MIN_FREE_PATH
    hidden = track.outcome is TrackOutcome.UNOBSERVED and came and track.seen.sure
    return track.outcome is TrackOutcome.UNCLEAR or new or hidden or _seen_coming(tracklet, track)


def _came_back(track: Track, taken_before: Container[int]) -> bool:
    """Whether a die that was taken lies near its place again. Beside a throw, no finger nudged it there: it
    was thrown as well, and shows its face again."""
    return track.outcome is TrackOutcome.MOVED and track.id in taken_before


def _fell_out_with(tracklet: Tracklet, track: Track, thrown: Sequence[Tracklet]) -> bool:
    """Whether a die that was lifted fell out of the hand in the same moment as MIN_FALLEN_TOGETHER others
    that tumbled freely: it shows its face again by chance."""
    if track.outcome is not TrackOutcome.MOVED or not track.lifted or not may_have_fallen_out(tracklet):
        return False
    seen_s = tracklet.observations[0].at_s
    beside = [c for c in thrown if abs(c.observations[0].at_s - seen_s) <= UNCOVERED_TOGETHER_S]
    return sum(tumbled_freely(c) for c in beside) >= MIN_FALLEN_TOGETHER


def _came_with_others(tracklet: Tracklet, thrown: Sequence[Tracklet]) -> bool:
    """Whether it came to rest, or into sight, at about the time when one of the others came to rest, or was
    hidden by a hand then."""
    throws_s = [at_rest_since(other) for other in thrown if other is not tracklet]
    times_s = (at_rest_since(tracklet), tracklet.observations[0].at_s)
    together = any(abs(at_s - throw_s) < THROWN_TOGETHER_S for at_s in times_s for throw_s in throws_s)
    return together or any(_hidden_at(tracklet, throw_s) for throw_s in throws_s)


def _hidden_at(tracklet: Tracklet, throw_s: float) -> bool:
    """Whether a hand may have hidden it from this time, s, until it came into sight."""
    since_s, seen_s = tracklet.hand_since_s, tracklet.observations[0].at_s
    return since_s is not None and since_s <= throw_s <= seen_s <= throw_s + THROWN_UNDER_HAND_S


def _seen_coming(tracklet: Tracklet, track: Track) -> bool:
    """Whether a die was out of sight in a hand, and was then detected on its way outside the hand."""
    if track.outcome not in (TrackOutcome.MOVED, TrackOutcome.TURNED, TrackOutcome.TIPPED):
        return False
    hidden = tracklet.track is None or was_in_hand(tracklet)
    came_from_hand = track.lifted or (tracklet.ever_touched and hidden)
    return came_from_hand and free_sides(tracklet) > 0 and path_sides(tracklet) >= MIN_FREE_PATH


def _mark_uncovered(tracklets: Sequence[Tracklet], tracks: list[Track]) -> list[Track]:
    """The tracks, with PLACED dice made UNCLEAR that came into sight where a hand had rested."""
    return [
        replace(t, outcome=TrackOutcome.UNCLEAR)
        if t.outcome is TrackOutcome.PLACED and not t.lifted and hand_rested_at(c)
        else t
        for c, t in zip(tracklets, tracks, strict=True)
    ]


def _extend_throws_under_hand(
    tracklets: Sequence[Tracklet], tracks: list[Track], others: Sequence[Tracklet]
) -> list[Track]:
    """The tracks, with new dice made THROWN that a hand uncovered near where dice rolled under it.

    others: tracklets that ended.
    """
    ends_s = [
        at_rest_since(c) for c, t in zip(tracklets, tracks, strict=True) if t.outcome is TrackOutcome.THROWN
    ]
    under = [
        c
        for c in others
        if rolled_to_hand(c) and any(abs(c.last.at_s - s) < THROWN_TOGETHER_S for s in ends_s)
    ]
    decided = list[Track]()
    for tracklet, track in zip(tracklets, tracks, strict=True):
        new = (
            track.was is None and track.outcome is TrackOutcome.UNCLEAR and tracklet.hand_since_s is not None
        )
        near = [c for c in under if new and _may_lie_under_hand(c, tracklet)]
        if near:
            under.remove(min(near, key=lambda c: sides_apart(c.last.seen, tracklet.last.seen)))
        decided.append(replace(track, outcome=TrackOutcome.THROWN, lifted=True) if near else track)
    return decided


def _may_lie_under_hand(rolled: Tracklet, tracklet: Tracklet) -> bool:
    """Whether a die that a hand uncovered may be one that rolled under it."""
    near = sides_apart(rolled.last.seen, tracklet.last.seen) <= MAX_UNDER_HAND_SIDES
    return near and may_be_same_body(rolled.last.seen, tracklet.last.seen)


def _mark_knocked_over(
    tracklets: Sequence[Tracklet], tracks: list[Track], others: Sequence[Tracklet]
) -> list[Track]:
    """The tracks, with dice that tumbled across the tray made TIPPED or MOVED while others were thrown, or a
    finger flicked one that lay there: those knocked them.

    others: tracklets that ended.
    """
    lay = [c for c in (*tracklets, *others) if c.track is not None]
    if any(t.outcome is TrackOutcome.THROWN and t.was is None for t in tracks):
        return [
            _knocked(c, t, lay) if c.track is not None else t for c, t in zip(tracklets, tracks, strict=True)
        ]
    touched = {c.track.id for c in lay if c.track is not None and c.ever_touched}
    pairs = list(zip(tracklets, tracks, strict=True))
    moved = [
        c for c, t in pairs if t.outcome in (TrackOutcome.TIPPED, TrackOutcome.MOVED) and t.id in touched
    ]
    flicked = [c for c in moved if free_sides(c) > 0]
    return [_knocked(c, t, lay) if _came_with_others(c, flicked) else t for c, t in pairs]


def _knocked(tracklet: Tracklet, track: Track, lay: Sequence[Tracklet]) -> Track:
    """The track of a die that may have been knocked across the tray; the same one if it did not lie there.

    lay: the tracklets of the dice that did.
    """
    if track.outcome is not TrackOutcome.THROWN or track.was is None:
        return track
    before = next((c.track for c in lay if c.track is not None and c.track.seen is track.was), tracklet.track)
    if before is None:
        return track
    outcome = TrackOutcome.MOVED if may_have_same_face(track.was, track.seen) else TrackOutcome.TIPPED
    return replace(track, id=before.id, outcome=outcome)
